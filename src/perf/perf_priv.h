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
   struct pitot_perf_set set;
   uint64_t wrap_period_ns; /* after which the clock wraps unseen; 0: never */
};

extern const struct pitot_perf_provider_ops pitot_perf_time_ops;

struct pitot_perf {
   struct pitot_perf_time time;
   struct pitot_perf_provider *providers; /* "GPU Time" is the last */
   struct pitot_perf_provider **last;
   bool is_listed;

   /* By their handles, which are the index and 1; NULL where none is. */
   struct pitot_perf_query **queries;
   unsigned query_capacity;
   unsigned lowest_maybe_free; /* index */
};

/* query.c: destroys the measurements of a set that were given up. */
void
pitot_perf_destroy_given_up(struct pitot_perf_set *set);

#endif /* PITOT_PERF_PRIV_H */
