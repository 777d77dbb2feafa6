/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared inside perf only.
 */

#ifndef PITOT_PERF_PRIV_H
#define PITOT_PERF_PRIV_H

#include "pitot/perf.h"
#include "pitot/perf_handles.h"

/* time.c: the provider of "GPU Time". */
struct pitot_perf_time {
   struct pitot_perf_provider base;
   struct pitot_context *context;
   struct pitot_perf_set set;
   uint64_t wrap_period_ns; /* after which the clock wraps unseen; 0: never */
};

extern const struct pitot_perf_provider_ops pitot_perf_time_ops;

struct pitot_perf {
   struct pitot_perf_time time;
   struct pitot_perf_provider *providers; /* "GPU Time" is the last */
   struct pitot_perf_provider **last;
   bool is_listed;
   bool has_told_hidden; /* counters */

   struct pitot_perf_group *groups; /* or NULL before they are listed */
   unsigned group_count;

   struct pitot_perf_handles queries;
   struct pitot_perf_query *unnamed; /* those without a handle, or NULL */
};

/*
 * measurement.c
 */

void
pitot_perf_measurement_destroy(struct pitot_perf_measurement *measurement);

/* Creates the fence of a measurement that has ended, unless it has one. */
void
pitot_perf_measurement_create_fence(
   struct pitot_perf_measurement *measurement);

/* Gives up a measurement in flight. */
void
pitot_perf_measurement_give_up(struct pitot_perf_set *set,
                               struct pitot_perf_measurement *measurement);

/* Reads a record as pitot_perf_provider_ops.read does.  A measurement without
 * a fence is asked for even with PITOT_PERF_DONT_FLUSH, since nothing else
 * knows.
 */
int
pitot_perf_measurement_read(struct pitot_perf_measurement *measurement,
                            enum pitot_perf_flush flush, void *record_out);

/* Returns a measurement for a query without waiting: the oldest that was
 * given up if it is available, or a new one.  Those that will never be
 * available are destroyed on the way.  A query without a record has room to
 * read them to.
 */
struct pitot_perf_measurement *
pitot_perf_measurement_take(struct pitot_perf_query *query);

/* Destroys the measurements of a set that were given up. */
void
pitot_perf_destroy_given_up(struct pitot_perf_set *set);

/* Destroys those of them that the GPU has passed, which waits for nothing. */
void
pitot_perf_destroy_passed(struct pitot_perf_set *set);

/* Gives the measurements of a set that were given up to the provider, so that
 * the set can go.
 */
void
pitot_perf_leave_given_up(struct pitot_perf_set *set);

/*
 * query.c
 */

/* Creates a query without a handle. */
struct pitot_perf_query *
pitot_perf_query_create_unnamed(struct pitot_perf *perf,
                                struct pitot_perf_set *set);

/* Gives up the measurement of a query that is not active, if it is
 * in flight, so that the query is idle.
 */
void
pitot_perf_query_drop(struct pitot_perf_query *query);

#endif /* PITOT_PERF_PRIV_H */
