/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The clock of a context: times of the GPU's by CLOCK_MONOTONIC.
 */

#include <time.h>

#include "profile_priv.h"

/* Readings are no closer together. */
#define PERIOD_NS UINT64_C(5000000)

/* A time that contradicts the CPU's by more is not known. */
#define MAX_EXCESS_NS UINT64_C(100000)

uint64_t
pitot_profile_now_ns(void)
{
   struct timespec now;

   clock_gettime(CLOCK_MONOTONIC, &now);
   return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
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
   const struct pitot_clock_source source = { read_cpu, read_gpu, profiled };
   struct pitot_profile_clock *clock = &profiled->clock;
   const uint64_t now_ns = pitot_profile_now_ns();

   if (clock->read_ns && now_ns - clock->read_ns < PERIOD_NS)
      return;
   clock->read_ns = now_ns;
   (void)pitot_calibration_read(&clock->calibration, &source);
}

void
pitot_profile_clock_restart(struct pitot_profiled *profiled)
{
   pitot_calibration_restart(&profiled->clock.calibration);
   profiled->clock.read_ns = 0;
   pitot_profile_clock_read(profiled);
}

static uint64_t
distance_ns(uint64_t time_ns, uint64_t earliest_ns, uint64_t latest_ns)
{
   if (time_ns < earliest_ns)
      return earliest_ns - time_ns;
   return time_ns > latest_ns ? time_ns - latest_ns : 0;
}

/* Converts a time that contradicts the CPU's by a little: the clocks do not
 * run as evenly as the calibration assumes.  The contradiction is an error.
 */
static bool
convert_uneven(const struct pitot_calibration *calibration, uint64_t gpu_ns,
               uint64_t earliest_ns, uint64_t latest_ns,
               struct pitot_cpu_time *time_out)
{
   if (!pitot_calibration_to_cpu(calibration, gpu_ns, 0, UINT64_MAX,
                                 time_out))
      return false;
   const uint64_t excess_ns =
      distance_ns(time_out->ns, earliest_ns, latest_ns);
   time_out->error_ns += excess_ns;
   return excess_ns <= MAX_EXCESS_NS;
}

bool
pitot_profile_clock_convert(const struct pitot_profiled *profiled,
                            uint64_t gpu_ns, uint64_t earliest_ns,
                            struct pitot_cpu_time *time_out)
{
   const struct pitot_calibration *calibration = &profiled->clock.calibration;
   const uint64_t latest_ns = pitot_profile_now_ns();

   return pitot_calibration_to_cpu(calibration, gpu_ns, earliest_ns,
                                   latest_ns, time_out) ||
          convert_uneven(calibration, gpu_ns, earliest_ns, latest_ns,
                         time_out);
}
