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

/*
 * Groups and monitors.  A group has the counters of a set, or of the several
 * sets into which a provider splits a group that it cannot measure at once.
 * A monitor is a query of counters that are selected from any groups; it is
 * idle while it has no results.
 */

struct pitot_perf_group {
   const char *name;
   struct pitot_perf_set *set; /* the first one, with the counters of all; no
                                * more than its own are active in a monitor */
   unsigned counter_count;     /* of all */
};

/* Returns the number of groups, which stays the same; 0 without memory, too.
 * The driver's own come first, in the order of the sets.
 */
unsigned
pitot_perf_group_count(struct pitot_perf *perf);

/* Returns a group, which perf owns, by its index, which must be valid. */
const struct pitot_perf_group *
pitot_perf_get_group(const struct pitot_perf *perf, unsigned index);

/* A counter that is selected. */
struct pitot_perf_result {
   uint32_t group;
   uint32_t counter; /* its index in the group */

   /* From a begin on: the record with its value, and where in there. */
   struct pitot_perf_portion *portion;
   const struct pitot_perf_counter *info;
};

/* Selects counters of a group, or takes them out of the selection; the group
 * and the counters must be there.  Drops the results without waiting for
 * them.  An active monitor begins anew, so that it measures the new
 * selection.  Returns 0; -ENOMEM, or -EBUSY if the groups or sets forbid the
 * selection, which changes nothing; or the error of that begin, after which
 * the monitor is active, and its results will be lost.
 */
int
pitot_perf_monitor_select(struct pitot_perf_query *monitor, bool enable,
                          uint32_t group, const uint32_t *counters,
                          unsigned count);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_PERF_QUERY_H */
