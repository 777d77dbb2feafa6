/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Queries on simulated kernels whose calls fail or whose GPU hangs: each
 * result is right, or reported as lost.
 */

#include <errno.h>
#include <string.h>

#include "../drm/rig.h"
#include "pitot/hw.h"

#define DRAWS_PER_QUERY  10
#define SAMPLES_PER_DRAW 7
#define QUERY_COUNT      3
#define MAX_IOCTLS       400
#define MAX_SUBMISSIONS  12

static void
draw(struct sim *sim, struct pitot_cs *cs)
{
   uint32_t dw[SIM_WORK_DW];
   const unsigned count_dw = sim_draw(sim, dw);

   for (unsigned i = 0; i < DRAWS_PER_QUERY; i++) {
      uint32_t *room = rig_reserve(cs, PITOT_RING_RENDER, count_dw);

      if (room)
         memcpy(room, dw, count_dw * sizeof(dw[0]));
   }
}

/* Returns whether the query worked; then its result is right. */
static bool
measure(struct sim *sim, struct pitot_cs *cs, struct pitot_hw *hw)
{
   struct pitot_hw_query *query;
   uint64_t value = 0;

   if (pitot_hw_query_create(hw, PITOT_KIND_SAMPLES_PASSED, 0, &query))
      return false;
   bool works = pitot_hw_query_begin(hw, query) == 0;
   draw(sim, cs);
   cs->ops->flush(cs, PITOT_RING_RENDER);
   draw(sim, cs);
   works = works && pitot_hw_query_end(hw, query) == 0;
   if (works) {
      const int status = pitot_hw_query_result(hw, query, true, &value);

      assert_true(status == 1 || status == -EIO);
      works = status == 1;
      assert_true(works || pitot_hw_take_disjoint(hw));
      assert_int_equal(value,
                       works ? 2 * DRAWS_PER_QUERY * SAMPLES_PER_DRAW : 0);
   }
   pitot_hw_query_free(hw, query);
   return works;
}

static bool
measure_all(struct sim *sim, struct pitot_cs *cs)
{
   struct pitot_hw *hw;
   bool works = true;

   if (pitot_hw_create(cs, &hw))
      return false;
   for (unsigned i = 0; i < QUERY_COUNT; i++)
      works &= measure(sim, cs, hw);
   pitot_hw_destroy(hw);
   return works;
}

/* Returns whether all worked.  Nothing may leak either way. */
static bool
run(struct sim *sim)
{
   char message[PITOT_DRM_MESSAGE_SIZE];
   struct pitot_drm_device *device = NULL;
   struct pitot_cs *cs = NULL;
   bool works = false;

   sim->draw.samples = SAMPLES_PER_DRAW;
   if (pitot_drm_open(&sim->io, NULL, &device, message) == 0) {
      if (pitot_drm_context_create(device, &cs) == 0) {
         works = measure_all(sim, cs);
         pitot_drm_context_destroy(cs);
      }
      pitot_drm_close(device);
   }
   assert_string_equal(sim->violations, "");
   assert_int_equal(sim->mapping_count, 0);
   return works;
}

TEST_ON_SIM(every_gpu_counts, EVERY_CONTEXT)
{
   for (unsigned is_delayed = 0; is_delayed < 2; is_delayed++) {
      sim->is_delayed = is_delayed;
      sim->interruptions = 3;
      assert_true(run(sim));
      assert_int_equal(sim->object_count, 0);
   }
}

TEST_ON_GPU(every_ioctl_fails_in_turn, EVERY_CONTEXT)
{
   static const int errors[] = { ENOMEM, EIO, EINVAL };
   bool is_over = false;

   for (unsigned e = 0; e < ARRAY_LENGTH(errors); e++) {
      for (unsigned n = 1; n == 1 || !is_over; n++) {
         struct sim *sim = sim_create(gpu);

         sim->fail_ioctl_on = n;
         sim->fail_errno = errors[e];
         const bool works = run(sim);
         is_over = sim->ioctl_count < n;
         assert_true(works || !is_over);
         sim_destroy(sim);
         assert_in_range(n, 1, MAX_IOCTLS);
      }
   }
}

/* Under a schedule, a submission may hang after all its writes. */
TEST_ON_GPU(every_submission_hangs_in_turn, EVERY_CONTEXT)
{
   for (unsigned n = 1; n <= MAX_SUBMISSIONS; n++) {
      struct sim *sim = sim_create(gpu);

      sim->hang_on_submit = n;
      sim->is_delayed = n % 2;
      const bool works = run(sim);
      const bool hung = sim->submit_count >= n;

      assert_true(works || hung);
      assert_true(!works || !hung || schedules_seed());
      assert_int_equal(sim->object_count, 0);
      sim_destroy(sim);
   }
}

#define MANY 1200

/* However many queries are suspended at the end of a batch, they fit. */
TEST_ON_RIG(many_queries_count, "navi21")
{
   static struct pitot_hw_query *queries[MANY];
   struct pitot_hw *hw;
   uint64_t value;

   rig->sim->draw.samples = SAMPLES_PER_DRAW;
   assert_int_equal(pitot_hw_create(rig->cs, &hw), 0);
   for (unsigned i = 0; i < MANY; i++) {
      assert_int_equal(pitot_hw_query_create(hw, PITOT_KIND_SAMPLES_PASSED, 0,
                                             &queries[i]),
                       0);
      assert_int_equal(pitot_hw_query_begin(hw, queries[i]), 0);
   }
   draw(rig->sim, rig->cs);
   rig_flush(rig, PITOT_RING_RENDER);
   draw(rig->sim, rig->cs);
   for (unsigned i = 0; i < MANY; i++)
      assert_int_equal(pitot_hw_query_end(hw, queries[i]), 0);
   for (unsigned i = 0; i < MANY; i++) {
      assert_int_equal(pitot_hw_query_result(hw, queries[i], true, &value),
                       1);
      assert_int_equal(value, 2 * DRAWS_PER_QUERY * SAMPLES_PER_DRAW);
      pitot_hw_query_free(hw, queries[i]);
   }
   pitot_hw_destroy(hw);
}
