/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A family of GPUs: the samples that can be taken in a command stream, and
 * how they make up the result of a query.  A driver may bring a family of its
 * own; struct pitot_gpu says of which family a GPU is.
 *
 * A *sample* is written by one packet or pair of packets: one counter, or a
 * block of them.  A *segment* of a query has its samples at a begin and at an
 * end, side by side in one *record*.
 */

#ifndef PITOT_HW_FAMILY_H
#define PITOT_HW_FAMILY_H

#include "pitot/hw.h"

#ifdef __cplusplus
extern "C" {
#endif

/* No family has more samples, since masks are shifted by their number. */
#define PITOT_HW_MAX_SAMPLES 31

struct pitot_hw_query;
struct pitot_hw_value;

struct pitot_hw_sample {
   enum pitot_ring ring;
   bool is_time;             /* the same for everybody, never suspended */
   unsigned valid_stride_qw; /* bit 63 of the first of every so many qwords
                              * says that it was written; 0: nothing does */
   bool is_per_backend; /* each of those is a render backend's, and those of
                         * disabled ones are never written */
   enum pitot_command_kind command;
   uint32_t argument; /* of the command */
};

/* A qword of a sample. */
struct pitot_hw_qword {
   uint8_t sample;
   uint8_t index;
};

/* How segments make up a result. */
enum pitot_hw_method {
   PITOT_HW_COUNT,    /* the sum of the differences of a qword */
   PITOT_HW_OVERFLOW, /* whether qword and written grew differently */
   PITOT_HW_ELAPSED,
   PITOT_HW_TIMESTAMP,
};

/* How a kind of query, or PITOT_HW_STORAGE_NEEDED, is measured. */
struct pitot_hw_measure {
   unsigned bits; /* of the result */
   enum pitot_hw_method method;
   struct pitot_hw_qword qwords[PITOT_MAX_STREAMS];
   struct pitot_hw_qword written[PITOT_MAX_STREAMS]; /* of an overflow */
   bool is_of_all_streams;
   unsigned shift;    /* the GPU counts 1 as 1 << shift */
   unsigned counting; /* a mask of enum pitot_counting */
};

#define PITOT_HW_MEASURE_COUNT (PITOT_HW_STORAGE_NEEDED + 1)

/* The measure of a counter: a qword of a sample, and the mode of counting, as
 * the name of an enum pitot_counting without its prefix.
 */
#define PITOT_HW_COUNTER(BITS, SAMPLE, INDEX, COUNTING)                      \
   {                                                                         \
      .bits = BITS, .qwords = { { SAMPLE, INDEX } },                         \
      .counting = PITOT_COUNTING_##COUNTING                                  \
   }

/* The measure of a time, which every family samples as one qword. */
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

   /* Returns how a kind is measured, or NULL if this GPU cannot, by the facts
    * that all families have.  The kind is less than PITOT_HW_MEASURE_COUNT.
    */
   const struct pitot_hw_measure *(*measure)(const struct pitot_gpu *gpu,
                                             unsigned kind);

   /* The sample of the time on another ring than the first, which is the only
    * one that a time is measured on besides; 0: there is none.
    */
   unsigned second_timestamp;

   /* Counters go on counting other contexts' work between batches. */
   bool suspends_between_batches;

   /* Samples, in a mask, of counters that the driver can stop while it draws
    * for itself (stops_counting).
    */
   uint32_t stopped;

   /* Samples, in a mask, whose last dword is not 0 once they are written:
    * they need no availability word.
    */
   uint32_t available_by_themselves;

   /* Returns the size of a sample, a multiple of 8.  NULL: each has 8, and
    * its end follows its begin.
    */
   unsigned (*sample_size_B)(const struct pitot_gpu *gpu, unsigned sample);

   /* Returns how far the end of a sample is behind its begin in a record.
    * Another sample's begin follows the end.  NULL: the sample's size.
    */
   unsigned (*end_distance_B)(const struct pitot_gpu *gpu, unsigned sample);

   /* Records begin at a multiple of this: 16, or 32.  0: 16. */
   unsigned record_unit_B;

   /* Samples, in a mask, that are taken many times, once for each tile, and
    * added up by PITOT_COMMAND_ACCUMULATE.  It has three qwords in a
    * record: begin, sum and end.  Times of such a sample are suspended between
    * batches as counts are.
    */
   uint32_t accumulated;

   /* Returns a mask of the slots of a sample that render backends should
    * write, or 0 if that is not known before there is a sample.  NULL: no
    * sample has slots of render backends.
    */
   uint64_t (*backend_slots)(const struct pitot_gpu *gpu);

   /* The GPU waits for samples before it stores a result or looks at a
    * condition, for ever where one never comes: the CPU finds out first.
    */
   bool waits_for_samples;

   /* The size of a slab, from which records are taken. */
   unsigned slab_size_B;

   /* The value of an availability word once the samples are written. */
   uint32_t available;

   /* Samples, in a mask, that are written when their command is reached: a
    * value after them says as much as a fence.
    */
   uint32_t written_at_once;

   /* While primitives are counted for PITOT_COUNTING_GENERATED, overflow
    * queries take each of them for one that was to be written.
    */
   bool generated_overflows;

   /* Adds the records by which the GPU decides a condition, and fills in the
    * predicate.  Returns whether it can.  NULL: it decides by a boolean that
    * the driver has it store.
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
