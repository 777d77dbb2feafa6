/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Address spaces of xe, and the memory in them. */

#include <errno.h>

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

int
sim_xe_create_bo(struct sim *sim, void *argument)
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

int
sim_xe_map_offset(struct sim *sim, void *argument)
{
   struct drm_xe_gem_mmap_offset *request = argument;

   return request->flags != 0
             ? -EINVAL
             : sim_map_offset(sim, request->handle, &request->offset);
}

/* Address spaces */

int
sim_xe_create_space(struct sim *sim, void *argument)
{
   struct drm_xe_vm_create *request = argument;

   return sim_create_object(sim, SIM_SPACE, &request->vm_id);
}

/* The kernel waits for a space's work before it destroys the space. */
int
sim_xe_destroy_space(struct sim *sim, void *argument)
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

int
sim_xe_bind(struct sim *sim, void *argument)
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
