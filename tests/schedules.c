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

/* The maximum number of variants at a time. */
#define MAX_VARIANTS 8

/* A test of many queries runs this many times fewer schedules. */
#define LONG_SHARE 100

static uint64_t
number(const char *name, uint64_t otherwise)
{
   const char *value = getenv(name);

   return value != NULL ? strtoull(value, NULL, 0) : otherwise;
}

/* The seed stays set if the test fails. */
static void
run_seed(void (*run)(void *data), void *data, uint64_t seed)
{
   sim_next_seed = seed;
   run(data);
   sim_next_seed = 0;
}

/* Whether tests run under several schedules. */
static bool
is_scheduled(void)
{
   return getenv("PITOT_SCHEDULED") != NULL &&
          number("PITOT_SCHEDULE", 0) == 0;
}

/* The last seed.  It must not be 0, since no seeds would pass. */
static uint64_t
last_seed(void)
{
   const uint64_t last = number("PITOT_SCHEDULES", DEFAULT_COUNT);

   if (last == 0) {
      fputs("PITOT_SCHEDULES: not a number above 0\n", stderr);
      exit(2);
   }
   return last;
}

void
schedules_run_variant(void (*run)(void *data), void *data, bool is_long,
                      unsigned variant, unsigned variant_count)
{
   const uint64_t step = variant_count * (is_long ? LONG_SHARE : 1);

   if (!is_scheduled()) {
      run_seed(run, data, number("PITOT_SCHEDULE", 0));
      return;
   }
   const uint64_t last = last_seed();
   uint64_t seed = variant + 1;

   do
      run_seed(run, data, seed);
   while ((seed += step) <= last);
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
