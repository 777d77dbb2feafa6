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

#include "pitot_compiler.h"
#include "record.h"

/*
 * query.c
 */

/* A value of a query's result. */
struct pitot_hw_value {
   const struct pitot_hw_measure *measure; /* NULL: always 0 */
   uint32_t samples; /* of the measure: a mask of the family's, by number */
   unsigned stream;
   uint64_t sum;
   uint64_t begin_ticks, end_ticks; /* of the last time that was added */
};

/* The state of a query on one ring. */
struct pitot_hw_ring_state {
   const struct pitot_hw_layout *layout; /* NULL: no samples */
   struct pitot_hw_segment *open; /* has begun and not ended, or NULL */
};

/* u_threaded_context's two threads share cache lines if queries are next to
 * memory that the other thread writes: to begin and to end a query then took
 * a tenth longer on iris, and a fifth on radeonsi.
 */
#define PITOT_HW_APART_B 64

struct pitot_hw_query {
   uint8_t apart[PITOT_HW_APART_B]; /* and as much behind the values */

   struct pitot_hw_query *next;  /* of the active ones */
   struct pitot_hw_query **link; /* that points to this one */
   bool is_instant;
   bool is_time;        /* counts on when others are suspended */
   bool spans_batches;  /* is not suspended between them */
   uint32_t counting;   /* of all values: a mask of enum pitot_counting */
   unsigned ring_count; /* its samples are on the first ones of all */
   struct pitot_hw_ring_state *rings; /* behind the values */

   atomic_int lock; /* an enum pitot_hw_lock */

   atomic_bool is_active;   /* see pitot_hw_query_is_active() */
   atomic_bool is_resolved; /* the values and the status stay as they are */
   int status;              /* 0, or as soon as a segment is lost -EIO, or
                             * -ENOMEM if it was for want of memory */
   struct pitot_hw_segment *first; /* closed ones that are not merged yet */
   struct pitot_hw_segment **last;

   unsigned value_count;
   struct pitot_hw_value values[];
};

/* Returns whether a query counts on a ring at the moment: the driver may be
 * drawing for itself, or it may have no samples there.
 */
bool
pitot_hw_query_counts(const struct pitot_hw *hw,
                      const struct pitot_hw_query *query,
                      enum pitot_ring ring);

/* Returns whether a query is active.  Another thread that sees that it is not
 * any more sees all that was recorded, too.
 */
static inline bool
pitot_hw_query_is_active(const struct pitot_hw_query *query)
{
   return atomic_load_explicit(&query->is_active, memory_order_acquire);
}

/* The states of a query's lock. */
enum pitot_hw_lock {
   PITOT_HW_LOCK_FREE,
   PITOT_HW_LOCK_HELD,
   PITOT_HW_LOCK_AWAITED, /* held, and somebody may sleep until it is not */
};

/*
 * lock.c
 */

/* Sleeps until a query's lock is free, and takes it. */
PITOT_COLD void
pitot_hw_query_lock_slowly(struct pitot_hw *hw, struct pitot_hw_query *query);

/* Wakes all who sleep. */
PITOT_COLD void
pitot_hw_wake(struct pitot_hw *hw);

/* Takes the lock of a query that is not active, unless it is held.  Below
 * u_threaded_context, the application's thread looks for its result while the
 * driver's stores it, which may flush: a thread that has to wait sleeps.
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
      pitot_hw_query_lock_slowly(hw, query);
}

static inline void
pitot_hw_query_unlock(struct pitot_hw *hw, struct pitot_hw_query *query)
{
   if (atomic_exchange_explicit(&query->lock, PITOT_HW_LOCK_FREE,
                                memory_order_release) ==
       PITOT_HW_LOCK_AWAITED)
      pitot_hw_wake(hw);
}

/*
 * segment.c
 */

/* Makes room in the batch being recorded, where batches are limited.  Returns
 * whether there is room: if not, the device is lost.
 */
bool
pitot_hw_require(struct pitot_hw *hw, enum pitot_ring ring,
                 unsigned command_count);

/* Begins a segment of a query that counts on a ring, unless one is open.
 * Returns 0, -ENOMEM, or -EIO if the device is lost.
 */
int
pitot_hw_query_open(struct pitot_hw *hw, struct pitot_hw_query *query,
                    enum pitot_ring ring);

/* Ends the segment of a query on a ring, if one is open.  A query that fails
 * is lost.  Returns 0, -ENOMEM, or -EIO if the device is lost.
 */
int
pitot_hw_query_close(struct pitot_hw *hw, struct pitot_hw_query *query,
                     enum pitot_ring ring);

/* Drops the segment that is open on a ring, if one is. */
void
pitot_hw_query_drop_open(struct pitot_hw *hw,
                         struct pitot_hw_ring_state *state);

/* Drops all segments that have ended: the thread that records, or any other,
 * which leaves them to that thread, so that recording needs no lock.
 */
void
pitot_hw_query_drop_segments(struct pitot_hw *hw,
                             struct pitot_hw_query *query);

/* Leaves a segment to the thread that records.  Any thread. */
void
pitot_hw_segment_return(struct pitot_hw *hw,
                        struct pitot_hw_segment *segment);

/* Takes back the segments that were left. */
void
pitot_hw_reclaim(struct pitot_hw *hw);

/*
 * suspend.c
 */

/* Begins a segment of an active query on a ring.  A query that fails is lost.
 */
void
pitot_hw_query_resume(struct pitot_hw *hw, struct pitot_hw_query *query,
                      enum pitot_ring ring);

extern const struct pitot_cs_listener pitot_hw_listener;

/*
 * result.c
 */

/* Returns whether all samples of a segment have been written.  Any thread. */
bool
pitot_hw_segment_is_complete(struct pitot_hw *hw,
                             const struct pitot_hw_segment *segment);

/* Returns whether a segment is complete, or will be. */
bool
pitot_hw_segment_is_coming(struct pitot_hw *hw,
                           const struct pitot_hw_segment *segment);

/* The batch that a result waits for. */
struct pitot_hw_wait {
   bool is_needed;
   bool was_in_vain; /* it is not even done after the wait */
   enum pitot_ring ring;
   uint64_t batch;
};

/* Looks for the result of a query, whose lock is held: returns 1 if it is
 * there, 0 if not, or -EIO if it is lost.  Flushes the batch that it waits
 * for.
 */
int
pitot_hw_query_poll(struct pitot_hw *hw, struct pitot_hw_query *query,
                    struct pitot_hw_wait *wait, uint64_t *values_out);

/* Adds up the oldest segments as long as they are complete. */
void
pitot_hw_query_merge_complete(struct pitot_hw *hw,
                              struct pitot_hw_query *query);

#endif /* PITOT_HW_QUERY_H */
