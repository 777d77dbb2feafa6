/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A driver's command stream (cs): the interface that a driver implements so
 * that Pitot can sample the GPU's counters in its batches.  Embed struct
 * pitot_cs and struct pitot_cs_buffer first in structs of your own.
 *
 * A command stream has one or two rings.  Each ring executes batches one
 * after the other, numbered from 1.  A batch is recorded, submitted, executed
 * by the GPU, and done.
 *
 * Threads: while one thread records, any thread may call batch_state() and
 * wait(), and any one thread at a time take_reset().  The thread that records
 * commands calls all other functions.
 */

#ifndef PITOT_CS_H
#define PITOT_CS_H

#include <stdbool.h>
#include <stdint.h>

#include "pitot/gpu.h"
#include "pitot/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rings by number: a driver has the first ring_count of them.  Draws are on
 * the render ring, and queries begin there.  Dispatches are on the compute
 * ring or, without that ring, on the render ring.
 */
enum pitot_ring {
   PITOT_RING_RENDER,
   PITOT_RING_COMPUTE,
   PITOT_MAX_RINGS,
};

/* Commands that make the GPU write to memory. */
enum pitot_command_kind {
   /* The counter of samples that passed, or one for each render backend. */
   PITOT_COMMAND_OCCLUSION,

   /* The time when all earlier work is done. */
   PITOT_COMMAND_TIMESTAMP,

   /* Counters that the argument names, as the family defines it. */
   PITOT_COMMAND_COUNTER,

   /* A value of 32 bits, when all earlier work is done and all earlier
    * commands have written: 4 bytes, or 8 with the upper 4 being 0.
    */
   PITOT_COMMAND_FENCE,

   /* A value of 4 or 8 bytes, when the GPU reaches the command. */
   PITOT_COMMAND_VALUE,

   /* For a sample that is taken once per tile, whose record has three qwords:
    * begin, sum and end.  Adds end - begin to the sum.  Comes after the end.
    */
   PITOT_COMMAND_ACCUMULATE,
};

struct pitot_cs_command {
   enum pitot_command_kind kind;
   uint32_t argument; /* the family's; PITOT_COMMAND_ACCUMULATE: the kind of
                       * the sample */
   unsigned offset_B; /* of the write, from the place of emit() */
   unsigned size_B;   /* PITOT_COMMAND_VALUE: 4 or 8 */
   uint64_t value;    /* PITOT_COMMAND_FENCE and PITOT_COMMAND_VALUE */
   bool is_end;       /* the sample ends a segment */
};

/* Hardware counters that are not free while they count. */
enum pitot_counting {
   PITOT_COUNTING_SAMPLES = 1 << 0, /* occlusion, exactly */
   PITOT_COUNTING_BOOLEAN = 1 << 1, /* occlusion: whether any sample passed */
   PITOT_COUNTING_STATISTICS = 1 << 2,   /* pipeline statistics */
   PITOT_COUNTING_STREAMOUT = 1 << 3,    /* transform feedback */
   PITOT_COUNTING_GENERATED = 1 << 4,    /* primitives, also without it */
   PITOT_COUNTING_CONSERVATIVE = 1 << 5, /* occlusion: may count too many */
};

#define PITOT_COUNTING_OCCLUSION                                             \
   (PITOT_COUNTING_SAMPLES | PITOT_COUNTING_BOOLEAN |                        \
    PITOT_COUNTING_CONSERVATIVE)

/* In the order in which a batch passes through them: code compares states. */
enum pitot_batch_state {
   PITOT_BATCH_RECORDING,
   PITOT_BATCH_SUBMITTED,
   PITOT_BATCH_DONE, /* all of its writes are visible to the CPU */
   PITOT_BATCH_LOST, /* writes are missing and will not come; a driver that
                      * cannot tell reports DONE */
};

/* A BO that the GPU writes and the CPU reads, coherently. */
struct pitot_cs_buffer {
   uint64_t address; /* the GPU's; only the driver uses it */
   uint8_t *memory;  /* the CPU's */
   unsigned size_B;
};

/* The memory from which a command's offset counts. */
struct pitot_cs_place {
   struct pitot_cs_buffer *buffer;
   unsigned offset_B;
};

/* The driver notifies the sampler (struct pitot_hw; not a texture sampler)
 * when batches begin and end, and which of them one hardware context
 * executes, by the functions at the end of this file.
 */
struct pitot_cs_listener {
   void (*batch_begin)(struct pitot_cs_listener *listener,
                       enum pitot_ring ring);
   void (*batch_end)(struct pitot_cs_listener *listener,
                     enum pitot_ring ring);
   unsigned (*end_count)(struct pitot_cs_listener *listener,
                         enum pitot_ring ring);
   void (*context_replaced)(struct pitot_cs_listener *listener,
                            enum pitot_ring ring);
};

/* Where a qword is sampled at the begin of a segment and at its end. */
struct pitot_cs_pair {
   struct pitot_cs_buffer *begin; /* NULL: the segment has no begin */
   struct pitot_cs_buffer *end;
   unsigned begin_B, end_B;
   unsigned available_B; /* of a dword in the end's buffer that is not 0 once
                          * the end is written */
   enum pitot_ring ring; /* the ring that samples it */
};

enum pitot_cs_method {
   PITOT_CS_ADD,      /* adds end - begin */
   PITOT_CS_OVERFLOW, /* compares each two pairs, which have the same slots:
                       * counts the slots that grew by different amounts */
   PITOT_CS_ELAPSED,  /* adds end - begin, or 0 if the clock went back */
   PITOT_CS_LATEST,   /* the greatest end */
};

/* A query's result, for the GPU to compute and store. */
struct pitot_cs_result {
   enum pitot_ring ring; /* the ring that stores it */
   enum pitot_cs_method method;
   uint64_t sum; /* the result of earlier segments, to which pairs add */
   const struct pitot_cs_pair *pairs;
   unsigned pair_count;
   uint64_t slots;      /* mask of the qwords at each offset of a pair */
   unsigned stride_B;   /* between two slots */
   bool has_valid_bits; /* bit 63 is set in a qword that is written, and is
                         * not part of its value; a pair is ready if all its
                         * qwords are */
   unsigned shift;      /* divide the sum by 1 << shift */
   bool is_boolean;     /* store 1 for any result that is not 0 */
   bool is_inverted;    /* with is_boolean: 1 for 0, and 0 otherwise */

   /* The result is a time in ticks, to be stored in nanoseconds: exact up to
    * a second, and to 1 ppb beyond.  A counter of fewer than 64 bits is
    * extended: no sample is earlier than base_ticks, nor later by the
    * counter's range or more.
    */
   bool is_time;
   uint64_t base_ticks;
   uint64_t earliest_ticks; /* no sample is earlier */

   /* PITOT_CS_ELAPSED: the last interval in the sum, or 0 and 0 if there is
    * none.  Time that two consecutive intervals share counts once.
    */
   uint64_t begin_ticks, end_ticks;

   /* The target.  If a pair is not ready, PITOT_STORE_AVAILABLE and
    * PITOT_STORE_RESULT store 0.  A command streamer that stores in order
    * checks only the pairs of other rings.
    */
   enum pitot_store kind;
   enum pitot_type type; /* clamp the result to it */
   struct pitot_cs_buffer *buffer;
   unsigned offset_B;
   bool is_condition; /* also set the ring's predicate to the result */
};

struct pitot_clock;
struct pitot_cs_ops;

struct pitot_cs {
   const struct pitot_cs_ops *ops;
   const struct pitot_gpu *gpu;
   struct pitot_clock *clock; /* of the counter that TIMESTAMP samples */
   unsigned ring_count;       /* 1: everything is on PITOT_RING_RENDER */

   /* Around internal draws, the driver stops the counters that the hardware
    * can stop: with Intel's Statistics Enable of the clipper and the
    * windower, with AMD's PIPELINESTAT_STOP and ZPASS_INCREMENT_DISABLE.
    */
   bool stops_counting;

   /* The driver begins a batch with the first draw, not when the last batch
    * ended.  A query that begins between two batches is sampled by
    * pitot_cs_batch_begin(), which the driver calls before it draws again.
    * set_counting() notifies the driver of such a query, even if the mask
    * does not change.  Only if the family suspends between batches.
    */
   bool begins_late;

   /* The GPU executes a batch once for each tile.  store() stores after the
    * last tile, when the samples of the batch are ready; then the batch is
    * flushed.  A result that the CPU knows is not recorded: the caller of
    * pitot_hw_query_store() writes it.
    */
   bool has_tiles;

   /* The latest batch of the render ring that the driver dropped instead of
    * submitting, or 0.  The driver sets it before it begins the next batch.
    */
   uint64_t dropped_batch;

   struct pitot_cs_listener *listener; /* the sampler's, or NULL */
};

struct pitot_cs_ops {
   /* Creates a buffer of zeros.  Returns 0 or -ENOMEM. */
   int (*buffer_create)(struct pitot_cs *cs, unsigned size_B,
                        struct pitot_cs_buffer **buffer_out);

   /* Destroys a buffer, whose memory stays until the GPU is done with it. */
   void (*buffer_destroy)(struct pitot_cs *cs,
                          struct pitot_cs_buffer *buffer);

   /* Returns the number of the current batch, which it may begin. */
   uint64_t (*current_batch)(struct pitot_cs *cs, enum pitot_ring ring);

   /* Optional.  Reserves space for this many commands of any kind.  A batch
    * that is too full is ended, unless it just begins or ends.  Returns
    * whether the current batch has the space: false if the device is lost (a
    * count of 0 checks only this), or if the active queries take more than a
    * batch.  NULL: batches grow, and always have space.
    */
   bool (*require)(struct pitot_cs *cs, enum pitot_ring ring,
                   unsigned command_count);

   /* Adds a buffer that the current batch reads or writes to the batch.  The
    * batch then executes after the other ring's submitted batches that use
    * the buffer.  Not called for the buffer of emit().
    */
   void (*use_buffer)(struct pitot_cs *cs, enum pitot_ring ring,
                      struct pitot_cs_buffer *buffer);

   /* Emits the commands of one position by the driver's own functions, so
    * that its workarounds apply and its debug dumps show them.  Before the
    * first sample that the command streamer reads itself, the driver makes it
    * wait until all earlier work is done.  Space is reserved, so the batch
    * must not end here.  The driver adds the place's buffer to the batch.
    */
   void (*emit)(struct pitot_cs *cs, enum pitot_ring ring,
                struct pitot_cs_place place,
                const struct pitot_cs_command *commands, unsigned count);

   /* Makes the GPU compute and store a result, at this position of
    * result->ring.  The driver adds the buffers of the result and of its
    * pairs to the batch.  For the pairs' buffers, use_buffer() is called
    * afterwards, to order the rings.  Returns false if the GPU cannot compute
    * the result or the device is lost.  NULL: the CPU waits for every result.
    */
   bool (*store)(struct pitot_cs *cs, const struct pitot_cs_result *result);

   /* Makes the hardware count exactly what is in a mask of enum
    * pitot_counting, from this position on.
    */
   void (*set_counting)(struct pitot_cs *cs, unsigned mask);

   /* Returns the state of a batch.  May check a fence, but neither flushes
    * nor waits.
    */
   enum pitot_batch_state (*batch_state)(struct pitot_cs *cs,
                                         enum pitot_ring ring,
                                         uint64_t batch);

   /* Ends and submits the current batch. */
   void (*flush)(struct pitot_cs *cs, enum pitot_ring ring);

   /* Waits until a submitted batch is done or lost. */
   void (*wait)(struct pitot_cs *cs, enum pitot_ring ring, uint64_t batch);

   /* Returns whether the device was lost, or was reset so that its clock may
    * have restarted.  Reports each event once.
    */
   bool (*take_reset)(struct pitot_cs *cs);
};

/*
 * Functions that an implementation has to call
 */

/* Call this when a batch begins, before anything else is recorded in it. */
static inline void
pitot_cs_batch_begin(struct pitot_cs *cs, enum pitot_ring ring)
{
   if (cs->listener)
      cs->listener->batch_begin(cs->listener, ring);
}

/* Returns how many commands pitot_cs_batch_end() will emit.  Whenever you
 * reserve space in the current batch, reserve space for these, too.
 */
static inline unsigned
pitot_cs_end_count(const struct pitot_cs *cs, enum pitot_ring ring)
{
   return cs->listener ? cs->listener->end_count(cs->listener, ring) : 0;
}

/* Call this when a batch is about to end.  It calls require() for the space
 * of pitot_cs_end_count(), which must not end the batch once more.
 */
static inline void
pitot_cs_batch_end(struct pitot_cs *cs, enum pitot_ring ring)
{
   if (cs->listener)
      cs->listener->batch_end(cs->listener, ring);
}

/* Call this when another hardware context replaces a ring's, as after a ban:
 * in the thread that records, before anything is submitted to the new
 * context.  The new context executes the whole current batch and all later
 * ones, and its counters restart.
 */
static inline void
pitot_cs_context_replaced(struct pitot_cs *cs, enum pitot_ring ring)
{
   if (cs->listener)
      cs->listener->context_replaced(cs->listener, ring);
}

#ifdef __cplusplus
}
#endif

#endif /* PITOT_CS_H */
