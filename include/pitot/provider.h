/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Sets of counters, and what core asks of who provides them: the header for a
 * driver that has counters of its own.  A set is what is measured together;
 * what one measurement of it yields is a record, with each counter at a fixed
 * place.
 *
 * Embed struct pitot_provider and struct pitot_measurement first in structs
 * of your own.  Threads, and the meaning of an int that is returned: those of
 * pitot/driver.h.
 */

#ifndef PITOT_PROVIDER_H
#define PITOT_PROVIDER_H

#include <stdbool.h>
#include <stdint.h>

#include "pitot/kind.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a counter tells (INTEL_performance_query has the same six). */
enum pitot_counter_type {
   PITOT_COUNTER_EVENT,         /* how often something happened */
   PITOT_COUNTER_DURATION_NORM, /* a share of the time, 0 to 100 % or 1 */
   PITOT_COUNTER_DURATION_RAW,  /* for how long */
   PITOT_COUNTER_THROUGHPUT,    /* how much went through */
   PITOT_COUNTER_RAW,           /* anything else */
   PITOT_COUNTER_TIMESTAMP,     /* when */
};

enum pitot_data_type {
   PITOT_DATA_BOOL32,
   PITOT_DATA_UINT32,
   PITOT_DATA_UINT64,
   PITOT_DATA_FLOAT,
   PITOT_DATA_DOUBLE,
};

struct pitot_counter_info {
   const char *name;
   const char *description; /* ends with its unit: "Unit: ns." */
   enum pitot_counter_type type;
   enum pitot_data_type data_type;
   uint64_t raw_max; /* the most that it can tell of a second; 0: unknown */
   unsigned offset_B;
   unsigned size_B;
};

/* With which other measurements of its domain one of this set overlaps. */
enum pitot_overlap {
   PITOT_OVERLAP_ANY,
   PITOT_OVERLAP_SAME, /* of this set, and those of PITOT_OVERLAP_ANY; another
                        * set waits until all of them were read */
   PITOT_OVERLAP_NONE, /* only with those of PITOT_OVERLAP_ANY */
};

struct pitot_counter_set {
   const char *name;
   const struct pitot_counter_info *counters;
   unsigned counter_count;
   unsigned record_B;
   bool is_global; /* counts what all contexts do, not only this one */
   enum pitot_overlap overlap;
   unsigned domain; /* what measures it, of what its provider has */
};

struct pitot_provider_ops;

struct pitot_provider {
   const struct pitot_provider_ops *ops;
   struct pitot_provider *next; /* the driver's next one, or NULL */

   /* What list() found: the provider's, and the same for as long as the
    * context lives.
    */
   const struct pitot_counter_set *sets;
   unsigned set_count;
};

/* One begin-to-end measurement of a set.  Core makes as many as are in
 * flight.
 */
struct pitot_measurement {
   const struct pitot_counter_set *set; /* set by core once it is made */

   /* Core's. */
   struct pitot_measurement *next;
   struct pitot_fence *mark; /* where it ended, or NULL */
};

struct pitot_provider_ops {
   /* Sets sets and set_count.  Called once, before anything else but
    * finish(), when somebody first asks for counters.  Returns 0 or -ENOMEM,
    * and then has no sets, for good.
    */
   int (*list)(struct pitot_provider *provider);

   /* Optional.  Frees what list() made, once there is no measurement left. */
   void (*finish)(struct pitot_provider *provider);

   /* Makes a measurement of one of the sets.  Returns 0 or -ENOMEM. */
   int (*create)(struct pitot_provider *provider,
                 const struct pitot_counter_set *set,
                 struct pitot_measurement **measurement_out);

   /* Frees a measurement, which is not active.  If it is in flight this may
    * wait; core does so at the end of a context, and where very many, or
    * others of a domain that cannot overlap, have to go.
    */
   void (*destroy)(struct pitot_provider *provider,
                   struct pitot_measurement *measurement);

   /* Begins to measure, and drops an earlier record, which was read.  Returns
    * 0, -ENOMEM, -EIO, or -EBUSY if what measures it is not free.  Of one
    * whose begin or end failed nothing is left begun; it is destroyed, and
    * asked nothing before.
    */
   int (*begin)(struct pitot_provider *provider,
                struct pitot_measurement *measurement);

   int (*end)(struct pitot_provider *provider,
              struct pitot_measurement *measurement);

   /* Returns 1 and the record, record_B bytes, of an ended measurement; 0 if
    * it is not known yet, which it never returns with wait; -EIO if it will
    * never be known, since the device is lost, or -EBUSY, since it was not
    * begun after all.  Without wait it makes progress, as query_result does.
    */
   int (*read)(struct pitot_provider *provider,
               struct pitot_measurement *measurement, bool wait,
               void *record_out);

   /* Optional.  Returns what to do to see counters that list() was not
    * allowed to see, as a sentence for people, or NULL.
    */
   const char *(*hidden)(struct pitot_provider *provider);
};

/* Gives counters their size and place, each aligned to its size, in their
 * order.  Returns the size of the record, which is a multiple of 8.
 */
unsigned
pitot_record_layout(struct pitot_counter_info *counters, unsigned count);

/* What every driver counts that can: one counter each of the set "Pipeline
 * Statistics".  The statistics come first, in the order of enum pitot_kind.
 */
#define PITOT_STATISTICS_SET_NAME "Pipeline Statistics"
#define PITOT_STATISTIC_COUNT     13

/* Returns the counter of a statistic and, in kind_out, its kind. */
struct pitot_counter_info
pitot_statistic(unsigned index, enum pitot_kind *kind_out);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_PROVIDER_H */
