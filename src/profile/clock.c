/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Converts GPU timestamps of a context to CLOCK_MONOTONIC.
 *
 * A clock sample has the times of both clocks at one moment.  A timestamp
 * between two samples is interpolated linearly; its error is the larger of
 * their errors.  A sample that contradicts the one before it begins a new
 * epoch, because the GPU's clock restarted.  Never interpolate between
 * epochs.
 */

#include <stdlib.h>
#include <string.h>

#include "profile_priv.h"

/* The minimum distance of samples that are not for a result, because each of
 * them powers the GPU up.
 */
#define PERIOD_NS UINT64_C(15000000)

/* The rates of the two clocks differ by less than one part in MAX_DRIFT_PART.
 * A larger difference, beyond MIN_STEP_NS, means that the GPU's clock
 * restarted.
 */
#define MAX_DRIFT_PART 100
#define MIN_STEP_NS    100000

/* Reading a clock takes one system call at most.  If it takes this long, it
 * waits for the GPU: stop reading, and use the timestamps of spans as
 * samples.  The GPU wrote each of them after the CPU began the span, and
 * before the CPU reads the result.  Only the best recent one is kept, because
 * the errors of two are too large to interpolate between them.
 */
#define SLOW_NS UINT64_C(50000)

/* Crystals differ by less than one part in CRYSTAL_PART.  Before the oldest
 * and after the newest sample, assume equal rates, and let the error grow by
 * that part of the distance.
 */
#define CRYSTAL_PART 1000

/* A reading that was interrupted has a large error.  Read again if it took
 * more than 1.5 times as long as the shortest reading.
 */
#define MAX_TRIES 4

static uint64_t
duration_ns(const struct pitot_correlation *clocks)
{
   return clocks->after_ns - clocks->before_ns;
}

/* Returns false if the GPU's clock cannot be read. */
static bool
read_clocks(struct pitot_profiled *profiled,
            struct pitot_correlation *best_out)
{
   struct pitot_profile_clock *clock = &profiled->clock;
   const uint64_t good_ns = clock->least_ns + clock->least_ns / 2;
   uint64_t best_ns = UINT64_MAX;

   for (unsigned i = 0; i < MAX_TRIES && best_ns > good_ns; i++) {
      struct pitot_correlation clocks;

      clocks.before_ns = pitot_profile_now_ns();
      clocks.gpu_ns = pitot_timestamp_ns(profiled->info.context);
      clocks.after_ns = pitot_profile_now_ns();
      if (clocks.gpu_ns == 0)
         return false;
      if (duration_ns(&clocks) < best_ns) {
         best_ns = duration_ns(&clocks);
         *best_out = clocks;
      }
   }
   if (best_ns < clock->least_ns || clock->least_ns == 0)
      clock->least_ns = best_ns;
   clock->is_slow = best_ns > SLOW_NS;
   return true;
}

/* Returns whether the GPU's clock restarted between two samples. */
static bool
is_step(const struct pitot_profile_sample *from,
        const struct pitot_profile_sample *to)
{
   const int64_t cpu_ns = (int64_t)(to->cpu_ns - from->cpu_ns);
   const int64_t gpu_ns = (int64_t)(to->gpu_ns - from->gpu_ns);
   const int64_t max_ns = (int64_t)(from->error_ns + to->error_ns) +
                          llabs(cpu_ns) / MAX_DRIFT_PART + MIN_STEP_NS;

   return gpu_ns < cpu_ns - max_ns || gpu_ns > cpu_ns + max_ns;
}

/* Returns whether a sample has a larger error than an older one, although the
 * error of the older one grows with its age.
 */
static bool
is_worse(const struct pitot_profile_sample *sample,
         const struct pitot_profile_sample *older)
{
   const int64_t age_ns = (int64_t)(sample->cpu_ns - older->cpu_ns);

   return (int64_t)sample->error_ns >
          (int64_t)older->error_ns + age_ns / CRYSTAL_PART;
}

/* Adds a sample.  Replaces the newest one if the new one is less than
 * PERIOD_NS after the one before that.  A slow clock keeps one sample.
 */
static void
add_sample(struct pitot_profile_clock *clock,
           const struct pitot_correlation *clocks)
{
   struct pitot_profile_sample sample = {
      .gpu_ns = clocks->gpu_ns,
      .cpu_ns = clocks->before_ns + duration_ns(clocks) / 2,
      .error_ns = (duration_ns(clocks) + 1) / 2,
      .epoch = 1,
   };

   if (clock->sample_count > 0) {
      const struct pitot_profile_sample *newest =
         &clock->samples[clock->sample_count - 1];
      const bool is_new = clock->is_restarting || is_step(newest, &sample);

      sample.epoch = newest->epoch + is_new;
      if (clock->is_slow) {
         if (!is_new && is_worse(&sample, newest))
            return;
         clock->sample_count = 0;
      } else if (!is_new && clock->sample_count > 1 &&
                 newest[-1].epoch == sample.epoch &&
                 sample.cpu_ns - newest[-1].cpu_ns < PERIOD_NS) {
         clock->sample_count--;
      }
   }
   clock->is_restarting = false;
   if (clock->sample_count == PITOT_PROFILE_MAX_SAMPLES)
      memmove(&clock->samples[0], &clock->samples[1],
              --clock->sample_count * sizeof(sample));
   clock->samples[clock->sample_count++] = sample;
}

void
pitot_profile_clock_read(struct pitot_profiled *profiled)
{
   const struct pitot_profiled_info *info = &profiled->info;
   struct pitot_profile_clock *clock = &profiled->clock;
   struct pitot_correlation clocks;

   if (info->correlate ? info->correlate(info->data, &clocks)
                       : !clock->is_slow && read_clocks(profiled, &clocks))
      add_sample(clock, &clocks);
   clock->read_ns = pitot_profile_now_ns();
}

void
pitot_profile_clock_keep(struct pitot_profiled *profiled, uint64_t now_ns)
{
   if (now_ns - profiled->clock.read_ns >= PERIOD_NS)
      pitot_profile_clock_read(profiled);
}

void
pitot_profile_clock_restart(struct pitot_profiled *profiled)
{
   profiled->clock.is_restarting = true;
   pitot_profile_clock_read(profiled);
}

/* Interpolates.  Returns false if the time is not between the samples. */
static bool
place_on_line(const struct pitot_profile_sample *from,
              const struct pitot_profile_sample *to, uint64_t gpu_ns,
              struct pitot_profile_time *time_out)
{
   const double slope = (double)(to->cpu_ns - from->cpu_ns) /
                        (double)(to->gpu_ns - from->gpu_ns);

   if (gpu_ns < from->gpu_ns || gpu_ns >= to->gpu_ns)
      return false;
   time_out->ns = from->cpu_ns +
                  (uint64_t)(slope * (double)(gpu_ns - from->gpu_ns) + 0.5);
   time_out->error_ns =
      from->error_ns > to->error_ns ? from->error_ns : to->error_ns;
   time_out->epoch = from->epoch;
   return true;
}

/* Converts a timestamp after the sample from, or before the sample to, with
 * equal rates.  One of them may be NULL, or the two are of different epochs.
 */
static bool
place_beside(const struct pitot_profile_sample *from,
             const struct pitot_profile_sample *to, uint64_t gpu_ns,
             struct pitot_profile_time *time_out)
{
   const uint64_t length_ns =
      from && to ? to->cpu_ns - from->cpu_ns : INT64_MAX;
   const bool is_after = from && gpu_ns - from->gpu_ns <= length_ns;
   const struct pitot_profile_sample *near = is_after ? from : to;

   if (!is_after && (!to || to->gpu_ns - gpu_ns > length_ns))
      return false;

   const int64_t after_ns = (int64_t)(gpu_ns - near->gpu_ns);

   time_out->ns = near->cpu_ns + (uint64_t)after_ns;
   time_out->error_ns =
      from && to ? length_ns
                 : near->error_ns + (uint64_t)llabs(after_ns) / CRYSTAL_PART;
   time_out->epoch = near->epoch;
   return true;
}

/* After a restart, the GPU's clock may have had the same time twice: use the
 * conversion with the smaller error, or of equal ones the earlier.
 */
bool
pitot_profile_clock_place(struct pitot_profiled *profiled, uint64_t gpu_ns,
                          uint64_t earliest_ns,
                          struct pitot_profile_time *time_out)
{
   struct pitot_profile_clock *clock = &profiled->clock;
   const struct pitot_correlation window = { earliest_ns, gpu_ns,
                                             pitot_profile_now_ns() };
   bool is_placed = false;

   if (clock->is_slow)
      add_sample(clock, &window);
   for (unsigned i = clock->sample_count; clock->sample_count > 0; i--) {
      const struct pitot_profile_sample *to =
         i < clock->sample_count ? &clock->samples[i] : NULL;
      const struct pitot_profile_sample *from =
         i > 0 ? &clock->samples[i - 1] : NULL;
      const bool is_line = from && to && from->epoch == to->epoch;
      struct pitot_profile_time time = { 0 };

      if ((to || !clock->is_restarting) &&
          (is_line ? place_on_line : place_beside)(from, to, gpu_ns, &time) &&
          time.ns + time.error_ns + MIN_STEP_NS >= earliest_ns &&
          time.ns <= window.after_ns + time.error_ns + MIN_STEP_NS &&
          (!is_placed || time.error_ns <= time_out->error_ns)) {
         *time_out = time;
         is_placed = true;
      }
      if (!from || from->cpu_ns + MIN_STEP_NS < earliest_ns)
         break;
   }
   return is_placed;
}
