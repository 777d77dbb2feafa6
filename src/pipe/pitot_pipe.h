/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A driver (pitot/driver.h) over the query hooks of a pipe_context, for
 * frontends on any Gallium driver.
 *
 * Threads: the thread that uses the pipe_context; any thread for
 * pitot_pipe_info_of() and pitot_pipe_counter_is_broken().
 */

#ifndef PITOT_PIPE_H
#define PITOT_PIPE_H

#include "pipe/p_context.h"
#include "pitot/driver.h"
#include "pitot_arena.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PITOT_PIPE_ALL_STATISTICS  ((1u << PITOT_STATISTIC_COUNT) - 1)
#define PITOT_PIPE_FIRST_STREAM    PITOT_STATISTIC_COUNT
#define PITOT_PIPE_SEGMENT_INDICES (PITOT_PIPE_FIRST_STREAM + 4)

struct pitot_pipe_info {
   struct pipe_context *pipe; /* outlives the client */

   /* The number of active queries that count draws: while it is not 0, the
    * frontend disables queries around its internal draws.  Not owned.
    */
   unsigned *counting;

   /* Optional: replaces pipe_context::render_condition, for a frontend that
    * tracks the condition.
    */
   void (*render_condition)(void *condition_data, struct pipe_query *query,
                            bool condition, enum pipe_render_cond_flag mode);
   void *condition_data;

   /* Optional: returns whether the device was lost since the last call, or
    * is lost forever.  Replaces pipe_context::get_device_reset_status, which
    * many drivers report only once, for a frontend that reports resets to
    * the application as well.
    */
   bool (*is_lost)(void *data);
   void *data;

   /* Optional: makes the frontend call pitot_pipe_client_before_draw() right
    * before the next draw or dispatch.  With it, pipeline statistics share
    * pipe queries of a driver that counts several statistics in one.
    */
   void (*watch_draws)(void *data);

   /* pipe is a u_threaded_context; its queries are struct threaded_query. */
   bool is_threaded;

   /* The screen's clock if the driver's queries are Pitot's: its time is
    * GL's TIMESTAMP.  NULL: get_timestamp() of the screen or the context is.
    */
   struct pitot_clock *clock;

   /* What the driver may store as 32 bits; the CPU stores the rest.
    * stores_clamped: the driver clamps all results and stores them all.
    * clamps_times: it clamps times and stores them.
    * stores_wait: it waits before it stores, and stores no counts.
    * None of them: it stores counts, which may be cut above 2^32, because
    * otherwise the CPU would wait for every count.
    */
   bool stores_clamped;
   bool clamps_times;
   bool stores_wait;

   /* The driver collects draws in bins, and each bin overwrites the time of
    * the bin before, as llvmpipe does without llvmpipe-times.patch.  An
    * elapsed time would be the time of the last bin.  Each timestamp is
    * therefore taken between two flushes, with nothing else in the bins.
    */
   bool bins_time;

   /* Valid bits of a time, where caps.query_timestamp_bits lacks them.  With
    * counts_ticks, either number is the width of a counter of ticks, of
    * caps.timer_resolution nanoseconds each; results are nanoseconds.
    */
   unsigned time_bits; /* 0: caps.query_timestamp_bits */
   bool counts_ticks;

   /* Forward one poll per batch of an unflushed query to the driver, although
    * that syncs u_threaded_context.  Without this flag such a poll only
    * flushes, except after pitot_pipe_client_waited() and with must_ask.
    */
   bool polls_sync;

   /* Beginning a query that is in flight waits for the GPU, or loses counts:
    * see pitot_driver.keeps_queries_apart.
    */
   bool keeps_queries_apart;

   /* PIPE_FLUSH_DEFERRED flushes immediately: no fences are created. */
   bool fences_flush;

   /* The driver's queries are Pitot's (pitot_pipe_driver.h): they report
    * results that are lost, and a PIPE_QUERY_TIMESTAMP_DISJOINT may be read
    * without a begin.  Polls then leave the reset status, which many drivers
    * report only once, to the application.
    */
   bool reports_losses;

   /* The reset status costs neither a system call nor a sync of
    * u_threaded_context: read it at each read of GPU_DISJOINT, not only after
    * polls and waits without a result.
    */
   bool has_cheap_reset_status;

   /* While PRIMITIVES_GENERATED is active, overflow queries count every
    * primitive as one that transform feedback should write.
    */
   bool generated_overflows;

   /* A bit for each enum pipe_statistics_query_index that
    * PIPE_QUERY_PIPELINE_STATISTICS, of any index, counts exactly as a query
    * of that statistic does; 0 if unknown, or if the struct costs more than
    * one statistic.
    */
   uint16_t struct_statistics;

   /* Of two active queries of one statistic, or of the primitives generated
    * by one stream, the driver may count only one right: let them share one.
    */
   bool counts_once;

   /* PIPE_QUERY_PIPELINE_STATISTICS works, whatever the caps say, and takes
    * PITOT_PIPE_STATISTICS_OF_MASK.  It costs less than a query for each
    * statistic.
    */
   bool has_struct;
};

/* How the driver measures a kind. */
struct pitot_pipe_method {
   uint16_t stores; /* bits of pitot_pipe_store_bit(): the driver stores it */
   uint8_t type;    /* enum pipe_query_type */
   uint8_t index;   /* of a statistic */
   bool is_counted; /* false: all results are 0 */
   bool counts_draws; /* active ones are in pitot_pipe_info.counting */
   bool is_boolean;
   bool is_time;
   bool is_struct;          /* one of the counters in a struct */
   bool has_begin;          /* TIME_ELAPSED of two timestamps, because the
                             * driver lacks it or gets it wrong */
   bool is_between_flushes; /* each timestamp is: see bins_time */
   bool is_shared;          /* see watch_draws and counts_once */
};

struct pitot_pipe_client {
   struct pitot_driver base;
   struct pitot_pipe_info info;
   struct pitot_arena queries;

   /* By kind; the last one is for wrapped queries. */
   struct pitot_pipe_method methods[PITOT_KIND_COUNT + 1];

   uint8_t loss_count; /* losses of the device that the client noticed */
   uint8_t unreported_loss_count; /* losses that pipe queries do not report */
   unsigned flush_count;
   unsigned drained_batch; /* flush_count + 1 at the last poll that synced */
   unsigned poll_count;    /* polls without a result in a row */

   struct pipe_query *disjoint; /* see reports_losses; or NULL */

   /* Statistics that share pipe queries (statistics.c). */
   struct pitot_pipe_group *waiting; /* begin a segment at the next draw */
   struct pitot_pipe_group *forming; /* may grow until the next draw */

   struct pitot_pipe_group *groups_once[PITOT_PIPE_SEGMENT_INDICES];
   bool keeps_statistics_apart; /* the program has stored a sum */

   /* The last struct of statistics that was read. */
   const struct pitot_pipe_segment *known_segment;
   struct pipe_query_data_pipeline_statistics known;

   struct pitot_pipe_segment *idle_segments;
   unsigned idle_segment_count;
   struct pitot_arena statistics, groups, segments;

   uint8_t apart[PITOT_CACHE_LINE_B];
};

/* Returns the facts about the driver of a screen that its caps lack, in the
 * fields from stores_clamped on.  The other fields are 0.
 */
struct pitot_pipe_info
pitot_pipe_info_of(struct pipe_screen *screen);

/* Initializes the client, which must not be moved. */
void
pitot_pipe_client_init(struct pitot_pipe_client *client,
                       const struct pitot_pipe_info *info);

/* Call this when the application has waited for the GPU by glFinish, or has
 * seen a fence signaled.  The next poll of each query that ended before then
 * reads from the driver, although that may sync u_threaded_context: the poll
 * must not return FALSE for a result that the application has waited for.
 */
void
pitot_pipe_client_waited(struct pitot_pipe_client *client);

/* Call this before a draw or dispatch after pitot_pipe_info.watch_draws();
 * without a draw the call is harmless.  Returns 0, or a negative errno value
 * if active statistics cannot count the draw: their results are then 0.
 */
int
pitot_pipe_client_before_draw(struct pitot_pipe_client *client);

/* Destroys the client's pipe queries and frees its memory.  Destroy the
 * contexts (struct pitot_context) that use the client first.
 */
void
pitot_pipe_client_finish(struct pitot_pipe_client *client);

/*
 * For the providers of counters (pitot_perf_pipe.h)
 */

/* Returns a driver query that measures with pq, of any type, and takes
 * ownership of pq; NULL if pq is NULL or allocation fails.
 */
struct pitot_driver_query *
pitot_pipe_query_wrap(struct pitot_pipe_client *client, struct pipe_query *pq,
                      bool counts_draws);

/* Reads a query as pitot_driver_ops.query_result does.  The type of the pipe
 * query determines which member of *result_out is set.
 */
int
pitot_pipe_query_read(struct pitot_pipe_client *client,
                      struct pitot_driver_query *query, bool wait,
                      union pipe_query_result *result_out);

/* Flushes, once for the polls of all queries that ended before. */
void
pitot_pipe_flush(struct pitot_pipe_client *client);

/* Returns whether the driver reports a loss of the device, which it may do
 * only once.  Sets the disjoint flag.  Unless queries report losses
 * (reports_losses), nothing waits any more for queries that ended before.
 */
bool
pitot_pipe_is_lost(struct pitot_pipe_client *client);

/* Returns whether measuring a counter (pipe_driver_query_info.name) is known
 * to crash the driver.
 */
bool
pitot_pipe_counter_is_broken(struct pipe_screen *screen, const char *counter);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_PIPE_H */
