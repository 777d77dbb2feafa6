/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * AMD's GPUs through the kernel's amdgpu.
 */

#ifndef PITOT_DRM_AMDGPU_H
#define PITOT_DRM_AMDGPU_H

#include "context.h"

int
pitot_amdgpu_context_create(struct pitot_drm_device *device,
                            struct pitot_cs **cs_out);

/* amdgpu_packets.c: some of struct pitot_drm_context_ops. */

void
pitot_amdgpu_begin(struct pitot_drm_context *context, enum pitot_ring ring);

void
pitot_amdgpu_barrier(struct pitot_drm_context *context, enum pitot_ring ring,
                     enum pitot_barrier kind);

void
pitot_amdgpu_count(struct pitot_drm_context *context);

#endif /* PITOT_DRM_AMDGPU_H */
