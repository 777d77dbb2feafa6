/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Performance queries: sets of counters, and the interface of the providers
 * of a driver's own counters.
 *
 * A perf set is a list of counters that are measured together, and yields a
 * record with each counter at a fixed offset.
 *
 * Threads: as for the context, one at a time.
 */

#ifndef PITOT_PERF_H
#define PITOT_PERF_H

#include "pitot/driver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The meaning of a counter (INTEL_performance_query has the same six). */
enum pitot_perf_counter_type {
   PITOT_PERF_COUNTER_EVENT,         /* how often something happened */
   PITOT_PERF_COUNTER_DURATION_NORM, /* share of time: 0 to 100 % or 1 */
   PITOT_PERF_COUNTER_DURATION_RAW,  /* for how long */
   PITOT_PERF_COUNTER_THROUGHPUT,    /* how much went through */
   PITOT_PERF_COUNTER_RAW,           /* anything else */
   PITOT_PERF_COUNTER_TIMESTAMP,     /* when */
};

enum pitot_perf_data_type {
   PITOT_PERF_DATA_BOOL32,
   PITOT_PERF_DATA_UINT32,
   PITOT_PERF_DATA_UINT64,
   PITOT_PERF_DATA_FLOAT,
   PITOT_PERF_DATA_DOUBLE,
};

struct pitot_perf_counter {
   const char *name;
   const char *description; /* ends with its unit: "Unit: ns." */
   enum pitot_perf_counter_type type;
   enum pitot_perf_data_type data_type;
   uint64_t raw_max; /* the largest value per second; 0: unknown */
   uint32_t offset_B;
   uint32_t size_B;
   unsigned source; /* the provider's number of the counter */
};

/* Which measurements of its domain a measurement of a set may overlap. */
enum pitot_perf_overlap {
   PITOT_PERF_OVERLAP_ANY,
   PITOT_PERF_OVERLAP_SAME, /* measurements of its set and of OVERLAP_ANY;
                             * another set must wait until all are read */
   PITOT_PERF_OVERLAP_NONE, /* only measurements of OVERLAP_ANY */
};

struct pitot_perf_set {
   const char *name;
   const struct pitot_perf_counter *counters;
   uint32_t counter_count;
   uint32_t record_B;
   bool is_global; /* counts the work of all contexts */
   bool is_common; /* not of this driver alone: its group comes after the
                    * driver's own */
   enum pitot_perf_overlap overlap;
   unsigned domain; /* the provider's unit that measures the set */

   /* In the first of the sets into which a provider split a group: the name
    * of the group, and how many sets it has.  The other sets follow, with no
    * more counters each, and the counters of all sets are one array.
    */
   const char *group;
   unsigned group_set_count;

   /* Set by perf. */
   struct pitot_perf_provider *provider;
   bool is_selection; /* copies of some counters of one domain */
   unsigned query_count;
   struct pitot_perf_measurement *idle; /* measurements that no query uses */
};

/*
 * Providers: the interface for a driver that has counters of its own.  Embed
 * struct pitot_perf_provider and struct pitot_perf_measurement first in
 * structs of your own.  Threads and return values: see pitot/driver.h.
 */

struct pitot_perf_provider {
   const struct pitot_perf_provider_ops *ops;
   struct pitot_perf_provider *next; /* or NULL */

   /* Set by perf. */
   struct pitot_driver *driver; /* the context's */
   unsigned idle_count;         /* of all sets */

   /* Measurements in flight, of queries that were begun again or deleted: the
    * oldest first, each with a fence.  Only with waits_in_flight.
    */
   struct pitot_perf_measurement *abandoned;
   struct pitot_perf_measurement **abandoned_end;

   /* Set by list().  Owned by the provider, and unchanged until finish(). */
   struct pitot_perf_set *sets;
   unsigned set_count;
   bool has_selections; /* create() also takes selections: sets of copies of
                         * any counters of one domain, with offsets of their
                         * own, except counters of OVERLAP_SAME.  No
                         * measurement of a selection waits in flight. */
   const char *advice; /* one sentence: how to see counters that list() has no
                        * permission for; or NULL */
};

/* One measurement of a set, from begin to end.  Perf creates as many as are
 * in flight.
 */
struct pitot_perf_measurement {
   struct pitot_perf_measurement *next; /* perf's: idle, or abandoned */
   struct pitot_perf_set *set;          /* set by create() */
   struct pitot_fence *fence;           /* perf's: of its end, or NULL */
};

struct pitot_perf_provider_ops {
   /* Whether begin() and destroy() wait for a measurement in flight.  Perf
    * then calls them after the fence at its end, if the driver has fences.
    */
   bool waits_in_flight;

   /* Sets the provider's fields above; if allocation fails, set_count is 0.
    * Called once, when an application first queries counters.
    */
   void (*list)(struct pitot_perf_provider *provider);

   /* Optional.  Frees the lists, if any, when no measurement is left. */
   void (*finish)(struct pitot_perf_provider *provider);

   /* Creates a measurement of a set.  Returns NULL if allocation fails. */
   struct pitot_perf_measurement *(*create)(struct pitot_perf_set *set);

   /* Frees a measurement, which is not active.  Perf lets this wait for a
    * measurement in flight only at the end of a context, or to free the
    * domain for a set that cannot overlap.
    */
   void (*destroy)(struct pitot_perf_measurement *measurement);

   /* begin() drops an earlier record.  Both return 0, -ENOMEM, -EIO, or
    * -EBUSY if the unit that measures is in use, or does not measure the
    * counters of a selection together.  After a failure nothing is begun, and
    * the measurement is destroyed without another call.
    */
   int (*begin)(struct pitot_perf_measurement *measurement);
   int (*end)(struct pitot_perf_measurement *measurement);

   /* Returns 1 and the record, record_B bytes, of an ended measurement; 0 if
    * it is not ready, never with wait; -EIO if it never will be, because the
    * device is lost; or -EBUSY if the measurement did not begin after all.
    * Without wait, makes progress, as query_result() does.
    */
   int (*read)(struct pitot_perf_measurement *measurement, bool wait,
               void *record_out);
};

/* Sets the size and the offset of counters, each aligned to its size, in
 * their order.  Returns the size of the record, a multiple of 8.
 */
unsigned
pitot_perf_layout_record(struct pitot_perf_counter *counters, unsigned count);

/* The set "Pipeline Statistics" has these counters: the statistics in the
 * order of enum pitot_kind, then primitives generated and written.
 */
#define PITOT_PERF_STATISTICS_NAME "Pipeline Statistics"
#define PITOT_PERF_STATISTIC_COUNT (PITOT_STATISTIC_COUNT + 2)

/* Returns a counter of that set; its source is an enum pitot_kind. */
struct pitot_perf_counter
pitot_perf_statistic(unsigned index);

struct pitot_context;
struct pitot_perf;

/* Creates the perf sets and queries of a context: the sets of the providers,
 * in their order, then "GPU Time", which measures with timestamps of the
 * context's driver.  Its provider is at the end of the list until perf is
 * destroyed.  The context and the providers must outlive perf.  No provider
 * is called before an application queries counters.  Returns 0 or -ENOMEM.
 */
int
pitot_perf_create(struct pitot_context *context,
                  struct pitot_perf_provider *providers,
                  struct pitot_perf **perf_out);

/* Deletes all monitors and perf queries, and calls finish() of the providers.
 * Accepts NULL.
 */
void
pitot_perf_destroy(struct pitot_perf *perf);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_PERF_H */
