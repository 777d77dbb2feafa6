/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The commands that begin and end a batch of Intel's.
 */

#include "context.h"

#define MI_NOOP             0x00000000
#define MI_BATCH_BUFFER_END 0x05000000
#define PIPELINE_SELECT     0x69040000

#define PIPELINE_SELECT_GPGPU 2
#define PIPELINE_SELECT_MASK  (3 << 8) /* Gen9 and later */

#define GENERATION_9 90

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
   uint32_t dw[PITOT_DRM_END_DW];
   struct pitot_drm_packets packets =
      pitot_drm_packets_at(context, ring, dw);

   pitot_drm_intel_stall(&packets);
   pitot_drm_intel_write_number(&packets,
                                pitot_drm_status_address(context, ring),
                                atomic_load(&context->rings[ring].recording));
   pitot_drm_emit(context, ring, dw, (unsigned)(packets.next - dw));

   /* A batch's length is a multiple of two dwords. */
   pitot_drm_emit(context, ring, last, is_odd ? 1 : 2);
}
