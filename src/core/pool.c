/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "core_priv.h"

/* An application that begins a query again without reading it has a few
 * frames of them in flight; after that many the oldest is taken to be done,
 * and beginning it again drops a result that nobody asks for.
 */
#define REUSE_COUNT 64

/* Deleting very many queries in flight keeps them until a later one has a
 * result, up to a number that no application that reads its results comes
 * near.
 */
#define KEEP_COUNT 4096

void
pitot_pool_init(struct pitot_pool *pool)
{
   *pool = (struct pitot_pool){ 0 };
   pool->in_flight_end = &pool->in_flight;
}

static struct pitot_driver_query *
pop_idle(struct pitot_pool *pool)
{
   struct pitot_driver_query *query = pool->idle;
   if (query) {
      pool->idle = query->next;
      pool->idle_count--;
   }
   return query;
}

static struct pitot_driver_query *
pop_in_flight(struct pitot_pool *pool)
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

void
pitot_pool_finish(struct pitot_pool *pool, struct pitot_driver *driver)
{
   struct pitot_driver_query *query;
   while ((query = pop_idle(pool)) || (query = pop_in_flight(pool)))
      driver->ops->query_destroy(driver, query);
}

int
pitot_pool_take(struct pitot_pool *pool, struct pitot_driver *driver,
                enum pitot_kind kind, unsigned stream,
                struct pitot_driver_query **query_out)
{
   struct pitot_driver_query *query = pop_idle(pool);
   if (!query && pool->in_flight_count >= REUSE_COUNT)
      query = pop_in_flight(pool);
   if (!query)
      return driver->ops->query_create(driver, kind, stream, query_out);

   *query_out = query;
   return 0;
}

static void
push_idle(struct pitot_pool *pool, struct pitot_driver *driver,
          struct pitot_driver_query *query)
{
   if (driver->keeps_queries_apart || pool->idle_count == REUSE_COUNT) {
      driver->ops->query_destroy(driver, query);
      return;
   }
   query->next = pool->idle;
   pool->idle = query;
   pool->idle_count++;
}

void
pitot_pool_give(struct pitot_pool *pool, struct pitot_driver *driver,
                struct pitot_driver_query *query, bool is_in_flight)
{
   if (!is_in_flight) {
      push_idle(pool, driver, query);
      return;
   }
   query->next = NULL;
   *pool->in_flight_end = query;
   pool->in_flight_end = &query->next;
   pool->in_flight_count++;
   if (pool->in_flight_count > KEEP_COUNT)
      driver->ops->query_destroy(driver, pop_in_flight(pool));
}

void
pitot_pool_available(struct pitot_pool *pool, struct pitot_driver *driver,
                     uint64_t serial)
{
   while (pool->in_flight && pool->in_flight->serial <= serial)
      push_idle(pool, driver, pop_in_flight(pool));
}
