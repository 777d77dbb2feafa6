/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Disjoint times that only the driver knows of: a query of
 * PIPE_QUERY_TIMESTAMP_DISJOINT is open from each question to the next one.
 */

#include "pipe_priv.h"

/* Opens the query, or a new one if it is NULL.  Without memory none is open,
 * until the next time.
 */
static void
open_query(struct pitot_pipe_client *client, struct pipe_query *query)
{
   struct pipe_context *pipe = client->info.pipe;

   if (!query)
      query = pipe->create_query(pipe, PIPE_QUERY_TIMESTAMP_DISJOINT, 0);
   if (query && !pipe->begin_query(pipe, query)) {
      pipe->destroy_query(pipe, query);
      query = NULL;
   }
   client->disjoint_open = query;
}

/* Takes the answer of the last query, if it can be had without waiting, for a
 * flush as well.
 */
static void
take_answer(struct pitot_pipe_client *client)
{
   struct pipe_context *pipe = client->info.pipe;
   struct pipe_query *query = client->disjoint_last;
   union pipe_query_result result = { .timestamp_disjoint = { 0 } };

   if (!client->is_last_unanswered || pitot_pipe_would_drain(client, query) ||
       !pipe->get_query_result(pipe, query, false, &result))
      return;
   client->is_last_unanswered = false;
   client->base.disjoint |= result.timestamp_disjoint.disjoint;
}

void
pitot_pipe_disjoint_begin(struct pitot_pipe_client *client)
{
   if (client->info.has_disjoint_query && !client->disjoint_open)
      open_query(client, NULL);
}

void
pitot_pipe_look_for_disjoint(struct pitot_driver *driver)
{
   struct pitot_pipe_client *client = pitot_pipe_client_of(driver);
   struct pipe_context *pipe = client->info.pipe;
   struct pipe_query *ended = client->disjoint_open;

   pitot_pipe_is_lost(client);
   if (!client->info.has_disjoint_query)
      return;

   /* Never more than two: while one has no answer, the other stays open. */
   take_answer(client);
   if (client->is_last_unanswered)
      return;

   client->disjoint_open = NULL;
   if (ended && !pipe->end_query(pipe, ended)) {
      pipe->destroy_query(pipe, ended);
      ended = NULL;
   }
   open_query(client, client->disjoint_last);
   client->disjoint_last = ended;
   client->is_last_unanswered = ended != NULL;
   take_answer(client);
}

void
pitot_pipe_client_finish(struct pitot_pipe_client *client)
{
   struct pipe_context *pipe = client->info.pipe;

   if (client->disjoint_open) {
      pipe->end_query(pipe, client->disjoint_open);
      pipe->destroy_query(pipe, client->disjoint_open);
   }
   if (client->disjoint_last)
      pipe->destroy_query(pipe, client->disjoint_last);
   client->disjoint_open = client->disjoint_last = NULL;
   pitot_pipe_statistics_finish(client);
   pitot_arena_finish(&client->queries);
}
