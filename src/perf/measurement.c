/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Measurements of queries, and those in flight that were given up.
 */

#include "perf_priv.h"

/* To ask whether the oldest measurement that was given up is available may
 * cost a driver more than to create another one, so a few are left alone.
 */
#define ASK_COUNT 16

/* So many measurements of all sets of a provider may be left alone. */
#define ASK_OTHERS_COUNT 64

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

static struct pitot_perf_measurement *
take_oldest(struct pitot_perf_set *set)
{
   set->in_flight.given_up_count--;
   set->provider->given_up_count--;
   return (struct pitot_perf_measurement *)pitot_in_flight_take_oldest(
      &set->in_flight);
}

void
pitot_perf_destroy_given_up(struct pitot_perf_set *set)
{
   while (set->in_flight.oldest)
      pitot_perf_measurement_destroy(take_oldest(set));
}

void
pitot_perf_destroy_passed(struct pitot_perf_set *set)
{
   struct pitot_driver *driver = set->provider->driver;

   while (set->in_flight.oldest) {
      struct pitot_perf_measurement *oldest =
         (struct pitot_perf_measurement *)set->in_flight.oldest;

      if (!oldest->fence ||
          !driver->ops->fence_is_done(driver, oldest->fence))
         return;
      pitot_perf_measurement_destroy(take_oldest(set));
   }
}

/* Looks at the next set of the provider, other than this one, that gave up
 * measurements: a set that is never measured again would keep them, with
 * their fences, for as long as the context lives.
 */
static void
settle_next(struct pitot_perf_set *set)
{
   struct pitot_perf_provider *provider = set->provider;

   for (unsigned i = 0; i < provider->set_count; i++) {
      struct pitot_perf_set *next =
         &provider->sets[provider->next_settled++ % provider->set_count];

      if (next != set && next->in_flight.oldest) {
         pitot_perf_destroy_passed(next);
         return;
      }
   }
}

void
pitot_perf_measurement_give_up(struct pitot_perf_set *set,
                               struct pitot_perf_measurement *measurement)
{
   pitot_perf_measurement_create_fence(measurement);
   if (++set->provider->given_up_count > ASK_OTHERS_COUNT)
      settle_next(set);
   pitot_in_flight_add(&set->in_flight, &measurement->base);
   if (++set->in_flight.given_up_count > PITOT_GIVEN_UP_COUNT)
      pitot_perf_measurement_destroy(take_oldest(set));
}

void
pitot_perf_leave_given_up(struct pitot_perf_set *set)
{
   struct pitot_perf_set *left = &set->provider->left;

   while (set->in_flight.oldest) {
      struct pitot_perf_measurement *measurement = take_oldest(set);

      measurement->set = left;
      pitot_perf_measurement_give_up(left, measurement);
   }
   pitot_perf_destroy_passed(left);
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
pitot_perf_measurement_take(struct pitot_perf_query *query)
{
   struct pitot_perf_set *set = query->set;

   while (query->state != PITOT_STATE_AVAILABLE &&
          set->in_flight.given_up_count >= ASK_COUNT) {
      struct pitot_perf_measurement *oldest =
         (struct pitot_perf_measurement *)set->in_flight.oldest;
      const int status =
         pitot_perf_measurement_read(oldest, PITOT_PERF_DONT_FLUSH,
                                     query->record);

      if (status == 0)
         break;
      take_oldest(set);
      if (status > 0)
         return oldest;
      pitot_perf_measurement_destroy(oldest);
   }
   return set->provider->ops->create(set);
}
