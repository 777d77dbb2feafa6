/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * From segments to a result: checks whether segments are complete, adds them
 * up, and returns the result.  Segments are merged oldest first, by the
 * thread that records while the query is active, then by the holder of its
 * lock.
 *
 * Danger: a batch may complete between a check of its segment and
 * batch_state().  Check a segment again before it counts as lost.
 */

#include <errno.h>

#include "hw_priv.h"

/*
 * Complete segments
 */

/* slots: a mask of the qwords, stride_qw apart, that must have valid bits. */
static bool
are_valid(const uint64_t *qwords, unsigned stride_qw, uint64_t slots)
{
   bool are_valid = true;

   for (; slots && are_valid; slots >>= 1) {
      are_valid = !(slots & 1) || pitot_hw_read_qword(qwords) >> 63;
      qwords += stride_qw;
   }
   return are_valid;
}

/* Determines which slots render backends write.  Only a sample shows it,
 * because kernels have reported backends that do not exist.  Until the batch
 * is done, some backends may still write.  The caller knows that the end is
 * available: otherwise the batch may be lost.  Returns a mask, or 0.
 */
static uint64_t
learn_slots(struct pitot_hw *hw, const struct pitot_hw_segment *segment,
            unsigned sample)
{
   const unsigned stride_qw = hw->family->samples[sample].valid_stride_qw;
   const unsigned count_qw = hw->extents[sample].size_B / sizeof(uint64_t);
   const uint64_t *qwords = pitot_hw_end_sample(segment, sample);
   struct pitot_cs *cs = hw->cs;
   uint64_t written = 0;

   if (cs->ops->batch_state(cs, segment->layout->ring, segment->end_batch) !=
       PITOT_BATCH_DONE)
      return 0;
   for (unsigned i = 0; i * stride_qw < count_qw; i++)
      written |= pitot_hw_read_qword(&qwords[i * stride_qw]) >> 63 << i;
   if (written)
      atomic_store(&hw->backend_slots, written);
   return written;
}

/* Returns whether begin and end of a sample have all valid bits.  The end
 * shows which slots the begin will have.
 */
static bool
is_valid(struct pitot_hw *hw, const struct pitot_hw_segment *segment,
         unsigned sample)
{
   const struct pitot_hw_sample *info = &hw->family->samples[sample];
   const unsigned stride_qw = info->valid_stride_qw;
   const unsigned count_qw = hw->extents[sample].size_B / sizeof(uint64_t);
   uint64_t slots = info->is_per_backend
                       ? pitot_hw_backend_slots(hw)
                       : UINT64_MAX >> (63 - (count_qw - 1) / stride_qw);

   if (!slots ||
       !are_valid(pitot_hw_end_sample(segment, sample), stride_qw, slots))
      slots = info->is_per_backend ? learn_slots(hw, segment, sample) : 0;
   return slots &&
          are_valid(pitot_hw_begin_sample(segment, sample), stride_qw, slots);
}

/* Returns whether all samples of a segment are written.  Any thread. */
static bool
is_complete(struct pitot_hw *hw, const struct pitot_hw_segment *segment)
{
   const struct pitot_hw_layout *layout = segment->layout;
   const uint32_t *available =
      (const uint32_t *)(segment->memory + layout->available_B);
   bool is_written = __atomic_load_n(available, __ATOMIC_ACQUIRE) != 0;

   for (uint32_t rest = layout->samples & hw->validated; is_written && rest;
        rest &= rest - 1)
      is_written = is_valid(hw, segment, (unsigned)__builtin_ctz(rest));
   return is_written;
}

/* A segment of a batch that was dropped, or lost in a reset, is never
 * written: a command processor that waits for it hangs.  The current batch is
 * not checked, and any other batch once per current batch, which may have
 * thousands of stores: each check may be an ioctl.
 */
bool
pitot_hw_segment_is_coming(struct pitot_hw *hw,
                           const struct pitot_hw_segment *segment)
{
   const enum pitot_ring ring = segment->layout->ring;
   struct pitot_cs *cs = hw->cs;
   const uint64_t recording = cs->ops->current_batch(cs, ring);
   const uint64_t before = recording - segment->end_batch;
   const uint64_t bit = before < 64 ? UINT64_C(1) << before : 0;
   struct pitot_hw_asked *asked = &hw->asked[ring];

   if (asked->recording != recording)
      *asked = (struct pitot_hw_asked){ .recording = recording };
   if (before == 0 || asked->mask & bit || is_complete(hw, segment))
      return true;

   /* The segment may have completed since the last check. */
   if (cs->ops->batch_state(cs, ring, segment->end_batch) >= PITOT_BATCH_DONE)
      return is_complete(hw, segment);
   asked->mask |= bit;
   return true;
}

/*
 * Adding up segments
 */

/* Returns by how much a counter grew.  The sum over tiles starts at 0. */
static uint64_t
segment_difference(const struct pitot_hw *hw,
                   const struct pitot_hw_segment *segment,
                   struct pitot_hw_qword qword)
{
   const uint64_t *begin =
      pitot_hw_begin_sample(segment, qword.sample) + qword.index;
   const uint64_t *end =
      pitot_hw_end_sample(segment, qword.sample) + qword.index;
   const uint64_t grown =
      pitot_hw_has_sample(hw->family->accumulated, qword.sample)
         ? begin[PITOT_HW_SUM_QW]
         : *end - *begin;

   /* Bit 63 may be a valid bit, which is not part of the count. */
   return grown &
          UINT64_MAX >> pitot_hw_has_sample(hw->validated, qword.sample);
}

/* Adds up the render backends that have written begin and end.  A backend
 * that wrote after learn_slots() is added to the known slots.  A slot that
 * seed_disabled_slots() made valid counts 0.
 */
static PITOT_NOINLINE uint64_t
sum_backends(struct pitot_hw *hw, const struct pitot_hw_segment *segment,
             unsigned sample)
{
   const uint64_t *begins = pitot_hw_begin_sample(segment, sample);
   const uint64_t *ends = pitot_hw_end_sample(segment, sample);
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
         value->sum += segment_difference(hw, segment, measure->qwords[s]) !=
                       segment_difference(hw, segment, measure->written[s]);
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

/* Without an expected time, a difference of less than half the counter's
 * range counts as elapsed, even over a wrap.  More is a step backwards.
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
   const uint64_t begin = *pitot_hw_begin_sample(segment, sample);
   const uint64_t end = *pitot_hw_end_sample(segment, sample);

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
merge_segment(struct pitot_hw *hw, struct pitot_hw_value *value,
              const struct pitot_hw_segment *segment)
{
   const struct pitot_hw_measure *measure = value->measure;

   switch (measure->method) {
   case PITOT_HW_COUNT: {
      const struct pitot_hw_qword qword = measure->qwords[value->stream];

      value->sum += hw->family->samples[qword.sample].is_per_backend
                       ? sum_backends(hw, segment, qword.sample)
                       : segment_difference(hw, segment, qword);
      break;
   }
   case PITOT_HW_OVERFLOW:
      merge_overflow(hw, value, segment);
      break;
   case PITOT_HW_ELAPSED:
      /* A sum over tiles is a duration without a begin and an end. */
      if (value->samples & hw->family->accumulated)
         merge_unextended(hw, value, 0,
                          segment_difference(hw, segment,
                                             measure->qwords[0]));
      else
         merge_elapsed(hw, value, segment);
      break;
   case PITOT_HW_TIMESTAMP: {
      const unsigned sample = pitot_hw_segment_time(segment);
      const uint64_t ticks =
         pitot_clock_extend(hw->cs->clock, segment->end_expected_ticks,
                            *pitot_hw_end_sample(segment, sample));

      if (ticks > value->sum)
         value->sum = ticks;
      break;
   }
   }
}

/* The oldest segment must be complete. */
static void
merge_first(struct pitot_hw *hw, struct pitot_hw_query *query)
{
   struct pitot_hw_segment *segment = query->first;

   for (unsigned i = 0; i < query->value_count; i++) {
      struct pitot_hw_value *value = &query->values[i];

      /* A time adds up the segments of both rings. */
      if (query->is_time || value->samples & segment->layout->samples)
         merge_segment(hw, value, segment);
   }
   pitot_hw_note_result(hw, segment);
   query->first = segment->next;
   if (!query->first)
      query->last = &query->first;
   pitot_hw_segment_return(hw, segment);
}

/*
 * Results
 */

/* Returns whether begin and end of a segment are of one epoch. */
static bool
is_in_one_epoch(const struct pitot_hw *hw,
                const struct pitot_hw_segment *segment)
{
   return !segment->has_begin ||
          pitot_hw_epoch_is_same(hw, segment->layout->ring,
                                 segment->begin_batch, segment->end_batch);
}

/* Merging at each close keeps a query that is active for long from
 * accumulating segments.  A query with a segment across two epochs is lost.
 */
void
pitot_hw_query_merge_complete(struct pitot_hw *hw,
                              struct pitot_hw_query *query)
{
   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      if (!is_in_one_epoch(hw, segment))
         query->status = -EIO;
   }
   while (query->first && !query->status && is_complete(hw, query->first))
      merge_first(hw, query);
}

/* Flushes the batch of an incomplete segment if it is the current one.
 * Returns 1 if the segment is complete now, 0 if its batch is in flight, or
 * -EIO if it is lost: its batch is done, or is not done after a wait.
 */
static int
make_progress(struct pitot_hw *hw, const struct pitot_hw_segment *segment,
              struct pitot_hw_wait *wait)
{
   bool wait_failed = wait->wait_failed &&
                      wait->ring == segment->layout->ring &&
                      wait->batch == segment->end_batch;
   struct pitot_cs *cs = hw->cs;
   enum pitot_batch_state state =
      cs->ops->batch_state(cs, segment->layout->ring, segment->end_batch);

   if (state == PITOT_BATCH_RECORDING) {
      cs->ops->flush(cs, segment->layout->ring);
      state = PITOT_BATCH_SUBMITTED; /* or done: checked later */
      wait_failed = false;
   }

   /* The segment may have completed since the caller's check. */
   if (is_complete(hw, segment))
      return 1;
   if (state != PITOT_BATCH_SUBMITTED || wait_failed)
      return -EIO;
   *wait = (struct pitot_hw_wait){
      .is_needed = true,
      .ring = segment->layout->ring,
      .batch = segment->end_batch,
   };
   return 0;
}

/* Returns 1, or -EIO and values of 0 if the result is lost. */
static int
copy_values(const struct pitot_hw *hw, const struct pitot_hw_query *query,
            uint64_t *values_out)
{
   for (unsigned i = 0; i < query->value_count; i++) {
      const struct pitot_hw_value *value = &query->values[i];
      const struct pitot_hw_measure *measure = value->measure;

      if (query->status || !measure)
         values_out[i] = 0;
      else if (query->is_time)
         values_out[i] =
            pitot_ticks_to_ns(value->sum, hw->cs->gpu->timestamp_hz);
      else
         values_out[i] = measure->bits == 1 ? value->sum != 0
                                            : value->sum >> measure->shift;
   }
   return query->status ? -EIO : 1;
}

int
pitot_hw_query_poll(struct pitot_hw *hw, struct pitot_hw_query *query,
                    struct pitot_hw_wait *wait, uint64_t *values_out)
{
   wait->is_needed = false;
   if (pitot_hw_query_is_active(query))
      return 0;
   while (query->first && !query->status) {
      const int status = is_complete(hw, query->first)
                            ? 1
                            : make_progress(hw, query->first, wait);

      if (status == 0)
         return 0;
      /* Check the epoch after the samples: context_replaced() runs before the
       * new context executes anything, so a sample from that context implies
       * that its epoch is visible here.
       */
      if (status < 0 || !is_in_one_epoch(hw, query->first))
         query->status = -EIO;
      else
         merge_first(hw, query);
   }
   if (query->status &&
       !atomic_load_explicit(&query->is_resolved, memory_order_relaxed)) {
      pitot_hw_set_disjoint(hw);
      if (query->first)
         pitot_hw_note_result(hw, query->first);
      pitot_hw_query_drop_segments(hw, query);
   }
   atomic_store_explicit(&query->is_resolved, true, memory_order_release);
   return copy_values(hw, query, values_out);
}

/* While another thread holds the lock, a poll returns 0, unless the result is
 * resolved.  A waiting thread releases the lock while the GPU works.
 */
int
pitot_hw_query_result(struct pitot_hw *hw, struct pitot_hw_query *query,
                      bool is_waiting, uint64_t *values_out)
{
   struct pitot_cs *cs = hw->cs;
   struct pitot_hw_wait wait = { .is_needed = false };

   if (atomic_load_explicit(&query->is_resolved, memory_order_acquire))
      return copy_values(hw, query, values_out);
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
      wait.wait_failed =
         cs->ops->batch_state(cs, wait.ring, wait.batch) < PITOT_BATCH_DONE;
   }
}
