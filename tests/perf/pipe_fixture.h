/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Perf sets of a fake driver, with groups or with the hooks for Intel.
 */

#ifndef PITOT_TEST_PIPE_FIXTURE_H
#define PITOT_TEST_PIPE_FIXTURE_H

#include "fake_counters.h"
#include "perf/create.h"
#include "pitot_perf_pipe.h"
#include "listed.h"
#include "targets.h"

/* Of PITOT_PERF_STATISTICS_NAME; the fake driver has no mesh shaders. */
#define FAKE_STATISTIC_COUNT (EACH_STATISTIC_COUNT + 2)

struct fixture {
   struct fake_pipe fake;
   struct fake_intel *intel; /* NULL without hooks for Intel */
   struct pitot_pipe_client client;
   struct pitot_perf_pipe pipe;
   struct pitot_context *context;
   struct pitot_perf *perf;
   unsigned counting;
};

/* Starts again: a test may change the driver before sets are listed. */
void
reopen(struct fixture *f);

int
set_up_fake(void **state);

int
set_up_intel(void **state);

int
tear_down(void **state);

#define FAKE_TEST(NAME)                                                      \
   TEST_WITH(set_up_fake, tear_down, struct fixture *f, NAME)
#define INTEL_TEST(NAME)                                                     \
   TEST_WITH(set_up_intel, tear_down, struct fixture *f, NAME)

#define FAKE_TEST_EACH(NAME, INDEX, COUNT)                                   \
   TEST_EACH_WITH(set_up_fake, tear_down, struct fixture *f, NAME, INDEX,    \
                  COUNT)
#define INTEL_TEST_EACH(NAME, INDEX, COUNT)                                  \
   TEST_EACH_WITH(set_up_intel, tear_down, struct fixture *f, NAME, INDEX,   \
                  COUNT)

#endif /* PITOT_TEST_PIPE_FIXTURE_H */
