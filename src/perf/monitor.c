/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Monitors: measurements of counters of any groups.
 *
 * The counters of one domain are measured together, as a selection, where the
 * provider takes one; of other providers, whole sets are measured.
 */

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perf_priv.h"
#include "pitot/perf_monitor.h"

/* Counters that one perf query measures. */
struct part {
   struct pitot_perf_set *set;          /* &selection, or a provider's */
   struct pitot_perf_set selection;     /* unused, or of these: */
   struct pitot_perf_counter *counters; /* copies, or NULL */
   struct pitot_perf_query *query;
};

/* Where the value of a result is. */
struct place {
   struct part *part;
   const struct pitot_perf_counter *counter;
};

struct pitot_perf_round {
   struct part *parts;
   unsigned part_count;
   struct place *places; /* of each result */
};

/*
 * Rounds
 */

static void
destroy_part(struct pitot_perf *perf, struct part *part)
{
   if (part->query)
      pitot_perf_query_delete(perf, part->query);
   if (part->counters)
      pitot_perf_leave_given_up(&part->selection);
   free(part->counters);
}

static void
destroy_round(struct pitot_perf *perf, struct pitot_perf_round *round)
{
   if (!round)
      return;
   for (unsigned i = 0; i < round->part_count; i++)
      destroy_part(perf, &round->parts[i]);
   free(round->parts);
   free(round->places);
   free(round);
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

/* Returns whether the counters of a set belong to a part. */
static bool
belongs(const struct part *part, const struct pitot_perf_set *set)
{
   if (!is_selectable(set))
      return part->set == set;
   return part->counters && part->selection.provider == set->provider &&
          part->selection.domain == set->domain &&
          part->selection.overlap == set->overlap;
}

/* Returns the part that a counter of a set belongs to, which is a new one if
 * need be; NULL without memory.  A part has room for so many counters.
 */
static struct part *
find_part(struct pitot_perf_round *round, struct pitot_perf_set *set,
          unsigned room)
{
   struct part *part = round->parts;

   while (part < round->parts + round->part_count && !belongs(part, set))
      part++;
   if (part < round->parts + round->part_count)
      return part;
   if (is_selectable(set)) {
      part->counters = calloc(room, sizeof(part->counters[0]));
      if (!part->counters)
         return NULL;
      part->selection = (struct pitot_perf_set){
         .name = set->name,
         .counters = part->counters,
         .is_global = set->is_global,
         .overlap = set->overlap,
         .domain = set->domain,
         .provider = set->provider,
         .origin = set,
      };
   }
   part->set = part->counters ? &part->selection : set;
   round->part_count++;
   return part;
}

/* Adds a counter to the part that it belongs to. */
static bool
add_counter(struct pitot_perf_round *round, struct place *place,
            struct pitot_perf_set *set, unsigned index, unsigned room)
{
   while (index >= set->counter_count) /* of a group that was split */
      index -= set++->counter_count;
   struct part *part = find_part(round, set, room);
   if (!part)
      return false;

   place->part = part;
   place->counter = &set->counters[index];
   if (part->counters) {
      const unsigned last = part->selection.counter_count++;

      part->counters[last] = *place->counter;
      place->counter = &part->counters[last];
   }
   return true;
}

/* Returns whether a part cannot be measured beside another one. */
static bool
has_conflict(const struct pitot_perf_round *round)
{
   for (unsigned i = 0; i < round->part_count; i++) {
      for (unsigned j = 0; j < i; j++) {
         if (!pitot_perf_may_overlap(round->parts[i].set,
                                     round->parts[j].set))
            return true;
      }
   }
   return false;
}

static bool
create_queries(struct pitot_perf *perf, struct pitot_perf_round *round)
{
   for (unsigned i = 0; i < round->part_count; i++) {
      struct part *part = &round->parts[i];

      if (part->counters)
         part->selection.record_B =
            pitot_perf_layout_record(part->counters,
                                     part->selection.counter_count);
      part->query = pitot_perf_query_create_unnamed(perf, part->set);
      if (!part->query)
         return false;
   }
   return true;
}

/* Returns whether no group has more counters among the results than it
 * measures at a time.
 */
static bool
has_room(struct pitot_perf *perf, const struct pitot_perf_result *results,
         unsigned count)
{
   for (unsigned i = 0, first = 0; i < count; i++) {
      if (results[i].group != results[first].group)
         first = i;
      if (i - first >=
          pitot_perf_get_group(perf, results[i].group).max_active_count)
         return false;
   }
   return true;
}

static bool
fill_round(struct pitot_perf *perf, struct pitot_perf_round *round,
           const struct pitot_perf_result *results, unsigned count)
{
   round->parts = calloc(count, sizeof(round->parts[0]));
   round->places = calloc(count, sizeof(round->places[0]));
   if (count && (!round->parts || !round->places))
      return false;
   for (unsigned i = 0; i < count; i++) {
      struct pitot_perf_set *set =
         pitot_perf_get_group(perf, results[i].group).set;

      if (!add_counter(round, &round->places[i], set, results[i].counter,
                       count))
         return false;
   }
   return create_queries(perf, round);
}

/* Creates what measures these results.  Returns 0; -ENOMEM; or -EBUSY if they
 * can never be measured together.
 */
static int
create_round(struct pitot_perf *perf, const struct pitot_perf_result *results,
             unsigned count, struct pitot_perf_round **round_out)
{
   struct pitot_perf_round *round;
   int error = 0;

   if (!has_room(perf, results, count))
      return -EBUSY;
   round = calloc(1, sizeof(*round));
   if (!round || !fill_round(perf, round, results, count))
      error = -ENOMEM;
   else if (has_conflict(round))
      error = -EBUSY;
   if (error)
      destroy_round(perf, round);
   else
      *round_out = round;
   return error;
}

static int
end_parts(struct pitot_perf_round *round, unsigned count)
{
   int first_error = 0;

   for (unsigned i = 0; i < count; i++) {
      const int error = pitot_perf_query_end(round->parts[i].query);

      if (!first_error)
         first_error = error;
   }
   return first_error;
}

/* Gives up what is in flight. */
static void
drop_parts(struct pitot_perf_round *round, unsigned count)
{
   for (unsigned i = 0; i < count; i++)
      pitot_perf_query_drop(round->parts[i].query);
}

static int
begin_parts(struct pitot_perf *perf, struct pitot_perf_round *round)
{
   for (unsigned i = 0; i < round->part_count; i++) {
      const int error = pitot_perf_query_begin(perf, round->parts[i].query);

      if (error) {
         (void)end_parts(round, i);
         drop_parts(round, i);
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

/* Makes a selection that of an idle or active monitor. */
static void
replace(struct pitot_perf_monitor *monitor, struct pitot_perf_result *results,
        unsigned count)
{
   destroy_round(monitor->perf, monitor->round);
   destroy_round(monitor->perf, monitor->spare);
   monitor->round = monitor->spare = NULL;
   free(monitor->results);
   monitor->results = results;
   monitor->result_count = count;
   for (unsigned i = 0; i < count; i++)
      results[i].value = NULL;
}

/* Has an active monitor measure another selection. */
static int
begin_anew(struct pitot_perf_monitor *monitor,
           struct pitot_perf_result *results, unsigned count)
{
   struct pitot_perf_round *round;
   int error = create_round(monitor->perf, results, count, &round);

   if (error) {
      free(results);
      return error;
   }
   replace(monitor, results, count);
   monitor->round = round;
   error = begin_parts(monitor->perf, round);
   monitor->is_lost = error != 0;
   return error;
}

int
pitot_perf_monitor_select(struct pitot_perf_monitor *monitor, bool enable,
                          uint32_t group, const uint32_t *counters,
                          unsigned count)
{
   const struct pitot_perf_group info =
      pitot_perf_get_group(monitor->perf, group);
   unsigned result_count = monitor->result_count;
   struct pitot_perf_result *results =
      calloc(result_count + (size_t)count + 1, sizeof(*results));
   if (!results)
      return -ENOMEM;

   if (result_count)
      memcpy(results, monitor->results, result_count * sizeof(*results));
   for (unsigned i = 0; i < count; i++) {
      const struct pitot_perf_result result = {
         .group = group,
         .counter = counters[i],
         .info = &info.counters[counters[i]],
      };

      assert(result.counter < info.counter_count);
      result_count = change(results, result_count, enable, &result);
   }
   if (monitor->state == PITOT_STATE_ACTIVE)
      return begin_anew(monitor, results, result_count);
   replace(monitor, results, result_count);
   monitor->state = PITOT_STATE_IDLE;
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
   replace(monitor, NULL, 0);
   free(monitor);
}

int
pitot_perf_monitor_begin(struct pitot_perf_monitor *monitor)
{
   struct pitot_perf_round *last = monitor->round;
   int error = 0;

   assert(monitor->state != PITOT_STATE_ACTIVE);
   if (!monitor->spare)
      error = create_round(monitor->perf, monitor->results,
                           monitor->result_count, &monitor->spare);
   if (!error)
      error = begin_parts(monitor->perf, monitor->spare);
   if (error)
      return error;
   if (last)
      drop_parts(last, last->part_count);
   monitor->round = monitor->spare;
   monitor->spare = last;
   monitor->state = PITOT_STATE_ACTIVE;
   monitor->is_lost = false;
   return 0;
}

/* The values are those of the records, which are 0 if they are lost. */
static void
become_available(struct pitot_perf_monitor *monitor)
{
   monitor->state = PITOT_STATE_AVAILABLE;
   for (unsigned i = 0; i < monitor->result_count; i++) {
      const struct place *place = &monitor->round->places[i];

      monitor->is_lost |= place->part->query->is_lost;
      monitor->results[i].value =
         (const uint8_t *)place->part->query->record +
         place->counter->offset_B;
   }
}

int
pitot_perf_monitor_end(struct pitot_perf_monitor *monitor)
{
   int error = 0;

   assert(monitor->state == PITOT_STATE_ACTIVE);
   monitor->state = PITOT_STATE_ENDED;
   if (!monitor->is_lost)
      error = end_parts(monitor->round, monitor->round->part_count);
   if (monitor->is_lost || !monitor->result_count)
      become_available(monitor);
   return error;
}

bool
pitot_perf_monitor_resolve(struct pitot_perf_monitor *monitor,
                           enum pitot_perf_flush flush)
{
   bool is_available = true;

   if (monitor->state == PITOT_STATE_AVAILABLE)
      return true;
   assert(monitor->state == PITOT_STATE_ENDED);
   for (unsigned i = 0; i < monitor->round->part_count; i++)
      is_available &=
         pitot_perf_query_resolve(monitor->round->parts[i].query, flush);
   if (is_available)
      become_available(monitor);
   return is_available;
}
