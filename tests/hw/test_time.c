/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The time that queries tell, on every GPU.
 */

#include <errno.h>

#include "fixture.h"
#include "hw_priv.h"

#define NS_PER_S UINT64_C(1000000000)

/* A counter of 36 bits tells the time for longer than it lasts: when it is
 * read often enough...
 */
static void
time_goes_on_beyond_the_counter(void **unused)
{
   (void)unused;
   FOR_EACH_GPU(gpu)
   {
      struct fixture *f = open_fixture(gpu, false);
      struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);
      struct pitot_hw_query *elapsed = create(f, PITOT_KIND_TIME_ELAPSED, 0);
      const uint64_t step_s = 1500;

      begin(f, elapsed);
      for (unsigned i = 1; i <= 20; i++) {
         draw(f, PITOT_KIND_TIME_ELAPSED, step_s * gpu->timestamp_hz);
         end(f, stamp);
         assert_int_equal(wait_for(f, stamp), i * step_s * NS_PER_S);
         assert_int_equal(pitot_hw_timestamp_ns(f->hw),
                          i * step_s * NS_PER_S);
      }
      end(f, elapsed);
      assert_int_equal(wait_for(f, elapsed), 20 * step_s * NS_PER_S);
      assert_false(pitot_hw_take_disjoint(f->hw));
      pitot_hw_query_free(f->hw, stamp);
      pitot_hw_query_free(f->hw, elapsed);
      close_fixture(f);
   }
}

static uint64_t the_cpu_ns;

static uint64_t
cpu_ns(void)
{
   return the_cpu_ns;
}

/* From here on the CPU's clock is the test's, and was last seen at 0. */
static void
hold_cpu_clock(struct fixture *f)
{
   the_cpu_ns = 0;
   f->hw->clock->cpu_ns = cpu_ns;
   f->hw->clock->seen_cpu_ns = 0;
}

/* ...and by the CPU's clock, when it is not. */
static void
time_goes_on_unseen(void **unused)
{
   (void)unused;
   FOR_EACH_GPU(gpu)
   {
      struct fixture *f = open_fixture(gpu, false);
      struct pitot_hw_query *elapsed = create(f, PITOT_KIND_TIME_ELAPSED, 0);
      const uint64_t step_s = 10000; /* 2^36 ticks of 12 MHz are 5727 s */

      hold_cpu_clock(f);
      for (unsigned i = 1; i <= 5; i++) {
         begin(f, elapsed);
         the_cpu_ns += step_s * NS_PER_S;
         draw(f, PITOT_KIND_TIME_ELAPSED, step_s * gpu->timestamp_hz);
         end(f, elapsed);
         assert_int_equal(wait_for(f, elapsed), step_s * NS_PER_S);
         the_cpu_ns += step_s * NS_PER_S;
         f->fake.ticks += step_s * gpu->timestamp_hz;
         assert_int_equal(pitot_hw_timestamp_ns(f->hw),
                          2 * i * step_s * NS_PER_S);
      }
      pitot_hw_query_free(f->hw, elapsed);
      close_fixture(f);
   }
}

/* Times of all lengths are exact, rounded down. */
static void
time_is_exact(void **unused)
{
   (void)unused;
   FOR_EACH_GPU(gpu)
   {
      struct fixture *f = open_fixture(gpu, false);
      struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);
      uint64_t last_ns = 0;

      for (unsigned i = 0; i < 200; i++) {
         f->fake.ticks += (UINT64_C(1) << i % 33) + i;
         end(f, stamp);
         const uint64_t ns = wait_for(f, stamp);
         assert_int_equal(ns, pitot_ticks_to_ns(f->fake.ticks,
                                                gpu->timestamp_hz));
         assert_true(ns > last_ns);
         last_ns = ns;
         fake_stream_move(&f->fake, PITOT_RING_RENDER);
      }
      pitot_hw_query_free(f->hw, stamp);
      close_fixture(f);
   }
}

/* As if the command streamer had them work one after the other, or at once.
 */
static void
compute(struct fixture *f, uint64_t ticks)
{
   pitot_hw_dispatch(f->hw);
   fake_stream_move(&f->fake, PITOT_RING_COMPUTE);
   f->fake.ticks += ticks;
}

/* What a compute ring of its own does takes time, too, and no time is counted
 * twice, however the rings take turns.
 */
static void
dispatches_take_time(void **unused)
{
   (void)unused;
   FOR_EACH_GPU(gpu)
   {
      struct fixture *f = open_fixture(gpu, true);
      struct pitot_hw_query *elapsed = create(f, PITOT_KIND_TIME_ELAPSED, 0);
      struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);

      for (unsigned i = 0; i < 3; i++) {
         begin(f, elapsed);
         draw(f, PITOT_KIND_TIME_ELAPSED, 2 * gpu->timestamp_hz);
         compute(f, 3 * gpu->timestamp_hz);
         if (i == 1)
            fake_stream_flush(&f->fake, PITOT_RING_COMPUTE);
         compute(f, 4 * gpu->timestamp_hz);
         end(f, elapsed);
         end(f, stamp);
         assert_int_equal(wait_for(f, elapsed), 9 * NS_PER_S);
         assert_int_equal(wait_for(f, stamp), (i + 1) * 9 * NS_PER_S);
      }
      pitot_hw_query_free(f->hw, stamp);
      pitot_hw_query_free(f->hw, elapsed);
      close_fixture(f);
   }
}

/* A timestamp is after all that was computed before, submitted or not. */
static void
timestamps_are_after_what_is_computed(void **unused)
{
   (void)unused;
   FOR_EACH_GPU(gpu)
   {
      struct fixture *f = open_fixture(gpu, true);
      const struct fake_ring *ring = &f->fake.rings[PITOT_RING_COMPUTE];
      const bool has_times = gpu->vendor == PITOT_VENDOR_INTEL;
      struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);

      f->fake.is_held = true;
      compute(f, gpu->timestamp_hz);
      fake_stream_flush(&f->fake, PITOT_RING_COMPUTE);
      uint64_t before = ring->position;
      end(f, stamp);
      assert_int_equal(ring->position != before, has_times);

      fake_stream_flush(&f->fake, PITOT_RING_COMPUTE);
      fake_stream_complete(&f->fake);
      fake_stream_move(&f->fake, PITOT_RING_RENDER);
      before = ring->position;
      end(f, stamp);
      assert_int_equal(ring->position, before);
      pitot_hw_query_free(f->hw, stamp);
      close_fixture(f);
   }
}

/* Who does not compute leaves the compute ring alone. */
static void
draws_leave_the_compute_ring_alone(void **unused)
{
   (void)unused;
   FOR_EACH_GPU(gpu)
   {
      struct fixture *f = open_fixture(gpu, true);
      const struct fake_ring *compute = &f->fake.rings[PITOT_RING_COMPUTE];
      struct pitot_hw_query *elapsed = create(f, PITOT_KIND_TIME_ELAPSED, 0);
      struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);

      const unsigned before_dw = compute->used_dw;
      begin(f, elapsed);
      assert_int_equal(compute->used_dw, before_dw);
      draw(f, PITOT_KIND_TIME_ELAPSED, gpu->timestamp_hz);

      const unsigned after_dw = compute->used_dw;
      end(f, elapsed);
      end(f, stamp);
      assert_int_equal(compute->used_dw, after_dw);
      assert_int_equal(wait_for(f, elapsed), NS_PER_S);
      pitot_hw_query_free(f->hw, stamp);
      pitot_hw_query_free(f->hw, elapsed);
      close_fixture(f);
   }
}

/* Contexts of a device agree on the time, whichever is older than a wrap. */
static void
contexts_share_a_clock(void **unused)
{
   (void)unused;
   FOR_EACH_GPU(gpu)
   {
      const uint64_t wrap_ticks = UINT64_C(1) << 36;
      struct pitot_gpu_clock clock;
      struct fake_stream streams[2];
      struct pitot_hw *hws[2];

      assert_int_equal(pitot_gpu_clock_init(&clock, gpu), 0);
      for (unsigned i = 0; i < 2; i++) {
         fake_stream_init(&streams[i], gpu);
         streams[i].base.clock = &clock;
         streams[i].ticks = i ? wrap_ticks + 100 : wrap_ticks - 100;
         assert_int_equal(pitot_hw_create(&streams[i].base, &hws[i]), 0);
      }
      streams[0].ticks = streams[1].ticks;
      assert_int_equal(pitot_hw_timestamp_ns(hws[1]),
                       pitot_ticks_to_ns(wrap_ticks + 100,
                                         gpu->timestamp_hz));
      assert_int_equal(pitot_hw_timestamp_ns(hws[0]),
                       pitot_hw_timestamp_ns(hws[1]));

      /* It began anew: each of them says so, once. */
      streams[1].ticks = 5;
      pitot_hw_timestamp_ns(hws[1]);
      for (unsigned i = 0; i < 2; i++) {
         const bool is_wide = gpu->timestamp_bits == 64;

         assert_int_equal(pitot_hw_take_disjoint(hws[i]), is_wide);
         assert_false(pitot_hw_take_disjoint(hws[i]));
         pitot_hw_destroy(hws[i]);
         fake_stream_finish(&streams[i]);
      }
      pitot_gpu_clock_finish(&clock);
   }
}

/* A step back is no time, and said; the counter works all the same without
 * a way to read it now.
 */
static void
time_does_not_go_back(void **unused)
{
   struct fixture *f = open_fixture(fake_gpu("skl"), false);
   struct pitot_hw_query *elapsed = create(f, PITOT_KIND_TIME_ELAPSED, 0);

   (void)unused;
   f->hw->clock->is_started = false;
   f->fake.timestamp_error = -5;
   f->fake.ticks = UINT64_C(60) << 30;
   begin(f, elapsed);
   draw(f, PITOT_KIND_TIME_ELAPSED, 12);
   end(f, elapsed);
   assert_int_equal(wait_for(f, elapsed), 1000);
   assert_int_equal(pitot_hw_timestamp_ns(f->hw), 0);
   assert_false(pitot_hw_take_disjoint(f->hw));

   begin(f, elapsed);
   fake_stream_move(&f->fake, PITOT_RING_RENDER);
   f->fake.ticks -= 100;
   end(f, elapsed);
   assert_int_equal(wait_for(f, elapsed), 0);
   assert_true(pitot_hw_take_disjoint(f->hw));
   assert_false(pitot_hw_take_disjoint(f->hw));
   pitot_hw_query_free(f->hw, elapsed);
   close_fixture(f);
}

/* A clock that the CPU cannot read measures over a wrap all the same. */
static void
unreadable_clocks_wrap(void **unused)
{
   (void)unused;
   FOR_EACH_GPU(gpu)
   {
      struct fake_stream fake;
      struct pitot_hw *hw;
      struct pitot_hw_query *query;
      uint64_t elapsed_ns;

      fake_stream_init(&fake, gpu);
      fake.timestamp_error = -EIO;
      assert_int_equal(pitot_hw_create(&fake.base, &hw), 0);
      assert_int_equal(pitot_hw_query_create(hw, PITOT_KIND_TIME_ELAPSED, 0,
                                             &query),
                       0);
      fake.ticks = UINT64_MAX - gpu->timestamp_hz + 1;
      assert_int_equal(pitot_hw_query_begin(hw, query), 0);
      fake_stream_move(&fake, PITOT_RING_RENDER);
      fake.ticks = 2 * gpu->timestamp_hz;
      assert_int_equal(pitot_hw_query_end(hw, query), 0);
      assert_int_equal(pitot_hw_query_result(hw, query, true, &elapsed_ns),
                       1);
      assert_int_equal(elapsed_ns, UINT64_C(3000000000));
      assert_false(pitot_hw_take_disjoint(hw));
      pitot_hw_query_free(hw, query);
      pitot_hw_destroy(hw);
      assert_int_equal(fake_stream_finish(&fake), 0);
   }
}

/* A counter that begins anew: told once, and time goes on from there. */
static void
restarts_are_told(void **unused)
{
   (void)unused;
   FOR_EACH_GPU(gpu)
   {
      struct fixture *f = open_fixture(gpu, false);
      const uint64_t hz = gpu->timestamp_hz;

      f->fake.ticks = 600 * hz;
      pitot_hw_timestamp_ns(f->hw);
      assert_false(pitot_hw_take_disjoint(f->hw));
      f->fake.ticks = 5 * hz;
      assert_int_equal(pitot_hw_timestamp_ns(f->hw), UINT64_C(5000000000));
      assert_true(pitot_hw_take_disjoint(f->hw));
      f->fake.ticks = 6 * hz;
      assert_int_equal(pitot_hw_timestamp_ns(f->hw), UINT64_C(6000000000));
      assert_false(pitot_hw_take_disjoint(f->hw));
      close_fixture(f);
   }
}

/* Who measures all the time and never asks what time it is sees the counter
 * move on by its samples; that the CPU's clock did, too, does not count
 * twice.
 */
static void
measuring_is_no_restart(void **unused)
{
   (void)unused;
   FOR_EACH_GPU(gpu)
   {
      struct fixture *f = open_fixture(gpu, false);
      struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);
      const uint64_t step_s = 100;

      hold_cpu_clock(f);
      for (unsigned i = 1; i <= 200; i++) {
         the_cpu_ns += step_s * NS_PER_S;
         f->fake.ticks += step_s * gpu->timestamp_hz;
         end(f, stamp);
         assert_int_equal(wait_for(f, stamp), i * step_s * NS_PER_S);
         fake_stream_move(&f->fake, PITOT_RING_RENDER);
      }
      assert_false(pitot_hw_take_disjoint(f->hw));
      pitot_hw_query_free(f->hw, stamp);
      close_fixture(f);
   }
}

/* The CPU's clock and the GPU's drift apart, by 0.01 % here, which after days
 * is more than what tells a restart.
 */
static void
drift_is_no_restart(void **unused)
{
   (void)unused;
   FOR_EACH_GPU(gpu)
   {
      struct fixture *f = open_fixture(gpu, false);
      const uint64_t step_s = 1000000;

      hold_cpu_clock(f);
      for (unsigned i = 1; i <= 5; i++) {
         the_cpu_ns += (step_s + step_s / 10000) * NS_PER_S;
         f->fake.ticks += step_s * gpu->timestamp_hz;
         assert_int_equal(pitot_hw_timestamp_ns(f->hw),
                          i * step_s * NS_PER_S);
      }
      assert_false(pitot_hw_take_disjoint(f->hw));
      close_fixture(f);
   }
}

int
main(void)
{
   static const struct CMUnitTest tests[] = {
      cmocka_unit_test(time_goes_on_beyond_the_counter),
      cmocka_unit_test(time_goes_on_unseen),
      cmocka_unit_test(time_is_exact),
      cmocka_unit_test(dispatches_take_time),
      cmocka_unit_test(timestamps_are_after_what_is_computed),
      cmocka_unit_test(draws_leave_the_compute_ring_alone),
      cmocka_unit_test(contexts_share_a_clock),
      cmocka_unit_test(time_does_not_go_back),
      cmocka_unit_test(unreadable_clocks_wrap),
      cmocka_unit_test(restarts_are_told),
      cmocka_unit_test(measuring_is_no_restart),
      cmocka_unit_test(drift_is_no_restart),
   };

   return cmocka_run_group_tests_name("hw time", tests, NULL, NULL);
}
