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
pitot_hw_query_is_available(const struct pitot_hw_query *query)
{
   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      for (unsigned i = 0; i < segment->end.count; i++) {
         if (!pitot_hw_snapshot_is_available(segment->end.snapshots[i]))
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

/* Sees to it that a batch will be done. */
static enum pitot_batch_state
push(struct pitot_hw *hw, enum pitot_ring ring, uint64_t batch)
{
   struct pitot_cs *cs = hw->cs;
   const enum pitot_batch_state state = cs->ops->batch_state(cs, ring, batch);

   if (state != PITOT_BATCH_RECORDING)
      return state;
   cs->ops->flush(cs, ring);
   return cs->ops->batch_state(cs, ring, batch);
}

/* Returns whether what a snapshot lacks may still come: its batch is on its
 * way, and nobody has waited for it in vain.
 */
static bool
may_come(struct pitot_hw *hw, const struct pitot_hw_snapshot *snapshot,
         struct pitot_hw_wait *wait)
{
   const bool was_in_vain = wait->was_in_vain &&
                            wait->ring == snapshot->ring &&
                            wait->batch == snapshot->batch;

   if (push(hw, snapshot->ring, snapshot->batch) != PITOT_BATCH_SUBMITTED ||
       was_in_vain)
      return false;
   *wait = (struct pitot_hw_wait){
      .is_needed = true,
      .ring = snapshot->ring,
      .batch = snapshot->batch,
   };
   return true;
}

/* Returns 1 if a snapshot is available, 0 if not yet, or -EIO if it never
 * will.
 */
static int
ask(struct pitot_hw *hw, const struct pitot_hw_snapshot *snapshot,
    struct pitot_hw_wait *wait)
{
   if (pitot_hw_snapshot_is_available(snapshot))
      return 1;

   const bool may = may_come(hw, snapshot, wait);
   if (pitot_hw_snapshot_is_available(snapshot))
      return 1;
   return may ? 0 : -EIO;
}

static int
ask_boundary(struct pitot_hw *hw, const struct pitot_hw_boundary *boundary,
             struct pitot_hw_wait *wait)
{
   int status = 1;

   for (unsigned i = 0; i < boundary->count && status > 0; i++)
      status = ask(hw, boundary->snapshots[i], wait);
   return status;
}

/* Returns whether what the oldest segment lacks, although it is available,
 * may still come: a render backend may be later than the rest of its batch.
 */
static bool
may_still_be_written(struct pitot_hw *hw, const struct pitot_hw_query *query,
                     struct pitot_hw_wait *wait)
{
   const struct pitot_hw_boundary *end = &query->first->end;

   if (pitot_hw_query_first_is_written(hw, query))
      return false;
   for (unsigned i = 0; i < end->count; i++) {
      if (may_come(hw, end->snapshots[i], wait))
         return true;
   }
   return false;
}

/* Adds up what is available. */
static int
collect(struct pitot_hw *hw, struct pitot_hw_query *query,
        struct pitot_hw_wait *wait)
{
   while (query->first) {
      /* With its end, all of it is available. */
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
             ? value->row->finish(hw->cs->gpu, value->sum)
             : 0;
}

int
pitot_hw_query_look(struct pitot_hw *hw, struct pitot_hw_query *query,
                    struct pitot_hw_wait *wait, uint64_t *values_out)
{
   wait->is_needed = false;

   /* What is being recorded has no result yet. */
   if (query->is_active)
      return 0;
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

/* Nobody is kept out while the GPU works. */
static int
wait_for_result(struct pitot_hw *hw, struct pitot_hw_query *query,
                uint64_t *values_out)
{
   struct pitot_cs *cs = hw->cs;
   struct pitot_hw_wait wait = { 0 };

   for (;;) {
      pitot_hw_query_enter(query);
      const int status = pitot_hw_query_look(hw, query, &wait, values_out);
      pitot_hw_query_leave(query);
      if (status != 0 || !wait.is_needed)
         return status;

      cs->ops->wait(cs, wait.ring, wait.batch);
      wait.was_in_vain =
         cs->ops->batch_state(cs, wait.ring, wait.batch) < PITOT_BATCH_DONE;
   }
}

int
pitot_hw_query_result(struct pitot_hw *hw, struct pitot_hw_query *query,
                      bool wait, uint64_t *values_out)
{
   struct pitot_hw_wait unused = { 0 };

   if (wait)
      return wait_for_result(hw, query, values_out);

   /* Somebody else who looks, or stores, is as good as no result yet. */
   if (!pitot_hw_query_try_enter(query))
      return 0;
   const int status = pitot_hw_query_look(hw, query, &unused, values_out);
   pitot_hw_query_leave(query);
   return status;
}

static bool
is_submitted(const struct pitot_hw *hw,
             const struct pitot_hw_boundary *boundary)
{
   struct pitot_cs *cs = hw->cs;

   for (unsigned i = 0; i < boundary->count; i++) {
      const struct pitot_hw_snapshot *snapshot = boundary->snapshots[i];

      if (cs->ops->batch_state(cs, snapshot->ring, snapshot->batch) ==
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
