/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Results: one resolver for client reads, query buffers, conditions and
 * polls.  Queries of a type become available in the order in which they ended
 * (OpenGL 4.6 core, 4.2.3).  A driver may have a later result before an older
 * one: to report it first would break that order.
 */

#include <assert.h>

#include "core_priv.h"

const uint64_t pitot_type_max[PITOT_TYPE_COUNT] = {
   [PITOT_TYPE_I32] = INT32_MAX,
   [PITOT_TYPE_U32] = UINT32_MAX,
   [PITOT_TYPE_I64] = INT64_MAX,
   [PITOT_TYPE_U64] = UINT64_MAX,
};

/* For how long, and for how many polls of other queries of the type, the
 * outcome of a poll without a result is reused.
 */
#define BELIEVED_NS        50000
#define MAX_BELIEVED_POLLS 63

/* Makes a query available.  The driver has written query->result, which is
 * converted for the kind.  If status is an error, the result is 0, and times
 * are disjoint.
 */
static inline void
set_result(struct pitot_context *context, struct pitot_query *query,
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
      query->result =
         pitot_make_monotonic_ns(&context->times, PITOT_TIME_RECORDED,
                                 query->result, &context->disjoint);
   }
}

/* Reads the oldest query of a list.  Returns whether it is available. */
static inline bool
resolve_oldest(struct pitot_context *context, struct pitot_in_flight *list,
               bool wait)
{
   struct pitot_driver_query *driver_query = list->ends.next;
   struct pitot_query *query = driver_query->owner;
   struct pitot_driver *driver = context->head.driver;
   const int status =
      driver->ops->query_result(driver, driver_query, wait, &query->result);

   assert(status != 0 || !wait);
   if (status == 0)
      return false;
   pitot_in_flight_pass_oldest(list);
   set_result(context, query, status);
   return true;
}

/* Waits for a query that is older than an available one: "if any query object
 * returns a result available of TRUE, all queries of the same type issued
 * prior to that query must also return TRUE" (OpenGL 4.6 core, 4.2.3).
 */
static void
wait_for_passed_query(struct pitot_context *context,
                      struct pitot_query *query)
{
   struct pitot_driver_query *driver_query = query->driver_query;
   struct pitot_driver *driver = context->head.driver;
   const int status =
      driver->ops->query_result(driver, driver_query, true, &query->result);

   assert(status != 0);
   pitot_in_flight_remove(driver_query);
   set_result(context, query, status);
}

void
pitot_query_note_stored_available(const struct pitot_query *query)
{
   struct pitot_driver_query *driver_query = query->driver_query;
   const struct pitot_in_flight *list = driver_query->binding->in_flight;

   for (; driver_query != &list->ends && !driver_query->must_ask;
        driver_query = driver_query->previous)
      driver_query->must_ask = true;
}

/* Returns whether a poll can skip the driver, which just had no result for
 * another query of the type.  A second poll of the same query does not skip
 * it, because the application may poll in a loop.
 */
static bool
can_skip_poll(const struct pitot_context *context,
              struct pitot_in_flight *list, uint64_t seqno)
{
   if (list->skippable_polls == 0 || list->polled_seqno == seqno ||
       list->wait_count != context->head.driver->wait_count ||
       list->ends.next->must_ask ||
       context->info.cpu_time_ns() - list->polled_ns > BELIEVED_NS)
      return false;
   list->skippable_polls--;
   return true;
}

static PITOT_NOINLINE void
note_failed_poll(const struct pitot_context *context,
                 struct pitot_in_flight *list, uint64_t seqno)
{
   if (!context->info.cpu_time_ns || list->ends.next == list->ends.previous)
      return;
   list->polled_seqno = seqno;
   list->polled_ns = context->info.cpu_time_ns();
   list->wait_count = context->head.driver->wait_count;
   list->skippable_polls = MAX_BELIEVED_POLLS;
}

/* Polls older queries first, because a driver may have a later result before
 * an older one, for example if the later query has no draw.
 */
static bool
poll_in_order(struct pitot_context *context, struct pitot_in_flight *list,
              const struct pitot_query *query)
{
   const uint64_t seqno = query->driver_query->seqno;

   if (can_skip_poll(context, list, seqno))
      return false;
   while (query->state == PITOT_STATE_ENDED &&
          resolve_oldest(context, list, false))
      ;
   if (query->state != PITOT_STATE_ENDED)
      return true;
   note_failed_poll(context, list, seqno);
   return false;
}

/* Waits for a query that is not the oldest of its list.  If its result is
 * ready, the driver may have it without the GPU, which may still execute the
 * older queries: then waits for these, too.  If its result had to be waited
 * for, the older queries are done, and are read when the application reads
 * them.  Times are read in order: a timestamp is compared with the one
 * before, and an elapsed time may be of another ring than an older one.
 */
static void
wait_past_older(struct pitot_context *context, struct pitot_in_flight *list,
                struct pitot_query *query)
{
   struct pitot_driver_query *driver_query = query->driver_query;
   struct pitot_driver *driver = context->head.driver;

   if (pitot_kind_info(query->kind)->is_time) {
      while (query->state == PITOT_STATE_ENDED)
         resolve_oldest(context, list, true);
      return;
   }
   driver_query->must_ask = true;
   int status =
      driver->ops->query_result(driver, driver_query, false, &query->result);
   const bool is_ready = status != 0;
   if (!is_ready)
      status = driver->ops->query_result(driver, driver_query, true,
                                         &query->result);
   while (is_ready && list->ends.next != driver_query)
      resolve_oldest(context, list, true);
   pitot_in_flight_pass(list, driver_query);
   set_result(context, query, status);
}

/* Resolves a query that is not the oldest one, or whose poll may skip the
 * driver.
 */
static PITOT_NOINLINE bool
resolve_out_of_order(struct pitot_context *context,
                     struct pitot_in_flight *list, struct pitot_query *query,
                     bool wait)
{
   if (query->driver_query->seqno < list->available_seqno)
      wait_for_passed_query(context, query);
   else if (wait)
      wait_past_older(context, list, query);
   else
      return poll_in_order(context, list, query);
   return true;
}

/* Fast path: results are read in the order of their ends. */
bool
pitot_query_resolve_ended(struct pitot_context *context,
                          struct pitot_query *query, bool wait)
{
   struct pitot_driver_query *driver_query = query->driver_query;
   struct pitot_in_flight *list = driver_query->binding->in_flight;

   assert(query->state == PITOT_STATE_ENDED);
   if (list->ends.next != driver_query ||
       (!wait && list->skippable_polls != 0))
      return resolve_out_of_order(context, list, query, wait);
   if (resolve_oldest(context, list, wait))
      return true;
   note_failed_poll(context, list, driver_query->seqno);
   return false;
}

unsigned
pitot_counter_bits(const struct pitot_context *context, enum pitot_kind kind)
{
   return context->head.driver->ops->counter_bits(context->head.driver, kind);
}
