/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Groups of counters, and monitors of any of them.
 *
 * A group has the counters of a perf set, or of the several sets into which a
 * provider splits a group that it cannot measure at once.  A monitor is a
 * perf query of counters that are selected from any groups; it is idle while
 * it has no results.  A function that fails returns a negative errno value,
 * and changes nothing unless it says so.
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

/* A counter that is selected. */
struct pitot_perf_result {
   uint32_t group;
   uint32_t counter; /* its index in the group */

   /* Where its value is, from a begin on. */
   unsigned portion;
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

/* Returns the value of a counter, of info's size, in an available monitor. */
const void *
pitot_perf_monitor_value(const struct pitot_perf_query *monitor,
                         const struct pitot_perf_result *result);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_PERF_MONITOR_H */
