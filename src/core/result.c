/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Results: one resolver, for client reads, query buffers, conditions and
 * polls.
 */

#include <assert.h>

#include "core_priv.h"

const uint64_t pitot_type_max[PITOT_TYPE_COUNT] = {
   [PITOT_TYPE_I32] = INT32_MAX,
   [PITOT_TYPE_U32] = UINT32_MAX,
   [PITOT_TYPE_I64] = INT64_MAX,
   [PITOT_TYPE_U64] = UINT64_MAX,
};

/* Returns a time that the driver recorded, on the context's clock. */
static PITOT_NOINLINE uint64_t
recorded_ns(struct pitot_context *context, uint64_t time_ns)
{
   return pitot_clock_read_ns(&context->clock, PITOT_CLOCK_RECORDED, time_ns,
                              &context->disjoint);
}

/* Takes the driver's value, or none if status is an error, as the result. */
static inline void
take_result(struct pitot_context *context, struct pitot_query *query,
            int status)
{
   const struct pitot_kind_info *kind = pitot_kind_info(query->kind);

   query->state = PITOT_STATE_AVAILABLE;
   if (status < 0) {
      query->result = 0;
      context->disjoint = true;
   } else if (kind->is_boolean) {
      query->result = query->result != 0;
   } else if (kind->is_instant) {
      query->result = recorded_ns(context, query->result);
   }
}

/* Makes older queries of a list available before the one that is asked for,
 * and passes those that were given up.
 */
static PITOT_COLD bool
resolve_older_first(struct pitot_context *context,
                    struct pitot_in_flight *list,
                    const struct pitot_query *query, bool wait)
{
   while (query->state == PITOT_STATE_ENDED) {
      struct pitot_query *oldest = list->oldest->owner;

      if (!oldest)
         pitot_in_flight_pass_oldest(list);
      else if (!pitot_query_resolve_ended(context, oldest, wait))
         return false;
   }
   return true;
}

bool
pitot_query_resolve_ended(struct pitot_context *context,
                          struct pitot_query *query, bool wait)
{
   struct pitot_in_flight *list = query->driver_query->binding->in_flight;
   struct pitot_driver *driver = context->head.driver;

   assert(query->state == PITOT_STATE_ENDED);
   if (list->oldest != query->driver_query)
      return resolve_older_first(context, list, query, wait);

   const int status = driver->ops->query_result(driver, query->driver_query,
                                                wait, &query->result);
   assert(status != 0 || !wait);
   if (status == 0)
      return false;
   pitot_in_flight_take_oldest(list);
   take_result(context, query, status);
   if (list->passed)
      pitot_in_flight_free_passed(context, list);
   return true;
}

unsigned
pitot_counter_bits(const struct pitot_context *context, enum pitot_kind kind)
{
   return context->head.driver->ops->counter_bits(context->head.driver, kind);
}
