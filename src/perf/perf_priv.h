/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Internal to src/perf.
 */

#ifndef PITOT_PERF_PRIV_H
#define PITOT_PERF_PRIV_H

#include "pitot/perf_gl.h"
#include "pitot_gl_call.h"
#include "pitot_perf_query.h"

/* time.c: the provider of "GPU Time". */
struct pitot_perf_time {
   struct pitot_perf_provider base;
   struct pitot_context *context;
   struct pitot_perf_set set;
   uint64_t wrap_period_ns; /* after this time the clock wraps; 0: never, or
                             * there is no CPU clock to notice it */
};

extern const struct pitot_perf_provider_ops pitot_perf_time_ops;

struct pitot_perf {
   struct pitot_perf_time time;
   struct pitot_perf_provider *providers; /* "GPU Time" is the last */
   struct pitot_perf_provider **last;     /* the link to "GPU Time" */
   bool is_listed;           /* the providers listed their sets */
   bool has_reported_hidden; /* sent the advice of providers */

   struct pitot_perf_group *groups; /* or NULL before they are listed */
   unsigned group_count;

   struct pitot_names handles;       /* of INTEL_performance_query */
   struct pitot_names monitors;      /* of AMD_performance_monitor */
   struct pitot_perf_query *queries; /* list of all queries and monitors */
   unsigned active_count;            /* of queries and monitors */
};

/*
 * query.c
 */

/* Destroys the idle and the abandoned measurements of a provider.  Waits for
 * the abandoned ones.
 */
void
pitot_perf_destroy_measurements(struct pitot_perf_provider *provider);

/* The query must not be active. */
void
pitot_perf_destroy_portions(struct pitot_perf_query *query);

/*
 * monitor.c
 */

/* No effect if the query has its portions.  Returns 0; -ENOMEM; or -EBUSY if
 * the counters can never be measured together.
 */
int
pitot_perf_create_portions(struct pitot_perf_query *query);

/*
 * entry.c: what the entry points of both extensions have in common
 */

/* Copies as much of a string as fits into size_B bytes, and terminates it; no
 * effect if out is NULL.  Returns the length of the copy.
 */
uint32_t
pitot_perf_copy_string(char *out, uint32_t size_B, const char *string);

/* If the kernel restricts counters, sends a debug message, once. */
void
pitot_perf_report_hidden(struct pitot_perf_gl *perf_gl);

/* Creates a query of a set, or a monitor if set is NULL, under a new name.
 * Returns NULL, and the name 0, if allocation fails.
 */
struct pitot_perf_query *
pitot_perf_add(struct pitot_perf *perf, struct pitot_names *names,
               struct pitot_perf_set *set, uint32_t *name_out);

/* Deletes the query of a name; ignores a name without a query. */
void
pitot_perf_remove(struct pitot_names *names, uint32_t name);

/* If the name has no query, generates INVALID_VALUE, as both specifications
 * require, and returns NULL.  argument: the parameter's name, for the error.
 */
struct pitot_perf_query *
pitot_perf_find(const struct pitot_gl_call *call,
                const struct pitot_names *names, const char *argument,
                uint32_t name);

/* Generates the error of a pitot_perf_query_begin() that failed. */
void
pitot_perf_check_begin(const struct pitot_gl_call *call,
                       const struct pitot_perf_query *query, int result);

void
pitot_perf_begin(const struct pitot_gl_call *call,
                 const struct pitot_names *names, const char *argument,
                 uint32_t name);

void
pitot_perf_end(const struct pitot_gl_call *call,
               const struct pitot_names *names, const char *argument,
               uint32_t name);

/* Waits for the records of an ended query.  In a debug context, reports a
 * long wait for "noun name (label)".
 */
void
pitot_perf_wait(const struct pitot_gl_call *call,
                struct pitot_perf_query *query, const char *noun,
                uint32_t name, const char *label);

#endif /* PITOT_PERF_PRIV_H */
