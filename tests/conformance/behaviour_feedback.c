/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include "behaviour.h"

#define VERTEX_SIZE_B sizeof(GLfloat[4])
#define WRITTEN       GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN

/* A buffer for that many vertices, and a program that captures them. */
static void
prepare_feedback(unsigned vertices)
{
   glUseProgram(real_gl_make_program("gl_Position"));
   gl_make_buffer_at(GL_TRANSFORM_FEEDBACK_BUFFER, 0,
                     vertices * VERTEX_SIZE_B);
   memset(glMapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0,
                           vertices * VERTEX_SIZE_B, GL_MAP_WRITE_BIT),
          0, vertices * VERTEX_SIZE_B);
   glUnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
}

/* Counts captured vertices: their w is 1. */
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

static void
written_is_captured(void)
{
   prepare_feedback(64);
   const GLuint id = begin(WRITTEN);
   glBeginTransformFeedback(GL_POINTS);
   real_gl_draw_points(5);
   glPauseTransformFeedback();
   real_gl_draw_points(7);
   glResumeTransformFeedback();
   real_gl_draw_points(3);
   glEndTransformFeedback();
   assert_int_equal(end(WRITTEN, id), 8);
   assert_int_equal(count_captured(64), 8);
}

/* The queries overlap, and the first is deleted while the second counts. */
static void
written_beside_generated(void)
{
   prepare_feedback(64);
   glBeginTransformFeedback(GL_POINTS);
   real_gl_draw_points(1);
   const GLuint written = begin(WRITTEN);
   real_gl_draw_points(2);
   const GLuint generated = begin(GL_PRIMITIVES_GENERATED);
   real_gl_draw_points(3);
   assert_int_equal(end(WRITTEN, written), 5);
   gl.DeleteQueries(1, &written);
   real_gl_draw_points(4);
   gl.EndQuery(GL_PRIMITIVES_GENERATED);
   glEndTransformFeedback();
   assert_int_equal(result_of(generated), 7);
}

static void
drawn_without_feedback(void)
{
   prepare_feedback(64);
   const GLuint id = begin(WRITTEN);
   real_gl_draw_points(3);
   capture_points(2);
   real_gl_draw_points(4);
   assert_int_equal(end(WRITTEN, id), 2);
}

/* Each buffer has space for 4 points, and gets 3 from its start each time. */
static void
buffers_are_written_anew(void)
{
   static const char *const captured[] = { "gl_Position", "gl_PointSize" };
   static const GLsizeiptr sizes_B[] = { 4 * VERTEX_SIZE_B,
                                         4 * sizeof(GLfloat) };
   const GLuint program = real_gl_make_program(NULL);

   glTransformFeedbackVaryings(program, ARRAY_LENGTH(captured), captured,
                               GL_SEPARATE_ATTRIBS);
   glLinkProgram(program);
   glUseProgram(program);
   for (unsigned i = 0; i < ARRAY_LENGTH(sizes_B); i++)
      gl_make_buffer_at(GL_TRANSFORM_FEEDBACK_BUFFER, i, sizes_B[i]);
   for (unsigned i = 0; i < 3; i++) {
      const GLuint id = begin(WRITTEN);

      capture_points(3);
      assert_int_equal(end(WRITTEN, id), 3);
   }
}

/* One vertex of the second triangle would fit: it is not written. */
static void
incomplete_is_not_written(void)
{
   prepare_feedback(4);
   const GLuint written = begin(WRITTEN);
   const GLuint generated = begin(GL_PRIMITIVES_GENERATED);
   glBeginTransformFeedback(GL_TRIANGLES);
   glDrawArraysInstanced(GL_TRIANGLES, 0, 3, 2);
   glEndTransformFeedback();
   gl.EndQuery(GL_PRIMITIVES_GENERATED);
   assert_int_equal(end(WRITTEN, written), 1);
   assert_int_equal(result_of(generated), 2);
   assert_int_equal(count_captured(4), 3);
}

/* Draws inside queries of the overflow of any stream, and of stream 0. */
static void
measure_overflow(const GLuint ids[2], void (*draw)(unsigned count),
                 unsigned count)
{
   gl.BeginQuery(GL_TRANSFORM_FEEDBACK_OVERFLOW, ids[0]);
   gl.BeginQueryIndexed(GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW, 0, ids[1]);
   draw(count);
   gl.EndQueryIndexed(GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW, 0);
   gl.EndQuery(GL_TRANSFORM_FEEDBACK_OVERFLOW);
}

static void
overflow_is_noticed(void)
{
   GLuint ids[2];

   gl.GenQueries(ARRAY_LENGTH(ids), ids);
   prepare_feedback(4);
   for (unsigned count = 3; count <= 5; count++) {
      measure_overflow(ids, capture_points, count);
      for (unsigned i = 0; i < ARRAY_LENGTH(ids); i++) {
         assert_int_equal(result_of(ids[i]), count > 4);
         gl.BeginConditionalRender(ids[i], GL_QUERY_WAIT);
         assert_int_equal(real_gl.is_drawn(), count > 4);
         gl.EndConditionalRender();
      }
   }
}

static void
overflow_decides_in_flight(void)
{
   GLuint ids[2];

   gl.GenQueries(ARRAY_LENGTH(ids), ids);
   prepare_feedback(4);
   for (unsigned i = 0; i < ARRAY_LENGTH(ids); i++) {
      measure_overflow(ids, capture_points, 5);
      gl.BeginConditionalRender(ids[i], GL_QUERY_WAIT_INVERTED);
      assert_false(real_gl.is_drawn());
      gl.EndConditionalRender();
   }
}

static void
generated_and_discarded(void)
{
   glClear(GL_COLOR_BUFFER_BIT);
   const GLuint id = begin(GL_PRIMITIVES_GENERATED);
   glEnable(GL_RASTERIZER_DISCARD);
   real_gl_draw_points(5);
   assert_int_equal(end(GL_PRIMITIVES_GENERATED, id), 5);
   glDisable(GL_RASTERIZER_DISCARD);
   assert_red_if_rendered(0);
   real_gl_draw_points(1);
   assert_red_if_rendered(255);
}

static void
generated_and_discarded_in_turns(void)
{
   glClear(GL_COLOR_BUFFER_BIT);
   const GLuint id = begin(GL_PRIMITIVES_GENERATED);
   real_gl_draw_points(2);
   glEnable(GL_RASTERIZER_DISCARD);
   real_gl_draw_points(3);
   glDisable(GL_RASTERIZER_DISCARD);
   real_gl_draw_points(4);
   assert_red_if_rendered(255);
   assert_int_equal(end(GL_PRIMITIVES_GENERATED, id), 9);
}

static void
generated_indirectly(void)
{
   static const GLuint command[4] = { 6, 1 };

   gl_make_buffer(GL_DRAW_INDIRECT_BUFFER, sizeof(command), command,
                  GL_STATIC_DRAW);
   const GLuint id = begin(GL_PRIMITIVES_GENERATED);
   glDrawArraysIndirect(GL_POINTS, NULL);
   glEnable(GL_RASTERIZER_DISCARD);
   glDrawArraysIndirect(GL_POINTS, NULL);
   glDisable(GL_RASTERIZER_DISCARD);
   assert_int_equal(end(GL_PRIMITIVES_GENERATED, id), 12);
}

const struct behaviour behaviours_of_feedback[] = {
   { "feedback: written is what was captured",
     ANGLE_R "TransformFeedbackTest", IN_ALL,
     "TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN pause rendered",
     written_is_captured },
   { "feedback: written and generated at once",
     ANGLE_R "PrimitivesWrittenAndGenerated", IN_ALL,
     "TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN PRIMITIVES_GENERATED",
     written_beside_generated },
   { "feedback: drawn without it, inside of a query",
     ANGLE_R "QueryActiveNoXfbDrawThenXfbBeginEnd", IN_ALL,
     "TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN", drawn_without_feedback },
   { "feedback: two buffers are written anew each time", GL46 "13.3", IN_ALL,
     "TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN", buffers_are_written_anew },
   { "feedback: an incomplete primitive is not written",
     ANGLE_R "TransformFeedbackTest", IN_DESKTOP,
     "TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN PRIMITIVES_GENERATED instanced "
     "rendered",
     incomplete_is_not_written },
   { "feedback: overflow is noticed", ATFO, IN_DESKTOP,
     "TRANSFORM_FEEDBACK_OVERFLOW condition", overflow_is_noticed },
   { "feedback: overflow decides while in flight", ATFO, IN_DESKTOP,
     "TRANSFORM_FEEDBACK_OVERFLOW QUERY_WAIT_INVERTED",
     overflow_decides_in_flight },
   { "feedback: generated without a rasterizer",
     ANGLE_R "PrimitivesGeneratedVsRasterizerDiscard", IN_ALL,
     "PRIMITIVES_GENERATED", generated_and_discarded },
   { "feedback: generated with and without a rasterizer",
     ANGLE_R "PrimitivesGeneratedVsRasterizerDiscard", IN_ALL,
     "PRIMITIVES_GENERATED", generated_and_discarded_in_turns },
   { "feedback: generated by indirect draws",
     ANGLE_R "PrimitivesGeneratedVsIndirectDraw", IN_ALL,
     "PRIMITIVES_GENERATED indirect", generated_indirectly },
   { .name = NULL },
};
