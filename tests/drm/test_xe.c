/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Answers of the kernel's driver xe: GPUs without a clock or memory of use
 * are refused, and buffers have the cache policy of their GPU.
 */

#include <errno.h>
#include <string.h>

#include "rig.h"
#include "xe_uapi.h"

#define GT_MEDIA      1
#define REGION_CARD   1
#define MAX_GTS       2
#define MAIN_CLOCK_HZ 19200000

/* An answer in place of the simulated kernel's. */
static struct {
   bool has_width, has_no_system_memory, has_times;
   uint32_t width;
   uint64_t cpu_ns, cpu_delta_ns;
   unsigned gt_count;
   struct xe_gt gts[MAX_GTS];
} told;

static int (*sim_ioctl)(void *data, int fd, unsigned long request,
                        void *argument);

/* A size of 0 asks for it. */
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
      return sim_ioctl(data, fd, request, argument);
   if (query->query == XE_DEVICE_QUERY_GTS && told.gt_count != 0)
      return tell_gts(query);

   const int result = sim_ioctl(data, fd, request, argument);
   void *answer = (void *)(uintptr_t)query->data;

   if (query->query == XE_DEVICE_QUERY_ENGINE_CYCLES && told.has_width)
      ((struct xe_engine_cycles *)answer)->width = told.width;
   if (query->query == XE_DEVICE_QUERY_ENGINE_CYCLES && told.has_times) {
      ((struct xe_engine_cycles *)answer)->cpu_ns = told.cpu_ns;
      ((struct xe_engine_cycles *)answer)->cpu_delta_ns = told.cpu_delta_ns;
   }
   if (query->query == XE_DEVICE_QUERY_REGIONS && answer != NULL &&
       told.has_no_system_memory)
      ((struct xe_query_regions *)answer)->regions[0].region_class =
         REGION_CARD;
   return result;
}

static void
expect_refusal(struct sim *sim, const char *reason)
{
   char message[PITOT_DRM_MESSAGE_SIZE] = "";
   struct pitot_drm_device *device;

   assert_int_equal(pitot_drm_open(&sim->io, NULL, &device, message),
                    -EINVAL);
   assert_non_null(strstr(message, reason));
   assert_int_equal(sim->open_count, 0);
}

/* A clock has 1 to 64 bits. */
static void
clocks_of_no_width_are_refused(struct sim *sim)
{
   memset(&told, 0, sizeof(told));
   sim_ioctl = sim->io.ioctl;
   sim->io.ioctl = tell;
   told.has_width = true;
   expect_refusal(sim, "does not read the clock");
   told.width = 65;
   expect_refusal(sim, "does not read the clock");
}

/* The clock is the main GT's, which the kernel may list before or after the
 * media GT.
 */
static void
clocks_are_those_of_the_main_gt(struct sim *sim)
{
   static const struct {
      struct xe_gt gts[MAX_GTS];
      uint64_t hz; /* 0: refused */
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
   sim_ioctl = sim->io.ioctl;
   sim->io.ioctl = tell;
   told.gt_count = MAX_GTS;
   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      char message[PITOT_DRM_MESSAGE_SIZE];
      struct pitot_drm_device *device;

      memcpy(told.gts, cases[i].gts, sizeof(told.gts));
      if (cases[i].hz == 0) {
         expect_refusal(sim, "how fast its clock is");
         continue;
      }
      assert_int_equal(pitot_drm_open(&sim->io, NULL, &device, message), 0);
      assert_int_equal(device->gpu.timestamp_hz, cases[i].hz);
      pitot_drm_close(device);
   }
}

static void
calibration_tells_errors(struct sim *sim)
{
   char message[PITOT_DRM_MESSAGE_SIZE];
   struct pitot_drm_calibration calibration;
   struct pitot_drm_device *device;

   assert_int_equal(pitot_drm_open(&sim->io, NULL, &device, message), 0);
   sim->fail_ioctl_on = sim->ioctl_count + 3;
   sim->fail_errno = EIO;
   assert_int_equal(pitot_drm_calibrate(device, &calibration), -EIO);
   pitot_drm_close(device);
}

/* The clock of the GPU was read some time between two reads of the CPU's, as
 * the kernel tells, but for a tick.
 */
static void
calibration_is_the_kernels(struct sim *sim)
{
   static const struct {
      uint64_t delta_ns, cpu_ns, error_ns;
   } cases[] = { { 8, 1004, 4 }, { 9, 1004, 5 } };

   memset(&told, 0, sizeof(told));
   sim_ioctl = sim->io.ioctl;
   sim->io.ioctl = tell;
   told.has_times = true;
   told.cpu_ns = 1000;
   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      char message[PITOT_DRM_MESSAGE_SIZE];
      struct pitot_drm_calibration calibration;
      struct pitot_drm_device *device;

      told.cpu_delta_ns = cases[i].delta_ns;
      assert_int_equal(pitot_drm_open(&sim->io, NULL, &device, message), 0);
      assert_int_equal(pitot_drm_calibrate(device, &calibration), 0);
      assert_int_equal(calibration.cpu_ns, cases[i].cpu_ns);
      assert_int_equal(calibration.error_ns,
                       cases[i].error_ns +
                          1000000000 / device->gpu.timestamp_hz + 1);
      pitot_drm_close(device);
   }
}

/* Creates a context and destroys it, with a function in place of the kernel's
 * ioctl(), which it may call as sim_ioctl().
 */
static void
use_context(struct sim *sim,
            int (*ioctl)(void *data, int fd, unsigned long request,
                         void *argument))
{
   char message[PITOT_DRM_MESSAGE_SIZE];
   struct pitot_drm_device *device;
   struct pitot_cs *cs;

   sim_ioctl = sim->io.ioctl;
   sim->io.ioctl = ioctl;
   assert_int_equal(pitot_drm_open(&sim->io, NULL, &device, message), 0);
   assert_int_equal(pitot_drm_context_create(device, &cs), 0);
   pitot_drm_context_destroy(cs);
   pitot_drm_close(device);
}

#define OTHER_INSTANCE 2

static unsigned created_count;

/* Tells the card's memory first, and the system's in another instance. */
static int
move_memory(void *data, int fd, unsigned long request, void *argument)
{
   struct xe_gem_create *create = argument;

   if (request == XE_GEM_CREATE) {
      assert_int_equal(create->placement, 1u << OTHER_INSTANCE);
      create->placement = 1;
      created_count++;
   }
   const int result = sim_ioctl(data, fd, request, argument);
   struct xe_device_query *query = argument;

   if (request == XE_DEVICE_QUERY && query->data != 0 &&
       query->query == XE_DEVICE_QUERY_REGIONS) {
      struct xe_query_regions *answer = (void *)(uintptr_t)query->data;

      answer->regions[1] = answer->regions[0];
      answer->regions[1].instance = OTHER_INSTANCE;
      answer->regions[0].region_class = REGION_CARD;
   }
   return result;
}

/* Buffers are where the kernel says that the system's memory is. */
static void
buffers_are_in_system_memory(struct sim *sim)
{
   created_count = 0;
   use_context(sim, move_memory);
   assert_true(created_count > 0);
}

/* Of the last submission; 0: none. */
static uint64_t waited, signalled;

static int
watch_syncs(void *data, int fd, unsigned long request, void *argument)
{
   const struct xe_exec *exec = argument;

   if (request == XE_EXEC) {
      const struct xe_sync *syncs = (const void *)(uintptr_t)exec->syncs;

      waited = 0;
      for (uint32_t i = 0; i < exec->sync_count; i++) {
         if (syncs[i].flags & XE_SYNC_FLAG_SIGNAL)
            signalled = syncs[i].handle;
         else if (syncs[i].type == XE_SYNC_SYNCOBJ)
            waited = syncs[i].handle;
      }
   }
   return sim_ioctl(data, fd, request, argument);
}

/* The rings are queues, which only syncs order: a batch waits for the last
 * one of the other ring, whichever that is, that has used its memory.
 */
static void
rings_wait_for_each_other(struct rig *rig)
{
   static const uint32_t noop = 0;
   uint64_t other = 0;

   sim_ioctl = rig->sim->io.ioctl;
   rig->sim->io.ioctl = watch_syncs;
   for (unsigned i = 0; i < 4; i++) {
      rig_emit(rig, i % 2 ? PITOT_RING_COMPUTE : PITOT_RING_RENDER, &noop, 1);
      rig_flush(rig, i % 2 ? PITOT_RING_COMPUTE : PITOT_RING_RENDER);
      assert_int_equal(waited, other);
      other = signalled;
   }
   rig->sim->io.ioctl = sim_ioctl;
}

static unsigned waited_count;

static int
watch_destroys(void *data, int fd, unsigned long request, void *argument)
{
   const int result = sim_ioctl(data, fd, request, argument);

   if (request == DRM_IOCTL_SYNCOBJ_WAIT &&
       ((struct drm_syncobj_wait *)argument)->timeout_nsec == INT64_MAX)
      waited_count++;
   if (request == XE_EXEC_QUEUE_DESTROY)
      assert_int_not_equal(waited_count--, 0);
   if (request == DRM_IOCTL_SYNCOBJ_DESTROY ||
       request == DRM_IOCTL_GEM_CLOSE || request == XE_VM_DESTROY ||
       request == XE_EXEC_QUEUE_DESTROY)
      assert_int_equal(result, 0);
   return result;
}

/* A number that was given back may be another object's by now; and a queue
 * that is destroyed takes its work along, which is waited for.
 */
static void
contexts_destroy_their_own(struct sim *sim)
{
   char message[PITOT_DRM_MESSAGE_SIZE];
   struct pitot_drm_device *device;
   struct pitot_cs *cs;

   sim_ioctl = sim->io.ioctl;
   sim->io.ioctl = watch_destroys;
   waited_count = 0;
   assert_int_equal(pitot_drm_open(&sim->io, NULL, &device, message), 0);
   assert_int_equal(pitot_drm_context_create(device, &cs), 0);
   pitot_drm_context_destroy(cs);
   pitot_drm_close(device);
   assert_int_equal(sim->object_count, 0);
}

static void
contexts_need_system_memory(struct sim *sim)
{
   char message[PITOT_DRM_MESSAGE_SIZE];
   struct pitot_drm_device *device;
   struct pitot_cs *cs;

   memset(&told, 0, sizeof(told));
   sim_ioctl = sim->io.ioctl;
   sim->io.ioctl = tell;
   told.has_no_system_memory = true;
   assert_int_equal(pitot_drm_open(&sim->io, NULL, &device, message), 0);
   assert_int_equal(pitot_drm_context_create(device, &cs), -ENODEV);
   assert_int_equal(sim->object_count, 0);
   pitot_drm_close(device);
}

static unsigned bind_count, policy;

static int
check_policy(void *data, int fd, unsigned long request, void *argument)
{
   if (request == XE_VM_BIND) {
      assert_int_equal(((struct xe_vm_bind *)argument)->bind.pat_index,
                       policy);
      bind_count++;
   }
   return sim_ioctl(data, fd, request, argument);
}

/* The policies by which the GPU looks into the CPU's caches, also on the GPUs
 * that i915 drives by default.
 */
static void
buffers_have_the_policy_of_their_gpu(struct sim *sim)
{
   const unsigned generation = sim->gpu.facts.generation;

   policy = generation >= 200 ? 1 : sim->gpu.has_pat ? 3 : 0;
   bind_count = 0;
   sim->is_xe = true;
   use_context(sim, check_policy);
   assert_true(bind_count > 0);
}

int
main(void)
{
   static const struct rig_test tests[] = {
      SIM_TEST("lnl", clocks_of_no_width_are_refused),
      SIM_TEST("lnl", clocks_are_those_of_the_main_gt),
      SIM_TEST("lnl", calibration_tells_errors),
      SIM_TEST("lnl", calibration_is_the_kernels),
      SIM_TEST("bmg", buffers_are_in_system_memory),
      { .name = "rings_wait_for_each_other, lnl",
        .gpu = "lnl",
        .with_rig = rings_wait_for_each_other },
      SIM_TEST("lnl", contexts_destroy_their_own),
      SIM_TEST("lnl", contexts_need_system_memory),
      { .name = "buffers_have_the_policy_of_their_gpu, tgl",
        .gpu = "tgl",
        .with_sim = buffers_have_the_policy_of_their_gpu },
      { .name = "buffers_have_the_policy_of_their_gpu, mtl",
        .gpu = "mtl",
        .with_sim = buffers_have_the_policy_of_their_gpu },
      { .name = "buffers_have_the_policy_of_their_gpu, lnl",
        .gpu = "lnl",
        .with_sim = buffers_have_the_policy_of_their_gpu },
   };

   return RUN_ROWS("tests", tests, rig_run_test);
}
