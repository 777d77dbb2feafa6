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
   sim_call("hang");
}

void
lost_queries_end(void)
{
   const GLuint query = measure(GL_SAMPLES_PASSED, 1);

   lose_device();
   expect(result64_of(query), 0);
}

void
lost_queries_become_available(void)
{
   const GLuint query = measure(GL_SAMPLES_PASSED, 1);

   lose_device();
   while (!is_available(query))
      ;
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
   sim_set("is_delayed", false);
   while (!is_available(query))
      ;
   sim_set("is_delayed", true);
}

/* iris loses one more batch, which shows it that its context is banned. */
static void
submit_draw(void)
{
   draw_point();
   glFinish();
}

/* After each hang, earlier queries are 0 and later ones right. */
void
counts_after_hangs_are_right(void)
{
   for (unsigned hangs = 0; hangs < 3; hangs++) {
      lose_forgiven();
      expect(count(GL_SAMPLES_PASSED, 1), 0);
      submit_draw();
      for (unsigned i = 0; i < 2; i++) {
         const GLuint query = measure(GL_SAMPLES_PASSED, 100);
         if (i == 1)
            poll_query(query);
         expect(result64_of(query), 100);
      }
   }
}

/* All queries of a lost context end, and the next context counts. */
void
contexts_after_lost_ones_count(void)
{
   lose_device();
   expect(count(GL_SAMPLES_PASSED, 1), 0);
   for (unsigned i = 0; i < 3; i++) {
      const GLuint query = measure(GL_SAMPLES_PASSED, 100);
      glFlush();
      poll_query(query);
      (void)result64_of(query);
   }
   (void)glGetGraphicsResetStatus();
   open_new_context();
   expect(count(GL_SAMPLES_PASSED, 100), 100);
}

static bool
is_disjoint(void)
{
   GLint disjoint = 0;

   glGetIntegerv(GL_GPU_DISJOINT_EXT, &disjoint);
   return disjoint != 0;
}

/* A lost result is disjoint when it is available, and no later one is. */
void
hangs_are_disjoint_once(void)
{
   (void)is_disjoint();
   for (unsigned hangs = 0; hangs < 3; hangs++) {
      lose_forgiven();
      const GLuint query = measure(GL_ANY_SAMPLES_PASSED, 1);
      if (hangs == 1)
         poll_query(query);
      expect(result64_of(query), 0);
      expect(is_disjoint(), true);
      submit_draw();
      expect(count(GL_ANY_SAMPLES_PASSED, 1), 1);
      expect(is_disjoint(), false);
   }
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
void
hangs_between_queries_are_disjoint(void)
{
   (void)is_disjoint();
   lose_forgiven();
   (void)count(GL_ANY_SAMPLES_PASSED, 1);
   expect(is_disjoint(), true);
   submit_draw();
   replace_context();
   expect(count(GL_ANY_SAMPLES_PASSED, 1), 1);
   expect(is_disjoint(), true);
   expect(is_disjoint(), false);
}

/* The begin and the end come from different counters. */
static GLuint
measure_over_contexts(void)
{
   const GLuint query = begin(GL_SAMPLES_PASSED);

   submit_draw();
   replace_context();
   glEndQuery(GL_SAMPLES_PASSED);
   return query;
}

void
counts_do_not_span_contexts(void)
{
   expect(result64_of(measure_over_contexts()), 0);
}

void
counts_in_buffers_do_not_span_contexts(void)
{
   expect(read_by_buffer(measure_over_contexts(), GL_QUERY_RESULT), 0);
}

/* Only the end is lost, and a later context stores the result. */
void
lost_counts_in_buffers_are_0(void)
{
   const GLuint query = begin(GL_SAMPLES_PASSED);

   submit_draw();
   lose_device();
   glEndQuery(GL_SAMPLES_PASSED);
   glFlush();
   replace_context();
   expect(read_by_buffer(query, GL_QUERY_RESULT), 0);
}

/* The predicate by which the GPU decides is lost with its context. */
void
conditions_outlast_contexts(void)
{
   glBeginConditionalRender(measure(GL_SAMPLES_PASSED, 1), GL_QUERY_WAIT);
   replace_context();
   const GLuint drawn = measure(GL_SAMPLES_PASSED, 1);
   glEndConditionalRender();
   expect(result64_of(drawn), 1);
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
void
conditions_outlast_compute_contexts(void)
{
   dispatch();
   sim_set("is_delayed", true);
   for (unsigned is_drawn = 0; is_drawn < 2; is_drawn++) {
      glBeginConditionalRender(is_drawn ? measure(GL_SAMPLES_PASSED, 1)
                                        : measure_nothing(),
                               GL_QUERY_WAIT);
      dispatch();
      replace_compute_context();
      const GLuint drawn = measure(GL_SAMPLES_PASSED, 1);
      const GLuint dispatched = measure_dispatch();
      glEndConditionalRender();
      expect(result64_of(drawn), is_drawn);
      expect(result64_of(dispatched), is_drawn);
   }
}
