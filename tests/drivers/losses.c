/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

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

/* Hangs the GPU, and goes on: the kernel bans the hardware context, refuses
 * the next batch, and the driver makes another context.
 */
static void
replace_context(void)
{
   lose_device();
   for (unsigned i = 0; i < 3; i++) {
      glDrawArrays(GL_POINTS, 0, 1);
      glFinish();
   }
}

/* Returns a query that begins in one hardware context and ends in another,
 * whose counters are others.
 */
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

/* The end is lost, the begin is not, and another context asks for both. */
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

/* The GPU decides, by a predicate that is its context's. */
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
