/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>

#include "hw_priv.h"

void
pitot_hw_query_merge_first(struct pitot_hw *hw, struct pitot_hw_query *query)
{
   struct pitot_hw_segment *segment = query->first;

   for (unsigned i = 0; i < query->value_count; i++) {
      struct pitot_hw_value *value = &query->values[i];

      /* Each ring has its own segments. */
      if (value->samples & segment->samples &&
          !value->row->merge(hw, value, segment))
         query->status = -EIO;
   }
   query->first = segment->next;
   if (!query->first)
      query->last = &query->first;
   pitot_hw_segment_return(hw, segment);
}

bool
pitot_hw_query_has_landed(const struct pitot_hw_query *query)
{
   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      for (unsigned i = 0; i < segment->end.count; i++) {
         if (!pitot_hw_snapshot_has_landed(segment->end.snapshots[i]))
            return false;
      }
   }
   return true;
}

/* Whether a value is made of qwords that say by themselves whether they were
 * written.
 */
static bool
has_valid_bits(const struct pitot_hw *hw, const struct pitot_hw_value *value)
{
   for (unsigned i = 0; value->samples >> i; i++) {
      if (value->samples >> i & 1 && hw->family->samples[i].has_valid_bit)
         return true;
   }
   return false;
}

bool
pitot_hw_query_first_is_written(struct pitot_hw *hw,
                                const struct pitot_hw_query *query)
{
   for (unsigned i = 0; i < query->value_count; i++) {
      struct pitot_hw_value trial = query->values[i];

      if (trial.samples & query->first->samples &&
          has_valid_bits(hw, &trial) &&
          !trial.row->merge(hw, &trial, query->first))
         return false;
   }
   return true;
}

/* Sees to it that a batch is done: now, or if wait is false, soon. */
static enum pitot_batch_state
push(struct pitot_hw *hw, enum pitot_ring ring, uint64_t batch, bool wait)
{
   struct pitot_stream *stream = hw->stream;
   const struct pitot_stream_ops *ops = stream->ops;
   enum pitot_batch_state state = ops->batch_state(stream, ring, batch);

   if (state == PITOT_BATCH_RECORDING) {
      ops->flush(stream, ring);
      state = ops->batch_state(stream, ring, batch);
   }
   if (state == PITOT_BATCH_SUBMITTED && wait) {
      ops->wait(stream, ring, batch);
      state = ops->batch_state(stream, ring, batch);
   }
   return state;
}

/* Returns 1 if a snapshot has landed, 0 if not yet, or -EIO if it never will:
 * its batch is over, or a wait for it was in vain.
 */
static int
ask(struct pitot_hw *hw, const struct pitot_hw_snapshot *snapshot, bool wait)
{
   if (pitot_hw_snapshot_has_landed(snapshot))
      return 1;

   const enum pitot_batch_state state =
      push(hw, snapshot->ring, snapshot->batch, wait);
   if (pitot_hw_snapshot_has_landed(snapshot))
      return 1;
   return state == PITOT_BATCH_SUBMITTED && !wait ? 0 : -EIO;
}

static int
ask_boundary(struct pitot_hw *hw, const struct pitot_hw_boundary *boundary,
             bool wait)
{
   int status = 1;

   for (unsigned i = 0; i < boundary->count && status > 0; i++)
      status = ask(hw, boundary->snapshots[i], wait);
   return status;
}

/* Returns whether what the oldest segment lacks, although it has landed, may
 * still come: a render backend may be later than the rest of its batch.
 */
static bool
may_still_be_written(struct pitot_hw *hw, const struct pitot_hw_query *query,
                     bool wait)
{
   const struct pitot_hw_boundary *end = &query->first->end;

   if (pitot_hw_query_first_is_written(hw, query))
      return false;
   for (unsigned i = 0; i < end->count; i++) {
      const struct pitot_hw_snapshot *snapshot = end->snapshots[i];

      if (push(hw, snapshot->ring, snapshot->batch, wait) ==
          PITOT_BATCH_SUBMITTED)
         return true;
   }
   return false;
}

/* Adds up what has landed. */
static int
collect(struct pitot_hw *hw, struct pitot_hw_query *query, bool wait)
{
   while (query->first) {
      /* With its end, all of it has landed. */
      const int status = ask_boundary(hw, &query->first->end, wait);
      if (status <= 0)
         return status;
      if (may_still_be_written(hw, query, wait))
         return 0;
      pitot_hw_query_merge_first(hw, query);
   }
   return 1;
}

/* From now on the result is known, if only that there is none. */
static void
resolve(struct pitot_hw *hw, struct pitot_hw_query *query, int status)
{
   query->is_resolved = true;
   if (status >= 0)
      return;

   query->status = -EIO;
   pitot_hw_set_disjoint(hw);
   while (query->first) {
      struct pitot_hw_segment *segment = query->first;

      query->first = segment->next;
      pitot_hw_segment_return(hw, segment);
   }
   query->last = &query->first;
}

static uint64_t
finished(const struct pitot_hw *hw, const struct pitot_hw_query *query,
         const struct pitot_hw_value *value)
{
   return value->row && !query->status
             ? value->row->finish(hw->stream->gpu, value->sum)
             : 0;
}

static int
look(struct pitot_hw *hw, struct pitot_hw_query *query, bool wait,
     uint64_t *values_out)
{
   if (!query->is_resolved) {
      const int status =
         query->status ? query->status : collect(hw, query, wait);
      if (status == 0)
         return 0;
      resolve(hw, query, query->status ? query->status : status);
   }

   for (unsigned i = 0; i < query->value_count; i++)
      values_out[i] = finished(hw, query, &query->values[i]);
   return query->status ? query->status : 1;
}

/* One that is being recorded has no result yet. */
int
pitot_hw_query_result(struct pitot_hw *hw, struct pitot_hw_query *query,
                      bool wait, uint64_t *values_out)
{
   if (atomic_flag_test_and_set_explicit(&query->is_in_use,
                                         memory_order_acquire))
      return 0;
   const int status =
      query->is_active ? 0 : look(hw, query, wait, values_out);
   atomic_flag_clear_explicit(&query->is_in_use, memory_order_release);
   return status;
}

static bool
is_submitted(const struct pitot_hw *hw,
             const struct pitot_hw_boundary *boundary)
{
   struct pitot_stream *stream = hw->stream;

   for (unsigned i = 0; i < boundary->count; i++) {
      const struct pitot_hw_snapshot *snapshot = boundary->snapshots[i];

      if (stream->ops->batch_state(stream, snapshot->ring, snapshot->batch) ==
          PITOT_BATCH_RECORDING)
         return false;
   }
   return true;
}

bool
pitot_hw_query_is_submitted(struct pitot_hw *hw,
                            const struct pitot_hw_query *query)
{
   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      if (!is_submitted(hw, &segment->end))
         return false;
   }
   return true;
}
