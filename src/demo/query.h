/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Measuring in an application, to copy from: query.c has query objects and
 * perf.c the counters of GL_INTEL_performance_query. Both work on the current
 * context and need nothing else of this program. measure.c uses them.
 */

#ifndef PITOT_DEMO_QUERY_H
#define PITOT_DEMO_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include <epoxy/gl.h>

/* Prints one line on stderr and ends the program with status 1. */
_Noreturn void
fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Fails if a GL error was raised. The message names the step. */
void
check_gl(const char *step);

#define QUERIES_MAX 128

/* The queries of a context. The entry points are the same few in desktop GL
 * and in the two OpenGL ES extensions, but for the end of their names.
 */
struct queries {
   const char *extension; /* where the entry points come from */
   bool has_disjoint;     /* GL_GPU_DISJOINT_EXT can be read */

   PFNGLGENQUERIESPROC gen;
   PFNGLDELETEQUERIESPROC remove;
   PFNGLBEGINQUERYPROC begin;
   PFNGLENDQUERYPROC end;
   PFNGLQUERYCOUNTERPROC counter;
   PFNGLGETQUERYIVPROC get;
   PFNGLGETQUERYOBJECTUIVPROC get_uint;
   PFNGLGETQUERYOBJECTUI64VPROC get_uint64;

   /* Queries that have been issued, and where each result belongs. */
   unsigned pending_count;
   struct pending_query {
      GLuint id;
      uint64_t *result;
   } pending[QUERIES_MAX];
};

/* Loads the entry points. Returns false where there are no timer queries. */
bool
query_load(struct queries *queries);

/* Returns how many bits the results of a target have. Returns 0 if the
 * context does not have the target.
 */
int
query_bits(const struct queries *queries, GLenum target);

/* Begins a query, or notes the time at which the GPU gets here. The result
 * goes to *result when it is collected.
 */
void
query_begin(struct queries *queries, GLenum target, uint64_t *result);

void
query_timestamp(struct queries *queries, uint64_t *result);

/* Reads all results. Stalls only for those that are late beyond reason. */
void
query_collect(struct queries *queries);

/* Returns whether the clock was disturbed since the last read, for example
 * because the GPU changed its frequency or the machine went to sleep.
 */
bool
query_read_disjoint(const struct queries *queries);

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
   bool is_global; /* counts for other contexts as well */
   GLuint record_B;
   GLuint counter_count;
   struct perf_counter *counters;
};

/* The number of perf sets that are measured. Drivers of AMD's GPUs list
 * thousands, of raw counters, which would take a minute and sixty thousand
 * lines.
 */
#define PERF_SETS_MAX 64

struct perf_sets {
   unsigned count;
   struct perf_set *sets;
   const struct perf_set *time_set; /* "GPU Time", or NULL */
};

/* Asks the driver for all perf sets. Returns NULL, or a line that says why
 * there is none; then nothing is to be freed.
 */
const char *
perf_load(struct perf_sets *sets);

/* Returns whether a set is measured: the first ones are, and that of times.
 */
bool
perf_is_measured(const struct perf_sets *sets, unsigned index);

void
perf_free(struct perf_sets *sets);

/* A measurement with a perf set. */
struct perf_query {
   const struct perf_set *set;
   GLuint handle;
   uint8_t *record; /* the caller's to free; NULL if nothing was measured */
   bool has_ended;
};

struct perf_query
perf_create(const struct perf_set *set);

/* Begins queries up to the first one that the driver does not measure beside
 * those before it. Returns how many it began.
 */
unsigned
perf_begin(struct perf_query *queries, unsigned count);

/* Ends so many active queries. A flush has to follow. */
void
perf_end(struct perf_query *queries, unsigned count);

/* Reads the records of all queries, and deletes the queries. Stalls only for
 * records that are late beyond reason.
 */
void
perf_collect(struct perf_query *queries, unsigned count);

/* Returns the time in a record of the set "GPU Time". It is 0 if there is no
 * record.
 */
int64_t
perf_elapsed_ns(const struct perf_query *query);

/* The value of a counter: a fraction or an integer, as its data type says.
 * It is 0 if there is no record.
 */
struct perf_value {
   bool is_real;
   double real;
   uint64_t integer;
};

struct perf_value
perf_read(const struct perf_counter *counter, const uint8_t *record);

#endif
