/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The commands that begin and end a batch of Intel's, and wait in it.
 */

#include "context.h"

/* Packets. */
#define MI_NOOP             0x00000000
#define MI_BATCH_BUFFER_END 0x05000000
#define PIPELINE_SELECT     0x69040000
#define PIPE_CONTROL        0x7a000004
#define PIPE_CONTROL_DW     6

#define PIPELINE_SELECT_GPGPU 2
#define PIPELINE_SELECT_MASK  (3 << 8) /* Gen9 and later */
#define ADL_N_FIRST_ID        0x46d0
#define ADL_N_LAST_ID         0x46d4

#define GENERATION_9 90

#define STALL_AT_SCOREBOARD (1 << 1)
#define FLUSH_ENABLE        (1 << 7)
#define DEPTH_STALL         (1 << 13)
#define WRITE_IMMEDIATE     (1 << 14)
#define CS_STALL            (1 << 20)

static void
emit_pipe_control(struct pitot_drm_context *context, enum pitot_ring ring,
                  uint32_t flags, uint64_t address, uint64_t value)
{
   const uint32_t packet[PIPE_CONTROL_DW] = {
      PIPE_CONTROL,      flags,
      (uint32_t)address, (uint32_t)(address >> 32),
      (uint32_t)value,   (uint32_t)(value >> 32),
   };

   pitot_drm_emit(context, ring, packet, PIPE_CONTROL_DW);
}

/* Gen9 and Alder Lake-N need a CS stall before a write on this ring. */
static bool
needs_stall_before_write(const struct pitot_drm_context *context)
{
   const unsigned id = context->device->device_id;
   const bool is_adl_n = id >= ADL_N_FIRST_ID && id <= ADL_N_LAST_ID;

   return context->base.gpu->generation == GENERATION_9 || is_adl_n;
}

static void
emit_write(struct pitot_drm_context *context, enum pitot_ring ring,
           uint32_t flags, uint64_t address, uint64_t value)
{
   if (ring == PITOT_RING_COMPUTE && needs_stall_before_write(context))
      emit_pipe_control(context, ring, CS_STALL, 0, 0);
   emit_pipe_control(context, ring, flags | WRITE_IMMEDIATE, address, value);
}

/* Waits on the compute ring, where a stall at the pixel scoreboard would wait
 * for nothing, for a write behind all earlier work.  Every packet there has a
 * CS stall: Gen8 requires it, together with another bit, and Intel's driver
 * for compute has it on all generations.
 */
static void
emit_compute_stall(struct pitot_drm_context *context)
{
   const bool is_gen8 = context->base.gpu->generation < GENERATION_9;

   emit_write(context, PITOT_RING_COMPUTE, CS_STALL,
              pitot_drm_status_address(context, PITOT_DRM_MAX_RINGS), 0);
   emit_pipe_control(context, PITOT_RING_COMPUTE,
                     FLUSH_ENABLE | CS_STALL |
                        (is_gen8 ? STALL_AT_SCOREBOARD : 0),
                     0, 0);
}

void
pitot_drm_intel_barrier(struct pitot_drm_context *context,
                        enum pitot_ring ring, unsigned kind)
{
   if (kind == PITOT_INTEL_BARRIER_DEPTH)
      emit_pipe_control(context, ring, DEPTH_STALL, 0, 0);
   else if (ring == PITOT_RING_COMPUTE)
      emit_compute_stall(context);
   else
      emit_pipe_control(context, ring, CS_STALL | STALL_AT_SCOREBOARD, 0, 0);
}

void
pitot_drm_intel_begin(struct pitot_drm_context *context, enum pitot_ring ring)
{
   const bool has_mask = context->base.gpu->generation >= GENERATION_9;
   const uint32_t packet = PIPELINE_SELECT |
                           (has_mask ? PIPELINE_SELECT_MASK : 0) |
                           PIPELINE_SELECT_GPGPU;

   if (ring == PITOT_RING_COMPUTE)
      pitot_drm_emit(context, ring, &packet, 1);
}

/* A batch writes its number last. */
void
pitot_drm_intel_end(struct pitot_drm_context *context, enum pitot_ring ring)
{
   const uint32_t last[] = { MI_BATCH_BUFFER_END, MI_NOOP };
   const bool is_odd = context->rings[ring].count_dw % 2 != 0;

   pitot_drm_intel_barrier(context, ring, PITOT_BARRIER_STALL);
   emit_write(context, ring, CS_STALL | FLUSH_ENABLE,
              pitot_drm_status_address(context, ring),
              atomic_load(&context->rings[ring].recording));

   /* A batch's length is a multiple of two dwords. */
   pitot_drm_emit(context, ring, last, is_odd ? 1 : 2);
}
