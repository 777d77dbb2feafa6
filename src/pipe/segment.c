/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Segments of pipeline statistics: queries of the driver that are used again.
 */

#include <strings.h>

#include "pipe_priv.h"
#include "util/bitscan.h"

/* A few more than a program begins at a time: the one that was used the
 * longest time ago then goes, be it of statistics that nobody counts anymore.
 */
#define MAX_IDLE_SEGMENTS 64

/* Creates a query of the driver that counts such statistics, or the
 * primitives of a stream.
 */
static struct pipe_query *
create_query(const struct pitot_pipe_client *client, unsigned statistics,
             bool is_struct)
{
   struct pipe_context *pipe = client->info.pipe;
   const unsigned index = (unsigned)ffs((int)statistics) - 1;

   if (index >= PITOT_PIPE_FIRST_STREAM)
      return pipe->create_query(pipe, PIPE_QUERY_PRIMITIVES_GENERATED,
                                index - PITOT_PIPE_FIRST_STREAM);
   if (!is_struct)
      return pipe->create_query(pipe, PIPE_QUERY_PIPELINE_STATISTICS_SINGLE,
                                index);
   return pipe->create_query(pipe, PIPE_QUERY_PIPELINE_STATISTICS,
                             client->info.has_struct
                                ? PITOT_PIPE_STATISTICS_OF_MASK | statistics
                                : 0);
}

static struct pitot_pipe_segment *
create_segment(struct pitot_pipe_client *client, unsigned statistics,
               bool is_struct)
{
   struct pitot_pipe_segment *segment = pitot_arena_take(&client->segments);
   if (!segment)
      return NULL;

   *segment = (struct pitot_pipe_segment){
      .pq = create_query(client, statistics, is_struct),
      .statistics = (uint16_t)statistics,
      .is_struct = is_struct,
   };
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

/* A statistic alone is counted alone, where the driver can. */
struct pitot_pipe_segment *
pitot_pipe_segment_take(struct pitot_pipe_client *client, unsigned statistics)
{
   const struct pipe_caps *caps = &client->info.pipe->screen->caps;
   const bool is_struct = !client->info.counts_once &&
                          !(util_is_power_of_two_nonzero(statistics) &&
                            caps->query_pipeline_statistics_single);
   struct pitot_pipe_segment **link = &client->idle_segments;

   if (is_struct && !client->info.has_struct)
      statistics = PITOT_PIPE_ALL_STATISTICS;
   while (*link && (*link)->statistics != statistics)
      link = &(*link)->next;
   if (!*link)
      return create_segment(client, statistics, is_struct);

   struct pitot_pipe_segment *segment = *link;
   *link = segment->next;
   client->idle_segment_count--;
   return segment;
}

static void
destroy_last_idle(struct pitot_pipe_client *client)
{
   struct pitot_pipe_segment **link = &client->idle_segments;

   while ((*link)->next)
      link = &(*link)->next;
   pitot_pipe_segment_destroy(client, *link);
   *link = NULL;
   client->idle_segment_count--;
}

void
pitot_pipe_segment_give(struct pitot_pipe_client *client,
                        struct pitot_pipe_segment *segment)
{
   if (client->known_segment == segment)
      client->known_segment = NULL;
   if (client->info.keeps_queries_apart) {
      pitot_pipe_segment_destroy(client, segment);
      return;
   }
   if (client->idle_segment_count == MAX_IDLE_SEGMENTS)
      destroy_last_idle(client);
   client->idle_segment_count++;
   segment->next = client->idle_segments;
   client->idle_segments = segment;
}

void
pitot_pipe_segments_destroy_idle(struct pitot_pipe_client *client)
{
   while (client->idle_segments) {
      struct pitot_pipe_segment *segment = client->idle_segments;

      client->idle_segments = segment->next;
      pitot_pipe_segment_destroy(client, segment);
   }
   client->idle_segment_count = 0;
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
      if (!segment->is_struct)
         return status;
      client->known_segment = segment;
      client->known = data.pipeline_statistics;
   }
   *value_out = client->known.counters[client->methods[query->kind].index];
   return 1;
}
