/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The provider of the counters that a driver lists for Gallium's HUD.  Each
 * group is a set, or several sets if the driver measures only some counters
 * of the group at a time.  The counters without a group are a set, too.
 *
 * A counter's source is its index in driver_lists.all.  A driver may reject a
 * selection of counters, but only create_batch_query() shows that: create()
 * then succeeds, and begin() fails with -EBUSY.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "pipe_priv.h"

#define NO_GROUP     UINT32_MAX
#define BATCH_DOMAIN (UINT32_MAX - 1)

#define NAME_SIZE_B 128

/* pitot_perf_pipe_provider.lists */
struct driver_lists {
   struct pipe_driver_query_info *all; /* a counter's source is its index */
   unsigned all_count;
   unsigned group_count;

   /* Storage of all sets.  Each counter is in at most one set. */
   char (*names)[NAME_SIZE_B];
   struct pitot_perf_counter *counters;
   unsigned counter_count;
};

#define UNIT(TYPE, COUNTER, DATA, NAME)                                      \
   [PIPE_DRIVER_QUERY_TYPE_##                                                \
      TYPE] = { PITOT_PERF_COUNTER_##COUNTER, PITOT_PERF_DATA_##DATA,        \
                "As the driver counts it. Unit: " NAME "." }

/* By Gallium's type, with the units of its HUD.  Percentages are 64 bits, as
 * the HUD reads them: p_defines.h says float, but nouveau, the only driver
 * that lists any, writes 64 bits.
 */
static const struct unit {
   enum pitot_perf_counter_type type;
   enum pitot_perf_data_type data_type;
   const char *description;
} units[] = {
   UNIT(UINT64, EVENT, UINT64, "events"),
   UNIT(UINT, EVENT, UINT32, "events"),
   UNIT(FLOAT, RAW, FLOAT, "number"),
   UNIT(PERCENTAGE, DURATION_NORM, UINT64, "percent"),
   UNIT(BYTES, THROUGHPUT, UINT64, "bytes"),
   UNIT(MICROSECONDS, DURATION_RAW, UINT64, "us"),
   UNIT(HZ, RAW, UINT64, "hz"),
   UNIT(DBM, RAW, UINT64, "-dBm"),
   UNIT(TEMPERATURE, RAW, UINT64, "C"),
   UNIT(VOLTS, RAW, UINT64, "mV"),
   UNIT(AMPS, RAW, UINT64, "mA"),
   UNIT(WATTS, RAW, UINT64, "mW"),
};

static const struct pipe_driver_query_info *
info_of(const struct pitot_perf_set *set, unsigned i)
{
   const struct driver_lists *lists =
      pitot_perf_pipe_of(set->provider)->lists;

   return &lists->all[set->counters[i].source];
}

/* Batch counters of a measurement share one query. */
static bool
is_batch(const struct pitot_perf_set *set, unsigned i)
{
   return info_of(set, i)->flags & PIPE_DRIVER_QUERY_FLAG_BATCH;
}

/* Returns 0, for unknown, if a float does not fit in 64 bits: its conversion
 * would be undefined.
 */
static uint64_t
raw_max(const struct pipe_driver_query_info *info)
{
   const float number = info->max_value.f;

   if (info->type == PIPE_DRIVER_QUERY_TYPE_FLOAT)
      return number > 0 && number < 0x1p64f ? (uint64_t)number : 0;
   return units[info->type].data_type == PITOT_PERF_DATA_UINT32
             ? info->max_value.u32
             : info->max_value.u64;
}

/* NO_GROUP: whether the counter is in no group.  A group that does not exist
 * counts as none: some drivers with counters lack the hook for groups, or do
 * not set group_id.
 */
static bool
is_in_group(const struct driver_lists *lists,
            const struct pipe_driver_query_info *info, unsigned group_id)
{
   if (group_id != NO_GROUP)
      return info->group_id == group_id;
   return info->group_id >= lists->group_count &&
          !(info->flags & PIPE_DRIVER_QUERY_FLAG_DONT_LIST);
}

/* Returns the number of counters in the group. */
static unsigned
add_counters(struct driver_lists *lists, unsigned group_id)
{
   unsigned count = 0;

   for (unsigned i = 0; i < lists->all_count; i++) {
      const struct pipe_driver_query_info *info = &lists->all[i];
      const struct unit *unit = &units[info->type];

      if (!is_in_group(lists, info, group_id))
         continue;
      lists->counters[lists->counter_count++] = (struct pitot_perf_counter){
         .name = info->name,
         .description = unit->description,
         .type = unit->type,
         .data_type = unit->data_type,
         .raw_max = raw_max(info),
         .source = i,
      };
      count++;
   }
   return count;
}

/* limit: counters of the group that the driver measures at a time; 0: all.
 * It measures one batch at a time, and one set of a split group: hence domain
 * and overlap.
 */
static void
add_group(struct pitot_perf_provider *provider, unsigned group_id,
          const char *name, unsigned limit)
{
   struct driver_lists *lists = pitot_perf_pipe_of(provider)->lists;
   struct pitot_perf_counter *counters =
      &lists->counters[lists->counter_count];
   const unsigned count = add_counters(lists, group_id);
   const bool is_split = limit && limit < count;
   const unsigned max_count = is_split ? limit : count;

   for (unsigned i = 0; i < count; i += max_count) {
      struct pitot_perf_set *set = &provider->sets[provider->set_count];
      bool has_batch = false;

      *set = (struct pitot_perf_set){
         .name = name,
         .counters = &counters[i],
         .counter_count = MIN2(max_count, count - i),
         .is_global = true,
         .is_common = group_id == NO_GROUP,
         .provider = provider,
      };
      set->record_B =
         pitot_perf_layout_record(&counters[i], set->counter_count);
      for (unsigned k = 0; k < set->counter_count; k++)
         has_batch |= is_batch(set, k);
      set->overlap = has_batch || is_split ? PITOT_PERF_OVERLAP_NONE
                                           : PITOT_PERF_OVERLAP_ANY;
      set->domain = has_batch ? BATCH_DOMAIN : group_id;
      if (is_split) {
         const unsigned set_count = (count + limit - 1) / limit;
         char *set_name = lists->names[provider->set_count];

         snprintf(set_name, NAME_SIZE_B, "%s (%u of %u)", name, i / limit + 1,
                  set_count);
         set->name = set_name;
         set->group = i == 0 ? name : NULL;
         set->group_set_count = set_count;
      }
      provider->set_count++;
   }
}

/* Allocates for the worst case, one set per counter.  Returns false if
 * allocation fails.
 */
static bool
read_lists(struct pitot_perf_provider *provider, struct driver_lists *lists,
           unsigned count)
{
   struct pipe_screen *screen = pitot_perf_pipe_context(provider)->screen;

   provider->sets = calloc(count, sizeof(provider->sets[0]));
   lists->all = calloc(count, sizeof(lists->all[0]));
   lists->names = calloc(count, sizeof(lists->names[0]));
   lists->counters = calloc(count, sizeof(lists->counters[0]));
   if (!provider->sets || !lists->all || !lists->names || !lists->counters)
      return false;

   for (unsigned i = 0; i < count; i++) {
      struct pipe_driver_query_info *info = &lists->all[lists->all_count];

      lists->all_count += screen->get_driver_query_info(screen, i, info) &&
                          !pitot_pipe_counter_is_broken(screen, info->name);
   }
   if (screen->get_driver_query_group_info)
      lists->group_count =
         screen->get_driver_query_group_info(screen, 0, NULL);
   return true;
}

static void
pipe_driver_finish(struct pitot_perf_provider *provider)
{
   struct driver_lists *lists = pitot_perf_pipe_of(provider)->lists;

   if (!lists)
      return;
   free(provider->sets);
   free(lists->all);
   free(lists->names);
   free(lists->counters);
   free(lists);
   pitot_perf_pipe_of(provider)->lists = NULL;
   provider->set_count = 0;
}

static void
pipe_driver_list(struct pitot_perf_provider *provider)
{
   const struct pipe_context *pipe = pitot_perf_pipe_context(provider);
   struct pipe_screen *screen = pipe->screen;

   /* A driver with intel_perf_query hooks lists the same sets as groups. */
   if (pitot_perf_pipe_has_intel(pipe) || !screen->get_driver_query_info)
      return;
   const unsigned count = screen->get_driver_query_info(screen, 0, NULL);
   struct driver_lists *lists = count ? calloc(1, sizeof(*lists)) : NULL;
   pitot_perf_pipe_of(provider)->lists = lists;
   if (!lists || !read_lists(provider, lists, count)) {
      pipe_driver_finish(provider);
      return;
   }
   for (unsigned id = 0; id < lists->group_count; id++) {
      struct pipe_driver_query_group_info group;

      if (screen->get_driver_query_group_info(screen, id, &group))
         add_group(provider, id, group.name, group.max_active_queries);
   }
   add_group(provider, NO_GROUP, "Driver Counters", 0);
   provider->has_selections = true;
}

static const union pipe_query_result *
add_query(struct pitot_perf_pipe_queries *queries, struct pipe_query *pq,
          unsigned batch_count)
{
   struct pitot_driver_query *query =
      pitot_pipe_query_wrap(queries->client, pq, false);

   return pitot_perf_pipe_queries_add(queries, query, batch_count);
}

/* Adds the query of all batch counters.  If the driver returns NULL for a
 * set, it is out of memory.  For a selection, NULL may be a rejection,
 * because the counters can be of several groups: radeonsi rejects two shader
 * stages.
 */
static bool
add_batch(struct pitot_perf_pipe_queries *queries, unsigned count,
          unsigned *types)
{
   const struct pitot_perf_set *set = queries->base.set;
   struct pipe_context *pipe = queries->client->info.pipe;
   struct pipe_query *pq = NULL;

   if (pipe->create_batch_query)
      pq = pipe->create_batch_query(pipe, count, types);
   queries->is_refused = !pq && set->is_selection;
   if (queries->is_refused)
      return true;
   const union pipe_query_result *result = add_query(queries, pq, count);
   for (unsigned i = 0, next = 0; result && i < set->counter_count; i++) {
      if (is_batch(set, i))
         queries->values[i] = &result->batch[next++];
   }
   return result;
}

static bool
add_queries(struct pitot_perf_pipe_queries *queries)
{
   const struct pitot_perf_set *set = queries->base.set;
   struct pipe_context *pipe = queries->client->info.pipe;
   unsigned *types = calloc(set->counter_count, sizeof(*types));
   unsigned batch_count = 0;
   bool is_whole = types;

   for (unsigned i = 0; i < set->counter_count && is_whole; i++) {
      const unsigned type = info_of(set, i)->query_type;

      if (is_batch(set, i)) {
         types[batch_count++] = type;
         continue;
      }
      const union pipe_query_result *result =
         add_query(queries, pipe->create_query(pipe, type, 0), 0);
      is_whole = result;
      if (result)
         queries->values[i] = result->batch;
   }
   if (is_whole && batch_count)
      is_whole = add_batch(queries, batch_count, types);
   free(types);
   return is_whole;
}

static struct pitot_perf_measurement *
pipe_driver_create(struct pitot_perf_set *set)
{
   return pitot_perf_pipe_queries_create(set, add_queries);
}

/* -EBUSY for any failure: other users may hold the few counter units. */
static int
pipe_driver_begin(struct pitot_perf_measurement *measurement)
{
   const struct pitot_perf_pipe_queries *queries =
      (struct pitot_perf_pipe_queries *)measurement;

   return queries->is_refused || pitot_perf_pipe_queries_begin(measurement)
             ? -EBUSY
             : 0;
}

const struct pitot_perf_provider_ops pitot_perf_pipe_driver_ops = {
   .list = pipe_driver_list,
   .finish = pipe_driver_finish,
   .create = pipe_driver_create,
   .destroy = pitot_perf_pipe_queries_destroy,
   .begin = pipe_driver_begin,
   .end = pitot_perf_pipe_queries_end,
   .read = pitot_perf_pipe_queries_read,
};
