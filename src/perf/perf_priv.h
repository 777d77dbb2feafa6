/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared inside perf only.
 */

#ifndef PITOT_PERF_PRIV_H
#define PITOT_PERF_PRIV_H

#include "pitot_perf_query.h"
#include "pitot_perf_monitor.h"

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

   struct pitot_names handles;       /* of queries, for applications */
   struct pitot_names monitors;      /* those of AMD_performance_monitor */
   struct pitot_perf_query *queries; /* all of them, or NULL */
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

/* Takes a measurement, which is not active, from its query: another one may
 * measure with it.
 */
void
pitot_perf_measurement_drop(struct pitot_perf_measurement *measurement,
                            bool is_in_flight);

/* Reads a record as pitot_perf_provider_ops.read does.  A measurement without
 * a fence is asked for even with PITOT_PERF_DONT_FLUSH, since nothing else
 * knows.
 */
int
pitot_perf_measurement_read(struct pitot_perf_measurement *measurement,
                            enum pitot_perf_flush flush, void *record_out);

/* Returns an idle measurement of a set, or a new one; NULL without memory. */
struct pitot_perf_measurement *
pitot_perf_measurement_take(struct pitot_perf_set *set);

/* Destroys the idle measurements of a set. */
void
pitot_perf_destroy_idle(struct pitot_perf_set *set);

/* Destroys the abandoned measurements of a provider that cannot overlap a set;
 * all of them if wanted is NULL.  Waits for them.
 */
void
pitot_perf_destroy_abandoned(struct pitot_perf_provider *provider,
                             const struct pitot_perf_set *wanted);

/* Destroys the oldest abandoned measurements that the GPU is done with, two of
 * them at most: a begin abandons one at most.
 */
void
pitot_perf_destroy_done(struct pitot_perf_provider *provider);

/*
 * query.c
 */

/* Creates a query without a handle. */
struct pitot_perf_query *
pitot_perf_query_create_unnamed(struct pitot_perf *perf,
                                struct pitot_perf_set *set);

/* Makes a query idle whose record is in flight. */
void
pitot_perf_query_drop(struct pitot_perf_query *query);

#endif /* PITOT_PERF_PRIV_H */
