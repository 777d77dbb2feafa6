/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Stores of results that have several parts, or lack some. */

#include <errno.h>

#include "fixture.h"

/* A result of which the CPU knows a part is stored whole. */
HW_TEST(known_parts_are_stored, EVERY_GPU)
{
   learn_backends(f);
   for (enum pitot_kind kind = 0; kind < PITOT_KIND_COUNT; kind++) {
      const struct pitot_kind_info *info = pitot_kind_info(kind);

      if (info->is_time || !is_supported(f, kind))
         continue;
      struct pitot_hw_query *query = begin_new(f, kind);
      draw(f, kind, 5);
      pitot_hw_set_active(f->hw, false);
      run(f);
      pitot_hw_set_active(f->hw, true);
      f->cs->is_held = true;
      draw(f, kind, 6);
      end(f, query);
      store(f, query, PITOT_STORE_RESULT, PITOT_TYPE_U64);
      assert_int_equal(stored(f), info->is_boolean ? 1 : 11);
      f->cs->is_held = false;
   }
}

/* More segments than are allocated at first. */
HW_TEST(many_segments_are_stored, EVERY_GPU)
{
   struct pitot_hw_condition condition;
   struct pitot_hw_query *query = create(f, PITOT_KIND_SAMPLES_PASSED, 0);

   learn_backends(f);
   f->cs->is_held = true;
   begin(f, query);
   for (unsigned i = 0; i < 40; i++) {
      draw(f, PITOT_KIND_SAMPLES_PASSED, 3);
      pitot_hw_set_active(f->hw, false);
      move(f, PITOT_RING_RENDER);
      pitot_hw_set_active(f->hw, true);
   }
   end(f, query);
   pitot_hw_query_decide(f->hw, query, false, false, &condition);
   assert_int_equal(condition.decision == PITOT_HW_DECISION_BY_GPU,
                    is_deciding(f->gpu));
   store(f, query, PITOT_STORE_RESULT, PITOT_TYPE_U64);
   assert_int_equal(stored(f), 120);
}

static uint64_t
store_index(struct fixture *f, struct pitot_hw_query *query, unsigned index)
{
   prepare_target(f);
   const struct pitot_hw_store what = to_target(f, PITOT_STORE_RESULT, index);
   store_any(f, query, &what);
   return stored(f);
}

/* A value comes from the ring that counts it, or is 0 without a sample. */
HW_TEST(values_of_two_rings_are_stored, "tgl", .has_compute = true)
{
   /* The streamer's registers still hold the previous store's values. */
   f->cs->is_held = true;
   for (unsigned i = 4; i-- > 0;) {
      struct pitot_hw_query *query =
         create_pair(f, PITOT_KIND_SAMPLES_PASSED, PITOT_KIND_CS_INVOCATIONS);

      begin(f, query);
      draw(f, PITOT_KIND_SAMPLES_PASSED, 5);
      if (i & 2)
         draw(f, PITOT_KIND_CS_INVOCATIONS, 7);
      end(f, query);
      const uint64_t value = store_index(f, query, i & 1);
      assert_int_equal(value, !(i & 1) ? 5 : i & 2 ? 7 : 0);
   }
}

/* A query is available once all its values are, on whichever ring. */
HW_TEST(availability_is_that_of_all_rings, "tgl", .has_compute = true)
{
   struct pitot_hw_query *query =
      create_pair(f, PITOT_KIND_SAMPLES_PASSED, PITOT_KIND_CS_INVOCATIONS);

   f->cs->is_held = true;
   for (unsigned is_done = 0; is_done < 2; is_done++) {
      begin(f, query);
      draw(f, PITOT_KIND_SAMPLES_PASSED, 5);
      draw(f, PITOT_KIND_CS_INVOCATIONS, 7);
      end(f, query);
      if (is_done)
         run(f);
      store(f, query, PITOT_STORE_AVAILABLE, PITOT_TYPE_U64);
      assert_int_equal(stored(f), is_done);
   }
}

/* If the driver cannot store, the CPU does, waiting only where GL does. */
HW_TEST(the_cpu_stores_what_it_knows, "skl")
{
   f->cs->ops.store = NULL;
   f->cs->is_held = true;
   struct pitot_hw_query *query = measure_samples(f, 5);
   store(f, query, PITOT_STORE_RESULT_NO_WAIT, PITOT_TYPE_U64);
   assert_int_equal(stored(f), UNTOUCHED);
   store(f, query, PITOT_STORE_RESULT_NO_WAIT, PITOT_TYPE_U64);
   assert_int_equal(stored(f), 5);
}

/* A value that no GPU of the generation counts is 0, alone in its query. */
HW_TEST(uncounted_values_are_0, EVERY_GPU)
{
   for (unsigned kind = 0; kind < PITOT_KIND_COUNT; kind++) {
      const struct pitot_hw_count count = { kind, 0 };
      struct pitot_hw_condition condition;
      uint64_t value = 7;

      if (is_supported(f, kind))
         continue;
      struct pitot_hw_query *query = create_list(f, &count, 1);
      begin(f, query);
      end(f, query);
      pitot_hw_query_decide(f->hw, query, false, true, &condition);
      assert_int_equal(condition.decision, PITOT_HW_DECISION_NEVER);
      store(f, query, PITOT_STORE_RESULT_NO_WAIT, PITOT_TYPE_U64);
      assert_int_equal(stored(f), 0);
      assert_int_equal(pitot_hw_query_result(f->hw, query, true, &value), 1);
      assert_int_equal(value, 0);
   }
}

/* A dropped batch wrote nothing: a store without wait writes 0. */
HW_TEST(dropped_samples_are_not_computed, "vega10")
{
   learn_backends(f);
   struct pitot_hw_query *query = measure_samples(f, 5);
   f->cs->base.dropped_batch = f->cs->rings[PITOT_RING_RENDER].batch;
   flush_nothing(f);
   const unsigned count = f->cs->result_count;
   store(f, query, PITOT_STORE_RESULT_NO_WAIT, PITOT_TYPE_U64);
   assert_int_equal(stored(f), 0);
   assert_int_equal(f->cs->result_count, count);
}

/* If a batch was dropped, the GPU waits for none: the query is lost. */
HW_TEST(dropped_segments_are_not_waited_for, "vega10")
{
   struct pitot_hw_query *query = begin_new(f, PITOT_KIND_VS_INVOCATIONS);

   draw(f, PITOT_KIND_VS_INVOCATIONS, 5);
   f->cs->base.dropped_batch = f->cs->rings[PITOT_RING_RENDER].batch;
   flush_nothing(f);
   draw(f, PITOT_KIND_VS_INVOCATIONS, 6);
   end(f, query);
   f->cs->is_held = true;
   store(f, query, PITOT_STORE_RESULT, PITOT_TYPE_U64);
   assert_int_equal(stored(f), 0);
   expect_lost(f, query, true);
}

/* A result of a batch that the kernel abandoned is available, as 0. */
HW_TEST(lost_results_are_available, EVERY_GPU)
{
   struct pitot_hw_query *query = measure_samples(f, 5);
   flush_nothing(f);
   store(f, query, PITOT_STORE_AVAILABLE, PITOT_TYPE_U64);
   assert_int_equal(stored(f), 1);
   expect_lost(f, query, true);
}
