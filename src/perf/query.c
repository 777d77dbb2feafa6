/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perf_priv.h"

/*
 * Measurements of queries, and those that no query measures with: idle ones,
 * and those in flight that have to be left alone until the GPU is done
 */

bool
pitot_perf_may_overlap(const struct pitot_perf_set *a,
                       const struct pitot_perf_set *b)
{
   if (a->provider != b->provider || a->domain != b->domain ||
       a->overlap == PITOT_PERF_OVERLAP_ANY ||
       b->overlap == PITOT_PERF_OVERLAP_ANY)
      return true;
   return a == b && a->overlap == PITOT_PERF_OVERLAP_SAME;
}

/* Of all sets of a provider, which may have thousands of them. */
#define MAX_IDLE 64

/* Creates the fence of a measurement that has ended, unless it has one. */
static void
create_fence(struct pitot_perf_measurement *measurement)
{
   struct pitot_driver *driver = measurement->set->provider->driver;
   struct pitot_fence *fence;

   if (!measurement->fence && driver->ops->fence_create &&
       !driver->ops->fence_create(driver, &fence))
      measurement->fence = fence;
}

static void
destroy_fence(struct pitot_perf_measurement *measurement)
{
   struct pitot_driver *driver = measurement->set->provider->driver;

   if (measurement->fence)
      driver->ops->fence_destroy(driver, measurement->fence);
   measurement->fence = NULL;
}

static void
destroy_measurement(struct pitot_perf_measurement *measurement)
{
   destroy_fence(measurement);
   measurement->set->provider->ops->destroy(measurement);
}

/* Leaves a measurement alone until its fence is done.  Returns false if there
 * is no fence.
 */
static bool
abandon(struct pitot_perf_measurement *measurement)
{
   struct pitot_perf_provider *provider = measurement->set->provider;

   create_fence(measurement);
   if (!measurement->fence)
      return false;
   measurement->next = NULL;
   if (provider->abandoned)
      provider->newest_abandoned->next = measurement;
   else
      provider->abandoned = measurement;
   provider->newest_abandoned = measurement;
   return true;
}

/* Takes a measurement, which is not active, from its query: another one may
 * measure with it.  The set of a selection is freed with its query.  Intel's
 * unit is in use while there is any measurement, even an idle one.
 */
static void
drop_measurement(struct pitot_perf_measurement *measurement,
                 bool is_in_flight)
{
   struct pitot_perf_set *set = measurement->set;
   struct pitot_perf_provider *provider = set->provider;

   const bool waits = provider->ops->waits_in_flight;

   if (is_in_flight && waits && abandon(measurement))
      return;
   if (set->origin || waits || provider->driver->keeps_queries_apart ||
       provider->idle_count == MAX_IDLE) {
      destroy_measurement(measurement);
      return;
   }
   destroy_fence(measurement);
   measurement->next = set->idle;
   set->idle = measurement;
   provider->idle_count++;
}

/* Returns an idle measurement of a set, or a new one; NULL without memory. */
static struct pitot_perf_measurement *
take_measurement(struct pitot_perf_set *set)
{
   struct pitot_perf_measurement *measurement = set->idle;

   if (!measurement)
      return set->provider->ops->create(set);
   set->idle = measurement->next;
   set->provider->idle_count--;
   return measurement;
}

/* Destroys the abandoned measurements of a provider that cannot overlap a
 * set; all of them if wanted is NULL.  Waits for them.
 */
static void
destroy_abandoned(struct pitot_perf_provider *provider,
                  const struct pitot_perf_set *wanted)
{
   struct pitot_perf_measurement **link = &provider->abandoned;

   provider->newest_abandoned = NULL;
   while (*link) {
      struct pitot_perf_measurement *measurement = *link;

      if (wanted && pitot_perf_may_overlap(measurement->set, wanted)) {
         provider->newest_abandoned = measurement;
         link = &measurement->next;
      } else {
         *link = measurement->next;
         destroy_measurement(measurement);
      }
   }
}

void
pitot_perf_destroy_measurements(struct pitot_perf_provider *provider)
{
   for (unsigned i = 0; i < provider->set_count; i++) {
      struct pitot_perf_set *set = &provider->sets[i];

      while (set->idle)
         destroy_measurement(take_measurement(set));
   }
   destroy_abandoned(provider, NULL);
}

/* Destroys the oldest abandoned measurements that the GPU is done with, two
 * of them at most: a begin abandons one at most.
 */
static void
destroy_done(struct pitot_perf_provider *provider)
{
   struct pitot_driver *driver = provider->driver;

   for (unsigned i = 0; i < 2 && provider->abandoned; i++) {
      struct pitot_perf_measurement *oldest = provider->abandoned;

      if (!driver->ops->fence_is_done(driver, oldest->fence))
         return;
      provider->abandoned = oldest->next;
      destroy_measurement(oldest);
   }
}

/* Reads a record as pitot_perf_provider_ops.read does.  A measurement without
 * a fence is asked for even with PITOT_PERF_DONT_FLUSH, since nothing else
 * knows.
 */
static int
read_measurement(struct pitot_perf_measurement *measurement,
                 enum pitot_perf_flush flush, void *record_out)
{
   const struct pitot_perf_provider *provider = measurement->set->provider;
   struct pitot_driver *driver = provider->driver;
   bool wait = flush == PITOT_PERF_WAIT;

   if (flush == PITOT_PERF_DONT_FLUSH && measurement->fence) {
      if (!driver->ops->fence_is_done(driver, measurement->fence))
         return 0;
      wait = true; /* which takes no time then, and flushes nothing */
   }
   const int status = provider->ops->read(measurement, wait, record_out);

   if (status)
      destroy_fence(measurement);
   return status;
}

/*
 * Queries
 */

struct pitot_perf_query *
pitot_perf_query_create(struct pitot_perf *perf, struct pitot_perf_set *set)
{
   struct pitot_perf_query *query = calloc(1, sizeof(*query) + set->record_B);
   if (!query)
      return NULL;

   query->set = set;
   query->record = query + 1;
   query->next = perf->queries;
   query->link = &perf->queries;
   if (query->next)
      query->next->link = &query->next;
   perf->queries = query;
   return query;
}

/* Leaves the query without its measurement. */
static void
leave_measurement(struct pitot_perf_query *query)
{
   if (query->measurement)
      drop_measurement(query->measurement, query->state == PITOT_STATE_ENDED);
   query->measurement = NULL;
}

void
pitot_perf_query_drop(struct pitot_perf_query *query)
{
   if (query->state != PITOT_STATE_ENDED)
      return;
   if (query->set->provider->ops->waits_in_flight ||
       query->set->provider->driver->keeps_queries_apart)
      leave_measurement(query);
   query->state = PITOT_STATE_IDLE;
}

void
pitot_perf_query_delete(struct pitot_perf_query *query)
{
   /* Nobody is left to report an error to. */
   if (query->state == PITOT_STATE_ACTIVE)
      (void)pitot_perf_query_end(query);
   destroy_done(query->set->provider);
   leave_measurement(query);
   *query->link = query->next;
   if (query->next)
      query->next->link = query->link;
   free(query);
}

/* Notes that one more measurement of a set is active, or one less. */
static void
count_active(struct pitot_perf_set *set, int change)
{
   struct pitot_perf_set *active = set->origin ? set->origin : set;

   active->active_count += change;
   if (active->overlap != PITOT_PERF_OVERLAP_ANY)
      active->provider->excluding_count += change;
}

/* Returns whether a set that is active excludes this one.  There may be
 * thousands, of which usually none is.
 */
static bool
is_excluded(const struct pitot_perf_set *wanted)
{
   const struct pitot_perf_provider *provider = wanted->provider;

   if (!provider->excluding_count)
      return false;
   for (unsigned i = 0; i < provider->set_count; i++) {
      const struct pitot_perf_set *set = &provider->sets[i];

      if (set->active_count && !pitot_perf_may_overlap(set, wanted))
         return true;
   }
   return false;
}

/* Frees the unit that measures a set of the records of other sets, which may
 * hold it until the last one is read: Intel's observation unit does.
 */
static void
settle_others(struct pitot_perf *perf, const struct pitot_perf_set *wanted)
{
   for (struct pitot_perf_query *q = perf->queries; q; q = q->next) {
      if (q->state == PITOT_STATE_ENDED &&
          !pitot_perf_may_overlap(q->set, wanted))
         pitot_perf_query_resolve(q, PITOT_PERF_WAIT);
   }
   destroy_abandoned(wanted->provider, wanted);
}

/* Measures with the query's own measurement unless that is still in flight,
 * so that there is no wait, and a failure leaves everything as it is.
 */
int
pitot_perf_query_begin(struct pitot_perf *perf,
                       struct pitot_perf_query *query)
{
   struct pitot_perf_set *set = query->set;
   struct pitot_perf_measurement *fresh = query->measurement;

   assert(query->state != PITOT_STATE_ACTIVE);
   if (is_excluded(set))
      return -EBUSY;
   destroy_done(set->provider);
   if (set->overlap == PITOT_PERF_OVERLAP_SAME)
      settle_others(perf, set);
   if (!fresh || query->state == PITOT_STATE_ENDED)
      fresh = take_measurement(set);
   if (!fresh)
      return -ENOMEM;

   const int error = set->provider->ops->begin(fresh);
   if (error) {
      if (query->measurement == fresh)
         query->measurement = NULL;
      destroy_measurement(fresh);
      return error;
   }
   if (query->measurement != fresh)
      leave_measurement(query);
   query->measurement = fresh;
   query->state = PITOT_STATE_ACTIVE;
   query->is_lost = false;
   count_active(set, 1);
   return 0;
}

/* The record will never be known.  A measurement whose end failed must not be
 * begun again (pitot_perf_provider_ops).
 */
static void
lose_record(struct pitot_perf_query *query)
{
   destroy_measurement(query->measurement);
   query->measurement = NULL;
   memset(query->record, 0, query->set->record_B);
   query->is_lost = true;
   query->state = PITOT_STATE_AVAILABLE;
}

int
pitot_perf_query_end(struct pitot_perf_query *query)
{
   assert(query->state == PITOT_STATE_ACTIVE);
   count_active(query->set, -1);
   const int error = query->set->provider->ops->end(query->measurement);
   if (error) {
      lose_record(query);
      return error;
   }
   query->state = PITOT_STATE_ENDED;
   if (query->wants_fence)
      create_fence(query->measurement);
   return 0;
}

bool
pitot_perf_query_resolve(struct pitot_perf_query *query,
                         enum pitot_perf_flush flush)
{
   if (query->state == PITOT_STATE_AVAILABLE)
      return true;
   assert(query->state == PITOT_STATE_ENDED);

   const int status =
      read_measurement(query->measurement, flush, query->record);
   assert(status != 0 || flush != PITOT_PERF_WAIT);
   if (status == 0)
      return false;
   if (status > 0)
      query->state = PITOT_STATE_AVAILABLE;
   else
      lose_record(query);
   query->set->provider->driver->disjoint |= status == -EIO;
   return true;
}
