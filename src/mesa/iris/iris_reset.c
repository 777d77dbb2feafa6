/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * GPU resets, as i915 and xe report them for a hardware context.
 */

#include "iris_batch.h"
#include "iris_pitot_priv.h"
#include "iris_screen.h"

/* Returns the kernel's ID of the batch's hardware context. */
static uint32_t
context_of(const struct iris_batch *batch)
{
   return pitot_iris_is_xe(batch->screen) ? batch->xe.exec_queue_id
                                          : batch->i915.ctx_id;
}

/* If the read fails, leaves the known resets: the recording thread may
 * replace the context concurrently.
 */
static void
read_resets(const struct iris_screen *screen, uint32_t id,
            struct pitot_drm_resets *resets_inout)
{
   const int fd = iris_bufmgr_get_fd(screen->bufmgr);

   if (pitot_iris_is_xe(screen))
      (void)pitot_xe_read_resets(&pitot_drm_system, fd, id, resets_inout);
   else
      (void)pitot_i915_read_resets(&pitot_drm_system, fd, id, resets_inout);
}

/* iris replaces a guilty context, and the kernel knows no reset of the new
 * one, so a replacement counts as a reset.  If a guilty reset was reported
 * already, it is the reason for one of the replacements.
 */
static bool
take_reset_of(struct iris_pitot *pitot, struct iris_pitot_ring *ring)
{
   struct pitot_drm_resets before = ring->resets;

   simple_mtx_lock(&pitot->lock);
   const uint32_t id = ring->context_id;
   const unsigned replaced_count = ring->replaced_count;
   ring->replaced_count = 0;
   simple_mtx_unlock(&pitot->lock);

   const bool was_lost = replaced_count > (before.guilty != 0);
   if (replaced_count)
      before = ring->resets = (struct pitot_drm_resets){ 0 };
   read_resets(ring->batch->screen, id, &ring->resets);
   return was_lost || ring->resets.guilty != before.guilty ||
          ring->resets.innocent != before.innocent;
}

/* i915 has one context for both rings since Linux 5.3, xe has two. */
bool
pitot_iris_take_reset(struct pitot_cs *cs)
{
   struct iris_pitot *pitot = (void *)cs;
   struct iris_pitot_ring *render = &pitot->rings[PITOT_RING_RENDER];
   struct iris_pitot_ring *compute = &pitot->rings[PITOT_RING_COMPUTE];
   bool result = take_reset_of(pitot, render);

   if (pitot_iris_is_xe(compute->batch->screen))
      result |= take_reset_of(pitot, compute);
   return result;
}

void
pitot_iris_note_context(struct iris_pitot *pitot, enum pitot_ring ring_number)
{
   struct iris_pitot_ring *ring = &pitot->rings[ring_number];

   simple_mtx_lock(&pitot->lock);
   ring->replaced_count += ring->context_id != 0;
   ring->context_id = context_of(ring->batch);
   simple_mtx_unlock(&pitot->lock);
}
