/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The clock of a GPU: read rarely or never, by several contexts, after
 * power-off, and after a reset of the counter.
 */

#include <errno.h>
#include <time.h>

#include "fixture.h"

/* Between two rare reads, the CPU's clock tells how often 36 bits wrapped. */
HW_TEST(time_goes_on_unseen, EVERY_GPU)
{
   struct pitot_hw_query *elapsed = create(f, PITOT_KIND_TIME_ELAPSED, 0);
   const uint64_t step_s = 10000; /* 2^36 ticks of 12 MHz are 5727 s */

   for (unsigned i = 1; i <= 5; i++) {
      measure_time(f, elapsed, step_s * f->gpu->timestamp_hz);
      assert_int_equal(wait_for(f, elapsed), step_s * NS_PER_S);
      pass(f, step_s * f->gpu->timestamp_hz);
      assert_int_equal(pitot_hw_timestamp_ns(f->hw),
                       2 * i * step_s * NS_PER_S);
   }
   assert_false(pitot_hw_take_disjoint(f->hw));
}

/* A time of more than an eighth of the counter's range is stored by the CPU:
 * the command streamer could not detect a wrap.
 */
HW_TEST(long_times_are_stored, EVERY_GPU)
{
   struct pitot_hw_query *elapsed = create(f, PITOT_KIND_TIME_ELAPSED, 0);
   const uint64_t step_s = 1000; /* an eighth of the range: 715 s */

   f->cs->is_held = true;
   begin(f, elapsed);
   for (unsigned i = 0; i < 2; i++) {
      pass(f, step_s * f->gpu->timestamp_hz);
      assert_int_equal(pitot_hw_timestamp_ns(f->hw),
                       (i + 1) * step_s * NS_PER_S);
   }
   end(f, elapsed);
   store(f, elapsed, PITOT_STORE_RESULT, PITOT_TYPE_U64);
   assert_int_equal(stored(f), 2 * step_s * NS_PER_S);
}

/* A sample recorded while the time is unknown is extended when it is read. */
HW_TEST(samples_may_be_unexpected, EVERY_GPU)
{
   struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);
   const unsigned bits = f->gpu->timestamp_bits;

   if (bits == 64)
      return;
   const uint64_t range_ticks = UINT64_C(1) << bits;
   f->cs->clock.is_started = false;
   sim_cs_set_ticks(f->cs, range_ticks - 100);
   pitot_hw_timestamp_ns(f->hw);
   f->cs->clock.is_started = false;
   sim_cs_set_ticks(f->cs, range_ticks + 50);
   end(f, stamp);
   f->cs->clock.is_started = true;
   assert_int_equal(wait_for(f, stamp),
                    pitot_ticks_to_ns(range_ticks + 50,
                                      f->gpu->timestamp_hz));
}

/* If such a sample may predate a restart, it has no time: disjoint. */
HW_TEST(unexpected_samples_may_be_too_old, EVERY_GPU)
{
   struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);

   f->cs->clock.is_started = false;
   pass(f, 7 * f->gpu->timestamp_hz);
   end(f, stamp);
   run(f);
   f->cs->clock.is_started = true;
   sim_pass(60 * NS_PER_S);
   sim_cs_set_ticks(f->cs, 0);
   const uint64_t now_ns = pitot_hw_timestamp_ns(f->hw);
   assert_true(pitot_hw_take_disjoint(f->hw));
   assert_int_equal(wait_for(f, stamp), now_ns);
   assert_true(pitot_hw_take_disjoint(f->hw));
}

/* A sample may execute nearly the counter's range after its recording. */
HW_TEST(samples_may_be_late, EVERY_GPU)
{
   struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);
   const uint64_t range_ticks = UINT64_MAX >> (64 - f->gpu->timestamp_bits);
   const uint64_t late_ticks = (range_ticks >> 8) * 255 >> 8;

   sim_cue_time(&f->cs->cues, PITOT_RING_RENDER, late_ticks);
   end(f, stamp);
   pass_on_cpu(f, late_ticks);
   assert_int_equal(wait_for(f, stamp),
                    pitot_ticks_to_ns(late_ticks, f->gpu->timestamp_hz));
   assert_false(pitot_hw_take_disjoint(f->hw));
}

/* A read powers the GPU up: samples cause one every 4 s only. */
HW_TEST(samples_seldom_read_the_counter, EVERY_GPU)
{
   struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);
   const unsigned read_count = f->cs->timestamp_count;

   for (unsigned i = 0; i < 40; i++) {
      pass(f, f->gpu->timestamp_hz / 4);
      end(f, stamp);
      wait_for(f, stamp);
   }
   assert_int_equal(f->cs->timestamp_count, read_count + 2);
}

static void
power_off(struct fixture *f, uint64_t seconds)
{
   sim_pass(seconds * NS_PER_S);
   sim_cs_set_ticks(f->cs, 0);
}

/* Expects that the disjoint flag is set once, and that later measurements are
 * right and later timestamps not before last_ns.
 */
static void
expect_restart(struct fixture *f, uint64_t last_ns)
{
   struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);
   struct pitot_hw_query *elapsed = create(f, PITOT_KIND_TIME_ELAPSED, 0);

   assert_true(pitot_hw_take_disjoint(f->hw));
   begin(f, elapsed);
   for (unsigned i = 0; i < 3; i++) {
      pass(f, f->gpu->timestamp_hz);
      const uint64_t time_ns = end_and_wait(f, stamp);
      assert_in_range(time_ns, last_ns + NS_PER_S / 2,
                      last_ns + 65 * NS_PER_S);
      if (i)
         assert_in_range(time_ns, last_ns + NS_PER_S - 1,
                         last_ns + NS_PER_S + 1);
      assert_int_equal(pitot_hw_timestamp_ns(f->hw), time_ns);
      last_ns = time_ns;
   }
   end(f, elapsed);
   assert_in_range(wait_for(f, elapsed), 3 * NS_PER_S - 1, 3 * NS_PER_S);
   assert_false(pitot_hw_take_disjoint(f->hw));
}

/* A sample or a read shows it: disjoint, and time includes the power-off. */
HW_TEST(powering_off_is_reported, EVERY_GPU)
{
   struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);

   for (unsigned is_read = 0; is_read < 2; is_read++) {
      pass(f, f->gpu->timestamp_hz / 10);
      const uint64_t before_ns = end_and_wait(f, stamp);
      power_off(f, 60);
      const uint64_t after_ns =
         is_read ? pitot_hw_timestamp_ns(f->hw) : end_and_wait(f, stamp);
      assert_in_range(after_ns, before_ns + 59 * NS_PER_S,
                      before_ns + 61 * NS_PER_S);
      expect_restart(f, after_ns);
   }
}

/* A sample soon after a read causes no read: its result shows the suspend. */
HW_TEST(short_suspends_are_reported, EVERY_GPU)
{
   struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);

   pass(f, f->gpu->timestamp_hz / 15);
   const uint64_t before_ns = end_and_wait(f, stamp);
   const unsigned read_count = f->cs->timestamp_count;
   power_off(f, 1);
   end(f, stamp);
   assert_int_equal(f->cs->timestamp_count, read_count);
   const uint64_t after_ns = wait_for(f, stamp);
   assert_in_range(after_ns, before_ns + NS_PER_S - NS_PER_S / 10,
                   before_ns + NS_PER_S + NS_PER_S / 10);
   expect_restart(f, after_ns);
}

/* Samples from before power-off keep their times. */
HW_TEST(old_samples_keep_their_times, EVERY_GPU)
{
   struct pitot_hw_query *elapsed = create(f, PITOT_KIND_TIME_ELAPSED, 0);
   struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);

   pass(f, f->gpu->timestamp_hz);
   measure_time(f, elapsed, f->gpu->timestamp_hz);
   end(f, stamp);
   run(f);
   power_off(f, 60);
   pitot_hw_timestamp_ns(f->hw);
   assert_in_range(wait_for(f, elapsed), NS_PER_S - 1, NS_PER_S);
   assert_int_equal(wait_for(f, stamp), 2 * NS_PER_S);
   expect_restart(f, pitot_hw_timestamp_ns(f->hw));
}

/* Samples recorded before power-off and executed after it are right. */
HW_TEST(late_samples_have_their_times, EVERY_GPU)
{
   struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);

   pass(f, f->gpu->timestamp_hz);
   sim_cue_time(&f->cs->cues, PITOT_RING_RENDER, f->gpu->timestamp_hz / 2);
   end(f, stamp);
   power_off(f, 60);
   pass(f, f->gpu->timestamp_hz);
   const uint64_t now_ns = pitot_hw_timestamp_ns(f->hw);
   assert_in_range(wait_for(f, stamp), now_ns - NS_PER_S / 2 - 1,
                   now_ns - NS_PER_S / 2 + 1);
   expect_restart(f, now_ns);
}

/* The clock knows the counter before the latest restart, and no earlier one:
 * an older sample gets the time of its recording, and is disjoint.
 */
HW_TEST(samples_of_two_restarts_ago_are_reported, EVERY_GPU)
{
   struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);

   pass(f, 100 * f->gpu->timestamp_hz);
   end(f, stamp);
   run(f);
   for (unsigned i = 0; i < 2; i++) {
      power_off(f, 1);
      pitot_hw_timestamp_ns(f->hw);
   }
   assert_true(pitot_hw_take_disjoint(f->hw));
   assert_in_range(wait_for(f, stamp), 99 * NS_PER_S, 101 * NS_PER_S);
   assert_true(pitot_hw_take_disjoint(f->hw));
}

/* After a restart the GPU's counter is not the time: the CPU stores times. */
HW_TEST(times_are_stored_after_a_restart, EVERY_GPU)
{
   struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);

   pass(f, f->gpu->timestamp_hz);
   power_off(f, 60);
   pitot_hw_timestamp_ns(f->hw);
   pass(f, f->gpu->timestamp_hz);
   end(f, stamp);
   store(f, stamp, PITOT_STORE_RESULT, PITOT_TYPE_U64);
   assert_in_range(stored(f), 61 * NS_PER_S, 63 * NS_PER_S);
   assert_int_equal(stored(f), wait_for(f, stamp));
}

/* Linux 6.18 on A750: the CPU reads another counter than the GPU samples. */
HW_TEST(samples_of_another_counter_are_reported, EVERY_GPU)
{
   struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);
   const uint64_t hz = f->gpu->timestamp_hz;
   uint64_t last_ns = 0;

   for (unsigned i = 1; i <= 10; i++) {
      pass(f, hz);
      sim_cue_time(&f->cs->cues, PITOT_RING_RENDER, (100 + i) * hz);
      const uint64_t time_ns = end_and_wait(f, stamp);
      if (i > 1)
         assert_in_range(time_ns - last_ns, NS_PER_S - 1, NS_PER_S + 1);
      last_ns = time_ns;
      assert_in_range(time_ns, i * NS_PER_S - NS_PER_S / 20,
                      i * NS_PER_S + NS_PER_S / 20);
      assert_int_equal(pitot_hw_timestamp_ns(f->hw), i * NS_PER_S);
      assert_int_equal(pitot_hw_take_disjoint(f->hw), i == 1);
   }
}

/* A new count of the kernel sets each context's disjoint flag, once. */
HW_TEST(suspends_are_counted, "a750")
{
   f->cs->clock.is_started = false;
   f->cs->suspend_count = 7;
   assert_false(pitot_clock_has_slept(&f->cs->clock, 7));
   pitot_hw_timestamp_ns(f->hw);
   assert_false(pitot_clock_has_slept(&f->cs->clock, 7));
   assert_false(pitot_hw_take_disjoint(f->hw));
   f->cs->suspend_count = 8;
   assert_true(pitot_clock_has_slept(&f->cs->clock, 8));
   assert_false(pitot_hw_take_disjoint(f->hw));
   pitot_hw_timestamp_ns(f->hw);
   assert_false(pitot_clock_has_slept(&f->cs->clock, 8));
   assert_true(pitot_hw_take_disjoint(f->hw));
   pitot_hw_timestamp_ns(f->hw);
   assert_false(pitot_hw_take_disjoint(f->hw));

   /* Another thread read the older count first, and reports it late. */
   f->cs->suspend_count = 7;
   pitot_hw_timestamp_ns(f->hw);
   f->cs->suspend_count = 8;
   pitot_hw_timestamp_ns(f->hw);
   assert_false(pitot_hw_take_disjoint(f->hw));
}

/* Contexts agree on the time, even if one is older than a wrap. */
HW_TEST(contexts_share_a_clock, EVERY_GPU)
{
   const uint64_t ticks = (UINT64_C(1) << 36) + 100;
   struct sim_cs *later = sim_cs_create(f->cs->sim->gpu.key, false);
   struct pitot_hw *hws[2] = { f->hw };

   later->base.clock = &f->cs->clock;
   f->cs->clock.is_started = false;
   f->cs->ticks = ticks - 200;
   pitot_hw_timestamp_ns(f->hw);
   f->cs->ticks = ticks;
   assert_int_equal(pitot_hw_create(&later->base, &hws[1]), 0);
   assert_int_equal(pitot_hw_timestamp_ns(hws[1]),
                    pitot_ticks_to_ns(ticks, f->gpu->timestamp_hz));
   assert_int_equal(pitot_hw_timestamp_ns(hws[0]),
                    pitot_hw_timestamp_ns(hws[1]));

   /* After a restart each context sets its disjoint flag, once. */
   f->cs->ticks = 5;
   pitot_hw_timestamp_ns(hws[1]);
   for (unsigned i = 0; i < 2; i++) {
      assert_int_equal(pitot_hw_take_disjoint(hws[i]),
                       ticks <= UINT64_MAX >> (64 - f->gpu->timestamp_bits));
      assert_false(pitot_hw_take_disjoint(hws[i]));
   }
   pitot_hw_destroy(hws[1]);
   assert_int_equal(sim_cs_destroy(later), 0);
}

/* The clock goes back in a measurement: the time is 0, and disjoint once. */
static void
measure_step_back(struct fixture *f, struct pitot_hw_query *elapsed)
{
   begin(f, elapsed);
   sim_cs_set_ticks(f->cs, f->cs->ticks - 100);
   assert_int_equal(end_and_wait(f, elapsed), 0);
   assert_true(pitot_hw_take_disjoint(f->hw));
   assert_false(pitot_hw_take_disjoint(f->hw));
}

/* On a clock that cannot be read, time is right; a step back is disjoint. */
HW_TEST(time_does_not_go_back, "skl")
{
   struct pitot_hw_query *elapsed = create(f, PITOT_KIND_TIME_ELAPSED, 0);

   f->cs->clock.is_started = false;
   f->cs->timestamp_error = -EIO;
   sim_cs_set_ticks(f->cs, UINT64_C(60) << 30);
   measure_time(f, elapsed, 12);
   assert_int_equal(wait_for(f, elapsed), 1000);
   assert_int_equal(pitot_hw_timestamp_ns(f->hw), 0);
   assert_false(pitot_hw_take_disjoint(f->hw));

   measure_step_back(f, elapsed);
}

/* After a step back too small for a restart the time is 0, disjoint. */
HW_TEST(steps_back_are_reported, EVERY_GPU)
{
   struct pitot_hw_query *elapsed = create(f, PITOT_KIND_TIME_ELAPSED, 0);

   sim_cs_set_ticks(f->cs, f->gpu->timestamp_hz);
   measure_step_back(f, elapsed);
}

/* A clock that the CPU cannot read measures right over a wrap. */
HW_TEST(unreadable_clocks_wrap, EVERY_GPU)
{
   struct pitot_hw_query *query = create(f, PITOT_KIND_TIME_ELAPSED, 0);
   const uint64_t hz = f->gpu->timestamp_hz;

   f->cs->clock.is_started = false;
   f->cs->timestamp_error = -EIO;
   sim_cs_set_ticks(f->cs, UINT64_MAX - hz + 1);
   measure_time(f, query, 3 * hz);
   assert_int_equal(wait_for(f, query), 3 * NS_PER_S);
   assert_false(pitot_hw_take_disjoint(f->hw));
}

/* If the counter restarts, or keeps running while the CPU's clock stands
 * still, the disjoint flag is set once and time continues by the CPU's clock.
 * A counter some milliseconds back is no restart: another thread may have
 * read it later.
 */
HW_TEST(restarts_are_reported, EVERY_GPU)
{
   static const struct {
      unsigned counter_ms, passed_ms, time_ms;
      bool is_restart;
   } steps[] = {
      { 600000, 600000, 600000, false }, { 599980, 0, 599980, false },
      { 5000, 0, 599980, true },         { 6000, 1000, 600980, false },
      { 7000, 60000, 660980, true },     { 90000, 10, 660990, true },
      { 91000, 1000, 661990, false },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(steps); i++) {
      const uint64_t hz = f->gpu->timestamp_hz;

      sim_pass(steps[i].passed_ms * (NS_PER_S / 1000));
      f->cs->ticks = steps[i].counter_ms * hz / 1000;
      const uint64_t time_ns = pitot_hw_timestamp_ns(f->hw);
      assert_in_range(time_ns / (NS_PER_S / 1000), steps[i].time_ms - 25,
                      steps[i].time_ms + 25);
      assert_int_equal(pitot_hw_take_disjoint(f->hw), steps[i].is_restart);
   }
}

/* Long after the last read, the counter may differ from the CPU's clock by 32
 * ms and a 1024th of the time since, before that is a restart.
 */
HW_TEST(restarts_are_reported_after_long, "skl")
{
   const uint64_t hz = f->gpu->timestamp_hz;

   for (unsigned late_s = 1; late_s < 4; late_s++) {
      pass(f, 2000 * hz);
      f->cs->ticks -= late_s * hz;
      pitot_hw_timestamp_ns(f->hw);
      assert_int_equal(pitot_hw_take_disjoint(f->hw), late_s > 1);
   }
}

/* Timestamps alone follow the clock: the application never reads the time. */
HW_TEST(measuring_is_no_restart, EVERY_GPU)
{
   struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);
   const uint64_t step_s = 100;

   for (unsigned i = 1; i <= 200; i++) {
      pass(f, step_s * f->gpu->timestamp_hz);
      assert_int_equal(end_and_wait(f, stamp), i * step_s * NS_PER_S);
   }
   assert_false(pitot_hw_take_disjoint(f->hw));
}

/* A failed read by another context sets no flag of this one. */
HW_TEST(drift_is_no_restart, EVERY_GPU)
{
   const uint64_t step_s = 1000000;

   for (unsigned i = 1; i <= 5; i++) {
      sim_pass(step_s / 10000 * NS_PER_S);
      pass(f, step_s * f->gpu->timestamp_hz);
      assert_int_equal(pitot_hw_timestamp_ns(f->hw), i * step_s * NS_PER_S);
   }
   assert_false(pitot_hw_take_disjoint(f->hw));
}

static uint64_t
now_ns(clockid_t clock)
{
   struct timespec now;

   clock_gettime(clock, &now);
   return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* It may be the coarse clock. */
HW_TEST(the_cpus_clock_is_the_systems, "skl")
{
   const uint64_t before_ns = now_ns(CLOCK_MONOTONIC_COARSE);
   struct pitot_clock_info info = f->cs->clock.info;
   struct pitot_clock clock;

   info.cpu_ns = NULL;
   pitot_clock_init(&clock, &info);
   const uint64_t clock_ns = clock.info.cpu_ns();
   pitot_clock_finish(&clock);
   assert_in_range(clock_ns, before_ns, now_ns(CLOCK_MONOTONIC));
}
