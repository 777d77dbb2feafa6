/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>
#include <string.h>

#include "pipe_priv.h"

struct pitot_perf_provider *
pitot_perf_pipe_init(struct pitot_perf_pipe *pipe,
                     struct pitot_pipe_client *client, const char *sysctl_dir)
{
   const struct pitot_perf_pipe_provider provider = {
      .client = client,
      .sysctl_dir = sysctl_dir ? sysctl_dir : "/proc/sys",
   };

   pipe->intel = pipe->statistics = pipe->driver = provider;
   pipe->intel.base.ops = &pitot_perf_pipe_intel_ops;
   pipe->intel.base.next = &pipe->statistics.base;
   pipe->statistics.base.ops = &pitot_perf_pipe_statistics_ops;
   pipe->statistics.base.next = &pipe->driver.base;
   pipe->driver.base.ops = &pitot_perf_pipe_driver_ops;
   return &pipe->intel.base;
}

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
