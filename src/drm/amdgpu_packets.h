/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_DRM_AMDGPU_PACKETS_H
#define PITOT_DRM_AMDGPU_PACKETS_H

#include "context.h"

/* As in struct pitot_drm_context_ops. */
void
pitot_amdgpu_begin(struct pitot_drm_context *context, enum pitot_ring ring);

void
pitot_amdgpu_barrier(struct pitot_drm_context *context, enum pitot_ring ring,
                     enum pitot_barrier kind);

void
pitot_amdgpu_count(struct pitot_drm_context *context);

#endif /* PITOT_DRM_AMDGPU_PACKETS_H */
