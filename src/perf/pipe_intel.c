/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The provider of the OA sets of Intel GPUs, over the intel_perf_query hooks.
 * Records are the driver's, unchanged.  The OA unit counts one set at a time,
 * and one context, because the driver opens the OA stream for its context.
 *
 * The hooks do not expect the destruction of a query in flight, so
 * pipe_intel_destroy() waits: perf defers it until a fence is done.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipe_priv.h"

struct intel_measurement {
   struct pitot_perf_measurement base;
   struct pipe_context *pipe;
   struct pipe_query *object;
   uint8_t loss_count; /* of the client at the end of the measurement */
   bool is_in_flight;
};

bool
pitot_perf_pipe_has_intel(const struct pipe_context *pipe)
{
   return pipe->init_intel_perf_query_info &&
          pipe->get_intel_perf_query_info &&
          pipe->get_intel_perf_query_counter_info &&
          pipe->new_intel_perf_query_obj && pipe->begin_intel_perf_query &&
          pipe->end_intel_perf_query && pipe->delete_intel_perf_query &&
          pipe->wait_intel_perf_query && pipe->is_intel_perf_query_ready &&
          pipe->get_intel_perf_query_data;
}

/* Pitot's enumerations have the order of Gallium's. */
static_assert((int)PIPE_PERF_COUNTER_TYPE_TIMESTAMP ==
                 (int)PITOT_PERF_COUNTER_TIMESTAMP,
              "a counter type is missing");
static_assert((int)PIPE_PERF_COUNTER_DATA_TYPE_DOUBLE ==
                 (int)PITOT_PERF_DATA_DOUBLE,
              "a data type is missing");

static void
describe_counter(struct pipe_context *pipe, unsigned set_index,
                 unsigned index, struct pitot_perf_counter *counter)
{
   uint32_t type, data_type;

   pipe->get_intel_perf_query_counter_info(pipe, set_index, index,
                                           &counter->name,
                                           &counter->description,
                                           &counter->offset_B,
                                           &counter->size_B, &type,
                                           &data_type, &counter->raw_max);
   counter->type = (enum pitot_perf_counter_type)type;
   counter->data_type = (enum pitot_perf_data_type)data_type;
   counter->source = set_index;
}

/* Skips the driver's pipeline statistics: PITOT_PERF_STATISTICS_NAME replaces
 * them.  Returns false if allocation fails.
 */
static bool
add_set(struct pitot_perf_provider *provider, unsigned index)
{
   struct pipe_context *pipe = pitot_perf_pipe_context(provider);
   struct pitot_perf_set *set = &provider->sets[provider->set_count];
   uint32_t active_count;

   pipe->get_intel_perf_query_info(pipe, index, &set->name, &set->record_B,
                                   &set->counter_count, &active_count);
   if (strcmp(set->name, "Pipeline Statistics Registers") == 0 ||
       strcmp(set->name, "Intel_Raw_Pipeline_Statistics_Query") == 0)
      return true;
   struct pitot_perf_counter *counters =
      calloc(set->counter_count, sizeof(*counters));
   if (!counters)
      return false;
   for (unsigned i = 0; i < set->counter_count; i++)
      describe_counter(pipe, index, i, &counters[i]);
   set->counters = counters;
   set->overlap = PITOT_PERF_OVERLAP_SAME;
   provider->set_count++;
   return true;
}

static void
pipe_intel_finish(struct pitot_perf_provider *provider)
{
   for (unsigned i = 0; i < provider->set_count; i++)
      free((void *)provider->sets[i].counters);
   free(provider->sets);
   provider->sets = NULL;
   provider->set_count = 0;
}

/* The driver does not list sets that the user has no permission for. */
#define SETTING(DRIVER, NAME)                                                \
   {                                                                         \
      "dev/" DRIVER "/" NAME,                                                \
         "hardware counters are hidden from this user: set the sysctl "      \
         "dev." DRIVER "." NAME " to 0, or run with CAP_PERFMON",            \
   }

static const struct {
   const char *path;
   const char *advice;
} settings[] = {
   SETTING("i915", "perf_stream_paranoid"),
   SETTING("xe", "observation_paranoid"),
};

/* Returns how to get the permission, or NULL if no setting restricts it. */
static const char *
find_advice(const char *sysctl_dir)
{
   char path[256];

   for (unsigned i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
      snprintf(path, sizeof(path), "%s/%s", sysctl_dir, settings[i].path);
      FILE *file = fopen(path, "re");
      const int value = file ? fgetc(file) : EOF;
      if (file)
         fclose(file);
      if (value != EOF && value != '0')
         return settings[i].advice;
   }
   return NULL;
}

static void
pipe_intel_list(struct pitot_perf_provider *provider)
{
   struct pipe_context *pipe = pitot_perf_pipe_context(provider);
   const unsigned count = pitot_perf_pipe_has_intel(pipe)
                             ? pipe->init_intel_perf_query_info(pipe)
                             : 0;
   if (count)
      provider->sets = calloc(count, sizeof(provider->sets[0]));
   if (!provider->sets)
      return;
   for (unsigned i = 0; i < count; i++) {
      if (!add_set(provider, i)) {
         pipe_intel_finish(provider);
         return;
      }
   }
   if (!provider->set_count)
      provider->advice =
         find_advice(pitot_perf_pipe_of(provider)->sysctl_dir);
}

static struct pitot_perf_measurement *
pipe_intel_create(struct pitot_perf_set *set)
{
   struct pipe_context *pipe = pitot_perf_pipe_context(set->provider);
   struct intel_measurement *m = calloc(1, sizeof(*m));

   if (m)
      m->object =
         pipe->new_intel_perf_query_obj(pipe, set->counters[0].source);
   if (!m || !m->object) {
      free(m);
      return NULL;
   }
   m->base.set = set;
   m->pipe = pipe;
   return &m->base;
}

/* If the record is not ready, waits for it or flushes. */
static bool
is_ready(struct intel_measurement *m, bool wait)
{
   if (m->pipe->is_intel_perf_query_ready(m->pipe, m->object))
      return true;
   if (wait)
      m->pipe->wait_intel_perf_query(m->pipe, m->object);
   else
      pitot_pipe_flush(pitot_perf_pipe_of(m->base.set->provider)->client);
   return wait || m->pipe->is_intel_perf_query_ready(m->pipe, m->object);
}

static void
pipe_intel_destroy(struct pitot_perf_measurement *base)
{
   struct intel_measurement *m = (struct intel_measurement *)base;

   if (m->is_in_flight)
      (void)is_ready(m, true);
   m->pipe->delete_intel_perf_query(m->pipe, m->object);
   free(m);
}

static int
pipe_intel_begin(struct pitot_perf_measurement *base)
{
   struct intel_measurement *m = (struct intel_measurement *)base;

   return m->pipe->begin_intel_perf_query(m->pipe, m->object) ? 0 : -EBUSY;
}

static int
pipe_intel_end(struct pitot_perf_measurement *base)
{
   struct intel_measurement *m = (struct intel_measurement *)base;

   m->pipe->end_intel_perf_query(m->pipe, m->object);
   m->loss_count =
      pitot_perf_pipe_of(base->set->provider)->client->loss_count;
   m->is_in_flight = true;
   return 0;
}

static int
read_record(struct pitot_perf_measurement *base, bool wait, void *record_out)
{
   struct pitot_pipe_client *client =
      pitot_perf_pipe_of(base->set->provider)->client;
   struct intel_measurement *m = (struct intel_measurement *)base;
   uint32_t written_B = 0;

   if (!is_ready(m, wait))
      return 0;
   m->is_in_flight = false;

   /* With u_threaded_context, a failed begin is only noticed here. */
   if (!m->pipe->get_intel_perf_query_data(m->pipe, m->object,
                                           base->set->record_B, record_out,
                                           &written_B))
      return -EBUSY;

   /* A lost device writes no record, or garbage: count a loss. */
   pitot_pipe_is_lost(client);
   return written_B && m->loss_count == client->loss_count ? 1 : -EIO;
}

const struct pitot_perf_provider_ops pitot_perf_pipe_intel_ops = {
   .waits_in_flight = true,
   .list = pipe_intel_list,
   .finish = pipe_intel_finish,
   .create = pipe_intel_create,
   .destroy = pipe_intel_destroy,
   .begin = pipe_intel_begin,
   .end = pipe_intel_end,
   .read = read_record,
};
