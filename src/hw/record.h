/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The memory of samples: slabs, and the records of segments in slabs.
 */

#ifndef PITOT_HW_RECORD_H
#define PITOT_HW_RECORD_H

#include <assert.h>

#include "pitot_compiler.h"
#include "pitot_hw_family.h"

/*
 * slab.c: buffers that the GPU writes to.
 */

/* Each ring has slabs of its own, by its number: a driver orders batches of
 * two rings that write to one buffer, so with shared slabs the rings would
 * not run concurrently.  Conditions have slabs of their own, too.
 */
enum pitot_hw_slab_user {
   PITOT_HW_SLABS_CONDITIONS = PITOT_MAX_RINGS, /* read by other rings */
   PITOT_HW_SLABS_COUNT,
};

struct pitot_hw_slabs;

/* A buffer that is filled from front to back.  It is reused when all pieces
 * were returned and the GPU has executed the last batch that uses it.
 */
struct pitot_hw_slab {
   struct pitot_hw_slab *next;
   struct pitot_hw_slabs *slabs; /* the list that it is in */
   struct pitot_cs_buffer *buffer;
   unsigned used_B;
   unsigned piece_count;  /* in use */
   uint64_t unread_since; /* the list's unread_count then; 0: new */
   uint64_t last_batch[PITOT_MAX_RINGS]; /* that uses it, or 0 */
};

struct pitot_hw_slabs {
   struct pitot_hw_slab *all;
   struct pitot_hw_slab *current; /* that pieces are allocated from */
   uint64_t unread_count; /* how often a slab had no piece in use any more */
};

/* Allocates zeroed memory, a piece of a slab.  Returns 0 or -ENOMEM. */
int
pitot_hw_slab_alloc(struct pitot_hw *hw, enum pitot_hw_slab_user user,
                    unsigned size_B, struct pitot_hw_slab **slab_out,
                    unsigned *offset_B_out);

/* Adds a reference to a slab that has a piece in use. */
static inline void
pitot_hw_slab_ref(struct pitot_hw_slab *slab)
{
   slab->piece_count++;
}

/* Returns a piece, or drops a reference. */
void
pitot_hw_slab_unref(struct pitot_hw_slab *slab);

/* Puts a slab that the current batch reads or writes on the batch's list. */
void
pitot_hw_slab_use(struct pitot_hw *hw, struct pitot_hw_slab *slab,
                  enum pitot_ring ring, uint64_t batch);

void
pitot_hw_slabs_destroy(struct pitot_hw *hw);

/*
 * record.c
 */

/* The commands of a begin or an end.  Their offsets start at the record. */
struct pitot_hw_commands {
   const struct pitot_cs_command *list;
   unsigned count;
};

/* Where samples lie in a record: first the availability word, then begin and
 * end of each sample, side by side, because AMD's command processor reads
 * them as a pair.  Queries with the same samples share a layout.
 */
struct pitot_hw_layout {
   struct pitot_hw_layout *next;
   uint32_t samples; /* mask of samples on one ring, not 0 */
   enum pitot_ring ring;
   unsigned size_B;      /* of a record */
   unsigned available_B; /* of a dword: not 0 once the end is written */
   unsigned begin_B[PITOT_HW_MAX_SAMPLES], end_B[PITOT_HW_MAX_SAMPLES];
   struct pitot_hw_commands begin, end;
   struct pitot_cs_command commands[]; /* both lists */
};

/* What a query counts on one ring between a begin and an end. */
struct pitot_hw_segment {
   struct pitot_hw_segment *next;
   const struct pitot_hw_layout *layout;
   uint8_t *memory;            /* the record, mapped for the CPU */
   struct pitot_hw_slab *slab; /* the record is in this slab... */
   unsigned offset_B;          /* ...at this offset */
   bool has_begin;             /* false: of an instant query */
   uint64_t begin_batch, end_batch;

   /* Of a timestamp: pitot_clock_expect() when it was recorded. */
   uint64_t begin_expected_ticks, end_expected_ticks;
};

/* The sum of an accumulated sample is this far after its begin. */
#define PITOT_HW_SUM_QW 1

static inline bool
pitot_hw_has_sample(uint32_t samples, unsigned sample)
{
   return samples >> sample & 1;
}

/* Returns the timestamp of a time query's segment, its only sample. */
static inline unsigned
pitot_hw_segment_time(const struct pitot_hw_segment *segment)
{
   return (unsigned)__builtin_ctz(segment->layout->samples);
}

/* Initializes the fields of hw that describe samples. */
void
pitot_hw_record_init(struct pitot_hw *hw);

/* Returns the layout of samples on one ring, or NULL if out of memory.  Any
 * thread: u_threaded_context creates queries on the application's thread.
 */
const struct pitot_hw_layout *
pitot_hw_layout_of(struct pitot_hw *hw, uint32_t samples);

void
pitot_hw_layouts_destroy(struct pitot_hw *hw);

static inline uint64_t *
pitot_hw_begin_sample(const struct pitot_hw_segment *segment, unsigned sample)
{
   return (uint64_t *)(segment->memory + segment->layout->begin_B[sample]);
}

static inline uint64_t *
pitot_hw_end_sample(const struct pitot_hw_segment *segment, unsigned sample)
{
   return (uint64_t *)(segment->memory + segment->layout->end_B[sample]);
}

/* Returns the offset of a place in a segment's record from its buffer. */
static inline unsigned
pitot_hw_segment_offset_B(const struct pitot_hw_segment *segment,
                          const void *place)
{
   return segment->offset_B +
          (unsigned)((const uint8_t *)place - segment->memory);
}

/* Reads memory that the GPU writes.  Later reads stay after this one. */
static inline uint64_t
pitot_hw_read_qword(const uint64_t *qword)
{
   return __atomic_load_n((const pitot_shared_qword *)qword,
                          __ATOMIC_ACQUIRE);
}

#endif /* PITOT_HW_RECORD_H */
