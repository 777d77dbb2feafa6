/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <strings.h>

#include "hw_priv.h"

#define VALID_BIT (UINT64_C(1) << 63)

/* Tells by how much a qword grew, and returns whether it was written. */
static bool
word_difference(const struct pitot_hw *hw,
                const struct pitot_hw_segment *segment,
                struct pitot_hw_word word, uint64_t *difference_out)
{
   const struct pitot_hw_sample *sample = &hw->family->samples[word.sample];
   const uint64_t begin =
      pitot_hw_boundary_data(hw, &segment->begin, word.sample,
                             NULL)[word.index];
   const uint64_t end = pitot_hw_boundary_data(hw, &segment->end, word.sample,
                                               NULL)[word.index];

   *difference_out = end - begin;
   if (!sample->has_valid_bit)
      return true;
   *difference_out &= ~VALID_BIT;
   return begin & end & VALID_BIT;
}

bool
pitot_hw_merge_counter(struct pitot_hw *hw, struct pitot_hw_value *value,
                       const struct pitot_hw_segment *segment)
{
   uint64_t difference;
   const bool is_written =
      word_difference(hw, segment, value->row->words[value->stream],
                      &difference);

   value->sum += difference;
   return is_written;
}

/* Each backend has a qword of every two: the other one is for those who lay
 * begin and end side by side.
 */
bool
pitot_hw_merge_backends(struct pitot_hw *hw, struct pitot_hw_value *value,
                        const struct pitot_hw_segment *segment)
{
   const struct pitot_hw_word first = value->row->words[0];
   bool is_written = true;

   for (unsigned rb = 0; rb < hw->cs->gpu->rb_count; rb++) {
      const struct pitot_hw_word word = { first.sample, (uint8_t)(2 * rb) };
      uint64_t difference;

      is_written &= word_difference(hw, segment, word, &difference);
      value->sum += difference;
   }
   return is_written;
}

bool
pitot_hw_merge_overflow(struct pitot_hw *hw, struct pitot_hw_value *value,
                        const struct pitot_hw_segment *segment)
{
   const struct pitot_hw_row *row = value->row;
   bool is_written = true;

   for (unsigned s = 0; s < PITOT_MAX_STREAMS; s++) {
      uint64_t needed, written;

      if (!row->is_of_all_streams && s != value->stream)
         continue;
      is_written &= word_difference(hw, segment, row->words[s], &needed);
      is_written &=
         word_difference(hw, segment, row->other_words[s], &written);
      value->sum += needed != written;
   }
   return is_written;
}

/* Returns a time as it was sampled and, in expected_out, about when. */
static uint64_t
raw_time(const struct pitot_hw *hw, const struct pitot_hw_segment *segment,
         const struct pitot_hw_boundary *boundary, uint64_t *expected_out)
{
   return *pitot_hw_boundary_data(hw, boundary,
                                  (unsigned)ffs((int)segment->samples) - 1,
                                  expected_out);
}

static uint64_t
sampled_time(struct pitot_hw *hw, const struct pitot_hw_segment *segment,
             const struct pitot_hw_boundary *boundary)
{
   uint64_t expected_ticks;
   const uint64_t ticks = raw_time(hw, segment, boundary, &expected_ticks);

   return pitot_hw_clock_extend(hw, expected_ticks, ticks);
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
static bool
merge_unextended(struct pitot_hw *hw, struct pitot_hw_value *value,
                 const struct pitot_hw_segment *segment)
{
   uint64_t expected_ticks;
   const uint64_t begin_ticks =
      raw_time(hw, segment, &segment->begin, &expected_ticks);
   const uint64_t end_ticks =
      raw_time(hw, segment, &segment->end, &expected_ticks);

   if (expected_ticks != PITOT_HW_TICKS_UNKNOWN)
      return false;

   const unsigned bits = hw->cs->gpu->timestamp_bits;
   const uint64_t elapsed_ticks =
      pitot_ticks_elapsed(begin_ticks, end_ticks, bits);
   if (elapsed_ticks >> (bits - 1))
      pitot_hw_set_disjoint(hw);
   else
      value->sum += elapsed_ticks;
   return true;
}

bool
pitot_hw_merge_elapsed(struct pitot_hw *hw, struct pitot_hw_value *value,
                       const struct pitot_hw_segment *segment)
{
   if (merge_unextended(hw, value, segment))
      return true;

   const uint64_t begin_ticks = sampled_time(hw, segment, &segment->begin);
   const uint64_t end_ticks = sampled_time(hw, segment, &segment->end);

   if (end_ticks < begin_ticks)
      pitot_hw_set_disjoint(hw);
   else
      add_time(value, begin_ticks, end_ticks);
   return true;
}

bool
pitot_hw_merge_timestamp(struct pitot_hw *hw, struct pitot_hw_value *value,
                         const struct pitot_hw_segment *segment)
{
   const uint64_t ticks = sampled_time(hw, segment, &segment->end);

   if (ticks > value->sum)
      value->sum = ticks;
   return true;
}

uint64_t
pitot_hw_finish_sum(const struct pitot_gpu *gpu, uint64_t sum)
{
   (void)gpu;
   return sum;
}

uint64_t
pitot_hw_finish_boolean(const struct pitot_gpu *gpu, uint64_t sum)
{
   (void)gpu;
   return sum != 0;
}

uint64_t
pitot_hw_finish_time(const struct pitot_gpu *gpu, uint64_t sum)
{
   return pitot_ticks_to_ns(sum, gpu->timestamp_hz);
}
