/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The counters of GL_INTEL_performance_query.
 */

#ifndef PITOT_DEMO_PERF_H
#define PITOT_DEMO_PERF_H

#include <stdbool.h>

#include <epoxy/gl.h>

/* The lengths that the extension allows, with the 0. */
#define PERF_NAME_SIZE  256
#define PERF_ABOUT_SIZE 1024

/* A counter, as the driver describes it. */
struct perf_counter {
   char name[PERF_NAME_SIZE];
   char about[PERF_ABOUT_SIZE]; /* without the unit, which is part of it */
   char unit[32];               /* "" if the driver names none */
   GLenum data_type;
   GLuint offset_B; /* in the record */
   GLuint size_B;
};

/* Counters that are measured together; GL calls this a query type. */
struct perf_set {
   GLuint id;
   char name[PERF_NAME_SIZE];
   GLuint record_B;
   GLuint counter_count;
   struct perf_counter *counters;
};

struct perf_sets {
   unsigned count;
   struct perf_set *sets;
};

/* Asks the driver of the current context for all perf sets. Returns NULL, or
 * a line that says why there is none.
 */
const char *
perf_load(struct perf_sets *sets);

void
perf_free(struct perf_sets *sets);

/* Returns a perf query, or 0 if the driver does not measure the set now. */
GLuint
perf_begin(const struct perf_set *set);

/* The query may be 0. A flush has to follow. */
void
perf_end(GLuint query);

/* Reads the values of a set's counters if they are available, and deletes the
 * query. Returns whether they were. They are NAN if the driver lost them, and
 * of a query that is 0. Values above 2^53 are rounded.
 */
bool
perf_poll(const struct perf_set *set, GLuint query, double *values);

#endif
