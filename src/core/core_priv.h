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
#include "pitot/counters.h"
#include "pitot/names.h"
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
 * pool.c: driver queries that their owners gave up, so that beginning or
 * deleting a query whose result is in flight never has to wait for it.
 */

struct pitot_pool {
   struct pitot_driver_query *idle;
   struct pitot_driver_query *in_flight; /* the oldest */
   struct pitot_driver_query **in_flight_end;
   unsigned idle_count;
   unsigned in_flight_count;
};

void
pitot_pool_init(struct pitot_pool *pool);

/* Destroys what is in the pool. */
void
pitot_pool_finish(struct pitot_pool *pool, struct pitot_driver *driver);

/* Returns in query_out a query ready to begin, used or new.  Returns 0 or
 * -ENOMEM.
 */
int
pitot_pool_take(struct pitot_pool *pool, struct pitot_driver *driver,
                enum pitot_kind kind, unsigned stream,
                struct pitot_driver_query **query_out);

/* Gives a query up, which must not be active.  Asks the driver nothing, since
 * there are drivers that wait when they are asked.
 */
void
pitot_pool_give(struct pitot_pool *pool, struct pitot_driver *driver,
                struct pitot_driver_query *query, bool is_in_flight);

/* Says that what ended up to that number is available: the results of a kind
 * come in the order in which its queries ended.
 */
void
pitot_pool_available(struct pitot_pool *pool, struct pitot_driver *driver,
                     uint64_t serial);

/*
 * counters.c, session.c and measurement.c: the sets of all providers, and
 * their sessions.
 */

struct pitot_listed_set {
   const struct pitot_counter_set *set;
   struct pitot_provider *provider;
   unsigned session_count;
   unsigned active_count;

   /* Measurements in flight that their sessions gave up, so that beginning or
    * deleting a session does not wait for them.
    */
   struct pitot_measurement *orphans; /* the oldest */
   struct pitot_measurement **orphans_end;
   unsigned orphan_count;
};

struct pitot_counters {
   bool is_listed;
   struct pitot_listed_set *sets;
   unsigned set_count;
   struct pitot_names sessions;
   void *scratch; /* a record of any set */
};

/* Returns in measurement_out one of that set, used or new, without waiting.
 * Returns 0 or -ENOMEM.
 */
int
pitot_orphans_take(struct pitot_context *context,
                   struct pitot_listed_set *listed,
                   struct pitot_measurement **measurement_out);

/* Gives up a measurement in flight. */
void
pitot_orphans_give(struct pitot_context *context,
                   struct pitot_listed_set *listed,
                   struct pitot_measurement *measurement);

/* Destroys those of a set. */
void
pitot_orphans_finish(struct pitot_context *context,
                     struct pitot_listed_set *listed);

/* Destroys a measurement, which is not active, and its mark. */
void
pitot_measurement_destroy(struct pitot_context *context,
                          struct pitot_provider *provider,
                          struct pitot_measurement *measurement);

/* Marks where a measurement ended. */
void
pitot_measurement_fence(struct pitot_context *context,
                        struct pitot_measurement *measurement);

/* Reads a record as pitot_provider_ops.read does; forgets the mark once there
 * is nothing to ask for any more.
 */
int
pitot_measurement_read(struct pitot_context *context,
                       struct pitot_provider *provider,
                       struct pitot_measurement *measurement, bool wait,
                       void *record_out);

/* The same without waiting and without a flush: 0 if the GPU is not done with
 * the measurement yet.  One without a mark is asked for, since nobody knows.
 */
int
pitot_measurement_look(struct pitot_context *context,
                       struct pitot_provider *provider,
                       struct pitot_measurement *measurement,
                       void *record_out);

/* Frees a session, whose handle stays as it is. */
void
pitot_session_free(struct pitot_context *context,
                   struct pitot_session *session);

/* set_time.c: the provider of "GPU Time". */
struct pitot_time_provider {
   struct pitot_provider base;
   struct pitot_context *context;
};

void
pitot_time_provider_init(struct pitot_time_provider *time,
                         struct pitot_context *context);

/* Deletes all sessions, and has the providers finish. */
void
pitot_counters_finish(struct pitot_context *context);

/*
 * The context
 */

struct pitot_in_flight {
   struct pitot_query *oldest;
   struct pitot_query *newest;
};

struct pitot_context {
   struct pitot_names names; /* first: see pitot_query_lookup() */

   struct pitot_driver *driver;
   bool delete_ends_active;
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
   uint64_t (*suspended_ns)(void);
   uint64_t last_suspended_ns;
   uint64_t (*cpu_time_ns)(void);
   struct pitot_watch clock_watches[PITOT_CLOCK_READING_COUNT];
   struct pitot_watch elapsed_watch; /* both ends of a TIME_ELAPSED */

   struct pitot_time_provider time_provider;
   struct pitot_counters counters;
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

/* time.c: how long a sleep has to be to be one. */
bool
pitot_is_sleep(uint64_t before_ns, uint64_t after_ns);

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
      pitot_watch_reading(watch, context->cpu_time_ns(), &context->disjoint);
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
