/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Random numbers that are the same on all machines: splitmix64.
 */

#ifndef PITOT_MODEL_RANDOM_H
#define PITOT_MODEL_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random {
   uint64_t state;
};

static inline uint64_t
random_next(struct random *random)
{
   uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);

   z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
   z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
   return z ^ (z >> 31);
}

static inline unsigned
random_below(struct random *random, unsigned count)
{
   return (random_next(random) >> 32) * count >> 32;
}

/* True with a probability in percent. */
static inline bool
random_percent(struct random *random, unsigned percent)
{
   return random_below(random, 100) < percent;
}

#endif /* PITOT_MODEL_RANDOM_H */
