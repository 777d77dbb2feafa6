/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Queries: creation, begin and end, and the list of active queries.
 *
 * Any call of the driver that records may end a batch, and the listener then
 * walks this list.  A query is linked, and counted in end_count and
 * counting_users, from before its first sample until after its last one.
 */

#include <errno.h>
#include <stdlib.h>

#include "hw_priv.h"

/*
 * Creation
 */

/* Adds the samples of a value to the mask of each ring. */
static void
add_value(struct pitot_hw *hw, struct pitot_hw_query *query,
          struct pitot_hw_count count, uint32_t *samples)
{
   struct pitot_hw_value *value = &query->values[query->value_count++];

   *value = (struct pitot_hw_value){ .stream = count.stream };
   if (count.kind != PITOT_HW_NOTHING)
      value->measure = hw->family->measure(hw->cs->gpu, count.kind);
   if (!value->measure)
      return;

   value->samples = pitot_hw_measure_samples(value->measure, count.stream);
   for (uint32_t rest = value->samples; rest; rest &= rest - 1) {
      const unsigned i = (unsigned)__builtin_ctz(rest);
      const enum pitot_ring ring = pitot_hw_ring(hw, i);

      samples[ring] |= UINT32_C(1) << i;
      if (ring >= query->ring_count)
         query->ring_count = ring + 1;
   }
   query->counting |= value->measure->counting;
}

int
pitot_hw_query_create_list(struct pitot_hw *hw,
                           const struct pitot_hw_count *counts,
                           unsigned count, struct pitot_hw_query **query_out)
{
   struct pitot_hw_query *query =
      calloc(1, sizeof(*query) + count * sizeof(query->values[0]) +
                   hw->ring_count * sizeof(query->rings[0]) +
                   PITOT_CACHE_LINE_B);
   if (!query)
      return -ENOMEM;

   uint32_t samples[PITOT_MAX_RINGS] = { 0 };
   query->rings = (struct pitot_hw_ring_state *)&query->values[count];
   query->last = &query->first;
   query->ring_count = 1;
   for (unsigned i = 0; i < count; i++)
      add_value(hw, query, counts[i], samples);
   for (unsigned ring = 0; ring < query->ring_count; ring++) {
      if (!samples[ring])
         continue;
      query->rings[ring].layout = pitot_hw_layout_of(hw, samples[ring]);
      if (!query->rings[ring].layout) {
         free(query);
         return -ENOMEM;
      }
   }
   *query_out = query;
   return 0;
}

int
pitot_hw_query_create(struct pitot_hw *hw, enum pitot_kind kind,
                      unsigned stream, struct pitot_hw_query **query_out)
{
   const struct pitot_hw_count count = { kind, stream };

   if (!pitot_hw_counter_bits(hw, kind))
      return -ENOTSUP;
   const int status = pitot_hw_query_create_list(hw, &count, 1, query_out);
   if (status)
      return status;
   (*query_out)->is_instant = pitot_kind_info(kind)->is_instant;
   (*query_out)->is_time = pitot_kind_info(kind)->is_time;
   (*query_out)->spans_batches =
      (*query_out)->is_time &&
      !((*query_out)->values[0].samples & hw->family->accumulated);
   return 0;
}

/*
 * Active queries
 */

/* Relaxed: only the thread that records begins and ends queries. */
static bool
is_active(const struct pitot_hw_query *query)
{
   return atomic_load_explicit(&query->is_active, memory_order_relaxed);
}

/* Enables the counters that active queries need, and counts the commands that
 * suspend them, for which the driver reserves space.  With begins_late, the
 * driver must hear of each query that begins between batches, even if the
 * mask stays the same.
 */
static void
update_active(struct pitot_hw *hw, const struct pitot_hw_query *query,
              int change)
{
   uint32_t mask = hw->counting_mask;

   if (hw->family->suspends_between_batches && !query->spans_batches) {
      for (unsigned ring = 0; ring < query->ring_count; ring++) {
         const struct pitot_hw_layout *layout = query->rings[ring].layout;

         if (layout)
            hw->end_count[ring] += (unsigned)change * layout->end.count;
      }
   }
   for (uint32_t rest = query->counting; rest; rest &= rest - 1) {
      const unsigned i = (unsigned)__builtin_ctz(rest);
      const uint32_t bit = UINT32_C(1) << i;

      hw->counting_users[i] += (unsigned)change;
      mask = hw->counting_users[i] ? mask | bit : mask & ~bit;
   }
   if (mask == hw->counting_mask && !hw->between_batches)
      return;
   hw->counting_mask = mask;
   hw->cs->ops->set_counting(hw->cs, mask);
}

static void
drop_open_segments(struct pitot_hw *hw, struct pitot_hw_query *query)
{
   for (unsigned ring = 0; ring < query->ring_count; ring++) {
      if (query->rings[ring].open)
         pitot_hw_segment_drop_open(hw, &query->rings[ring]);
   }
   *query->link = query->next;
   if (query->next)
      query->next->link = query->link;
   atomic_store_explicit(&query->is_active, false, memory_order_release);
   update_active(hw, query, -1);
}

/*
 * Other rings than the first
 */

/* Samples a time query on the second ring with timestamps, too. */
static void
use_time_ring(const struct pitot_hw *hw, struct pitot_hw_query *query)
{
   query->ring_count = hw->time_ring + 1;
   query->rings[hw->time_ring].layout = hw->second_time;
}

/* Returns whether dispatches on the second ring may be in flight.  Those of
 * the current batch are, without a call of batch_state(), which may be an
 * ioctl.
 */
static bool
is_computing(struct pitot_hw *hw)
{
   const enum pitot_ring ring = hw->time_ring;
   struct pitot_cs *cs = hw->cs;

   if (hw->dispatch_batch &&
       hw->dispatch_batch != cs->ops->current_batch(cs, ring) &&
       cs->ops->batch_state(cs, ring, hw->dispatch_batch) >= PITOT_BATCH_DONE)
      hw->dispatch_batch = 0;
   return hw->dispatch_batch != 0;
}

void
pitot_hw_dispatch(struct pitot_hw *hw, enum pitot_ring ring)
{
   const bool has_times = ring == hw->time_ring;

   if (ring >= hw->ring_count || hw->is_noop)
      return;

   for (struct pitot_hw_query *q = hw->active; q; q = q->next) {
      if (q->is_time && has_times)
         use_time_ring(hw, q);
      if (pitot_hw_query_counts(hw, q, ring))
         pitot_hw_query_resume(hw, q, ring);
   }
   if (has_times)
      hw->dispatch_batch = hw->cs->ops->current_batch(hw->cs, ring);
}

/*
 * Begin and end
 */

bool
pitot_hw_query_counts(const struct pitot_hw *hw,
                      const struct pitot_hw_query *query,
                      enum pitot_ring ring)
{
   const struct pitot_hw_layout *layout = query->rings[ring].layout;

   if (!layout || hw->is_noop ||
       (hw->between_batches >> ring & 1 && !query->spans_batches))
      return false;
   return hw->is_active || query->is_time ||
          (hw->cs->stops_counting &&
           !(layout->samples & ~hw->family->stopped));
}

static void
reset_query(struct pitot_hw *hw, struct pitot_hw_query *query)
{
   if (query->first)
      pitot_hw_query_drop_segments(hw, query);
   query->status = 0;
   atomic_store_explicit(&query->is_resolved, false, memory_order_relaxed);
   for (unsigned i = 0; i < query->value_count; i++) {
      struct pitot_hw_value *value = &query->values[i];

      value->sum = value->begin_ticks = value->end_ticks = 0;
   }
   if (query->is_time)
      query->ring_count = 1;
}

/* A query without samples on the render ring begins with the first dispatch.
 * require() of 0 commands checks only whether the device is lost.
 */
int
pitot_hw_query_begin(struct pitot_hw *hw, struct pitot_hw_query *query)
{
   const enum pitot_ring ring = PITOT_RING_RENDER;
   int status = 0;

   if (is_active(query))
      drop_open_segments(hw, query);
   reset_query(hw, query);
   query->next = hw->active;
   query->link = &hw->active;
   if (query->next)
      query->next->link = &query->next;
   hw->active = query;
   atomic_store_explicit(&query->is_active, true, memory_order_relaxed);
   update_active(hw, query, 1);
   if (!query->rings[ring].layout)
      status = pitot_hw_require(hw, ring, 0) ? 0 : -EIO;
   else if (pitot_hw_query_counts(hw, query, ring))
      status = pitot_hw_segment_open(hw, query, ring);
   if (status) {
      drop_open_segments(hw, query);
      reset_query(hw, query);
      query->status = -EIO; /* until it is begun again */
   }
   return status;
}

static int
end_instant(struct pitot_hw *hw, struct pitot_hw_query *query)
{
   reset_query(hw, query);
   if (hw->is_noop) {
      query->status = -EIO; /* the sample is never executed */
      return 0;
   }
   const int status = pitot_hw_segment_close(hw, query, PITOT_RING_RENDER);
   if (status || !is_computing(hw))
      return status;
   use_time_ring(hw, query);
   return pitot_hw_segment_close(hw, query, hw->time_ring);
}

int
pitot_hw_query_end(struct pitot_hw *hw, struct pitot_hw_query *query)
{
   int status = 0;

   if (query->is_instant)
      status = end_instant(hw, query);
   for (unsigned ring = 0; ring < query->ring_count && is_active(query);
        ring++) {
      const int error = pitot_hw_segment_close(hw, query, ring);

      if (!status)
         status = error;
   }
   /* Not -EIO: the result and take_reset() report a lost part. */
   if (!status && query->status == -ENOMEM)
      status = -ENOMEM;
   if (is_active(query))
      drop_open_segments(hw, query);
   return status;
}

void
pitot_hw_query_free(struct pitot_hw *hw, struct pitot_hw_query *query)
{
   if (!query)
      return;
   if (pitot_hw_query_is_active(query)) /* acquire: any thread */
      drop_open_segments(hw, query);
   pitot_hw_query_drop_segments(hw, query);
   free(query);
}
