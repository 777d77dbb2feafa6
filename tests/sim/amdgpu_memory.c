/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Memory of amdgpu, and where the GPU sees it.
 */

#include <errno.h>
#include <string.h>

#include <amdgpu_drm.h>

#include "amdgpu.h"

#define PAGE_SHIFT 12

int
sim_amdgpu_create_bo(struct sim *sim, void *argument)
{
   union drm_amdgpu_gem_create *request = argument;
   const struct drm_amdgpu_gem_create_in in = request->in;
   const uint32_t handle = sim_new_bo(sim, in.bo_size);

   if (handle == 0)
      return -ENOMEM;
   sim->kernel->objects[handle].placement = (struct sim_placement){
      .alignment = in.alignment,
      .domains = in.domains,
      .domain_flags = in.domain_flags,
   };
   memset(request, 0, sizeof(*request));
   request->out.handle = handle;
   return 0;
}

int
sim_amdgpu_use_user_memory(struct sim *sim, void *argument)
{
   struct drm_amdgpu_gem_userptr *request = argument;
   void *memory = (void *)(uintptr_t)request->addr;

   if (request->addr % SIM_PAGE_B != 0 || request->size % SIM_PAGE_B != 0)
      return -EINVAL;
   request->handle = sim_new_object(sim, SIM_BO);
   if (request->handle == 0)
      return -ENOMEM;
   sim->kernel->objects[request->handle].bo =
      sim_bo_wrap(sim, memory, request->size);
   return 0;
}

int
sim_amdgpu_map_offset(struct sim *sim, void *argument)
{
   union drm_amdgpu_gem_mmap *request = argument;
   const uint32_t handle = request->in.handle;

   if (sim_object(sim, handle, SIM_BO) == NULL)
      return -ENOENT;
   request->out.addr_ptr = (uint64_t)handle << PAGE_SHIFT;
   return 0;
}

/* Maps a buffer; or nothing, where a sparse one is going to be. */
static int
map(struct sim *sim, const struct drm_amdgpu_gem_va *request,
    uint64_t address)
{
   const struct sim_object *object = sim_object(sim, request->handle, SIM_BO);

   if (object == NULL)
      return (request->flags & AMDGPU_VM_PAGE_PRT) != 0 ? 0 : -ENOENT;
   sim_space_add(&sim->kernel->space, (struct sim_map){
                                         .address = address,
                                         .size_B = request->map_size,
                                         .bo = object->bo,
                                         .offset_B = request->offset_in_bo,
                                      });
   return 0;
}

int
sim_amdgpu_map_address(struct sim *sim, void *argument)
{
   const struct drm_amdgpu_gem_va *request = argument;
   const uint64_t address = request->va_address & SIM_ADDRESS_MASK;
   struct sim_space *space = &sim->kernel->space;

   if (address % SIM_PAGE_B != 0)
      return -EINVAL;
   switch (request->operation) {
   case AMDGPU_VA_OP_MAP:
      return map(sim, request, address);
   case AMDGPU_VA_OP_UNMAP:
   case AMDGPU_VA_OP_CLEAR:
      sim_space_remove_range(sim, space, address, request->map_size);
      return 0;
   case AMDGPU_VA_OP_REPLACE:
      sim_space_remove_range(sim, space, address, request->map_size);
      return map(sim, request, address);
   default:
      return -EINVAL;
   }
}

int
sim_amdgpu_metadata(struct sim *sim, void *argument)
{
   struct drm_amdgpu_gem_metadata *request = argument;
   struct sim_object *object = sim_object(sim, request->handle, SIM_BO);

   if (object == NULL)
      return -ENOENT;
   if (request->op == AMDGPU_GEM_METADATA_OP_GET_METADATA) {
      request->data.tiling_info = object->placement.tiling;
      request->data.data_size_bytes = 0;
   } else {
      object->placement.tiling = request->data.tiling_info;
   }
   return 0;
}

int
sim_amdgpu_gem_op(struct sim *sim, void *argument)
{
   const struct drm_amdgpu_gem_op *request = argument;
   struct sim_object *object = sim_object(sim, request->handle, SIM_BO);

   if (object == NULL)
      return -ENOENT;
   if (request->op == AMDGPU_GEM_OP_SET_PLACEMENT) {
      object->placement.domains = request->value;
      return 0;
   }
   if (request->op != AMDGPU_GEM_OP_GET_GEM_CREATE_INFO)
      return -EINVAL;
   *(struct drm_amdgpu_gem_create_in *)(uintptr_t)request->value =
      (struct drm_amdgpu_gem_create_in){
         .bo_size = object->bo->size_B,
         .alignment = object->placement.alignment,
         .domains = object->placement.domains,
         .domain_flags = object->placement.domain_flags,
      };
   return 0;
}
