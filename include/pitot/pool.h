/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Driver queries that their owners gave up, so that beginning or deleting a
 * query whose result is in flight never waits for it.  For core and perf, not
 * for drivers.
 */

#ifndef PITOT_POOL_H
#define PITOT_POOL_H

#include <stddef.h>

#include "pitot/driver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Deleting very many queries in flight keeps them until a later one has a
 * result, up to a number that no application that reads its results comes
 * near.
 */
#define PITOT_POOL_KEEP_COUNT 4096

/* Wide counts bring it to 64 bytes, so that to index an array of pools is a
 * shift and no product.
 */
struct pitot_pool {
   struct pitot_driver_query *idle;
   struct pitot_driver_query *in_flight; /* the oldest */
   struct pitot_driver_query **in_flight_end;
   size_t idle_count;
   size_t in_flight_count;
   size_t max_idle_count;
   void (*destroy)(void *owner, struct pitot_driver_query *query);
   void *owner;
};

/* Idle queries above max_idle_count are destroyed. */
void
pitot_pool_init(struct pitot_pool *pool, unsigned max_idle_count, void *owner,
                void (*destroy)(void *owner,
                                struct pitot_driver_query *query));

/* Destroys the queries in the pool, which stays usable. */
void
pitot_pool_finish(struct pitot_pool *pool);

/* Returns an idle query, or NULL. */
static inline struct pitot_driver_query *
pitot_pool_take_idle(struct pitot_pool *pool)
{
   struct pitot_driver_query *query = pool->idle;

   if (query) {
      pool->idle = query->next;
      pool->idle_count--;
   }
   return query;
}

/* Returns the oldest query in flight, or NULL. */
static inline struct pitot_driver_query *
pitot_pool_take_oldest(struct pitot_pool *pool)
{
   struct pitot_driver_query *query = pool->in_flight;

   if (query) {
      pool->in_flight = query->next;
      pool->in_flight_count--;
      if (!pool->in_flight)
         pool->in_flight_end = &pool->in_flight;
   }
   return query;
}

/* Gives up a query that is neither active nor in flight. */
void
pitot_pool_give_idle(struct pitot_pool *pool,
                     struct pitot_driver_query *query);

/* Gives up a query in flight.  Asks the driver nothing, since some drivers
 * wait when they are asked.
 */
static inline void
pitot_pool_give_in_flight(struct pitot_pool *pool,
                          struct pitot_driver_query *query)
{
   query->next = NULL;
   *pool->in_flight_end = query;
   pool->in_flight_end = &query->next;
   if (++pool->in_flight_count > PITOT_POOL_KEEP_COUNT)
      pool->destroy(pool->owner, pitot_pool_take_oldest(pool));
}

static inline void
pitot_pool_give(struct pitot_pool *pool, struct pitot_driver_query *query,
                bool is_in_flight)
{
   if (is_in_flight)
      pitot_pool_give_in_flight(pool, query);
   else
      pitot_pool_give_idle(pool, query);
}

/* For pitot_pool_available(). */
void
pitot_pool_make_idle(struct pitot_pool *pool, uint64_t serial);

/* Makes the queries idle that ended up to that serial: the results of a kind
 * come in the order in which its queries ended.
 */
static inline void
pitot_pool_available(struct pitot_pool *pool, uint64_t serial)
{
   if (pool->in_flight)
      pitot_pool_make_idle(pool, serial);
}

#ifdef __cplusplus
}
#endif

#endif /* PITOT_POOL_H */
