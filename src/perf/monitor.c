/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Groups of counters, and monitors, which measure counters of any groups.
 *
 * The results of a monitor are sorted by group and counter, and point into
 * its portions: a change of the enabled counters replaces both.  A selection
 * is a set that the monitor owns, with copies of counters and other offsets.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perf_priv.h"

/*
 * Groups
 */

/* is_common: adds the groups that Pitot names, else the driver's own. */
static void
add_groups(struct pitot_perf *perf, bool is_common)
{
   const unsigned set_count = pitot_perf_set_count(perf);
   unsigned next;

   for (unsigned i = 0; i < set_count; i = next) {
      struct pitot_perf_set *set = pitot_perf_get_set(perf, i);

      next = i + (set->group ? set->group_set_count : 1);
      if (set->is_common != is_common)
         continue;
      struct pitot_perf_group *group = &perf->groups[perf->group_count++];
      *group = (struct pitot_perf_group){
         .name = set->group ? set->group : set->name,
         .set = set,
      };
      for (; i < next; i++)
         group->counter_count += pitot_perf_get_set(perf, i)->counter_count;
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

/*
 * Portions
 *
 * If the provider supports selections, a portion measures the enabled
 * counters of a domain; otherwise it measures a whole set.
 */

/* Whether a portion measures, or can add, the counters of a set. */
static bool
belongs_to_portion(const struct pitot_perf_portion *portion,
                   const struct pitot_perf_set *set)
{
   const struct pitot_perf_set *measured = portion->set;

   return measured == set ||
          (measured->is_selection && measured->provider == set->provider &&
           measured->domain == set->domain &&
           measured->overlap == set->overlap);
}

/* A set that consists of a monitor's enabled counters of one domain. */
struct selection {
   struct pitot_perf_set set;
   struct pitot_perf_counter counters[];
};

static struct pitot_perf_counter *
counters_of(struct pitot_perf_set *set)
{
   return ((struct selection *)set)->counters;
}

/* Returns an empty selection for the domain of a set. */
static struct pitot_perf_set *
create_selection(const struct pitot_perf_set *set, unsigned max_count)
{
   struct selection *selection =
      calloc(1, sizeof(*selection) + max_count * sizeof(set->counters[0]));
   if (!selection)
      return NULL;

   selection->set = *set;
   selection->set.is_selection = true;
   selection->set.counters = selection->counters;
   selection->set.counter_count = 0;
   selection->set.idle = NULL;
   return &selection->set;
}

/* set is NULL if its allocation failed. */
static int
add_portion(struct pitot_perf_query *query, struct pitot_perf_set *set)
{
   if (!set)
      return -ENOMEM;
   query->portions[query->portion_count++].set = set;
   return 0;
}

/* Finds or adds the portion for the counters of a set.  Returns 0; -ENOMEM;
 * or -EBUSY if another portion conflicts with the set.
 */
static int
find_portion(struct pitot_perf_query *monitor, struct pitot_perf_set *set,
             struct pitot_perf_portion **portion_out)
{
   const bool is_selectable = set->provider->has_selections &&
                              set->overlap != PITOT_PERF_OVERLAP_SAME;
   unsigned i;

   for (i = 0; i < monitor->portion_count; i++) {
      if (belongs_to_portion(&monitor->portions[i], set))
         break;
      if (!pitot_perf_may_overlap(monitor->portions[i].set, set))
         return -EBUSY;
   }
   *portion_out = &monitor->portions[i];
   if (i < monitor->portion_count)
      return 0;
   return add_portion(monitor,
                      is_selectable
                         ? create_selection(set, monitor->result_count)
                         : set);
}

/* Adds the counter of result i to its portion.  Returns 0; -ENOMEM; or -EBUSY
 * if the group measures fewer counters at a time.  Results are sorted by
 * group, so this is the case if result i - max_count has the same group.
 */
static int
add_counter(struct pitot_perf_query *monitor, unsigned i)
{
   struct pitot_perf_result *result = &monitor->results[i];
   const struct pitot_perf_group *group =
      pitot_perf_get_group(monitor->perf, result->group);
   struct pitot_perf_set *set = group->set;
   const unsigned max_count = set->counter_count;
   unsigned index = result->counter;

   if (i >= max_count &&
       monitor->results[i - max_count].group == result->group)
      return -EBUSY;
   while (index >= set->counter_count) /* find the set in a split group */
      index -= set++->counter_count;
   const int error = find_portion(monitor, set, &result->portion);
   if (error)
      return error;

   struct pitot_perf_set *measured = result->portion->set;
   result->info = &set->counters[index];
   if (measured->is_selection) {
      counters_of(measured)[measured->counter_count] = *result->info;
      result->info = &measured->counters[measured->counter_count++];
   }
   return 0;
}

static int
create_records(struct pitot_perf_query *query)
{
   for (unsigned i = 0; i < query->portion_count; i++) {
      struct pitot_perf_portion *portion = &query->portions[i];
      struct pitot_perf_set *set = portion->set;

      if (set->is_selection)
         set->record_B =
            pitot_perf_layout_record(counters_of(set), set->counter_count);
      portion->record = calloc(1, set->record_B);
      if (!portion->record)
         return -ENOMEM;
   }
   return 0;
}

int
pitot_perf_create_portions(struct pitot_perf_query *query)
{
   const unsigned max_count = query->set ? 1 : query->result_count;
   int error = 0;

   if (query->portions || !max_count)
      return 0;
   query->portions = calloc(max_count, sizeof(query->portions[0]));
   if (!query->portions)
      return -ENOMEM;
   if (query->set)
      error = add_portion(query, query->set);
   for (unsigned i = 0; i < query->result_count && !error; i++)
      error = add_counter(query, i);
   if (!error)
      error = create_records(query);
   if (error)
      pitot_perf_destroy_portions(query);
   return error;
}

/*
 * Enabled counters
 */

/* The sort key of results */
static uint64_t
place_of(const struct pitot_perf_result *result)
{
   return (uint64_t)result->group << 32 | result->counter;
}

/* No effect if the counter is already enabled or disabled.  The array of
 * results must have space for one more.
 */
static void
enable_counter(struct pitot_perf_query *selection, bool enable,
               struct pitot_perf_result changed)
{
   struct pitot_perf_result *at = selection->results;
   struct pitot_perf_result *end = at + selection->result_count;

   while (at < end && place_of(at) < place_of(&changed))
      at++;
   const bool is_there = at < end && place_of(at) == place_of(&changed);

   if (enable && !is_there) {
      memmove(at + 1, at, (end - at) * sizeof(*at));
      *at = changed;
      selection->result_count++;
   } else if (!enable && is_there) {
      memmove(at, at + 1, (end - at - 1) * sizeof(*at));
      selection->result_count--;
   }
}

/* Gives a monitor the results and portions of selection.  An active monitor
 * begins again.
 */
static int
replace_selection(struct pitot_perf_query *monitor,
                  const struct pitot_perf_query *selection)
{
   const bool was_active = monitor->state == PITOT_STATE_ACTIVE;

   if (was_active)
      (void)pitot_perf_query_end(monitor);
   pitot_perf_destroy_portions(monitor);
   free(monitor->results);
   monitor->results = selection->results;
   monitor->result_count = selection->result_count;
   monitor->portions = selection->portions;
   monitor->portion_count = selection->portion_count;
   monitor->state = PITOT_STATE_IDLE;
   if (!was_active)
      return 0;
   const int error = pitot_perf_query_begin(monitor);
   if (error) { /* active nevertheless: the application will end it */
      monitor->state = PITOT_STATE_ACTIVE;
      monitor->perf->active_count++;
   }
   monitor->is_lost = error != 0;
   return error;
}

int
pitot_perf_monitor_select(struct pitot_perf_query *monitor, bool enable,
                          uint32_t group, const uint32_t *counters,
                          unsigned count)
{
   struct pitot_perf_query selection = {
      .perf = monitor->perf,
      .results = calloc(monitor->result_count + (size_t)count + 1,
                        sizeof(selection.results[0])),
      .result_count = monitor->result_count,
   };
   int error = 0;

   if (!selection.results)
      return -ENOMEM;
   if (monitor->result_count)
      memcpy(selection.results, monitor->results,
             monitor->result_count * sizeof(selection.results[0]));
   for (unsigned i = 0; i < count; i++)
      enable_counter(&selection, enable,
                     (struct pitot_perf_result){ .group = group,
                                                 .counter = counters[i] });
   if (monitor->state == PITOT_STATE_ACTIVE)
      error = pitot_perf_create_portions(&selection);
   if (!error)
      return replace_selection(monitor, &selection);
   free(selection.results);
   return error;
}
