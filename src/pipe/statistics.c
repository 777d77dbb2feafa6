/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Pipeline statistics that share queries of the driver.
 *
 * Statistics that begin without a draw in between are a group, and share one
 * PIPE_QUERY_PIPELINE_STATISTICS.  It begins right before the next draw, and
 * ends with the first of the statistics that ends: that is a segment.  If
 * others are active still, the next draw begins another segment.
 *
 *    begin A, begin B, draw, draw, end A, draw, end B
 *                     |----------|       |----|
 *
 * A statistic is the sum of the segments that its group had when it ended.
 * Without a draw there is no segment, and the driver is asked for nothing.
 *
 * The driver stores the result of one segment in a buffer; the CPU waits for
 * a sum.  Once a program has stored a sum, each statistic has a group of its
 * own.
 */

#include <errno.h>

#include "pipe_priv.h"
#include "util/bitscan.h"

struct pitot_pipe_group {
   struct pitot_pipe_group *next;       /* in pitot_pipe_client.waiting */
   struct pitot_pipe_segment *segments; /* the newest first */
   unsigned active_count;
   unsigned refs; /* statistics that are active or in flight */
   unsigned segment_count;
   uint16_t indices; /* a bit for each statistic that began */
   bool is_open;     /* the newest segment has begun and not ended */
   bool has_failed;  /* the driver failed to count a draw */
};

struct pitot_pipe_statistic {
   struct pitot_pipe_query base;
   struct pitot_pipe_group *group; /* NULL if neither active nor in flight */
   unsigned segment_count;         /* of the group when it ended */
   bool is_active;
   bool has_failed; /* of the group when it ended */
};

static struct pitot_pipe_statistic *
statistic_of(struct pitot_pipe_query *query)
{
   return (struct pitot_pipe_statistic *)query;
}

/* Returns its number in PIPE_QUERY_PIPELINE_STATISTICS. */
static unsigned
index_of(const struct pitot_pipe_client *client,
         const struct pitot_pipe_statistic *statistic)
{
   return pitot_pipe_method_of(client, &statistic->base)->index;
}

/* Begins a segment: of one statistic if the group has no other one and the
 * driver can count it alone.  Returns 0 or the error.
 */
static int
open_segment(struct pitot_pipe_client *client, struct pitot_pipe_group *group)
{
   struct pipe_context *pipe = client->info.pipe;
   const bool is_single = util_is_power_of_two_nonzero(group->indices) &&
                          pipe->screen->caps.query_pipeline_statistics_single;
   struct pitot_pipe_segment *segment =
      pitot_pipe_segment_take(client, is_single ? ffs(group->indices) - 1
                                                : PITOT_PIPE_STATISTIC_COUNT);

   if (!segment || !pipe->begin_query(pipe, segment->pq)) {
      group->has_failed = true;
      if (!segment)
         return -ENOMEM;
      pitot_pipe_segment_destroy(client, segment);
      return -EIO;
   }
   segment->next = group->segments;
   group->segments = segment;
   group->segment_count++;
   group->is_open = true;
   ++*client->info.counting;
   return 0;
}

/* Ends the segment that is open.  Returns 0 or -EIO. */
static int
close_segment(struct pitot_pipe_client *client,
              struct pitot_pipe_group *group)
{
   struct pipe_context *pipe = client->info.pipe;
   struct pitot_pipe_segment *segment = group->segments;

   group->is_open = false;
   --*client->info.counting;
   if (pipe->end_query(pipe, segment->pq))
      return 0;
   group->has_failed = true;
   group->segments = segment->next;
   group->segment_count--;
   pitot_pipe_segment_destroy(client, segment);
   return -EIO;
}

/*
 * Groups
 */

/* Has the next draw begin a segment of the group. */
static void
wait_for_draw(struct pitot_pipe_client *client,
              struct pitot_pipe_group *group)
{
   group->next = client->waiting;
   client->waiting = group;
   client->info.watch_draws(client->info.data);
}

static void
stop_waiting(struct pitot_pipe_client *client,
             const struct pitot_pipe_group *group)
{
   struct pitot_pipe_group **link = &client->waiting;

   while (*link && *link != group)
      link = &(*link)->next;
   if (*link)
      *link = group->next;
   if (client->forming == group)
      client->forming = NULL;
}

/* Returns the group of the statistics that began since the last draw, or a
 * new one; NULL without memory.
 */
static struct pitot_pipe_group *
obtain_forming(struct pitot_pipe_client *client)
{
   if (client->forming && !client->keeps_statistics_apart)
      return client->forming;

   struct pitot_pipe_group *group = pitot_arena_take(&client->groups);
   if (!group)
      return NULL;
   *group = (struct pitot_pipe_group){ 0 };
   client->forming = group;
   wait_for_draw(client, group);
   return group;
}

/* Takes a statistic, which is not active, out of its group, if it has one.
 * The driver may be busy with the group's segments unless they are done.
 */
static void
leave_group(struct pitot_pipe_client *client,
            struct pitot_pipe_statistic *statistic, bool is_done)
{
   struct pitot_pipe_group *group = statistic->group;

   statistic->group = NULL;
   if (!group || --group->refs > 0)
      return;
   while (group->segments) {
      struct pitot_pipe_segment *segment = group->segments;

      group->segments = segment->next;
      pitot_pipe_segment_give(client, segment, is_done);
   }
   pitot_arena_give(&client->groups, group);
}

static int
end_statistic(struct pitot_pipe_client *client,
              struct pitot_pipe_statistic *statistic)
{
   struct pitot_pipe_group *group = statistic->group;
   const bool was_open = group->is_open;
   const int error = was_open ? close_segment(client, group) : 0;

   statistic->is_active = false;
   statistic->has_failed = group->has_failed;
   statistic->segment_count = group->segment_count;
   if (--group->active_count == 0)
      stop_waiting(client, group);
   else if (was_open)
      wait_for_draw(client, group);
   return error;
}

int
pitot_pipe_client_before_draw(struct pitot_pipe_client *client)
{
   int error = 0;

   client->forming = NULL;
   while (client->waiting) {
      struct pitot_pipe_group *group = client->waiting;

      client->waiting = group->next;
      const int status = open_segment(client, group);
      error = status ? status : error;
   }
   return error;
}

/*
 * Functions of pitot_driver_ops
 */

int
pitot_pipe_statistic_create(struct pitot_pipe_client *client,
                            enum pitot_kind kind,
                            struct pitot_driver_query **query_out)
{
   struct pitot_pipe_statistic *statistic =
      pitot_arena_take(&client->statistics);
   if (!statistic)
      return -ENOMEM;

   *statistic = (struct pitot_pipe_statistic){ .base.kind = kind };
   *query_out = &statistic->base.base;
   return 0;
}

void
pitot_pipe_statistic_destroy(struct pitot_pipe_client *client,
                             struct pitot_pipe_query *query)
{
   struct pitot_pipe_statistic *statistic = statistic_of(query);

   if (statistic->is_active)
      (void)end_statistic(client, statistic);
   leave_group(client, statistic, false);
   pitot_arena_give(&client->statistics, statistic);
   if (client->statistics.used_count == 0)
      pitot_pipe_segments_destroy_idle(client);
}

int
pitot_pipe_statistic_begin(struct pitot_pipe_client *client,
                           struct pitot_pipe_query *query)
{
   struct pitot_pipe_statistic *statistic = statistic_of(query);

   leave_group(client, statistic, true);
   statistic->group = obtain_forming(client);
   if (!statistic->group)
      return -ENOMEM;
   statistic->group->refs++;
   statistic->group->active_count++;
   statistic->group->indices |= 1u << index_of(client, statistic);
   statistic->is_active = true;
   return 0;
}

int
pitot_pipe_statistic_end(struct pitot_pipe_client *client,
                         struct pitot_pipe_query *query)
{
   return end_statistic(client, statistic_of(query));
}

/* Returns the newest of the segments that a statistic is the sum of. */
static struct pitot_pipe_segment *
newest_of(const struct pitot_pipe_statistic *statistic)
{
   const struct pitot_pipe_group *group = statistic->group;
   struct pitot_pipe_segment *segment = group->segments;

   for (unsigned i = group->segment_count; i > statistic->segment_count; i--)
      segment = segment->next;
   return segment;
}

struct pipe_query *
pitot_pipe_statistic_only_query(struct pitot_pipe_client *client,
                                struct pitot_pipe_query *query,
                                bool *is_struct_out)
{
   const struct pitot_pipe_statistic *statistic = statistic_of(query);

   if (statistic->segment_count > 1 && !client->info.stores_wait)
      client->keeps_statistics_apart = true;
   if (statistic->segment_count != 1 || statistic->has_failed)
      return NULL;
   const struct pitot_pipe_segment *segment = newest_of(statistic);
   *is_struct_out = segment->index == PITOT_PIPE_STATISTIC_COUNT;
   return segment->pq;
}

int
pitot_pipe_statistic_result(struct pitot_pipe_client *client,
                            struct pitot_pipe_query *query, bool wait,
                            uint64_t *result_out)
{
   struct pitot_pipe_statistic *statistic = statistic_of(query);
   const struct pitot_pipe_segment *segment = newest_of(statistic);
   int status = statistic->has_failed ? -EIO : 1;

   *result_out = 0;
   for (; segment && status > 0; segment = segment->next) {
      uint64_t value = 0;

      status = pitot_pipe_segment_read(client, query, segment, wait, &value);
      *result_out += value;
   }
   if (status != 0)
      leave_group(client, statistic, status > 0);
   return status;
}

void
pitot_pipe_statistics_init(struct pitot_pipe_client *client)
{
   pitot_arena_init(&client->statistics, sizeof(struct pitot_pipe_statistic));
   pitot_arena_init(&client->groups, sizeof(struct pitot_pipe_group));
   pitot_arena_init(&client->segments, sizeof(struct pitot_pipe_segment));
}

void
pitot_pipe_statistics_finish(struct pitot_pipe_client *client)
{
   pitot_arena_finish(&client->statistics);
   pitot_arena_finish(&client->groups);
   pitot_arena_finish(&client->segments);
}
