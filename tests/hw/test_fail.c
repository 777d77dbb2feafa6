/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Failures end, and are reported. */

#include <errno.h>

#include "fixture.h"

/* A lost batch's result is 0, waited for or polled, and disjoint once. */
static void
lose_batch(struct fixture *f, bool wait)
{
   uint64_t value;

   f->cs->is_held = true;
   struct pitot_hw_query *query = measure_samples(f, 5);
   assert_int_equal(poll(f, query, &value), 0);
   assert_false(pitot_hw_take_disjoint(f->hw));
   f->cs->is_lost = true;
   f->cs->was_reset = true;
   expect_lost(f, query, wait);
   expect_lost(f, query, false);
   assert_true(pitot_hw_take_disjoint(f->hw));
   expect_lost(f, query, false);
   assert_false(pitot_hw_take_disjoint(f->hw));
   f->cs->is_lost = false;
}

HW_TEST(lost_batches_have_an_answer, EVERY_GPU)
{
   lose_batch(f, false);
   lose_batch(f, true);
}

static unsigned question_count;

static bool
count_question(struct pitot_cs *cs)
{
   struct sim_cs *sim = (struct sim_cs *)cs;
   const bool was_reset = sim->was_reset;

   question_count++;
   sim->was_reset = false;
   return was_reset;
}

/* The first result of a batch asks the kernel for resets, and no later result
 * of it does.  A stored result counts, and a lost one.
 */
HW_TEST(kernel_is_asked_once_a_batch, "skl")
{
   struct pitot_hw_query *queries[] = { create(f, PITOT_KIND_TIMESTAMP, 0),
                                        create(f, PITOT_KIND_TIMESTAMP, 0) };

   f->cs->ops.take_reset = count_question;
   question_count = 0;
   f->cs->was_reset = true;
   assert_false(pitot_hw_poll_disjoint(f->hw));
   for (unsigned batch = 1; batch <= 3; batch++) {
      for (unsigned i = 0; i < 2; i++)
         end(f, queries[i]);
      flush(f);
      f->cs->was_reset = batch == 2;
      for (unsigned i = 0; i < 2; i++) {
         wait_for(f, queries[i]);
         for (unsigned k = 0; k < 3; k++)
            assert_int_equal(pitot_hw_poll_disjoint(f->hw),
                             batch == 2 && i == 0 && k == 0);
      }
      assert_int_equal(question_count, batch);
   }

   end(f, queries[0]);
   f->cs->is_held = true;
   store(f, queries[0], PITOT_STORE_RESULT, PITOT_TYPE_U64);
   f->cs->is_held = false;
   for (unsigned k = 0; k < 3; k++)
      assert_false(pitot_hw_poll_disjoint(f->hw));
   assert_int_equal(question_count, 4);

   flush(f);
   lose_batch(f, false);
   question_count = 0;
   for (unsigned k = 0; k < 3; k++)
      (void)pitot_hw_poll_disjoint(f->hw);
   assert_int_equal(question_count, 1);
}

/* A device that is lost before the end, or before the begin. */
HW_TEST(lost_devices_refuse, EVERY_GPU)
{
   struct pitot_hw_query *query = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
   struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);
   struct pitot_hw_query *suspended = create(f, PITOT_KIND_VS_INVOCATIONS, 0);

   begin(f, query);
   begin(f, suspended);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 5);
   f->cs->is_lost = true;
   assert_int_equal(pitot_hw_query_end(f->hw, query), -EIO);
   expect_lost(f, query, true);
   assert_int_equal(pitot_hw_query_begin(f->hw, query), -EIO);
   assert_int_equal(pitot_hw_query_end(f->hw, stamp), -EIO);

   /* Suspending fails: the result is lost. */
   pitot_hw_set_active(f->hw, false);
   f->cs->is_lost = false;
   pitot_hw_set_active(f->hw, true);
   end(f, suspended);
   expect_lost(f, suspended, true);

   /* The query works again. */
   measure_work(f, query, PITOT_KIND_SAMPLES_PASSED, 6);
   assert_int_equal(wait_for(f, query), 6);
   assert_int_equal(f->cs->counting, 0);
}

/* A batch that is done and wrote nothing: no garbage, no hang. */
HW_TEST(unavailable_samples_are_lost, EVERY_GPU)
{
   struct pitot_hw_query *query = create(f, PITOT_KIND_TIME_ELAPSED, 0);

   f->cs->writes_nothing = true;
   measure_time(f, query, 500);
   expect_lost(f, query, true);
}

/* The kernel reports a backend enabled that does not exist.  No result is
 * lost, whether or not a poll comes before the batch is done.
 */
HW_TEST(absent_backends_count_nothing, "polaris10")
{
   uint64_t value = 7;

   f->cs->mute_backends = 1 << 3;
   struct pitot_hw_query *query = measure_samples(f, 100);
   assert_int_equal(wait_for(f, query), 100);

   f->cs->is_held = true;
   measure_work(f, query, PITOT_KIND_SAMPLES_PASSED, 200);
   flush(f);
   assert_int_equal(poll(f, query, &value), 0);
   sim_cs_execute(f->cs);
   sim_cs_complete(f->cs);
   assert_int_equal(poll(f, query, &value), 1);
   assert_int_equal(value, 200);
   assert_false(pitot_hw_take_disjoint(f->hw));
}
HW_TEST_AGAIN(absent_backends_count_nothing_gfx10,
              absent_backends_count_nothing, "navi10")
HW_TEST_AGAIN(absent_backends_count_nothing_gfx11,
              absent_backends_count_nothing, "navi31")

/* A backend that wrote too late counts from its next write on. */
HW_TEST(late_backends_count_later, "navi21")
{
   f->cs->mute_backends = 1 << 2;
   struct pitot_hw_query *query = measure_samples(f, 100);
   wait_for(f, query);
   f->cs->mute_backends = 0;
   for (unsigned i = 0; i < 3; i++) {
      measure_work(f, query, PITOT_KIND_SAMPLES_PASSED, 200);
      assert_int_equal(wait_for(f, query), 200);
   }
}

/* No backend wrote: the batch was lost. */
HW_TEST(missing_samples_are_lost, "vega10")
{
   f->cs->mute_backends = UINT64_MAX;
   struct pitot_hw_query *query = measure_samples(f, 100);
   expect_lost(f, query, true);
}

/* Backends that write after the availability word are waited for. */
HW_TEST(late_samples_are_not_lost, "vega10")
{
   uint64_t value = 7;

   f->cs->is_held = true;
   struct pitot_hw_query *query = measure_samples(f, 100);
   flush(f);
   f->cs->mute_backends = UINT64_MAX;
   sim_cs_execute(f->cs);
   assert_int_equal(poll(f, query, &value), 0);
   f->cs->mute_backends = 0;
   sim_cs_complete(f->cs);
   assert_int_equal(poll(f, query, &value), 1);
   assert_int_equal(value, 100);
   assert_false(pitot_hw_take_disjoint(f->hw));
}

/* The kernel replays a batch after a hang of another ring. */
HW_TEST(batches_executed_again_count_once, "a630")
{
   static const enum pitot_kind kinds[] = { PITOT_KIND_SAMPLES_PASSED,
                                            PITOT_KIND_FS_INVOCATIONS };

   f->cs->is_held = true;
   for (unsigned i = 0; i < ARRAY_LENGTH(kinds); i++) {
      struct pitot_hw_query *query = create(f, kinds[i], 0);

      measure_work(f, query, kinds[i], 100);
      flush(f);
      sim_cs_execute(f->cs);
      sim_cs_complete(f->cs);
      assert_int_equal(wait_for(f, query), 100);
   }
}
HW_TEST_AGAIN(batches_executed_again_count_once_a7xx,
              batches_executed_again_count_once, "a750")

static struct pitot_cs_buffer *slab; /* latest */

static int
remember_buffer(struct pitot_cs *cs, unsigned size_B,
                struct pitot_cs_buffer **buffer_out)
{
   const int status = sim_cs_stock(cs)->buffer_create(cs, size_B, buffer_out);

   slab = *buffer_out;
   return status;
}

/* A begin that is not complete is waited for, even if its end is. */
HW_TEST(late_begins_are_not_lost, "vega10")
{
   const uint64_t valid = UINT64_C(1) << 63;
   uint64_t value = 7;

   f->cs->ops.buffer_create = remember_buffer;
   f->cs->is_held = true;
   struct pitot_hw_query *query = measure_samples(f, 100);
   f->cs->ops = f->cs->stock;
   flush(f);
   sim_cs_execute(f->cs);

   uint64_t *begin = (uint64_t *)slab->memory;
   while (!(*begin & valid))
      begin++;
   *begin &= ~valid;
   assert_int_equal(poll(f, query, &value), 0);
   *begin |= valid;
   assert_int_equal(poll(f, query, &value), 1);
   assert_int_equal(value, 100);
}

/* The availability word of a statistic says nothing about stream-out. */
HW_TEST(late_streamout_is_not_lost, "vega10")
{
   struct pitot_hw_query *query = create_pair(f, PITOT_KIND_VS_INVOCATIONS,
                                              PITOT_KIND_PRIMITIVES_WRITTEN);
   uint64_t values[2];

   f->cs->ops.buffer_create = remember_buffer;
   f->cs->is_held = true;
   measure_work(f, query, PITOT_KIND_PRIMITIVES_WRITTEN, 7);
   f->cs->ops = f->cs->stock;
   flush(f);
   *(uint32_t *)slab->memory = UINT32_C(1) << 31;
   assert_int_equal(poll(f, query, values), 0);
   assert_int_equal(pitot_hw_query_result(f->hw, query, true, values), 1);
   assert_int_equal(values[1], 7);
}

static void
wait_in_vain(struct pitot_cs *cs, enum pitot_ring ring, uint64_t batch)
{
   (void)cs, (void)ring, (void)batch;
}

/* A batch that is not done after a wait is abandoned. */
HW_TEST(timed_out_batches_are_abandoned, EVERY_GPU)
{
   f->cs->is_held = true;
   struct pitot_hw_query *query = measure_samples(f, 100);
   f->cs->ops.wait = wait_in_vain;
   expect_lost(f, query, true);
   f->cs->ops = f->cs->stock;
}

static unsigned doubts;

static enum pitot_batch_state
state_in_doubt(struct pitot_cs *cs, enum pitot_ring ring, uint64_t batch)
{
   const enum pitot_batch_state state =
      sim_cs_stock(cs)->batch_state(cs, ring, batch);

   if (state != PITOT_BATCH_RECORDING || doubts == 0)
      return state;
   doubts--;
   return PITOT_BATCH_SUBMITTED;
}

static void
wait_for_submitted(struct pitot_cs *cs, enum pitot_ring ring, uint64_t batch)
{
   if (sim_cs_stock(cs)->batch_state(cs, ring, batch) !=
       PITOT_BATCH_RECORDING)
      sim_cs_stock(cs)->wait(cs, ring, batch);
}

/* A batch mistaken for submitted is flushed and waited for again. */
HW_TEST(waits_for_recorded_batches_do_not_count, EVERY_GPU)
{
   f->cs->is_held = true;
   struct pitot_hw_query *query = measure_samples(f, 100);
   f->cs->ops.batch_state = state_in_doubt;
   f->cs->ops.wait = wait_for_submitted;
   doubts = 2;
   assert_int_equal(wait_for(f, query), 100);
   assert_int_equal(doubts, 0);
   f->cs->ops = f->cs->stock;
}

HW_TEST(failed_begins_have_no_result, "vega10")
{
   struct pitot_hw_query *query = create(f, PITOT_KIND_SAMPLES_PASSED, 0);

   f->cs->is_lost = true;
   assert_int_equal(pitot_hw_query_begin(f->hw, query), -EIO);
   (void)pitot_hw_query_end(f->hw, query);
   expect_lost(f, query, true);
}

/* An active query has no result, not even its previous one, or what it
 * counted already.
 */
HW_TEST(active_queries_have_no_result, EVERY_GPU)
{
   uint64_t value;

   struct pitot_hw_query *query = measure_samples(f, 5);
   assert_int_equal(wait_for(f, query), 5);
   begin(f, query);
   assert_int_equal(poll(f, query, &value), 0);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 7);
   flush(f);
   assert_int_equal(poll(f, query, &value), 0);
   pitot_hw_set_active(f->hw, false);
   pitot_hw_set_active(f->hw, true);
   run(f);
   assert_int_equal(poll(f, query, &value), 0);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 4);
   assert_int_equal(end_and_wait(f, query), 11);
}

/* Queries are destroyed or begun again while active or in flight: nothing
 * waits, no earlier result shows, and no memory that is reused is written.
 */
HW_TEST(free_does_not_wait, EVERY_GPU, .is_long = true)
{
   struct pitot_hw_query *kept = create(f, PITOT_KIND_SAMPLES_PASSED, 0);

   f->cs->is_held = true;
   for (unsigned i = 1; i <= 3000; i++) {
      struct pitot_hw_query *gone = begin_new(f, PITOT_KIND_SAMPLES_PASSED);

      begin(f, kept);
      draw(f, PITOT_KIND_SAMPLES_PASSED, i);
      if (i % 2)
         end(f, gone);
      drop(f, gone);
      if (i % 3) {
         end(f, kept);
         move(f, PITOT_RING_RENDER);
      }
      if (i % 10 == 0)
         flush(f);
      if (i % 500 == 0)
         sim_cs_complete(f->cs);
   }
   measure_work(f, kept, PITOT_KIND_SAMPLES_PASSED, 77);
   assert_int_equal(f->cs->wait_count, 0);
   assert_int_equal(wait_for(f, kept), 77);
}

/* The memory of a destroyed query is reused only after the GPU wrote it. */
HW_TEST(memory_in_flight_is_not_reused, EVERY_GPU, .is_long = true)
{
   const enum pitot_kind kind = PITOT_KIND_SAMPLES_PASSED;
   const struct sim_cs_ring *ring = &f->cs->rings[PITOT_RING_RENDER];
   struct pitot_hw_query *kept = create(f, kind, 0);
   struct pitot_cs *cs = &f->cs->base;
   uint64_t value;

   f->cs->is_held = true;
   for (unsigned i = 0; i < 2000; i++) {
      struct pitot_hw_query *gone = create(f, kind, 0);

      measure_work(f, gone, PITOT_KIND_SAMPLES_PASSED, 1);
      drop(f, gone);
      flush(f);
   }
   measure_work(f, kept, PITOT_KIND_SAMPLES_PASSED, 77);
   flush(f);
   cs->ops->wait(cs, PITOT_RING_RENDER, ring->batch - 2);
   assert_int_equal(poll(f, kept, &value), 0);
   sim_cs_complete(f->cs);
   assert_int_equal(poll(f, kept, &value), 1);
   assert_int_equal(value, 77);
}

/* After a failed read the CPU's clock gives the time, and it is disjoint. */
HW_TEST(failed_reads_of_the_clock_are_reported, EVERY_GPU)
{
   sim_cs_set_ticks(f->cs, f->gpu->timestamp_hz);
   assert_int_equal(pitot_hw_timestamp_ns(f->hw), NS_PER_S);
   f->cs->timestamp_error = -EIO;
   pass(f, f->gpu->timestamp_hz);
   assert_int_equal(pitot_hw_timestamp_ns(f->hw), 2 * NS_PER_S);
   assert_true(pitot_hw_take_disjoint(f->hw));
   assert_false(pitot_hw_take_disjoint(f->hw));

   f->cs->timestamp_error = 0;
   assert_int_equal(pitot_hw_timestamp_ns(f->hw), 2 * NS_PER_S);
   assert_false(pitot_hw_take_disjoint(f->hw));

   /* A failed read by another context sets no flag of this one. */
   f->cs->timestamp_error = -EIO;
   assert_int_equal(pitot_clock_now_ns(&f->cs->clock), 2 * NS_PER_S);
   assert_false(pitot_hw_take_disjoint(f->hw));
}
