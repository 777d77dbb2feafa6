/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Measurements of queries, and those that no query measures with: idle ones,
 * and those in flight that have to be left alone until the GPU is done.
 */

#include "perf_priv.h"

/* Of all sets of a provider, which may have thousands of them. */
#define MAX_IDLE 64

void
pitot_perf_measurement_create_fence(
   struct pitot_perf_measurement *measurement)
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

void
pitot_perf_measurement_destroy(struct pitot_perf_measurement *measurement)
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

   pitot_perf_measurement_create_fence(measurement);
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

/* The set of a selection is freed with its query.  Intel's unit is in use
 * while there is any measurement, even an idle one.
 */
void
pitot_perf_measurement_drop(struct pitot_perf_measurement *measurement,
                            bool is_in_flight)
{
   struct pitot_perf_set *set = measurement->set;
   struct pitot_perf_provider *provider = set->provider;

   const bool waits = provider->ops->waits_in_flight;

   if (is_in_flight && waits && abandon(measurement))
      return;
   if (set->origin || waits || provider->driver->keeps_queries_apart ||
       provider->idle_count == MAX_IDLE) {
      pitot_perf_measurement_destroy(measurement);
      return;
   }
   destroy_fence(measurement);
   measurement->next = set->idle;
   set->idle = measurement;
   provider->idle_count++;
}

void
pitot_perf_destroy_idle(struct pitot_perf_set *set)
{
   while (set->idle)
      pitot_perf_measurement_destroy(pitot_perf_measurement_take(set));
}

void
pitot_perf_destroy_abandoned(struct pitot_perf_provider *provider,
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
         pitot_perf_measurement_destroy(measurement);
      }
   }
}

void
pitot_perf_destroy_done(struct pitot_perf_provider *provider)
{
   struct pitot_driver *driver = provider->driver;

   for (unsigned i = 0; i < 2 && provider->abandoned; i++) {
      struct pitot_perf_measurement *oldest = provider->abandoned;

      if (!driver->ops->fence_is_done(driver, oldest->fence))
         return;
      provider->abandoned = oldest->next;
      pitot_perf_measurement_destroy(oldest);
   }
}

int
pitot_perf_measurement_read(struct pitot_perf_measurement *measurement,
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

struct pitot_perf_measurement *
pitot_perf_measurement_take(struct pitot_perf_set *set)
{
   struct pitot_perf_measurement *measurement = set->idle;

   if (!measurement)
      return set->provider->ops->create(set);
   set->idle = measurement->next;
   set->provider->idle_count--;
   return measurement;
}
