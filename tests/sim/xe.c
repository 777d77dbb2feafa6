/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The ioctls of xe, the newer kernel driver for Intel GPUs, and its queues,
 * which have a hardware context each.
 */

#include <errno.h>
#include <sys/ioctl.h>

#include "xe_priv.h"

/* Returns the engine that identifies a queue's contexts, or an error if the
 * placements are not engines of one class.
 */
static int
find_engine(const struct sim *sim,
            const struct drm_xe_exec_queue_create *request)
{
   const struct drm_xe_engine_class_instance *instances =
      (const void *)(uintptr_t)request->instances;
   const unsigned last = sim->gpu.facts.generation >= GEN12_5
                            ? DRM_XE_ENGINE_CLASS_COMPUTE
                            : DRM_XE_ENGINE_CLASS_COPY;

   if (request->width != 1 || request->num_placements != 1)
      return -EINVAL;
   switch (instances->engine_class) {
   case DRM_XE_ENGINE_CLASS_RENDER:
      return 0;
   case DRM_XE_ENGINE_CLASS_COMPUTE:
      return last == DRM_XE_ENGINE_CLASS_COMPUTE ? 1 : -EINVAL;
   case DRM_XE_ENGINE_CLASS_COPY:
      return 2;
   default:
      return -EINVAL;
   }
}

/* Alternate queues on the render engine get i915's numbers of render and
 * compute rings, as iris and src/drm create them in this order.
 */
static int
create_queue(struct sim *sim, void *argument)
{
   struct drm_xe_exec_queue_create *request = argument;
   struct sim_object *space = sim_object(sim, request->vm_id, SIM_SPACE);
   int engine = find_engine(sim, request);

   if (space == NULL)
      return -ENOENT;
   if (engine < 0)
      return engine;
   if (engine == 0) {
      engine = (int)space->engine;
      space->engine ^= 1;
   }
   const int result =
      sim_create_object(sim, SIM_CONTEXT, &request->exec_queue_id);
   if (result != 0)
      return result;

   struct sim_object *queue =
      sim_object(sim, request->exec_queue_id, SIM_CONTEXT);
   queue->space_handle = request->vm_id;
   queue->engine = (unsigned)engine;
   return 0;
}

/* Unfinished work is lost. */
static int
destroy_queue(struct sim *sim, void *argument)
{
   const struct drm_xe_exec_queue_destroy *request = argument;
   const uint32_t queue = request->exec_queue_id;

   sim_kill(sim, queue);
   return sim_close(sim, queue, SIM_CONTEXT, -ENOENT);
}

static int
get_property(struct sim *sim, void *argument)
{
   struct drm_xe_exec_queue_get_property *request = argument;
   const struct sim_object *queue =
      sim_object(sim, request->exec_queue_id, SIM_CONTEXT);

   if (queue == NULL)
      return -ENOENT;
   if (request->property != DRM_XE_EXEC_QUEUE_GET_PROPERTY_BAN)
      return -EINVAL;
   request->value = queue->is_banned;
   return 0;
}

static void
submit(struct sim *sim, const struct drm_xe_exec *request,
       const struct sim_object *queue, const struct sim_before *before)
{
   struct sim_submission *submission = sim_wait_for_room(sim);

   submission->context = request->exec_queue_id;
   submission->engine = queue->engine;
   sim_add_ib(submission, request->address, SIM_UNTIL_END, queue->engine);
   submission->before = *before;
   sim_submit(sim, submission);
}

/* Without a batch, signals the fence of the queue's last submission. */
static int
exec(struct sim *sim, void *argument)
{
   const struct drm_xe_exec *request = argument;
   struct sim_object *queue =
      sim_object(sim, request->exec_queue_id, SIM_CONTEXT);
   struct sim_before before;

   if (queue == NULL)
      return -ENOENT;
   if (request->num_batch_buffer > 1)
      return -EINVAL;
   if (queue->is_banned)
      return -ECANCELED;
   const int result =
      sim_xe_check_syncs(sim, request->syncs, request->num_syncs, &before);
   if (result != 0)
      return result;
   if (request->num_batch_buffer != 0)
      queue->last = sim->kernel->submitted + 1;
   sim_xe_signal_syncs(sim, request->syncs, request->num_syncs, queue->last);
   if (request->num_batch_buffer != 0)
      submit(sim, request, queue, &before);
   return 0;
}

#define XE(NAME) [_IOC_NR(DRM_IOCTL_XE_##NAME)]

sim_handler *const sim_xe_ioctls[SIM_IOCTL_COUNT] = {
   XE(DEVICE_QUERY) = sim_xe_query,
   XE(GEM_CREATE) = sim_xe_create_bo,
   XE(GEM_MMAP_OFFSET) = sim_xe_map_offset,
   XE(VM_CREATE) = sim_xe_create_space,
   XE(VM_DESTROY) = sim_xe_destroy_space,
   XE(VM_BIND) = sim_xe_bind,
   XE(EXEC_QUEUE_CREATE) = create_queue,
   XE(EXEC_QUEUE_DESTROY) = destroy_queue,
   XE(EXEC_QUEUE_GET_PROPERTY) = get_property,
   XE(EXEC) = exec,
};
