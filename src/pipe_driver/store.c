/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Results that stay on the GPU: in a buffer, or as a condition.
 */

#include <assert.h>

#include "pipe_driver_priv.h"

static_assert((int)PIPE_QUERY_TYPE_U64 == (int)PITOT_TYPE_U64,
              "Gallium's types of values are in the order of ours");

/* By way of the CPU.  An index of -1 asks whether there is a result. */
static void
store_by_cpu(struct pitot_pipe_driver *driver,
             struct pitot_pipe_driver_query *query, bool wait,
             enum pitot_type type, int index, struct pipe_resource *resource,
             unsigned offset_B)
{
   struct pipe_context *pipe = driver->pipe;
   union pipe_query_result result;
   uint64_t value, data;

   value = pitot_pipe_driver_ask(driver, query, wait, &result) != 0;
   if (index >= 0 && !value)
      return;
   if (index >= 0)
      value = query->result <= PITOT_PIPE_RESULT_STATISTICS
                 ? result.pipeline_statistics.counters[index]
                 : result.b;
   pitot_type_write(type, value, &data);
   pipe->buffer_subdata(pipe, resource, PIPE_MAP_WRITE, offset_B,
                        pitot_type_size_B(type), &data);
}

/* Returns false where nothing can be stored in the command stream. */
static bool
store_in_cs(const struct pitot_pipe_driver *driver,
            struct pitot_pipe_driver_query *query,
            struct pitot_hw_store store, struct pipe_resource *resource)
{
   if (store.index >= query->value_count || !driver->ops ||
       !driver->ops->resource_buffer)
      return false;
   store.buffer =
      driver->ops->resource_buffer(driver->pipe, resource, store.offset_B,
                                   pitot_type_size_B(store.type));
   return store.buffer &&
          pitot_hw_query_store(driver->hw, query->hw_query, &store) == 0;
}

void
pitot_pipe_get_query_result_resource(
   struct pitot_pipe_driver *driver, struct pipe_query *pq,
   enum pipe_query_flags flags, enum pipe_query_value_type type, int index,
   struct pipe_resource *resource, unsigned offset_B)
{
   struct pitot_pipe_driver_query *query = (void *)pq;
   const bool wait = flags & PIPE_QUERY_WAIT;

   if (query->stock) {
      driver->stock.get_query_result_resource(driver->pipe, query->stock,
                                              flags, type, index, resource,
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
   if (!store_in_cs(driver, query, store, resource))
      store_by_cpu(driver, query, wait, store.type, index, resource,
                   offset_B);
}

void
pitot_pipe_render_condition(struct pitot_pipe_driver *driver,
                            struct pipe_query *pq, bool is_inverted,
                            enum pipe_render_cond_flag mode)
{
   const bool wait = mode == PIPE_RENDER_COND_WAIT ||
                     mode == PIPE_RENDER_COND_BY_REGION_WAIT;
   struct pitot_hw_condition condition;
   const struct pitot_pipe_driver_query *query = (void *)pq;

   if (query && query->stock) {
      driver->stock.render_condition(driver->pipe, query->stock, is_inverted,
                                     mode);
      return;
   }
   if (query)
      pitot_hw_query_decide(driver->hw, query->hw_query, is_inverted, wait,
                            &condition);
   else
      condition = (struct pitot_hw_condition){
         .decision = PITOT_HW_DECISION_ALWAYS,
      };
   driver->ops->set_condition(driver->pipe, &condition);
}
