/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A context through i915: buffers at addresses of our choice, and for each of
 * the two rings a context of the hardware's, both on the render engine, since
 * the counter of compute invocations is part of one.
 */

#include <errno.h>

#include <drm.h>
#include <i915_drm.h>

#include "i915.h"

/* Above what 32-bit addresses reach, so that none is taken for another. */
#define FIRST_ADDRESS (UINT64_C(1) << 32)

#define RING_COUNT 2

struct i915_context {
   struct pitot_drm_context base;
   uint32_t ids[RING_COUNT];
   uint32_t syncobjs[RING_COUNT][PITOT_DRM_BATCH_SLOTS];
   bool is_discrete;
   bool has_llc; /* the GPU looks into the CPU's caches */
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
create_ring(struct i915_context *context, unsigned ring)
{
   int result = create_hardware_context(context, &context->ids[ring]);

   for (unsigned i = 0; result == 0 && i < PITOT_DRM_BATCH_SLOTS; i++)
      result = create_syncobj(context, &context->syncobjs[ring][i]);
   return result;
}

static int
create(struct pitot_drm_context *base)
{
   struct i915_context *context = to_i915(base);
   const struct pitot_drm_device *device = base->device;
   int result = 0;

   context->is_discrete = pitot_i915_chip(device->device_id)->is_discrete;
   context->has_llc = pitot_i915_param(device, I915_PARAM_HAS_LLC) != 0;
   for (unsigned ring = 0; result == 0 && ring < RING_COUNT; ring++)
      result = create_ring(context, ring);
   return result;
}

static void
destroy_ring(struct i915_context *context, unsigned ring)
{
   for (unsigned i = 0; i < PITOT_DRM_BATCH_SLOTS; i++) {
      struct drm_syncobj_destroy request = {
         .handle = context->syncobjs[ring][i],
      };

      if (request.handle != 0) {
         pitot_drm_ioctl(context->base.device, DRM_IOCTL_SYNCOBJ_DESTROY,
                         &request);
      }
   }

   struct drm_i915_gem_context_destroy request = {
      .ctx_id = context->ids[ring],
   };
   if (request.ctx_id != 0) {
      pitot_drm_ioctl(context->base.device,
                      DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &request);
   }
}

static void
destroy(struct pitot_drm_context *base)
{
   struct i915_context *context = to_i915(base);

   for (unsigned ring = 0; ring < RING_COUNT; ring++)
      destroy_ring(context, ring);
}

/*
 * Memory that the GPU writes and the CPU reads through its caches.
 */

/* Makes system memory for a GPU that has memory of its own, which the CPU is
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

static int
allocate(struct pitot_drm_context *base, struct pitot_drm_buffer *buffer)
{
   const struct i915_context *context = to_i915(base);

   if (context->is_discrete)
      return create_system_memory(base, buffer);

   const int result = create_memory(base, buffer);
   if (result != 0 || context->has_llc)
      return result;
   return make_coherent(base, buffer);
}

static int
map_offset(struct pitot_drm_context *context, uint32_t handle,
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

/*
 * Submission
 */

/* The batch itself is the first buffer that it uses. */
static void
list_objects(struct pitot_drm_context *context,
             const struct pitot_drm_ring *ring)
{
   struct drm_i915_gem_exec_object2 *objects = context->entries;

   for (unsigned i = 0; i < ring->used_count; i++) {
      objects[i] = (struct drm_i915_gem_exec_object2){
         .handle = ring->used[i]->handle,
         .offset = ring->used[i]->base.address,
         .flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS |
                  (i == 0 ? 0 : EXEC_OBJECT_WRITE),
      };
   }
}

static int
submit(struct pitot_drm_context *base, enum pitot_ring ring,
       struct pitot_drm_batch *batch)
{
   struct i915_context *context = to_i915(base);
   const struct pitot_drm_ring *state = &base->rings[ring];

   list_objects(base, state);
   batch->fence =
      context->syncobjs[ring][batch->number % PITOT_DRM_BATCH_SLOTS];

   struct drm_i915_gem_exec_fence fence = {
      .handle = (uint32_t)batch->fence,
      .flags = I915_EXEC_FENCE_SIGNAL,
   };
   struct drm_i915_gem_execbuffer2 request = {
      .buffers_ptr = pitot_drm_pointer(base->entries),
      .buffer_count = state->used_count,
      .batch_len = state->count_dw * sizeof(uint32_t),
      .flags = I915_EXEC_RENDER | I915_EXEC_NO_RELOC | I915_EXEC_BATCH_FIRST |
               I915_EXEC_FENCE_ARRAY,
      .rsvd1 = context->ids[ring],
      .cliprects_ptr = pitot_drm_pointer(&fence),
      .num_cliprects = 1,
   };
   return pitot_drm_ioctl(base->device, DRM_IOCTL_I915_GEM_EXECBUFFER2,
                          &request);
}

static int
wait(struct pitot_drm_context *context, enum pitot_ring ring,
     const struct pitot_drm_batch *batch, bool is_look)
{
   const uint32_t handle = (uint32_t)batch->fence;
   struct drm_syncobj_wait request = {
      .handles = pitot_drm_pointer(&handle),
      .count_handles = 1,
      .timeout_nsec = is_look ? 0 : INT64_MAX,
   };

   (void)ring;
   return pitot_drm_ioctl(context->device, DRM_IOCTL_SYNCOBJ_WAIT, &request);
}

static uint64_t
seqno(const struct pitot_drm_batch *batch)
{
   return batch->number;
}

/* The kernel counts a context's batches that were lost, by any context's
 * fault.
 */
static int
check_health(struct pitot_drm_context *context)
{
   for (unsigned ring = 0; ring < RING_COUNT; ring++) {
      struct drm_i915_reset_stats request = {
         .ctx_id = to_i915(context)->ids[ring],
      };
      const int result =
         pitot_drm_ioctl(context->device, DRM_IOCTL_I915_GET_RESET_STATS,
                         &request);

      if (result != 0)
         return result;
      if (request.batch_active != 0 || request.batch_pending != 0)
         return -EIO;
   }
   return 0;
}

static const struct pitot_drm_context_ops ops = {
   .size_B = sizeof(struct i915_context),
   .entry_size_B = sizeof(struct drm_i915_gem_exec_object2),
   .create = create,
   .destroy = destroy,
   .allocate = allocate,
   .map_offset = map_offset,
   .begin = pitot_i915_begin,
   .end = pitot_i915_end,
   .submit = submit,
   .wait = wait,
   .seqno = seqno,
   .barrier = pitot_i915_barrier,
   .check_health = check_health,
};

int
pitot_i915_context_create(struct pitot_drm_device *device,
                          struct pitot_cs **cs_out)
{
   return pitot_drm_context_make(device, &ops, RING_COUNT, FIRST_ADDRESS,
                                 cs_out);
}
