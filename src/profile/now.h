/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The CPU's clock, for spans and hooks.
 */

#ifndef PITOT_PROFILE_NOW_H
#define PITOT_PROFILE_NOW_H

#include <stdint.h>
#include <time.h>

/* Returns CLOCK_MONOTONIC. */
static inline uint64_t
pitot_profile_now_ns(void)
{
   struct timespec now;

   clock_gettime(CLOCK_MONOTONIC, &now);
   return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

#endif /* PITOT_PROFILE_NOW_H */
