/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "pitot/pool.h"

void
pitot_pool_init(struct pitot_pool *pool, unsigned max_idle_count, void *owner,
                void (*destroy)(void *owner,
                                struct pitot_driver_query *query))
{
   *pool = (struct pitot_pool){
      .max_idle_count = max_idle_count,
      .owner = owner,
      .destroy = destroy,
   };
   pool->in_flight_end = &pool->in_flight;
}

void
pitot_pool_finish(struct pitot_pool *pool)
{
   struct pitot_driver_query *query;

   while ((query = pitot_pool_take_idle(pool)) ||
          (query = pitot_pool_take_oldest(pool)))
      pool->destroy(pool->owner, query);
}

void
pitot_pool_give_idle(struct pitot_pool *pool,
                     struct pitot_driver_query *query)
{
   if (pool->idle_count == pool->max_idle_count) {
      pool->destroy(pool->owner, query);
      return;
   }
   query->next = pool->idle;
   pool->idle = query;
   pool->idle_count++;
}

void
pitot_pool_make_idle(struct pitot_pool *pool, uint64_t serial)
{
   while (pool->in_flight && pool->in_flight->serial <= serial)
      pitot_pool_give_idle(pool, pitot_pool_take_oldest(pool));
}
