/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The null driver's sets of counters: "Pipeline Statistics" over its
 * counters, and sets that do not overlap, as hardware has them.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pitot/null.h"

#define SET_COUNT 3

struct pitot_null_sets {
   struct pitot_counter_info counters[PITOT_STATISTIC_COUNT];
   enum pitot_kind kinds[PITOT_STATISTIC_COUNT];
   struct pitot_counter_set sets[SET_COUNT];
};

struct null_measurement {
   struct pitot_measurement base;
   uint64_t values[PITOT_STATISTIC_COUNT];
   uint64_t serial; /* pitot_null.issued when it ended */
};

static struct pitot_null *
null_of(struct pitot_provider *provider)
{
   return ((struct pitot_null_provider *)provider)->null;
}

static const struct pitot_null_sets *
sets_of(struct pitot_provider *provider)
{
   return ((struct pitot_null_provider *)provider)->sets;
}

static int
list(struct pitot_provider *provider)
{
   static const struct pitot_counter_set sets[SET_COUNT] = {
      { .name = PITOT_STATISTICS_SET_NAME, .overlap = PITOT_OVERLAP_ANY },
      { .name = "Same", .overlap = PITOT_OVERLAP_SAME },
      { .name = "Alone", .overlap = PITOT_OVERLAP_NONE, .is_global = true },
   };
   struct pitot_null_sets *own = calloc(1, sizeof(*own));
   if (!own)
      return -ENOMEM;

   for (unsigned i = 0; i < PITOT_STATISTIC_COUNT; i++)
      own->counters[i] = pitot_statistic(i, &own->kinds[i]);
   const unsigned record_B =
      pitot_record_layout(own->counters, PITOT_STATISTIC_COUNT);
   for (unsigned i = 0; i < SET_COUNT; i++) {
      own->sets[i] = sets[i];
      own->sets[i].counters = own->counters;
      own->sets[i].counter_count = PITOT_STATISTIC_COUNT;
      own->sets[i].record_B = record_B;
   }

   ((struct pitot_null_provider *)provider)->sets = own;
   provider->sets = own->sets;
   provider->set_count = SET_COUNT;
   return 0;
}

static void
finish(struct pitot_provider *provider)
{
   free(((struct pitot_null_provider *)provider)->sets);
   provider->set_count = 0;
}

static int
create(struct pitot_provider *provider, const struct pitot_counter_set *set,
       struct pitot_measurement **measurement_out)
{
   struct pitot_null *null = null_of(provider);
   struct null_measurement *measurement = NULL;

   (void)set;
   if (!pitot_null_fails(null, PITOT_NULL_CREATE))
      measurement = calloc(1, sizeof(*measurement));
   if (!measurement)
      return -ENOMEM;
   null->alive++;
   null->created++;
   *measurement_out = &measurement->base;
   return 0;
}

static void
destroy(struct pitot_provider *provider, struct pitot_measurement *base)
{
   null_of(provider)->alive--;
   free(base);
}

/* Adds what the counters have counted, or takes it away. */
static void
sample(struct pitot_provider *provider, struct null_measurement *measurement,
       int sign)
{
   const struct pitot_null_sets *own = sets_of(provider);

   for (unsigned i = 0; i < PITOT_STATISTIC_COUNT; i++)
      measurement->values[i] +=
         sign * null_of(provider)->counters[own->kinds[i]][0];
}

static int
begin(struct pitot_provider *provider, struct pitot_measurement *base)
{
   struct null_measurement *measurement = (struct null_measurement *)base;

   if (pitot_null_fails(null_of(provider), PITOT_NULL_BEGIN))
      return -ENOMEM;
   memset(measurement->values, 0, sizeof(measurement->values));
   sample(provider, measurement, -1);
   return 0;
}

static int
end(struct pitot_provider *provider, struct pitot_measurement *base)
{
   struct null_measurement *measurement = (struct null_measurement *)base;
   struct pitot_null *null = null_of(provider);

   if (pitot_null_fails(null, PITOT_NULL_END))
      return -EIO;
   sample(provider, measurement, 1);
   measurement->serial = ++null->issued;
   return 0;
}

static int
read_record(struct pitot_provider *provider, struct pitot_measurement *base,
            bool wait, void *record_out)
{
   struct null_measurement *measurement = (struct null_measurement *)base;
   struct pitot_null *null = null_of(provider);

   memcpy(record_out, measurement->values, sizeof(measurement->values));
   return pitot_null_ask(null, measurement->serial, wait);
}

static const char *
hidden(struct pitot_provider *provider)
{
   return null_of(provider)->hidden;
}

static const struct pitot_provider_ops null_provider_ops = {
   .list = list,
   .finish = finish,
   .create = create,
   .destroy = destroy,
   .begin = begin,
   .end = end,
   .read = read_record,
   .hidden = hidden,
};

void
pitot_null_provider_init(struct pitot_null *null)
{
   null->provider = (struct pitot_null_provider){
      .base = { .ops = &null_provider_ops },
      .null = null,
   };
   null->base.providers = &null->provider.base;
}
