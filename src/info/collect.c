/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "info.h"

#include "pitot/hw.h"

/* Asks who samples what can be sampled: that takes a context. */
static int
collect_queries(struct info_device *info, struct pitot_drm_device *device)
{
   struct pitot_cs *cs;
   struct pitot_hw *hw;
   int result = pitot_drm_context_create(device, &cs);

   if (result != 0)
      return result;

   result = pitot_hw_create(cs, &hw);
   if (result == 0) {
      for (unsigned kind = 0; kind < PITOT_KIND_COUNT; kind++)
         info->bits[kind] = pitot_hw_counter_bits(hw, kind);
      pitot_hw_destroy(hw);
   }
   pitot_drm_context_destroy(cs);
   return result;
}

void
info_collect(struct info_device *info, const char *path,
             struct pitot_drm_device *device)
{
   *info = (struct info_device){ .device = device };
   snprintf(info->path, sizeof(info->path), "%s", path);
   info->calibration_error = pitot_drm_calibrate(device, &info->calibration);
   info->query_error = collect_queries(info, device);
}

const char *
info_generation(const struct pitot_gpu *gpu, char *text, size_t size)
{
   const char *prefix = gpu->vendor == PITOT_VENDOR_INTEL ? "Gen" : "GFX";
   const unsigned major = gpu->generation / 10;
   const unsigned minor = gpu->generation % 10;

   if (minor == 0)
      snprintf(text, size, "%s%u", prefix, major);
   else
      snprintf(text, size, "%s%u.%u", prefix, major, minor);
   return text;
}

const char *
info_reason(void)
{
   return "this GPU counts it only with the help of its driver's shaders";
}
