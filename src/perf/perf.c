/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The perf sets of a context: those of all providers in one list.
 */

#include <errno.h>
#include <stdlib.h>

#include "perf_priv.h"

unsigned
pitot_perf_layout_record(struct pitot_perf_counter *counters, unsigned count)
{
   static const unsigned sizes_B[] = {
      [PITOT_PERF_DATA_BOOL32] = 4, [PITOT_PERF_DATA_UINT32] = 4,
      [PITOT_PERF_DATA_UINT64] = 8, [PITOT_PERF_DATA_FLOAT] = 4,
      [PITOT_PERF_DATA_DOUBLE] = 8,
   };
   unsigned end_B = 0;

   for (unsigned i = 0; i < count; i++) {
      const unsigned size_B = sizes_B[counters[i].data_type];

      counters[i].size_B = size_B;
      counters[i].offset_B = (end_B + size_B - 1) / size_B * size_B;
      end_B = counters[i].offset_B + size_B;
   }
   return (end_B + 7) / 8 * 8;
}

struct pitot_perf_counter
pitot_perf_statistic(unsigned index, enum pitot_kind *kind_out)
{
   static const unsigned count =
      PITOT_KIND_COUNT - PITOT_KIND_FIRST_STATISTIC;

   *kind_out = index < count
                  ? PITOT_KIND_FIRST_STATISTIC + index
                  : PITOT_KIND_PRIMITIVES_GENERATED + index - count;
   return (struct pitot_perf_counter){
      .name = pitot_kind_info(*kind_out)->counter_name,
      .description = pitot_kind_info(*kind_out)->counter_description,
      .type = PITOT_PERF_COUNTER_EVENT,
      .data_type = PITOT_PERF_DATA_UINT64,
   };
}

int
pitot_perf_create(struct pitot_context *context,
                  struct pitot_perf_provider *providers,
                  struct pitot_perf **perf_out)
{
   struct pitot_perf *perf = calloc(1, sizeof(*perf));
   if (!perf)
      return -ENOMEM;

   perf->context = context;
   perf->providers = providers;
   pitot_perf_time_init(&perf->time, context);
   *perf_out = perf;
   return 0;
}

/* Returns the provider after one, or the first: the caller's, then "GPU
 * Time".
 */
static struct pitot_perf_provider *
next_provider(struct pitot_perf *perf, struct pitot_perf_provider *provider)
{
   struct pitot_perf_provider *last = &perf->time.base;

   if (provider == last)
      return NULL;
   struct pitot_perf_provider *next =
      provider ? provider->next : perf->providers;
   return next ? next : last;
}

void
pitot_perf_destroy(struct pitot_perf *perf)
{
   struct pitot_perf_provider *provider = NULL;

   if (!perf)
      return;
   for (unsigned i = 0; i < perf->query_capacity; i++) {
      if (perf->queries[i])
         pitot_perf_query_delete(perf, perf->queries[i]);
   }
   for (unsigned i = 0; i < perf->set_count; i++)
      pitot_pool_finish(&perf->sets[i].pool);
   while (perf->is_listed && (provider = next_provider(perf, provider))) {
      if (provider->ops->finish)
         provider->ops->finish(provider);
   }
   free(perf->queries);
   free(perf->scratch);
   free(perf->sets);
   free(perf);
}

static void
add_sets(struct pitot_perf *perf, struct pitot_perf_provider *provider)
{
   for (unsigned i = 0; i < provider->set_count; i++) {
      struct pitot_perf_listed *listed = &perf->sets[perf->set_count++];

      listed->set = &provider->sets[i];
      listed->provider = provider;
      listed->driver = pitot_context_info(perf->context)->driver;
      pitot_pool_init(&listed->pool, 0, listed,
                      pitot_perf_measurement_destroy);
   }
}

/* Asks every provider once; a provider without memory has no sets. */
static void
list_sets(struct pitot_perf *perf)
{
   struct pitot_perf_provider *provider = NULL;
   unsigned count = 0;
   unsigned max_record_B = 0;

   perf->is_listed = true;
   while ((provider = next_provider(perf, provider))) {
      (void)provider->ops->list(provider);
      count += provider->set_count;
      for (unsigned i = 0; i < provider->set_count; i++)
         if (max_record_B < provider->sets[i].record_B)
            max_record_B = provider->sets[i].record_B;
   }

   if (!count)
      return;
   perf->sets = calloc(count, sizeof(perf->sets[0]));
   perf->scratch = calloc(1, max_record_B);
   if (!perf->sets || !perf->scratch)
      return;
   while ((provider = next_provider(perf, provider)))
      add_sets(perf, provider);
}

unsigned
pitot_perf_set_count(struct pitot_perf *perf)
{
   if (!perf->is_listed)
      list_sets(perf);
   return perf->set_count;
}

const struct pitot_perf_set *
pitot_perf_get_set(struct pitot_perf *perf, unsigned set_index)
{
   return perf->sets[set_index].set;
}

unsigned
pitot_perf_query_count(struct pitot_perf *perf, unsigned set_index)
{
   return perf->sets[set_index].query_count;
}

const char *
pitot_perf_hidden(struct pitot_perf *perf)
{
   struct pitot_perf_provider *provider = NULL;
   const char *advice = NULL;

   (void)pitot_perf_set_count(perf);
   while (!advice && (provider = next_provider(perf, provider))) {
      if (provider->ops->hidden)
         advice = provider->ops->hidden(provider);
   }
   return advice;
}
