/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Samples in memory: slabs, snapshots in them, and the samples so far.
 */

#ifndef PITOT_HW_SNAPSHOT_H
#define PITOT_HW_SNAPSHOT_H

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
 * snapshot.c
 */

/* Samples taken together, shared by all segments that need one of them.
 *
 * In a family with records, a begin has memory for an end as well, behind
 * each of its samples: a record, in the layout that the command processor and
 * the driver's shaders read.  Segments share no record if they have samples
 * of a condition.
 */
struct pitot_hw_snapshot {
   struct pitot_hw_snapshot *next_free;
   struct pitot_hw_slab *slab;
   unsigned offset_B; /* of the availability word, which the samples follow */
   enum pitot_ring ring;
   uint64_t batch;
   uint32_t samples;
   struct pitot_hw_snapshot
      *record;   /* has the memory: itself, or its begin */
   bool is_end;  /* and says that it is available; a begin does not */
   bool has_end; /* of a record: an end was recorded into it */
   unsigned available_offset_B; /* of a dword that is not 0 then */
   uint64_t expected_ticks;     /* about the time, if that is a sample */
   unsigned references;
};

/* The begin or the end of a segment: a few snapshots taken at the same
 * position, which together have the samples that it needs.
 */
#define PITOT_HW_MAX_SNAPSHOTS 4

struct pitot_hw_boundary {
   struct pitot_hw_snapshot *snapshots[PITOT_HW_MAX_SNAPSHOTS];
   unsigned count; /* 0: nowhere yet */
};

/* The latest samples of a ring, to be shared until somebody records
 * anything else.
 */
#define PITOT_HW_MAX_SHARED 16

struct pitot_hw_latest {
   struct pitot_cs_position position; /* behind them */
   bool is_stalled;
   struct pitot_hw_snapshot *snapshots[PITOT_HW_MAX_SHARED];
   unsigned count;
};

/* Samples into a boundary that is nowhere yet, or shares the latest samples.
 * An end has to say that it is available; a begin is available when its end
 * is, which is later on the same ring.  An end goes into the record of the
 * begin of its segment, if there is one and no other end is in it.  Where a
 * batch is ended to make room, the listener may fill in the boundary in the
 * meantime: then it stays as it is.  Returns 0, -ENOMEM, or -EIO if the
 * device is lost.
 */
int
pitot_hw_take(struct pitot_hw *hw, enum pitot_ring ring, uint32_t samples,
              bool is_end, const struct pitot_hw_boundary *begin,
              struct pitot_hw_boundary *boundary_inout);

void
pitot_hw_snapshot_unreference(struct pitot_hw *hw,
                              struct pitot_hw_snapshot *snapshot);

/* Gives the snapshots of a boundary back. */
static inline void
pitot_hw_release(struct pitot_hw *hw, struct pitot_hw_boundary *boundary)
{
   while (boundary->count)
      pitot_hw_snapshot_unreference(hw,
                                    boundary->snapshots[--boundary->count]);
}

/* Forgets the latest samples of a ring. */
void
pitot_hw_latest_reset(struct pitot_hw *hw, struct pitot_hw_latest *latest);

/* Returns how many dwords a snapshot takes at most at an end, with the
 * barriers before it.
 */
unsigned
pitot_hw_snapshot_size_dw(const struct pitot_hw *hw, enum pitot_ring ring,
                          uint32_t samples);

/*
 * layout.c
 */

/* The availability word comes first. */
#define PITOT_HW_AVAILABLE_SIZE_B 8

static inline bool
pitot_hw_has_sample(uint32_t samples, unsigned sample)
{
   return samples >> sample & 1;
}

/* Looks up the memory of each sample on a GPU, once for all. */
void
pitot_hw_layout_init(struct pitot_hw *hw);

/* Returns the size of the memory of a snapshot that has memory of its own. */
unsigned
pitot_hw_snapshot_size_B(const struct pitot_hw *hw,
                         const struct pitot_hw_snapshot *snapshot);

/* Returns the qwords of a sample in the memory of a snapshot. */
uint64_t *
pitot_hw_snapshot_data(const struct pitot_hw *hw,
                       const struct pitot_hw_snapshot *snapshot,
                       unsigned sample);

/* Returns the offset of the dword by which an end says that it is available.
 */
unsigned
pitot_hw_snapshot_available_offset_B(
   const struct pitot_hw *hw, const struct pitot_hw_snapshot *snapshot);

/* Returns whether all that a snapshot says of itself has been written.  Any
 * thread.
 */
bool
pitot_hw_snapshot_is_complete(struct pitot_hw *hw,
                              const struct pitot_hw_snapshot *snapshot);

/* Returns the dword of an end that is not 0 once it is available. */
static inline const uint32_t *
pitot_hw_snapshot_available(const struct pitot_hw_snapshot *snapshot)
{
   return (const uint32_t *)(snapshot->slab->buffer->memory +
                             snapshot->offset_B +
                             snapshot->available_offset_B);
}

/* Reads memory that the GPU writes, before all that is read after it. */
static inline uint32_t
pitot_hw_read_dword(const uint32_t *dword)
{
   return __atomic_load_n(dword, __ATOMIC_ACQUIRE);
}

static inline uint64_t
pitot_hw_read_qword(const uint64_t *qword)
{
   return __atomic_load_n((const pitot_shared_qword *)qword,
                          __ATOMIC_ACQUIRE);
}

/* Returns the offset, in its buffer, of that dword. */
static inline unsigned
pitot_hw_snapshot_available_B(const struct pitot_hw_snapshot *snapshot)
{
   return snapshot->offset_B + snapshot->available_offset_B;
}

struct pitot_hw_sampled {
   uint64_t *data;
   struct pitot_cs_buffer *buffer;
   unsigned offset_B;       /* of the data */
   uint64_t expected_ticks; /* of a time: about when it was taken */
};

/* Returns the snapshot of a boundary that has a sample. */
static inline struct pitot_hw_snapshot *
pitot_hw_boundary_find(const struct pitot_hw_boundary *boundary,
                       unsigned sample)
{
   unsigned i = 0;

   while (!pitot_hw_has_sample(boundary->snapshots[i]->samples, sample)) {
      i++;
      assert(i < boundary->count);
   }
   return boundary->snapshots[i];
}

/* Returns a sample that a boundary has, for the GPU and the CPU. */
struct pitot_hw_sampled
pitot_hw_boundary_sample(const struct pitot_hw *hw,
                         const struct pitot_hw_boundary *boundary,
                         unsigned sample);

#endif /* PITOT_HW_SNAPSHOT_H */
