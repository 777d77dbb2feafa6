/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The perf sets of a context: the sets of its providers, one after another.
 *
 * The providers list their sets when an application first queries counters.
 * The lists then stay, because ids are indices into them.
 */

#include <errno.h>
#include <stdlib.h>

#include "perf_priv.h"

unsigned
pitot_perf_layout_record(struct pitot_perf_counter *counters, unsigned count)
{
   unsigned end_B = 0;

   for (unsigned i = 0; i < count; i++) {
      const enum pitot_perf_data_type type = counters[i].data_type;
      const unsigned size_B =
         type == PITOT_PERF_DATA_UINT64 || type == PITOT_PERF_DATA_DOUBLE ? 8
                                                                          : 4;

      counters[i].size_B = size_B;
      counters[i].offset_B = (end_B + size_B - 1) / size_B * size_B;
      end_B = counters[i].offset_B + size_B;
   }
   return (end_B + 7) / 8 * 8;
}

struct pitot_perf_counter
pitot_perf_statistic(unsigned index)
{
   const enum pitot_kind kind =
      index < PITOT_STATISTIC_COUNT
         ? PITOT_KIND_FIRST_STATISTIC + index
         : PITOT_KIND_PRIMITIVES_GENERATED + index - PITOT_STATISTIC_COUNT;

   return (struct pitot_perf_counter){
      .name = pitot_kind_info(kind)->counter_name,
      .description = pitot_kind_info(kind)->counter_description,
      .type = PITOT_PERF_COUNTER_EVENT,
      .data_type = PITOT_PERF_DATA_UINT64,
      .source = kind,
   };
}

static void
delete_query(void *data, void *query)
{
   (void)data;
   pitot_perf_query_delete(query);
}

int
pitot_perf_create(struct pitot_context *context,
                  struct pitot_perf_provider *providers,
                  struct pitot_perf **perf_out)
{
   struct pitot_perf *perf = calloc(1, sizeof(*perf));
   if (!perf)
      return -ENOMEM;

   pitot_names_init(&perf->handles);
   pitot_names_init(&perf->monitors);
   perf->providers = providers;
   perf->last = &perf->providers;
   while (*perf->last)
      perf->last = &(*perf->last)->next;
   *perf->last = &perf->time.base;
   perf->time.base.ops = &pitot_perf_time_ops;
   perf->time.context = context;
   *perf_out = perf;
   return 0;
}

void
pitot_perf_destroy(struct pitot_perf *perf)
{
   if (!perf)
      return;
   pitot_names_finish(&perf->monitors, delete_query, NULL);
   pitot_names_finish(&perf->handles, delete_query, NULL);
   while (perf->queries)
      pitot_perf_query_delete(perf->queries);
   for (struct pitot_perf_provider *p = perf->providers; p; p = p->next) {
      pitot_perf_destroy_measurements(p);
      if (p->ops->finish)
         p->ops->finish(p);
   }
   *perf->last = NULL;
   free(perf->groups);
   free(perf);
}

static void
list_sets(struct pitot_perf *perf, struct pitot_perf_provider *provider)
{
   provider->driver = pitot_context_info(perf->time.context)->driver;
   provider->idle_count = 0;
   provider->abandoned = NULL;
   provider->abandoned_end = &provider->abandoned;
   provider->ops->list(provider);
   for (unsigned i = 0; i < provider->set_count; i++) {
      struct pitot_perf_set *set = &provider->sets[i];

      set->provider = provider;
      set->query_count = 0;
      set->is_selection = false;
      set->idle = NULL;
   }
}

unsigned
pitot_perf_set_count(struct pitot_perf *perf)
{
   unsigned count = 0;

   for (struct pitot_perf_provider *p = perf->providers; p; p = p->next) {
      if (!perf->is_listed)
         list_sets(perf, p);
      count += p->set_count;
   }
   perf->is_listed = true;
   return count;
}

struct pitot_perf_set *
pitot_perf_get_set(struct pitot_perf *perf, unsigned index)
{
   struct pitot_perf_provider *provider = perf->providers;

   while (index >= provider->set_count) {
      index -= provider->set_count;
      provider = provider->next;
   }
   return &provider->sets[index];
}
