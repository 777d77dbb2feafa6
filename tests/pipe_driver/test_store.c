/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The hooks for results that stay on the GPU.
 */

#include "driver.h"

/* Measures a draw that counts on all counters. */
static struct pipe_query *
measure_draw(struct driver *d, unsigned type)
{
   struct pipe_context *pipe = &d->pipe;
   struct pipe_query *query = pipe->create_query(pipe, type, 0);
   struct sim *sim = d->f->cs->sim;

   sim_count_draws(sim);
   sim->draw.streamout[0][SIM_WRITTEN] = 3;
   sim->draw.streamout[0][SIM_NEEDED] = 5;
   assert_non_null(query);
   assert_true(pipe->begin_query(pipe, query));
   sim_cs_draw(d->f->cs);
   assert_true(pipe->end_query(pipe, query));
   return query;
}

/* index -1: the availability.  Returns the stored value. */
static uint64_t
store_index(struct driver *d, struct pipe_query *query, int index)
{
   const enum pipe_query_flags flags = index < 0 ? 0 : PIPE_QUERY_WAIT;

   prepare_target(d->f);
   d->pipe.get_query_result_resource(&d->pipe, query, flags,
                                     PIPE_QUERY_TYPE_U64, index, NULL,
                                     TARGET_OFFSET_B);
   return stored(d->f);
}

/* Gallium's index.  Availability is the moment's, and TRUE after the batch.
 */
DRIVER_TEST_ALONE(each_index_is_its_own)
{
   static const char *const gpus[] = { "skl", "vega10" };
   static const struct {
      unsigned type;
      int index;
      uint64_t value;
   } stores[] = {
      { PIPE_QUERY_PRIMITIVES_EMITTED, 0, 3 },
      { PIPE_QUERY_SO_STATISTICS, 0, 3 },
      { PIPE_QUERY_SO_STATISTICS, 1, 5 },
      { PIPE_QUERY_SO_STATISTICS, -1, 1 },
      { PIPE_QUERY_PIPELINE_STATISTICS, PIPE_STAT_QUERY_IA_VERTICES, 3 },
      { PIPE_QUERY_PIPELINE_STATISTICS, PIPE_STAT_QUERY_PS_INVOCATIONS, 64 },
   };

   for (unsigned g = 0; g < ARRAY_LENGTH(gpus); g++) {
      struct driver *d = open_driver(gpus[g], true, NULL);

      for (unsigned i = 0; i < ARRAY_LENGTH(stores); i++) {
         struct pipe_query *query = measure_draw(d, stores[i].type);

         if (stores[i].index < 0)
            assert_in_range(store_index(d, query, stores[i].index), 0, 1);
         assert_int_equal(store_index(d, query, stores[i].index),
                          stores[i].value);
         d->pipe.destroy_query(&d->pipe, query);
      }
      assert_int_equal(d->written_B, 0); /* by the CPU */
      close_driver(d);
   }
}

/* Results that the GPU cannot store are stored by the CPU. */
DRIVER_TEST(the_rest_is_stored_by_the_cpu, "skl", .lets_gpu_store = true)
{
   static const unsigned types[] = { PIPE_QUERY_GPU_FINISHED,
                                     PIPE_QUERY_TIMESTAMP_DISJOINT };
   struct pipe_context *pipe = &d->pipe;

   for (unsigned i = 0; i < ARRAY_LENGTH(types); i++) {
      struct pipe_query *query = pipe->create_query(pipe, types[i], 0);

      d->written_B = 0;
      assert_true(pipe->end_query(pipe, query));
      pipe->get_query_result_resource(pipe, query, PIPE_QUERY_WAIT,
                                      PIPE_QUERY_TYPE_U32, i ? -1 : 0, NULL,
                                      0);
      assert_int_equal(d->written_B, 4);
      assert_int_equal(d->resource[0], 1);
      d->resource[0] = 0;
      pipe->destroy_query(pipe, query);
   }
}

DRIVER_TEST(conditions_come_and_go, "tgl", .lets_gpu_store = true)
{
   const struct pitot_hw_condition *condition = &d->condition;
   struct pipe_context *pipe = &d->pipe;
   struct pipe_query *query = measure_draw(d, PIPE_QUERY_OCCLUSION_PREDICATE);

   /* In flight: the GPU decides. */
   pipe->render_condition(pipe, query, false, PIPE_RENDER_COND_WAIT);
   assert_int_equal(condition->decision, PITOT_HW_DECISION_BY_GPU);
   run(d->f);
   const struct pitot_hw_record *record = condition->records;
   assert_int_equal(record->buffer->memory[record->offset_B], 1);

   pipe->render_condition(pipe, query, false, PIPE_RENDER_COND_WAIT);
   assert_int_equal(condition->decision, PITOT_HW_DECISION_ALWAYS);
   pipe->render_condition(pipe, query, true, PIPE_RENDER_COND_NO_WAIT);
   assert_int_equal(condition->decision, PITOT_HW_DECISION_NEVER);
   pipe->render_condition(pipe, NULL, false, PIPE_RENDER_COND_WAIT);
   assert_int_equal(condition->decision, PITOT_HW_DECISION_ALWAYS);
   pipe->destroy_query(pipe, query);
}

/* If the CPU has no result yet, a mode without wait draws, and one with wait
 * reads it.
 */
DRIVER_TEST_ALONE(conditions_that_the_cpu_decides)
{
   static const struct {
      enum pipe_render_cond_flag no_wait, wait;
   } modes[] = {
      { PIPE_RENDER_COND_NO_WAIT, PIPE_RENDER_COND_WAIT },
      { PIPE_RENDER_COND_BY_REGION_NO_WAIT, PIPE_RENDER_COND_BY_REGION_WAIT },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(modes); i++) {
      struct driver *d = open_driver("navi21", true, NULL);
      struct pipe_context *pipe = &d->pipe;

      d->f->cs->is_held = true;
      struct pipe_query *query = measure(d, PIPE_QUERY_OCCLUSION_PREDICATE, 0,
                                         PITOT_KIND_SAMPLES_PASSED, 0);
      pipe->render_condition(pipe, query, false, modes[i].no_wait);
      assert_int_equal(d->condition.decision, PITOT_HW_DECISION_ALWAYS);
      pipe->render_condition(pipe, query, false, modes[i].wait);
      assert_int_equal(d->condition.decision, PITOT_HW_DECISION_NEVER);
      pipe->destroy_query(pipe, query);
      close_driver(d);
   }
}
