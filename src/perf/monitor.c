/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Groups of counters: the perf sets, of which those that a provider split are
 * one.  And monitors: measurements of counters of any groups.
 */

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perf_priv.h"

/*
 * Groups
 */

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

/*
 * Portions
 *
 * The counters of one domain are measured together, as a selection, where the
 * provider takes one; of other providers, whole sets are measured.
 */

/* Returns whether the counters of a set belong to a portion. */
static bool
belongs(const struct pitot_perf_portion *portion,
        const struct pitot_perf_set *set)
{
   const struct pitot_perf_set *measured = portion->set;

   return measured == set ||
          (measured->is_selection && measured->provider == set->provider &&
           measured->domain == set->domain &&
           measured->overlap == set->overlap);
}

static struct pitot_perf_counter *
counters_of(struct pitot_perf_set *selection)
{
   return (struct pitot_perf_counter *)(selection + 1);
}

/* Returns a selection that has no counters yet of a set and its likes. */
static struct pitot_perf_set *
create_selection(const struct pitot_perf_set *set, unsigned max_count)
{
   struct pitot_perf_set *selection =
      calloc(1, sizeof(*selection) + max_count * sizeof(set->counters[0]));
   if (!selection)
      return NULL;

   *selection = *set;
   selection->is_selection = true;
   selection->counters = counters_of(selection);
   selection->counter_count = 0;
   selection->idle = NULL;
   return selection;
}

/* Returns the portion that the counters of a set belong to, which is a new
 * one if need be; NULL without memory.
 */
static struct pitot_perf_portion *
find_portion(struct pitot_perf_query *monitor, struct pitot_perf_set *set)
{
   struct pitot_perf_portion *portion = monitor->portions;

   for (; portion < monitor->portions + monitor->portion_count; portion++) {
      if (belongs(portion, set))
         return portion;
   }
   portion->set = set;
   if (!monitor->set && set->provider->has_selections &&
       set->overlap != PITOT_PERF_OVERLAP_SAME)
      portion->set = create_selection(set, monitor->result_count);
   if (!portion->set)
      return NULL;
   monitor->portion_count++;
   return portion;
}

/* Adds the counter of a result to the portion that it belongs to.  Returns
 * false without memory.
 */
static bool
add_counter(struct pitot_perf_query *monitor,
            struct pitot_perf_result *result)
{
   struct pitot_perf_set *set =
      pitot_perf_get_group(monitor->perf, result->group)->set;
   unsigned index = result->counter;

   while (index >= set->counter_count) /* of a group that was split */
      index -= set++->counter_count;
   struct pitot_perf_portion *portion = find_portion(monitor, set);
   if (!portion)
      return false;

   result->portion = portion - monitor->portions;
   result->measured = &set->counters[index];
   if (portion->set->is_selection) {
      struct pitot_perf_counter *copy =
         &counters_of(portion->set)[portion->set->counter_count++];

      *copy = *result->measured;
      result->measured = copy;
   }
   return true;
}

/* Returns whether a portion cannot be measured beside another one. */
static bool
has_conflict(const struct pitot_perf_query *monitor)
{
   for (unsigned i = 0; i < monitor->portion_count; i++) {
      for (unsigned j = 0; j < i; j++) {
         if (!pitot_perf_may_overlap(monitor->portions[i].set,
                                     monitor->portions[j].set))
            return true;
      }
   }
   return false;
}

/* Returns whether no group has more counters among the results than it
 * measures at a time.
 */
static bool
has_room(const struct pitot_perf_query *monitor)
{
   const struct pitot_perf_result *results = monitor->results;

   for (unsigned i = 0, first = 0; i < monitor->result_count; i++) {
      if (results[i].group != results[first].group)
         first = i;
      if (i - first >= pitot_perf_get_group(monitor->perf, results[i].group)
                          ->max_active_count)
         return false;
   }
   return true;
}

/* Adds the portions of a query, without records.  Returns 0 or -ENOMEM. */
static int
add_portions(struct pitot_perf_query *query)
{
   if (query->set)
      return find_portion(query, query->set) ? 0 : -ENOMEM;
   for (unsigned i = 0; i < query->result_count; i++) {
      if (!add_counter(query, &query->results[i]))
         return -ENOMEM;
   }
   return 0;
}

/* Creates the records of a query's portions.  Returns 0 or -ENOMEM. */
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

   if (query->portions || !max_count)
      return 0;
   if (!has_room(query))
      return -EBUSY;
   query->portions = calloc(max_count, sizeof(query->portions[0]));
   int error = query->portions ? add_portions(query) : -ENOMEM;
   if (!error && has_conflict(query))
      error = -EBUSY;
   if (!error)
      error = create_records(query);
   if (error)
      pitot_perf_destroy_portions(query);
   return error;
}

/*
 * Selections
 */

static int
compare(const struct pitot_perf_result *a, uint32_t group, uint32_t counter)
{
   if (a->group != group)
      return a->group < group ? -1 : 1;
   return a->counter < counter ? -1 : a->counter > counter;
}

/* Adds a counter to the results, or takes it out, unless it is so already.
 * Returns how many there are then.
 */
static unsigned
change(struct pitot_perf_result *results, unsigned count, bool enable,
       const struct pitot_perf_result *changed)
{
   unsigned i = 0;

   while (i < count &&
          compare(&results[i], changed->group, changed->counter) < 0)
      i++;
   struct pitot_perf_result *at = &results[i];
   const size_t behind_B = (count - i) * sizeof(*at);
   const bool is_there =
      i < count && compare(at, changed->group, changed->counter) == 0;

   if (is_there == enable)
      return count;
   if (!enable) {
      memmove(at, at + 1, behind_B - sizeof(*at));
      return count - 1;
   }
   memmove(at + 1, at, behind_B);
   *at = *changed;
   return count + 1;
}

/* Has a monitor measure another selection, if it is active at once. */
static int
replace(struct pitot_perf_query *monitor,
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
   monitor->state = PITOT_STATE_ACTIVE;
   monitor->is_lost = error != 0;
   return error;
}

int
pitot_perf_monitor_select(struct pitot_perf_query *monitor, bool enable,
                          uint32_t group, const uint32_t *counters,
                          unsigned count)
{
   const struct pitot_perf_group *info =
      pitot_perf_get_group(monitor->perf, group);
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
   for (unsigned i = 0; i < count; i++) {
      const struct pitot_perf_result result = {
         .group = group,
         .counter = counters[i],
         .info = &info->counters[counters[i]],
      };

      assert(result.counter < info->counter_count);
      selection.result_count =
         change(selection.results, selection.result_count, enable, &result);
   }
   if (monitor->state == PITOT_STATE_ACTIVE)
      error = pitot_perf_create_portions(&selection);
   if (!error)
      return replace(monitor, &selection);
   free(selection.results);
   return error;
}

const void *
pitot_perf_monitor_value(const struct pitot_perf_query *monitor,
                         const struct pitot_perf_result *result)
{
   const uint8_t *record = monitor->portions[result->portion].record;

   return record + result->measured->offset_B;
}
