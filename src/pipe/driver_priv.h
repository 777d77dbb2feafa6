/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared by the two halves of the driver side of pipe.
 */

#ifndef PITOT_PIPE_DRIVER_PRIV_H
#define PITOT_PIPE_DRIVER_PRIV_H

#include "pitot/pipe_driver.h"

static inline struct pitot_pipe_driver *
pitot_pipe_driver_of(struct pipe_context *pipe)
{
   return (struct pitot_pipe_driver *)(pipe + 1);
}

/* driver_intel.c: sets the hooks of INTEL_performance_query. */
void
pitot_pipe_driver_init_intel(struct pipe_context *pipe);

#endif /* PITOT_PIPE_DRIVER_PRIV_H */
