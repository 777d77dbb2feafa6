/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Devices: which they are, what time they have, why one is of no use.
 */

#include <errno.h>
#include <string.h>
#include <time.h>

#include "pitot/clock.h"
#include "rig.h"

/* Opens a device that is of no use, and returns the message about it. */
static const char *
refusal(struct sim *sim, const char *path, int error)
{
   static char message[PITOT_DRM_MESSAGE_SIZE];
   struct pitot_drm_device *device;

   assert_int_equal(pitot_drm_open(&sim->io, path, &device, message), -error);
   assert_int_equal(sim->open_count, 0);
   assert_null(strchr(message, '\n'));
   return message;
}

static void
missing_nodes_are_said(struct sim *sim)
{
   sim->open_errno = ENOENT;
   assert_non_null(strstr(refusal(sim, NULL, ENOENT), "no GPU"));
   assert_non_null(strstr(refusal(sim, "/dev/dri/renderD200", ENOENT),
                          "/dev/dri/renderD200: No such file"));
}

static void
missing_permission_is_said(struct sim *sim)
{
   sim->open_errno = EACCES;
   const char *message = refusal(sim, NULL, EACCES);
   assert_non_null(strstr(message, "/dev/dri/renderD128: Permission denied"));
   assert_non_null(strstr(message, "group"));
}

static void
unknown_drivers_and_devices_are_said(struct sim *sim)
{
   sim->gpu.driver = "nouveau";
   assert_non_null(strstr(refusal(sim, NULL, ENODEV), "nouveau"));
   sim->gpu.driver = "a_driver_of_a_long_name";
   assert_non_null(strstr(refusal(sim, NULL, ENODEV), "a_driver_of_a_l"));
   sim->gpu.driver = "i915";
   sim->gpu.device_id = 0x7d40;
   assert_non_null(strstr(refusal(sim, NULL, ENODEV), "8086:7d40"));

   struct sim *other = sim_create("navi31");
   other->gpu.family = 152;
   assert_non_null(strstr(refusal(other, NULL, ENODEV), "1002:744c"));
   sim_destroy(other);
}

static void
old_kernels_are_said(struct sim *sim)
{
   sim->gpu.version[1] = 26;
   assert_non_null(strstr(refusal(sim, NULL, ENOTSUP), "too old"));

   struct sim *other = sim_create("skl");
   other->gpu.facts.timestamp_hz = 0;
   assert_non_null(strstr(refusal(other, NULL, ENOTSUP), "Linux 4.16"));
   sim_destroy(other);
}

static void
long_paths_are_cut(struct sim *sim)
{
   char path[2 * PITOT_DRM_MESSAGE_SIZE];

   memset(path, 'x', sizeof(path) - 1);
   path[sizeof(path) - 1] = '\0';
   assert_true(strlen(refusal(sim, path, ENOENT)) < PITOT_DRM_MESSAGE_SIZE);
}

static struct pitot_drm_device *
open_device(struct sim *sim)
{
   struct pitot_drm_device *device = NULL;
   char message[PITOT_DRM_MESSAGE_SIZE] = "";

   if (pitot_drm_open(&sim->io, NULL, &device, message) != 0)
      fail_msg("%s", message);
   return device;
}

static void
facts_are_found_out(struct sim *sim)
{
   struct pitot_drm_device *device = open_device(sim);
   const struct pitot_gpu *facts = &sim->gpu.facts;

   assert_int_equal(device->gpu.vendor, facts->vendor);
   assert_string_equal(device->gpu.name, facts->name);
   assert_int_equal(device->gpu.generation, facts->generation);
   assert_int_equal(device->gpu.timestamp_bits, facts->timestamp_bits);
   assert_int_equal(device->gpu.timestamp_hz, facts->timestamp_hz);
   assert_int_equal(device->gpu.rb_count, facts->rb_count);
   assert_int_equal(device->gpu.rb_mask, facts->rb_mask);
   assert_int_equal(device->gpu.has_event_write_zpass,
                    facts->has_event_write_zpass);
   assert_int_equal(device->gpu.is_gt4, facts->is_gt4);
   assert_string_equal(device->driver, sim->gpu.driver);
   assert_int_equal(device->device_id, sim->gpu.device_id);
   pitot_drm_close(device);
   assert_int_equal(sim->open_count, 0);
}

static void
firmware_decides_about_zpass(struct sim *sim)
{
   sim->gpu.pfp_version = 1457;
   struct pitot_drm_device *device = open_device(sim);
   assert_false(device->gpu.has_event_write_zpass);
   pitot_drm_close(device);
}

static void
foreign_files_stay_open(struct sim *sim)
{
   struct pitot_drm_device *device;
   char message[PITOT_DRM_MESSAGE_SIZE];

   const int fd = sim->io.open(sim->io.data, "/dev/dri/renderD128", 0);
   assert_int_equal(pitot_drm_open_fd(&sim->io, fd, &device, message), 0);
   pitot_drm_close(device);
   assert_int_equal(sim->open_count, 1);
   pitot_drm_close(NULL);
}

static void
timestamps_have_their_width(struct sim *sim)
{
   struct pitot_drm_device *device = open_device(sim);
   const unsigned bits = sim->gpu.facts.timestamp_bits;
   uint64_t before, after;

   sim->now_ticks = UINT64_MAX >> (64 - bits);
   sim->ticks_per_read = 0;
   assert_int_equal(pitot_drm_timestamp(device, &before), 0);
   assert_int_equal(before, sim->now_ticks);
   sim->ticks_per_read = 5;
   assert_int_equal(pitot_drm_timestamp(device, &after), 0);
   assert_int_equal(after, 4);
   pitot_drm_close(device);
}

static uint64_t
cpu_time_ns(void)
{
   struct timespec now;

   clock_gettime(CLOCK_MONOTONIC, &now);
   return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

/* It is off by a tick, and half of the time that it took at most. */
static void
calibration_has_a_bound(struct sim *sim)
{
   struct pitot_drm_device *device = open_device(sim);
   struct pitot_drm_calibration first, second;

   sim->ticks_per_read = 0;
   const uint64_t tick_ns = pitot_ticks_to_ns(1, device->gpu.timestamp_hz);
   const uint64_t begin_ns = cpu_time_ns();
   assert_int_equal(pitot_drm_calibrate(device, &first), 0);
   const uint64_t took_ns = cpu_time_ns() - begin_ns;
   assert_int_equal(pitot_drm_calibrate(device, &second), 0);
   assert_true(second.cpu_ns + second.error_ns >=
               first.cpu_ns - first.error_ns);
   assert_in_range(first.error_ns, tick_ns, tick_ns + took_ns / 2 + 2);
   pitot_drm_close(device);
}

static void
calibration_tells_errors(struct sim *sim)
{
   struct pitot_drm_device *device = open_device(sim);
   struct pitot_drm_calibration calibration;

   sim->fail_ioctl_on = sim->ioctl_count + 3;
   sim->fail_errno = EIO;
   assert_int_equal(pitot_drm_calibrate(device, &calibration), -EIO);
   pitot_drm_close(device);
}

int
main(void)
{
   static const struct rig_test tests[] = {
      SIM_TEST("skl", missing_nodes_are_said),
      SIM_TEST("skl", missing_permission_is_said),
      SIM_TEST("skl", unknown_drivers_and_devices_are_said),
      SIM_TEST("vega10", old_kernels_are_said),
      SIM_TEST("skl", long_paths_are_cut),
      SIM_TEST(NULL, facts_are_found_out),
      SIM_TEST("navi31", firmware_decides_about_zpass),
      SIM_TEST("tgl", foreign_files_stay_open),
      SIM_TEST(NULL, timestamps_have_their_width),
      SIM_TEST(NULL, calibration_has_a_bound),
      SIM_TEST("skl", calibration_tells_errors),
   };

   return RUN_ROWS("tests", tests, rig_run_test);
}
