/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Submissions of msm: a list of buffers, and commands in some of them, in
 * which the kernel may relocate addresses.
 */

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>

#include "drm-uapi/msm_drm.h"
#include "sim_priv.h"

static int
take_buffers(struct sim *sim, const struct drm_msm_gem_submit *request)
{
   const struct drm_msm_gem_submit_bo *entries =
      (const void *)(uintptr_t)request->bos;

   for (unsigned i = 0; i < request->nr_bos; i++) {
      const struct sim_object *object =
         sim_object(sim, entries[i].handle, SIM_BO);

      if (object == NULL || entries[i].flags == 0 ||
          (entries[i].flags & ~MSM_SUBMIT_BO_FLAGS) != 0 ||
          object->bo->last_list == sim->kernel->list)
         return -EINVAL;
      object->bo->last_list = sim->kernel->list;
   }
   return 0;
}

/* Called when nothing can fail any more. */
static void
use_buffers(struct sim *sim, const struct drm_msm_gem_submit *request,
            uint64_t number)
{
   const struct drm_msm_gem_submit_bo *entries =
      (const void *)(uintptr_t)request->bos;

   for (unsigned i = 0; i < request->nr_bos; i++) {
      struct sim_bo *bo = sim_object(sim, entries[i].handle, SIM_BO)->bo;

      bo->last_use = number;
      if ((entries[i].flags & MSM_SUBMIT_BO_WRITE) != 0)
         bo->last_write = number;
   }
}

/* Returns a buffer of the list, or NULL. */
static struct sim_bo *
listed(struct sim *sim, const struct drm_msm_gem_submit *request,
       uint32_t index)
{
   const struct drm_msm_gem_submit_bo *entries =
      (const void *)(uintptr_t)request->bos;

   return index < request->nr_bos
             ? sim_object(sim, entries[index].handle, SIM_BO)->bo
             : NULL;
}

static int
relocate(struct sim *sim, const struct drm_msm_gem_submit *request,
         const struct drm_msm_gem_submit_cmd *command, struct sim_bo *bo)
{
   const struct drm_msm_gem_submit_reloc *relocs =
      (const void *)(uintptr_t)command->relocs;
   uint32_t last = 0;

   for (unsigned i = 0; i < command->nr_relocs; i++) {
      const struct sim_bo *target = listed(sim, request, relocs[i].reloc_idx);
      const uint32_t offset_B = relocs[i].submit_offset;

      if (target == NULL || offset_B % sizeof(uint32_t) != 0 ||
          offset_B < last || offset_B + sizeof(uint32_t) > bo->size_B)
         return -EINVAL;
      const uint64_t address = target->address + relocs[i].reloc_offset;
      const uint32_t value =
         (uint32_t)(relocs[i].shift < 0 ? address >> -relocs[i].shift
                                        : address << relocs[i].shift) |
            relocs[i].or
         ;
      memcpy(bo->memory + offset_B, &value, sizeof(value));
      last = offset_B;
   }
   return 0;
}

/* Skips IBs that others call, or that run only after another context. */
static int
take_commands(struct sim *sim, const struct drm_msm_gem_submit *request,
              struct sim_submission *submission)
{
   const struct drm_msm_gem_submit_cmd *commands =
      (const void *)(uintptr_t)request->cmds;

   for (unsigned i = 0; i < request->nr_cmds; i++) {
      struct sim_bo *bo = listed(sim, request, commands[i].submit_idx);

      if (bo == NULL || commands[i].size == 0 ||
          commands[i].size % sizeof(uint32_t) != 0 ||
          commands[i].submit_offset % sizeof(uint32_t) != 0 ||
          commands[i].submit_offset + (uint64_t)commands[i].size > bo->size_B)
         return -EINVAL;
      const int result = relocate(sim, request, &commands[i], bo);
      if (result != 0)
         return result;
      if (commands[i].type != MSM_SUBMIT_CMD_BUF)
         continue;
      sim_add_ib(submission, bo->address + commands[i].submit_offset,
                 commands[i].size, 0);
   }
   return 0;
}

/* Signals syncobjs.  Waits only need a fence: submissions are in order. */
static int
take_syncobjs(struct sim *sim, const struct drm_msm_gem_submit *request,
              bool is_out)
{
   const char *entries =
      (const char *)(uintptr_t)(is_out ? request->out_syncobjs
                                       : request->in_syncobjs);
   const unsigned count =
      is_out ? request->nr_out_syncobjs : request->nr_in_syncobjs;

   int result = 0;

   for (unsigned i = 0; i < count && result == 0; i++) {
      uint32_t handle; /* of a type that has two names, by Mesa's version */

      memcpy(&handle, entries + i * request->syncobj_stride, sizeof(handle));
      result = sim_use_syncobj(sim, handle, is_out);
   }
   return result;
}

static int
take(struct sim *sim, struct drm_msm_gem_submit *request,
     struct sim_submission *submission)
{
   int result = take_buffers(sim, request);

   if (result == 0)
      result = take_commands(sim, request, submission);
   if (result == 0 && (request->flags & MSM_SUBMIT_SYNCOBJ_IN) != 0)
      result = take_syncobjs(sim, request, false);
   if (result == 0 && (request->flags & MSM_SUBMIT_SYNCOBJ_OUT) != 0)
      result = take_syncobjs(sim, request, true);
   if (result == 0 && (request->flags & MSM_SUBMIT_FENCE_FD_OUT) != 0) {
      request->fence_fd = eventfd(0, EFD_CLOEXEC);
      if (request->fence_fd < 0)
         result = -errno;
   }
   return result;
}

int
sim_msm_submit(struct sim *sim, void *argument)
{
   struct drm_msm_gem_submit *request = argument;
   struct sim_kernel *kernel = sim->kernel;

   if ((request->flags & MSM_PIPE_ID_MASK) != MSM_PIPE_3D0)
      return -EINVAL;
   if (request->queueid != 0 &&
       sim_object(sim, request->queueid, SIM_CONTEXT) == NULL)
      return -ENOENT;

   struct sim_submission *submission = sim_wait_for_room(sim);
   kernel->list++;
   const int result = take(sim, request, submission);
   if (result != 0) {
      sim_drop(sim, submission);
      return result;
   }
   sim_space_add_listed(&submission->space, &kernel->space, kernel->list);
   submission->context = request->queueid;
   use_buffers(sim, request, kernel->submitted + 1);
   request->fence = (uint32_t)(kernel->submitted + 1);
   sim_submit(sim, submission);
   return 0;
}
