/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_DEMO_PERF_SET_H
#define PITOT_DEMO_PERF_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "context.h"
#include "scene.h"

/* The lengths that GL_INTEL_performance_query allows, with the 0. */
#define PERF_NAME_SIZE  256
#define PERF_ABOUT_SIZE 1024

/* A counter, as the driver describes it. */
struct perf_counter {
   char name[PERF_NAME_SIZE];
   char about[PERF_ABOUT_SIZE]; /* without the unit, which is part of it */
   char unit[32];               /* "" if the driver names none */
   GLenum type;
   GLenum data_type;
   GLuint offset_B; /* in the record */
   GLuint size_B;
   GLuint64 max_per_s; /* 0: unknown */
};

/* Counters that are measured together; GL calls this a query type. */
struct perf_set {
   GLuint id;
   char name[PERF_NAME_SIZE];
   bool is_global; /* counts what other contexts do as well */
   GLuint record_B;
   GLuint counter_count;
   struct perf_counter *counters;

   /* What it told of each scene, or NULL if it told nothing. */
   uint8_t *records[SCENE_COUNT];
};

struct perf_sets {
   unsigned count;
   struct perf_set *sets;
};

/* Asks the current context for all it can count. On failure, false and a line
 * of why in *why; then nothing is to be freed.
 */
bool
perf_sets_load(struct perf_sets *sets, const char **why);

void
perf_sets_free(struct perf_sets *sets);

/* The name of a counter's type, and of its data's. */
const char *
perf_type_name(const struct perf_counter *counter);

const char *
perf_data_name(const struct perf_counter *counter);

/* Whether the counter has fractions; then perf_real() reads it from a record,
 * and otherwise perf_integer().
 */
bool
perf_is_real(const struct perf_counter *counter);

double
perf_real(const struct perf_counter *counter, const uint8_t *record);

uint64_t
perf_integer(const struct perf_counter *counter, const uint8_t *record);

#endif
