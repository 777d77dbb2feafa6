/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "behaviour.h"

#define STATISTIC(KIND, TARGET, FLAGS, WORK, DESKTOP, ES, GALLIUM, COUNTER,  \
                  ...)                                                       \
   { #TARGET, GL_##TARGET, COUNTER },

const struct statistic statistics[] = { EACH_STATISTIC(STATISTIC) };

static unsigned
find_targets(GLenum targets_out[STATISTIC_COUNT])
{
   unsigned count = 0;

   for (unsigned i = 0; i < STATISTIC_COUNT; i++) {
      if (!real_gl_obstacle(statistics[i].name))
         targets_out[count++] = statistics[i].target;
   }
   return count;
}

/* Waits, so that counts depend on the number of points only. */
static void
draw(unsigned count)
{
   real_gl_draw_points(count);
   glFinish();
}

static GLuint
measure_alone(GLenum target, unsigned count)
{
   const GLuint id = begin(target);

   draw(count);
   return end(target, id);
}

static void
points_count_as_vertices(void)
{
   assert_int_equal(measure_alone(GL_VERTICES_SUBMITTED, 7), 7);
   assert_int_equal(measure_alone(GL_PRIMITIVES_SUBMITTED, 7), 7);
   assert_true(measure_alone(GL_VERTEX_SHADER_INVOCATIONS, 7) >= 7);
   assert_true(measure_alone(GL_FRAGMENT_SHADER_INVOCATIONS, 7) >= 7);
}

/* Everything is inside.  A driver may turn a point into triangles. */
static void
points_and_lines_pass_the_clipper(void)
{
   static const struct {
      GLenum mode;
      unsigned vertices, primitives;
   } draws[] = { { GL_POINTS, 7, 7 }, { GL_LINES, 8, 4 } };

   for (unsigned i = 0; i < ARRAY_LENGTH(draws); i++) {
      const GLuint input = begin(GL_CLIPPING_INPUT_PRIMITIVES);
      const GLuint output = begin(GL_CLIPPING_OUTPUT_PRIMITIVES);

      glDrawArrays(draws[i].mode, 0, draws[i].vertices);
      gl.EndQuery(GL_CLIPPING_INPUT_PRIMITIVES);
      gl.EndQuery(GL_CLIPPING_OUTPUT_PRIMITIVES);
      assert_int_equal(result_of(input), draws[i].primitives);
      assert_true(result_of(output) >= draws[i].primitives);
   }
}

static void
all_at_once_as_each_alone(void)
{
   GLenum targets[STATISTIC_COUNT];
   GLuint ids[STATISTIC_COUNT];
   const unsigned count = find_targets(targets);

   gl.GenQueries(count, ids);
   for (unsigned i = 0; i < count; i++)
      gl.BeginQuery(targets[i], ids[i]);
   draw(9);
   for (unsigned i = 0; i < count; i++)
      gl.EndQuery(targets[i]);
   draw(3);
   for (unsigned i = 0; i < count; i++)
      assert_int_equal(result_of(ids[i]), measure_alone(targets[i], 9));
}

/* The queries overlap, and end in the order of their begins. */
static void
check_pair(GLenum first, GLenum second)
{
   const GLuint a = begin(first);

   draw(1);
   const GLuint b = begin(second);
   draw(2);
   gl.EndQuery(first);
   draw(4);
   gl.EndQuery(second);
   assert_int_equal(result_of(a),
                    measure_alone(first, 1) + measure_alone(first, 2));
   assert_int_equal(result_of(b),
                    measure_alone(second, 2) + measure_alone(second, 4));
}

static void
each_pair_overlaps(void)
{
   GLenum targets[STATISTIC_COUNT];
   const unsigned count = find_targets(targets);

   for (unsigned i = 0; i < count; i++) {
      for (unsigned j = 0; j < count; j++) {
         if (i != j)
            check_pair(targets[i], targets[j]);
      }
   }
}

#define INVOCATIONS_PER_GROUP (3 * 2 * 2)

static void
all_invocations_of_groups_count(void)
{
   glUseProgram(gl_make_compute_program(
      "local_size_x = 3, local_size_y = 2, local_size_z = 2", "", ""));
   const GLuint id = begin(GL_COMPUTE_SHADER_INVOCATIONS);
   glDispatchCompute(5, 1, 3);
   glDispatchCompute(1, 2, 1);
   assert_int_equal(end(GL_COMPUTE_SHADER_INVOCATIONS, id),
                    (5 * 3 + 2) * INVOCATIONS_PER_GROUP);
}

/* GL need not clip without rasterizer; earlier primitives still count. */
static void
clipped_without_rasterizer(void)
{
   const GLuint id = begin(GL_CLIPPING_INPUT_PRIMITIVES);

   real_gl_draw_points(5);
   glEnable(GL_RASTERIZER_DISCARD);
   real_gl_draw_points(4);
   glDisable(GL_RASTERIZER_DISCARD);
   real_gl_draw_points(2);
   assert_in_range(end(GL_CLIPPING_INPUT_PRIMITIVES, id), 7, 11);
}

static void
rectangles_are_two_triangles(void)
{
   static const GLfloat corners[6][2] = {
      { -0.5, -0.5 }, { 0.5, -0.5 }, { 0.5, 0.5 },
      { -0.5, -0.5 }, { 0.5, 0.5 },  { -0.5, 0.5 },
   };

   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 64, 64);
   gl_make_buffer(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
   const GLuint id = begin(GL_CLIPPING_OUTPUT_PRIMITIVES);
   glDrawArrays(GL_TRIANGLES, 0, 6);
   assert_int_equal(end(GL_CLIPPING_OUTPUT_PRIMITIVES, id), 2);
}

/* Mesa draws clears of some channels, and blits that flip or scale. */
static void
clears_and_blits_do_not_count(void)
{
   const struct egl_framebuffer from = egl_make_framebuffer();

   egl_make_framebuffer();
   glBindFramebuffer(GL_READ_FRAMEBUFFER, from.framebuffer);
   const GLuint of_point =
      result_of(measure_new(GL_CLIPPING_OUTPUT_PRIMITIVES, 1));
   const GLuint id = begin(GL_CLIPPING_OUTPUT_PRIMITIVES);
   real_gl_draw_points(1);
   glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
   glClear(GL_COLOR_BUFFER_BIT);
   glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
   glBlitFramebuffer(0, 0, 16, 16, 0, 16, 16, 0, GL_COLOR_BUFFER_BIT,
                     GL_NEAREST);
   glBlitFramebuffer(0, 0, 16, 16, 4, 4, 9, 9, GL_COLOR_BUFFER_BIT,
                     GL_LINEAR);
   assert_int_equal(end(GL_CLIPPING_OUTPUT_PRIMITIVES, id), of_point);
}

const struct behaviour behaviours_of_statistics[] = {
   { "statistics: what points count as", APSQ, IN_DESKTOP,
     "VERTICES_SUBMITTED", points_count_as_vertices },
   { "statistics: points and lines pass the clipper", APSQ, IN_DESKTOP,
     "VERTICES_SUBMITTED", points_and_lines_pass_the_clipper },
   { "statistics: all at once count as each alone", APSQ, IN_DESKTOP,
     "VERTICES_SUBMITTED", all_at_once_as_each_alone },
   { "statistics: each pair overlaps", APSQ, IN_DESKTOP, "VERTICES_SUBMITTED",
     each_pair_overlaps },
   { "statistics: all invocations of work groups", APSQ, IN_DESKTOP,
     "COMPUTE_SHADER_INVOCATIONS VERTICES_SUBMITTED",
     all_invocations_of_groups_count },
   { "statistics: clipped with and without a rasterizer", APSQ, IN_DESKTOP,
     "VERTICES_SUBMITTED TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN",
     clipped_without_rasterizer },
   { "statistics: clears and blits do not count", APSQ, IN_DESKTOP,
     "VERTICES_SUBMITTED rendered", clears_and_blits_do_not_count },
   { "statistics: a rectangle is two triangles", APSQ, IN_DESKTOP,
     "VERTICES_SUBMITTED", rectangles_are_two_triangles },
   { .name = NULL },
};
