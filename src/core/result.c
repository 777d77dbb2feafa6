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

/* Makes a query of a list available with the driver's value, or with 0 if the
 * driver has none (status is an error).
 */
static inline void
make_available(struct pitot_context *context, struct pitot_in_flight *list,
               struct pitot_query *query, int status, uint64_t value)
{
   pitot_in_flight_remove(list, query);
   pitot_pool_available(pitot_pool_of(context, query),
                        query->driver_query->serial);
   query->state = PITOT_STATE_AVAILABLE;
   query->result = value;
   if (status < 0) {
      query->result = 0;
      context->disjoint = true;
   } else if (query->kind == PITOT_KIND_TIMESTAMP) {
      query->result =
         pitot_clock_read_ns(&context->clock, PITOT_CLOCK_RECORDED, value,
                             &context->disjoint);
   } else if (pitot_kind_info(query->kind)->is_boolean) {
      query->result = value != 0;
   }
}

bool
pitot_query_resolve(struct pitot_context *context, struct pitot_query *query,
                    bool wait)
{
   struct pitot_driver *driver = context->driver;

   if (query->state == PITOT_STATE_AVAILABLE)
      return true;

   struct pitot_in_flight *list = pitot_in_flight_of(context, query->kind);
   while (query->state == PITOT_STATE_ENDED) {
      struct pitot_query *oldest = list->oldest;
      uint64_t value = 0;
      const int status =
         driver->ops->query_result(driver, oldest->driver_query, wait,
                                   &value);

      assert(status != 0 || !wait);
      if (status == 0)
         return false;
      make_available(context, list, oldest, status, value);
   }
   assert(query->state == PITOT_STATE_AVAILABLE);
   return true;
}

bool
pitot_query_store(struct pitot_context *context, struct pitot_query *query,
                  enum pitot_store store, enum pitot_type type,
                  void *resource, uint64_t offset_B)
{
   struct pitot_driver *driver = context->driver;

   /* The driver does not know by how much its clock was moved on. */
   if (query->kind == PITOT_KIND_TIMESTAMP && context->clock.offset_ns)
      return false;

   return query->state == PITOT_STATE_ENDED && driver->ops->query_store &&
          driver->ops->query_store(driver, query->driver_query, store, type,
                                   resource, offset_B);
}

unsigned
pitot_counter_bits(const struct pitot_context *context, enum pitot_kind kind)
{
   return context->driver->ops->counter_bits(context->driver, kind);
}
