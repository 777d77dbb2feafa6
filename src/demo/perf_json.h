/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_DEMO_PERF_JSON_H
#define PITOT_DEMO_PERF_JSON_H

#include <jansson.h>

#include "perf_set.h"

/* An array of the sets and their counters. */
json_t *
perf_sets_json(const struct perf_sets *sets);

/* An object of what each set told of a scene: values by the counters' names,
 * or null.
 */
json_t *
perf_values_json(const struct perf_sets *sets, unsigned scene);

#endif
