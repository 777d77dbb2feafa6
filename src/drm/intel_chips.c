/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Intel's GPUs by PCI ID, for i915 and xe.  The first range that contains an
 * ID counts.  A range may contain unused IDs, to which no kernel driver
 * binds.
 */

#include <errno.h>

#include "drm_priv.h"

struct chip {
   uint16_t first_id, last_id;
   const char *name;
   unsigned generation; /* as in struct pitot_gpu */
   bool is_gt4;
   bool is_discrete; /* with memory of its own */
};

static const struct chip chips[] = {
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
   { 0x6420, 0x64b0, "lnl", 200, false, false },
   { 0xe202, 0xe216, "bmg", 200, false, true },
   { 0xb080, 0xb0b0, "ptl", 300, false, false },
};

#define CHIP_COUNT (sizeof(chips) / sizeof(chips[0]))

static const struct chip *
find_chip(unsigned device_id)
{
   for (unsigned i = 0; i < CHIP_COUNT; i++) {
      if (device_id >= chips[i].first_id && device_id <= chips[i].last_id)
         return &chips[i];
   }
   return NULL;
}

int
pitot_drm_intel_identify(struct pitot_drm_device *device, unsigned device_id,
                         unsigned last_generation, unsigned timestamp_bits,
                         char message[PITOT_DRM_MESSAGE_SIZE])
{
   const struct chip *chip = find_chip(device_id);

   if (chip == NULL)
      return pitot_drm_fail(message, -ENODEV,
                            "the Intel GPU 8086:%04x is none that Pitot "
                            "knows (Gen8 to Gen30)",
                            device_id);
   if (chip->generation > last_generation)
      return pitot_drm_fail(message, -ENODEV,
                            "Pitot reads the Intel GPU %s (8086:%04x) by the "
                            "kernel's driver xe only",
                            chip->name, device_id);
   device->device_id = device_id;
   device->is_discrete = chip->is_discrete;
   device->has_pat =
      chip->generation >= PITOT_DRM_GEN12_5 && !chip->is_discrete;
   device->intel = (struct pitot_intel_gpu){
      .base = {
         .family = &pitot_hw_intel,
         .name = chip->name,
         .generation = chip->generation,
         .timestamp_bits = timestamp_bits,
      },
      .is_gt4 = chip->is_gt4,
   };
   return 0;
}
