/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>
#include <string.h>

#include "../test.h"
#include "charge.h"

#define MAX_PROVIDERS 4

struct charged_provider {
   struct pitot_perf_provider *provider;
   const struct pitot_perf_provider_ops *ops;
   struct pitot_perf_provider_ops charged_ops;
};

/* Measurements in flight, in the order in which they ended. */
static struct {
   const struct pitot_driver_ops *ops;
   struct pitot_driver_ops charged_ops;
   struct charged_provider providers[MAX_PROVIDERS];
   const void **in_flight;
   unsigned count;
   bool is_held;
   unsigned waits;
} the;

static unsigned
find(const void *measurement)
{
   unsigned i = 0;

   while (i < the.count && the.in_flight[i] != measurement)
      i++;
   return i;
}

static void
forget(unsigned first, unsigned count)
{
   the.count -= count;
   memmove(&the.in_flight[first], &the.in_flight[first + count],
           (the.count - first) * sizeof(the.in_flight[0]));
}

/* It is to be begun again, or freed. */
static void
charge(const void *measurement)
{
   const unsigned i = find(measurement);

   if (i < the.count) {
      the.waits++;
      forget(i, 1);
   }
}

static void
take_off(const void *measurement)
{
   if (!the.is_held)
      return;
   the.in_flight =
      realloc(the.in_flight, (the.count + 1) * sizeof(the.in_flight[0]));
   the.in_flight[the.count++] = measurement;
}

static void
land(const void *measurement)
{
   const unsigned i = find(measurement);

   if (i < the.count)
      forget(0, i + 1);
}

/*
 * Queries
 */

static int
query_begin(struct pitot_driver *driver, struct pitot_driver_query *query)
{
   charge(query);
   return the.ops->query_begin(driver, query);
}

/* Of an instant kind, it was not begun before. */
static int
query_end(struct pitot_driver *driver, struct pitot_driver_query *query)
{
   charge(query);
   const int error = the.ops->query_end(driver, query);
   if (!error)
      take_off(query);
   return error;
}

static void
query_destroy(struct pitot_driver *driver, struct pitot_driver_query *query)
{
   charge(query);
   the.ops->query_destroy(driver, query);
}

static int
query_result(struct pitot_driver *driver, struct pitot_driver_query *query,
             bool wait, uint64_t *result_out)
{
   const int status = the.ops->query_result(driver, query, wait, result_out);

   if (status)
      land(query);
   return status;
}

/*
 * Sets of counters
 */

static const struct pitot_perf_provider_ops *
ops_of(const struct pitot_perf_measurement *measurement)
{
   unsigned i = 0;

   while (the.providers[i].provider != measurement->set->provider)
      i++;
   return the.providers[i].ops;
}

static int
measurement_begin(struct pitot_perf_measurement *measurement)
{
   charge(measurement);
   return ops_of(measurement)->begin(measurement);
}

static int
measurement_end(struct pitot_perf_measurement *measurement)
{
   const int error = ops_of(measurement)->end(measurement);

   if (!error)
      take_off(measurement);
   return error;
}

static void
measurement_destroy(struct pitot_perf_measurement *measurement)
{
   charge(measurement);
   ops_of(measurement)->destroy(measurement);
}

static int
measurement_read(struct pitot_perf_measurement *measurement, bool wait,
                 void *record_out)
{
   const int status =
      ops_of(measurement)->read(measurement, wait, record_out);

   if (status)
      land(measurement);
   return status;
}

static void
charge_provider(struct pitot_perf_provider *provider,
                struct charged_provider *charged)
{
   *charged = (struct charged_provider){
      .provider = provider,
      .ops = provider->ops,
      .charged_ops = *provider->ops,
   };
   charged->charged_ops.begin = measurement_begin;
   charged->charged_ops.end = measurement_end;
   charged->charged_ops.destroy = measurement_destroy;
   charged->charged_ops.read = measurement_read;
   provider->ops = &charged->charged_ops;
}

void
charge_begin(struct pitot_driver *driver,
             struct pitot_perf_provider *providers)
{
   unsigned n = 0;

   memset(&the, 0, sizeof(the));
   the.ops = driver->ops;
   the.charged_ops = *driver->ops;
   the.charged_ops.query_begin = query_begin;
   the.charged_ops.query_end = query_end;
   the.charged_ops.query_destroy = query_destroy;
   the.charged_ops.query_result = query_result;
   driver->ops = &the.charged_ops;
   for (struct pitot_perf_provider *p = providers; p; p = p->next) {
      assert_true(n < MAX_PROVIDERS);
      charge_provider(p, &the.providers[n++]);
   }
}

void
charge_end(void)
{
   free(the.in_flight);
   the.in_flight = NULL;
   the.count = 0;
}

void
charge_hold(bool is_held)
{
   the.is_held = is_held;
   if (!is_held)
      the.count = 0;
}

unsigned
charge_count(void)
{
   return the.waits;
}
