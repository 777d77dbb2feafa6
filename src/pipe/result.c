/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Reads and stores the results of pipe queries, and has fences.
 * Invariant: a read ends.  A result that the driver does not have is retried
 * until the device is lost, or MAX_WAITS times.
 * Danger: below u_threaded_context, reading a query that is not flushed syncs
 * the driver thread.  Polls flush instead, except as may_sync() says.
 */

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "pipe_priv.h"
#include "pitot/clock.h"
#include "util/u_atomic.h"
#include "util/u_threaded_context.h"

/* A driver that returns no result from so many waits in a row never will. */
#define MAX_WAITS 1000

/* The reset status may cost an ioctl or sync a driver thread, so polls
 * without a result read it after this many in a row, twice as many, four
 * times as many...
 */
#define POLLS_BEFORE_STATUS 1024

static bool
has_news_of_loss(const struct pitot_pipe_info *info)
{
   struct pipe_context *pipe = info->pipe;

   if (info->is_lost)
      return info->is_lost(info->data);
   return pipe->get_device_reset_status &&
          pipe->get_device_reset_status(pipe) != PIPE_NO_RESET;
}

/* Counts losses, since a driver may report each only once and continue. */
bool
pitot_pipe_is_lost(struct pitot_pipe_client *client)
{
   const bool is_lost = has_news_of_loss(&client->info);

   client->loss_count += is_lost;
   client->unreported_loss_count += is_lost && !client->info.reports_losses;
   client->base.disjoint |= is_lost;
   return is_lost;
}

/* The flush of an earlier end may set flushed after a query is ended again:
 * u_threaded_context-flushed-before-end.patch counts the ends.
 */
static inline bool
is_flushed(struct threaded_query *query)
{
#if PITOT_HAS_MESA_FIXES
   if (p_atomic_read(&query->flushed_end) != query->recorded_end)
      return false;
#endif
   return p_atomic_read(&query->flushed);
}

/* Whether reading the result would sync u_threaded_context, because it has
 * not flushed this query yet.
 */
static bool
needs_sync(const struct pitot_pipe_client *client, struct pipe_query *pq)
{
   return client->info.is_threaded &&
          !is_flushed((struct threaded_query *)pq);
}

/* Counts a poll without a result.  Returns whether the device is lost. */
static bool
count_failed_poll(struct pitot_pipe_client *client)
{
   const unsigned count = ++client->poll_count;
   const bool is_power_of_two = (count & (count - 1)) == 0;

   return count >= POLLS_BEFORE_STATUS && is_power_of_two &&
          pitot_pipe_is_lost(client);
}

/* Whether a poll may sync u_threaded_context: the first poll after the
 * application waited, maybe for this result, which must then be available;
 * polls with must_ask, because the application may have read TRUE from a
 * buffer; and with polls_sync one poll per batch.
 */
static bool
may_sync(struct pitot_pipe_client *client,
         const struct pitot_pipe_query *query)
{
   const unsigned batch = client->flush_count + 1;

   if (query->wait_count == client->base.wait_count &&
       !query->base.must_ask &&
       (!client->info.polls_sync || client->drained_batch == batch ||
        query->flush_count != client->flush_count))
      return false;
   client->drained_batch = batch;
   return true;
}

/* Some drivers return from a wait without a result. */
static int
retry_until_lost(struct pitot_pipe_client *client, struct pipe_query *pq,
                 union pipe_query_result *result_out)
{
   struct pipe_context *pipe = client->info.pipe;

   for (unsigned i = 0; i < MAX_WAITS && !pitot_pipe_is_lost(client); i++) {
      if (pipe->get_query_result(pipe, pq, true, result_out))
         return 1;
   }
   return -EIO;
}

/* Returns the status of a read without a result.  Pitot's own queries set
 * result_inout->b, which was false, if the result is lost.
 */
static PITOT_COLD int
handle_no_result(struct pitot_pipe_client *client,
                 struct pitot_pipe_query *query, struct pipe_query *pq,
                 bool wait, union pipe_query_result *result_inout)
{
   if (client->info.reports_losses && result_inout->b)
      return -EIO;
   if (wait)
      return retry_until_lost(client, pq, result_inout);
   query->wait_count = client->base.wait_count;
   return !client->info.reports_losses && count_failed_poll(client) ? -EIO
                                                                    : 0;
}

/* Reads a query that ended before a loss: its result may be ready, but a wait
 * could hang.
 */
static PITOT_COLD int
read_lost(struct pitot_pipe_client *client, struct pipe_query *pq,
          union pipe_query_result *result_out)
{
   struct pipe_context *pipe = client->info.pipe;

   return pipe->get_query_result(pipe, pq, false, result_out) ? 1 : -EIO;
}

/* Returns whether a poll must not sync u_threaded_context.  Then flushes,
 * once for all queries that ended since the last flush: otherwise an
 * application could poll forever.
 */
static PITOT_COLD bool
flush_instead_of_sync(struct pitot_pipe_client *client,
                      const struct pitot_pipe_query *query)
{
   if (may_sync(client, query))
      return false;
   if (query->flush_count == client->flush_count)
      pitot_pipe_flush(client);
   return true;
}

int
pitot_pipe_read(struct pitot_pipe_client *client,
                struct pitot_pipe_query *query, struct pipe_query *pq,
                bool wait, union pipe_query_result *result_out)
{
   struct pipe_context *pipe = client->info.pipe;

   if (query->unreported_loss_count != client->unreported_loss_count)
      return read_lost(client, pq, result_out);
   if (!wait && needs_sync(client, pq) &&
       flush_instead_of_sync(client, query))
      return 0;
   result_out->b = false;
   if (!pipe->get_query_result(pipe, pq, wait, result_out))
      return handle_no_result(client, query, pq, wait, result_out);
   client->poll_count = 0;
   return 1;
}

int
pitot_pipe_query_read(struct pitot_pipe_client *client,
                      struct pitot_driver_query *base, bool wait,
                      union pipe_query_result *result_out)
{
   struct pitot_pipe_query *query = (void *)base;

   if (client->methods[query->kind].is_shared)
      return pitot_pipe_statistic_result(client, query, wait,
                                         &result_out->u64);
   return pitot_pipe_read(client, query, query->pq, wait, result_out);
}

/* For a boolean, a driver may write only one byte of the union. */
static inline uint64_t
value_of(const struct pitot_pipe_method *method,
         const union pipe_query_result *data)
{
   if (method->is_boolean)
      return data->b;
   return method->is_struct
             ? data->pipeline_statistics.counters[method->index]
             : data->u64;
}

static PITOT_COLD int
read_elapsed(struct pitot_pipe_client *client, struct pitot_pipe_query *query,
             bool wait, uint64_t *result_out)
{
   union pipe_query_result end, begin;

   int status = pitot_pipe_read(client, query, query->pq, wait, &end);
   if (status > 0)
      status = pitot_pipe_read(client, query, query->begin, wait, &begin);
   if (status > 0)
      *result_out =
         pitot_ns_elapsed(begin.u64, end.u64, &client->base.disjoint);
   return status;
}

/* Slow path: not is_plain, ended before a loss, or the poll would sync. */
static PITOT_COLD int
read_slow(struct pitot_pipe_client *client, struct pitot_pipe_query *query,
          bool wait, uint64_t *result_out)
{
   union pipe_query_result data;

   if (client->methods[query->kind].is_shared)
      return pitot_pipe_statistic_result(client, query, wait, result_out);
   if (!query->pq) {
      *result_out = 0;
      return 1;
   }
   if (query->begin)
      return read_elapsed(client, query, wait, result_out);

   const int status = pitot_pipe_read(client, query, query->pq, wait, &data);
   if (status > 0)
      *result_out = value_of(&client->methods[query->kind], &data);
   return status;
}

/* Fast path: one pipe query whose result is ready. */
int
pitot_pipe_query_result(struct pitot_driver *driver,
                        struct pitot_driver_query *base, bool wait,
                        uint64_t *result_out)
{
   struct pitot_pipe_client *client = (void *)driver;
   struct pipe_context *pipe = client->info.pipe;
   struct pitot_pipe_query *query = (void *)base;
   union pipe_query_result data;
   int status = 1;

   if (!query->is_plain ||
       query->unreported_loss_count != client->unreported_loss_count ||
       (!wait && needs_sync(client, query->pq)))
      return read_slow(client, query, wait, result_out);
   data.b = false;
   if (pipe->get_query_result(pipe, query->pq, wait, &data))
      client->poll_count = 0;
   else
      status = handle_no_result(client, query, query->pq, wait, &data);
   if (status > 0)
      *result_out = value_of(&client->methods[query->kind], &data);
   return status;
}

static_assert((int)PIPE_QUERY_TYPE_I32 == PITOT_TYPE_I32, "");
static_assert((int)PIPE_QUERY_TYPE_U32 == PITOT_TYPE_U32, "");
static_assert((int)PIPE_QUERY_TYPE_I64 == PITOT_TYPE_I64, "");
static_assert((int)PIPE_QUERY_TYPE_U64 == PITOT_TYPE_U64, "");

static void
store_in_resource(const struct pitot_pipe_client *client,
                  struct pipe_query *pq, int index, enum pitot_store store,
                  enum pitot_type type, void *resource, uint64_t offset_B)
{
   struct pipe_context *pipe = client->info.pipe;

   if (store == PITOT_STORE_AVAILABLE)
      index = -1;
   pipe->get_query_result_resource(
      pipe, pq, store == PITOT_STORE_RESULT ? PIPE_QUERY_WAIT : 0,
      (enum pipe_query_value_type)type, index, resource, offset_B);
}

/* Returns whether the driver stores it: only one pipe query, not a sum. */
static PITOT_NOINLINE bool
store_statistic(struct pitot_pipe_client *client,
                struct pitot_pipe_query *query, enum pitot_store store,
                enum pitot_type type, void *resource, uint64_t offset_B)
{
   bool is_struct;
   struct pipe_query *pq =
      pitot_pipe_statistic_only_query(client, query, &is_struct);

   if (pq)
      store_in_resource(client, pq,
                        is_struct ? client->methods[query->kind].index : 0,
                        store, type, resource, offset_B);
   return pq != NULL;
}

/* GPUs store at multiples of the size.  zink passes the offset to Vulkan,
 * which requires that (VUID-vkCmdCopyQueryPoolResults-flags-00822).
 */
static bool
is_aligned(enum pitot_type type, uint64_t offset_B)
{
   return offset_B % pitot_type_size_B(type) == 0;
}

bool
pitot_pipe_query_store(struct pitot_driver *driver,
                       struct pitot_driver_query *base,
                       enum pitot_store store, enum pitot_type type,
                       void *resource, uint64_t offset_B)
{
   struct pitot_pipe_client *client = (void *)driver;
   struct pitot_pipe_query *query = (void *)base;
   const struct pitot_pipe_method *method = &client->methods[query->kind];

   if (query->unreported_loss_count != client->unreported_loss_count ||
       !is_aligned(type, offset_B) ||
       !(method->stores & pitot_pipe_store_bit(store, type)))
      return false;
   if (method->is_shared)
      return store_statistic(client, query, store, type, resource, offset_B);
   store_in_resource(client, query->pq, method->is_struct ? method->index : 0,
                     store, type, resource, offset_B);
   return true;
}

/*
 * Fences
 */

struct pitot_fence {
   struct pipe_fence_handle *handle;
   uint8_t unreported_loss_count; /* the client's, when it was created */
};

int
pitot_pipe_fence_create(struct pitot_driver *driver,
                        struct pitot_fence **fence_out)
{
   const struct pitot_pipe_info *info =
      &((struct pitot_pipe_client *)driver)->info;
   struct pipe_context *pipe = info->pipe;

   if (info->fences_flush)
      return -ENOTSUP;
   struct pitot_fence *fence = calloc(1, sizeof(*fence));
   if (!fence)
      return -ENOMEM;
   fence->unreported_loss_count =
      ((struct pitot_pipe_client *)driver)->unreported_loss_count;
   pipe->flush(pipe, &fence->handle, PIPE_FLUSH_DEFERRED);
   if (!fence->handle) {
      free(fence);
      return -ENOMEM;
   }
   *fence_out = fence;
   return 0;
}

bool
pitot_pipe_fence_is_done(struct pitot_driver *driver,
                         struct pitot_fence *fence)
{
   struct pitot_pipe_client *client = (void *)driver;
   struct pipe_screen *screen = client->info.pipe->screen;

   /* Without a context, fence_finish() does not flush. */
   return fence->unreported_loss_count != client->unreported_loss_count ||
          screen->fence_finish(screen, NULL, fence->handle, 0) ||
          (!client->info.reports_losses && count_failed_poll(client));
}

void
pitot_pipe_fence_destroy(struct pitot_driver *driver,
                         struct pitot_fence *fence)
{
   struct pipe_screen *screen =
      ((struct pitot_pipe_client *)driver)->info.pipe->screen;

   screen->fence_reference(screen, &fence->handle, NULL);
   free(fence);
}
