/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>
#include <string.h>

#include "fake_counters.h"
#include "test.h"

#define QUERY(NAME, TYPE, MAX, GROUP, FLAGS)                                 \
   {                                                                         \
      .name = NAME, .type = PIPE_DRIVER_QUERY_TYPE_##TYPE,                   \
      .max_value.u64 = MAX, .group_id = GROUP, .flags = FLAGS,               \
   }

#define BATCH PIPE_DRIVER_QUERY_FLAG_BATCH

static const struct pipe_driver_query_info queries[] = {
   QUERY("cycles", UINT64, 0, 0, BATCH),
   QUERY("busy", PERCENTAGE, 100, 0, BATCH),
   QUERY("loads", UINT, UINT64_C(7) << 32 | 5, 0, BATCH), /* 5 */
   QUERY("stores", UINT, 0, 0, BATCH),
   QUERY("misses", UINT64, 0, 0, BATCH),
   QUERY("vram", BYTES, UINT64_C(4096) << 32, 1, 0),
   QUERY("flush-time", MICROSECONDS, 0, 1, 0),
   QUERY("draws", UINT64, 0, ~0u, 0),
   QUERY("secret", UINT64, 0, ~0u, PIPE_DRIVER_QUERY_FLAG_DONT_LIST),
   QUERY("clock", HZ, 0, ~0u, 0),
   QUERY("GFX-BO-list-size", UINT64, 0, ~0u, 0), /* radeonsi crashes on it */
   QUERY("reads", UINT64, 0, 3, 0),
   QUERY("writes", UINT64, 0, 3, 0),
};

static const struct pipe_driver_query_group_info groups[] = {
   { .name = "Shader", .max_active_queries = 2, .num_queries = 5 },
   { .name = "Memory", .max_active_queries = 2, .num_queries = 2 },
   { .name = "Empty" },
   { .name = "Bus", .max_active_queries = 1, .num_queries = 2 },
};

#define COUNT(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))

static int
get_query_info(struct pipe_screen *screen, unsigned index,
               struct pipe_driver_query_info *info)
{
   (void)screen;
   if (!info)
      return COUNT(queries);
   *info = queries[index];
   info->query_type = PIPE_QUERY_DRIVER_SPECIFIC + index;
   return 1;
}

static int
get_group_info(struct pipe_screen *screen, unsigned index,
               struct pipe_driver_query_group_info *info)
{
   (void)screen;
   if (!info)
      return COUNT(groups);
   *info = groups[index];
   return 1;
}

void
fake_counters_init(struct fake_pipe *fake)
{
   fake->screen.get_driver_query_info = get_query_info;
   fake->screen.get_driver_query_group_info = get_group_info;
}

static struct fake_intel the_intel;

struct intel_object {
   unsigned index;
   bool has_begun;
   bool is_in_flight;
   bool holds_unit;
};

enum { STATISTICS, RENDER, RAW_STATISTICS, COMPUTE };

static const char *const set_names[] = {
   [STATISTICS] = "Pipeline Statistics Registers",
   [RENDER] = "Render",
   [RAW_STATISTICS] = "Intel_Raw_Pipeline_Statistics_Query",
   [COMPUTE] = "Compute",
};

static unsigned
init_info(struct pipe_context *pipe)
{
   (void)pipe;
   return the_intel.is_permitted ? COUNT(set_names) : 1;
}

static void
get_info(struct pipe_context *pipe, unsigned index, const char **name,
         uint32_t *data_size, uint32_t *counter_count, uint32_t *active_count)
{
   (void)pipe;
   *name = set_names[index];
   *data_size = 24;
   *counter_count = 2;
   *active_count = 0;
}

static void
get_counter_info(struct pipe_context *pipe, unsigned set, unsigned index,
                 const char **name, const char **description,
                 uint32_t *offset, uint32_t *size, uint32_t *type,
                 uint32_t *data_type, uint64_t *raw_max)
{
   (void)pipe;
   (void)set;
   *name = index ? "Share" : "Cycles";
   *description = index ? "A share. Unit: percent." : "Unit: cycles.";
   *offset = index ? 16 : 8;
   *size = index ? 4 : 8;
   *type = index ? PIPE_PERF_COUNTER_TYPE_DURATION_NORM
                 : PIPE_PERF_COUNTER_TYPE_EVENT;
   *data_type = index ? PIPE_PERF_COUNTER_DATA_TYPE_FLOAT
                      : PIPE_PERF_COUNTER_DATA_TYPE_UINT64;
   *raw_max = index ? 100 : 0;
}

static struct pipe_query *
new_object(struct pipe_context *pipe, unsigned index)
{
   struct intel_object *object = calloc(1, sizeof(*object));

   (void)pipe;
   assert_true(index == RENDER || index == COMPUTE);
   if (!object)
      return NULL;
   object->index = index;
   the_intel.alive++;
   return (struct pipe_query *)object;
}

/* The unit measures one set until its last record is read. */
static void
take_unit(struct intel_object *object)
{
   if (object->holds_unit)
      return;
   object->holds_unit = true;
   the_intel.set = object->index;
   the_intel.busy++;
}

static void
release_unit(struct intel_object *object)
{
   the_intel.busy -= object->holds_unit;
   object->holds_unit = false;
}

static bool
begin_object(struct pipe_context *pipe, struct pipe_query *query)
{
   struct intel_object *object = (struct intel_object *)query;
   const bool is_taken = the_intel.busy && the_intel.set != object->index;

   (void)pipe;
   object->has_begun = !the_intel.fails && !is_taken;
   if (object->has_begun)
      take_unit(object);
   return object->has_begun || the_intel.is_late;
}

static void
end_object(struct pipe_context *pipe, struct pipe_query *query)
{
   (void)pipe;
   ((struct intel_object *)query)->is_in_flight = !the_intel.is_ready;
}

static void
delete_object(struct pipe_context *pipe, struct pipe_query *query)
{
   struct intel_object *object = (struct intel_object *)query;

   (void)pipe;
   the_intel.deleted_in_flight += object->is_in_flight;
   release_unit(object);
   the_intel.alive--;
   free(query);
}

static void
wait_object(struct pipe_context *pipe, struct pipe_query *query)
{
   (void)pipe;
   the_intel.waits++;
   ((struct intel_object *)query)->is_in_flight = false;
}

static bool
is_object_ready(struct pipe_context *pipe, struct pipe_query *query)
{
   struct intel_object *object = (struct intel_object *)query;

   (void)pipe;
   the_intel.asked++;
   object->is_in_flight &= !the_intel.is_ready;
   return !object->is_in_flight;
}

static bool
get_data(struct pipe_context *pipe, struct pipe_query *query, size_t size,
         uint32_t *data, uint32_t *written)
{
   struct intel_object *object = (struct intel_object *)query;

   (void)pipe;
   if (!object->has_begun)
      return false;
   release_unit(object);
   memset(data, object->index + 1, size);
   *written = the_intel.writes_nothing ? 0 : size;
   return true;
}

struct fake_intel *
fake_intel_init(struct fake_pipe *fake)
{
   the_intel = (struct fake_intel){ .is_permitted = true };
   fake->base.init_intel_perf_query_info = init_info;
   fake->base.get_intel_perf_query_info = get_info;
   fake->base.get_intel_perf_query_counter_info = get_counter_info;
   fake->base.new_intel_perf_query_obj = new_object;
   fake->base.begin_intel_perf_query = begin_object;
   fake->base.end_intel_perf_query = end_object;
   fake->base.delete_intel_perf_query = delete_object;
   fake->base.wait_intel_perf_query = wait_object;
   fake->base.is_intel_perf_query_ready = is_object_ready;
   fake->base.get_intel_perf_query_data = get_data;
   return &the_intel;
}
