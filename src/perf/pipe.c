/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>
#include <string.h>

#include "pipe_priv.h"
#include "pitot/pipe_kind.h"

/*
 * Measurements by several queries
 */

static struct pitot_driver *
driver_of(const struct pitot_perf_parts *parts)
{
   return parts->base.set->provider->driver;
}

struct pitot_perf_measurement *
pitot_perf_parts_create(struct pitot_perf_set *set,
                        bool (*add)(struct pitot_perf_parts *parts))
{
   const unsigned count = set->counter_count;
   struct pitot_perf_parts *parts =
      calloc(1, sizeof(*parts) + count * (sizeof(parts->parts[0]) +
                                          sizeof(parts->values[0])));
   if (!parts)
      return NULL;

   parts->base.set = set;
   parts->values = (const void **)&parts->parts[count];
   if (!add(parts)) {
      pitot_perf_parts_destroy(&parts->base);
      return NULL;
   }
   return &parts->base;
}

union pipe_query_result *
pitot_perf_parts_add(struct pitot_perf_parts *parts,
                     struct pitot_driver_query *query, unsigned batch_count)
{
   struct pitot_perf_part *part = &parts->parts[parts->count];

   if (!query)
      return NULL;
   part->query = query;
   part->result = calloc(1, sizeof(*part->result) +
                               batch_count * sizeof(part->result->batch[0]));
   parts->count++;
   return part->result;
}

void
pitot_perf_parts_destroy(struct pitot_perf_measurement *measurement)
{
   struct pitot_perf_parts *parts = (struct pitot_perf_parts *)measurement;
   struct pitot_driver *driver = driver_of(parts);

   for (unsigned i = 0; i < parts->count; i++) {
      driver->ops->query_destroy(driver, parts->parts[i].query);
      free(parts->parts[i].result);
   }
   free(parts);
}

/* Ends the first parts, all of them even if one fails. */
static int
end_parts(const struct pitot_perf_parts *parts, unsigned count)
{
   struct pitot_driver *driver = driver_of(parts);
   int first_error = 0;

   for (unsigned i = 0; i < count; i++) {
      const int error = driver->ops->query_end(driver, parts->parts[i].query);
      if (!first_error)
         first_error = error;
   }
   return first_error;
}

int
pitot_perf_parts_begin(struct pitot_perf_measurement *measurement)
{
   struct pitot_perf_parts *parts = (struct pitot_perf_parts *)measurement;
   struct pitot_driver *driver = driver_of(parts);

   parts->known_count = 0;
   for (unsigned i = 0; i < parts->count; i++) {
      const int error =
         driver->ops->query_begin(driver, parts->parts[i].query);
      if (error) {
         (void)end_parts(parts, i);
         return error;
      }
   }
   return 0;
}

int
pitot_perf_parts_end(struct pitot_perf_measurement *measurement)
{
   const struct pitot_perf_parts *parts =
      (struct pitot_perf_parts *)measurement;

   return end_parts(parts, parts->count);
}

int
pitot_perf_parts_read(struct pitot_perf_measurement *measurement, bool wait,
                      void *record_out)
{
   const struct pitot_perf_set *set = measurement->set;
   struct pitot_pipe_client *client =
      pitot_perf_pipe_of(set->provider)->client;
   struct pitot_perf_parts *parts = (struct pitot_perf_parts *)measurement;

   for (; parts->known_count < parts->count; parts->known_count++) {
      struct pitot_perf_part *part = &parts->parts[parts->known_count];
      const int status =
         pitot_pipe_query_read(client, part->query, wait, part->result);

      if (status <= 0)
         return status;
   }
   memset(record_out, 0, set->record_B);
   for (unsigned i = 0; i < set->counter_count; i++)
      memcpy((uint8_t *)record_out + set->counters[i].offset_B,
             parts->values[i], set->counters[i].size_B);
   return 1;
}

/*
 * "Pipeline Statistics": the statistics that the driver counts, with one
 * query where it counts them in a struct
 */

/* Returns whether the driver counts a kind in the struct with the others. */
static bool
is_in_struct(struct pitot_perf_provider *provider, enum pitot_kind kind)
{
   const struct pipe_context *pipe = pitot_perf_pipe_context(provider);

   return kind >= PITOT_KIND_FIRST_STATISTIC &&
          !pipe->screen->caps.query_pipeline_statistics_single;
}

/* GL asks for the primitives only where there is transform feedback, so that
 * drivers without it have no cap to say that they do not count them.
 */
static bool
is_counted(struct pitot_perf_provider *provider, enum pitot_kind kind)
{
   const struct pipe_context *pipe = pitot_perf_pipe_context(provider);

   return provider->driver->ops->counter_bits(provider->driver, kind) &&
          (kind >= PITOT_KIND_FIRST_STATISTIC ||
           pipe->screen->caps.max_stream_output_buffers);
}

static void
list(struct pitot_perf_provider *provider)
{
   struct pitot_perf_pipe_statistics *statistics =
      (struct pitot_perf_pipe_statistics *)provider;
   unsigned count = 0;

   for (unsigned i = 0; i < PITOT_PERF_STATISTIC_COUNT; i++) {
      statistics->counters[count] = pitot_perf_statistic(i);
      count += is_counted(provider, statistics->counters[count].source);
   }
   statistics->set = (struct pitot_perf_set){
      .name = PITOT_PERF_STATISTICS_NAME,
      .counters = statistics->counters,
      .counter_count = count,
      .record_B = pitot_perf_layout_record(statistics->counters, count),
      .overlap = PITOT_PERF_OVERLAP_ANY,
   };
   provider->sets = &statistics->set;
   provider->set_count = count > 0;
}

static bool
add_parts(struct pitot_perf_parts *parts)
{
   const struct pitot_perf_set *set = parts->base.set;
   struct pitot_driver *driver = set->provider->driver;
   union pipe_query_result *shared = NULL; /* of all counters of the struct */

   for (unsigned i = 0; i < set->counter_count; i++) {
      const enum pitot_kind kind = set->counters[i].source;
      const bool in_struct = is_in_struct(set->provider, kind);
      union pipe_query_result *result = in_struct ? shared : NULL;
      struct pitot_driver_query *query;

      if (!result && driver->ops->query_create(driver, kind, 0, &query) == 0)
         result = pitot_perf_parts_add(parts, query, 0);
      if (!result)
         return false;
      parts->values[i] = &result->u64;
      if (in_struct) {
         const unsigned statistic = pitot_pipe_kind(kind)->statistic;

         parts->values[i] = &result->pipeline_statistics.counters[statistic];
         shared = result;
      }
   }
   return true;
}

static struct pitot_perf_measurement *
create(struct pitot_perf_set *set)
{
   return pitot_perf_parts_create(set, add_parts);
}

static const struct pitot_perf_provider_ops statistics_ops = {
   .list = list,
   .create = create,
   .destroy = pitot_perf_parts_destroy,
   .begin = pitot_perf_parts_begin,
   .end = pitot_perf_parts_end,
   .read = pitot_perf_parts_read,
};

/*
 * The providers
 */

struct pitot_perf_provider *
pitot_perf_pipe_init(struct pitot_perf_pipe *pipe,
                     struct pitot_pipe_client *client)
{
   struct pitot_perf_pipe_provider provider = {
      .client = client,
      .sysctl_dir = "/proc/sys",
   };

   provider.base.ops = &pitot_perf_pipe_driver_ops;
   pipe->driver = provider;
   provider.base.ops = &statistics_ops;
   provider.base.next = &pipe->driver.base;
   pipe->statistics.base = provider;
   provider.base.ops = &pitot_perf_pipe_intel_ops;
   provider.base.next = &pipe->statistics.base.base;
   pipe->intel = provider;
   return &pipe->intel.base;
}
