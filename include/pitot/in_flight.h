/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Driver queries of one type whose results are in flight, in the order in
 * which they ended.  Each belongs to a query object: an object that is begun
 * again or deleted first removes its driver query, which may measure again at
 * once.  For core, not for drivers.
 */

#ifndef PITOT_IN_FLIGHT_H
#define PITOT_IN_FLIGHT_H

#include "pitot/driver.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pitot_in_flight {
   struct pitot_driver_query *oldest; /* NULL of an empty list */
   struct pitot_driver_query *newest; /* NULL of an empty list */
   uint64_t ended_count;              /* of the type, ever */

   /* The number of the newest query whose result is available.  Older ones
    * must be available, too, and are in no list any more: each is asked for
    * when the application asks.
    */
   uint64_t available_number;

   /* The last poll that asked the driver without a result: of which query,
    * when, and for how many more polls of others that result is believed.
    */
   uint64_t asked_number;
   uint64_t asked_ns;
   unsigned wait_count; /* the driver's, at that poll */
   unsigned believed_polls;
};

/* Adds a query that has just ended. */
static inline void
pitot_in_flight_add(struct pitot_in_flight *list,
                    struct pitot_driver_query *query)
{
   query->number = ++list->ended_count;
   query->must_ask = false;
   query->next = NULL;
   query->previous = list->newest;
   if (list->newest)
      list->newest->next = query;
   else
      list->oldest = query;
   list->newest = query;
}

/* Removes a query that is in flight, in the list or older than an available
 * one.
 */
static inline void
pitot_in_flight_remove(struct pitot_in_flight *list,
                       struct pitot_driver_query *query)
{
   if (query->previous)
      query->previous->next = query->next;
   else if (list->oldest == query)
      list->oldest = query->next;
   if (query->next)
      query->next->previous = query->previous;
   else if (list->newest == query)
      list->newest = query->previous;
}

/* Removes a query of the list that is available, with all older ones. */
static inline void
pitot_in_flight_pass(struct pitot_in_flight *list,
                     struct pitot_driver_query *query)
{
   list->available_number = query->number;
   list->believed_polls = 0;
   list->oldest = query->next;
   if (query->next)
      query->next->previous = NULL;
   else
      list->newest = NULL;
   if (query->previous)
      query->previous->next = NULL;
}

#ifdef __cplusplus
}
#endif

#endif /* PITOT_IN_FLIGHT_H */
