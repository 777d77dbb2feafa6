/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pipe_driver_priv.h"
#include "util/u_threaded_context.h"

#define NS_PER_S UINT64_C(1000000000)

/* More than any query has. */
#define MAX_VALUES 16

/*
 * Types that are a kind
 */

/* Returns the kind that Gallium measures so, or PITOT_KIND_NONE. */
static enum pitot_kind
kind_of(unsigned type, unsigned index)
{
   enum pitot_kind kind = 0;

   for (; kind < PITOT_KIND_COUNT; kind++) {
      const struct pitot_pipe_kind *row = pitot_pipe_kind(kind);
      const bool is_single = type == PIPE_QUERY_PIPELINE_STATISTICS_SINGLE;

      if (row->type == type && (!is_single || row->statistic == index))
         break;
   }
   return kind;
}

static int
create_kind(struct pitot_hw *hw, unsigned type, unsigned index,
            struct pitot_hw_query **query_out)
{
   const enum pitot_kind kind = kind_of(type, index);

   if (kind == PITOT_KIND_NONE)
      return -ENOTSUP;
   return pitot_hw_query_create(hw, kind,
                                pitot_kind_info(kind)->is_indexed ? index : 0,
                                query_out);
}

static void
write_kind(const struct pitot_pipe_driver_query *query,
           const uint64_t *values, union pipe_query_result *result_out)
{
   if (query->is_boolean)
      result_out->b = values[0] != 0;
   else
      result_out->u64 = values[0];
}

/*
 * Types that are more, or less
 */

static int
create_streamout(struct pitot_hw *hw, unsigned type, unsigned index,
                 struct pitot_hw_query **query_out)
{
   const struct pitot_hw_count measures[] = {
      { PITOT_KIND_PRIMITIVES_WRITTEN, index },
      { PITOT_HW_STORAGE_NEEDED, index },
   };

   (void)type;
   if (!pitot_hw_counter_bits(hw, PITOT_KIND_PRIMITIVES_WRITTEN))
      return -ENOTSUP;
   return pitot_hw_query_create_list(hw, measures, 2, query_out);
}

static void
write_streamout(const struct pitot_pipe_driver_query *query,
                const uint64_t *values, union pipe_query_result *result_out)
{
   (void)query;
   result_out->so_statistics.num_primitives_written = values[0];
   result_out->so_statistics.primitives_storage_needed = values[1];
}

static int
same_index(unsigned index)
{
   return (int)index;
}

static int
no_index(unsigned index)
{
   (void)index;
   return -1;
}

static int
statistic_index(unsigned index)
{
   for (int i = 0; i < PITOT_HW_STATISTIC_COUNT; i++) {
      if (pitot_pipe_kind(PITOT_KIND_VERTICES_SUBMITTED + i)->statistic ==
          index)
         return i;
   }
   return -1;
}

/* Where the GPU cannot count all of them, a frontend still gets the one that
 * it names, as radeonsi has it, and 0 for what is missing.
 */
static int
create_statistics(struct pitot_hw *hw, unsigned type, unsigned index,
                  struct pitot_hw_query **query_out)
{
   struct pitot_hw_count measures[PITOT_HW_STATISTIC_COUNT];
   const int named = statistic_index(index);
   const int status = pitot_hw_query_create_statistics(hw, query_out);

   (void)type;
   if (status != -ENOTSUP || named < 0 ||
       !pitot_hw_counter_bits(hw, PITOT_KIND_VERTICES_SUBMITTED + named))
      return status;
   for (unsigned i = 0; i < PITOT_HW_STATISTIC_COUNT; i++)
      measures[i] =
         (struct pitot_hw_count){ PITOT_KIND_VERTICES_SUBMITTED + i, 0 };
   return pitot_hw_query_create_list(hw, measures, PITOT_HW_STATISTIC_COUNT,
                                     query_out);
}

static void
write_statistics(const struct pitot_pipe_driver_query *query,
                 const uint64_t *values, union pipe_query_result *result_out)
{
   (void)query;
   memset(result_out, 0, sizeof(*result_out));
   for (unsigned i = 0; i < PITOT_HW_STATISTIC_COUNT; i++) {
      const enum pitot_kind kind = PITOT_KIND_VERTICES_SUBMITTED + i;

      result_out->pipeline_statistics
         .counters[pitot_pipe_kind(kind)->statistic] = values[i];
   }
}

/* The GPU has finished what came before a timestamp that is available. */
static int
create_finished(struct pitot_hw *hw, unsigned type, unsigned index,
                struct pitot_hw_query **query_out)
{
   (void)type;
   (void)index;
   return pitot_hw_query_create(hw, PITOT_KIND_TIMESTAMP, 0, query_out);
}

static void
write_finished(const struct pitot_pipe_driver_query *query,
               const uint64_t *values, union pipe_query_result *result_out)
{
   (void)query;
   (void)values;
   result_out->b = true;
}

static int
create_disjoint(struct pitot_hw *hw, unsigned type, unsigned index,
                struct pitot_hw_query **query_out)
{
   (void)hw;
   (void)type;
   (void)index;
   *query_out = NULL;
   return 0;
}

/* Timestamps are told in nanoseconds. */
static void
write_disjoint(const struct pitot_pipe_driver_query *query,
               const uint64_t *values, union pipe_query_result *result_out)
{
   (void)values;
   result_out->timestamp_disjoint.frequency = NS_PER_S;
   result_out->timestamp_disjoint.disjoint = query->is_disjoint;
}

static const struct pitot_pipe_form forms[PIPE_QUERY_TYPES] = {
   [PIPE_QUERY_TIMESTAMP_DISJOINT] = { create_disjoint, write_disjoint,
                                       no_index },
   [PIPE_QUERY_SO_STATISTICS] = { create_streamout, write_streamout,
                                  same_index },
   [PIPE_QUERY_GPU_FINISHED] = { create_finished, write_finished, no_index },
   [PIPE_QUERY_PIPELINE_STATISTICS] = { create_statistics, write_statistics,
                                        statistic_index },
};

static const struct pitot_pipe_form kind_form = { create_kind, write_kind,
                                                  same_index };

/*
 * Hooks
 */

/* Makes a query of Pitot's. */
static int
create_own(struct pitot_hw *hw, unsigned type, unsigned index,
           struct pitot_pipe_driver_query *query)
{
   if (type >= PIPE_QUERY_TYPES)
      return -ENOTSUP;

   const enum pitot_kind kind = kind_of(type, index);
   query->form = forms[type].create ? &forms[type] : &kind_form;
   query->is_boolean =
      kind != PITOT_KIND_NONE && pitot_kind_info(kind)->is_boolean;
   return query->form->create(hw, type, index, &query->hw_query);
}

static struct pipe_query *
create_query(struct pipe_context *pipe, unsigned type, unsigned index)
{
   struct pitot_pipe_driver *driver = pitot_pipe_driver_of(pipe);
   struct pitot_pipe_driver_query *query = calloc(1, sizeof(*query));
   if (!query)
      return NULL;

   int status = create_own(driver->hw, type, index, query);
   if (status == -ENOTSUP && driver->stock.create_query) {
      query->stock = driver->stock.create_query(pipe, type, index);
      status = query->stock ? 0 : -ENOMEM;
   }
   if (status) {
      free(query);
      return NULL;
   }
   return (struct pipe_query *)query;
}

static struct pipe_query *
create_batch_query(struct pipe_context *pipe, unsigned count, unsigned *types)
{
   struct pitot_pipe_driver *driver = pitot_pipe_driver_of(pipe);
   struct pitot_pipe_driver_query *query = calloc(1, sizeof(*query));
   if (!query)
      return NULL;

   query->stock = driver->stock.create_batch_query(pipe, count, types);
   if (!query->stock) {
      free(query);
      return NULL;
   }
   return (struct pipe_query *)query;
}

static void
destroy_query(struct pipe_context *pipe, struct pipe_query *pq)
{
   struct pitot_pipe_driver *driver = pitot_pipe_driver_of(pipe);
   struct pitot_pipe_driver_query *query = pitot_pipe_driver_query_of(pq);

   if (query->stock)
      driver->stock.destroy_query(pipe, query->stock);
   pitot_hw_query_free(driver->hw, query->hw_query);
   free(query);
}

/* Returns how often times have become worthless so far. */
static unsigned
count_disjoint(struct pitot_pipe_driver *driver)
{
   driver->disjoint_count += pitot_hw_take_disjoint(driver->hw);
   return driver->disjoint_count;
}

static bool
begin_query(struct pipe_context *pipe, struct pipe_query *pq)
{
   struct pitot_pipe_driver *driver = pitot_pipe_driver_of(pipe);
   struct pitot_pipe_driver_query *query = pitot_pipe_driver_query_of(pq);

   if (query->stock)
      return driver->stock.begin_query(pipe, query->stock);
   if (query->has_told_loss)
      query->has_told_loss = false;
   if (query->hw_query)
      return pitot_hw_query_begin(driver->hw, query->hw_query) == 0;
   query->disjoint_count = count_disjoint(driver);
   return true;
}

static bool
end_query(struct pipe_context *pipe, struct pipe_query *pq)
{
   struct pitot_pipe_driver *driver = pitot_pipe_driver_of(pipe);
   struct pitot_pipe_driver_query *query = pitot_pipe_driver_query_of(pq);

   if (query->stock)
      return driver->stock.end_query(pipe, query->stock);
   if (query->has_told_loss)
      query->has_told_loss = false;
   if (query->hw_query)
      return pitot_hw_query_end(driver->hw, query->hw_query) == 0;
   query->is_disjoint = count_disjoint(driver) != query->disjoint_count;
   return true;
}

int
pitot_pipe_driver_ask(struct pipe_context *pipe,
                      struct pitot_pipe_driver_query *query, bool wait,
                      union pipe_query_result *result_out)
{
   uint64_t values[MAX_VALUES] = { 0 };
   int status = 1;

   if (query->hw_query)
      status = pitot_hw_query_result(pitot_pipe_driver_of(pipe)->hw,
                                     query->hw_query, wait, values);
   if (status)
      query->form->write(query, values, result_out);
   return status;
}

/* The driver's own is below u_threaded_context, too. */
static bool
get_stock_result(struct pipe_context *pipe,
                 struct pitot_pipe_driver_query *query, bool wait,
                 union pipe_query_result *result_out)
{
   threaded_query(query->stock)->flushed = query->base.flushed;
   return pitot_pipe_driver_of(pipe)->stock.get_query_result(pipe,
                                                             query->stock,
                                                             wait,
                                                             result_out);
}

static bool
get_query_result(struct pipe_context *pipe, struct pipe_query *pq, bool wait,
                 union pipe_query_result *result_out)
{
   struct pitot_pipe_driver_query *query = pitot_pipe_driver_query_of(pq);

   if (query->stock)
      return get_stock_result(pipe, query, wait, result_out);

   const int status = pitot_pipe_driver_ask(pipe, query, wait, result_out);
   const bool has_told_loss = query->has_told_loss;

   query->has_told_loss |= status < 0;
   return status > 0 || has_told_loss;
}

static void
set_active_query_state(struct pipe_context *pipe, bool is_active)
{
   const struct pitot_pipe_driver *driver = pitot_pipe_driver_of(pipe);

   pitot_hw_set_active(driver->hw, is_active);
   if (driver->stock.set_active_query_state)
      driver->stock.set_active_query_state(pipe, is_active);
}

static uint64_t
get_timestamp(struct pipe_context *pipe)
{
   return pitot_hw_timestamp_ns(pitot_pipe_driver_of(pipe)->hw);
}

void
pitot_pipe_driver_init(struct pitot_pipe_driver *driver,
                       struct pipe_context *pipe, struct pitot_hw *hw,
                       const struct pitot_pipe_driver_ops *ops)
{
   const struct pipe_context stock = *pipe;
   *driver = (struct pitot_pipe_driver){
      .hw = hw,
      .ops = ops,
      .stock = stock,
   };
   *(struct pitot_pipe_driver **)(pipe + 1) = driver;
   if (stock.create_batch_query)
      pipe->create_batch_query = create_batch_query;
   pipe->create_query = create_query;
   pipe->destroy_query = destroy_query;
   pipe->begin_query = begin_query;
   pipe->end_query = end_query;
   pipe->get_query_result = get_query_result;
   pipe->set_active_query_state = set_active_query_state;
   pipe->get_timestamp = get_timestamp;
   pitot_pipe_driver_init_store(pipe);
   if (pitot_hw_gpu(hw)->vendor == PITOT_VENDOR_INTEL)
      pitot_pipe_driver_init_intel(pipe);
}
