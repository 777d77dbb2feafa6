/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Results that stay on the GPU: stored in the command stream, or deciding
 * about what follows in it.  The CPU says what it knows by now; the rest, a
 * GPU that can compute finds out by itself, and for one that cannot the CPU
 * waits.
 */

#include <errno.h>
#include <string.h>

#include "hw_priv.h"

/* Looks whether the result is there by now, which flushes nothing. */
static bool
is_known(struct pitot_hw *hw, struct pitot_hw_query *query,
         uint64_t *values_out)
{
   struct pitot_hw_wait unused = { .is_needed = false };

   pitot_hw_query_check_epochs(hw, query);
   return (query->is_resolved || query->status ||
           pitot_hw_query_is_complete(hw, query)) &&
          pitot_hw_query_poll(hw, query, &unused, values_out) != 0;
}

static enum pitot_ring
ring_of(const struct pitot_hw *hw, const struct pitot_hw_value *value)
{
   enum pitot_ring ring = PITOT_RING_RENDER;

   for (unsigned i = 0; value->samples >> i; i++) {
      if (value->samples >> i & 1)
         ring = pitot_hw_ring(hw, i);
   }
   return ring;
}

static void
use_boundary(struct pitot_hw *hw, const struct pitot_hw_boundary *boundary,
             enum pitot_ring ring, uint64_t batch)
{
   for (unsigned i = 0; i < boundary->count; i++)
      pitot_hw_slab_use(hw, boundary->snapshots[i]->slab, ring, batch);
}

/* Records packets that read a query and write a buffer.  Returns
 * the batch, or 0 if the device is lost.
 */
static uint64_t
record(struct pitot_hw *hw, enum pitot_ring ring, const uint32_t *dw,
       unsigned count_dw, const struct pitot_hw_query *query,
       struct pitot_cs_buffer *buffer)
{
   const struct pitot_hw_segment *segment = query->first;
   struct pitot_cs *cs = hw->cs;
   struct pitot_cs_position position;
   uint32_t *room = cs->ops->reserve(cs, ring, count_dw, &position);

   if (!room)
      return 0;
   memcpy(room, dw, count_dw * sizeof(dw[0]));
   cs->ops->use_buffer(cs, ring, buffer);
   for (; segment; segment = segment->next) {
      use_boundary(hw, &segment->begin, ring, position.batch);
      use_boundary(hw, &segment->end, ring, position.batch);
   }
   return position.batch;
}

/* Stores what the CPU knows. */
static int
store_value(struct pitot_hw *hw, const struct pitot_hw_store *store,
            uint64_t value)
{
   struct pitot_cs *cs = hw->cs;
   const enum pitot_ring ring = PITOT_RING_RENDER;
   const uint64_t max = pitot_type_max[store->type];
   const struct pitot_cs_command command = {
      .kind = PITOT_COMMAND_VALUE,
      .buffer = store->buffer,
      .offset_B = store->offset_B,
      .value = value < max ? value : max,
      .size_B = pitot_type_size_B(store->type),
   };

   if (!cs->ops->require(cs, ring, hw->size_dw(cs, ring, &command, 1)))
      return -EIO;
   cs->ops->use_buffer(cs, ring, store->buffer);
   hw->emit(cs, ring, &command, 1);
   return 0;
}

/* Returns whether the samples of a query are of the epoch of what is being
 * recorded on a ring.  If not, that does not wait for them, and they may be
 * lost.
 */
static bool
is_of_this_epoch(const struct pitot_hw *hw,
                 const struct pitot_hw_query *query, enum pitot_ring ring)
{
   const uint64_t batch = hw->cs->ops->position(hw->cs, ring).batch;

   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      const struct pitot_hw_snapshot *end = segment->end.snapshots[0];

      if (end->ring == ring &&
          !pitot_hw_epoch_is_same(hw, ring, end->batch, batch))
         return false;
   }
   return true;
}

/* Has the GPU write, and returns the batch in batch_out.  Returns -ENOTSUP if
 * it cannot: neither ring knows what was measured on both, and a hardware
 * context not what was measured in another one.
 */
static int
store_by_gpu(struct pitot_hw *hw, const struct pitot_hw_query *query,
             const struct pitot_hw_value *value,
             const struct pitot_hw_target *target,
             struct pitot_cs_buffer *buffer, uint64_t *batch_out)
{
   uint32_t dw[PITOT_HW_MAX_PROGRAM_DW];
   struct pitot_hw_packets packets = { .gpu = hw->cs->gpu, .next = dw };

   if ((query->is_time && query->rings[PITOT_RING_COMPUTE].samples) ||
       !is_of_this_epoch(hw, query, ring_of(hw, value)) ||
       !hw->family->emit_store(&packets, hw, query, value, target))
      return -ENOTSUP;
   *batch_out = record(hw, ring_of(hw, value), dw,
                       (unsigned)(packets.next - dw), query, buffer);
   return *batch_out ? 0 : -EIO;
}

/* Stores what is known, or has the GPU store it.  Returns -ENOTSUP if neither
 * can be.
 */
static int
try_store(struct pitot_hw *hw, struct pitot_hw_query *query,
          const struct pitot_hw_store *store)
{
   const struct pitot_hw_target target = {
      .kind = store->kind,
      .type = store->type,
      .address = store->buffer->address + store->offset_B,
   };
   const bool is_available = store->kind == PITOT_STORE_AVAILABLE;
   struct pitot_hw_wait wait = { .is_needed = false };
   uint64_t values[query->value_count];
   uint64_t batch;

   /* A caller that asks for availability wants the result to become so. */
   if (is_available ? pitot_hw_query_poll(hw, query, &wait, values) != 0
                    : is_known(hw, query, values))
      return store_value(hw, store, is_available ? 1 : values[store->index]);
   return store_by_gpu(hw, query, &query->values[store->index], &target,
                       store->buffer, &batch);
}

int
pitot_hw_query_store(struct pitot_hw *hw, struct pitot_hw_query *query,
                     const struct pitot_hw_store *store)
{
   uint64_t values[query->value_count];

   /* Nobody adds up what the GPU is being told to add up. */
   pitot_hw_query_lock(query);
   const int status = try_store(hw, query, store);
   pitot_hw_query_unlock(query);
   if (status != -ENOTSUP)
      return status;

   /* Neither knows: the CPU finds out, and waits if GL does. */
   if (store->kind == PITOT_STORE_AVAILABLE)
      return store_value(hw, store, 0);
   return pitot_hw_query_result(hw, query, store->kind == PITOT_STORE_RESULT,
                                values)
             ? store_value(hw, store, values[store->index])
             : 0;
}

/*
 * Conditions
 */

void
pitot_hw_condition_use(struct pitot_hw *hw, enum pitot_ring ring)
{
   if (hw->record_slab)
      pitot_hw_slab_use(hw, hw->record_slab, ring,
                        hw->cs->ops->position(hw->cs, ring).batch);
}

/* Takes zeroed memory for records, until the next condition.  Batches up to
 * the one being recorded may look at those of the last one.
 */
static int
take_records(struct pitot_hw *hw, unsigned size_B, unsigned *offset_B_out)
{
   pitot_hw_condition_use(hw, PITOT_RING_RENDER);
   if (hw->record_slab)
      pitot_hw_slab_give(hw->record_slab);
   hw->record_slab = NULL;
   return pitot_hw_slab_take(hw, PITOT_HW_SLABS_CONDITIONS, size_B,
                             &hw->record_slab, offset_B_out);
}

/* Returns whether the GPU decides. */
static bool
decide_by_gpu(struct pitot_hw *hw, const struct pitot_hw_query *query,
              struct pitot_hw_condition *condition)
{
   const struct pitot_hw_value *value = &query->values[0];
   uint64_t batch;

   if (!value->measure ||
       !hw->family->describe_condition(hw, query, value, condition) ||
       take_records(hw, condition->record_B * condition->record_count,
                    &condition->offset_B))
      return false;

   struct pitot_hw_slab *slab = hw->record_slab;
   const struct pitot_hw_target target = {
      .condition = condition,
      .address = slab->buffer->address + condition->offset_B,
   };
   if (store_by_gpu(hw, query, value, &target, slab->buffer, &batch))
      return false;
   pitot_hw_slab_use(hw, slab, ring_of(hw, value), batch);
   condition->decision = PITOT_HW_DECISION_BY_GPU;
   condition->buffer = slab->buffer;
   return true;
}

void
pitot_hw_query_decide(struct pitot_hw *hw, struct pitot_hw_query *query,
                      bool is_inverted, bool wait,
                      struct pitot_hw_condition *condition_out)
{
   uint64_t values[query->value_count];

   *condition_out = (struct pitot_hw_condition){
      .decision = PITOT_HW_DECISION_ALWAYS,
      .is_inverted = is_inverted,
      .wait = wait,
   };
   pitot_hw_query_lock(query);
   values[0] = query->values[0].sum; /* which can only grow */
   const bool is_decided = is_known(hw, query, values) || values[0] ||
                           decide_by_gpu(hw, query, condition_out);
   pitot_hw_query_unlock(query);

   if (condition_out->decision == PITOT_HW_DECISION_BY_GPU ||
       (!is_decided && !pitot_hw_query_result(hw, query, wait, values)))
      return;
   if ((values[0] != 0) == is_inverted)
      condition_out->decision = PITOT_HW_DECISION_NEVER;
}
