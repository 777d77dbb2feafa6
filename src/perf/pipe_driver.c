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
#include <string.h>

#include "pipe_priv.h"

#define NO_GROUP     UINT32_MAX
#define BATCH_DOMAIN (UINT32_MAX - 1)

/* A counter, beside its struct pitot_perf_counter. */
struct driver_counter {
   const struct pipe_driver_query_info *info;
   char description[192];
};

/* A set, beside its struct pitot_perf_set. */
struct driver_set {
   char name[128];
   struct driver_counter *counters;
   unsigned batch_count; /* of the counters, measured by one query */
};

/* pitot_perf_pipe_provider.lists: those of the driver, and the sets. */
struct driver_lists {
   struct pipe_driver_query_info *infos;
   unsigned info_count;
   unsigned group_count;

   /* Each counter is in one set at most. */
   struct pitot_perf_set *sets;
   struct driver_set *driver_sets; /* of the set with the same index */
   struct pitot_perf_counter *counters;
   struct driver_counter *driver_counters; /* likewise */
};

#define UNIT(TYPE, COUNTER, DATA, NAME)                                      \
   [PIPE_DRIVER_QUERY_TYPE_##                                                \
      TYPE] = { PITOT_PERF_COUNTER_##COUNTER, PITOT_PERF_DATA_##DATA, NAME }

/* Gallium's types; its HUD has the same units. */
static const struct unit {
   enum pitot_perf_counter_type type;
   enum pitot_perf_data_type data_type;
   const char *name;
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

static bool
is_batch(const struct pipe_driver_query_info *info)
{
   return info->flags & PIPE_DRIVER_QUERY_FLAG_BATCH;
}

static uint64_t
raw_max(const struct pipe_driver_query_info *info)
{
   if (info->type == PIPE_DRIVER_QUERY_TYPE_FLOAT)
      return (uint64_t)info->max_value.f;
   return units[info->type].data_type == PITOT_PERF_DATA_UINT32
             ? info->max_value.u32
             : info->max_value.u64;
}

/* Adds an empty set behind the counters of the last one. */
static void
open_set(struct pitot_perf_provider *provider)
{
   struct driver_lists *lists = pitot_perf_pipe_of(provider)->lists;
   struct pitot_perf_set *set = &lists->sets[provider->set_count];
   unsigned first = 0;

   if (provider->set_count)
      first = set[-1].counters + set[-1].counter_count - lists->counters;
   set->name = lists->driver_sets[provider->set_count].name;
   set->counters = &lists->counters[first];
   set->is_global = true;
   lists->driver_sets[provider->set_count].counters =
      &lists->driver_counters[first];
   provider->set_count++;
}

/* Adds a counter to the last set. */
static void
add_counter(struct pitot_perf_provider *provider,
            const struct pipe_driver_query_info *info)
{
   struct driver_lists *lists = pitot_perf_pipe_of(provider)->lists;
   struct pitot_perf_set *set = &lists->sets[provider->set_count - 1];
   struct driver_set *driver_set =
      &lists->driver_sets[provider->set_count - 1];
   const struct unit *unit = &units[info->type];
   struct driver_counter *counter = &driver_set->counters[set->counter_count];

   snprintf(counter->description, sizeof(counter->description),
            "%s, as the driver counts it. Unit: %s.", info->name, unit->name);
   counter->info = info;
   driver_set->batch_count += is_batch(info);
   lists->counters[counter - lists->driver_counters] =
      (struct pitot_perf_counter){
         .name = info->name,
         .description = counter->description,
         .type = unit->type,
         .data_type = unit->data_type,
         .raw_max = raw_max(info),
      };
   set->counter_count++;
}

/* Completes the last set, one of those that a group was split into.  A driver
 * measures one batch at a time, and the limit of a group if it has one.
 */
static void
close_set(struct pitot_perf_provider *provider, const char *group,
          unsigned group_id, unsigned limit, unsigned index, unsigned count)
{
   struct driver_lists *lists = pitot_perf_pipe_of(provider)->lists;
   struct pitot_perf_set *set = &lists->sets[provider->set_count - 1];
   struct driver_set *driver_set =
      &lists->driver_sets[provider->set_count - 1];
   const bool has_batch = driver_set->batch_count > 0;

   if (count == 1)
      snprintf(driver_set->name, sizeof(driver_set->name), "%s", group);
   else
      snprintf(driver_set->name, sizeof(driver_set->name), "%s (%u of %u)",
               group, index + 1, count);
   set->record_B = pitot_perf_layout_record(
      &lists->counters[set->counters - lists->counters], set->counter_count);
   set->overlap =
      has_batch || limit ? PITOT_PERF_OVERLAP_NONE : PITOT_PERF_OVERLAP_ANY;
   set->domain = has_batch ? BATCH_DOMAIN : group_id;
}

/* A group that does not exist counts as none: not every driver with counters
 * has the hook for groups, and fills in the number.
 */
static bool
is_member(const struct driver_lists *lists,
          const struct pipe_driver_query_info *info, unsigned group_id)
{
   if (group_id != NO_GROUP)
      return info->group_id == group_id;
   return info->group_id >= lists->group_count &&
          !(info->flags & PIPE_DRIVER_QUERY_FLAG_DONT_LIST);
}

static unsigned
member_count(const struct driver_lists *lists, unsigned group_id)
{
   unsigned count = 0;

   for (unsigned i = 0; i < lists->info_count; i++)
      count += is_member(lists, &lists->infos[i], group_id);
   return count;
}

/* Adds the sets of a group, of which a driver measures at most limit counters
 * at a time; 0: all.
 */
static void
add_group(struct pitot_perf_provider *provider, unsigned group_id,
          const char *name, unsigned limit)
{
   const struct driver_lists *lists = pitot_perf_pipe_of(provider)->lists;
   const unsigned count = member_count(lists, group_id);
   const unsigned per_set = limit && limit < count ? limit : count;
   unsigned added = 0;

   for (unsigned i = 0; i < lists->info_count; i++) {
      if (!is_member(lists, &lists->infos[i], group_id))
         continue;
      if (added % per_set == 0)
         open_set(provider);
      add_counter(provider, &lists->infos[i]);
      if (++added % per_set == 0 || added == count)
         close_set(provider, name, group_id, limit, (added - 1) / per_set,
                   (count + per_set - 1) / per_set);
   }
}

/* Reads the driver's lists, and allocates room for a set of each counter, at
 * worst.  Returns false without memory.
 */
static bool
read_lists(struct pipe_screen *screen, struct driver_lists *lists,
           unsigned count)
{
   lists->infos = calloc(count, sizeof(lists->infos[0]));
   lists->sets = calloc(count, sizeof(lists->sets[0]));
   lists->driver_sets = calloc(count, sizeof(lists->driver_sets[0]));
   lists->counters = calloc(count, sizeof(lists->counters[0]));
   lists->driver_counters = calloc(count, sizeof(lists->driver_counters[0]));
   if (!lists->infos || !lists->sets || !lists->driver_sets ||
       !lists->counters || !lists->driver_counters)
      return false;

   for (unsigned i = 0; i < count; i++) {
      struct pipe_driver_query_info *info = &lists->infos[lists->info_count];

      lists->info_count += screen->get_driver_query_info(screen, i, info) &&
                           !pitot_pipe_counter_is_broken(screen, info->name);
   }
   if (screen->get_driver_query_group_info)
      lists->group_count =
         screen->get_driver_query_group_info(screen, 0, NULL);
   return true;
}

static void
finish(struct pitot_perf_provider *provider)
{
   struct driver_lists *lists = pitot_perf_pipe_of(provider)->lists;

   if (!lists)
      return;
   free(lists->infos);
   free(lists->sets);
   free(lists->driver_sets);
   free(lists->counters);
   free(lists->driver_counters);
   free(lists);
   pitot_perf_pipe_of(provider)->lists = NULL;
   provider->set_count = 0;
}

static int
list(struct pitot_perf_provider *provider)
{
   const struct pipe_context *pipe = pitot_perf_pipe_context(provider);
   struct pipe_screen *screen = pipe->screen;

   /* A driver with sets for Intel GPUs has the same ones in its groups. */
   if (pitot_perf_pipe_has_intel(pipe) || !screen->get_driver_query_info)
      return 0;
   const unsigned count = screen->get_driver_query_info(screen, 0, NULL);
   if (!count)
      return 0;

   struct driver_lists *lists = calloc(1, sizeof(*lists));
   pitot_perf_pipe_of(provider)->lists = lists;
   if (!lists || !read_lists(screen, lists, count)) {
      finish(provider);
      return -ENOMEM;
   }
   provider->sets = lists->sets;
   for (unsigned id = 0; id < lists->group_count; id++) {
      struct pipe_driver_query_group_info group;

      if (screen->get_driver_query_group_info(screen, id, &group))
         add_group(provider, id, group.name, group.max_active_queries);
   }
   add_group(provider, NO_GROUP, "Driver Counters", 0);
   return 0;
}

static struct pitot_driver_query *
create_batch(struct pitot_perf_provider *provider,
             const struct driver_set *driver_set, unsigned counter_count)
{
   struct pipe_context *pipe = pitot_perf_pipe_context(provider);
   unsigned *types = calloc(driver_set->batch_count, sizeof(*types));
   struct pipe_query *pq = NULL;
   unsigned count = 0;

   for (unsigned i = 0; types && i < counter_count; i++) {
      const struct pipe_driver_query_info *info =
         driver_set->counters[i].info;

      if (is_batch(info))
         types[count++] = info->query_type;
   }
   if (types && pipe->create_batch_query)
      pq = pipe->create_batch_query(pipe, count, types);
   free(types);
   return pitot_pipe_query_wrap(pitot_perf_pipe_of(provider)->client, pq);
}

static bool
add_parts(struct pitot_perf_provider *provider,
          const struct driver_set *driver_set, unsigned counter_count,
          struct pitot_perf_parts *parts)
{
   struct pitot_pipe_client *client = pitot_perf_pipe_of(provider)->client;
   struct pipe_context *pipe = client->info.pipe;

   for (unsigned i = 0; i < counter_count; i++) {
      const struct pipe_driver_query_info *info =
         driver_set->counters[i].info;
      struct pipe_query *pq;

      if (is_batch(info))
         continue;
      pq = pipe->create_query(pipe, info->query_type, 0);
      if (!pitot_perf_parts_add(parts, pitot_pipe_query_wrap(client, pq), 0))
         return false;
   }
   return !driver_set->batch_count ||
          pitot_perf_parts_add(parts,
                               create_batch(provider, driver_set,
                                            counter_count),
                               driver_set->batch_count);
}

static const struct driver_set *
driver_set_of(struct pitot_perf_provider *provider,
              const struct pitot_perf_set *set)
{
   const struct driver_lists *lists = pitot_perf_pipe_of(provider)->lists;

   return &lists->driver_sets[set - provider->sets];
}

static int
create(struct pitot_perf_provider *provider, const struct pitot_perf_set *set,
       struct pitot_perf_measurement **measurement_out)
{
   struct pitot_perf_parts *parts =
      pitot_perf_parts_create(set->counter_count);
   if (!parts)
      return -ENOMEM;

   if (!add_parts(provider, driver_set_of(provider, set), set->counter_count,
                  parts)) {
      pitot_perf_parts_destroy(provider, &parts->base);
      return -ENOMEM;
   }
   *measurement_out = &parts->base;
   return 0;
}

/* Of units that a driver has few of, another user may have the last. */
static int
begin(struct pitot_perf_provider *provider,
      struct pitot_perf_measurement *measurement)
{
   return pitot_perf_parts_begin(provider, measurement) ? -EBUSY : 0;
}

static int
read_record(struct pitot_perf_provider *provider,
            struct pitot_perf_measurement *measurement, bool wait,
            void *record_out)
{
   const struct pitot_perf_set *set = measurement->set;
   const struct driver_set *driver_set = driver_set_of(provider, set);
   struct pitot_perf_parts *parts = (struct pitot_perf_parts *)measurement;
   const int status = pitot_perf_parts_read(provider, parts, wait);

   if (status <= 0)
      return status;
   const union pipe_numeric_type_union *batch =
      parts->parts[parts->count - 1].result->batch;
   const struct pitot_perf_part *single = parts->parts;

   memset(record_out, 0, set->record_B);
   for (unsigned i = 0; i < set->counter_count; i++) {
      const union pipe_numeric_type_union *value =
         is_batch(driver_set->counters[i].info) ? batch++
                                                : (single++)->result->batch;

      memcpy((uint8_t *)record_out + set->counters[i].offset_B, value,
             set->counters[i].size_B);
   }
   return 1;
}

const struct pitot_perf_provider_ops pitot_perf_pipe_driver_ops = {
   .list = list,
   .finish = finish,
   .create = create,
   .destroy = pitot_perf_parts_destroy,
   .begin = begin,
   .end = pitot_perf_parts_end,
   .read = read_record,
};
