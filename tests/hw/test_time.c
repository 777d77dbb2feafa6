/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "fixture.h"

/* A counter of 36 bits gives times beyond its range if it is read often. */
HW_TEST(time_goes_on_beyond_the_counter, EVERY_GPU)
{
   struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);
   struct pitot_hw_query *elapsed = create(f, PITOT_KIND_TIME_ELAPSED, 0);
   const uint64_t step_s = 1500;

   begin(f, elapsed);
   for (unsigned i = 1; i <= 20; i++) {
      pass(f, step_s * f->gpu->timestamp_hz);
      assert_int_equal(end_and_wait(f, stamp), i * step_s * NS_PER_S);
      assert_int_equal(pitot_hw_timestamp_ns(f->hw), i * step_s * NS_PER_S);
   }
   assert_int_equal(end_and_wait(f, elapsed), 20 * step_s * NS_PER_S);
   assert_false(pitot_hw_take_disjoint(f->hw));
}

/* Times of all lengths are exact, rounded down. */
HW_TEST(time_is_exact, EVERY_GPU)
{
   struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);
   uint64_t last_ns = 0;

   for (unsigned i = 0; i < 200; i++) {
      pass(f, (UINT64_C(1) << i % 33) + i);
      end(f, stamp);
      const uint64_t ns = wait_for(f, stamp);
      assert_int_equal(ns,
                       pitot_ticks_to_ns(f->cs->ticks, f->gpu->timestamp_hz));
      assert_true(ns > last_ns);
      last_ns = ns;
   }
}

/* The rings work one after another, or together. */
static void
compute(struct fixture *f, uint64_t ticks)
{
   pitot_hw_dispatch(f->hw, PITOT_RING_COMPUTE);
   pass(f, ticks);
}

/* Compute has time, too; time when both rings work counts once. */
HW_TEST(dispatches_take_time, EVERY_GPU, .has_compute = true)
{
   struct pitot_hw_query *elapsed = create(f, PITOT_KIND_TIME_ELAPSED, 0);
   struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);
   const uint64_t hz = f->gpu->timestamp_hz;

   for (unsigned i = 0; i < 3; i++) {
      begin(f, elapsed);
      pass(f, 2 * hz);
      compute(f, 3 * hz);
      if (i == 1)
         sim_cs_flush(f->cs, PITOT_RING_COMPUTE);
      compute(f, 4 * hz);
      end(f, elapsed);
      end(f, stamp);
      assert_int_equal(wait_for(f, elapsed), 9 * NS_PER_S);
      assert_int_equal(wait_for(f, stamp), (i + 1) * 9 * NS_PER_S);
   }
}

static void
set_time(struct fixture *f, enum pitot_ring ring, unsigned time_s)
{
   sim_cue_time(&f->cs->cues, ring, time_s * f->gpu->timestamp_hz);
}

/* A time is the union of both rings' times, wherever it is stored. */
HW_TEST(rings_add_up, "skl", .has_compute = true)
{
   static const struct {
      unsigned render_s[2], compute_s[2], elapsed_s;
   } rows[] = {
      { { 1, 4 }, { 6, 9 }, 6 }, { { 6, 9 }, { 1, 4 }, 6 },
      { { 1, 6 }, { 4, 9 }, 8 }, { { 4, 9 }, { 1, 6 }, 8 },
      { { 1, 9 }, { 4, 6 }, 8 }, { { 4, 6 }, { 1, 9 }, 8 },
   };
   struct pitot_hw_query *elapsed = create(f, PITOT_KIND_TIME_ELAPSED, 0);

   for (unsigned i = 0; i < 2 * ARRAY_LENGTH(rows); i++) {
      const unsigned *render_s = rows[i / 2].render_s;
      const unsigned *compute_s = rows[i / 2].compute_s;
      const uint64_t elapsed_ns = rows[i / 2].elapsed_s * NS_PER_S;

      set_time(f, PITOT_RING_RENDER, 10 * i + render_s[0]);
      begin(f, elapsed);
      set_time(f, PITOT_RING_COMPUTE, 10 * i + compute_s[0]);
      pitot_hw_dispatch(f->hw, PITOT_RING_COMPUTE);
      set_time(f, PITOT_RING_RENDER, 10 * i + render_s[1]);
      set_time(f, PITOT_RING_COMPUTE, 10 * i + compute_s[1]);
      end(f, elapsed);
      pass_on_cpu(f, 10 * f->gpu->timestamp_hz);

      sim_cs_flush(f->cs, i % 2 ? PITOT_RING_RENDER : PITOT_RING_COMPUTE);
      store(f, elapsed, PITOT_STORE_RESULT, PITOT_TYPE_U64);
      assert_int_equal(stored(f), elapsed_ns);
      assert_int_equal(wait_for(f, elapsed), elapsed_ns);
   }
}

/* A timestamp is after all dispatches before it, submitted or not. */
HW_TEST(timestamps_are_after_dispatches, EVERY_GPU, .has_compute = true)
{
   const struct sim_cs_ring *ring = &f->cs->rings[PITOT_RING_COMPUTE];
   const bool has_times = f->gpu->family == &pitot_hw_intel;
   struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);

   f->cs->is_held = true;
   compute(f, f->gpu->timestamp_hz);
   sim_cs_flush(f->cs, PITOT_RING_COMPUTE);
   uint64_t before = ring->position;
   end(f, stamp);
   assert_int_equal(ring->position != before, has_times);

   sim_cs_flush(f->cs, PITOT_RING_COMPUTE);
   sim_cs_complete(f->cs);
   move(f, PITOT_RING_RENDER);
   before = ring->position;
   end(f, stamp);
   assert_int_equal(ring->position, before);
}

/* A dispatch in the query's previous measurement changes nothing. */
HW_TEST(draws_leave_the_compute_ring_alone, EVERY_GPU, .has_compute = true)
{
   const struct sim_cs_ring *compute = &f->cs->rings[PITOT_RING_COMPUTE];
   struct pitot_hw_query *elapsed = create(f, PITOT_KIND_TIME_ELAPSED, 0);
   struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);

   begin(f, elapsed);
   pitot_hw_dispatch(f->hw, PITOT_RING_COMPUTE);
   end(f, elapsed);
   end(f, stamp);
   run(f);

   const unsigned before_dw = compute->used_dw;
   begin(f, elapsed);
   assert_int_equal(compute->used_dw, before_dw);
   pass(f, f->gpu->timestamp_hz);

   const unsigned after_dw = compute->used_dw;
   end(f, elapsed);
   end(f, stamp);
   assert_int_equal(compute->used_dw, after_dw);
   assert_int_equal(wait_for(f, elapsed), NS_PER_S);
}

static const struct pitot_cs_buffer *latest_buffers[SIM_RING_COUNT];

static void
remember_buffer(struct pitot_cs *cs, enum pitot_ring ring,
                struct pitot_cs_place place,
                const struct pitot_cs_command *commands, unsigned count)
{
   (void)cs;
   (void)commands;
   (void)count;
   latest_buffers[ring] = place.buffer;
}

/* A driver orders rings that write to one buffer, which would stall them. */
HW_TEST(rings_share_no_memory, EVERY_GPU, .has_compute = true)
{
   struct pitot_hw_query *query = create(f, PITOT_KIND_TIME_ELAPSED, 0);

   latest_buffers[PITOT_RING_RENDER] = latest_buffers[PITOT_RING_COMPUTE] =
      NULL;
   f->cs->ops.emit = remember_buffer;
   begin(f, query);
   pitot_hw_dispatch(f->hw, PITOT_RING_COMPUTE);
   end(f, query);
   f->cs->ops = f->cs->stock;
   if (f->gpu->family == &pitot_hw_intel)
      assert_non_null(latest_buffers[PITOT_RING_COMPUTE]);
   assert_non_null(latest_buffers[PITOT_RING_RENDER]);
   assert_ptr_not_equal(latest_buffers[PITOT_RING_RENDER],
                        latest_buffers[PITOT_RING_COMPUTE]);
}

static const enum pitot_kind times[] = {
   PITOT_KIND_TIME_ELAPSED,
   PITOT_KIND_TIMESTAMP,
};

/* Measures while both rings work, which the GPU has not executed. */
static struct pitot_hw_query *
measure_on_both_rings(struct fixture *f, enum pitot_kind kind)
{
   struct pitot_hw_query *query = create(f, kind, 0);

   f->cs->is_held = true;
   if (!pitot_kind_info(kind)->is_instant)
      begin(f, query);
   compute(f, f->gpu->timestamp_hz);
   end(f, query);
   return query;
}

/* Storing a time's availability makes no ring wait for another one. */
HW_TEST(availability_waits_for_no_ring, "skl", .has_compute = true)
{
   for (unsigned k = 0; k < ARRAY_LENGTH(times); k++) {
      struct pitot_hw_query *query = measure_on_both_rings(f, times[k]);

      store(f, query, PITOT_STORE_AVAILABLE, PITOT_TYPE_U64);
      assert_int_equal(f->cs->rings[PITOT_RING_RENDER].after, 0);
      run(f);
      (void)wait_for(f, query);
      store(f, query, PITOT_STORE_AVAILABLE, PITOT_TYPE_U64);
      assert_int_equal(stored(f), 1);
   }
}

/* The GPU stores it also for one ring: the CPU would be too early. */
HW_TEST(availability_is_the_gpus, "skl")
{
   f->cs->is_held = true;
   for (unsigned k = 0; k < ARRAY_LENGTH(times); k++) {
      struct pitot_hw_query *query = create(f, times[k], 0);

      if (!pitot_kind_info(times[k])->is_instant)
         begin(f, query);
      pass(f, 100);
      end(f, query);
      const unsigned count = f->cs->reserve_count;
      store(f, query, PITOT_STORE_AVAILABLE, PITOT_TYPE_U64);
      assert_true(f->cs->reserve_count > count);
      assert_int_equal(stored(f), 1);
   }
}

/* An end may have its begin's time: that is 0, and not disjoint. */
HW_TEST(no_time_may_pass, EVERY_GPU)
{
   struct pitot_hw_query *query = create(f, PITOT_KIND_TIME_ELAPSED, 0);

   (void)pitot_hw_take_disjoint(f->hw);
   begin(f, query);
   assert_int_equal(end_and_wait(f, query), 0);
   assert_false(pitot_hw_take_disjoint(f->hw));
}

/* If a ring's batch is lost, the time is 0. */
HW_TEST(lost_rings_store_0, "skl", .has_compute = true)
{
   for (unsigned k = 0; k < ARRAY_LENGTH(times); k++) {
      struct pitot_hw_query *query = measure_on_both_rings(f, times[k]);

      f->cs->writes_nothing = true;
      sim_cs_flush(f->cs, PITOT_RING_COMPUTE);
      sim_cs_complete(f->cs);
      f->cs->writes_nothing = false;
      store(f, query, PITOT_STORE_RESULT, PITOT_TYPE_U64);
      assert_int_equal(stored(f), 0);
      expect_lost(f, query, true);
   }
}

static const struct long_time {
   uint64_t hz, ticks;
   bool is_gpus;
} long_times[] = {
   { 1000000, UINT64_C(9223372036854), true },
   { 1000000, UINT64_C(9223372036854776), false },
};

static void
check_long_time(const struct long_time *time)
{
   const uint64_t elapsed_ticks = 100;
   struct fixture *f = open_fixture("skl", false);
   struct pitot_hw_query *query = create(f, PITOT_KIND_TIME_ELAPSED, 0);

   sim_cs_set_clock(f->cs, time->hz, 64);
   sim_cs_set_ticks(f->cs, time->ticks);
   pitot_hw_timestamp_ns(f->hw);
   f->cs->is_held = true;
   measure_time(f, query, elapsed_ticks);
   store(f, query, PITOT_STORE_RESULT, PITOT_TYPE_U64);
   assert_int_equal(f->cs->wait_count, !time->is_gpus);
   assert_int_equal(stored(f), pitot_ticks_to_ns(elapsed_ticks, time->hz));
   close_fixture(f);
}

/* The CPU stores a time of more nanoseconds than the GPU clamps right. */
HW_TEST_ALONE(long_times_are_the_cpus)
{
   for (unsigned i = 0; i < ARRAY_LENGTH(long_times); i++)
      check_long_time(&long_times[i]);
}

/* Only a sample of the time needs the time of its recording. */
HW_TEST(counts_do_not_ask_for_the_time, EVERY_GPU)
{
   struct pitot_hw_query *samples = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
   const unsigned count = f->cs->timestamp_count;

   f->cs->clock.seen_cpu_ns = 0; /* long ago */
   begin(f, samples);
   end(f, samples);
   assert_int_equal(f->cs->timestamp_count, count);
}
