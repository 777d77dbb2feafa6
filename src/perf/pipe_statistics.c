/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * "Pipeline Statistics": the statistics that the driver counts, with one
 * query where it counts them in a struct.
 */

#include <stdlib.h>

#include "pipe_priv.h"
#include "pitot/pipe_kind.h"

struct statistics {
   struct pitot_perf_set set;
   struct pitot_perf_counter counters[PITOT_PERF_STATISTIC_COUNT];
};

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
   struct statistics *statistics = calloc(1, sizeof(*statistics));
   if (!statistics)
      return;

   struct pitot_perf_set *set = &statistics->set;
   for (unsigned i = 0; i < PITOT_PERF_STATISTIC_COUNT; i++) {
      const struct pitot_perf_counter counter = pitot_perf_statistic(i);

      if (is_counted(provider, counter.source))
         statistics->counters[set->counter_count++] = counter;
   }
   set->name = PITOT_PERF_STATISTICS_NAME;
   set->counters = statistics->counters;
   set->record_B =
      pitot_perf_layout_record(statistics->counters, set->counter_count);
   set->overlap = PITOT_PERF_OVERLAP_ANY;
   pitot_perf_pipe_of(provider)->lists = statistics;
   provider->sets = set;
   provider->set_count = set->counter_count > 0;
}

static void
finish(struct pitot_perf_provider *provider)
{
   free(pitot_perf_pipe_of(provider)->lists);
   provider->set_count = 0;
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

const struct pitot_perf_provider_ops pitot_perf_pipe_statistics_ops = {
   .list = list,
   .finish = finish,
   .create = create,
   .destroy = pitot_perf_parts_destroy,
   .begin = pitot_perf_parts_begin,
   .end = pitot_perf_parts_end,
   .read = pitot_perf_parts_read,
};
