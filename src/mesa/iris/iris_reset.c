/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Resets of the GPU, as the kernel's drivers tell them of a hardware context.
 */

#include "common/intel_gem.h"
#include "drm-uapi/i915_drm.h"
#include "drm-uapi/xe_drm.h"
#include "iris_batch.h"
#include "iris_pitot_priv.h"
#include "iris_screen.h"

static bool
is_xe(const struct iris_batch *batch)
{
   return batch->screen->devinfo->kmd_type == INTEL_KMD_TYPE_XE;
}

/* Returns the kernel's number of a batch's hardware context. */
static uint32_t
context_of(const struct iris_batch *batch)
{
   return is_xe(batch) ? batch->xe.exec_queue_id : batch->i915.ctx_id;
}

static int
fd_of(const struct iris_batch *batch)
{
   return iris_bufmgr_get_fd(batch->screen->bufmgr);
}

/* Asks xe whether it banned a queue: it tells nothing of others' resets. */
static struct iris_pitot_resets
ban_of(const struct iris_pitot_ring *ring)
{
   struct drm_xe_exec_queue_get_property request = {
      .exec_queue_id = ring->batch->xe.exec_queue_id,
      .property = DRM_XE_EXEC_QUEUE_GET_PROPERTY_BAN,
   };

   if (intel_ioctl(fd_of(ring->batch), DRM_IOCTL_XE_EXEC_QUEUE_GET_PROPERTY,
                   &request))
      return ring->resets;
   return (struct iris_pitot_resets){ .guilty = request.value != 0 };
}

/* Returns the resets that a context caused (guilty) and suffered, as far as
 * the kernel tells, or those that are known already.
 */
static struct iris_pitot_resets
resets_of(const struct iris_pitot_ring *ring)
{
   struct drm_i915_reset_stats stats = {
      .ctx_id = ring->batch->i915.ctx_id,
   };

   if (is_xe(ring->batch))
      return ban_of(ring);
   if (intel_ioctl(fd_of(ring->batch), DRM_IOCTL_I915_GET_RESET_STATS,
                   &stats))
      return ring->resets;
   return (struct iris_pitot_resets){ stats.batch_active,
                                      stats.batch_pending };
}

/* After it was guilty, iris makes another context, of which the kernel knows
 * no reset.
 */
static bool
take_reset_of(struct iris_pitot_ring *ring)
{
   const uint32_t id = context_of(ring->batch);
   const struct iris_pitot_resets before = ring->resets;

   if (ring->context_id != id) {
      ring->context_id = id;
      ring->resets = (struct iris_pitot_resets){ 0 };
      return before.guilty == 0;
   }
   ring->resets = resets_of(ring);
   return ring->resets.guilty != before.guilty ||
          ring->resets.innocent != before.innocent;
}

/* i915 has one context for both rings, since Linux 5.3, and xe never. */
bool
pitot_iris_take_reset(struct pitot_cs *cs)
{
   struct iris_pitot *pitot = pitot_of(cs);
   struct iris_pitot_ring *render = &pitot->rings[PITOT_RING_RENDER];
   struct iris_pitot_ring *compute = &pitot->rings[PITOT_RING_COMPUTE];
   bool result = take_reset_of(render);

   if (is_xe(compute->batch))
      result |= take_reset_of(compute);
   return result;
}

void
pitot_iris_reset_init(struct iris_pitot *pitot)
{
   for (unsigned r = 0; r < RING_COUNT; r++)
      pitot->rings[r].context_id = context_of(pitot->rings[r].batch);
}
