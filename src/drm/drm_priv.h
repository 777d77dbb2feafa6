/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared inside drm only: calls to the kernel, and an entry for each of its
 * drivers.
 */

#ifndef PITOT_DRM_PRIV_H
#define PITOT_DRM_PRIV_H

#include "pitot/drm.h"

/* Calls the kernel until the call is not interrupted.  Returns 0 or -errno.
 */
int
pitot_drm_call(const struct pitot_drm_io *io, int fd, unsigned long request,
               void *argument);

/* Returns a pointer as the kernel takes it. */
static inline uint64_t
pitot_drm_pointer(const void *pointer)
{
   return (uintptr_t)pointer;
}

struct pitot_drm_family {
   const char *driver; /* the kernel's name for it */

   /* Fills in the facts of the device.  Returns 0; or -errno, and in message
    * the reason, without the device's path.
    */
   int (*probe)(struct pitot_drm_device *device,
                char message[PITOT_DRM_MESSAGE_SIZE]);

   int (*read_clock)(const struct pitot_drm_io *io, int fd,
                     struct pitot_clock_reading *reading_out);

   const struct pitot_drm_context_ops *context; /* NULL: there is none */
};

extern const struct pitot_drm_family pitot_drm_i915, pitot_drm_xe,
   pitot_drm_amdgpu, pitot_drm_msm;
extern const struct pitot_drm_context_ops pitot_i915_context;
extern const struct pitot_drm_context_ops pitot_amdgpu_context;

/* Does pitot_drm_call() on a device. */
int
pitot_drm_ioctl(const struct pitot_drm_device *device, unsigned long request,
                void *argument);

/* Writes a message.  Returns the error. */
int
pitot_drm_fail(char message[PITOT_DRM_MESSAGE_SIZE], int error,
               const char *format, ...)
   __attribute__((__format__(__printf__, 3, 4)));

#define PITOT_DRM_GEN12_5 125
#define PITOT_DRM_GEN20   200

/* Fills in the facts of Intel's GPU, for i915 or xe.  Returns 0; or -errno,
 * and in message the reason, if Pitot does not know it, or not with this
 * driver of the kernel.
 */
int
pitot_drm_intel_identify(struct pitot_drm_device *device, unsigned device_id,
                         unsigned last_generation, unsigned timestamp_bits,
                         char message[PITOT_DRM_MESSAGE_SIZE]);

#endif /* PITOT_DRM_PRIV_H */
