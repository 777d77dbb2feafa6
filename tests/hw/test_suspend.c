/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The cost of suspending and resuming queries. */

#include "fixture.h"
#include "hw_priv.h"

/* A batch of internal draws samples nothing. */
HW_TEST(suspended_queries_record_nothing, EVERY_GPU)
{
   begin(f, create(f, PITOT_KIND_SAMPLES_PASSED, 0));
   pitot_hw_set_active(f->hw, false);
   flush(f);
   assert_int_equal(f->cs->rings[PITOT_RING_RENDER].used_dw, 0);
   pitot_hw_set_active(f->hw, true);
}

/* Internal draws split no query if the driver stops the counters. */
HW_TEST(stopped_queries_record_nothing, EVERY_GPU)
{
   if (!f->gpu->family->stopped)
      return;
   begin(f, create(f, PITOT_KIND_SAMPLES_PASSED, 0));
   begin(f, create(f, PITOT_KIND_FS_INVOCATIONS, 0));
   begin(f, create(f, PITOT_KIND_CLIPPING_INPUT, 0));
   f->cs->base.stops_counting = true;
   const unsigned count = f->cs->reserve_count;
   pitot_hw_set_active(f->hw, false);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 1);
   pitot_hw_set_active(f->hw, true);
   assert_int_equal(f->cs->reserve_count, count);
}

/* A begin that does not fit is sampled in the next batch, which may already
 * have resumed the query: only one of both keeps its memory.
 */
HW_TEST(begins_at_the_end_keep_nothing, EVERY_GPU, .is_long = true)
{
   const struct sim_cs_ring *ring = &f->cs->rings[PITOT_RING_RENDER];
   struct pitot_hw_query *query = create(f, PITOT_KIND_SAMPLES_PASSED, 0);

   f->cs->batch_dw = 200;
   for (unsigned i = 0; i < 3000; i++) {
      const uint64_t batch = ring->batch;

      sim_cs_fill(f->cs, PITOT_RING_RENDER, 198 - ring->used_dw);
      begin(f, query);
      assert_int_equal(ring->batch, batch + 1);
      draw(f, PITOT_KIND_SAMPLES_PASSED, i);
      assert_int_equal(end_and_wait(f, query), i);
   }
   assert_in_range(f->cs->buffers_made, 1, 5);
}

/* A begin drops the previous result, even one that was never read. */
HW_TEST(unread_results_are_forgotten, EVERY_GPU)
{
   struct pitot_hw_query *query = create(f, PITOT_KIND_SAMPLES_PASSED, 0);

   learn_backends(f);
   measure_work(f, query, PITOT_KIND_SAMPLES_PASSED, 1000);
   run(f);
   begin(f, query);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 3);
   pitot_hw_set_active(f->hw, false);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 1000);
   pitot_hw_set_active(f->hw, true);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 4);
   assert_int_equal(end_and_wait(f, query), 7);
}
