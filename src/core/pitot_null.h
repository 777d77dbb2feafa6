/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A driver without a GPU: counters in memory that its owner sets.  It is the
 * reference for drivers, the one to copy, and the driver for the tests of the
 * upper layers.
 */

#ifndef PITOT_NULL_H
#define PITOT_NULL_H

#include "pitot/driver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The calls that the owner can make fail. */
enum pitot_null_call {
   PITOT_NULL_CREATE,
   PITOT_NULL_BEGIN,
   PITOT_NULL_END,
   PITOT_NULL_CALL_COUNT,
};

struct pitot_null {
   struct pitot_driver base;

   /* Read and written by the owner. */
   uint64_t counters[PITOT_KIND_COUNT][PITOT_MAX_STREAMS];
   uint64_t time_ns;   /* of both kinds of time */
   unsigned time_bits; /* valid bits of time_ns; 0: no time */
   uint64_t done;      /* measurements up to this one are available */
   bool is_lost;       /* the device is lost: reads return -EIO */
   bool can_store;     /* query_store() works: resource is plain memory */
   unsigned fail[PITOT_NULL_CALL_COUNT]; /* n: the nth call from now fails */

   /* Read by the owner. */
   unsigned flushes;   /* by reads of unflushed measurements */
   uint64_t issued;    /* measurements ended so far */
   unsigned alive;     /* queries created and not destroyed */
   unsigned created;   /* queries created so far */
   unsigned polls;     /* reads without wait */
   unsigned waits;     /* reads that had to wait */
   uint64_t submitted; /* measurements up to this one are flushed */
   struct pitot_driver_query *condition;
   unsigned condition_mode; /* of enum pitot_condition_flag */
};

/* Initializes a driver whose counters are 0, whose times have 64 bits, and
 * whose measurements are available immediately (done is UINT64_MAX).  Needs
 * no cleanup; destroy the contexts first.
 */
void
pitot_null_init(struct pitot_null *null);

/* Submits all measurements that ended so far. */
void
pitot_null_flush(struct pitot_null *null);

/* Returns whether this call must fail, and counts it. */
bool
pitot_null_fails(unsigned fail[PITOT_NULL_CALL_COUNT],
                 enum pitot_null_call call);

/* Returns 1 if a measurement is available, 0 if not yet, or -EIO. */
int
pitot_null_read(struct pitot_null *null, uint64_t serial, bool wait);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_NULL_H */
