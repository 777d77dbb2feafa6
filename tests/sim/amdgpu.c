/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The ioctls of amdgpu: contexts, and who handles the others.
 */

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include <amdgpu_drm.h>

#include "amdgpu.h"

static int
tell_state(struct sim *sim, struct sim_object *context, bool is_new,
           union drm_amdgpu_ctx *request)
{
   memset(request, 0, sizeof(*request));
   request->out.state.hangs = context->lost_active;
   if (!is_new) {
      request->out.state.reset_status =
         context->is_banned ? AMDGPU_CTX_GUILTY_RESET : AMDGPU_CTX_NO_RESET;
      return 0;
   }
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
   request->out.alloc.ctx_id = sim_new_object(sim, SIM_CONTEXT);
   return request->out.alloc.ctx_id != 0 ? 0 : -ENOMEM;
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
   case AMDGPU_CTX_OP_QUERY_STATE:
      return tell_state(sim, context, false, request);
   case AMDGPU_CTX_OP_QUERY_STATE2:
      return tell_state(sim, context, true, request);
   case AMDGPU_CTX_OP_GET_STABLE_PSTATE:
      memset(request, 0, sizeof(*request));
      return 0;
   case AMDGPU_CTX_OP_SET_STABLE_PSTATE:
      return 0;
   default:
      return -EINVAL;
   }
}

/* VM and SCHED: there is but one address space, and one queue. */
static int
do_nothing(struct sim *sim, void *argument)
{
   (void)sim, (void)argument;
   return 0;
}

static const struct handler {
   unsigned number;
   int (*handle)(struct sim *sim, void *argument);
} handlers[] = {
   { DRM_AMDGPU_GEM_CREATE, sim_amdgpu_create_bo },
   { DRM_AMDGPU_GEM_MMAP, sim_amdgpu_map_offset },
   { DRM_AMDGPU_CTX, use_context },
   { DRM_AMDGPU_BO_LIST, sim_amdgpu_use_list },
   { DRM_AMDGPU_CS, sim_amdgpu_submit },
   { DRM_AMDGPU_INFO, sim_amdgpu_info },
   { DRM_AMDGPU_GEM_METADATA, sim_amdgpu_metadata },
   { DRM_AMDGPU_GEM_WAIT_IDLE, sim_amdgpu_wait_idle },
   { DRM_AMDGPU_GEM_VA, sim_amdgpu_map_address },
   { DRM_AMDGPU_WAIT_CS, sim_amdgpu_wait },
   { DRM_AMDGPU_GEM_OP, sim_amdgpu_gem_op },
   { DRM_AMDGPU_GEM_USERPTR, sim_amdgpu_use_user_memory },
   { DRM_AMDGPU_WAIT_FENCES, sim_amdgpu_wait_for_fences },
   { DRM_AMDGPU_VM, do_nothing },
   { DRM_AMDGPU_FENCE_TO_HANDLE, sim_amdgpu_fence_to_handle },
   { DRM_AMDGPU_SCHED, do_nothing },
};

#define HANDLER_COUNT (sizeof(handlers) / sizeof(handlers[0]))

int
sim_amdgpu_ioctl(struct sim *sim, unsigned long request, void *argument)
{
   if (_IOC_TYPE(request) != DRM_IOCTL_BASE)
      return -ENOTTY;
   for (unsigned i = 0; i < HANDLER_COUNT; i++) {
      if (_IOC_NR(request) == DRM_COMMAND_BASE + handlers[i].number)
         return handlers[i].handle(sim, argument);
   }
   return -ENOTTY;
}
