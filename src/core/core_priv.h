/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared inside core only.
 */

#ifndef PITOT_CORE_PRIV_H
#define PITOT_CORE_PRIV_H

#include <assert.h>
#include <stddef.h>

#include "pitot/clock.h"
#include "pitot/names.h"
#include "pitot/pool.h"
#include "pitot/query.h"

/* Occlusion, time, any overflow; three indexed kinds; eleven statistics. */
#define PITOT_SLOT_COUNT (3 + 3 * PITOT_MAX_STREAMS + 11)

/*
 * names.c: what changes in pitot/names.h.
 */

int
pitot_names_init(struct pitot_names *names);

/* Frees the array, not the objects. */
void
pitot_names_finish(struct pitot_names *names);

/* Sets the entry of a name.  Returns 0 or -ENOMEM; setting to NULL, or where
 * there was an entry, always succeeds.
 */
int
pitot_names_set(struct pitot_names *names, uint32_t name, void *entry);

/* Returns the lowest name of 1 or more that has no entry, or 0. */
uint32_t
pitot_names_lowest_free(struct pitot_names *names);

/* Calls back for every object; the callback changes no entry. */
void
pitot_names_for_each(const struct pitot_names *names,
                     void (*callback)(void *data, void *object), void *data);

/*
 * The context
 */

/* An application that begins a query again without reading it has a few
 * frames of them in flight; after that many the oldest is taken to be done,
 * and beginning it again drops a result that nobody asks for.
 */
#define PITOT_REUSE_COUNT 64

struct pitot_in_flight {
   struct pitot_query *oldest;
   struct pitot_query *newest;
};

struct pitot_context {
   struct pitot_names names; /* first: see pitot_query_lookup() */

   struct pitot_context_info info;
   struct pitot_driver *driver; /* info.driver */
   struct pitot_query *slots[PITOT_SLOT_COUNT];
   struct pitot_pool pools[PITOT_KIND_COUNT][PITOT_MAX_STREAMS];

   /* Ended queries, in the order in which they ended, and the number of the
    * last one.  The kinds that share a slot are one type of query and share a
    * list, as do all streams of a kind: "all queries of the same type issued
    * prior to that query must also return TRUE" (OpenGL 4.6 core, 4.2.3).
    * Timestamps, which have no slot, are the last one.
    */
   uint64_t serial;
   struct pitot_in_flight in_flight[PITOT_SLOT_COUNT + 1];

   struct pitot_query *condition;
   struct pitot_condition_mode condition_mode;

   struct pitot_clock clock;
   bool disjoint;
   uint64_t last_suspended_ns;
   struct pitot_watch clock_watches[PITOT_CLOCK_READING_COUNT];
   struct pitot_watch elapsed_watch; /* both ends of a TIME_ELAPSED */
};

/* context.c */

/* Frees an object that nothing refers to any more. */
void
pitot_query_free(struct pitot_context *context, struct pitot_query *query);

static inline void
pitot_query_ref(struct pitot_query *query)
{
   query->refs++;
}

/* Drops a reference; frees the object with the last one. */
static inline void
pitot_query_unref(struct pitot_context *context, struct pitot_query *query)
{
   assert(query->refs > 0);
   if (--query->refs == 0)
      pitot_query_free(context, query);
}

/* query.c */

/* Gives an available query that has no driver query, and a result of 0
 * therefore, one that measured nothing, for a driver to look at.  Returns 0,
 * -ENOMEM or what the driver returned.
 */
int
pitot_query_measure_nothing(struct pitot_context *context,
                            struct pitot_query *query);

/* time.c: has a clock wrapped unseen? */

/* Finds out which clocks could. */
void
pitot_watches_init(struct pitot_context *context);

/* Says that a clock is read.  Asks for the CPU's time only if it wraps. */
static inline void
pitot_watch(struct pitot_context *context, struct pitot_watch *watch)
{
   if (watch->period_ns)
      pitot_watch_reading(watch, context->info.cpu_time_ns(),
                          &context->disjoint);
}

/* The lists of ended queries whose result is in flight: see resolve.c. */

static inline struct pitot_in_flight *
pitot_in_flight_of(struct pitot_context *context, enum pitot_kind kind)
{
   return &context->in_flight[pitot_kind_info(kind)->slot];
}

static inline void
pitot_in_flight_add(struct pitot_context *context, struct pitot_query *query)
{
   struct pitot_in_flight *list = pitot_in_flight_of(context, query->kind);

   query->state = PITOT_STATE_ENDED;
   query->driver_query->serial = ++context->serial;
   query->in_flight_next = NULL;
   query->in_flight_prev = list->newest;
   if (list->newest)
      list->newest->in_flight_next = query;
   else
      list->oldest = query;
   list->newest = query;
}

static inline void
pitot_in_flight_remove(struct pitot_context *context,
                       struct pitot_query *query)
{
   struct pitot_in_flight *list = pitot_in_flight_of(context, query->kind);
   struct pitot_query *prev = query->in_flight_prev;
   struct pitot_query *next = query->in_flight_next;

   *(prev ? &prev->in_flight_next : &list->oldest) = next;
   *(next ? &next->in_flight_prev : &list->newest) = prev;
   query->in_flight_prev = query->in_flight_next = NULL;
}

#endif /* PITOT_CORE_PRIV_H */
