/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The clock of a GPU: read seldom or not at all, by several contexts, and set
 * back.
 */

#include <errno.h>
#include <time.h>

#include "fixture.h"

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
   f->clock.cpu_ns = cpu_ns;
   f->clock.seen_cpu_ns = 0;
}

/* A counter of 36 bits that is not read often enough is followed by the CPU's
 * clock.
 */
static void
time_goes_on_unseen(struct fixture *f)
{
   struct pitot_hw_query *elapsed = create(f, PITOT_KIND_TIME_ELAPSED, 0);
   const uint64_t step_s = 10000; /* 2^36 ticks of 12 MHz are 5727 s */

   hold_cpu_clock(f);
   for (unsigned i = 1; i <= 5; i++) {
      begin(f, elapsed);
      the_cpu_ns += step_s * NS_PER_S;
      pass(f, step_s * f->gpu->timestamp_hz);
      end(f, elapsed);
      assert_int_equal(wait_for(f, elapsed), step_s * NS_PER_S);
      the_cpu_ns += step_s * NS_PER_S;
      pass(f, step_s * f->gpu->timestamp_hz);
      assert_int_equal(pitot_hw_timestamp_ns(f->hw),
                       2 * i * step_s * NS_PER_S);
   }
}

/* Samples may have moved the clock on by more than the CPU's clock says. */
static void
samples_are_ahead_of_the_cpu(struct fixture *f)
{
   const uint64_t sample_s = 2500, cpu_s = 2000; /* half of the range: 2863 */
   struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);

   hold_cpu_clock(f);
   pass(f, sample_s * f->gpu->timestamp_hz);
   end(f, stamp);
   assert_int_equal(wait_for(f, stamp), sample_s * NS_PER_S);
   the_cpu_ns = cpu_s * NS_PER_S;
   assert_int_equal(pitot_hw_timestamp_ns(f->hw), sample_s * NS_PER_S);
}

/* A time of more than an eighth of the counter's range is not for the command
 * streamer, which could not tell a wrap.
 */
static void
long_times_are_stored(struct fixture *f)
{
   struct pitot_hw_query *elapsed = create(f, PITOT_KIND_TIME_ELAPSED, 0);
   const uint64_t step_s = 1000; /* an eighth of the range: 715 s */

   hold_cpu_clock(f);
   f->cs->is_held = true;
   begin(f, elapsed);
   for (unsigned i = 0; i < 2; i++) {
      the_cpu_ns += step_s * NS_PER_S;
      pass(f, step_s * f->gpu->timestamp_hz);
      assert_int_equal(pitot_hw_timestamp_ns(f->hw),
                       (i + 1) * step_s * NS_PER_S);
   }
   end(f, elapsed);
   store(f, elapsed, PITOT_STORE_RESULT, PITOT_TYPE_U64);
   assert_int_equal(stored(f), 2 * step_s * NS_PER_S);
}

/* A sample that was recorded before anybody knew the time is near to what is
 * known when it is read.
 */
static void
samples_may_be_unexpected(struct fixture *f)
{
   struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);
   const unsigned bits = f->gpu->timestamp_bits;

   if (bits == 64)
      return;
   const uint64_t range_ticks = UINT64_C(1) << bits;
   f->clock.is_started = false;
   sim_cs_set_ticks(f->cs, range_ticks - 100);
   pitot_hw_timestamp_ns(f->hw);
   f->clock.is_started = false;
   sim_cs_set_ticks(f->cs, range_ticks + 50);
   end(f, stamp);
   f->clock.is_started = true;
   assert_int_equal(wait_for(f, stamp),
                    pitot_ticks_to_ns(range_ticks + 50,
                                      f->gpu->timestamp_hz));
}

/* A sample may be written long after it was recorded: the time is read once a
 * quarter of the counter's range went by unseen, and not before.
 */
static void
samples_may_be_late(struct fixture *f)
{
   struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);
   const unsigned bits = f->gpu->timestamp_bits;

   if (bits == 64)
      return;
   const uint64_t range_ticks = UINT64_C(1) << bits;
   const uint64_t seen_ticks = 3 * range_ticks;
   const uint64_t unseen_ticks = range_ticks / 100 * 49;
   const uint64_t late_ticks = seen_ticks + range_ticks / 100 * 53;
   f->clock.is_started = false;
   sim_cs_set_ticks(f->cs, seen_ticks);
   pitot_hw_timestamp_ns(f->hw);
   f->clock.last_ticks = f->clock.seen_ticks = seen_ticks;
   hold_cpu_clock(f);
   the_cpu_ns =
      pitot_ticks_to_ns(range_ticks / 100 * 24, f->gpu->timestamp_hz);
   const unsigned read_count = f->cs->timestamp_count;
   end(f, stamp);
   assert_int_equal(f->cs->timestamp_count, read_count);
   move(f, PITOT_RING_RENDER);
   the_cpu_ns = pitot_ticks_to_ns(unseen_ticks, f->gpu->timestamp_hz);
   f->cs->ticks = seen_ticks + unseen_ticks;
   sim_cue_time(&f->cs->cues, PITOT_RING_RENDER, late_ticks);
   end(f, stamp);
   assert_int_equal(wait_for(f, stamp),
                    pitot_ticks_to_ns(late_ticks, f->gpu->timestamp_hz));
}

/* A sample that was written before others which are known is as old as it
 * says, also if that is a round number of ticks ago.
 */
static void
samples_may_be_early(struct fixture *f)
{
   struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);

   hold_cpu_clock(f);
   for (unsigned bit = 8; bit < 31; bit++) {
      const uint64_t early_ticks = UINT64_C(1) << bit;

      f->clock.is_started = false;
      sim_cs_set_ticks(f->cs, 2 * early_ticks);
      pitot_hw_timestamp_ns(f->hw);
      sim_cs_set_ticks(f->cs, early_ticks);
      end(f, stamp);
      assert_int_equal(wait_for(f, stamp),
                       pitot_ticks_to_ns(early_ticks, f->gpu->timestamp_hz));
   }
}

/* A reading that is later than all others, and not long after the last one,
 * takes no lock.
 */
static void
readings_take_no_lock(struct fixture *f)
{
   hold_cpu_clock(f);
   const uint64_t seen_ticks = f->clock.seen_ticks; /* with the lock held */

   for (unsigned i = 1; i <= 5; i++) {
      pass(f, f->gpu->timestamp_hz);
      assert_int_equal(pitot_hw_timestamp_ns(f->hw), i * NS_PER_S);
      assert_int_equal(f->clock.seen_ticks, seen_ticks);
   }
}

/* Contexts of a device agree on the time, whichever is older than a wrap. */
static void
contexts_share_a_clock(struct fixture *f)
{
   const uint64_t ticks = (UINT64_C(1) << 36) + 100;
   struct sim_cs *later = sim_cs_create(f->cs->sim->gpu.key, false);
   struct pitot_hw *hws[2] = { f->hw };

   later->base.clock = &f->clock;
   f->clock.is_started = false;
   f->cs->ticks = later->ticks = ticks - 200;
   pitot_hw_timestamp_ns(f->hw);
   f->cs->ticks = later->ticks = ticks;
   assert_int_equal(pitot_hw_create(&later->base, &hws[1]), 0);
   assert_int_equal(pitot_hw_timestamp_ns(hws[1]),
                    pitot_ticks_to_ns(ticks, f->gpu->timestamp_hz));
   assert_int_equal(pitot_hw_timestamp_ns(hws[0]),
                    pitot_hw_timestamp_ns(hws[1]));

   /* It began anew: each of them tells, once. */
   later->ticks = 5;
   pitot_hw_timestamp_ns(hws[1]);
   for (unsigned i = 0; i < 2; i++) {
      assert_int_equal(pitot_hw_take_disjoint(hws[i]),
                       ticks <= UINT64_MAX >> (64 - f->gpu->timestamp_bits));
      assert_false(pitot_hw_take_disjoint(hws[i]));
   }
   pitot_hw_destroy(hws[1]);
   assert_int_equal(sim_cs_destroy(later), 0);
}

/* Has a time that the clock goes back in: it is 0, and that is told once. */
static void
measure_step_back(struct fixture *f, struct pitot_hw_query *elapsed)
{
   begin(f, elapsed);
   sim_cs_set_ticks(f->cs, f->cs->ticks - 100);
   end(f, elapsed);
   assert_int_equal(wait_for(f, elapsed), 0);
   assert_true(pitot_hw_take_disjoint(f->hw));
   assert_false(pitot_hw_take_disjoint(f->hw));
}

/* A step back is no time, and told; the counter works all the same without
 * a way to read it now.
 */
static void
time_does_not_go_back(struct fixture *f)
{
   struct pitot_hw_query *elapsed = create(f, PITOT_KIND_TIME_ELAPSED, 0);

   f->clock.is_started = false;
   f->cs->timestamp_error = -EIO;
   sim_cs_set_ticks(f->cs, UINT64_C(60) << 30);
   begin(f, elapsed);
   pass(f, 12);
   end(f, elapsed);
   assert_int_equal(wait_for(f, elapsed), 1000);
   assert_int_equal(pitot_hw_timestamp_ns(f->hw), 0);
   assert_false(pitot_hw_take_disjoint(f->hw));

   measure_step_back(f, elapsed);
}

/* A step back that is too small for a restart: no time, and told. */
static void
steps_back_are_told(struct fixture *f)
{
   struct pitot_hw_query *elapsed = create(f, PITOT_KIND_TIME_ELAPSED, 0);

   sim_cs_set_ticks(f->cs, f->gpu->timestamp_hz);
   measure_step_back(f, elapsed);
}

/* A clock that the CPU cannot read measures over a wrap all the same. */
static void
unreadable_clocks_wrap(struct fixture *f)
{
   struct pitot_hw_query *query = create(f, PITOT_KIND_TIME_ELAPSED, 0);
   const uint64_t hz = f->gpu->timestamp_hz;

   f->clock.is_started = false;
   f->cs->timestamp_error = -EIO;
   sim_cs_set_ticks(f->cs, UINT64_MAX - hz + 1);
   begin(f, query);
   pass(f, 3 * hz);
   end(f, query);
   assert_int_equal(wait_for(f, query), 3 * NS_PER_S);
   assert_false(pitot_hw_take_disjoint(f->hw));
}

/* A counter that begins anew: told once, and time goes on from there.  A
 * reading of a second before is none: another thread's may be later.
 */
static void
restarts_are_told(struct fixture *f)
{
   static const struct {
      unsigned time_s;
      bool is_restart;
   } steps[] = { { 600, false }, { 599, false }, { 5, true }, { 6, false } };

   for (unsigned i = 0; i < ARRAY_LENGTH(steps); i++) {
      sim_cs_set_ticks(f->cs, steps[i].time_s * f->gpu->timestamp_hz);
      assert_int_equal(pitot_hw_timestamp_ns(f->hw),
                       steps[i].time_s * NS_PER_S);
      assert_int_equal(pitot_hw_take_disjoint(f->hw), steps[i].is_restart);
   }
}

/* Nobody read the counter for a quarter of its range, and the CPU's clock
 * says where it should be, but for a second and a thousandth of that time:
 * what is further behind began anew.
 */
static void
restarts_are_told_after_long(struct fixture *f)
{
   const uint64_t hz = f->gpu->timestamp_hz;

   for (unsigned late_s = 2; late_s < 5; late_s++) {
      f->clock.is_started = false;
      sim_cs_set_ticks(f->cs, hz);
      pitot_hw_timestamp_ns(f->hw);
      hold_cpu_clock(f);
      the_cpu_ns = 20009 * (NS_PER_S / 10);
      sim_cs_set_ticks(f->cs, hz + (20009 - 10 * late_s) * (hz / 10));
      pitot_hw_timestamp_ns(f->hw);
      assert_int_equal(pitot_hw_take_disjoint(f->hw), late_s > 2);
   }
}

/* Samples alone move the counter on where the time now is never asked for;
 * that the CPU's clock moved, too, does not count twice.
 */
static void
measuring_is_no_restart(struct fixture *f)
{
   struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);
   const uint64_t step_s = 100;

   hold_cpu_clock(f);
   for (unsigned i = 1; i <= 200; i++) {
      the_cpu_ns += step_s * NS_PER_S;
      pass(f, step_s * f->gpu->timestamp_hz);
      end(f, stamp);
      assert_int_equal(wait_for(f, stamp), i * step_s * NS_PER_S);
   }
   assert_false(pitot_hw_take_disjoint(f->hw));
}

/* The CPU's clock and the GPU's drift apart, by 0.01 % here, which after days
 * is more than what tells a restart.
 */
static void
drift_is_no_restart(struct fixture *f)
{
   const uint64_t step_s = 1000000;

   hold_cpu_clock(f);
   for (unsigned i = 1; i <= 5; i++) {
      the_cpu_ns += (step_s + step_s / 10000) * NS_PER_S;
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

/* The CPU's clock is the system's, perhaps the coarse one. */
static void
the_cpus_clock_is_the_systems(struct fixture *f)
{
   const uint64_t before_ns = now_ns(CLOCK_MONOTONIC_COARSE);
   const uint64_t clock_ns = f->clock.cpu_ns();

   assert_in_range(clock_ns, before_ns, now_ns(CLOCK_MONOTONIC));
}

int
main(void)
{
   static const struct hw_test tests[] = {
      TEST_ON(EVERY_GPU, time_goes_on_unseen),
      TEST_ON("skl", samples_are_ahead_of_the_cpu),
      TEST_ON(EVERY_GPU, long_times_are_stored),
      TEST_ON(EVERY_GPU, samples_may_be_unexpected),
      TEST_ON(EVERY_GPU, samples_may_be_late),
      TEST_ON(EVERY_GPU, samples_may_be_early),
      TEST_ON(EVERY_GPU, readings_take_no_lock),
      TEST_ON(EVERY_GPU, contexts_share_a_clock),
      TEST_ON("skl", time_does_not_go_back),
      TEST_ON(EVERY_GPU, steps_back_are_told),
      TEST_ON(EVERY_GPU, unreadable_clocks_wrap),
      TEST_ON(EVERY_GPU, restarts_are_told),
      TEST_ON("skl", restarts_are_told_after_long),
      TEST_ON(EVERY_GPU, measuring_is_no_restart),
      TEST_ON(EVERY_GPU, drift_is_no_restart),
      TEST_ON("skl", the_cpus_clock_is_the_systems),
   };

   return RUN_SCHEDULED_ROWS("hw clock", tests, run_hw_test);
}
