/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Perf queries: begins, ends and reads the portions of queries and monitors.
 *
 * A begin begins all portions or none, and if it fails, leaves the records.
 * Only wait_for_conflicting_records(), PITOT_PERF_WAIT and the end of a
 * context wait for the GPU, if the driver has fences.
 *
 * Intel's OA unit stays in use while any of its measurements exists, so none
 * is kept idle.  It cannot change to another set before all records of its
 * set are read: see wait_for_conflicting_records().
 */

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perf_priv.h"

/*
 * Measurements: of a query; idle, for reuse; or abandoned, in flight until
 * their fence is done, because to destroy them earlier would wait
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

/* Per provider, not per set: a provider may have thousands of sets. */
#define MAX_IDLE 64

/* For an ended measurement.  fence stays NULL if the driver has no fences. */
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

/* Abandons, destroys or keeps a measurement that its query no longer needs;
 * it must not be active.  Keeps none idle if the provider waits in flight
 * (Intel's) or the driver keeps queries apart.  MAX_IDLE ignores selections,
 * because a selection belongs to one portion, which destroys its idle
 * measurements.
 */
static void
drop_measurement(struct pitot_perf_measurement *measurement,
                 bool is_in_flight)
{
   struct pitot_perf_set *set = measurement->set;
   struct pitot_perf_provider *provider = set->provider;
   const bool waits = provider->ops->waits_in_flight;

   if (waits && is_in_flight)
      create_fence(measurement);
   if (waits && is_in_flight && measurement->fence) {
      measurement->next = NULL;
      *provider->abandoned_end = measurement;
      provider->abandoned_end = &measurement->next;
   } else if (waits || provider->driver->keeps_queries_apart ||
              (provider->idle_count == MAX_IDLE && !set->is_selection)) {
      destroy_measurement(measurement);
   } else {
      destroy_fence(measurement);
      measurement->next = set->idle;
      set->idle = measurement;
      provider->idle_count += !set->is_selection;
   }
}

/* Returns an idle or a new measurement; NULL if allocation fails. */
static struct pitot_perf_measurement *
take_measurement(struct pitot_perf_set *set)
{
   struct pitot_perf_measurement *measurement = set->idle;

   if (!measurement)
      return set->provider->ops->create(set);
   set->idle = measurement->next;
   set->provider->idle_count -= !set->is_selection;
   return measurement;
}

/* Waits for and destroys the abandoned measurements that cannot overlap
 * wanted, or all if wanted is NULL.
 */
static void
destroy_abandoned(struct pitot_perf_provider *provider,
                  const struct pitot_perf_set *wanted)
{
   struct pitot_perf_measurement **link = &provider->abandoned;

   while (*link) {
      struct pitot_perf_measurement *measurement = *link;

      if (wanted && pitot_perf_may_overlap(measurement->set, wanted)) {
         link = &measurement->next;
      } else {
         *link = measurement->next;
         destroy_measurement(measurement);
      }
   }
   provider->abandoned_end = link;
}

static void
destroy_idle(struct pitot_perf_set *set)
{
   while (set->idle)
      destroy_measurement(take_measurement(set));
}

void
pitot_perf_destroy_measurements(struct pitot_perf_provider *provider)
{
   for (unsigned i = 0; i < provider->set_count; i++)
      destroy_idle(&provider->sets[i]);
   destroy_abandoned(provider, NULL);
}

/* Destroys the two oldest abandoned measurements, if the GPU is done: a begin
 * abandons at most one per portion, so that the list becomes shorter.
 */
static void
destroy_signaled(struct pitot_perf_provider *provider)
{
   struct pitot_driver *driver = provider->driver;

   for (unsigned i = 0; i < 2 && provider->abandoned; i++) {
      struct pitot_perf_measurement *oldest = provider->abandoned;

      if (!driver->ops->fence_is_done(driver, oldest->fence))
         return;
      provider->abandoned = oldest->next;
      if (!provider->abandoned)
         provider->abandoned_end = &provider->abandoned;
      destroy_measurement(oldest);
   }
}

/*
 * Portions
 */

/* Drops a record in flight. */
static void
leave_measurement(struct pitot_perf_portion *portion)
{
   if (portion->measurement)
      drop_measurement(portion->measurement, portion->is_in_flight);
   portion->measurement = NULL;
   portion->is_in_flight = false;
}

void
pitot_perf_destroy_portions(struct pitot_perf_query *query)
{
   for (unsigned i = 0; i < query->portion_count; i++) {
      struct pitot_perf_portion *portion = &query->portions[i];

      destroy_signaled(portion->set->provider);
      leave_measurement(portion);
      free(portion->record);
      if (portion->set->is_selection) {
         destroy_idle(portion->set);
         free(portion->set);
      }
   }
   free(query->portions);
   query->portions = NULL;
   query->portion_count = 0;
}

/* Destroys the measurement, because one whose end failed must not begin again
 * (pitot_perf_provider_ops).
 */
static void
lose_record(struct pitot_perf_query *query,
            struct pitot_perf_portion *portion)
{
   destroy_measurement(portion->measurement);
   portion->measurement = NULL;
   query->is_lost = true;
}

/* Returns whether the portion has its record.  Without a fence,
 * PITOT_PERF_DONT_FLUSH polls the provider, which may flush: nothing else
 * knows whether the record is ready.
 */
static bool
resolve_portion(struct pitot_perf_query *query,
                struct pitot_perf_portion *portion,
                enum pitot_perf_flush flush)
{
   struct pitot_perf_measurement *measurement = portion->measurement;
   const struct pitot_perf_provider *provider = portion->set->provider;
   struct pitot_driver *driver = provider->driver;
   bool wait = flush == PITOT_PERF_WAIT;

   if (!portion->is_in_flight)
      return true;
   if (flush == PITOT_PERF_DONT_FLUSH && measurement->fence) {
      if (!driver->ops->fence_is_done(driver, measurement->fence))
         return false;
      wait = true; /* the GPU is done: no wait and no flush */
   }
   const int status = provider->ops->read(measurement, wait, portion->record);
   assert(status != 0 || !wait);
   if (status == 0)
      return false;
   destroy_fence(measurement);
   portion->is_in_flight = false;
   if (status < 0)
      lose_record(query, portion);
   driver->disjoint |= status == -EIO;
   return true;
}

/* Makes an ended query available if no record is in flight.  If one record is
 * lost, all are 0.
 */
static bool
resolve_records(struct pitot_perf_query *query)
{
   for (unsigned i = 0; i < query->portion_count; i++) {
      if (query->portions[i].is_in_flight)
         return false;
   }
   query->state = PITOT_STATE_AVAILABLE;
   for (unsigned i = 0; i < query->portion_count && query->is_lost; i++)
      memset(query->portions[i].record, 0, query->portions[i].set->record_B);
   return true;
}

/* Whether an active query conflicts with a set. */
static bool
is_excluded(const struct pitot_perf *perf,
            const struct pitot_perf_set *wanted)
{
   if (wanted->overlap == PITOT_PERF_OVERLAP_ANY || perf->active_count == 0)
      return false;
   for (const struct pitot_perf_query *q = perf->queries; q; q = q->next) {
      if (q->state != PITOT_STATE_ACTIVE)
         continue;
      for (unsigned i = 0; i < q->portion_count; i++) {
         if (q->portions[i].measurement &&
             !pitot_perf_may_overlap(q->portions[i].set, wanted))
            return true;
      }
   }
   return false;
}

/* Waits for the records of sets that conflict with wanted: Intel's OA unit
 * stays in use for a set until its last record is read.
 */
static void
wait_for_conflicting_records(struct pitot_perf *perf,
                             const struct pitot_perf_set *wanted)
{
   for (struct pitot_perf_query *q = perf->queries; q; q = q->next) {
      if (q->state != PITOT_STATE_ENDED)
         continue;
      for (unsigned i = 0; i < q->portion_count; i++) {
         if (!pitot_perf_may_overlap(q->portions[i].set, wanted))
            (void)resolve_portion(q, &q->portions[i], PITOT_PERF_WAIT);
      }
      (void)resolve_records(q);
   }
   destroy_abandoned(wanted->provider, wanted);
}

/* If the portion's own measurement is in flight, begins another one, so that
 * there is no wait and a failure leaves the record.
 */
static int
begin_portion(struct pitot_perf *perf, struct pitot_perf_portion *portion)
{
   struct pitot_perf_set *set = portion->set;

   if (is_excluded(perf, set))
      return -EBUSY;
   destroy_signaled(set->provider);
   if (set->overlap == PITOT_PERF_OVERLAP_SAME)
      wait_for_conflicting_records(perf, set);

   struct pitot_perf_measurement *measurement = NULL;
   if (!portion->is_in_flight) {
      measurement = portion->measurement;
      portion->measurement = NULL;
   }
   if (!measurement)
      measurement = take_measurement(set);
   if (!measurement)
      return -ENOMEM;
   const int error = set->provider->ops->begin(measurement);
   if (error)
      destroy_measurement(measurement);
   else
      portion->begun = measurement;
   return error;
}

/* Undoes begin_portion() after another portion failed to begin. */
static void
take_back(struct pitot_perf_portion *portion)
{
   if (portion->set->provider->ops->end(portion->begun))
      destroy_measurement(portion->begun);
   else
      drop_measurement(portion->begun, true);
}

/*
 * Queries
 */

struct pitot_perf_query *
pitot_perf_query_create(struct pitot_perf *perf, struct pitot_perf_set *set)
{
   struct pitot_perf_query *query = calloc(1, sizeof(*query));
   if (!query)
      return NULL;

   query->perf = perf;
   query->set = set;
   query->next = perf->queries;
   query->link = &perf->queries;
   if (query->next)
      query->next->link = &query->next;
   perf->queries = query;
   if (set && pitot_perf_create_portions(query)) {
      pitot_perf_query_delete(query);
      return NULL;
   }
   return query;
}

void
pitot_perf_query_delete(struct pitot_perf_query *query)
{
   /* Ignore an error: it loses the records, which are dropped anyway. */
   if (query->state == PITOT_STATE_ACTIVE)
      (void)pitot_perf_query_end(query);
   pitot_perf_destroy_portions(query);
   *query->link = query->next;
   if (query->next)
      query->next->link = query->link;
   free(query->results);
   free(query);
}

int
pitot_perf_query_begin(struct pitot_perf_query *query)
{
   assert(query->state != PITOT_STATE_ACTIVE);
   int error = pitot_perf_create_portions(query);
   if (error)
      return error;
   for (unsigned i = 0; i < query->portion_count; i++) {
      error = begin_portion(query->perf, &query->portions[i]);
      if (!error)
         continue;
      while (i-- > 0)
         take_back(&query->portions[i]);
      return error;
   }
   for (unsigned i = 0; i < query->portion_count; i++) {
      leave_measurement(&query->portions[i]);
      query->portions[i].measurement = query->portions[i].begun;
   }
   query->state = PITOT_STATE_ACTIVE;
   query->perf->active_count++;
   query->is_lost = false;
   return 0;
}

int
pitot_perf_query_end(struct pitot_perf_query *query)
{
   int last_error = 0;

   assert(query->state == PITOT_STATE_ACTIVE);
   for (unsigned i = query->portion_count; i-- > 0;) {
      struct pitot_perf_portion *portion = &query->portions[i];

      if (!portion->measurement) /* replace_selection() failed to begin */
         continue;
      const int error =
         portion->set->provider->ops->end(portion->measurement);
      if (error) {
         lose_record(query, portion);
         last_error = error;
         continue;
      }
      portion->is_in_flight = true;
      if (query->wants_fence)
         create_fence(portion->measurement);
   }
   query->state = PITOT_STATE_ENDED;
   query->perf->active_count--;
   (void)resolve_records(query);
   return last_error;
}

bool
pitot_perf_query_resolve(struct pitot_perf_query *query,
                         enum pitot_perf_flush flush)
{
   if (query->state == PITOT_STATE_AVAILABLE)
      return true;
   assert(query->state == PITOT_STATE_ENDED);
   for (unsigned i = 0; i < query->portion_count; i++)
      (void)resolve_portion(query, &query->portions[i], flush);
   return resolve_records(query);
}
