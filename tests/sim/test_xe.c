/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The simulated xe, by its ioctls: promises of the kernel that a driver relies
 * on, and those that it does not make.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>

#include <drm.h>

#include "sim.h"
#include "xe.h"

#define FD         1000
#define SIZE_B     4096
#define BATCH_AT   UINT64_C(0x100000)
#define DATA_AT    UINT64_C(0x200000)
#define VALUE      77u
#define STORE_DATA 0x10000002u
#define BATCH_END  0x05000000u
#define NONE       0xffffffffu /* no syncobj */

#define XE_IOCTL(NUMBER, TYPE)                                               \
   _IOWR(DRM_IOCTL_BASE, DRM_COMMAND_BASE + (NUMBER), TYPE)

struct memory {
   uint32_t handle;
   uint32_t *dw;
};

struct rig {
   struct sim *sim;
   uint32_t vm, queue;
   struct memory batch, data;
};

static int
call(const struct rig *rig, unsigned long request, void *argument)
{
   const struct pitot_drm_io *io = &rig->sim->io;

   return io->ioctl(io->data, FD, request, argument) != 0 ? errno : 0;
}

static uint32_t
new_vm(const struct rig *rig)
{
   struct xe_vm_create create = { 0 };

   assert_int_equal(call(rig, XE_IOCTL(XE_VM_CREATE, create), &create), 0);
   return create.vm;
}

static uint32_t
new_queue(const struct rig *rig, uint32_t vm)
{
   struct xe_instance instance = { .engine_class = XE_CLASS_RENDER };
   struct xe_queue_create create = {
      .width = 1,
      .placement_count = 1,
      .vm = vm,
      .instances = (uintptr_t)&instance,
   };

   assert_int_equal(call(rig, XE_IOCTL(XE_EXEC_QUEUE_CREATE, create),
                         &create),
                    0);
   return create.queue;
}

static int
try_memory(const struct rig *rig, uint32_t vm, uint64_t size_B,
           uint16_t caching, uint32_t *handle_out)
{
   struct xe_gem_create create = {
      .size_B = size_B,
      .placement = 1,
      .vm = vm,
      .caching = caching,
   };
   const int result = call(rig, XE_IOCTL(XE_GEM_CREATE, create), &create);

   *handle_out = create.handle;
   return result;
}

static struct memory
new_memory(const struct rig *rig)
{
   const struct pitot_drm_io *io = &rig->sim->io;
   struct memory memory;

   assert_int_equal(try_memory(rig, rig->vm, SIZE_B, XE_CACHING_WB,
                               &memory.handle),
                    0);
   struct xe_mmap_offset map = { .handle = memory.handle };
   assert_int_equal(call(rig, XE_IOCTL(XE_GEM_MMAP_OFFSET, map), &map), 0);
   memory.dw = io->mmap(io->data, SIZE_B, 0, 0, FD, (off_t)map.offset);
   return memory;
}

static void
unmap(const struct rig *rig, struct memory *memory)
{
   rig->sim->io.munmap(rig->sim->io.data, memory->dw, SIZE_B);
}

static uint32_t
new_syncobj(const struct rig *rig)
{
   struct drm_syncobj_create create = { 0 };

   assert_int_equal(call(rig, DRM_IOCTL_SYNCOBJ_CREATE, &create), 0);
   return create.handle;
}

/* Syncs with a syncobj, or with a point of it. */
static struct xe_sync
sync_with(uint32_t syncobj, uint64_t point, uint32_t flags)
{
   return (struct xe_sync){
      .type = point != 0 ? XE_SYNC_TIMELINE : XE_SYNC_SYNCOBJ,
      .flags = flags,
      .handle = syncobj,
      .timeline_value = point,
   };
}

/* Binds memory, or nothing, and signals a syncobj if there is one. */
static int
bind(const struct rig *rig, uint32_t vm, uint32_t handle, uint64_t address,
     uint32_t syncobj, uint64_t point)
{
   struct xe_sync sync = sync_with(syncobj, point, XE_SYNC_SIGNAL);
   struct xe_vm_bind request = {
      .vm = vm,
      .bind_count = 1,
      .bind = { .handle = handle,
                .range_B = SIZE_B,
                .address = address,
                .op = handle != 0 ? XE_BIND_MAP : XE_BIND_UNMAP },
      .sync_count = syncobj != NONE,
      .syncs = (uintptr_t)&sync,
   };

   return call(rig, XE_IOCTL(XE_VM_BIND, request), &request);
}

/* Has the GPU write, after a syncobj if there is one. */
static int
write_value(const struct rig *rig, uint32_t queue, uint32_t syncobj,
            uint64_t point)
{
   struct xe_sync sync = sync_with(syncobj, point, 0);
   struct xe_exec exec = {
      .queue = queue,
      .sync_count = syncobj != NONE,
      .syncs = (uintptr_t)&sync,
      .address = BATCH_AT,
      .batch_count = 1,
   };
   const uint32_t commands[] = { STORE_DATA, (uint32_t)DATA_AT, 0, VALUE,
                                 BATCH_END };

   memcpy(rig->batch.dw, commands, sizeof(commands));
   return call(rig, XE_IOCTL(XE_EXEC, exec), &exec);
}

static int
setup(void **state)
{
   struct rig *rig = calloc(1, sizeof(*rig));

   rig->sim = sim_create("dg2");
   rig->sim->is_xe = true;
   rig->sim->io.open(rig->sim, "/dev/dri/renderD128", 0);
   rig->vm = new_vm(rig);
   rig->queue = new_queue(rig, rig->vm);
   rig->batch = new_memory(rig);
   rig->data = new_memory(rig);
   assert_int_equal(bind(rig, rig->vm, rig->batch.handle, BATCH_AT, NONE, 0),
                    0);
   *state = rig;
   return 0;
}

static int
teardown(void **state)
{
   struct rig *rig = *state;

   unmap(rig, &rig->batch);
   unmap(rig, &rig->data);
   assert_int_equal(rig->sim->mapping_count, 0);
   sim_destroy(rig->sim);
   free(rig);
   return 0;
}

static void
a_bind_without_syncs_is_done(void **state)
{
   const struct rig *rig = *state;

   assert_int_equal(bind(rig, rig->vm, rig->data.handle, DATA_AT, NONE, 0),
                    0);
   assert_int_equal(write_value(rig, rig->queue, NONE, 0), 0);
   assert_int_equal(rig->data.dw[0], VALUE);
   assert_string_equal(rig->sim->violations, "");
}

static void
a_batch_may_run_before_a_bind(void **state)
{
   const struct rig *rig = *state;
   const uint32_t bound = new_syncobj(rig);

   assert_int_equal(bind(rig, rig->vm, rig->data.handle, DATA_AT, bound, 0),
                    0);
   assert_int_equal(write_value(rig, rig->queue, NONE, 0), 0);
   assert_int_equal(rig->data.dw[0], 0);
   assert_string_not_equal(rig->sim->violations, "");

   rig->sim->violations[0] = '\0';
   assert_int_equal(write_value(rig, rig->queue, bound, 0), 0);
   assert_int_equal(rig->data.dw[0], VALUE);
   assert_string_equal(rig->sim->violations, "");
}

/* A point of a timeline stands for all earlier ones, and none that nothing
 * gives can be waited for.
 */
static void
binds_come_in_the_order_of_a_timeline(void **state)
{
   const struct rig *rig = *state;
   const uint32_t timeline = new_syncobj(rig);

   assert_int_equal(bind(rig, rig->vm, rig->data.handle, DATA_AT, timeline,
                         1),
                    0);
   assert_int_equal(bind(rig, rig->vm, rig->data.handle, 2 * DATA_AT,
                         timeline, 2),
                    0);
   assert_int_equal(write_value(rig, rig->queue, timeline, 3), EINVAL);
   assert_int_equal(rig->data.dw[0], 0);
   assert_int_equal(write_value(rig, rig->queue, timeline, 2), 0);
   assert_int_equal(rig->data.dw[0], VALUE);
   assert_string_equal(rig->sim->violations, "");
}

/* The CPU waits for binds as well, and looks at them. */
static void
the_cpu_waits_for_binds(void **state)
{
   const struct rig *rig = *state;
   uint32_t timeline = new_syncobj(rig);
   uint64_t point = 1;
   struct drm_syncobj_timeline_wait wait = {
      .handles = (uintptr_t)&timeline,
      .points = (uintptr_t)&point,
      .count_handles = 1,
   };

   assert_int_equal(call(rig, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait),
                    EINVAL);
   assert_int_equal(bind(rig, rig->vm, rig->data.handle, DATA_AT, timeline,
                         1),
                    0);
   assert_int_equal(call(rig, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait), ETIME);
   wait.timeout_nsec = INT64_MAX;
   assert_int_equal(call(rig, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait), 0);
   assert_int_equal(write_value(rig, rig->queue, NONE, 0), 0);
   assert_string_equal(rig->sim->violations, "");
}

static void
addresses_are_lost_at_once(void **state)
{
   const struct rig *rig = *state;
   const uint32_t unbound = new_syncobj(rig);

   assert_int_equal(bind(rig, rig->vm, rig->data.handle, DATA_AT, NONE, 0),
                    0);
   assert_int_equal(bind(rig, rig->vm, 0, DATA_AT, unbound, 0), 0);
   assert_int_equal(write_value(rig, rig->queue, NONE, 0), 0);
   assert_int_equal(rig->data.dw[0], 0);
   assert_string_not_equal(rig->sim->violations, "");
}

/* An address space has addresses of its own, and a buffer that was created
 * for one is bound in no other.  A handle that is closed leaves the memory
 * where it is bound.
 */
static void
spaces_are_apart(void **state)
{
   const struct rig *rig = *state;
   const uint32_t other = new_vm(rig);
   struct drm_gem_close close = { .handle = rig->data.handle };

   assert_int_equal(bind(rig, other, rig->data.handle, DATA_AT, NONE, 0),
                    EINVAL);
   assert_int_equal(bind(rig, rig->vm, rig->data.handle, DATA_AT, NONE, 0),
                    0);
   assert_int_equal(call(rig, DRM_IOCTL_GEM_CLOSE, &close), 0);
   assert_int_equal(write_value(rig, rig->queue, NONE, 0), 0);
   assert_int_equal(rig->data.dw[0], VALUE);
   assert_string_equal(rig->sim->violations, "");

   rig->data.dw[0] = 0;
   assert_int_equal(write_value(rig, new_queue(rig, other), NONE, 0), 0);
   assert_int_equal(rig->data.dw[0], 0);
   assert_string_not_equal(rig->sim->violations, "");
}

static uint64_t
is_banned(const struct rig *rig, uint32_t queue)
{
   struct xe_queue_property get = { .queue = queue };

   assert_int_equal(call(rig, XE_IOCTL(XE_EXEC_QUEUE_GET_PROPERTY, get),
                         &get),
                    0);
   return get.value;
}

static void
a_queue_that_hangs_is_banned(void **state)
{
   const struct rig *rig = *state;
   const uint32_t other = new_queue(rig, rig->vm);

   assert_int_equal(bind(rig, rig->vm, rig->data.handle, DATA_AT, NONE, 0),
                    0);
   rig->sim->hang_on_submit = 1;
   assert_int_equal(write_value(rig, rig->queue, NONE, 0), 0);
   assert_int_equal(rig->data.dw[0], 0);
   assert_int_equal(is_banned(rig, rig->queue), 1);
   assert_int_equal(write_value(rig, rig->queue, NONE, 0), ECANCELED);
   assert_int_equal(is_banned(rig, other), 0);
   assert_int_equal(write_value(rig, other, NONE, 0), 0);
   assert_int_equal(rig->data.dw[0], VALUE);
}

/* The kernel keeps no work of a queue that is gone, but tells its fence. */
static void
work_does_not_outlive_its_queue(void **state)
{
   const struct rig *rig = *state;
   uint32_t done = new_syncobj(rig);
   struct xe_sync sync = sync_with(done, 0, XE_SYNC_SIGNAL);
   struct xe_exec idle = {
      .queue = rig->queue,
      .sync_count = 1,
      .syncs = (uintptr_t)&sync,
   };
   struct xe_queue_destroy destroy = { .queue = rig->queue };
   struct drm_syncobj_wait wait = {
      .handles = (uintptr_t)&done,
      .count_handles = 1,
      .timeout_nsec = INT64_MAX,
   };

   rig->sim->is_delayed = true;
   assert_int_equal(bind(rig, rig->vm, rig->data.handle, DATA_AT, NONE, 0),
                    0);
   assert_int_equal(write_value(rig, rig->queue, NONE, 0), 0);
   assert_int_equal(call(rig, XE_IOCTL(XE_EXEC, idle), &idle), 0);
   assert_int_equal(call(rig, XE_IOCTL(XE_EXEC_QUEUE_DESTROY, destroy),
                         &destroy),
                    0);
   assert_int_equal(call(rig, DRM_IOCTL_SYNCOBJ_WAIT, &wait), 0);
   assert_int_equal(rig->data.dw[0], 0);
}

static void
memory_is_checked(void **state)
{
   const struct rig *rig = *state;
   struct xe_vm_bind request = {
      .vm = rig->vm,
      .bind_count = 1,
      .bind = { .handle = rig->data.handle,
                .cache_policy = 1, /* which the CPU does not see */
                .range_B = SIZE_B,
                .address = DATA_AT },
   };
   uint32_t handle;

   assert_int_equal(call(rig, XE_IOCTL(XE_VM_BIND, request), &request),
                    EINVAL);
   request.bind.cache_policy = 0;
   request.bind.range_B = 2 * SIZE_B;
   assert_int_equal(call(rig, XE_IOCTL(XE_VM_BIND, request), &request),
                    EINVAL);
   request.bind.range_B = SIZE_B;
   assert_int_equal(call(rig, XE_IOCTL(XE_VM_BIND, request), &request), 0);
   assert_int_equal(try_memory(rig, 0, SIZE_B + 1, XE_CACHING_WB, &handle),
                    EINVAL);
   assert_int_equal(try_memory(rig, 0, SIZE_B, 0, &handle), EINVAL);
}

static int
read_cycles(const struct rig *rig, struct xe_cycles *cycles)
{
   struct xe_query query = {
      .question = XE_QUERY_CYCLES,
      .size_B = sizeof(*cycles),
      .data = (uintptr_t)cycles,
   };

   return call(rig, XE_IOCTL(XE_DEVICE_QUERY, query), &query);
}

static void
the_clock_comes_with_the_cpus(void **state)
{
   const struct rig *rig = *state;
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

#define CASE(NAME) cmocka_unit_test_setup_teardown(NAME, setup, teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
      CASE(a_bind_without_syncs_is_done),
      CASE(a_batch_may_run_before_a_bind),
      CASE(binds_come_in_the_order_of_a_timeline),
      CASE(the_cpu_waits_for_binds),
      CASE(addresses_are_lost_at_once),
      CASE(spaces_are_apart),
      CASE(a_queue_that_hangs_is_banned),
      CASE(work_does_not_outlive_its_queue),
      CASE(memory_is_checked),
      CASE(the_clock_comes_with_the_cpus),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
