/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A program that is profiled, on the null driver.
 */

#ifndef PITOT_TESTS_PROFILE_WORLD_H
#define PITOT_TESTS_PROFILE_WORLD_H

#include "fake_trace.h"
#include "perf/null_sets.h"
#include "pitot_perf_query.h"
#include "pitot_null.h"
#include "pitot_profile.h"
#include "profile_priv.h"
#include "test.h"

/* Of the variables of the environment, and the GPU. */
struct world_settings {
   const char *level, *frames, *counters;
   bool has_no_clock;
   bool is_executed_later;
   bool counts_one_by_one;
};

struct world {
   struct pitot_null null;
   struct null_sets sets;
   struct pitot_context *context; /* the profile's */
   struct pitot_perf *perf;
   struct pitot_profile *profile;
   struct pitot_profiled_info info;
   struct pitot_profiled *profiled;

   const char *pass; /* the name of the framebuffer */
   const char *work;
   unsigned fences;      /* not released */
   uint64_t fence_done;  /* the measurements up to this one are done */
   uint64_t cpu_only_ns; /* passed on the CPU's clock, not on the GPU's */
};

/* Sets the environment, without a file or anything else if NULL. */
void
world_set(const char *path, const struct world_settings *settings);

/* Creates a world, with a profiled context.  The GPU has done everything at
 * once.  Returns 0, or the error that creating the profiled context ended in;
 * or asserts that there is none.
 */
int
world_try(struct world *world, const struct world_settings *settings);
void
world_begin(struct world *world, const struct world_settings *settings);

/* Likewise, in the environment that there is. */
int
world_try_set(struct world *world);

/* Both steps of it: everything but the profile, and the profile. */
void
world_prepare(struct world *world, const struct world_settings *settings);
int
world_profile(struct world *world);

/* Destroys the profiled context, and what it is on. */
void
world_end_context(struct world *world);

/* Finishes the profile, too, which writes to the fake trace. */
void
world_end(struct world *world);

/* Finishes the profile as the end of the process does, and forgets it: the
 * next one is that of another process.
 */
void
world_end_process(void);

/* Sends work that takes so long, of as many samples, which comes so long
 * after the last one.
 */
void
world_work(struct world *world, enum pitot_profile_work work, uint64_t gap_ns,
           uint64_t duration_ns, uint64_t samples);

/* The CPU's clock is faster than the GPU's by this part. */
#define DRIFT_PART 10000

/* Returns CLOCK_MONOTONIC, which is ahead of the GPU's clock. */
uint64_t
world_cpu_ns(const struct world *world);

/* Has this thread's CLOCK_MONOTONIC be that of a world; it is that of the one
 * that the thread began last.
 */
void
world_use(const struct world *world);

/* The GPU's clock steps. */
void
world_step(struct world *world, int64_t step_ns);

void
world_flush(struct world *world, bool is_end_of_frame);

#endif /* PITOT_TESTS_PROFILE_WORLD_H */
