/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * How drivers wait for amdgpu.  Fences have the numbers of submissions.
 */

#include <errno.h>
#include <time.h>

#include <amdgpu_drm.h>

#include "amdgpu.h"

#define NS_PER_S UINT64_C(1000000000)

/* Returns whether a time to wait until, of CLOCK_MONOTONIC, has come. */
static bool
is_past(uint64_t time_ns)
{
   struct timespec now;

   clock_gettime(CLOCK_MONOTONIC, &now);
   return time_ns <= now.tv_sec * NS_PER_S + now.tv_nsec;
}

int
sim_amdgpu_wait(struct sim *sim, void *argument)
{
   union drm_amdgpu_wait_cs *request = argument;
   const uint64_t number = request->in.handle;
   const struct sim_object *context =
      sim_object(sim, request->in.ctx_id, SIM_CONTEXT);

   if (context == NULL)
      return -EINVAL;

   const bool is_done = sim_wait(sim, number, is_past(request->in.timeout));
   if (is_done && number <= sim->kernel->last_lost && context->is_banned)
      return -ECANCELED;
   request->out.status = !is_done;
   return 0;
}

int
sim_amdgpu_wait_for_fences(struct sim *sim, void *argument)
{
   union drm_amdgpu_wait_fences *request = argument;
   const struct drm_amdgpu_fence *fences =
      (const void *)(uintptr_t)request->in.fences;
   const unsigned count = request->in.fence_count;
   const bool is_all = request->in.wait_all != 0;
   const bool is_look = is_past(request->in.timeout_ns);
   unsigned done = 0, first = 0;

   for (unsigned i = 0; i < count && (is_all || done == 0); i++) {
      if (!sim_wait(sim, fences[i].seq_no, is_look))
         continue;
      done++;
      first = i;
   }
   request->out.status = done == count || (!is_all && done > 0);
   request->out.first_signaled = first;
   return 0;
}

/* It is not known what a submission uses: so all of them are waited for. */
int
sim_amdgpu_wait_idle(struct sim *sim, void *argument)
{
   union drm_amdgpu_gem_wait_idle *request = argument;

   if (sim_object(sim, request->in.handle, SIM_BO) == NULL)
      return -ENOENT;

   const bool is_done =
      sim_wait(sim, sim->kernel->submitted, is_past(request->in.timeout));
   request->out.status = !is_done;
   request->out.domain = 0;
   return 0;
}

/* Files cannot be made here, so there are only handles. */
int
sim_amdgpu_fence_to_handle(struct sim *sim, void *argument)
{
   union drm_amdgpu_fence_to_handle *request = argument;
   const uint64_t number = request->in.fence.seq_no;

   if (request->in.what != AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ)
      return -EINVAL;

   const uint32_t handle = sim_new_object(sim, SIM_SYNCOBJ);
   if (handle == 0)
      return -ENOMEM;
   sim->kernel->objects[handle].has_fence = true;
   sim->kernel->objects[handle].fence = number;
   request->out.handle = handle;
   return 0;
}
