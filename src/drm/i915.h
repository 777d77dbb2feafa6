/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared between the files of i915: functions of struct
 * pitot_drm_context_ops.
 */

#ifndef PITOT_DRM_I915_H
#define PITOT_DRM_I915_H

#include "drm_priv.h"

void
pitot_i915_begin(struct pitot_drm_context *context, enum pitot_ring ring);

void
pitot_i915_end(struct pitot_drm_context *context, enum pitot_ring ring);

void
pitot_i915_barrier(struct pitot_drm_context *context, enum pitot_ring ring,
                   unsigned kind);

#endif /* PITOT_DRM_I915_H */
