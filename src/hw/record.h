/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Samples in memory: slabs, and the records of segments in them.
 */

#ifndef PITOT_HW_RECORD_H
#define PITOT_HW_RECORD_H

#include <assert.h>

#include "pitot_compiler.h"
#include "pitot_hw_family.h"

/*
 * slab.c: memory that the GPU writes.
 */

/* The users of slabs: samples, by the number of their ring, and conditions. A
 * driver orders rings that write to one buffer, so that what is measured on
 * two rings has no slab in common.
 */
enum pitot_hw_slab_user {
   PITOT_HW_SLABS_CONDITIONS = PITOT_MAX_RINGS, /* read by other rings */
   PITOT_HW_SLABS_COUNT,
};

struct pitot_hw_slabs;

/* A buffer that is filled from front to back, and again from the front once
 * neither the CPU reads from it nor the GPU writes to it.
 */
struct pitot_hw_slab {
   struct pitot_hw_slab *next;
   struct pitot_hw_slabs *slabs; /* that it is one of */
   struct pitot_cs_buffer *buffer;
   unsigned used_B;
   unsigned piece_count;  /* not given back yet */
   uint64_t unread_since; /* a count of slabs that became so; 0: empty */
   uint64_t last_batch[PITOT_MAX_RINGS]; /* that writes to it, or 0 */
};

struct pitot_hw_slabs {
   struct pitot_hw_slab *all;
   struct pitot_hw_slab *current;
   uint64_t unread_count;
};

/* Takes a piece of zeroed memory.  Returns 0 or -ENOMEM. */
int
pitot_hw_slab_take(struct pitot_hw *hw, enum pitot_hw_slab_user user,
                   unsigned size_B, struct pitot_hw_slab **slab_out,
                   unsigned *offset_B_out);

/* Takes a slab once more that has a piece already. */
static inline void
pitot_hw_slab_hold(struct pitot_hw_slab *slab)
{
   slab->piece_count++;
}

/* Gives a piece back. */
void
pitot_hw_slab_give(struct pitot_hw_slab *slab);

/* Says that a batch, which is being recorded, reads or writes a slab. */
void
pitot_hw_slab_use(struct pitot_hw *hw, struct pitot_hw_slab *slab,
                  enum pitot_ring ring, uint64_t batch);

void
pitot_hw_slabs_destroy(struct pitot_hw *hw);

/*
 * record.c
 */

/* Commands of a begin or an end, in the order of the record, at which their
 * offsets begin.
 */
struct pitot_hw_commands {
   const struct pitot_cs_command *list;
   unsigned count;
};

/* How the samples of a segment lie in its record: there is room for an
 * availability word, and for each sample the begin and the end side by side,
 * as AMD's command processor wants them.  All queries of the same samples
 * share a layout.
 */
struct pitot_hw_layout {
   struct pitot_hw_layout *next;
   uint32_t samples; /* all of one ring: a mask, not 0 */
   enum pitot_ring ring;
   unsigned size_B;      /* of a record */
   unsigned available_B; /* of a dword, not 0 once the end is written */
   unsigned begin_B[PITOT_HW_MAX_SAMPLES], end_B[PITOT_HW_MAX_SAMPLES];
   struct pitot_hw_commands begin, end;
   struct pitot_cs_command commands[]; /* both lists */
};

/* A part of a query on one ring: the counts from a begin to an end. */
struct pitot_hw_segment {
   struct pitot_hw_segment *next;
   const struct pitot_hw_layout *layout;
   uint8_t *memory;            /* the record, for the CPU */
   struct pitot_hw_slab *slab; /* has the record... */
   unsigned offset_B;          /* ...here */
   bool has_begin;             /* not that of an instant query */
   uint64_t begin_batch, end_batch;

   /* Of a time: about when it was sampled. */
   uint64_t begin_expected_ticks, end_expected_ticks;
};

/* The sum of a sample that is added up is that much behind its begin. */
#define PITOT_HW_SUM_QW 1

static inline bool
pitot_hw_has_sample(uint32_t samples, unsigned sample)
{
   return samples >> sample & 1;
}

/* Returns the sample of a segment of a time: each ring has one of its own,
 * and there is no other one.
 */
static inline unsigned
pitot_hw_segment_time(const struct pitot_hw_segment *segment)
{
   return (unsigned)__builtin_ctz(segment->layout->samples);
}

/* Looks up the memory of each sample on a GPU, once for all. */
void
pitot_hw_record_init(struct pitot_hw *hw);

/* Returns the layout of some samples of one ring, or NULL without memory. Any
 * thread, since u_threaded_context creates queries in the application's.
 */
const struct pitot_hw_layout *
pitot_hw_layout_of(struct pitot_hw *hw, uint32_t samples);

void
pitot_hw_layouts_destroy(struct pitot_hw *hw);

/* Returns the qwords of a sample at the begin of a segment, or at its end. */
static inline uint64_t *
pitot_hw_segment_begin(const struct pitot_hw_segment *segment,
                       unsigned sample)
{
   return (uint64_t *)(segment->memory + segment->layout->begin_B[sample]);
}

static inline uint64_t *
pitot_hw_segment_end(const struct pitot_hw_segment *segment, unsigned sample)
{
   return (uint64_t *)(segment->memory + segment->layout->end_B[sample]);
}

/* Returns the offset of a place of a segment's record in its buffer. */
static inline unsigned
pitot_hw_segment_offset_B(const struct pitot_hw_segment *segment,
                          const void *place)
{
   return segment->offset_B +
          (unsigned)((const uint8_t *)place - segment->memory);
}

/* Reads memory that the GPU writes, before all that is read after it. */
static inline uint64_t
pitot_hw_read_qword(const uint64_t *qword)
{
   return __atomic_load_n((const pitot_shared_qword *)qword,
                          __ATOMIC_ACQUIRE);
}

#endif /* PITOT_HW_RECORD_H */
