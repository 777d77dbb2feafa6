/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Driver queries that no object measures with: idle ones, and those in flight
 * that were given up.
 */

#include "core_priv.h"

static void
destroy(struct pitot_context *context, struct pitot_driver_query *query)
{
   struct pitot_driver *driver = context->head.driver;

   driver->ops->query_destroy(driver, query);
}

struct pitot_driver_query *
pitot_driver_query_create(struct pitot_context *context,
                          struct pitot_binding *binding)
{
   struct pitot_driver *driver = context->head.driver;
   struct pitot_driver_query *query;

   if (driver->ops->query_create(driver, binding->kind, binding->stream,
                                 &query))
      return NULL;
   query->binding = binding;
   return query;
}

struct pitot_driver_query *
pitot_binding_create(struct pitot_context *context,
                     struct pitot_binding *binding)
{
   struct pitot_in_flight *list = binding->in_flight;
   struct pitot_driver_query *query;

   /* Those of other kinds of the type, and those that must not measure for
    * another object, are taken to be done as well.
    */
   while (list->given_up_count >= PITOT_REUSE_COUNT &&
          (query = pitot_in_flight_take_given_up(list))) {
      if (query->binding == binding && context->max_idle_count > 0)
         return query;
      pitot_driver_query_give_idle(context, query);
   }
   return pitot_driver_query_create(context, binding);
}

void
pitot_driver_query_give_idle(struct pitot_context *context,
                             struct pitot_driver_query *query)
{
   struct pitot_binding *binding = query->binding;

   if (binding->idle_count == context->max_idle_count) {
      destroy(context, query);
      return;
   }
   query->next = binding->idle;
   binding->idle = query;
   binding->idle_count++;
}

void
pitot_in_flight_free_passed(struct pitot_context *context,
                            struct pitot_in_flight *list)
{
   while (list->passed)
      pitot_driver_query_give_idle(context,
                                   pitot_in_flight_take_given_up(list));
}

void
pitot_in_flight_shrink(struct pitot_context *context,
                       struct pitot_in_flight *list)
{
   struct pitot_driver_query *query = pitot_in_flight_take_given_up(list);
   struct pitot_driver_query *next;

   if (query) {
      destroy(context, query);
      return;
   }
   query = list->oldest;
   *list = (struct pitot_in_flight){ 0 };
   for (; query; query = next) {
      next = query->next;
      if (query->owner)
         pitot_in_flight_add(list, query);
      else
         destroy(context, query);
   }
}

static void
destroy_idle(struct pitot_context *context, struct pitot_binding *binding)
{
   struct pitot_driver_query *query = binding->idle, *next;

   for (; query; query = next) {
      next = query->next;
      destroy(context, query);
   }
}

void
pitot_driver_queries_finish(struct pitot_context *context)
{
   for (unsigned i = 0; i < PITOT_SLOT_COUNT + 1; i++) {
      struct pitot_in_flight *list = &context->in_flight[i];

      while (list->passed || list->oldest)
         destroy(context, pitot_in_flight_take_given_up(list));
   }
   for (unsigned kind = 0; kind < PITOT_KIND_COUNT; kind++) {
      for (unsigned stream = 0; stream < PITOT_MAX_STREAMS; stream++)
         destroy_idle(context, pitot_binding_of(context, kind, stream));
   }
   if (context->head.nothing)
      destroy(context, context->head.nothing);
}
