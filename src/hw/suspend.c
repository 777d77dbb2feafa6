/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Segments, and the pauses between them: around draws of the driver's own,
 * and between batches where others may count in the meantime.
 */

#include <errno.h>
#include <stdlib.h>

#include "hw_priv.h"

static struct pitot_hw_segment *
alloc(struct pitot_hw *hw)
{
   pitot_hw_reclaim(hw);
   struct pitot_hw_segment *segment = hw->free_segments;
   if (segment)
      hw->free_segments = segment->next;
   else
      segment = malloc(sizeof(*segment));
   if (segment)
      *segment = (struct pitot_hw_segment){ 0 };
   return segment;
}

/* Makes a segment that begins here.  To sample may end the batch, and that
 * may have opened a segment of the same query in the meantime.
 */
static int
open_segment(struct pitot_hw *hw, struct pitot_hw_part *part,
             enum pitot_ring ring)
{
   struct pitot_hw_segment *segment = alloc(hw);
   if (!segment)
      return -ENOMEM;

   const int status =
      pitot_hw_take(hw, ring, part->samples, false, &segment->begin);
   if (status || part->open)
      pitot_hw_segment_free(hw, segment);
   else
      part->open = segment;
   return status;
}

int
pitot_hw_query_open(struct pitot_hw *hw, struct pitot_hw_query *query,
                    enum pitot_ring ring)
{
   struct pitot_hw_part *part = &query->parts[ring];

   if (!part->samples || part->open || !(hw->is_active || query->is_time))
      return 0;
   const int status = open_segment(hw, part, ring);
   if (status)
      query->status = -EIO;
   return status;
}

static void
append(struct pitot_hw_query *query, struct pitot_hw_segment *segment)
{
   segment->next = NULL;
   *query->last = segment;
   query->last = &segment->next;
}

/* Ends a segment here; again, it may be another one than before. */
static int
close_segment(struct pitot_hw *hw, struct pitot_hw_query *query,
              enum pitot_ring ring)
{
   struct pitot_hw_part *part = &query->parts[ring];
   struct pitot_hw_boundary end;
   const int status = pitot_hw_take(hw, ring, part->samples, true, &end);

   if (status)
      return status;
   if (!part->open) {
      pitot_hw_release(hw, &end);
      return 0;
   }
   part->open->samples = part->samples;
   part->open->end = end;
   append(query, part->open);
   part->open = NULL;
   return 0;
}

/* Something that is active for long does not pile up segments. */
static void
merge_available(struct pitot_hw *hw, struct pitot_hw_query *query)
{
   for (;;) {
      const struct pitot_hw_segment *segment = query->first;

      if (!segment)
         return;
      for (unsigned i = 0; i < segment->begin.count; i++) {
         if (!pitot_hw_snapshot_is_available(segment->begin.snapshots[i]))
            return;
      }
      for (unsigned i = 0; i < segment->end.count; i++) {
         if (!pitot_hw_snapshot_is_available(segment->end.snapshots[i]))
            return;
      }
      if (!pitot_hw_query_first_is_written(hw, query))
         return;
      pitot_hw_query_merge_first(hw, query);
   }
}

int
pitot_hw_query_close(struct pitot_hw *hw, struct pitot_hw_query *query,
                     enum pitot_ring ring)
{
   struct pitot_hw_part *part = &query->parts[ring];
   int status = 0;

   /* What is instant is a segment that has only an end. */
   if (query->is_instant) {
      part->open = alloc(hw);
      status = part->open ? 0 : -ENOMEM;
   }
   if (part->open) {
      merge_available(hw, query);
      status = close_segment(hw, query, ring);
   }
   if (status) {
      query->status = -EIO;
      if (part->open)
         pitot_hw_segment_free(hw, part->open);
      part->open = NULL;
   }
   return status;
}

/* Returns the samples of all that counts draws, and is open or is not. */
static uint32_t
samples_of_all(const struct pitot_hw *hw, enum pitot_ring ring, bool is_open)
{
   uint32_t samples = 0;

   for (const struct pitot_hw_query *q = hw->active; q; q = q->next) {
      if (!q->is_time && (q->parts[ring].open != NULL) == is_open)
         samples |= q->parts[ring].samples;
   }
   return samples;
}

/* Opens or closes what counts draws, all from one snapshot: no more room was
 * kept at the end of a batch.
 */
static void
each_active(struct pitot_hw *hw, enum pitot_ring ring, bool is_opened)
{
   const uint32_t samples = samples_of_all(hw, ring, !is_opened);
   struct pitot_hw_boundary all;

   /* If this fails, so does each of what follows. */
   if (!samples || pitot_hw_take(hw, ring, samples, !is_opened, &all))
      all.count = 0;
   for (struct pitot_hw_query *q = hw->active; q; q = q->next) {
      if (!q->is_time)
         (void)(is_opened ? pitot_hw_query_open(hw, q, ring)
                          : pitot_hw_query_close(hw, q, ring));
   }
   pitot_hw_release(hw, &all);
}

void
pitot_hw_set_active(struct pitot_hw *hw, bool is_active)
{
   if (hw->is_active == is_active)
      return;
   hw->is_active = is_active;
   for (unsigned ring = 0; ring < PITOT_RING_COUNT; ring++)
      each_active(hw, ring, is_active);
}

static struct pitot_hw *
hw_of(struct pitot_cs_listener *listener)
{
   return (struct pitot_hw *)listener;
}

static void
batch_begin(struct pitot_cs_listener *listener, enum pitot_ring ring)
{
   struct pitot_hw *hw = hw_of(listener);

   pitot_hw_place_reset(hw, &hw->places[ring]);
   if (hw->family->suspends_between_batches && hw->is_active)
      each_active(hw, ring, true);
}

static void
batch_end(struct pitot_cs_listener *listener, enum pitot_ring ring)
{
   struct pitot_hw *hw = hw_of(listener);

   if (hw->family->suspends_between_batches)
      each_active(hw, ring, false);
}

static unsigned
end_size_dw(struct pitot_cs_listener *listener, enum pitot_ring ring)
{
   return hw_of(listener)->end_size_dw[ring];
}

const struct pitot_cs_listener pitot_hw_listener = {
   .batch_begin = batch_begin,
   .batch_end = batch_end,
   .end_size_dw = end_size_dw,
};
