/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The GPU's clock beside the CPU's.  The GPU is read between two readings of
 * the CPU's clock: it was read at some moment in between, hence at the middle
 * but for half of what lies between them.  The narrowest of several pairs is
 * the one that nothing interrupted.
 */

#include <time.h>

#include "drm_priv.h"

#define ATTEMPT_COUNT 16

#define NS_PER_S UINT64_C(1000000000)

static uint64_t
cpu_time_ns(void)
{
   struct timespec now;

   clock_gettime(CLOCK_MONOTONIC, &now);
   return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static int
bracket(struct pitot_drm_device *device, struct pitot_drm_calibration *pair)
{
   const uint64_t before_ns = cpu_time_ns();
   const int result = pitot_drm_timestamp(device, &pair->gpu_ticks);
   const uint64_t after_ns = cpu_time_ns();
   const uint64_t between_ns = after_ns - before_ns;

   /* The GPU's own clock says no more than one of its ticks. */
   const uint64_t tick_ns = NS_PER_S / device->gpu.timestamp_hz + 1;

   pair->cpu_ns = before_ns + between_ns / 2;
   pair->error_ns = (between_ns + 1) / 2 + tick_ns;
   return result;
}

int
pitot_drm_calibrate(struct pitot_drm_device *device,
                    struct pitot_drm_calibration *calibration_out)
{
   struct pitot_drm_calibration best = { .error_ns = UINT64_MAX };

   for (unsigned i = 0; i < ATTEMPT_COUNT; i++) {
      struct pitot_drm_calibration pair;
      const int result = bracket(device, &pair);

      if (result != 0)
         return result;
      if (pair.error_ns < best.error_ns)
         best = pair;
   }

   *calibration_out = best;
   return 0;
}
