/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "xe_rig.h"

#define STORE_DATA 0x10000002u
#define BATCH_END  0x05000000u

int
xe_call(const struct xe_rig *rig, unsigned long request, void *argument)
{
   const struct pitot_drm_io *io = &rig->sim->io;

   return io->ioctl(io->data, XE_FD, request, argument) != 0 ? errno : 0;
}

uint32_t
xe_new_vm(const struct xe_rig *rig)
{
   struct drm_xe_vm_create create = { 0 };

   assert_int_equal(xe_call(rig, DRM_IOCTL_XE_VM_CREATE, &create), 0);
   return create.vm_id;
}

uint32_t
xe_new_queue(const struct xe_rig *rig, uint32_t vm)
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

   assert_int_equal(xe_call(rig, DRM_IOCTL_XE_EXEC_QUEUE_CREATE, &create), 0);
   return create.exec_queue_id;
}

int
xe_try_memory(const struct xe_rig *rig, uint32_t vm, uint64_t size_B,
              uint16_t caching, uint32_t *handle_out)
{
   struct drm_xe_gem_create create = {
      .size = size_B,
      .placement = 1,
      .vm_id = vm,
      .cpu_caching = caching,
   };
   const int result = xe_call(rig, DRM_IOCTL_XE_GEM_CREATE, &create);

   *handle_out = create.handle;
   return result;
}

struct xe_memory
xe_new_memory(const struct xe_rig *rig)
{
   const struct pitot_drm_io *io = &rig->sim->io;
   struct xe_memory memory;

   assert_int_equal(xe_try_memory(rig, rig->vm, XE_SIZE_B,
                                  DRM_XE_GEM_CPU_CACHING_WB, &memory.handle),
                    0);
   struct drm_xe_gem_mmap_offset map = { .handle = memory.handle };
   assert_int_equal(xe_call(rig, DRM_IOCTL_XE_GEM_MMAP_OFFSET, &map), 0);
   memory.dw = io->mmap(io->data, XE_SIZE_B, 0, 0, XE_FD, (off_t)map.offset);
   return memory;
}

void
xe_unmap(const struct xe_rig *rig, struct xe_memory *memory)
{
   rig->sim->io.munmap(rig->sim->io.data, memory->dw, XE_SIZE_B);
}

uint32_t
xe_new_syncobj(const struct xe_rig *rig)
{
   struct drm_syncobj_create create = { 0 };

   assert_int_equal(xe_call(rig, DRM_IOCTL_SYNCOBJ_CREATE, &create), 0);
   return create.handle;
}

struct drm_xe_sync
xe_sync_with(uint32_t syncobj, uint64_t point, uint32_t flags)
{
   return (struct drm_xe_sync){
      .type = point != 0 ? DRM_XE_SYNC_TYPE_TIMELINE_SYNCOBJ
                         : DRM_XE_SYNC_TYPE_SYNCOBJ,
      .flags = flags,
      .handle = syncobj,
      .timeline_value = point,
   };
}

int
xe_bind_after(const struct xe_rig *rig, uint32_t vm, uint32_t handle,
              uint64_t address, const struct drm_xe_sync *syncs,
              uint32_t sync_count)
{
   struct drm_xe_vm_bind request = {
      .vm_id = vm,
      .num_binds = 1,
      .bind = { .obj = handle,
                .range = XE_SIZE_B,
                .addr = address,
                .op = handle != 0 ? DRM_XE_VM_BIND_OP_MAP
                                  : DRM_XE_VM_BIND_OP_UNMAP },
      .num_syncs = sync_count,
      .syncs = (uintptr_t)syncs,
   };

   return xe_call(rig, DRM_IOCTL_XE_VM_BIND, &request);
}

int
xe_bind(const struct xe_rig *rig, uint32_t vm, uint32_t handle,
        uint64_t address, uint32_t syncobj, uint64_t point)
{
   const struct drm_xe_sync sync =
      xe_sync_with(syncobj, point, DRM_XE_SYNC_FLAG_SIGNAL);

   return xe_bind_after(rig, vm, handle, address, &sync, syncobj != XE_NONE);
}

int
xe_submit(const struct xe_rig *rig, uint32_t queue, uint64_t address,
          const struct drm_xe_sync *syncs, uint32_t sync_count)
{
   struct drm_xe_exec exec = {
      .exec_queue_id = queue,
      .num_syncs = sync_count,
      .syncs = (uintptr_t)syncs,
      .address = address,
      .num_batch_buffer = address != 0,
   };

   return xe_call(rig, DRM_IOCTL_XE_EXEC, &exec);
}

int
xe_write_value(const struct xe_rig *rig, uint32_t queue, uint32_t syncobj,
               uint64_t point)
{
   const struct drm_xe_sync sync = xe_sync_with(syncobj, point, 0);

   return xe_submit(rig, queue, XE_BATCH_AT, &sync, syncobj != XE_NONE);
}

void
xe_bind_data(const struct xe_rig *rig, uint32_t syncobj, uint64_t point)
{
   assert_int_equal(xe_bind(rig, rig->vm, rig->data.handle, XE_DATA_AT,
                            syncobj, point),
                    0);
}

void
xe_unbind_data(const struct xe_rig *rig, uint32_t syncobj)
{
   assert_int_equal(xe_bind(rig, rig->vm, 0, XE_DATA_AT, syncobj, 0), 0);
}

void
xe_signal_when_idle(const struct xe_rig *rig, uint32_t queue,
                    uint32_t syncobj)
{
   const struct drm_xe_sync signal =
      xe_sync_with(syncobj, 0, DRM_XE_SYNC_FLAG_SIGNAL);

   assert_int_equal(xe_submit(rig, queue, 0, &signal, 1), 0);
}

void
xe_wait(const struct xe_rig *rig, uint32_t syncobj)
{
   struct drm_syncobj_wait wait = {
      .handles = (uintptr_t)&syncobj,
      .count_handles = 1,
      .timeout_nsec = INT64_MAX,
   };

   assert_int_equal(xe_call(rig, DRM_IOCTL_SYNCOBJ_WAIT, &wait), 0);
}

void
xe_expect_value(const struct xe_rig *rig)
{
   assert_int_equal(rig->data.dw[0], XE_VALUE);
   assert_string_equal(rig->sim->violations, "");
   rig->data.dw[0] = 0;
}

void
xe_expect_fault(const struct xe_rig *rig)
{
   assert_int_equal(rig->data.dw[0], 0);
   assert_string_not_equal(rig->sim->violations, "");
   rig->sim->violations[0] = '\0';
}

int
xe_setup(void **state)
{
   static const uint32_t commands[] = { STORE_DATA, (uint32_t)XE_DATA_AT, 0,
                                        XE_VALUE, BATCH_END };
   struct xe_rig *rig = calloc(1, sizeof(*rig));

   rig->sim = sim_create("dg2");
   rig->sim->is_xe = true;
   rig->sim->io.open(rig->sim, "/dev/dri/renderD128", 0);
   rig->vm = xe_new_vm(rig);
   rig->queue = xe_new_queue(rig, rig->vm);
   rig->batch = xe_new_memory(rig);
   rig->data = xe_new_memory(rig);
   memcpy(rig->batch.dw, commands, sizeof(commands));
   assert_int_equal(xe_bind(rig, rig->vm, rig->batch.handle, XE_BATCH_AT,
                            XE_NONE, 0),
                    0);
   *state = rig;
   return 0;
}

int
xe_teardown(void **state)
{
   struct xe_rig *rig = *state;

   xe_unmap(rig, &rig->batch);
   xe_unmap(rig, &rig->data);
   assert_int_equal(rig->sim->mapping_count, 0);
   sim_destroy(rig->sim);
   free(rig);
   return 0;
}
