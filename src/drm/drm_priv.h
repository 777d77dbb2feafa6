/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared inside drm only: ioctls, and a struct for each kernel driver.
 */

#ifndef PITOT_DRM_PRIV_H
#define PITOT_DRM_PRIV_H

#include "pitot/drm.h"

/* Repeats an ioctl that is interrupted.  Returns 0 or -errno. */
int
pitot_drm_call(const struct pitot_drm_io *io, int fd, unsigned long request,
               void *argument);

static inline uint64_t
pitot_drm_pointer(const void *pointer)
{
   return (uintptr_t)pointer;
}

struct pitot_drm_family {
   const char *driver; /* the name of the kernel driver */

   /* Fills in the device info.  Returns 0; or -errno, and in message the
    * reason, without the device's path.
    */
   int (*probe)(struct pitot_drm_device *device,
                char message[PITOT_DRM_MESSAGE_SIZE]);

   int (*read_clock)(const struct pitot_drm_io *io, int fd,
                     struct pitot_clock_reading *reading_out);

   const struct pitot_drm_context_ops *context; /* NULL: no contexts */
};

extern const struct pitot_drm_family pitot_drm_i915, pitot_drm_xe,
   pitot_drm_amdgpu, pitot_drm_msm;
extern const struct pitot_drm_context_ops pitot_i915_context;
extern const struct pitot_drm_context_ops pitot_amdgpu_context;

int
pitot_drm_ioctl(const struct pitot_drm_device *device, unsigned long request,
                void *argument);

/* Writes a message, cut at its size.  Returns the error. */
int
pitot_drm_fail(char message[PITOT_DRM_MESSAGE_SIZE], int error,
               const char *format, ...)
   __attribute__((__format__(__printf__, 3, 4)));

#define PITOT_DRM_GEN12_5 125
#define PITOT_DRM_GEN30   300

/* Fills in the device info for i915 or xe.  Returns 0; or -errno, and in
 * message the reason, if the GPU is unknown, or newer than last_generation,
 * so that this kernel driver is not supported on it.
 */
int
pitot_drm_intel_identify(struct pitot_drm_device *device, unsigned device_id,
                         unsigned last_generation, unsigned timestamp_bits,
                         char message[PITOT_DRM_MESSAGE_SIZE]);

#endif /* PITOT_DRM_PRIV_H */
