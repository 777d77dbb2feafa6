/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The clock of a context: times of the GPU's by CLOCK_MONOTONIC.
 */

#include <time.h>

#include "profile_priv.h"

/* Readings without a result at hand are no closer together: each powers the
 * GPU up.
 */
#define PERIOD_NS UINT64_C(15000000)

/* Times may contradict the CPU's by so much, because the clocks run less
 * evenly than the calibration assumes.
 */
#define MAX_EXCESS_NS UINT64_C(100000)

/* To read a clock takes a call of the kernel's at most.  One that takes so
 * long waits for the GPU, and is not read any more: the times of spans stand
 * in, each of which was recorded after its span was begun, and before it is
 * read.
 */
#define SLOW_NS UINT64_C(50000)

static bool
is_slow(const struct pitot_profile_clock *clock)
{
   return clock->calibration.usual_ns > SLOW_NS;
}

static uint64_t
read_cpu(void *data)
{
   (void)data;
   return pitot_profile_now_ns();
}

static uint64_t
read_gpu(void *data)
{
   struct pitot_profiled *profiled = data;

   return pitot_timestamp_ns(profiled->info.context);
}

void
pitot_profile_clock_init(struct pitot_profiled *profiled)
{
   const uint64_t tick_ns = profiled->info.tick_ns;

   pitot_calibration_init(&profiled->clock.calibration,
                          tick_ns ? tick_ns : PITOT_UNKNOWN_TICK_NS);
   pitot_profile_clock_read(profiled);
}

void
pitot_profile_clock_read(struct pitot_profiled *profiled)
{
   const struct pitot_profiled_info *info = &profiled->info;
   const struct pitot_clock_source source = { read_cpu, read_gpu, profiled };
   struct pitot_profile_clock *clock = &profiled->clock;
   struct pitot_correlation clocks;

   if (!info->correlate && !is_slow(clock))
      (void)pitot_calibration_read(&clock->calibration, &source);
   else if (info->correlate && info->correlate(info->data, &clocks))
      (void)pitot_calibration_add(&clock->calibration, &clocks);
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
   pitot_calibration_restart(&profiled->clock.calibration);
   pitot_profile_clock_read(profiled);
}

bool
pitot_profile_clock_convert(struct pitot_profiled *profiled, uint64_t gpu_ns,
                            uint64_t earliest_ns,
                            struct pitot_cpu_time *time_out)
{
   struct pitot_profile_clock *clock = &profiled->clock;
   struct pitot_calibration *calibration = &clock->calibration;
   const struct pitot_correlation clocks = { earliest_ns, gpu_ns,
                                             pitot_profile_now_ns() };

   /* An earlier time would look like a step back of the clock. */
   if (is_slow(clock) && gpu_ns > clock->latest_gpu_ns) {
      clock->latest_gpu_ns = gpu_ns;
      (void)pitot_calibration_add(calibration, &clocks);
   }
   return pitot_calibration_to_cpu(calibration, gpu_ns,
                                   earliest_ns - MAX_EXCESS_NS,
                                   clocks.after_ns + MAX_EXCESS_NS, time_out);
}
