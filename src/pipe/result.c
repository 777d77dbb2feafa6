/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>

#include "pipe_priv.h"
#include "pitot/clock.h"
#include "util/u_atomic.h"
#include "util/u_threaded_context.h"

/* A driver that was told to wait and still has no result, so often in a row,
 * will never have one.
 */
#define MAX_WAITS 1000

/* To ask for the reset status may cost an ioctl or drain a driver thread, so
 * polls that stay without a result do it after this many in a row, twice as
 * many, four times as many...
 */
#define POLLS_BEFORE_STATUS 1024

/* A driver may say only once that the device is lost. */
bool
pitot_pipe_is_lost(struct pitot_pipe_client *client)
{
   const struct pitot_pipe_info *info = &client->info;
   struct pipe_context *pipe = info->pipe;

   if (client->is_lost)
      return true;
   if (info->is_lost)
      client->is_lost = info->is_lost(info->data);
   else if (pipe->get_device_reset_status)
      client->is_lost = pipe->get_device_reset_status(pipe) != PIPE_NO_RESET;
   client->base.disjoint |= client->is_lost;
   return client->is_lost;
}

void
pitot_pipe_look_for_disjoint(struct pitot_driver *driver)
{
   pitot_pipe_is_lost(pitot_pipe_client_of(driver));
   pitot_pipe_disjoint_look(pitot_pipe_client_of(driver));
}

bool
pitot_pipe_would_drain(const struct pitot_pipe_client *client,
                       struct pipe_query *pq)
{
   return client->info.is_threaded &&
          !p_atomic_read(&((struct threaded_query *)pq)->flushed);
}

static int
wait_for(struct pitot_pipe_client *client, struct pipe_query *pq,
         union pipe_query_result *result_out)
{
   struct pipe_context *pipe = client->info.pipe;

   for (unsigned i = 0; i < MAX_WAITS; i++) {
      if (pipe->get_query_result(pipe, pq, true, result_out))
         return 1;
      if (pitot_pipe_is_lost(client))
         break;
   }
   return -EIO;
}

/* Counts a poll that had no result.  Returns whether there will never be one.
 */
static bool
has_given_up(struct pitot_pipe_client *client)
{
   const unsigned count = ++client->poll_count;
   const bool is_power_of_two = (count & (count - 1)) == 0;

   return count >= POLLS_BEFORE_STATUS && is_power_of_two &&
          pitot_pipe_is_lost(client);
}

/* Sees to it that a query comes to an end without anybody waiting for it:
 * one flush for all those that ended since the last one.
 */
static void
flush_once(struct pitot_pipe_client *client,
           const struct pitot_pipe_query *query)
{
   if (query->flush_count == client->flush_count)
      pitot_pipe_flush(client);
}

/* Returns whether a poll may drain the thread: the first poll after a wait of
 * the application's, since the result may have been waited for and must then
 * be available; all polls after the availability was stored in a buffer,
 * where the application may have seen TRUE; and one poll in each batch for a
 * driver that needs it.
 */
static bool
takes_drain(struct pitot_pipe_client *client,
            const struct pitot_pipe_query *query)
{
   const unsigned batch = client->flush_count + 1;

   if (query->wait_count == client->wait_count &&
       !query->has_stored_available &&
       (!client->info.polls_drain || client->drained_batch == batch ||
        query->flush_count != client->flush_count))
      return false;
   client->drained_batch = batch;
   return true;
}

static int
poll_for(struct pitot_pipe_client *client, struct pitot_pipe_query *query,
         struct pipe_query *pq, union pipe_query_result *result_out)
{
   struct pipe_context *pipe = client->info.pipe;

   if (pitot_pipe_would_drain(client, pq) && !takes_drain(client, query)) {
      flush_once(client, query);
      return 0;
   }
   if (pipe->get_query_result(pipe, pq, false, result_out)) {
      client->poll_count = 0;
      return 1;
   }
   query->wait_count = client->wait_count;

   return has_given_up(client) ? -EIO : 0;
}

/* What is available before the device was lost is still there. */
static int
look_for(struct pitot_pipe_client *client, struct pipe_query *pq,
         union pipe_query_result *result_out)
{
   struct pipe_context *pipe = client->info.pipe;

   return pipe->get_query_result(pipe, pq, false, result_out) ? 1 : -EIO;
}

int
pitot_pipe_fetch(struct pitot_pipe_client *client,
                 struct pitot_pipe_query *query, struct pipe_query *pq,
                 bool wait, union pipe_query_result *result_out)
{
   if (client->is_lost)
      return look_for(client, pq, result_out);
   return wait ? wait_for(client, pq, result_out)
               : poll_for(client, query, pq, result_out);
}

int
pitot_pipe_query_read(struct pitot_pipe_client *client,
                      struct pitot_driver_query *base, bool wait,
                      union pipe_query_result *result_out)
{
   struct pitot_pipe_query *query = pitot_pipe_query_of(base);

   return pitot_pipe_fetch(client, query, query->pq, wait, result_out);
}

static int
fetch(struct pitot_pipe_client *client, struct pitot_pipe_query *query,
      struct pipe_query *pq, bool wait, uint64_t *value_out)
{
   union pipe_query_result data;
   const int status = pitot_pipe_fetch(client, query, pq, wait, &data);
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

int
pitot_pipe_query_result(struct pitot_driver *driver,
                        struct pitot_driver_query *base, bool wait,
                        uint64_t *result_out)
{
   struct pitot_pipe_client *client = pitot_pipe_client_of(driver);
   struct pitot_pipe_query *query = pitot_pipe_query_of(base);
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

/* Whether the driver may be asked to store a result of that type.  Where some
 * results come from the CPU, so does their availability: a GPU that says yes
 * may be ahead of what the CPU has seen.
 */
static bool
may_store(const struct pitot_pipe_info *info,
          const struct pitot_pipe_query *query, enum pitot_store what,
          enum pitot_type type)
{
   const bool always_fits =
      what != PITOT_STORE_AVAILABLE && pitot_type_size_B(type) == 8;

   return always_fits || query->is_boolean || info->stores_clamped ||
          (query->counts && !info->stores_wait);
}

bool
pitot_pipe_query_store(struct pitot_driver *driver,
                       struct pitot_driver_query *base, enum pitot_store what,
                       enum pitot_type type, void *resource,
                       uint64_t offset_B)
{
   const struct pitot_pipe_client *client = pitot_pipe_client_of(driver);
   struct pipe_context *pipe = client->info.pipe;
   struct pitot_pipe_query *query = pitot_pipe_query_of(base);

   if (!query->pq || query->begin || client->is_lost ||
       !may_store(&client->info, query, what, type) ||
       !pitot_pipe_caps_of(client)->query_buffer_object)
      return false;

   int index = query->is_struct ? (int)query->row->statistic : 0;
   if (what == PITOT_STORE_AVAILABLE) {
      index = -1;
      query->has_stored_available = true;
   }
   pipe->get_query_result_resource(
      pipe, query->pq, what == PITOT_STORE_RESULT ? PIPE_QUERY_WAIT : 0,
      value_type(type), index, resource, offset_B);
   return true;
}

/*
 * Marks: fences, which a driver below u_threaded_context makes without a
 * flush; others may flush to make one, and then at the end of a session.
 */

int
pitot_pipe_fence_create(struct pitot_driver *driver,
                        struct pitot_fence **fence_out)
{
   struct pipe_context *pipe = pitot_pipe_client_of(driver)->info.pipe;
   struct pipe_fence_handle *fence = NULL;

   pipe->flush(pipe, &fence, PIPE_FLUSH_DEFERRED);
   *fence_out = (struct pitot_fence *)fence;
   return fence ? 0 : -ENOMEM;
}

bool
pitot_pipe_fence_is_done(struct pitot_driver *driver,
                         struct pitot_fence *mark)
{
   struct pitot_pipe_client *client = pitot_pipe_client_of(driver);
   struct pipe_screen *screen = client->info.pipe->screen;

   /* Without a context it does not flush. */
   return client->is_lost ||
          screen->fence_finish(screen, NULL, (struct pipe_fence_handle *)mark,
                               0) ||
          has_given_up(client);
}

void
pitot_pipe_fence_destroy(struct pitot_driver *driver,
                         struct pitot_fence *mark)
{
   struct pipe_screen *screen =
      pitot_pipe_client_of(driver)->info.pipe->screen;
   struct pipe_fence_handle *fence = (struct pipe_fence_handle *)mark;

   screen->fence_reference(screen, &fence, NULL);
}
