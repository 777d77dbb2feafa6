/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_DEMO_PERF_MEASURE_H
#define PITOT_DEMO_PERF_MEASURE_H

#include "perf_set.h"
#include "scene.h"

/* Measures the scenes that are loaded with each of the sets. */
void
perf_measure(struct perf_sets *sets,
             const struct loaded_scene loaded[SCENE_COUNT]);

#endif
