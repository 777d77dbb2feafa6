/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Rounds: the perf queries that measure the counters of a monitor.
 *
 * The counters of one domain are measured together, as a selection, where the
 * provider takes one; of other providers, whole sets are measured.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perf_priv.h"
#include "round.h"

static void
destroy_portion(struct pitot_perf *perf, struct pitot_perf_portion *portion)
{
   if (portion->query)
      pitot_perf_query_delete(perf, portion->query);
   free(portion->counters);
}

void
pitot_perf_round_destroy(struct pitot_perf *perf,
                         struct pitot_perf_round *round)
{
   if (!round)
      return;
   for (unsigned i = 0; i < round->portion_count; i++)
      destroy_portion(perf, &round->portions[i]);
   free(round->portions);
   free(round->sources);
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

/* Returns the portion that a counter of a set belongs to, which is a new one
 * if need be; NULL without memory.  A portion has room for so many counters.
 */
static struct pitot_perf_portion *
find_portion(struct pitot_perf_round *round, struct pitot_perf_set *set,
             unsigned room)
{
   struct pitot_perf_portion *portion = round->portions;

   while (portion < round->portions + round->portion_count &&
          !belongs(portion, set))
      portion++;
   if (portion < round->portions + round->portion_count)
      return portion;
   if (is_selectable(set)) {
      portion->counters = calloc(room, sizeof(portion->counters[0]));
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
   round->portion_count++;
   return portion;
}

/* Adds a counter to the portion that it belongs to. */
static bool
add_counter(struct pitot_perf_round *round, struct pitot_perf_source *source,
            struct pitot_perf_set *set, unsigned index, unsigned room)
{
   while (index >= set->counter_count) /* of a group that was split */
      index -= set++->counter_count;
   struct pitot_perf_portion *portion = find_portion(round, set, room);
   if (!portion)
      return false;

   source->portion = portion;
   source->counter = &set->counters[index];
   if (portion->counters) {
      const unsigned last = portion->selection.counter_count++;

      portion->counters[last] = *source->counter;
      source->counter = &portion->counters[last];
   }
   return true;
}

/* Returns whether a portion cannot be measured beside another one. */
static bool
has_conflict(const struct pitot_perf_round *round)
{
   for (unsigned i = 0; i < round->portion_count; i++) {
      for (unsigned j = 0; j < i; j++) {
         if (!pitot_perf_may_overlap(round->portions[i].set,
                                     round->portions[j].set))
            return true;
      }
   }
   return false;
}

static bool
create_queries(struct pitot_perf *perf, struct pitot_perf_round *round)
{
   for (unsigned i = 0; i < round->portion_count; i++) {
      struct pitot_perf_portion *portion = &round->portions[i];

      if (portion->counters)
         portion->selection.record_B =
            pitot_perf_layout_record(portion->counters,
                                     portion->selection.counter_count);
      portion->query = pitot_perf_query_create_unnamed(perf, portion->set);
      if (!portion->query)
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
          pitot_perf_get_group(perf, results[i].group)->max_active_count)
         return false;
   }
   return true;
}

static bool
fill_round(struct pitot_perf *perf, struct pitot_perf_round *round,
           const struct pitot_perf_result *results, unsigned count)
{
   round->portions = calloc(count, sizeof(round->portions[0]));
   round->sources = calloc(count, sizeof(round->sources[0]));
   if (count && (!round->portions || !round->sources))
      return false;
   for (unsigned i = 0; i < count; i++) {
      struct pitot_perf_set *set =
         pitot_perf_get_group(perf, results[i].group)->set;

      if (!add_counter(round, &round->sources[i], set, results[i].counter,
                       count))
         return false;
   }
   return create_queries(perf, round);
}

int
pitot_perf_round_create(struct pitot_perf *perf,
                        const struct pitot_perf_result *results,
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
      pitot_perf_round_destroy(perf, round);
   else
      *round_out = round;
   return error;
}

/* Ends the first queries, all of them even if one fails: the last one that
 * was begun is the first one to end.  Returns 0, or an error.
 */
static int
end_first(struct pitot_perf_round *round, unsigned count)
{
   int last_error = 0;

   while (count > 0) {
      const int error = pitot_perf_query_end(round->portions[--count].query);

      if (error)
         last_error = error;
   }
   return last_error;
}

int
pitot_perf_round_end(struct pitot_perf_round *round)
{
   return end_first(round, round->portion_count);
}

void
pitot_perf_round_drop(struct pitot_perf_round *round)
{
   for (unsigned i = 0; i < round->portion_count; i++)
      pitot_perf_query_drop(round->portions[i].query);
}

int
pitot_perf_round_begin(struct pitot_perf *perf,
                       struct pitot_perf_round *round)
{
   for (unsigned i = 0; i < round->portion_count; i++) {
      const int error =
         pitot_perf_query_begin(perf, round->portions[i].query);

      if (error) {
         (void)end_first(round, i);
         pitot_perf_round_drop(round);
         return error;
      }
   }
   return 0;
}

bool
pitot_perf_round_resolve(struct pitot_perf_round *round,
                         enum pitot_perf_flush flush)
{
   bool is_available = true;

   for (unsigned i = 0; i < round->portion_count; i++)
      is_available &=
         pitot_perf_query_resolve(round->portions[i].query, flush);
   return is_available;
}
