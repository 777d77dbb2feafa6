/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "core_priv.h"

static void
add_in_flight(struct pitot_context *context, struct pitot_query *query)
{
   struct pitot_in_flight *list = pitot_in_flight_of(context, query->kind);

   query->state = PITOT_STATE_ENDED;
   query->driver_query->serial = ++context->serial;
   query->in_flight_next = NULL;
   query->in_flight_prev = list->newest;
   *(list->newest ? &list->newest->in_flight_next : &list->oldest) = query;
   list->newest = query;
}

/*
 * Measuring
 */

static struct pitot_query **
slot_of(struct pitot_context *context, enum pitot_kind kind, unsigned stream)
{
   const struct pitot_kind_info *info = pitot_kind_info(kind);

   assert(!info->is_instant);
   assert(stream == 0 || (info->is_indexed && stream < PITOT_MAX_STREAMS));
   return &context->head.slots[info->slot + stream];
}

/* Returns a driver query that can be begun without waiting and without losing
 * the object's result: its own if its result is known, else another one, so
 * that a failure leaves the object as it was.  NULL without memory.
 */
static struct pitot_driver_query *
take_fresh(struct pitot_context *context, const struct pitot_query *query,
           enum pitot_kind kind, unsigned stream)
{
   if (query->driver_query && query->kind == kind &&
       query->stream == stream && query->state == PITOT_STATE_AVAILABLE)
      return query->driver_query;

   struct pitot_pool *pool = &context->pools[kind][stream];
   struct pitot_driver *driver = context->driver;
   struct pitot_driver_query *fresh = pitot_pool_take_idle(pool);

   if (!fresh && pool->in_flight_count >= PITOT_REUSE_COUNT)
      fresh = pitot_pool_take_oldest(pool);
   if (!fresh && driver->ops->query_create(driver, kind, stream, &fresh))
      return NULL;
   return fresh;
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

/* Gives up the object's driver query, if it has one. */
static inline void
give_up_driver_query(struct pitot_context *context, struct pitot_query *query)
{
   if (!query->driver_query)
      return;

   struct pitot_pool *pool = pitot_pool_of(context, query);
   if (query->state == PITOT_STATE_ENDED) {
      pitot_in_flight_remove(pitot_in_flight_of(context, query->kind), query);
      pitot_pool_give_in_flight(pool, query->driver_query);
   } else {
      pitot_pool_give_idle(pool, query->driver_query);
   }
}

/* Has the object measure with a query from take_fresh(). */
static inline void
commit_fresh(struct pitot_context *context, struct pitot_query *query,
             enum pitot_kind kind, unsigned stream,
             struct pitot_driver_query *fresh)
{
   if (query->driver_query != fresh)
      give_up_driver_query(context, query);
   query->driver_query = fresh;
   query->kind = kind;
   query->stream = stream;
   query->result = 0;
}

/* Puts the object into the slot that it is active in. */
static inline void
activate(struct pitot_context *context, struct pitot_query *query)
{
   struct pitot_query **slot = slot_of(context, query->kind, query->stream);

   assert(!*slot);
   *slot = query;
   query->state = PITOT_STATE_ACTIVE;
   pitot_query_ref(query);
   if (query->kind == PITOT_KIND_TIME_ELAPSED) {
      context->elapsed_watch.last_ns = 0;
      pitot_watch(context, &context->elapsed_watch);
   }
}

int
pitot_query_begin(struct pitot_context *context, struct pitot_query *query,
                  enum pitot_kind kind, unsigned stream)
{
   const bool is_instant = pitot_kind_info(kind)->is_instant;
   struct pitot_driver *driver = context->driver;

   assert(query->state != PITOT_STATE_ACTIVE);
   struct pitot_driver_query *fresh =
      take_fresh(context, query, kind, stream);
   if (!fresh)
      return -ENOMEM;

   const int error = is_instant ? driver->ops->query_end(driver, fresh)
                                : driver->ops->query_begin(driver, fresh);
   if (error) {
      drop_failed(context, query, fresh);
      return error;
   }

   commit_fresh(context, query, kind, stream, fresh);
   if (is_instant) {
      pitot_watch(context, &context->clock_watches[PITOT_CLOCK_RECORDED]);
      add_in_flight(context, query);
   } else {
      activate(context, query);
   }
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
      add_in_flight(context, query);
   }

   pitot_query_unref(context, query);
   return error;
}

void
pitot_query_free(struct pitot_context *context, struct pitot_query *query)
{
   give_up_driver_query(context, query);
   free(query->label);
   pitot_arena_give(&context->objects, query);
}
