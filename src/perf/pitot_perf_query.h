/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The perf sets of a context, and queries of them.  A perf query measures one
 * set, or those of the counters that are selected in a monitor, as often as
 * it is begun and ended.  Its states are those of a query object
 * (pitot_query.h). A function that fails returns a negative errno value and,
 * but for pitot_perf_query_end(), changes no state nor record.
 *
 * Threads: those of the context.
 */

#ifndef PITOT_PERF_QUERY_H
#define PITOT_PERF_QUERY_H

#include "pitot/perf.h"
#include "pitot_query.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Sets
 */

/* Returns the number of sets, which stays the same; 0 without memory, too. */
unsigned
pitot_perf_set_count(struct pitot_perf *perf);

/* Returns a set, which its provider owns, by its index. */
struct pitot_perf_set *
pitot_perf_get_set(struct pitot_perf *perf, unsigned index);

/* Returns whether measurements of two sets may be active at the same time. */
bool
pitot_perf_may_overlap(const struct pitot_perf_set *a,
                       const struct pitot_perf_set *b);

/* Returns the advice of a provider that has hidden counters, or NULL. */
const char *
pitot_perf_hidden(struct pitot_perf *perf);

/*
 * Queries
 */

/* A set that a query measures. */
struct pitot_perf_portion {
   struct pitot_perf_set *set;
   void *record; /* set->record_B bytes; meaningful when available */
   struct pitot_perf_measurement *measurement; /* or NULL */
   struct pitot_perf_measurement *begun;       /* by a begin that may fail */
   bool is_in_flight;                          /* the record, since the end */
};

/* A perf query.  Callers may read the fields. */
struct pitot_perf_query {
   struct pitot_perf *perf;
   struct pitot_perf_set *set; /* or NULL: a monitor */
   enum pitot_state state;
   bool wants_fence; /* set by who asks with PITOT_PERF_DONT_FLUSH: a fence at
                      * its end tells then whether the record is available */
   bool is_lost;     /* the records are 0, since a measurement failed */

   struct pitot_perf_portion *portions; /* a monitor's: from a begin on */
   unsigned portion_count;

   /* Of a monitor: the counters that are selected, by groups and counters. */
   struct pitot_perf_result *results;
   unsigned result_count;

   struct pitot_perf_query *next, **link; /* perf's */
};

/* Returns an idle query of a set, or a monitor, in which nothing is selected,
 * if the set is NULL.  Returns NULL without memory.  Perf owns it until it is
 * deleted.
 */
struct pitot_perf_query *
pitot_perf_query_create(struct pitot_perf *perf, struct pitot_perf_set *set);

/* Deletes a query, which may be active or in flight.  Does not wait for the
 * GPU, unless the provider does and the driver has no fence for it.
 */
void
pitot_perf_query_delete(struct pitot_perf_query *query);

/* Begins a query, which must not be active.  A record still in flight is
 * dropped without waiting for it; only where the unit still holds records of
 * another set (PITOT_PERF_OVERLAP_SAME) are these waited for first.  Returns
 * 0; -EBUSY if the counters cannot be measured together, or beside those that
 * are measured now; -ENOMEM or -EIO.
 */
int
pitot_perf_query_begin(struct pitot_perf_query *query);

/* Ends an active query, whatever is returned: 0, or a provider's error, and
 * then the records are lost.
 */
int
pitot_perf_query_end(struct pitot_perf_query *query);

enum pitot_perf_flush {
   PITOT_PERF_DONT_FLUSH, /* neither flush nor wait */
   PITOT_PERF_FLUSH,      /* the record will be available soon */
   PITOT_PERF_WAIT,
};

/* Makes the records of an ended query available.  Returns whether they are
 * now, always true with PITOT_PERF_WAIT: on a lost device they are all 0, and
 * the disjoint latch is set.
 */
bool
pitot_perf_query_resolve(struct pitot_perf_query *query,
                         enum pitot_perf_flush flush);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_PERF_QUERY_H */
