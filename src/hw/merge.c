/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <strings.h>

#include "hw_priv.h"

/* Returns by how much a qword grew. */
static uint64_t
difference(const struct pitot_hw *hw, const struct pitot_hw_segment *segment,
           struct pitot_hw_qword qword)
{
   const unsigned valid_bits =
      hw->family->samples[qword.sample].valid_stride_qw ? 1 : 0;
   const struct pitot_hw_sampled begin =
      pitot_hw_boundary_sample(hw, &segment->begin, qword.sample);
   const struct pitot_hw_sampled end =
      pitot_hw_boundary_sample(hw, &segment->end, qword.sample);

   return (end.data[qword.index] - begin.data[qword.index]) &
          UINT64_MAX >> valid_bits;
}

/* Each backend has a qword of every two: the other one is for conditions,
 * which have begin and end side by side.
 */
static void
merge_count(const struct pitot_hw *hw, struct pitot_hw_value *value,
            const struct pitot_hw_segment *segment)
{
   const struct pitot_hw_measure *measure = value->measure;
   const unsigned count = measure->is_per_backend ? hw->cs->gpu->rb_count : 1;
   struct pitot_hw_qword qword = measure->qwords[value->stream];

   for (unsigned i = 0; i < count; i++, qword.index += 2)
      value->sum += difference(hw, segment, qword);
}

static void
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

/* Returns the time that a segment has of its ring, as it was sampled. */
static struct pitot_hw_sampled
sampled_time(const struct pitot_hw *hw,
             const struct pitot_hw_segment *segment,
             const struct pitot_hw_boundary *boundary)
{
   return pitot_hw_boundary_sample(hw, boundary,
                                   (unsigned)ffs((int)segment->samples) - 1);
}

static uint64_t
extended_time(struct pitot_hw *hw, const struct pitot_hw_segment *segment,
              const struct pitot_hw_boundary *boundary)
{
   const struct pitot_hw_sampled time = sampled_time(hw, segment, boundary);

   return pitot_hw_clock_extend(hw, time.expected_ticks, *time.data);
}

/* Rings may take turns, or work at the same time: that counts once. */
static void
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

/* Where the CPU cannot read the clock, a time over a wrap is right up to half
 * the counter's range; more is a step back.
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

static void
merge_elapsed(struct pitot_hw *hw, struct pitot_hw_value *value,
              const struct pitot_hw_segment *segment)
{
   const struct pitot_hw_sampled begin =
      sampled_time(hw, segment, &segment->begin);
   const struct pitot_hw_sampled end =
      sampled_time(hw, segment, &segment->end);

   if (end.expected_ticks == PITOT_HW_TICKS_UNKNOWN) {
      merge_unextended(hw, value, *begin.data, *end.data);
      return;
   }

   const uint64_t begin_ticks = extended_time(hw, segment, &segment->begin);
   const uint64_t end_ticks = extended_time(hw, segment, &segment->end);
   if (end_ticks < begin_ticks)
      pitot_hw_set_disjoint(hw);
   else
      add_time(value, begin_ticks, end_ticks);
}

void
pitot_hw_merge(struct pitot_hw *hw, struct pitot_hw_value *value,
               const struct pitot_hw_segment *segment)
{
   switch (value->measure->method) {
   case PITOT_HW_COUNT:
      merge_count(hw, value, segment);
      break;
   case PITOT_HW_OVERFLOW:
      merge_overflow(hw, value, segment);
      break;
   case PITOT_HW_ELAPSED:
      merge_elapsed(hw, value, segment);
      break;
   case PITOT_HW_TIMESTAMP: {
      const uint64_t ticks = extended_time(hw, segment, &segment->end);

      if (ticks > value->sum)
         value->sum = ticks;
      break;
   }
   }
}

uint64_t
pitot_hw_finish(const struct pitot_gpu *gpu,
                const struct pitot_hw_value *value)
{
   if (value->measure->bits == 1)
      return value->sum != 0;
   if (pitot_hw_is_time(value->measure))
      return pitot_ticks_to_ns(value->sum, gpu->timestamp_hz);
   return pitot_hw_is_fourfold(value->measure, gpu) ? value->sum / 4
                                                    : value->sum;
}
