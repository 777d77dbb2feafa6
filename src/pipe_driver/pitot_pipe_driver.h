/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The query hooks of a pipe_context, by the GPU's own counters (pitot/hw.h):
 * for a Gallium driver that has a command stream (pitot/cs.h) and wants Pitot
 * to do its queries.
 *
 * Threads: those of pipe_context below u_threaded_context.  For a query that
 * was flushed, get_query_result does not touch the context.
 */

#ifndef PITOT_PIPE_DRIVER_H
#define PITOT_PIPE_DRIVER_H

#include "pipe/p_context.h"
#include "pitot/hw.h"
#include "pitot_pipe.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The driver's part of results that stay on the GPU.  Each function is called
 * by the thread that records, and may be NULL.
 */
struct pitot_pipe_driver_ops {
   /* Returns a part of a resource that is about to be written, as the command
    * stream's use_buffer() knows buffers; it is good until the next call.
    * Without this, results go through the CPU, and buffer_subdata.
    */
   struct pitot_cs_buffer *(*resource_buffer)(struct pipe_context *pipe,
                                              struct pipe_resource *resource,
                                              unsigned offset_B,
                                              unsigned size_B);

   /* Puts a condition in force for what follows.  If the GPU decides, its
    * predicate is set already on the ring of the query (PITOT_RING_RENDER).
    * Without this, render_condition is the driver's own, and is given Pitot's
    * query, which it can only hand to get_query_result.
    */
   void (*set_condition)(struct pipe_context *pipe,
                         const struct pitot_hw_condition *condition);
};

/* pipe_context::pitot, embedded in a struct of the driver's. */
struct pitot_pipe_driver {
   struct pitot_hw *hw;
   const struct pitot_pipe_driver_ops *ops; /* or NULL */
   unsigned disjoint_count; /* how often times may have become worthless */
   bool is_noop; /* nothing is executed, as the frontend wants it */
   struct pipe_context stock; /* the driver's own hooks, or NULL: also of
                               * those that its part of Pitot replaces */
};

/* Returns what a frontend on that driver should know beyond its caps: the
 * fields from clock on.  Any thread.
 */
struct pitot_pipe_info
pitot_pipe_driver_info(const struct pitot_pipe_driver *driver);

/* Sets pipe->pitot, and the hooks: for queries, in memory and in buffers,
 * conditional rendering, set_active_query_state and get_timestamp.
 * pipe_screen::get_timestamp, which frontends ask first, should be of the
 * same clock (pitot_screen_clock.h), or NULL.
 *
 * Hooks that the driver has set before are its own: they serve what this GPU
 * cannot count without the driver's shaders, driver-specific types and sets,
 * and batch queries.  Without them, create_query refuses those with NULL.
 *
 * A result that is lost with the device is refused once, even to a caller
 * that waits; from then on it is 0, so that no caller waits forever.  Where
 * get_query_result returns false, result->b is whether the result is lost.
 *
 * A query of PIPE_QUERY_TIMESTAMP_DISJOINT that was never begun may be read
 * at any time: it reports what happened since it was last read, without
 * waiting for a flush, and asks the kernel at most once for each batch with
 * results. Below u_threaded_context, set threaded_query::flushed, or the read
 * syncs.
 *
 * There is nothing to undo.  hw must outlive the queries, and ops the
 * context.
 */
void
pitot_pipe_driver_init(struct pitot_pipe_driver *driver,
                       struct pipe_context *pipe, struct pitot_hw *hw,
                       const struct pitot_pipe_driver_ops *ops);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_PIPE_DRIVER_H */
