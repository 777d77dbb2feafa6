/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A round has the perf queries that measure the selection of a monitor.
 */

#ifndef PITOT_PERF_ROUND_H
#define PITOT_PERF_ROUND_H

#include "pitot_perf_monitor.h"

/* Counters that one perf query measures. */
struct pitot_perf_portion {
   struct pitot_perf_set *set;          /* &selection, or a provider's */
   struct pitot_perf_set selection;     /* unused, or of these: */
   struct pitot_perf_counter *counters; /* copies, or NULL */
   struct pitot_perf_query *query;
};

/* The source of a result's value. */
struct pitot_perf_source {
   struct pitot_perf_portion *portion;
   const struct pitot_perf_counter *counter;
};

struct pitot_perf_round {
   struct pitot_perf_portion *portions;
   unsigned portion_count;
   struct pitot_perf_source *sources; /* of each result */
};

/* Creates a round that measures these results.  Returns 0; -ENOMEM; or -EBUSY
 * if they can never be measured together.
 */
int
pitot_perf_round_create(struct pitot_perf *perf,
                        const struct pitot_perf_result *results,
                        unsigned count, struct pitot_perf_round **round_out);

/* Accepts NULL. */
void
pitot_perf_round_destroy(struct pitot_perf *perf,
                         struct pitot_perf_round *round);

/* Begins all queries, or none: returns the error of a begin. */
int
pitot_perf_round_begin(struct pitot_perf *perf,
                       struct pitot_perf_round *round);

/* Ends all queries.  Returns 0, or an error of theirs. */
int
pitot_perf_round_end(struct pitot_perf_round *round);

/* Gives up the measurements that are in flight. */
void
pitot_perf_round_drop(struct pitot_perf_round *round);

/* Makes all records available, as pitot_perf_query_resolve() does. */
bool
pitot_perf_round_resolve(struct pitot_perf_round *round,
                         enum pitot_perf_flush flush);

#endif /* PITOT_PERF_ROUND_H */
