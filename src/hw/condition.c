/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Conditions: results that decide whether later commands execute.  If the
 * result is ready, the CPU decides.  Otherwise the GPU computes a boolean, or
 * reads the samples if the family describes conditions.
 *
 * Invariant: the last condition holds its memory until the next one, because
 * batches up to then may read it.
 *
 * Danger: a GPU that waits for samples hangs if one is never written.
 */

#include <stdlib.h>
#include <string.h>

#include "hw_priv.h"

#define MIN_RECORDS 8

void
pitot_hw_condition_use(struct pitot_hw *hw, enum pitot_ring ring)
{
   const uint64_t batch = hw->cs->ops->current_batch(hw->cs, ring);

   if (hw->condition.boolean)
      pitot_hw_slab_use(hw, hw->condition.boolean, ring, batch);
   for (unsigned i = 0; i < hw->condition.count; i++) {
      if (hw->condition.records[i].slab)
         pitot_hw_slab_use(hw, hw->condition.records[i].slab, ring, batch);
   }
}

static void
release_condition(struct pitot_hw *hw)
{
   struct pitot_hw_condition_memory *memory = &hw->condition;

   if (memory->boolean)
      pitot_hw_slab_unref(memory->boolean);
   memory->boolean = NULL;
   while (memory->count) {
      struct pitot_hw_slab *slab = memory->records[--memory->count].slab;

      if (slab)
         pitot_hw_slab_unref(slab);
   }
}

void
pitot_hw_condition_finish(struct pitot_hw *hw)
{
   release_condition(hw);
   free(hw->condition.records);
}

/* Reserves space for another record.  Returns false if out of memory. */
static bool
grow_records(struct pitot_hw_condition_memory *memory)
{
   const unsigned capacity =
      memory->capacity ? 2 * memory->capacity : MIN_RECORDS;

   if (memory->count < memory->capacity)
      return true;
   struct pitot_hw_record *records = malloc(capacity * sizeof(records[0]));
   if (!records)
      return false;
   if (memory->count)
      memcpy(records, memory->records, memory->count * sizeof(records[0]));
   free(memory->records);
   memory->records = records;
   memory->capacity = capacity;
   return true;
}

bool
pitot_hw_condition_add(struct pitot_hw *hw,
                       const struct pitot_hw_segment *segment,
                       unsigned sample)
{
   struct pitot_hw_condition_memory *memory = &hw->condition;
   const void *begin = pitot_hw_begin_sample(segment, sample);

   if (!grow_records(memory))
      return false;
   memory->records[memory->count++] = (struct pitot_hw_record){
      .buffer = segment->slab->buffer,
      .offset_B = pitot_hw_segment_offset_B(segment, begin),
      .slab = segment->slab,
   };
   pitot_hw_slab_ref(segment->slab);
   return true;
}

/* Makes the GPU compute the boolean and load its predicate, if it can. */
static bool
compute_by_gpu(struct pitot_hw *hw, const struct pitot_hw_query *query,
               const struct pitot_hw_condition *condition)
{
   struct pitot_hw_condition_memory *memory = &hw->condition;
   unsigned offset_B;

   if (!hw->cs->ops->store || !grow_records(memory) ||
       pitot_hw_slab_alloc(hw, PITOT_HW_SLABS_CONDITIONS, sizeof(uint64_t),
                           &memory->boolean, &offset_B))
      return false;

   struct pitot_cs_buffer *buffer = memory->boolean->buffer;
   struct pitot_cs_result result = {
      .kind = PITOT_STORE_RESULT,
      .type = PITOT_TYPE_U64,
      .buffer = buffer,
      .offset_B = offset_B,
      .is_condition = true,
      .is_inverted = condition->is_inverted,
   };
   if (pitot_hw_query_store_by_gpu(hw, query, &query->values[0], &result))
      return false;
   memory->records[memory->count++] =
      (struct pitot_hw_record){ .buffer = buffer, .offset_B = offset_B };
   return true;
}

/* Returns whether the GPU would wait for a sample that is never written. */
static bool
may_be_missing(struct pitot_hw *hw, const struct pitot_hw_query *query)
{
   if (!hw->family->waits_for_samples)
      return false;
   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      if (!pitot_hw_segment_is_coming(hw, segment))
         return true;
   }
   return false;
}

/* Returns the current batch if it has samples of a query, or 0. */
static uint64_t
batch_of(const struct pitot_hw *hw, const struct pitot_hw_query *query)
{
   const uint64_t batch =
      hw->cs->ops->current_batch(hw->cs, PITOT_RING_RENDER);

   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      if (segment->end_batch == batch)
         return batch;
   }
   return 0;
}

static bool
decide_by_gpu(struct pitot_hw *hw, const struct pitot_hw_query *query,
              struct pitot_hw_condition *condition)
{
   const struct pitot_hw_value *value = &query->values[0];
   const struct pitot_hw_family *family = hw->family;

   /* Batches up to the current one may write or read the last condition. */
   pitot_hw_condition_use(hw, PITOT_RING_RENDER);
   release_condition(hw);
   if (hw->is_noop || !value->measure || may_be_missing(hw, query) ||
       !(family->describe_condition
            ? family->describe_condition(hw, query, value, condition)
            : compute_by_gpu(hw, query, condition)))
      return false;
   condition->decision = PITOT_HW_DECISION_BY_GPU;
   condition->records = hw->condition.records;
   condition->record_count = hw->condition.count;
   condition->batch = batch_of(hw, query);
   return true;
}

static PITOT_NOINLINE void
decide_unresolved(struct pitot_hw *hw, struct pitot_hw_query *query,
                  bool wait, struct pitot_hw_condition *condition)
{
   uint64_t values[query->value_count];

   pitot_hw_query_lock(hw, query);
   values[0] = query->values[0].sum; /* can only grow */
   const bool is_decided = pitot_hw_query_poll_no_flush(hw, query, values) ||
                           values[0] || decide_by_gpu(hw, query, condition);
   pitot_hw_query_unlock(hw, query);

   if (condition->decision == PITOT_HW_DECISION_BY_GPU ||
       (!is_decided && !pitot_hw_query_result(hw, query, wait, values)))
      return;
   if ((values[0] != 0) == condition->is_inverted)
      condition->decision = PITOT_HW_DECISION_NEVER;
}

/* A lost query counts as 0. */
void
pitot_hw_query_decide(struct pitot_hw *hw, struct pitot_hw_query *query,
                      bool is_inverted, bool wait,
                      struct pitot_hw_condition *condition_out)
{
   const bool is_known =
      atomic_load_explicit(&query->is_resolved, memory_order_acquire);

   *condition_out = (struct pitot_hw_condition){
      .decision = PITOT_HW_DECISION_ALWAYS,
      .is_inverted = is_inverted,
      .wait = wait,
   };
   if (!is_known)
      decide_unresolved(hw, query, wait, condition_out);
   else if ((!query->status && query->values[0].sum) == is_inverted)
      condition_out->decision = PITOT_HW_DECISION_NEVER;
}
