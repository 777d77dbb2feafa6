/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The ioctls of i915: memory, contexts and submissions. */

#include <errno.h>
#include <sys/ioctl.h>

#include "drm-uapi/i915_drm.h"
#include "sim_priv.h"

#define LAST_PAT 4 /* of Meteor Lake */

static int
create_bo(struct sim *sim, void *argument)
{
   struct drm_i915_gem_create *request = argument;

   return sim_create_bo(sim, NULL, request->size, &request->handle);
}

/* From Meteor Lake on, memory can be created with a cache policy. */
static int
check_extensions(const struct sim_gpu *gpu, uint64_t first)
{
   for (uint64_t next = first; next != 0;) {
      const struct drm_i915_gem_create_ext_set_pat *extension =
         (const void *)(uintptr_t)next;

      if (extension->base.name == I915_GEM_CREATE_EXT_SET_PAT) {
         if (!gpu->has_pat)
            return -ENODEV;
         if (extension->pat_index > LAST_PAT)
            return -EINVAL;
      }
      next = extension->base.next_extension;
   }
   return 0;
}

static int
create_bo_ext(struct sim *sim, void *argument)
{
   struct drm_i915_gem_create_ext *request = argument;
   const int result = check_extensions(&sim->gpu, request->extensions);

   return result != 0
             ? result
             : sim_create_bo(sim, NULL, request->size, &request->handle);
}

static int
use_user_memory(struct sim *sim, void *argument)
{
   struct drm_i915_gem_userptr *request = argument;

   if (request->user_ptr == 0)
      return -EFAULT;
   return sim_create_bo(sim, (void *)(uintptr_t)request->user_ptr,
                        request->user_size, &request->handle);
}

static int
set_caching(struct sim *sim, void *argument)
{
   (void)argument;
   return sim->gpu.is_discrete ? -ENODEV : sim->gpu.has_pat ? -EOPNOTSUPP : 0;
}

static int
advise_bo(struct sim *sim, void *argument)
{
   (void)sim;
   ((struct drm_i915_gem_madvise *)argument)->retained = 1;
   return 0;
}

static int
is_busy(struct sim *sim, void *argument)
{
   ((struct drm_i915_gem_busy *)argument)->busy = sim->kernel->queued != 0;
   return 0;
}

/* Discrete GPUs have another mmap mode. */
static int
map_offset(struct sim *sim, void *argument)
{
   struct drm_i915_gem_mmap_offset *request = argument;
   const bool is_fixed = request->flags == I915_MMAP_OFFSET_FIXED;
   const bool is_cached = request->flags == I915_MMAP_OFFSET_WB ||
                          request->flags == I915_MMAP_OFFSET_WC;
   const int result = sim_map_offset(sim, request->handle, &request->offset);

   if (result == 0 && (sim->gpu.is_discrete ? !is_fixed : !is_cached))
      return -ENODEV;
   return result;
}

static int
create_context(struct sim *sim, void *argument)
{
   struct drm_i915_gem_context_create_ext *request = argument;

   return sim_create_object(sim, SIM_CONTEXT, &request->ctx_id);
}

static int
destroy_context(struct sim *sim, void *argument)
{
   const struct drm_i915_gem_context_destroy *request = argument;

   return sim_close(sim, request->ctx_id, SIM_CONTEXT, -ENOENT);
}

/* Context 0 always exists. */
static int
get_context_param(struct sim *sim, void *argument)
{
   struct drm_i915_gem_context_param *request = argument;

   (void)sim;
   request->value = request->param == I915_CONTEXT_PARAM_GTT_SIZE
                       ? SIM_ADDRESS_MASK + 1
                       : 0;
   return 0;
}

static int
get_reset_stats(struct sim *sim, void *argument)
{
   struct drm_i915_reset_stats *request = argument;
   const struct sim_object *context =
      sim_object(sim, request->ctx_id, SIM_CONTEXT);

   if (context == NULL)
      return -ENOENT;
   request->batch_active = context->lost_active;
   request->batch_pending = context->lost_pending;
   return 0;
}

/* Maps a submission's objects to their addresses. */
static int
map_objects(struct sim *sim, struct sim_submission *submission,
            const struct drm_i915_gem_execbuffer2 *request)
{
   const struct drm_i915_gem_exec_object2 *objects =
      (const void *)(uintptr_t)request->buffers_ptr;

   for (unsigned i = 0; i < request->buffer_count; i++) {
      const struct sim_object *object =
         sim_object(sim, objects[i].handle, SIM_BO);

      if (object == NULL || (objects[i].flags & EXEC_OBJECT_PINNED) == 0)
         return -EINVAL;
      object->bo->last_submission = sim->kernel->submitted + 1;
      sim_space_add(&submission->space,
                    (struct sim_map){
                       .address = objects[i].offset & SIM_ADDRESS_MASK,
                       .size_B = object->bo->size_B,
                       .bo = object->bo,
                    });
   }
   return 0;
}

/* Signals syncobjs.  Waits need nothing: submissions are in order. */
static int
set_fences(struct sim *sim, const struct drm_i915_gem_execbuffer2 *request)
{
   const struct drm_i915_gem_exec_fence *fences =
      (const void *)(uintptr_t)request->cliprects_ptr;

   for (unsigned i = 0; i < request->num_cliprects; i++) {
      struct sim_object *syncobj =
         sim_object(sim, fences[i].handle, SIM_SYNCOBJ);

      if (syncobj == NULL)
         return -ENOENT;
      if ((fences[i].flags & I915_EXEC_FENCE_SIGNAL) != 0)
         sim_set_fence(syncobj, sim->kernel->submitted + 1);
      if ((fences[i].flags & I915_EXEC_FENCE_WAIT) != 0)
         sim->fence_wait_count++;
   }
   return 0;
}

static int
exec(struct sim *sim, void *argument)
{
   const struct drm_i915_gem_execbuffer2 *request = argument;
   const struct sim_object *context =
      sim_object(sim, (uint32_t)request->rsvd1, SIM_CONTEXT);

   if (context == NULL)
      return -ENOENT;
   if (context->is_banned)
      return -EIO;
   if (request->batch_len % sizeof(uint64_t) != 0 ||
       request->buffer_count == 0)
      return -EINVAL;

   struct sim_submission *submission = sim_wait_for_room(sim);
   int result = map_objects(sim, submission, request);
   if (result == 0)
      result = set_fences(sim, request);
   if (result != 0) {
      sim_drop(sim, submission);
      return result;
   }

   const unsigned batch = (request->flags & I915_EXEC_BATCH_FIRST) != 0
                             ? 0
                             : request->buffer_count - 1;
   submission->context = (uint32_t)request->rsvd1;
   submission->engine =
      (unsigned)(request->flags & I915_EXEC_RING_MASK) % SIM_MAX_ENGINES;
   sim_add_ib(submission,
              submission->space.maps[batch].address +
                 request->batch_start_offset,
              SIM_UNTIL_END, submission->engine);
   sim_submit(sim, submission);
   return 0;
}

static int
wait_for_bo(struct sim *sim, void *argument)
{
   const struct drm_i915_gem_wait *request = argument;
   const struct sim_object *object =
      sim_object(sim, request->bo_handle, SIM_BO);

   if (object == NULL)
      return -ENOENT;
   return sim_wait(sim, object->bo->last_submission, request->timeout_ns == 0)
             ? 0
             : -ETIME;
}

#define I915(NAME) [_IOC_NR(DRM_IOCTL_I915_##NAME)]

sim_handler *const sim_i915_ioctls[SIM_IOCTL_COUNT] = {
   I915(GEM_CREATE) = create_bo,
   I915(GEM_CREATE_EXT) = create_bo_ext,
   I915(GEM_USERPTR) = use_user_memory,
   I915(GEM_SET_CACHING) = set_caching,
   I915(GEM_SET_DOMAIN) = sim_do_nothing,
   I915(GEM_MADVISE) = advise_bo,
   I915(GEM_BUSY) = is_busy,
   I915(GEM_WAIT) = wait_for_bo,
   I915(GEM_MMAP_OFFSET) = map_offset,
   I915(GEM_CONTEXT_CREATE_EXT) = create_context,
   I915(GEM_CONTEXT_GETPARAM) = get_context_param,
   I915(GEM_CONTEXT_SETPARAM) = sim_do_nothing,
   I915(GEM_CONTEXT_DESTROY) = destroy_context,
   I915(GET_RESET_STATS) = get_reset_stats,
   I915(GEM_EXECBUFFER2) = exec,
   I915(GETPARAM) = sim_i915_get_param,
   I915(REG_READ) = sim_i915_read_register,
   I915(QUERY) = sim_i915_query,
};
