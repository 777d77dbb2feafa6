/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The clock of a screen: extends readings and samples of the GPU's counter to
 * 64 bits by the CPU's clock, and restarts if they do not fit.  All writes
 * are under the lock.  pitot_clock_extend() and pitot_clock_expect() read
 * without it: they may see one qword new and another one old.
 */

#include <assert.h>
#include <stddef.h>
#include <time.h>

#include "pitot_clock.h"

/* How far a time may be from the time that the CPU's clock expects: twice the
 * 10 ms by which its coarse clock is late, plus the drift of the clocks until
 * the counter is read again.  It is below the 66 ms after which msm powers an
 * idle Adreno off.
 */
#define SLACK_NS UINT64_C(32000000)

/* Recording a time reads the counter again if the last reading is older, and
 * not more often, because a reading powers the GPU up.  It is below the 5 s
 * after which amdgpu powers an idle card off, so a sample after a power-off
 * finds a new reading.
 */
#define MAX_AGE_NS (4 * PITOT_NS_PER_S)

/* The CPU's and the GPU's clock drift apart by less than 1 / DRIFT_PART. */
#define DRIFT_PART 1024

/* Fast, and exact to some milliseconds; only Linux has it. */
#ifdef CLOCK_MONOTONIC_COARSE
#define CPU_CLOCK CLOCK_MONOTONIC_COARSE
#else
#define CPU_CLOCK CLOCK_MONOTONIC
#endif

_Static_assert(offsetof(struct pitot_clock, offset_ticks) % 8 == 0 &&
                  _Alignof(struct pitot_clock) >= 8,
               "qwords that are accessed without the lock are aligned");

uint64_t
pitot_ticks_to_ns(uint64_t ticks, uint64_t frequency_hz)
{
   assert(frequency_hz >= 1 && frequency_hz <= UINT32_MAX);

   /* Whole seconds apart, so that no product needs more than 64 bits: the
    * rest is below 2^32, and 10^9 is below 2^30.
    */
   const uint64_t seconds = ticks / frequency_hz;
   const uint64_t rest_ns =
      ticks % frequency_hz * PITOT_NS_PER_S / frequency_hz;

   if (seconds > (UINT64_MAX - rest_ns) / PITOT_NS_PER_S)
      return UINT64_MAX;
   return seconds * PITOT_NS_PER_S + rest_ns;
}

uint64_t
pitot_ns_elapsed(uint64_t begin_ns, uint64_t end_ns, bool *disjoint_out)
{
   if (end_ns < begin_ns) {
      *disjoint_out = true;
      return 0;
   }
   return end_ns - begin_ns;
}

static uint64_t
system_cpu_ns(void)
{
   struct timespec now = { 0 };

   clock_gettime(CPU_CLOCK, &now);
   return (uint64_t)now.tv_sec * PITOT_NS_PER_S + (uint64_t)now.tv_nsec;
}

static uint64_t
ns_to_ticks(const struct pitot_clock *clock, uint64_t ns)
{
   const uint64_t hz = clock->info.frequency_hz;

   return ns / PITOT_NS_PER_S * hz +
          ns % PITOT_NS_PER_S * hz / PITOT_NS_PER_S;
}

void
pitot_clock_init(struct pitot_clock *clock,
                 const struct pitot_clock_info *info)
{
   *clock = (struct pitot_clock){ .info = *info };
   if (!info->cpu_ns)
      clock->info.cpu_ns = system_cpu_ns;
   pthread_mutex_init(&clock->lock, NULL);
}

void
pitot_clock_finish(struct pitot_clock *clock)
{
   pthread_mutex_destroy(&clock->lock);
}

static uint64_t
load_qword(const pitot_shared_qword *value)
{
   return __atomic_load_n(value, __ATOMIC_ACQUIRE);
}

static void
store_qword(pitot_shared_qword *value, uint64_t stored)
{
   __atomic_store_n(value, stored, __ATOMIC_RELEASE);
}

static bool
is_started(const struct pitot_clock *clock)
{
   return __atomic_load_n(&clock->is_started, __ATOMIC_ACQUIRE);
}

/* Returns the GPU's time that the CPU's clock expects at cpu_ns. */
static uint64_t
expect_at(const struct pitot_clock *clock, uint64_t cpu_ns)
{
   return load_qword(&clock->offset_ticks) + ns_to_ticks(clock, cpu_ns);
}

/* Extends the value of a counter that started at base_ticks to a time between
 * earliest_ticks and latest_ticks.  Returns whether there is such a time, and
 * sets *ticks_out in any case.
 */
static inline bool
extend_counter(const struct pitot_clock *clock, uint64_t earliest_ticks,
               uint64_t latest_ticks, uint64_t slack_ticks,
               uint64_t base_ticks, uint64_t counter, uint64_t *ticks_out)
{
   const uint64_t first_ticks = earliest_ticks - slack_ticks;
   const uint64_t forward =
      pitot_ticks_elapsed(first_ticks, counter + base_ticks,
                          clock->info.width_bits);

   *ticks_out = first_ticks + forward;
   return forward <= latest_ticks + slack_ticks - first_ticks;
}

/* Restarts the clock at a time at which the counter was read or sampled.
 * Samples that are recorded from first_ticks on belong to the new base.
 */
static void
restart_clock(struct pitot_clock *clock, uint64_t first_ticks, uint64_t ticks,
              uint64_t counter)
{
   clock->old_base_ticks = load_qword(&clock->base_ticks);
   store_qword(&clock->base_ticks, ticks - counter);
   store_qword(&clock->restart_ticks, first_ticks);
   clock->restart_count++;
}

/* Returns whether a sample that was recorded at expected_ticks may be from
 * before the last restart.
 */
static inline bool
may_be_old(const struct pitot_clock *clock, uint64_t expected_ticks)
{
   return (int64_t)(expected_ticks - load_qword(&clock->restart_ticks)) < 0;
}

/* Extends a reading, and corrects the offset from the CPU's clock.  The
 * clocks have drifted apart since the last reading by less than DRIFT_PART
 * allows; a reading that is further off restarts the clock.
 */
static uint64_t
follow_reading(struct pitot_clock *clock, uint64_t before_ns,
               uint64_t after_ns, uint64_t counter)
{
   const uint64_t seen_ns = after_ns - load_qword(&clock->seen_cpu_ns);
   const uint64_t slack_ticks =
      ns_to_ticks(clock, SLACK_NS + seen_ns / DRIFT_PART);
   const uint64_t before_ticks = expect_at(clock, before_ns);
   const uint64_t after_ticks = expect_at(clock, after_ns);
   uint64_t ticks;

   if (!extend_counter(clock, before_ticks, after_ticks, slack_ticks,
                       clock->read_base_ticks, counter, &ticks)) {
      ticks = after_ticks;
      clock->read_base_ticks = ticks - counter;
      restart_clock(clock, ticks, ticks, counter);
   } else if ((int64_t)(ticks - before_ticks) < 0) {
      store_qword(&clock->offset_ticks,
                  load_qword(&clock->offset_ticks) + ticks - before_ticks);
   } else if ((int64_t)(ticks - after_ticks) > 0) {
      store_qword(&clock->offset_ticks,
                  load_qword(&clock->offset_ticks) + ticks - after_ticks);
   }
   return ticks;
}

/* Extends a reading that was taken after before_ns, and updates the clock.
 * Stores seen_cpu_ns last (release): a thread that loads it first, and finds
 * it recent, then sees an offset that is at least as recent.
 */
static uint64_t
update_clock(struct pitot_clock *clock, uint64_t before_ns,
             const struct pitot_clock_reading *reading)
{
   uint64_t ticks = reading->ticks;

   pthread_mutex_lock(&clock->lock);
   const uint64_t after_ns = clock->info.cpu_ns(); /* in the lock's order */
   if (clock->is_started) {
      clock->restart_count += reading->suspend_count > clock->suspend_count;
      ticks = follow_reading(clock, before_ns, after_ns, reading->ticks);
   } else {
      store_qword(&clock->offset_ticks, ticks - ns_to_ticks(clock, after_ns));
   }
   if (reading->suspend_count > clock->suspend_count)
      clock->suspend_count = reading->suspend_count;
   store_qword(&clock->seen_cpu_ns, after_ns);
   __atomic_store_n(&clock->is_started, true, __ATOMIC_RELEASE);
   pthread_mutex_unlock(&clock->lock);
   return ticks;
}

/* Returns the time in ticks, or PITOT_TICKS_UNKNOWN if reading fails. */
static uint64_t
read_counter(struct pitot_clock *clock, struct pitot_clock_reading *reading)
{
   const uint64_t before_ns = clock->info.cpu_ns();

   *reading = (struct pitot_clock_reading){ 0 };
   return clock->info.read(clock->info.data, reading)
             ? PITOT_TICKS_UNKNOWN
             : update_clock(clock, before_ns, reading);
}

/* Reads the counter only to update the clock. */
static void
refresh_clock(struct pitot_clock *clock)
{
   struct pitot_clock_reading reading;

   (void)read_counter(clock, &reading);
}

bool
pitot_clock_read(struct pitot_clock *clock,
                 struct pitot_correlation *clocks_out)
{
   struct pitot_clock_reading reading;
   uint64_t ticks = read_counter(clock, &reading);
   const bool is_read = ticks != PITOT_TICKS_UNKNOWN;
   const bool is_guess = !is_read && is_started(clock);

   if (!is_read)
      ticks = is_guess ? expect_at(clock, clock->info.cpu_ns()) : 0;
   *clocks_out = (struct pitot_correlation){
      .before_ns = reading.before_ns,
      .gpu_ns = pitot_ticks_to_ns(ticks, clock->info.frequency_hz),
      .after_ns = reading.after_ns,
   };
   return !is_guess;
}

uint64_t
pitot_clock_now_ns(struct pitot_clock *clock)
{
   struct pitot_correlation clocks;

   (void)pitot_clock_read(clock, &clocks);
   return clocks.gpu_ns;
}

bool
pitot_clock_has_slept(struct pitot_clock *clock, uint64_t suspend_count)
{
   pthread_mutex_lock(&clock->lock);
   const bool is_news =
      clock->is_started && suspend_count > clock->suspend_count;
   pthread_mutex_unlock(&clock->lock);
   return is_news;
}

bool
pitot_clock_has_restarted(const struct pitot_clock *clock)
{
   return load_qword(&clock->base_ticks) != 0;
}

bool
pitot_clock_take_restart(struct pitot_clock *clock,
                         unsigned *seen_restarts_inout)
{
   pthread_mutex_lock(&clock->lock);
   const unsigned restarts = clock->restart_count;
   pthread_mutex_unlock(&clock->lock);

   const bool is_news = restarts != *seen_restarts_inout;
   *seen_restarts_inout = restarts;
   return is_news;
}

uint64_t
pitot_clock_expect(struct pitot_clock *clock)
{
   if (!is_started(clock))
      return PITOT_TICKS_UNKNOWN;
   uint64_t now_ns = clock->info.cpu_ns();
   if (now_ns - load_qword(&clock->seen_cpu_ns) > MAX_AGE_NS) {
      refresh_clock(clock);
      now_ns = clock->info.cpu_ns(); /* not before a restart just found */
   }
   return expect_at(clock, now_ns);
}

/* Extends a sample that was recorded before the last restart, but may be of
 * the old or the new counter.  A sample of an even older counter has no known
 * time: returns the expected one, and makes times disjoint.
 */
static uint64_t
extend_old(struct pitot_clock *clock, uint64_t expected_ticks,
           uint64_t now_ticks, uint64_t counter)
{
   const uint64_t slack_ticks = ns_to_ticks(clock, SLACK_NS);
   uint64_t ticks;

   if (extend_counter(clock, expected_ticks,
                      load_qword(&clock->restart_ticks), slack_ticks,
                      clock->old_base_ticks, counter, &ticks) ||
       extend_counter(clock, expected_ticks, now_ticks, slack_ticks,
                      load_qword(&clock->base_ticks), counter, &ticks))
      return ticks;
   clock->restart_count++;
   return expected_ticks;
}

/* Extends a sample that was recorded after the last restart, right after the
 * counter was read.  If the sample does not fit, the GPU samples another
 * counter than the CPU reads.  Then the clock restarts at this sample,
 * halfway between its recording and now.
 */
static uint64_t
extend_new(struct pitot_clock *clock, uint64_t expected_ticks,
           uint64_t now_ticks, uint64_t counter)
{
   uint64_t ticks;

   if (!extend_counter(clock, expected_ticks, now_ticks,
                       ns_to_ticks(clock, SLACK_NS),
                       load_qword(&clock->base_ticks), counter, &ticks)) {
      ticks = expected_ticks +
              (uint64_t)((int64_t)(now_ticks - expected_ticks) / 2);
      restart_clock(clock, expected_ticks, ticks, counter);
   }
   return ticks;
}

/* Extends a sample that was recorded without an expected time, to the time
 * nearest to now.  After a restart the sample may be from either counter:
 * returns now, and makes times disjoint.
 */
static uint64_t
extend_unexpected(struct pitot_clock *clock, uint64_t now_ticks,
                  uint64_t counter)
{
   const uint64_t half_ticks = UINT64_MAX >> (65 - clock->info.width_bits);
   uint64_t ticks = now_ticks;

   if (pitot_clock_has_restarted(clock))
      clock->restart_count++;
   else
      (void)extend_counter(clock, now_ticks, 0, half_ticks, 0, counter,
                           &ticks);
   return ticks;
}

/* Slow path of pitot_clock_extend(): the sample does not fit, or was recorded
 * without an expected time.
 */
static PITOT_COLD uint64_t
extend_slow(struct pitot_clock *clock, uint64_t expected_ticks,
            uint64_t counter)
{
   uint64_t ticks;

   if (!is_started(clock))
      return counter;
   if (expected_ticks != PITOT_TICKS_UNKNOWN)
      refresh_clock(clock);

   pthread_mutex_lock(&clock->lock);
   const uint64_t now_ticks = expect_at(clock, clock->info.cpu_ns());
   if (expected_ticks == PITOT_TICKS_UNKNOWN)
      ticks = extend_unexpected(clock, now_ticks, counter);
   else if (may_be_old(clock, expected_ticks))
      ticks = extend_old(clock, expected_ticks, now_ticks, counter);
   else
      ticks = extend_new(clock, expected_ticks, now_ticks, counter);
   pthread_mutex_unlock(&clock->lock);
   return ticks;
}

uint64_t
pitot_clock_extend(struct pitot_clock *clock, uint64_t expected_ticks,
                   uint64_t sample_ticks)
{
   uint64_t ticks;

   if (expected_ticks != PITOT_TICKS_UNKNOWN &&
       !may_be_old(clock, expected_ticks) &&
       extend_counter(clock, expected_ticks,
                      expect_at(clock, clock->info.cpu_ns()),
                      ns_to_ticks(clock, SLACK_NS),
                      load_qword(&clock->base_ticks), sample_ticks, &ticks))
      return ticks;
   return extend_slow(clock, expected_ticks, sample_ticks);
}
