/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The query hooks of a pipe_context.  They map Gallium's query types to
 * pitot/hw.h.  Queries that the GPU cannot count stay with the driver's own
 * ("stock") hooks: each hook tests for these first.
 *
 * Danger: the application's thread reads a query that was flushed while the
 * driver's thread calls other hooks: the read must not use the context.
 */

#include <assert.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "pitot/clock.h"
#include "pitot/driver.h"
#include "pitot_compiler.h"
#include "pitot_hw_family.h"
#include "pitot_pipe_driver.h"
#include "pitot_pipe_kind.h"
#include "util/u_threaded_context.h"

/* What a query writes to union pipe_query_result. */
enum result_type {
   RESULT_VALUES, /* qwords, in the order of the values */
   RESULT_BOOLEAN,
   RESULT_FINISHED, /* whether all work is done */
   RESULT_DISJOINT, /* whether times may be invalid */
};

struct pitot_pipe_driver_query {
   struct threaded_query base; /* for u_threaded_context */
   struct pipe_query *stock;   /* the driver's own query, or NULL */

   enum result_type result_type;
   struct pitot_hw_query *hw_query; /* NULL for FINISHED and DISJOINT */
   unsigned value_count;
   atomic_bool has_reported_loss; /* set by any thread */

   struct pipe_fence_handle *fence; /* of FINISHED; NULL: finished */

   /* Of DISJOINT. */
   unsigned disjoint_count;
   bool is_polled; /* it was never begun */
   bool is_disjoint;
};

/*
 * Types of queries
 */

/* Returns PITOT_KIND_NONE for a type that is no kind. */
static enum pitot_kind
kind_of(unsigned type, unsigned index)
{
   enum pitot_kind kind = 0;

   for (; kind < PITOT_KIND_COUNT; kind++) {
      const struct pitot_pipe_kind *info = pitot_pipe_kind(kind);
      const bool is_single = type == PIPE_QUERY_PIPELINE_STATISTICS_SINGLE;

      if (info->type == type && (!is_single || info->statistic == index))
         break;
   }
   return kind;
}

/* Returns a mask of the statistics that are counted on the render ring. */
static uint32_t
struct_statistics(const struct pitot_gpu *gpu)
{
   unsigned statistics = 0;

   for (unsigned i = 0; i < PITOT_STATISTIC_COUNT; i++) {
      const enum pitot_kind kind = PITOT_KIND_FIRST_STATISTIC + i;

      const struct pitot_hw_measure *measure =
         gpu->family->measure(gpu, kind);

      if (measure && gpu->family->samples[measure->qwords[0].sample].ring ==
                        PITOT_RING_RENDER)
         statistics |= 1u << pitot_pipe_kind(kind)->statistic;
   }
   return statistics;
}

struct pitot_pipe_info
pitot_pipe_driver_info(const struct pitot_pipe_driver *driver)
{
   const struct pitot_cs *cs = pitot_hw_cs(driver->hw);

   return (struct pitot_pipe_info){
      .clock = cs->clock,
      .stores_clamped = true,
      .reports_losses = true,
      .generated_overflows =
         cs->gpu->family->generated_overflows &&
         pitot_hw_counter_bits(driver->hw, PITOT_KIND_PRIMITIVES_GENERATED),
      .struct_statistics = struct_statistics(cs->gpu),
      .has_struct = true,
   };
}

static int
create_kind(struct pitot_hw *hw, enum pitot_kind kind, unsigned index,
            struct pitot_pipe_driver_query *query)
{
   if (kind == PITOT_KIND_NONE)
      return -ENOTSUP;

   const struct pitot_kind_info *info = pitot_kind_info(kind);
   query->value_count = 1;
   if (info->is_boolean)
      query->result_type = RESULT_BOOLEAN;
   return pitot_hw_query_create(hw, kind, info->is_indexed ? index : 0,
                                &query->hw_query);
}

static int
create_streamout(struct pitot_hw *hw, unsigned index,
                 struct pitot_pipe_driver_query *query)
{
   const struct pitot_hw_count counts[] = {
      { PITOT_KIND_PRIMITIVES_WRITTEN, index },
      { PITOT_HW_STORAGE_NEEDED, index },
   };

   if (!pitot_hw_counter_bits(hw, PITOT_KIND_PRIMITIVES_WRITTEN))
      return -ENOTSUP;
   query->value_count = 2;
   return pitot_hw_query_create_list(hw, counts, 2, &query->hw_query);
}

/* index names one statistic or, with PITOT_PIPE_STATISTICS_OF_MASK, all that
 * are wanted; others are then 0.  Statistics that the GPU cannot count are 0,
 * too, but not the named ones, as with radeonsi.
 */
#define STATISTICS_QW                                                        \
   (sizeof(struct pipe_query_data_pipeline_statistics) / sizeof(uint64_t))

static int
create_statistics(struct pitot_hw *hw, unsigned index,
                  struct pitot_pipe_driver_query *query)
{
   struct pitot_hw_count counts[STATISTICS_QW];
   const bool is_mask = index & PITOT_PIPE_STATISTICS_OF_MASK;

   for (unsigned i = 0; i < STATISTICS_QW; i++)
      counts[i] = (struct pitot_hw_count){ PITOT_HW_NOTHING, 0 };
   for (unsigned i = 0; i < PITOT_STATISTIC_COUNT; i++) {
      const enum pitot_kind kind = PITOT_KIND_FIRST_STATISTIC + i;
      const unsigned statistic = pitot_pipe_kind(kind)->statistic;
      const bool is_named =
         is_mask ? index >> statistic & 1 : statistic == index;

      if (pitot_hw_counter_bits(hw, kind) == 0) {
         if (is_named)
            return -ENOTSUP;
      } else if (is_named || !is_mask) {
         counts[statistic].kind = kind;
      }
   }
   query->value_count = STATISTICS_QW;
   return pitot_hw_query_create_list(hw, counts, STATISTICS_QW,
                                     &query->hw_query);
}

/* Returns -ENOTSUP if the GPU cannot count it. */
static int
create_own(struct pitot_hw *hw, unsigned type, unsigned index,
           struct pitot_pipe_driver_query *query)
{
   if (type == PIPE_QUERY_SO_STATISTICS)
      return create_streamout(hw, index, query);
   if (type == PIPE_QUERY_PIPELINE_STATISTICS)
      return create_statistics(hw, index, query);
   if (type == PIPE_QUERY_TIMESTAMP_DISJOINT) {
      query->result_type = RESULT_DISJOINT;
      query->is_polled = true;
      return 0;
   }
   if (type == PIPE_QUERY_GPU_FINISHED) {
      query->result_type = RESULT_FINISHED;
      return 0;
   }
   return create_kind(hw, kind_of(type, index), index, query);
}

/*
 * Queries without samples: GPU_FINISHED and TIMESTAMP_DISJOINT
 */

static void
drop_fence(struct pipe_context *pipe, struct pitot_pipe_driver_query *query)
{
   struct pipe_screen *screen = pipe->screen;

   if (query->fence)
      screen->fence_reference(screen, &query->fence, NULL);
}

/* The fence covers all recorded work, also on rings without samples.  In
 * no-op mode there is nothing to wait for.  Returns false if out of memory.
 */
static bool
take_fence(struct pipe_context *pipe, struct pitot_pipe_driver_query *query)
{
   drop_fence(pipe, query);
   if (pipe->pitot->is_noop)
      return true;
   pipe->flush(pipe, &query->fence, PIPE_FLUSH_DEFERRED);
   return query->fence != NULL;
}

/* Returns 1 if the fence has signaled, 0, or -EIO if a wait failed. */
static int
poll_fence(struct pipe_context *pipe,
           const struct pitot_pipe_driver_query *query, bool wait)
{
   struct pipe_screen *screen = pipe->screen;

   if (!query->fence ||
       screen->fence_finish(screen, query->base.flushed ? NULL : pipe,
                            query->fence, wait ? OS_TIMEOUT_INFINITE : 0))
      return 1;
   return wait ? -EIO : 0;
}

static unsigned
count_disjoint(struct pitot_pipe_driver *driver)
{
   driver->disjoint_count += pitot_hw_take_disjoint(driver->hw);
   return driver->disjoint_count;
}

/*
 * Hooks
 */

static struct pipe_query *
pitot_pipe_create_query(struct pipe_context *pipe, unsigned type,
                        unsigned index)
{
   struct pitot_pipe_driver *driver = pipe->pitot;
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
pitot_pipe_create_batch_query(struct pipe_context *pipe, unsigned count,
                              unsigned *types)
{
   struct pitot_pipe_driver_query *query = calloc(1, sizeof(*query));
   if (!query)
      return NULL;

   query->stock = pipe->pitot->stock.create_batch_query(pipe, count, types);
   if (!query->stock) {
      free(query);
      return NULL;
   }
   return (struct pipe_query *)query;
}

static void
pitot_pipe_destroy_query(struct pipe_context *pipe, struct pipe_query *pq)
{
   struct pitot_pipe_driver *driver = pipe->pitot;
   struct pitot_pipe_driver_query *query = (void *)pq;

   if (query->stock)
      driver->stock.destroy_query(pipe, query->stock);
   drop_fence(pipe, query);
   pitot_hw_query_free(driver->hw, query->hw_query);
   free(query);
}

static bool
pitot_pipe_begin_query(struct pipe_context *pipe, struct pipe_query *pq)
{
   struct pitot_pipe_driver *driver = pipe->pitot;
   struct pitot_pipe_driver_query *query = (void *)pq;

   if (query->stock)
      return driver->stock.begin_query(pipe, query->stock);
   query->has_reported_loss = false;
   if (query->hw_query)
      return pitot_hw_query_begin(driver->hw, query->hw_query) == 0;
   if (query->result_type == RESULT_DISJOINT) {
      query->disjoint_count = count_disjoint(driver);
      query->is_polled = false;
   }
   return true;
}

static bool
pitot_pipe_end_query(struct pipe_context *pipe, struct pipe_query *pq)
{
   struct pitot_pipe_driver *driver = pipe->pitot;
   struct pitot_pipe_driver_query *query = (void *)pq;

   if (query->stock)
      return driver->stock.end_query(pipe, query->stock);
   query->has_reported_loss = false;
   if (query->hw_query)
      return pitot_hw_query_end(driver->hw, query->hw_query) == 0;
   if (query->result_type == RESULT_FINISHED)
      return take_fence(pipe, query);
   query->is_disjoint = count_disjoint(driver) != query->disjoint_count;
   return true;
}

/* get_result() of a query without samples. */
static PITOT_COLD int
get_unsampled_result(struct pipe_context *pipe,
                     struct pitot_pipe_driver_query *query, bool wait,
                     union pipe_query_result *result_out)
{
   struct pitot_pipe_driver *driver = pipe->pitot;

   if (query->result_type == RESULT_FINISHED) {
      const int status = poll_fence(pipe, query, wait);

      if (status)
         result_out->b = true;
      return status;
   }
   if (query->is_polled) {
      const unsigned before = query->disjoint_count;

      driver->disjoint_count += pitot_hw_poll_disjoint(driver->hw);
      query->disjoint_count = driver->disjoint_count;
      query->is_disjoint = query->disjoint_count != before;
   }
   /* Timestamps are in nanoseconds. */
   result_out->timestamp_disjoint.frequency = PITOT_NS_PER_S;
   result_out->timestamp_disjoint.disjoint = query->is_disjoint;
   return 1;
}

/* Returns what pitot_hw_query_result() does. */
static inline int
get_result(struct pipe_context *pipe, struct pitot_pipe_driver_query *query,
           bool wait, union pipe_query_result *result_out)
{
   if (!query->hw_query)
      return get_unsampled_result(pipe, query, wait, result_out);

   const int status = pitot_hw_query_result(pipe->pitot->hw, query->hw_query,
                                            wait, &result_out->u64);
   if (status && query->result_type == RESULT_BOOLEAN)
      result_out->b = result_out->u64 != 0;
   return status;
}

/* The driver reads this flag of its query; u_threaded_context sets ours. */
static PITOT_COLD bool
get_stock_result(struct pipe_context *pipe,
                 struct pitot_pipe_driver_query *query, bool wait,
                 union pipe_query_result *result_out)
{
   threaded_query(query->stock)->flushed = query->base.flushed;
   if (pipe->pitot->stock.get_query_result(pipe, query->stock, wait,
                                           result_out))
      return true;
   result_out->b = false;
   return false;
}

/* Fails the first read of a lost result, so that even a waiting caller
 * notices the reset; later reads return 0, so that no poll loops forever.
 * The exchange picks one of two racing threads.
 */
static PITOT_COLD bool
report_loss(struct pitot_pipe_driver_query *query,
            union pipe_query_result *result_out)
{
   if (atomic_exchange(&query->has_reported_loss, true))
      return true;
   result_out->b = true;
   return false;
}

static bool
pitot_pipe_get_query_result(struct pipe_context *pipe, struct pipe_query *pq,
                            bool wait, union pipe_query_result *result_out)
{
   struct pitot_pipe_driver_query *query = (void *)pq;

   if (query->stock)
      return get_stock_result(pipe, query, wait, result_out);

   const int status = get_result(pipe, query, wait, result_out);
   if (status < 0)
      return report_loss(query, result_out);
   if (status == 0)
      result_out->b = false;
   return status > 0;
}

static void
pitot_pipe_set_active_query_state(struct pipe_context *pipe, bool is_active)
{
   const struct pitot_pipe_driver *driver = pipe->pitot;

   pitot_hw_set_active(driver->hw, is_active);
   if (driver->stock.set_active_query_state)
      driver->stock.set_active_query_state(pipe, is_active);
}

/* The driver's hook ends the batch: no batch is executed in part. */
static void
pitot_pipe_set_frontend_noop(struct pipe_context *pipe, bool is_noop)
{
   struct pitot_pipe_driver *driver = pipe->pitot;

   driver->is_noop = is_noop;
   if (is_noop)
      pitot_hw_set_noop(driver->hw, true);
   driver->stock.set_frontend_noop(pipe, is_noop);
   if (!is_noop)
      pitot_hw_set_noop(driver->hw, false);
}

static uint64_t
pitot_pipe_get_timestamp(struct pipe_context *pipe)
{
   return pitot_hw_timestamp_ns(pipe->pitot->hw);
}

/*
 * Results in buffers, and conditions
 */

static_assert((int)PIPE_QUERY_TYPE_U64 == (int)PITOT_TYPE_U64,
              "Gallium's types of values are in the order of ours");

/* An index of -1 stores the availability.  Below u_threaded_context, a driver
 * must not replace the buffer's memory, which may also be mapped.
 */
static void
store_by_cpu(struct pipe_context *pipe, struct pitot_pipe_driver_query *query,
             bool wait, enum pitot_type type, int index,
             struct pipe_resource *resource, unsigned offset_B)
{
   union pipe_query_result result;
   uint64_t value, data;

   value = get_result(pipe, query, wait, &result) != 0;
   if (index >= 0 && !value)
      return;
   if (index >= 0)
      value = query->result_type == RESULT_VALUES
                 ? result.pipeline_statistics.counters[index]
                 : result.b;
   pitot_type_write(type, value, &data);
   pipe->buffer_subdata(pipe, resource,
                        PIPE_MAP_WRITE | PIPE_MAP_DISCARD_RANGE |
                           TC_TRANSFER_MAP_NO_INVALIDATE,
                        offset_B, pitot_type_size_B(type), &data);
}

/* Returns false if the store cannot be in the command stream. */
static bool
store_in_cs(struct pipe_context *pipe, struct pitot_pipe_driver_query *query,
            struct pitot_hw_store store, struct pipe_resource *resource)
{
   const struct pitot_pipe_driver *driver = pipe->pitot;

   if (store.index >= query->value_count || !driver->ops ||
       !driver->ops->resource_buffer)
      return false;
   store.buffer = driver->ops->resource_buffer(pipe, resource, store.offset_B,
                                               pitot_type_size_B(store.type));
   return store.buffer &&
          pitot_hw_query_store(driver->hw, query->hw_query, &store) == 0;
}

static void
pitot_pipe_get_query_result_resource(
   struct pipe_context *pipe, struct pipe_query *pq,
   enum pipe_query_flags flags, enum pipe_query_value_type type, int index,
   struct pipe_resource *resource, unsigned offset_B)
{
   struct pitot_pipe_driver_query *query = (void *)pq;
   const bool wait = flags & PIPE_QUERY_WAIT;

   if (query->stock) {
      pipe->pitot->stock.get_query_result_resource(pipe, query->stock, flags,
                                                   type, index, resource,
                                                   offset_B);
      return;
   }

   const struct pitot_hw_store store = {
      .kind = index < 0 ? PITOT_STORE_AVAILABLE
              : wait    ? PITOT_STORE_RESULT
                        : PITOT_STORE_RESULT_NO_WAIT,
      .type = (enum pitot_type)type,
      .index = index < 0 ? 0 : (unsigned)index,
      .offset_B = offset_B,
   };
   if (!store_in_cs(pipe, query, store, resource))
      store_by_cpu(pipe, query, wait, store.type, index, resource, offset_B);
}

static void
pitot_pipe_render_condition(struct pipe_context *pipe, struct pipe_query *pq,
                            bool is_inverted, enum pipe_render_cond_flag mode)
{
   const struct pitot_pipe_driver *driver = pipe->pitot;
   const struct pitot_pipe_driver_query *query = (void *)pq;
   const bool wait = mode == PIPE_RENDER_COND_WAIT ||
                     mode == PIPE_RENDER_COND_BY_REGION_WAIT;
   struct pitot_hw_condition condition = {
      .decision = PITOT_HW_DECISION_ALWAYS,
   };

   if (query && query->stock) {
      driver->stock.render_condition(pipe, query->stock, is_inverted, mode);
      return;
   }
   if (query)
      pitot_hw_query_decide(driver->hw, query->hw_query, is_inverted, wait,
                            &condition);
   driver->ops->set_condition(pipe, &condition);
}

/* Hooks that the driver does not implement stay NULL: u_threaded_context and
 * frontends test for that.
 */
void
pitot_pipe_driver_init(struct pitot_pipe_driver *driver,
                       struct pipe_context *pipe, struct pitot_hw *hw,
                       const struct pitot_pipe_driver_ops *ops)
{
   *driver = (struct pitot_pipe_driver){
      .hw = hw,
      .ops = ops,
      .stock = *pipe,
   };
   pipe->pitot = driver;
   pipe->create_query = pitot_pipe_create_query;
   pipe->destroy_query = pitot_pipe_destroy_query;
   pipe->begin_query = pitot_pipe_begin_query;
   pipe->end_query = pitot_pipe_end_query;
   pipe->get_query_result = pitot_pipe_get_query_result;
   pipe->get_query_result_resource = pitot_pipe_get_query_result_resource;
   pipe->set_active_query_state = pitot_pipe_set_active_query_state;
   pipe->get_timestamp = pitot_pipe_get_timestamp;
   if (pipe->create_batch_query)
      pipe->create_batch_query = pitot_pipe_create_batch_query;
   if (pipe->set_frontend_noop)
      pipe->set_frontend_noop = pitot_pipe_set_frontend_noop;
   if (ops && ops->set_condition)
      pipe->render_condition = pitot_pipe_render_condition;
}
