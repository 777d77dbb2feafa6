/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Adding up segments: any number of them; and the usual case, which is a
 * single one, in one step.
 */

#include "hw_priv.h"

/* The sum of a sample that is added up is that much behind its begin, and has
 * begun at 0.
 */
#define SUM_QW 1

static const uint64_t no_sum = 0;

/* The qwords of a sample at both ends of a segment. */
struct pair {
   const uint64_t *begin, *end; /* NULL: not looked for yet */
   unsigned sample;
   uint64_t mask; /* of the bits that count */
};

/* Looks for a sample, unless it is the one that was looked for last: all
 * statistics may be one sample.
 */
static void
find_pair(const struct pitot_hw *hw, const struct pitot_hw_segment *segment,
          unsigned sample, struct pair *pair)
{
   const struct pitot_hw_snapshot *begin, *end;

   if (pair->begin && pair->sample == sample)
      return;
   begin = pitot_hw_boundary_find(&segment->begin, sample);
   end = pitot_hw_boundary_find(&segment->end, sample);
   *pair = (struct pair){
      .begin = pitot_hw_snapshot_data(hw, begin, sample),
      .end = pitot_hw_snapshot_data(hw, end, sample),
      .sample = sample,
      .mask = UINT64_MAX >> pitot_hw_has_sample(hw->validated, sample),
   };
   if (pitot_hw_has_sample(hw->family->accumulated, sample)) {
      pair->end = pair->begin + SUM_QW;
      pair->begin = &no_sum;
   }
}

/* Returns by how much a qword grew. */
static uint64_t
difference(const struct pair *pair, unsigned index)
{
   return (pair->end[index] - pair->begin[index]) & pair->mask;
}

static uint64_t
difference_of(const struct pitot_hw *hw,
              const struct pitot_hw_segment *segment,
              struct pitot_hw_qword qword, struct pair *pair)
{
   find_pair(hw, segment, qword.sample, pair);
   return difference(pair, qword.index);
}

/* Sums the render backends that have written both samples.  Returns whether
 * all known ones have.  A backend that was late when the slots were learned is
 * known from now on; a slot that a condition has filled counts nothing
 * (amd/condition.c, seed()).
 */
static bool
sum_backends(struct pitot_hw *hw, const struct pitot_hw_value *value,
             const uint64_t *begin, const uint64_t *end, uint64_t *sum_out)
{
   const unsigned sample = value->measure->qwords[value->stream].sample;
   const unsigned stride_qw = hw->family->samples[sample].valid_stride_qw;
   const unsigned count_qw = hw->extents[sample].size_B / sizeof(uint64_t);
   const uint64_t known = pitot_hw_backend_slots(hw);
   uint64_t written = 0, counting = 0;

   *sum_out = 0;
   for (unsigned i = 0; i < count_qw; i += stride_qw) {
      const uint64_t begin_value = pitot_hw_read_qword(&begin[i]);
      const uint64_t end_value = pitot_hw_read_qword(&end[i]);
      const uint64_t slot = (begin_value & end_value) >> 63 << i / stride_qw;

      if (!slot)
         continue;
      written |= slot;
      counting |= end_value << 1 ? slot : 0;
      *sum_out += (end_value - begin_value) & UINT64_MAX >> 1;
   }
   if (known && counting & ~known)
      atomic_fetch_or(&hw->backend_slots, counting);
   return known && !(known & ~written);
}

static void
merge_count(struct pitot_hw *hw, struct pitot_hw_value *value,
            const struct pitot_hw_segment *segment, struct pair *pair)
{
   const struct pitot_hw_qword qword = value->measure->qwords[value->stream];

   find_pair(hw, segment, qword.sample, pair);
   uint64_t sum;

   if (hw->family->samples[qword.sample].is_per_backend)
      (void)sum_backends(hw, value, pair->begin + qword.index,
                         pair->end + qword.index, &sum);
   else
      sum = difference(pair, qword.index);
   value->sum += sum;
}

static void
merge_overflow(const struct pitot_hw *hw, struct pitot_hw_value *value,
               const struct pitot_hw_segment *segment, struct pair *pair)
{
   const struct pitot_hw_measure *measure = value->measure;

   for (unsigned s = 0; s < PITOT_MAX_STREAMS; s++) {
      if (measure->is_of_all_streams || s == value->stream)
         value->sum += difference_of(hw, segment, measure->qwords[s], pair) !=
                       difference_of(hw, segment, measure->written[s], pair);
   }
}

/* A time as it was sampled, and about what was expected. */
struct time {
   uint64_t ticks, expected_ticks;
};

static struct time
time_of(const struct pitot_hw *hw, const struct pitot_hw_segment *segment,
        const struct pitot_hw_boundary *boundary)
{
   const unsigned sample = (unsigned)__builtin_ctz(segment->samples);
   const struct pitot_hw_snapshot *snapshot =
      pitot_hw_boundary_find(boundary, sample);

   return (struct time){
      .ticks = *pitot_hw_snapshot_data(hw, snapshot, sample),
      .expected_ticks = snapshot->expected_ticks,
   };
}

static uint64_t
extend(struct pitot_hw *hw, struct time time)
{
   return pitot_hw_clock_extend(hw, time.expected_ticks, time.ticks);
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

static PITOT_INLINE void
merge_elapsed(struct pitot_hw *hw, struct pitot_hw_value *value,
              struct time begin, struct time end)
{
   if (end.expected_ticks == PITOT_HW_TICKS_UNKNOWN) {
      merge_unextended(hw, value, begin.ticks, end.ticks);
      return;
   }

   const uint64_t begin_ticks = extend(hw, begin);
   const uint64_t end_ticks = extend(hw, end);
   if (end_ticks < begin_ticks)
      pitot_hw_set_disjoint(hw);
   else
      add_time(value, begin_ticks, end_ticks);
}

/* Of tiles, it is known how long they took in all, and not when. */
static void
merge_tiles(struct pitot_hw *hw, struct pitot_hw_value *value,
            const struct pitot_hw_segment *segment, struct pair *pair)
{
   const uint64_t ticks =
      difference_of(hw, segment, value->measure->qwords[0], pair);

   merge_unextended(hw, value, 0, ticks);
}

static void
merge(struct pitot_hw *hw, struct pitot_hw_value *value,
      const struct pitot_hw_segment *segment, struct pair *pair)
{
   switch (value->measure->method) {
   case PITOT_HW_COUNT:
      merge_count(hw, value, segment, pair);
      break;
   case PITOT_HW_OVERFLOW:
      merge_overflow(hw, value, segment, pair);
      break;
   case PITOT_HW_ELAPSED:
      if (value->samples & hw->family->accumulated)
         merge_tiles(hw, value, segment, pair);
      else
         merge_elapsed(hw, value, time_of(hw, segment, &segment->begin),
                       time_of(hw, segment, &segment->end));
      break;
   case PITOT_HW_TIMESTAMP: {
      const uint64_t ticks = extend(hw, time_of(hw, segment, &segment->end));

      if (ticks > value->sum)
         value->sum = ticks;
      break;
   }
   }
}

uint64_t
pitot_hw_value_finish(const struct pitot_gpu *gpu,
                      const struct pitot_hw_value *value)
{
   if (value->measure->bits == 1)
      return value->sum != 0;
   if (pitot_hw_is_time(value->measure))
      return pitot_ticks_to_ns(value->sum, gpu->timestamp_hz);
   return value->sum >> value->measure->shift;
}

void
pitot_hw_query_remove_first(struct pitot_hw *hw, struct pitot_hw_query *query)
{
   struct pitot_hw_segment *segment = query->first;

   pitot_hw_note_result(hw, segment);
   query->single.available = NULL;
   query->first = segment->next;
   if (!query->first)
      query->last = &query->first;
   pitot_hw_segment_return(hw, segment);
}

void
pitot_hw_query_merge_first(struct pitot_hw *hw, struct pitot_hw_query *query)
{
   const struct pitot_hw_segment *segment = query->first;
   struct pair pair;

   pair.begin = NULL;
   for (unsigned i = 0; i < query->value_count; i++) {
      struct pitot_hw_value *value = &query->values[i];

      /* Each ring has its own segments, of which a time adds up all. */
      if (query->is_time || value->samples & segment->samples)
         merge(hw, value, segment, &pair);
   }
   pitot_hw_query_remove_first(hw, query);
}

/*
 * A single segment
 */

/* Returns a qword of the sample of a segment's only value. */
static const uint64_t *
qword_of(const struct pitot_hw *hw, const struct pitot_hw_value *value,
         const struct pitot_hw_boundary *boundary)
{
   const struct pitot_hw_qword qword = value->measure->qwords[value->stream];

   return pitot_hw_snapshot_data(hw, boundary->snapshots[0], qword.sample) +
          qword.index;
}

void
pitot_hw_query_find_single(const struct pitot_hw *hw,
                           struct pitot_hw_query *query)
{
   const struct pitot_hw_segment *segment = query->first;
   const struct pitot_hw_value *value = &query->values[0];

   /* A time may be left of the second ring only. */
   if (!query->may_be_single || query->status || !segment || segment->next ||
       segment->samples != value->samples)
      return;

   const struct pitot_hw_snapshot *end = segment->end.snapshots[0];
   query->single = (struct pitot_hw_single){
      .available = pitot_hw_snapshot_available(end),
      .begin =
         segment->begin.count ? qword_of(hw, value, &segment->begin) : NULL,
      .end = qword_of(hw, value, &segment->end),
   };
   if (query->is_summed) {
      query->single.end = query->single.begin + SUM_QW;
      query->single.begin = &no_sum;
   }
}

bool
pitot_hw_query_merge_backends(struct pitot_hw *hw,
                              struct pitot_hw_query *query)
{
   uint64_t sum;

   if (!sum_backends(hw, &query->values[0], query->single.begin,
                     query->single.end, &sum))
      return false;
   query->values[0].sum += sum;
   return true;
}

void
pitot_hw_query_merge_times(struct pitot_hw *hw, struct pitot_hw_query *query)
{
   const struct pitot_hw_segment *segment = query->first;
   const struct time end = {
      .ticks = *query->single.end,
      .expected_ticks = segment->end.snapshots[0]->expected_ticks,
   };

   if (query->is_instant) {
      query->values[0].sum = extend(hw, end);
      return;
   }
   const struct time begin = {
      .ticks = *query->single.begin,
      .expected_ticks = segment->begin.snapshots[0]->expected_ticks,
   };
   merge_elapsed(hw, &query->values[0], begin, end);
}
