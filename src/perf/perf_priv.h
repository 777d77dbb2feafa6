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

   struct pitot_names handles;       /* of INTEL_performance_query */
   struct pitot_names monitors;      /* of AMD_performance_monitor */
   struct pitot_perf_query *queries; /* all of them, or NULL */
};

/*
 * query.c
 */

/* Destroys the measurements of a provider that no query measures with.  Waits
 * for those in flight.
 */
void
pitot_perf_destroy_measurements(struct pitot_perf_provider *provider);

/* Destroys the portions of a query that is not active. */
void
pitot_perf_destroy_portions(struct pitot_perf_query *query);

/*
 * monitor.c
 */

/* Creates the portions of a query unless they are there.  Returns 0; -ENOMEM;
 * or -EBUSY if they can never be measured together.
 */
int
pitot_perf_create_portions(struct pitot_perf_query *query);

#endif /* PITOT_PERF_PRIV_H */
