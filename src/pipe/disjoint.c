/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Disjoint times that only the driver knows of.  Pitot's own queries report
 * them by a PIPE_QUERY_TIMESTAMP_DISJOINT, which is created once and read
 * without a begin; other drivers by their reset status.
 */

#include "pipe_priv.h"
#include "util/u_threaded_context.h"

/* If the driver is out of memory, the next call tries again. */
void
pitot_pipe_disjoint_begin(struct pitot_pipe_client *client)
{
   struct pipe_context *pipe = client->info.pipe;

   if (!client->info.reports_losses || client->disjoint)
      return;
   client->disjoint =
      pipe->create_query(pipe, PIPE_QUERY_TIMESTAMP_DISJOINT, 0);

   /* A read needs no queued call, so u_threaded_context need not sync. */
   if (client->disjoint && client->info.is_threaded)
      ((struct threaded_query *)client->disjoint)->flushed = true;
}

void
pitot_pipe_poll_disjoint(struct pitot_driver *driver)
{
   struct pitot_pipe_client *client = (void *)driver;
   struct pipe_context *pipe = client->info.pipe;
   union pipe_query_result result = { .timestamp_disjoint = { 0 } };

   if (client->info.has_cheap_reset_status)
      pitot_pipe_is_lost(client);
   pitot_pipe_disjoint_begin(client);
   if (client->disjoint)
      pipe->get_query_result(pipe, client->disjoint, false, &result);
   client->base.disjoint |= result.timestamp_disjoint.disjoint;
}

void
pitot_pipe_client_finish(struct pitot_pipe_client *client)
{
   struct pipe_context *pipe = client->info.pipe;

   if (client->disjoint)
      pipe->destroy_query(pipe, client->disjoint);
   client->disjoint = NULL;
   pitot_pipe_statistics_finish(client);
   pitot_arena_finish(&client->queries);
}
