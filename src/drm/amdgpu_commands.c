/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The commands that begin and end a batch of amdgpu, and have the GPU count.
 */

#include "context.h"

/* A command buffer is filled up to a multiple of this length, with the NOPs
 * of the kernel's own rings.
 */
#define PADDING_DW 8
#define NOP_GFX6   0x80000000 /* a packet of type 2 */
#define NOP        0xffff1000 /* one that has no body */

/* Generations. */
#define GFX6  60
#define GFX7  70
#define GFX9  90
#define GFX10 100
#define GFX11 110
#define GFX12 120

/* Packets. */
#define PACKET3(OP, BODY_DW)                                                 \
   (3u << 30 | ((BODY_DW)-1u) << 16 | (uint32_t)(OP) << 8)

#define OP_EVENT_WRITE     0x46
#define OP_ACQUIRE_MEM     0x58
#define OP_SET_CONTEXT_REG 0x69

/* Events, with the index that goes with them. */
#define EVENT_PIPELINESTAT_START      25
#define EVENT_PIPELINESTAT_STOP       26
#define EVENT_PIXEL_PIPE_STAT_CONTROL (56 | 1 << 8)

/* PIXEL_PIPE_STAT_CONTROL: 128 bits between render backends, and which of
 * them: 21 bits in the first dword, the others in the second.
 */
#define STAT_CONTROL_STRIDE_128 (2u << 9)
#define STAT_CONTROL_LOW_SHIFT  11
#define STAT_CONTROL_LOW_BITS   21

/* ACQUIRE_MEM, of all addresses: write L2 back, and invalidate it. */
#define COHER_L2               (1u << 18 | 1u << 23)
#define GCR_L2                 (1u << 14 | 1u << 15)
#define ACQUIRE_SIZE           0xffffffffu
#define ACQUIRE_SIZE_HIGH_GFX9 0xffffffu
#define ACQUIRE_SIZE_HIGH      0x1ffffffu
#define ACQUIRE_POLL_INTERVAL  10

/* DB_COUNT_CONTROL, by its number among the context registers. */
#define DB_COUNT_CONTROL        ((0x28004 - 0x28000) / 4)
#define DB_COUNT_CONTROL_GFX12  ((0x28060 - 0x28000) / 4)
#define COUNT_INCREMENT_DISABLE (1u << 0) /* GFX6 */
#define COUNT_PERFECT           (1u << 1)
#define COUNT_NOT_CONSERVATIVE  (1u << 2) /* GFX10 and later */
#define COUNT_ZPASS_ENABLE      (1u << 8)
#define COUNT_SLICE_EVEN_ENABLE (1u << 24)
#define COUNT_SLICE_ODD_ENABLE  (1u << 28)

static void
emit_event(struct pitot_drm_context *context, uint32_t event)
{
   const uint32_t packet[] = { PACKET3(OP_EVENT_WRITE, 1), event };

   pitot_drm_emit(context, PITOT_RING_RENDER, packet, 2);
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

void
pitot_amdgpu_count(struct pitot_drm_context *context)
{
   const uint32_t packet[] = {
      PACKET3(OP_SET_CONTEXT_REG, 2),
      context->base.gpu->generation >= GFX12 ? DB_COUNT_CONTROL_GFX12
                                             : DB_COUNT_CONTROL,
      count_control(context),
   };
   const bool is_on = context->counting &
                      (PITOT_COUNTING_STATISTICS | PITOT_COUNTING_STREAMOUT);

   pitot_drm_emit(context, PITOT_RING_RENDER, packet, 3);
   emit_event(context,
              is_on ? EVENT_PIPELINESTAT_START : EVENT_PIPELINESTAT_STOP);
}

/* Selects the render backends that write the samples that they counted: those
 * that exist, as AMD's PAL does.
 */
static void
select_backends(struct pitot_drm_context *context)
{
   const uint64_t mask = context->device->amd.rb_mask;
   const uint32_t packet[] = {
      PACKET3(OP_EVENT_WRITE, 3),
      EVENT_PIXEL_PIPE_STAT_CONTROL,
      STAT_CONTROL_STRIDE_128 | (uint32_t)(mask << STAT_CONTROL_LOW_SHIFT),
      (uint32_t)(mask >> STAT_CONTROL_LOW_BITS),
   };

   pitot_drm_emit(context, PITOT_RING_RENDER, packet, 4);
}

/* Invalidates L2, through which the command processor reads from GFX9 on: the
 * CPU may have written to memory since the last batch.  Its engine that reads
 * ahead waits as well.
 */
static void
invalidate_l2(struct pitot_drm_context *context)
{
   static const uint32_t gfx9[] = {
      PACKET3(OP_ACQUIRE_MEM, 6), COHER_L2, ACQUIRE_SIZE,
      ACQUIRE_SIZE_HIGH_GFX9,     0,        0,
      ACQUIRE_POLL_INTERVAL,
   };
   static const uint32_t gfx10[] = {
      PACKET3(OP_ACQUIRE_MEM, 7), 0,      ACQUIRE_SIZE,
      ACQUIRE_SIZE_HIGH,          0,      0,
      ACQUIRE_POLL_INTERVAL,      GCR_L2,
   };

   if (context->base.gpu->generation >= GFX10)
      pitot_drm_emit(context, PITOT_RING_RENDER, gfx10, 8);
   else if (context->base.gpu->generation >= GFX9)
      pitot_drm_emit(context, PITOT_RING_RENDER, gfx9, 7);
}

/* Counting is not part of a hardware context: other contexts may have changed
 * it.
 */
void
pitot_amdgpu_begin(struct pitot_drm_context *context, enum pitot_ring ring)
{
   (void)ring;
   invalidate_l2(context);
   if (context->base.gpu->generation >= GFX11)
      select_backends(context);
   pitot_amdgpu_count(context);
}

void
pitot_amdgpu_end(struct pitot_drm_context *context, enum pitot_ring ring)
{
   const uint32_t nop =
      context->base.gpu->generation == GFX6 ? NOP_GFX6 : NOP;
   const unsigned missing_dw = -context->rings[ring].count_dw % PADDING_DW;

   for (unsigned i = 0; i < missing_dw; i++)
      pitot_drm_emit(context, ring, &nop, 1);
}
