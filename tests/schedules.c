/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "schedules.h"
#include "sim/schedule.h"

#define DEFAULT_COUNT 1000

/* A test takes no more of its variants at once. */
#define MAX_VARIANTS 8

/* A test of many queries gets so many times fewer schedules. */
#define LONG_SHARE 100

static uint64_t
number(const char *name, uint64_t otherwise)
{
   const char *value = getenv(name);

   return value != NULL ? strtoull(value, NULL, 0) : otherwise;
}

/* The seed is known as long as the test has not come to its end. */
static void
run_seed(void (*run)(void *data), void *data, uint64_t seed)
{
   sim_next_seed = seed;
   run(data);
   sim_next_seed = 0;
}

/* Returns whether tests run under schedules, more than one of them. */
static bool
is_scheduled(void)
{
   return getenv("PITOT_SCHEDULED") != NULL &&
          number("PITOT_SCHEDULE", 0) == 0;
}

/* Returns the first seed, and the last one.  Without any, all tests would
 * pass.
 */
static uint64_t
read_range(uint64_t *last)
{
   const char *value = getenv("PITOT_SCHEDULES");
   const char *dash = value != NULL ? strchr(value, '-') : NULL;
   const uint64_t first = dash != NULL ? number("PITOT_SCHEDULES", 1) : 1;

   *last = dash != NULL ? strtoull(dash + 1, NULL, 0)
                        : number("PITOT_SCHEDULES", DEFAULT_COUNT);
   if (first == 0 || first > *last) {
      fprintf(stderr, "PITOT_SCHEDULES=%s: there is no such seed\n", value);
      exit(2);
   }
   return first;
}

/* Returns the first seed of a variant, and the last one of all. */
static uint64_t
find_seeds(unsigned variant, unsigned variant_count, uint64_t *last)
{
   uint64_t seed = read_range(last);

   while (seed % variant_count != (variant + 1) % variant_count)
      seed++;
   return seed;
}

void
schedules_run_variant(void (*run)(void *data), void *data, bool is_long,
                      unsigned variant, unsigned variant_count)
{
   const uint64_t step = variant_count * (is_long ? LONG_SHARE : 1);
   uint64_t last;

   if (!is_scheduled()) {
      run_seed(run, data, number("PITOT_SCHEDULE", 0));
      return;
   }
   for (uint64_t seed = find_seeds(variant, variant_count, &last);
        seed <= last; seed += step)
      run_seed(run, data, seed);
}

bool
schedules_reach(unsigned variant, unsigned variant_count)
{
   uint64_t last;

   return !is_scheduled() ||
          find_seeds(variant, variant_count, &last) <= last;
}

void
schedules_run(void (*run)(void *data), void *data, bool is_long)
{
   schedules_run_variant(run, data, is_long, 0, 1);
}

bool
schedules_take(unsigned variant, unsigned variant_count)
{
   const unsigned step = (variant_count + MAX_VARIANTS - 1) / MAX_VARIANTS;

   return sim_next_seed == 0 || variant % step == sim_next_seed % step;
}

uint64_t
schedules_seed(void)
{
   return sim_next_seed;
}

int
schedules_tell(void **state)
{
   (void)state;
   if (sim_next_seed != 0)
      printf("# PITOT_SCHEDULE=%" PRIu64 " fails:\n", sim_next_seed);
   sim_next_seed = 0;
   return 0;
}
