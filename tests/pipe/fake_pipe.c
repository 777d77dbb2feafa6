/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "fake_thread.h"
#include "pitot/result.h"
#include "pitot_pipe_kind.h"

/* Signaled once the commands of a flush generation are done. */
struct fake_fence {
   struct fake_pipe *fake;
   unsigned generation;
};

struct fake_resource {
   struct pipe_resource base;
   void *memory;
};

static struct fake_resource the_resource;

static struct fake_pipe *
fake_of(struct pipe_context *pipe)
{
   return (struct fake_pipe *)pipe;
}

static bool
is_boolean(unsigned type)
{
   return type == PIPE_QUERY_OCCLUSION_PREDICATE ||
          type == PIPE_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE ||
          type == PIPE_QUERY_SO_OVERFLOW_PREDICATE ||
          type == PIPE_QUERY_SO_OVERFLOW_ANY_PREDICATE;
}

static uint64_t
driver_value(unsigned type)
{
   return 100 + type - PIPE_QUERY_DRIVER_SPECIFIC;
}

static void
sample_struct(const struct fake_pipe *fake, const struct fake_query *query,
              uint64_t *out)
{
   const bool is_mask = query->index & PITOT_PIPE_STATISTICS_OF_MASK;
   const unsigned named = is_mask ? query->index : 1u << query->index;
   const unsigned lacking = is_mask ? UINT32_MAX : fake->lacking_statistics;

   for (unsigned i = 0; i < ARRAY_SIZE(fake->statistics); i++)
      out[i] = (lacking & ~named) >> i & 1 ? 0 : fake->statistics[i];
}

static void
sample(const struct fake_pipe *fake, const struct fake_query *query,
       uint64_t *out)
{
   if (query->type >= PIPE_QUERY_DRIVER_SPECIFIC)
      return; /* set at their end */
   if (query->type == PIPE_QUERY_PIPELINE_STATISTICS)
      sample_struct(fake, query, out);
   else if (query->type == PIPE_QUERY_PIPELINE_STATISTICS_SINGLE)
      out[0] = fake->statistics[query->index];
   else if (query->type == PIPE_QUERY_TIMESTAMP ||
            query->type == PIPE_QUERY_TIME_ELAPSED)
      out[0] = fake->time_ns;
   else
      out[0] = fake->counters[query->type][query->index];
}

static bool
is_held(const struct fake_pipe *fake, const struct fake_query *query)
{
   return fake->is_held && query->number >= fake->held_from &&
          (!fake->held_count ||
           query->number < fake->held_from + fake->held_count);
}

static struct pipe_query *
create_query(struct pipe_context *pipe, unsigned type, unsigned index)
{
   struct fake_pipe *fake = fake_of(pipe);

   if (pitot_null_fails(fake->fail, PITOT_NULL_CREATE))
      return NULL;

   struct fake_query *query = calloc(1, sizeof(*query));
   if (!query)
      return NULL;
   query->type = type;
   query->number = fake->created++;
   fake->created_structs += type == PIPE_QUERY_PIPELINE_STATISTICS;
   query->index = index;
   list_inithead(&query->base.head_unflushed);
   fake->alive++;
   return (struct pipe_query *)query;
}

static struct pipe_query *
create_batch_query(struct pipe_context *pipe, unsigned count, unsigned *types)
{
   struct pipe_query *pq = create_query(pipe, types[0], 0);
   struct fake_query *query = (struct fake_query *)pq;

   if (query) {
      query->batch_count = count;
      memcpy(query->batch, types, count * sizeof(types[0]));
   }
   return pq;
}

static void
end_driver_query(struct fake_query *query)
{
   if (!query->batch_count)
      query->value[0] = driver_value(query->type);
   for (unsigned i = 0; i < query->batch_count; i++)
      query->value[i] = driver_value(query->batch[i]);
}

static void
destroy_query(struct pipe_context *pipe, struct pipe_query *pq)
{
   fake_pipe_run_thread(fake_of(pipe));
   list_delinit(&((struct fake_query *)pq)->base.head_unflushed);
   fake_of(pipe)->alive--;
   free(pq);
}

static void
count_active(struct fake_pipe *fake, const struct fake_query *query,
             int change)
{
   const bool is_struct = query->type == PIPE_QUERY_PIPELINE_STATISTICS;
   const unsigned type =
      is_struct ? PIPE_QUERY_PIPELINE_STATISTICS_SINGLE : query->type;

   fake->active += change;
   if (type != PIPE_QUERY_PIPELINE_STATISTICS_SINGLE &&
       type != PIPE_QUERY_PRIMITIVES_GENERATED)
      return;
   for (unsigned i = 0; i < ARRAY_SIZE(fake->active_alike[type]); i++) {
      uint8_t *alike = &fake->active_alike[type][i];

      *alike += is_struct || i == query->index ? change : 0;
      fake->has_two_alike |= *alike > 1;
   }
}

static bool
begin_query(struct pipe_context *pipe, struct pipe_query *pq)
{
   struct fake_pipe *fake = fake_of(pipe);
   struct fake_query *query = (struct fake_query *)pq;

   if (pitot_null_fails(fake->fail, PITOT_NULL_BEGIN))
      return false;
   sample(fake, query, query->begin);
   if (!query->is_active)
      count_active(fake, query, 1);
   query->is_active = true;
   return true;
}

static bool
end_query(struct pipe_context *pipe, struct pipe_query *pq)
{
   struct fake_pipe *fake = fake_of(pipe);
   struct fake_query *query = (struct fake_query *)pq;

   assert(query->is_active || query->type == PIPE_QUERY_TIMESTAMP);
   if (query->is_active)
      count_active(fake, query, -1);
   query->is_active = false;
   if (pitot_null_fails(fake->fail, PITOT_NULL_END))
      return false;
   sample(fake, query, query->value);
   for (unsigned i = 0; i < 13; i++)
      query->value[i] -= query->begin[i];
   if (query->type >= PIPE_QUERY_DRIVER_SPECIFIC)
      end_driver_query(query);
   query->is_available = !is_held(fake, query);
   query->end_number = ++fake->end_count;
   query->base.flushed = false;
   query->recorded_ends++;
#if PITOT_HAS_MESA_FIXES
   query->base.recorded_end++;
#endif
   fake_thread_record(fake, query);
   return true;
}

static struct pipe_fence_handle *
make_fence(struct fake_pipe *fake)
{
   struct fake_fence *fence = calloc(1, sizeof(*fence));
   if (!fence)
      return NULL;

   fence->fake = fake;
   fence->generation = fake->generation;
   fake->alive++;
   return (struct pipe_fence_handle *)fence;
}

static void
fence_reference(struct pipe_screen *screen, struct pipe_fence_handle **fence,
                struct pipe_fence_handle *other)
{
   (void)screen;
   ((struct fake_fence *)*fence)->fake->alive--;
   free(*fence);
   *fence = other;
}

static bool
fence_finish(struct pipe_screen *screen, struct pipe_context *pipe,
             struct pipe_fence_handle *handle, uint64_t timeout)
{
   const struct fake_fence *fence = (struct fake_fence *)handle;
   struct fake_pipe *fake = fence->fake;

   (void)screen;
   fake->flushes += pipe != NULL;
   fake->waits += timeout != 0;
   return fake->is_lost ||
          (fake->generation > fence->generation && !fake->is_held);
}

static void
flush(struct pipe_context *pipe, struct pipe_fence_handle **fence,
      unsigned flags)
{
   struct fake_pipe *fake = fake_of(pipe);

   if (fence)
      *fence = make_fence(fake);
   if (flags & PIPE_FLUSH_DEFERRED)
      return;
   fake->flushes++;
   fake_thread_record(fake, NULL);
}

/* Never begun, and not on the GPU. */
static bool
read_disjoint(struct fake_pipe *fake, struct fake_query *query,
              union pipe_query_result *result)
{
   const uint64_t events = fake->counters[query->type][0];

   assert(!query->end_number && !query->is_active);
   fake->drains += fake->is_threaded && !fake_thread_is_flushed(query);
   result->timestamp_disjoint.disjoint = events != query->begin[0];
   query->begin[0] = events;
   return true;
}

static bool
get_query_result(struct pipe_context *pipe, struct pipe_query *pq, bool wait,
                 union pipe_query_result *result)
{
   struct fake_pipe *fake = fake_of(pipe);
   struct fake_query *query = (struct fake_query *)pq;

   memset(result, 0xff, sizeof(*result)); /* must be overwritten */
   fake->result_calls++;
   fake->waits += wait && !query->is_available;
   if (wait && fake->empty_waits) {
      fake->empty_waits--;
      return false;
   }
   if (query->type == PIPE_QUERY_TIMESTAMP_DISJOINT)
      return read_disjoint(fake, query, result);
   if (fake->is_threaded) {
      if (!fake_thread_submits(fake, query))
         return false;
   } else if (!query->base.flushed) {
      pipe->flush(pipe, NULL, 0);
   }
   const bool is_lost =
      fake->is_lost ||
      (query->end_number <= fake->lost_ends && !query->is_available);

   query->is_available |= !is_lost && (wait || !is_held(fake, query));
   result->b = is_lost;
   if (is_lost || !query->is_available)
      return false;
   query->value[0] += fake->counts_reads;
   fake_thread_mark(query);

   if (is_boolean(query->type)) {
      /* Like drivers: writes one byte and leaves the others unchanged. */
      memset(result, 0xaa, sizeof(*result));
      result->b = query->value[0] != 0;
   } else {
      memcpy(result, query->value, sizeof(query->value));
   }
   return true;
}

static void
get_query_result_resource(struct pipe_context *pipe, struct pipe_query *pq,
                          enum pipe_query_flags flags,
                          enum pipe_query_value_type type, int index,
                          struct pipe_resource *resource, unsigned offset)
{
   const bool is_wide =
      type == PIPE_QUERY_TYPE_I64 || type == PIPE_QUERY_TYPE_U64;
   const struct fake_pipe *fake = fake_of(pipe);
   struct fake_query *query = (struct fake_query *)pq;
   char *memory = (char *)((struct fake_resource *)resource)->memory + offset;

   query->is_available |= flags & PIPE_QUERY_WAIT || !fake->is_held;
   const uint64_t value = index < 0                 ? query->is_available
                          : is_boolean(query->type) ? query->value[0] != 0
                                                    : query->value[index];
   if (index < 0 || query->is_available)
      memcpy(memory, &value, is_wide ? 8 : 4); /* cut, as by llvmpipe */
}

static void
render_condition(struct pipe_context *pipe, struct pipe_query *query,
                 bool condition, enum pipe_render_cond_flag mode)
{
   fake_of(pipe)->condition = query;
   fake_of(pipe)->condition_inverted = condition;
   fake_of(pipe)->condition_mode = mode;
}

static uint64_t
get_timestamp(struct pipe_context *pipe)
{
   return fake_of(pipe)->time_ns;
}

static const char *
get_name(struct pipe_screen *screen)
{
   (void)screen;
   return "fake";
}

static enum pipe_reset_status
get_device_reset_status(struct pipe_context *pipe)
{
   struct fake_pipe *fake = fake_of(pipe);
   const bool is_news =
      (fake->is_lost || fake->lost_ends) && !fake->has_reported_loss;

   fake->status_calls++;
   fake->drains += fake->is_threaded;
   fake->has_reported_loss |= is_news;
   return is_news ? PIPE_GUILTY_CONTEXT_RESET : PIPE_NO_RESET;
}

void
fake_pipe_hang(struct fake_pipe *fake)
{
   fake->lost_ends = fake->end_count;
   fake->has_reported_loss = false;
}

void
fake_pipe_init(struct fake_pipe *fake)
{
   struct pipe_caps *caps = (struct pipe_caps *)&fake->screen.caps;

   memset(fake, 0, sizeof(*fake));
   list_inithead(&fake->unflushed);
   list_inithead(&fake->recorded);
   fake->base.screen = &fake->screen;
   fake->screen.get_name = get_name;
   fake->screen.fence_reference = fence_reference;
   fake->screen.fence_finish = fence_finish;
   fake->base.create_query = create_query;
   fake->base.create_batch_query = create_batch_query;
   fake->base.destroy_query = destroy_query;
   fake->base.begin_query = begin_query;
   fake->base.end_query = end_query;
   fake->base.flush = flush;
   fake->base.get_query_result = get_query_result;
   fake->base.get_query_result_resource = get_query_result_resource;
   fake->base.render_condition = render_condition;
   fake->base.get_timestamp = get_timestamp;
   fake->base.get_device_reset_status = get_device_reset_status;
   caps->occlusion_query = true;
   caps->query_time_elapsed = true;
   caps->query_timestamp = true;
   caps->query_timestamp_bits = 64;
   caps->query_so_overflow = true;
   caps->query_pipeline_statistics_single = true;
   caps->query_buffer_object = true;
   caps->max_stream_output_buffers = 4;
}

struct pipe_resource *
fake_pipe_resource(struct fake_pipe *fake, void *memory)
{
   (void)fake;
   the_resource.memory = memory;
   return &the_resource.base;
}

uint64_t
fake_pipe_value(const struct pipe_query *query)
{
   return ((const struct fake_query *)query)->value[0];
}
