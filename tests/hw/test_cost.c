/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The cost of queries, also of suspending and resuming them: packets, memory
 * and calls of the driver.
 */

#include "fixture.h"
#include "hw_priv.h"
#include "pitot_hw_family.h"

/* Counts the stalls of the pipe in the current batch. */
static unsigned
count_stalls(const struct fixture *f)
{
   static const uint32_t stall[] = { 0x7a000004, 1u << 20 | 1u << 1 };
   const struct sim_cs_ring *ring = &f->cs->rings[PITOT_RING_RENDER];
   unsigned count = 0;

   for (unsigned i = 0; i + 1 < ring->used_dw; i++)
      count += memcmp(&ring->commands[i], stall, sizeof(stall)) == 0;
   return count;
}

/* Any number of statistics needs one stall at each end, a time none. */
HW_TEST(one_stall_for_a_list, "skl")
{
   struct pitot_hw_query *time = create(f, PITOT_KIND_TIME_ELAPSED, 0);
   struct pitot_hw_query *list = create_statistics(f);

   begin(f, time);
   assert_int_equal(count_stalls(f), 0);
   begin(f, list);
   assert_int_equal(count_stalls(f), 1);
   draw(f, PITOT_KIND_VS_INVOCATIONS, 1);
   end(f, list);
   assert_int_equal(count_stalls(f), 2);
   end(f, time);
   assert_int_equal(count_stalls(f), 2);
}

/* Reserves what the end of a batch takes; stream-out takes no word. */
static void
check_room(struct fixture *f, bool is_suspended)
{
   const struct pitot_cs *cs = &f->cs->base;
   const enum pitot_ring ring = PITOT_RING_RENDER;
   struct pitot_hw_query *samples = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
   struct pitot_hw_query *written =
      create(f, PITOT_KIND_PRIMITIVES_WRITTEN, 2);

   begin(f, create(f, PITOT_KIND_TIME_ELAPSED, 0));
   assert_int_equal(pitot_cs_end_count(cs, ring), 0);
   begin(f, samples);
   assert_int_equal(pitot_cs_end_count(cs, ring), is_suspended ? 2 : 0);
   begin(f, written);
   assert_int_equal(pitot_cs_end_count(cs, ring), is_suspended ? 3 : 0);
   end(f, samples);
   assert_int_equal(pitot_cs_end_count(cs, ring), is_suspended ? 1 : 0);
   drop(f, written);
   assert_int_equal(pitot_cs_end_count(cs, ring), 0);
}

HW_TEST_ALONE(space_is_reserved_for_active_queries)
{
   static const char *const gpus[] = { "skl", "pitcairn", "polaris10",
                                       "vega10", "navi21" };

   for (unsigned i = 0; i < ARRAY_LENGTH(gpus); i++) {
      struct fixture *f = open_fixture(gpus[i], false);

      check_room(f, f->gpu->family->suspends_between_batches);
      close_fixture(f);
   }
}

/* A driver whose batches grow has no require(). */
HW_TEST(batches_may_grow, EVERY_GPU)
{
   f->cs->ops.require = NULL;
   struct pitot_hw_query *query = measure_samples(f, 7);
   store(f, query, PITOT_STORE_RESULT, PITOT_TYPE_I64);
   flush(f);
   assert_int_equal(stored(f), 7);
   assert_int_equal(wait_for(f, query), 7);
   store(f, query, PITOT_STORE_RESULT, PITOT_TYPE_I64);
   flush(f);
   assert_int_equal(stored(f), 7);
}

/* To learn the backends takes a call on a GPU with disabled ones. */
static void
begin_count(struct fixture *f)
{
   learn_backends(f);
   f->cs->flush_count = f->cs->wait_count = f->cs->state_count = 0;
   f->cs->is_held = true;
}

/* Polls flush once, then read memory and not the state of the batch. */
HW_TEST(polls_are_cheap, EVERY_GPU)
{
   struct pitot_hw_query *query = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
   struct pitot_hw_query *other = create(f, PITOT_KIND_TIME_ELAPSED, 0);
   uint64_t value;

   begin_count(f);
   begin(f, query);
   begin(f, other);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 4);
   end(f, query);
   end(f, other);
   for (unsigned i = 0; i < 100; i++) {
      assert_int_equal(poll(f, query, &value), 0);
      assert_int_equal(poll(f, other, &value), 0);
   }
   assert_int_equal(f->cs->flush_count, 1);
   assert_int_equal(f->cs->wait_count, 0);

   sim_cs_complete(f->cs);
   const unsigned states = f->cs->state_count;
   assert_int_equal(poll(f, query, &value), 1);
   assert_int_equal(value, 4);
   assert_int_equal(f->cs->state_count, states);
}

/* A result that was read once is read again without the lock. */
HW_TEST(known_results_need_no_lock, "skl")
{
   struct pitot_hw_query *query = create(f, PITOT_KIND_TIMESTAMP, 0);
   uint64_t known, value = 0;

   for (unsigned is_done = 0; is_done < 2; is_done++) {
      end(f, query);
      if (is_done)
         run(f);
      known = wait_for(f, query);
      pitot_hw_query_lock(f->hw, query);
      assert_int_equal(poll(f, query, &value), 1);
      assert_int_equal(value, known);
      pitot_hw_query_unlock(f->hw, query);
   }
}

/* Tens of thousands of queries, some in flight, need few buffers. */
HW_TEST(steady_state_allocates_nothing, EVERY_GPU, .is_long = true)
{
   struct pitot_hw_query *queries[8];

   f->cs->is_held = true;
   for (unsigned i = 0; i < ARRAY_LENGTH(queries); i++)
      queries[i] =
         create(f,
                i % 2 ? PITOT_KIND_SAMPLES_PASSED : PITOT_KIND_TIME_ELAPSED,
                0);
   for (unsigned i = 0; i < 20000; i++) {
      struct pitot_hw_query *query = queries[i % ARRAY_LENGTH(queries)];
      uint64_t value;

      measure_work(f, query, PITOT_KIND_SAMPLES_PASSED, i);
      move(f, PITOT_RING_RENDER);
      if (i % 64 == 63) {
         run(f);
         assert_int_equal(poll(f, query, &value), 1);
         assert_int_equal(value, i % 2 ? i : 0);
      }
   }
   /* Each result is read immediately. */
   for (unsigned i = 0; i < 5000; i++) {
      begin(f, queries[1]);
      draw(f, PITOT_KIND_SAMPLES_PASSED, i);
      end(f, queries[1]);
      move(f, PITOT_RING_RENDER);
      assert_int_equal(wait_for(f, queries[1]), i);
   }
   assert_in_range(f->cs->buffers_made, 1, 5);
   assert_int_equal(f->cs->timestamp_count, 1); /* at the start */
}

/* A wait asks for the batch's state before the flush and after the wait. */
HW_TEST(waits_ask_little, EVERY_GPU)
{
   begin_count(f);
   struct pitot_hw_query *query = measure_samples(f, 3);
   assert_int_equal(wait_for(f, query), 3);
   assert_int_equal(f->cs->wait_count, 1);
   assert_in_range(f->cs->state_count, 1, 2);
}

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
   learn_backends(f);
   struct pitot_hw_query *query = measure_samples(f, 1000);
   run(f);
   begin(f, query);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 3);
   pitot_hw_set_active(f->hw, false);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 1000);
   pitot_hw_set_active(f->hw, true);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 4);
   assert_int_equal(end_and_wait(f, query), 7);
}
