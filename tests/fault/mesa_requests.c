/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <stddef.h>
#include <sys/ioctl.h>

#include <amdgpu_drm.h>
#include <i915_drm.h>

#include "mesa_requests.h"

/* Only the number is compared: no two drivers use one number here. */
static const struct request {
   unsigned long code;
   bool is_fatal;   /* stock Mesa does not survive its failure, */
   int fatal;       /* or not with this errno; */
   int survived;    /* but survives this errno */
   bool loses_work; /* work is lost, or its end is not reported */
} requests[] = {
   /* iris aborts, except for EIO: it replaces a banned context. */
   { DRM_IOCTL_I915_GEM_EXECBUFFER2, .is_fatal = true, .survived = EIO,
     .loses_work = true },

   /* radeonsi retries forever. */
   { DRM_IOCTL_AMDGPU_CS, .fatal = ENOMEM, .loses_work = true },

   /* iris writes to memory that it did not get. */
   { DRM_IOCTL_I915_GEM_CREATE, .is_fatal = true },
   { DRM_IOCTL_I915_GEM_CREATE_EXT, .is_fatal = true },
   { DRM_IOCTL_I915_GEM_MMAP_OFFSET, .is_fatal = true },

   /* iris aborts, and radeonsi uses a fence that it did not get. */
   { DRM_IOCTL_SYNCOBJ_CREATE, .is_fatal = true },

   /* Both use a context that they did not get. */
   { DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, .is_fatal = true },
   { DRM_IOCTL_AMDGPU_CTX, .is_fatal = true },

   /* If stream-out's memory cannot be allocated, radeonsi stops counting
    * without an error.
    */
   { DRM_IOCTL_AMDGPU_GEM_CREATE, .is_fatal = true },
   { DRM_IOCTL_AMDGPU_GEM_MMAP, .is_fatal = true },
   { DRM_IOCTL_AMDGPU_GEM_VA, .is_fatal = true },

   /* Fail only with invalid handles, and would leak handles. */
   { DRM_IOCTL_GEM_CLOSE, .is_fatal = true },
   { DRM_IOCTL_SYNCOBJ_DESTROY, .is_fatal = true },
   { DRM_IOCTL_SYNCOBJ_SIGNAL, .is_fatal = true },
   { DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, .is_fatal = true },

   { DRM_IOCTL_SYNCOBJ_WAIT, .loses_work = true },
   { DRM_IOCTL_I915_GEM_WAIT, .loses_work = true },
   { DRM_IOCTL_AMDGPU_WAIT_CS, .loses_work = true },
};

static const struct request *
find(unsigned long code)
{
   for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
      if (_IOC_NR(requests[i].code) == _IOC_NR(code))
         return &requests[i];
   }
   return NULL;
}

bool
mesa_survives(unsigned long code, int error)
{
   const struct request *request = find(code);

   if (!request || error == EINTR || error == EAGAIN)
      return true;
   if (request->is_fatal)
      return error == request->survived;
   return error != request->fatal;
}

bool
mesa_loses_work(unsigned long code, int error)
{
   const struct request *request = find(code);

   return request && request->loses_work && error != EINTR && error != EAGAIN;
}
