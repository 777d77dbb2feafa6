/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The simulated xe: address spaces, queues, memory and the clock; and the
 * order of binds and batches that xe promises, and no more.  A program has an
 * address space, a queue in it, and a batch that writes VALUE at DATA_AT.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "drm-uapi/xe_drm.h"
#include "listed.h"
#include "sim.h"

#define FD       1000
#define SIZE_B   4096
#define BATCH_AT UINT64_C(0x100000)
#define END_AT   (BATCH_AT + 16) /* an empty batch */
#define DATA_AT  UINT64_C(0x200000)
#define VALUE    77u
#define NONE     0xffffffffu /* no syncobj */

struct memory {
   uint32_t handle;
   uint32_t *dw;
};

struct rig {
   struct sim *sim;
   uint32_t vm, queue;
   struct memory batch, data; /* the batch is bound */
};

#define STORE_DATA 0x10000002u
#define BATCH_END  0x05000000u

/* Returns 0 or errno. */
static int
call(const struct rig *rig, unsigned long request, void *argument)
{
   const struct pitot_drm_io *io = &rig->sim->io;

   return io->ioctl(io->data, FD, request, argument) != 0 ? errno : 0;
}

static uint32_t
new_vm(const struct rig *rig)
{
   struct drm_xe_vm_create create = { 0 };

   assert_int_equal(call(rig, DRM_IOCTL_XE_VM_CREATE, &create), 0);
   return create.vm_id;
}

static uint32_t
new_queue(const struct rig *rig, uint32_t vm)
{
   struct drm_xe_engine_class_instance instance = {
      .engine_class = DRM_XE_ENGINE_CLASS_RENDER
   };
   struct drm_xe_exec_queue_create create = {
      .width = 1,
      .num_placements = 1,
      .vm_id = vm,
      .instances = (uintptr_t)&instance,
   };

   assert_int_equal(call(rig, DRM_IOCTL_XE_EXEC_QUEUE_CREATE, &create), 0);
   return create.exec_queue_id;
}

static int
try_memory(const struct rig *rig, uint32_t vm, uint64_t size_B,
           uint16_t caching, uint32_t *handle_out)
{
   struct drm_xe_gem_create create = {
      .size = size_B,
      .placement = 1,
      .vm_id = vm,
      .cpu_caching = caching,
   };
   const int result = call(rig, DRM_IOCTL_XE_GEM_CREATE, &create);

   *handle_out = create.handle;
   return result;
}

/* Memory that the CPU can read, and that the test unmaps. */
static struct memory
new_memory(const struct rig *rig)
{
   const struct pitot_drm_io *io = &rig->sim->io;
   struct memory memory;

   assert_int_equal(try_memory(rig, rig->vm, SIZE_B,
                               DRM_XE_GEM_CPU_CACHING_WB, &memory.handle),
                    0);
   struct drm_xe_gem_mmap_offset map = { .handle = memory.handle };
   assert_int_equal(call(rig, DRM_IOCTL_XE_GEM_MMAP_OFFSET, &map), 0);
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

/* A sync with a syncobj, or with a point of it. */
static struct drm_xe_sync
sync_with(uint32_t syncobj, uint64_t point, uint32_t flags)
{
   return (struct drm_xe_sync){
      .type = point != 0 ? DRM_XE_SYNC_TYPE_TIMELINE_SYNCOBJ
                         : DRM_XE_SYNC_TYPE_SYNCOBJ,
      .flags = flags,
      .addr = syncobj, /* a handle without upper bits: it is a union */
      .timeline_value = point,
   };
}

/* Binds memory, or unbinds it if handle is 0. */
static int
bind_after(const struct rig *rig, uint32_t vm, uint32_t handle,
           uint64_t address, const struct drm_xe_sync *syncs,
           uint32_t sync_count)
{
   struct drm_xe_vm_bind request = {
      .vm_id = vm,
      .num_binds = 1,
      .bind = { .obj = handle,
                .range = SIZE_B,
                .addr = address,
                .op = handle != 0 ? DRM_XE_VM_BIND_OP_MAP
                                  : DRM_XE_VM_BIND_OP_UNMAP },
      .num_syncs = sync_count,
      .syncs = (uintptr_t)syncs,
   };

   return call(rig, DRM_IOCTL_XE_VM_BIND, &request);
}

/* The same without waits; signals a syncobj if there is one. */
static int
bind_at(const struct rig *rig, uint32_t vm, uint32_t handle, uint64_t address,
        uint32_t syncobj, uint64_t point)
{
   const struct drm_xe_sync sync =
      sync_with(syncobj, point, DRM_XE_SYNC_FLAG_SIGNAL);

   return bind_after(rig, vm, handle, address, &sync, syncobj != NONE);
}

/* Executes the commands at an address, or if that is 0 signals the syncobjs
 * when the queue is idle.
 */
static int
submit(const struct rig *rig, uint32_t queue, uint64_t address,
       const struct drm_xe_sync *syncs, uint32_t sync_count)
{
   struct drm_xe_exec exec = {
      .exec_queue_id = queue,
      .num_syncs = sync_count,
      .syncs = (uintptr_t)syncs,
      .address = address,
      .num_batch_buffer = address != 0,
   };

   return call(rig, DRM_IOCTL_XE_EXEC, &exec);
}

/* Executes the batch that writes, after a syncobj if there is one. */
static int
write_value(const struct rig *rig, uint32_t queue, uint32_t syncobj,
            uint64_t point)
{
   const struct drm_xe_sync sync = sync_with(syncobj, point, 0);

   return submit(rig, queue, BATCH_AT, &sync, syncobj != NONE);
}

static void
write_now(const struct rig *rig)
{
   assert_int_equal(write_value(rig, rig->queue, NONE, 0), 0);
}

/* Binds the data, or unbinds it, at DATA_AT. */
static void
bind_data(const struct rig *rig, uint32_t syncobj, uint64_t point)
{
   assert_int_equal(bind_at(rig, rig->vm, rig->data.handle, DATA_AT, syncobj,
                            point),
                    0);
}

static void
unbind_data(const struct rig *rig, uint32_t syncobj)
{
   assert_int_equal(bind_at(rig, rig->vm, 0, DATA_AT, syncobj, 0), 0);
}

/* Signals when the queue's batches so far are done. */
static void
signal_when_idle(const struct rig *rig, uint32_t queue, uint32_t syncobj)
{
   const struct drm_xe_sync signal =
      sync_with(syncobj, 0, DRM_XE_SYNC_FLAG_SIGNAL);

   assert_int_equal(submit(rig, queue, 0, &signal, 1), 0);
}

static void
wait_for(const struct rig *rig, uint32_t syncobj)
{
   struct drm_syncobj_wait wait = {
      .handles = (uintptr_t)&syncobj,
      .count_handles = 1,
      .timeout_nsec = INT64_MAX,
   };

   assert_int_equal(call(rig, DRM_IOCTL_SYNCOBJ_WAIT, &wait), 0);
}

/* Expects that the batch wrote, or that it found no memory, and forgets it.
 */
static void
check_value(const struct rig *rig)
{
   assert_int_equal(rig->data.dw[0], VALUE);
   assert_string_equal(rig->sim->violations, "");
   rig->data.dw[0] = 0;
}

static void
check_fault(const struct rig *rig)
{
   assert_int_equal(rig->data.dw[0], 0);
   assert_string_not_equal(rig->sim->violations, "");
   rig->sim->violations[0] = '\0';
}

static int
set_up(void **state)
{
   static const uint32_t commands[] = { STORE_DATA, (uint32_t)DATA_AT, 0,
                                        VALUE, BATCH_END };
   struct rig *rig = calloc(1, sizeof(*rig));

   rig->sim = sim_create("dg2");
   rig->sim->is_xe = true;
   rig->sim->io.open(rig->sim, "/dev/dri/renderD128", 0);
   rig->vm = new_vm(rig);
   rig->queue = new_queue(rig, rig->vm);
   rig->batch = new_memory(rig);
   rig->data = new_memory(rig);
   memcpy(rig->batch.dw, commands, sizeof(commands));
   assert_int_equal(bind_at(rig, rig->vm, rig->batch.handle, BATCH_AT, NONE,
                            0),
                    0);
   *state = rig;
   return 0;
}

static int
tear_down(void **state)
{
   struct rig *rig = *state;

   unmap(rig, &rig->batch);
   unmap(rig, &rig->data);
   assert_int_equal(rig->sim->mapping_count, 0);
   sim_destroy(rig->sim);
   free(rig);
   return 0;
}

#define XE_TEST(NAME)                                                        \
   TEST_WITH(set_up, tear_down, const struct rig *rig, NAME)

/* An address space has its own addresses, and a buffer created for one is
 * bound in no other.  Closing a handle leaves its memory bound.
 */
XE_TEST(spaces_are_apart)
{
   const uint32_t other = new_vm(rig);
   struct drm_gem_close close = { .handle = rig->data.handle };

   assert_int_equal(bind_at(rig, other, rig->data.handle, DATA_AT, NONE, 0),
                    EINVAL);
   bind_data(rig, NONE, 0);
   assert_int_equal(call(rig, DRM_IOCTL_GEM_CLOSE, &close), 0);
   write_now(rig);
   check_value(rig);
   assert_int_equal(write_value(rig, new_queue(rig, other), NONE, 0), 0);
   check_fault(rig);
}

static uint64_t
is_banned(const struct rig *rig, uint32_t queue)
{
   struct drm_xe_exec_queue_get_property get = { .exec_queue_id = queue };

   assert_int_equal(call(rig, DRM_IOCTL_XE_EXEC_QUEUE_GET_PROPERTY, &get), 0);
   return get.value;
}

XE_TEST(a_queue_that_hangs_is_banned)
{
   const uint32_t other = new_queue(rig, rig->vm);

   bind_data(rig, NONE, 0);
   rig->sim->hang_on_submit = 1;
   write_now(rig);
   assert_int_equal(rig->data.dw[0], 0);
   assert_int_equal(is_banned(rig, rig->queue), 1);
   assert_int_equal(write_value(rig, rig->queue, NONE, 0), ECANCELED);
   assert_int_equal(is_banned(rig, other), 0);
   assert_int_equal(write_value(rig, other, NONE, 0), 0);
   assert_int_equal(rig->data.dw[0], VALUE);
}

/* The kernel drops the work of a destroyed queue, and signals its fence. */
XE_TEST(work_does_not_outlive_its_queue)
{
   const uint32_t done = new_syncobj(rig);
   struct drm_xe_exec_queue_destroy destroy = { .exec_queue_id = rig->queue };

   rig->sim->is_delayed = true;
   bind_data(rig, NONE, 0);
   write_now(rig);
   signal_when_idle(rig, rig->queue, done);
   assert_int_equal(call(rig, DRM_IOCTL_XE_EXEC_QUEUE_DESTROY, &destroy), 0);
   wait_for(rig, done);
   assert_int_equal(rig->data.dw[0], 0);
}

XE_TEST(memory_is_checked)
{
   struct drm_xe_vm_bind request = {
      .vm_id = rig->vm,
      .num_binds = 1,
      .bind = { .obj = rig->data.handle,
                .pat_index = 1, /* not coherent with the CPU */
                .range = SIZE_B,
                .addr = DATA_AT },
   };
   uint32_t handle;

   assert_int_equal(call(rig, DRM_IOCTL_XE_VM_BIND, &request), EINVAL);
   request.bind.pat_index = 0;
   request.bind.range = 2 * SIZE_B;
   assert_int_equal(call(rig, DRM_IOCTL_XE_VM_BIND, &request), EINVAL);
   request.bind.range = SIZE_B;
   assert_int_equal(call(rig, DRM_IOCTL_XE_VM_BIND, &request), 0);
   assert_int_equal(try_memory(rig, 0, SIZE_B + 1, DRM_XE_GEM_CPU_CACHING_WB,
                               &handle),
                    EINVAL);
   assert_int_equal(try_memory(rig, 0, SIZE_B, 0, &handle), EINVAL);
}

static int
read_cycles(const struct rig *rig, struct drm_xe_query_engine_cycles *cycles)
{
   struct drm_xe_device_query query = {
      .query = DRM_XE_DEVICE_QUERY_ENGINE_CYCLES,
      .size = sizeof(*cycles),
      .data = (uintptr_t)cycles,
   };

   return call(rig, DRM_IOCTL_XE_DEVICE_QUERY, &query);
}

XE_TEST(the_clock_comes_with_the_cpus)
{
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

/* Order */

XE_TEST(a_bind_without_syncs_is_done)
{
   bind_data(rig, NONE, 0);
   write_now(rig);
   check_value(rig);
}

XE_TEST(a_batch_may_run_before_a_bind)
{
   const uint32_t bound = new_syncobj(rig);

   bind_data(rig, bound, 0);
   write_now(rig);
   check_fault(rig);
   assert_int_equal(write_value(rig, rig->queue, bound, 0), 0);
   check_value(rig);
}

/* A point includes all earlier ones; waiting for an unknown one fails. */
XE_TEST(binds_come_in_the_order_of_a_timeline)
{
   const uint32_t timeline = new_syncobj(rig);

   bind_data(rig, timeline, 1);
   assert_int_equal(bind_at(rig, rig->vm, rig->data.handle, 2 * DATA_AT,
                            timeline, 2),
                    0);
   assert_int_equal(write_value(rig, rig->queue, timeline, 3), EINVAL);
   assert_int_equal(rig->data.dw[0], 0);
   assert_int_equal(write_value(rig, rig->queue, timeline, 2), 0);
   check_value(rig);
}

/* The CPU can wait for binds, and poll them. */
XE_TEST(the_cpu_waits_for_binds)
{
   uint32_t timeline = new_syncobj(rig);
   uint64_t point = 1;
   struct drm_syncobj_timeline_wait wait = {
      .handles = (uintptr_t)&timeline,
      .points = (uintptr_t)&point,
      .count_handles = 1,
   };

   assert_int_equal(call(rig, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait),
                    EINVAL);
   bind_data(rig, timeline, 1);
   assert_int_equal(call(rig, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait), ETIME);
   wait.timeout_nsec = INT64_MAX;
   assert_int_equal(call(rig, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait), 0);
   write_now(rig);
   assert_string_equal(rig->sim->violations, "");
}

XE_TEST(addresses_are_lost_at_once)
{
   const uint32_t unbound = new_syncobj(rig);

   bind_data(rig, NONE, 0);
   unbind_data(rig, unbound);
   write_now(rig);
   check_fault(rig);
}

/* xe does not wait for batches: a program must name those to wait for. */
XE_TEST(memory_is_taken_away_under_a_batch)
{
   const uint32_t unbound = new_syncobj(rig);

   bind_data(rig, NONE, 0);
   rig->sim->is_delayed = true;
   write_now(rig);
   unbind_data(rig, unbound);
   sim_complete(rig->sim, 1);
   check_fault(rig);
}

XE_TEST(memory_is_taken_away_after_a_batch)
{
   const uint32_t done = new_syncobj(rig);
   const uint32_t unbound = new_syncobj(rig);
   const struct drm_xe_sync signal =
      sync_with(done, 0, DRM_XE_SYNC_FLAG_SIGNAL);
   const struct drm_xe_sync syncs[] = {
      sync_with(done, 0, 0),
      sync_with(unbound, 0, DRM_XE_SYNC_FLAG_SIGNAL),
   };

   bind_data(rig, NONE, 0);
   rig->sim->is_delayed = true;
   assert_int_equal(submit(rig, rig->queue, BATCH_AT, &signal, 1), 0);
   assert_int_equal(bind_after(rig, rig->vm, 0, DATA_AT, syncs, 2), 0);
   write_now(rig);
   sim_complete(rig->sim, 1);
   check_value(rig);
   sim_complete(rig->sim, 1);
   check_fault(rig);
}

/* A wait for a bind includes what earlier binds wait for. */
XE_TEST(a_bind_waits_for_those_before_it)
{
   const uint32_t other = new_queue(rig, rig->vm);
   const uint32_t done = new_syncobj(rig), binds = new_syncobj(rig);
   const struct drm_xe_sync signal =
      sync_with(done, 0, DRM_XE_SYNC_FLAG_SIGNAL);
   const struct drm_xe_sync syncs[] = {
      sync_with(done, 0, 0),
      sync_with(binds, 1, DRM_XE_SYNC_FLAG_SIGNAL),
   };

   bind_data(rig, NONE, 0);
   rig->sim->is_delayed = true;
   assert_int_equal(submit(rig, rig->queue, BATCH_AT, &signal, 1), 0);
   assert_int_equal(bind_after(rig, rig->vm, 0, DATA_AT, syncs, 2), 0);
   bind_data(rig, binds, 2);
   assert_int_equal(write_value(rig, other, binds, 2), 0);
   sim_complete(rig->sim, 2);
   check_value(rig);
}

/* A queue overtakes another one unless it waits for it. */
XE_TEST(queues_are_in_no_order)
{
   const uint32_t other = new_queue(rig, rig->vm);
   const uint32_t first = new_syncobj(rig), idle = new_syncobj(rig);

   bind_data(rig, NONE, 0);
   rig->sim->is_delayed = true;
   write_now(rig);
   assert_int_equal(submit(rig, other, END_AT, NULL, 0), 0);
   signal_when_idle(rig, other, idle);
   wait_for(rig, idle);
   assert_int_equal(rig->data.dw[0], 0);

   signal_when_idle(rig, rig->queue, first);
   assert_int_equal(write_value(rig, other, first, 0), 0);
   signal_when_idle(rig, other, idle);
   rig->sim->hang_on_submit = 1;
   wait_for(rig, idle);
   assert_int_equal(rig->data.dw[0], VALUE);
   assert_int_equal(write_value(rig, rig->queue, NONE, 0), ECANCELED);
}

/* As the kernel's xe_sync_entry_parse() does. */
XE_TEST(syncs_are_checked)
{
   const uint32_t syncobj = new_syncobj(rig);
   struct drm_xe_sync bad[] = {
      sync_with(syncobj, 0, 1u << 1), /* unknown flag */
      sync_with(syncobj, 0, 0),       /* nothing to wait for */
      sync_with(syncobj, 0, DRM_XE_SYNC_FLAG_SIGNAL),
      sync_with(syncobj, 0, DRM_XE_SYNC_FLAG_SIGNAL),
      sync_with(syncobj, 1, DRM_XE_SYNC_FLAG_SIGNAL),
   };

   bad[2].addr |= UINT64_C(1) << 32;
   bad[3].reserved[1] = 1;
   bad[4].timeline_value = 0;
   for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
      assert_int_equal(submit(rig, rig->queue, BATCH_AT, &bad[i], 1), EINVAL);
   bad[0] = sync_with(NONE, 0, DRM_XE_SYNC_FLAG_SIGNAL);
   assert_int_equal(submit(rig, rig->queue, BATCH_AT, bad, 1), ENOENT);
}
