/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Results that stay on the GPU, stored in the command stream.  The CPU stores
 * a result that it knows.  Otherwise the command processor computes it, or a
 * shader of the driver's; the CPU waits if there is neither.
 */

#include <errno.h>
#include <string.h>

#include "hw_priv.h"

bool
pitot_hw_query_is_known(struct pitot_hw *hw, struct pitot_hw_query *query,
                        uint64_t *values_out)
{
   struct pitot_hw_wait unused = { .is_needed = false };

   if (pitot_hw_query_resolve_single(hw, query, values_out))
      return true;
   pitot_hw_query_merge_complete(hw, query);
   return (!query->first || query->status) &&
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

void
pitot_hw_query_use(struct pitot_hw *hw, const struct pitot_hw_query *query,
                   enum pitot_ring ring, uint64_t batch)
{
   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      use_boundary(hw, &segment->begin, ring, batch);
      use_boundary(hw, &segment->end, ring, batch);
   }
}

/* Returns room for packets, after the barriers that they need, in one batch:
 * after its tiles, if there are any.
 */
static uint32_t *
reserve(struct pitot_hw *hw, enum pitot_ring ring, unsigned barriers,
        unsigned count_dw, struct pitot_cs_position *position_out)
{
   struct pitot_cs *cs = hw->cs;

   if (barriers) {
      if (!pitot_hw_require(hw, ring,
                            count_dw +
                               pitot_hw_barriers_size_dw(hw, barriers)))
         return NULL;
      pitot_hw_emit_barriers(hw, ring, barriers);
   }
   if (cs->ops->reserve_at_end)
      return cs->ops->reserve_at_end(cs, ring, count_dw, position_out);
   return cs->ops->reserve(cs, ring, count_dw, position_out);
}

/* Records packets that read a query and write a buffer.  Returns false if the
 * device is lost.
 */
static bool
record(struct pitot_hw *hw, enum pitot_ring ring, const uint32_t *dw,
       const struct pitot_hw_packets *packets,
       const struct pitot_hw_query *query, struct pitot_cs_buffer *buffer)
{
   const unsigned count_dw = (unsigned)(packets->next - dw);
   struct pitot_cs *cs = hw->cs;
   struct pitot_cs_position position;
   uint32_t *room = reserve(hw, ring, packets->barriers, count_dw, &position);

   if (!room)
      return false;
   memcpy(room, dw, count_dw * sizeof(dw[0]));
   cs->ops->use_buffer(cs, ring, buffer);
   if (hw->scratch)
      cs->ops->use_buffer(cs, ring, hw->scratch);
   pitot_hw_query_use(hw, query, ring, position.batch);
   return true;
}

/* Stores a value that the CPU knows.  After the tiles of a batch that would
 * have the batch submitted: the driver has better ways.
 */
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

   if (cs->ops->reserve_at_end)
      return -ENOTSUP;
   if (!pitot_hw_require(hw, ring, hw->size_dw(cs, ring, &command, 1)))
      return -EIO;
   cs->ops->use_buffer(cs, ring, store->buffer);
   hw->emit(cs, ring, &command, 1);
   return 0;
}

/* Returns whether the samples of a query are of the epoch that is being
 * recorded on a ring.  If not, the ring does not wait for them, and they may
 * be lost.
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

static bool
is_on_two_rings(const struct pitot_hw_query *query)
{
   return query->is_time && query->ring_count > 1;
}

/* Submits the samples of a query on other rings than the one that is to read
 * them: a driver has that ring wait for batches that were submitted before
 * and write to the same memory, and for no other ones.
 */
static void
submit_other_rings(struct pitot_hw *hw, const struct pitot_hw_query *query,
                   enum pitot_ring ring)
{
   struct pitot_cs *cs = hw->cs;

   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      const struct pitot_hw_snapshot *end = segment->end.snapshots[0];

      if (end->ring != ring &&
          cs->ops->batch_state(cs, end->ring, end->batch) ==
             PITOT_BATCH_RECORDING)
         cs->ops->flush(cs, end->ring);
   }
}

/* A ring can read samples of another ring only if it waits for them, and a
 * hardware context cannot tell whether an earlier one has written its
 * samples.
 */
int
pitot_hw_query_store_by_gpu(struct pitot_hw *hw,
                            const struct pitot_hw_query *query,
                            const struct pitot_hw_value *value,
                            const struct pitot_hw_target *target)
{
   uint32_t dw[PITOT_HW_MAX_PROGRAM_DW];
   struct pitot_hw_packets packets = {
      .gpu = hw->cs->gpu,
      .next = dw,
      .scratch_address = hw->scratch ? hw->scratch->address : 0,
      .routines_address = hw->has_routines ? hw->routines->address : 0,
   };

   const bool is_available = target->kind == PITOT_STORE_AVAILABLE;

   if (!hw->family->emit_store || (is_on_two_rings(query) && is_available) ||
       !hw->family->emit_store(&packets, hw, query, value, target) ||
       !is_of_this_epoch(hw, query, ring_of(hw, value)))
      return -ENOTSUP;
   if (is_on_two_rings(query))
      submit_other_rings(hw, query, ring_of(hw, value));
   assert(packets.next - dw <= PITOT_HW_MAX_PROGRAM_DW);
   if (!record(hw, ring_of(hw, value), dw, &packets, query, target->buffer))
      return -EIO;
   if (packets.routines_address && pitot_hw_needs_routines(value))
      hw->cs->ops->use_buffer(hw->cs, ring_of(hw, value), hw->routines);
   return 0;
}

/* Looks for a result, and flushes the batch that it needs: a caller that asks
 * for availability wants the result to become so.
 */
static int
poll(struct pitot_hw *hw, struct pitot_hw_query *query, uint64_t *values_out)
{
   struct pitot_hw_wait unused = { .is_needed = false };

   return pitot_hw_query_poll(hw, query, &unused, values_out);
}

/* Returns whether the samples of a query will be written by batches that were
 * submitted.
 */
static bool
is_on_its_way(struct pitot_hw *hw, const struct pitot_hw_query *query)
{
   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      const struct pitot_hw_snapshot *end = segment->end.snapshots[0];

      if (end->batch == hw->cs->ops->position(hw->cs, end->ring).batch ||
          !pitot_hw_snapshot_is_coming(hw, end))
         return false;
   }
   return true;
}

/* Returns whether the CPU knows the result by now.  A command
 * streamer does not wait for an availability word of the same batch, so that
 * is flushed first; a shader looks at the samples themselves, and after the
 * tiles of a batch they are there.
 */
static bool
is_known(struct pitot_hw *hw, struct pitot_hw_query *query,
         enum pitot_store kind, uint64_t *values_out)
{
   const bool needs_flush =
      kind == PITOT_STORE_AVAILABLE && !hw->cs->ops->compute &&
      !hw->cs->ops->reserve_at_end;

   return needs_flush && !is_on_its_way(hw, query)
             ? poll(hw, query, values_out) != 0
             : pitot_hw_query_is_known(hw, query, values_out);
}

/* Returns the value to be stored of a result that is not known; of
 * availability, which is that of all values, the first one that is measured.
 * An active query may have none.
 */
static const struct pitot_hw_value *
value_of(const struct pitot_hw_query *query,
         const struct pitot_hw_store *store)
{
   const struct pitot_hw_value *value = query->values;

   if (store->kind != PITOT_STORE_AVAILABLE)
      return &query->values[store->index];
   for (unsigned i = 1; i < query->value_count && !value->measure; i++)
      value++;
   return value;
}

/* Stores a known result, or has the GPU store it.  Returns -ENOTSUP if
 * neither can be.
 */
static int
try_store(struct pitot_hw *hw, struct pitot_hw_query *query,
          const struct pitot_hw_store *store)
{
   const struct pitot_hw_target target = {
      .kind = store->kind,
      .type = store->type,
      .buffer = store->buffer,
      .offset_B = store->offset_B,
   };
   const bool is_available = store->kind == PITOT_STORE_AVAILABLE;
   uint64_t values[query->value_count];

   if (is_known(hw, query, store->kind, values))
      return store_value(hw, store, is_available ? 1 : values[store->index]);

   const struct pitot_hw_value *value = value_of(query, store);
   if (!value->measure && store->kind == PITOT_STORE_RESULT)
      return store_value(hw, store, 0);
   int status = pitot_hw_query_store_by_gpu(hw, query, value, &target);
   if (status == -ENOTSUP)
      status = pitot_hw_query_compute(hw, query, value, store);
   if (status == 0 && query->first) /* or it is known by now */
      pitot_hw_note_result(hw, query->first);
   if (status == -ENOTSUP && is_available)
      status = store_value(hw, store, poll(hw, query, values) != 0);
   return status;
}

/* Writes the family's routines when they are needed first. */
static void
prepare_routines(struct pitot_hw *hw)
{
   const struct pitot_hw_family *family = hw->family;
   struct pitot_cs *cs = hw->cs;

   if (!hw->routines && family->write_routines &&
       !cs->ops->buffer_create(cs, family->routines_size_B, &hw->routines))
      hw->has_routines =
         family->write_routines(cs->gpu, (uint32_t *)hw->routines->memory);
}

/* Stores a result that the GPU did not: the CPU finds out, and waits if GL
 * does.
 */
static int
store_by_cpu(struct pitot_hw *hw, struct pitot_hw_query *query,
             const struct pitot_hw_store *store)
{
   uint64_t values[query->value_count];

   return pitot_hw_query_result(hw, query, store->kind == PITOT_STORE_RESULT,
                                values)
             ? store_value(hw, store, values[store->index])
             : 0;
}

/* All later commands see what is stored after the tiles of a batch: the
 * batch is submitted.
 */
int
pitot_hw_query_store(struct pitot_hw *hw, struct pitot_hw_query *query,
                     const struct pitot_hw_store *store)
{
   struct pitot_cs *cs = hw->cs;

   if (pitot_hw_needs_routines(&query->values[store->index]))
      prepare_routines(hw);

   /* Segments are not merged while commands that read them are recorded. */
   pitot_hw_query_lock(hw, query);
   int status = try_store(hw, query, store);
   pitot_hw_query_unlock(hw, query);
   if (status == -ENOTSUP && !cs->ops->reserve_at_end)
      return store_by_cpu(hw, query, store);
   if (!status && cs->ops->reserve_at_end)
      cs->ops->flush(cs, PITOT_RING_RENDER);
   return status;
}
