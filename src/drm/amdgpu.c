/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Identifies AMD GPUs through amdgpu.
 * Invariant: each accepted GPU is in chips[], so its generation is known.
 * Danger: kernels report wrong render backends (rb_count_of()).
 */

#include <errno.h>
#include <string.h>

#include <amdgpu_drm.h>

#include "drm_priv.h"

/* Since 3.27 (Linux 4.20) a submission may contain its list of buffers. */
#define LEAST_MAJOR 3
#define LEAST_MINOR 27

#define TIMESTAMP_BITS 64
#define HZ_PER_KHZ     1000
#define MAX_BACKENDS   32 /* bits of the kernel's mask */

/* The first PFP firmware of GFX11 with EVENT_WRITE_ZPASS. */
#define ZPASS_GENERATION   110
#define ZPASS_FIRMWARE_PFP 1458

/* A chip is a family and a range of revisions. */
struct amdgpu_chip {
   uint16_t family;
   uint16_t first_revision, last_revision;
   const char *name;
   unsigned generation; /* as in struct pitot_gpu */
};

/* Missing in the libdrm of Debian 12 */
#define AMDGPU_FAMILY_NV3     145
#define AMDGPU_FAMILY_PHX     148
#define AMDGPU_FAMILY_RPL     149
#define AMDGPU_FAMILY_GFX1150 150
#define AMDGPU_FAMILY_MDN     151
#define AMDGPU_FAMILY_GFX12   152

static const struct amdgpu_chip chips[] = {
   { AMDGPU_FAMILY_SI, 0x05, 0x13, "tahiti", 60 },
   { AMDGPU_FAMILY_SI, 0x15, 0x27, "pitcairn", 60 },
   { AMDGPU_FAMILY_SI, 0x29, 0x3b, "verde", 60 },
   { AMDGPU_FAMILY_SI, 0x3c, 0x45, "oland", 60 },
   { AMDGPU_FAMILY_SI, 0x46, 0xfe, "hainan", 60 },
   { AMDGPU_FAMILY_CI, 0x14, 0x27, "bonaire", 70 },
   { AMDGPU_FAMILY_CI, 0x28, 0x3b, "hawaii", 70 },
   { AMDGPU_FAMILY_KV, 0x01, 0x80, "kaveri", 70 },
   { AMDGPU_FAMILY_KV, 0x81, 0xfe, "kabini", 70 },
   { AMDGPU_FAMILY_VI, 0x01, 0x13, "iceland", 80 },
   { AMDGPU_FAMILY_VI, 0x14, 0x27, "tonga", 80 },
   { AMDGPU_FAMILY_VI, 0x3c, 0x4f, "fiji", 80 },
   { AMDGPU_FAMILY_VI, 0x50, 0x59, "polaris10", 80 },
   { AMDGPU_FAMILY_VI, 0x5a, 0x63, "polaris11", 80 },
   { AMDGPU_FAMILY_VI, 0x64, 0x6d, "polaris12", 80 },
   { AMDGPU_FAMILY_VI, 0x6e, 0xfe, "vegam", 80 },
   { AMDGPU_FAMILY_CZ, 0x01, 0x20, "carrizo", 80 },
   { AMDGPU_FAMILY_CZ, 0x61, 0xfe, "stoney", 80 },
   { AMDGPU_FAMILY_AI, 0x01, 0x13, "vega10", 90 },
   { AMDGPU_FAMILY_AI, 0x14, 0x27, "vega12", 90 },
   { AMDGPU_FAMILY_AI, 0x28, 0x31, "vega20", 90 },
   { AMDGPU_FAMILY_RV, 0x01, 0x80, "raven", 90 },
   { AMDGPU_FAMILY_RV, 0x81, 0x8f, "raven2", 90 },
   { AMDGPU_FAMILY_RV, 0x91, 0xfe, "renoir", 90 },
   { AMDGPU_FAMILY_NV, 0x01, 0x09, "navi10", 100 },
   { AMDGPU_FAMILY_NV, 0x0a, 0x13, "navi12", 100 },
   { AMDGPU_FAMILY_NV, 0x14, 0x27, "navi14", 100 },
   { AMDGPU_FAMILY_NV, 0x28, 0x31, "navi21", 103 },
   { AMDGPU_FAMILY_NV, 0x32, 0x3b, "navi22", 103 },
   { AMDGPU_FAMILY_NV, 0x3c, 0x45, "navi23", 103 },
   { AMDGPU_FAMILY_NV, 0x46, 0x4f, "navi24", 103 },
   { AMDGPU_FAMILY_VGH, 0x01, 0xfe, "vangogh", 103 },
   { AMDGPU_FAMILY_YC, 0x01, 0xfe, "rembrandt", 103 },
   { AMDGPU_FAMILY_RPL, 0x01, 0xfe, "raphael", 103 },
   { AMDGPU_FAMILY_MDN, 0x01, 0xfe, "mendocino", 103 },
   { AMDGPU_FAMILY_NV3, 0x01, 0x0f, "navi31", 110 },
   { AMDGPU_FAMILY_NV3, 0x10, 0x1f, "navi33", 110 },
   { AMDGPU_FAMILY_NV3, 0x20, 0xfe, "navi32", 110 },
   { AMDGPU_FAMILY_PHX, 0x01, 0xfe, "phoenix", 110 },
   { AMDGPU_FAMILY_GFX1150, 0x01, 0x3f, "gfx1150", 115 },
   { AMDGPU_FAMILY_GFX1150, 0x40, 0x4f, "gfx1152", 115 },
   { AMDGPU_FAMILY_GFX1150, 0x50, 0xbf, "gfx1153", 115 },
   { AMDGPU_FAMILY_GFX1150, 0xc0, 0xfe, "gfx1151", 115 },
   { AMDGPU_FAMILY_GFX12, 0x40, 0x4f, "navi44", 120 },
   { AMDGPU_FAMILY_GFX12, 0x50, 0xfe, "navi48", 120 },
};

#define CHIP_COUNT (sizeof(chips) / sizeof(chips[0]))

static const struct amdgpu_chip *
find_chip(unsigned family, unsigned revision)
{
   for (unsigned i = 0; i < CHIP_COUNT; i++) {
      if (family == chips[i].family && revision >= chips[i].first_revision &&
          revision <= chips[i].last_revision)
         return &chips[i];
   }
   return NULL;
}

static int
query_info(const struct pitot_drm_device *device,
           struct drm_amdgpu_info request, void *value_out, unsigned size_B)
{
   request.return_pointer = pitot_drm_pointer(value_out);
   request.return_size = size_B;
   return pitot_drm_ioctl(device, DRM_IOCTL_AMDGPU_INFO, &request);
}

static int
check_kernel(const struct pitot_drm_device *device,
             char message[PITOT_DRM_MESSAGE_SIZE])
{
   const int major = device->kernel.number[0],
             minor = device->kernel.number[1];

   if (major > LEAST_MAJOR || (major == LEAST_MAJOR && minor >= LEAST_MINOR))
      return 0;

   return pitot_drm_fail(message, -ENOTSUP,
                         "the kernel is too old: its amdgpu is %d.%d, and "
                         "Pitot needs %d.%d (Linux 4.20)",
                         major, minor, LEAST_MAJOR, LEAST_MINOR);
}

/* Kernels report a wrong number for Kaveri: Mesa has the same workaround. */
static unsigned
rb_count_of(const struct amdgpu_chip *chip,
            const struct drm_amdgpu_info_device *info)
{
   return strcmp(chip->name, "kaveri") == 0 ? 2 : info->num_rb_pipes;
}

/* The count sizes the memory of a sample, which has a slot for each backend:
 * reject a count that cannot be right.
 */
static int
read_backends(struct pitot_amd_gpu *gpu, unsigned rb_count, uint32_t rb_mask,
              char message[PITOT_DRM_MESSAGE_SIZE])
{
   if (rb_count != 0 && rb_count <= MAX_BACKENDS) {
      gpu->rb_count = rb_count;
      gpu->rb_mask = rb_mask & (UINT32_MAX >> (MAX_BACKENDS - rb_count));
   }
   if (gpu->rb_mask != 0)
      return 0;
   return pitot_drm_fail(message, -EINVAL,
                         "amdgpu says that there are %u render backends, of "
                         "the mask 0x%x",
                         rb_count, rb_mask);
}

static int
amdgpu_identify(struct pitot_drm_device *device,
                char message[PITOT_DRM_MESSAGE_SIZE])
{
   struct drm_amdgpu_info_device info = { 0 };
   const int result =
      query_info(device,
                 (struct drm_amdgpu_info){ .query = AMDGPU_INFO_DEV_INFO },
                 &info, sizeof(info));

   if (result != 0)
      return pitot_drm_fail(message, result,
                            "amdgpu does not say which GPU it is");

   const struct amdgpu_chip *chip = find_chip(info.family, info.external_rev);
   if (chip == NULL || info.gpu_counter_freq == 0) {
      return pitot_drm_fail(message, -ENODEV,
                            "the AMD GPU 1002:%04x is none that Pitot knows "
                            "(GFX6 to GFX12)",
                            info.device_id);
   }

   device->device_id = info.device_id;
   device->amd.base = (struct pitot_gpu){
      .family = &pitot_hw_amd,
      .name = chip->name,
      .generation = chip->generation,
      .timestamp_bits = TIMESTAMP_BITS,
      .timestamp_hz = (uint64_t)info.gpu_counter_freq * HZ_PER_KHZ,
   };
   if (device->gpu.timestamp_hz > UINT32_MAX)
      return pitot_drm_fail(message, -EINVAL,
                            "amdgpu says that its clock has %u kHz",
                            info.gpu_counter_freq);
   return read_backends(&device->amd, rb_count_of(chip, &info),
                        info.enabled_rb_pipes_mask, message);
}

static int
probe_firmware(struct pitot_drm_device *device,
               char message[PITOT_DRM_MESSAGE_SIZE])
{
   struct drm_amdgpu_info_firmware firmware = { 0 };
   const struct drm_amdgpu_info request = {
      .query = AMDGPU_INFO_FW_VERSION,
      .query_fw.fw_type = AMDGPU_INFO_FW_GFX_PFP,
   };

   if (device->gpu.generation < ZPASS_GENERATION)
      return 0;

   const int result =
      query_info(device, request, &firmware, sizeof(firmware));
   if (result != 0)
      return pitot_drm_fail(
         message, result, "amdgpu does not say which firmware it has loaded");
   device->amd.has_event_write_zpass = firmware.ver >= ZPASS_FIRMWARE_PFP;
   return 0;
}

static int
amdgpu_probe(struct pitot_drm_device *device,
             char message[PITOT_DRM_MESSAGE_SIZE])
{
   int result = check_kernel(device, message);

   if (result == 0)
      result = amdgpu_identify(device, message);
   return result == 0 ? probe_firmware(device, message) : result;
}

const struct pitot_drm_family pitot_drm_amdgpu = {
   .driver = "amdgpu",
   .probe = amdgpu_probe,
   .read_clock = pitot_amdgpu_read_clock,
   .context = &pitot_amdgpu_context,
};
