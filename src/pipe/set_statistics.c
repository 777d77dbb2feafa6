/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * "Pipeline Statistics": what the driver counts of the pipeline, with one
 * query where it counts all of it in a struct.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pipe_priv.h"

/* The queries that measure the set, and where each counter is in them. */
struct statistics {
   struct pitot_counter_set set;
   unsigned count;
   struct pitot_counter_info counters[PITOT_STATISTIC_COUNT];
   unsigned part[PITOT_STATISTIC_COUNT];
   const struct pitot_pipe_kind *rows[PITOT_STATISTIC_COUNT];
   enum pitot_kind part_kinds[PITOT_STATISTIC_COUNT];
   unsigned part_count;
};

struct statistics_measurement {
   struct pitot_measurement base;
   struct pitot_driver_query *parts[PITOT_STATISTIC_COUNT];

   /* Of the first parts, which are not asked for again while the others are
    * not there: some drivers add up anew each time.
    */
   union pipe_query_result results[PITOT_STATISTIC_COUNT];
   unsigned known_count;
};

static struct pitot_driver *
driver_of(struct pitot_provider *provider)
{
   return &pitot_pipe_provider_of(provider)->client->base;
}

static const struct statistics *
statistics_of(struct pitot_provider *provider)
{
   return pitot_pipe_provider_of(provider)->own;
}

/* GL asks for these only where there is transform feedback, so that drivers
 * without it have no cap to say that they do not count them.
 */
static bool
is_streamed_out(const struct pitot_pipe_kind *row)
{
   return row->type == PIPE_QUERY_PRIMITIVES_GENERATED ||
          row->type == PIPE_QUERY_PRIMITIVES_EMITTED;
}

/* Adds a statistic if the driver counts it; the first one of the struct
 * stands for all.
 */
static void
add(struct statistics *statistics, const struct pitot_pipe_info *info,
    unsigned index)
{
   const struct pipe_caps *caps = &info->pipe->screen->caps;
   enum pitot_kind kind;
   const struct pitot_counter_info counter = pitot_statistic(index, &kind);
   const struct pitot_pipe_kind *row = pitot_pipe_kind(kind);

   if (!pitot_pipe_kind_bits(row, info) ||
       (is_streamed_out(row) && !caps->max_stream_output_buffers))
      return;
   const bool is_shared =
      statistics->part_count > 0 && pitot_pipe_kind_is_in_struct(row, caps);
   if (!is_shared)
      statistics->part_kinds[statistics->part_count++] = kind;

   const unsigned i = statistics->count++;
   statistics->part[i] = is_shared ? 0 : statistics->part_count - 1;
   statistics->rows[i] = row;
   statistics->counters[i] = counter;
}

static int
list(struct pitot_provider *provider)
{
   struct pitot_pipe_provider *own = pitot_pipe_provider_of(provider);
   struct statistics *statistics = calloc(1, sizeof(*statistics));
   if (!statistics)
      return -ENOMEM;

   for (unsigned i = 0; i < PITOT_STATISTIC_COUNT; i++)
      add(statistics, &own->client->info, i);
   statistics->set = (struct pitot_counter_set){
      .name = PITOT_STATISTICS_SET_NAME,
      .counters = statistics->counters,
      .counter_count = statistics->count,
      .record_B =
         pitot_record_layout(statistics->counters, statistics->count),
      .overlap = PITOT_OVERLAP_ANY,
   };
   own->own = statistics;
   provider->sets = &statistics->set;
   provider->set_count = statistics->count > 0;
   return 0;
}

static void
finish(struct pitot_provider *provider)
{
   free(pitot_pipe_provider_of(provider)->own);
   provider->set_count = 0;
}

static void
destroy(struct pitot_provider *provider, struct pitot_measurement *base)
{
   struct statistics_measurement *m = (struct statistics_measurement *)base;
   struct pitot_driver *driver = driver_of(provider);

   for (unsigned i = 0; i < statistics_of(provider)->part_count; i++) {
      if (m->parts[i])
         driver->ops->query_destroy(driver, m->parts[i]);
   }
   free(m);
}

static int
create(struct pitot_provider *provider, const struct pitot_counter_set *set,
       struct pitot_measurement **measurement_out)
{
   const struct statistics *statistics = statistics_of(provider);
   struct pitot_driver *driver = driver_of(provider);
   struct statistics_measurement *m = calloc(1, sizeof(*m));

   (void)set;
   if (!m)
      return -ENOMEM;
   for (unsigned i = 0; i < statistics->part_count; i++) {
      if (driver->ops->query_create(driver, statistics->part_kinds[i], 0,
                                    &m->parts[i])) {
         destroy(provider, &m->base);
         return -ENOMEM;
      }
   }
   *measurement_out = &m->base;
   return 0;
}

/* Ends the first parts, all of them even if one fails. */
static int
end_parts(struct pitot_provider *provider, struct statistics_measurement *m,
          unsigned count)
{
   struct pitot_driver *driver = driver_of(provider);
   int first_error = 0;

   for (unsigned i = 0; i < count; i++) {
      const int error = driver->ops->query_end(driver, m->parts[i]);
      if (!first_error)
         first_error = error;
   }
   return first_error;
}

static int
begin(struct pitot_provider *provider, struct pitot_measurement *base)
{
   struct statistics_measurement *m = (struct statistics_measurement *)base;
   struct pitot_driver *driver = driver_of(provider);

   m->known_count = 0;
   for (unsigned i = 0; i < statistics_of(provider)->part_count; i++) {
      const int error = driver->ops->query_begin(driver, m->parts[i]);
      if (error) {
         (void)end_parts(provider, m, i);
         return error;
      }
   }
   return 0;
}

static int
end(struct pitot_provider *provider, struct pitot_measurement *base)
{
   return end_parts(provider, (struct statistics_measurement *)base,
                    statistics_of(provider)->part_count);
}

static int
read_record(struct pitot_provider *provider, struct pitot_measurement *base,
            bool wait, void *record_out)
{
   struct statistics_measurement *m = (struct statistics_measurement *)base;
   struct pitot_pipe_client *client =
      pitot_pipe_provider_of(provider)->client;
   const struct statistics *statistics = statistics_of(provider);
   uint64_t *values = record_out;

   for (; m->known_count < statistics->part_count; m->known_count++) {
      const unsigned i = m->known_count;
      struct pitot_pipe_query *part = pitot_pipe_query_of(m->parts[i]);
      const int status =
         pitot_pipe_fetch(client, part, part->pq, wait, &m->results[i]);
      if (status <= 0)
         return status;
   }
   for (unsigned i = 0; i < statistics->count; i++) {
      const struct pitot_pipe_kind *row = statistics->rows[i];
      const union pipe_query_result *result =
         &m->results[statistics->part[i]];

      values[i] =
         pitot_pipe_kind_is_in_struct(row, pitot_pipe_caps_of(client))
            ? result->pipeline_statistics.counters[row->statistic]
            : result->u64;
   }
   return 1;
}

const struct pitot_provider_ops pitot_pipe_statistics_ops = {
   .list = list,
   .finish = finish,
   .create = create,
   .destroy = destroy,
   .begin = begin,
   .end = end,
   .read = read_record,
};
