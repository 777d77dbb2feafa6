/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Memory that the GPU writes and the CPU reads through its caches.
 */

#include <drm.h>
#include <i915_drm.h>

#include "i915_context.h"

/* Memory of the system's, where a GPU has memory of its own that the CPU is
 * slow to read.
 */
static int
create_system_memory(struct pitot_drm_context *context,
                     struct pitot_drm_buffer *buffer)
{
   struct drm_i915_gem_memory_class_instance system = {
      .memory_class = I915_MEMORY_CLASS_SYSTEM,
   };
   struct drm_i915_gem_create_ext_memory_regions regions = {
      .base.name = I915_GEM_CREATE_EXT_MEMORY_REGIONS,
      .num_regions = 1,
      .regions = pitot_drm_pointer(&system),
   };
   struct drm_i915_gem_create_ext request = {
      .size = buffer->mapped_B,
      .extensions = pitot_drm_pointer(&regions),
   };
   const int result =
      pitot_drm_ioctl(context->device, DRM_IOCTL_I915_GEM_CREATE_EXT,
                      &request);

   buffer->handle = request.handle;
   return result;
}

static int
create_memory(struct pitot_drm_context *context,
              struct pitot_drm_buffer *buffer)
{
   struct drm_i915_gem_create request = { .size = buffer->mapped_B };
   const int result =
      pitot_drm_ioctl(context->device, DRM_IOCTL_I915_GEM_CREATE, &request);

   buffer->handle = request.handle;
   return result;
}

/* Has the GPU look into the CPU's caches, where it does not by itself. */
static int
make_coherent(struct pitot_drm_context *context,
              struct pitot_drm_buffer *buffer)
{
   struct drm_i915_gem_caching request = {
      .handle = buffer->handle,
      .caching = I915_CACHING_CACHED,
   };

   return pitot_drm_ioctl(context->device, DRM_IOCTL_I915_GEM_SET_CACHING,
                          &request);
}

int
pitot_i915_allocate(struct pitot_drm_context *base,
                    struct pitot_drm_buffer *buffer)
{
   const struct i915_context *context = to_i915(base);

   if (context->is_discrete)
      return create_system_memory(base, buffer);

   const int result = create_memory(base, buffer);
   if (result != 0 || context->has_llc)
      return result;
   return make_coherent(base, buffer);
}

void
pitot_i915_release(struct pitot_drm_context *context,
                   struct pitot_drm_buffer *buffer)
{
   struct drm_gem_close request = { .handle = buffer->handle };

   pitot_drm_ioctl(context->device, DRM_IOCTL_GEM_CLOSE, &request);
}

int
pitot_i915_map_offset(struct pitot_drm_context *context, uint32_t handle,
                      uint64_t *offset_out)
{
   struct drm_i915_gem_mmap_offset request = {
      .handle = handle,
      .flags = to_i915(context)->is_discrete ? I915_MMAP_OFFSET_FIXED
                                             : I915_MMAP_OFFSET_WB,
   };
   const int result =
      pitot_drm_ioctl(context->device, DRM_IOCTL_I915_GEM_MMAP_OFFSET,
                      &request);

   *offset_out = request.offset;
   return result;
}
