/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "pipe_driver_priv.h"

#define KEEP(HOOKS, TYPE, NAME, PARAMETERS, ARGUMENTS) .NAME = (HOOKS)->NAME,
#define SET(HOOKS, TYPE, NAME, PARAMETERS, ARGUMENTS)                        \
   pipe->NAME = (HOOKS)->NAME;

/* Those that are of no use to a driver stay as they are. */
void
pitot_pipe_driver_init(struct pitot_pipe_driver *driver,
                       struct pipe_context *pipe, struct pitot_hw *hw,
                       const struct pitot_pipe_hooks *hooks,
                       const struct pitot_pipe_driver_ops *ops)
{
   *driver = (struct pitot_pipe_driver){
      .pipe = pipe,
      .hw = hw,
      .ops = ops,
      .hooks = hooks,
      .stock = { PITOT_PIPE_HOOKS(KEEP, pipe) },
   };
   PITOT_PIPE_QUERY_HOOKS(SET, hooks)
   if (!driver->stock.create_batch_query)
      pipe->create_batch_query = NULL;
   if (!driver->stock.set_frontend_noop)
      pipe->set_frontend_noop = NULL;
   if (!ops || !ops->set_condition)
      pipe->render_condition = driver->stock.render_condition;
}

void
pitot_pipe_driver_init_intel(struct pitot_pipe_driver *driver)
{
   struct pipe_context *pipe = driver->pipe;

   PITOT_PIPE_INTEL_HOOKS(SET, driver->hooks)
}
