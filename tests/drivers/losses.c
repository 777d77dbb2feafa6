/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include "defects.h"

static void
lose_device(void)
{
   open_watch();
   sim_hang();
}

bool
lost_queries_end(void)
{
   open_context();
   const GLuint query = measure(GL_SAMPLES_PASSED, 1);

   lose_device();
   return is_about(read_query(query), 0, 0);
}

bool
lost_queries_become_available(void)
{
   open_context();
   const GLuint query = measure(GL_SAMPLES_PASSED, 1);
   GLuint is_available = 0;

   lose_device();
   while (!is_available)
      glGetQueryObjectuiv(query, GL_QUERY_RESULT_AVAILABLE, &is_available);
   return true;
}

/* If amdgpu bans a context, radeonsi may end the process: no ban here. */
static void
lose_forgiven(void)
{
   sim_set("keeps_contexts", strstr((const char *)glGetString(GL_RENDERER),
                                    "radeonsi") != NULL);
   lose_device();
}

/* Lets the GPU work, and polls until the result is available. */
static void
poll_query(GLuint query)
{
   GLuint is_available = 0;

   sim_set("is_delayed", false);
   while (!is_available)
      glGetQueryObjectuiv(query, GL_QUERY_RESULT_AVAILABLE, &is_available);
   sim_set("is_delayed", true);
}

/* iris loses one more batch, which shows it that its context is banned. */
static void
submit_draw(void)
{
   glDrawArrays(GL_POINTS, 0, 1);
   glFinish();
}

/* After each hang, earlier queries are 0 and later ones right. */
static bool
goes_on_after_hangs(EGLint reset_strategy)
{
   bool is_right = true;

   open_context_with(reset_strategy);
   sim_set("is_delayed", true);
   for (unsigned hangs = 0; hangs < 3 && is_right; hangs++) {
      lose_forgiven();
      GLuint query = measure(GL_SAMPLES_PASSED, 1);
      is_right &= is_about(read_query(query), 0, 0);
      submit_draw();
      for (unsigned i = 0; i < 2; i++) {
         query = measure(GL_SAMPLES_PASSED, 100);
         if (i == 1)
            poll_query(query);
         is_right &= is_about(read_query(query), 100, 0);
      }
   }
   return is_right;
}

bool
counts_after_hangs_are_right(void)
{
   return goes_on_after_hangs(EGL_NO_RESET_NOTIFICATION);
}

/* All queries of a lost context end, and the next context counts. */
bool
contexts_after_lost_ones_count(void)
{
   open_context();
   sim_set("is_delayed", true);
   lose_device();
   GLuint query = measure(GL_SAMPLES_PASSED, 1);
   if (!is_about(read_query(query), 0, 0))
      return false;
   for (unsigned i = 0; i < 3; i++) {
      query = measure(GL_SAMPLES_PASSED, 100);
      glFlush();
      poll_query(query);
      (void)read_query(query);
   }
   (void)glGetGraphicsResetStatus();
   open_context();
   return is_about(read_query(measure(GL_SAMPLES_PASSED, 100)), 100, 0);
}

static bool
is_disjoint(void)
{
   GLint disjoint = 0;

   glGetIntegerv(GL_GPU_DISJOINT_EXT, &disjoint);
   return disjoint != 0;
}

/* A lost result is disjoint when it is available, and no later one is. */
bool
hangs_are_disjoint_once(void)
{
   bool is_right = true;

   open_es_context_with(EGL_NO_RESET_NOTIFICATION);
   sim_set("is_delayed", true);
   (void)is_disjoint();
   for (unsigned hangs = 0; hangs < 3 && is_right; hangs++) {
      lose_forgiven();
      GLuint query = measure(GL_ANY_SAMPLES_PASSED, 1);
      if (hangs == 1)
         poll_query(query);
      is_right &= is_about(read_query(query), 0, 0);
      is_right &= is_about(is_disjoint(), true, 0);
      submit_draw();
      query = measure(GL_ANY_SAMPLES_PASSED, 1);
      is_right &= is_about(read_query(query), 1, 0);
      is_right &= is_about(is_disjoint(), false, 0);
   }
   return is_right;
}

/* After a ban and a rejected batch the driver creates another context. */
static void
replace_context(void)
{
   lose_device();
   for (unsigned i = 0; i < 3; i++)
      submit_draw();
}

/* The second hang loses no query, yet the hardware context is replaced. */
bool
hangs_between_queries_are_disjoint(void)
{
   open_es_context_with(EGL_NO_RESET_NOTIFICATION);
   sim_set("is_delayed", true);
   (void)is_disjoint();
   lose_forgiven();
   (void)read_query(measure(GL_ANY_SAMPLES_PASSED, 1));
   if (!is_about(is_disjoint(), true, 0))
      return false;
   submit_draw();
   replace_context();
   return is_about(read_query(measure(GL_ANY_SAMPLES_PASSED, 1)), 1, 0) &&
          is_about(is_disjoint(), true, 0) &&
          is_about(is_disjoint(), false, 0);
}

/* The begin and the end come from different counters. */
static GLuint
count_over_contexts(void)
{
   open_context_with(EGL_NO_RESET_NOTIFICATION);
   const GLuint query = make_query();

   glBeginQuery(GL_SAMPLES_PASSED, query);
   glDrawArrays(GL_POINTS, 0, 1);
   glFinish();
   replace_context();
   glEndQuery(GL_SAMPLES_PASSED);
   return query;
}

bool
counts_do_not_span_contexts(void)
{
   return is_about(read_query(count_over_contexts()), 0, 0);
}

bool
counts_in_buffers_do_not_span_contexts(void)
{
   return is_about(read_by_buffer(count_over_contexts(), GL_QUERY_RESULT), 0,
                   0);
}

/* Only the end is lost, and a later context stores the result. */
bool
lost_counts_in_buffers_are_0(void)
{
   open_context_with(EGL_NO_RESET_NOTIFICATION);
   const GLuint query = make_query();

   glBeginQuery(GL_SAMPLES_PASSED, query);
   glDrawArrays(GL_POINTS, 0, 1);
   glFinish();
   lose_device();
   glEndQuery(GL_SAMPLES_PASSED);
   glFlush();
   replace_context();
   return is_about(read_by_buffer(query, GL_QUERY_RESULT), 0, 0);
}

/* The predicate by which the GPU decides is lost with its context. */
bool
conditions_outlast_contexts(void)
{
   open_context_with(EGL_NO_RESET_NOTIFICATION);
   sim_set("is_delayed", true);
   const GLuint query = measure(GL_SAMPLES_PASSED, 1);

   glBeginConditionalRender(query, GL_QUERY_WAIT);
   replace_context();
   const GLuint drawn = measure(GL_SAMPLES_PASSED, 1);
   glEndConditionalRender();
   return is_about(read_query(drawn), 1, 0);
}

/* Losses of one ring: before Linux 5.3 each has its own context. */

bool
conditions_outlast_contexts_of_a_ring(void)
{
   sim_set("hides_engines", true);
   return conditions_outlast_contexts();
}

/* glFinish() submits nothing on the idle ring, so only compute hangs. */
static void
replace_compute_context(void)
{
   glFinish();
   lose_device();
   for (unsigned i = 0; i < 3; i++) {
      dispatch();
      glFinish();
   }
}

/* The compute ring has lost its predicate while the condition is current. */
static bool
outlasts_compute_context(bool is_drawn)
{
   const GLuint query =
      is_drawn ? measure(GL_SAMPLES_PASSED, 1) : measure_nothing();

   glBeginConditionalRender(query, GL_QUERY_WAIT);
   dispatch();
   replace_compute_context();
   const GLuint drawn = measure(GL_SAMPLES_PASSED, 1);
   const GLuint dispatched = measure_dispatch();
   glEndConditionalRender();
   return is_about(read_query(drawn), is_drawn, 0) &&
          is_about(read_query(dispatched), is_drawn, 0);
}

bool
conditions_outlast_compute_contexts(void)
{
   sim_set("hides_engines", true);
   open_context_with(EGL_NO_RESET_NOTIFICATION);
   dispatch();
   sim_set("is_delayed", true);
   return outlasts_compute_context(false) && outlasts_compute_context(true);
}
