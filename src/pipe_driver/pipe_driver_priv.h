/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared by the parts of the driver side of pipe.
 */

#ifndef PITOT_PIPE_DRIVER_PRIV_H
#define PITOT_PIPE_DRIVER_PRIV_H

#include "pitot/driver.h"
#include "pitot/pipe_driver.h"
#include "pitot/pipe_kind.h"
#include "util/u_threaded_context.h"

static inline struct pitot_pipe_driver *
pitot_pipe_driver_of(struct pipe_context *pipe)
{
   return *(struct pitot_pipe_driver **)(pipe + 1);
}

struct pitot_pipe_driver_query;

/* How a type of Gallium's is made, and its values handed out. */
struct pitot_pipe_form {
   int (*create)(struct pitot_hw *hw, unsigned type, unsigned index,
                 struct pitot_hw_query **query_out);
   void (*write)(const struct pitot_pipe_driver_query *query,
                 const uint64_t *values, union pipe_query_result *result_out);

   /* Returns which of the values Gallium's index is, or -1 if it is the CPU
    * that knows.
    */
   int (*value_index)(unsigned index);
};

struct pitot_pipe_driver_query {
   struct threaded_query base; /* u_threaded_context's: both threads write */
   uint8_t apart_from_base[PITOT_CACHE_LINE_B];

   const struct pitot_pipe_form *form; /* unless it is the driver's own */
   struct pitot_hw_query *hw_query;    /* NULL: it is the CPU's to know */
   struct pipe_query *stock; /* or NULL: the driver's own, instead */
   bool is_boolean;
   bool has_told_loss;

   /* Of PIPE_QUERY_TIMESTAMP_DISJOINT */
   unsigned disjoint_count;
   bool is_disjoint;

   uint8_t apart[PITOT_CACHE_LINE_B];
};

static inline struct pitot_pipe_driver_query *
pitot_pipe_driver_query_of(struct pipe_query *pq)
{
   return (struct pitot_pipe_driver_query *)pq;
}

/* Asks for a result, and returns what pitot_hw_query_result() does. */
int
pitot_pipe_driver_ask(struct pipe_context *pipe,
                      struct pitot_pipe_driver_query *query, bool wait,
                      union pipe_query_result *result_out);

/* store.c: sets the hooks for results that stay on the GPU. */
void
pitot_pipe_driver_init_store(struct pipe_context *pipe);

/* intel.c: sets the hooks of INTEL_performance_query. */
void
pitot_pipe_driver_init_intel(struct pipe_context *pipe);

#endif /* PITOT_PIPE_DRIVER_PRIV_H */
