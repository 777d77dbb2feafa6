/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The GPU's clock beside the CPU's, on drivers whose clock is the CPU's.
 */

#include <inttypes.h>
#include <time.h>

#include "soak.h"

/* The longest tick of a GPU's clock. */
#define TICK_NS 1000

static int64_t
cpu_ns(void)
{
   struct timespec now;

   clock_gettime(CLOCK_MONOTONIC, &now);
   return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* The CPU's clock is read before and after the GPU's, which limits their
 * difference from both sides.  Without drift, one difference is within the
 * limits of all readings, however far apart a busy machine makes them.
 */
void
soak_clock(void)
{
   static int64_t least_ns = INT64_MIN, most_ns = INT64_MAX, last_ns;
   GLint64 gpu_ns;

   const int64_t before_ns = cpu_ns();
   glGetInteger64v(GL_TIMESTAMP, &gpu_ns);
   const int64_t after_ns = cpu_ns();

   if (gpu_ns < last_ns)
      soak_fail("the GPU's time went back by %" PRId64 " ns",
                last_ns - gpu_ns);
   last_ns = gpu_ns;
   if (gpu_ns - after_ns > least_ns)
      least_ns = gpu_ns - after_ns;
   if (gpu_ns - before_ns < most_ns)
      most_ns = gpu_ns - before_ns;
   if (least_ns > most_ns + TICK_NS)
      soak_fail("the GPU's clock has drifted by %" PRId64 " ns",
                least_ns - most_ns);
}
