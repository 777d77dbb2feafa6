/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The clock of a context, from the GPU's time to the CPU's.
 */

#include <inttypes.h>
#include <time.h>

#include "profile_priv.h"

#define PERIOD_NS UINT64_C(5000000)
#define TRY_COUNT 3

uint64_t
pitot_profile_now_ns(void)
{
   struct timespec now;

   clock_gettime(CLOCK_MONOTONIC, &now);
   return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void
pitot_profile_clock_read(struct pitot_profiled *profiled)
{
   struct pitot_profile_clock *clock = &profiled->clock;
   const uint64_t now_ns = pitot_profile_now_ns();
   uint64_t best_ns = UINT64_MAX;

   if (clock->is_known && now_ns - clock->read_ns < PERIOD_NS)
      return;
   clock->read_ns = now_ns;
   for (unsigned i = 0; i < TRY_COUNT; i++) {
      const uint64_t before_ns = pitot_profile_now_ns();
      const uint64_t gpu_ns = pitot_timestamp_ns(profiled->info.context);
      const uint64_t after_ns = pitot_profile_now_ns();

      if (gpu_ns == 0 || after_ns - before_ns >= best_ns)
         continue;
      best_ns = after_ns - before_ns;
      clock->offset_ns = (int64_t)(before_ns + best_ns / 2 - gpu_ns);
      clock->error_ns = best_ns;
      clock->is_known = true;
   }
}

void
pitot_profile_clock_restart(struct pitot_profiled *profiled)
{
   profiled->clock.is_known = false;
   pitot_profile_clock_read(profiled);
}

uint64_t
pitot_profile_clock_to_cpu(struct pitot_profiled *profiled, uint64_t gpu_ns)
{
   return profiled->clock.is_known
             ? gpu_ns + (uint64_t)profiled->clock.offset_ns
             : 0;
}
