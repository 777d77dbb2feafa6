/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A context through i915: buffers at addresses of our choice, and for each of
 * the two rings a hardware context, both on the render engine, because the
 * counter of compute invocations is part of a hardware context.
 */

#include <errno.h>

#include <drm.h>
#include <i915_drm.h>

#include "context.h"

#define RING_COUNT 2

/* Linux 6.5 and later; newer than some headers.  The policy is that of Meteor
 * Lake: write back, and snoop the CPU's caches.
 */
#define CREATE_EXT_SET_PAT 2
#define PAT_COHERENT       3

struct i915_context {
   struct pitot_drm_context base;
   uint32_t ids[RING_COUNT];
   uint32_t syncobjs[RING_COUNT][PITOT_DRM_BATCH_SLOTS];
};

static struct i915_context *
to_i915(struct pitot_drm_context *context)
{
   return (struct i915_context *)context;
}

static int
create_hardware_context(struct i915_context *context, uint32_t *id_out)
{
   /* After a hang there is nothing to be saved: nobody can know what state
    * the counters are in.
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
      pitot_drm_ioctl(context->base.device,
                      DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &request);

   *id_out = request.ctx_id;
   return result;
}

static int
create_syncobj(struct i915_context *context, uint32_t *handle_out)
{
   struct drm_syncobj_create request = { 0 };
   const int result = pitot_drm_ioctl(context->base.device,
                                      DRM_IOCTL_SYNCOBJ_CREATE, &request);

   *handle_out = request.handle;
   return result;
}

static int
create(struct pitot_drm_context *base)
{
   struct i915_context *context = to_i915(base);
   int result = 0;

   for (unsigned ring = 0; result == 0 && ring < RING_COUNT; ring++) {
      result = create_hardware_context(context, &context->ids[ring]);
      for (unsigned i = 0; result == 0 && i < PITOT_DRM_BATCH_SLOTS; i++)
         result = create_syncobj(context, &context->syncobjs[ring][i]);
   }
   return result;
}

static void
destroy_syncobj(struct i915_context *context, uint32_t handle)
{
   struct drm_syncobj_destroy request = { .handle = handle };

   if (handle != 0) {
      pitot_drm_ioctl(context->base.device, DRM_IOCTL_SYNCOBJ_DESTROY,
                      &request);
   }
}

static void
destroy(struct pitot_drm_context *base)
{
   struct i915_context *context = to_i915(base);

   for (unsigned ring = 0; ring < RING_COUNT; ring++) {
      struct drm_i915_gem_context_destroy request = {
         .ctx_id = context->ids[ring],
      };

      for (unsigned i = 0; i < PITOT_DRM_BATCH_SLOTS; i++)
         destroy_syncobj(context, context->syncobjs[ring][i]);
      if (request.ctx_id != 0) {
         pitot_drm_ioctl(base->device, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY,
                         &request);
      }
   }
}

/* Creates system memory for a GPU that has memory of its own, which is slow
 * to read for the CPU.
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

/* Creates memory for a GPU whose cache policy cannot be changed later: it
 * looks into the CPU's caches.
 */
static int
create_coherent_memory(struct pitot_drm_context *context,
                       struct pitot_drm_buffer *buffer)
{
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
      .extensions = pitot_drm_pointer(&policy),
   };
   const int result =
      pitot_drm_ioctl(context->device, DRM_IOCTL_I915_GEM_CREATE_EXT,
                      &request);

   buffer->handle = request.handle;
   return result;
}

/* Creates memory, and makes the GPU look into the CPU's caches if it does not
 * by itself.
 */
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
allocate(struct pitot_drm_context *context, struct pitot_drm_buffer *buffer,
         uint64_t *offset_out)
{
   const bool is_discrete = context->device->is_discrete;
   int result = is_discrete ? create_system_memory(context, buffer)
                : context->device->has_pat
                   ? create_coherent_memory(context, buffer)
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

/* Lists the buffers of a batch, its own memory first.  Returns their count.
 */
static unsigned
list_objects(const struct pitot_drm_context *context, enum pitot_ring ring,
             const struct pitot_drm_batch *batch)
{
   struct drm_i915_gem_exec_object2 *objects = context->entries;
   unsigned count = 1;

   for (const struct pitot_drm_buffer *buffer = context->buffers;
        buffer != NULL; buffer = buffer->next) {
      const bool is_batch = buffer == batch->memory;

      if (buffer->last_batch[ring] != batch->number)
         continue;
      objects[is_batch ? 0 : count++] = (struct drm_i915_gem_exec_object2){
         .handle = buffer->handle,
         .offset = buffer->base.address,
         .flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS |
                  (is_batch ? 0 : EXEC_OBJECT_WRITE),
      };
   }
   return count;
}

/* Returns the syncobj that is signalled when the kernel has finished a batch.
 */
static uint32_t
syncobj_of(struct pitot_drm_context *context, enum pitot_ring ring,
           const struct pitot_drm_batch *batch)
{
   return to_i915(context)
      ->syncobjs[ring][batch->number % PITOT_DRM_BATCH_SLOTS];
}

static int
submit(struct pitot_drm_context *context, enum pitot_ring ring,
       struct pitot_drm_batch *batch)
{
   struct drm_i915_gem_exec_fence fence = {
      .handle = syncobj_of(context, ring, batch),
      .flags = I915_EXEC_FENCE_SIGNAL,
   };
   struct drm_i915_gem_execbuffer2 request = {
      .buffers_ptr = pitot_drm_pointer(context->entries),
      .buffer_count = list_objects(context, ring, batch),
      .batch_len = context->rings[ring].count_dw * sizeof(uint32_t),
      .flags = I915_EXEC_RENDER | I915_EXEC_NO_RELOC | I915_EXEC_BATCH_FIRST |
               I915_EXEC_FENCE_ARRAY,
      .rsvd1 = to_i915(context)->ids[ring],
      .cliprects_ptr = pitot_drm_pointer(&fence),
      .num_cliprects = 1,
   };

   batch->seqno = batch->number; /* written by end() */
   return pitot_drm_ioctl(context->device, DRM_IOCTL_I915_GEM_EXECBUFFER2,
                          &request);
}

static int
wait(struct pitot_drm_context *context, enum pitot_ring ring,
     const struct pitot_drm_batch *batch, bool is_poll)
{
   const uint32_t handle = syncobj_of(context, ring, batch);
   struct drm_syncobj_wait request = {
      .handles = pitot_drm_pointer(&handle),
      .count_handles = 1,
      .timeout_nsec = is_poll ? 0 : INT64_MAX,
   };

   return pitot_drm_ioctl(context->device, DRM_IOCTL_SYNCOBJ_WAIT, &request);
}

/* The kernel counts a context's batches that were lost, by any context's
 * fault.
 */
static int
check_health(struct pitot_drm_context *context)
{
   for (unsigned ring = 0; ring < RING_COUNT; ring++) {
      const struct pitot_drm_device *device = context->device;
      struct pitot_drm_resets resets;
      const int result =
         pitot_i915_read_resets(device->io, device->fd,
                                to_i915(context)->ids[ring], &resets);

      if (result != 0)
         return result;
      if (resets.guilty != 0 || resets.innocent != 0)
         return -EIO;
   }
   return 0;
}

const struct pitot_drm_context_ops pitot_i915_context = {
   .size_B = sizeof(struct i915_context),
   .entry_size_B = sizeof(struct drm_i915_gem_exec_object2),
   .ring_count = RING_COUNT,
   .create = create,
   .destroy = destroy,
   .allocate = allocate,
   .begin = pitot_drm_intel_begin,
   .end = pitot_drm_intel_end,
   .encode = pitot_drm_intel_encode,
   .submit = submit,
   .wait = wait,
   .check_health = check_health,
};
