/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The hooks of a Gallium driver for results that stay on the GPU.
 */

#include <string.h>

#include "../drm/rig.h"
#include "pitot/pipe_driver.h"

#define TARGET_B  256
#define UNTOUCHED UINT64_C(0x5555555555555555)

struct driver {
   struct pipe_context pipe;
   struct pitot_pipe_driver *own; /* pitot */
   struct pitot_pipe_driver pitot;
   struct rig rig;
   struct pitot_hw *hw;
   struct pitot_hw_condition condition; /* in force */
};

static struct driver *
driver_of(struct pipe_context *pipe)
{
   return (struct driver *)pipe;
}

/* A resource of this driver is the rig's buffer. */
static struct pitot_cs_buffer *
resource_buffer(struct pipe_context *pipe, struct pipe_resource *resource,
                unsigned offset_B, unsigned size_B)
{
   (void)resource;
   assert_int_equal(offset_B, TARGET_B);
   assert_in_range(size_B, 4, 8);
   return driver_of(pipe)->rig.buffer;
}

static void
set_condition(struct pipe_context *pipe,
              const struct pitot_hw_condition *condition)
{
   driver_of(pipe)->condition = *condition;
}

static const struct pitot_pipe_driver_ops ops = {
   .resource_buffer = resource_buffer,
   .set_condition = set_condition,
};

static void
open_driver(struct driver *driver, const char *gpu)
{
   *driver = (struct driver){ 0 };
   rig_open(&driver->rig, gpu);
   sim_count_draws(driver->rig.sim);
   driver->rig.sim->draw.streamout[0][SIM_WRITTEN] = 3;
   driver->rig.sim->draw.streamout[0][SIM_NEEDED] = 5;
   assert_int_equal(pitot_hw_create(driver->rig.cs, &driver->hw), 0);
   pitot_pipe_driver_init(&driver->pitot, &driver->pipe, driver->hw, &ops);
}

static void
close_driver(struct driver *driver)
{
   pitot_hw_destroy(driver->hw);
   rig_close(&driver->rig);
}

static struct pipe_query *
measure(struct driver *driver, unsigned type)
{
   struct pipe_context *pipe = &driver->pipe;
   struct pipe_query *query = pipe->create_query(pipe, type, 0);

   assert_non_null(query);
   assert_true(pipe->begin_query(pipe, query));
   rig_draw(&driver->rig);
   assert_true(pipe->end_query(pipe, query));
   return query;
}

static uint64_t
store(struct driver *driver, struct pipe_query *query, int index)
{
   const uint64_t untouched = UNTOUCHED;
   struct pipe_context *pipe = &driver->pipe;

   memcpy(driver->rig.buffer->memory + TARGET_B, &untouched,
          sizeof(untouched));
   pipe->get_query_result_resource(pipe, query, PIPE_QUERY_WAIT,
                                   PIPE_QUERY_TYPE_U64, index, NULL,
                                   TARGET_B);
   rig_run(&driver->rig, PITOT_RING_RENDER);
   return rig_read(&driver->rig, TARGET_B);
}

/* Gallium's index is that of its struct. */
static void
each_index_is_its_own(void **unused)
{
   static const char *const gpus[] = { "skl", "vega10" };

   (void)unused;
   for (unsigned i = 0; i < ARRAY_LENGTH(gpus); i++) {
      struct driver driver;

      open_driver(&driver, gpus[i]);
      struct pipe_query *streamout =
         measure(&driver, PIPE_QUERY_SO_STATISTICS);
      assert_int_equal(store(&driver, streamout, 0), 3);
      assert_int_equal(store(&driver, streamout, 1), 5);
      assert_int_equal(store(&driver, streamout, -1), 1);

      struct pipe_query *statistics =
         measure(&driver, PIPE_QUERY_PIPELINE_STATISTICS);
      assert_int_equal(store(&driver, statistics,
                             PIPE_STAT_QUERY_IA_VERTICES),
                       3);
      assert_int_equal(store(&driver, statistics,
                             PIPE_STAT_QUERY_PS_INVOCATIONS),
                       64);
      driver.pipe.destroy_query(&driver.pipe, streamout);
      driver.pipe.destroy_query(&driver.pipe, statistics);
      close_driver(&driver);
   }
}

static void
conditions_come_and_go(void **unused)
{
   struct driver driver;
   struct pipe_context *pipe = &driver.pipe;

   (void)unused;
   open_driver(&driver, "tgl");
   struct pipe_query *query =
      measure(&driver, PIPE_QUERY_OCCLUSION_PREDICATE);

   /* In flight, it is the GPU that knows. */
   pipe->render_condition(pipe, query, false, PIPE_RENDER_COND_WAIT);
   assert_int_equal(driver.condition.decision, PITOT_HW_DECISION_BY_GPU);
   rig_run(&driver.rig, PITOT_RING_RENDER);
   assert_int_equal(
      driver.condition.buffer->memory[driver.condition.offset_B], 1);

   pipe->render_condition(pipe, query, false, PIPE_RENDER_COND_WAIT);
   assert_int_equal(driver.condition.decision, PITOT_HW_DECISION_ALWAYS);
   pipe->render_condition(pipe, query, true, PIPE_RENDER_COND_NO_WAIT);
   assert_int_equal(driver.condition.decision, PITOT_HW_DECISION_NEVER);
   pipe->render_condition(pipe, NULL, false, PIPE_RENDER_COND_WAIT);
   assert_int_equal(driver.condition.decision, PITOT_HW_DECISION_ALWAYS);
   pipe->destroy_query(pipe, query);
   close_driver(&driver);
}

/* Where there are more pauses than the GPU puts up with, who does not wait
 * draws what nobody knows, and who waits finds out.
 */
static void
conditions_that_the_cpu_decides(void **unused)
{
   struct driver driver;
   struct pipe_context *pipe = &driver.pipe;

   (void)unused;
   open_driver(&driver, "navi10");
   driver.rig.sim->is_delayed = true;
   driver.rig.sim->draw.samples = 0;
   struct pipe_query *query =
      pipe->create_query(pipe, PIPE_QUERY_OCCLUSION_PREDICATE, 0);

   assert_true(pipe->begin_query(pipe, query));
   for (unsigned i = 0; i < 8; i++) {
      rig_draw(&driver.rig);
      pipe->set_active_query_state(pipe, i % 2);
   }
   assert_true(pipe->end_query(pipe, query));

   pipe->render_condition(pipe, query, false, PIPE_RENDER_COND_NO_WAIT);
   assert_int_equal(driver.condition.decision, PITOT_HW_DECISION_ALWAYS);
   pipe->render_condition(pipe, query, false, PIPE_RENDER_COND_WAIT);
   assert_int_equal(driver.condition.decision, PITOT_HW_DECISION_NEVER);
   pipe->destroy_query(pipe, query);
   close_driver(&driver);
}

int
main(void)
{
   static const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_index_is_its_own),
      cmocka_unit_test(conditions_come_and_go),
      cmocka_unit_test(conditions_that_the_cpu_decides),
   };

   return cmocka_run_group_tests_name("driver stores", tests, NULL, NULL);
}
