/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Performance queries: sets of counters, and the interface of the providers
 * that a driver's own counters come from.
 *
 * A perf set is a list of counters that are measured together, and yields a
 * record with each counter at a fixed offset.
 *
 * Threads: those of the context.
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
   PITOT_PERF_COUNTER_DURATION_NORM, /* a share of the time: 0 to 100 % or 1
                                      */
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
   uint64_t raw_max; /* the largest value for a second; 0: unknown */
   uint32_t offset_B;
   uint32_t size_B;
   unsigned source; /* the provider's number for it */
};

/* The measurements of its domain that one of a set may overlap. */
enum pitot_perf_overlap {
   PITOT_PERF_OVERLAP_ANY,
   PITOT_PERF_OVERLAP_SAME, /* those of its set and of OVERLAP_ANY; another
                             * set waits until all of them were read */
   PITOT_PERF_OVERLAP_NONE, /* those of OVERLAP_ANY only */
};

struct pitot_perf_set {
   const char *name;
   const struct pitot_perf_counter *counters;
   uint32_t counter_count;
   uint32_t record_B;
   bool is_global; /* counts the work of all contexts */
   bool is_common; /* not of this driver alone: its group is behind those */
   enum pitot_perf_overlap overlap;
   unsigned domain; /* the provider's unit that measures the set */

   /* Of the first of the sets into which a provider split a group: the name
    * of the group, and how many sets it has.  The others come next, with no
    * more counters each, and the counters of all are one array.
    */
   const char *group;
   unsigned group_set_count;

   /* Set by perf. */
   struct pitot_perf_provider *provider;
   bool is_selection; /* copies of some counters of sets of one domain */
   unsigned query_count;
   struct pitot_perf_measurement *idle; /* no query measures with them */
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
   unsigned idle_count;         /* measurements of all sets */

   /* In flight, of queries that were begun again or deleted: the oldest
    * first, each with a fence.  Only of ops that want it.
    */
   struct pitot_perf_measurement *abandoned;
   struct pitot_perf_measurement **abandoned_end;

   /* Set by list(): owned by the provider, and the same until finish(). */
   struct pitot_perf_set *sets;
   unsigned set_count;
   bool has_selections; /* create() takes selections, too: sets of copies of
                         * any counters of one domain, but for those of
                         * OVERLAP_SAME, with offsets of their own.  No
                         * measurement of one waits in flight. */
   const char *advice; /* how to see counters that list() was not permitted to
                        * see, as a sentence; or NULL */
};

/* One begin-to-end measurement of a set.  As many are created as are in
 * flight.
 */
struct pitot_perf_measurement {
   struct pitot_perf_measurement *next; /* idle, or abandoned; perf's */
   struct pitot_perf_set *set;          /* set by create() */
   struct pitot_fence *fence;           /* from its end on, or NULL; perf's */
};

struct pitot_perf_provider_ops {
   /* Whether begin() and destroy() wait for a measurement in flight: perf
    * then calls them when a fence at its end is done, if it can.
    */
   bool waits_in_flight;

   /* Sets the fields of the provider; without memory, it has no sets.  Called
    * once, when counters are first asked for.
    */
   void (*list)(struct pitot_perf_provider *provider);

   /* Optional.  Frees the lists, if there are any, once no measurement is
    * left.
    */
   void (*finish)(struct pitot_perf_provider *provider);

   /* Creates a measurement of one of the sets.  Returns NULL without memory.
    */
   struct pitot_perf_measurement *(*create)(struct pitot_perf_set *set);

   /* Frees a measurement, which is not active.  If this waits for one in
    * flight, that happens at the end of a context, and where others of its
    * domain that cannot overlap have to go.
    */
   void (*destroy)(struct pitot_perf_measurement *measurement);

   /* Begins to measure, and drops an earlier record.  Returns
    * 0, -ENOMEM, -EIO, or -EBUSY if the unit that measures is not free, or
    * does not measure the counters of a selection together.  A begin or end
    * that fails leaves nothing begun; the measurement is then destroyed
    * without another call.
    */
   int (*begin)(struct pitot_perf_measurement *measurement);
   int (*end)(struct pitot_perf_measurement *measurement);

   /* Returns 1 and the record, record_B bytes, of an ended measurement; 0 if
    * it is not available yet, which never happens with wait; -EIO if it will
    * never be, since the device is lost, or -EBUSY, since it was not begun
    * after all.  Without wait it makes progress, as query_result() does.
    */
   int (*read)(struct pitot_perf_measurement *measurement, bool wait,
               void *record_out);
};

/* Gives counters their size and offset, each aligned to its size, in their
 * order.  Returns the size of the record, a multiple of 8.
 */
unsigned
pitot_perf_layout_record(struct pitot_perf_counter *counters, unsigned count);

/* The set "Pipeline Statistics" has one counter for each of these: the
 * statistics in the order of enum pitot_kind, then the two of primitives.
 */
#define PITOT_PERF_STATISTICS_NAME "Pipeline Statistics"
#define PITOT_PERF_STATISTIC_COUNT 13

/* Returns the counter of a statistic; its source is the kind. */
struct pitot_perf_counter
pitot_perf_statistic(unsigned index);

struct pitot_context;
struct pitot_perf;

/* Creates the perf sets and queries of a context: the sets of the providers,
 * in their order, and "GPU Time", which measures with timestamps of the
 * context's driver.  Its provider is at the end of the list until perf is
 * destroyed.  The context and the providers must outlive perf; they are asked
 * for nothing before an application asks for counters.  Returns 0 or -ENOMEM.
 */
int
pitot_perf_create(struct pitot_context *context,
                  struct pitot_perf_provider *providers,
                  struct pitot_perf **perf_out);

/* Deletes all monitors and perf queries, and has the providers finish.
 * Accepts NULL.
 */
void
pitot_perf_destroy(struct pitot_perf *perf);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_PERF_H */
