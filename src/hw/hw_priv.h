/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared inside hw only.
 */

#ifndef PITOT_HW_PRIV_H
#define PITOT_HW_PRIV_H

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "hw_query.h"
#include "pitot_clock.h"

/*
 * epoch.c
 */

/* More replaced contexts than a kernel tolerates.  Beyond that, segments from
 * before the oldest known epoch may be lost without need.
 */
#define PITOT_HW_MAX_EPOCHS 8

/* The epochs of a ring after the first one, each the batches that one
 * hardware context executes.  Read by any thread.
 */
struct pitot_hw_epochs {
   atomic_uint count;
   _Atomic(uint64_t) first_batches[PITOT_HW_MAX_EPOCHS]; /* the latest ones */
};

void
pitot_hw_epoch_begin(struct pitot_cs_listener *listener,
                     enum pitot_ring ring);

/* Returns whether one hardware context executes both batches.  Any thread. */
bool
pitot_hw_epoch_is_same(const struct pitot_hw *hw, enum pitot_ring ring,
                       uint64_t older_batch, uint64_t newer_batch);

/*
 * store.c
 */

/* Polls a query, whose lock is held, without a flush.  Returns false if the
 * result is not ready; true with values if it is, or with values of 0 if it
 * is lost.
 */
bool
pitot_hw_query_poll_no_flush(struct pitot_hw *hw,
                             struct pitot_hw_query *query,
                             uint64_t *values_out);

/* Makes the GPU compute a value of a query, whose lock is held, and store it
 * to the target in result.  Returns 0, -ENOMEM, or -ENOTSUP if the CPU must
 * resolve the result: it may be lost, or the GPU cannot compute it.
 */
int
pitot_hw_query_store_by_gpu(struct pitot_hw *hw,
                            const struct pitot_hw_query *query,
                            const struct pitot_hw_value *value,
                            struct pitot_cs_result *result);

/*
 * condition.c
 */

/* The memory that the last condition reads, with references to its slabs. */
struct pitot_hw_condition_memory {
   struct pitot_hw_slab *boolean; /* or NULL */
   struct pitot_hw_record *records;
   unsigned count, capacity;
};

/* Adds the record of a sample to the condition that is being decided.
 * Returns false if out of memory.
 */
bool
pitot_hw_condition_add(struct pitot_hw *hw,
                       const struct pitot_hw_segment *segment,
                       unsigned sample);

void
pitot_hw_condition_finish(struct pitot_hw *hw);

/*
 * hw.c
 */

/* SET_PREDICATION (AMD) reads records at multiples of 16. */
#define PITOT_HW_RECORD_UNIT_B 16

/* See struct pitot_hw_family. */
struct pitot_hw_extent {
   unsigned size_B, end_distance_B;
};

/* The sampler of a command stream: the driver creates and destroys it. */
struct pitot_hw {
   struct pitot_cs_listener listener; /* first: cast in pitot_hw_listener */
   struct pitot_cs *cs;
   const struct pitot_hw_family *family;
   unsigned ring_count;
   enum pitot_ring time_ring; /* the second ring with timestamps, or 0 */
   const struct pitot_hw_layout *second_time; /* a time there */
   _Atomic(struct pitot_hw_layout *) layouts;
   struct pitot_hw_extent extents[PITOT_HW_MAX_SAMPLES];
   unsigned record_unit_B; /* the alignment of records */
   uint32_t validated;     /* mask of samples with valid bits */
   uint32_t times;         /* mask of timestamps */

   struct pitot_hw_condition_memory condition;

   unsigned seen_restarts; /* see pitot_clock_take_restart() */

   bool is_active;          /* false during the driver's internal draws */
   bool is_noop;            /* batches are recorded, but not executed */
   uint8_t between_batches; /* mask of rings that have no current batch */
   struct pitot_hw_query *active; /* the list of active queries */
   uint64_t dispatch_batch; /* of the last dispatch on time_ring, or 0 */
   struct pitot_hw_epochs epochs[PITOT_MAX_RINGS];

   /* By ring: the batches whose state was read while `recording` was the
    * current batch, to read each state once.  Bit n of mask: recording - n.
    */
   struct pitot_hw_asked {
      uint64_t recording, mask;
   } asked[PITOT_MAX_RINGS];

   /* result_batches at the last pitot_hw_poll_disjoint() */
   uint64_t asked_batches[PITOT_MAX_RINGS];

   uint32_t counting_mask; /* enum pitot_counting: what the hardware counts */
   unsigned counting_users[32]; /* active queries, by bit of that mask */
   unsigned end_count[PITOT_MAX_RINGS]; /* see pitot_cs_end_count() */

   struct pitot_hw_slabs slabs[PITOT_HW_SLABS_COUNT];

   struct pitot_cs_pair *pairs; /* scratch memory of store.c */
   unsigned pair_capacity;

   /* Reused: malloc() would be a sixth of the time of a begin and an end. */
   struct pitot_hw_segment *free_segments;

   /* For threads that wait for a query's lock. */
   pthread_mutex_t sleep_lock;
   pthread_cond_t woken;

   /* Shared with threads that read results. */
   _Atomic(struct pitot_hw_segment *) returned; /* for pitot_hw_reclaim() */
   atomic_bool is_disjoint;
   _Atomic uint64_t result_batches[PITOT_MAX_RINGS]; /* of latest results */
   _Atomic uint64_t backend_slots; /* see pitot_hw_backend_slots() */
};

/* Returns a mask of the samples that a measure needs on a stream. */
uint32_t
pitot_hw_measure_samples(const struct pitot_hw_measure *measure,
                         unsigned stream);

void
pitot_hw_set_disjoint(struct pitot_hw *hw);

/* Records that the result of a closed segment is ready, or will be stored, so
 * that pitot_hw_poll_disjoint() calls take_reset().  Two threads may store
 * their batches in either order, since any change counts.  Any thread.
 */
static inline void
pitot_hw_note_result(struct pitot_hw *hw,
                     const struct pitot_hw_segment *segment)
{
   atomic_store_explicit(&hw->result_batches[segment->layout->ring],
                         segment->end_batch, memory_order_relaxed);
}

/* Returns a mask of the slots of a sample that render backends write, or 0 if
 * it is not known yet.  Any thread.
 */
static inline uint64_t
pitot_hw_backend_slots(const struct pitot_hw *hw)
{
   return atomic_load_explicit(&hw->backend_slots, memory_order_relaxed);
}

/* Reserves space for commands that belong to no segment, and emits them.
 * Returns 0, or -EIO if the device is lost.
 */
int
pitot_hw_emit(struct pitot_hw *hw, enum pitot_ring ring,
              struct pitot_cs_place place,
              const struct pitot_cs_command *commands, unsigned count);

/* Samples of a ring that the driver lacks are on the render ring. */
static inline enum pitot_ring
pitot_hw_ring(const struct pitot_hw *hw, unsigned sample)
{
   const enum pitot_ring ring = hw->family->samples[sample].ring;

   return ring < hw->ring_count ? ring : PITOT_RING_RENDER;
}

#endif /* PITOT_HW_PRIV_H */
