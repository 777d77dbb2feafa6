/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>

#include "../gl/rules.h"
#include "../test.h"
#include "behaviour.h"
#include "egl.h"
#include "real_gl.h"

#define NS_PER_S UINT64_C(1000000000)

static GLuint
result_of(const struct entry_points *gl, GLuint id)
{
   GLuint result = 0;

   gl->GetQueryObjectuiv(id, GL_QUERY_RESULT, &result);
   return result;
}

static uint64_t
result64_of(const struct entry_points *gl, GLuint id)
{
   GLuint64 result = 0;

   gl->GetQueryObjectui64v(id, GL_QUERY_RESULT, &result);
   return result;
}

static GLuint
generate(const struct entry_points *gl)
{
   GLuint id;

   gl->GenQueries(1, &id);
   return id;
}

static void
assert_no_error(void)
{
   assert_int_equal(glGetError(), GL_NO_ERROR);
}

/*
 * Occlusion
 */

/* Draws so many points, or none, inside of a query. */
static void
measure_points(const struct entry_points *gl, GLuint id, unsigned count)
{
   gl->BeginQuery(GL_ANY_SAMPLES_PASSED, id);
   if (count)
      real_gl_draw_points(count);
   gl->EndQuery(GL_ANY_SAMPLES_PASSED);
}

static void
nothing_after_something(const struct entry_points *gl)
{
   const GLuint id = generate(gl);

   for (unsigned i = 0; i < 6; i++) {
      measure_points(gl, id, i % 2);
      assert_int_equal(result_of(gl, id), i % 2);
   }
   assert_no_error();
}

static void
clears_do_not_count(const struct entry_points *gl)
{
   const GLuint id = generate(gl);

   gl->BeginQuery(GL_ANY_SAMPLES_PASSED, id);
   glClear(GL_COLOR_BUFFER_BIT);
   glEnable(GL_SCISSOR_TEST);
   glScissor(2, 2, 3, 3);
   glClear(GL_COLOR_BUFFER_BIT);
   glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
   glClear(GL_COLOR_BUFFER_BIT);
   gl->EndQuery(GL_ANY_SAMPLES_PASSED);
   assert_int_equal(result_of(gl, id), 0);
   assert_no_error();
}

static void
many_begins_in_flight(const struct entry_points *gl)
{
   const GLuint id = generate(gl);

   for (unsigned i = 0; i <= 100; i++)
      measure_points(gl, id, i % 2);
   assert_int_equal(result_of(gl, id), 0);
   assert_no_error();
}

static void
many_queries_in_one_pass(const struct entry_points *gl)
{
   enum { MANY = 35000 };
   GLuint *ids = malloc(MANY * sizeof(*ids));

   gl->GenQueries(MANY, ids);
   for (unsigned i = 0; i < MANY; i++)
      measure_points(gl, ids[i], i % 100 == 0);
   for (unsigned i = 0; i < MANY; i++)
      assert_int_equal(result_of(gl, ids[i]), i % 100 == 0);
   gl->DeleteQueries(MANY, ids);
   assert_no_error();
   free(ids);
}

static void
framebuffer_goes_before_the_result(const struct entry_points *gl)
{
   GLuint ids[16];

   gl->GenQueries(ARRAY_LENGTH(ids), ids);
   for (unsigned i = 0; i < ARRAY_LENGTH(ids); i++) {
      const struct egl_framebuffer framebuffer = egl_make_framebuffer();

      measure_points(gl, ids[i], i % 2);
      glDeleteFramebuffers(1, &framebuffer.framebuffer);
      glDeleteRenderbuffers(1, &framebuffer.renderbuffer);
   }
   for (unsigned i = 0; i < ARRAY_LENGTH(ids); i++)
      assert_int_equal(result_of(gl, ids[i]), i % 2);
   assert_no_error();
}

static void
query_spans_framebuffers(const struct entry_points *gl)
{
   const GLuint id = generate(gl);

   gl->BeginQuery(GL_ANY_SAMPLES_PASSED, id);
   real_gl_draw_points(1);
   for (unsigned i = 0; i < 8; i++) {
      egl_make_framebuffer();
      glClear(GL_COLOR_BUFFER_BIT);
      glFinish();
   }
   gl->EndQuery(GL_ANY_SAMPLES_PASSED);
   assert_int_equal(result_of(gl, id), 1);
   assert_no_error();
}

static void
polls_come_to_an_end(const struct entry_points *gl)
{
   const GLuint id = generate(gl);
   GLuint is_available = 0;

   measure_points(gl, id, 1);
   for (unsigned i = 0; i < 100000000 && !is_available; i++)
      gl->GetQueryObjectuiv(id, GL_QUERY_RESULT_AVAILABLE, &is_available);
   assert_true(is_available);
   assert_int_equal(result_of(gl, id), 1);
}

static void
contexts_count_for_themselves(const struct entry_points *gl)
{
   enum { CONTEXTS = 8, PASSES = 5 };
   struct egl_context *contexts[CONTEXTS];
   GLuint ids[CONTEXTS];

   for (unsigned c = 0; c < CONTEXTS; c++) {
      contexts[c] = egl_push_context();
      real_gl_init_drawing();
      ids[c] = generate(gl);
      gl->BeginQuery(GL_ANY_SAMPLES_PASSED, ids[c]);
   }
   for (unsigned pass = 0; pass < PASSES; pass++) {
      for (unsigned c = 0; c < CONTEXTS; c++) {
         egl_use_context(contexts[c]);
         if (c % 2 && pass == c % PASSES)
            real_gl_draw_points(1);
      }
   }
   for (unsigned c = 0; c < CONTEXTS; c++) {
      egl_use_context(contexts[c]);
      gl->EndQuery(GL_ANY_SAMPLES_PASSED);
      assert_int_equal(result_of(gl, ids[c]), c % 2);
      assert_no_error();
   }
   for (unsigned c = 0; c < CONTEXTS; c++)
      egl_pop_context(contexts[c]);
}

/*
 * Conditions
 */

static void
condition_outlives_its_name(const struct entry_points *gl)
{
   const GLuint id = generate(gl);

   measure_points(gl, id, 1);
   real_gl_ops.condition(NULL, id, GL_QUERY_WAIT);
   gl->DeleteQueries(1, &id);
   for (unsigned i = 0; i < 3; i++) {
      real_gl_draw_points(1);
      assert_true(real_gl_ops.draw(NULL));
   }
   real_gl_ops.endcondition(NULL);
   assert_no_error();
}

/* Only immediate mode is held back by the GL itself. */
static void
drawn_before_the_condition(const struct entry_points *gl)
{
   const GLuint id = generate(gl);
   GLubyte pixel[4];

   measure_points(gl, id, 0);
   glUseProgram(0);
   glColor3f(1, 0, 0);
   glRectf(-1, -1, 1, 1);
   glBeginConditionalRender(id, GL_QUERY_WAIT);
   glColor3f(0, 1, 0);
   glRectf(-1, -1, 1, 1);
   glEndConditionalRender();
   glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   assert_int_equal(pixel[0], 255);
   assert_int_equal(pixel[1], 0);
   assert_no_error();
}

/*
 * Time
 */

static void
first_time_is_short(const struct entry_points *gl)
{
   const GLuint id = generate(gl);

   egl_make_framebuffer();
   gl->BeginQuery(GL_TIME_ELAPSED, id);
   real_gl_draw_points(256);
   gl->EndQuery(GL_TIME_ELAPSED);
   assert_in_range(result64_of(gl, id), 1, NS_PER_S);
   assert_no_error();
}

static void
timestamps_go_on(const struct entry_points *gl)
{
   GLuint ids[32];
   uint64_t last_ns = 0;

   gl->GenQueries(ARRAY_LENGTH(ids), ids);
   for (unsigned i = 0; i < ARRAY_LENGTH(ids); i++) {
      gl->QueryCounter(ids[i], GL_TIMESTAMP);
      real_gl_draw_points(16);
   }
   for (unsigned i = 0; i < ARRAY_LENGTH(ids); i++) {
      const uint64_t time_ns = result64_of(gl, ids[i]);

      assert_true(time_ns > last_ns);
      last_ns = time_ns;
   }
   assert_no_error();
}

/* As long as the time between two timestamps around it, or less. */
static void
elapsed_agrees_with_timestamps(const struct entry_points *gl)
{
   const GLuint before = generate(gl), after = generate(gl);
   const GLuint elapsed = generate(gl);

   gl->QueryCounter(before, GL_TIMESTAMP);
   gl->BeginQuery(GL_TIME_ELAPSED, elapsed);
   for (unsigned i = 0; i < 50; i++)
      real_gl_draw_points(256);
   gl->EndQuery(GL_TIME_ELAPSED);
   gl->QueryCounter(after, GL_TIMESTAMP);

   const uint64_t apart_ns = result64_of(gl, after) - result64_of(gl, before);
   assert_in_range(result64_of(gl, elapsed), 1, apart_ns);
   assert_no_error();
}

static void
now_is_the_clock_of_timestamps(const struct entry_points *gl)
{
   const GLuint id = generate(gl);
   GLint64 before_ns, after_ns;

   gl->GetInteger64v(GL_TIMESTAMP, &before_ns);
   gl->QueryCounter(id, GL_TIMESTAMP);
   const uint64_t time_ns = result64_of(gl, id);
   gl->GetInteger64v(GL_TIMESTAMP, &after_ns);
   assert_no_error();
   assert_in_range(time_ns, before_ns, after_ns);
}

#define ANGLE_R "ANGLE's tests, "

const struct behaviour behaviours[] = {
   { "occlusion: nothing after something is 0",
     ANGLE_R "RewriteDrawNoDrawToZero", IN_ALL, "ANY_SAMPLES_PASSED",
     nothing_after_something },
   { "occlusion: clears do not count", ANGLE_R "MaskedClearNotCounted",
     IN_ALL, "ANY_SAMPLES_PASSED", clears_do_not_count },
   { "occlusion: 100 begins in flight", ANGLE_R "ManyQueriesInFlight", IN_ALL,
     "ANY_SAMPLES_PASSED", many_begins_in_flight },
   { "occlusion: 35000 queries in one pass",
     ANGLE_R "ExcessiveNumberOfQueries", IN_ALL, "ANY_SAMPLES_PASSED",
     many_queries_in_one_pass },
   { "occlusion: a framebuffer that goes before the result",
     ANGLE_R "DeleteFBOWithPendingQuery", IN_ALL, "ANY_SAMPLES_PASSED",
     framebuffer_goes_before_the_result },
   { "occlusion: a query over several framebuffers",
     ANGLE_R "FramebufferBindingChange", IN_ALL, "ANY_SAMPLES_PASSED",
     query_spans_framebuffers },
   { "occlusion: polling comes to an end", "OpenGL 4.6 core, 4.2.3", IN_ALL,
     "ANY_SAMPLES_PASSED", polls_come_to_an_end },
   { "occlusion: eight contexts take turns", ANGLE_R "MultiContext", IN_ALL,
     "ANY_SAMPLES_PASSED", contexts_count_for_themselves },
   { "condition: deleted, its query still decides", "OpenGL 4.6 core, 10.9",
     IN_ALL, "ANY_SAMPLES_PASSED condition", condition_outlives_its_name },
   { "condition: what was drawn before is drawn", "OpenGL 4.6 core, 10.9",
     IN_COMPAT, "ANY_SAMPLES_PASSED condition", drawn_before_the_condition },
   { "time: the first one, in a new framebuffer", ANGLE_R "TimeElapsed",
     IN_ALL, "TIME_ELAPSED", first_time_is_short },
   { "time: timestamps go on", ANGLE_R "Timestamp", IN_ALL, "TIMESTAMP",
     timestamps_go_on },
   { "time: elapsed is within two timestamps", "OpenGL 4.6 core, 4.3", IN_ALL,
     "TIMESTAMP", elapsed_agrees_with_timestamps },
   { "time: now is the clock of timestamps", ANGLE_R "TimestampGetInteger64",
     IN_ALL, "TIMESTAMP", now_is_the_clock_of_timestamps },
};

const size_t behaviour_count = ARRAY_LENGTH(behaviours);
