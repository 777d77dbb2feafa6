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

#define DRAW_POINTS 7 /* of most ways */
#define INDEX       GL_UNSIGNED_SHORT

static struct {
   GLuint no_buffer, array_buffer, element_buffer,
      group_buffer; /* commands */
   GLuint no_program, plain_program, compute_program, group_size_program;
   GLuint feedback, list;
} objects;

static const GLushort indices[DRAW_POINTS];
static const GLint firsts[] = { 0, 3 };
static const GLsizei counts[] = { 3, 4 };
static const GLint base_vertices[] = { 0, 1 };
static const void *const elements[] = { NULL, NULL };

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
   real_gl_draw_points(DRAW_POINTS);
   glEndTransformFeedback();
   glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
}

static void
make_list(void)
{
   objects.list = glGenLists(1);
   glNewList(objects.list, GL_COMPILE);
   real_gl.draw_immediately(DRAW_POINTS);
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

static void
draw_elements_of_the_application(void)
{
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
   glDrawElements(GL_POINTS, DRAW_POINTS, INDEX, indices);
}

static void
draw_array_elements(void)
{
   glBegin(GL_POINTS);
   for (unsigned i = 0; i < DRAW_POINTS; i++)
      glArrayElement(i);
   glEnd();
}

static void
draw_new_list(void)
{
   const GLuint new_list = glGenLists(1);

   glNewList(new_list, GL_COMPILE_AND_EXECUTE);
   real_gl.draw_immediately(DRAW_POINTS);
   glEndList();
   glDeleteLists(new_list, 1);
}

static void
draw_to_select(void)
{
   GLuint selected[64];

   glSelectBuffer(64, selected);
   glRenderMode(GL_SELECT);
   real_gl_draw_points(DRAW_POINTS);
   glRenderMode(GL_RENDER);
}

static void
draw_evaluated(void)
{
   static const GLfloat points[4][3] = { { 0 } };

   glMap2f(GL_MAP2_VERTEX_3, 0, 1, 3, 2, 0, 1, 6, 2, points[0]);
   glEnable(GL_MAP2_VERTEX_3);
   glMapGrid2f(2, 0, 1, 2, 0, 1);
   glEvalMesh2(GL_POINT, 0, 2, 0, 2);
}

static void
draw_pixels(void)
{
   static const GLubyte pixels[4][4];

   glWindowPos2i(0, 0);
   glPixelZoom(2, 2);
   glDrawPixels(2, 2, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   glPixelZoom(1, 1);
}

static void
copy_pixels(void)
{
   glWindowPos2i(0, 0);
   glPixelZoom(2, 2);
   glCopyPixels(0, 0, 2, 2, GL_COLOR);
   glPixelZoom(1, 1);
}

static void
draw_bitmap(void)
{
   static const GLubyte bits[4] = { 255, 255, 255, 255 };
   static bool is_red;

   /* Mesa merges adjacent bitmaps of one color. */
   is_red = !is_red;
   glColor3f(is_red, 0, 0);
   glWindowPos2i(0, 0);
   glBitmap(8, 1, 0, 0, 0, 0, bits);
}

/* The compatibility profile, as a version. */
#define COMPAT 0

/* The ways to draw and dispatch that Mesa treats differently.  X(NAME,
 * PROGRAM, BUFFER, VERSION, EXTENSION, CALL): BUFFER has indirect commands,
 * and either VERSION of GL or EXTENSION has the call.
 */
#define EACH_DRAW(X)                                                         \
   X(draw_arrays, plain_program, no_buffer, 20, NULL,                        \
     glDrawArrays(GL_POINTS, 0, DRAW_POINTS))                                \
   X(draw_arrays_instanced, plain_program, no_buffer, 31, NULL,              \
     glDrawArraysInstanced(GL_POINTS, 0, DRAW_POINTS, 2))                    \
   X(draw_arrays_base_instance, plain_program, no_buffer, 42,                \
     "GL_ARB_base_instance",                                                 \
     glDrawArraysInstancedBaseInstance(GL_POINTS, 0, DRAW_POINTS, 2, 1))     \
   X(multi_draw_arrays, plain_program, no_buffer, 20, NULL,                  \
     glMultiDrawArrays(GL_POINTS, firsts, counts, 2))                        \
   X(draw_elements, plain_program, no_buffer, 20, NULL,                      \
     glDrawElements(GL_POINTS, DRAW_POINTS, INDEX, NULL))                    \
   X(draw_range_elements, plain_program, no_buffer, 20, NULL,                \
     glDrawRangeElements(GL_POINTS, 0, 0, DRAW_POINTS, INDEX, NULL))         \
   X(draw_elements_base_vertex, plain_program, no_buffer, 32, NULL,          \
     glDrawElementsBaseVertex(GL_POINTS, DRAW_POINTS, INDEX, NULL, 1))       \
   X(draw_range_elements_base_vertex, plain_program, no_buffer, 32, NULL,    \
     glDrawRangeElementsBaseVertex(GL_POINTS, 0, 0, DRAW_POINTS, INDEX,      \
                                   NULL, 1))                                 \
   X(draw_elements_instanced, plain_program, no_buffer, 31, NULL,            \
     glDrawElementsInstanced(GL_POINTS, DRAW_POINTS, INDEX, NULL, 2))        \
   X(draw_elements_instanced_all, plain_program, no_buffer, 42,              \
     "GL_ARB_base_instance",                                                 \
     glDrawElementsInstancedBaseVertexBaseInstance(GL_POINTS, DRAW_POINTS,   \
                                                   INDEX, NULL, 2, 1, 1))    \
   X(multi_draw_elements, plain_program, no_buffer, 20, NULL,                \
     glMultiDrawElements(GL_POINTS, counts, INDEX, elements, 2))             \
   X(multi_draw_elements_base_vertex, plain_program, no_buffer, 32, NULL,    \
     glMultiDrawElementsBaseVertex(GL_POINTS, counts, INDEX, elements, 2,    \
                                   base_vertices))                           \
   X(draw_arrays_indirect, plain_program, array_buffer, 40,                  \
     "GL_ARB_draw_indirect", glDrawArraysIndirect(GL_POINTS, NULL))          \
   X(draw_elements_indirect, plain_program, element_buffer, 40,              \
     "GL_ARB_draw_indirect", glDrawElementsIndirect(GL_POINTS, INDEX, NULL)) \
   X(multi_draw_arrays_indirect, plain_program, array_buffer, 43,            \
     "GL_ARB_multi_draw_indirect",                                           \
     glMultiDrawArraysIndirect(GL_POINTS, NULL, 2, 0))                       \
   X(multi_draw_elements_indirect, plain_program, element_buffer, 43,        \
     "GL_ARB_multi_draw_indirect",                                           \
     glMultiDrawElementsIndirect(GL_POINTS, INDEX, NULL, 2, 0))              \
   X(multi_draw_arrays_indirect_count, plain_program, array_buffer, 99,      \
     "GL_ARB_indirect_parameters",                                           \
     glMultiDrawArraysIndirectCountARB(GL_POINTS, 0, 0, 2, 0))               \
   X(multi_draw_elements_indirect_count, plain_program, element_buffer, 99,  \
     "GL_ARB_indirect_parameters",                                           \
     glMultiDrawElementsIndirectCountARB(GL_POINTS, INDEX, 0, 0, 2, 0))      \
   X(draw_feedback, plain_program, no_buffer, 40,                            \
     "GL_ARB_transform_feedback2",                                           \
     glDrawTransformFeedback(GL_POINTS, objects.feedback))                   \
   X(draw_feedback_stream_instanced, plain_program, no_buffer, 42,           \
     "GL_ARB_transform_feedback_instanced",                                  \
     glDrawTransformFeedbackStreamInstanced(GL_POINTS, objects.feedback, 0,  \
                                            2))                              \
   X(draw_user_elements, plain_program, no_buffer, COMPAT, NULL,             \
     draw_elements_of_the_application())                                     \
   X(draw_immediately, plain_program, no_buffer, COMPAT, NULL,               \
     real_gl.draw_immediately(DRAW_POINTS))                                  \
   X(draw_array_elements, plain_program, no_buffer, COMPAT, NULL,            \
     draw_array_elements())                                                  \
   X(draw_rectangle, plain_program, no_buffer, COMPAT, NULL,                 \
     glRectf(-1, -1, 1, 1))                                                  \
   X(draw_list, plain_program, no_buffer, COMPAT, NULL,                      \
     glCallList(objects.list))                                               \
   X(draw_new_list, plain_program, no_buffer, COMPAT, NULL, draw_new_list()) \
   X(draw_to_select, plain_program, no_buffer, COMPAT, NULL,                 \
     draw_to_select())                                                       \
   X(draw_evaluated, plain_program, no_buffer, COMPAT, NULL,                 \
     draw_evaluated())                                                       \
   X(draw_pixels, no_program, no_buffer, COMPAT, NULL, draw_pixels())        \
   X(copy_pixels, no_program, no_buffer, COMPAT, NULL, copy_pixels())        \
   X(draw_bitmap, no_program, no_buffer, COMPAT, NULL, draw_bitmap())

#define EACH_DISPATCH(X)                                                     \
   X(dispatch, compute_program, no_buffer, 43, "GL_ARB_compute_shader",      \
     glDispatchCompute(2, 1, 1))                                             \
   X(dispatch_indirect, compute_program, group_buffer, 43,                   \
     "GL_ARB_compute_shader", glDispatchComputeIndirect(0))                  \
   X(dispatch_group_size, group_size_program, no_buffer, 99,                 \
     "GL_ARB_compute_variable_group_size",                                   \
     glDispatchComputeGroupSizeARB(2, 1, 1, 3, 1, 1))

#define FUNCTION(NAME, PROGRAM, BUFFER, VERSION, EXTENSION, CALL)            \
   static void call_##NAME(void)                                             \
   {                                                                         \
      CALL;                                                                  \
   }
EACH_DRAW(FUNCTION)
EACH_DISPATCH(FUNCTION)

struct way {
   const char *name;
   const GLuint *program, *buffer;
   int version;
   const char *extension;
   void (*draw)(void);
};

#define ROW(NAME, PROGRAM, BUFFER, VERSION, EXTENSION, CALL)                 \
   {                                                                         \
      #NAME,   &objects.PROGRAM, &objects.BUFFER,                            \
      VERSION, EXTENSION,        call_##NAME                                 \
   },

static const struct way draws[] = { EACH_DRAW(ROW) };
static const struct way dispatches[] = { EACH_DISPATCH(ROW) };

static bool
has_way(const struct way *way)
{
   if (way->version == COMPAT)
      return real_gl_kind()->is_compat;
   return epoxy_gl_version() >= way->version ||
          (way->extension && epoxy_has_gl_extension(way->extension));
}

static GLuint
count_of(const struct way *way, GLenum target, unsigned draws)
{
   const GLuint id = begin(target);

   for (unsigned i = 0; i < draws; i++)
      way->draw();
   return end(target, id);
}

/* Two statistics of a draw or dispatch. */
static void
check_way(const struct way *way, const GLenum targets[2])
{
   GLuint counts_of_one[2], ids[2];

   /* Emits dirty state. */
   glUseProgram(*way->program);
   way->draw();
   for (unsigned i = 0; i < 2; i++) {
      counts_of_one[i] = count_of(way, targets[i], 1);
      assert_int_equal(count_of(way, targets[i], 2), 2 * counts_of_one[i]);
   }
   /* Mesa may execute selection on the CPU. */
   if (real_gl_renders() && way->draw != call_draw_to_select)
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
check_ways(const struct way *ways, unsigned count, GLenum commands,
           const GLenum targets[2])
{
   make_objects();
   for (unsigned i = 0; i < count; i++) {
      if (!has_way(&ways[i]))
         continue;
      print_message("%s\n", ways[i].name);
      glBindBuffer(commands, *ways[i].buffer);
      check_way(&ways[i], targets);
   }
}

/* Not vertex shader invocations, since NVIDIA's GPUs reuse vertices of an
 * earlier draw.
 */
static void
each_way_to_draw_is_counted(void)
{
   static const GLenum targets[] = { GL_VERTICES_SUBMITTED,
                                     GL_PRIMITIVES_SUBMITTED };

   check_ways(draws, ARRAY_LENGTH(draws), GL_DRAW_INDIRECT_BUFFER, targets);
}

static void
each_way_to_dispatch_is_counted(void)
{
   static const GLenum targets[] = { GL_COMPUTE_SHADER_INVOCATIONS,
                                     GL_VERTICES_SUBMITTED };

   check_ways(dispatches, ARRAY_LENGTH(dispatches),
              GL_DISPATCH_INDIRECT_BUFFER, targets);
}

const struct behaviour behaviours_of_draws[] = {
   { "statistics: each way to draw is counted from the first on", APSQ,
     IN_DESKTOP, "VERTICES_SUBMITTED", each_way_to_draw_is_counted },
   { "statistics: each way to dispatch is counted from the first on", APSQ,
     IN_DESKTOP, "COMPUTE_SHADER_INVOCATIONS",
     each_way_to_dispatch_is_counted },
   { .name = NULL },
};
