/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Each ioctl fails in turn: no crash, hang or leak; a loss is reported. */

#include <errno.h>
#include <string.h>

#include "context.h"
#include "rig.h"

/* Returns the dwords of the current batch. */
static unsigned
used_dw(struct pitot_cs *cs, enum pitot_ring ring)
{
   return ((struct pitot_drm_context *)cs)->rings[ring].count_dw;
}

#define BATCHES 6

struct outcome {
   int error; /* of the device or the context, or 0 */
   bool is_open, has_context, has_buffer;
   unsigned done, lost;
   bool was_reset;
};

static void
use_stream(struct sim *sim, struct pitot_cs *cs,
           struct pitot_cs_buffer *buffer, struct outcome *outcome)
{
   const struct pitot_cs_ops *ops = cs->ops;
   const enum pitot_ring ring = PITOT_RING_RENDER;

   for (unsigned i = 1; i <= BATCHES; i++) {
      uint32_t draw[SIM_WORK_DW];
      const unsigned count_dw = sim_draw(sim, draw);
      uint32_t *room = rig_reserve(cs, ring, count_dw);
      const uint64_t batch = ops->current_batch(cs, ring);

      if (room != NULL)
         memcpy(room, draw, count_dw * sizeof(*draw));
      ops->use_buffer(cs, ring, buffer);
      ops->flush(cs, ring);
      ops->batch_state(cs, ring, batch);
      ops->wait(cs, ring, batch);
      if (ops->batch_state(cs, ring, batch) == PITOT_BATCH_DONE)
         outcome->done++;
      else
         outcome->lost++;
   }

   const unsigned told = ops->take_reset(cs) + ops->take_reset(cs);
   assert_true(told <= 1);
   outcome->was_reset = told == 1;
   assert_true(outcome->was_reset || rig_reserve(cs, ring, 8) != NULL);
}

static void
use_device(struct sim *sim, struct pitot_drm_device *device,
           struct outcome *outcome)
{
   struct pitot_cs *cs = NULL;
   struct pitot_cs_buffer *buffer = NULL;

   outcome->error = pitot_drm_context_create(device, &cs);
   outcome->has_context = outcome->error == 0;
   if (!outcome->has_context)
      return;

   outcome->has_buffer = cs->ops->buffer_create(cs, 5000, &buffer) == 0;
   if (outcome->has_buffer) {
      use_stream(sim, cs, buffer, outcome);
      cs->ops->buffer_destroy(cs, buffer);
   }
   pitot_drm_context_destroy(cs);
}

/* Uses the device; nothing may leak. */
static struct outcome
use_all(struct sim *sim, bool may_leave_handle)
{
   struct outcome outcome = { 0 };
   struct pitot_drm_device *device = NULL;
   char message[PITOT_DRM_MESSAGE_SIZE] = "";

   sim->is_delayed = true;
   outcome.error = pitot_drm_open(&sim->io, NULL, &device, message);
   outcome.is_open = outcome.error == 0;
   assert_int_equal(outcome.is_open, message[0] == '\0' || device != NULL);
   if (outcome.is_open)
      use_device(sim, device, &outcome);

   assert_int_equal(sim->mapping_count, 0);
   assert_true(sim->object_count <= (may_leave_handle ? 1 : 0));
   pitot_drm_close(device);
   assert_int_equal(sim->open_count, 0);
   assert_string_equal(sim->violations, "");
   return outcome;
}

static unsigned
count_ioctls(const char *gpu)
{
   struct sim *sim = sim_create(gpu);
   const struct outcome outcome = use_all(sim, false);
   const unsigned count = sim->ioctl_count;

   assert_int_equal(outcome.done, rig_has_context(&sim->gpu) ? BATCHES : 0);
   assert_false(outcome.was_reset);
   sim_destroy(sim);
   return count;
}

/* A handle whose close fails leaks, and an optional ioctl may fail unnoticed.
 * A rejected context returns the reason; xe and msm have no contexts.
 */
TEST_ON_GPU(each_ioctl_may_fail, EVERY_GPU)
{
   static const int errors[] = { ENOMEM, EIO, EINVAL, ENODEV, ECANCELED };
   const unsigned count = count_ioctls(gpu);

   for (unsigned n = 1; n <= count; n++) {
      struct sim *sim = sim_create(gpu);

      sim->fail_ioctl_on = n;
      sim->fail_errno = errors[n % ARRAY_LENGTH(errors)];
      const struct outcome outcome = use_all(sim, true);
      assert_true(outcome.lost == 0 || outcome.was_reset);
      if (outcome.is_open && !outcome.has_context)
         assert_int_equal(outcome.error, rig_has_context(&sim->gpu)
                                            ? -sim->fail_errno
                                            : -ENOTSUP);
      sim_destroy(sim);
   }
}

TEST_ON_GPU(each_submission_may_hang, EVERY_CONTEXT)
{
   for (unsigned n = 1; n <= BATCHES; n++) {
      struct sim *sim = sim_create(gpu);

      sim->hang_on_submit = n;
      sim->reset_clears_clock = true;
      const struct outcome outcome = use_all(sim, false);
      assert_int_equal(outcome.done, n - 1);
      assert_true(outcome.was_reset);
      sim_destroy(sim);
   }
}

TEST_ON_SIM(memory_may_not_be_mapped, EVERY_CONTEXT)
{
   sim->mmap_errno = ENOMEM;
   const struct outcome outcome = use_all(sim, false);
   assert_true(outcome.is_open);
   assert_false(outcome.has_context);
}

TEST_ON_RIG(a_reset_is_reported_once, EVERY_CONTEXT)
{
   const struct pitot_cs_ops *ops = rig->cs->ops;

   sim_reset(rig->sim);
   assert_true(ops->take_reset(rig->cs));
   assert_false(ops->take_reset(rig->cs));
   assert_null(rig_reserve(rig->cs, PITOT_RING_RENDER, 8));
}

TEST_ON_RIG(a_failed_question_is_a_loss, EVERY_CONTEXT)
{
   rig->sim->fail_ioctl_on = rig->sim->ioctl_count + 1;
   rig->sim->fail_errno = EIO;
   assert_true(rig->cs->ops->take_reset(rig->cs));
}

/* A wait has no timeout, so one that ends before its batch has failed:
 * nothing is recorded into memory that the GPU may still read.
 */
TEST_ON_RIG(a_wait_that_ends_early_is_a_loss, EVERY_CONTEXT)
{
   const struct pitot_cs_ops *ops = rig->cs->ops;

   rig->sim->is_delayed = true;
   const uint64_t batch = rig_flush(rig, PITOT_RING_RENDER);
   rig->sim->fail_ioctl_on = rig->sim->ioctl_count + 1;
   rig->sim->fail_errno = ETIME;
   ops->wait(rig->cs, PITOT_RING_RENDER, batch);
   assert_int_equal(ops->batch_state(rig->cs, PITOT_RING_RENDER, batch),
                    PITOT_BATCH_LOST);
   assert_true(ops->take_reset(rig->cs));
   sim_complete(rig->sim, 1); /* a lost batch is not waited for */
}

/* If a batch cannot grow, it and its context are lost. */
TEST_ON_RIG(a_batch_that_cannot_grow_is_a_loss, EVERY_CONTEXT)
{
   struct pitot_drm_context *context = (struct pitot_drm_context *)rig->cs;
   const enum pitot_ring ring = PITOT_RING_RENDER;
   const unsigned object_count = rig->sim->object_count;

   rig->sim->fail_ioctl_on = rig->sim->ioctl_count + 1;
   rig->sim->fail_errno = ENOSPC;
   for (unsigned i = 0; i <= PITOT_DRM_BATCH_B / sizeof(uint32_t); i++) {
      if (pitot_drm_reserve(context, ring, 1) == NULL)
         break;
   }
   assert_int_equal(rig->sim->ioctl_count, rig->sim->fail_ioctl_on);
   assert_int_equal(rig->sim->object_count, object_count);
   assert_null(pitot_drm_reserve(context, ring, 1));
   assert_true(rig->cs->ops->take_reset(rig->cs));
}

/* Called as if another thread noticed the loss. */
static void
device_is_lost(struct rig_listener *listener)
{
   struct rig *rig = listener->rig;

   sim_reset(rig->sim);
   assert_true(rig->cs->ops->take_reset(rig->cs));
}

/* Even then a batch gets its end, padded where the GPU needs that: the kernel
 * gets no batch without one.
 */
TEST_ON_RIG(a_loss_may_come_while_a_batch_ends, EVERY_CONTEXT)
{
   const enum pitot_ring ring = PITOT_RING_RENDER;
   struct rig_listener listener = { .end = device_is_lost };

   do
      assert_non_null(rig_reserve(rig->cs, ring, 1));
   while (used_dw(rig->cs, ring) % 8 != 1);
   rig_listen(rig, &listener);
   const uint64_t batch = rig_flush(rig, ring);
   rig_listen(rig, NULL);
   assert_int_equal(rig->cs->ops->batch_state(rig->cs, ring, batch),
                    PITOT_BATCH_LOST);
   assert_int_equal(rig->sim->submit_count, 0);
}
