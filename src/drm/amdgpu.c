/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What an AMD GPU is and what time it has.
 */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <amdgpu_drm.h>

#include "amdgpu.h"

/* 3.27 (Linux 4.20) has lists of buffers in the submission itself. */
#define LEAST_MAJOR 3
#define LEAST_MINOR 27

#define TIMESTAMP_BITS 64
#define HZ_PER_KHZ     1000

/* The first firmware of GFX11's packet fetcher that knows
 * EVENT_WRITE_ZPASS.
 */
#define ZPASS_GENERATION   110
#define ZPASS_FIRMWARE_PFP 1458

static int
query_info(const struct pitot_drm_device *device,
           struct drm_amdgpu_info *request, void *value_out, unsigned size_B)
{
   request->return_pointer = pitot_drm_pointer(value_out);
   request->return_size = size_B;
   return pitot_drm_ioctl(device, DRM_IOCTL_AMDGPU_INFO, request);
}

int
pitot_amdgpu_device_info(const struct pitot_drm_device *device,
                         struct drm_amdgpu_info_device *info_out)
{
   struct drm_amdgpu_info request = { .query = AMDGPU_INFO_DEV_INFO };

   return query_info(device, &request, info_out, sizeof(*info_out));
}

/* Finds out what the firmware knows. */
static int
probe_firmware(struct pitot_drm_device *device)
{
   struct drm_amdgpu_info_firmware firmware = { 0 };
   struct drm_amdgpu_info request = {
      .query = AMDGPU_INFO_FW_VERSION,
      .query_fw.fw_type = AMDGPU_INFO_FW_GFX_PFP,
   };

   if (device->gpu.generation < ZPASS_GENERATION)
      return 0;

   const int result =
      query_info(device, &request, &firmware, sizeof(firmware));
   device->gpu.has_event_write_zpass =
      result == 0 && firmware.ver >= ZPASS_FIRMWARE_PFP;
   return result;
}

static int
check_kernel(const struct pitot_drm_device *device,
             char message[PITOT_DRM_MESSAGE_SIZE])
{
   const int major = device->version[0], minor = device->version[1];

   if (major > LEAST_MAJOR || (major == LEAST_MAJOR && minor >= LEAST_MINOR))
      return 0;

   snprintf(message, PITOT_DRM_MESSAGE_SIZE,
            "the kernel is too old: its amdgpu is %d.%d, and Pitot needs "
            "%d.%d (Linux 4.20)",
            major, minor, LEAST_MAJOR, LEAST_MINOR);
   return -ENOTSUP;
}

/* Kernels tell a wrong number for Kaveri, as Mesa knows. */
static unsigned
rb_count_of(const struct pitot_amdgpu_chip *chip,
            const struct drm_amdgpu_info_device *info)
{
   return strcmp(chip->name, "kaveri") == 0 ? 2 : info->num_rb_pipes;
}

static int
identify(struct pitot_drm_device *device,
         const struct drm_amdgpu_info_device *info,
         char message[PITOT_DRM_MESSAGE_SIZE])
{
   const struct pitot_amdgpu_chip *chip =
      pitot_amdgpu_chip(info->family, info->external_rev);

   device->device_id = info->device_id;
   if (chip == NULL || info->gpu_counter_freq == 0) {
      snprintf(message, PITOT_DRM_MESSAGE_SIZE,
               "the AMD GPU 1002:%04x is none that Pitot knows (GFX6 to "
               "GFX11.5)",
               device->device_id);
      return -ENODEV;
   }

   device->gpu = (struct pitot_gpu){
      .vendor = PITOT_VENDOR_AMD,
      .name = chip->name,
      .generation = chip->generation,
      .timestamp_bits = TIMESTAMP_BITS,
      .timestamp_hz = (uint64_t)info->gpu_counter_freq * HZ_PER_KHZ,
      .rb_count = rb_count_of(chip, info),
      .rb_mask = info->enabled_rb_pipes_mask,
   };
   return 0;
}

static int
probe(struct pitot_drm_device *device, char message[PITOT_DRM_MESSAGE_SIZE])
{
   struct drm_amdgpu_info_device info = { 0 };
   int result = check_kernel(device, message);

   if (result != 0)
      return result;

   result = pitot_amdgpu_device_info(device, &info);
   if (result != 0) {
      snprintf(message, PITOT_DRM_MESSAGE_SIZE,
               "amdgpu does not say which GPU it is");
      return result;
   }
   result = identify(device, &info, message);
   if (result != 0)
      return result;

   result = probe_firmware(device);
   if (result != 0) {
      snprintf(message, PITOT_DRM_MESSAGE_SIZE,
               "amdgpu does not say which firmware it has loaded");
   }
   return result;
}

static int
timestamp(struct pitot_drm_device *device, uint64_t *ticks_out)
{
   struct drm_amdgpu_info request = { .query = AMDGPU_INFO_TIMESTAMP };

   return query_info(device, &request, ticks_out, sizeof(*ticks_out));
}

const struct pitot_drm_family pitot_drm_amdgpu = {
   .driver = "amdgpu",
   .probe = probe,
   .timestamp = timestamp,
   .context_create = pitot_amdgpu_context_create,
};
