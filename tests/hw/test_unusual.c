/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Queries at unusual moments, and on GPUs with unusual device info. */

#include <errno.h>

#include "fixture.h"
#include "hw_priv.h"
#include "pitot/clock.h"

/* A repeated pitot_hw_set_noop() changes nothing. */
HW_TEST(unexecuted_dispatches_do_not_count, "tgl", .has_compute = true)
{
   struct pitot_hw_query *query = begin_new(f, PITOT_KIND_CS_INVOCATIONS);

   draw(f, PITOT_KIND_CS_INVOCATIONS, 5);
   for (unsigned i = 0; i < 2; i++)
      pitot_hw_set_noop(f->hw, true);
   draw(f, PITOT_KIND_CS_INVOCATIONS, 1000);
   for (unsigned i = 0; i < 2; i++)
      pitot_hw_set_noop(f->hw, false);
   draw(f, PITOT_KIND_CS_INVOCATIONS, 6);
   assert_int_equal(end_and_wait(f, query), 11);
}

/* A timestamp does not wait for dispatches that were not executed. */
HW_TEST(unexecuted_dispatches_are_not_timed, "tgl", .has_compute = true)
{
   struct pitot_hw_query *query = create(f, PITOT_KIND_TIMESTAMP, 0);
   const struct sim_cs_ring *ring = &f->cs->rings[PITOT_RING_COMPUTE];

   pitot_hw_set_noop(f->hw, true);
   pitot_hw_dispatch(f->hw, PITOT_RING_COMPUTE);
   pitot_hw_set_noop(f->hw, false);
   end(f, query);
   assert_int_equal(ring->used_dw, 0);
   pitot_hw_dispatch(f->hw, PITOT_RING_COMPUTE);
   end(f, query);
   assert_true(ring->used_dw > 0);
}

/* An active query is not available, even if the GPU counts nothing for it. */
HW_TEST(uncounted_queries_are_active, "navi10")
{
   const struct pitot_hw_count count = { PITOT_KIND_GS_PRIMITIVES, 0 };
   struct pitot_hw_query *query = create_list(f, &count, 1);

   assert_null(query->values[0].measure);
   begin(f, query);
   store(f, query, PITOT_STORE_AVAILABLE, PITOT_TYPE_U64);
   assert_int_equal(stored(f), 0);
   end(f, query);
   store(f, query, PITOT_STORE_AVAILABLE, PITOT_TYPE_U64);
   assert_int_equal(stored(f), 1);
}

/* A time and a statistic share the samples of their ends. */
HW_TEST(times_stop_with_statistics, EVERY_GPU)
{
   static const enum pitot_kind kinds[] = { PITOT_KIND_VS_INVOCATIONS,
                                            PITOT_KIND_TIME_ELAPSED };

   for (unsigned first = 0; first < 2; first++) {
      struct pitot_hw_query *queries[2];

      for (unsigned i = 0; i < 2; i++)
         queries[i] = create(f, kinds[i], 0);
      begin(f, queries[first]);
      pass(f, f->gpu->timestamp_hz);
      begin(f, queries[!first]);
      draw(f, PITOT_KIND_VS_INVOCATIONS, 5);
      pass(f, f->gpu->timestamp_hz);
      pitot_hw_set_noop(f->hw, true);
      pass(f, f->gpu->timestamp_hz);
      pitot_hw_set_noop(f->hw, false);
      draw(f, PITOT_KIND_VS_INVOCATIONS, 6);
      end(f, queries[first]);
      end(f, queries[!first]);
      assert_int_equal(wait_for(f, queries[0]), 11);
      assert_int_equal(wait_for(f, queries[1]), (1 + first) * NS_PER_S);
   }
}

/* Ticks below 1 ns, or without a short program of the command streamer. */
HW_TEST_ALONE(clocks_have_any_frequency)
{
   static const uint64_t frequencies_hz[] = { 2000000000, 999999937 };

   for (unsigned i = 0; i < ARRAY_LENGTH(frequencies_hz); i++) {
      struct fixture *f = open_fixture("tgl", false);
      const uint64_t ticks = 123456789;

      sim_cs_set_clock(f->cs, frequencies_hz[i], f->gpu->timestamp_bits);
      pitot_hw_timestamp_ns(f->hw);
      f->cs->is_held = true;
      struct pitot_hw_query *query = create(f, PITOT_KIND_TIME_ELAPSED, 0);
      measure_time(f, query, ticks);
      store(f, query, PITOT_STORE_RESULT, PITOT_TYPE_U64);
      assert_int_equal(stored(f),
                       pitot_ticks_to_ns(ticks, frequencies_hz[i]));
      close_fixture(f);
   }
}

enum { NEVER_READ, READ_BEFORE_THE_END, READ_AFTER_THE_END, READ_COUNT };

/* Times are right even if the clock cannot be read, now or later. */
HW_TEST(the_clock_may_be_unreadable, EVERY_GPU)
{
   for (unsigned is_read = 0; is_read < READ_COUNT; is_read++) {
      struct pitot_hw_query *query = create(f, PITOT_KIND_TIME_ELAPSED, 0);
      struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);

      f->cs->clock.is_started = false;
      f->cs->timestamp_error = -EIO;
      begin(f, query);
      pass(f, f->gpu->timestamp_hz);
      end(f, stamp);
      if (is_read == READ_BEFORE_THE_END) {
         f->cs->timestamp_error = 0;
         pitot_hw_timestamp_ns(f->hw);
      }
      move(f, PITOT_RING_RENDER);
      end(f, query);
      if (is_read == READ_AFTER_THE_END) {
         f->cs->timestamp_error = 0;
         pitot_hw_timestamp_ns(f->hw);
      }
      assert_int_equal(wait_for(f, query), NS_PER_S);
      assert_int_equal(wait_for(f, stamp),
                       pitot_ticks_to_ns(f->cs->ticks, f->gpu->timestamp_hz));
   }
}

/* Without the clock, times below half the counter's range are known. */
HW_TEST(half_a_range_is_known_without_the_clock, "skl")
{
   const uint64_t half_ticks = UINT64_C(1) << (f->gpu->timestamp_bits - 1);

   for (unsigned is_half = 0; is_half < 2; is_half++) {
      struct pitot_hw_query *query = create(f, PITOT_KIND_TIME_ELAPSED, 0);
      const uint64_t ticks = half_ticks - 1 + is_half;

      f->cs->clock.is_started = false;
      f->cs->timestamp_error = -EIO;
      measure_time(f, query, ticks);
      assert_int_equal(wait_for(f, query),
                       is_half
                          ? 0
                          : pitot_ticks_to_ns(ticks, f->gpu->timestamp_hz));
   }
}

/* A result is ready only when its begin is, where a sample shows that. */
HW_TEST(begins_are_waited_for, "vega10")
{
   const struct pitot_hw_measure *measure =
      f->gpu->family->measure(f->gpu, PITOT_KIND_SAMPLES_PASSED);
   uint64_t value;

   f->cs->is_held = true;
   struct pitot_hw_query *query = measure_samples(f, 5);
   run(f);
   *pitot_hw_begin_sample(query->first, measure->qwords[0].sample) = 0;
   assert_int_equal(pitot_hw_query_result(f->hw, query, true, &value), -EIO);
}

/* A driver may report its batches before a sampler exists on the stream. */
HW_TEST_ALONE(streams_may_have_no_sampler)
{
   struct pitot_cs cs = { 0 };

   pitot_cs_batch_begin(&cs, PITOT_RING_RENDER);
   pitot_cs_batch_end(&cs, PITOT_RING_RENDER);
   pitot_cs_context_replaced(&cs, PITOT_RING_RENDER);
   assert_null(cs.listener);
}
