/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The order of binds and batches that xe promises, and no more. */

#include <errno.h>

#include "xe_rig.h"

static void
a_bind_without_syncs_is_done(void **state)
{
   const struct xe_rig *rig = *state;

   xe_bind_data(rig, XE_NONE, 0);
   assert_int_equal(xe_write_value(rig, rig->queue, XE_NONE, 0), 0);
   xe_expect_value(rig);
}

static void
a_batch_may_run_before_a_bind(void **state)
{
   const struct xe_rig *rig = *state;
   const uint32_t bound = xe_new_syncobj(rig);

   xe_bind_data(rig, bound, 0);
   assert_int_equal(xe_write_value(rig, rig->queue, XE_NONE, 0), 0);
   xe_expect_fault(rig);
   assert_int_equal(xe_write_value(rig, rig->queue, bound, 0), 0);
   xe_expect_value(rig);
}

/* A point includes all earlier ones; waiting for an unknown one fails. */
static void
binds_come_in_the_order_of_a_timeline(void **state)
{
   const struct xe_rig *rig = *state;
   const uint32_t timeline = xe_new_syncobj(rig);

   xe_bind_data(rig, timeline, 1);
   assert_int_equal(xe_bind(rig, rig->vm, rig->data.handle, 2 * XE_DATA_AT,
                            timeline, 2),
                    0);
   assert_int_equal(xe_write_value(rig, rig->queue, timeline, 3), EINVAL);
   assert_int_equal(rig->data.dw[0], 0);
   assert_int_equal(xe_write_value(rig, rig->queue, timeline, 2), 0);
   xe_expect_value(rig);
}

/* The CPU can wait for binds, and poll them. */
static void
the_cpu_waits_for_binds(void **state)
{
   const struct xe_rig *rig = *state;
   uint32_t timeline = xe_new_syncobj(rig);
   uint64_t point = 1;
   struct drm_syncobj_timeline_wait wait = {
      .handles = (uintptr_t)&timeline,
      .points = (uintptr_t)&point,
      .count_handles = 1,
   };

   assert_int_equal(xe_call(rig, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait),
                    EINVAL);
   xe_bind_data(rig, timeline, 1);
   assert_int_equal(xe_call(rig, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait),
                    ETIME);
   wait.timeout_nsec = INT64_MAX;
   assert_int_equal(xe_call(rig, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait), 0);
   assert_int_equal(xe_write_value(rig, rig->queue, XE_NONE, 0), 0);
   assert_string_equal(rig->sim->violations, "");
}

static void
addresses_are_lost_at_once(void **state)
{
   const struct xe_rig *rig = *state;
   const uint32_t unbound = xe_new_syncobj(rig);

   xe_bind_data(rig, XE_NONE, 0);
   xe_unbind_data(rig, unbound);
   assert_int_equal(xe_write_value(rig, rig->queue, XE_NONE, 0), 0);
   xe_expect_fault(rig);
}

/* xe does not wait for batches: a program must name those to wait for. */
static void
memory_is_taken_away_under_a_batch(void **state)
{
   const struct xe_rig *rig = *state;
   const uint32_t unbound = xe_new_syncobj(rig);

   xe_bind_data(rig, XE_NONE, 0);
   rig->sim->is_delayed = true;
   assert_int_equal(xe_write_value(rig, rig->queue, XE_NONE, 0), 0);
   xe_unbind_data(rig, unbound);
   sim_complete(rig->sim, 1);
   xe_expect_fault(rig);
}

static void
memory_is_taken_away_after_a_batch(void **state)
{
   const struct xe_rig *rig = *state;
   const uint32_t done = xe_new_syncobj(rig);
   const uint32_t unbound = xe_new_syncobj(rig);
   const struct drm_xe_sync signal =
      xe_sync_with(done, 0, DRM_XE_SYNC_FLAG_SIGNAL);
   const struct drm_xe_sync syncs[] = {
      xe_sync_with(done, 0, 0),
      xe_sync_with(unbound, 0, DRM_XE_SYNC_FLAG_SIGNAL),
   };

   xe_bind_data(rig, XE_NONE, 0);
   rig->sim->is_delayed = true;
   assert_int_equal(xe_submit(rig, rig->queue, XE_BATCH_AT, &signal, 1), 0);
   assert_int_equal(xe_bind_after(rig, rig->vm, 0, XE_DATA_AT, syncs, 2), 0);
   assert_int_equal(xe_write_value(rig, rig->queue, XE_NONE, 0), 0);
   sim_complete(rig->sim, 1);
   xe_expect_value(rig);
   sim_complete(rig->sim, 1);
   xe_expect_fault(rig);
}

/* A wait for a bind includes what earlier binds wait for. */
static void
a_bind_waits_for_those_before_it(void **state)
{
   const struct xe_rig *rig = *state;
   const uint32_t other = xe_new_queue(rig, rig->vm);
   const uint32_t done = xe_new_syncobj(rig), binds = xe_new_syncobj(rig);
   const struct drm_xe_sync signal =
      xe_sync_with(done, 0, DRM_XE_SYNC_FLAG_SIGNAL);
   const struct drm_xe_sync syncs[] = {
      xe_sync_with(done, 0, 0),
      xe_sync_with(binds, 1, DRM_XE_SYNC_FLAG_SIGNAL),
   };

   xe_bind_data(rig, XE_NONE, 0);
   rig->sim->is_delayed = true;
   assert_int_equal(xe_submit(rig, rig->queue, XE_BATCH_AT, &signal, 1), 0);
   assert_int_equal(xe_bind_after(rig, rig->vm, 0, XE_DATA_AT, syncs, 2), 0);
   xe_bind_data(rig, binds, 2);
   assert_int_equal(xe_write_value(rig, other, binds, 2), 0);
   sim_complete(rig->sim, 2);
   xe_expect_value(rig);
}

/* A queue overtakes another one unless it waits for it. */
static void
queues_are_in_no_order(void **state)
{
   const struct xe_rig *rig = *state;
   const uint32_t other = xe_new_queue(rig, rig->vm);
   const uint32_t first = xe_new_syncobj(rig), idle = xe_new_syncobj(rig);

   xe_bind_data(rig, XE_NONE, 0);
   rig->sim->is_delayed = true;
   assert_int_equal(xe_write_value(rig, rig->queue, XE_NONE, 0), 0);
   assert_int_equal(xe_submit(rig, other, XE_END_AT, NULL, 0), 0);
   xe_signal_when_idle(rig, other, idle);
   xe_wait(rig, idle);
   assert_int_equal(rig->data.dw[0], 0);

   xe_signal_when_idle(rig, rig->queue, first);
   assert_int_equal(xe_write_value(rig, other, first, 0), 0);
   xe_signal_when_idle(rig, other, idle);
   rig->sim->hang_on_submit = 1;
   xe_wait(rig, idle);
   assert_int_equal(rig->data.dw[0], XE_VALUE);
   assert_int_equal(xe_write_value(rig, rig->queue, XE_NONE, 0), ECANCELED);
}

/* As the kernel's xe_sync_entry_parse() does. */
static void
syncs_are_checked(void **state)
{
   const struct xe_rig *rig = *state;
   const uint32_t syncobj = xe_new_syncobj(rig);
   struct drm_xe_sync bad[] = {
      xe_sync_with(syncobj, 0, 1u << 1), /* unknown flag */
      xe_sync_with(syncobj, 0, 0),       /* nothing to wait for */
      xe_sync_with(syncobj, 0, DRM_XE_SYNC_FLAG_SIGNAL),
      xe_sync_with(syncobj, 0, DRM_XE_SYNC_FLAG_SIGNAL),
      xe_sync_with(syncobj, 1, DRM_XE_SYNC_FLAG_SIGNAL),
   };

   bad[2].addr |= UINT64_C(1) << 32;
   bad[3].reserved[1] = 1;
   bad[4].timeline_value = 0;
   for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
      assert_int_equal(xe_submit(rig, rig->queue, XE_BATCH_AT, &bad[i], 1),
                       EINVAL);
   bad[0] = xe_sync_with(XE_NONE, 0, DRM_XE_SYNC_FLAG_SIGNAL);
   assert_int_equal(xe_submit(rig, rig->queue, XE_BATCH_AT, bad, 1), ENOENT);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      XE_TEST(a_bind_without_syncs_is_done),
      XE_TEST(a_batch_may_run_before_a_bind),
      XE_TEST(binds_come_in_the_order_of_a_timeline),
      XE_TEST(the_cpu_waits_for_binds),
      XE_TEST(addresses_are_lost_at_once),
      XE_TEST(memory_is_taken_away_under_a_batch),
      XE_TEST(memory_is_taken_away_after_a_batch),
      XE_TEST(a_bind_waits_for_those_before_it),
      XE_TEST(queues_are_in_no_order),
      XE_TEST(syncs_are_checked),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
