/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Groups of counters, and monitors of any of them.
 *
 * A group has the counters of a perf set, or of the several sets into which a
 * provider splits a group that it cannot measure at once.  A monitor measures
 * counters that were selected from any groups, as often as it is begun and
 * ended.  Its states are those of a query object (pitot_query.h): it is idle
 * while it has no results.  A function that fails returns a negative errno
 * value, and changes nothing unless it says so.
 *
 * Threads: those of the context.
 */

#ifndef PITOT_PERF_MONITOR_H
#define PITOT_PERF_MONITOR_H

#include "pitot_perf_query.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pitot_perf_group {
   const char *name;
   const struct pitot_perf_counter *counters;
   unsigned counter_count;
   unsigned max_active_count;  /* of its counters in a monitor */
   struct pitot_perf_set *set; /* the first one */
};

/* Returns the number of groups, which stays the same; 0 without memory, too.
 * The driver's own come first, in the order of the sets.
 */
unsigned
pitot_perf_group_count(struct pitot_perf *perf);

/* Returns a group, which perf owns, by its index, which must be valid. */
const struct pitot_perf_group *
pitot_perf_get_group(const struct pitot_perf *perf, unsigned index);

/* A counter that was selected, and its value. */
struct pitot_perf_result {
   uint32_t group;
   uint32_t counter; /* its index in the group */
   const struct pitot_perf_counter *info;
   const void *value; /* of info's size; NULL before the results are known */

   /* The monitor's own: of its portions, and the counter there. */
   unsigned portion;
   const struct pitot_perf_counter *measured;
};

/* Callers may read the first fields. */
struct pitot_perf_monitor {
   enum pitot_state state;
   bool is_lost;                      /* the results are 0: it failed */
   struct pitot_perf_result *results; /* by groups and counters */
   unsigned result_count;

   /* The monitor's own.  Each portion has two perf queries, of which a begin
    * takes the other one, so that a failure leaves the results.
    */
   struct pitot_perf *perf;
   struct pitot_perf_portion *portions; /* or NULL before the first begin */
   unsigned portion_count;
   unsigned turn; /* which of the queries has begun last */
};

/* Creates a monitor, in which nothing is selected.  The caller destroys it
 * before perf.  Returns NULL without memory.
 */
struct pitot_perf_monitor *
pitot_perf_monitor_create(struct pitot_perf *perf);

/* Destroys a monitor, which may be active or in flight.  Does not wait for
 * the GPU, unless thousands of results were never read.  Accepts NULL.
 */
void
pitot_perf_monitor_destroy(struct pitot_perf_monitor *monitor);

/* Selects counters of a group, or takes them out of the selection; the group
 * and the counters must be there.  Drops the results without waiting for
 * them.  An active monitor begins anew, so that it measures the new
 * selection.  Returns 0; -ENOMEM, or -EBUSY if the groups or sets forbid the
 * selection, which changes nothing; or the error of that begin, after which
 * the monitor is active, and its results will be lost.
 */
int
pitot_perf_monitor_select(struct pitot_perf_monitor *monitor, bool enable,
                          uint32_t group, const uint32_t *counters,
                          unsigned count);

/* Begins a monitor, which must not be active.  Does not wait for results in
 * flight, but as pitot_perf_query_begin() does.  Returns 0; -EBUSY if the
 * counters cannot be measured together, or beside those that are measured
 * now; -ENOMEM or -EIO.
 */
int
pitot_perf_monitor_begin(struct pitot_perf_monitor *monitor);

/* Ends an active monitor, whatever is returned: 0, or a provider's error, and
 * then the results are lost.
 */
int
pitot_perf_monitor_end(struct pitot_perf_monitor *monitor);

/* Makes the results of an ended monitor available.  Returns whether they are
 * now, as pitot_perf_query_resolve() does, but it may flush in any case.
 */
bool
pitot_perf_monitor_resolve(struct pitot_perf_monitor *monitor,
                           enum pitot_perf_flush flush);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_PERF_MONITOR_H */
