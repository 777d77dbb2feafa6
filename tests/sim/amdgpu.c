/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The ioctls of amdgpu.
 */

#include <errno.h>
#include <string.h>

#include <amdgpu_drm.h>

#include "sim_priv.h"

#define PAGE_SHIFT  12
#define PAGE_SIZE_B 4096
#define HZ_PER_KHZ  1000
#define PADDING_DW  8

static void
answer(const struct drm_amdgpu_info *request, const void *value,
       size_t size_B)
{
   memcpy((void *)(uintptr_t)request->return_pointer, value,
          size_B < request->return_size ? size_B : request->return_size);
}

static void
get_device_info(struct sim *sim, const struct drm_amdgpu_info *request)
{
   const struct sim_gpu *gpu = &sim->gpu;
   const struct drm_amdgpu_info_device info = {
      .device_id = gpu->device_id,
      .external_rev = gpu->revision,
      .family = gpu->family,
      .gpu_counter_freq = gpu->facts.timestamp_hz / HZ_PER_KHZ,
      .enabled_rb_pipes_mask = gpu->facts.rb_mask,
      .num_rb_pipes = gpu->facts.rb_count,
   };

   answer(request, &info, sizeof(info));
}

static int
get_info(struct sim *sim, const struct drm_amdgpu_info *request)
{
   const struct drm_amdgpu_info_firmware firmware = {
      .ver = sim->gpu.pfp_version,
   };
   uint64_t ticks;

   switch (request->query) {
   case AMDGPU_INFO_DEV_INFO:
      get_device_info(sim, request);
      return 0;
   case AMDGPU_INFO_FW_VERSION:
      answer(request, &firmware, sizeof(firmware));
      return 0;
   case AMDGPU_INFO_TIMESTAMP:
      ticks = sim_tick(sim, sim->ticks_per_read);
      answer(request, &ticks, sizeof(ticks));
      return 0;
   default:
      return -EINVAL;
   }
}

static int
create_bo(struct sim *sim, union drm_amdgpu_gem_create *request)
{
   const uint32_t handle = sim_new_bo(sim, request->in.bo_size);

   request->out.handle = handle;
   return handle != 0 ? 0 : -ENOMEM;
}

static int
map_offset(struct sim *sim, union drm_amdgpu_gem_mmap *request)
{
   const uint32_t handle = request->in.handle;

   if (sim_object(sim, handle, SIM_BO) == NULL)
      return -ENOENT;
   request->out.addr_ptr = (uint64_t)handle << PAGE_SHIFT;
   return 0;
}

static int
map_address(struct sim *sim, const struct drm_amdgpu_gem_va *request)
{
   const struct sim_object *object = sim_object(sim, request->handle, SIM_BO);

   if (object == NULL)
      return -ENOENT;
   if (request->operation != AMDGPU_VA_OP_MAP ||
       request->va_address % PAGE_SIZE_B != 0)
      return -EINVAL;
   sim_space_add(&sim->kernel->space, (struct sim_map){
                                         .address = request->va_address,
                                         .size_B = request->map_size,
                                         .bo = object->bo,
                                         .offset_B = request->offset_in_bo,
                                      });
   return 0;
}

static int
use_context(struct sim *sim, union drm_amdgpu_ctx *request)
{
   const uint32_t op = request->in.op;
   const uint32_t id = request->in.ctx_id;
   const struct sim_object *context = sim_object(sim, id, SIM_CONTEXT);

   if (op == AMDGPU_CTX_OP_ALLOC_CTX) {
      memset(request, 0, sizeof(*request));
      request->out.alloc.ctx_id = sim_new_object(sim, SIM_CONTEXT);
      return request->out.alloc.ctx_id != 0 ? 0 : -ENOMEM;
   }
   if (context == NULL)
      return -EINVAL;
   if (op == AMDGPU_CTX_OP_FREE_CTX) {
      sim_free_object(sim, id);
      return 0;
   }
   if (op != AMDGPU_CTX_OP_QUERY_STATE2)
      return -EINVAL;

   memset(request, 0, sizeof(*request));
   if (sim->kernel->was_reset)
      request->out.state.flags |= AMDGPU_CTX_QUERY2_FLAGS_RESET;
   if (context->is_banned)
      request->out.state.flags |= AMDGPU_CTX_QUERY2_FLAGS_GUILTY;
   return 0;
}

/* Every buffer that is listed has to be there. */
static int
check_list(struct sim *sim, const struct drm_amdgpu_bo_list_in *list)
{
   const struct drm_amdgpu_bo_list_entry *entries =
      (const void *)(uintptr_t)list->bo_info_ptr;

   for (unsigned i = 0; i < list->bo_number; i++) {
      if (sim_object(sim, entries[i].bo_handle, SIM_BO) == NULL)
         return -EINVAL;
   }
   return 0;
}

static int
take_fence(struct sim *sim, struct sim_submission *submission,
           const struct drm_amdgpu_cs_chunk_fence *fence)
{
   const struct sim_object *object = sim_object(sim, fence->handle, SIM_BO);

   if (object == NULL || object->bo->size_B != PAGE_SIZE_B)
      return -EINVAL;
   submission->status = object->bo;
   submission->status_offset = fence->offset;
   return 0;
}

static int
take_commands(struct sim_submission *submission,
              const struct drm_amdgpu_cs_chunk_ib *commands)
{
   if (commands->ib_bytes == 0 ||
       commands->ib_bytes % (PADDING_DW * sizeof(uint32_t)) != 0)
      return -EINVAL;
   submission->address = commands->va_start;
   submission->size_B = commands->ib_bytes;
   return 0;
}

static int
take_chunk(struct sim *sim, struct sim_submission *submission,
           const struct drm_amdgpu_cs_chunk *chunk)
{
   const void *data = (const void *)(uintptr_t)chunk->chunk_data;

   switch (chunk->chunk_id) {
   case AMDGPU_CHUNK_ID_BO_HANDLES:
      return check_list(sim, data);
   case AMDGPU_CHUNK_ID_IB:
      return take_commands(submission, data);
   case AMDGPU_CHUNK_ID_FENCE:
      return take_fence(sim, submission, data);
   default:
      return -EINVAL;
   }
}

static int
submit(struct sim *sim, union drm_amdgpu_cs *request)
{
   const uint64_t *chunks = (const uint64_t *)(uintptr_t)request->in.chunks;
   const struct sim_object *context =
      sim_object(sim, request->in.ctx_id, SIM_CONTEXT);
   struct sim_submission *submission = sim_new_submission(sim);
   int result = 0;

   if (context == NULL)
      return -EINVAL;
   if (context->is_banned)
      return -ECANCELED;
   if (submission == NULL)
      return -ENOMEM;

   for (unsigned i = 0; result == 0 && i < request->in.num_chunks; i++)
      result =
         take_chunk(sim, submission, (const void *)(uintptr_t)chunks[i]);
   if (result != 0)
      return result;

   submission->context = request->in.ctx_id;
   if (submission->status != NULL)
      submission->status->references++;
   sim_submit(sim, submission);
   request->out.handle = sim->kernel->submitted;
   return 0;
}

static int
wait(struct sim *sim, union drm_amdgpu_wait_cs *request)
{
   const uint64_t number = request->in.handle;
   const struct sim_object *context =
      sim_object(sim, request->in.ctx_id, SIM_CONTEXT);
   const bool is_done = sim_wait(sim, number, request->in.timeout == 0);

   if (context == NULL)
      return -EINVAL;
   if (is_done && number <= sim->kernel->last_lost && context->is_banned)
      return -ECANCELED;
   request->out.status = !is_done;
   return 0;
}

int
sim_amdgpu_ioctl(struct sim *sim, unsigned long request, void *argument)
{
   switch (request) {
   case DRM_IOCTL_AMDGPU_INFO:
      return get_info(sim, argument);
   case DRM_IOCTL_AMDGPU_GEM_CREATE:
      return create_bo(sim, argument);
   case DRM_IOCTL_AMDGPU_GEM_MMAP:
      return map_offset(sim, argument);
   case DRM_IOCTL_AMDGPU_GEM_VA:
      return map_address(sim, argument);
   case DRM_IOCTL_AMDGPU_CTX:
      return use_context(sim, argument);
   case DRM_IOCTL_AMDGPU_CS:
      return submit(sim, argument);
   case DRM_IOCTL_AMDGPU_WAIT_CS:
      return wait(sim, argument);
   default:
      return -ENOTTY;
   }
}
