/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What differs between families of GPUs: what can be sampled in a stream, and
 * what of it makes up the result of a query.
 *
 * A *sample* is what one packet or pair of packets writes: one counter, or a
 * block of them.  Samples that are taken together, at one place in a stream,
 * make up a *snapshot*.  What a query counts is the difference between two of
 * them.
 */

#ifndef PITOT_HW_FAMILY_H
#define PITOT_HW_FAMILY_H

#include "pitot/hw.h"

/* No family has more samples, whose masks have to be shifted by their number,
 * and no snapshot more dwords.
 */
#define PITOT_HW_MAX_SAMPLES     31
#define PITOT_HW_MAX_SNAPSHOT_DW 256

/* As long is what computes a result on the GPU, at most. */
#define PITOT_HW_MAX_PROGRAM_DW 3072

struct pitot_hw_query;
struct pitot_hw_segment;
struct pitot_hw_value;

/* Of a family whose command streamer can compute. */
struct pitot_hw_program;

/* Where the packets of a snapshot go. */
struct pitot_hw_packets {
   const struct pitot_gpu *gpu;
   uint32_t *next;
   uint64_t scratch_address; /* memory to write to for nothing */
   bool ends_with_zpass;     /* AMD: the last packet samples occlusion */
};

struct pitot_hw_sample {
   const char *name;
   enum pitot_ring ring;
   bool is_time;       /* the same for everybody, and never paused */
   bool has_valid_bit; /* bit 63 of each qword says that it was written */
   uint32_t argument;  /* of emit: an event, a register */
   void (*emit)(struct pitot_hw_packets *packets, uint32_t argument,
                uint64_t address);
};

/* A qword of a sample. */
struct pitot_hw_word {
   uint8_t sample;
   uint8_t index;
};

/* How something is measured, which is a kind, or PITOT_HW_STORAGE_NEEDED. */
struct pitot_hw_row {
   unsigned bits; /* of the result; 0: not at all */

   /* Where it is, on each stream; and what a stream-out overflow is told by
    * besides: it is one if the two differ by different amounts.
    */
   struct pitot_hw_word words[PITOT_MAX_STREAMS];
   struct pitot_hw_word other_words[PITOT_MAX_STREAMS];
   bool has_other;
   bool is_of_all_streams;

   unsigned counting; /* a mask of enum pitot_counting */

   /* Generations that cannot: from one, up to one that can again. */
   unsigned absent_from;
   unsigned absent_before;

   /* Adds what one segment counted, and returns whether all of it had been
    * written; turns the sum into the result.
    */
   bool (*merge)(struct pitot_hw *hw, struct pitot_hw_value *value,
                 const struct pitot_hw_segment *segment);
   uint64_t (*finish)(const struct pitot_gpu *gpu, uint64_t sum);

   /* The same two on the GPU. */
   void (*emit_merge)(struct pitot_hw_program *program,
                      const struct pitot_hw *hw,
                      const struct pitot_hw_value *value,
                      const struct pitot_hw_segment *segment);
   void (*emit_finish)(struct pitot_hw_program *program,
                       const struct pitot_gpu *gpu);
};

/* What the GPU is to write, of a query that it knows more of than the CPU. */
enum pitot_hw_target_kind {
   PITOT_HW_TARGET_RESULT,
   PITOT_HW_TARGET_RESULT_NO_WAIT, /* if it is there already */
   PITOT_HW_TARGET_AVAILABLE,
   PITOT_HW_TARGET_CONDITION, /* which is in force from now on, too */
};

struct pitot_hw_target {
   enum pitot_hw_target_kind kind;
   enum pitot_type type;
   const struct pitot_hw_condition *condition; /* to be written */
   uint64_t address;
};

#define PITOT_HW_ROW_COUNT (PITOT_HW_STORAGE_NEEDED + 1)

/* The row of a time, which every family samples as one qword. */
#define PITOT_HW_TIME_ROW(SAMPLE, MERGE, ...)                                \
   {                                                                         \
      .bits = 64, .words = { { SAMPLE, 0 } },                                \
      .merge = pitot_hw_merge_##MERGE, .finish = pitot_hw_finish_time,       \
      __VA_ARGS__                                                            \
   }

struct pitot_hw_family {
   const struct pitot_hw_sample *samples; /* in the order of emission */
   unsigned sample_count;
   const struct pitot_hw_row *rows; /* PITOT_HW_ROW_COUNT */

   /* What samples the time on the compute ring, or 0 if no stream has one. */
   unsigned compute_timestamp;

   /* Counters go on counting other contexts' work between batches. */
   bool suspends_between_batches;

   /* Returns the size of a sample, a multiple of 8. */
   unsigned (*sample_size_B)(const struct pitot_gpu *gpu, unsigned sample);

   /* Optional.  Writes what the GPU will not, into zeroed memory. */
   void (*seed)(const struct pitot_gpu *gpu, unsigned sample,
                uint64_t *memory);

   /* Returns a mask of 1 << enum pitot_barrier that samples need. */
   unsigned (*barriers)(const struct pitot_gpu *gpu, uint32_t samples);

   /* Writes a value that is not 0 once these samples, the last ones, are
    * there.
    */
   void (*emit_available)(struct pitot_hw_packets *packets, uint32_t samples,
                          uint64_t address);

   /* Writes a value of 4 or 8 bytes. */
   void (*emit_value)(struct pitot_hw_packets *packets, uint64_t address,
                      uint64_t value, unsigned size_B);

   /* Optional.  Fills in what the GPU decides a condition by.  Returns the
    * size of the records, or 0 if it cannot decide.
    */
   unsigned (*describe_condition)(const struct pitot_hw *hw,
                                  const struct pitot_hw_query *query,
                                  const struct pitot_hw_value *value,
                                  struct pitot_hw_condition *condition_out);

   /* Optional.  Writes what the GPU knows of a value of an ended query, on
    * the ring where that was measured; or returns false if it cannot.
    */
   bool (*emit_target)(struct pitot_hw_packets *packets,
                       const struct pitot_hw *hw,
                       const struct pitot_hw_query *query,
                       const struct pitot_hw_value *value,
                       const struct pitot_hw_target *target);

   /* Optional.  Returns whether the last word of these samples says by itself
    * that it was written, so that they need no availability word.
    */
   bool (*is_available_by_itself)(uint32_t samples);

   /* Returns how many bytes to write to for nothing are needed. */
   unsigned (*scratch_size_B)(const struct pitot_gpu *gpu);

   uint32_t (*nop)(const struct pitot_gpu *gpu);
};

extern const struct pitot_hw_family pitot_hw_intel;
extern const struct pitot_hw_family pitot_hw_amd;

const struct pitot_hw_family *
pitot_hw_family(const struct pitot_gpu *gpu);

/* Returns how something is measured, or NULL if this GPU cannot. */
const struct pitot_hw_row *
pitot_hw_row(const struct pitot_gpu *gpu, unsigned what);

/* Returns the samples that a row needs: a mask. */
uint32_t
pitot_hw_row_samples(const struct pitot_hw_row *row, unsigned stream);

/*
 * merge.c: what the tables are made of.
 */

bool
pitot_hw_merge_counter(struct pitot_hw *hw, struct pitot_hw_value *value,
                       const struct pitot_hw_segment *segment);

/* The sum over AMD's render backends. */
bool
pitot_hw_merge_backends(struct pitot_hw *hw, struct pitot_hw_value *value,
                        const struct pitot_hw_segment *segment);

bool
pitot_hw_merge_overflow(struct pitot_hw *hw, struct pitot_hw_value *value,
                        const struct pitot_hw_segment *segment);

bool
pitot_hw_merge_elapsed(struct pitot_hw *hw, struct pitot_hw_value *value,
                       const struct pitot_hw_segment *segment);

bool
pitot_hw_merge_timestamp(struct pitot_hw *hw, struct pitot_hw_value *value,
                         const struct pitot_hw_segment *segment);

uint64_t
pitot_hw_finish_sum(const struct pitot_gpu *gpu, uint64_t sum);

uint64_t
pitot_hw_finish_boolean(const struct pitot_gpu *gpu, uint64_t sum);

uint64_t
pitot_hw_finish_time(const struct pitot_gpu *gpu, uint64_t sum);

#endif /* PITOT_HW_FAMILY_H */
