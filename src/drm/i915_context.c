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

#include "drm_priv.h"

#define RING_COUNT 2

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

/* Gen9 and Alder Lake-N need a CS stall before a write on this ring. */
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
 * for nothing, for a write behind all earlier work.  Every packet there has a
 * CS stall: Gen8 requires it, together with another bit, and Intel's driver
 * for compute has it on all generations.
 */
static void
emit_compute_stall(struct pitot_drm_context *context)
{
   const bool is_gen8 = context->base.gpu->generation < GENERATION_9;

   emit_write(context, PITOT_RING_COMPUTE, CS_STALL,
              pitot_drm_status_address(context, PITOT_RING_COUNT), 0);
   emit_pipe_control(context, PITOT_RING_COMPUTE,
                     FLUSH_ENABLE | CS_STALL |
                        (is_gen8 ? STALL_AT_SCOREBOARD : 0),
                     0, 0);
}

static void
barrier(struct pitot_drm_context *context, enum pitot_ring ring,
        enum pitot_barrier kind)
{
   if (kind == PITOT_BARRIER_DEPTH)
      emit_pipe_control(context, ring, DEPTH_STALL, 0, 0);
   else if (kind == PITOT_BARRIER_FLUSH)
      emit_pipe_control(context, ring, FLUSH_ENABLE, 0, 0);
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

/* A batch writes its number last. */
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

const struct pitot_drm_context_ops pitot_i915_context = {
   .size_B = sizeof(struct i915_context),
   .entry_size_B = sizeof(struct drm_i915_gem_exec_object2),
   .ring_count = RING_COUNT,
   .create = create,
   .destroy = destroy,
   .allocate = allocate,
   .begin = begin,
   .end = end,
   .submit = submit,
   .wait = wait,
   .barrier = barrier,
   .check_health = check_health,
};
