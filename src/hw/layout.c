/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The memory of snapshots: the offsets of samples in it, and the samples
 * that the GPU has written so far.
 */

#include "hw_priv.h"

void
pitot_hw_layout_init(struct pitot_hw *hw)
{
   const struct pitot_hw_family *family = hw->family;
   const struct pitot_gpu *gpu = hw->cs->gpu;

   if (family->backend_slots)
      atomic_init(&hw->backend_slots, family->backend_slots(gpu));
   hw->record_unit_B =
      family->record_unit_B ? family->record_unit_B : PITOT_HW_RECORD_UNIT_B;
   hw->header_B =
      family->end_distance_B ? hw->record_unit_B : PITOT_HW_AVAILABLE_SIZE_B;
   for (unsigned i = 0; i < family->sample_count; i++) {
      struct pitot_hw_extent *extent = &hw->extents[i];

      extent->size_B = family->sample_size_B ? family->sample_size_B(gpu, i)
                                             : sizeof(uint64_t);
      if (family->end_distance_B)
         extent->end_distance_B = family->end_distance_B(gpu, i);
      if (family->samples[i].valid_stride_qw)
         hw->validated |= UINT32_C(1) << i;
      if (family->samples[i].is_time)
         hw->times |= UINT32_C(1) << i;
   }
}

/* Returns the offset of a sample's begin in a record, or in the memory of an
 * end without one, if these samples come before it.
 */
static PITOT_NOINLINE unsigned
begin_offset_B(const struct pitot_hw *hw,
               const struct pitot_hw_snapshot *record, uint32_t before)
{
   unsigned offset_B = hw->header_B;

   /* A family with many samples has them of one size, and no records. */
   if (!hw->family->sample_size_B)
      return offset_B +
             (unsigned)__builtin_popcount(before) * sizeof(uint64_t);

   for (; before; before &= before - 1)
      offset_B +=
         pitot_hw_extent_B(hw, record, (unsigned)__builtin_ctz(before));
   return offset_B;
}

unsigned
pitot_hw_snapshot_size_B(const struct pitot_hw *hw,
                         const struct pitot_hw_snapshot *snapshot)
{
   return begin_offset_B(hw, snapshot, snapshot->samples);
}

/* Returns the offset of a sample in the memory of a snapshot.  The first
 * sample is usually the only one.
 */
static inline unsigned
sample_offset_B(const struct pitot_hw *hw,
                const struct pitot_hw_snapshot *snapshot, unsigned sample)
{
   const struct pitot_hw_snapshot *record = snapshot->record;
   const uint32_t before = record->samples & ((UINT32_C(1) << sample) - 1);
   unsigned offset_B = hw->header_B;

   if (before)
      offset_B = begin_offset_B(hw, record, before);
   if (record != snapshot)
      offset_B += hw->extents[sample].end_distance_B;
   return offset_B;
}

uint64_t *
pitot_hw_snapshot_data(const struct pitot_hw *hw,
                       const struct pitot_hw_snapshot *snapshot,
                       unsigned sample)
{
   return (uint64_t *)(snapshot->slab->buffer->memory + snapshot->offset_B +
                       sample_offset_B(hw, snapshot, sample));
}

unsigned
pitot_hw_snapshot_available_offset_B(const struct pitot_hw *hw,
                                     const struct pitot_hw_snapshot *snapshot)
{
   const unsigned last = 31 - (unsigned)__builtin_clz(snapshot->samples);

   if (snapshot->samples & ~hw->family->available_by_themselves)
      return 0;
   return sample_offset_B(hw, snapshot, last) + hw->extents[last].size_B -
          (unsigned)sizeof(uint32_t);
}

/*
 * Reading
 */

/* Returns a mask of the slots of a sample that were written. */
static uint64_t
written_slots(const struct pitot_hw *hw,
              const struct pitot_hw_snapshot *snapshot, unsigned sample)
{
   const unsigned stride_qw = hw->family->samples[sample].valid_stride_qw;
   const uint64_t *qwords = pitot_hw_snapshot_data(hw, snapshot, sample);
   const unsigned count_qw = hw->extents[sample].size_B / sizeof(*qwords);
   uint64_t written = 0;

   for (unsigned i = 0; i * stride_qw < count_qw; i++)
      written |= pitot_hw_read_qword(&qwords[i * stride_qw]) >> 63 << i;
   return written;
}

/* Learns which slots render backends write.  Kernels have reported backends
 * that do not exist, so that only the writes count.  The batch must be done,
 * or some backends may still write, and its end available, or the batch was
 * lost.  Returns whether any slot was written.
 */
static bool
learn_slots(struct pitot_hw *hw, const struct pitot_hw_snapshot *snapshot,
            unsigned sample)
{
   struct pitot_cs *cs = hw->cs;

   if (!snapshot->is_end ||
       cs->ops->batch_state(cs, snapshot->ring, snapshot->batch) !=
          PITOT_BATCH_DONE)
      return false;
   const uint64_t written = written_slots(hw, snapshot, sample);
   if (written)
      atomic_store(&hw->backend_slots, written);
   return written != 0;
}

/* Returns a mask of the slots of a sample that will be written, or 0 if that
 * is not known yet.
 */
static uint64_t
expected_slots(const struct pitot_hw *hw, unsigned sample)
{
   const struct pitot_hw_sample *info = &hw->family->samples[sample];
   const unsigned count_qw = hw->extents[sample].size_B / sizeof(uint64_t);

   return info->is_per_backend
             ? pitot_hw_backend_slots(hw)
             : UINT64_MAX >> (63 - (count_qw - 1) / info->valid_stride_qw);
}

/* Returns whether a sample has the valid bits that it will have. */
static bool
is_valid(struct pitot_hw *hw, const struct pitot_hw_snapshot *snapshot,
         unsigned sample)
{
   const struct pitot_hw_sample *info = &hw->family->samples[sample];
   const uint64_t *qwords = pitot_hw_snapshot_data(hw, snapshot, sample);
   const uint64_t expected = expected_slots(hw, sample);
   bool is_valid = expected != 0;

   for (uint64_t slots = expected; slots && is_valid; slots >>= 1) {
      is_valid = !(slots & 1) || pitot_hw_read_qword(qwords) >> 63;
      qwords += info->valid_stride_qw;
   }
   return is_valid ||
          (info->is_per_backend && learn_slots(hw, snapshot, sample));
}

bool
pitot_hw_snapshot_is_complete(struct pitot_hw *hw,
                              const struct pitot_hw_snapshot *snapshot)
{
   bool is_complete =
      !snapshot->is_end ||
      pitot_hw_read_dword(pitot_hw_snapshot_available(snapshot));

   for (uint32_t rest = snapshot->samples & hw->validated;
        is_complete && rest; rest &= rest - 1)
      is_complete = is_valid(hw, snapshot, (unsigned)__builtin_ctz(rest));
   return is_complete;
}

struct pitot_hw_sampled
pitot_hw_boundary_sample(const struct pitot_hw *hw,
                         const struct pitot_hw_boundary *boundary,
                         unsigned sample)
{
   const struct pitot_hw_snapshot *snapshot =
      pitot_hw_boundary_find(boundary, sample);
   struct pitot_cs_buffer *buffer = snapshot->slab->buffer;
   const unsigned offset_B =
      snapshot->offset_B + sample_offset_B(hw, snapshot, sample);

   return (struct pitot_hw_sampled){
      .data = (uint64_t *)(buffer->memory + offset_B),
      .buffer = buffer,
      .offset_B = offset_B,
      .expected_ticks = snapshot->expected_ticks,
   };
}
