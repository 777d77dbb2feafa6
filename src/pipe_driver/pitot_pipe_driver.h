/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The query hooks of a pipe_context, over the GPU's own counters
 * (pitot/hw.h): for a Gallium driver that implements a command stream
 * (pitot/cs.h) and leaves its queries to Pitot.
 *
 * Threads: as the hooks of a pipe_context below u_threaded_context.
 * get_query_result of a flushed query does not use the context.
 */

#ifndef PITOT_PIPE_DRIVER_H
#define PITOT_PIPE_DRIVER_H

#include "pipe/p_context.h"
#include "pitot/hw.h"
#include "pitot_pipe.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The driver's part of stores and conditions.  The thread that records calls
 * these functions.  Each may be NULL.
 */
struct pitot_pipe_driver_ops {
   /* Returns a part of a resource that is about to be written, in the form
    * that use_buffer() of the command stream takes; valid until the next
    * call.  NULL: the CPU resolves results, and writes them by
    * buffer_subdata.
    */
   struct pitot_cs_buffer *(*resource_buffer)(struct pipe_context *pipe,
                                              struct pipe_resource *resource,
                                              unsigned offset_B,
                                              unsigned size_B);

   /* Makes later commands depend on a condition.  If the GPU decides by a
    * boolean, the predicate of the render ring is already loaded.  NULL:
    * render_condition stays the driver's own; it gets Pitot's query, and can
    * only pass it to get_query_result.
    */
   void (*set_condition)(struct pipe_context *pipe,
                         const struct pitot_hw_condition *condition);
};

/* pipe_context::pitot, embedded in a struct of the driver. */
struct pitot_pipe_driver {
   struct pitot_hw *hw;
   const struct pitot_pipe_driver_ops *ops; /* or NULL */
   unsigned disjoint_count;   /* how often times may have become invalid */
   bool is_noop;              /* set_frontend_noop: nothing is executed */
   struct pipe_context stock; /* the driver's own hooks, or NULL; its part
                               * of Pitot calls them, too */
};

/* Returns the fields from clock on, which caps do not report.  Any thread. */
struct pitot_pipe_info
pitot_pipe_driver_info(const struct pitot_pipe_driver *driver);

/* Sets pipe->pitot and the hooks for queries, query buffers, conditional
 * rendering, set_active_query_state and get_timestamp.
 * pipe_screen::get_timestamp, which frontends prefer, should read the same
 * clock (pitot_screen_clock.h) or be NULL.
 *
 * Set the driver's own hooks before.  They serve what this GPU cannot count
 * without the driver's shaders, driver-specific types and sets, and batch
 * queries.  Without own hooks, create_query returns NULL for these.
 *
 * The first read of a result that is lost with the device fails, even if it
 * waits; later reads return 0, so that no caller waits forever.  If
 * get_query_result returns false, result->b is whether the result is lost.
 *
 * A PIPE_QUERY_TIMESTAMP_DISJOINT that was never begun may be read at any
 * time.  A read reports what happened since the last read, without waiting
 * for a flush, and calls the kernel at most once for each batch with results.
 * Below u_threaded_context, set threaded_query::flushed, or the read syncs.
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
