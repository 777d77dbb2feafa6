/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Identifies Adreno GPUs through msm.
 */

#include <errno.h>

#include <msm_drm.h>

#include "drm_priv.h"

/* Some kernels put a number of the chip's speed into the upper 32 bits. */
#define CHIP_MASK  0xffffffff
#define PATCH_MASK 0xffffff00

static const struct msm_chip {
   uint32_t id, mask;
   const char *name;
   unsigned generation;
} chips[] = {
   { 0x06000500, PATCH_MASK, "a605", 6 },
   { 0x06000800, PATCH_MASK, "a608", 6 },
   { 0x06010000, PATCH_MASK, "a610", 6 },
   { 0x06010200, PATCH_MASK, "a612", 6 },
   { 0x06010500, PATCH_MASK, "a615", 6 },
   { 0x06010600, PATCH_MASK, "a616", 6 },
   { 0x06010800, PATCH_MASK, "a618", 6 },
   { 0x06010900, PATCH_MASK, "a619", 6 },
   { 0x06020000, PATCH_MASK, "a620", 6 },
   { 0x06020100, PATCH_MASK, "a621", 6 },
   { 0x06030000, PATCH_MASK, "a630", 6 },
   { 0x06030500, PATCH_MASK, "a635", 6 },
   { 0x06040000, PATCH_MASK, "a640", 6 },
   { 0x06050000, PATCH_MASK, "a650", 6 },
   { 0x06060000, PATCH_MASK, "a660", 6 },
   { 0x06060200, PATCH_MASK, "a662", 6 },
   { 0x06060300, PATCH_MASK, "a663", 6 },
   { 0x06080000, PATCH_MASK, "a680", 6 },
   { 0x06090000, PATCH_MASK, "a690", 6 },
   { 0x07030002, CHIP_MASK, "a725", 7 },
   { 0x07030001, CHIP_MASK, "a730", 7 },
   { 0x43030b00, CHIP_MASK, "a735", 7 },
   { 0x43050a00, CHIP_MASK, "a32", 7 },
   { 0x43050a01, CHIP_MASK, "a740", 7 },
   { 0x43050b00, CHIP_MASK, "a740", 7 },
   { 0x43050c01, CHIP_MASK, "x1-85", 7 },
   { 0x43051401, CHIP_MASK, "a750", 7 },
};

#define CHIP_COUNT (sizeof(chips) / sizeof(chips[0]))

static const struct msm_chip *
find_chip(uint32_t id)
{
   for (unsigned i = 0; i < CHIP_COUNT; i++) {
      if ((id & chips[i].mask) == chips[i].id)
         return &chips[i];
   }
   return NULL;
}

static int
msm_probe(struct pitot_drm_device *device,
          char message[PITOT_DRM_MESSAGE_SIZE])
{
   struct drm_msm_param request = {
      .pipe = MSM_PIPE_3D0,
      .param = MSM_PARAM_CHIP_ID,
   };
   const int result =
      pitot_drm_ioctl(device, DRM_IOCTL_MSM_GET_PARAM, &request);
   if (result != 0)
      return pitot_drm_fail(message, result,
                            "msm does not say which GPU it is");

   const struct msm_chip *chip = find_chip((uint32_t)request.value);
   if (chip == NULL)
      return pitot_drm_fail(message, -ENODEV,
                            "the Qualcomm GPU 0x%08x is none that Pitot "
                            "knows (Adreno 6xx and 7xx)",
                            (unsigned)request.value);
   device->gpu = (struct pitot_gpu){
      .family = &pitot_hw_adreno,
      .name = chip->name,
      .generation = chip->generation,
      .timestamp_bits = PITOT_ADRENO_TIMESTAMP_BITS,
      .timestamp_hz = PITOT_ADRENO_TIMESTAMP_HZ,
   };
   return 0;
}

const struct pitot_drm_family pitot_drm_msm = {
   .driver = "msm",
   .probe = msm_probe,
   .read_clock = pitot_msm_read_clock,
};
