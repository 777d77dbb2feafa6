/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared inside drm only: a row for each of the kernel's drivers.
 */

#ifndef PITOT_DRM_PRIV_H
#define PITOT_DRM_PRIV_H

#include "pitot/drm.h"

struct pitot_drm_family {
   const char *driver; /* the kernel's name for it */

   /* Fills in the device's GPU.  Returns 0; or -errno, and in message what is
    * wrong, without the device's path.
    */
   int (*probe)(struct pitot_drm_device *device,
                char message[PITOT_DRM_MESSAGE_SIZE]);

   int (*timestamp)(struct pitot_drm_device *device, uint64_t *ticks_out);

   int (*context_create)(struct pitot_drm_device *device,
                         struct pitot_cs **cs_out);
};

extern const struct pitot_drm_family pitot_drm_i915;
extern const struct pitot_drm_family pitot_drm_amdgpu;

/* Calls the kernel, as often as it takes.  Returns 0 or -errno. */
int
pitot_drm_ioctl(const struct pitot_drm_device *device, unsigned long request,
                void *argument);

/* Returns a pointer as the kernel takes it. */
static inline uint64_t
pitot_drm_pointer(const void *pointer)
{
   return (uintptr_t)pointer;
}

#endif /* PITOT_DRM_PRIV_H */
