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
   char description[192];
   unsigned query_type;
   bool is_batch;  /* measured by the batch query, the last part */
   unsigned index; /* in the batch, or among the parts */
};

/* A set, beside its struct pitot_perf_set. */
struct driver_set {
   char name[128];
   struct pitot_perf_counter *infos;
   struct driver_counter *counters;
   unsigned batch_count;
};

/* pitot_perf_pipe_provider.lists */
struct driver_sets {
   struct pitot_perf_set *sets;
   struct driver_set *details; /* of the set with the same index */
};

#define EVENT(DATA_TYPE, UNIT)                                               \
   {                                                                         \
      PITOT_PERF_COUNTER_EVENT, PITOT_PERF_DATA_##DATA_TYPE, UNIT            \
   }
#define RAW(DATA_TYPE, UNIT)                                                 \
   {                                                                         \
      PITOT_PERF_COUNTER_RAW, PITOT_PERF_DATA_##DATA_TYPE, UNIT              \
   }

/* Gallium's types; its HUD has the same units. */
static const struct unit {
   enum pitot_perf_counter_type type;
   enum pitot_perf_data_type data_type;
   const char *name;
} units[] = {
   [PIPE_DRIVER_QUERY_TYPE_UINT64] = EVENT(UINT64, "events"),
   [PIPE_DRIVER_QUERY_TYPE_UINT] = EVENT(UINT32, "events"),
   [PIPE_DRIVER_QUERY_TYPE_FLOAT] = RAW(FLOAT, "number"),
   [PIPE_DRIVER_QUERY_TYPE_PERCENTAGE] = { PITOT_PERF_COUNTER_DURATION_NORM,
                                           PITOT_PERF_DATA_UINT64,
                                           "percent" },
   [PIPE_DRIVER_QUERY_TYPE_BYTES] = { PITOT_PERF_COUNTER_THROUGHPUT,
                                      PITOT_PERF_DATA_UINT64, "bytes" },
   [PIPE_DRIVER_QUERY_TYPE_MICROSECONDS] = { PITOT_PERF_COUNTER_DURATION_RAW,
                                             PITOT_PERF_DATA_UINT64, "us" },
   [PIPE_DRIVER_QUERY_TYPE_HZ] = RAW(UINT64, "hz"),
   [PIPE_DRIVER_QUERY_TYPE_DBM] = RAW(UINT64, "-dBm"),
   [PIPE_DRIVER_QUERY_TYPE_TEMPERATURE] = RAW(UINT64, "C"),
   [PIPE_DRIVER_QUERY_TYPE_VOLTS] = RAW(UINT64, "mV"),
   [PIPE_DRIVER_QUERY_TYPE_AMPS] = RAW(UINT64, "mA"),
   [PIPE_DRIVER_QUERY_TYPE_WATTS] = RAW(UINT64, "mW"),
};

/* Everything the driver lists. */
struct listing {
   struct pipe_driver_query_info *infos;
   unsigned info_count;
   unsigned group_count;
};

/*
 * A set
 */

static uint64_t
raw_max(const struct pipe_driver_query_info *info)
{
   switch (units[info->type].data_type) {
   case PITOT_PERF_DATA_UINT32:
      return info->max_value.u32;
   case PITOT_PERF_DATA_FLOAT:
      return (uint64_t)info->max_value.f;
   default:
      return info->max_value.u64;
   }
}

static void
add_counter(struct driver_set *details, struct pitot_perf_set *set,
            const struct pipe_driver_query_info *info)
{
   const struct unit *unit = &units[info->type];
   struct driver_counter *counter = &details->counters[set->counter_count];

   snprintf(counter->description, sizeof(counter->description),
            "%s, as the driver counts it. Unit: %s.", info->name, unit->name);
   counter->query_type = info->query_type;
   counter->is_batch = info->flags & PIPE_DRIVER_QUERY_FLAG_BATCH;
   counter->index = counter->is_batch
                       ? details->batch_count++
                       : set->counter_count - details->batch_count;
   details->infos[set->counter_count++] = (struct pitot_perf_counter){
      .name = info->name,
      .description = counter->description,
      .type = unit->type,
      .data_type = unit->data_type,
      .raw_max = raw_max(info),
   };
}

/* Adds an empty set with room for that many counters. */
static bool
open_set(struct pitot_perf_provider *provider, unsigned capacity)
{
   struct driver_sets *sets = pitot_perf_pipe_of(provider)->lists;
   struct driver_set *details = &sets->details[provider->set_count];
   struct pitot_perf_set *set = &sets->sets[provider->set_count];

   provider->set_count++;
   details->infos = calloc(capacity, sizeof(details->infos[0]));
   details->counters = calloc(capacity, sizeof(details->counters[0]));
   set->name = details->name;
   set->counters = details->infos;
   set->is_global = true;
   return details->infos && details->counters;
}

/* A driver measures one batch at a time, and the limit of a group if it has
 * one.
 */
static void
set_overlap(struct pitot_perf_set *set, const struct driver_set *details,
            unsigned group_id, unsigned limit)
{
   const bool is_batch = details->batch_count > 0;

   set->overlap =
      is_batch || limit ? PITOT_PERF_OVERLAP_NONE : PITOT_PERF_OVERLAP_ANY;
   set->domain = is_batch ? BATCH_DOMAIN : group_id;
}

/* Names a full set: the group, and which of its sets it is. */
static void
name_set(struct driver_set *details, const char *group, unsigned index,
         unsigned count)
{
   if (count == 1)
      snprintf(details->name, sizeof(details->name), "%s", group);
   else
      snprintf(details->name, sizeof(details->name), "%s (%u of %u)", group,
               index + 1, count);
}

/*
 * Groups
 */

/* A group that does not exist counts as none: not every driver with counters
 * has the hook for groups, and fills in the number.
 */
static bool
is_member(const struct listing *listing,
          const struct pipe_driver_query_info *info, unsigned group_id)
{
   if (group_id != NO_GROUP)
      return info->group_id == group_id;
   return info->group_id >= listing->group_count &&
          !(info->flags & PIPE_DRIVER_QUERY_FLAG_DONT_LIST);
}

static unsigned
member_count(const struct listing *listing, unsigned group_id)
{
   unsigned count = 0;

   for (unsigned i = 0; i < listing->info_count; i++)
      count += is_member(listing, &listing->infos[i], group_id);
   return count;
}

/* Adds the sets of a group, of which a driver measures at most limit counters
 * at a time; 0: all.
 */
static bool
add_group(struct pitot_perf_provider *provider, const struct listing *listing,
          unsigned group_id, const char *name, unsigned limit)
{
   const struct driver_sets *sets = pitot_perf_pipe_of(provider)->lists;
   const unsigned count = member_count(listing, group_id);
   const unsigned per_set = limit && limit < count ? limit : count;
   const unsigned set_count = count ? (count + per_set - 1) / per_set : 0;
   unsigned added = 0;

   for (unsigned i = 0; i < listing->info_count; i++) {
      if (!is_member(listing, &listing->infos[i], group_id))
         continue;
      if (added % per_set == 0 && !open_set(provider, per_set))
         return false;

      struct driver_set *details = &sets->details[provider->set_count - 1];
      struct pitot_perf_set *set = &sets->sets[provider->set_count - 1];

      add_counter(details, set, &listing->infos[i]);
      if (++added % per_set == 0 || added == count) {
         name_set(details, name, (added - 1) / per_set, set_count);
         set->record_B =
            pitot_perf_layout_record(details->infos, set->counter_count);
         set_overlap(set, details, group_id, limit);
      }
   }
   return true;
}

static bool
add_groups(struct pitot_perf_provider *provider,
           const struct listing *listing)
{
   struct pipe_screen *screen = pitot_perf_pipe_context(provider)->screen;

   for (unsigned id = 0; id < listing->group_count; id++) {
      struct pipe_driver_query_group_info group;

      if (screen->get_driver_query_group_info(screen, id, &group) &&
          !add_group(provider, listing, id, group.name,
                     group.max_active_queries))
         return false;
   }
   return add_group(provider, listing, NO_GROUP, "Driver Counters", 0);
}

/* Reads the driver's lists.  Returns whether there is any counter. */
static bool
read_listing(struct pipe_screen *screen, struct listing *listing)
{
   const unsigned count = screen->get_driver_query_info
                             ? screen->get_driver_query_info(screen, 0, NULL)
                             : 0;

   *listing = (struct listing){ 0 };
   if (count)
      listing->infos = calloc(count, sizeof(listing->infos[0]));
   if (!listing->infos)
      return false;
   for (unsigned i = 0; i < count; i++) {
      struct pipe_driver_query_info *info =
         &listing->infos[listing->info_count];

      listing->info_count +=
         screen->get_driver_query_info(screen, i, info) &&
         !pitot_pipe_counter_is_broken(screen, info->name);
   }
   if (screen->get_driver_query_group_info)
      listing->group_count =
         screen->get_driver_query_group_info(screen, 0, NULL);
   return true;
}

static void
finish(struct pitot_perf_provider *provider)
{
   struct driver_sets *sets = pitot_perf_pipe_of(provider)->lists;

   for (unsigned i = 0; i < provider->set_count; i++) {
      free(sets->details[i].infos);
      free(sets->details[i].counters);
   }
   if (sets) {
      free(sets->sets);
      free(sets->details);
   }
   free(sets);
   pitot_perf_pipe_of(provider)->lists = NULL;
   provider->set_count = 0;
}

/* Allocates room for a set of each counter, at worst. */
static struct driver_sets *
make_sets(unsigned capacity)
{
   struct driver_sets *sets = calloc(1, sizeof(*sets));
   if (!sets)
      return NULL;

   sets->sets = calloc(capacity, sizeof(sets->sets[0]));
   sets->details = calloc(capacity, sizeof(sets->details[0]));
   return sets;
}

static int
list(struct pitot_perf_provider *provider)
{
   const struct pipe_context *pipe = pitot_perf_pipe_context(provider);
   struct listing listing;

   /* A driver with sets for Intel GPUs has the same ones in its groups. */
   if (pitot_perf_pipe_has_intel(pipe) ||
       !read_listing(pipe->screen, &listing))
      return 0;

   struct driver_sets *sets = make_sets(listing.info_count);
   pitot_perf_pipe_of(provider)->lists = sets;
   const bool ok =
      sets && sets->sets && sets->details && add_groups(provider, &listing);
   free(listing.infos);
   if (!ok) {
      finish(provider);
      return -ENOMEM;
   }
   provider->sets = sets->sets;
   return 0;
}

/*
 * Measuring
 */

static struct pitot_driver_query *
create_batch(struct pitot_perf_provider *provider,
             const struct driver_set *details, unsigned counter_count)
{
   struct pipe_context *pipe = pitot_perf_pipe_context(provider);
   unsigned *types = calloc(details->batch_count, sizeof(*types));
   struct pipe_query *pq = NULL;
   unsigned count = 0;

   for (unsigned i = 0; types && i < counter_count; i++) {
      if (details->counters[i].is_batch)
         types[count++] = details->counters[i].query_type;
   }
   if (types && pipe->create_batch_query)
      pq = pipe->create_batch_query(pipe, count, types);
   free(types);
   return pitot_pipe_query_wrap(pitot_perf_pipe_of(provider)->client, pq);
}

static bool
add_parts(struct pitot_perf_provider *provider,
          const struct driver_set *details, unsigned counter_count,
          struct pitot_perf_parts *parts)
{
   struct pitot_pipe_client *client = pitot_perf_pipe_of(provider)->client;
   struct pipe_context *pipe = client->info.pipe;

   for (unsigned i = 0; i < counter_count; i++) {
      const struct driver_counter *counter = &details->counters[i];
      struct pipe_query *pq;

      if (counter->is_batch)
         continue;
      pq = pipe->create_query(pipe, counter->query_type, 0);
      if (!pitot_perf_parts_add(parts, pitot_pipe_query_wrap(client, pq), 0))
         return false;
   }
   return !details->batch_count ||
          pitot_perf_parts_add(parts,
                               create_batch(provider, details, counter_count),
                               details->batch_count);
}

static const struct driver_set *
details_of(struct pitot_perf_provider *provider,
           const struct pitot_perf_set *set)
{
   const struct driver_sets *sets = pitot_perf_pipe_of(provider)->lists;

   return &sets->details[set - provider->sets];
}

static int
create(struct pitot_perf_provider *provider, const struct pitot_perf_set *set,
       struct pitot_perf_measurement **measurement_out)
{
   struct pitot_perf_parts *parts =
      pitot_perf_parts_create(set->counter_count);
   if (!parts)
      return -ENOMEM;

   if (!add_parts(provider, details_of(provider, set), set->counter_count,
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
   const struct driver_set *details = details_of(provider, set);
   struct pitot_perf_parts *parts = (struct pitot_perf_parts *)measurement;
   const int status = pitot_perf_parts_read(provider, parts, wait);

   if (status <= 0)
      return status;
   memset(record_out, 0, set->record_B);
   for (unsigned i = 0; i < set->counter_count; i++) {
      const struct driver_counter *counter = &details->counters[i];
      const union pipe_numeric_type_union *value =
         counter->is_batch
            ? &parts->parts[parts->count - 1].result->batch[counter->index]
            : &parts->parts[counter->index].result->batch[0];

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
