/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Kernel reports for Mesa's drivers; see test_clock.c for the clocks. */

#include <errno.h>
#include <string.h>

#include <i915_drm.h>

#include "rig.h"
#include "xe_uapi.h"

#define FD      5
#define CONTEXT 7

/* The kernel knows one context, and reports these resets. */
static struct pitot_drm_resets told;
static int error;

static int
answer(void *data, int fd, unsigned long request, void *argument)
{
   struct drm_i915_reset_stats *stats = argument;
   struct xe_exec_queue_get_property *property = argument;

   (void)data;
   assert_int_equal(fd, FD);
   if (error) {
      errno = error;
      return -1;
   }
   if (request == DRM_IOCTL_I915_GET_RESET_STATS) {
      assert_int_equal(stats->ctx_id, CONTEXT);
      assert_int_equal(stats->flags, 0);
      stats->reset_count = 100;
      stats->batch_active = told.guilty;
      stats->batch_pending = told.innocent;
   } else {
      assert_int_equal(request, XE_EXEC_QUEUE_GET_PROPERTY);
      assert_int_equal(property->queue, CONTEXT);
      assert_int_equal(property->property, XE_EXEC_QUEUE_PROPERTY_BAN);
      property->value = told.guilty;
   }
   return 0;
}

static const struct pitot_drm_io io = { .ioctl = answer };

static void
expect(const struct pitot_drm_resets *resets, uint32_t guilty,
       uint32_t innocent)
{
   assert_int_equal(resets->guilty, guilty);
   assert_int_equal(resets->innocent, innocent);
}

TEST(resets_are_those_of_a_context)
{
   struct pitot_drm_resets resets;

   told = (struct pitot_drm_resets){ 2, 3 };
   assert_int_equal(pitot_i915_read_resets(&io, FD, CONTEXT, &resets), 0);
   expect(&resets, 2, 3);
   assert_int_equal(pitot_xe_read_resets(&io, FD, CONTEXT, &resets), 0);
   expect(&resets, 1, 0);
   told.guilty = 0;
   assert_int_equal(pitot_xe_read_resets(&io, FD, CONTEXT, &resets), 0);
   expect(&resets, 0, 0);
}

/* Of the whole GPU, which a recovery powers off. */
TEST_ON_SIM(msm_counts_resets_and_suspends, "a630")
{
   struct pitot_drm_device *device = rig_open_device(sim);
   uint64_t before[2], after[2];

   assert_int_equal(pitot_msm_read_resets(&sim->io, device->fd, &before[0]),
                    0);
   assert_int_equal(pitot_msm_read_suspends(&sim->io, device->fd, &before[1]),
                    0);
   sim_suspend(sim);
   sim_suspend(sim);
   sim_reset(sim);
   assert_int_equal(pitot_msm_read_resets(&sim->io, device->fd, &after[0]),
                    0);
   assert_int_equal(pitot_msm_read_suspends(&sim->io, device->fd, &after[1]),
                    0);
   assert_int_equal(after[0] - before[0], 1);
   assert_int_equal(after[1] - before[1], 3);
   pitot_drm_close(device);
}

/* On failure the caller's values stay. */
TEST(failures_leave_answers_alone)
{
   static int (*const clocks[])(const struct pitot_drm_io *, int,
                                struct pitot_clock_reading *) = {
      pitot_i915_read_clock,
      pitot_xe_read_clock,
      pitot_amdgpu_read_clock,
      pitot_msm_read_clock,
   };
   struct pitot_clock_reading reading = { .ticks = 9 };
   struct pitot_drm_resets resets = { 4, 5 };
   uint64_t count = 6;

   error = EIO;
   for (unsigned i = 0; i < ARRAY_LENGTH(clocks); i++)
      assert_int_equal(clocks[i](&io, FD, &reading), -EIO);
   assert_int_equal(pitot_i915_read_resets(&io, FD, CONTEXT, &resets), -EIO);
   assert_int_equal(pitot_xe_read_resets(&io, FD, CONTEXT, &resets), -EIO);
   assert_int_equal(pitot_msm_read_resets(&io, FD, &count), -EIO);
   assert_int_equal(pitot_msm_read_suspends(&io, FD, &count), -EIO);
   error = 0;
   assert_int_equal(reading.ticks, 9);
   expect(&resets, 4, 5);
   assert_int_equal(count, 6);
}
