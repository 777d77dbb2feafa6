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
   struct xe_queue_property get = { .queue = queue };

   assert_int_equal(xe_call(rig, XE_IOCTL(XE_EXEC_QUEUE_GET_PROPERTY, get),
                            &get),
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
   struct xe_queue_destroy destroy = { .queue = rig->queue };

   rig->sim->is_delayed = true;
   xe_bind_data(rig, XE_NONE, 0);
   assert_int_equal(xe_write_value(rig, rig->queue, XE_NONE, 0), 0);
   xe_signal_when_idle(rig, rig->queue, done);
   assert_int_equal(xe_call(rig, XE_IOCTL(XE_EXEC_QUEUE_DESTROY, destroy),
                            &destroy),
                    0);
   xe_wait(rig, done);
   assert_int_equal(rig->data.dw[0], 0);
}

static void
memory_is_checked(void **state)
{
   const struct xe_rig *rig = *state;
   struct xe_vm_bind request = {
      .vm = rig->vm,
      .bind_count = 1,
      .bind = { .handle = rig->data.handle,
                .cache_policy = 1, /* not coherent with the CPU */
                .range_B = XE_SIZE_B,
                .address = XE_DATA_AT },
   };
   uint32_t handle;

   assert_int_equal(xe_call(rig, XE_IOCTL(XE_VM_BIND, request), &request),
                    EINVAL);
   request.bind.cache_policy = 0;
   request.bind.range_B = 2 * XE_SIZE_B;
   assert_int_equal(xe_call(rig, XE_IOCTL(XE_VM_BIND, request), &request),
                    EINVAL);
   request.bind.range_B = XE_SIZE_B;
   assert_int_equal(xe_call(rig, XE_IOCTL(XE_VM_BIND, request), &request), 0);
   assert_int_equal(xe_try_memory(rig, 0, XE_SIZE_B + 1, XE_CACHING_WB,
                                  &handle),
                    EINVAL);
   assert_int_equal(xe_try_memory(rig, 0, XE_SIZE_B, 0, &handle), EINVAL);
}

static int
read_cycles(const struct xe_rig *rig, struct xe_cycles *cycles)
{
   struct xe_query query = {
      .question = XE_QUERY_CYCLES,
      .size_B = sizeof(*cycles),
      .data = (uintptr_t)cycles,
   };

   return xe_call(rig, XE_IOCTL(XE_DEVICE_QUERY, query), &query);
}

static void
the_clock_comes_with_the_cpus(void **state)
{
   const struct xe_rig *rig = *state;
   struct xe_cycles cycles = { .clock_id = CLOCK_PROCESS_CPUTIME_ID };
   struct timespec before, after;

   assert_int_equal(read_cycles(rig, &cycles), EINVAL);
   cycles.clock_id = CLOCK_BOOTTIME;
   cycles.instance.engine_class = 17;
   assert_int_equal(read_cycles(rig, &cycles), EINVAL);
   cycles.instance.engine_class = XE_CLASS_RENDER;
   rig->sim->now_ticks = 1234;
   rig->sim->ticks_per_read = 1;
   clock_gettime(CLOCK_BOOTTIME, &before);
   assert_int_equal(read_cycles(rig, &cycles), 0);
   clock_gettime(CLOCK_BOOTTIME, &after);
   assert_in_range(cycles.cycles, 1234, 1235);
   assert_int_equal(cycles.width, 36);
   assert_in_range(cycles.cpu_ns,
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
