/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Submissions of amdgpu, and their chunks. */

#include <errno.h>
#include <string.h>

#include "drm-uapi/amdgpu_drm.h"
#include "sim_priv.h"

#define PAGE_B    4096
#define PADDING_B 4   /* the smallest of any engine */
#define MAX_IBS   192 /* amdgpu_ring_max_ibs() of the kernel, graphics */

/* The submission may use the listed buffers. */
static int
take_list(struct sim *sim, const struct drm_amdgpu_bo_list_in *list)
{
   const struct drm_amdgpu_bo_list_entry *entries =
      (const void *)(uintptr_t)list->bo_info_ptr;

   for (unsigned i = 0; i < list->bo_number; i++) {
      const struct sim_object *object =
         sim_object(sim, entries[i].bo_handle, SIM_BO);

      if (object == NULL)
         return -EINVAL;
      object->bo->last_list = sim->kernel->list;
   }
   return 0;
}

static int
take_fence(struct sim *sim, struct sim_submission *submission,
           const struct drm_amdgpu_cs_chunk_fence *fence)
{
   const struct sim_object *object = sim_object(sim, fence->handle, SIM_BO);

   if (object == NULL || submission->status != NULL ||
       object->bo->size_B != PAGE_B ||
       fence->offset > PAGE_B - sizeof(uint64_t))
      return -EINVAL;
   submission->status = object->bo;
   submission->status->references++;
   submission->status_offset = fence->offset;
   return 0;
}

/* Other engines' commands count as done: nothing here sees their effect. */
static int
take_commands(struct sim_submission *submission,
              const struct drm_amdgpu_cs_chunk_ib *commands)
{
   if (commands->ib_bytes == 0 || commands->ib_bytes % PADDING_B != 0 ||
       submission->ib_count == MAX_IBS)
      return -EINVAL;
   if (commands->ip_type != AMDGPU_HW_IP_GFX &&
       commands->ip_type != AMDGPU_HW_IP_COMPUTE)
      return 0;
   sim_add_ib(submission, commands->va_start, commands->ib_bytes,
              commands->ip_type == AMDGPU_HW_IP_COMPUTE)
      ->is_preemptible = (commands->flags & AMDGPU_IB_FLAG_PREEMPT) != 0;
   submission->is_secure |= (commands->flags & AMDGPU_IB_FLAGS_SECURE) != 0;
   return 0;
}

/* Dependencies are earlier submissions of the same queue. */
static int
take_dependencies(struct sim *sim, const struct drm_amdgpu_cs_chunk_dep *deps,
                  unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      if (sim_object(sim, deps[i].ctx_id, SIM_CONTEXT) == NULL ||
          deps[i].handle > sim->kernel->submitted)
         return -EINVAL;
   }
   return 0;
}

/* Waits need a fence; signals set this submission's. */
static int
take_syncobjs(struct sim *sim, const struct drm_amdgpu_cs_chunk_sem *syncobjs,
              unsigned count, bool is_out)
{
   int result = 0;

   for (unsigned i = 0; i < count && result == 0; i++)
      result = sim_use_syncobj(sim, syncobjs[i].handle, is_out);
   return result;
}

static int
take_chunk(struct sim *sim, struct sim_submission *submission,
           const struct drm_amdgpu_cs_chunk *chunk)
{
   const void *data = (const void *)(uintptr_t)chunk->chunk_data;
   const size_t size_B = chunk->length_dw * sizeof(uint32_t);
   const unsigned syncobj_count =
      size_B / sizeof(struct drm_amdgpu_cs_chunk_sem);

   switch (chunk->chunk_id) {
   case AMDGPU_CHUNK_ID_BO_HANDLES:
      return take_list(sim, data);
   case AMDGPU_CHUNK_ID_IB:
      return take_commands(submission, data);
   case AMDGPU_CHUNK_ID_FENCE:
      return take_fence(sim, submission, data);
   case AMDGPU_CHUNK_ID_DEPENDENCIES:
   case AMDGPU_CHUNK_ID_SCHEDULED_DEPENDENCIES:
      return take_dependencies(sim, data,
                               size_B /
                                  sizeof(struct drm_amdgpu_cs_chunk_dep));
   case AMDGPU_CHUNK_ID_SYNCOBJ_IN:
      return take_syncobjs(sim, data, syncobj_count, false);
   case AMDGPU_CHUNK_ID_SYNCOBJ_OUT:
      return take_syncobjs(sim, data, syncobj_count, true);
   case AMDGPU_CHUNK_ID_CP_GFX_SHADOW: /* of registers */
      return 0;
   default:
      return -EINVAL;
   }
}

/* Chunks with effects beyond the submission come last. */
static int
take_chunks(struct sim *sim, struct sim_submission *submission,
            const struct drm_amdgpu_cs_in *in)
{
   const uint64_t *chunks = (const uint64_t *)(uintptr_t)in->chunks;
   int result = 0;

   for (unsigned is_out = 0; is_out < 2; is_out++) {
      for (unsigned i = 0; result == 0 && i < in->num_chunks; i++) {
         const struct drm_amdgpu_cs_chunk *chunk =
            (const void *)(uintptr_t)chunks[i];

         if ((chunk->chunk_id == AMDGPU_CHUNK_ID_SYNCOBJ_OUT) == is_out)
            result = take_chunk(sim, submission, chunk);
      }
   }
   return result;
}

int
sim_amdgpu_submit(struct sim *sim, void *argument)
{
   union drm_amdgpu_cs *request = argument;
   const struct sim_object *context =
      sim_object(sim, request->in.ctx_id, SIM_CONTEXT);

   /* Only submissions have lists. */
   if (context == NULL || request->in.bo_list_handle != 0)
      return -EINVAL;
   if (context->is_banned)
      return -ECANCELED;

   struct sim_submission *submission = sim_wait_for_room(sim);
   sim->kernel->list++;
   const int result = take_chunks(sim, submission, &request->in);
   if (result != 0) {
      sim_drop(sim, submission);
      return result;
   }
   submission->context = request->in.ctx_id;

   /* A driver may free memory right after a submission that uses it. */
   sim_space_add_listed(&submission->space, &sim->kernel->space,
                        sim->kernel->list);
   sim_submit(sim, submission);
   request->out.handle = sim->kernel->submitted;
   return 0;
}
