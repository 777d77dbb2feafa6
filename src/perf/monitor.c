/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Monitors: measurements of counters of any groups.
 */

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "round.h"

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
   pitot_perf_round_destroy(monitor->perf, monitor->round);
   pitot_perf_round_destroy(monitor->perf, monitor->spare);
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
   int error = pitot_perf_round_create(monitor->perf, results, count, &round);

   if (error) {
      free(results);
      return error;
   }
   replace(monitor, results, count);
   monitor->round = round;
   error = pitot_perf_round_begin(monitor->perf, round);
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
         .info = &info->counters[counters[i]],
      };

      assert(result.counter < info->counter_count);
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
      error = pitot_perf_round_create(monitor->perf, monitor->results,
                                      monitor->result_count, &monitor->spare);
   if (!error)
      error = pitot_perf_round_begin(monitor->perf, monitor->spare);
   if (error)
      return error;
   if (last)
      pitot_perf_round_drop(last);
   monitor->round = monitor->spare;
   monitor->spare = last;
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
   for (unsigned i = 0; i < monitor->round->portion_count; i++)
      monitor->is_lost |= monitor->round->portions[i].query->is_lost;
   for (unsigned i = 0; i < monitor->result_count; i++) {
      const struct pitot_perf_source *source = &monitor->round->sources[i];
      const uint8_t *record = source->portion->query->record;

      monitor->results[i].value =
         monitor->is_lost ? zeros : record + source->counter->offset_B;
   }
}

int
pitot_perf_monitor_end(struct pitot_perf_monitor *monitor)
{
   int error = 0;

   assert(monitor->state == PITOT_STATE_ACTIVE);
   monitor->state = PITOT_STATE_ENDED;
   if (!monitor->is_lost)
      error = pitot_perf_round_end(monitor->round);
   if (monitor->is_lost || !monitor->result_count)
      become_available(monitor);
   return error;
}

bool
pitot_perf_monitor_resolve(struct pitot_perf_monitor *monitor,
                           enum pitot_perf_flush flush)
{
   if (monitor->state == PITOT_STATE_ENDED &&
       pitot_perf_round_resolve(monitor->round, flush))
      become_available(monitor);
   return monitor->state == PITOT_STATE_AVAILABLE;
}
