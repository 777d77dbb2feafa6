/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Calls to the kernel.
 */

#ifndef PITOT_DRM_KERNEL_H
#define PITOT_DRM_KERNEL_H

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

#endif /* PITOT_DRM_KERNEL_H */
