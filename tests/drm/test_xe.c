/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Replies of the kernel driver xe about the clock, valid or not. */

#include <errno.h>
#include <string.h>

#include "rig.h"
#include "xe_uapi.h"

#define GT_MEDIA      1
#define MAX_GTS       2
#define MAIN_CLOCK_HZ 19200000

/* A reply in place of the simulated kernel's. */
static struct {
   bool has_width, has_times;
   uint32_t width;
   uint64_t cpu_ns, cpu_delta_ns;
   unsigned gt_count;
   struct xe_gt gts[MAX_GTS];
} told;

/* size 0 asks for the size */
static int
tell_gts(struct xe_device_query *query)
{
   struct xe_query_gts *answer = (void *)(uintptr_t)query->data;
   const uint32_t gts_B = told.gt_count * (uint32_t)sizeof(told.gts[0]);

   if (query->size_B != 0) {
      answer->count = told.gt_count;
      memcpy(answer->gts, told.gts, gts_B);
   }
   query->size_B = (uint32_t)sizeof(*answer) + gts_B;
   return 0;
}

static int
tell(void *data, int fd, unsigned long request, void *argument)
{
   struct xe_device_query *query = argument;

   if (request != XE_DEVICE_QUERY)
      return rig_ioctl(data, fd, request, argument);
   if (query->query == XE_DEVICE_QUERY_GTS && told.gt_count != 0)
      return tell_gts(query);

   const int result = rig_ioctl(data, fd, request, argument);
   void *answer = (void *)(uintptr_t)query->data;

   if (query->query == XE_DEVICE_QUERY_ENGINE_CYCLES && told.has_width)
      ((struct xe_engine_cycles *)answer)->width = told.width;
   if (query->query == XE_DEVICE_QUERY_ENGINE_CYCLES && told.has_times) {
      ((struct xe_engine_cycles *)answer)->cpu_ns = told.cpu_ns;
      ((struct xe_engine_cycles *)answer)->cpu_delta_ns = told.cpu_delta_ns;
   }
   return result;
}

static void
expect_refusal(struct sim *sim, const char *reason)
{
   assert_non_null(strstr(rig_refusal(sim, NULL, EINVAL), reason));
}

/* A clock has 1 to 64 bits. */
TEST_ON_SIM(clocks_of_no_width_are_refused, "lnl")
{
   memset(&told, 0, sizeof(told));
   rig_replace_ioctl(sim, tell);
   told.has_width = true;
   expect_refusal(sim, "does not read the clock");
   told.width = 65;
   expect_refusal(sim, "does not read the clock");
}

/* The kernel may list the main GT before or after the media GT. */
TEST_ON_SIM(clocks_are_those_of_the_main_gt, "lnl")
{
   static const struct {
      struct xe_gt gts[MAX_GTS];
      uint64_t hz; /* 0: rejected */
   } cases[] = {
      { { { .type = XE_GT_MAIN, .reference_clock_hz = MAIN_CLOCK_HZ },
          { .type = GT_MEDIA, .reference_clock_hz = 1 } },
        MAIN_CLOCK_HZ },
      { { { .type = GT_MEDIA, .reference_clock_hz = 1 },
          { .type = XE_GT_MAIN, .reference_clock_hz = MAIN_CLOCK_HZ } },
        MAIN_CLOCK_HZ },
      { { { .type = GT_MEDIA, .reference_clock_hz = 1 },
          { .type = XE_GT_MAIN, .reference_clock_hz = 0 } },
        0 },
      { { { .type = GT_MEDIA, .reference_clock_hz = 1 },
          { .type = GT_MEDIA, .reference_clock_hz = 1 } },
        0 },
   };

   memset(&told, 0, sizeof(told));
   rig_replace_ioctl(sim, tell);
   told.gt_count = MAX_GTS;
   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      memcpy(told.gts, cases[i].gts, sizeof(told.gts));
      if (cases[i].hz == 0) {
         expect_refusal(sim, "how fast its clock is");
         continue;
      }
      struct pitot_drm_device *device = rig_open_device(sim);
      assert_int_equal(device->gpu.timestamp_hz, cases[i].hz);
      pitot_drm_close(device);
   }
}

/* The second call would write past the allocated reply. */
TEST_ON_SIM(answers_that_are_too_long_are_refused, "lnl")
{
   memset(&told, 0, sizeof(told));
   rig_replace_ioctl(sim, tell);
   told.gt_count = 1000;
   expect_refusal(sim, "how fast its clock is");
}

/* The GPU's clock was read in the kernel's interval of the CPU's clock: the
 * error is half the interval and a tick.
 */
TEST_ON_SIM(calibration_is_the_kernels, "lnl")
{
   static const struct {
      uint64_t delta_ns, cpu_ns, error_ns;
   } cases[] = { { 8, 1004, 4 }, { 9, 1004, 5 } };

   memset(&told, 0, sizeof(told));
   rig_replace_ioctl(sim, tell);
   told.has_times = true;
   told.cpu_ns = 1000;
   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      struct pitot_drm_calibration calibration;

      told.cpu_delta_ns = cases[i].delta_ns;
      struct pitot_drm_device *device = rig_open_device(sim);
      assert_int_equal(pitot_drm_calibrate(device, &calibration), 0);
      assert_int_equal(calibration.cpu_ns, cases[i].cpu_ns);
      assert_int_equal(calibration.error_ns,
                       cases[i].error_ns +
                          1000000000 / device->gpu.timestamp_hz + 1);
      pitot_drm_close(device);
   }
}
