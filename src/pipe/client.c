/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The client: measures core's driver queries with the queries of a
 * pipe_context.
 * Invariant: *info.counting is the number of active pipe queries that count
 * draws.  The frontend disables them around its internal draws.
 * Danger: begin, end and read have a fast path for a query that is one pipe
 * query only (is_plain).  A new case needs is_plain = false.
 */

#include <assert.h>
#include <errno.h>

#include "pipe_priv.h"
#include "pitot_clock.h"

static void
client_query_destroy(struct pitot_driver *driver,
                     struct pitot_driver_query *base)
{
   struct pitot_pipe_client *client = (void *)driver;
   struct pipe_context *pipe = client->info.pipe;
   struct pitot_pipe_query *query = (void *)base;

   if (client->methods[query->kind].is_shared) {
      pitot_pipe_statistic_destroy(client, query);
      return;
   }
   if (query->is_counting)
      --*client->info.counting;
   if (query->begin)
      pipe->destroy_query(pipe, query->begin);
   if (query->pq)
      pipe->destroy_query(pipe, query->pq);
   pitot_arena_free(&client->queries, query);
}

static bool
create_pipe_queries(const struct pitot_pipe_client *client,
                    struct pitot_pipe_query *query, unsigned stream)
{
   const struct pitot_pipe_method *method = &client->methods[query->kind];
   struct pipe_context *pipe = client->info.pipe;

   if (method->has_begin) {
      query->begin = pipe->create_query(pipe, method->type, 0);
      if (!query->begin)
         return false;
   }
   query->pq = pipe->create_query(pipe, method->type, method->index + stream);
   return query->pq != NULL;
}

static unsigned
client_counter_bits(struct pitot_driver *driver, enum pitot_kind kind)
{
   return pitot_pipe_kind_bits(pitot_pipe_kind(kind),
                               &((struct pitot_pipe_client *)driver)->info);
}

static int
client_query_create(struct pitot_driver *driver, enum pitot_kind kind,
                    unsigned stream, struct pitot_driver_query **query_out)
{
   struct pitot_pipe_client *client = (void *)driver;
   const struct pitot_pipe_method *method = &client->methods[kind];

   pitot_pipe_disjoint_begin(client);
   if (method->is_shared)
      return pitot_pipe_statistic_create(client, kind, stream, query_out);

   struct pitot_pipe_query *query = pitot_arena_alloc(&client->queries);
   if (!query)
      return -ENOMEM;

   *query = (struct pitot_pipe_query){ .kind = kind };
   if (method->is_counted && !create_pipe_queries(client, query, stream)) {
      client_query_destroy(driver, &query->base);
      return -ENOMEM;
   }
   query->counts_draws = method->counts_draws;
   query->is_plain =
      query->pq && !query->begin && !method->is_between_flushes;
   *query_out = &query->base;
   return 0;
}

struct pitot_driver_query *
pitot_pipe_query_wrap(struct pitot_pipe_client *client, struct pipe_query *pq,
                      bool counts_draws)
{
   struct pipe_context *pipe = client->info.pipe;
   struct pitot_pipe_query *query =
      pq ? pitot_arena_alloc(&client->queries) : NULL;

   if (pq && !query)
      pipe->destroy_query(pipe, pq);
   if (!query)
      return NULL;
   pitot_pipe_disjoint_begin(client);
   *query = (struct pitot_pipe_query){
      .pq = pq,
      .kind = PITOT_KIND_NONE,
      .counts_draws = counts_draws,
      .is_plain = true,
   };
   return &query->base;
}

void
pitot_pipe_flush(struct pitot_pipe_client *client)
{
   struct pipe_context *pipe = client->info.pipe;

   pipe->flush(pipe, NULL, PIPE_FLUSH_ASYNC);
   client->flush_count++;
}

/* On a driver that bins times (bins_time), the flushes leave nothing but the
 * timestamp in the bins.
 */
static bool
end_pipe_query(struct pitot_pipe_client *client,
               const struct pitot_pipe_query *query, struct pipe_query *pq)
{
   struct pipe_context *pipe = client->info.pipe;
   const bool is_between_flushes =
      client->methods[query->kind].is_between_flushes;

   if (is_between_flushes)
      pitot_pipe_flush(client);
   const bool ok = pipe->end_query(pipe, pq);
   if (is_between_flushes)
      pitot_pipe_flush(client);
   return ok;
}

/* Slow path: a statistic that shares pipe queries, a kind that the driver
 * cannot measure, or an elapsed time that begins with a timestamp.
 */
static PITOT_NOINLINE int
begin_slow(struct pitot_pipe_client *client, struct pitot_pipe_query *query)
{
   if (client->methods[query->kind].is_shared)
      return pitot_pipe_statistic_begin(client, query);
   if (!query->pq)
      return 0;
   return end_pipe_query(client, query, query->begin) ? 0 : -EIO;
}

/* On failure core destroys the query without ending it: then
 * client_query_destroy() decrements info.counting.
 */
static int
client_query_begin(struct pitot_driver *driver,
                   struct pitot_driver_query *base)
{
   struct pitot_pipe_client *client = (void *)driver;
   struct pipe_context *pipe = client->info.pipe;
   struct pitot_pipe_query *query = (void *)base;

   query->is_counting = query->counts_draws;
   *client->info.counting += query->counts_draws;
   if (!query->is_plain)
      return begin_slow(client, query);
   return pipe->begin_query(pipe, query->pq) ? 0 : -EIO;
}

static PITOT_NOINLINE int
end_slow(struct pitot_pipe_client *client, struct pitot_pipe_query *query)
{
   if (client->methods[query->kind].is_shared)
      return pitot_pipe_statistic_end(client, query);
   return !query->pq || end_pipe_query(client, query, query->pq) ? 0 : -EIO;
}

static int
client_query_end(struct pitot_driver *driver, struct pitot_driver_query *base)
{
   struct pitot_pipe_client *client = (void *)driver;
   struct pipe_context *pipe = client->info.pipe;
   struct pitot_pipe_query *query = (void *)base;

   *client->info.counting -= query->is_counting;
   query->is_counting = false;
   query->flush_count = client->flush_count;
   query->wait_count = client->base.wait_count;
   query->unreported_loss_count = client->unreported_loss_count;
   if (!query->is_plain)
      return end_slow(client, query);
   return pipe->end_query(pipe, query->pq) ? 0 : -EIO;
}

/* client_render_condition() casts our flags to Gallium's modes. */
static_assert((int)PIPE_RENDER_COND_WAIT == PITOT_CONDITION_WAIT, "");
static_assert((int)PIPE_RENDER_COND_NO_WAIT == PITOT_CONDITION_NO_WAIT, "");
static_assert((int)PIPE_RENDER_COND_BY_REGION_WAIT ==
                 PITOT_CONDITION_BY_REGION,
              "");
static_assert((int)PIPE_RENDER_COND_BY_REGION_NO_WAIT ==
                 (PITOT_CONDITION_BY_REGION | PITOT_CONDITION_NO_WAIT),
              "");

static void
client_render_condition(struct pitot_driver *driver,
                        struct pitot_driver_query *base, unsigned mode)
{
   const struct pitot_pipe_info *info =
      &((struct pitot_pipe_client *)driver)->info;
   struct pipe_query *pq =
      base ? ((struct pitot_pipe_query *)base)->pq : NULL;
   const bool is_inverted = mode & PITOT_CONDITION_INVERTED;
   const enum pipe_render_cond_flag flag = mode & ~PITOT_CONDITION_INVERTED;

   info->render_condition(info->condition_data, pq, is_inverted, flag);
}

/* The default of pitot_pipe_info.render_condition. */
static void
set_pipe_condition(void *data, struct pipe_query *pq, bool is_inverted,
                   enum pipe_render_cond_flag flag)
{
   struct pipe_context *pipe = data;

   if (pipe->render_condition)
      pipe->render_condition(pipe, pq, is_inverted, flag);
}

static uint64_t
client_timestamp_ns(struct pitot_driver *driver)
{
   const struct pitot_pipe_client *client = (void *)driver;
   struct pipe_context *pipe = client->info.pipe;

   /* Without timestamp queries, no result can be compared with the clock. */
   if (!pipe->screen->caps.query_timestamp)
      return 0;
   if (client->info.clock) {
      struct pitot_correlation clocks;

      driver->disjoint |= !pitot_clock_read(client->info.clock, &clocks);
      return clocks.gpu_ns;
   }
   if (pipe->screen->get_timestamp)
      return pipe->screen->get_timestamp(pipe->screen);
   return pipe->get_timestamp ? pipe->get_timestamp(pipe) : 0;
}

static const struct pitot_driver_ops client_ops = {
   .query_create = client_query_create,
   .query_destroy = client_query_destroy,
   .query_begin = client_query_begin,
   .query_end = client_query_end,
   .query_result = pitot_pipe_query_result,
   .fence_create = pitot_pipe_fence_create,
   .fence_is_done = pitot_pipe_fence_is_done,
   .fence_destroy = pitot_pipe_fence_destroy,
   .query_store = pitot_pipe_query_store,
   .counter_bits = client_counter_bits,
   .render_condition = client_render_condition,
   .timestamp_ns = client_timestamp_ns,
   .poll_disjoint = pitot_pipe_poll_disjoint,
};

/* Whether the driver stores results of a type, instead of the CPU.  If the
 * CPU stores any results, it stores availability, too, even as 64 bits: the
 * GPU could store TRUE before the CPU has the result.
 */
static bool
may_store(const struct pitot_pipe_info *info,
          const struct pitot_pipe_method *method, enum pitot_store store,
          enum pitot_type type)
{
   const bool always_fits =
      store != PITOT_STORE_AVAILABLE && pitot_type_size_B(type) == 8;

   return always_fits || method->is_boolean || info->stores_clamped ||
          (method->is_time ? info->clamps_times : !info->stores_wait);
}

static unsigned
stores_of(const struct pitot_pipe_info *info,
          const struct pitot_pipe_method *method)
{
   unsigned stores = 0;

   if (!method->is_counted || method->has_begin ||
       !info->pipe->screen->caps.query_buffer_object)
      return 0;
   for (unsigned store = 0; store < PITOT_STORE_COUNT; store++) {
      for (unsigned type = 0; type < PITOT_TYPE_COUNT; type++) {
         if (may_store(info, method, store, type))
            stores |= pitot_pipe_store_bit(store, type);
      }
   }
   return stores;
}

static bool
may_share_statistic(const struct pitot_pipe_info *info, unsigned index)
{
   const struct pipe_caps *caps = &info->pipe->screen->caps;

   if (!caps->query_pipeline_statistics && !info->has_struct)
      return info->counts_once;
   return info->watch_draws && (info->struct_statistics & 1u << index);
}

static struct pitot_pipe_method
method_of_kind(const struct pitot_pipe_info *info, enum pitot_kind kind)
{
   const struct pipe_caps *caps = &info->pipe->screen->caps;
   const struct pitot_pipe_kind *pipe_kind = pitot_pipe_kind(kind);
   struct pitot_pipe_method method = {
      .type = pipe_kind->type,
      .is_counted = pitot_pipe_kind_bits(pipe_kind, info) > 0,
      .is_boolean = pitot_kind_info(kind)->is_boolean,
      .is_time = pitot_kind_info(kind)->is_time,
   };

   if (method.type == PIPE_QUERY_PIPELINE_STATISTICS_SINGLE) {
      /* radeonsi reads the index even for the struct. */
      method.index = pipe_kind->statistic;
      method.is_shared =
         method.is_counted && may_share_statistic(info, method.index);
      method.is_struct = !caps->query_pipeline_statistics_single;
      if (method.is_struct)
         method.type = PIPE_QUERY_PIPELINE_STATISTICS;
   } else if (method.type == PIPE_QUERY_TIME_ELAPSED &&
              (!caps->query_time_elapsed || info->bins_time)) {
      method.type = PIPE_QUERY_TIMESTAMP;
      method.has_begin = true;
   } else if (method.type == PIPE_QUERY_PRIMITIVES_GENERATED) {
      method.is_shared = info->counts_once;
   }
   method.counts_draws = method.is_counted && !method.is_time;
   method.is_between_flushes = method.is_time && info->bins_time;
   method.stores = stores_of(info, &method);
   return method;
}

void
pitot_pipe_client_init(struct pitot_pipe_client *client,
                       const struct pitot_pipe_info *info)
{
   assert(info->pipe && info->counting);

   *client = (struct pitot_pipe_client){
      .base = { .ops = &client_ops,
                .keeps_queries_apart = info->keeps_queries_apart },
      .info = *info,
   };
   if (!info->render_condition) {
      client->info.render_condition = set_pipe_condition;
      client->info.condition_data = info->pipe;
   }
   pitot_arena_init(&client->queries, sizeof(struct pitot_pipe_query));
   pitot_pipe_statistics_init(client);
   static_assert(PITOT_PIPE_SEGMENT_INDICES <= 32, "masks are uint32_t");
   for (unsigned kind = 0; kind < PITOT_KIND_COUNT; kind++)
      client->methods[kind] = method_of_kind(info, kind);
}

void
pitot_pipe_client_waited(struct pitot_pipe_client *client)
{
   client->base.wait_count++;
}
