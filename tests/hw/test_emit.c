/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A driver emits Pitot's commands with packets of its own added: any number
 * up to the maximum that it declared.
 */

#include "fixture.h"
#include "pitot_hw_family.h"

#define MAX_EXTRA_DW 5

static struct {
   unsigned extra_dw; /* added to each command */
   unsigned command_count;
} driver;

/* The batch has space.  The extra packets come before the first command:
 * nothing may separate a sample of occlusion from the write that GFX9 does at
 * the end of the pipe.
 */
static void
emit(struct pitot_cs *cs, enum pitot_ring ring, struct pitot_cs_place place,
     const struct pitot_cs_command *commands, unsigned count)
{
   const uint64_t batch = cs->ops->current_batch(cs, ring);

   sim_cs_fill((struct sim_cs *)cs, ring, count * driver.extra_dw);
   sim_cs_stock(cs)->emit(cs, ring, place, commands, count);
   driver.command_count += count;
   assert_int_equal(cs->ops->current_batch(cs, ring), batch);
}

/* Opens a sampler on a driver with an emit() of its own. */
static void
take_over(struct fixture *f)
{
   f->cs->ops.emit = emit;
   driver.command_count = 0;
   f->cs->command_dw += MAX_EXTRA_DW;
   pitot_hw_destroy(f->hw);
   assert_int_equal(pitot_hw_create(&f->cs->base, &f->hw), 0);
}

/* The samples of a position and their barrier share a batch, and the space
 * reserved for its end is enough: for any space left in the batch, and any
 * number of extra packets.
 */
HW_TEST(batches_have_room, EVERY_GPU, .is_long = true)
{
   const struct sim_cs_ring *ring = &f->cs->rings[PITOT_RING_RENDER];

   take_over(f);
   f->cs->batch_dw = 600;
   struct pitot_hw_query *statistics = create_statistics(f);
   struct pitot_hw_query *samples = create(f, PITOT_KIND_SAMPLES_PASSED, 0);

   for (unsigned left_dw = 0; left_dw < 300; left_dw++) {
      driver.extra_dw = left_dw % 2 ? MAX_EXTRA_DW : 0;
      sim_cs_fill(f->cs, PITOT_RING_RENDER,
                  left_dw + ring->used_dw > 600
                     ? 0
                     : 600 - left_dw - ring->used_dw);
      begin(f, statistics);
      begin(f, samples);
      draw(f, PITOT_KIND_SAMPLES_PASSED, left_dw);
      draw(f, PITOT_KIND_VS_INVOCATIONS, 2 * left_dw);
      end(f, samples);
      end(f, statistics);
      assert_int_equal(wait_for(f, samples), left_dw);

      uint64_t values[PITOT_STATISTIC_COUNT];
      assert_int_equal(pitot_hw_query_result(f->hw, statistics, true, values),
                       1);
      assert_int_equal(
         values[PITOT_KIND_VS_INVOCATIONS - PITOT_KIND_VERTICES_SUBMITTED],
         2 * left_dw);
   }
}

/* The same for a wait for samples before a shader adds them up. */
HW_TEST(waits_have_room, "vega10")
{
   const struct sim_cs_ring *ring = &f->cs->rings[PITOT_RING_RENDER];

   take_over(f);
   struct pitot_hw_query *query = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
   learn_backends(f);
   f->cs->is_held = true;
   driver.extra_dw = MAX_EXTRA_DW;
   for (unsigned left_dw = 0; left_dw < 30; left_dw++) {
      measure_work(f, query, PITOT_KIND_SAMPLES_PASSED, 7);
      sim_cs_fill(f->cs, PITOT_RING_RENDER,
                  f->cs->batch_dw - ring->used_dw - left_dw);
      store(f, query, PITOT_STORE_RESULT, PITOT_TYPE_U64);
      assert_int_equal(stored(f), 7);
   }
}

/* The driver emits all writes of a sampler: samples, availability, values
 * that the CPU knows.  Only programs that compute are Pitot's packets.
 */
HW_TEST(all_commands_are_the_drivers, EVERY_GPU)
{
   take_over(f);
   struct pitot_hw_query *query = begin_new(f, PITOT_KIND_SAMPLES_PASSED);

   assert_int_equal(driver.command_count,
                    f->gpu->family->accumulated ? 2 : 1);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 7);
   end(f, query);
   assert_int_equal(driver.command_count,
                    f->gpu->family->accumulated ? 5 : 3);
   assert_int_equal(wait_for(f, query), 7);

   const unsigned before = driver.command_count;
   store(f, query, PITOT_STORE_RESULT, PITOT_TYPE_U64);
   assert_int_equal(driver.command_count, before + !f->cs->base.has_tiles);
   assert_int_equal(stored(f), 7);
}
