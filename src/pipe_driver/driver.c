/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pipe_driver_priv.h"
#include "pitot_compiler.h"
#include "pitot_hw_family.h"
#include "pitot_pipe_kind.h"

#define NS_PER_S UINT64_C(1000000000)

/*
 * Types of queries
 */

/* Returns the kind that Gallium measures so, or PITOT_KIND_NONE. */
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

unsigned
pitot_pipe_driver_statistics(const struct pitot_gpu *gpu)
{
   unsigned statistics = 0;

   for (unsigned i = 0; i < PITOT_HW_STATISTIC_COUNT; i++) {
      const enum pitot_kind kind = PITOT_KIND_VERTICES_SUBMITTED + i;

      const struct pitot_hw_measure *measure = gpu->family->measure(gpu, kind);

      if (measure && gpu->family->samples[measure->qwords[0].sample].ring ==
                        PITOT_RING_RENDER)
         statistics |= 1u << pitot_pipe_kind(kind)->statistic;
   }
   return statistics;
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
      query->result = PITOT_PIPE_RESULT_BOOLEAN;
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

/* If the GPU cannot count all of them, a frontend still gets the one that
 * it names, as radeonsi has it, and 0 for what is missing; and for those that
 * are not in the mask, if it names one.
 */
static int
create_statistics(struct pitot_hw *hw, unsigned index,
                  struct pitot_pipe_driver_query *query)
{
   struct pitot_hw_count counts[PITOT_HW_STATISTIC_COUNT];
   bool has_all = true, has_named = false;

   for (unsigned i = 0; i < PITOT_HW_STATISTIC_COUNT; i++) {
      const enum pitot_kind kind = PITOT_KIND_VERTICES_SUBMITTED + i;
      const unsigned statistic = pitot_pipe_kind(kind)->statistic;
      const bool has_kind = pitot_hw_counter_bits(hw, kind) != 0;
      const bool is_wanted = index & PITOT_PIPE_STATISTICS_OF_MASK
                                ? index >> statistic & 1
                                : true;

      counts[statistic] =
         (struct pitot_hw_count){ is_wanted ? kind : PITOT_HW_NOTHING, 0 };
      has_all &= has_kind || !is_wanted;
      has_named |= has_kind && statistic == index;
   }
   if (!has_all && !has_named)
      return -ENOTSUP;
   query->result = PITOT_PIPE_RESULT_STATISTICS;
   query->value_count = PITOT_HW_STATISTIC_COUNT;
   return pitot_hw_query_create_list(hw, counts, PITOT_HW_STATISTIC_COUNT,
                                     &query->hw_query);
}

/* Creates a query of Pitot's.  Returns -ENOTSUP where the GPU cannot. */
static int
create_own(struct pitot_hw *hw, unsigned type, unsigned index,
           struct pitot_pipe_driver_query *query)
{
   if (type == PIPE_QUERY_SO_STATISTICS)
      return create_streamout(hw, index, query);
   if (type == PIPE_QUERY_PIPELINE_STATISTICS)
      return create_statistics(hw, index, query);
   if (type == PIPE_QUERY_TIMESTAMP_DISJOINT) {
      query->result = PITOT_PIPE_RESULT_DISJOINT;
      query->is_polled = true;
      return 0;
   }
   if (type == PIPE_QUERY_GPU_FINISHED) {
      query->result = PITOT_PIPE_RESULT_FINISHED;
      return 0;
   }
   return create_kind(hw, kind_of(type, index), index, query);
}

/* Finishes a result of which the values were written as qwords. */
static inline void
finish_result(const struct pitot_pipe_driver_query *query,
              union pipe_query_result *result_inout)
{
   if (query->result == PITOT_PIPE_RESULT_BOOLEAN)
      result_inout->b = result_inout->u64 != 0;
   else if (query->result == PITOT_PIPE_RESULT_STATISTICS)
      memset(&result_inout->u64 + PITOT_HW_STATISTIC_COUNT, 0,
             sizeof(*result_inout) -
                PITOT_HW_STATISTIC_COUNT * sizeof(uint64_t));
}

/*
 * Queries without samples: whether the GPU has finished, and whether times
 * can be believed
 */

static void
drop_fence(const struct pitot_pipe_driver *driver,
           struct pitot_pipe_driver_query *query)
{
   struct pipe_screen *screen = driver->pipe->screen;

   if (query->fence)
      screen->fence_reference(screen, &query->fence, NULL);
}

/* Of all that was recorded, on rings that no query samples as well; nothing
 * is left to finish where nothing is executed.  Returns whether there is
 * memory.
 */
static bool
take_fence(const struct pitot_pipe_driver *driver,
           struct pitot_pipe_driver_query *query)
{
   struct pipe_context *pipe = driver->pipe;

   drop_fence(driver, query);
   if (driver->is_noop)
      return true;
   pipe->flush(pipe, &query->fence, PIPE_FLUSH_DEFERRED);
   return query->fence != NULL;
}

/* Returns 1 if the fence was passed, or -EIO if it never will be. */
static int
ask_fence(const struct pitot_pipe_driver *driver,
          const struct pitot_pipe_driver_query *query, bool wait)
{
   struct pipe_context *pipe = driver->pipe;
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

/* Returns whether there was a new event since the last call for a query that
 * is never begun.
 */
static bool
poll_disjoint(struct pitot_pipe_driver *driver,
              struct pitot_pipe_driver_query *query)
{
   const unsigned before = query->disjoint_count;

   driver->disjoint_count += pitot_hw_poll_disjoint(driver->hw);
   query->disjoint_count = driver->disjoint_count;
   return query->disjoint_count != before;
}

/*
 * Hooks
 */

struct pipe_query *
pitot_pipe_create_query(struct pitot_pipe_driver *driver, unsigned type,
                        unsigned index)
{
   struct pitot_pipe_driver_query *query = calloc(1, sizeof(*query));
   if (!query)
      return NULL;

   int status = create_own(driver->hw, type, index, query);
   if (status == -ENOTSUP && driver->stock.create_query) {
      query->stock = driver->stock.create_query(driver->pipe, type, index);
      status = query->stock ? 0 : -ENOMEM;
   }
   if (status) {
      free(query);
      return NULL;
   }
   return (struct pipe_query *)query;
}

struct pipe_query *
pitot_pipe_create_batch_query(struct pitot_pipe_driver *driver,
                              unsigned count, unsigned *types)
{
   struct pitot_pipe_driver_query *query = calloc(1, sizeof(*query));
   if (!query)
      return NULL;

   query->stock =
      driver->stock.create_batch_query(driver->pipe, count, types);
   if (!query->stock) {
      free(query);
      return NULL;
   }
   return (struct pipe_query *)query;
}

void
pitot_pipe_destroy_query(struct pitot_pipe_driver *driver,
                         struct pipe_query *pq)
{
   struct pitot_pipe_driver_query *query = (void *)pq;

   if (query->stock)
      driver->stock.destroy_query(driver->pipe, query->stock);
   drop_fence(driver, query);
   pitot_hw_query_free(driver->hw, query->hw_query);
   free(query);
}

bool
pitot_pipe_begin_query(struct pitot_pipe_driver *driver,
                       struct pipe_query *pq)
{
   struct pitot_pipe_driver_query *query = (void *)pq;

   if (query->stock)
      return driver->stock.begin_query(driver->pipe, query->stock);
   query->has_told_loss = false;
   if (query->hw_query)
      return pitot_hw_query_begin(driver->hw, query->hw_query) == 0;
   if (query->result == PITOT_PIPE_RESULT_DISJOINT) {
      query->disjoint_count = count_disjoint(driver);
      query->is_polled = false;
   }
   return true;
}

bool
pitot_pipe_end_query(struct pitot_pipe_driver *driver, struct pipe_query *pq)
{
   struct pitot_pipe_driver_query *query = (void *)pq;

   if (query->stock)
      return driver->stock.end_query(driver->pipe, query->stock);
   query->has_told_loss = false;
   if (query->hw_query)
      return pitot_hw_query_end(driver->hw, query->hw_query) == 0;
   if (query->result == PITOT_PIPE_RESULT_FINISHED)
      return take_fence(driver, query);
   query->is_disjoint = count_disjoint(driver) != query->disjoint_count;
   return true;
}

/* Asks for the result of a query without samples. */
static PITOT_COLD int
ask_unsampled(struct pitot_pipe_driver *driver,
              struct pitot_pipe_driver_query *query, bool wait,
              union pipe_query_result *result_out)
{
   const bool is_fence = query->result == PITOT_PIPE_RESULT_FINISHED;
   const int status = is_fence ? ask_fence(driver, query, wait) : 1;

   if (is_fence && status) {
      result_out->b = true;
   } else if (!is_fence) {
      /* Timestamps are told in nanoseconds. */
      result_out->timestamp_disjoint.frequency = NS_PER_S;
      result_out->timestamp_disjoint.disjoint =
         query->is_polled ? poll_disjoint(driver, query) : query->is_disjoint;
   }
   return status;
}

static inline int
ask(struct pitot_pipe_driver *driver, struct pitot_pipe_driver_query *query,
    bool wait, union pipe_query_result *result_out)
{
   if (!query->hw_query)
      return ask_unsampled(driver, query, wait, result_out);

   const int status = pitot_hw_query_result(driver->hw, query->hw_query, wait,
                                            &result_out->u64);
   if (status)
      finish_result(query, result_out);
   return status;
}

int
pitot_pipe_driver_ask(struct pitot_pipe_driver *driver,
                      struct pitot_pipe_driver_query *query, bool wait,
                      union pipe_query_result *result_out)
{
   return ask(driver, query, wait, result_out);
}

/* The driver's own query is below u_threaded_context, too. */
static PITOT_COLD bool
get_stock_result(struct pitot_pipe_driver *driver,
                 struct pitot_pipe_driver_query *query, bool wait,
                 union pipe_query_result *result_out)
{
   threaded_query(query->stock)->flushed = query->base.flushed;
   if (driver->stock.get_query_result(driver->pipe, query->stock, wait,
                                      result_out))
      return true;
   result_out->b = false;
   return false;
}

/* Says whether a result is lost.  Two threads may ask: one of them is refused
 * what is lost, and the other has 0.
 */
static PITOT_COLD bool
refuse(struct pitot_pipe_driver_query *query, bool is_lost,
       union pipe_query_result *result_out)
{
   if (is_lost && atomic_exchange(&query->has_told_loss, true))
      return true;
   result_out->b = is_lost;
   return false;
}

bool
pitot_pipe_get_query_result(struct pitot_pipe_driver *driver,
                            struct pipe_query *pq, bool wait,
                            union pipe_query_result *result_out)
{
   struct pitot_pipe_driver_query *query = (void *)pq;

   if (query->stock)
      return get_stock_result(driver, query, wait, result_out);

   const int status = ask(driver, query, wait, result_out);
   return status > 0 || refuse(query, status < 0, result_out);
}

void
pitot_pipe_set_active_query_state(struct pitot_pipe_driver *driver,
                                  bool is_active)
{

   pitot_hw_set_active(driver->hw, is_active);
   if (driver->stock.set_active_query_state)
      driver->stock.set_active_query_state(driver->pipe, is_active);
}

/* The driver ends its batches, so that each is executed or not. */
void
pitot_pipe_set_frontend_noop(struct pitot_pipe_driver *driver, bool is_noop)
{

   driver->is_noop = is_noop;
   if (is_noop)
      pitot_hw_set_noop(driver->hw, true);
   driver->stock.set_frontend_noop(driver->pipe, is_noop);
   if (!is_noop)
      pitot_hw_set_noop(driver->hw, false);
}

uint64_t
pitot_pipe_get_timestamp(struct pitot_pipe_driver *driver)
{
   return pitot_hw_timestamp_ns(driver->hw);
}
