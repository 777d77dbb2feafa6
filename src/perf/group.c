/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Groups of counters: the perf sets, of which those that a provider split are
 * one.
 */

#include <stdlib.h>

#include "perf_priv.h"
#include "pitot_perf_monitor.h"

/* Adds the group of a set, and of those that it was split into. */
static void
add_group(struct pitot_perf *perf, struct pitot_perf_set *first,
          unsigned set_count)
{
   struct pitot_perf_group *group = &perf->groups[perf->group_count++];

   *group = (struct pitot_perf_group){
      .name = first->group ? first->group : first->name,
      .counters = first->counters,
      .max_active_count = first->counter_count,
      .set = first,
   };
   for (unsigned i = 0; i < set_count; i++)
      group->counter_count += first[i].counter_count;
}

/* Adds the groups of all drivers, or those of this one. */
static void
add_groups(struct pitot_perf *perf, bool is_common)
{
   const unsigned count = pitot_perf_set_count(perf);
   unsigned sets;

   for (unsigned i = 0; i < count; i += sets) {
      struct pitot_perf_set *first = pitot_perf_get_set(perf, i);

      sets = first->group ? first->group_set_count : 1;
      if (first->is_common == is_common)
         add_group(perf, first, sets);
   }
}

unsigned
pitot_perf_group_count(struct pitot_perf *perf)
{
   if (perf->groups)
      return perf->group_count;
   perf->groups = calloc(pitot_perf_set_count(perf), sizeof(perf->groups[0]));
   if (perf->groups) {
      add_groups(perf, false);
      add_groups(perf, true);
   }
   return perf->group_count;
}

const struct pitot_perf_group *
pitot_perf_get_group(const struct pitot_perf *perf, unsigned index)
{
   return &perf->groups[index];
}
