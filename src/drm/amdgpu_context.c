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

#include "drm_priv.h"

/* A command buffer is filled up to a multiple of this length. */
#define PADDING_DW 8
#define NOP_GFX6   0x80000000 /* a packet of type 2 */
#define NOP        0xffff1000 /* one that has no body */

/* Generations. */
#define GFX6  60
#define GFX7  70
#define GFX10 100
#define GFX11 110

/* Packets. */
#define PACKET3(OP, BODY_DW)                                                 \
   (3u << 30 | ((BODY_DW)-1u) << 16 | (uint32_t)(OP) << 8)

#define OP_EVENT_WRITE     0x46
#define OP_SET_CONTEXT_REG 0x69

/* Events, with the index that goes with them. */
#define EVENT_CS_PARTIAL_FLUSH        (7 | 4 << 8)
#define EVENT_PS_PARTIAL_FLUSH        (16 | 4 << 8)
#define EVENT_PIPELINESTAT_START      25
#define EVENT_PIPELINESTAT_STOP       26
#define EVENT_PIXEL_PIPE_STAT_CONTROL (56 | 1 << 8)

/* PIXEL_PIPE_STAT_CONTROL: 128 bits between render backends, and which of
 * them: 21 bits in the first dword, the others in the second.
 */
#define STAT_CONTROL_STRIDE_128 (2u << 9)
#define STAT_CONTROL_LOW_SHIFT  11
#define STAT_CONTROL_LOW_BITS   21

/* DB_COUNT_CONTROL, by its number among the context registers. */
#define DB_COUNT_CONTROL        ((0x28004 - 0x28000) / 4)
#define COUNT_INCREMENT_DISABLE (1u << 0) /* GFX6 */
#define COUNT_PERFECT           (1u << 1)
#define COUNT_NOT_CONSERVATIVE  (1u << 2) /* GFX10 and later */
#define COUNT_ZPASS_ENABLE      (1u << 8)
#define COUNT_SLICE_EVEN_ENABLE (1u << 24)
#define COUNT_SLICE_ODD_ENABLE  (1u << 28)

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
            const struct pitot_drm_buffer *buffer)
{
   struct drm_amdgpu_gem_va request = {
      .handle = buffer->handle,
      .operation = AMDGPU_VA_OP_MAP,
      .flags = AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE |
               AMDGPU_VM_PAGE_EXECUTABLE,
      .va_address = buffer->base.address,
      .map_size = buffer->mapped_B,
   };

   return pitot_drm_ioctl(context->device, DRM_IOCTL_AMDGPU_GEM_VA, &request);
}

static int
allocate(struct pitot_drm_context *context, struct pitot_drm_buffer *buffer,
         uint64_t *offset_out)
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

/* Lists the buffers of a batch.  Returns their count. */
static unsigned
list_entries(const struct pitot_drm_context *context, enum pitot_ring ring,
             const struct pitot_drm_batch *batch)
{
   struct drm_amdgpu_bo_list_entry *entries = context->entries;
   unsigned count = 0;

   for (const struct pitot_drm_buffer *buffer = context->buffers;
        buffer != NULL; buffer = buffer->next) {
      if (buffer->last_batch[ring] == batch->number) {
         entries[count++] = (struct drm_amdgpu_bo_list_entry){
            .bo_handle = buffer->handle,
         };
      }
   }
   return count;
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

#define CHUNK_COUNT 3

static int
submit_chunks(struct pitot_drm_context *context,
              const struct drm_amdgpu_cs_chunk chunks[CHUNK_COUNT],
              struct pitot_drm_batch *batch)
{
   const struct drm_amdgpu_cs_chunk *pointers[CHUNK_COUNT] = {
      &chunks[0],
      &chunks[1],
      &chunks[2],
   };
   union drm_amdgpu_cs request = {
      .in = {
         .ctx_id = to_amdgpu(context)->id,
         .num_chunks = CHUNK_COUNT,
         .chunks = pitot_drm_pointer(pointers),
      },
   };
   const int result =
      pitot_drm_ioctl(context->device, DRM_IOCTL_AMDGPU_CS, &request);

   batch->seqno = request.out.handle;
   return result;
}

static int
submit(struct pitot_drm_context *context, enum pitot_ring ring,
       struct pitot_drm_batch *batch)
{
   const struct drm_amdgpu_bo_list_in list = {
      .operation = ~0u, /* neither list is the kernel's to keep */
      .list_handle = ~0u,
      .bo_number = list_entries(context, ring, batch),
      .bo_info_size = sizeof(struct drm_amdgpu_bo_list_entry),
      .bo_info_ptr = pitot_drm_pointer(context->entries),
   };
   const struct drm_amdgpu_cs_chunk_ib commands = {
      .va_start = batch->memory->base.address,
      .ib_bytes = context->rings[ring].count_dw * sizeof(uint32_t),
      .ip_type = AMDGPU_HW_IP_GFX,
   };
   /* The GPU writes the number of the submission at its end. */
   const struct drm_amdgpu_cs_chunk_fence fence = {
      .handle = context->status->handle,
      .offset = ring * sizeof(uint64_t),
   };
   const struct drm_amdgpu_cs_chunk chunks[CHUNK_COUNT] = {
      chunk(AMDGPU_CHUNK_ID_BO_HANDLES, &list, sizeof(list)),
      chunk(AMDGPU_CHUNK_ID_IB, &commands, sizeof(commands)),
      chunk(AMDGPU_CHUNK_ID_FENCE, &fence, sizeof(fence)),
   };
   return submit_chunks(context, chunks, batch);
}

static int
wait(struct pitot_drm_context *base, enum pitot_ring ring,
     const struct pitot_drm_batch *batch, bool is_poll)
{
   union drm_amdgpu_wait_cs request = {
      .in = {
         .handle = batch->seqno,
         .timeout = is_poll ? 0 : UINT64_MAX,
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

static void
emit_event(struct pitot_drm_context *context, uint32_t event)
{
   const uint32_t packet[] = { PACKET3(OP_EVENT_WRITE, 1), event };

   pitot_drm_emit(context, PITOT_RING_RENDER, packet, 2);
}

static void
barrier(struct pitot_drm_context *context, enum pitot_ring ring,
        enum pitot_barrier kind)
{
   (void)ring;
   if (kind != PITOT_BARRIER_STALL)
      return;
   emit_event(context, EVENT_PS_PARTIAL_FLUSH);
   emit_event(context, EVENT_CS_PARTIAL_FLUSH);
}

/* Returns the depth block's setting for counting samples. */
static uint32_t
count_control(const struct pitot_drm_context *context)
{
   const unsigned generation = context->base.gpu->generation;
   const bool is_on = context->counting & PITOT_COUNTING_OCCLUSION;
   uint32_t value = 0;

   if (generation >= GFX10)
      value |= COUNT_NOT_CONSERVATIVE;
   if (generation < GFX7)
      value |= is_on ? 0 : COUNT_INCREMENT_DISABLE;
   else if (is_on)
      value |= COUNT_ZPASS_ENABLE | COUNT_SLICE_EVEN_ENABLE |
               COUNT_SLICE_ODD_ENABLE;

   /* Without this bit some draws count as none, which is wrong for a boolean,
    * too.
    */
   if (is_on)
      value |= COUNT_PERFECT;
   return value;
}

static void
count(struct pitot_drm_context *context)
{
   const uint32_t packet[] = {
      PACKET3(OP_SET_CONTEXT_REG, 2),
      DB_COUNT_CONTROL,
      count_control(context),
   };
   const bool is_on = context->counting &
                      (PITOT_COUNTING_STATISTICS | PITOT_COUNTING_STREAMOUT);

   pitot_drm_emit(context, PITOT_RING_RENDER, packet, 3);
   emit_event(context,
              is_on ? EVENT_PIPELINESTAT_START : EVENT_PIPELINESTAT_STOP);
}

/* Selects the render backends that write the samples that they counted. */
static void
select_backends(struct pitot_drm_context *context)
{
   const unsigned rb_count = context->base.gpu->rb_count;
   const uint64_t mask = (UINT64_C(1) << rb_count) - 1;
   const uint32_t packet[] = {
      PACKET3(OP_EVENT_WRITE, 3),
      EVENT_PIXEL_PIPE_STAT_CONTROL,
      STAT_CONTROL_STRIDE_128 | (uint32_t)(mask << STAT_CONTROL_LOW_SHIFT),
      (uint32_t)(mask >> STAT_CONTROL_LOW_BITS),
   };

   pitot_drm_emit(context, PITOT_RING_RENDER, packet, 4);
}

/* Counting is not part of a hardware context: other contexts may have changed
 * it.
 */
static void
begin(struct pitot_drm_context *context, enum pitot_ring ring)
{
   (void)ring;
   if (context->base.gpu->generation >= GFX11)
      select_backends(context);
   count(context);
}

static void
end(struct pitot_drm_context *context, enum pitot_ring ring)
{
   const uint32_t nop =
      context->base.gpu->generation == GFX6 ? NOP_GFX6 : NOP;

   while (context->rings[ring].count_dw % PADDING_DW != 0)
      pitot_drm_emit(context, ring, &nop, 1);
}

const struct pitot_drm_context_ops pitot_amdgpu_context = {
   .size_B = sizeof(struct amdgpu_context),
   .entry_size_B = sizeof(struct drm_amdgpu_bo_list_entry),
   .ring_count = 1, /* it draws and computes */
   .create = create,
   .destroy = destroy,
   .allocate = allocate,
   .begin = begin,
   .end = end,
   .submit = submit,
   .wait = wait,
   .barrier = barrier,
   .count = count,
   .check_health = check_health,
};
