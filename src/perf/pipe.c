/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Measurements by several driver queries, and the provider of "Pipeline
 * Statistics".
 *
 * A record is complete when all results are read, each once (known_count).
 * values[] points into the results, so they must not move.
 */

#include <stdlib.h>
#include <string.h>

#include "pipe_priv.h"

/*
 * Measurements by several queries
 */

struct pitot_perf_measurement *
pitot_perf_pipe_queries_create(
   struct pitot_perf_set *set,
   bool (*add)(struct pitot_perf_pipe_queries *queries))
{
   const unsigned count = set->counter_count;
   struct pitot_perf_pipe_queries *queries =
      calloc(1, sizeof(*queries) + count * (sizeof(queries->list[0]) +
                                            sizeof(queries->values[0])));
   if (!queries)
      return NULL;

   queries->base.set = set;
   queries->client = pitot_perf_pipe_of(set->provider)->client;
   queries->values = (const void **)&queries->list[count];
   if (!add(queries)) {
      pitot_perf_pipe_queries_destroy(&queries->base);
      return NULL;
   }
   return &queries->base;
}

union pipe_query_result *
pitot_perf_pipe_queries_add(struct pitot_perf_pipe_queries *queries,
                            struct pitot_driver_query *query,
                            unsigned batch_count)
{
   struct pitot_perf_pipe_query *added = &queries->list[queries->count];

   if (!query)
      return NULL;
   added->query = query;
   added->result =
      calloc(1, sizeof(*added->result) +
                   batch_count * sizeof(added->result->batch[0]));
   queries->count++;
   return added->result;
}

void
pitot_perf_pipe_queries_destroy(struct pitot_perf_measurement *measurement)
{
   struct pitot_perf_pipe_queries *queries =
      (struct pitot_perf_pipe_queries *)measurement;
   struct pitot_driver *driver = &queries->client->base;

   for (unsigned i = 0; i < queries->count; i++) {
      driver->ops->query_destroy(driver, queries->list[i].query);
      free(queries->list[i].result);
   }
   free(queries);
}

/* Ends the first count queries, even if one fails. */
static int
end_first(const struct pitot_perf_pipe_queries *queries, unsigned count)
{
   struct pitot_driver *driver = &queries->client->base;
   int first_error = 0;

   for (unsigned i = 0; i < count; i++) {
      const int error =
         driver->ops->query_end(driver, queries->list[i].query);
      if (!first_error)
         first_error = error;
   }
   return first_error;
}

int
pitot_perf_pipe_queries_begin(struct pitot_perf_measurement *measurement)
{
   struct pitot_perf_pipe_queries *queries =
      (struct pitot_perf_pipe_queries *)measurement;
   struct pitot_driver *driver = &queries->client->base;

   queries->known_count = 0;
   for (unsigned i = 0; i < queries->count; i++) {
      const int error =
         driver->ops->query_begin(driver, queries->list[i].query);
      if (error) {
         (void)end_first(queries, i);
         return error;
      }
   }
   return 0;
}

int
pitot_perf_pipe_queries_end(struct pitot_perf_measurement *measurement)
{
   const struct pitot_perf_pipe_queries *queries =
      (struct pitot_perf_pipe_queries *)measurement;

   return end_first(queries, queries->count);
}

int
pitot_perf_pipe_queries_read(struct pitot_perf_measurement *measurement,
                             bool wait, void *record_out)
{
   const struct pitot_perf_set *set = measurement->set;
   struct pitot_perf_pipe_queries *queries =
      (struct pitot_perf_pipe_queries *)measurement;

   for (; queries->known_count < queries->count; queries->known_count++) {
      struct pitot_perf_pipe_query *next =
         &queries->list[queries->known_count];
      const int status = pitot_pipe_query_read(queries->client, next->query,
                                               wait, next->result);

      if (status <= 0)
         return status;
   }
   for (unsigned i = 0; i < set->counter_count; i++)
      memcpy((uint8_t *)record_out + set->counters[i].offset_B,
             queries->values[i], set->counters[i].size_B);
   return 1;
}

/*
 * "Pipeline Statistics": the statistics that the driver counts
 */

/* Whether to read a counter from PIPE_QUERY_PIPELINE_STATISTICS, one query
 * for several counters.  This is so if the driver has no single queries, or
 * if the struct costs less than several of them (has_struct); but not for
 * statistics that already share queries, or that the struct is known to omit.
 */
static bool
is_in_struct(const struct pitot_pipe_client *client, enum pitot_kind kind,
             bool is_alone)
{
   const struct pipe_caps *caps = &client->info.pipe->screen->caps;
   const unsigned known = client->info.struct_statistics;

   return kind >= PITOT_KIND_FIRST_STATISTIC &&
          (!caps->query_pipeline_statistics_single ||
           (client->info.has_struct && !is_alone)) &&
          !client->methods[kind].is_shared &&
          (!known || known >> client->methods[kind].index & 1);
}

/* GL queries no primitives without transform feedback, so no cap says whether
 * a driver without it counts them.  PRIMITIVES_GENERATED is omitted if it
 * changes the results of the application's overflow queries.
 */
static bool
is_counted(struct pitot_pipe_client *client, enum pitot_kind kind)
{
   const struct pipe_caps *caps = &client->info.pipe->screen->caps;

   if (kind == PITOT_KIND_PRIMITIVES_GENERATED &&
       client->info.generated_overflows)
      return false;
   return client->base.ops->counter_bits(&client->base, kind) &&
          (kind >= PITOT_KIND_FIRST_STATISTIC ||
           caps->max_stream_output_buffers);
}

static void
pipe_list(struct pitot_perf_provider *provider)
{
   struct pitot_perf_pipe_statistics *statistics =
      (struct pitot_perf_pipe_statistics *)provider;
   unsigned count = 0;

   for (unsigned i = 0; i < PITOT_PERF_STATISTIC_COUNT; i++) {
      statistics->counters[count] = pitot_perf_statistic(i);
      count += is_counted(statistics->base.client,
                          statistics->counters[count].source);
   }
   statistics->set = (struct pitot_perf_set){
      .name = PITOT_PERF_STATISTICS_NAME,
      .counters = statistics->counters,
      .counter_count = count,
      .record_B = pitot_perf_layout_record(statistics->counters, count),
      .is_common = true,
      .overlap = PITOT_PERF_OVERLAP_ANY,
   };
   provider->sets = &statistics->set;
   provider->set_count = count > 0;
   provider->has_selections = true;
}

/* Returns NULL if the driver cannot create the query. */
static struct pitot_driver_query *
create_query(struct pitot_pipe_client *client, enum pitot_kind kind,
             bool is_struct)
{
   struct pipe_context *pipe = client->info.pipe;
   struct pitot_driver_query *query;

   if (is_struct)
      return pitot_pipe_query_wrap(
         client,
         pipe->create_query(pipe, PIPE_QUERY_PIPELINE_STATISTICS,
                            client->methods[kind].index),
         true);
   return client->base.ops->query_create(&client->base, kind, 0, &query)
             ? NULL
             : query;
}

static bool
add_queries(struct pitot_perf_pipe_queries *queries)
{
   const struct pitot_perf_set *set = queries->base.set;
   union pipe_query_result *shared = NULL; /* of all counters of the struct */

   for (unsigned i = 0; i < set->counter_count; i++) {
      const enum pitot_kind kind = set->counters[i].source;
      const struct pitot_pipe_method *method =
         &queries->client->methods[kind];
      const bool in_struct =
         is_in_struct(queries->client, kind, set->counter_count == 1);
      /* A statistic that the shared struct omits may have one of its own. */
      const bool is_member =
         in_struct || (method->is_struct && !method->is_shared);
      union pipe_query_result *result = in_struct ? shared : NULL;

      if (!result)
         result = pitot_perf_pipe_queries_add(
            queries, create_query(queries->client, kind, in_struct), 0);
      if (!result)
         return false;
      queries->values[i] =
         is_member ? &result->pipeline_statistics.counters[method->index]
                   : &result->u64;
      if (in_struct)
         shared = result;
   }
   return true;
}

static struct pitot_perf_measurement *
pipe_create(struct pitot_perf_set *set)
{
   return pitot_perf_pipe_queries_create(set, add_queries);
}

static const struct pitot_perf_provider_ops statistics_ops = {
   .list = pipe_list,
   .create = pipe_create,
   .destroy = pitot_perf_pipe_queries_destroy,
   .begin = pitot_perf_pipe_queries_begin,
   .end = pitot_perf_pipe_queries_end,
   .read = pitot_perf_pipe_queries_read,
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
