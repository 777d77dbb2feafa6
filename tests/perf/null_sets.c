/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "null_sets.h"

struct null_measurement {
   struct pitot_perf_measurement base;
   uint64_t values[PITOT_PERF_STATISTIC_COUNT];
   uint64_t serial; /* pitot_null.issued when it ended */
};

static struct pitot_null *
null_of(const struct pitot_perf_measurement *measurement)
{
   return ((struct null_sets *)measurement->set->provider)->null;
}

/* A provider need not clear the members that perf sets. */
static struct pitot_perf_measurement stale;
static const struct pitot_perf_set unset = {
   .query_count = 5,
   .is_selection = true,
   .idle = &stale,
};

static void
list(struct pitot_perf_provider *provider)
{
   static const struct pitot_perf_set sets[NULL_SET_COUNT] = {
      { .name = PITOT_PERF_STATISTICS_NAME,
        .overlap = PITOT_PERF_OVERLAP_ANY,
        .is_common = true },
      { .name = "Same", .overlap = PITOT_PERF_OVERLAP_SAME },
      { .name = "Alone",
        .overlap = PITOT_PERF_OVERLAP_NONE,
        .is_global = true },
   };
   struct null_sets *own = (struct null_sets *)provider;

   provider->sets = calloc(NULL_SET_COUNT, sizeof(provider->sets[0]));
   if (!provider->sets)
      return;
   for (unsigned i = 0; i < PITOT_PERF_STATISTIC_COUNT; i++)
      own->counters[i] = pitot_perf_statistic(i);
   const unsigned record_B =
      pitot_perf_layout_record(own->counters, PITOT_PERF_STATISTIC_COUNT);
   for (unsigned i = 0; i < NULL_SET_COUNT; i++) {
      provider->sets[i] = unset;
      provider->sets[i].name = sets[i].name;
      provider->sets[i].overlap = sets[i].overlap;
      provider->sets[i].is_global = sets[i].is_global;
      provider->sets[i].is_common = sets[i].is_common;
      provider->sets[i].counters = own->counters;
      provider->sets[i].counter_count = PITOT_PERF_STATISTIC_COUNT;
      provider->sets[i].record_B = record_B;
   }
   provider->set_count = NULL_SET_COUNT;
   provider->has_selections = true;
}

static void
finish(struct pitot_perf_provider *provider)
{
   free(provider->sets);
   provider->set_count = 0;
}

static struct pitot_perf_measurement *
create(struct pitot_perf_set *set)
{
   struct pitot_null *null = ((struct null_sets *)set->provider)->null;
   struct null_measurement *measurement = NULL;

   if (!pitot_null_fails(null->fail, PITOT_NULL_CREATE))
      measurement = calloc(1, sizeof(*measurement));
   if (!measurement)
      return NULL;
   measurement->base.set = set;
   null->alive++;
   null->created++;
   return &measurement->base;
}

static void
destroy(struct pitot_perf_measurement *base)
{
   null_of(base)->alive--;
   free(base);
}

static void
sample(struct null_measurement *measurement, int sign)
{
   const struct pitot_null *null = null_of(&measurement->base);

   for (unsigned i = 0; i < measurement->base.set->counter_count; i++) {
      const unsigned kind = measurement->base.set->counters[i].source;

      measurement->values[i] += sign * null->counters[kind][0];
   }
}

static int
begin(struct pitot_perf_measurement *base)
{
   struct null_measurement *measurement = (struct null_measurement *)base;

   if (pitot_null_fails(null_of(base)->fail, PITOT_NULL_BEGIN))
      return -ENOMEM;
   memset(measurement->values, 0, sizeof(measurement->values));
   sample(measurement, -1);
   return 0;
}

static int
end(struct pitot_perf_measurement *base)
{
   struct null_measurement *measurement = (struct null_measurement *)base;

   if (pitot_null_fails(null_of(base)->fail, PITOT_NULL_END))
      return -EIO;
   sample(measurement, 1);
   measurement->serial = ++null_of(base)->issued;
   return 0;
}

static int
read_record(struct pitot_perf_measurement *base, bool wait, void *record_out)
{
   struct null_measurement *measurement = (struct null_measurement *)base;

   memcpy(record_out, measurement->values, base->set->record_B);
   return pitot_null_read(null_of(base), measurement->serial, wait);
}

static const struct pitot_perf_provider_ops null_sets_ops = {
   .list = list,
   .finish = finish,
   .create = create,
   .destroy = destroy,
   .begin = begin,
   .end = end,
   .read = read_record,
};

struct pitot_perf_provider *
null_sets_init(struct null_sets *sets, struct pitot_null *null)
{
   *sets = (struct null_sets){
      .base = { .ops = &null_sets_ops },
      .null = null,
   };
   return &sets->base;
}
