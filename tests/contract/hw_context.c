/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>
#include <string.h>

#include "../test.h"
#include "hw_context.h"
#include "util/u_threaded_context.h"

static struct hw_context *
context_of(struct pipe_context *pipe)
{
   return (struct hw_context *)pipe;
}

static struct pipe_query *
create_query(struct pipe_context *pipe, unsigned type, unsigned index)
{
   struct hw_context *context = context_of(pipe);
   struct pipe_query *pq =
      pitot_null_fails(context_of(pipe)->fail, PITOT_NULL_CREATE)
         ? NULL
         : context->hooks.create_query(pipe, type, index);

   context->alive += pq != NULL;
   return pq;
}

static void
set_unflushed(struct hw_context *context, struct threaded_query *query,
              bool is_unflushed)
{
   query->flushed = !is_unflushed;
   if (query->head_unflushed.next)
      list_delinit(&query->head_unflushed);
   else
      list_inithead(&query->head_unflushed);
   if (is_unflushed)
      list_addtail(&query->head_unflushed, &context->unflushed);
}

static void
destroy_query(struct pipe_context *pipe, struct pipe_query *pq)
{
   context_of(pipe)->alive--;
   set_unflushed(context_of(pipe), threaded_query(pq), false);
   context_of(pipe)->hooks.destroy_query(pipe, pq);
}

static bool
begin_query(struct pipe_context *pipe, struct pipe_query *pq)
{
   return !pitot_null_fails(context_of(pipe)->fail, PITOT_NULL_BEGIN) &&
          context_of(pipe)->hooks.begin_query(pipe, pq);
}

static bool
end_query(struct pipe_context *pipe, struct pipe_query *pq)
{
   set_unflushed(context_of(pipe), threaded_query(pq), true);
   return !pitot_null_fails(context_of(pipe)->fail, PITOT_NULL_END) &&
          context_of(pipe)->hooks.end_query(pipe, pq);
}

/* Before an unflushed result is read, drains the recording thread. */
static bool
get_query_result(struct pipe_context *pipe, struct pipe_query *pq, bool wait,
                 union pipe_query_result *result)
{
   struct hw_context *context = context_of(pipe);

   context->is_outside = threaded_query(pq)->flushed;
   context->drains += context->is_threaded && !context->is_outside;
   const bool is_ready =
      context->hooks.get_query_result(pipe, pq, wait, result);
   context->is_outside = false;
   return is_ready;
}

/* Belongs to a flush generation; signaled by a later flush. */
struct hw_fence {
   struct hw_context *context;
   unsigned generation;
};

static struct pipe_fence_handle *
make_fence(struct hw_context *context)
{
   struct hw_fence *fence = calloc(1, sizeof(*fence));

   fence->context = context;
   fence->generation = context->generation;
   context->alive++;
   return (struct pipe_fence_handle *)fence;
}

/* Only releases the fence. */
static void
fence_reference(struct pipe_screen *screen, struct pipe_fence_handle **fence,
                struct pipe_fence_handle *other)
{
   (void)screen;
   ((struct hw_fence *)*fence)->context->alive--;
   free(*fence);
   *fence = other;
}

static bool
is_ring_done(struct pitot_cs *cs, enum pitot_ring ring)
{
   const uint64_t flushed = cs->ops->current_batch(cs, ring) - 1;

   return flushed == 0 ||
          cs->ops->batch_state(cs, ring, flushed) >= PITOT_BATCH_DONE;
}

static bool
fence_finish(struct pipe_screen *screen, struct pipe_context *pipe,
             struct pipe_fence_handle *handle, uint64_t timeout)
{
   const struct hw_fence *fence = (struct hw_fence *)handle;
   struct pitot_cs *cs = fence->context->machine->cs;
   bool is_done = fence->context->generation > fence->generation;

   (void)screen;
   assert_true(!pipe && timeout == 0);
   for (unsigned ring = 0; ring < cs->ring_count; ring++)
      is_done = is_done && is_ring_done(cs, ring);
   return is_done;
}

static void
flush_context(struct pipe_context *pipe, struct pipe_fence_handle **fence,
              unsigned flags)
{
   struct hw_context *context = context_of(pipe);
   struct pitot_cs *cs = context->machine->cs;

   if (fence)
      *fence = make_fence(context);
   if (flags & PIPE_FLUSH_DEFERRED)
      return;
   context->generation++;
   list_for_each_entry_safe(struct threaded_query, query, &context->unflushed,
                            head_unflushed)
      set_unflushed(context, query, false);
   for (unsigned ring = 0; ring < cs->ring_count; ring++)
      cs->ops->flush(cs, ring);
}

static void
render_condition(struct pipe_context *pipe, struct pipe_query *pq,
                 bool condition, enum pipe_render_cond_flag mode)
{
   (void)condition;
   (void)mode;
   context_of(pipe)->condition = pq;
}

static void
buffer_subdata(struct pipe_context *pipe, struct pipe_resource *resource,
               unsigned usage, unsigned offset_B, unsigned size_B,
               const void *data)
{
   (void)pipe;
   (void)usage;
   memcpy((char *)resource + offset_B, data, size_B);
}

/*
 * A cs that counts flushes, waits, ...: one at a time.
 */

static struct hw_context *the_context;

static void
count_flush(struct pitot_cs *cs, enum pitot_ring ring)
{
   assert_false(the_context->is_outside);
   the_context->flushes++;
   the_context->stream_ops.flush(cs, ring);
}

static void
count_wait(struct pitot_cs *cs, enum pitot_ring ring, uint64_t batch)
{
   the_context->waits++;
   the_context->stream_ops.wait(cs, ring, batch);
}

static void
count_calls(struct hw_context *context)
{
   struct pitot_cs *cs = context->machine->cs;

   the_context = context;
   context->stream_ops = *cs->ops;
   context->counted_ops = *cs->ops;
   context->counted_ops.flush = count_flush;
   context->counted_ops.wait = count_wait;
   cs->ops = &context->counted_ops;
}

static void
set_hooks(struct hw_context *context)
{
   struct pipe_context *pipe = &context->pipe;

   pitot_pipe_driver_init(&context->pitot, pipe, context->hw, NULL);
   context->hooks = *pipe;
   pipe->screen = &context->screen;
   context->screen.fence_reference = fence_reference;
   context->screen.fence_finish = fence_finish;
   pipe->create_query = create_query;
   pipe->destroy_query = destroy_query;
   pipe->begin_query = begin_query;
   pipe->end_query = end_query;
   pipe->get_query_result = get_query_result;
   pipe->flush = flush_context;
   pipe->render_condition = render_condition;
   pipe->buffer_subdata = buffer_subdata;
}

static bool
counts_all(const struct pitot_gpu *gpu, enum pitot_kind first,
           enum pitot_kind last)
{
   for (enum pitot_kind kind = first; kind <= last; kind++) {
      if (!pitot_hw_gpu_counter_bits(gpu, kind))
         return false;
   }
   return true;
}

/* A cap for several counters is set if the GPU has all of them. */
static void
set_caps(const struct pitot_gpu *gpu, struct pipe_caps *caps)
{
   caps->occlusion_query =
      counts_all(gpu, PITOT_KIND_SAMPLES_PASSED,
                 PITOT_KIND_ANY_SAMPLES_PASSED_CONSERVATIVE);
   caps->query_so_overflow = counts_all(gpu, PITOT_KIND_STREAM_OVERFLOW,
                                        PITOT_KIND_ANY_STREAM_OVERFLOW);
   caps->query_pipeline_statistics_single =
      counts_all(gpu, PITOT_KIND_FIRST_STATISTIC, PITOT_KIND_CLIPPING_OUTPUT);
   caps->query_time_elapsed = true;
   caps->query_timestamp = true;
   caps->query_timestamp_bits =
      (int)pitot_hw_gpu_counter_bits(gpu, PITOT_KIND_TIMESTAMP);
   caps->query_buffer_object = true;
}

void
hw_context_init(struct hw_context *context, struct machine *machine,
                bool is_threaded)
{
   context->machine = machine;
   context->is_threaded = is_threaded;
   list_inithead(&context->unflushed);
   count_calls(context);
   assert_int_equal(pitot_hw_create(machine->cs, &context->hw), 0);
   set_hooks(context);
   struct pipe_caps *caps = (struct pipe_caps *)&context->screen.caps;

   set_caps(machine->cs->gpu, caps);
   /* A GPU that does not count primitives has no transform feedback. */
   if (pitot_hw_counter_bits(context->hw, PITOT_KIND_PRIMITIVES_WRITTEN))
      caps->max_stream_output_buffers = 4;
}

void
hw_context_finish(struct hw_context *context)
{
   struct machine *machine = context->machine;

   pitot_hw_destroy(context->hw);
   machine->cs->ops = &context->stream_ops;
   machine->ops->destroy(machine);
}

void
hw_context_flush(struct hw_context *context)
{
   context->pipe.flush(&context->pipe, NULL, 0);
}
