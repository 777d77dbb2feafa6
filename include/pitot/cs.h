/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A driver's command stream (cs), as Pitot writes into it: the interface that
 * a driver implements to have Pitot sample the GPU's counters for it.  Embed
 * struct pitot_cs and struct pitot_cs_buffer first in structs of your own.
 *
 * A command stream consists of batches, one after the other on each of its
 * rings.  They are numbered from 1 on each ring, and each is recorded,
 * submitted, executed by the GPU, and done.
 *
 * Threads: batch_state() and wait() may be called by any thread, and
 * take_reset() by any, one at a time, while another one records; all other
 * functions are called by the thread that records commands.
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

/* Rings by number, of which a driver has the first ones (ring_count).  On the
 * first one it draws, and queries begin.  Dispatches are on the second one or,
 * where there is none, on the first.
 */
enum pitot_ring {
   PITOT_RING_RENDER,
   PITOT_RING_COMPUTE,
   PITOT_MAX_RINGS,
};

/* Commands by which the GPU writes to memory. */
enum pitot_command_kind {
   /* The counter of samples that passed, or one of each render backend. */
   PITOT_COMMAND_OCCLUSION,

   /* The time when all earlier work is done. */
   PITOT_COMMAND_TIMESTAMP,

   /* Counters that the family's argument names. */
   PITOT_COMMAND_COUNTER,

   /* A value of 32 bits, once all earlier work is done and all earlier
    * commands have written: 4 bytes, or 8 of which the upper 4 are 0.
    */
   PITOT_COMMAND_FENCE,

   /* A value of 4 or 8 bytes, when the command is reached. */
   PITOT_COMMAND_VALUE,

   /* Of a sample that is taken once for each tile, three qwords: begin, sum
    * and end.  Adds what the end is greater by than the begin to the sum.
    * Comes after the end.
    */
   PITOT_COMMAND_ACCUMULATE,
};

struct pitot_cs_command {
   enum pitot_command_kind kind;
   uint32_t argument; /* the family's; of PITOT_COMMAND_ACCUMULATE the kind
                       * of the sample */
   unsigned offset_B; /* of what is written, from the place of emit() */
   unsigned size_B;   /* of PITOT_COMMAND_VALUE: 4 or 8 */
   uint64_t value;  /* of PITOT_COMMAND_FENCE and PITOT_COMMAND_VALUE */
   bool is_end;     /* of a sample: not the begin of a segment */
};

/* Counters of the hardware that cost something while they are counting. */
enum pitot_counting {
   PITOT_COUNTING_SAMPLES = 1 << 0, /* occlusion, exactly */
   PITOT_COUNTING_BOOLEAN = 1 << 1, /* occlusion: 0 only if there is none */
   PITOT_COUNTING_STATISTICS = 1 << 2, /* of the pipeline */
   PITOT_COUNTING_STREAMOUT = 1 << 3,  /* primitives of transform feedback */
   PITOT_COUNTING_GENERATED = 1 << 4,  /* primitives without it, too */
   PITOT_COUNTING_CONSERVATIVE = 1 << 5, /* occlusion: more than 0 perhaps
                                          * although no sample passed */
};

#define PITOT_COUNTING_OCCLUSION                                             \
   (PITOT_COUNTING_SAMPLES | PITOT_COUNTING_BOOLEAN |                        \
    PITOT_COUNTING_CONSERVATIVE)

/* In the order in which a batch passes through them. */
enum pitot_batch_state {
   PITOT_BATCH_RECORDING,
   PITOT_BATCH_SUBMITTED,
   PITOT_BATCH_DONE, /* all of its writes are visible to the CPU */
   PITOT_BATCH_LOST, /* writes are missing, and will not come; DONE from a
                      * driver that cannot tell */
};

/* Memory that the GPU writes and the CPU reads, coherently. */
struct pitot_cs_buffer {
   uint64_t address; /* the GPU's, for the driver alone */
   uint8_t *memory;  /* the CPU's */
   unsigned size_B;
};

/* A place in memory, at which the offsets of commands begin. */
struct pitot_cs_place {
   struct pitot_cs_buffer *buffer;
   unsigned offset_B;
};

/* The sampler (struct pitot_hw; it has nothing to do with textures) has to
 * know when batches begin and end, and which of them are executed by one
 * hardware context.
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

/* The two places of a qword: sampled at the begin of a segment, and at its
 * end.
 */
struct pitot_cs_pair {
   struct pitot_cs_buffer *begin; /* NULL: there is only an end */
   struct pitot_cs_buffer *end;
   unsigned begin_B, end_B;
   unsigned available_B; /* of a dword in the buffer of the end that is not 0
                          * once the end is written */
   enum pitot_ring ring; /* that samples it */
};

enum pitot_cs_method {
   PITOT_CS_ADD,      /* adds by how much the qwords grew */
   PITOT_CS_OVERFLOW, /* pairs come in twos, at the same slots: counts those
                       * that did not grow alike */
   PITOT_CS_ELAPSED,  /* adds by how much they grew, unless they went back */
   PITOT_CS_LATEST,   /* the greatest end */
};

/* A result of a query, which the GPU is to compute and store. */
struct pitot_cs_result {
   enum pitot_ring ring; /* that stores it */
   enum pitot_cs_method method;
   uint64_t sum; /* of earlier segments: the result without any pairs */
   const struct pitot_cs_pair *pairs;
   unsigned pair_count;
   uint64_t slots;      /* a mask of the qwords at a pair's offsets... */
   unsigned stride_B;   /* ...which are this much apart */
   bool has_valid_bits; /* bit 63 says that a qword is written, and is no part
                         * of it; a pair is there if all its qwords are */
   unsigned shift;      /* the sum is divided by 1 << shift */
   bool is_boolean;     /* 1 rather than a greater result... */
   bool is_inverted;    /* ...or 1 for 0, and 0 for all others */

   /* A time, in ticks, to be stored in nanoseconds: exact up to a second, and
    * to 1 ppb beyond.  A counter of fewer than 64 bits is extended: all
    * samples are from a base on, within the counter's range.
    */
   bool is_time;
   uint64_t base_ticks;
   uint64_t earliest_ticks; /* no sample is earlier */

   /* Of PITOT_CS_ELAPSED: the interval that the sum ends with, both 0 if it
    * has none.  Time that two consecutive intervals share counts once.
    */
   uint64_t begin_ticks, end_ticks;

   /* The target.  If some of the pairs are not there, PITOT_STORE_AVAILABLE
    * and PITOT_STORE_RESULT store 0; a command streamer that stores in order
    * looks only at those of other rings.
    */
   enum pitot_store kind;
   enum pitot_type type; /* to which the result is clamped */
   struct pitot_cs_buffer *buffer;
   unsigned offset_B;
   bool is_condition; /* the ring's predicate is set to it as well */
};

struct pitot_clock;
struct pitot_cs_ops;

struct pitot_cs {
   const struct pitot_cs_ops *ops;
   const struct pitot_gpu *gpu;
   struct pitot_clock *clock; /* of the counter behind TIMESTAMP */
   unsigned ring_count;       /* 1: everything is on PITOT_RING_RENDER */

   /* Around draws of its own, the driver has the hardware stop counting as
    * far as it can, as with Intel's Statistics Enable of the clipper and the
    * windower, and with AMD's PIPELINESTAT_STOP and ZPASS_INCREMENT_DISABLE.
    */
   bool stops_counting;

   /* The driver begins a batch when something is drawn, and not when the last
    * one ended: a query that begins between them is sampled by
    * pitot_cs_batch_begin(), which the driver calls before it draws again.
    * set_counting() tells it of such a query, perhaps with the same mask.
    * Only where counting is suspended between batches.
    */
   bool begins_late;

   /* A batch is executed once for each tile.  store() stores after the last
    * one, when the samples of the batch are there, and the batch is flushed
    * then.  A result that the CPU knows is not recorded.
    */
   bool has_tiles;

   /* The latest batch of the render ring that was dropped rather than
    * submitted, or 0: the driver's to set, before the next batch is begun.
    */
   uint64_t dropped_batch;

   struct pitot_cs_listener *listener; /* set by the sampler, or NULL */
};

struct pitot_cs_ops {
   /* Creates zeroed memory.  Returns 0 or -ENOMEM. */
   int (*buffer_create)(struct pitot_cs *cs, unsigned size_B,
                        struct pitot_cs_buffer **buffer_out);

   /* Frees memory, once the GPU is done with it. */
   void (*buffer_destroy)(struct pitot_cs *cs,
                          struct pitot_cs_buffer *buffer);

   /* Returns the number of the batch being recorded, which it may begin. */
   uint64_t (*current_batch)(struct pitot_cs *cs, enum pitot_ring ring);

   /* Makes room for so many commands of any kinds: a batch that is too full
    * is ended, unless it just begins or ends, and the one being recorded then
    * has room for them.  Returns whether it has: false if the device is lost,
    * which is all that a count of 0 asks, or if the queries that are active
    * take more than a batch.  NULL: batches grow, and there is always room.
    */
   bool (*require)(struct pitot_cs *cs, enum pitot_ring ring,
                   unsigned command_count);

   /* Says that the batch being recorded reads or writes a buffer, so that it
    * is executed after the other ring's batches that do and were submitted
    * before.  Not called for the buffer that emit() writes to.
    */
   void (*use_buffer)(struct pitot_cs *cs, enum pitot_ring ring,
                      struct pitot_cs_buffer *buffer);

   /* Emits the commands of one position by the driver's own functions, with
    * their workarounds and in sight of its debug dumps.  A sample that the
    * command streamer takes by itself is taken once all earlier work is done:
    * the driver has it wait before the first of them.  There is room for the
    * commands, so that no batch ends, and the driver puts the buffer of the
    * place on the batch's list.
    */
   void (*emit)(struct pitot_cs *cs, enum pitot_ring ring,
                struct pitot_cs_place place,
                const struct pitot_cs_command *commands, unsigned count);

   /* Has the GPU compute a result and store it, at this position of
    * result->ring.  The driver puts the buffers of the result and of its
    * pairs on the batch's list; use_buffer() is called for the latter
    * afterwards, for the order of rings.  Returns false if it cannot, or if
    * the device is lost.  NULL: it never can, and the CPU waits for results.
    */
   bool (*store)(struct pitot_cs *cs, const struct pitot_cs_result *result);

   /* Has the hardware count exactly what is in a mask of enum pitot_counting,
    * from here on.
    */
   void (*set_counting)(struct pitot_cs *cs, unsigned mask);

   /* Returns the state of a batch.  May look at a fence, but neither flushes
    * nor waits.
    */
   enum pitot_batch_state (*batch_state)(struct pitot_cs *cs,
                                         enum pitot_ring ring,
                                         uint64_t batch);

   /* Ends the batch being recorded and submits it. */
   void (*flush)(struct pitot_cs *cs, enum pitot_ring ring);

   /* Waits until a submitted batch is done or lost. */
   void (*wait)(struct pitot_cs *cs, enum pitot_ring ring, uint64_t batch);

   /* Returns, once for each time, whether the device was lost, or was reset
    * in a way that may have reset its clock.
    */
   bool (*take_reset)(struct pitot_cs *cs);
};

static inline uint64_t
pitot_cs_address(const struct pitot_cs_buffer *buffer, unsigned offset_B)
{
   return buffer->address + offset_B;
}

/*
 * Functions that an implementation has to call
 */

/* To be called when a batch was begun, before anything else is recorded in
 * it.
 */
static inline void
pitot_cs_batch_begin(struct pitot_cs *cs, enum pitot_ring ring)
{
   if (cs->listener)
      cs->listener->batch_begin(cs->listener, ring);
}

/* Returns how many commands come at the end of the batch being recorded, for
 * which room has to be kept.  To be called whenever room is made.
 */
static inline unsigned
pitot_cs_end_count(const struct pitot_cs *cs, enum pitot_ring ring)
{
   return cs->listener ? cs->listener->end_count(cs->listener, ring) : 0;
}

/* To be called when a batch is about to end.  The sampler requires what was
 * kept for it.
 */
static inline void
pitot_cs_batch_end(struct pitot_cs *cs, enum pitot_ring ring)
{
   if (cs->listener)
      cs->listener->batch_end(cs->listener, ring);
}

/* To be called, by the thread that records and before anything is submitted to
 * it, when another hardware context took the place of a ring's, as after a
 * ban: it executes the batch being recorded and all later ones, and its
 * counters begin anew.
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
