/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * "GPU Time": when a measurement began and ended, on the clock of TIMESTAMP
 * queries, and how long it took.
 */

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core_priv.h"

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
      .type = PITOT_COUNTER_##TYPE, .data_type = PITOT_DATA_##DATA_TYPE,     \
      .offset_B = offsetof(struct record, FIELD),                            \
      .size_B = sizeof(((struct record *)NULL)->FIELD),                      \
   }

static const struct pitot_counter_info counters[] = {
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

static const struct pitot_counter_set set = {
   .name = "GPU Time",
   .counters = counters,
   .counter_count = sizeof(counters) / sizeof(counters[0]),
   .record_B = sizeof(struct record),
   .is_global = true,
   .overlap = PITOT_OVERLAP_ANY,
};

enum edge {
   EDGE_BEGIN,
   EDGE_END,
   EDGE_COUNT,
};

struct time_measurement {
   struct pitot_measurement base;
   struct pitot_driver_query *edges[EDGE_COUNT]; /* timestamps */
   uint64_t suspended_ns[EDGE_COUNT];
   uint64_t cpu_ns[EDGE_COUNT]; /* where the clock wraps */
};

static struct pitot_context *
context_of(struct pitot_provider *provider)
{
   return ((struct pitot_time_provider *)provider)->context;
}

static int
list(struct pitot_provider *provider)
{
   const struct pitot_context *context = context_of(provider);

   if (pitot_counter_bits(context, PITOT_KIND_TIMESTAMP)) {
      provider->sets = &set;
      provider->set_count = 1;
   }
   return 0;
}

static void
destroy(struct pitot_provider *provider, struct pitot_measurement *base)
{
   struct time_measurement *time = (struct time_measurement *)base;
   struct pitot_driver *driver = context_of(provider)->driver;

   for (unsigned i = 0; i < EDGE_COUNT; i++) {
      if (time->edges[i])
         driver->ops->query_destroy(driver, time->edges[i]);
   }
   free(time);
}

static int
create(struct pitot_provider *provider,
       const struct pitot_counter_set *of_set,
       struct pitot_measurement **measurement_out)
{
   struct pitot_driver *driver = context_of(provider)->driver;
   struct time_measurement *time = calloc(1, sizeof(*time));

   (void)of_set;
   if (!time)
      return -ENOMEM;
   for (unsigned i = 0; i < EDGE_COUNT; i++) {
      if (driver->ops->query_create(driver, PITOT_KIND_TIMESTAMP, 0,
                                    &time->edges[i])) {
         destroy(provider, &time->base);
         return -ENOMEM;
      }
   }
   *measurement_out = &time->base;
   return 0;
}

static int
take_edge(struct pitot_provider *provider, struct pitot_measurement *base,
          enum edge edge)
{
   struct pitot_context *context = context_of(provider);
   struct time_measurement *time = (struct time_measurement *)base;
   struct pitot_driver *driver = context->driver;

   if (context->suspended_ns)
      time->suspended_ns[edge] = context->suspended_ns();
   if (context->clock_watches[PITOT_CLOCK_RECORDED].period_ns)
      time->cpu_ns[edge] = context->cpu_time_ns();
   return driver->ops->query_end(driver, time->edges[edge]);
}

static int
begin(struct pitot_provider *provider, struct pitot_measurement *base)
{
   return take_edge(provider, base, EDGE_BEGIN);
}

static int
end(struct pitot_provider *provider, struct pitot_measurement *base)
{
   return take_edge(provider, base, EDGE_END);
}

/* The clock as queries tell it: moved on by its earlier steps back. */
static int
read_edge(struct pitot_context *context, struct pitot_driver_query *edge,
          bool wait, uint64_t *time_ns_out)
{
   struct pitot_driver *driver = context->driver;
   const int status =
      driver->ops->query_result(driver, edge, wait, time_ns_out);

   if (status > 0)
      *time_ns_out += context->clock.offset_ns;
   return status;
}

/* What no look at the two times shows. */
static bool
was_disturbed(const struct pitot_context *context,
              const struct time_measurement *time)
{
   const struct pitot_watch *watch =
      &context->clock_watches[PITOT_CLOCK_RECORDED];

   return pitot_is_sleep(time->suspended_ns[EDGE_BEGIN],
                         time->suspended_ns[EDGE_END]) ||
          (watch->period_ns &&
           time->cpu_ns[EDGE_END] - time->cpu_ns[EDGE_BEGIN] >=
              watch->period_ns);
}

static int
read_record(struct pitot_provider *provider, struct pitot_measurement *base,
            bool wait, void *record_out)
{
   struct pitot_context *context = context_of(provider);
   const struct time_measurement *time = (struct time_measurement *)base;
   struct record record = { 0 };
   bool disjoint = was_disturbed(context, time);

   /* The end lands last. */
   int status =
      read_edge(context, time->edges[EDGE_END], wait, &record.end_ns);
   if (status > 0)
      status =
         read_edge(context, time->edges[EDGE_BEGIN], wait, &record.begin_ns);
   if (status <= 0)
      return status;

   record.elapsed_ns =
      pitot_ns_elapsed(record.begin_ns, record.end_ns, &disjoint);
   record.disjoint = disjoint;
   context->disjoint |= disjoint;
   memcpy(record_out, &record, sizeof(record));
   return 1;
}

static const struct pitot_provider_ops time_ops = {
   .list = list,
   .create = create,
   .destroy = destroy,
   .begin = begin,
   .end = end,
   .read = read_record,
};

void
pitot_time_provider_init(struct pitot_time_provider *time,
                         struct pitot_context *context)
{
   *time = (struct pitot_time_provider){
      .base = { .ops = &time_ops },
      .context = context,
   };
}
