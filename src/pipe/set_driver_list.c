/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The counters that a driver lists for Gallium's own tools: a set for each of
 * its groups, or several where a group has more than it measures at a time,
 * and one for those without a group.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "set_driver.h"

#define NO_GROUP     UINT32_MAX
#define BATCH_DOMAIN (UINT32_MAX - 1)

/* How Gallium's types are told; its HUD has the same units. */
static const struct unit {
   enum pitot_counter_type type;
   enum pitot_data_type data_type;
   const char *name;
} units[] = {
   [PIPE_DRIVER_QUERY_TYPE_UINT64] = { PITOT_COUNTER_EVENT, PITOT_DATA_UINT64,
                                       "events" },
   [PIPE_DRIVER_QUERY_TYPE_UINT] = { PITOT_COUNTER_EVENT, PITOT_DATA_UINT32,
                                     "events" },
   [PIPE_DRIVER_QUERY_TYPE_FLOAT] = { PITOT_COUNTER_RAW, PITOT_DATA_FLOAT,
                                      "number" },
   [PIPE_DRIVER_QUERY_TYPE_PERCENTAGE] = { PITOT_COUNTER_DURATION_NORM,
                                           PITOT_DATA_UINT64, "percent" },
   [PIPE_DRIVER_QUERY_TYPE_BYTES] = { PITOT_COUNTER_THROUGHPUT,
                                      PITOT_DATA_UINT64, "bytes" },
   [PIPE_DRIVER_QUERY_TYPE_MICROSECONDS] = { PITOT_COUNTER_DURATION_RAW,
                                             PITOT_DATA_UINT64, "us" },
   [PIPE_DRIVER_QUERY_TYPE_HZ] = { PITOT_COUNTER_RAW, PITOT_DATA_UINT64,
                                   "hz" },
   [PIPE_DRIVER_QUERY_TYPE_DBM] = { PITOT_COUNTER_RAW, PITOT_DATA_UINT64,
                                    "-dBm" },
   [PIPE_DRIVER_QUERY_TYPE_TEMPERATURE] = { PITOT_COUNTER_RAW,
                                            PITOT_DATA_UINT64, "C" },
   [PIPE_DRIVER_QUERY_TYPE_VOLTS] = { PITOT_COUNTER_RAW, PITOT_DATA_UINT64,
                                      "mV" },
   [PIPE_DRIVER_QUERY_TYPE_AMPS] = { PITOT_COUNTER_RAW, PITOT_DATA_UINT64,
                                     "mA" },
   [PIPE_DRIVER_QUERY_TYPE_WATTS] = { PITOT_COUNTER_RAW, PITOT_DATA_UINT64,
                                      "mW" },
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
   case PITOT_DATA_UINT32:
      return info->max_value.u32;
   case PITOT_DATA_FLOAT:
      return (uint64_t)info->max_value.f;
   default:
      return info->max_value.u64;
   }
}

static void
add_counter(struct driver_set *details, struct pitot_counter_set *set,
            const struct pipe_driver_query_info *info)
{
   const struct unit *unit = &units[info->type];
   struct driver_counter *counter = &details->counters[set->counter_count];

   snprintf(counter->description, sizeof(counter->description),
            "%s, as the driver counts it. Unit: %s.", info->name, unit->name);
   counter->query_type = info->query_type;
   counter->is_batch = info->flags & PIPE_DRIVER_QUERY_FLAG_BATCH;
   counter->slot = counter->is_batch
                      ? details->batch_count++
                      : set->counter_count - details->batch_count;
   details->infos[set->counter_count++] = (struct pitot_counter_info){
      .name = info->name,
      .description = counter->description,
      .type = unit->type,
      .data_type = unit->data_type,
      .raw_max = raw_max(info),
   };
}

/* Makes an empty set with room for so many counters. */
static bool
open_set(struct pitot_provider *provider, unsigned capacity)
{
   struct driver_sets *own = pitot_pipe_provider_of(provider)->own;
   struct driver_set *details = &own->details[provider->set_count];
   struct pitot_counter_set *set = &own->sets[provider->set_count];

   provider->set_count++;
   details->infos = calloc(capacity, sizeof(details->infos[0]));
   details->counters = calloc(capacity, sizeof(details->counters[0]));
   set->name = details->name;
   set->counters = details->infos;
   set->is_global = true;
   return details->infos && details->counters;
}

/* What a driver has one of at a time, or so many of in each group. */
static void
set_overlap(struct pitot_counter_set *set, const struct driver_set *details,
            unsigned group_id, unsigned limit)
{
   const bool is_batch = details->batch_count > 0;

   set->overlap = is_batch || limit ? PITOT_OVERLAP_NONE : PITOT_OVERLAP_ANY;
   set->domain = is_batch ? BATCH_DOMAIN : group_id;
}

/* Names a set, once it is full: one of so many that a group was split into.
 */
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

/* A group that is not there is none: not every driver with counters has the
 * hook for groups, and fills in the number.
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

/* Makes the sets of a group, of which a driver measures as many counters as
 * limit at a time.
 */
static bool
add_group(struct pitot_provider *provider, const struct listing *listing,
          unsigned group_id, const char *name, unsigned limit)
{
   const struct driver_sets *own = pitot_pipe_provider_of(provider)->own;
   const unsigned count = member_count(listing, group_id);
   const unsigned per_set = limit && limit < count ? limit : count;
   const unsigned set_count = count ? (count + per_set - 1) / per_set : 0;
   unsigned added = 0;

   for (unsigned i = 0; i < listing->info_count; i++) {
      if (!is_member(listing, &listing->infos[i], group_id))
         continue;
      if (added % per_set == 0 && !open_set(provider, per_set))
         return false;

      struct driver_set *details = &own->details[provider->set_count - 1];
      struct pitot_counter_set *set = &own->sets[provider->set_count - 1];

      add_counter(details, set, &listing->infos[i]);
      if (++added % per_set == 0 || added == count) {
         name_set(details, name, (added - 1) / per_set, set_count);
         set->record_B =
            pitot_record_layout(details->infos, set->counter_count);
         set_overlap(set, details, group_id, limit);
      }
   }
   return true;
}

static bool
add_groups(struct pitot_provider *provider, const struct listing *listing)
{
   struct pipe_screen *screen = pitot_pipe_of(provider)->screen;

   for (unsigned id = 0; id < listing->group_count; id++) {
      struct pipe_driver_query_group_info group;

      if (screen->get_driver_query_group_info(screen, id, &group) &&
          !add_group(provider, listing, id, group.name,
                     group.max_active_queries))
         return false;
   }
   return add_group(provider, listing, NO_GROUP, "Driver Counters", 0);
}

/* Reads what the driver lists.  Returns whether there is anything. */
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

void
pitot_pipe_driver_sets_finish(struct pitot_provider *provider)
{
   struct driver_sets *own = pitot_pipe_provider_of(provider)->own;

   for (unsigned i = 0; i < provider->set_count; i++) {
      free(own->details[i].infos);
      free(own->details[i].counters);
   }
   if (own) {
      free(own->sets);
      free(own->details);
   }
   free(own);
   pitot_pipe_provider_of(provider)->own = NULL;
   provider->set_count = 0;
}

/* Room for a set of each counter, at worst. */
static struct driver_sets *
make_sets(unsigned capacity)
{
   struct driver_sets *own = calloc(1, sizeof(*own));
   if (!own)
      return NULL;

   own->sets = calloc(capacity, sizeof(own->sets[0]));
   own->details = calloc(capacity, sizeof(own->details[0]));
   return own;
}

int
pitot_pipe_driver_sets_list(struct pitot_provider *provider)
{
   const struct pipe_context *pipe = pitot_pipe_of(provider);
   struct listing listing;

   /* A driver with sets for Intel GPUs has the same ones in its groups. */
   if (pitot_pipe_has_intel_hooks(pipe) ||
       !read_listing(pipe->screen, &listing))
      return 0;

   struct driver_sets *own = make_sets(listing.info_count);
   pitot_pipe_provider_of(provider)->own = own;
   const bool ok =
      own && own->sets && own->details && add_groups(provider, &listing);
   free(listing.infos);
   if (!ok) {
      pitot_pipe_driver_sets_finish(provider);
      return -ENOMEM;
   }
   provider->sets = own->sets;
   return 0;
}
