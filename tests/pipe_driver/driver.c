/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>
#include <string.h>

#include "driver.h"

static void
buffer_subdata(struct pipe_context *pipe, struct pipe_resource *resource,
               unsigned usage, unsigned offset, unsigned size,
               const void *data)
{
   struct driver *d = driver_of(pipe);

   (void)resource;
   assert_true(usage & PIPE_MAP_WRITE);
   assert_true(usage & TC_TRANSFER_MAP_NO_INVALIDATE); /* its third rule */
   memcpy(d->resource + offset, data, size);
   d->written_B += size;
}

static struct pitot_cs_buffer *
resource_buffer(struct pipe_context *pipe, struct pipe_resource *resource,
                unsigned offset_B, unsigned size_B)
{
   (void)resource;
   assert_int_equal(offset_B, TARGET_OFFSET_B);
   assert_in_range(size_B, 4, 8);
   return driver_of(pipe)->f->target;
}

static void
set_condition(struct pipe_context *pipe,
              const struct pitot_hw_condition *condition)
{
   driver_of(pipe)->condition = *condition;
}

static void
flush_deferred(struct pipe_context *pipe, struct pipe_fence_handle **fence,
               unsigned flags)
{
   struct driver *d = driver_of(pipe);

   assert_int_equal(flags, PIPE_FLUSH_DEFERRED);
   assert_null(*fence);
   d->fence.references++;
   *fence = &d->fence;
}

static void
reference_fence(struct pipe_screen *screen, struct pipe_fence_handle **to,
                struct pipe_fence_handle *from)
{
   (void)screen;
   if (*to)
      (*to)->references--;
   if (from)
      from->references++;
   *to = from;
}

static bool
finish_fence(struct pipe_screen *screen, struct pipe_context *pipe,
             struct pipe_fence_handle *fence, uint64_t timeout)
{
   struct driver *d = container_of(screen, struct driver, screen);

   assert_ptr_equal(fence, &d->fence);
   assert_true(timeout == 0 || timeout == OS_TIMEOUT_INFINITE);
   d->fence_context = pipe;
   d->is_finished |= timeout == OS_TIMEOUT_INFINITE;
   return d->is_finished;
}

static const struct pitot_pipe_driver_ops condition_ops = {
   .set_condition = set_condition,
};

static const struct pitot_pipe_driver_ops store_ops = {
   .resource_buffer = resource_buffer,
   .set_condition = set_condition,
};

struct driver *
open_driver(const char *gpu, bool lets_gpu_store,
            void (*set_hooks)(struct pipe_context *pipe))
{
   const struct pitot_pipe_driver_ops *ops = NULL;
   struct driver *d = calloc(1, sizeof(*d));

   d->f = open_fixture(gpu, false);
   d->pipe.buffer_subdata = buffer_subdata;
   d->pipe.screen = &d->screen;
   d->pipe.flush = flush_deferred;
   d->screen.fence_reference = reference_fence;
   d->screen.fence_finish = finish_fence;
   if (set_hooks) {
      set_hooks(&d->pipe);
      ops = &condition_ops;
   }
   if (lets_gpu_store)
      ops = &store_ops;
   pitot_pipe_driver_init(&d->pitot, &d->pipe, d->f->hw, ops);
   return d;
}

void
close_driver(struct driver *d)
{
   assert_int_equal(d->alive, 0);
   assert_int_equal(d->fence.references, 0);
   close_fixture(d->f);
   free(d);
}

struct pipe_query *
measure(struct driver *d, unsigned type, unsigned index,
        enum pitot_kind drawn, uint64_t amount)
{
   struct pipe_query *pq = d->pipe.create_query(&d->pipe, type, index);

   assert_non_null(pq);
   assert_true(d->pipe.begin_query(&d->pipe, pq));
   draw(d->f, drawn, amount);
   assert_true(d->pipe.end_query(&d->pipe, pq));
   return pq;
}

union pipe_query_result
wait_query(struct driver *d, struct pipe_query *pq)
{
   union pipe_query_result result;

   memset(&result, 0xaa, sizeof(result));
   assert_true(d->pipe.get_query_result(&d->pipe, pq, true, &result));
   return result;
}

union pipe_query_result
finish_query(struct driver *d, struct pipe_query *pq)
{
   const union pipe_query_result result = wait_query(d, pq);

   d->pipe.destroy_query(&d->pipe, pq);
   return result;
}

static void
run_once(void *data)
{
   const struct driver_test *test = data;

   if (test->run_alone) {
      test->run_alone();
      return;
   }
   struct driver *d =
      open_driver(test->gpu, test->lets_gpu_store, test->set_hooks);
   test->run(d);
   close_driver(d);
}

void
run_driver_test(void **state)
{
   schedules_run(run_once, *state, false);
}
