/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The ioctls of xe, the newer kernel driver for Intel GPUs: memory, address
 * spaces, and queues, which have a hardware context each.
 */

#include <errno.h>
#include <sys/ioctl.h>

#include "xe_priv.h"

/* Memory */

/* A card's memory has larger pages, and is not cached by the CPU. */
static bool
is_allocation(struct sim *sim, const struct drm_xe_gem_create *request)
{
   const uint32_t all = sim->gpu.is_discrete ? 3 : 1;
   const bool is_card = (request->placement & ~UINT32_C(1)) != 0;

   return request->placement != 0 && (request->placement & ~all) == 0 &&
          request->size != 0 &&
          request->size % (is_card ? CARD_PAGE_B : PAGE_B) == 0 &&
          (request->cpu_caching == DRM_XE_GEM_CPU_CACHING_WC ||
           (request->cpu_caching == DRM_XE_GEM_CPU_CACHING_WB && !is_card)) &&
          (request->vm_id == 0 || sim_object(sim, request->vm_id, SIM_SPACE));
}

static int
create_bo(struct sim *sim, void *argument)
{
   struct drm_xe_gem_create *request = argument;

   if (!is_allocation(sim, request))
      return -EINVAL;
   const int result =
      sim_create_bo(sim, NULL, request->size, &request->handle);
   if (result != 0)
      return result;

   struct sim_object *object = sim_object(sim, request->handle, SIM_BO);
   object->space_handle = request->vm_id;
   object->is_cached = request->cpu_caching == DRM_XE_GEM_CPU_CACHING_WB;
   return 0;
}

static int
map_offset(struct sim *sim, void *argument)
{
   struct drm_xe_gem_mmap_offset *request = argument;

   return request->flags != 0
             ? -EINVAL
             : sim_map_offset(sim, request->handle, &request->offset);
}

/* Address spaces */

static int
create_space(struct sim *sim, void *argument)
{
   struct drm_xe_vm_create *request = argument;

   return sim_create_object(sim, SIM_SPACE, &request->vm_id);
}

/* The kernel waits for a space's work before it destroys the space. */
static int
destroy_space(struct sim *sim, void *argument)
{
   const uint32_t vm = ((struct drm_xe_vm_destroy *)argument)->vm_id;

   if (sim_object(sim, vm, SIM_SPACE) == NULL)
      return -ENOENT;
   while (sim->kernel->queued > 0)
      sim_wait(sim, sim->kernel->queue[0].number, false);
   sim_xe_finish(sim);
   sim_free_object(sim, vm);
   return 0;
}

/* Whether the CPU sees the GPU's writes: the kernel's PAT table. */
static bool
is_coherent(const struct sim_gpu *gpu, unsigned policy)
{
   const uint32_t coherent = gpu->facts.generation >= GEN20 ? 0xb6
                             : gpu->has_pat                 ? 0x18
                                                            : 0x01;

   return policy < 32 && (coherent >> policy & 1) != 0;
}

static bool
is_in_range(const struct drm_xe_vm_bind_op *bind)
{
   const uint64_t end = bind->addr + bind->range;

   return bind->range != 0 && bind->range % PAGE_B == 0 &&
          bind->addr % PAGE_B == 0 && end > bind->addr &&
          end <= UINT64_C(1) << VA_BITS;
}

/* Finds the memory of a bind.  Returns 0 or -errno. */
static int
find_memory(struct sim *sim, const struct drm_xe_vm_bind *request,
            struct sim_bind *bind_out)
{
   const struct drm_xe_vm_bind_op *bind = &request->bind;
   const struct sim_object *object = sim_object(sim, bind->obj, SIM_BO);
   const bool is_coherent_policy = is_coherent(&sim->gpu, bind->pat_index);

   if (bind->op == DRM_XE_VM_BIND_OP_UNMAP)
      return bind->obj == 0 ? 0 : -EINVAL;
   if (bind->op == DRM_XE_VM_BIND_OP_MAP_USERPTR && bind->obj == 0 &&
       is_coherent_policy) {
      if (bind->obj_offset == 0)
         return -EFAULT;
      bind_out->map.bo =
         sim_bo_create(sim, (void *)(uintptr_t)bind->obj_offset, bind->range);
      return 0;
   }
   if (bind->op != DRM_XE_VM_BIND_OP_MAP)
      return -EINVAL;
   if (object == NULL)
      return -ENOENT;
   if ((object->is_cached && !is_coherent_policy) ||
       (object->space_handle != 0 &&
        object->space_handle != request->vm_id) ||
       bind->obj_offset + bind->range > object->bo->size_B)
      return -EINVAL;
   bind_out->map.bo = object->bo;
   bind_out->map.offset_B = bind->obj_offset;
   object->bo->references++;
   return 0;
}

static int
bind_memory(struct sim *sim, void *argument)
{
   const struct drm_xe_vm_bind *request = argument;
   const struct drm_xe_vm_bind_op *bind = &request->bind;
   struct sim_bind pending = {
      .space = request->vm_id,
      .map = { .address = bind->addr, .size_B = bind->range },
   };

   if (sim_object(sim, request->vm_id, SIM_SPACE) == NULL)
      return -ENOENT;
   if (request->num_binds != 1 || request->exec_queue_id != 0 ||
       !is_in_range(bind))
      return -EINVAL;
   int result = sim_xe_check_syncs(sim, request->syncs, request->num_syncs,
                                   &pending.before);
   if (result == 0)
      result = find_memory(sim, request, &pending);
   if (result != 0)
      return result;
   sim_xe_queue_bind(sim, &pending, request->syncs, request->num_syncs);
   return 0;
}

/* Queues */

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
   XE(GEM_CREATE) = create_bo,
   XE(GEM_MMAP_OFFSET) = map_offset,
   XE(VM_CREATE) = create_space,
   XE(VM_DESTROY) = destroy_space,
   XE(VM_BIND) = bind_memory,
   XE(EXEC_QUEUE_CREATE) = create_queue,
   XE(EXEC_QUEUE_DESTROY) = destroy_queue,
   XE(EXEC_QUEUE_GET_PROPERTY) = get_property,
   XE(EXEC) = exec,
};
