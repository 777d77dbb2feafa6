/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The one resolver.  Whoever wants a result, for a client, a query buffer, a
 * condition or an answer to "is it there yet", comes here.
 */

#include <assert.h>

#include "core_priv.h"

/* Turns what the driver measured into the result of the query. */
static uint64_t
finish_result(struct pitot_context *context, const struct pitot_query *query,
              uint64_t value)
{
   if (query->kind == PITOT_KIND_TIMESTAMP)
      return pitot_clock_read_ns(&context->clock, PITOT_CLOCK_RECORDED, value,
                                 &context->disjoint);
   return pitot_kind_info(query->kind)->is_boolean ? value != 0 : value;
}

/* Asks the driver about the oldest query of its type. */
static bool
resolve_oldest(struct pitot_context *context, struct pitot_query *query,
               bool wait)
{
   struct pitot_driver *driver = context->driver;
   uint64_t value = 0;
   const int status =
      driver->ops->query_result(driver, query->driver_query, wait, &value);
   if (status == 0)
      return false;

   pitot_in_flight_remove(context, query);
   query->state = PITOT_STATE_AVAILABLE;
   pitot_pool_available(&context->pools[query->kind][query->stream],
                        query->driver_query->serial);
   if (status > 0) {
      query->result = finish_result(context, query, value);
   } else {
      query->result = 0;
      context->disjoint = true;
   }
   return true;
}

bool
pitot_query_resolve_in_flight(struct pitot_context *context,
                              struct pitot_query *query, bool wait)
{
   struct pitot_in_flight *list = pitot_in_flight_of(context, query->kind);

   assert(query->state == PITOT_STATE_ENDED);

   while (query->state == PITOT_STATE_ENDED) {
      if (!resolve_oldest(context, list->oldest, wait)) {
         assert(!wait);
         return false;
      }
   }
   return true;
}

bool
pitot_query_store(struct pitot_context *context, struct pitot_query *query,
                  enum pitot_store what, enum pitot_type type, void *resource,
                  uint64_t offset_B)
{
   struct pitot_driver *driver = context->driver;

   /* The driver does not know by how much we have moved its clock on. */
   if (query->kind == PITOT_KIND_TIMESTAMP && context->clock.offset_ns)
      return false;

   return query->state == PITOT_STATE_ENDED && driver->ops->query_store &&
          driver->ops->query_store(driver, query->driver_query, what, type,
                                   resource, offset_B);
}

unsigned
pitot_counter_bits(const struct pitot_context *context, enum pitot_kind kind)
{
   return context->driver->ops->counter_bits(context->driver, kind);
}
