/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * "Pipeline Statistics": the statistics that the driver counts, with one
 * query where it counts them in a struct.
 */

#include <errno.h>
#include <stdlib.h>

#include "pipe_priv.h"
#include "pitot/pipe_kind.h"

/* The parts of a measurement, and the part of each counter. */
struct statistics {
   struct pitot_perf_set set;
   struct pitot_perf_counter counters[PITOT_PERF_STATISTIC_COUNT];
   enum pitot_kind kinds[PITOT_PERF_STATISTIC_COUNT];
   unsigned parts[PITOT_PERF_STATISTIC_COUNT];
   enum pitot_kind part_kinds[PITOT_PERF_STATISTIC_COUNT];
   unsigned part_count;
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
   struct pitot_driver *driver = &pitot_perf_pipe_of(provider)->client->base;
   const struct pipe_context *pipe = pitot_perf_pipe_context(provider);

   return driver->ops->counter_bits(driver, kind) &&
          (kind >= PITOT_KIND_FIRST_STATISTIC ||
           pipe->screen->caps.max_stream_output_buffers);
}

/* Adds a statistic if the driver counts it; the first one of the struct
 * stands for all.
 */
static void
add(struct pitot_perf_provider *provider, struct statistics *statistics,
    unsigned index)
{
   const unsigned i = statistics->set.counter_count;

   statistics->counters[i] =
      pitot_perf_statistic(index, &statistics->kinds[i]);
   const enum pitot_kind kind = statistics->kinds[i];
   const bool is_shared =
      statistics->part_count > 0 && is_in_struct(provider, kind);

   if (!is_counted(provider, kind))
      return;
   if (!is_shared)
      statistics->part_kinds[statistics->part_count++] = kind;
   statistics->parts[i] = is_shared ? 0 : statistics->part_count - 1;
   statistics->set.counter_count++;
}

static int
list(struct pitot_perf_provider *provider)
{
   struct statistics *statistics = calloc(1, sizeof(*statistics));
   if (!statistics)
      return -ENOMEM;

   for (unsigned i = 0; i < PITOT_PERF_STATISTIC_COUNT; i++)
      add(provider, statistics, i);
   statistics->set.name = PITOT_PERF_STATISTICS_NAME;
   statistics->set.counters = statistics->counters;
   statistics->set.record_B =
      pitot_perf_layout_record(statistics->counters,
                               statistics->set.counter_count);
   statistics->set.overlap = PITOT_PERF_OVERLAP_ANY;
   pitot_perf_pipe_of(provider)->lists = statistics;
   provider->sets = &statistics->set;
   provider->set_count = statistics->set.counter_count > 0;
   return 0;
}

static void
finish(struct pitot_perf_provider *provider)
{
   free(pitot_perf_pipe_of(provider)->lists);
   provider->set_count = 0;
}

static int
create(struct pitot_perf_provider *provider, const struct pitot_perf_set *set,
       struct pitot_perf_measurement **measurement_out)
{
   const struct statistics *statistics = pitot_perf_pipe_of(provider)->lists;
   struct pitot_driver *driver = &pitot_perf_pipe_of(provider)->client->base;
   struct pitot_perf_parts *parts =
      pitot_perf_parts_create(statistics->part_count);

   (void)set;
   if (!parts)
      return -ENOMEM;
   for (unsigned i = 0; i < statistics->part_count; i++) {
      struct pitot_driver_query *query = NULL;

      if (driver->ops->query_create(driver, statistics->part_kinds[i], 0,
                                    &query) ||
          !pitot_perf_parts_add(parts, query, 0)) {
         pitot_perf_parts_destroy(provider, &parts->base);
         return -ENOMEM;
      }
   }
   *measurement_out = &parts->base;
   return 0;
}

static int
read_record(struct pitot_perf_provider *provider,
            struct pitot_perf_measurement *measurement, bool wait,
            void *record_out)
{
   const struct statistics *statistics = pitot_perf_pipe_of(provider)->lists;
   struct pitot_perf_parts *parts = (struct pitot_perf_parts *)measurement;
   uint64_t *values = record_out;
   const int status = pitot_perf_parts_read(provider, parts, wait);

   if (status <= 0)
      return status;
   for (unsigned i = 0; i < statistics->set.counter_count; i++) {
      const enum pitot_kind kind = statistics->kinds[i];
      const union pipe_query_result *result =
         parts->parts[statistics->parts[i]].result;

      values[i] = is_in_struct(provider, kind)
                     ? result->pipeline_statistics
                          .counters[pitot_pipe_kind(kind)->statistic]
                     : result->u64;
   }
   return 1;
}

const struct pitot_perf_provider_ops pitot_perf_pipe_statistics_ops = {
   .list = list,
   .finish = finish,
   .create = create,
   .destroy = pitot_perf_parts_destroy,
   .begin = pitot_perf_parts_begin,
   .end = pitot_perf_parts_end,
   .read = read_record,
};
