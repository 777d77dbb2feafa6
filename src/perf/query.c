/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perf_priv.h"

struct pitot_perf_query *
pitot_perf_query_create_unnamed(struct pitot_perf *perf,
                                struct pitot_perf_set *set)
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

struct pitot_perf_query *
pitot_perf_query_create(struct pitot_perf *perf, struct pitot_perf_set *set)
{
   struct pitot_perf_query *query =
      pitot_perf_query_create_unnamed(perf, set);
   if (!query)
      return NULL;

   query->handle = pitot_names_add(&perf->handles, query);
   if (!query->handle) {
      pitot_perf_query_delete(perf, query);
      return NULL;
   }
   set->query_count++;
   return query;
}

struct pitot_perf_query *
pitot_perf_query_lookup(const struct pitot_perf *perf, uint32_t handle)
{
   return pitot_names_object(pitot_names_find(&perf->handles, handle));
}

/* Leaves the query without its measurement. */
static void
drop_measurement(struct pitot_perf_query *query)
{
   if (query->measurement)
      pitot_perf_measurement_drop(query->measurement,
                                  query->state == PITOT_STATE_ENDED);
   query->measurement = NULL;
}

void
pitot_perf_query_drop(struct pitot_perf_query *query)
{
   if (query->state != PITOT_STATE_ENDED)
      return;
   if (query->set->provider->ops->waits_in_flight ||
       query->set->provider->driver->keeps_queries_apart)
      drop_measurement(query);
   query->state = PITOT_STATE_IDLE;
}

void
pitot_perf_query_delete(struct pitot_perf *perf,
                        struct pitot_perf_query *query)
{
   /* Nobody is left to report an error to. */
   if (query->state == PITOT_STATE_ACTIVE)
      (void)pitot_perf_query_end(query);
   pitot_perf_destroy_done(query->set->provider);
   drop_measurement(query);
   if (query->handle) {
      pitot_names_set(&perf->handles, query->handle, NULL);
      query->set->query_count--;
   }
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
   pitot_perf_destroy_abandoned(wanted->provider, wanted);
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
   pitot_perf_destroy_done(set->provider);
   if (set->overlap == PITOT_PERF_OVERLAP_SAME)
      settle_others(perf, set);
   if (!fresh || query->state == PITOT_STATE_ENDED)
      fresh = pitot_perf_measurement_take(set);
   if (!fresh)
      return -ENOMEM;

   const int error = set->provider->ops->begin(fresh);
   if (error) {
      if (query->measurement == fresh)
         query->measurement = NULL;
      pitot_perf_measurement_destroy(fresh);
      return error;
   }
   if (query->measurement != fresh)
      drop_measurement(query);
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
   pitot_perf_measurement_destroy(query->measurement);
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

   /* Monitors are always asked with a flush. */
   if (query->handle)
      pitot_perf_measurement_create_fence(query->measurement);
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
      pitot_perf_measurement_read(query->measurement, flush, query->record);
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
