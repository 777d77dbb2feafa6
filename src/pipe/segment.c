/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Segments of pipeline statistics: queries of the driver that are used again.
 */

#include "pipe_priv.h"

/* A few more than a program begins at a time. */
#define MAX_IDLE_SEGMENTS 64

static struct pitot_pipe_segment *
create(struct pitot_pipe_client *client, unsigned index)
{
   struct pipe_context *pipe = client->info.pipe;
   const bool is_stream = index >= PITOT_PIPE_FIRST_STREAM;
   const bool is_struct = index == PITOT_PIPE_STATISTIC_COUNT;
   struct pitot_pipe_segment *segment = pitot_arena_take(&client->segments);
   if (!segment)
      return NULL;

   *segment = (struct pitot_pipe_segment){ .index = index };
   if (is_stream)
      segment->pq = pipe->create_query(pipe, PIPE_QUERY_PRIMITIVES_GENERATED,
                                       index - PITOT_PIPE_FIRST_STREAM);
   else
      segment->pq =
         pipe->create_query(pipe,
                            is_struct ? PIPE_QUERY_PIPELINE_STATISTICS
                                      : PIPE_QUERY_PIPELINE_STATISTICS_SINGLE,
                            is_struct ? 0 : index);
   if (segment->pq)
      return segment;
   pitot_arena_give(&client->segments, segment);
   return NULL;
}

void
pitot_pipe_segment_destroy(struct pitot_pipe_client *client,
                           struct pitot_pipe_segment *segment)
{
   struct pipe_context *pipe = client->info.pipe;

   pipe->destroy_query(pipe, segment->pq);
   pitot_arena_give(&client->segments, segment);
}

struct pitot_pipe_segment *
pitot_pipe_segment_take(struct pitot_pipe_client *client, unsigned index)
{
   struct pitot_pipe_segment *segment = client->idle_segments[index];

   if (!segment)
      return create(client, index);
   client->idle_segments[index] = segment->next;
   client->idle_segment_count--;
   return segment;
}

void
pitot_pipe_segment_give(struct pitot_pipe_client *client,
                        struct pitot_pipe_segment *segment)
{
   if (client->known_segment == segment)
      client->known_segment = NULL;
   if (client->info.keeps_queries_apart ||
       client->idle_segment_count == MAX_IDLE_SEGMENTS) {
      pitot_pipe_segment_destroy(client, segment);
      return;
   }
   client->idle_segment_count++;
   segment->next = client->idle_segments[segment->index];
   client->idle_segments[segment->index] = segment;
}

void
pitot_pipe_segments_destroy_idle(struct pitot_pipe_client *client)
{
   for (unsigned i = 0; i < PITOT_PIPE_SEGMENT_INDICES; i++) {
      while (client->idle_segments[i])
         pitot_pipe_segment_destroy(client,
                                    pitot_pipe_segment_take(client, i));
   }
}

int
pitot_pipe_segment_read(struct pitot_pipe_client *client,
                        struct pitot_pipe_query *query,
                        const struct pitot_pipe_segment *segment, bool wait,
                        uint64_t *value_out)
{
   if (client->known_segment != segment) {
      union pipe_query_result data;
      const int status =
         pitot_pipe_read(client, query, segment->pq, wait, &data);

      if (status <= 0)
         return status;
      *value_out = data.u64;
      if (segment->index != PITOT_PIPE_STATISTIC_COUNT)
         return status;
      client->known_segment = segment;
      client->known = data.pipeline_statistics;
   }
   *value_out =
      client->known.counters[pitot_pipe_method_of(client, query)->index];
   return 1;
}
