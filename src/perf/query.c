/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perf_priv.h"

/* To ask whether the oldest measurement in the pool is available may cost a
 * driver more than to create another one, so a few are left alone.
 */
#define ASK_COUNT 16

static struct pitot_perf_listed *
listed_of(const struct pitot_perf *perf, const struct pitot_perf_query *query)
{
   return &perf->sets[query->set_index];
}

/*
 * Measurements
 */

static void
destroy_fence(struct pitot_driver *driver,
              struct pitot_perf_measurement *measurement)
{
   if (measurement->fence)
      driver->ops->fence_destroy(driver, measurement->fence);
   measurement->fence = NULL;
}

void
pitot_perf_measurement_destroy(void *data, struct pitot_driver_query *base)
{
   struct pitot_perf_listed *listed = data;
   struct pitot_perf_measurement *measurement =
      (struct pitot_perf_measurement *)base;

   destroy_fence(listed->driver, measurement);
   listed->provider->ops->destroy(listed->provider, measurement);
}

/* Reads a record as pitot_perf_provider_ops.read does.  A measurement without
 * a fence is asked for even with PITOT_PERF_DONT_FLUSH, since nothing else
 * knows.
 */
static int
read_record(struct pitot_perf_listed *listed,
            struct pitot_perf_measurement *measurement,
            enum pitot_perf_flush flush, void *record_out)
{
   struct pitot_driver *driver = listed->driver;
   bool wait = flush == PITOT_PERF_WAIT;

   if (flush == PITOT_PERF_DONT_FLUSH && measurement->fence) {
      if (!driver->ops->fence_is_done(driver, measurement->fence))
         return 0;
      wait = true; /* which takes no time then, and flushes nothing */
   }
   const int status =
      listed->provider->ops->read(listed->provider, measurement, wait,
                                  record_out);

   if (status)
      destroy_fence(driver, measurement);
   return status;
}

/* Returns in fresh_out a measurement of a set without waiting: the oldest in
 * the pool if it is available, or a new one.  Those that will never be
 * available are destroyed on the way.
 */
static int
take_fresh(struct pitot_perf *perf, struct pitot_perf_listed *listed,
           struct pitot_perf_measurement **fresh_out)
{
   struct pitot_perf_provider *provider = listed->provider;

   while (listed->pool.in_flight_count >= ASK_COUNT) {
      struct pitot_perf_measurement *oldest =
         (struct pitot_perf_measurement *)listed->pool.in_flight;
      const int status =
         read_record(listed, oldest, PITOT_PERF_DONT_FLUSH, perf->scratch);

      if (status == 0)
         break;
      pitot_pool_take_oldest(&listed->pool);
      if (status > 0) {
         *fresh_out = oldest;
         return 0;
      }
      pitot_perf_measurement_destroy(listed, &oldest->base);
   }

   const int error = provider->ops->create(provider, listed->set, fresh_out);
   if (!error) {
      (*fresh_out)->set = listed->set;
      (*fresh_out)->fence = NULL;
   }
   return error;
}

/*
 * Queries
 */

/* Returns the index of a free handle, or -1 without memory. */
static int
find_free(struct pitot_perf *perf)
{
   const unsigned old = perf->query_capacity;
   unsigned index = 0;

   while (index < old && perf->queries[index])
      index++;
   if (index == old) {
      struct pitot_perf_query **grown =
         calloc(2 * old + 16, sizeof(grown[0]));
      if (!grown)
         return -1;
      if (old)
         memcpy(grown, perf->queries, old * sizeof(grown[0]));
      free(perf->queries);
      perf->queries = grown;
      perf->query_capacity = 2 * old + 16;
   }
   return index;
}

int
pitot_perf_query_create(struct pitot_perf *perf, unsigned set_index,
                        uint32_t *handle_out)
{
   struct pitot_perf_listed *listed = &perf->sets[set_index];
   struct pitot_perf_query *query = calloc(1, sizeof(*query));
   const int index = find_free(perf);

   if (query)
      query->record = calloc(1, listed->set->record_B);
   if (!query || !query->record || index < 0) {
      if (query)
         free(query->record);
      free(query);
      return -ENOMEM;
   }
   query->handle = index + 1;
   query->set_index = set_index;
   perf->queries[index] = query;
   listed->query_count++;
   *handle_out = query->handle;
   return 0;
}

struct pitot_perf_query *
pitot_perf_query_lookup(const struct pitot_perf *perf, uint32_t handle)
{
   return handle && handle <= perf->query_capacity ? perf->queries[handle - 1]
                                                   : NULL;
}

/* Leaves the query without its measurement. */
static void
drop_measurement(struct pitot_perf *perf, struct pitot_perf_query *query)
{
   if (query->measurement)
      pitot_pool_give(&listed_of(perf, query)->pool,
                      &query->measurement->base,
                      query->state == PITOT_STATE_ENDED);
   query->measurement = NULL;
}

void
pitot_perf_query_delete(struct pitot_perf *perf,
                        struct pitot_perf_query *query)
{
   /* Nobody is left to report an error to. */
   if (query->state == PITOT_STATE_ACTIVE)
      (void)pitot_perf_query_end(perf, query);
   drop_measurement(perf, query);
   listed_of(perf, query)->query_count--;
   perf->queries[query->handle - 1] = NULL;
   free(query->record);
   free(query);
}

static bool
may_overlap(const struct pitot_perf_listed *a,
            const struct pitot_perf_listed *b)
{
   if (a->provider != b->provider || a->set->domain != b->set->domain ||
       a->set->overlap == PITOT_PERF_OVERLAP_ANY ||
       b->set->overlap == PITOT_PERF_OVERLAP_ANY)
      return true;
   return a == b && a->set->overlap == PITOT_PERF_OVERLAP_SAME;
}

static bool
is_excluded(const struct pitot_perf *perf,
            const struct pitot_perf_listed *wanted)
{
   for (unsigned i = 0; i < perf->set_count; i++) {
      if (perf->sets[i].active_count && !may_overlap(&perf->sets[i], wanted))
         return true;
   }
   return false;
}

/* Frees the unit that measures a set of the records of other sets, which may
 * hold it until the last one is read: Intel's observation unit does.
 */
static void
settle_others(struct pitot_perf *perf, const struct pitot_perf_listed *wanted)
{
   for (unsigned i = 0; i < perf->query_capacity; i++) {
      struct pitot_perf_query *query = perf->queries[i];

      if (query && query->state == PITOT_STATE_ENDED &&
          !may_overlap(listed_of(perf, query), wanted))
         pitot_perf_query_resolve(perf, query, PITOT_PERF_WAIT);
   }
   for (unsigned i = 0; i < perf->set_count; i++) {
      if (!may_overlap(&perf->sets[i], wanted))
         pitot_pool_finish(&perf->sets[i].pool);
   }
}

/* Measures with the query's own measurement unless that is still in flight,
 * so that there is no wait, and a failure leaves everything as it is.
 */
int
pitot_perf_query_begin(struct pitot_perf *perf,
                       struct pitot_perf_query *query)
{
   struct pitot_perf_listed *listed = listed_of(perf, query);
   struct pitot_perf_measurement *fresh = query->measurement;
   int error = 0;

   assert(query->state != PITOT_STATE_ACTIVE);
   if (is_excluded(perf, listed))
      return -EBUSY;
   if (listed->set->overlap == PITOT_PERF_OVERLAP_SAME)
      settle_others(perf, listed);
   if (!fresh || query->state == PITOT_STATE_ENDED)
      error = take_fresh(perf, listed, &fresh);
   if (error)
      return error;

   error = listed->provider->ops->begin(listed->provider, fresh);
   if (error) {
      if (query->measurement == fresh)
         query->measurement = NULL;
      pitot_perf_measurement_destroy(listed, &fresh->base);
      return error;
   }
   if (query->measurement != fresh)
      drop_measurement(perf, query);
   query->measurement = fresh;
   query->state = PITOT_STATE_ACTIVE;
   query->is_lost = false;
   listed->active_count++;
   return 0;
}

/* The record will never be known. */
static void
lose_record(struct pitot_perf *perf, struct pitot_perf_query *query)
{
   memset(query->record, 0, listed_of(perf, query)->set->record_B);
   query->is_lost = true;
   query->state = PITOT_STATE_AVAILABLE;
   drop_measurement(perf, query);
}

int
pitot_perf_query_end(struct pitot_perf *perf, struct pitot_perf_query *query)
{
   struct pitot_perf_listed *listed = listed_of(perf, query);
   struct pitot_driver *driver = listed->driver;
   struct pitot_fence *fence;

   assert(query->state == PITOT_STATE_ACTIVE);
   listed->active_count--;
   const int error =
      listed->provider->ops->end(listed->provider, query->measurement);
   if (error) {
      lose_record(perf, query);
      return error;
   }
   query->state = PITOT_STATE_ENDED;
   if (driver->ops->fence_create &&
       !driver->ops->fence_create(driver, &fence))
      query->measurement->fence = fence;
   return 0;
}

bool
pitot_perf_query_resolve(struct pitot_perf *perf,
                         struct pitot_perf_query *query,
                         enum pitot_perf_flush flush)
{
   struct pitot_perf_listed *listed = listed_of(perf, query);

   if (query->state == PITOT_STATE_AVAILABLE)
      return true;
   assert(query->state == PITOT_STATE_ENDED);

   const int status =
      read_record(listed, query->measurement, flush, query->record);
   assert(status != 0 || flush != PITOT_PERF_WAIT);
   if (status == 0)
      return false;
   if (status > 0)
      query->state = PITOT_STATE_AVAILABLE;
   else
      lose_record(perf, query);
   listed->driver->disjoint |= status == -EIO;
   return true;
}
