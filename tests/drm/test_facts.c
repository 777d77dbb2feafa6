/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Impossible values in the kernel's replies: Pitot rejects such a GPU. */

#include <errno.h>
#include <string.h>

#include <i915_drm.h>

#include "rig.h"

static void
expect_refusal(struct sim *sim, const char *reason)
{
   assert_non_null(strstr(rig_refusal(sim, NULL, EINVAL), reason));
}

/* Samples have a slot per render backend; a mask of 32 bits selects them. */
TEST_ON_SIM(impossible_backends_are_refused, "polaris10")
{
   static const struct {
      unsigned count;
      uint64_t mask;
   } wrong[] = {
      { 0, 0 }, { 0, 1 }, { 4, 0 }, { 4, 0xf0 }, { 33, 0xf }, { 64, 0xf },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(wrong); i++) {
      sim->gpu.amd.rb_count = wrong[i].count;
      sim->gpu.amd.rb_mask = wrong[i].mask;
      expect_refusal(sim, "render backends");
   }
}

static uint64_t
mask_of(struct sim *sim, unsigned count, uint64_t mask)
{
   sim->gpu.amd.rb_count = count;
   sim->gpu.amd.rb_mask = mask;
   struct pitot_drm_device *device = rig_open_device(sim);
   assert_int_equal(device->amd.rb_count, count);
   const uint64_t found = device->amd.rb_mask;
   pitot_drm_close(device);
   return found;
}

/* Bits of the mask beyond the last backend are ignored. */
TEST_ON_SIM(backends_beyond_the_last_are_none, "polaris10")
{
   assert_int_equal(mask_of(sim, 4, 0x3d), 0xd);
   assert_int_equal(mask_of(sim, 32, UINT32_MAX), UINT32_MAX);
}

/* Times are computed for clocks of up to 2^32 - 1 Hz. */
TEST_ON_SIM(too_fast_clocks_are_refused, "polaris10")
{
   sim->gpu.facts.timestamp_hz = UINT64_C(4294968000);
   expect_refusal(sim, "clock");
}

static int reported_hz;

static int
tell_frequency(void *data, int fd, unsigned long request, void *argument)
{
   const drm_i915_getparam_t *param = argument;
   const int result = rig_ioctl(data, fd, request, argument);

   if (request == DRM_IOCTL_I915_GETPARAM &&
       param->param == I915_PARAM_CS_TIMESTAMP_FREQUENCY)
      *param->value = reported_hz;
   return result;
}

TEST_ON_SIM(clocks_without_frequency_are_refused, "skl")
{
   rig_replace_ioctl(sim, tell_frequency);
   for (reported_hz = -1; reported_hz <= 0; reported_hz++)
      expect_refusal(sim, "clock");
}

/* The mmap version of the kernel; -1: it does not know the parameter. */
static int mmap_version;

static int
tell_mmap_version(void *data, int fd, unsigned long request, void *argument)
{
   const drm_i915_getparam_t *param = argument;

   if (request != DRM_IOCTL_I915_GETPARAM ||
       param->param != I915_PARAM_MMAP_GTT_VERSION)
      return rig_ioctl(data, fd, request, argument);
   *param->value = mmap_version;
   errno = EINVAL;
   return mmap_version < 0 ? -1 : 0;
}

/* The message names the first kernel that has what Pitot needs. */
TEST_ON_SIM(old_kernels_are_refused, "skl")
{
   rig_replace_ioctl(sim, tell_mmap_version);
   for (mmap_version = -1; mmap_version <= 3; mmap_version++)
      assert_non_null(strstr(rig_refusal(sim, NULL, ENOTSUP), "Linux 5.5"));
}

static const char *description;

/* The kernel's description has no 0 at its end. */
static int
describe(void *data, int fd, unsigned long request, void *argument)
{
   struct drm_version *version = argument;
   const size_t size_B = request == DRM_IOCTL_VERSION ? version->desc_len : 0;
   const int result = rig_ioctl(data, fd, request, argument);

   if (size_B)
      strncpy(version->desc, description, size_B);
   return result;
}

TEST_ON_SIM(simulated_gpus_say_so, "skl")
{
   static const struct {
      const char *description;
      bool is_simulated;
   } cases[] = {
      { "simulated", true },
      { "simulate", false },
      { "simulated?", false },
      { "Intel Graphics", false },
   };

   rig_replace_ioctl(sim, describe);
   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      description = cases[i].description;
      struct pitot_drm_device *device = rig_open_device(sim);
      assert_int_equal(device->kernel.is_simulated, cases[i].is_simulated);
      pitot_drm_close(device);
   }
}
