/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Runs tests under schedules (sim/schedule.h), selected by the environment:
 *
 *    PITOT_SCHEDULED=1     under schedules, instead of without one
 *    PITOT_SCHEDULES=N     the seeds 1 to N, instead of DEFAULT_COUNT
 *    PITOT_SCHEDULE=SEED   that seed only
 *
 * A test that supports several GPUs uses another one with each seed.
 */

#ifndef PITOT_TESTS_SCHEDULES_H
#define PITOT_TESTS_SCHEDULES_H

#include <stdbool.h>
#include <stdint.h>

/* Runs a test for each seed, or once without schedules. */
void
schedules_run(void (*run)(void *data), void *data, bool is_long);

/* For a variant of a test: they share the seeds, each has at least one. */
void
schedules_run_variant(void (*run)(void *data), void *data, bool is_long,
                      unsigned variant, unsigned variant_count);

/* Whether to run one of the test's own variants: under a schedule a few, and
 * others with the next seed.
 */
bool
schedules_take(unsigned variant, unsigned variant_count);

/* The current seed, or 0. */
uint64_t
schedules_seed(void);

/* A cmocka teardown function: prints how to repeat a failure. */
int
schedules_tell(void **state);

#endif /* PITOT_TESTS_SCHEDULES_H */
