/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <epoxy/gl.h>

#include "draw_ways.h"

struct draw_objects objects;

static const GLushort indices[DRAW_POINTS];
static const GLint firsts[] = { 0, 3 };
static const GLsizei counts[] = { 3, 4 };
static const GLint base_vertices[] = { 0, 1 };

static const void *const elements[] = { NULL, NULL };

void
draw_arrays(void)
{
   glDrawArrays(GL_POINTS, 0, DRAW_POINTS);
}

static void
draw_arrays_instanced(void)
{
   glDrawArraysInstanced(GL_POINTS, 0, DRAW_POINTS, 2);
}

static void
draw_arrays_base_instance(void)
{
   glDrawArraysInstancedBaseInstance(GL_POINTS, 0, DRAW_POINTS, 2, 1);
}

static void
multi_draw_arrays(void)
{
   glMultiDrawArrays(GL_POINTS, firsts, counts, 2);
}

static void
draw_elements(void)
{
   glDrawElements(GL_POINTS, DRAW_POINTS, GL_UNSIGNED_SHORT, NULL);
}

static void
draw_range_elements(void)
{
   glDrawRangeElements(GL_POINTS, 0, 0, DRAW_POINTS, GL_UNSIGNED_SHORT, NULL);
}

static void
draw_elements_base_vertex(void)
{
   glDrawElementsBaseVertex(GL_POINTS, DRAW_POINTS, GL_UNSIGNED_SHORT, NULL,
                            1);
}

static void
draw_range_elements_base_vertex(void)
{
   glDrawRangeElementsBaseVertex(GL_POINTS, 0, 0, DRAW_POINTS,
                                 GL_UNSIGNED_SHORT, NULL, 1);
}

static void
draw_elements_instanced(void)
{
   glDrawElementsInstanced(GL_POINTS, DRAW_POINTS, GL_UNSIGNED_SHORT, NULL,
                           2);
}

static void
draw_elements_instanced_all(void)
{
   glDrawElementsInstancedBaseVertexBaseInstance(GL_POINTS, DRAW_POINTS,
                                                 GL_UNSIGNED_SHORT, NULL, 2,
                                                 1, 1);
}

static void
multi_draw_elements(void)
{
   glMultiDrawElements(GL_POINTS, counts, GL_UNSIGNED_SHORT, elements, 2);
}

static void
multi_draw_elements_base_vertex(void)
{
   glMultiDrawElementsBaseVertex(GL_POINTS, counts, GL_UNSIGNED_SHORT,
                                 elements, 2, base_vertices);
}

static void
draw_arrays_indirect(void)
{
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, objects.array_buffer);
   glDrawArraysIndirect(GL_POINTS, NULL);
}

static void
draw_elements_indirect(void)
{
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, objects.element_buffer);
   glDrawElementsIndirect(GL_POINTS, GL_UNSIGNED_SHORT, NULL);
}

static void
multi_draw_arrays_indirect(void)
{
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, objects.array_buffer);
   glMultiDrawArraysIndirect(GL_POINTS, NULL, 2, 0);
}

static void
multi_draw_elements_indirect(void)
{
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, objects.element_buffer);
   glMultiDrawElementsIndirect(GL_POINTS, GL_UNSIGNED_SHORT, NULL, 2, 0);
}

static void
multi_draw_arrays_indirect_count(void)
{
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, objects.array_buffer);
   glMultiDrawArraysIndirectCountARB(GL_POINTS, 0, 0, 2, 0);
}

static void
multi_draw_elements_indirect_count(void)
{
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, objects.element_buffer);
   glMultiDrawElementsIndirectCountARB(GL_POINTS, GL_UNSIGNED_SHORT, 0, 0, 2,
                                       0);
}

static void
draw_feedback(void)
{
   glDrawTransformFeedback(GL_POINTS, objects.feedback);
}

static void
draw_feedback_stream_instanced(void)
{
   glDrawTransformFeedbackStreamInstanced(GL_POINTS, objects.feedback, 0, 2);
}

static void
draw_user_elements(void)
{
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
   glDrawElements(GL_POINTS, DRAW_POINTS, GL_UNSIGNED_SHORT, indices);
}

void
draw_immediately(void)
{
   glBegin(GL_POINTS);
   for (unsigned i = 0; i < DRAW_POINTS; i++)
      glVertex2f(0, 0);
   glEnd();
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
draw_rectangle(void)
{
   glRectf(-1, -1, 1, 1);
}

static void
draw_list(void)
{
   glCallList(objects.list);
}

static void
draw_new_list(void)
{
   const GLuint new_list = glGenLists(1);

   glNewList(new_list, GL_COMPILE_AND_EXECUTE);
   draw_immediately();
   glEndList();
   glDeleteLists(new_list, 1);
}

void
draw_to_select(void)
{
   GLuint selected[64];

   glSelectBuffer(64, selected);
   glRenderMode(GL_SELECT);
   draw_arrays();
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

static void
dispatch(void)
{
   glDispatchCompute(2, 1, 1);
}

static void
dispatch_indirect(void)
{
   glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, objects.group_buffer);
   glDispatchComputeIndirect(0);
}

static void
dispatch_group_size(void)
{
   glDispatchComputeGroupSizeARB(2, 1, 1, 3, 1, 1);
}

#define DRAW(WAY, VERSION, EXTENSION)                                        \
   {                                                                         \
      .name = #WAY, .draw = WAY, .program = &objects.plain_program,          \
      .version = VERSION, .extension = EXTENSION                             \
   }
#define COMPAT(WAY, PROGRAM)                                                 \
   {                                                                         \
      .name = #WAY, .draw = WAY, .program = &objects.PROGRAM,                \
      .is_compat = true                                                      \
   }
#define DISPATCH(WAY, PROGRAM, VERSION, EXTENSION)                           \
   {                                                                         \
      .name = #WAY, .draw = WAY, .program = &objects.PROGRAM,                \
      .version = VERSION, .extension = EXTENSION, .is_compute = true         \
   }

const struct draw_way draw_ways[] = {
   DRAW(draw_arrays, 20, NULL),
   DRAW(draw_arrays_instanced, 31, NULL),
   DRAW(draw_arrays_base_instance, 42, "GL_ARB_base_instance"),
   DRAW(multi_draw_arrays, 20, NULL),
   DRAW(draw_elements, 20, NULL),
   DRAW(draw_range_elements, 20, NULL),
   DRAW(draw_elements_base_vertex, 32, NULL),
   DRAW(draw_range_elements_base_vertex, 32, NULL),
   DRAW(draw_elements_instanced, 31, NULL),
   DRAW(draw_elements_instanced_all, 42, "GL_ARB_base_instance"),
   DRAW(multi_draw_elements, 20, NULL),
   DRAW(multi_draw_elements_base_vertex, 32, NULL),
   DRAW(draw_arrays_indirect, 40, "GL_ARB_draw_indirect"),
   DRAW(draw_elements_indirect, 40, "GL_ARB_draw_indirect"),
   DRAW(multi_draw_arrays_indirect, 43, "GL_ARB_multi_draw_indirect"),
   DRAW(multi_draw_elements_indirect, 43, "GL_ARB_multi_draw_indirect"),
   DRAW(multi_draw_arrays_indirect_count, 99, "GL_ARB_indirect_parameters"),
   DRAW(multi_draw_elements_indirect_count, 99, "GL_ARB_indirect_parameters"),
   DRAW(draw_feedback, 40, "GL_ARB_transform_feedback2"),
   DRAW(draw_feedback_stream_instanced, 42,
        "GL_ARB_transform_feedback_instanced"),
   COMPAT(draw_user_elements, plain_program),
   COMPAT(draw_immediately, plain_program),
   COMPAT(draw_array_elements, plain_program),
   COMPAT(draw_rectangle, plain_program),
   COMPAT(draw_list, plain_program),
   COMPAT(draw_new_list, plain_program),
   COMPAT(draw_to_select, plain_program),
   COMPAT(draw_evaluated, plain_program),
   COMPAT(draw_pixels, no_program),
   COMPAT(copy_pixels, no_program),
   COMPAT(draw_bitmap, no_program),
   DISPATCH(dispatch, compute_program, 43, "GL_ARB_compute_shader"),
   DISPATCH(dispatch_indirect, compute_program, 43, "GL_ARB_compute_shader"),
   DISPATCH(dispatch_group_size, group_size_program, 99,
            "GL_ARB_compute_variable_group_size"),
   { .name = NULL },
};
