/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <assert.h>

#include "core_priv.h"

static struct pitot_query **
slot_of(struct pitot_context *context, enum pitot_kind kind, unsigned stream)
{
   const struct pitot_kind_info *info = pitot_kind_info(kind);

   assert(!info->is_instant);
   assert(stream == 0 || (info->is_indexed && stream < PITOT_MAX_STREAMS));
   return &context->slots[info->slot + stream];
}

struct pitot_query *
pitot_query_active(const struct pitot_context *context, enum pitot_kind kind,
                   unsigned stream)
{
   return *slot_of((struct pitot_context *)context, kind, stream);
}

/* Returns in fresh_out a driver query that can be begun without waiting and
 * without losing the object's result: its own if its result is known, else
 * another one, so that a failure leaves the object as it was.
 */
static int
take_fresh(struct pitot_context *context, const struct pitot_query *query,
           enum pitot_kind kind, unsigned stream,
           struct pitot_driver_query **fresh_out)
{
   if (query->driver_query && query->kind == kind &&
       query->stream == stream && query->state == PITOT_STATE_AVAILABLE) {
      *fresh_out = query->driver_query;
      return 0;
   }

   struct pitot_pool *pool = &context->pools[kind][stream];
   struct pitot_driver *driver = context->driver;

   *fresh_out = pitot_pool_take_idle(pool);
   if (!*fresh_out && pool->in_flight_count >= PITOT_REUSE_COUNT)
      *fresh_out = pitot_pool_take_oldest(pool);
   return *fresh_out
             ? 0
             : driver->ops->query_create(driver, kind, stream, fresh_out);
}

/* Destroys a query that the driver failed to begin or end; a known result
 * stays.
 */
static void
drop_failed(struct pitot_context *context, struct pitot_query *query,
            struct pitot_driver_query *failed)
{
   if (query->driver_query == failed)
      query->driver_query = NULL;
   context->driver->ops->query_destroy(context->driver, failed);
}

/* Has the object measure with a query from take_fresh(). */
static void
commit_fresh(struct pitot_context *context, struct pitot_query *query,
             enum pitot_kind kind, unsigned stream,
             struct pitot_driver_query *fresh)
{
   const bool is_in_flight = query->state == PITOT_STATE_ENDED;

   if (is_in_flight)
      pitot_in_flight_remove(context, query);
   if (query->driver_query && query->driver_query != fresh) {
      pitot_pool_give(&context->pools[query->kind][query->stream],
                      query->driver_query, is_in_flight);
   }
   query->driver_query = fresh;
   query->kind = kind;
   query->stream = stream;
   query->result = 0;
}

int
pitot_query_begin(struct pitot_context *context, struct pitot_query *query,
                  enum pitot_kind kind, unsigned stream)
{
   const bool is_instant = pitot_kind_info(kind)->is_instant;
   struct pitot_driver *driver = context->driver;
   struct pitot_driver_query *fresh;

   assert(query->state != PITOT_STATE_ACTIVE);
   int error = take_fresh(context, query, kind, stream, &fresh);
   if (error)
      return error;
   error = is_instant ? driver->ops->query_end(driver, fresh)
                      : driver->ops->query_begin(driver, fresh);
   if (error) {
      drop_failed(context, query, fresh);
      return error;
   }

   commit_fresh(context, query, kind, stream, fresh);
   if (is_instant) {
      pitot_watch(context, &context->clock_watches[PITOT_CLOCK_RECORDED]);
      pitot_in_flight_add(context, query);
      return 0;
   }
   if (kind == PITOT_KIND_TIME_ELAPSED) {
      context->elapsed_watch.last_ns = 0;
      pitot_watch(context, &context->elapsed_watch);
   }
   struct pitot_query **slot = slot_of(context, kind, stream);
   assert(!*slot);
   *slot = query;
   query->state = PITOT_STATE_ACTIVE;
   pitot_query_ref(query);
   return 0;
}

int
pitot_query_end(struct pitot_context *context, enum pitot_kind kind,
                unsigned stream)
{
   struct pitot_query **slot = slot_of(context, kind, stream);
   struct pitot_query *query = *slot;
   struct pitot_driver *driver = context->driver;

   assert(query && query->state == PITOT_STATE_ACTIVE);

   const int error = driver->ops->query_end(driver, query->driver_query);
   if (kind == PITOT_KIND_TIME_ELAPSED)
      pitot_watch(context, &context->elapsed_watch);
   *slot = NULL;
   if (error) {
      query->state = PITOT_STATE_AVAILABLE;
      drop_failed(context, query, query->driver_query);
   } else {
      pitot_in_flight_add(context, query);
   }

   pitot_query_unref(context, query);
   return error;
}
