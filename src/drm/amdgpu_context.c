/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A context through amdgpu: one ring, which draws and computes.
 * Invariant: all buffers are in system memory (GTT): the CPU polls them.
 * Danger: -ETIME from the kernel is a hung batch, not a timeout.
 */

#include <errno.h>

#include <drm.h>
#include <amdgpu_drm.h>

#include "context.h"

#define GFX12 120

static int
amdgpu_create(struct pitot_drm_context *context, uint32_t *id_out)
{
   union drm_amdgpu_ctx request = {
      .in = { .op = AMDGPU_CTX_OP_ALLOC_CTX },
   };
   const int result =
      pitot_drm_ioctl(context->device, DRM_IOCTL_AMDGPU_CTX, &request);

   if (result == 0)
      *id_out = request.out.alloc.ctx_id;
   return result;
}

static void
amdgpu_destroy(struct pitot_drm_context *context, uint32_t id)
{
   union drm_amdgpu_ctx request = {
      .in = { .op = AMDGPU_CTX_OP_FREE_CTX, .ctx_id = id },
   };

   pitot_drm_ioctl(context->device, DRM_IOCTL_AMDGPU_CTX, &request);
}

/* From GFX12 on, the command processor does not read through L2, to which
 * render backends and shaders write.  Uncached memory bypasses L2, so that
 * all of them see the same values.
 */
static uint32_t
caching_flags(const struct pitot_drm_context *context)
{
   return context->base.gpu->generation >= GFX12 ? AMDGPU_VM_MTYPE_UC
                                                 : AMDGPU_VM_MTYPE_DEFAULT;
}

static int
map_address(struct pitot_drm_context *context,
            const struct pitot_drm_buffer *buffer)
{
   struct drm_amdgpu_gem_va request = {
      .handle = buffer->handle,
      .operation = AMDGPU_VA_OP_MAP,
      .flags = AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE |
               AMDGPU_VM_PAGE_EXECUTABLE | caching_flags(context),
      .va_address = buffer->base.address,
      .map_size = buffer->mapped_B,
   };

   return pitot_drm_ioctl(context->device, DRM_IOCTL_AMDGPU_GEM_VA, &request);
}

static int
amdgpu_allocate(struct pitot_drm_context *context,
                struct pitot_drm_buffer *buffer, uint64_t *offset_out)
{
   union drm_amdgpu_gem_create request = {
      .in = {
         .bo_size = buffer->mapped_B,
         .alignment = PITOT_DRM_PAGE_B,
         .domains = AMDGPU_GEM_DOMAIN_GTT,
         .domain_flags = AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED,
      },
   };
   int result =
      pitot_drm_ioctl(context->device, DRM_IOCTL_AMDGPU_GEM_CREATE, &request);
   if (result != 0)
      return result;

   buffer->handle = request.out.handle;
   result = map_address(context, buffer);
   if (result != 0)
      return result;

   union drm_amdgpu_gem_mmap map = { .in = { .handle = buffer->handle } };
   result = pitot_drm_ioctl(context->device, DRM_IOCTL_AMDGPU_GEM_MMAP, &map);
   *offset_out = map.out.addr_ptr;
   return result;
}

static void
amdgpu_list(struct pitot_drm_context *context, unsigned index,
            const struct pitot_drm_buffer *buffer)
{
   struct drm_amdgpu_bo_list_entry *entries = context->entries;

   entries[index] = (struct drm_amdgpu_bo_list_entry){
      .bo_handle = buffer->handle,
   };
}

static struct drm_amdgpu_cs_chunk
make_chunk(uint32_t id, const void *data, unsigned size_B)
{
   return (struct drm_amdgpu_cs_chunk){
      .chunk_id = id,
      .length_dw = size_B / sizeof(uint32_t),
      .chunk_data = pitot_drm_pointer(data),
   };
}

static int
amdgpu_submit(struct pitot_drm_context *context, enum pitot_ring ring,
              struct pitot_drm_batch *batch, unsigned buffer_count)
{
   const struct drm_amdgpu_bo_list_in buffers = {
      .operation = ~0u, /* not a list that the kernel keeps */
      .list_handle = ~0u,
      .bo_number = buffer_count,
      .bo_info_size = sizeof(struct drm_amdgpu_bo_list_entry),
      .bo_info_ptr = pitot_drm_pointer(context->entries),
   };
   const struct drm_amdgpu_cs_chunk_ib commands = {
      .va_start = batch->memory->base.address,
      .ib_bytes = context->rings[ring].count_dw * sizeof(uint32_t),
      .ip_type = AMDGPU_HW_IP_GFX,
   };
   /* At the end of the submission the GPU writes its number here. */
   const struct drm_amdgpu_cs_chunk_fence fence = {
      .handle = context->status->handle,
      .offset = ring * sizeof(uint64_t),
   };
   const struct drm_amdgpu_cs_chunk chunks[] = {
      make_chunk(AMDGPU_CHUNK_ID_BO_HANDLES, &buffers, sizeof(buffers)),
      make_chunk(AMDGPU_CHUNK_ID_IB, &commands, sizeof(commands)),
      make_chunk(AMDGPU_CHUNK_ID_FENCE, &fence, sizeof(fence)),
   };
   const struct drm_amdgpu_cs_chunk *pointers[] = { &chunks[0], &chunks[1],
                                                    &chunks[2] };
   union drm_amdgpu_cs request = {
      .in = {
         .ctx_id = context->rings[ring].id,
         .num_chunks = 3,
         .chunks = pitot_drm_pointer(pointers),
      },
   };
   const int result =
      pitot_drm_ioctl(context->device, DRM_IOCTL_AMDGPU_CS, &request);

   batch->seqno = request.out.handle;
   return result;
}

static int
amdgpu_wait(struct pitot_drm_context *context,
            const struct pitot_drm_batch *batch, bool is_poll)
{
   union drm_amdgpu_wait_cs request = {
      .in = {
         .handle = batch->seqno,
         .timeout = is_poll ? 0 : UINT64_MAX,
         .ip_type = AMDGPU_HW_IP_GFX,
         .ctx_id = context->rings[PITOT_RING_RENDER].id,
      },
   };
   const int result =
      pitot_drm_ioctl(context->device, DRM_IOCTL_AMDGPU_WAIT_CS, &request);

   /* A timeout is not an error of this ioctl.  Since Linux 6.12, -ETIME is
    * the error of a batch that hung.
    */
   if (result != 0)
      return result == -ETIME ? -EIO : result;
   return request.out.status == 0 ? 0 : -ETIME;
}

static int
check_health(struct pitot_drm_context *context, uint32_t id)
{
   union drm_amdgpu_ctx request = {
      .in = {
         .op = AMDGPU_CTX_OP_QUERY_STATE2,
         .ctx_id = id,
      },
   };
   const int result =
      pitot_drm_ioctl(context->device, DRM_IOCTL_AMDGPU_CTX, &request);
   const uint64_t resets =
      AMDGPU_CTX_QUERY2_FLAGS_RESET | AMDGPU_CTX_QUERY2_FLAGS_VRAMLOST;

   if (result != 0)
      return result;
   return (request.out.state.flags & resets) != 0 ? -EIO : 0;
}

const struct pitot_drm_context_ops pitot_amdgpu_context = {
   .entry_size_B = sizeof(struct drm_amdgpu_bo_list_entry),
   .ring_count = 1,
   .create = amdgpu_create,
   .destroy = amdgpu_destroy,
   .allocate = amdgpu_allocate,
   .begin = pitot_drm_amd_begin,
   .end = pitot_drm_amd_end,
   .encode = pitot_drm_amd_encode,
   .count = pitot_drm_amd_count,
   .list = amdgpu_list,
   .submit = amdgpu_submit,
   .wait = amdgpu_wait,
   .check_health = check_health,
};
