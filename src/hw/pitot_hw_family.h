/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A family of GPUs: which samples a command stream can take, and how a result
 * is computed from them.  A driver may bring a family of its own;
 * pitot_gpu.family names the family of a GPU.
 *
 * A *sample* is a counter, or a block of counters, that one packet or pair of
 * packets writes.  A *segment* of a query has each sample twice, at its begin
 * and at its end, side by side in one *record*.
 */

#ifndef PITOT_HW_FAMILY_H
#define PITOT_HW_FAMILY_H

#include "pitot/hw.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Masks are shifted by up to the number of samples: 32 would be undefined. */
#define PITOT_HW_MAX_SAMPLES 31

struct pitot_hw_query;
struct pitot_hw_value;

struct pitot_hw_sample {
   enum pitot_ring ring;
   bool is_time;             /* a timestamp, not a count */
   unsigned valid_stride_qw; /* in the first of every so many qwords, bit
                              * 63 is set once it is written; 0: no valid
                              * bits */
   bool is_per_backend;      /* one such qword for each render backend; a
                              * disabled backend never writes */
   enum pitot_command_kind command;
   uint32_t argument; /* see struct pitot_cs_command */
};

/* A counter: the qword of a sample at an index. */
struct pitot_hw_qword {
   uint8_t sample;
   uint8_t index;
};

/* How a result is computed from segments. */
enum pitot_hw_method {
   PITOT_HW_COUNT,    /* the sum of end - begin of a qword */
   PITOT_HW_OVERFLOW, /* whether qwords and written grew differently */
   PITOT_HW_ELAPSED,
   PITOT_HW_TIMESTAMP,
};

/* How a kind of query, or PITOT_HW_STORAGE_NEEDED, is measured. */
struct pitot_hw_measure {
   unsigned bits; /* of the result; 1: a boolean */
   enum pitot_hw_method method;
   struct pitot_hw_qword qwords[PITOT_MAX_STREAMS];  /* by vertex stream */
   struct pitot_hw_qword written[PITOT_MAX_STREAMS]; /* of overflows */
   bool is_of_all_streams;
   unsigned shift;    /* the GPU counts each event 1 << shift times */
   unsigned counting; /* a mask of enum pitot_counting */
};

#define PITOT_HW_MEASURE_COUNT (PITOT_HW_STORAGE_NEEDED + 1)

/* COUNTING: an enum pitot_counting without its prefix. */
#define PITOT_HW_COUNTER(BITS, SAMPLE, INDEX, COUNTING)                      \
   {                                                                         \
      .bits = BITS, .qwords = { { SAMPLE, INDEX } },                         \
      .counting = PITOT_COUNTING_##COUNTING                                  \
   }

/* The measure of a time: every family samples a timestamp as one qword. */
#define PITOT_HW_TIME(SAMPLE, METHOD)                                        \
   {                                                                         \
      .bits = 64, .method = PITOT_HW_##METHOD, .qwords = { { SAMPLE, 0 } }   \
   }

static inline bool
pitot_hw_is_time(const struct pitot_hw_measure *measure)
{
   return measure->method >= PITOT_HW_ELAPSED;
}

struct pitot_hw_family {
   const struct pitot_hw_sample *samples; /* in the order of emission */
   unsigned sample_count;

   /* Returns how a kind (less than PITOT_HW_MEASURE_COUNT) is measured, or
    * NULL if this GPU cannot.  Reads nothing but struct pitot_gpu.
    */
   const struct pitot_hw_measure *(*measure)(const struct pitot_gpu *gpu,
                                             unsigned kind);

   /* The timestamp sample of the second ring whose work counts as elapsed
    * time (compute), or 0 if only the render ring counts.
    */
   unsigned second_timestamp;

   /* Counters count other contexts between batches: suspend queries there. */
   bool suspends_between_batches;

   /* Mask of samples whose counters the driver can stop around its internal
    * draws (pitot_cs.stops_counting).
    */
   uint32_t stopped;

   /* Mask of samples whose last dword is nonzero once the GPU wrote them.  A
    * record of such samples needs no availability word.
    */
   uint32_t available_by_themselves;

   /* Returns the size of a sample in bytes, a multiple of 8.  NULL: 8. */
   unsigned (*sample_size_B)(const struct pitot_gpu *gpu, unsigned sample);

   /* Returns the distance in bytes from the begin of a sample to its end in a
    * record.  The next sample follows the end.  NULL: the sample's size.
    */
   unsigned (*end_distance_B)(const struct pitot_gpu *gpu, unsigned sample);

   /* The alignment of records in bytes: 16 or 32.  0: 16. */
   unsigned record_unit_B;

   /* Mask of samples that the GPU takes once for each tile, in three qwords:
    * begin, sum and end.  PITOT_COMMAND_ACCUMULATE adds the difference to the
    * sum.  Times of such samples are suspended between batches.
    */
   uint32_t accumulated;

   /* Returns a mask of the slots of a sample that render backends write, or 0
    * if only a first sample can show it.  NULL: samples have no such slots.
    */
   uint64_t (*backend_slots)(const struct pitot_gpu *gpu);

   /* The GPU waits for samples before it stores a result or reads a
    * condition, and hangs if one is never written: the CPU checks first.
    */
   bool waits_for_samples;

   /* The size in bytes of a slab, from which records are allocated. */
   unsigned slab_size_B;

   /* The value of an availability word once the samples are written. */
   uint32_t available;

   /* Mask of samples that the GPU writes when it reaches their command.
    * PITOT_COMMAND_VALUE after them can be the availability word; other
    * samples need PITOT_COMMAND_FENCE.
    */
   uint32_t written_at_once;

   /* While PITOT_COUNTING_GENERATED is on, an overflow query counts every
    * primitive as one that transform feedback should have written.
    */
   bool generated_overflows;

   /* Adds the records by which the GPU decides a condition, and sets the
    * predicate.  Returns false if the GPU cannot decide, or if out of memory.
    * NULL: the GPU decides by a boolean that pitot_cs_ops.store() computes.
    */
   bool (*describe_condition)(struct pitot_hw *hw,
                              const struct pitot_hw_query *query,
                              const struct pitot_hw_value *value,
                              struct pitot_hw_condition *condition_out);
};

#ifdef __cplusplus
}
#endif

#endif /* PITOT_HW_FAMILY_H */
