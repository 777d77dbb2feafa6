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
 * Perf queries
 *
 * The counters of one domain are measured together, as a selection, where the
 * provider takes one; of other providers, whole sets are measured.
 */

/* Counters of a monitor that one perf query measures. */
struct pitot_perf_portion {
   struct pitot_perf_set *set;          /* &selection, or a provider's */
   struct pitot_perf_set selection;     /* unused, or of these: */
   struct pitot_perf_counter *counters; /* copies, or NULL */
   struct pitot_perf_query *queries[2]; /* begun in turn */
};

static void
destroy_portions(struct pitot_perf_monitor *monitor)
{
   for (unsigned i = 0; i < monitor->portion_count; i++) {
      struct pitot_perf_portion *portion = &monitor->portions[i];

      for (unsigned turn = 0; turn < 2; turn++) {
         if (portion->queries[turn])
            pitot_perf_query_delete(portion->queries[turn]);
      }
      free(portion->counters);
   }
   free(monitor->portions);
   monitor->portions = NULL;
   monitor->portion_count = 0;
}

/* Returns whether a provider measures some counters of a set, beside those of
 * other sets.
 */
static bool
is_selectable(const struct pitot_perf_set *set)
{
   return set->provider->has_selections &&
          set->overlap != PITOT_PERF_OVERLAP_SAME;
}

/* Returns whether the counters of a set belong to a portion. */
static bool
belongs(const struct pitot_perf_portion *portion,
        const struct pitot_perf_set *set)
{
   if (!is_selectable(set))
      return portion->set == set;
   return portion->counters && portion->selection.provider == set->provider &&
          portion->selection.domain == set->domain &&
          portion->selection.overlap == set->overlap;
}

/* Returns the portion that the counters of a set belong to, which is a new
 * one if need be; NULL without memory.
 */
static struct pitot_perf_portion *
find_portion(struct pitot_perf_monitor *monitor, struct pitot_perf_set *set)
{
   struct pitot_perf_portion *portion = monitor->portions;

   while (portion < monitor->portions + monitor->portion_count &&
          !belongs(portion, set))
      portion++;
   if (portion < monitor->portions + monitor->portion_count)
      return portion;
   if (is_selectable(set)) {
      portion->counters =
         calloc(monitor->result_count, sizeof(portion->counters[0]));
      if (!portion->counters)
         return NULL;
      portion->selection = (struct pitot_perf_set){
         .name = set->name,
         .counters = portion->counters,
         .is_global = set->is_global,
         .overlap = set->overlap,
         .domain = set->domain,
         .provider = set->provider,
         .origin = set,
      };
   }
   portion->set = portion->counters ? &portion->selection : set;
   monitor->portion_count++;
   return portion;
}

/* Adds the counter of a result to the portion that it belongs to.  Returns
 * false without memory.
 */
static bool
add_counter(struct pitot_perf_monitor *monitor,
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
   if (portion->counters) {
      const unsigned last = portion->selection.counter_count++;

      portion->counters[last] = *result->measured;
      result->measured = &portion->counters[last];
   }
   return true;
}

/* Returns whether a portion cannot be measured beside another one. */
static bool
has_conflict(const struct pitot_perf_monitor *monitor)
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
has_room(const struct pitot_perf_monitor *monitor)
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

/* Returns false without memory. */
static bool
create_queries(struct pitot_perf_monitor *monitor)
{
   for (unsigned i = 0; i < monitor->portion_count; i++) {
      struct pitot_perf_portion *portion = &monitor->portions[i];

      if (portion->counters)
         portion->selection.record_B =
            pitot_perf_layout_record(portion->counters,
                                     portion->selection.counter_count);
      for (unsigned turn = 0; turn < 2; turn++) {
         portion->queries[turn] =
            pitot_perf_query_create(monitor->perf, portion->set);
         if (!portion->queries[turn])
            return false;
      }
   }
   return true;
}

/* Creates the portions of the results, unless they are there.  Returns 0;
 * -ENOMEM; or -EBUSY if they can never be measured together.
 */
static int
create_portions(struct pitot_perf_monitor *monitor)
{
   int error = 0;

   if (monitor->portions || !monitor->result_count)
      return 0;
   if (!has_room(monitor))
      return -EBUSY;
   monitor->portions =
      calloc(monitor->result_count, sizeof(monitor->portions[0]));
   if (!monitor->portions)
      return -ENOMEM;
   for (unsigned i = 0; i < monitor->result_count && !error; i++)
      error = add_counter(monitor, &monitor->results[i]) ? 0 : -ENOMEM;
   if (!error && has_conflict(monitor))
      error = -EBUSY;
   if (!error && !create_queries(monitor))
      error = -ENOMEM;
   if (error)
      destroy_portions(monitor);
   return error;
}

/* Gives up the measurements that are in flight. */
static void
drop_queries(struct pitot_perf_monitor *monitor, unsigned turn)
{
   for (unsigned i = 0; i < monitor->portion_count; i++)
      pitot_perf_query_drop(monitor->portions[i].queries[turn]);
}

/* Ends the first queries, all of them even if one fails: the last one that
 * was begun is the first one to end.  Returns 0, or an error.
 */
static int
end_first(struct pitot_perf_monitor *monitor, unsigned turn, unsigned count)
{
   int last_error = 0;

   while (count > 0) {
      const int error =
         pitot_perf_query_end(monitor->portions[--count].queries[turn]);

      if (error)
         last_error = error;
   }
   return last_error;
}

/* Begins all queries, or none: returns the error of a begin. */
static int
begin_queries(struct pitot_perf_monitor *monitor, unsigned turn)
{
   for (unsigned i = 0; i < monitor->portion_count; i++) {
      const int error =
         pitot_perf_query_begin(monitor->perf,
                                monitor->portions[i].queries[turn]);

      if (error) {
         (void)end_first(monitor, turn, i);
         drop_queries(monitor, turn);
         return error;
      }
   }
   return 0;
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

/* Makes a selection, whose results have no values yet, that of a monitor. */
static void
replace(struct pitot_perf_monitor *monitor,
        const struct pitot_perf_monitor *selection)
{
   destroy_portions(monitor);
   free(monitor->results);
   *monitor = *selection;
   for (unsigned i = 0; i < monitor->result_count; i++)
      monitor->results[i].value = NULL;
}

/* Has an active monitor measure another selection. */
static int
begin_anew(struct pitot_perf_monitor *monitor,
           struct pitot_perf_monitor *selection)
{
   int error = create_portions(selection);

   if (error) {
      free(selection->results);
      return error;
   }
   replace(monitor, selection);
   monitor->state = PITOT_STATE_ACTIVE;
   error = begin_queries(monitor, monitor->turn);
   monitor->is_lost = error != 0;
   return error;
}

int
pitot_perf_monitor_select(struct pitot_perf_monitor *monitor, bool enable,
                          uint32_t group, const uint32_t *counters,
                          unsigned count)
{
   const struct pitot_perf_group *info =
      pitot_perf_get_group(monitor->perf, group);
   struct pitot_perf_monitor selection = {
      .perf = monitor->perf,
      .results = calloc(monitor->result_count + (size_t)count + 1,
                        sizeof(selection.results[0])),
      .result_count = monitor->result_count,
   };
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
      return begin_anew(monitor, &selection);
   replace(monitor, &selection);
   return 0;
}

/*
 * Monitors
 */

struct pitot_perf_monitor *
pitot_perf_monitor_create(struct pitot_perf *perf)
{
   struct pitot_perf_monitor *monitor = calloc(1, sizeof(*monitor));

   if (monitor)
      monitor->perf = perf;
   return monitor;
}

void
pitot_perf_monitor_destroy(struct pitot_perf_monitor *monitor)
{
   if (!monitor)
      return;
   destroy_portions(monitor);
   free(monitor->results);
   free(monitor);
}

int
pitot_perf_monitor_begin(struct pitot_perf_monitor *monitor)
{
   assert(monitor->state != PITOT_STATE_ACTIVE);
   int error = create_portions(monitor);
   if (!error)
      error = begin_queries(monitor, !monitor->turn);
   if (error)
      return error;
   drop_queries(monitor, monitor->turn);
   monitor->turn = !monitor->turn;
   monitor->state = PITOT_STATE_ACTIVE;
   monitor->is_lost = false;
   return 0;
}

/* The values are those of the records, or all 0 if one of them is lost. */
static void
become_available(struct pitot_perf_monitor *monitor)
{
   static const uint8_t zeros[sizeof(uint64_t)];

   monitor->state = PITOT_STATE_AVAILABLE;
   for (unsigned i = 0; i < monitor->portion_count; i++)
      monitor->is_lost |=
         monitor->portions[i].queries[monitor->turn]->is_lost;
   for (unsigned i = 0; i < monitor->result_count; i++) {
      struct pitot_perf_result *result = &monitor->results[i];
      const struct pitot_perf_portion *portion =
         &monitor->portions[result->portion];
      const uint8_t *record = portion->queries[monitor->turn]->record;

      result->value =
         monitor->is_lost ? zeros : record + result->measured->offset_B;
   }
}

int
pitot_perf_monitor_end(struct pitot_perf_monitor *monitor)
{
   int error = 0;

   assert(monitor->state == PITOT_STATE_ACTIVE);
   monitor->state = PITOT_STATE_ENDED;
   if (!monitor->is_lost)
      error = end_first(monitor, monitor->turn, monitor->portion_count);
   if (monitor->is_lost || !monitor->result_count)
      become_available(monitor);
   return error;
}

bool
pitot_perf_monitor_resolve(struct pitot_perf_monitor *monitor,
                           enum pitot_perf_flush flush)
{
   bool is_available = true;

   if (monitor->state != PITOT_STATE_ENDED)
      return monitor->state == PITOT_STATE_AVAILABLE;
   for (unsigned i = 0; i < monitor->portion_count; i++)
      is_available &=
         pitot_perf_query_resolve(monitor->portions[i].queries[monitor->turn],
                                  flush);
   if (is_available)
      become_available(monitor);
   return is_available;
}
