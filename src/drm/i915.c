/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What an Intel GPU is and what time it has.
 */

#include <errno.h>
#include <stdio.h>

#include <i915_drm.h>

#include "i915.h"

/* The render engine's TIMESTAMP register, up to Gen12.5. */
#define TIMESTAMP_REGISTER 0x2358
#define TIMESTAMP_BITS     36

/* What a context of Pitot's own needs, and since when the kernel has it. */
static const struct {
   int param;
   int least;
   const char *what;
   const char *since;
} needs[] = {
   { I915_PARAM_HAS_EXEC_SOFTPIN, 1, "pinned addresses", "4.5" },
   { I915_PARAM_HAS_EXEC_BATCH_FIRST, 1, "batch-first lists", "4.13" },
   { I915_PARAM_HAS_EXEC_FENCE_ARRAY, 1, "fence arrays", "4.14" },
   { I915_PARAM_CS_TIMESTAMP_FREQUENCY, 1, "the clock's frequency", "4.16" },
   { I915_PARAM_MMAP_GTT_VERSION, 4, "mapping by offset", "5.5" },
};

#define NEED_COUNT (sizeof(needs) / sizeof(needs[0]))

/* Reads a parameter.  Returns 0 or -errno. */
static int
read_param(const struct pitot_drm_device *device, int param, int *value_out)
{
   struct drm_i915_getparam request = {
      .param = param,
      .value = value_out,
   };

   return pitot_drm_ioctl(device, DRM_IOCTL_I915_GETPARAM, &request);
}

int
pitot_i915_param(const struct pitot_drm_device *device, int param)
{
   int value = 0;

   return read_param(device, param, &value) == 0 ? value : 0;
}

static int
check_kernel(const struct pitot_drm_device *device,
             char message[PITOT_DRM_MESSAGE_SIZE])
{
   for (unsigned i = 0; i < NEED_COUNT; i++) {
      if (pitot_i915_param(device, needs[i].param) >= needs[i].least)
         continue;

      snprintf(message, PITOT_DRM_MESSAGE_SIZE,
               "the kernel is too old: its i915 lacks %s (Linux %s)",
               needs[i].what, needs[i].since);
      return -ENOTSUP;
   }
   return 0;
}

static int
read_frequency(struct pitot_drm_device *device,
               char message[PITOT_DRM_MESSAGE_SIZE])
{
   int hz = 0;
   const int result =
      read_param(device, I915_PARAM_CS_TIMESTAMP_FREQUENCY, &hz);

   if (result != 0)
      snprintf(message, PITOT_DRM_MESSAGE_SIZE,
               "i915 does not say how fast its clock is");
   device->gpu.timestamp_hz = hz;
   return result;
}

static int
probe(struct pitot_drm_device *device, char message[PITOT_DRM_MESSAGE_SIZE])
{
   int device_id = 0;
   int result = read_param(device, I915_PARAM_CHIPSET_ID, &device_id);

   if (result != 0) {
      snprintf(message, PITOT_DRM_MESSAGE_SIZE,
               "i915 does not say which GPU it is");
      return result;
   }

   const struct pitot_i915_chip *chip = pitot_i915_chip(device_id);
   device->device_id = device_id;
   if (chip == NULL) {
      snprintf(message, PITOT_DRM_MESSAGE_SIZE,
               "the Intel GPU 8086:%04x is none that Pitot knows (Gen8 to "
               "Gen12.5)",
               device->device_id);
      return -ENODEV;
   }

   device->gpu = (struct pitot_gpu){
      .vendor = PITOT_VENDOR_INTEL,
      .name = chip->name,
      .generation = chip->generation,
      .is_gt4 = chip->is_gt4,
      .timestamp_bits = TIMESTAMP_BITS,
   };
   result = check_kernel(device, message);
   return result == 0 ? read_frequency(device, message) : result;
}

static int
timestamp(struct pitot_drm_device *device, uint64_t *ticks_out)
{
   struct drm_i915_reg_read request = {
      .offset = TIMESTAMP_REGISTER | I915_REG_READ_8B_WA,
   };
   const int result =
      pitot_drm_ioctl(device, DRM_IOCTL_I915_REG_READ, &request);

   if (result == 0)
      *ticks_out = request.val & ((UINT64_C(1) << TIMESTAMP_BITS) - 1);
   return result;
}

const struct pitot_drm_family pitot_drm_i915 = {
   .driver = "i915",
   .probe = probe,
   .timestamp = timestamp,
   .context_create = pitot_i915_context_create,
};
