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
#include "pitot/driver.h"
#include "pitot_clock.h"

/*
 * epoch.c
 */

/* More replacements than a kernel puts up with.  If there are more
 * nevertheless, old segments are lost that need not be.
 */
#define PITOT_HW_MAX_EPOCHS 8

/* The epochs of a ring but the first one.  Read by any thread. */
struct pitot_hw_epochs {
   atomic_uint count;
   _Atomic(uint64_t) first_batches[PITOT_HW_MAX_EPOCHS]; /* the latest ones */
};

/* Begins an epoch with the batch being recorded: a listener's function. */
void
pitot_hw_epoch_begin(struct pitot_cs_listener *listener,
                     enum pitot_ring ring);

/* Returns whether one hardware context executes two batches of a ring. */
bool
pitot_hw_epoch_is_same(const struct pitot_hw *hw, enum pitot_ring ring,
                       uint64_t older_batch, uint64_t newer_batch);

/*
 * store.c
 */

/* Looks whether a result is there by now, which flushes nothing. */
bool
pitot_hw_query_is_known(struct pitot_hw *hw, struct pitot_hw_query *query,
                        uint64_t *values_out);

/* Has the GPU write a value that the CPU does not know, of a query whose lock
 * is held, to the target that a result names.  Returns 0, -ENOMEM, or -ENOTSUP
 * if the CPU has to find out: it may be lost, or the GPU cannot compute it.
 */
int
pitot_hw_query_store_by_gpu(struct pitot_hw *hw,
                            const struct pitot_hw_query *query,
                            const struct pitot_hw_value *value,
                            struct pitot_cs_result *result);

/*
 * condition.c
 */

/* The memory that the last condition looks at. */
struct pitot_hw_condition_memory {
   struct pitot_hw_slab *boolean; /* or NULL */
   struct pitot_hw_record *records;
   unsigned count, capacity;
};

/* Adds the record of a segment's sample to the condition that is being
 * decided.  Returns whether there is memory.
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

/* Conditions of AMD's want their records at such multiples. */
#define PITOT_HW_RECORD_UNIT_B 16

/* The memory of a sample in a record, as in struct pitot_hw_family. */
struct pitot_hw_extent {
   unsigned size_B, end_distance_B;
};

struct pitot_hw {
   struct pitot_cs_listener listener;
   struct pitot_cs *cs;
   const struct pitot_hw_family *family;
   unsigned ring_count;
   enum pitot_ring time_ring; /* that has times besides the first one, or 0 */
   const struct pitot_hw_layout *second_time; /* of a time on that ring */
   _Atomic(struct pitot_hw_layout *) layouts;
   struct pitot_hw_extent extents[PITOT_HW_MAX_SAMPLES];
   unsigned record_unit_B; /* memory is taken in multiples of this */
   uint32_t validated;     /* the samples with valid bits: a mask */
   uint32_t times;         /* and those of a time */

   struct pitot_hw_condition_memory condition;

   unsigned seen_restarts; /* of the clock */

   bool is_active;          /* unless the driver draws for itself */
   bool is_noop;            /* nothing is executed */
   uint8_t between_batches; /* rings: one has ended, and no other has begun */
   struct pitot_hw_query *active;
   uint64_t
      dispatch_batch; /* the latest with a dispatch on time_ring, or 0 */
   struct pitot_hw_epochs epochs[PITOT_MAX_RINGS];

   /* On each ring: the batches that the kernel was asked about, while one was
    * being recorded: a mask, by how far they are before it.
    */
   struct pitot_hw_asked {
      uint64_t recording, mask;
   } asked[PITOT_MAX_RINGS];

   /* result_batches when pitot_hw_poll_disjoint() last asked. */
   uint64_t asked_batches[PITOT_MAX_RINGS];

   uint32_t counting_mask;      /* what the hardware counts, as enum... */
   unsigned counting_users[32]; /* ...pitot_counting: active queries by bit */
   unsigned end_count[PITOT_MAX_RINGS]; /* of commands, to suspend all */

   struct pitot_hw_slabs slabs[PITOT_HW_SLABS_COUNT];

   struct pitot_cs_pair *pairs; /* of the value being stored */
   unsigned pair_capacity;

   /* Kept, because malloc() would be a sixth of what it takes to begin and to
    * end a query.
    */
   struct pitot_hw_segment *free_segments;

   /* Of threads that wait for a query's lock. */
   pthread_mutex_t sleep_lock;
   pthread_cond_t woken;

   /* Shared with threads that ask for results. */
   _Atomic(struct pitot_hw_segment *) returned;
   atomic_bool is_disjoint;
   _Atomic uint64_t result_batches[PITOT_MAX_RINGS]; /* of latest results */
   _Atomic uint64_t backend_slots; /* see pitot_hw_backend_slots() */
};

/* Returns the samples that a measure needs on a stream: a mask. */
uint32_t
pitot_hw_measure_samples(const struct pitot_hw_measure *measure,
                         unsigned stream);

void
pitot_hw_set_disjoint(struct pitot_hw *hw);

/* The result of a closed segment has come, or will be stored: see
 * pitot_hw_poll_disjoint().  Two threads may store their batches in either
 * order, since any change counts.  Any thread.
 */
static inline void
pitot_hw_note_result(struct pitot_hw *hw,
                     const struct pitot_hw_segment *segment)
{
   atomic_store_explicit(&hw->result_batches[segment->layout->ring],
                         segment->end_batch, memory_order_relaxed);
}

/* Returns a mask of the slots of a sample that render backends write, or 0 if
 * that is not known yet.  Any thread.
 */
static inline uint64_t
pitot_hw_backend_slots(const struct pitot_hw *hw)
{
   return atomic_load_explicit(&hw->backend_slots, memory_order_relaxed);
}

/* Emits commands that are no begin or end of a query, for which it makes room.
 * Returns 0, or -EIO if the device is lost.
 */
int
pitot_hw_emit(struct pitot_hw *hw, enum pitot_ring ring,
              struct pitot_cs_place place,
              const struct pitot_cs_command *commands, unsigned count);

/* Returns the ring of a sample on this command stream. */
static inline enum pitot_ring
pitot_hw_ring(const struct pitot_hw *hw, unsigned sample)
{
   const enum pitot_ring ring = hw->family->samples[sample].ring;

   return ring < hw->ring_count ? ring : PITOT_RING_RENDER;
}

#endif /* PITOT_HW_PRIV_H */
