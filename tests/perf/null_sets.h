/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A provider of the null driver's counters: "Pipeline Statistics", and the
 * sets "Same" and "Alone", which count the same but exclude each other, as
 * sets of one hardware unit do.
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

struct pitot_perf_provider *
null_sets_init(struct null_sets *sets, struct pitot_null *null);

#endif /* PITOT_TESTS_NULL_SETS_H */
