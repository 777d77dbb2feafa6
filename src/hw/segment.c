/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Segments: closed where a query ends, and where counting is suspended, which
 * is around draws of the driver's own that the hardware counts nevertheless,
 * and between batches where others may count in the meantime; and around
 * batches that are not executed.
 */

#include <errno.h>
#include <stdlib.h>
#include <strings.h>

#include "hw_priv.h"

void
pitot_hw_segment_return(struct pitot_hw *hw, struct pitot_hw_segment *segment)
{
   segment->next = atomic_load(&hw->returned);
   while (
      !atomic_compare_exchange_weak(&hw->returned, &segment->next, segment))
      ;
}

void
pitot_hw_reclaim(struct pitot_hw *hw)
{
   struct pitot_hw_segment *segment = NULL;

   if (atomic_load_explicit(&hw->returned, memory_order_relaxed))
      segment = atomic_exchange(&hw->returned, NULL);
   while (segment) {
      struct pitot_hw_segment *next = segment->next;

      pitot_hw_release(hw, &segment->begin);
      pitot_hw_release(hw, &segment->end);
      segment->next = hw->free_segments;
      hw->free_segments = segment;
      segment = next;
   }
}

void
pitot_hw_query_drop_segments(struct pitot_hw *hw,
                             struct pitot_hw_query *query)
{
   query->single.available = NULL;
   while (query->first) {
      struct pitot_hw_segment *segment = query->first;

      query->first = segment->next;
      pitot_hw_segment_return(hw, segment);
   }
   query->last = &query->first;
}

struct pitot_hw_sampled
pitot_hw_segment_time(const struct pitot_hw *hw,
                      const struct pitot_hw_segment *segment,
                      const struct pitot_hw_boundary *boundary)
{
   return pitot_hw_boundary_sample(hw, boundary,
                                   (unsigned)ffs((int)segment->samples) - 1);
}

unsigned
pitot_hw_query_count_segments(const struct pitot_hw_query *query)
{
   unsigned count = 0;

   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next)
      count++;
   return count;
}

/* Appends a segment from the open begin, if any, to an end. */
static int
append(struct pitot_hw *hw, struct pitot_hw_query *query,
       struct pitot_hw_ring_state *state, const struct pitot_hw_boundary *end)
{
   struct pitot_hw_segment *segment = hw->free_segments;
   if (segment)
      hw->free_segments = segment->next;
   else if (!(segment = malloc(sizeof(*segment))))
      return -ENOMEM;

   *segment = (struct pitot_hw_segment){
      .samples = state->samples,
      .begin = state->begin,
      .end = *end,
   };
   state->begin.count = 0;
   *query->last = segment;
   query->last = &segment->next;
   return 0;
}

/* An instant query has segments that have only an end.  To sample may end the
 * batch, and the listener may have closed the segment in the meantime.
 */
int
pitot_hw_query_close(struct pitot_hw *hw, struct pitot_hw_query *query,
                     enum pitot_ring ring)
{
   struct pitot_hw_ring_state *state = &query->rings[ring];
   struct pitot_hw_boundary end;

   end.count = 0;
   if (!state->begin.count && !query->is_instant)
      return 0;
   if (query->first)
      pitot_hw_query_merge_complete(hw, query);

   int status =
      pitot_hw_take(hw, ring, state->samples, true, &state->begin, &end);
   if (!status && (state->begin.count || query->is_instant))
      status = append(hw, query, state, &end);
   else
      pitot_hw_release(hw, &end);
   if (status) {
      query->status = status;
      pitot_hw_release(hw, &end);
      pitot_hw_release(hw, &state->begin);
   }
   return status;
}

void
pitot_hw_query_resume(struct pitot_hw *hw, struct pitot_hw_query *query,
                      enum pitot_ring ring)
{
   struct pitot_hw_ring_state *state = &query->rings[ring];
   const int status =
      pitot_hw_take(hw, ring, state->samples, false, NULL, &state->begin);

   if (status)
      query->status = status;
}

bool
pitot_hw_query_counts(const struct pitot_hw *hw,
                      const struct pitot_hw_query *query,
                      enum pitot_ring ring)
{
   const uint32_t counting_on =
      query->rings[ring].samples & ~hw->family->stopped;

   if (hw->is_noop ||
       (hw->between_batches >> ring & 1 && !query->spans_batches))
      return false;
   return hw->is_active || query->is_time ||
          (hw->cs->stops_counting && !counting_on);
}

/* The reasons to resume or to suspend queries. */
enum reason {
   REASON_BATCH_BEGIN,
   REASON_BATCH_END,
   REASON_ACTIVE, /* the driver draws for itself, or not any more */
   REASON_NOOP,   /* nothing is executed, or is again */
};

/* Returns whether a query takes part when queries are resumed or suspended:
 * those that count, or those that do not and at the end of a batch all; times
 * only where nothing is executed; and other rings than the first are resumed
 * by the next dispatch.
 */
static bool
takes_part(const struct pitot_hw *hw, const struct pitot_hw_query *query,
           enum pitot_ring ring, bool is_counting, enum reason reason)
{
   const bool is_open = query->rings[ring].begin.count != 0;

   return is_open != is_counting &&
          (!is_counting || ring == PITOT_RING_RENDER) &&
          (!query->spans_batches || reason == REASON_NOOP) &&
          (reason == REASON_BATCH_END ||
           pitot_hw_query_counts(hw, query, ring) == is_counting);
}

/* Takes the samples that queries share when they are resumed or suspended, so
 * that there is one snapshot of them.  If this fails, so does each query that
 * follows.
 */
static void
take_shared(struct pitot_hw *hw, enum pitot_ring ring, bool is_counting,
            enum reason reason, struct pitot_hw_boundary *all)
{
   const struct pitot_hw_boundary *begin = NULL;
   uint32_t samples = 0;

   for (const struct pitot_hw_query *q = hw->active; q; q = q->next) {
      const struct pitot_hw_ring_state *state = &q->rings[ring];

      if (takes_part(hw, q, ring, is_counting, reason) &&
          !pitot_hw_is_unshared(hw, state->samples)) {
         samples |= state->samples;
         begin = &state->begin;
      }
   }
   (void)pitot_hw_take(hw, ring, samples, !is_counting, begin, all);
}

/* Resumes or suspends queries.  A query that fails is lost. */
static void
set_counting(struct pitot_hw *hw, enum pitot_ring ring, bool is_counting,
             enum reason reason)
{
   struct pitot_hw_boundary all = { .count = 0 };

   take_shared(hw, ring, is_counting, reason, &all);
   for (struct pitot_hw_query *q = hw->active; q; q = q->next) {
      if (!takes_part(hw, q, ring, is_counting, reason))
         continue;
      if (is_counting)
         pitot_hw_query_resume(hw, q, ring);
      else
         (void)pitot_hw_query_close(hw, q, ring);
   }
   pitot_hw_release(hw, &all);
}

bool
pitot_hw_has_active(const struct pitot_hw *hw)
{
   return hw->active != NULL;
}

void
pitot_hw_set_active(struct pitot_hw *hw, bool is_active)
{
   if (hw->is_active == is_active)
      return;
   hw->is_active = is_active;
   for (unsigned ring = 0; ring < hw->ring_count; ring++)
      set_counting(hw, ring, is_active, REASON_ACTIVE);
}

void
pitot_hw_set_noop(struct pitot_hw *hw, bool is_noop)
{
   if (hw->is_noop == is_noop)
      return;
   hw->is_noop = is_noop;
   for (unsigned ring = 0; ring < hw->ring_count; ring++)
      set_counting(hw, ring, !is_noop, REASON_NOOP);
}

/* Gives up the queries that a batch has no room for, as it ended before they
 * were resumed: the next one has no more.
 */
static PITOT_COLD void
lose(struct pitot_hw *hw, enum pitot_ring ring)
{
   for (struct pitot_hw_query *q = hw->active; q; q = q->next) {
      if (takes_part(hw, q, ring, true, REASON_BATCH_BEGIN))
         q->status = -EIO;
   }
}

static void
batch_begin(struct pitot_cs_listener *listener, enum pitot_ring ring)
{
   struct pitot_hw *hw = (struct pitot_hw *)listener;

   hw->between_batches &= (uint8_t) ~(1u << ring);
   if (!hw->family->suspends_between_batches)
      return;
   if (hw->resuming >> ring & 1) {
      lose(hw, ring);
      return;
   }
   hw->resuming |= (uint8_t)(1u << ring);
   set_counting(hw, ring, true, REASON_BATCH_BEGIN);
   hw->resuming &= (uint8_t) ~(1u << ring);
}

static void
batch_end(struct pitot_cs_listener *listener, enum pitot_ring ring)
{
   struct pitot_hw *hw = (struct pitot_hw *)listener;

   if (!hw->family->suspends_between_batches)
      return;
   set_counting(hw, ring, false, REASON_BATCH_END);
   if (hw->cs->begins_late)
      hw->between_batches |= (uint8_t)(1u << ring);
}

static unsigned
end_size_dw(struct pitot_cs_listener *listener, enum pitot_ring ring)
{
   const struct pitot_hw_room *room =
      &((struct pitot_hw *)listener)->room[ring];

   return room->shared_dw + room->unshared_dw;
}

const struct pitot_cs_listener pitot_hw_listener = {
   .batch_begin = batch_begin,
   .batch_end = batch_end,
   .end_size_dw = end_size_dw,
   .context_replaced = pitot_hw_epoch_begin,
};
