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

#include <drm.h>

#include "xe_priv.h"

#define PROPERTY_BAN 0

/* Returns the engine that identifies a queue's contexts, or an error if the
 * placements are not engines of one class.
 */
static int
find_engine(const struct sim *sim, const struct xe_queue_create *request)
{
   const struct xe_instance *instances =
      (const void *)(uintptr_t)request->instances;
   const unsigned last =
      sim->gpu.facts.generation >= GEN12_5 ? XE_CLASS_COMPUTE : XE_CLASS_COPY;

   if (request->width != 1 || request->placement_count != 1)
      return -EINVAL;
   switch (instances->engine_class) {
   case XE_CLASS_RENDER:
      return 0;
   case XE_CLASS_COMPUTE:
      return last == XE_CLASS_COMPUTE ? 1 : -EINVAL;
   case XE_CLASS_COPY:
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
   struct xe_queue_create *request = argument;
   struct sim_object *space = sim_object(sim, request->vm, SIM_SPACE);
   int engine = find_engine(sim, request);

   if (space == NULL)
      return -ENOENT;
   if (engine < 0)
      return engine;
   if (engine == 0) {
      engine = (int)space->engine;
      space->engine ^= 1;
   }
   request->queue = sim_new_object(sim, SIM_CONTEXT);
   if (request->queue == 0)
      return -ENOMEM;

   struct sim_object *queue = sim_object(sim, request->queue, SIM_CONTEXT);
   queue->space_handle = request->vm;
   queue->engine = (unsigned)engine;
   return 0;
}

/* Unfinished work is lost. */
static int
destroy_queue(struct sim *sim, void *argument)
{
   const uint32_t queue = ((struct xe_queue_destroy *)argument)->queue;

   if (sim_object(sim, queue, SIM_CONTEXT) == NULL)
      return -ENOENT;
   sim_kill(sim, queue);
   sim_free_object(sim, queue);
   return 0;
}

static int
get_property(struct sim *sim, void *argument)
{
   struct xe_queue_property *request = argument;
   const struct sim_object *queue =
      sim_object(sim, request->queue, SIM_CONTEXT);

   if (queue == NULL)
      return -ENOENT;
   if (request->property != PROPERTY_BAN)
      return -EINVAL;
   request->value = queue->is_banned;
   return 0;
}

static void
submit(struct sim *sim, const struct xe_exec *request,
       const struct sim_object *queue, const struct sim_before *before)
{
   struct sim_submission *submission = sim_wait_for_room(sim);

   submission->context = request->queue;
   submission->engine = queue->engine;
   sim_add_ib(submission, request->address, SIM_UNTIL_END, queue->engine);
   submission->before = *before;
   sim_submit(sim, submission);
}

/* Without a batch, signals the fence of the queue's last submission. */
static int
exec(struct sim *sim, void *argument)
{
   const struct xe_exec *request = argument;
   struct sim_object *queue = sim_object(sim, request->queue, SIM_CONTEXT);
   struct sim_before before;

   if (queue == NULL)
      return -ENOENT;
   if (request->batch_count > 1)
      return -EINVAL;
   if (queue->is_banned)
      return -ECANCELED;
   const int result =
      sim_xe_check_syncs(sim, request->syncs, request->sync_count, &before);
   if (result != 0)
      return result;
   if (request->batch_count != 0)
      queue->last = sim->kernel->submitted + 1;
   sim_xe_signal_syncs(sim, request->syncs, request->sync_count, queue->last);
   if (request->batch_count != 0)
      submit(sim, request, queue, &before);
   return 0;
}

int
sim_xe_ioctl(struct sim *sim, unsigned long request, void *argument)
{
   static int (*const handlers[])(struct sim * sim, void *argument) = {
      [XE_DEVICE_QUERY] = sim_xe_query,
      [XE_GEM_CREATE] = sim_xe_create_bo,
      [XE_GEM_MMAP_OFFSET] = sim_xe_map_offset,
      [XE_VM_CREATE] = sim_xe_create_space,
      [XE_VM_DESTROY] = sim_xe_destroy_space,
      [XE_VM_BIND] = sim_xe_bind,
      [XE_EXEC_QUEUE_CREATE] = create_queue,
      [XE_EXEC_QUEUE_DESTROY] = destroy_queue,
      [XE_EXEC_QUEUE_GET_PROPERTY] = get_property,
      [XE_EXEC] = exec,
   };
   const unsigned number = _IOC_NR(request) - DRM_COMMAND_BASE;

   if (_IOC_TYPE(request) != DRM_IOCTL_BASE ||
       number >= sizeof(handlers) / sizeof(handlers[0]))
      return -ENOTTY;
   return handlers[number](sim, argument);
}
