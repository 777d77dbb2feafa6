/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Segments: allocates them, and emits their samples where a query begins,
 * ends, is resumed or suspended.
 *
 * Invariant: only the thread that records frees segments; other threads put
 * them on the list `returned`.
 *
 * Danger: require() and current_batch() may end the batch, and the listener
 * then opens and closes segments.  Check state->open after both.
 */

#include <errno.h>
#include <stdlib.h>

#include "hw_priv.h"

/*
 * Memory
 */

void
pitot_hw_segment_return(struct pitot_hw *hw, struct pitot_hw_segment *segment)
{
   segment->next = atomic_load(&hw->returned);
   while (
      !atomic_compare_exchange_weak(&hw->returned, &segment->next, segment))
      ;
}

static void
free_segment(struct pitot_hw *hw, struct pitot_hw_segment *segment)
{
   pitot_hw_slab_unref(segment->slab);
   segment->next = hw->free_segments;
   hw->free_segments = segment;
}

void
pitot_hw_reclaim(struct pitot_hw *hw)
{
   struct pitot_hw_segment *segment = atomic_exchange(&hw->returned, NULL);

   while (segment) {
      struct pitot_hw_segment *next = segment->next;

      free_segment(hw, segment);
      segment = next;
   }
}

void
pitot_hw_query_drop_segments(struct pitot_hw *hw,
                             struct pitot_hw_query *query)
{
   while (query->first) {
      struct pitot_hw_segment *segment = query->first;

      query->first = segment->next;
      pitot_hw_segment_return(hw, segment);
   }
   query->last = &query->first;
}

void
pitot_hw_segment_drop_open(struct pitot_hw *hw,
                           struct pitot_hw_ring_state *state)
{
   if (state->open)
      free_segment(hw, state->open);
   state->open = NULL;
}

/* Emits nothing.  Returns NULL if out of memory. */
static struct pitot_hw_segment *
create_segment(struct pitot_hw *hw, const struct pitot_hw_layout *layout)
{
   struct pitot_hw_segment *segment = hw->free_segments;
   struct pitot_hw_slab *slab;
   unsigned offset_B;

   if (pitot_hw_slab_alloc(hw, (enum pitot_hw_slab_user)layout->ring,
                           layout->size_B, &slab, &offset_B))
      return NULL;
   if (segment)
      hw->free_segments = segment->next;
   else if (!(segment = malloc(sizeof(*segment)))) {
      pitot_hw_slab_unref(slab);
      return NULL;
   }
   *segment = (struct pitot_hw_segment){
      .layout = layout,
      .memory = slab->buffer->memory + offset_B,
      .slab = slab,
      .offset_B = offset_B,
   };
   return segment;
}

/*
 * Samples
 */

bool
pitot_hw_require(struct pitot_hw *hw, enum pitot_ring ring,
                 unsigned command_count)
{
   const struct pitot_cs_ops *ops = hw->cs->ops;

   return !ops->require || ops->require(hw->cs, ring, command_count);
}

/* emit() puts the slab's buffer on the batch's list. */
static void
emit_samples(struct pitot_hw *hw, const struct pitot_hw_segment *segment,
             const struct pitot_hw_commands *commands, uint64_t batch)
{
   const enum pitot_ring ring = segment->layout->ring;
   const struct pitot_cs_place place = { segment->slab->buffer,
                                         segment->offset_B };

   segment->slab->last_batch[ring] = batch;
   hw->cs->ops->emit(hw->cs, ring, place, commands->list, commands->count);
}

int
pitot_hw_segment_open(struct pitot_hw *hw, struct pitot_hw_query *query,
                      enum pitot_ring ring)
{
   struct pitot_hw_ring_state *state = &query->rings[ring];
   const struct pitot_hw_layout *layout = state->layout;

   if (state->open)
      return 0;
   if (atomic_load_explicit(&hw->returned, memory_order_relaxed))
      pitot_hw_reclaim(hw);
   if (!pitot_hw_require(hw, ring, layout->begin.count))
      return -EIO;
   const uint64_t batch = hw->cs->ops->current_batch(hw->cs, ring);
   if (state->open)
      return 0;

   struct pitot_hw_segment *segment = create_segment(hw, layout);
   if (!segment)
      return -ENOMEM;
   segment->has_begin = true;
   segment->begin_batch = batch;
   if (layout->samples & hw->times)
      segment->begin_expected_ticks = pitot_clock_expect(hw->cs->clock);
   emit_samples(hw, segment, &layout->begin, batch);
   state->open = segment;
   return 0;
}

static PITOT_COLD int
fail_query(struct pitot_hw *hw, struct pitot_hw_query *query,
           struct pitot_hw_ring_state *state, int status)
{
   query->status = status;
   pitot_hw_segment_drop_open(hw, state);
   return status;
}

/* Segments of an instant query have only an end. */
int
pitot_hw_segment_close(struct pitot_hw *hw, struct pitot_hw_query *query,
                       enum pitot_ring ring)
{
   struct pitot_hw_ring_state *state = &query->rings[ring];
   const struct pitot_hw_layout *layout = state->layout;

   if (!state->open && !query->is_instant)
      return 0;
   if (query->first)
      pitot_hw_query_merge_complete(hw, query);
   if (!pitot_hw_require(hw, ring, layout->end.count))
      return fail_query(hw, query, state, -EIO);
   const uint64_t batch = hw->cs->ops->current_batch(hw->cs, ring);
   if (query->is_instant) {
      pitot_hw_reclaim(hw);
      pitot_hw_segment_drop_open(hw, state); /* ignores a begin */
      state->open = create_segment(hw, layout);
      if (!state->open)
         return fail_query(hw, query, state, -ENOMEM);
   }

   struct pitot_hw_segment *segment = state->open;
   if (!segment)
      return 0; /* the end of the batch closed it */
   segment->end_batch = batch;
   if (layout->samples & hw->times)
      segment->end_expected_ticks = pitot_clock_expect(hw->cs->clock);
   emit_samples(hw, segment, &layout->end, batch);
   state->open = NULL;
   segment->next = NULL;
   *query->last = segment;
   query->last = &segment->next;
   return 0;
}
