/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* New hardware contexts that replace old ones: each is an epoch. */

#include "fixture.h"

/* Begins a query in one hardware context and ends it in another one. */
static struct pitot_hw_query *
measure_over_contexts(struct fixture *f, unsigned replacements)
{
   struct pitot_hw_query *query = begin_new(f, PITOT_KIND_SAMPLES_PASSED);

   draw(f, PITOT_KIND_SAMPLES_PASSED, 3);
   for (unsigned i = 0; i < replacements; i++) {
      flush(f);
      sim_cs_replace_context(f->cs);
   }
   draw(f, PITOT_KIND_SAMPLES_PASSED, 5);
   flush(f);
   end(f, query);
   return query;
}

/* A count over two contexts is lost, whenever other contexts come later. */
HW_TEST(counts_do_not_span_contexts, "skl")
{
   for (unsigned replacements = 1; replacements < 12; replacements++) {
      struct pitot_hw_query *query = measure_over_contexts(f, replacements);

      expect_lost(f, query, replacements % 2);
      expect_lost(f, query, false);
      assert_true(pitot_hw_take_disjoint(f->hw));
      measure_work(f, query, PITOT_KIND_SAMPLES_PASSED, 6);
      assert_int_equal(wait_for(f, query), 6);
      assert_false(pitot_hw_take_disjoint(f->hw));
   }
}

/* Pitot remembers a few replacements: over any other one, a count is lost. */
HW_TEST(counts_do_not_span_forgotten_contexts, "skl")
{
   struct pitot_hw_query *query = measure_over_contexts(f, 1);

   for (unsigned i = 0; i < 8; i++) {
      flush(f);
      sim_cs_replace_context(f->cs);
   }
   expect_lost(f, query, false);
}

/* The GPU stores no difference over two contexts either. */
HW_TEST(stores_do_not_span_contexts, "skl")
{
   static const enum pitot_store whats[] = {
      PITOT_STORE_RESULT,
      PITOT_STORE_RESULT_NO_WAIT,
   };
   struct pitot_hw_condition condition;

   f->cs->is_held = true;
   for (unsigned i = 0; i < 2; i++) {
      store(f, measure_over_contexts(f, 1), whats[i], PITOT_TYPE_U64);
      assert_int_equal(stored(f), 0);
   }
   store(f, measure_over_contexts(f, 1), PITOT_STORE_AVAILABLE,
         PITOT_TYPE_U64);
   assert_int_equal(stored(f), 1);
   pitot_hw_query_decide(f->hw, measure_over_contexts(f, 1), false, false,
                         &condition);
   assert_int_equal(condition.decision, PITOT_HW_DECISION_NEVER);
   assert_int_equal(f->cs->wait_count, 0);
}

/* A batch belongs to the latest context of its recording. */
HW_TEST(batches_have_one_context, "skl")
{
   struct pitot_hw_query *inside = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
   struct pitot_hw_query *across = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
   struct pitot_hw_query *after = create(f, PITOT_KIND_SAMPLES_PASSED, 0);

   begin(f, across);
   flush(f);
   begin(f, inside);
   begin(f, after);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 3);
   end(f, across);
   sim_cs_replace_context(f->cs);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 5);
   end(f, inside);
   flush(f);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 7);
   end(f, after);
   run(f);
   assert_int_equal(wait_for(f, inside), 8);
   assert_int_equal(wait_for(f, after), 15);
   expect_lost(f, across, true);
}

/* A result outlives the context that measured it. */
HW_TEST(results_outlast_their_context, "skl")
{
   struct pitot_hw_query *early = measure_samples(f, 9);
   flush(f);
   for (unsigned i = 0; i < 8; i++) {
      sim_cs_replace_context(f->cs);
      flush(f);
   }
   assert_int_equal(wait_for(f, early), 9);
}

/* A context does not wait for what another one measures: the CPU does. */
HW_TEST(contexts_do_not_read_each_other, "skl")
{
   struct pitot_hw_query *lost = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
   struct pitot_hw_condition condition;

   begin(f, lost);
   flush(f);
   f->cs->writes_nothing = true;
   end(f, lost);
   flush(f);
   f->cs->writes_nothing = false;
   sim_cs_replace_context(f->cs);
   store(f, lost, PITOT_STORE_RESULT, PITOT_TYPE_U64);
   assert_int_equal(stored(f), 0);
   pitot_hw_query_decide(f->hw, lost, true, false, &condition);
   assert_int_equal(condition.decision, PITOT_HW_DECISION_ALWAYS);

   f->cs->is_held = true;
   struct pitot_hw_query *query = measure_samples(f, 4);
   flush(f);
   pitot_cs_context_replaced(&f->cs->base, PITOT_RING_RENDER);
   pitot_hw_query_decide(f->hw, query, true, false, &condition);
   assert_int_equal(condition.decision, PITOT_HW_DECISION_ALWAYS);
   assert_int_equal(f->cs->wait_count, 0);
   store(f, query, PITOT_STORE_RESULT, PITOT_TYPE_U64);
   assert_int_equal(f->cs->wait_count, 1);
   assert_int_equal(stored(f), 4);
}

/* The compute ring has its own epochs: its seqnos are others. */
HW_TEST(rings_have_epochs_of_their_own, "skl", .has_compute = true)
{
   struct pitot_hw_query *elapsed = create(f, PITOT_KIND_TIME_ELAPSED, 0);

   for (unsigned i = 0; i < 5; i++) {
      move(f, PITOT_RING_RENDER);
      flush(f);
   }
   pitot_cs_context_replaced(&f->cs->base, PITOT_RING_RENDER);
   f->cs->is_held = true;
   begin(f, elapsed);
   pitot_hw_dispatch(f->hw, PITOT_RING_COMPUTE);
   pass(f, f->gpu->timestamp_hz);
   end(f, elapsed);
   store(f, elapsed, PITOT_STORE_RESULT, PITOT_TYPE_U64);
   assert_int_equal(f->cs->wait_count, 0);
   assert_int_equal(stored(f), NS_PER_S);
}
