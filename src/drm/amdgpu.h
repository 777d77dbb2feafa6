/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * AMD's GPUs as the kernel's amdgpu knows them.
 */

#ifndef PITOT_DRM_AMDGPU_H
#define PITOT_DRM_AMDGPU_H

#include "drm_priv.h"

struct drm_amdgpu_info_device;

/* GPUs of one kind: a family, and a range of revisions in it. */
struct pitot_amdgpu_chip {
   uint16_t family;
   uint16_t first_revision, last_revision;
   const char *name;
   unsigned generation; /* as in struct pitot_gpu */
};

/* Returns the row of a GPU, or NULL. */
const struct pitot_amdgpu_chip *
pitot_amdgpu_chip(unsigned family, unsigned revision);

/* Asks the kernel about the device.  Returns 0 or -errno. */
int
pitot_amdgpu_device_info(const struct pitot_drm_device *device,
                         struct drm_amdgpu_info_device *info_out);

int
pitot_amdgpu_context_create(struct pitot_drm_device *device,
                            struct pitot_cs **stream_out);

#endif /* PITOT_DRM_AMDGPU_H */
