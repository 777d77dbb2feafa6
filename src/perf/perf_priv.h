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

/* time.c: the provider of "GPU Time". */
struct pitot_perf_time {
   struct pitot_perf_provider base;
   struct pitot_context *context;
};

void
pitot_perf_time_init(struct pitot_perf_time *time,
                     struct pitot_context *context);

/* A set in the list of all providers' sets. */
struct pitot_perf_listed {
   const struct pitot_perf_set *set;
   struct pitot_perf_provider *provider;
   struct pitot_driver *driver;
   unsigned query_count;
   unsigned active_count;
   struct pitot_pool pool; /* of measurements, none of them idle */
};

struct pitot_perf {
   struct pitot_context *context;
   struct pitot_perf_provider *providers;
   struct pitot_perf_time time;
   bool is_listed;
   struct pitot_perf_listed *sets;
   unsigned set_count;
   void *scratch; /* a record of any set */

   /* By their handles, which are the index and 1; NULL where none is. */
   struct pitot_perf_query **queries;
   unsigned query_capacity;
};

/* query.c */

/* Destroys a measurement of a pitot_perf_listed. */
void
pitot_perf_measurement_destroy(void *listed,
                               struct pitot_driver_query *measurement);

#endif /* PITOT_PERF_PRIV_H */
