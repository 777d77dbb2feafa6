/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The clock of a device, correlated with the CPU's. */

#include <errno.h>
#include <time.h>

#include <i915_drm.h>

#include "pitot/clock.h"
#include "pitot_clock.h"
#include "rig.h"
#include "wrapped.h"
#include "xe_uapi.h"

/* Sets bits of Intel's register that do not belong to the timestamp. */
static int
set_other_bits(void *data, int fd, unsigned long request, void *argument)
{
   struct drm_i915_reg_read *read = argument;
   const int result = rig_ioctl(data, fd, request, argument);

   if (request == DRM_IOCTL_I915_REG_READ)
      read->val |= UINT64_C(0xabc) << 36;
   return result;
}

TEST_ON_SIM(timestamps_have_their_width, EVERY_GPU)
{
   struct pitot_drm_device *device = rig_open_device(sim);
   const unsigned bits = sim->gpu.facts.timestamp_bits;
   uint64_t before, after;

   rig_replace_ioctl(sim, set_other_bits);
   sim->now_ticks = UINT64_MAX >> (64 - bits);
   sim->ticks_per_read = 0;
   assert_int_equal(pitot_drm_timestamp(device, &before), 0);
   assert_int_equal(before, sim->now_ticks);
   sim->ticks_per_read = 5;
   assert_int_equal(pitot_drm_timestamp(device, &after), 0);
   assert_int_equal(after, 4);
   pitot_drm_close(device);
}

#define NS_PER_S         1000000000
#define READ_NS          1000
#define SHORTEST_READ    12 /* index of a read of the CPU's clock */
#define SHORTEST_READ_NS 501

static uint64_t cpu_ns;
static unsigned cpu_read_count;

/* -Wl,--wrap=clock_gettime */
WRAPPED(int, clock_gettime, (clockid_t id, struct timespec *now))
{
   assert_int_equal(id, CLOCK_MONOTONIC);
   cpu_ns += ++cpu_read_count == SHORTEST_READ ? SHORTEST_READ_NS : READ_NS;
   now->tv_sec = (time_t)(cpu_ns / NS_PER_S);
   now->tv_nsec = (long)(cpu_ns % NS_PER_S);
   return 0;
}

/* The GPU's clock was read within the shortest interval between two reads of
 * the CPU's: the error is half of it and a tick.  On xe the kernel reads both
 * (test_xe.c).
 */
TEST_ON_SIM(calibration_has_a_bound, EVERY_GPU)
{
   if (sim->is_xe)
      return;

   struct pitot_drm_device *device = rig_open_device(sim);
   const uint64_t tick_ns = pitot_ticks_to_ns(1, device->gpu.timestamp_hz);
   const uint64_t before_ns = NS_PER_S - READ_NS;
   struct pitot_drm_calibration calibration;

   cpu_ns = before_ns - (SHORTEST_READ - 1) * READ_NS;
   cpu_read_count = 0;
   assert_int_equal(pitot_drm_calibrate(device, &calibration), 0);
   assert_int_equal(calibration.cpu_ns, before_ns + SHORTEST_READ_NS / 2);
   assert_int_equal(calibration.error_ns,
                    (SHORTEST_READ_NS + 1) / 2 + tick_ns + 1);

   /* Of sixteen reads, the sixth had the shortest interval. */
   assert_int_equal(calibration.gpu_ticks,
                    sim->now_ticks - (16 - 6) * sim->ticks_per_read);
   pitot_drm_close(device);
}

TEST_ON_SIM(calibration_tells_errors, "skl")
{
   struct pitot_drm_device *device = rig_open_device(sim);
   struct pitot_drm_calibration calibration;

   sim->fail_ioctl_on = sim->ioctl_count + 3;
   sim->fail_errno = EIO;
   assert_int_equal(pitot_drm_calibrate(device, &calibration), -EIO);
   pitot_drm_close(device);
}
TEST_ON_SIM_AGAIN(calibration_tells_errors_of_xe, calibration_tells_errors,
                  "lnl")

static int
tell_more_bits(void *data, int fd, unsigned long request, void *argument)
{
   const int result = rig_ioctl(data, fd, request, argument);
   const struct xe_device_query *query = argument;

   if (request == XE_DEVICE_QUERY &&
       query->query == XE_DEVICE_QUERY_ENGINE_CYCLES)
      ((struct xe_engine_cycles *)(uintptr_t)query->data)->engine_cycles |=
         UINT64_C(1) << 63;
   return result;
}

/* xe reports both registers of the counter, and its width. */
TEST_ON_SIM(bits_beyond_the_width_are_left_out, "dg2-xe")
{
   rig_replace_ioctl(sim, tell_more_bits);
   struct pitot_drm_device *device = rig_open_device(sim);
   uint64_t ticks;

   assert_int_equal(pitot_drm_timestamp(device, &ticks), 0);
   assert_in_range(device->gpu.timestamp_bits, 1, 63);
   assert_int_equal(ticks >> device->gpu.timestamp_bits, 0);
   pitot_drm_close(device);
}

/* A context reads its GPU's clock, or returns the error. */
TEST_ON_RIG(contexts_tell_the_time, EVERY_CONTEXT)
{
   const struct pitot_clock_info *clock = &rig->cs->clock->info;
   struct pitot_clock_reading first, second;

   assert_int_equal(clock->read(clock->data, &first), 0);
   rig->sim->now_ticks += 1000;
   assert_int_equal(clock->read(clock->data, &second), 0);
   assert_in_range(second.ticks - first.ticks, 1000, 2000);
   rig->sim->fail_ioctl_on = rig->sim->ioctl_count + 1;
   rig->sim->fail_errno = EIO;
   assert_int_equal(clock->read(clock->data, &first), -EIO);
}
