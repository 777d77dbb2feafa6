/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include "../test.h"
#include "behaviours.h"
#include "egl.h"
#include "measure.h"
#include "real_gl.h"

#define VERTEX_SIZE_B sizeof(GLfloat[4])

/* Binds a buffer with room for so many vertices, and what captures them. */
static void
prepare_feedback(unsigned vertices)
{
   GLuint buffer;

   glUseProgram(real_gl_make_program("gl_Position"));
   glGenBuffers(1, &buffer);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
   glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, vertices * VERTEX_SIZE_B, NULL,
                GL_DYNAMIC_DRAW);
   memset(glMapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0,
                           vertices * VERTEX_SIZE_B, GL_MAP_WRITE_BIT),
          0, vertices * VERTEX_SIZE_B);
   glUnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
}

/* Returns how many vertices were captured, of which w is 1. */
static unsigned
count_captured(unsigned vertices)
{
   const GLfloat *vertex =
      glMapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0,
                       vertices * VERTEX_SIZE_B, GL_MAP_READ_BIT);
   unsigned count = 0;

   while (count < vertices && vertex[4 * count + 3] == 1)
      count++;
   glUnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
   return count;
}

static void
capture_points(unsigned count)
{
   glBeginTransformFeedback(GL_POINTS);
   real_gl_draw_points(count);
   glEndTransformFeedback();
}

void
written_is_captured(const struct entry_points *gl)
{
   const GLuint id = generate(gl);

   prepare_feedback(64);
   gl->BeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, id);
   glBeginTransformFeedback(GL_POINTS);
   real_gl_draw_points(5);
   glPauseTransformFeedback();
   real_gl_draw_points(7);
   glResumeTransformFeedback();
   real_gl_draw_points(3);
   glEndTransformFeedback();
   gl->EndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
   assert_int_equal(result_of(gl, id), 8);
   assert_int_equal(count_captured(64), 8);
   assert_no_error();
}

/* Begun and ended in turns, and the one deleted while the other counts. */
void
written_beside_generated(const struct entry_points *gl)
{
   const GLuint written = generate(gl), generated = generate(gl);

   prepare_feedback(64);
   glBeginTransformFeedback(GL_POINTS);
   real_gl_draw_points(1);
   gl->BeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, written);
   real_gl_draw_points(2);
   gl->BeginQuery(GL_PRIMITIVES_GENERATED, generated);
   real_gl_draw_points(3);
   gl->EndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
   assert_int_equal(result_of(gl, written), 5);
   gl->DeleteQueries(1, &written);
   real_gl_draw_points(4);
   gl->EndQuery(GL_PRIMITIVES_GENERATED);
   glEndTransformFeedback();
   assert_int_equal(result_of(gl, generated), 7);
   assert_no_error();
}

void
drawn_without_feedback(const struct entry_points *gl)
{
   const GLuint id = generate(gl);

   prepare_feedback(64);
   gl->BeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, id);
   real_gl_draw_points(3);
   capture_points(2);
   real_gl_draw_points(4);
   gl->EndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
   assert_int_equal(result_of(gl, id), 2);
   assert_no_error();
}

/* The second triangle has room for a vertex, and is left out. */
void
incomplete_is_not_written(const struct entry_points *gl)
{
   const GLuint written = generate(gl), generated = generate(gl);

   prepare_feedback(4);
   gl->BeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, written);
   gl->BeginQuery(GL_PRIMITIVES_GENERATED, generated);
   glBeginTransformFeedback(GL_TRIANGLES);
   glDrawArraysInstanced(GL_TRIANGLES, 0, 3, 2);
   glEndTransformFeedback();
   gl->EndQuery(GL_PRIMITIVES_GENERATED);
   gl->EndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
   assert_int_equal(result_of(gl, written), 1);
   assert_int_equal(result_of(gl, generated), 2);
   assert_int_equal(count_captured(4), 3);
   assert_no_error();
}

/* Captures so many points into a buffer for four, inside of both. */
static void
measure_overflow(const struct entry_points *gl, const GLuint ids[2],
                 unsigned count)
{
   gl->BeginQuery(GL_TRANSFORM_FEEDBACK_OVERFLOW, ids[0]);
   gl->BeginQueryIndexed(GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW, 0, ids[1]);
   capture_points(count);
   gl->EndQueryIndexed(GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW, 0);
   gl->EndQuery(GL_TRANSFORM_FEEDBACK_OVERFLOW);
}

void
overflow_is_noticed(const struct entry_points *gl)
{
   GLuint ids[2];

   gl->GenQueries(ARRAY_LENGTH(ids), ids);
   prepare_feedback(4);
   for (unsigned count = 3; count <= 5; count++) {
      measure_overflow(gl, ids, count);
      for (unsigned i = 0; i < ARRAY_LENGTH(ids); i++) {
         assert_int_equal(result_of(gl, ids[i]), count > 4);
         real_gl_ops.condition(NULL, ids[i], GL_QUERY_WAIT);
         assert_int_equal(real_gl_ops.draw(NULL), count > 4);
         real_gl_ops.endcondition(NULL);
      }
   }
   assert_no_error();
}

void
overflow_decides_in_flight(const struct entry_points *gl)
{
   GLuint ids[2];

   gl->GenQueries(ARRAY_LENGTH(ids), ids);
   prepare_feedback(4);
   for (unsigned i = 0; i < ARRAY_LENGTH(ids); i++) {
      measure_overflow(gl, ids, 5);
      real_gl_ops.condition(NULL, ids[i], GL_QUERY_WAIT_INVERTED);
      assert_false(real_gl_ops.draw(NULL));
      real_gl_ops.endcondition(NULL);
   }
   assert_no_error();
}

/* Draws points that nothing captures inside of overflow queries. */
static void
assert_nothing_overflows(const struct entry_points *gl)
{
   GLuint ids[2];

   gl->GenQueries(ARRAY_LENGTH(ids), ids);
   gl->BeginQuery(GL_TRANSFORM_FEEDBACK_OVERFLOW, ids[0]);
   gl->BeginQueryIndexed(GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW, 0, ids[1]);
   real_gl_draw_points(3);
   gl->EndQueryIndexed(GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW, 0);
   gl->EndQuery(GL_TRANSFORM_FEEDBACK_OVERFLOW);
   for (unsigned i = 0; i < ARRAY_LENGTH(ids); i++)
      assert_int_equal(result_of(gl, ids[i]), 0);
   assert_no_error();
}

void
nothing_overflows_without_feedback(const struct entry_points *gl)
{
   assert_nothing_overflows(gl);
}

void
generated_is_no_overflow(const struct entry_points *gl)
{
   gl->BeginQuery(GL_PRIMITIVES_GENERATED, generate(gl));
   assert_nothing_overflows(gl);
   gl->EndQuery(GL_PRIMITIVES_GENERATED);
   assert_no_error();
}

static void
begin_generated(const struct entry_points *gl, GLuint id)
{
   glClear(GL_COLOR_BUFFER_BIT);
   gl->BeginQuery(GL_PRIMITIVES_GENERATED, id);
}

static void
end_generated(const struct entry_points *gl, GLuint id, unsigned expected)
{
   gl->EndQuery(GL_PRIMITIVES_GENERATED);
   assert_int_equal(result_of(gl, id), expected);
   assert_no_error();
}

void
generated_and_discarded(const struct entry_points *gl)
{
   const GLuint id = generate(gl);

   begin_generated(gl, id);
   glEnable(GL_RASTERIZER_DISCARD);
   real_gl_draw_points(5);
   end_generated(gl, id, 5);
   glDisable(GL_RASTERIZER_DISCARD);
   assert_red_if_rendered(0);
   real_gl_draw_points(1);
   assert_red_if_rendered(255);
}

void
generated_and_discarded_in_turns(const struct entry_points *gl)
{
   const GLuint id = generate(gl);

   begin_generated(gl, id);
   real_gl_draw_points(2);
   glEnable(GL_RASTERIZER_DISCARD);
   real_gl_draw_points(3);
   glDisable(GL_RASTERIZER_DISCARD);
   real_gl_draw_points(4);
   assert_red_if_rendered(255);
   end_generated(gl, id, 9);
}

void
generated_indirectly(const struct entry_points *gl)
{
   static const GLuint command[4] = { 6, 1 };
   const GLuint id = generate(gl);
   GLuint buffer;

   glGenBuffers(1, &buffer);
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, buffer);
   glBufferData(GL_DRAW_INDIRECT_BUFFER, sizeof(command), command,
                GL_STATIC_DRAW);
   begin_generated(gl, id);
   glDrawArraysIndirect(GL_POINTS, NULL);
   glEnable(GL_RASTERIZER_DISCARD);
   glDrawArraysIndirect(GL_POINTS, NULL);
   glDisable(GL_RASTERIZER_DISCARD);
   end_generated(gl, id, 12);
}
