/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "defects.h"

/* Clears some colors only, which takes a draw.  Returns the packets. */
static uint64_t
clear(unsigned count)
{
   const uint64_t before = sim_get("note_count");

   glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
   for (unsigned i = 0; i < count; i++)
      glClear(GL_COLOR_BUFFER_BIT);
   glFinish();
   return sim_get("note_count") - before;
}

/* The clears fill several batches. */
static uint64_t
count_clears(GLenum target)
{
   const GLuint query = make_query();

   glBeginQuery(target, query);
   clear(20000);
   glEndQuery(target);
   return read_query(query);
}

bool
clears_pass_no_samples(void)
{
   open_context();
   return is_about(count_clears(GL_SAMPLES_PASSED), 0, 0);
}

bool
clears_submit_no_vertices(void)
{
   open_context();
   return is_about(count_clears(GL_VERTICES_SUBMITTED_ARB), 0, 0);
}

/* Returns how many more packets ten clears take than one clear. */
static uint64_t
cost_of_clears(void)
{
   clear(1);
   const uint64_t one = clear(1);
   return clear(10) - one;
}

/* An active query adds no packets to a clear. */
bool
clears_split_nothing(void)
{
   open_context();
   const GLuint query = make_query();
   const uint64_t unmeasured = cost_of_clears();

   glBeginQuery(GL_SAMPLES_PASSED, query);
   const uint64_t measured = cost_of_clears();
   glEndQuery(GL_SAMPLES_PASSED);
   return is_about(measured, unmeasured, 0);
}
