/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared between the files of amdgpu: functions of struct
 * pitot_drm_context_ops.
 */

#ifndef PITOT_DRM_AMDGPU_H
#define PITOT_DRM_AMDGPU_H

#include "drm_priv.h"

void
pitot_amdgpu_begin(struct pitot_drm_context *context, enum pitot_ring ring);

void
pitot_amdgpu_end(struct pitot_drm_context *context, enum pitot_ring ring);

void
pitot_amdgpu_barrier(struct pitot_drm_context *context, enum pitot_ring ring,
                     unsigned kind);

void
pitot_amdgpu_count(struct pitot_drm_context *context);

#endif /* PITOT_DRM_AMDGPU_H */
