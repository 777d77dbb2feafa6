/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A provider over the null driver's counters: "Pipeline Statistics", and the
 * sets "Same" and "Alone", which count the same but do not overlap, as
 * hardware has them.
 */

#ifndef PITOT_TESTS_NULL_SETS_H
#define PITOT_TESTS_NULL_SETS_H

#include "pitot_perf_query.h"
#include "pitot_null.h"

#define NULL_SET_COUNT 3

struct null_sets {
   struct pitot_perf_provider base;
   struct pitot_null *null;
   struct pitot_perf_counter counters[PITOT_PERF_STATISTIC_COUNT];
};

/* Returns the provider, for pitot_perf_create(). */
struct pitot_perf_provider *
null_sets_init(struct null_sets *sets, struct pitot_null *null);

#endif /* PITOT_TESTS_NULL_SETS_H */
