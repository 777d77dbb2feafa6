/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Creates driver queries, and destroys those that no object uses.
 */

#include "core_priv.h"

PITOT_COLD void
pitot_driver_query_destroy(struct pitot_context *context,
                           struct pitot_driver_query *query)
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

static void
destroy_idle(struct pitot_context *context, struct pitot_binding *binding)
{
   struct pitot_driver_query *query = binding->idle, *next;

   for (; query; query = next) {
      next = query->next;
      pitot_driver_query_destroy(context, query);
   }
}

void
pitot_driver_queries_finish(struct pitot_context *context)
{
   for (unsigned kind = 0; kind < PITOT_KIND_COUNT; kind++) {
      for (unsigned stream = 0; stream < PITOT_MAX_STREAMS; stream++)
         destroy_idle(context, pitot_binding_of(context, kind, stream));
   }
   if (context->head.nothing)
      pitot_driver_query_destroy(context, context->head.nothing);
}
