/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "core_priv.h"

/*
 * Driver queries
 */

static void
destroy_driver_query(struct pitot_context *context,
                     struct pitot_driver_query *query)
{
   context->driver->ops->query_destroy(context->driver, query);
}

void
pitot_driver_query_give_idle(struct pitot_context *context,
                             struct pitot_driver_query *query)
{
   struct pitot_binding *binding = query->binding;

   if (binding->idle_count == context->max_idle_count) {
      destroy_driver_query(context, query);
      return;
   }
   query->next = binding->idle;
   binding->idle = query;
   binding->idle_count++;
}

/* Returns the oldest of very many queries that were given up, which is taken
 * to be done; NULL if that one is of another kind, or if an older query is
 * not given up.
 */
static inline struct pitot_driver_query *
take_given_up(struct pitot_context *context,
              const struct pitot_binding *binding)
{
   struct pitot_in_flight *list = binding->in_flight;

   while (list->given_up_count >= PITOT_REUSE_COUNT && !list->oldest->owner) {
      struct pitot_driver_query *query = pitot_in_flight_take_oldest(list);

      list->given_up_count--;
      if (query->binding == binding)
         return query;
      pitot_driver_query_give_idle(context, query);
   }
   return NULL;
}

struct pitot_driver_query *
pitot_driver_query_create(struct pitot_context *context, enum pitot_kind kind,
                          unsigned stream)
{
   struct pitot_driver *driver = context->driver;
   struct pitot_driver_query *query;

   if (driver->ops->query_create(driver, kind, stream, &query))
      return NULL;
   query->binding = &context->bindings[kind][stream];
   return query;
}

/* Returns a driver query that can be begun without waiting and without losing
 * the object's result: its own if its result is known, else another one, so
 * that a failure leaves the object as it was.  NULL without memory.
 */
static inline struct pitot_driver_query *
take_fresh(struct pitot_context *context, const struct pitot_query *query,
           struct pitot_binding *binding, enum pitot_kind kind,
           unsigned stream)
{
   struct pitot_driver_query *own = query->driver_query;
   struct pitot_driver_query *fresh = binding->idle;

   if (own && query->state == PITOT_STATE_AVAILABLE &&
       own->binding == binding)
      return own;
   if (fresh) {
      binding->idle = fresh->next;
      binding->idle_count--;
      return fresh;
   }
   fresh = take_given_up(context, binding);
   return fresh ? fresh : pitot_driver_query_create(context, kind, stream);
}

/* Destroys all queries of a list that were given up. */
static void
destroy_given_up(struct pitot_context *context, struct pitot_in_flight *list)
{
   struct pitot_driver_query *query = list->oldest, *next;

   *list = (struct pitot_in_flight){ 0 };
   for (; query; query = next) {
      next = query->next;
      if (query->owner)
         pitot_in_flight_add(list, query);
      else
         destroy_driver_query(context, query);
   }
}

/* Destroys the oldest of the queries of a list that were given up, or all of
 * them if an older query is not given up.
 */
static void
shrink(struct pitot_context *context, struct pitot_in_flight *list)
{
   if (list->oldest->owner) {
      destroy_given_up(context, list);
      return;
   }
   destroy_driver_query(context, pitot_in_flight_take_oldest(list));
   list->given_up_count--;
}

/* Gives up the object's driver query.  Asks the driver nothing, since some
 * drivers wait when they are asked.
 */
static inline void
give_up_driver_query(struct pitot_context *context, struct pitot_query *query)
{
   struct pitot_driver_query *driver_query = query->driver_query;

   if (query->state != PITOT_STATE_ENDED) {
      pitot_driver_query_give_idle(context, driver_query);
      return;
   }

   struct pitot_in_flight *list = driver_query->binding->in_flight;
   driver_query->owner = NULL;
   if (++list->given_up_count > PITOT_GIVEN_UP_COUNT)
      shrink(context, list);
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
   destroy_driver_query(context, failed);
}

/*
 * Measuring
 */

/* Puts an object whose driver query has just ended behind those of its type
 * that ended before.
 */
static inline void
add_in_flight(struct pitot_query *query, struct pitot_binding *binding)
{
   query->state = PITOT_STATE_ENDED;
   query->driver_query->owner = query;
   pitot_in_flight_add(binding->in_flight, query->driver_query);
}

/* Puts the object into the slot that it is active in. */
static inline void
activate(struct pitot_context *context, struct pitot_query *query,
         struct pitot_binding *binding)
{
   assert(!*binding->slot);
   *binding->slot = query;
   query->state = PITOT_STATE_ACTIVE;
   pitot_query_ref(query);
   if (binding->watch) {
      binding->watch->last_ns = 0;
      pitot_watch(context, binding->watch);
   }
}

int
pitot_query_begin(struct pitot_context *context, struct pitot_query *query,
                  enum pitot_kind kind, unsigned stream)
{
   struct pitot_binding *binding = &context->bindings[kind][stream];
   struct pitot_driver *driver = context->driver;

   assert(query->state != PITOT_STATE_ACTIVE);
   struct pitot_driver_query *fresh =
      take_fresh(context, query, binding, kind, stream);
   if (!fresh)
      return -ENOMEM;

   const int error = binding->slot ? driver->ops->query_begin(driver, fresh)
                                   : driver->ops->query_end(driver, fresh);
   if (error) {
      drop_failed(context, query, fresh);
      return error;
   }

   if (query->driver_query && query->driver_query != fresh)
      give_up_driver_query(context, query);
   query->driver_query = fresh;
   query->kind = kind;
   query->stream = stream;
   if (binding->slot) {
      activate(context, query, binding);
   } else {
      if (binding->watch)
         pitot_watch(context, binding->watch);
      add_in_flight(query, binding);
   }
   return 0;
}

int
pitot_query_end(struct pitot_context *context, enum pitot_kind kind,
                unsigned stream)
{
   struct pitot_binding *binding = &context->bindings[kind][stream];
   struct pitot_query *query = *binding->slot;
   struct pitot_driver *driver = context->driver;

   assert(query && query->state == PITOT_STATE_ACTIVE);

   const int error = driver->ops->query_end(driver, query->driver_query);
   if (binding->watch)
      pitot_watch(context, binding->watch);
   *binding->slot = NULL;
   if (error) {
      query->state = PITOT_STATE_AVAILABLE;
      query->result = 0;
      drop_failed(context, query, query->driver_query);
   } else {
      add_in_flight(query, binding);
   }

   pitot_query_unref(context, query);
   return error;
}

void
pitot_query_free(struct pitot_context *context, struct pitot_query *query)
{
   if (query->driver_query)
      give_up_driver_query(context, query);
   free(query->label);
   pitot_arena_give(&context->objects, query);
}
