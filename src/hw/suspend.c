/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Suspends and resumes active queries: around internal draws that the
 * hardware counts, between batches if the counters count other contexts
 * there, and around batches that are not executed.
 *
 * Danger: at the end of a batch the driver may have no more space than it
 * reserved for end_count() commands.
 */

#include <errno.h>

#include "hw_priv.h"

void
pitot_hw_query_resume(struct pitot_hw *hw, struct pitot_hw_query *query,
                      enum pitot_ring ring)
{
   const int status = pitot_hw_segment_open(hw, query, ring);

   if (status)
      query->status = status;
}

enum reason {
   REASON_BATCH_BEGIN,
   REASON_BATCH_END,
   REASON_ACTIVE, /* internal draws begin or end */
   REASON_NOOP,   /* batches are not executed, or are again */
};

/* Returns whether to resume (is_counting) or suspend a query now.  Queries
 * without an open segment are resumed, queries with one suspended, at the end
 * of a batch all of them.  Queries that span batches stop only while batches
 * are not executed.  pitot_hw_dispatch() resumes the other rings.
 */
static bool
takes_part(const struct pitot_hw *hw, const struct pitot_hw_query *query,
           enum pitot_ring ring, bool is_counting, enum reason reason)
{
   const bool is_open = query->rings[ring].open != NULL;

   return is_open != is_counting &&
          (!is_counting || ring == PITOT_RING_RENDER) &&
          (!query->spans_batches || reason == REASON_NOOP) &&
          (reason == REASON_BATCH_END ||
           pitot_hw_query_counts(hw, query, ring) == is_counting);
}

/* A query that cannot be resumed or suspended is lost. */
static void
set_counting(struct pitot_hw *hw, enum pitot_ring ring, bool is_counting,
             enum reason reason)
{
   for (struct pitot_hw_query *q = hw->active; q; q = q->next) {
      if (!takes_part(hw, q, ring, is_counting, reason))
         continue;
      if (is_counting)
         pitot_hw_query_resume(hw, q, ring);
      else
         (void)pitot_hw_segment_close(hw, q, ring);
   }
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

static void
batch_begin(struct pitot_cs_listener *listener, enum pitot_ring ring)
{
   struct pitot_hw *hw = (struct pitot_hw *)listener;

   hw->between_batches &= (uint8_t) ~(1u << ring);
   if (hw->family->suspends_between_batches)
      set_counting(hw, ring, true, REASON_BATCH_BEGIN);
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
end_count(struct pitot_cs_listener *listener, enum pitot_ring ring)
{
   return ((struct pitot_hw *)listener)->end_count[ring];
}

const struct pitot_cs_listener pitot_hw_listener = {
   .batch_begin = batch_begin,
   .batch_end = batch_end,
   .end_count = end_count,
   .context_replaced = pitot_hw_epoch_begin,
};
