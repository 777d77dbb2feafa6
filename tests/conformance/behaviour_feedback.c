/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include "behaviour.h"

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

static void
written_is_captured(void)
{
   const GLuint id = generate();

   prepare_feedback(64);
   gl.BeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, id);
   glBeginTransformFeedback(GL_POINTS);
   real_gl_draw_points(5);
   glPauseTransformFeedback();
   real_gl_draw_points(7);
   glResumeTransformFeedback();
   real_gl_draw_points(3);
   glEndTransformFeedback();
   gl.EndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
   assert_int_equal(result_of(id), 8);
   assert_int_equal(count_captured(64), 8);
}

/* Begun and ended in turns, and the one deleted while the other counts. */
static void
written_beside_generated(void)
{
   const GLuint written = generate(), generated = generate();

   prepare_feedback(64);
   glBeginTransformFeedback(GL_POINTS);
   real_gl_draw_points(1);
   gl.BeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, written);
   real_gl_draw_points(2);
   gl.BeginQuery(GL_PRIMITIVES_GENERATED, generated);
   real_gl_draw_points(3);
   gl.EndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
   assert_int_equal(result_of(written), 5);
   gl.DeleteQueries(1, &written);
   real_gl_draw_points(4);
   gl.EndQuery(GL_PRIMITIVES_GENERATED);
   glEndTransformFeedback();
   assert_int_equal(result_of(generated), 7);
}

static void
drawn_without_feedback(void)
{
   const GLuint id = generate();

   prepare_feedback(64);
   gl.BeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, id);
   real_gl_draw_points(3);
   capture_points(2);
   real_gl_draw_points(4);
   gl.EndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
   assert_int_equal(result_of(id), 2);
}

/* The second triangle has room for a vertex, and is left out. */
static void
incomplete_is_not_written(void)
{
   const GLuint written = generate(), generated = generate();

   prepare_feedback(4);
   gl.BeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, written);
   gl.BeginQuery(GL_PRIMITIVES_GENERATED, generated);
   glBeginTransformFeedback(GL_TRIANGLES);
   glDrawArraysInstanced(GL_TRIANGLES, 0, 3, 2);
   glEndTransformFeedback();
   gl.EndQuery(GL_PRIMITIVES_GENERATED);
   gl.EndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
   assert_int_equal(result_of(written), 1);
   assert_int_equal(result_of(generated), 2);
   assert_int_equal(count_captured(4), 3);
}

/* Captures so many points into a buffer for four, inside of both. */
static void
measure_overflow(const GLuint ids[2], unsigned count)
{
   gl.BeginQuery(GL_TRANSFORM_FEEDBACK_OVERFLOW, ids[0]);
   gl.BeginQueryIndexed(GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW, 0, ids[1]);
   capture_points(count);
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
      measure_overflow(ids, count);
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
      measure_overflow(ids, 5);
      gl.BeginConditionalRender(ids[i], GL_QUERY_WAIT_INVERTED);
      assert_false(real_gl.is_drawn());
      gl.EndConditionalRender();
   }
}

/* Draws points that nothing captures inside of overflow queries. */
static void
assert_nothing_overflows(void)
{
   GLuint ids[2];

   gl.GenQueries(ARRAY_LENGTH(ids), ids);
   gl.BeginQuery(GL_TRANSFORM_FEEDBACK_OVERFLOW, ids[0]);
   gl.BeginQueryIndexed(GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW, 0, ids[1]);
   real_gl_draw_points(3);
   gl.EndQueryIndexed(GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW, 0);
   gl.EndQuery(GL_TRANSFORM_FEEDBACK_OVERFLOW);
   for (unsigned i = 0; i < ARRAY_LENGTH(ids); i++)
      assert_int_equal(result_of(ids[i]), 0);
   assert_no_error();
}

static void
nothing_overflows_without_feedback(void)
{
   assert_nothing_overflows();
}

static void
generated_is_no_overflow(void)
{
   gl.BeginQuery(GL_PRIMITIVES_GENERATED, generate());
   assert_nothing_overflows();
   gl.EndQuery(GL_PRIMITIVES_GENERATED);
}

static void
begin_generated(GLuint id)
{
   glClear(GL_COLOR_BUFFER_BIT);
   gl.BeginQuery(GL_PRIMITIVES_GENERATED, id);
}

static void
end_generated(GLuint id, unsigned expected)
{
   gl.EndQuery(GL_PRIMITIVES_GENERATED);
   assert_int_equal(result_of(id), expected);
   assert_no_error();
}

static void
generated_and_discarded(void)
{
   const GLuint id = generate();

   begin_generated(id);
   glEnable(GL_RASTERIZER_DISCARD);
   real_gl_draw_points(5);
   end_generated(id, 5);
   glDisable(GL_RASTERIZER_DISCARD);
   assert_red_if_rendered(0);
   real_gl_draw_points(1);
   assert_red_if_rendered(255);
}

static void
generated_and_discarded_in_turns(void)
{
   const GLuint id = generate();

   begin_generated(id);
   real_gl_draw_points(2);
   glEnable(GL_RASTERIZER_DISCARD);
   real_gl_draw_points(3);
   glDisable(GL_RASTERIZER_DISCARD);
   real_gl_draw_points(4);
   assert_red_if_rendered(255);
   end_generated(id, 9);
}

static void
generated_indirectly(void)
{
   static const GLuint command[4] = { 6, 1 };
   const GLuint id = generate();
   GLuint buffer;

   glGenBuffers(1, &buffer);
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, buffer);
   glBufferData(GL_DRAW_INDIRECT_BUFFER, sizeof(command), command,
                GL_STATIC_DRAW);
   begin_generated(id);
   glDrawArraysIndirect(GL_POINTS, NULL);
   glEnable(GL_RASTERIZER_DISCARD);
   glDrawArraysIndirect(GL_POINTS, NULL);
   glDisable(GL_RASTERIZER_DISCARD);
   end_generated(id, 12);
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
   { "feedback: an incomplete primitive is not written",
     ANGLE_R "TransformFeedbackTest", IN_DESKTOP,
     "TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN PRIMITIVES_GENERATED instanced "
     "rendered",
     incomplete_is_not_written },
   { "feedback: overflow is noticed", "ARB_transform_feedback_overflow_query",
     IN_DESKTOP, "TRANSFORM_FEEDBACK_OVERFLOW condition",
     overflow_is_noticed },
   { "feedback: overflow decides while in flight",
     "ARB_transform_feedback_overflow_query", IN_DESKTOP,
     "TRANSFORM_FEEDBACK_OVERFLOW QUERY_WAIT_INVERTED",
     overflow_decides_in_flight },
   { "feedback: no overflow without it",
     "ARB_transform_feedback_overflow_query", IN_DESKTOP,
     "TRANSFORM_FEEDBACK_OVERFLOW", nothing_overflows_without_feedback },
   { "feedback: no overflow by what is generated",
     "ARB_transform_feedback_overflow_query", IN_DESKTOP,
     "TRANSFORM_FEEDBACK_OVERFLOW PRIMITIVES_GENERATED",
     generated_is_no_overflow },
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
