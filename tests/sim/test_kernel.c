/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Replies of the simulated kernel that drivers need and Pitot does not. */

#include <errno.h>

#include <amdgpu_drm.h>
#include <drm.h>

#include "packets.h"

static int
call(const struct rig *rig, unsigned long request, void *argument)
{
   const struct pitot_drm_io *io = rig->device->io;

   return io->ioctl(io->data, rig->device->fd, request, argument) ? errno : 0;
}

static int
poll_syncobj(const struct rig *rig, uint32_t handle, uint32_t flags)
{
   struct drm_syncobj_wait wait = {
      .handles = (uintptr_t)&handle,
      .count_handles = 1,
      .flags = flags,
   };

   return call(rig, DRM_IOCTL_SYNCOBJ_WAIT, &wait);
}

/* drm_syncobj_array_wait_timeout(): without a fence it is an error, unless a
 * thread may still submit one.  iris finds out so whether it may defer
 * flushes.
 */
TEST_ON("skl", NULL, what_is_not_submitted_is_not_done)
{
   const uint32_t may_come = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;
   struct drm_syncobj_create syncobj = { 0 };

   assert_int_equal(call(rig, DRM_IOCTL_SYNCOBJ_CREATE, &syncobj), 0);
   assert_int_equal(poll_syncobj(rig, syncobj.handle, 0), EINVAL);
   assert_int_equal(poll_syncobj(rig, syncobj.handle, may_come), ETIME);

   struct drm_syncobj_array array = {
      .handles = (uintptr_t)&syncobj.handle,
      .count_handles = 1,
   };
   assert_int_equal(call(rig, DRM_IOCTL_SYNCOBJ_SIGNAL, &array), 0);
   assert_int_equal(poll_syncobj(rig, syncobj.handle, may_come), 0);

   struct drm_syncobj_destroy destroy = { .handle = syncobj.handle };
   assert_int_equal(call(rig, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy), 0);
}

/* drm_timeout_abs_to_jiffies(): radeonsi polls with a past deadline. */
TEST_ON("vega10", NULL, a_wait_until_the_past_is_a_poll)
{
   union drm_amdgpu_fence_to_handle fence = {
      .in.what = AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ,
   };
   struct drm_syncobj_wait wait = { .count_handles = 1, .timeout_nsec = 1 };

   rig->sim->is_delayed = true;
   rig_write(rig, 0, 1);
   const uint64_t batch = rig_flush(rig, RENDER);
   const unsigned wait_count = rig->sim->wait_count;

   fence.in.fence.seq_no = rig->sim->submit_count;
   assert_int_equal(call(rig, DRM_IOCTL_AMDGPU_FENCE_TO_HANDLE, &fence), 0);
   wait.handles = (uintptr_t)&fence.out.handle;
   assert_int_equal(call(rig, DRM_IOCTL_SYNCOBJ_WAIT, &wait), ETIME);
   assert_int_equal(rig->sim->wait_count, wait_count);
   rig->cs->ops->wait(rig->cs, RENDER, batch);
   assert_int_equal(call(rig, DRM_IOCTL_SYNCOBJ_WAIT, &wait), 0);

   struct drm_syncobj_destroy destroy = { .handle = fence.out.handle };
   assert_int_equal(call(rig, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy), 0);
}

/* amdgpu_ctx_get_fence(): a number that was never used has no fence. */
TEST_ON("vega10", NULL, a_wait_for_no_submission_is_an_error)
{
   const uint64_t next = rig->sim->submit_count + 1;
   union drm_amdgpu_ctx context = { .in.op = AMDGPU_CTX_OP_ALLOC_CTX };
   union drm_amdgpu_wait_cs wait = { .in.handle = next,
                                     .in.timeout = UINT64_MAX };
   struct drm_amdgpu_fence fence = { .seq_no = next };
   union drm_amdgpu_wait_fences fences = {
      .in.fences = (uintptr_t)&fence,
      .in.fence_count = 1,
      .in.timeout_ns = UINT64_MAX,
   };

   assert_int_equal(call(rig, DRM_IOCTL_AMDGPU_CTX, &context), 0);
   wait.in.ctx_id = context.out.alloc.ctx_id;
   assert_int_equal(call(rig, DRM_IOCTL_AMDGPU_WAIT_CS, &wait), EINVAL);
   assert_int_equal(call(rig, DRM_IOCTL_AMDGPU_WAIT_FENCES, &fences), EINVAL);

   union drm_amdgpu_ctx gone = {
      .in = { .op = AMDGPU_CTX_OP_FREE_CTX, .ctx_id = wait.in.ctx_id },
   };
   assert_int_equal(call(rig, DRM_IOCTL_AMDGPU_CTX, &gone), 0);
}
