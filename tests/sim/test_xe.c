/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The simulated xe: address spaces, queues, memory and the clock. */

#include <errno.h>
#include <time.h>

#include "xe_rig.h"

/* An address space has its own addresses, and a buffer created for one is
 * bound in no other.  Closing a handle leaves its memory bound.
 */
static void
spaces_are_apart(void **state)
{
   const struct xe_rig *rig = *state;
   const uint32_t other = xe_new_vm(rig);
   struct drm_gem_close close = { .handle = rig->data.handle };

   assert_int_equal(xe_bind(rig, other, rig->data.handle, XE_DATA_AT, XE_NONE,
                            0),
                    EINVAL);
   xe_bind_data(rig, XE_NONE, 0);
   assert_int_equal(xe_call(rig, DRM_IOCTL_GEM_CLOSE, &close), 0);
   assert_int_equal(xe_write_value(rig, rig->queue, XE_NONE, 0), 0);
   xe_expect_value(rig);
   assert_int_equal(xe_write_value(rig, xe_new_queue(rig, other), XE_NONE, 0),
                    0);
   xe_expect_fault(rig);
}

static uint64_t
is_banned(const struct xe_rig *rig, uint32_t queue)
{
   struct drm_xe_exec_queue_get_property get = { .exec_queue_id = queue };

   assert_int_equal(xe_call(rig, DRM_IOCTL_XE_EXEC_QUEUE_GET_PROPERTY, &get),
                    0);
   return get.value;
}

static void
a_queue_that_hangs_is_banned(void **state)
{
   const struct xe_rig *rig = *state;
   const uint32_t other = xe_new_queue(rig, rig->vm);

   xe_bind_data(rig, XE_NONE, 0);
   rig->sim->hang_on_submit = 1;
   assert_int_equal(xe_write_value(rig, rig->queue, XE_NONE, 0), 0);
   assert_int_equal(rig->data.dw[0], 0);
   assert_int_equal(is_banned(rig, rig->queue), 1);
   assert_int_equal(xe_write_value(rig, rig->queue, XE_NONE, 0), ECANCELED);
   assert_int_equal(is_banned(rig, other), 0);
   assert_int_equal(xe_write_value(rig, other, XE_NONE, 0), 0);
   assert_int_equal(rig->data.dw[0], XE_VALUE);
}

/* The kernel drops the work of a destroyed queue, and signals its fence. */
static void
work_does_not_outlive_its_queue(void **state)
{
   const struct xe_rig *rig = *state;
   const uint32_t done = xe_new_syncobj(rig);
   struct drm_xe_exec_queue_destroy destroy = { .exec_queue_id = rig->queue };

   rig->sim->is_delayed = true;
   xe_bind_data(rig, XE_NONE, 0);
   assert_int_equal(xe_write_value(rig, rig->queue, XE_NONE, 0), 0);
   xe_signal_when_idle(rig, rig->queue, done);
   assert_int_equal(xe_call(rig, DRM_IOCTL_XE_EXEC_QUEUE_DESTROY, &destroy),
                    0);
   xe_wait(rig, done);
   assert_int_equal(rig->data.dw[0], 0);
}

static void
memory_is_checked(void **state)
{
   const struct xe_rig *rig = *state;
   struct drm_xe_vm_bind request = {
      .vm_id = rig->vm,
      .num_binds = 1,
      .bind = { .obj = rig->data.handle,
                .pat_index = 1, /* not coherent with the CPU */
                .range = XE_SIZE_B,
                .addr = XE_DATA_AT },
   };
   uint32_t handle;

   assert_int_equal(xe_call(rig, DRM_IOCTL_XE_VM_BIND, &request), EINVAL);
   request.bind.pat_index = 0;
   request.bind.range = 2 * XE_SIZE_B;
   assert_int_equal(xe_call(rig, DRM_IOCTL_XE_VM_BIND, &request), EINVAL);
   request.bind.range = XE_SIZE_B;
   assert_int_equal(xe_call(rig, DRM_IOCTL_XE_VM_BIND, &request), 0);
   assert_int_equal(xe_try_memory(rig, 0, XE_SIZE_B + 1,
                                  DRM_XE_GEM_CPU_CACHING_WB, &handle),
                    EINVAL);
   assert_int_equal(xe_try_memory(rig, 0, XE_SIZE_B, 0, &handle), EINVAL);
}

static int
read_cycles(const struct xe_rig *rig,
            struct drm_xe_query_engine_cycles *cycles)
{
   struct drm_xe_device_query query = {
      .query = DRM_XE_DEVICE_QUERY_ENGINE_CYCLES,
      .size = sizeof(*cycles),
      .data = (uintptr_t)cycles,
   };

   return xe_call(rig, DRM_IOCTL_XE_DEVICE_QUERY, &query);
}

static void
the_clock_comes_with_the_cpus(void **state)
{
   const struct xe_rig *rig = *state;
   struct drm_xe_query_engine_cycles cycles = { .clockid =
                                                   CLOCK_PROCESS_CPUTIME_ID };
   struct timespec before, after;

   assert_int_equal(read_cycles(rig, &cycles), EINVAL);
   cycles.clockid = CLOCK_BOOTTIME;
   cycles.eci.engine_class = 17;
   assert_int_equal(read_cycles(rig, &cycles), EINVAL);
   cycles.eci.engine_class = DRM_XE_ENGINE_CLASS_RENDER;
   rig->sim->now_ticks = 1234;
   rig->sim->ticks_per_read = 1;
   clock_gettime(CLOCK_BOOTTIME, &before);
   assert_int_equal(read_cycles(rig, &cycles), 0);
   clock_gettime(CLOCK_BOOTTIME, &after);
   assert_in_range(cycles.engine_cycles, 1234, 1235);
   assert_int_equal(cycles.width, 36);
   assert_in_range(cycles.cpu_timestamp,
                   (uint64_t)before.tv_sec * 1000000000 +
                      (uint64_t)before.tv_nsec,
                   (uint64_t)after.tv_sec * 1000000000 +
                      (uint64_t)after.tv_nsec);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      XE_TEST(spaces_are_apart),
      XE_TEST(a_queue_that_hangs_is_banned),
      XE_TEST(work_does_not_outlive_its_queue),
      XE_TEST(memory_is_checked),
      XE_TEST(the_clock_comes_with_the_cpus),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
