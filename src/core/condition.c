/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <assert.h>
#include <errno.h>

#include "core_priv.h"

/* Gives an available query that has no driver query, and hence a result of 0,
 * one that measured nothing, for the driver to depend on.
 */
static PITOT_COLD int
measure_nothing(struct pitot_context *context, struct pitot_query *query)
{
   struct pitot_driver *driver = context->head.driver;
   struct pitot_driver_query *fresh = pitot_driver_query_create(
      context, &context->bindings[query->kind][query->stream]);
   if (!fresh)
      return -ENOMEM;

   int error = driver->ops->query_begin(driver, fresh);
   if (!error)
      error = driver->ops->query_end(driver, fresh);
   if (error) {
      driver->ops->query_destroy(driver, fresh);
      return error;
   }
   query->driver_query = fresh;
   return 0;
}

static PITOT_COLD int
begin_with_nothing(struct pitot_context *context, struct pitot_query *query,
                   unsigned mode)
{
   const int error = measure_nothing(context, query);

   return error ? error : pitot_condition_begin(context, query, mode);
}

int
pitot_condition_begin(struct pitot_context *context,
                      struct pitot_query *query, unsigned mode)
{
   assert(!context->head.condition && query->state >= PITOT_STATE_ENDED);
   if (!query->driver_query)
      return begin_with_nothing(context, query, mode);

   context->render_condition(context->head.driver, query->driver_query, mode);
   query->refs++;
   context->head.condition = query;
   context->condition_mode = mode;
   return 0;
}

void
pitot_condition_end(struct pitot_context *context)
{
   struct pitot_query *query = context->head.condition;

   context->render_condition(context->head.driver, NULL,
                             PITOT_CONDITION_WAIT);
   context->head.condition = NULL;
   pitot_query_unref(context, query);
}

bool
pitot_condition_passes(struct pitot_context *context)
{
   struct pitot_query *query = context->head.condition;
   const unsigned mode = context->condition_mode;

   if (!query || !pitot_query_resolve(context, query,
                                      !(mode & PITOT_CONDITION_NO_WAIT)))
      return true;
   return (query->result == 0) == !!(mode & PITOT_CONDITION_INVERTED);
}
