/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The counters that a driver lists for Gallium's own tools: a set for each of
 * its groups, or several where a group has more counters than it measures at
 * a time, and one for those without a group.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "pipe_priv.h"

#define NO_GROUP     UINT32_MAX
#define NO_COUNTER   UINT32_MAX
#define BATCH_DOMAIN (UINT32_MAX - 1)

#define NAME_SIZE_B 128

/* A counter of the driver. */
struct driver_counter {
   struct pipe_driver_query_info info;
   unsigned next; /* of its group: an index, or NO_COUNTER */
};

/* pitot_perf_pipe_provider.lists */
struct driver_lists {
   struct driver_counter *all; /* the source of a counter is its index here */
   unsigned all_count;
   unsigned group_count;
   unsigned *first; /* counter of each group, and of none */

   /* Of the sets, one after another.  Each counter is in one set at most. */
   char (*names)[NAME_SIZE_B];
   struct pitot_perf_counter *counters;
   unsigned counter_count;
};

#define UNIT(TYPE, COUNTER, DATA, NAME)                                      \
   [PIPE_DRIVER_QUERY_TYPE_##                                                \
      TYPE] = { PITOT_PERF_COUNTER_##COUNTER, PITOT_PERF_DATA_##DATA,        \
                "As the driver counts it. Unit: " NAME "." }

/* Gallium's types; its HUD has the same units.  It reads percentages as 64
 * bits, too: p_defines.h has them as floats, but nouveau, which alone lists
 * any, writes 64 bits.
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

   return &lists->all[set->counters[i].source].info;
}

/* Returns whether one query measures a counter with others. */
static bool
is_batch(const struct pitot_perf_set *set, unsigned i)
{
   return info_of(set, i)->flags & PIPE_DRIVER_QUERY_FLAG_BATCH;
}

static unsigned
batch_count(const struct pitot_perf_set *set)
{
   unsigned count = 0;

   for (unsigned i = 0; i < set->counter_count; i++)
      count += is_batch(set, i);
   return count;
}

/* Returns the maximum that a driver tells, or 0 for one that is no number of
 * 64 bits.
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

static void
add_counter(struct driver_lists *lists, unsigned i)
{
   const struct pipe_driver_query_info *info = &lists->all[i].info;
   const struct unit *unit = &units[info->type];

   lists->counters[lists->counter_count++] = (struct pitot_perf_counter){
      .name = info->name,
      .description = unit->description,
      .type = unit->type,
      .data_type = unit->data_type,
      .raw_max = raw_max(info),
      .source = i,
   };
}

/* Adds a set of counters.  A driver measures one batch at a time, and of a
 * group that is limited one set.  Returns where to write its name.
 */
static char *
add_set(struct pitot_perf_provider *provider,
        struct pitot_perf_counter *counters, unsigned count,
        unsigned group_id, bool is_limited)
{
   const struct driver_lists *lists = pitot_perf_pipe_of(provider)->lists;
   char *name = lists->names[provider->set_count];
   struct pitot_perf_set *set = &provider->sets[provider->set_count++];

   *set = (struct pitot_perf_set){
      .name = name,
      .counters = counters,
      .counter_count = count,
      .record_B = pitot_perf_layout_record(counters, count),
      .is_global = true,
      .is_common = group_id == NO_GROUP,
      .provider = provider,
   };
   const bool has_batch = batch_count(set) > 0;
   set->overlap = has_batch || is_limited ? PITOT_PERF_OVERLAP_NONE
                                          : PITOT_PERF_OVERLAP_ANY;
   set->domain = has_batch ? BATCH_DOMAIN : group_id;
   return name;
}

/* Adds the sets of a group, of which a driver measures at most limit counters
 * at a time; 0: all.
 */
static void
add_group(struct pitot_perf_provider *provider, unsigned group_id,
          const char *name, unsigned limit)
{
   struct driver_lists *lists = pitot_perf_pipe_of(provider)->lists;
   struct pitot_perf_counter *first = &lists->counters[lists->counter_count];

   for (unsigned i = lists->first[MIN2(group_id, lists->group_count)];
        i != NO_COUNTER; i = lists->all[i].next)
      add_counter(lists, i);
   const unsigned count = &lists->counters[lists->counter_count] - first;
   const bool is_limited = limit && limit < count;
   const unsigned per_set = is_limited ? limit : count;
   struct pitot_perf_set *first_set = &provider->sets[provider->set_count];

   for (unsigned i = 0; i < count; i += per_set) {
      char *set_name = add_set(provider, first + i, MIN2(per_set, count - i),
                               group_id, is_limited);

      if (!is_limited)
         snprintf(set_name, NAME_SIZE_B, "%s", name);
      else
         snprintf(set_name, NAME_SIZE_B, "%s (%u of %u)", name,
                  i / per_set + 1, (count + per_set - 1) / per_set);
   }
   if (is_limited) {
      first_set->group = name;
      first_set->group_set_count = (count + per_set - 1) / per_set;
   }
}

/* Links the counters of each group in their order.  A group that does not
 * exist counts as none: not every driver with counters has the hook for
 * groups, and fills in the number.  Returns false without memory.
 */
static bool
link_groups(struct driver_lists *lists)
{
   lists->first = calloc(lists->group_count + 1, sizeof(lists->first[0]));
   if (!lists->first)
      return false;
   for (unsigned group = 0; group <= lists->group_count; group++)
      lists->first[group] = NO_COUNTER;
   for (unsigned i = lists->all_count; i-- > 0;) {
      struct driver_counter *counter = &lists->all[i];
      const unsigned group = MIN2(counter->info.group_id, lists->group_count);

      if (group == lists->group_count &&
          counter->info.flags & PIPE_DRIVER_QUERY_FLAG_DONT_LIST)
         continue;
      counter->next = lists->first[group];
      lists->first[group] = i;
   }
   return true;
}

/* Reads the driver's list, and allocates room for a set of each counter, at
 * worst.  Returns false without memory.
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
      struct pipe_driver_query_info *info =
         &lists->all[lists->all_count].info;

      lists->all_count += screen->get_driver_query_info(screen, i, info) &&
                          !pitot_pipe_counter_is_broken(screen, info->name);
   }
   if (screen->get_driver_query_group_info)
      lists->group_count =
         screen->get_driver_query_group_info(screen, 0, NULL);
   return link_groups(lists);
}

static void
finish(struct pitot_perf_provider *provider)
{
   struct driver_lists *lists = pitot_perf_pipe_of(provider)->lists;

   if (!lists)
      return;
   free(provider->sets);
   free(lists->all);
   free(lists->first);
   free(lists->names);
   free(lists->counters);
   free(lists);
   pitot_perf_pipe_of(provider)->lists = NULL;
   provider->set_count = 0;
}

static void
list(struct pitot_perf_provider *provider)
{
   const struct pipe_context *pipe = pitot_perf_pipe_context(provider);
   struct pipe_screen *screen = pipe->screen;

   /* A driver with sets for Intel GPUs has the same ones in its groups. */
   if (pitot_perf_pipe_has_intel(pipe) || !screen->get_driver_query_info)
      return;
   const unsigned count = screen->get_driver_query_info(screen, 0, NULL);
   struct driver_lists *lists = count ? calloc(1, sizeof(*lists)) : NULL;
   pitot_perf_pipe_of(provider)->lists = lists;
   if (!lists || !read_lists(provider, lists, count)) {
      finish(provider);
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

static struct pipe_query *
create_batch(const struct pitot_perf_set *set, unsigned count)
{
   struct pipe_context *pipe = pitot_perf_pipe_context(set->provider);
   unsigned *types = calloc(count, sizeof(*types));
   struct pipe_query *pq = NULL;
   unsigned next = 0;

   for (unsigned i = 0; types && i < set->counter_count; i++) {
      if (is_batch(set, i))
         types[next++] = info_of(set, i)->query_type;
   }
   if (types && pipe->create_batch_query)
      pq = pipe->create_batch_query(pipe, count, types);
   free(types);
   return pq;
}

/* Adds the query of the counters that share one.  A driver measures those of
 * a set, so that NULL means no memory, but may refuse a selection, which can
 * be of several groups: radeonsi refuses those of two kinds of shaders.
 */
static bool
add_batch(struct pitot_perf_pipe_queries *queries, unsigned count)
{
   const struct pitot_perf_set *set = queries->base.set;
   struct pitot_pipe_client *client =
      pitot_perf_pipe_of(set->provider)->client;
   struct pipe_query *pq = create_batch(set, count);

   queries->is_refused = !pq && set->is_selection;
   if (queries->is_refused)
      return true;
   const union pipe_query_result *result =
      pitot_perf_pipe_queries_add(queries,
                                  pitot_pipe_query_wrap(client, pq, false),
                                  count);
   for (unsigned i = 0, next = 0; result && i < set->counter_count; i++) {
      if (is_batch(set, i))
         queries->values[i] = &result->batch[next++];
   }
   return result != NULL;
}

static bool
add_queries(struct pitot_perf_pipe_queries *queries)
{
   const struct pitot_perf_set *set = queries->base.set;
   struct pitot_pipe_client *client =
      pitot_perf_pipe_of(set->provider)->client;
   struct pipe_context *pipe = client->info.pipe;
   const unsigned count = batch_count(set);

   for (unsigned i = 0; i < set->counter_count; i++) {
      if (is_batch(set, i))
         continue;
      struct pipe_query *pq =
         pipe->create_query(pipe, info_of(set, i)->query_type, 0);
      const union pipe_query_result *result =
         pitot_perf_pipe_queries_add(queries,
                                     pitot_pipe_query_wrap(client, pq, false),
                                     0);
      if (!result)
         return false;
      queries->values[i] = result->batch;
   }
   return !count || add_batch(queries, count);
}

static struct pitot_perf_measurement *
create(struct pitot_perf_set *set)
{
   return pitot_perf_pipe_queries_create(set, add_queries);
}

/* Of units that a driver has few of, another user may have the last. */
static int
begin(struct pitot_perf_measurement *measurement)
{
   const struct pitot_perf_pipe_queries *queries =
      (struct pitot_perf_pipe_queries *)measurement;

   return queries->is_refused || pitot_perf_pipe_queries_begin(measurement)
             ? -EBUSY
             : 0;
}

const struct pitot_perf_provider_ops pitot_perf_pipe_driver_ops = {
   .list = list,
   .finish = finish,
   .create = create,
   .destroy = pitot_perf_pipe_queries_destroy,
   .begin = begin,
   .end = pitot_perf_pipe_queries_end,
   .read = pitot_perf_pipe_queries_read,
};
