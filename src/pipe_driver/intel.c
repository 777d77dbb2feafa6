/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * INTEL_performance_query: the two sets of statistics that need no permission
 * and are there on every GPU, under the names and in the layout that tools
 * for Intel's GPUs know.
 */

#include <stdlib.h>
#include <string.h>

#include "pitot/driver.h"
#include "pitot_pipe_driver.h"

struct counter {
   const char *name;
   const char *description;
   unsigned kind; /* as of struct pitot_hw_count */
   unsigned stream;
};

/* Counters are in the order of the record, a qword each. */
struct set {
   const char *name;
   const struct counter *counters;
   unsigned count;
   const uint8_t *listed; /* in which order they are listed, or NULL */
   unsigned last_count;   /* up to Gen9 */
};

#define MAX_COUNTERS 20

#define COUNTER(NAME, KIND) NAME, NAME, PITOT_KIND_##KIND, 0

#define NEEDED(STREAM)                                                       \
   "SO_PRIM_STORAGE_NEEDED (Stream " #STREAM ")",                            \
      "Primitives that stream-out had for stream " #STREAM,                  \
      PITOT_HW_STORAGE_NEEDED, STREAM

#define WRITTEN(STREAM)                                                      \
   "SO_NUM_PRIMS_WRITTEN (Stream " #STREAM ")",                              \
      "Primitives that stream-out wrote of stream " #STREAM,                 \
      PITOT_KIND_PRIMITIVES_WRITTEN, STREAM

static const struct counter registers[] = {
   { COUNTER("N vertices submitted", VERTICES_SUBMITTED) },
   { COUNTER("N primitives submitted", PRIMITIVES_SUBMITTED) },
   { COUNTER("N vertex shader invocations", VS_INVOCATIONS) },
   { NEEDED(0) },
   { NEEDED(1) },
   { NEEDED(2) },
   { NEEDED(3) },
   { WRITTEN(0) },
   { WRITTEN(1) },
   { WRITTEN(2) },
   { WRITTEN(3) },
   { COUNTER("N TCS shader invocations", TCS_PATCHES) },
   { COUNTER("N TES shader invocations", TES_INVOCATIONS) },
   { COUNTER("N geometry shader invocations", GS_INVOCATIONS) },
   { COUNTER("N geometry shader primitives emitted", GS_PRIMITIVES) },
   { COUNTER("N primitives entering clipping", CLIPPING_INPUT) },
   { COUNTER("N primitives leaving clipping", CLIPPING_OUTPUT) },
   { COUNTER("N fragment shader invocations", FS_INVOCATIONS) },
   { COUNTER("N z-pass fragments", SAMPLES_PASSED) },
   { COUNTER("N compute shader invocations", CS_INVOCATIONS) },
};

/* By name. */
static const uint8_t registers_listed[] = {
   11, 12, 19, 17, 13, 14, 15, 16, 1, 2, 0, 18, 7, 8, 9, 10, 3, 4, 5, 6,
};

static const struct counter raw[] = {
   { COUNTER("N vertices submitted", VERTICES_SUBMITTED) },
   { COUNTER("N primitives submitted", PRIMITIVES_SUBMITTED) },
   { COUNTER("N vertex shader invocations", VS_INVOCATIONS) },
   { COUNTER("N geometry shader invocations", GS_INVOCATIONS) },
   { COUNTER("N geometry shader primitives emitted", GS_PRIMITIVES) },
   { COUNTER("N primitives entering clipping", CLIPPING_INPUT) },
   { COUNTER("N primitives leaving clipping", CLIPPING_OUTPUT) },
   { COUNTER("N fragment shader invocations", FS_INVOCATIONS) },
   { COUNTER("N TCS shader invocations", TCS_PATCHES) },
   { COUNTER("N TES shader invocations", TES_INVOCATIONS) },
   { COUNTER("N compute shader invocations", CS_INVOCATIONS) },
   { COUNTER("Reserved1", CS_INVOCATIONS) },
};

#define COUNT(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))

static const struct set sets[] = {
   {
      .name = "Pipeline Statistics Registers",
      .counters = registers,
      .count = COUNT(registers),
      .listed = registers_listed,
      .last_count = COUNT(registers),
   },
   {
      .name = "Intel_Raw_Pipeline_Statistics_Query",
      .counters = raw,
      .count = COUNT(raw),
      .last_count = COUNT(raw) - 1,
   },
};

static_assert(COUNT(registers) == COUNT(registers_listed) &&
                 COUNT(registers) <= MAX_COUNTERS,
              "counters are missing");

struct intel_query {
   uint64_t frontend; /* where Mesa's own GL frontend keeps its state */
   struct pipe_query *stock; /* of a set of the driver's own, or NULL */
   unsigned count;
   struct pitot_hw_query *hw_query;
   bool has_begun;
};

static unsigned
counter_count(struct pipe_context *pipe, const struct set *set)
{
   return pitot_hw_gpu(pipe->pitot->hw)->generation < 100 ? set->last_count
                                                          : set->count;
}

/*
 * The driver's own sets come after ours, but for those that ours stand for
 */

static bool
is_ours(struct pipe_context *pipe, unsigned stock_index)
{
   const char *name;
   uint32_t unused;

   pipe->pitot->stock.get_intel_perf_query_info(pipe, stock_index, &name,
                                                &unused, &unused, &unused);
   for (unsigned i = 0; i < COUNT(sets); i++) {
      if (strcmp(sets[i].name, name) == 0)
         return true;
   }
   return false;
}

/* Returns the driver's number of a set. */
static unsigned
stock_index_of(struct pipe_context *pipe, unsigned index)
{
   unsigned left = index - COUNT(sets), stock_index = 0;

   for (;; stock_index++) {
      if (!is_ours(pipe, stock_index) && left-- == 0)
         return stock_index;
   }
}

static unsigned
pitot_pipe_init_intel_perf_query_info(struct pipe_context *pipe)
{
   const struct pipe_context *stock = &pipe->pitot->stock;
   const unsigned stock_count = stock->init_intel_perf_query_info
                                   ? stock->init_intel_perf_query_info(pipe)
                                   : 0;
   unsigned count = COUNT(sets);

   for (unsigned i = 0; i < stock_count; i++)
      count += !is_ours(pipe, i);
   return count;
}

static void
pitot_pipe_get_intel_perf_query_info(struct pipe_context *pipe,
                                     unsigned index, const char **name_out,
                                     uint32_t *size_B_out,
                                     uint32_t *count_out,
                                     uint32_t *active_out)
{
   if (index >= COUNT(sets)) {
      pipe->pitot->stock.get_intel_perf_query_info(
         pipe, stock_index_of(pipe, index), name_out, size_B_out, count_out,
         active_out);
      return;
   }

   const unsigned count = counter_count(pipe, &sets[index]);
   *name_out = sets[index].name;
   *size_B_out = count * sizeof(uint64_t);
   *count_out = count;
   *active_out = 0;
}

static void
pitot_pipe_get_intel_perf_query_counter_info(
   struct pipe_context *pipe, unsigned index, unsigned counter_index,
   const char **name_out, const char **description_out,
   uint32_t *offset_B_out, uint32_t *size_B_out, uint32_t *type_out,
   uint32_t *data_type_out, uint64_t *raw_max_out)
{
   if (index >= COUNT(sets)) {
      pipe->pitot->stock.get_intel_perf_query_counter_info(
         pipe, stock_index_of(pipe, index), counter_index, name_out,
         description_out, offset_B_out, size_B_out, type_out, data_type_out,
         raw_max_out);
      return;
   }

   const struct set *set = &sets[index];
   const unsigned i =
      set->listed ? set->listed[counter_index] : counter_index;
   *name_out = set->counters[i].name;
   *description_out = set->counters[i].description;
   *offset_B_out = i * sizeof(uint64_t);
   *size_B_out = sizeof(uint64_t);
   *type_out = PIPE_PERF_COUNTER_TYPE_RAW;
   *data_type_out = PIPE_PERF_COUNTER_DATA_TYPE_UINT64;
   *raw_max_out = 0;
}

/*
 * Queries
 */

static bool
create_own(struct pipe_context *pipe, const struct set *set,
           struct intel_query *query)
{
   struct pitot_hw_count counts[MAX_COUNTERS];

   query->count = counter_count(pipe, set);
   for (unsigned i = 0; i < query->count; i++)
      counts[i] = (struct pitot_hw_count){ set->counters[i].kind,
                                           set->counters[i].stream };
   return pitot_hw_query_create_list(pipe->pitot->hw, counts, query->count,
                                     &query->hw_query) == 0;
}

static struct pipe_query *
pitot_pipe_new_intel_perf_query_obj(struct pipe_context *pipe, unsigned index)
{
   struct intel_query *query = calloc(1, sizeof(*query));
   if (!query)
      return NULL;

   if (index >= COUNT(sets))
      query->stock = pipe->pitot->stock.new_intel_perf_query_obj(
         pipe, stock_index_of(pipe, index));
   if (!query->stock &&
       (index >= COUNT(sets) || !create_own(pipe, &sets[index], query))) {
      free(query);
      return NULL;
   }
   return (struct pipe_query *)query;
}

static void
pitot_pipe_delete_intel_perf_query(struct pipe_context *pipe,
                                   struct pipe_query *pq)
{
   struct intel_query *query = (void *)pq;

   if (query->stock)
      pipe->pitot->stock.delete_intel_perf_query(pipe, query->stock);
   pitot_hw_query_free(pipe->pitot->hw, query->hw_query);
   free(query);
}

static bool
pitot_pipe_begin_intel_perf_query(struct pipe_context *pipe,
                                  struct pipe_query *pq)
{
   struct intel_query *query = (void *)pq;

   if (query->stock)
      return pipe->pitot->stock.begin_intel_perf_query(pipe, query->stock);
   query->has_begun =
      pitot_hw_query_begin(pipe->pitot->hw, query->hw_query) == 0;
   return query->has_begun;
}

/* A query that fails here has no data. */
static void
pitot_pipe_end_intel_perf_query(struct pipe_context *pipe,
                                struct pipe_query *pq)
{
   struct intel_query *query = (void *)pq;

   if (query->stock)
      pipe->pitot->stock.end_intel_perf_query(pipe, query->stock);
   else
      (void)pitot_hw_query_end(pipe->pitot->hw, query->hw_query);
}

static void
pitot_pipe_wait_intel_perf_query(struct pipe_context *pipe,
                                 struct pipe_query *pq)
{
   struct intel_query *query = (void *)pq;
   uint64_t values[MAX_COUNTERS];

   if (query->stock)
      pipe->pitot->stock.wait_intel_perf_query(pipe, query->stock);
   else
      (void)pitot_hw_query_result(pipe->pitot->hw, query->hw_query, true,
                                  values);
}

/* A look flushes nothing. */
static bool
pitot_pipe_is_intel_perf_query_ready(struct pipe_context *pipe,
                                     struct pipe_query *pq)
{
   struct intel_query *query = (void *)pq;
   struct pitot_hw *hw = pipe->pitot->hw;
   uint64_t values[MAX_COUNTERS];

   if (query->stock)
      return pipe->pitot->stock.is_intel_perf_query_ready(pipe, query->stock);
   return pitot_hw_query_is_submitted(hw, query->hw_query) &&
          pitot_hw_query_result(hw, query->hw_query, false, values) != 0;
}

static bool
pitot_pipe_get_intel_perf_query_data(struct pipe_context *pipe,
                                     struct pipe_query *pq, size_t size_B,
                                     uint32_t *data_out,
                                     uint32_t *written_B_out)
{
   const struct intel_query *query = (void *)pq;
   uint64_t values[MAX_COUNTERS];
   const unsigned record_B = query->count * sizeof(values[0]);

   if (query->stock)
      return pipe->pitot->stock.get_intel_perf_query_data(pipe, query->stock,
                                                          size_B, data_out,
                                                          written_B_out);

   *written_B_out = 0;
   if (!query->has_begun || size_B < record_B ||
       pitot_hw_query_result(pipe->pitot->hw, query->hw_query, true,
                             values) <= 0)
      return false;
   memcpy(data_out, values, record_B);
   *written_B_out = record_B;
   return true;
}

void
pitot_pipe_driver_init_intel(struct pipe_context *pipe)
{
   pipe->init_intel_perf_query_info = pitot_pipe_init_intel_perf_query_info;
   pipe->get_intel_perf_query_info = pitot_pipe_get_intel_perf_query_info;
   pipe->get_intel_perf_query_counter_info =
      pitot_pipe_get_intel_perf_query_counter_info;
   pipe->new_intel_perf_query_obj = pitot_pipe_new_intel_perf_query_obj;
   pipe->begin_intel_perf_query = pitot_pipe_begin_intel_perf_query;
   pipe->end_intel_perf_query = pitot_pipe_end_intel_perf_query;
   pipe->delete_intel_perf_query = pitot_pipe_delete_intel_perf_query;
   pipe->wait_intel_perf_query = pitot_pipe_wait_intel_perf_query;
   pipe->is_intel_perf_query_ready = pitot_pipe_is_intel_perf_query_ready;
   pipe->get_intel_perf_query_data = pitot_pipe_get_intel_perf_query_data;
}
