/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>

#include "hw_priv.h"

/*
 * Adding up segments
 */

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

/* Adds up render backends, if each of them has a qword: those that wrote it.
 */
static void
merge_count(const struct pitot_hw *hw, struct pitot_hw_value *value,
            const struct pitot_hw_segment *segment, struct pair *pair)
{
   const struct pitot_hw_qword qword = value->measure->qwords[value->stream];
   const struct pitot_hw_sample *sample = &hw->family->samples[qword.sample];

   find_pair(hw, segment, qword.sample, pair);
   if (!sample->is_per_backend) {
      value->sum += difference(pair, qword.index);
      return;
   }
   uint64_t slots = pitot_hw_backend_slots(hw);
   for (unsigned i = 0; slots; slots >>= 1, i += sample->valid_stride_qw) {
      if (slots & 1)
         value->sum += difference(pair, qword.index + i);
   }
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

/* If the CPU cannot read the clock, a time over a wrap is right up to half
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
   const struct time begin = time_of(hw, segment, &segment->begin);
   const struct time end = time_of(hw, segment, &segment->end);

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
      merge_elapsed(hw, value, segment);
      break;
   case PITOT_HW_TIMESTAMP: {
      const uint64_t ticks = extend(hw, time_of(hw, segment, &segment->end));

      if (ticks > value->sum)
         value->sum = ticks;
      break;
   }
   }
}

static uint64_t
finish(const struct pitot_gpu *gpu, const struct pitot_hw_value *value)
{
   if (value->measure->bits == 1)
      return value->sum != 0;
   if (pitot_hw_is_time(value->measure))
      return pitot_ticks_to_ns(value->sum, gpu->timestamp_hz);
   return pitot_hw_is_fourfold(value->measure, gpu) ? value->sum / 4
                                                    : value->sum;
}

/*
 * Finding out whether they are there
 */

/* Returns a snapshot of a segment that is not complete, or NULL. */
static const struct pitot_hw_snapshot *
find_incomplete(struct pitot_hw *hw, const struct pitot_hw_segment *segment)
{
   for (unsigned i = 0; i < segment->begin.count; i++) {
      const struct pitot_hw_snapshot *begin = segment->begin.snapshots[i];

      if (pitot_hw_snapshot_tells(hw, begin) &&
          !pitot_hw_snapshot_is_complete(hw, begin))
         return begin;
   }
   for (unsigned i = 0; i < segment->end.count; i++) {
      if (!pitot_hw_snapshot_is_complete(hw, segment->end.snapshots[i]))
         return segment->end.snapshots[i];
   }
   return NULL;
}

/* Finds out whether a closed segment spans two epochs: the query is lost
 * then.
 */
static void
check_epochs(const struct pitot_hw *hw, struct pitot_hw_query *query)
{
   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      if (!pitot_hw_segment_is_whole(hw, segment))
         query->status = -EIO;
   }
}

/* Adds up the oldest segment, which is complete. */
static void
merge_first(struct pitot_hw *hw, struct pitot_hw_query *query)
{
   struct pitot_hw_segment *segment = query->first;
   struct pair pair;

   pair.begin = NULL;
   for (unsigned i = 0; i < query->value_count; i++) {
      struct pitot_hw_value *value = &query->values[i];

      /* Each ring has its own segments, of which a time adds up all. */
      if (query->is_time || value->samples & segment->samples)
         merge(hw, value, segment, &pair);
   }
   query->first = segment->next;
   if (!query->first)
      query->last = &query->first;
   pitot_hw_segment_return(hw, segment);
}

/* A query that is active for long does not pile up segments. */
void
pitot_hw_query_merge_complete(struct pitot_hw *hw,
                              struct pitot_hw_query *query)
{
   check_epochs(hw, query);
   while (query->first && !query->status &&
          !find_incomplete(hw, query->first))
      merge_first(hw, query);
}

/* Sees to it that an incomplete snapshot becomes complete.  Returns 1 if it
 * is by now, 0 if its batch is on its way, or -EIO if it never will be: its
 * batch is through, or was waited for in vain.
 */
static int
push(struct pitot_hw *hw, const struct pitot_hw_snapshot *snapshot,
     struct pitot_hw_wait *wait)
{
   const bool was_in_vain = wait->was_in_vain &&
                            wait->ring == snapshot->ring &&
                            wait->batch == snapshot->batch;
   struct pitot_cs *cs = hw->cs;
   enum pitot_batch_state state =
      cs->ops->batch_state(cs, snapshot->ring, snapshot->batch);

   if (state == PITOT_BATCH_RECORDING) {
      cs->ops->flush(cs, snapshot->ring);
      state = PITOT_BATCH_SUBMITTED; /* or so: the kernel is asked later */
   }

   /* It may have been written before its batch was through. */
   if (pitot_hw_snapshot_is_complete(hw, snapshot))
      return 1;
   if (state != PITOT_BATCH_SUBMITTED || was_in_vain)
      return -EIO;
   *wait = (struct pitot_hw_wait){
      .is_needed = true,
      .ring = snapshot->ring,
      .batch = snapshot->batch,
   };
   return 0;
}

/* Tells a result that is known.  Returns 1, or -EIO if it is lost. */
static int
tell(const struct pitot_hw *hw, const struct pitot_hw_query *query,
     uint64_t *values_out)
{
   for (unsigned i = 0; i < query->value_count; i++) {
      const struct pitot_hw_value *value = &query->values[i];

      values_out[i] =
         value->measure && !query->status ? finish(hw->cs->gpu, value) : 0;
   }
   return query->status ? query->status : 1;
}

int
pitot_hw_query_poll(struct pitot_hw *hw, struct pitot_hw_query *query,
                    struct pitot_hw_wait *wait, uint64_t *values_out)
{
   wait->is_needed = false;
   if (query->is_active)
      return 0;
   while (query->first && !query->status) {
      const struct pitot_hw_snapshot *incomplete =
         find_incomplete(hw, query->first);
      const int status = incomplete ? push(hw, incomplete, wait) : 1;

      if (status == 0)
         return 0;
      /* A new epoch is known before anything is written in it. */
      if (status < 0 || !pitot_hw_segment_is_whole(hw, query->first))
         query->status = -EIO;
      else if (!incomplete)
         merge_first(hw, query);
   }
   if (query->status && !query->is_resolved) {
      pitot_hw_set_disjoint(hw);
      pitot_hw_query_drop_segments(hw, query);
   }
   atomic_store_explicit(&query->is_resolved, true, memory_order_release);
   return tell(hw, query, values_out);
}

/* Another thread that looks for a result, or stores it, makes a poll return
 * 0, unless the result is known.  The lock is free while the GPU works.
 */
int
pitot_hw_query_result(struct pitot_hw *hw, struct pitot_hw_query *query,
                      bool is_waiting, uint64_t *values_out)
{
   struct pitot_cs *cs = hw->cs;
   struct pitot_hw_wait wait = { .is_needed = false };

   if (atomic_load_explicit(&query->is_resolved, memory_order_acquire))
      return tell(hw, query, values_out);
   for (;;) {
      if (is_waiting)
         pitot_hw_query_lock(hw, query);
      else if (!pitot_hw_query_try_lock(query))
         return 0;
      const int status = pitot_hw_query_poll(hw, query, &wait, values_out);
      pitot_hw_query_unlock(hw, query);
      if (!is_waiting || !wait.is_needed)
         return status;

      cs->ops->wait(cs, wait.ring, wait.batch);
      wait.was_in_vain =
         cs->ops->batch_state(cs, wait.ring, wait.batch) < PITOT_BATCH_DONE;
   }
}

bool
pitot_hw_query_is_submitted(struct pitot_hw *hw,
                            const struct pitot_hw_query *query)
{
   struct pitot_cs *cs = hw->cs;

   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      for (unsigned i = 0; i < segment->end.count; i++) {
         const struct pitot_hw_snapshot *snapshot = segment->end.snapshots[i];

         if (cs->ops->batch_state(cs, snapshot->ring, snapshot->batch) ==
             PITOT_BATCH_RECORDING)
            return false;
      }
   }
   return true;
}
