/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The ioctls of amdgpu: contexts, memory, waits, and the table of all. */

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include "drm-uapi/amdgpu_drm.h"
#include "sim_priv.h"

#define PAGE_B 4096

static int
tell_state(struct sim *sim, const struct sim_object *context,
           union drm_amdgpu_ctx *request)
{
   memset(request, 0, sizeof(*request));
   request->out.state.hangs = context->lost_active;
   if (sim->kernel->was_reset)
      request->out.state.flags |= AMDGPU_CTX_QUERY2_FLAGS_RESET;
   if (context->is_banned)
      request->out.state.flags |= AMDGPU_CTX_QUERY2_FLAGS_GUILTY;
   return 0;
}

static int
create_context(struct sim *sim, union drm_amdgpu_ctx *request)
{
   memset(request, 0, sizeof(*request));
   return sim_create_object(sim, SIM_CONTEXT, &request->out.alloc.ctx_id);
}

static int
use_context(struct sim *sim, void *argument)
{
   union drm_amdgpu_ctx *request = argument;
   const uint32_t op = request->in.op;
   const uint32_t id = request->in.ctx_id;
   struct sim_object *context = sim_object(sim, id, SIM_CONTEXT);

   if (op == AMDGPU_CTX_OP_ALLOC_CTX)
      return create_context(sim, request);
   if (context == NULL)
      return -EINVAL;
   switch (op) {
   case AMDGPU_CTX_OP_FREE_CTX:
      sim_free_object(sim, id);
      return 0;
   case AMDGPU_CTX_OP_QUERY_STATE2:
      return tell_state(sim, context, request);
   case AMDGPU_CTX_OP_GET_STABLE_PSTATE:
      memset(request, 0, sizeof(*request));
      return 0;
   case AMDGPU_CTX_OP_SET_STABLE_PSTATE:
      return 0;
   default:
      return -EINVAL;
   }
}

/* Memory */

static int
create_bo(struct sim *sim, void *argument)
{
   union drm_amdgpu_gem_create *request = argument;
   const struct drm_amdgpu_gem_create_in in = request->in;

   if (in.domain_flags & AMDGPU_GEM_CREATE_ENCRYPTED && !sim->has_tmz)
      return -EINVAL;
   uint32_t handle;
   const int result = sim_create_bo(sim, NULL, in.bo_size, &handle);
   if (result != 0)
      return result;
   sim->kernel->objects[handle].bo->is_always_valid =
      (in.domain_flags & AMDGPU_GEM_CREATE_VM_ALWAYS_VALID) != 0;
   sim->kernel->objects[handle].placement = (struct sim_placement){
      .alignment = in.alignment,
      .domains = in.domains,
      .domain_flags = in.domain_flags,
   };
   sim->kernel->objects[handle].bo->is_encrypted =
      in.domain_flags & AMDGPU_GEM_CREATE_ENCRYPTED;
   memset(request, 0, sizeof(*request));
   request->out.handle = handle;
   return 0;
}

static int
use_user_memory(struct sim *sim, void *argument)
{
   struct drm_amdgpu_gem_userptr *request = argument;

   if (request->addr % PAGE_B != 0 || request->size % PAGE_B != 0)
      return -EINVAL;
   if (request->addr == 0)
      return -EFAULT;
   return sim_create_bo(sim, (void *)(uintptr_t)request->addr, request->size,
                        &request->handle);
}

static int
map_offset(struct sim *sim, void *argument)
{
   union drm_amdgpu_gem_mmap *request = argument;

   return sim_map_offset(sim, request->in.handle, &request->out.addr_ptr);
}

/* Maps a buffer, or reserves addresses for a sparse one. */
static int
map(struct sim *sim, const struct drm_amdgpu_gem_va *request,
    uint64_t address)
{
   const struct sim_object *object = sim_object(sim, request->handle, SIM_BO);

   if (object == NULL)
      return (request->flags & AMDGPU_VM_PAGE_PRT) != 0 ? 0 : -ENOENT;
   object->bo->is_uncached =
      (request->flags & AMDGPU_VM_MTYPE_MASK) == AMDGPU_VM_MTYPE_UC;
   sim_space_add(&sim->kernel->space, (struct sim_map){
                                         .address = address,
                                         .size_B = request->map_size,
                                         .bo = object->bo,
                                         .offset_B = request->offset_in_bo,
                                      });
   return 0;
}

static int
map_address(struct sim *sim, void *argument)
{
   const struct drm_amdgpu_gem_va *request = argument;
   const uint64_t address = request->va_address & SIM_ADDRESS_MASK;
   struct sim_space *space = &sim->kernel->space;

   if (address % PAGE_B != 0)
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

static int
metadata(struct sim *sim, void *argument)
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

static int
gem_op(struct sim *sim, void *argument)
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

/* Waits: a fence is a submission's number */

static int
wait(struct sim *sim, void *argument)
{
   union drm_amdgpu_wait_cs *request = argument;
   const uint64_t number = request->in.handle;
   const struct sim_object *context =
      sim_object(sim, request->in.ctx_id, SIM_CONTEXT);

   if (context == NULL || number > sim->kernel->submitted)
      return -EINVAL;

   const bool is_done =
      sim_wait(sim, number, sim_is_past(request->in.timeout));
   /* From Linux 6.12 on, a batch that hung reports a timeout. */
   if (is_done && number <= sim->kernel->last_lost && context->is_banned)
      return number == sim->hang_on_submit ? -ETIME : -ECANCELED;
   request->out.status = !is_done;
   return 0;
}

static int
wait_for_fences(struct sim *sim, void *argument)
{
   union drm_amdgpu_wait_fences *request = argument;
   const struct drm_amdgpu_fence *fences =
      (const void *)(uintptr_t)request->in.fences;
   const unsigned count = request->in.fence_count;
   const bool is_all = request->in.wait_all != 0;
   const bool is_poll = sim_is_past(request->in.timeout_ns);
   unsigned done = 0, first = 0;

   for (unsigned i = 0; i < count && (is_all || done == 0); i++) {
      if (fences[i].seq_no > sim->kernel->submitted)
         return -EINVAL;
      if (!sim_wait(sim, fences[i].seq_no, is_poll))
         continue;
      done++;
      first = i;
   }
   request->out.status = done == count || (!is_all && done > 0);
   request->out.first_signaled = first;
   return 0;
}

/* Submissions do not list their buffers: waits for all submissions. */
static int
wait_idle(struct sim *sim, void *argument)
{
   union drm_amdgpu_gem_wait_idle *request = argument;

   if (sim_object(sim, request->in.handle, SIM_BO) == NULL)
      return -ENOENT;

   const bool is_done =
      sim_wait(sim, sim->kernel->submitted, sim_is_past(request->in.timeout));
   request->out.status = !is_done;
   request->out.domain = 0;
   return 0;
}

/* Fences are only exported as handles. */
static int
fence_to_handle(struct sim *sim, void *argument)
{
   union drm_amdgpu_fence_to_handle *request = argument;
   const uint64_t number = request->in.fence.seq_no;

   if (request->in.what != AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ)
      return -EINVAL;

   const int result =
      sim_create_object(sim, SIM_SYNCOBJ, &request->out.handle);
   if (result == 0)
      sim_set_fence(&sim->kernel->objects[request->out.handle], number);
   return result;
}

#define AMDGPU(NAME) [_IOC_NR(DRM_IOCTL_AMDGPU_##NAME)]

/* There is only one address space, and one queue. */
sim_handler *const sim_amdgpu_ioctls[SIM_IOCTL_COUNT] = {
   AMDGPU(GEM_CREATE) = create_bo,
   AMDGPU(GEM_MMAP) = map_offset,
   AMDGPU(CTX) = use_context,
   AMDGPU(CS) = sim_amdgpu_submit,
   AMDGPU(INFO) = sim_amdgpu_info,
   AMDGPU(GEM_METADATA) = metadata,
   AMDGPU(GEM_WAIT_IDLE) = wait_idle,
   AMDGPU(GEM_VA) = map_address,
   AMDGPU(WAIT_CS) = wait,
   AMDGPU(GEM_OP) = gem_op,
   AMDGPU(GEM_USERPTR) = use_user_memory,
   AMDGPU(WAIT_FENCES) = wait_for_fences,
   AMDGPU(VM) = sim_do_nothing,
   AMDGPU(FENCE_TO_HANDLE) = fence_to_handle,
   AMDGPU(SCHED) = sim_do_nothing,
};
