/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Every call to the kernel fails in turn: nothing crashes, hangs or is left
 * over, and what was lost is told.
 */

#include <errno.h>
#include <string.h>

#include "sim.h"
#include "test.h"

#define BATCHES 6

struct outcome {
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
      uint32_t *room = ops->reserve(cs, ring, count_dw, NULL);
      const uint64_t batch = ops->position(cs, ring).batch;

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
   assert_true(outcome->was_reset || ops->reserve(cs, ring, 8, NULL) != NULL);
}

static void
use_device(struct sim *sim, struct pitot_drm_device *device,
           struct outcome *outcome)
{
   struct pitot_cs *cs = NULL;
   struct pitot_cs_buffer *buffer = NULL;

   outcome->has_context = pitot_drm_context_create(device, &cs) == 0;
   if (!outcome->has_context)
      return;

   outcome->has_buffer = cs->ops->buffer_create(cs, 5000, &buffer) == 0;
   if (outcome->has_buffer) {
      use_stream(sim, cs, buffer, outcome);
      cs->ops->buffer_destroy(cs, buffer);
   }
   pitot_drm_context_destroy(cs);
}

/* Does all there is to do, and looks that nothing is left over. */
static struct outcome
use_all(struct sim *sim, bool may_leave_handle)
{
   struct outcome outcome = { 0 };
   struct pitot_drm_device *device = NULL;
   char message[PITOT_DRM_MESSAGE_SIZE] = "";

   sim->is_delayed = true;
   outcome.is_open = pitot_drm_open(&sim->io, NULL, &device, message) == 0;
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

   assert_int_equal(outcome.done, BATCHES);
   assert_false(outcome.was_reset);
   sim_destroy(sim);
   return count;
}

/* One that fails to close a handle cannot but leave it, as any that asks for
 * nothing cannot but be missed.
 */
static void
each_ioctl_may_fail(void **unused)
{
   static const int errors[] = { ENOMEM, EIO, EINVAL, ENODEV, ECANCELED };
   (void)unused;

   for (unsigned i = 0; i < sim_gpu_count; i++) {
      const char *gpu = sim_gpus[i].key;
      const unsigned count = count_ioctls(gpu);

      for (unsigned n = 1; n <= count; n++) {
         struct sim *sim = sim_create(gpu);

         sim->fail_ioctl_on = n;
         sim->fail_errno = errors[n % ARRAY_LENGTH(errors)];
         const struct outcome outcome = use_all(sim, true);
         assert_true(outcome.lost == 0 || outcome.was_reset);
         sim_destroy(sim);
      }
   }
}

static void
each_submission_may_hang(void **unused)
{
   (void)unused;
   for (unsigned i = 0; i < sim_gpu_count; i++) {
      for (unsigned n = 1; n <= BATCHES; n++) {
         struct sim *sim = sim_create(sim_gpus[i].key);

         sim->hang_on_submit = n;
         sim->reset_clears_clock = true;
         const struct outcome outcome = use_all(sim, false);
         assert_int_equal(outcome.done, n - 1);
         assert_true(outcome.was_reset);
         sim_destroy(sim);
      }
   }
}

static void
memory_may_not_be_mapped(void **unused)
{
   (void)unused;
   for (unsigned i = 0; i < sim_gpu_count; i++) {
      struct sim *sim = sim_create(sim_gpus[i].key);

      sim->mmap_errno = ENOMEM;
      const struct outcome outcome = use_all(sim, false);
      assert_true(outcome.is_open);
      assert_false(outcome.has_context);
      sim_destroy(sim);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_ioctl_may_fail),
      cmocka_unit_test(each_submission_may_hang),
      cmocka_unit_test(memory_may_not_be_mapped),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
