/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A GPU's clock follows CLOCK_MONOTONIC.  The CPU's clock says about what
 * time each reading and each sample has, and their own bits say it exactly.
 * One that cannot be what the CPU's clock says is from a counter that began
 * again at 0 (a card that was powered off, a reset), that went on while the
 * CPU's clock stood still, or that is not the counter which the CPU reads
 * (Linux 6.18 on A750 and X1-85).  Then the clock goes on where the CPU's is,
 * and times are disjoint.
 */

#include <errno.h>
#include <stddef.h>
#include <time.h>

#include "hw_priv.h"

#define NS_PER_S UINT64_C(1000000000)

/* A time may be so far from what the CPU's clock says: twice the 10 ms by
 * which its coarse clock is late, and what the clocks drift apart before the
 * counter is read again.  Adreno's power goes off after 66 ms.
 */
#define SLACK_NS UINT64_C(32000000)

/* To read the counter powers the GPU up, so that samples have it read only
 * after so long.  It is less than the 5 s after which amdgpu powers an idle
 * card off: a sample after that finds the counter read again.
 */
#define MAX_AGE_NS (4 * NS_PER_S)

/* The CPU's clock and the GPU's drift apart by less than this part. */
#define DRIFT_PART 1024

_Static_assert(offsetof(struct pitot_gpu_clock, offset_ticks) % 8 == 0 &&
                  _Alignof(struct pitot_gpu_clock) >= 8,
               "qwords that are accessed without the lock are aligned");

/* Exact to some milliseconds, and quick. */
static uint64_t
system_cpu_ns(void)
{
   struct timespec now = { 0 };

   clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
   return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static uint64_t
ns_to_ticks(const struct pitot_gpu_clock *clock, uint64_t ns)
{
   const uint64_t hz = clock->gpu->timestamp_hz;

   return ns / NS_PER_S * hz + ns % NS_PER_S * hz / NS_PER_S;
}

int
pitot_gpu_clock_init(struct pitot_gpu_clock *clock,
                     const struct pitot_gpu *gpu)
{
   *clock = (struct pitot_gpu_clock){
      .gpu = gpu,
      .width_bits = gpu->timestamp_bits,
      .cpu_ns = system_cpu_ns,
   };
   return pthread_mutex_init(&clock->lock, NULL) ? -ENOMEM : 0;
}

void
pitot_gpu_clock_finish(struct pitot_gpu_clock *clock)
{
   pthread_mutex_destroy(&clock->lock);
}

static uint64_t
load(const pitot_shared_qword *value)
{
   return __atomic_load_n(value, __ATOMIC_ACQUIRE);
}

static void
store(pitot_shared_qword *value, uint64_t stored)
{
   __atomic_store_n(value, stored, __ATOMIC_RELEASE);
}

static bool
is_started(const struct pitot_gpu_clock *clock)
{
   return __atomic_load_n(&clock->is_started, __ATOMIC_ACQUIRE);
}

/* Returns what the CPU's clock says the time is at one of its times. */
static uint64_t
expect_at(const struct pitot_gpu_clock *clock, uint64_t cpu_ns)
{
   return load(&clock->offset_ticks) + ns_to_ticks(clock, cpu_ns);
}

/* Extends what was read of a counter that starts at base_ticks, to a time
 * between two expected ones.  Returns whether there is such a time.
 */
static inline bool
find_time(const struct pitot_gpu_clock *clock, uint64_t earliest_ticks,
          uint64_t latest_ticks, uint64_t slack_ticks, uint64_t base_ticks,
          uint64_t counter, uint64_t *ticks_out)
{
   const uint64_t first_ticks = earliest_ticks - slack_ticks;
   const uint64_t forward =
      pitot_ticks_elapsed(first_ticks, counter + base_ticks,
                          clock->width_bits);

   *ticks_out = first_ticks + forward;
   return forward <= latest_ticks + slack_ticks - first_ticks;
}

/* Lets the clock go on at a time, at which the counter was read or sampled;
 * samples that are recorded from first_ticks on are later.
 */
static void
restart(struct pitot_gpu_clock *clock, uint64_t first_ticks, uint64_t ticks,
        uint64_t counter)
{
   clock->old_base_ticks = load(&clock->base_ticks);
   store(&clock->base_ticks, ticks - counter);
   store(&clock->restart_ticks, first_ticks);
   clock->restart_count++;
}

/* Returns whether a sample that was recorded then may be from before the last
 * restart.
 */
static inline bool
may_be_old(const struct pitot_gpu_clock *clock, uint64_t expected_ticks)
{
   return (int64_t)(expected_ticks - load(&clock->restart_ticks)) < 0;
}

/* Takes in a reading: the clocks have drifted apart since the last one by no
 * more than it says.
 */
static uint64_t
follow(struct pitot_gpu_clock *clock, uint64_t before_ns, uint64_t after_ns,
       uint64_t counter)
{
   const uint64_t seen_ns = after_ns - load(&clock->seen_cpu_ns);
   const uint64_t slack_ticks =
      ns_to_ticks(clock, SLACK_NS + seen_ns / DRIFT_PART);
   const uint64_t before_ticks = expect_at(clock, before_ns);
   const uint64_t after_ticks = expect_at(clock, after_ns);
   uint64_t ticks;

   if (!find_time(clock, before_ticks, after_ticks, slack_ticks,
                  clock->read_base_ticks, counter, &ticks)) {
      ticks = after_ticks;
      clock->read_base_ticks = ticks - counter;
      restart(clock, ticks, ticks, counter);
   } else if ((int64_t)(ticks - before_ticks) < 0) {
      store(&clock->offset_ticks,
            load(&clock->offset_ticks) + ticks - before_ticks);
   } else if ((int64_t)(ticks - after_ticks) > 0) {
      store(&clock->offset_ticks,
            load(&clock->offset_ticks) + ticks - after_ticks);
   }
   return ticks;
}

/* Takes in what the counter was after before_ns, and returns all bits of it.
 * The time of the reading is written last: who reads it first, and finds that
 * it is not long ago, finds an offset that is as new.
 */
static uint64_t
see(struct pitot_gpu_clock *clock, uint64_t before_ns, uint64_t counter)
{
   uint64_t ticks = counter;

   pthread_mutex_lock(&clock->lock);
   const uint64_t after_ns = clock->cpu_ns(); /* not before another's */
   if (clock->is_started)
      ticks = follow(clock, before_ns, after_ns, counter);
   else
      store(&clock->offset_ticks, ticks - ns_to_ticks(clock, after_ns));
   store(&clock->seen_cpu_ns, after_ns);
   __atomic_store_n(&clock->is_started, true, __ATOMIC_RELEASE);
   pthread_mutex_unlock(&clock->lock);
   return ticks;
}

uint64_t
pitot_gpu_clock_now_ns(struct pitot_gpu_clock *clock, uint64_t before_ns,
                       uint64_t ticks)
{
   return pitot_ticks_to_ns(see(clock, before_ns, ticks),
                            clock->gpu->timestamp_hz);
}

static void
count_restart(struct pitot_gpu_clock *clock)
{
   pthread_mutex_lock(&clock->lock);
   clock->restart_count++;
   pthread_mutex_unlock(&clock->lock);
}

PITOT_COLD uint64_t
pitot_gpu_clock_missed_ns(struct pitot_gpu_clock *clock)
{
   if (!is_started(clock))
      return 0;
   count_restart(clock);
   return pitot_ticks_to_ns(expect_at(clock, clock->cpu_ns()),
                            clock->gpu->timestamp_hz);
}

bool
pitot_gpu_clock_has_slept(struct pitot_gpu_clock *clock, uint64_t count)
{
   pthread_mutex_lock(&clock->lock);
   const bool is_news = count != clock->suspend_count && clock->is_started;
   clock->suspend_count = count;
   clock->restart_count += is_news;
   pthread_mutex_unlock(&clock->lock);
   return is_news;
}

bool
pitot_gpu_clock_has_restarted(const struct pitot_gpu_clock *clock)
{
   return load(&clock->base_ticks) != 0;
}

/* Returns the time, or PITOT_HW_TICKS_UNKNOWN. */
static uint64_t
read_now(struct pitot_hw *hw)
{
   const uint64_t before_ns = hw->clock->cpu_ns();
   uint64_t counter;

   if (hw->cs->ops->timestamp(hw->cs, &counter))
      return PITOT_HW_TICKS_UNKNOWN;
   return see(hw->clock, before_ns, counter);
}

int
pitot_hw_clock_init(struct pitot_hw *hw)
{
   hw->clock = hw->cs->clock;
   if (!hw->clock) {
      if (pitot_gpu_clock_init(&hw->own_clock, hw->cs->gpu))
         return -ENOMEM;
      hw->clock = &hw->own_clock;
      if (hw->cs->cpu_ns)
         hw->own_clock.cpu_ns = hw->cs->cpu_ns;
   }
   read_now(hw);
   pitot_hw_clock_take_restart(hw);
   return 0;
}

void
pitot_hw_clock_finish(struct pitot_hw *hw)
{
   if (hw->clock == &hw->own_clock)
      pitot_gpu_clock_finish(&hw->own_clock);
}

bool
pitot_hw_clock_take_restart(struct pitot_hw *hw)
{
   struct pitot_gpu_clock *clock = hw->clock;

   pthread_mutex_lock(&clock->lock);
   const unsigned restarts = clock->restart_count;
   pthread_mutex_unlock(&clock->lock);

   const bool is_news = restarts != hw->seen_restarts;
   hw->seen_restarts = restarts;
   return is_news;
}

uint64_t
pitot_hw_clock_expect(struct pitot_hw *hw)
{
   struct pitot_gpu_clock *clock = hw->clock;

   if (!is_started(clock))
      return PITOT_HW_TICKS_UNKNOWN;
   uint64_t now_ns = clock->cpu_ns();
   if (now_ns - load(&clock->seen_cpu_ns) > MAX_AGE_NS) {
      (void)read_now(hw);
      now_ns = clock->cpu_ns(); /* not before a restart that it found */
   }
   return expect_at(clock, now_ns);
}

/* Extends a sample that was recorded before the last restart, and sampled
 * before or after it.  Of an earlier counter nothing is known any more.
 */
static uint64_t
fit_old(struct pitot_gpu_clock *clock, uint64_t expected_ticks,
        uint64_t now_ticks, uint64_t counter)
{
   const uint64_t slack_ticks = ns_to_ticks(clock, SLACK_NS);
   uint64_t ticks;

   if (find_time(clock, expected_ticks, load(&clock->restart_ticks),
                 slack_ticks, clock->old_base_ticks, counter, &ticks) ||
       find_time(clock, expected_ticks, now_ticks, slack_ticks,
                 load(&clock->base_ticks), counter, &ticks))
      return ticks;
   clock->restart_count++;
   return expected_ticks;
}

/* Extends a sample that was recorded after the last restart, although the
 * counter was just read.  If it does not fit, the GPU samples a counter that
 * the CPU does not read, and times go on from this one.
 */
static uint64_t
fit_new(struct pitot_gpu_clock *clock, uint64_t expected_ticks,
        uint64_t now_ticks, uint64_t counter)
{
   uint64_t ticks;

   if (!find_time(clock, expected_ticks, now_ticks,
                  ns_to_ticks(clock, SLACK_NS), load(&clock->base_ticks),
                  counter, &ticks)) {
      ticks = expected_ticks +
              (uint64_t)((int64_t)(now_ticks - expected_ticks) / 2);
      restart(clock, expected_ticks, ticks, counter);
   }
   return ticks;
}

/* Extends a sample of which nothing was expected, to the time that is nearest
 * to now.
 */
static uint64_t
extend_unexpected(const struct pitot_gpu_clock *clock, uint64_t counter)
{
   const uint64_t half_ticks = UINT64_MAX >> (65 - clock->width_bits);
   uint64_t ticks = counter;

   if (is_started(clock))
      (void)find_time(clock, expect_at(clock, clock->cpu_ns()), 0, half_ticks,
                      load(&clock->base_ticks), counter, &ticks);
   return ticks;
}

/* Extends a sample that the CPU's clock did not expect. */
static PITOT_COLD uint64_t
extend_unusual(struct pitot_hw *hw, uint64_t expected_ticks, uint64_t counter)
{
   struct pitot_gpu_clock *clock = hw->clock;

   if (expected_ticks == PITOT_HW_TICKS_UNKNOWN)
      return extend_unexpected(clock, counter);
   (void)read_now(hw);

   pthread_mutex_lock(&clock->lock);
   const uint64_t now_ticks = expect_at(clock, clock->cpu_ns());
   const uint64_t ticks =
      may_be_old(clock, expected_ticks)
         ? fit_old(clock, expected_ticks, now_ticks, counter)
         : fit_new(clock, expected_ticks, now_ticks, counter);
   pthread_mutex_unlock(&clock->lock);
   return ticks;
}

uint64_t
pitot_hw_clock_extend(struct pitot_hw *hw, uint64_t expected_ticks,
                      uint64_t sample_ticks)
{
   const struct pitot_gpu_clock *clock = hw->clock;
   uint64_t ticks;

   if (expected_ticks != PITOT_HW_TICKS_UNKNOWN &&
       !may_be_old(clock, expected_ticks) &&
       find_time(clock, expected_ticks, expect_at(clock, clock->cpu_ns()),
                 ns_to_ticks(clock, SLACK_NS), load(&clock->base_ticks),
                 sample_ticks, &ticks))
      return ticks;
   return extend_unusual(hw, expected_ticks, sample_ticks);
}

uint64_t
pitot_hw_timestamp_ns(struct pitot_hw *hw)
{
   const uint64_t ticks = read_now(hw);

   return ticks == PITOT_HW_TICKS_UNKNOWN
             ? pitot_gpu_clock_missed_ns(hw->clock)
             : pitot_ticks_to_ns(ticks, hw->cs->gpu->timestamp_hz);
}
