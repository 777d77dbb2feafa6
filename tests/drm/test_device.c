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
#include "sim.h"
#include "test.h"

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
missing_nodes_are_said(void **unused)
{
   struct sim *sim = sim_create("skl");
   (void)unused;

   sim->open_errno = ENOENT;
   assert_non_null(strstr(refusal(sim, NULL, ENOENT), "no GPU"));
   assert_non_null(strstr(refusal(sim, "/dev/dri/renderD200", ENOENT),
                          "/dev/dri/renderD200: No such file"));
   sim_destroy(sim);
}

static void
missing_permission_is_said(void **unused)
{
   struct sim *sim = sim_create("skl");
   (void)unused;

   sim->open_errno = EACCES;
   const char *message = refusal(sim, NULL, EACCES);
   assert_non_null(strstr(message, "/dev/dri/renderD128: Permission denied"));
   assert_non_null(strstr(message, "group"));
   sim_destroy(sim);
}

static void
unknown_drivers_and_devices_are_said(void **unused)
{
   struct sim *sim = sim_create("skl");
   (void)unused;

   sim->gpu.driver = "nouveau";
   assert_non_null(strstr(refusal(sim, NULL, ENODEV), "nouveau"));
   sim->gpu.driver = "a_driver_of_a_long_name";
   assert_non_null(strstr(refusal(sim, NULL, ENODEV), "a_driver_of_a_l"));
   sim->gpu.driver = "i915";
   sim->gpu.device_id = 0x7d40;
   assert_non_null(strstr(refusal(sim, NULL, ENODEV), "8086:7d40"));
   sim_destroy(sim);

   sim = sim_create("navi31");
   sim->gpu.family = 152;
   assert_non_null(strstr(refusal(sim, NULL, ENODEV), "1002:744c"));
   sim_destroy(sim);
}

static void
old_kernels_are_said(void **unused)
{
   struct sim *sim = sim_create("vega10");
   (void)unused;

   sim->gpu.version[1] = 26;
   assert_non_null(strstr(refusal(sim, NULL, ENOTSUP), "too old"));
   sim_destroy(sim);

   sim = sim_create("skl");
   sim->gpu.facts.timestamp_hz = 0;
   assert_non_null(strstr(refusal(sim, NULL, ENOTSUP), "Linux 4.16"));
   sim_destroy(sim);
}

static void
long_paths_are_cut(void **unused)
{
   char path[2 * PITOT_DRM_MESSAGE_SIZE];
   struct sim *sim = sim_create("skl");
   (void)unused;

   memset(path, 'x', sizeof(path) - 1);
   path[sizeof(path) - 1] = '\0';
   assert_true(strlen(refusal(sim, path, ENOENT)) < PITOT_DRM_MESSAGE_SIZE);
   sim_destroy(sim);
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
facts_are_found_out(void **unused)
{
   (void)unused;
   for (unsigned i = 0; i < sim_gpu_count; i++) {
      struct sim *sim = sim_create(sim_gpus[i].key);
      struct pitot_drm_device *device = open_device(sim);
      const struct pitot_gpu *facts = &sim_gpus[i].facts;

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
      assert_string_equal(device->driver, sim_gpus[i].driver);
      assert_int_equal(device->device_id, sim_gpus[i].device_id);
      pitot_drm_close(device);
      assert_int_equal(sim->open_count, 0);
      sim_destroy(sim);
   }
}

static void
firmware_decides_about_zpass(void **unused)
{
   struct sim *sim = sim_create("navi31");
   (void)unused;

   sim->gpu.pfp_version = 1457;
   struct pitot_drm_device *device = open_device(sim);
   assert_false(device->gpu.has_event_write_zpass);
   pitot_drm_close(device);
   sim_destroy(sim);
}

static void
foreign_files_stay_open(void **unused)
{
   struct sim *sim = sim_create("tgl");
   struct pitot_drm_device *device;
   char message[PITOT_DRM_MESSAGE_SIZE];
   (void)unused;

   const int fd = sim->io.open(sim->io.data, "/dev/dri/renderD128", 0);
   assert_int_equal(pitot_drm_open_fd(&sim->io, fd, &device, message), 0);
   pitot_drm_close(device);
   assert_int_equal(sim->open_count, 1);
   sim_destroy(sim);
   pitot_drm_close(NULL);
}

static void
timestamps_have_their_width(void **unused)
{
   (void)unused;
   for (unsigned i = 0; i < sim_gpu_count; i++) {
      struct sim *sim = sim_create(sim_gpus[i].key);
      struct pitot_drm_device *device = open_device(sim);
      const unsigned bits = sim_gpus[i].facts.timestamp_bits;
      uint64_t before, after;

      sim->now_ticks = UINT64_MAX >> (64 - bits);
      sim->ticks_per_read = 0;
      assert_int_equal(pitot_drm_timestamp(device, &before), 0);
      assert_int_equal(before, sim->now_ticks);
      sim->ticks_per_read = 5;
      assert_int_equal(pitot_drm_timestamp(device, &after), 0);
      assert_int_equal(after, 4);
      pitot_drm_close(device);
      sim_destroy(sim);
   }
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
calibration_has_a_bound(void **unused)
{
   (void)unused;
   for (unsigned i = 0; i < sim_gpu_count; i++) {
      struct sim *sim = sim_create(sim_gpus[i].key);
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
      sim_destroy(sim);
   }
}

static void
calibration_tells_errors(void **unused)
{
   struct sim *sim = sim_create("skl");
   struct pitot_drm_device *device = open_device(sim);
   struct pitot_drm_calibration calibration;
   (void)unused;

   sim->fail_ioctl_on = sim->ioctl_count + 3;
   sim->fail_errno = EIO;
   assert_int_equal(pitot_drm_calibrate(device, &calibration), -EIO);
   pitot_drm_close(device);
   sim_destroy(sim);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(missing_nodes_are_said),
      cmocka_unit_test(missing_permission_is_said),
      cmocka_unit_test(unknown_drivers_and_devices_are_said),
      cmocka_unit_test(old_kernels_are_said),
      cmocka_unit_test(long_paths_are_cut),
      cmocka_unit_test(facts_are_found_out),
      cmocka_unit_test(firmware_decides_about_zpass),
      cmocka_unit_test(foreign_files_stay_open),
      cmocka_unit_test(timestamps_have_their_width),
      cmocka_unit_test(calibration_has_a_bound),
      cmocka_unit_test(calibration_tells_errors),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
