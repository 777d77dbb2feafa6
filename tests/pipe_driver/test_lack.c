/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "driver.h"
#include "fail_memory.h"

#define OWN_TYPE PIPE_QUERY_DRIVER_SPECIFIC

static bool
never_finish(struct pipe_screen *screen, struct pipe_context *pipe,
             struct pipe_fence_handle *fence, uint64_t timeout)
{
   (void)screen, (void)pipe, (void)fence, (void)timeout;
   return false;
}

/* If fence_finish() returns false, the result is lost: reported once. */
DRIVER_TEST(fences_may_never_pass, "skl")
{
   struct pipe_context *pipe = &d->pipe;
   struct pipe_query *pq =
      pipe->create_query(pipe, PIPE_QUERY_GPU_FINISHED, 0);
   union pipe_query_result result;

   d->screen.fence_finish = never_finish;
   assert_true(pipe->begin_query(pipe, pq));
   assert_true(pipe->end_query(pipe, pq));
   assert_false(pipe->get_query_result(pipe, pq, false, &result));
   assert_false(pipe->get_query_result(pipe, pq, true, &result));
   assert_true(pipe->get_query_result(pipe, pq, true, &result));
   pipe->destroy_query(pipe, pq);
}

/* Internal draws do not count, with and without the driver's own hook. */
DRIVER_TEST(own_draws_do_not_count, "vega10")
{
   struct pipe_context *pipe = &d->pipe;
   struct pipe_query *pq =
      pipe->create_query(pipe, PIPE_QUERY_OCCLUSION_COUNTER, 0);

   assert_true(pipe->begin_query(pipe, pq));
   draw(d->f, PITOT_KIND_SAMPLES_PASSED, 3);
   pipe->set_active_query_state(pipe, false);
   draw(d->f, PITOT_KIND_SAMPLES_PASSED, 1000);
   pipe->set_active_query_state(pipe, true);
   draw(d->f, PITOT_KIND_SAMPLES_PASSED, 40);
   assert_true(pipe->end_query(pipe, pq));
   assert_int_equal(finish_query(d, pq).u64, 43);
}

static struct pipe_query *
fail_create(struct pipe_context *pipe, unsigned type, unsigned index)
{
   (void)pipe, (void)type, (void)index;
   return NULL;
}

static struct pipe_query *
fail_create_batch(struct pipe_context *pipe, unsigned count, unsigned *types)
{
   (void)pipe, (void)count, (void)types;
   return NULL;
}

static void
set_failing_hooks(struct pipe_context *pipe)
{
   pipe->create_query = fail_create;
   pipe->create_batch_query = fail_create_batch;
}

DRIVER_TEST(own_queries_may_fail, "skl", .set_hooks = set_failing_hooks)
{
   struct pipe_context *pipe = &d->pipe;
   unsigned types[] = { OWN_TYPE, OWN_TYPE + 1 };

   assert_null(pipe->create_query(pipe, OWN_TYPE, 0));
   assert_null(pipe->create_batch_query(pipe, 2, types));
   fail_memory = 1;
   assert_null(pipe->create_batch_query(pipe, 2, types));
   fail_memory = 0;
}

static struct pitot_cs_buffer *
no_buffer(struct pipe_context *pipe, struct pipe_resource *resource,
          unsigned offset_B, unsigned size_B)
{
   (void)pipe, (void)resource, (void)offset_B, (void)size_B;
   return NULL;
}

static struct pitot_cs_buffer *
target_buffer(struct pipe_context *pipe, struct pipe_resource *resource,
              unsigned offset_B, unsigned size_B)
{
   (void)resource, (void)offset_B, (void)size_B;
   return driver_of(pipe)->f->target;
}

static const struct pitot_pipe_driver_ops no_ops = { 0 };
static const struct pitot_pipe_driver_ops no_buffer_ops = {
   .resource_buffer = no_buffer,
};
static const struct pitot_pipe_driver_ops target_ops = {
   .resource_buffer = target_buffer,
};

/* Without a buffer function or a buffer, or on a lost command stream. */
DRIVER_TEST(the_cpu_stores_instead, "skl", .lets_gpu_store = true)
{
   static const struct pitot_pipe_driver_ops *const ops[] = {
      &no_ops,
      &no_buffer_ops,
      &target_ops,
   };
   struct pipe_context *pipe = &d->pipe;

   prepare_target(d->f);
   for (unsigned i = 0; i < ARRAY_LENGTH(ops); i++) {
      struct pipe_query *pq = measure(d, PIPE_QUERY_OCCLUSION_COUNTER, 0,
                                      PITOT_KIND_SAMPLES_PASSED, 5);

      d->pitot.ops = ops[i];
      d->f->cs->is_lost = ops[i] == &target_ops;
      d->written_B = 0;
      memset(d->resource, 0xaa, sizeof(d->resource));
      pipe->get_query_result_resource(pipe, pq, PIPE_QUERY_WAIT,
                                      PIPE_QUERY_TYPE_U64, 0, NULL, 0);
      assert_int_equal(d->written_B, 8);
      assert_int_equal(d->resource[0], d->f->cs->is_lost ? 0 : 5);
      pipe->destroy_query(pipe, pq);
   }
}

static void
own_condition(struct pipe_context *pipe, struct pipe_query *pq,
              bool condition, enum pipe_render_cond_flag mode)
{
   (void)pipe, (void)pq, (void)condition, (void)mode;
}

/* Without the operation the driver handles conditions. */
DRIVER_TEST(conditions_stay_the_drivers, "skl")
{
   d->pipe.render_condition = own_condition;
   pitot_pipe_driver_init(&d->pitot, &d->pipe, d->f->hw, &no_buffer_ops);
   assert_ptr_equal(d->pipe.render_condition, own_condition);
}
