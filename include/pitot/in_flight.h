/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Driver queries whose results are in flight, in the order in which they
 * ended.  An owner that begins or is deleted before its result is known gives
 * its driver query up, so that it never waits.  For core and perf, not for
 * drivers.
 */

#ifndef PITOT_IN_FLIGHT_H
#define PITOT_IN_FLIGHT_H

#include <stddef.h>

#include "pitot/driver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many queries that were given up are kept at most.  No application that
 * reads its results comes near.
 */
#define PITOT_GIVEN_UP_COUNT 4096

struct pitot_in_flight {
   struct pitot_driver_query *oldest; /* NULL of an empty list */
   struct pitot_driver_query *newest; /* means nothing in an empty list */
   unsigned given_up_count;           /* of both lists */

   /* Given up, and older than a query that was polled: out of the way, so
    * that polls do not pass them again and again.
    */
   struct pitot_driver_query *passed; /* the oldest, or NULL */
   struct pitot_driver_query *newest_passed;
};

/* Puts a query behind the newest of those that begin with the oldest. */
static inline void
pitot_in_flight_append(struct pitot_driver_query **oldest,
                       struct pitot_driver_query **newest,
                       struct pitot_driver_query *query)
{
   query->next = NULL;
   if (*oldest)
      (*newest)->next = query;
   else
      *oldest = query;
   *newest = query;
}

/* Adds a query that has just ended. */
static inline void
pitot_in_flight_add(struct pitot_in_flight *list,
                    struct pitot_driver_query *query)
{
   pitot_in_flight_append(&list->oldest, &list->newest, query);
}

/* Takes the oldest query, which must be there, out of the list. */
static inline struct pitot_driver_query *
pitot_in_flight_take_oldest(struct pitot_in_flight *list)
{
   struct pitot_driver_query *query = list->oldest;

   list->oldest = query->next;
   return query;
}

/* Passes the oldest query, which was given up. */
static inline void
pitot_in_flight_pass_oldest(struct pitot_in_flight *list)
{
   pitot_in_flight_append(&list->passed, &list->newest_passed,
                          pitot_in_flight_take_oldest(list));
}

/* Takes the oldest query that was given up out of the list, which must not be
 * empty, or returns NULL if an older one has an owner.
 */
static inline struct pitot_driver_query *
pitot_in_flight_take_given_up(struct pitot_in_flight *list)
{
   struct pitot_driver_query *query = list->passed;

   if (query)
      list->passed = query->next;
   else if (!list->oldest->owner)
      query = pitot_in_flight_take_oldest(list);
   if (query)
      list->given_up_count--;
   return query;
}

#ifdef __cplusplus
}
#endif

#endif /* PITOT_IN_FLIGHT_H */
