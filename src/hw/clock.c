/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <stddef.h>
#include <time.h>

#include "hw_priv.h"

#define NS_PER_S UINT64_C(1000000000)

_Static_assert(offsetof(struct pitot_gpu_clock, last_ticks) % 8 == 0 &&
                  offsetof(struct pitot_gpu_clock, seen_cpu_ns) % 8 == 0 &&
                  _Alignof(struct pitot_gpu_clock) >= 8,
               "qwords that are accessed without the lock are aligned");

/* Exact to some milliseconds, which is enough to tell how often a counter
 * wrapped, and quick.
 */
static uint64_t
system_cpu_ns(void)
{
   struct timespec now = { 0 };

   clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
   return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static uint64_t
ns_to_ticks(uint64_t ns, uint64_t frequency_hz)
{
   return ns / NS_PER_S * frequency_hz +
          ns % NS_PER_S * frequency_hz / NS_PER_S;
}

/* Returns how long the counter may go unseen before it is not known any more
 * how often it wrapped: half its range, and half of that to be safe.
 */
static uint64_t
max_unseen_ns(const struct pitot_gpu *gpu)
{
   const uint64_t range_ticks = UINT64_MAX >> (64 - gpu->timestamp_bits);

   return pitot_ticks_to_ns(range_ticks / 4, gpu->timestamp_hz);
}

int
pitot_gpu_clock_init(struct pitot_gpu_clock *clock,
                     const struct pitot_gpu *gpu)
{
   *clock = (struct pitot_gpu_clock){
      .gpu = gpu,
      .width_bits = gpu->timestamp_bits,
      .max_unseen_ns = max_unseen_ns(gpu),
      .cpu_ns = system_cpu_ns,
   };
   return pthread_mutex_init(&clock->lock, NULL) ? -ENOMEM : 0;
}

void
pitot_gpu_clock_finish(struct pitot_gpu_clock *clock)
{
   pthread_mutex_destroy(&clock->lock);
}

/* The CPU's clock and the GPU's drift apart by less than this part. */
#define DRIFT_PART 1024

/* The last ticks are read and written without the lock, too. */
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

/* Moves the last ticks on, unless another thread knows later ones. */
static inline void
advance(struct pitot_gpu_clock *clock, uint64_t ticks)
{
   uint64_t known_ticks = load(&clock->last_ticks);

   while (ticks > known_ticks &&
          !__atomic_compare_exchange_n(&clock->last_ticks, &known_ticks,
                                       ticks, true, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE))
      ;
}

/* Moves on the clock as much as the CPU's did since the counter was read, so
 * that a reading of now is less than half the counter's range away.  Returns
 * by how many ticks that may be too much.
 */
static uint64_t
follow_cpu(const struct pitot_gpu_clock *clock, uint64_t now_ns,
           uint64_t *last_ticks_inout)
{
   const uint64_t unseen_ns = now_ns - clock->seen_cpu_ns;

   if (unseen_ns <= clock->max_unseen_ns)
      return 0;

   /* Samples may have moved it on already. */
   const uint64_t unseen_ticks =
      ns_to_ticks(unseen_ns, clock->gpu->timestamp_hz);
   const uint64_t expected_ticks = clock->seen_ticks + unseen_ticks;
   if (expected_ticks > *last_ticks_inout)
      *last_ticks_inout = expected_ticks;
   return unseen_ticks / DRIFT_PART;
}

/* Returns all bits of a reading of now.  A reading more than a second before
 * the time that was known or expected, which no other thread's sample
 * explains, is that of a counter that began anew.
 */
static uint64_t
extend_now(struct pitot_gpu_clock *clock, uint64_t ticks, uint64_t now_ns)
{
   struct pitot_tick_extender extender = { clock->width_bits,
                                           load(&clock->last_ticks) };
   const uint64_t slack_ticks =
      clock->gpu->timestamp_hz +
      follow_cpu(clock, now_ns, &extender.last_ticks);
   const uint64_t expected_ticks = extender.last_ticks;

   ticks = pitot_ticks_extend(&extender, ticks);
   if (expected_ticks > ticks && expected_ticks - ticks > slack_ticks) {
      store(&clock->last_ticks, ticks);
      clock->restart_count++;
   } else {
      advance(clock, ticks);
   }
   return ticks;
}

/* Returns whether the counter was not read with the lock held for so long
 * that it may have wrapped, or may soon.
 */
static bool
may_have_wrapped(const struct pitot_gpu_clock *clock)
{
   const uint64_t seen_cpu_ns = load(&clock->seen_cpu_ns);

   return clock->width_bits < 64 &&
          clock->cpu_ns() - seen_cpu_ns > clock->max_unseen_ns / 16;
}

/* Takes in a reading that is later than all others so far, and returns all
 * bits of it; or 0.
 */
static uint64_t
see_later(struct pitot_gpu_clock *clock, uint64_t ticks)
{
   const unsigned bits = clock->width_bits;
   pitot_shared_qword *last_ticks = &clock->last_ticks;

   if (!is_started(clock))
      return 0;
   uint64_t known_ticks = load(last_ticks);
   const uint64_t forward = pitot_ticks_elapsed(known_ticks, ticks, bits);
   if (forward >> (bits - 1) || may_have_wrapped(clock) ||
       !__atomic_compare_exchange_n(last_ticks, &known_ticks,
                                    known_ticks + forward, false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      return 0;
   return known_ticks + forward;
}

/* Takes in the counter's ticks of just now, and returns all bits of them.
 * The time of the reading is written last: who reads it first, and finds that
 * it is not long ago, finds ticks that are as late.
 */
static PITOT_NOINLINE uint64_t
see_locked(struct pitot_gpu_clock *clock, uint64_t ticks)
{
   pthread_mutex_lock(&clock->lock);
   const uint64_t now_ns = clock->cpu_ns(); /* not before another thread's */

   if (clock->is_started)
      ticks = extend_now(clock, ticks, now_ns);
   else
      store(&clock->last_ticks, ticks);
   clock->seen_ticks = ticks;
   __atomic_store_n(&clock->is_started, true, __ATOMIC_RELEASE);
   store(&clock->seen_cpu_ns, now_ns);
   pthread_mutex_unlock(&clock->lock);
   return ticks;
}

static inline uint64_t
see(struct pitot_gpu_clock *clock, uint64_t ticks)
{
   const uint64_t later_ticks = see_later(clock, ticks);

   return later_ticks ? later_ticks : see_locked(clock, ticks);
}

uint64_t
pitot_gpu_clock_now_ns(struct pitot_gpu_clock *clock, uint64_t ticks)
{
   return pitot_ticks_to_ns(see(clock, ticks), clock->gpu->timestamp_hz);
}

PITOT_COLD uint64_t
pitot_gpu_clock_missed_ns(struct pitot_gpu_clock *clock)
{
   if (!is_started(clock))
      return 0;
   pthread_mutex_lock(&clock->lock);
   clock->restart_count++;
   pthread_mutex_unlock(&clock->lock);
   return pitot_ticks_to_ns(load(&clock->last_ticks),
                            clock->gpu->timestamp_hz);
}

/* Returns the time, or PITOT_HW_TICKS_UNKNOWN. */
static uint64_t
read_now(struct pitot_hw *hw)
{
   uint64_t ticks;

   if (hw->cs->ops->timestamp(hw->cs, &ticks))
      return PITOT_HW_TICKS_UNKNOWN;
   return see(hw->clock, ticks);
}

int
pitot_hw_clock_init(struct pitot_hw *hw)
{
   hw->clock = hw->cs->clock;
   if (!hw->clock) {
      if (pitot_gpu_clock_init(&hw->own_clock, hw->cs->gpu))
         return -ENOMEM;
      hw->clock = &hw->own_clock;
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
   const uint64_t seen_cpu_ns = load(&clock->seen_cpu_ns);
   const uint64_t ticks = load(&clock->last_ticks);
   const uint64_t unseen_ns = clock->cpu_ns() - seen_cpu_ns;

   return unseen_ns > clock->max_unseen_ns ? read_now(hw) : ticks;
}

/* Returns all bits of a sample that is earlier than expected, or of which
 * nothing was expected.
 */
static PITOT_COLD uint64_t
extend_unusual(const struct pitot_gpu_clock *clock, uint64_t expected_ticks,
               uint64_t sample_ticks)
{
   struct pitot_tick_extender extender = { clock->width_bits,
                                           expected_ticks };

   if (expected_ticks == PITOT_HW_TICKS_UNKNOWN)
      extender.last_ticks =
         is_started(clock) ? load(&clock->last_ticks) : sample_ticks;
   return pitot_ticks_extend(&extender, sample_ticks);
}

uint64_t
pitot_hw_clock_extend(struct pitot_hw *hw, uint64_t expected_ticks,
                      uint64_t sample_ticks)
{
   struct pitot_gpu_clock *clock = hw->clock;
   const unsigned bits = clock->width_bits;
   const uint64_t forward =
      pitot_ticks_elapsed(expected_ticks, sample_ticks, bits);
   uint64_t ticks = expected_ticks + forward;

   if (forward >> (bits - 1) || expected_ticks == PITOT_HW_TICKS_UNKNOWN)
      ticks = extend_unusual(clock, expected_ticks, sample_ticks);
   advance(clock, ticks);
   return ticks;
}

uint64_t
pitot_hw_timestamp_ns(struct pitot_hw *hw)
{
   const uint64_t ticks = read_now(hw);

   return ticks == PITOT_HW_TICKS_UNKNOWN
             ? pitot_gpu_clock_missed_ns(hw->clock)
             : pitot_ticks_to_ns(ticks, hw->cs->gpu->timestamp_hz);
}
