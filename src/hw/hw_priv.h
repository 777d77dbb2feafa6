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
#include <sched.h>
#include <stdatomic.h>

#include "family.h"
#include "pitot/driver.h"
#include "pitot/gpu_clock.h"

/*
 * slab.c: memory for what the GPU writes.
 */

/* A buffer that is filled from front to back, and again from the front once
 * nobody reads from it nor writes to it.
 */
struct pitot_hw_slab {
   struct pitot_hw_slab *next; /* of those that nobody reads from */
   struct pitot_hw_slab *next_of_all;
   struct pitot_cs_buffer *buffer;
   unsigned used_B;
   unsigned taken; /* pieces */
   unsigned given; /* back: nobody reads from them any more */
   uint64_t last_batch[PITOT_RING_COUNT]; /* that writes to it, or 0 */
};

struct pitot_hw_slabs {
   struct pitot_hw_slab *all;
   struct pitot_hw_slab *current;
   struct pitot_hw_slab *unread; /* the longest unread first */
   struct pitot_hw_slab **unread_end;
};

/* Returns a piece of memory, in zeroes, or -ENOMEM. */
int
pitot_hw_slab_take(struct pitot_hw *hw, unsigned size_B,
                   struct pitot_hw_slab **slab_out, unsigned *offset_B_out);

/* Gives it back. */
void
pitot_hw_slab_give(struct pitot_hw *hw, struct pitot_hw_slab *slab);

/* Says that the batch being recorded reads or writes it. */
void
pitot_hw_slab_use(struct pitot_hw *hw, struct pitot_hw_slab *slab,
                  enum pitot_ring ring);

void
pitot_hw_slabs_destroy(struct pitot_hw *hw);

/*
 * snapshot.c
 */

/* Samples taken together, shared by all that need one of them. */
struct pitot_hw_snapshot {
   struct pitot_hw_snapshot *next_free;
   struct pitot_hw_slab *slab;
   unsigned offset_B; /* of the availability word, which the samples follow */
   enum pitot_ring ring;
   uint64_t batch;
   uint32_t samples;
   bool says_available;         /* where not, a later one does */
   unsigned available_offset_B; /* what is not 0 then */
   uint64_t expected_ticks;     /* about the time, if that is a sample */
   unsigned references;
};

/* Where a query begins or ends to count: a few snapshots taken at the same
 * place, which together have what it needs.
 */
#define PITOT_HW_MAX_SNAPSHOTS 4

struct pitot_hw_boundary {
   struct pitot_hw_snapshot *snapshots[PITOT_HW_MAX_SNAPSHOTS];
   unsigned count;
};

/* The latest place in a ring where something was sampled. */
#define PITOT_HW_MAX_SHARED 16

struct pitot_hw_place {
   uint64_t position;
   bool is_stalled;
   struct pitot_hw_snapshot *snapshots[PITOT_HW_MAX_SHARED];
   unsigned count;
};

/* Samples, or shares what was sampled in the same place.  An end has to say
 * that it is available; what is begun is available when its end has, which is
 * later on the same ring.  Returns 0, -ENOMEM, or -EIO if the device is lost.
 */
int
pitot_hw_take(struct pitot_hw *hw, enum pitot_ring ring, uint32_t samples,
              bool is_end, struct pitot_hw_boundary *boundary_out);

/* Gives the snapshots back. */
void
pitot_hw_release(struct pitot_hw *hw, struct pitot_hw_boundary *boundary);

/* Forgets the latest place. */
void
pitot_hw_place_reset(struct pitot_hw *hw, struct pitot_hw_place *place);

/* Returns the address of a sample of a boundary. */
uint64_t
pitot_hw_boundary_address(const struct pitot_hw *hw,
                          const struct pitot_hw_boundary *boundary,
                          unsigned sample, uint64_t *expected_ticks_out);

uint64_t
pitot_hw_snapshot_address(const struct pitot_hw_snapshot *snapshot);

/* Returns the address of 4 bytes that are not 0 once it is available. */
uint64_t
pitot_hw_available_address(const struct pitot_hw_snapshot *snapshot);

/* Returns how many dwords a snapshot takes at an end. */
unsigned
pitot_hw_snapshot_size_dw(const struct pitot_hw *hw, uint32_t samples);

/* Returns whether a snapshot is available, as far as it says so. */
bool
pitot_hw_snapshot_is_available(const struct pitot_hw_snapshot *snapshot);

/* Returns the data of a sample and, in expected_ticks_out unless that is
 * NULL, about when it was taken.
 */
const uint64_t *
pitot_hw_boundary_data(const struct pitot_hw *hw,
                       const struct pitot_hw_boundary *boundary,
                       unsigned sample, uint64_t *expected_ticks_out);

/*
 * clock.c: the GPU's time, of more bits than its counter has.
 */

#define PITOT_HW_TICKS_UNKNOWN UINT64_MAX

/* Returns 0 or -ENOMEM. */
int
pitot_hw_clock_init(struct pitot_hw *hw);

void
pitot_hw_clock_finish(struct pitot_hw *hw);

/* Returns whether the counter began anew since the last call. */
bool
pitot_hw_clock_take_restart(struct pitot_hw *hw);

/* Returns about what the time is, as PITOT_HW_TICKS_UNKNOWN if need be. */
uint64_t
pitot_hw_clock_expect(struct pitot_hw *hw);

/* Returns the time that was sampled when it was expected to be about that.
 * Any thread.
 */
uint64_t
pitot_hw_clock_extend(struct pitot_hw *hw, uint64_t expected_ticks,
                      uint64_t sample_ticks);

/*
 * query.c and result.c
 */

/* What was counted from one boundary to the next. */
struct pitot_hw_segment {
   struct pitot_hw_segment *next;
   uint32_t samples;
   struct pitot_hw_boundary begin;
   struct pitot_hw_boundary end;
};

struct pitot_hw_value {
   const struct pitot_hw_row *row; /* NULL: always 0 */
   uint32_t samples;
   unsigned stream;
   uint64_t sum;
   uint64_t begin_ticks, end_ticks; /* of the last time that was added */
};

/* What a query does on one ring. */
struct pitot_hw_part {
   uint32_t samples;
   struct pitot_hw_segment *open;
};

struct pitot_hw_query {
   uint8_t apart[PITOT_CACHE_LINE_B]; /* and as much behind the values */

   struct pitot_hw_query *previous; /* of the active ones */
   struct pitot_hw_query *next;
   bool is_instant;
   bool is_time; /* counts on when others are paused */
   uint32_t counting;
   struct pitot_hw_part parts[PITOT_RING_COUNT];

   /* Below u_threaded_context, the application's thread looks for results
    * while the driver's stores them, or even records the query.
    */
   atomic_flag is_in_use;

   bool is_active;
   bool is_resolved;
   int status; /* 0, or -EIO as soon as a segment is lost */
   struct pitot_hw_segment *first; /* closed ones that are not merged yet */
   struct pitot_hw_segment **last;

   unsigned value_count;
   struct pitot_hw_value values[];
};

/* Keeps other threads out of a query: for the moments that it takes to begin,
 * to end, to look or to store, not while the GPU works.
 */
static inline bool
pitot_hw_query_try_enter(struct pitot_hw_query *query)
{
   return !atomic_flag_test_and_set_explicit(&query->is_in_use,
                                             memory_order_acquire);
}

static inline void
pitot_hw_query_enter(struct pitot_hw_query *query)
{
   while (!pitot_hw_query_try_enter(query))
      sched_yield();
}

static inline void
pitot_hw_query_leave(struct pitot_hw_query *query)
{
   atomic_flag_clear_explicit(&query->is_in_use, memory_order_release);
}

/* The batch that a result waits for. */
struct pitot_hw_wait {
   bool is_needed;
   bool was_in_vain; /* it is not even done after the wait */
   enum pitot_ring ring;
   uint64_t batch;
};

/* Looks for the result of a query that was entered: returns 1 if it is there,
 * 0 if not, or -EIO if it is lost.  Flushes what it waits for.
 */
int
pitot_hw_query_look(struct pitot_hw *hw, struct pitot_hw_query *query,
                    struct pitot_hw_wait *wait, uint64_t *values_out);

/* Looks whether all segments are available, and only looks; if so, the result
 * is there without further ado.
 */
bool
pitot_hw_query_is_available(const struct pitot_hw_query *query);

/* Returns whether all of the oldest segment, which must be available, has
 * been written: some samples say so of each qword.
 */
bool
pitot_hw_query_first_is_written(struct pitot_hw *hw,
                                const struct pitot_hw_query *query);

/* Adds up and drops the oldest segment, which must be available. */
void
pitot_hw_query_merge_first(struct pitot_hw *hw, struct pitot_hw_query *query);

/* Frees a segment: the thread that records, and any thread. */
void
pitot_hw_segment_free(struct pitot_hw *hw, struct pitot_hw_segment *segment);

void
pitot_hw_segment_return(struct pitot_hw *hw,
                        struct pitot_hw_segment *segment);

/* Frees the segments that were returned. */
void
pitot_hw_reclaim(struct pitot_hw *hw);

/*
 * suspend.c
 */

/* Opens or closes a segment of an active query on a ring, unless it is
 * already; what fails is lost.
 */
int
pitot_hw_query_open(struct pitot_hw *hw, struct pitot_hw_query *query,
                    enum pitot_ring ring);

int
pitot_hw_query_close(struct pitot_hw *hw, struct pitot_hw_query *query,
                     enum pitot_ring ring);

extern const struct pitot_cs_listener pitot_hw_listener;

/*
 * hw.c
 */

/* Bits of enum pitot_counting. */
#define PITOT_HW_COUNTINGS 5

static_assert(PITOT_COUNTING_GENERATED == 1 << (PITOT_HW_COUNTINGS - 1),
              "PITOT_HW_COUNTINGS is stale");

struct pitot_hw {
   struct pitot_cs_listener listener;
   struct pitot_cs *cs;
   const struct pitot_hw_family *family;
   struct pitot_cs_buffer *scratch; /* or NULL */

   struct pitot_hw_slab *condition; /* where the records are, or NULL */

   struct pitot_gpu_clock *clock;
   struct pitot_gpu_clock own_clock; /* unless the command stream has one */
   unsigned seen_restarts;

   bool is_active; /* unless the driver draws for itself */
   struct pitot_hw_query *active;
   struct pitot_hw_place places[PITOT_RING_COUNT];
   uint64_t dispatch_batch; /* the latest that somebody computes in, or 0 */

   /* How many active queries want what to be counted, or sampled at the end
    * of a batch.
    */
   unsigned counting_users[PITOT_HW_COUNTINGS];
   uint32_t counting;
   unsigned sample_users[PITOT_RING_COUNT][PITOT_HW_MAX_SAMPLES];
   uint32_t samples_at_end[PITOT_RING_COUNT];
   unsigned end_size_dw[PITOT_RING_COUNT];

   struct pitot_hw_slabs slabs;
   struct pitot_hw_snapshot *free_snapshots;
   struct pitot_hw_segment *free_segments;

   /* What threads share that ask for results. */
   _Atomic(struct pitot_hw_segment *) returned;
   atomic_bool is_disjoint;
};

void
pitot_hw_set_disjoint(struct pitot_hw *hw);

/* Returns the ring of a sample on this stream. */
static inline enum pitot_ring
pitot_hw_ring(const struct pitot_hw *hw, unsigned sample)
{
   const enum pitot_ring ring = hw->family->samples[sample].ring;

   return hw->cs->has_compute ? ring : PITOT_RING_RENDER;
}

#endif /* PITOT_HW_PRIV_H */
