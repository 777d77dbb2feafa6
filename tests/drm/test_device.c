/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Devices: their device info, and the reasons to reject one. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rig.h"

TEST_ON_SIM(missing_nodes_are_said, "skl")
{
   sim->open_errno = ENOENT;
   assert_non_null(strstr(rig_refusal(sim, NULL, ENOENT), "no GPU"));
   assert_non_null(strstr(rig_refusal(sim, "/dev/dri/renderD200", ENOENT),
                          "/dev/dri/renderD200: No such file"));
}

TEST_ON_SIM(missing_permission_is_said, "skl")
{
   sim->open_errno = EACCES;
   const char *message = rig_refusal(sim, NULL, EACCES);
   assert_non_null(strstr(message, "/dev/dri/renderD128: Permission denied"));
   assert_non_null(strstr(message, "group"));
   sim->open_errno = EPERM;
   assert_non_null(strstr(rig_refusal(sim, NULL, EPERM), "group"));
   sim->open_errno = EIO;
   assert_null(strstr(rig_refusal(sim, NULL, EIO), "group"));
}

TEST_ON_SIM(unknown_drivers_and_devices_are_said, "skl")
{
   sim->gpu.driver = "nouveau";
   assert_non_null(strstr(rig_refusal(sim, NULL, ENODEV), "nouveau"));
   sim->gpu.driver = "a_driver_of_a_long_name";
   assert_non_null(
      strstr(rig_refusal(sim, NULL, ENODEV), "a_driver_of_a_l,"));
   sim->gpu.driver = "i915";
   sim->gpu.device_id = 0x6420;
   assert_non_null(strstr(rig_refusal(sim, NULL, ENODEV), "driver xe only"));
   sim->gpu.device_id = 0x0166;
   assert_non_null(
      strstr(rig_refusal(sim, NULL, ENODEV), "8086:0166 is none"));

   struct sim *other = sim_create("navi31");
   other->gpu.family = 152;
   assert_non_null(strstr(rig_refusal(other, NULL, ENODEV), "1002:744c"));
   sim_destroy(other);
}

TEST_ON_SIM(old_kernels_are_said, "vega10")
{
   sim->gpu.version[1] = 26;
   assert_non_null(strstr(rig_refusal(sim, NULL, ENOTSUP), "too old"));
}

/* A major version of amdgpu other than 3 is too new or too old. */
TEST_ON_SIM(major_versions_are_compared, "vega10")
{
   sim->gpu.version[0] = 2;
   assert_non_null(strstr(rig_refusal(sim, NULL, ENOTSUP), "too old"));
   sim->gpu.version[0] = 4;
   sim->gpu.version[1] = 0;
   struct pitot_drm_device *device = rig_open_device(sim);
   pitot_drm_close(device);
}

/* A frequency of 0 would divide by 0. */
TEST_ON_SIM(gpus_without_a_clock_are_unknown, "vega10")
{
   sim->gpu.facts.timestamp_hz = 0;
   assert_non_null(strstr(rig_refusal(sim, NULL, ENODEV), "1002:"));
}

TEST_ON_SIM(long_paths_are_cut, "skl")
{
   char path[2 * PITOT_DRM_MESSAGE_SIZE];

   memset(path, 'x', sizeof(path) - 1);
   path[sizeof(path) - 1] = '\0';
   assert_int_equal(strlen(rig_refusal(sim, path, ENOENT)),
                    PITOT_DRM_MESSAGE_SIZE - 1);
}

static int open_flags;

static int
note_flags(void *data, const char *path, int flags)
{
   (void)data, (void)path;
   open_flags = flags;
   errno = ENOENT;
   return -1;
}

TEST_ON_SIM(nodes_are_opened_for_writing, "skl")
{
   sim->io.open = note_flags;
   rig_refusal(sim, "/dev/dri/renderD128", ENOENT);
   assert_int_equal(open_flags, O_RDWR | O_CLOEXEC);
}

static int (*open_simulated)(void *data, const char *path, int flags);
static char last_path[32];

/* The first node is not accessible, the second does not exist, the third is
 * the simulated GPU, and no other exists up to the kernel's last minor.
 */
static int
open_third(void *data, const char *path, int flags)
{
   snprintf(last_path, sizeof(last_path), "%s", path);
   errno = strstr(path, "D128") ? EACCES : ENOENT;
   return strstr(path, "D130")
             ? open_simulated(data, "/dev/dri/renderD128", flags)
             : -1;
}

TEST_ON_SIM(all_nodes_are_tried, "skl")
{
   char message[PITOT_DRM_MESSAGE_SIZE];
   unsigned index = 0;

   open_simulated = sim->io.open;
   sim->io.open = open_third;
   struct pitot_drm_device *device = rig_open_device(sim);
   assert_string_equal(device->path, "/dev/dri/renderD130");
   pitot_drm_close(device);

   assert_int_equal(pitot_drm_open_next(&sim->io, &index, &device, message),
                    -EACCES);
   assert_int_equal(pitot_drm_open_next(&sim->io, &index, &device, message),
                    0);
   pitot_drm_close(device);
   assert_int_equal(pitot_drm_open_next(&sim->io, &index, &device, message),
                    -ENOENT);
   assert_non_null(strstr(last_path, "renderD191"));
}

/* /dev/null opens on the real kernel, but is no GPU. */
TEST_ON_SIM(refused_files_are_closed, "skl")
{
   const int lowest = open("/dev/null", O_RDONLY);

   close(lowest);
   sim->io = pitot_drm_system;
   assert_non_null(
      strstr(rig_refusal(sim, "/dev/null", ENOTTY), "/dev/null: not a GPU"));
   assert_int_equal(open("/dev/null", O_RDONLY), lowest);
   close(lowest);
}

TEST_ON_SIM(facts_are_found_out, EVERY_GPU)
{
   struct pitot_drm_device *device = rig_open_device(sim);
   const struct pitot_gpu *facts = &sim->gpu.facts;

   assert_ptr_equal(device->gpu.family, facts->family);
   assert_string_equal(device->gpu.name, facts->name);
   assert_int_equal(device->gpu.generation, facts->generation);
   assert_int_equal(device->gpu.timestamp_bits, facts->timestamp_bits);
   assert_int_equal(device->gpu.timestamp_hz, facts->timestamp_hz);
   if (facts->family == &pitot_hw_intel) {
      assert_int_equal(device->intel.is_gt4, sim->gpu.intel.is_gt4);
   } else {
      const struct pitot_amd_gpu *amd = &sim->gpu.amd;

      assert_int_equal(device->amd.rb_count, amd->rb_count);
      assert_int_equal(device->amd.rb_mask, amd->rb_mask);
      assert_int_equal(device->amd.has_event_write_zpass,
                       amd->has_event_write_zpass);
   }
   assert_string_equal(device->kernel.driver, sim->gpu.driver);
   assert_int_equal(device->device_id, sim->gpu.device_id);
   assert_int_equal(device->is_discrete, sim->gpu.is_discrete);
   assert_int_equal(device->has_llc, sim->gpu.has_llc);
   assert_int_equal(device->has_pat, sim->gpu.has_pat);
   pitot_drm_close(device);
   assert_int_equal(sim->open_count, 0);
}

TEST_ON_SIM(resets_are_found_out, "skl")
{
   for (unsigned i = 0; i < 2; i++) {
      sim->resets_nothing = i == 1;
      struct pitot_drm_device *device = rig_open_device(sim);
      assert_int_equal(device->has_no_reset, i == 1);
      pitot_drm_close(device);
   }
}

TEST_ON_SIM(firmware_decides_about_zpass, "navi31")
{
   sim->gpu.pfp_version = 1457;
   struct pitot_drm_device *device = rig_open_device(sim);
   assert_false(device->amd.has_event_write_zpass);
   pitot_drm_close(device);
}

/* An interrupted ioctl is repeated. */
TEST_ON_SIM(calls_are_repeated, "skl")
{
   static const int errors[] = { EINTR, EAGAIN };
   struct pitot_drm_device *device = rig_open_device(sim);
   uint64_t ticks;

   for (unsigned i = 0; i < ARRAY_LENGTH(errors); i++) {
      const unsigned before = sim->ioctl_count;

      sim->fail_ioctl_on = before + 1;
      sim->fail_errno = errors[i];
      assert_int_equal(pitot_drm_timestamp(device, &ticks), 0);
      assert_int_equal(sim->ioctl_count, before + 2);
   }
   pitot_drm_close(device);
}

/* Memory stays while it is mapped, and is gone after that. */
TEST(mappings_are_given_back)
{
   const struct pitot_drm_io *io = &pitot_drm_system;
   const size_t size_B = (size_t)getpagesize();
   const int fd = memfd_create("pages", MFD_CLOEXEC);
   unsigned char state;

   assert_int_equal(ftruncate(fd, (off_t)size_B), 0);
   void *memory = io->mmap(io->data, size_B, PROT_READ, MAP_SHARED, fd, 0);
   assert_int_equal(mincore(memory, size_B, &state), 0);
   assert_int_equal(io->munmap(io->data, memory, size_B), 0);
   assert_int_equal(mincore(memory, size_B, &state), -1);
   assert_int_equal(io->close(io->data, fd), 0);
   assert_int_equal(close(fd), -1);
}
