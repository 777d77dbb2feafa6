/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A driver without a GPU: counters in memory that its owner moves.  It is the
 * reference for what every driver does, the one to copy, and what the tests
 * of the upper layers run on.
 */

#ifndef PITOT_NULL_H
#define PITOT_NULL_H

#include "pitot/driver.h"
#include "pitot/provider.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What pitot_null_fail() makes fail. */
enum pitot_null_call {
   PITOT_NULL_CREATE,
   PITOT_NULL_BEGIN,
   PITOT_NULL_END,
   PITOT_NULL_CALL_COUNT,
};

struct pitot_null;
struct pitot_null_sets;

/* What provides the sets "Pipeline Statistics", "Same" and "Alone", which
 * count the same and differ in what they overlap with.
 */
struct pitot_null_provider {
   struct pitot_provider base;
   struct pitot_null *null;
   struct pitot_null_sets *sets;
};

struct pitot_null {
   struct pitot_driver base;
   struct pitot_null_provider provider;

   /* Read and written by the owner. */
   uint64_t counters[PITOT_KIND_COUNT][PITOT_MAX_STREAMS];
   uint64_t time_ns;   /* what both time kinds read, */
   unsigned time_bits; /* of which so many bits; 0: no time at all */
   uint64_t done;      /* measurements up to this one are available */
   bool is_lost;       /* no measurement lands any more */
   bool can_store;     /* offers query_store: resource is plain memory */
   const char *hidden; /* what pitot_sets_hidden() returns */
   unsigned fail[PITOT_NULL_CALL_COUNT]; /* fail the nth call from now */

   /* Read by the owner. */
   unsigned flushes;   /* done for who asked for what nobody had flushed */
   uint64_t issued;    /* measurements ended so far */
   unsigned alive;     /* queries made and not destroyed */
   unsigned created;   /* queries made so far */
   unsigned polls;     /* results asked for without waiting */
   unsigned waits;     /* results waited for */
   uint64_t submitted; /* measurements flushed, up to this one */
   struct pitot_driver_query *condition;
   struct pitot_condition_mode condition_mode;
};

/* Makes a driver whose counters are 0, whose times have 64 bits, and whose
 * measurements land at once (done is UINT64_MAX).  Nothing to undo; destroy
 * the contexts first.
 */
void
pitot_null_init(struct pitot_null *null);

/* The part of it that gives it counter sets. */
void
pitot_null_provider_init(struct pitot_null *null);

/* Submits what was ended so far. */
void
pitot_null_flush(struct pitot_null *null);

/* Returns whether the owner wants this call to fail; counts it. */
bool
pitot_null_fails(struct pitot_null *null, enum pitot_null_call call);

/* Asks for a measurement: 1 if it is available, 0 if not yet, or -EIO. */
int
pitot_null_ask(struct pitot_null *null, uint64_t serial, bool wait);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_NULL_H */
