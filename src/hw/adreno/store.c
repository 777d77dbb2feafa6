/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Results that the command processor adds up, after all tiles of a batch. It
 * adds qwords and compares dwords, but does not multiply: times are left to
 * the CPU.
 */

#include "adreno.h"

/* Scratch memory: the sum, and a dword that tells when all samples are there.
 */
#define SUM_LOW_B  0
#define SUM_HIGH_B 4
#define DRAINED_B  8

/* Each packet of a sum has at most this many dwords, and so do all others
 * together as often as MARGIN says.
 */
#define ADD_DW 10
#define MARGIN 12

struct sum {
   struct pitot_hw_packets *packets;
   const struct pitot_hw *hw;
   uint64_t address;
   unsigned left_dw;
};

static uint64_t
address_of(const struct pitot_hw_segment *segment, const void *place)
{
   return pitot_cs_address(segment->slab->buffer,
                           pitot_hw_segment_offset_B(segment, place));
}

/* Returns whether there is room for another packet. */
static bool
has_room(struct sum *sum)
{
   if (sum->left_dw < ADD_DW)
      return false;
   sum->left_dw -= ADD_DW;
   return true;
}

/* Adds by how much a qword grew, or subtracts it. */
static bool
add_qword(struct sum *sum, const struct pitot_hw_segment *segment,
          struct pitot_hw_qword qword, bool is_negative)
{
   const uint64_t begin = address_of(
      segment, pitot_hw_segment_begin(sum->hw, segment, qword.sample) +
                  qword.index);

   if (!has_room(sum))
      return false;
   if (pitot_hw_has_sample(sum->hw->family->accumulated, qword.sample)) {
      pitot_adreno_add(sum->packets, sum->address,
                       begin + PITOT_ADRENO_SUM_B, 0);
   } else {
      const uint64_t end = address_of(
         segment, pitot_hw_segment_end(sum->hw, segment, qword.sample) +
                     qword.index);

      pitot_adreno_add(sum->packets, sum->address,
                       is_negative ? begin : end, is_negative ? end : begin);
   }
   return true;
}

/* No stream writes more than it needs, so that the sum of what is missing
 * tells whether any overflowed.
 */
static bool
add_segment(struct sum *sum, const struct pitot_hw_segment *segment,
            const struct pitot_hw_value *value)
{
   const struct pitot_hw_measure *measure = value->measure;

   for (unsigned s = 0; s < PITOT_MAX_STREAMS; s++) {
      if (s != value->stream && !measure->is_of_all_streams)
         continue;
      if (!add_qword(sum, segment, measure->qwords[s], false) ||
          (measure->method == PITOT_HW_OVERFLOW &&
           !add_qword(sum, segment, measure->written[s], true)))
         return false;
   }
   return true;
}

/* There is one ring, so that each segment has the samples of all values. */
static bool
add_all(struct sum *sum, const struct pitot_hw_query *query,
        const struct pitot_hw_value *value)
{
   pitot_adreno_set(sum->packets, sum->address, value->sum);
   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      if (!add_segment(sum, segment, value))
         return false;
   }
   return true;
}

/* All samples of the batch are there by then.  Those of a batch that was lost
 * never will be.
 */
static void
check_all(struct pitot_hw_packets *packets, uint64_t sum,
          const struct pitot_hw_query *query)
{
   pitot_adreno_set(packets, sum, 1);
   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      pitot_adreno_replace(
         packets, sum + SUM_LOW_B, 0,
         address_of(segment, segment->available),
         PITOT_ADRENO_IF_ZERO);
   }
}

/* Makes the sum a number that the type has. */
static void
clamp(struct pitot_hw_packets *packets, uint64_t sum, enum pitot_type type)
{
   const uint32_t max = (uint32_t)pitot_type_max[type];

   if (pitot_type_size_B(type) == sizeof(uint64_t))
      return;
   pitot_adreno_replace(packets, sum + SUM_LOW_B, max, sum + SUM_HIGH_B,
                        UINT32_MAX);
   if (max != UINT32_MAX)
      pitot_adreno_replace(packets, sum + SUM_LOW_B, max, sum + SUM_LOW_B,
                           ~max);
}

/* Makes a sum that is not 0 a 1. */
static void
normalize(struct pitot_hw_packets *packets, uint64_t sum)
{
   pitot_adreno_replace(packets, sum + SUM_LOW_B, 1, sum + SUM_HIGH_B,
                        UINT32_MAX);
   pitot_adreno_replace(packets, sum + SUM_LOW_B, 1, sum + SUM_LOW_B,
                        UINT32_MAX);
   pitot_adreno_replace(packets, sum + SUM_HIGH_B, 0, sum + SUM_HIGH_B,
                        UINT32_MAX);
}

bool
pitot_adreno_emit_store(struct pitot_hw_packets *packets,
                        const struct pitot_hw *hw,
                        const struct pitot_hw_query *query,
                        const struct pitot_hw_value *value,
                        const struct pitot_hw_target *target)
{
   const bool is_available = target->kind == PITOT_STORE_AVAILABLE;
   struct sum sum = {
      .packets = packets,
      .hw = hw,
      .address = packets->scratch_address,
      .left_dw = PITOT_HW_MAX_PROGRAM_DW - MARGIN * ADD_DW,
   };

   if (!hw->cs->ops->reserve_at_end || query->is_time)
      return false;
   pitot_adreno_drain(packets, sum.address + DRAINED_B);

   /* A program that reads TRUE must find the result: a GPU that cannot store
    * the result does not store that it is available.
    */
   uint32_t *const first = packets->next;
   if (!add_all(&sum, query, value))
      return false;
   if (is_available) {
      packets->next = first;
      check_all(packets, sum.address, query);
   }
   if (value->measure->bits == 1 && !is_available)
      normalize(packets, sum.address);
   clamp(packets, sum.address, target->type);
   pitot_adreno_copy(packets,
                     pitot_cs_address(target->buffer, target->offset_B),
                     sum.address, pitot_type_size_B(target->type));
   return true;
}
