/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Each batch lists the buffers that it reads and writes.  The simulator maps
 * no others: close_fixture() fails if a command uses one.
 */

#include "fixture.h"

/* Measures other queries until they get their memory from another buffer. */
static void
fill_buffer(struct fixture *f, enum pitot_kind kind)
{
   const unsigned made = f->cs->buffers_made;

   while (f->cs->buffers_made == made) {
      struct pitot_hw_query *other = begin_new(f, kind);

      move(f, PITOT_RING_RENDER);
      end(f, other);
   }
}

/* The begin and the end are in two buffers and two batches. */
static struct pitot_hw_query *
measure_over_buffers(struct fixture *f, enum pitot_kind kind)
{
   struct pitot_hw_query *query = begin_new(f, kind);

   draw(f, kind, 7);
   flush(f);
   fill_buffer(f, kind);
   end(f, query);
   flush(f);
   return query;
}

/* The batch of the store contains nothing else. */
HW_TEST(stores_list_all_samples, EVERY_GPU, .is_long = true)
{
   static const enum pitot_kind kinds[] = {
      PITOT_KIND_SAMPLES_PASSED,
      PITOT_KIND_VERTICES_SUBMITTED,
      PITOT_KIND_TIME_ELAPSED,
   };

   f->cs->is_held = true;
   for (unsigned i = 0; i < ARRAY_LENGTH(kinds); i++) {
      struct pitot_hw_query *query = measure_over_buffers(f, kinds[i]);

      prepare_target(f);
      store(f, query, PITOT_STORE_RESULT, PITOT_TYPE_U64);
      flush(f);
      if (kinds[i] != PITOT_KIND_TIME_ELAPSED)
         assert_int_equal(stored(f), 7);
   }
}

HW_TEST(ends_list_their_own_samples, EVERY_GPU)
{
   struct pitot_hw_query *query =
      measure_over_buffers(f, PITOT_KIND_SAMPLES_PASSED);

   assert_int_equal(wait_for(f, query), 7);
}
