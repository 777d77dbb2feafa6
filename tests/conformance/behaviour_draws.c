/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Each way to draw or dispatch is counted, also directly after the begin or
 * end of a statistic.
 */

#include <epoxy/gl.h>

#include "behaviour.h"
#include "draw_ways.h"

static const GLushort indices[DRAW_POINTS];

/* Contents of buffers: the commands of indirect draws, and their counts. */
static const GLuint array_commands[][4] = { { 3, 1, 0, 0 }, { 4, 1, 3, 0 } };
static const GLuint element_commands[][5] = { { 3, 1, 0, 0, 0 },
                                              { 4, 1, 0, 0, 0 } };
static const GLuint group_counts[] = { 2, 1, 1 };
static const GLuint command_count[] = { 2 };

static void
make_feedback(void)
{
   const GLuint program = real_gl_make_program("gl_Position");

   glGenTransformFeedbacks(1, &objects.feedback);
   glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, objects.feedback);
   gl_make_buffer_at(GL_TRANSFORM_FEEDBACK_BUFFER, 0,
                     DRAW_POINTS * sizeof(GLfloat[4]));
   glUseProgram(program);
   glBeginTransformFeedback(GL_POINTS);
   draw_arrays();
   glEndTransformFeedback();
   glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
}

static void
make_list(void)
{
   objects.list = glGenLists(1);
   glNewList(objects.list, GL_COMPILE);
   draw_immediately();
   glEndList();
}

static GLuint
make_buffer(const void *bytes, GLsizeiptr size_B)
{
   return gl_make_buffer(GL_COPY_READ_BUFFER, size_B, bytes, GL_STATIC_DRAW);
}

static void
make_objects(void)
{
   objects.plain_program = real_gl_make_program(NULL);
   glUseProgram(objects.plain_program);
   gl_make_buffer(GL_ELEMENT_ARRAY_BUFFER, sizeof(indices), indices,
                  GL_STATIC_DRAW);
   objects.array_buffer = make_buffer(array_commands, sizeof(array_commands));
   objects.element_buffer =
      make_buffer(element_commands, sizeof(element_commands));
   objects.group_buffer = make_buffer(group_counts, sizeof(group_counts));
   if (epoxy_has_gl_extension("GL_ARB_indirect_parameters"))
      glBindBuffer(GL_PARAMETER_BUFFER_ARB,
                   make_buffer(command_count, sizeof(command_count)));
   if (epoxy_has_gl_extension("GL_ARB_transform_feedback2"))
      make_feedback();
   if (epoxy_has_gl_extension("GL_ARB_compute_shader"))
      objects.compute_program =
         gl_make_compute_program("local_size_x = 3", "", "");
   if (epoxy_has_gl_extension("GL_ARB_compute_variable_group_size"))
      objects.group_size_program =
         gl_make_compute_program("local_size_variable", "", "");
   if (real_gl_kind()->is_compat)
      make_list();
   assert_no_error();
}

static bool
has_way(const struct draw_way *way)
{
   if (way->is_compat && !real_gl_kind()->is_compat)
      return false;
   return epoxy_gl_version() >= way->version ||
          (way->extension && epoxy_has_gl_extension(way->extension));
}

/* Two statistics of a draw or dispatch; not vertex shader invocations, since
 * NVIDIA's GPUs reuse vertices of an earlier draw.
 */
static const GLenum pairs[2][2] = {
   { GL_VERTICES_SUBMITTED, GL_PRIMITIVES_SUBMITTED },
   { GL_COMPUTE_SHADER_INVOCATIONS, GL_VERTICES_SUBMITTED },
};

static GLuint
count_of(const struct draw_way *way, GLenum target, unsigned draws)
{
   const GLuint id = begin(target);

   for (unsigned i = 0; i < draws; i++)
      way->draw();
   return end(target, id);
}

static void
check_way(const struct draw_way *way)
{
   const GLenum *const targets = pairs[way->is_compute];
   GLuint counts_of_one[2], ids[2];

   /* Emits dirty state. */
   glUseProgram(*way->program);
   way->draw();
   for (unsigned i = 0; i < 2; i++) {
      counts_of_one[i] = count_of(way, targets[i], 1);
      assert_int_equal(count_of(way, targets[i], 2), 2 * counts_of_one[i]);
   }
   /* Mesa may execute selection on the CPU. */
   if (real_gl_renders() && way->draw != draw_to_select)
      assert_int_not_equal(counts_of_one[0], 0);

   /* Both are active for the first draw, the second one also for the next. */
   for (unsigned i = 0; i < 2; i++)
      ids[i] = begin(targets[i]);
   way->draw();
   assert_int_equal(end(targets[0], ids[0]), counts_of_one[0]);
   way->draw();
   assert_int_equal(end(targets[1], ids[1]), 2 * counts_of_one[1]);
}

static void
check_ways(bool is_compute)
{
   make_objects();
   for (const struct draw_way *way = draw_ways; way->name; way++) {
      if (way->is_compute != is_compute || !has_way(way))
         continue;
      print_message("%s\n", way->name);
      check_way(way);
      glBindBuffer(GL_DRAW_INDIRECT_BUFFER, 0);
   }
}

static void
each_way_to_draw_is_counted(void)
{
   check_ways(false);
}

static void
each_way_to_dispatch_is_counted(void)
{
   check_ways(true);
}

const struct behaviour behaviours_of_draws[] = {
   { "statistics: each way to draw is counted from the first on", APSQ,
     IN_DESKTOP, "VERTICES_SUBMITTED", each_way_to_draw_is_counted },
   { "statistics: each way to dispatch is counted from the first on", APSQ,
     IN_DESKTOP, "COMPUTE_SHADER_INVOCATIONS",
     each_way_to_dispatch_is_counted },
   { .name = NULL },
};
