/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Runs tests under schedules (sim/schedule.h).  The environment says which:
 *
 *    PITOT_SCHEDULED=1     under schedules, rather than without one
 *    PITOT_SCHEDULES=N     under the seeds 1 to N, rather than DEFAULT_COUNT
 *    PITOT_SCHEDULE=SEED   under that seed only
 *
 * A test that can take one of many GPUs takes another one with each seed.
 */

#ifndef PITOT_TESTS_SCHEDULES_H
#define PITOT_TESTS_SCHEDULES_H

#include <stdbool.h>
#include <stdint.h>

/* Runs a test for each seed, or once without any. */
void
schedules_run(void (*run)(void *data), void *data, bool is_long);

/* Does the same for one of so many variants of a test, which share the seeds:
 * each has at least one.
 */
void
schedules_run_variant(void (*run)(void *data), void *data, bool is_long,
                      unsigned variant, unsigned variant_count);

/* Returns whether a test takes one of its own variants, of so many: all of
 * them, or under a schedule a few, and others with the next seed.
 */
bool
schedules_take(unsigned variant, unsigned variant_count);

/* Returns the seed that the test runs under, or 0. */
uint64_t
schedules_seed(void);

/* A teardown function of cmocka's: tells how a failure can be repeated. */
int
schedules_tell(void **state);

#endif /* PITOT_TESTS_SCHEDULES_H */
