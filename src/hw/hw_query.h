/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Queries inside hw: their segments, values, results and locks.
 */

#ifndef PITOT_HW_QUERY_H
#define PITOT_HW_QUERY_H

#include <stdatomic.h>

#include "pitot/driver.h"
#include "pitot_compiler.h"
#include "record.h"

/*
 * query.c
 */

/* A value of a query's result. */
struct pitot_hw_value {
   const struct pitot_hw_measure *measure; /* NULL: always 0 */
   uint32_t samples; /* mask of the samples that the measure needs */
   unsigned stream;
   uint64_t sum; /* of merged segments; of a time, in ticks */
   uint64_t begin_ticks, end_ticks; /* the last interval in sum */
};

/* The state of a query on one ring. */
struct pitot_hw_ring_state {
   const struct pitot_hw_layout *layout; /* NULL: no samples */
   struct pitot_hw_segment *open;        /* begun, not ended; or NULL */
};

struct pitot_hw_query {
   uint8_t apart[PITOT_CACHE_LINE_B]; /* as much follows the rings */

   struct pitot_hw_query *next;  /* in the list of active queries */
   struct pitot_hw_query **link; /* the pointer to this query in that list */
   bool is_instant;
   bool is_time;        /* counts during the driver's internal draws */
   bool spans_batches;  /* is not suspended between batches */
   uint32_t counting;   /* of all values: enum pitot_counting */
   unsigned ring_count; /* samples are on rings 0 to ring_count - 1 */
   struct pitot_hw_ring_state *rings; /* after the values in memory */

   atomic_int lock; /* an enum pitot_hw_lock */

   atomic_bool is_active;   /* see pitot_hw_query_is_active() */
   atomic_bool is_resolved; /* values and status are final */
   int status;              /* -EIO if a segment is lost, -ENOMEM, or 0 */
   struct pitot_hw_segment *first; /* closed segments, not merged yet */
   struct pitot_hw_segment **last;

   unsigned value_count;
   struct pitot_hw_value values[];
};

/* Returns whether a query counts on a ring at the moment: has samples there,
 * and is not suspended.
 */
bool
pitot_hw_query_counts(const struct pitot_hw *hw,
                      const struct pitot_hw_query *query,
                      enum pitot_ring ring);

/* Another thread that gets false also sees all segments. */
static inline bool
pitot_hw_query_is_active(const struct pitot_hw_query *query)
{
   return atomic_load_explicit(&query->is_active, memory_order_acquire);
}

/* The states of a query's lock. */
enum pitot_hw_lock {
   PITOT_HW_LOCK_FREE,
   PITOT_HW_LOCK_HELD,
   PITOT_HW_LOCK_CONTENDED, /* held, and another thread may sleep */
};

/*
 * lock.c
 */

/* Sleeps until a query's lock is free, and acquires it. */
PITOT_COLD void
pitot_hw_query_lock_slow(struct pitot_hw *hw, struct pitot_hw_query *query);

/* Wakes all threads that sleep. */
PITOT_COLD void
pitot_hw_wake(struct pitot_hw *hw);

/* Acquires the lock of a query that is not active, unless it is held.  Below
 * u_threaded_context, the application's thread reads a result while the
 * driver's thread stores it and may flush: a thread that has to wait sleeps.
 */
static inline bool
pitot_hw_query_try_lock(struct pitot_hw_query *query)
{
   int state = PITOT_HW_LOCK_FREE;

   return atomic_compare_exchange_strong_explicit(&query->lock, &state,
                                                  PITOT_HW_LOCK_HELD,
                                                  memory_order_acquire,
                                                  memory_order_relaxed);
}

static inline void
pitot_hw_query_lock(struct pitot_hw *hw, struct pitot_hw_query *query)
{
   if (!pitot_hw_query_try_lock(query))
      pitot_hw_query_lock_slow(hw, query);
}

static inline void
pitot_hw_query_unlock(struct pitot_hw *hw, struct pitot_hw_query *query)
{
   if (atomic_exchange_explicit(&query->lock, PITOT_HW_LOCK_FREE,
                                memory_order_release) ==
       PITOT_HW_LOCK_CONTENDED)
      pitot_hw_wake(hw);
}

/*
 * segment.c
 */

/* Reserves space; may end the batch.  Returns false if the device is lost. */
bool
pitot_hw_require(struct pitot_hw *hw, enum pitot_ring ring,
                 unsigned command_count);

/* Begins a segment of a query that counts on a ring, unless one is open.
 * Returns 0, -ENOMEM, or -EIO if the device is lost.
 */
int
pitot_hw_segment_open(struct pitot_hw *hw, struct pitot_hw_query *query,
                      enum pitot_ring ring);

/* Ends the open segment of a query on a ring, if any.  On failure the query
 * is lost.  Returns 0, -ENOMEM, or -EIO if the device is lost.
 */
int
pitot_hw_segment_close(struct pitot_hw *hw, struct pitot_hw_query *query,
                       enum pitot_ring ring);

void
pitot_hw_segment_drop_open(struct pitot_hw *hw,
                           struct pitot_hw_ring_state *state);

/* Drops all closed segments.  Any thread: only the thread that records frees
 * them, later, so that recording needs no lock.
 */
void
pitot_hw_query_drop_segments(struct pitot_hw *hw,
                             struct pitot_hw_query *query);

/* Puts a segment on a list for the thread that records.  Any thread. */
void
pitot_hw_segment_return(struct pitot_hw *hw,
                        struct pitot_hw_segment *segment);

/* Frees the segments on that list. */
void
pitot_hw_reclaim(struct pitot_hw *hw);

/*
 * suspend.c
 */

/* Opens a segment of an active query.  On failure the query is lost. */
void
pitot_hw_query_resume(struct pitot_hw *hw, struct pitot_hw_query *query,
                      enum pitot_ring ring);

extern const struct pitot_cs_listener pitot_hw_listener;

/*
 * result.c
 */

/* Returns whether a segment is, or will be, complete: its batch is not lost.
 */
bool
pitot_hw_segment_is_coming(struct pitot_hw *hw,
                           const struct pitot_hw_segment *segment);

/* The batch that a result waits for. */
struct pitot_hw_wait {
   bool is_needed;
   bool wait_failed; /* the batch was not done after the wait */
   enum pitot_ring ring;
   uint64_t batch;
};

/* Returns 1 and the result of a query, 0 if it is not ready, or -EIO if it is
 * lost.  Flushes the batch that the result waits for, and returns that batch
 * in wait.  The caller holds the query's lock.
 */
int
pitot_hw_query_poll(struct pitot_hw *hw, struct pitot_hw_query *query,
                    struct pitot_hw_wait *wait, uint64_t *values_out);

/* Adds up segments, oldest first, up to the first incomplete one. */
void
pitot_hw_query_merge_complete(struct pitot_hw *hw,
                              struct pitot_hw_query *query);

#endif /* PITOT_HW_QUERY_H */
