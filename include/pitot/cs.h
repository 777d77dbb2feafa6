/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A driver's stream of GPU commands, as Pitot writes into it: what a driver
 * implements that has Pitot sample the GPU's counters for it.  Embed struct
 * pitot_cs and struct pitot_cs_buffer first in structs of your own.
 *
 * A stream consists of batches, one after the other on each of its rings.
 * They are numbered from 1 on each ring, and each is recorded, submitted,
 * executed by the GPU, and done.
 *
 * Threads: all functions are called by the thread that records commands, but
 * for batch_state() and wait(), which any thread may call.
 */

#ifndef PITOT_CS_H
#define PITOT_CS_H

#include <stdbool.h>
#include <stdint.h>

#include "pitot/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

enum pitot_ring {
   PITOT_RING_RENDER,
   PITOT_RING_COMPUTE, /* may be the same as the other: see has_compute */
   PITOT_RING_COUNT,
};

/* What a driver sees to before a sample, with the workarounds that it knows
 * of for its hardware.
 */
enum pitot_barrier {
   PITOT_BARRIER_STALL, /* all earlier work is done before what follows is
                         * read by the command streamer */
   PITOT_BARRIER_DEPTH, /* Intel Gen10 and later: a depth stall by itself */
   PITOT_BARRIER_COUNT,
};

/* What has to be counted by the hardware, which costs something while it is:
 * a mask, as it should be from now on.
 */
enum pitot_counting {
   PITOT_COUNTING_SAMPLES = 1 << 0,    /* occlusion, exactly */
   PITOT_COUNTING_BOOLEAN = 1 << 1,    /* occlusion: never none, if any */
   PITOT_COUNTING_STATISTICS = 1 << 2, /* the pipeline */
   PITOT_COUNTING_STREAMOUT = 1 << 3,  /* primitives of transform feedback, */
   PITOT_COUNTING_GENERATED = 1 << 4,  /* and without it: not for overflow */
};

enum pitot_batch_state {
   PITOT_BATCH_RECORDING,
   PITOT_BATCH_SUBMITTED,
   PITOT_BATCH_DONE, /* what it wrote is visible to the CPU */
   PITOT_BATCH_LOST, /* it will never be done */
};

/* Memory that the GPU writes and the CPU reads, coherently. */
struct pitot_cs_buffer {
   uint64_t address; /* the GPU's */
   uint8_t *memory;  /* the CPU's */
   unsigned size_B;
};

/* Who samples, and has to know when batches begin and end. */
struct pitot_cs_listener {
   void (*batch_begin)(struct pitot_cs_listener *listener,
                       enum pitot_ring ring);
   void (*batch_end)(struct pitot_cs_listener *listener,
                     enum pitot_ring ring);
   unsigned (*end_size_dw)(struct pitot_cs_listener *listener,
                           enum pitot_ring ring);
};

struct pitot_gpu_clock;
struct pitot_cs_ops;

struct pitot_cs {
   const struct pitot_cs_ops *ops;
   const struct pitot_gpu *gpu;
   struct pitot_gpu_clock *clock; /* the device's, or NULL: one of its own */
   bool has_compute; /* PITOT_RING_COMPUTE is a ring of its own */

   /* Set and reset by who samples, or NULL: see the end of this file. */
   struct pitot_cs_listener *listener;
};

struct pitot_cs_ops {
   /* Makes zeroed memory.  Returns 0 or -ENOMEM. */
   int (*buffer_create)(struct pitot_cs *cs, unsigned size_B,
                        struct pitot_cs_buffer **buffer_out);

   /* Frees memory, once the GPU is done with it. */
   void (*buffer_destroy)(struct pitot_cs *cs,
                          struct pitot_cs_buffer *buffer);

   /* Returns room for so many dwords in the batch that is being recorded,
    * after ending one that is too full, or NULL if the device is lost.  All
    * of it is used.
    */
   uint32_t *(*reserve)(struct pitot_cs *cs, enum pitot_ring ring,
                        unsigned count_dw);

   /* Says that the batch being recorded writes to a buffer. */
   void (*use_buffer)(struct pitot_cs *cs, enum pitot_ring ring,
                      struct pitot_cs_buffer *buffer);

   /* Emits a barrier.  AMD's GPUs need none: NULL. */
   void (*barrier)(struct pitot_cs *cs, enum pitot_ring ring,
                   enum pitot_barrier barrier);

   /* Has the hardware count what is in a mask of enum pitot_counting, and
    * nothing else.
    */
   void (*set_counting)(struct pitot_cs *cs, unsigned mask);

   /* Returns a number that is the same as long as nothing was recorded on the
    * ring, by anybody, and never comes again after something was: two samples
    * at the same position are the same sample.
    */
   uint64_t (*position)(struct pitot_cs *cs, enum pitot_ring ring);

   /* Returns the number of the batch being recorded. */
   uint64_t (*batch)(struct pitot_cs *cs, enum pitot_ring ring);

   /* Returns what became of a batch.  May look at a fence, but neither
    * flushes nor waits.
    */
   enum pitot_batch_state (*batch_state)(struct pitot_cs *cs,
                                         enum pitot_ring ring,
                                         uint64_t batch);

   /* Ends the batch being recorded and submits it. */
   void (*flush)(struct pitot_cs *cs, enum pitot_ring ring);

   /* Waits until a submitted batch is done or lost. */
   void (*wait)(struct pitot_cs *cs, enum pitot_ring ring, uint64_t batch);

   /* Returns the GPU's counter behind TIMESTAMP now, or -errno. */
   int (*timestamp)(struct pitot_cs *cs, uint64_t *ticks_out);

   /* Returns whether the device was lost, or a reset happened that may have
    * reset its clock: said once.
    */
   bool (*take_reset)(struct pitot_cs *cs);
};

/*
 * What an implementation has to call.
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

/* Returns how many dwords of the batch being recorded have to be kept free
 * for its end: asked for whenever something is reserved.
 */
static inline unsigned
pitot_cs_end_size_dw(const struct pitot_cs *cs, enum pitot_ring ring)
{
   return cs->listener ? cs->listener->end_size_dw(cs->listener, ring) : 0;
}

/* To be called when a batch is about to end, which reserves what is kept for
 * it: that must not end the batch once more.
 */
static inline void
pitot_cs_batch_end(struct pitot_cs *cs, enum pitot_ring ring)
{
   if (cs->listener)
      cs->listener->batch_end(cs->listener, ring);
}

#ifdef __cplusplus
}
#endif

#endif /* PITOT_CS_H */
