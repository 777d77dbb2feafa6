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
#include <stdlib.h>

#include <drm.h>
#include <i915_drm.h>

#include "i915.h"
#include "i915_context.h"

/* Above what 32-bit addresses reach, so that none is taken for another. */
#define FIRST_ADDRESS (UINT64_C(1) << 32)

/* Packets. */
#define MI_NOOP             0x00000000
#define MI_BATCH_BUFFER_END 0x05000000
#define PIPELINE_SELECT     0x69040000
#define PIPE_CONTROL        0x7a000004
#define PIPE_CONTROL_DW     6

#define PIPELINE_SELECT_GPGPU 2
#define PIPELINE_SELECT_MASK  (3 << 8) /* Gen9 and later */
#define ADL_N_FIRST_ID        0x46d0
#define ADL_N_LAST_ID         0x46d4

#define GENERATION_9 90

#define STALL_AT_SCOREBOARD (1 << 1)
#define FLUSH_ENABLE        (1 << 7)
#define DEPTH_STALL         (1 << 13)
#define WRITE_IMMEDIATE     (1 << 14)
#define CS_STALL            (1 << 20)

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
   for (unsigned ring = 0; result == 0 && ring < PITOT_I915_RING_COUNT;
        ring++)
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

   for (unsigned ring = 0; ring < PITOT_I915_RING_COUNT; ring++)
      destroy_ring(context, ring);
   free(context->objects);
}

static void
emit_pipe_control(struct pitot_drm_context *context, enum pitot_ring ring,
                  uint32_t flags, uint64_t address, uint64_t value)
{
   const uint32_t packet[PIPE_CONTROL_DW] = {
      PIPE_CONTROL,      flags,
      (uint32_t)address, (uint32_t)(address >> 32),
      (uint32_t)value,   (uint32_t)(value >> 32),
   };

   pitot_drm_emit(context, ring, packet, PIPE_CONTROL_DW);
}

/* Gen9, and Alder Lake-N, want a CS stall before a write on this ring. */
static bool
needs_stall_before_write(const struct pitot_drm_context *context)
{
   const unsigned id = context->device->device_id;
   const bool is_adl_n = id >= ADL_N_FIRST_ID && id <= ADL_N_LAST_ID;

   return context->base.gpu->generation == GENERATION_9 || is_adl_n;
}

static void
emit_write(struct pitot_drm_context *context, enum pitot_ring ring,
           uint32_t flags, uint64_t address, uint64_t value)
{
   if (ring == PITOT_RING_COMPUTE && needs_stall_before_write(context))
      emit_pipe_control(context, ring, CS_STALL, 0, 0);
   emit_pipe_control(context, ring, flags | WRITE_IMMEDIATE, address, value);
}

/* Waits on the compute ring, where a stall at the pixel scoreboard would wait
 * for nothing: for a write after what was before.  Gen8 wants a CS stall in
 * every write there.
 */
static void
emit_compute_stall(struct pitot_drm_context *context)
{
   const bool is_gen8 = context->base.gpu->generation < GENERATION_9;

   emit_write(context, PITOT_RING_COMPUTE, is_gen8 ? CS_STALL : 0,
              pitot_drm_scratch_address(context), 0);
   emit_pipe_control(context, PITOT_RING_COMPUTE, FLUSH_ENABLE, 0, 0);
}

static void
barrier(struct pitot_drm_context *context, enum pitot_ring ring,
        enum pitot_barrier kind)
{
   if (kind == PITOT_BARRIER_DEPTH)
      emit_pipe_control(context, ring, DEPTH_STALL, 0, 0);
   else if (ring == PITOT_RING_COMPUTE)
      emit_compute_stall(context);
   else
      emit_pipe_control(context, ring, CS_STALL | STALL_AT_SCOREBOARD, 0, 0);
}

static void
begin(struct pitot_drm_context *context, enum pitot_ring ring)
{
   const bool has_mask = context->base.gpu->generation >= GENERATION_9;
   const uint32_t packet = PIPELINE_SELECT |
                           (has_mask ? PIPELINE_SELECT_MASK : 0) |
                           PIPELINE_SELECT_GPGPU;

   if (ring == PITOT_RING_COMPUTE)
      pitot_drm_emit(context, ring, &packet, 1);
}

/* The last thing that a batch writes is its number. */
static void
end(struct pitot_drm_context *context, enum pitot_ring ring)
{
   const uint32_t last[] = { MI_BATCH_BUFFER_END, MI_NOOP };
   const bool is_odd = context->rings[ring].count_dw % 2 != 0;

   barrier(context, ring, PITOT_BARRIER_STALL);
   emit_write(context, ring, CS_STALL | FLUSH_ENABLE,
              pitot_drm_status_address(context, ring),
              atomic_load(&context->rings[ring].recording));

   /* A batch's length is a multiple of two dwords. */
   pitot_drm_emit(context, ring, last, is_odd ? 1 : 2);
}

/* Has room for the objects of a submission; it grows with the buffers. */
static int
grow_objects(struct i915_context *context)
{
   const unsigned capacity = context->base.buffer_capacity;

   if (context->object_capacity >= capacity)
      return 0;

   struct drm_i915_gem_exec_object2 *objects =
      realloc(context->objects, capacity * sizeof(*objects));
   if (objects == NULL)
      return -ENOMEM;

   context->objects = objects;
   context->object_capacity = capacity;
   return 0;
}

/* The batch itself is the first buffer that it uses. */
static void
list_objects(struct i915_context *context, const struct pitot_drm_ring *ring)
{
   for (unsigned i = 0; i < ring->used_count; i++) {
      context->objects[i] = (struct drm_i915_gem_exec_object2){
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
   const int result = grow_objects(context);

   if (result != 0)
      return result;
   list_objects(context, state);
   batch->fence =
      context->syncobjs[ring][batch->number % PITOT_DRM_BATCH_SLOTS];

   struct drm_i915_gem_exec_fence fence = {
      .handle = (uint32_t)batch->fence,
      .flags = I915_EXEC_FENCE_SIGNAL,
   };
   struct drm_i915_gem_execbuffer2 request = {
      .buffers_ptr = pitot_drm_pointer(context->objects),
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
mark(const struct pitot_drm_batch *batch)
{
   return batch->number;
}

/* The kernel counts a context's batches that were lost, whosever fault it
 * was.
 */
static int
check_health(struct pitot_drm_context *context)
{
   for (unsigned ring = 0; ring < PITOT_I915_RING_COUNT; ring++) {
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
   .create = create,
   .destroy = destroy,
   .allocate = pitot_i915_allocate,
   .release = pitot_i915_release,
   .map_offset = pitot_i915_map_offset,
   .begin = begin,
   .end = end,
   .submit = submit,
   .wait = wait,
   .mark = mark,
   .barrier = barrier,
   .check_health = check_health,
};

int
pitot_i915_context_create(struct pitot_drm_device *device,
                          struct pitot_cs **stream_out)
{
   return pitot_drm_context_make(device, &ops, PITOT_I915_RING_COUNT,
                                 FIRST_ADDRESS, stream_out);
}
