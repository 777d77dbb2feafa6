/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>

#include "hw_priv.h"

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

/* A query that is active for long does not pile up segments. */
void
pitot_hw_query_merge_complete(struct pitot_hw *hw,
                              struct pitot_hw_query *query)
{
   check_epochs(hw, query);
   while (query->first && !query->status &&
          pitot_hw_segment_is_complete(hw, query->first))
      pitot_hw_query_merge_first(hw, query);
}

/* Sees to it that an incomplete segment becomes complete.  Returns 1 if it is
 * by now, 0 if its batch is on its way, or -EIO if it never will be: its
 * batch is through, or was waited for in vain.
 */
static int
push(struct pitot_hw *hw, const struct pitot_hw_segment *segment,
     struct pitot_hw_wait *wait)
{
   bool was_in_vain = wait->was_in_vain &&
                      wait->ring == segment->layout->ring &&
                      wait->batch == segment->end_batch;
   struct pitot_cs *cs = hw->cs;
   enum pitot_batch_state state =
      cs->ops->batch_state(cs, segment->layout->ring, segment->end_batch);

   if (state == PITOT_BATCH_RECORDING) {
      cs->ops->flush(cs, segment->layout->ring);
      state = PITOT_BATCH_SUBMITTED; /* or so: the kernel is asked later */
      was_in_vain = false;
   }

   /* It may have been written before its batch was through. */
   if (pitot_hw_segment_is_complete(hw, segment))
      return 1;
   if (state != PITOT_BATCH_SUBMITTED || was_in_vain)
      return -EIO;
   *wait = (struct pitot_hw_wait){
      .is_needed = true,
      .ring = segment->layout->ring,
      .batch = segment->end_batch,
   };
   return 0;
}

/* Returns the result that the sum of all segments makes up. */
static inline uint64_t
finish(const struct pitot_hw *hw, const struct pitot_hw_value *value)
{
   const struct pitot_hw_measure *measure = value->measure;

   if (measure->bits == 1)
      return value->sum != 0;
   return pitot_hw_is_time(measure)
             ? pitot_ticks_to_ns(value->sum, hw->cs->gpu->timestamp_hz)
             : value->sum >> measure->shift;
}

/* Tells a result that is known.  Returns 1, or -EIO if it is lost. */
static int
tell(const struct pitot_hw *hw, const struct pitot_hw_query *query,
     uint64_t *values_out)
{
   const bool is_lost = query->status != 0;

   for (unsigned i = 0; i < query->value_count; i++) {
      const struct pitot_hw_value *value = &query->values[i];

      values_out[i] = value->measure && !is_lost ? finish(hw, value) : 0;
   }
   return is_lost ? -EIO : 1;
}

int
pitot_hw_query_poll(struct pitot_hw *hw, struct pitot_hw_query *query,
                    struct pitot_hw_wait *wait, uint64_t *values_out)
{
   wait->is_needed = false;
   if (pitot_hw_query_is_active(query))
      return 0;
   while (query->first && !query->status) {
      const int status = pitot_hw_segment_is_complete(hw, query->first)
                            ? 1
                            : push(hw, query->first, wait);

      if (status == 0)
         return 0;
      /* A new epoch is known before anything is written in it. */
      if (status < 0 || !pitot_hw_segment_is_whole(hw, query->first))
         query->status = -EIO;
      else
         pitot_hw_query_merge_first(hw, query);
   }
   if (query->status &&
       !atomic_load_explicit(&query->is_resolved, memory_order_relaxed)) {
      pitot_hw_set_disjoint(hw);
      if (query->first)
         pitot_hw_note_result(hw, query->first);
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
