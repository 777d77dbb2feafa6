/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What the simulated kernel answers to drivers, and Pitot itself never asks.
 */

#include <errno.h>

#include <drm.h>

#include "rig.h"

static int
call(const struct rig *rig, unsigned long request, void *argument)
{
   const struct pitot_drm_io *io = rig->device->io;

   return io->ioctl(io->data, rig->device->fd, request, argument) ? errno : 0;
}

static int
look_at_syncobj(const struct rig *rig, uint32_t handle, uint32_t flags)
{
   struct drm_syncobj_wait wait = {
      .handles = (uintptr_t)&handle,
      .count_handles = 1,
      .flags = flags,
   };

   return call(rig, DRM_IOCTL_SYNCOBJ_WAIT, &wait);
}

/* drm_syncobj_array_wait_timeout(): without a fence it is an error, unless
 * somebody may submit one yet.  By that iris finds out whether it may defer
 * flushes.
 */
static void
what_is_not_submitted_is_not_done(void **state)
{
   struct drm_syncobj_create syncobj = { 0 };
   struct rig rig;

   (void)state;
   rig_open(&rig, "skl");
   assert_int_equal(call(&rig, DRM_IOCTL_SYNCOBJ_CREATE, &syncobj), 0);
   assert_int_equal(look_at_syncobj(&rig, syncobj.handle, 0), EINVAL);
   assert_int_equal(look_at_syncobj(&rig, syncobj.handle,
                                    DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT),
                    ETIME);

   struct drm_syncobj_array array = {
      .handles = (uintptr_t)&syncobj.handle,
      .count_handles = 1,
   };
   assert_int_equal(call(&rig, DRM_IOCTL_SYNCOBJ_SIGNAL, &array), 0);
   assert_int_equal(look_at_syncobj(&rig, syncobj.handle,
                                    DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT),
                    0);

   struct drm_syncobj_destroy destroy = { .handle = syncobj.handle };
   assert_int_equal(call(&rig, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy), 0);
   rig_close(&rig);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_not_submitted_is_not_done),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
