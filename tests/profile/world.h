/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A profiled program on the null driver.
 */

#ifndef PITOT_TESTS_PROFILE_WORLD_H
#define PITOT_TESTS_PROFILE_WORLD_H

#include "fake_trace.h"
#include "listed.h"
#include "perf/null_sets.h"
#include "pitot_perf_query.h"
#include "pitot_null.h"
#include "pitot_profile.h"
#include "profile_priv.h"

/* Environment variables, and properties of the GPU. */
struct world_settings {
   const char *level, *frames, *counters;
   bool has_no_clock;
   bool is_executed_later;
   bool counts_one_by_one;
};

extern const struct world_settings at_frame, at_pass, at_draw;

struct world {
   struct pitot_null null;
   struct pitot_driver_ops ops; /* of null */
   struct null_sets sets;
   struct pitot_context *context;
   struct pitot_perf *perf;
   struct pitot_profile *profile;
   struct pitot_profiled_info info;
   struct pitot_profiled *profiled;

   const char *pass; /* the framebuffer's name */
   const char *work;
   unsigned fences;      /* not released yet */
   uint64_t fence_done;  /* measurements up to this one are done */
   uint64_t cpu_only_ns; /* extra time of the CPU's clock alone */
};

/* What is written to stderr from here on; the result is valid until the next
 * call.
 */
void
world_listen(void);
const char *
world_said(void);

/* Sets the environment; path may be NULL. */
void
world_set(const char *path, const struct world_settings *settings);

/* The GPU does all work immediately.  Returns the context's error;
 * world_begin() asserts that there is none.
 */
int
world_try(struct world *world, const struct world_settings *settings);
void
world_begin(struct world *world, const struct world_settings *settings);

/* world_try() with the current environment. */
int
world_try_set(struct world *world);

/* A test in a world that has begun at_pass. */
#define WORLD_TEST(NAME)                                                     \
   TEST_WITH(world_set_up, NULL, struct world *world, NAME)

int
world_set_up(void **state);

/* The two steps of world_try(). */
void
world_prepare(struct world *world, const struct world_settings *settings);
int
world_profile(struct world *world);

/* Destroys the profiled context, and all below it. */
void
world_end_context(struct world *world);

/* Finishes the profile as well, which writes to the fake trace. */
void
world_end(struct world *world);

/* As at process exit: the next profile belongs to another process. */
void
world_end_process(void);

/* Sends work after a gap, with a duration and a number of samples. */
void
world_work(struct world *world, enum pitot_profile_work work, uint64_t gap_ns,
           uint64_t duration_ns, uint64_t samples);

/* The CPU's clock is faster than the GPU's by 1/DRIFT_PART. */
#define DRIFT_PART 10000

/* CLOCK_MONOTONIC, which is ahead of the GPU's clock. */
uint64_t
world_cpu_ns(const struct world *world);

/* By default, CLOCK_MONOTONIC of the world that the thread began last. */
void
world_use(const struct world *world);

/* The GPU completes measurements up to done only. */
void
world_hold(struct world *world, uint64_t done);

/* The GPU's clock jumps. */
void
world_step(struct world *world, int64_t step_ns);

void
world_flush(struct world *world, bool is_end_of_frame);

#endif /* PITOT_TESTS_PROFILE_WORLD_H */
