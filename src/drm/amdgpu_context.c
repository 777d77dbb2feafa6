/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A context through amdgpu: one ring, which draws and computes.
 */

#include <errno.h>

#include <drm.h>
#include <amdgpu_drm.h>

#include "amdgpu.h"

#define RING_COUNT 1

/* Leaves the first 4 GiB to who wants short addresses. */
#define FIRST_ADDRESS (UINT64_C(1) << 32)

/* A command buffer is filled up to a multiple of this length. */
#define PADDING_DW 8
#define GFX6       60
#define NOP_GFX6   0x80000000 /* a packet of type 2 */
#define NOP        0xffff1000 /* one that has no body */

struct amdgpu_context {
   struct pitot_drm_context base;
   uint32_t id;
};

static struct amdgpu_context *
to_amdgpu(struct pitot_drm_context *context)
{
   return (struct amdgpu_context *)context;
}

static int
create(struct pitot_drm_context *base)
{
   struct amdgpu_context *context = to_amdgpu(base);
   union drm_amdgpu_ctx request = {
      .in = { .op = AMDGPU_CTX_OP_ALLOC_CTX },
   };
   const int result =
      pitot_drm_ioctl(base->device, DRM_IOCTL_AMDGPU_CTX, &request);

   if (result == 0)
      context->id = request.out.alloc.ctx_id;
   return result;
}

static void
destroy(struct pitot_drm_context *base)
{
   struct amdgpu_context *context = to_amdgpu(base);
   union drm_amdgpu_ctx request = {
      .in = { .op = AMDGPU_CTX_OP_FREE_CTX, .ctx_id = context->id },
   };

   if (context->id != 0)
      pitot_drm_ioctl(base->device, DRM_IOCTL_AMDGPU_CTX, &request);
}

static int
map_address(struct pitot_drm_context *context,
            const struct pitot_drm_buffer *buffer, uint32_t operation)
{
   struct drm_amdgpu_gem_va request = {
      .handle = buffer->handle,
      .operation = operation,
      .flags = AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE |
               AMDGPU_VM_PAGE_EXECUTABLE,
      .va_address = buffer->base.address,
      .map_size = buffer->mapped_B,
   };

   return pitot_drm_ioctl(context->device, DRM_IOCTL_AMDGPU_GEM_VA, &request);
}

static int
allocate(struct pitot_drm_context *context, struct pitot_drm_buffer *buffer)
{
   union drm_amdgpu_gem_create request = {
      .in = {
         .bo_size = buffer->mapped_B,
         .alignment = PITOT_DRM_PAGE_B,
         .domains = AMDGPU_GEM_DOMAIN_GTT,
         .domain_flags = AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED,
      },
   };
   const int result =
      pitot_drm_ioctl(context->device, DRM_IOCTL_AMDGPU_GEM_CREATE, &request);

   if (result != 0)
      return result;
   buffer->handle = request.out.handle;
   return map_address(context, buffer, AMDGPU_VA_OP_MAP);
}

static int
map_offset(struct pitot_drm_context *context, uint32_t handle,
           uint64_t *offset_out)
{
   union drm_amdgpu_gem_mmap request = { .in = { .handle = handle } };
   const int result =
      pitot_drm_ioctl(context->device, DRM_IOCTL_AMDGPU_GEM_MMAP, &request);

   *offset_out = request.out.addr_ptr;
   return result;
}

static void
end(struct pitot_drm_context *context, enum pitot_ring ring)
{
   const uint32_t nop =
      context->base.gpu->generation == GFX6 ? NOP_GFX6 : NOP;

   while (context->rings[ring].count_dw % PADDING_DW != 0)
      pitot_drm_emit(context, ring, &nop, 1);
}

static void
list_entries(struct pitot_drm_context *context)
{
   const struct pitot_drm_ring *ring = &context->rings[0];
   struct drm_amdgpu_bo_list_entry *entries = context->entries;

   for (unsigned i = 0; i < ring->used_count; i++) {
      entries[i] = (struct drm_amdgpu_bo_list_entry){
         .bo_handle = ring->used[i]->handle,
      };
   }
}

static struct drm_amdgpu_cs_chunk
chunk(uint32_t id, const void *data, unsigned size_B)
{
   return (struct drm_amdgpu_cs_chunk){
      .chunk_id = id,
      .length_dw = size_B / sizeof(uint32_t),
      .chunk_data = pitot_drm_pointer(data),
   };
}

static int
submit_chunks(struct amdgpu_context *context,
              const struct drm_amdgpu_cs_chunk *chunks, unsigned count,
              struct pitot_drm_batch *batch)
{
   const struct drm_amdgpu_cs_chunk *pointers[3];

   for (unsigned i = 0; i < count; i++)
      pointers[i] = &chunks[i];

   union drm_amdgpu_cs request = {
      .in = {
         .ctx_id = context->id,
         .num_chunks = count,
         .chunks = pitot_drm_pointer(pointers),
      },
   };
   const int result =
      pitot_drm_ioctl(context->base.device, DRM_IOCTL_AMDGPU_CS, &request);

   batch->fence = request.out.handle;
   return result;
}

static int
submit(struct pitot_drm_context *base, enum pitot_ring ring,
       struct pitot_drm_batch *batch)
{
   const struct pitot_drm_ring *state = &base->rings[ring];

   list_entries(base);
   const struct drm_amdgpu_bo_list_in list = {
      .operation = ~0u, /* neither list is the kernel's to keep */
      .list_handle = ~0u,
      .bo_number = state->used_count,
      .bo_info_size = sizeof(struct drm_amdgpu_bo_list_entry),
      .bo_info_ptr = pitot_drm_pointer(base->entries),
   };
   const struct drm_amdgpu_cs_chunk_ib commands = {
      .va_start = batch->memory->base.address,
      .ib_bytes = state->count_dw * sizeof(uint32_t),
      .ip_type = AMDGPU_HW_IP_GFX,
   };
   /* The kernel has the GPU write the number of the submission at its end. */
   const struct drm_amdgpu_cs_chunk_fence fence = {
      .handle = base->status->handle,
      .offset = ring * sizeof(uint64_t),
   };
   const struct drm_amdgpu_cs_chunk chunks[] = {
      chunk(AMDGPU_CHUNK_ID_BO_HANDLES, &list, sizeof(list)),
      chunk(AMDGPU_CHUNK_ID_IB, &commands, sizeof(commands)),
      chunk(AMDGPU_CHUNK_ID_FENCE, &fence, sizeof(fence)),
   };
   return submit_chunks(to_amdgpu(base), chunks, 3, batch);
}

static int
wait(struct pitot_drm_context *base, enum pitot_ring ring,
     const struct pitot_drm_batch *batch, bool is_look)
{
   union drm_amdgpu_wait_cs request = {
      .in = {
         .handle = batch->fence,
         .timeout = is_look ? 0 : UINT64_MAX,
         .ip_type = AMDGPU_HW_IP_GFX,
         .ctx_id = to_amdgpu(base)->id,
      },
   };
   const int result =
      pitot_drm_ioctl(base->device, DRM_IOCTL_AMDGPU_WAIT_CS, &request);

   (void)ring;
   if (result != 0)
      return result;
   return request.out.status == 0 ? 0 : -ETIME;
}

static uint64_t
seqno(const struct pitot_drm_batch *batch)
{
   return batch->fence;
}

static int
check_health(struct pitot_drm_context *context)
{
   union drm_amdgpu_ctx request = {
      .in = {
         .op = AMDGPU_CTX_OP_QUERY_STATE2,
         .ctx_id = to_amdgpu(context)->id,
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

static const struct pitot_drm_context_ops ops = {
   .size_B = sizeof(struct amdgpu_context),
   .entry_size_B = sizeof(struct drm_amdgpu_bo_list_entry),
   .create = create,
   .destroy = destroy,
   .allocate = allocate,
   .map_offset = map_offset,
   .begin = pitot_amdgpu_begin,
   .end = end,
   .submit = submit,
   .wait = wait,
   .seqno = seqno,
   .barrier = pitot_amdgpu_barrier,
   .count = pitot_amdgpu_count,
   .check_health = check_health,
};

int
pitot_amdgpu_context_create(struct pitot_drm_device *device,
                            struct pitot_cs **cs_out)
{
   return pitot_drm_context_make(device, &ops, RING_COUNT, FIRST_ADDRESS,
                                 cs_out);
}
