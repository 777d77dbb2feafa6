/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The provider of "GPU Time": timestamps of the begin and the end of a
 * measurement, on the clock of TIMESTAMP queries, and the time between them.
 *
 * Two timestamps do not show that the system was suspended in between, or
 * that the clock wrapped: so record_edge() also reads the CPU's clocks.
 */

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "perf_priv.h"
#include "pitot/clock.h"

struct record {
   uint64_t begin_ns;
   uint64_t end_ns;
   uint64_t elapsed_ns;
   uint32_t disjoint;
   uint32_t padding;
};

#define COUNTER(NAME, DESCRIPTION, TYPE, DATA_TYPE, FIELD)                   \
   {                                                                         \
      .name = NAME, .description = DESCRIPTION,                              \
      .type = PITOT_PERF_COUNTER_##TYPE,                                     \
      .data_type = PITOT_PERF_DATA_##DATA_TYPE,                              \
      .offset_B = offsetof(struct record, FIELD),                            \
      .size_B = sizeof(((struct record *)NULL)->FIELD),                      \
   }

static const struct pitot_perf_counter counters[] = {
   COUNTER("GPU Time Begin", "The GPU's time at the begin. Unit: ns.",
           TIMESTAMP, UINT64, begin_ns),
   COUNTER("GPU Time End", "The GPU's time at the end. Unit: ns.", TIMESTAMP,
           UINT64, end_ns),
   COUNTER("GPU Time Elapsed",
           "The GPU's time from the begin to the end. Unit: ns.",
           DURATION_RAW, UINT64, elapsed_ns),
   COUNTER(
      "GPU Disjoint",
      "Whether the times are worthless: the clock stepped back or wrapped, "
      "or the system was suspended. Unit: boolean.",
      RAW, BOOL32, disjoint),
};

enum { BEGIN, END, EDGE_COUNT };

struct time_measurement {
   struct pitot_perf_measurement base;
   struct edge {
      struct pitot_driver_query *timestamp;
      uint64_t suspended_ns;
      uint64_t cpu_ns;
   } edges[EDGE_COUNT];
};

static struct pitot_perf_time *
time_of(const struct pitot_perf_measurement *measurement)
{
   return (struct pitot_perf_time *)measurement->set->provider;
}

static void
time_list(struct pitot_perf_provider *provider)
{
   struct pitot_perf_time *time = (struct pitot_perf_time *)provider;
   const unsigned bits =
      pitot_counter_bits(time->context, PITOT_KIND_TIMESTAMP);

   if (pitot_context_info(time->context)->cpu_time_ns)
      time->wrap_period_ns = pitot_wrap_period_ns(bits);
   time->set = (struct pitot_perf_set){
      .name = "GPU Time",
      .counters = counters,
      .counter_count = sizeof(counters) / sizeof(counters[0]),
      .record_B = sizeof(struct record),
      .is_global = true,
      .is_common = true,
      .overlap = PITOT_PERF_OVERLAP_ANY,
   };
   provider->sets = &time->set;
   provider->set_count = bits > 0;
}

static void
time_destroy(struct pitot_perf_measurement *base)
{
   struct time_measurement *m = (struct time_measurement *)base;
   struct pitot_driver *driver = base->set->provider->driver;

   for (unsigned i = 0; i < EDGE_COUNT; i++) {
      if (m->edges[i].timestamp)
         driver->ops->query_destroy(driver, m->edges[i].timestamp);
   }
   free(m);
}

static struct pitot_perf_measurement *
time_create(struct pitot_perf_set *set)
{
   struct pitot_driver *driver = set->provider->driver;
   struct time_measurement *m = calloc(1, sizeof(*m));
   if (!m)
      return NULL;

   m->base.set = set;
   for (unsigned i = 0; i < EDGE_COUNT; i++) {
      if (driver->ops->query_create(driver, PITOT_KIND_TIMESTAMP, 0,
                                    &m->edges[i].timestamp)) {
         time_destroy(&m->base);
         return NULL;
      }
   }
   return &m->base;
}

static int
record_edge(const struct pitot_perf_time *time, struct edge *edge)
{
   const struct pitot_context_info *info = pitot_context_info(time->context);

   if (info->suspended_ns)
      edge->suspended_ns = info->suspended_ns();
   if (time->wrap_period_ns)
      edge->cpu_ns = info->cpu_time_ns();
   return info->driver->ops->query_end(info->driver, edge->timestamp);
}

static int
time_begin(struct pitot_perf_measurement *base)
{
   struct time_measurement *m = (struct time_measurement *)base;

   return record_edge(time_of(base), &m->edges[BEGIN]);
}

static int
time_end(struct pitot_perf_measurement *base)
{
   struct time_measurement *m = (struct time_measurement *)base;

   return record_edge(time_of(base), &m->edges[END]);
}

static int
read_record(struct pitot_perf_measurement *base, bool wait, void *record_out)
{
   const struct pitot_perf_time *time = time_of(base);
   const struct edge *edges = ((struct time_measurement *)base)->edges;
   struct pitot_driver *driver = time->base.driver;
   uint64_t times_ns[EDGE_COUNT];

   /* Read the end first: it becomes available last. */
   for (unsigned i = EDGE_COUNT; i-- > 0;) {
      const int status = driver->ops->query_result(driver, edges[i].timestamp,
                                                   wait, &times_ns[i]);
      if (status <= 0)
         return status;
      times_ns[i] = pitot_recorded_ns(time->context, times_ns[i]);
   }

   bool disjoint =
      pitot_is_suspension(edges[BEGIN].suspended_ns,
                          edges[END].suspended_ns) ||
      (time->wrap_period_ns &&
       edges[END].cpu_ns - edges[BEGIN].cpu_ns >= time->wrap_period_ns);
   struct record record = {
      .begin_ns = times_ns[BEGIN],
      .end_ns = times_ns[END],
   };
   record.elapsed_ns =
      pitot_ns_elapsed(record.begin_ns, record.end_ns, &disjoint);
   record.disjoint = disjoint;
   driver->disjoint |= disjoint;
   memcpy(record_out, &record, sizeof(record));
   return 1;
}

const struct pitot_perf_provider_ops pitot_perf_time_ops = {
   .list = time_list,
   .create = time_create,
   .destroy = time_destroy,
   .begin = time_begin,
   .end = time_end,
   .read = read_record,
};
