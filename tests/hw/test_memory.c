/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Each allocation fails in turn: the call reports it, nothing leaks, and no
 * query allocates forever.
 */

#include <errno.h>
#include <stdlib.h>

#include "../fail_memory.h"
#include "fixture.h"

/* Measures two segments.  A failure is returned by the end at the latest. */
static bool
measure(struct sim_cs *cs, struct pitot_hw *hw, struct pitot_hw_query *query)
{
   uint64_t value = 7;
   const int begun = pitot_hw_query_begin(hw, query);
   struct pitot_hw_condition condition;

   assert_true(begun == 0 || begun == -ENOMEM);
   assert_int_equal(cs->counting, begun == 0 ? PITOT_COUNTING_SAMPLES : 0);
   sim_cs_count(cs, PITOT_KIND_SAMPLES_PASSED, 0, 3);
   pitot_hw_set_active(hw, false);
   sim_cs_count(cs, PITOT_KIND_SAMPLES_PASSED, 0, 100);
   pitot_hw_set_active(hw, true);
   sim_cs_count(cs, PITOT_KIND_SAMPLES_PASSED, 0, 4);
   sim_cs_flush(cs, PITOT_RING_RENDER);
   const int ended = pitot_hw_query_end(hw, query);
   const bool works = begun == 0 && ended == 0;

   assert_true(ended == 0 || ended == -ENOMEM);
   pitot_hw_query_decide(hw, query, false, true, &condition);
   assert_int_equal(pitot_hw_query_result(hw, query, true, &value),
                    works ? 1 : -EIO);
   assert_int_equal(value, works ? 7 : 0);
   assert_true(condition.decision != PITOT_HW_DECISION_NEVER || !works);
   return works;
}

static bool
try_all(const char *gpu, unsigned n)
{
   struct sim_cs *cs = sim_cs_create(gpu, false);
   struct pitot_hw_query *query = NULL, *stamp = NULL;
   struct pitot_hw *hw = NULL;

   fail_memory = n;
   const int created = pitot_hw_create(&cs->base, &hw);
   bool works = created == 0;
   assert_true(works || created == -ENOMEM);
   if (works) {
      works =
         pitot_hw_query_create(hw, PITOT_KIND_SAMPLES_PASSED, 0, &query) == 0;
      works = works &&
              pitot_hw_query_create(hw, PITOT_KIND_TIMESTAMP, 0, &stamp) == 0;
      works = works && pitot_hw_query_end(hw, stamp) == 0;
      works = works && measure(cs, hw, query);
      pitot_hw_query_free(hw, query);
      pitot_hw_query_free(hw, stamp);
   }
   pitot_hw_destroy(hw);
   fail_memory = 0;
   assert_null(cs->base.listener);
   assert_int_equal(sim_cs_destroy(cs), 0);
   return works;
}

HW_TEST(every_allocation_fails_in_turn, EVERY_GPU)
{
   bool works = false;

   for (unsigned n = 1; !works; n++) {
      assert_in_range(n, 1, 100);
      works = try_all(f->cs->sim->gpu.key, n);
   }
}

/* A count's first dispatch fails to allocate: the end returns the error. */
HW_TEST(lost_dispatches_are_reported, "skl", .has_compute = true)
{
   struct pitot_hw_query *query = create(f, PITOT_KIND_CS_INVOCATIONS, 0);
   unsigned lost_count = 0;
   bool works = false;
   uint64_t value;

   for (unsigned n = 1; !works; n++) {
      begin(f, query);
      fail_memory = n;
      pitot_hw_dispatch(f->hw, PITOT_RING_COMPUTE);
      works = fail_memory != 0;
      fail_memory = 0;
      lost_count += !works;
      assert_int_equal(pitot_hw_query_end(f->hw, query), works ? 0 : -ENOMEM);
      assert_int_equal(pitot_hw_query_result(f->hw, query, true, &value),
                       works ? 1 : -EIO);
   }
   assert_true(lost_count > 0);
}

/* The batch is full, and the next one needs memory. */
HW_TEST(ends_without_memory_are_reported, "vega10")
{
   const struct sim_cs_ring *ring = &f->cs->rings[PITOT_RING_RENDER];
   struct pitot_hw_query *query = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
   uint64_t value;

   f->cs->is_held = true;
   begin(f, query);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 5);
   sim_cs_fill(f->cs, PITOT_RING_RENDER,
               f->cs->batch_dw - ring->used_dw -
                  pitot_cs_end_count(&f->cs->base, PITOT_RING_RENDER) *
                     f->cs->command_dw);
   fail_memory = 1;
   assert_int_equal(pitot_hw_query_end(f->hw, query), -ENOMEM);
   fail_memory = 0;
   assert_int_equal(pitot_hw_query_result(f->hw, query, true, &value), -EIO);
}

/* The first store by a shader allocates its description.  If that fails,
 * nothing is stored and the call returns the error.
 */
HW_TEST(stores_without_memory_are_refused, "vega10")
{
   prepare_target(f);
   const struct pitot_hw_store target = to_target(f, PITOT_STORE_RESULT, 0);
   f->cs->is_held = true;
   struct pitot_hw_query *query = measure_samples(f, 5);
   fail_memory_growth = FAIL_MEMORY_STAYS;
   assert_int_equal(pitot_hw_query_store(f->hw, query, &target), -ENOMEM);
   fail_memory_growth = FAIL_MEMORY_GROWS;
   assert_int_equal(stored(f), UNTOUCHED);
   assert_int_equal(pitot_hw_query_store(f->hw, query, &target), 0);
   assert_int_equal(stored(f), 5);
}

/* Without memory for the GPU's records, the CPU decides a condition. */
HW_TEST(conditions_without_memory_are_the_cpus, DECIDING_GPUS)
{
   const unsigned batches = 20; /* more than are allocated at first */
   struct pitot_hw_query *query = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
   struct pitot_hw_condition condition;

   learn_backends(f);
   f->cs->is_held = true;
   begin(f, query);
   for (unsigned i = 1; i < batches; i++) {
      draw(f, PITOT_KIND_SAMPLES_PASSED, 0);
      flush(f);
   }
   end(f, query);
   for (unsigned n = 1; fail_memory == 0; n++) {
      fail_memory = n;
      pitot_hw_query_decide(f->hw, query, false, false, &condition);
      if (fail_memory == 0)
         assert_int_equal(condition.decision, PITOT_HW_DECISION_ALWAYS);
   }
   fail_memory = 0;
   assert_int_equal(condition.decision, PITOT_HW_DECISION_BY_GPU);
   assert_int_equal(condition.record_count,
                    f->gpu->family == &pitot_hw_amd ? batches : 1);
}
