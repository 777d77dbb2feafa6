/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Driver queries of one type whose results are in flight, in the order in
 * which they ended.  Each belongs to a query object.  When an object is begun
 * again or deleted, its driver query is removed first, and may measure again
 * immediately.  For core, not for drivers.
 */

#ifndef PITOT_IN_FLIGHT_H
#define PITOT_IN_FLIGHT_H

#include "pitot/driver.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pitot_in_flight {
   /* Makes the list a ring, between the oldest query (next) and the newest
    * (previous), so that adding and removing need no special case.
    */
   struct pitot_driver_query ends;
   uint64_t ended_count; /* all queries of the type that ever ended */

   /* The seqno of the newest query whose result is available.  Older queries
    * must be available, too, and have left the list: the driver is polled for
    * each result when the application polls it.
    */
   uint64_t available_seqno;

   /* The last poll of the driver that had no result: of which query, when,
    * and for how many more polls of other queries this outcome is reused.
    */
   uint64_t polled_seqno;
   uint64_t polled_ns;
   unsigned wait_count; /* the driver's, at that poll */
   unsigned skippable_polls;
};

static inline void
pitot_in_flight_init(struct pitot_in_flight *list)
{
   list->ends.next = list->ends.previous = &list->ends;
}

/* Appends a query that has just ended. */
static inline void
pitot_in_flight_add(struct pitot_in_flight *list,
                    struct pitot_driver_query *query)
{
   query->seqno = ++list->ended_count;
   query->must_ask = false;
   query->next = &list->ends;
   query->previous = list->ends.previous;
   query->previous->next = query;
   list->ends.previous = query;
}

/* Removes a query in flight, in the list or older than an available one. */
static inline void
pitot_in_flight_remove(struct pitot_driver_query *query)
{
   query->previous->next = query->next;
   query->next->previous = query->previous;
}

/* Removes the oldest query of the list, which is available. */
static inline void
pitot_in_flight_pass_oldest(struct pitot_in_flight *list)
{
   struct pitot_driver_query *query = list->ends.next;

   list->available_seqno = query->seqno;
   list->skippable_polls = 0;
   list->ends.next = query->next;
   query->next->previous = &list->ends;
}

/* Removes an available query and all older ones.  The older ones become a
 * ring of their own, so that pitot_in_flight_remove() works for them.
 */
static inline void
pitot_in_flight_pass(struct pitot_in_flight *list,
                     struct pitot_driver_query *query)
{
   struct pitot_driver_query *oldest = list->ends.next;

   oldest->previous = query->previous;
   query->previous->next = oldest;
   list->ends.next = query;
   pitot_in_flight_pass_oldest(list);
}

#ifdef __cplusplus
}
#endif

#endif /* PITOT_IN_FLIGHT_H */
