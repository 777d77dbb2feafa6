/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * An Intel GPU: its facts and its time.
 */

#include <errno.h>

#include <i915_drm.h>

#include "drm_priv.h"

/* The render engine's TIMESTAMP register, up to Gen12.5. */
#define TIMESTAMP_REGISTER 0x2358
#define TIMESTAMP_BITS     36

#define GENERATION_12_5 125

/* GPUs of one kind: a range of PCI identifiers. */
struct i915_chip {
   uint16_t first_id, last_id;
   const char *name;
   unsigned generation; /* as in struct pitot_gpu */
   bool is_gt4;
   bool is_discrete; /* with memory of its own */
};

/* GPUs by their PCI identifiers.  A range may span identifiers that were
 * never given to a GPU: the kernel's driver is bound to none of those.  The
 * first range that has an identifier counts.
 */
static const struct i915_chip chips[] = {
   { 0x1602, 0x162e, "bdw", 80, false, false },
   { 0x192a, 0x192a, "skl", 90, true, false },
   { 0x1902, 0x192d, "skl", 90, false, false },
   { 0x1932, 0x193d, "skl", 90, true, false },
   { 0x0a84, 0x0a84, "bxt", 90, false, false },
   { 0x1a84, 0x1a85, "bxt", 90, false, false },
   { 0x5a84, 0x5a85, "bxt", 90, false, false },
   { 0x3184, 0x3185, "glk", 90, false, false },
   { 0x5902, 0x5927, "kbl", 90, false, false },
   { 0x593b, 0x593b, "kbl", 90, true, false },
   { 0x87c0, 0x87c0, "kbl", 90, false, false },
   { 0x3e90, 0x3ea9, "cfl", 90, false, false },
   { 0x87ca, 0x87ca, "cfl", 90, false, false },
   { 0x9b21, 0x9bf6, "cfl", 90, false, false },
   { 0x8a50, 0x8a71, "icl", 110, false, false },
   { 0x4541, 0x4571, "ehl", 110, false, false },
   { 0x4e51, 0x4e71, "ehl", 110, false, false },
   { 0x9a40, 0x9af8, "tgl", 120, false, false },
   { 0x4c8a, 0x4c9a, "rkl", 120, false, false },
   { 0x4626, 0x462a, "adl", 120, false, false },
   { 0x4680, 0x4693, "adl", 120, false, false },
   { 0x46d0, 0x46d4, "adln", 120, false, false },
   { 0x46a0, 0x46c3, "adl", 120, false, false },
   { 0xa720, 0xa721, "rpl", 120, false, false },
   { 0xa780, 0xa7ad, "rpl", 120, false, false },
   { 0x4905, 0x4909, "dg1", 120, false, true },
   { 0x5690, 0x56c2, "dg2", 125, false, true },
   { 0x7d41, 0x7d41, "arl", 125, false, false },
   { 0x7d51, 0x7d51, "arl", 125, false, false },
   { 0x7d67, 0x7d67, "arl", 125, false, false },
   { 0x7dd1, 0x7dd1, "arl", 125, false, false },
   { 0xb640, 0xb640, "arl", 125, false, false },
   { 0x7d40, 0x7dd5, "mtl", 125, false, false },
};

#define CHIP_COUNT (sizeof(chips) / sizeof(chips[0]))

static const struct i915_chip *
find_chip(unsigned device_id)
{
   for (unsigned i = 0; i < CHIP_COUNT; i++) {
      if (device_id >= chips[i].first_id && device_id <= chips[i].last_id)
         return &chips[i];
   }
   return NULL;
}

/* The needs of Pitot's own context, and since when the kernel has them. */
static const struct {
   int param;
   int least;
   const char *name;
   const char *since;
} needs[] = {
   { I915_PARAM_HAS_EXEC_SOFTPIN, 1, "pinned addresses", "4.5" },
   { I915_PARAM_HAS_EXEC_BATCH_FIRST, 1, "batch-first lists", "4.13" },
   { I915_PARAM_HAS_EXEC_FENCE_ARRAY, 1, "fence arrays", "4.14" },
   { I915_PARAM_CS_TIMESTAMP_FREQUENCY, 1, "the clock's frequency", "4.16" },
   { I915_PARAM_MMAP_GTT_VERSION, 4, "mapping by offset", "5.5" },
};

#define NEED_COUNT (sizeof(needs) / sizeof(needs[0]))

/* Reads a parameter of the kernel's driver.  Returns 0 or -errno. */
static int
read_param(const struct pitot_drm_device *device, int param, int *value_out)
{
   struct drm_i915_getparam request = {
      .param = param,
      .value = value_out,
   };

   return pitot_drm_ioctl(device, DRM_IOCTL_I915_GETPARAM, &request);
}

/* Returns a parameter, which is 0 if the kernel does not know it. */
static int
param_of(const struct pitot_drm_device *device, int param)
{
   int value = 0;

   return read_param(device, param, &value) == 0 ? value : 0;
}

static int
check_kernel(const struct pitot_drm_device *device,
             char message[PITOT_DRM_MESSAGE_SIZE])
{
   for (unsigned i = 0; i < NEED_COUNT; i++) {
      if (param_of(device, needs[i].param) < needs[i].least) {
         return pitot_drm_fail(
            message, -ENOTSUP,
            "the kernel is too old: its i915 lacks %s (Linux %s)",
            needs[i].name, needs[i].since);
      }
   }
   return 0;
}

static int
identify(struct pitot_drm_device *device,
         char message[PITOT_DRM_MESSAGE_SIZE])
{
   int device_id = 0;
   const int result = read_param(device, I915_PARAM_CHIPSET_ID, &device_id);

   if (result != 0)
      return pitot_drm_fail(message, result,
                            "i915 does not say which GPU it is");

   const struct i915_chip *chip = find_chip(device_id);
   if (chip == NULL) {
      return pitot_drm_fail(message, -ENODEV,
                            "the Intel GPU 8086:%04x is none that Pitot "
                            "knows (Gen8 to Gen12.5)",
                            device_id);
   }

   device->device_id = device_id;
   device->is_discrete = chip->is_discrete;
   device->has_pat =
      chip->generation >= GENERATION_12_5 && !chip->is_discrete;
   device->intel = (struct pitot_intel_gpu){
      .base = {
         .family = &pitot_hw_intel,
         .name = chip->name,
         .generation = chip->generation,
         .timestamp_bits = TIMESTAMP_BITS,
      },
      .is_gt4 = chip->is_gt4,
   };
   return 0;
}

/* A kernel that does not know the parameter is not held to have no reset. */
static bool
has_no_reset(const struct pitot_drm_device *device)
{
   int value = 0;

   return read_param(device, I915_PARAM_HAS_GPU_RESET, &value) == 0 &&
          value == 0;
}

static int
probe(struct pitot_drm_device *device, char message[PITOT_DRM_MESSAGE_SIZE])
{
   int hz = 0;
   int result = identify(device, message);

   if (result == 0)
      result = check_kernel(device, message);
   if (result != 0)
      return result;

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
   .context = &pitot_i915_context,
};
