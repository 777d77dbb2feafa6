/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Identifies Intel GPUs through i915.
 */

#include <errno.h>

#include <i915_drm.h>

#include "drm_priv.h"

#define TIMESTAMP_BITS 36

/* Since Linux 5.5, which also has the rest of what a context needs: pinned
 * addresses (4.5), batch-first lists (4.13) and the clock's frequency (4.16).
 */
#define MMAP_BY_OFFSET 4

static int
read_param(const struct pitot_drm_device *device, int param, int *value_out)
{
   struct drm_i915_getparam request = {
      .param = param,
      .value = value_out,
   };

   return pitot_drm_ioctl(device, DRM_IOCTL_I915_GETPARAM, &request);
}

/* A parameter that the kernel does not know is 0. */
static int
param_of(const struct pitot_drm_device *device, int param)
{
   int value = 0;

   return read_param(device, param, &value) == 0 ? value : 0;
}

static int
i915_identify(struct pitot_drm_device *device,
              char message[PITOT_DRM_MESSAGE_SIZE])
{
   int device_id = 0;
   const int result = read_param(device, I915_PARAM_CHIPSET_ID, &device_id);

   if (result != 0)
      return pitot_drm_fail(message, result,
                            "i915 does not say which GPU it is");

   return pitot_drm_intel_identify(device, device_id, PITOT_DRM_GEN12_5,
                                   TIMESTAMP_BITS, message);
}

/* If the kernel does not know the parameter, assume that it resets. */
static bool
has_no_reset(const struct pitot_drm_device *device)
{
   int value = 0;

   return read_param(device, I915_PARAM_HAS_GPU_RESET, &value) == 0 &&
          value == 0;
}

static int
i915_probe(struct pitot_drm_device *device,
           char message[PITOT_DRM_MESSAGE_SIZE])
{
   int hz = 0;
   int result = i915_identify(device, message);

   if (result != 0)
      return result;
   if (param_of(device, I915_PARAM_MMAP_GTT_VERSION) < MMAP_BY_OFFSET)
      return pitot_drm_fail(message, -ENOTSUP,
                            "the kernel is too old: its i915 lacks mapping "
                            "by offset (Linux 5.5)");

   result = read_param(device, I915_PARAM_CS_TIMESTAMP_FREQUENCY, &hz);
   if (result == 0 && hz <= 0)
      result = -EINVAL;
   if (result != 0)
      return pitot_drm_fail(message, result,
                            "i915 does not say how fast its clock is");
   device->gpu.timestamp_hz = hz;
   device->has_llc = param_of(device, I915_PARAM_HAS_LLC) != 0;
   device->has_no_reset = has_no_reset(device);
   return 0;
}

const struct pitot_drm_family pitot_drm_i915 = {
   .driver = "i915",
   .probe = i915_probe,
   .read_clock = pitot_i915_read_clock,
   .context = &pitot_i915_context,
};
