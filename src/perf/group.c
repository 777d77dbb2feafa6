/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Groups of counters: the perf sets, of which those that a provider split are
 * one.
 */

#include "pitot/perf_monitor.h"

/* Finds the group of an index, among those of a provider.  Returns how many
 * groups there are up to it, or how many the provider has.
 */
static unsigned
find_group(struct pitot_perf_provider *provider, unsigned index,
           struct pitot_perf_group *group_out)
{
   unsigned count = 0, sets;

   for (unsigned i = 0; i < provider->set_count; i += sets, count++) {
      struct pitot_perf_set *first = &provider->sets[i];

      sets = first->group ? first->group_set_count : 1;
      if (count != index)
         continue;
      *group_out = (struct pitot_perf_group){
         .name = first->group ? first->group : first->name,
         .counters = first->counters,
         .max_active_count = first->counter_count,
         .set = first,
      };
      for (unsigned k = 0; k < sets; k++)
         group_out->counter_count += first[k].counter_count;
      return count;
   }
   return count;
}

unsigned
pitot_perf_group_count(struct pitot_perf *perf)
{
   struct pitot_perf_group none;
   unsigned count = 0;

   for (unsigned i = 0; i < pitot_perf_set_count(perf);) {
      struct pitot_perf_provider *provider =
         pitot_perf_get_set(perf, i)->provider;

      count += find_group(provider, UINT32_MAX, &none);
      i += provider->set_count;
   }
   return count;
}

struct pitot_perf_group
pitot_perf_get_group(struct pitot_perf *perf, unsigned index)
{
   struct pitot_perf_group group = { 0 };

   for (unsigned i = 0; !group.set;) {
      struct pitot_perf_provider *provider =
         pitot_perf_get_set(perf, i)->provider;

      index -= find_group(provider, index, &group);
      i += provider->set_count;
   }
   return group;
}
