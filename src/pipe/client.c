/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "pipe_priv.h"
#include "pitot/clock.h"
#include "util/u_atomic.h"
#include "util/u_threaded_context.h"

/* A driver that was told to wait and still has no result, so often in a row,
 * will never have one.
 */
#define MAX_WAITS 1000

/* Asking a u_threaded_context for the reset status may drain its queue, so an
 * unsuccessful poll does it only this often.
 */
#define POLLS_PER_STATUS 1024

struct client_query {
   struct pitot_driver_query base;
   const struct pitot_pipe_kind *row;
   bool is_boolean;
   bool is_struct;           /* one of the 11 counters in a struct */
   bool is_counting;         /* active, and in pitot_pipe_info.counting */
   bool counts;              /* what is drawn, not time */
   unsigned flush_count;     /* the client's, when it ended */
   struct pipe_query *pq;    /* NULL if the driver cannot measure this */
   struct pipe_query *begin; /* where two timestamps make up for a type that
                              * the driver lacks or gets wrong: the first */
};

static struct pitot_pipe_client *
client_of(struct pitot_driver *driver)
{
   return (struct pitot_pipe_client *)driver;
}

static struct client_query *
query_of(struct pitot_driver_query *query)
{
   return (struct client_query *)query;
}

static const struct pipe_caps *
caps_of(const struct pitot_pipe_client *client)
{
   return &client->info.pipe->screen->caps;
}

static void
flush(struct pitot_pipe_client *client)
{
   struct pipe_context *pipe = client->info.pipe;

   pipe->flush(pipe, NULL, PIPE_FLUSH_ASYNC);
   client->flush_count++;
}

/*
 * Measuring
 */

static void
destroy(struct pitot_driver *driver, struct pitot_driver_query *base)
{
   const struct pitot_pipe_client *client = client_of(driver);
   struct pipe_context *pipe = client->info.pipe;
   struct client_query *query = query_of(base);

   if (query->is_counting)
      --*client->info.counting;
   if (query->begin)
      pipe->destroy_query(pipe, query->begin);
   if (query->pq)
      pipe->destroy_query(pipe, query->pq);
   free(query);
}

/* Makes the pipe queries of a kind. */
static bool
create_pipe_queries(const struct pitot_pipe_client *client,
                    struct client_query *query, unsigned stream)
{
   struct pipe_context *pipe = client->info.pipe;
   const struct pipe_caps *caps = caps_of(client);
   unsigned type = query->row->type;
   unsigned index = stream;

   if (type == PIPE_QUERY_PIPELINE_STATISTICS_SINGLE) {
      /* radeonsi wants the index for the struct as well. */
      index = query->row->statistic;
      query->is_struct = !caps->query_pipeline_statistics_single;
      if (query->is_struct)
         type = PIPE_QUERY_PIPELINE_STATISTICS;
   } else if (type == PIPE_QUERY_TIME_ELAPSED &&
              (!caps->query_time_elapsed || client->info.bins_time)) {
      type = PIPE_QUERY_TIMESTAMP;
      query->begin = pipe->create_query(pipe, type, 0);
      if (!query->begin)
         return false;
   }

   query->pq = pipe->create_query(pipe, type, index);
   return query->pq != NULL;
}

static int
create(struct pitot_driver *driver, enum pitot_kind kind, unsigned stream,
       struct pitot_driver_query **query_out)
{
   const struct pitot_pipe_client *client = client_of(driver);
   struct client_query *query = calloc(1, sizeof(*query));
   if (!query)
      return -ENOMEM;

   query->row = pitot_pipe_kind(kind);
   query->is_boolean = pitot_kind_info(kind)->is_boolean;
   query->counts = !pitot_kind_info(kind)->is_time;
   if (pitot_pipe_kind_bits(query->row, caps_of(client)) &&
       !create_pipe_queries(client, query, stream)) {
      destroy(driver, &query->base);
      return -ENOMEM;
   }

   *query_out = &query->base;
   return 0;
}

/* Ends a pipe query, which for a timestamp is to take it. */
static bool
end_pipe_query(struct pitot_pipe_client *client,
               const struct client_query *query, struct pipe_query *pq)
{
   struct pipe_context *pipe = client->info.pipe;
   const bool is_apart = !query->counts && client->info.bins_time;

   if (is_apart)
      flush(client);
   const bool ok = pipe->end_query(pipe, pq);
   if (is_apart)
      flush(client);
   return ok;
}

static int
begin(struct pitot_driver *driver, struct pitot_driver_query *base)
{
   struct pitot_pipe_client *client = client_of(driver);
   struct pipe_context *pipe = client->info.pipe;
   struct client_query *query = query_of(base);

   if (!query->pq)
      return 0;
   if (query->begin ? !end_pipe_query(client, query, query->begin)
                    : !pipe->begin_query(pipe, query->pq))
      return -EIO;

   query->is_counting = query->counts;
   *client->info.counting += query->is_counting;
   return 0;
}

static int
end(struct pitot_driver *driver, struct pitot_driver_query *base)
{
   struct pitot_pipe_client *client = client_of(driver);
   struct client_query *query = query_of(base);

   if (!query->pq)
      return 0;
   *client->info.counting -= query->is_counting;
   query->is_counting = false;
   query->flush_count = client->flush_count;
   return end_pipe_query(client, query, query->pq) ? 0 : -EIO;
}

/*
 * Results
 */

static bool
is_lost(const struct pitot_pipe_client *client)
{
   struct pipe_context *pipe = client->info.pipe;

   return pipe->get_device_reset_status &&
          pipe->get_device_reset_status(pipe) != PIPE_NO_RESET;
}

static int
wait_for(const struct pitot_pipe_client *client, struct pipe_query *pq,
         union pipe_query_result *result_out)
{
   struct pipe_context *pipe = client->info.pipe;

   for (unsigned i = 0; i < MAX_WAITS; i++) {
      if (pipe->get_query_result(pipe, pq, true, result_out))
         return 1;
      if (is_lost(client))
         break;
   }
   return -EIO;
}

/* Sees to it that a query comes to an end without anybody waiting for it:
 * one flush for all those that ended since the last one.
 */
static void
flush_once(struct pitot_pipe_client *client, const struct client_query *query)
{
   if (query->flush_count == client->flush_count)
      flush(client);
}

static int
poll_for(struct pitot_pipe_client *client, const struct client_query *query,
         struct pipe_query *pq, union pipe_query_result *result_out)
{
   struct pipe_context *pipe = client->info.pipe;

   /* u_threaded_context drains its queue if it is asked about a query that it
    * has not flushed yet.
    */
   if (client->is_threaded &&
       !p_atomic_read(&((struct threaded_query *)pq)->flushed)) {
      flush_once(client, query);
      return 0;
   }
   if (pipe->get_query_result(pipe, pq, false, result_out))
      return 1;
   if (client->is_threaded && ++client->poll_count % POLLS_PER_STATUS)
      return 0;
   return is_lost(client) ? -EIO : 0;
}

static int
fetch(struct pitot_pipe_client *client, const struct client_query *query,
      struct pipe_query *pq, bool wait, uint64_t *value_out)
{
   union pipe_query_result data;
   const int status =
      wait ? wait_for(client, pq, &data) : poll_for(client, query, pq, &data);
   if (status <= 0)
      return status;

   /* Of a boolean, a driver may write one byte. */
   if (query->is_boolean)
      *value_out = data.b;
   else if (query->is_struct)
      *value_out = data.pipeline_statistics.counters[query->row->statistic];
   else
      *value_out = data.u64;
   return 1;
}

static int
result(struct pitot_driver *driver, struct pitot_driver_query *base,
       bool wait, uint64_t *result_out)
{
   struct pitot_pipe_client *client = client_of(driver);
   const struct client_query *query = query_of(base);
   uint64_t begin_ns;

   *result_out = 0;
   if (!query->pq)
      return 1;

   int status = fetch(client, query, query->pq, wait, result_out);
   if (status <= 0 || !query->begin)
      return status;

   status = fetch(client, query, query->begin, wait, &begin_ns);
   if (status > 0)
      *result_out =
         pitot_ns_elapsed(begin_ns, *result_out, &driver->disjoint);
   return status;
}

static enum pipe_query_value_type
value_type(enum pitot_type type)
{
   static const enum pipe_query_value_type types[] = {
      [PITOT_TYPE_I32] = PIPE_QUERY_TYPE_I32,
      [PITOT_TYPE_U32] = PIPE_QUERY_TYPE_U32,
      [PITOT_TYPE_I64] = PIPE_QUERY_TYPE_I64,
      [PITOT_TYPE_U64] = PIPE_QUERY_TYPE_U64,
   };

   return types[type];
}

static bool
store(struct pitot_driver *driver, struct pitot_driver_query *base,
      enum pitot_store what, enum pitot_type type, void *resource,
      uint64_t offset_B)
{
   const struct pitot_pipe_client *client = client_of(driver);
   struct pipe_context *pipe = client->info.pipe;
   const struct client_query *query = query_of(base);
   const bool fits = client->info.stores_clamped || query->is_boolean ||
                     what == PITOT_STORE_AVAILABLE ||
                     pitot_type_size_B(type) == 8;

   if (!query->pq || query->begin || !fits || offset_B > UINT32_MAX ||
       !caps_of(client)->query_buffer_object)
      return false;

   int index = query->is_struct ? (int)query->row->statistic : 0;
   if (what == PITOT_STORE_AVAILABLE)
      index = -1;
   pipe->get_query_result_resource(
      pipe, query->pq, what == PITOT_STORE_RESULT ? PIPE_QUERY_WAIT : 0,
      value_type(type), index, resource, offset_B);
   return true;
}

static unsigned
counter_bits(struct pitot_driver *driver, enum pitot_kind kind)
{
   return pitot_pipe_kind_bits(pitot_pipe_kind(kind),
                               caps_of(client_of(driver)));
}

/*
 * The rest
 */

static enum pipe_render_cond_flag
condition_flag(struct pitot_condition_mode mode)
{
   if (mode.by_region)
      return mode.wait ? PIPE_RENDER_COND_BY_REGION_WAIT
                       : PIPE_RENDER_COND_BY_REGION_NO_WAIT;
   return mode.wait ? PIPE_RENDER_COND_WAIT : PIPE_RENDER_COND_NO_WAIT;
}

static void
render_condition(struct pitot_driver *driver, struct pitot_driver_query *base,
                 struct pitot_condition_mode mode)
{
   const struct pitot_pipe_info *info = &client_of(driver)->info;
   struct pipe_query *pq = base ? query_of(base)->pq : NULL;

   if (info->render_condition)
      info->render_condition(info->data, pq, mode.inverted,
                             condition_flag(mode));
   else if (info->pipe->render_condition)
      info->pipe->render_condition(info->pipe, pq, mode.inverted,
                                   condition_flag(mode));
}

static uint64_t
timestamp_ns(struct pitot_driver *driver)
{
   struct pipe_context *pipe = client_of(driver)->info.pipe;

   if (pipe->screen->get_timestamp)
      return pipe->screen->get_timestamp(pipe->screen);
   return pipe->get_timestamp ? pipe->get_timestamp(pipe) : 0;
}

static const struct pitot_driver_ops client_ops = {
   .query_create = create,
   .query_destroy = destroy,
   .query_begin = begin,
   .query_end = end,
   .query_result = result,
   .query_store = store,
   .counter_bits = counter_bits,
   .render_condition = render_condition,
   .timestamp_ns = timestamp_ns,
};

void
pitot_pipe_client_init(struct pitot_pipe_client *client,
                       const struct pitot_pipe_info *info)
{
   assert(info->pipe && info->counting);

   /* u_threaded_context is what sets priv in Mesa: it points to the context
    * that it wraps.
    */
   *client = (struct pitot_pipe_client){
      .base = { .ops = &client_ops },
      .info = *info,
      .is_threaded = info->pipe->priv != NULL,
   };
}
