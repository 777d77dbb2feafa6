/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <assert.h>
#include <errno.h>

#include "core_priv.h"
#include "pitot_condition.h"

int
pitot_condition_measure_nothing(struct pitot_context *context,
                                const struct pitot_query *query)
{
   struct pitot_driver *driver = context->head.driver;

   if (context->head.nothing)
      return 0;
   struct pitot_driver_query *nothing = pitot_driver_query_create(
      context, &context->bindings[query->kind][query->stream]);
   if (!nothing)
      return -ENOMEM;

   int error = driver->ops->query_begin(driver, nothing);
   if (!error)
      error = driver->ops->query_end(driver, nothing);
   if (error) {
      pitot_driver_query_destroy(context, nothing);
      return error;
   }
   context->head.nothing = nothing;
   return 0;
}

bool
pitot_condition_passes(struct pitot_context *context)
{
   struct pitot_query *query = context->head.condition;
   const unsigned mode = context->head.condition_mode;

   if (!query || !pitot_query_resolve(context, query,
                                      !(mode & PITOT_CONDITION_NO_WAIT)))
      return true;
   return (query->result == 0) == !!(mode & PITOT_CONDITION_INVERTED);
}
