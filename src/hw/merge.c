/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Adding up segments.
 */

#include "hw_priv.h"

/* Returns by how much a qword of a sample grew in a segment: a sum began at
 * 0.
 */
static uint64_t
difference(const struct pitot_hw *hw, const struct pitot_hw_segment *segment,
           struct pitot_hw_qword qword)
{
   const uint64_t *begin =
      pitot_hw_segment_begin(segment, qword.sample) + qword.index;
   const uint64_t *end =
      pitot_hw_segment_end(segment, qword.sample) + qword.index;
   const uint64_t grown =
      pitot_hw_has_sample(hw->family->accumulated, qword.sample)
         ? begin[PITOT_HW_SUM_QW]
         : *end - *begin;

   /* Bit 63 may say that a qword was written. */
   return grown &
          UINT64_MAX >> pitot_hw_has_sample(hw->validated, qword.sample);
}

/* Sums the render backends that have written both samples.  A backend that
 * was late when the slots were learned is known from now on; a slot that a
 * condition has filled counts nothing (amd/condition.c, seed()).
 */
static PITOT_NOINLINE uint64_t
sum_backends(struct pitot_hw *hw, const struct pitot_hw_segment *segment,
             unsigned sample)
{
   const uint64_t *begins = pitot_hw_segment_begin(segment, sample);
   const uint64_t *ends = pitot_hw_segment_end(segment, sample);
   const unsigned stride_qw = hw->family->samples[sample].valid_stride_qw;
   const unsigned count_qw = hw->extents[sample].size_B / sizeof(uint64_t);
   const uint64_t known = pitot_hw_backend_slots(hw);
   uint64_t counting = 0, sum = 0;

   for (unsigned i = 0; i < count_qw; i += stride_qw) {
      const uint64_t begin = pitot_hw_read_qword(&begins[i]);
      const uint64_t end = pitot_hw_read_qword(&ends[i]);

      if (!((begin & end) >> 63))
         continue;
      counting |= (uint64_t)(end << 1 != 0) << i / stride_qw;
      sum += (end - begin) & INT64_MAX;
   }
   if (counting & ~known)
      atomic_fetch_or(&hw->backend_slots, counting);
   return sum;
}

static PITOT_NOINLINE void
merge_overflow(const struct pitot_hw *hw, struct pitot_hw_value *value,
               const struct pitot_hw_segment *segment)
{
   const struct pitot_hw_measure *measure = value->measure;

   for (unsigned s = 0; s < PITOT_MAX_STREAMS; s++) {
      if (measure->is_of_all_streams || s == value->stream)
         value->sum += difference(hw, segment, measure->qwords[s]) !=
                       difference(hw, segment, measure->written[s]);
   }
}

/* Time in which both rings work counts once. */
static inline void
add_time(struct pitot_hw_value *value, uint64_t begin_ticks,
         uint64_t end_ticks)
{
   const uint64_t both_begin_ticks =
      begin_ticks > value->begin_ticks ? begin_ticks : value->begin_ticks;
   const uint64_t both_end_ticks =
      end_ticks < value->end_ticks ? end_ticks : value->end_ticks;

   value->sum += end_ticks - begin_ticks;
   if (both_end_ticks > both_begin_ticks)
      value->sum -= both_end_ticks - both_begin_ticks;
   value->begin_ticks = begin_ticks;
   value->end_ticks = end_ticks;
}

/* If it is not known when a time was, one over a wrap is right up to half the
 * counter's range; more is a step back.
 */
static void
merge_unextended(struct pitot_hw *hw, struct pitot_hw_value *value,
                 uint64_t begin_ticks, uint64_t end_ticks)
{
   const unsigned bits = hw->cs->gpu->timestamp_bits;
   const uint64_t elapsed_ticks =
      pitot_ticks_elapsed(begin_ticks, end_ticks, bits);

   if (elapsed_ticks >> (bits - 1))
      pitot_hw_set_disjoint(hw);
   else
      value->sum += elapsed_ticks;
}

static PITOT_NOINLINE void
merge_elapsed(struct pitot_hw *hw, struct pitot_hw_value *value,
              const struct pitot_hw_segment *segment)
{
   const unsigned sample = pitot_hw_segment_time(segment);
   const uint64_t begin = *pitot_hw_segment_begin(segment, sample);
   const uint64_t end = *pitot_hw_segment_end(segment, sample);

   if (segment->end_expected_ticks == PITOT_TICKS_UNKNOWN) {
      merge_unextended(hw, value, begin, end);
      return;
   }

   const uint64_t begin_ticks =
      pitot_clock_extend(hw->cs->clock, segment->begin_expected_ticks, begin);
   const uint64_t end_ticks =
      pitot_clock_extend(hw->cs->clock, segment->end_expected_ticks, end);
   if (end_ticks < begin_ticks)
      pitot_hw_set_disjoint(hw);
   else
      add_time(value, begin_ticks, end_ticks);
}

static void
merge(struct pitot_hw *hw, struct pitot_hw_value *value,
      const struct pitot_hw_segment *segment)
{
   const struct pitot_hw_measure *measure = value->measure;

   switch (measure->method) {
   case PITOT_HW_COUNT: {
      const struct pitot_hw_qword qword = measure->qwords[value->stream];

      value->sum += hw->family->samples[qword.sample].is_per_backend
                       ? sum_backends(hw, segment, qword.sample)
                       : difference(hw, segment, qword);
      break;
   }
   case PITOT_HW_OVERFLOW:
      merge_overflow(hw, value, segment);
      break;
   case PITOT_HW_ELAPSED:
      /* Of tiles, it is known how long they took in all, and not when. */
      if (value->samples & hw->family->accumulated)
         merge_unextended(hw, value, 0,
                          difference(hw, segment, measure->qwords[0]));
      else
         merge_elapsed(hw, value, segment);
      break;
   case PITOT_HW_TIMESTAMP: {
      const unsigned sample = pitot_hw_segment_time(segment);
      const uint64_t ticks =
         pitot_clock_extend(hw->cs->clock, segment->end_expected_ticks,
                            *pitot_hw_segment_end(segment, sample));

      if (ticks > value->sum)
         value->sum = ticks;
      break;
   }
   }
}

void
pitot_hw_query_merge_first(struct pitot_hw *hw, struct pitot_hw_query *query)
{
   struct pitot_hw_segment *segment = query->first;

   for (unsigned i = 0; i < query->value_count; i++) {
      struct pitot_hw_value *value = &query->values[i];

      /* Each ring has its own segments, of which a time adds up all. */
      if (query->is_time || value->samples & segment->layout->samples)
         merge(hw, value, segment);
   }
   pitot_hw_note_result(hw, segment);
   query->first = segment->next;
   if (!query->first)
      query->last = &query->first;
   pitot_hw_segment_return(hw, segment);
}
