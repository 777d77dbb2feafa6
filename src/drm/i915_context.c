/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A context through i915: buffers at addresses of our choice, and a hardware
 * context for each of the two rings.  Both run on the render engine, because
 * its counter of compute invocations is part of a hardware context.
 * Invariant: the GPU snoops the CPU's caches of every buffer, or the buffer
 * is in system memory, since the CPU polls it.
 * Danger: from Meteor Lake on (has_pat), the kernel rejects SET_CACHING.
 */

#include <errno.h>

#include <drm.h>
#include <i915_drm.h>

#include "context.h"

/* Since Linux 6.5; some headers lack it.  The policy is Meteor Lake's: write
 * back, and snoop the CPU's caches.
 */
#define CREATE_EXT_SET_PAT 2
#define PAT_COHERENT       3

static int
i915_create(struct pitot_drm_context *context, uint32_t *id_out)
{
   /* After a hang the state of the counters is unknown, so the context must
    * not continue.
    */
   struct drm_i915_gem_context_create_ext_setparam unrecoverable = {
      .base.name = I915_CONTEXT_CREATE_EXT_SETPARAM,
      .param.param = I915_CONTEXT_PARAM_RECOVERABLE,
   };
   struct drm_i915_gem_context_create_ext request = {
      .flags = I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS,
      .extensions = pitot_drm_pointer(&unrecoverable),
   };
   const int result =
      pitot_drm_ioctl(context->device, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT,
                      &request);

   *id_out = request.ctx_id;
   return result;
}

static void
i915_destroy(struct pitot_drm_context *context, uint32_t id)
{
   struct drm_i915_gem_context_destroy request = { .ctx_id = id };

   pitot_drm_ioctl(context->device, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY,
                   &request);
}

/* For a discrete GPU, system memory, because the CPU reads the GPU's memory
 * slowly.  Else a cache policy that snoops the CPU's caches: the kernel does
 * not change it later.
 */
static int
create_special_memory(struct pitot_drm_context *context,
                      struct pitot_drm_buffer *buffer)
{
   const struct drm_i915_gem_memory_class_instance system = {
      .memory_class = I915_MEMORY_CLASS_SYSTEM,
   };
   const struct drm_i915_gem_create_ext_memory_regions regions = {
      .base.name = I915_GEM_CREATE_EXT_MEMORY_REGIONS,
      .num_regions = 1,
      .regions = pitot_drm_pointer(&system),
   };
   /* struct drm_i915_gem_create_ext_set_pat of Linux 6.5 */
   const struct {
      struct i915_user_extension base;
      uint32_t pat_index, reserved;
   } policy = {
      .base.name = CREATE_EXT_SET_PAT,
      .pat_index = PAT_COHERENT,
   };
   struct drm_i915_gem_create_ext request = {
      .size = buffer->mapped_B,
      .extensions = context->device->is_discrete ? pitot_drm_pointer(&regions)
                                                 : pitot_drm_pointer(&policy),
   };
   const int result =
      pitot_drm_ioctl(context->device, DRM_IOCTL_I915_GEM_CREATE_EXT,
                      &request);

   buffer->handle = request.handle;
   return result;
}

/* Without an LLC, the GPU snoops the CPU's caches only with SET_CACHING. */
static int
create_memory(struct pitot_drm_context *context,
              struct pitot_drm_buffer *buffer)
{
   struct drm_i915_gem_create request = { .size = buffer->mapped_B };
   const int result =
      pitot_drm_ioctl(context->device, DRM_IOCTL_I915_GEM_CREATE, &request);

   buffer->handle = request.handle;
   if (result != 0 || context->device->has_llc)
      return result;

   struct drm_i915_gem_caching caching = {
      .handle = buffer->handle,
      .caching = I915_CACHING_CACHED,
   };
   return pitot_drm_ioctl(context->device, DRM_IOCTL_I915_GEM_SET_CACHING,
                          &caching);
}

static int
i915_allocate(struct pitot_drm_context *context,
              struct pitot_drm_buffer *buffer, uint64_t *offset_out)
{
   const bool is_discrete = context->device->is_discrete;
   int result = is_discrete || context->device->has_pat
                   ? create_special_memory(context, buffer)
                   : create_memory(context, buffer);
   if (result != 0)
      return result;

   struct drm_i915_gem_mmap_offset request = {
      .handle = buffer->handle,
      .flags = is_discrete ? I915_MMAP_OFFSET_FIXED : I915_MMAP_OFFSET_WB,
   };
   result = pitot_drm_ioctl(context->device, DRM_IOCTL_I915_GEM_MMAP_OFFSET,
                            &request);
   *offset_out = request.offset;
   return result;
}

static void
i915_list(struct pitot_drm_context *context, unsigned index,
          const struct pitot_drm_buffer *buffer)
{
   struct drm_i915_gem_exec_object2 *objects = context->entries;

   objects[index] = (struct drm_i915_gem_exec_object2){
      .handle = buffer->handle,
      .offset = buffer->base.address,
      .flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS |
               (index == 0 ? 0 : EXEC_OBJECT_WRITE),
   };
}

static int
i915_submit(struct pitot_drm_context *context, enum pitot_ring ring,
            struct pitot_drm_batch *batch, unsigned buffer_count)
{
   struct drm_i915_gem_execbuffer2 request = {
      .buffers_ptr = pitot_drm_pointer(context->entries),
      .buffer_count = buffer_count,
      .batch_len = context->rings[ring].count_dw * sizeof(uint32_t),
      .flags = I915_EXEC_RENDER | I915_EXEC_NO_RELOC | I915_EXEC_BATCH_FIRST,
      .rsvd1 = context->rings[ring].id,
   };

   batch->seqno = batch->number; /* written by end() */
   return pitot_drm_ioctl(context->device, DRM_IOCTL_I915_GEM_EXECBUFFER2,
                          &request);
}

/* Waits for the BO of the batch, which no other batch in flight uses. */
static int
i915_wait(struct pitot_drm_context *context,
          const struct pitot_drm_batch *batch, bool is_poll)
{
   struct drm_i915_gem_wait request = {
      .bo_handle = batch->handle,
      .timeout_ns = is_poll ? 0 : -1,
   };

   return pitot_drm_ioctl(context->device, DRM_IOCTL_I915_GEM_WAIT, &request);
}

/* Both counts are of lost batches of this context, whichever context hung. */
static int
check_health(struct pitot_drm_context *context, uint32_t id)
{
   struct pitot_drm_resets resets;
   const int result =
      pitot_i915_read_resets(context->device->io, context->device->fd, id,
                             &resets);

   if (result != 0)
      return result;
   return resets.guilty != 0 || resets.innocent != 0 ? -EIO : 0;
}

const struct pitot_drm_context_ops pitot_i915_context = {
   .entry_size_B = sizeof(struct drm_i915_gem_exec_object2),
   .ring_count = 2,
   .create = i915_create,
   .destroy = i915_destroy,
   .allocate = i915_allocate,
   .begin = pitot_drm_intel_begin,
   .end = pitot_drm_intel_end,
   .encode = pitot_drm_intel_encode,
   .list = i915_list,
   .submit = i915_submit,
   .wait = i915_wait,
   .check_health = check_health,
};
