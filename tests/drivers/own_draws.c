/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "defects.h"

/* Clears some colors only, which takes a draw.  Returns the packets. */
static uint64_t
clear(unsigned clears)
{
   const uint64_t before = sim_get("note_count");

   glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
   for (unsigned i = 0; i < clears; i++)
      glClear(GL_COLOR_BUFFER_BIT);
   glFinish();
   return sim_get("note_count") - before;
}

/* The clears fill several batches. */
static uint64_t
count_clears(GLenum target)
{
   const GLuint query = begin(target);

   clear(20000);
   glEndQuery(target);
   return result64_of(query);
}

void
clears_pass_no_samples(void)
{
   expect(count_clears(GL_SAMPLES_PASSED), 0);
}

void
clears_submit_no_vertices(void)
{
   expect(count_clears(GL_VERTICES_SUBMITTED), 0);
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
void
clears_split_nothing(void)
{
   const uint64_t unmeasured = cost_of_clears();

   begin(GL_SAMPLES_PASSED);
   const uint64_t measured = cost_of_clears();
   glEndQuery(GL_SAMPLES_PASSED);
   expect(measured, unmeasured);
}
