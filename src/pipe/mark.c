/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Marks: fences, which a driver below u_threaded_context makes without a
 * flush; others may flush to make one, and then at the end of a session.
 *
 * Where fences are not to be trusted, timestamps that nobody reads.
 */

#include <errno.h>

#include "pipe_priv.h"
#include "util/u_threaded_context.h"

/*
 * Fences
 */

static struct pitot_mark *
create_fence(struct pitot_pipe_client *client)
{
   struct pipe_context *pipe = client->info.pipe;
   struct pipe_fence_handle *fence = NULL;

   pipe->flush(pipe, &fence, PIPE_FLUSH_DEFERRED);
   return (struct pitot_mark *)fence;
}

static bool
fence_is_done(struct pitot_pipe_client *client, struct pitot_mark *mark)
{
   struct pipe_screen *screen = client->info.pipe->screen;

   /* Without a context it does not flush. */
   return screen->fence_finish(screen, NULL, (struct pipe_fence_handle *)mark,
                               0);
}

static void
destroy_fence(struct pitot_pipe_client *client, struct pitot_mark *mark)
{
   struct pipe_screen *screen = client->info.pipe->screen;
   struct pipe_fence_handle *fence = (struct pipe_fence_handle *)mark;

   screen->fence_reference(screen, &fence, NULL);
}

/*
 * Timestamps
 */

static struct pitot_mark *
create_timestamp(struct pitot_pipe_client *client)
{
   struct pipe_context *pipe = client->info.pipe;
   struct pipe_query *pq = pipe->create_query(pipe, PIPE_QUERY_TIMESTAMP, 0);

   if (!pq)
      return NULL;
   if (!pipe->end_query(pipe, pq)) {
      pipe->destroy_query(pipe, pq);
      return NULL;
   }

   /* Only u_threaded_context tells whether it has been flushed, without
    * which a look at it flushes.
    */
   if (!client->info.is_threaded)
      pitot_pipe_flush(client);
   return (struct pitot_mark *)pq;
}

static bool
timestamp_is_done(struct pitot_pipe_client *client, struct pitot_mark *mark)
{
   struct pipe_context *pipe = client->info.pipe;
   struct pipe_query *pq = (struct pipe_query *)mark;
   union pipe_query_result unread;

   return !pitot_pipe_would_drain(client, pq) &&
          pipe->get_query_result(pipe, pq, false, &unread);
}

static void
destroy_timestamp(struct pitot_pipe_client *client, struct pitot_mark *mark)
{
   struct pipe_context *pipe = client->info.pipe;

   pipe->destroy_query(pipe, (struct pipe_query *)mark);
}

/*
 * Either
 */

int
pitot_pipe_mark_create(struct pitot_driver *driver,
                       struct pitot_mark **mark_out)
{
   struct pitot_pipe_client *client = pitot_pipe_client_of(driver);

   *mark_out = client->info.has_early_fences ? create_timestamp(client)
                                             : create_fence(client);
   return *mark_out ? 0 : -ENOMEM;
}

bool
pitot_pipe_mark_is_done(struct pitot_driver *driver, struct pitot_mark *mark)
{
   struct pitot_pipe_client *client = pitot_pipe_client_of(driver);

   if (client->is_lost)
      return true;
   if (client->info.has_early_fences ? timestamp_is_done(client, mark)
                                     : fence_is_done(client, mark)) {
      client->poll_count = 0;
      return true;
   }
   return pitot_pipe_has_given_up(client);
}

void
pitot_pipe_mark_destroy(struct pitot_driver *driver, struct pitot_mark *mark)
{
   struct pitot_pipe_client *client = pitot_pipe_client_of(driver);

   if (client->info.has_early_fences)
      destroy_timestamp(client, mark);
   else
      destroy_fence(client, mark);
}
