/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A context through i915, for the files that make it up.
 */

#ifndef PITOT_DRM_I915_CONTEXT_H
#define PITOT_DRM_I915_CONTEXT_H

#include "context.h"

#define PITOT_I915_RING_COUNT 2

struct i915_context {
   struct pitot_drm_context base;
   uint32_t ids[PITOT_I915_RING_COUNT];
   uint32_t syncobjs[PITOT_I915_RING_COUNT][PITOT_DRM_BATCH_SLOTS];

   /* How memory is to be made. */
   bool is_discrete;
   bool has_llc;

   struct drm_i915_gem_exec_object2 *objects; /* of one submission */
   unsigned object_capacity;
};

static struct i915_context *
to_i915(struct pitot_drm_context *context)
{
   return (struct i915_context *)context;
}

int
pitot_i915_allocate(struct pitot_drm_context *context,
                    struct pitot_drm_buffer *buffer);

void
pitot_i915_release(struct pitot_drm_context *context,
                   struct pitot_drm_buffer *buffer);

int
pitot_i915_map_offset(struct pitot_drm_context *context, uint32_t handle,
                      uint64_t *offset_out);

#endif /* PITOT_DRM_I915_CONTEXT_H */
