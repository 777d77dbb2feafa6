/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Intel's table of GPUs, for i915 and xe, and functions of struct
 * pitot_drm_context_ops for i915.
 */

#ifndef PITOT_DRM_INTEL_H
#define PITOT_DRM_INTEL_H

#include "drm_priv.h"

#define GENERATION_12_5 125
#define GENERATION_20   200

/* Fills in the facts of a GPU.  Returns 0; or -errno, and in message the
 * reason, if Pitot does not know it, or not with this driver of the kernel.
 */
int
pitot_drm_intel_identify(struct pitot_drm_device *device, unsigned device_id,
                         unsigned last_generation, unsigned timestamp_bits,
                         char message[PITOT_DRM_MESSAGE_SIZE]);

/* intel_commands.c */
void
pitot_drm_intel_begin(struct pitot_drm_context *context,
                      enum pitot_ring ring);

void
pitot_drm_intel_end(struct pitot_drm_context *context, enum pitot_ring ring);

void
pitot_drm_intel_barrier(struct pitot_drm_context *context,
                        enum pitot_ring ring, unsigned kind);

#endif /* PITOT_DRM_INTEL_H */
