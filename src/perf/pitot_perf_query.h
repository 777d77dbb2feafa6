/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Perf sets and perf queries of a context.  A perf query measures one set or,
 * if it is a monitor, counters of any sets, as often as it begins and ends.
 * It has the states of a query object (pitot_query.h).  A function that fails
 * returns a negative errno value and, except for pitot_perf_query_end(),
 * changes neither states nor records.
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

/* The first call lists the sets.  The number then never changes. */
unsigned
pitot_perf_set_count(struct pitot_perf *perf);

/* index must be below pitot_perf_set_count().  The provider owns the set. */
struct pitot_perf_set *
pitot_perf_get_set(struct pitot_perf *perf, unsigned index);

/* Returns whether measurements of two sets may be active at the same time. */
bool
pitot_perf_may_overlap(const struct pitot_perf_set *a,
                       const struct pitot_perf_set *b);

/*
 * Queries
 */

/* The part of a query that measures one set. */
struct pitot_perf_portion {
   struct pitot_perf_set *set;
   void *record; /* set->record_B bytes; valid if the query is available */
   struct pitot_perf_measurement *measurement; /* or NULL */
   struct pitot_perf_measurement *begun; /* until all portions have begun */
   bool is_in_flight;                    /* ended, and the record not read */
};

/* A perf query.  Callers may read the fields. */
struct pitot_perf_query {
   struct pitot_perf *perf;
   struct pitot_perf_set *set; /* NULL: a monitor */
   enum pitot_state state;
   bool wants_fence; /* set by callers that use PITOT_PERF_DONT_FLUSH, which
                      * then polls a fence at the end of the query */
   bool is_lost;     /* a measurement failed: all records are 0 */

   struct pitot_perf_portion *portions; /* of a monitor: since a begin */
   unsigned portion_count;

   /* The enabled counters of a monitor, sorted by group and counter. */
   struct pitot_perf_result *results;
   unsigned result_count;

   struct pitot_perf_query *next, **link; /* in pitot_perf.queries */
};

/* Returns an idle query of a set or, if set is NULL, a monitor without
 * enabled counters; NULL if allocation fails.  perf owns the query until it
 * is deleted.
 */
struct pitot_perf_query *
pitot_perf_query_create(struct pitot_perf *perf, struct pitot_perf_set *set);

/* The query may be active or in flight.  Waits for the GPU only if the
 * provider waits in flight and the driver has no fences.
 */
void
pitot_perf_query_delete(struct pitot_perf_query *query);

/* Begins a query, which must not be active.  Drops a record in flight without
 * a wait.  But a set of PITOT_PERF_OVERLAP_SAME first waits for the records
 * in flight of other sets of its domain.  Returns 0; -EBUSY if the counters
 * conflict with each other or with an active query; -ENOMEM or -EIO.
 */
int
pitot_perf_query_begin(struct pitot_perf_query *query);

/* Ends an active query.  If the provider fails, returns its error: the query
 * has ended nevertheless, and its records are lost.
 */
int
pitot_perf_query_end(struct pitot_perf_query *query);

enum pitot_perf_flush {
   PITOT_PERF_DONT_FLUSH, /* neither flush nor wait */
   PITOT_PERF_FLUSH,      /* flush, so that a loop of polls ends */
   PITOT_PERF_WAIT,       /* flush and wait */
};

/* Reads the records of an ended query.  Returns whether all are available:
 * always true with PITOT_PERF_WAIT.  On a lost device, all records are 0, and
 * the disjoint flag is set.
 */
bool
pitot_perf_query_resolve(struct pitot_perf_query *query,
                         enum pitot_perf_flush flush);

/*
 * Groups and monitors.  A group has the counters of one set, or of all sets
 * into which a provider splits a group that it cannot measure together.  A
 * monitor is a query of counters of any groups.
 */

struct pitot_perf_group {
   const char *name;
   struct pitot_perf_set *set; /* the first set: its array has all counters of
                                * the group; a monitor measures at most
                                * set->counter_count of them */
   unsigned counter_count;     /* of all sets */
};

/* Returns the number of groups; 0 if allocation fails.  The driver's own come
 * first, in the order of the sets: tools for one driver know them by index.
 */
unsigned
pitot_perf_group_count(struct pitot_perf *perf);

/* index must be below pitot_perf_group_count().  perf owns the group. */
const struct pitot_perf_group *
pitot_perf_get_group(const struct pitot_perf *perf, unsigned index);

/* An enabled counter of a monitor. */
struct pitot_perf_result {
   uint32_t group;
   uint32_t counter; /* its index in the group */

   /* Since a begin: the portion with its value, and the offset in there. */
   struct pitot_perf_portion *portion;
   const struct pitot_perf_counter *info;
};

/* Enables or disables counters of a group, which must exist.  Drops results
 * without a wait: the monitor is idle.  An active monitor begins again, with
 * the new counters.  Returns 0; -ENOMEM, or -EBUSY if the counters can never
 * be measured together, and changes nothing; or the error of that begin: then
 * the monitor is still active, and its results will be lost.
 */
int
pitot_perf_monitor_select(struct pitot_perf_query *monitor, bool enable,
                          uint32_t group, const uint32_t *counters,
                          unsigned count);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_PERF_QUERY_H */
