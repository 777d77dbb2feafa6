/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared inside pipe_driver only.
 */

#ifndef PITOT_PIPE_DRIVER_PRIV_H
#define PITOT_PIPE_DRIVER_PRIV_H

#include <stdatomic.h>

#include "pitot/driver.h"
#include "pitot_pipe_driver.h"
#include "util/u_threaded_context.h"

/* How a result is handed out. */
enum pitot_pipe_result {
   PITOT_PIPE_RESULT_VALUES,     /* qwords, in the order of the values */
   PITOT_PIPE_RESULT_STATISTICS, /* the same, and 0 for what has no kind */
   PITOT_PIPE_RESULT_BOOLEAN,
   PITOT_PIPE_RESULT_FINISHED, /* by a fence of all the driver's batches */
   PITOT_PIPE_RESULT_DISJOINT, /* the CPU's to know */
};

struct pitot_pipe_driver_query {
   struct threaded_query base; /* u_threaded_context's */
   struct pipe_query *stock;   /* the driver's own, instead; or NULL */

   enum pitot_pipe_result result;
   struct pitot_hw_query *hw_query; /* NULL for FINISHED and DISJOINT */
   unsigned value_count;
   atomic_bool has_told_loss; /* set by any thread */

   struct pipe_fence_handle *fence; /* of FINISHED; NULL: nothing to do */

   /* Of DISJOINT. */
   unsigned disjoint_count;
   bool is_polled; /* it was never begun */
   bool is_disjoint;
};

/* Asks for a result, and returns what pitot_hw_query_result() does. */
int
pitot_pipe_driver_ask(struct pitot_pipe_driver *driver,
                      struct pitot_pipe_driver_query *query, bool wait,
                      union pipe_query_result *result_out);

#endif /* PITOT_PIPE_DRIVER_PRIV_H */
