/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A driver (pitot/driver.h) over the query hooks of a Gallium context: a
 * frontend links it to run on any Gallium driver.
 */

#ifndef PITOT_PIPE_H
#define PITOT_PIPE_H

#include "pipe/p_context.h"
#include "pitot/driver.h"
#include "pitot_arena.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PITOT_PIPE_STATISTIC_COUNT 11
#define PITOT_PIPE_ALL_STATISTICS  ((1u << PITOT_PIPE_STATISTIC_COUNT) - 1)
#define PITOT_PIPE_FIRST_STREAM    PITOT_PIPE_STATISTIC_COUNT
#define PITOT_PIPE_SEGMENT_INDICES (PITOT_PIPE_FIRST_STREAM + 4)

struct pitot_pipe_info {
   struct pipe_context *pipe; /* outlives the client */

   /* Counts the active queries that count draws, so that a frontend knows
    * when to suspend them around draws of its own.  Not owned.
    */
   unsigned *counting;

   /* Optional: called in place of pipe_context::render_condition, for a
    * frontend that keeps track of it.
    */
   void (*render_condition)(void *condition_data, struct pipe_query *query,
                            bool condition, enum pipe_render_cond_flag mode);
   void *condition_data;

   /* Optional: returns whether the device was lost since the last call, or
    * is lost for good; called with data in place of
    * pipe_context::get_device_reset_status, which many drivers answer only
    * once, for a frontend that reports it elsewhere, too.
    */
   bool (*is_lost)(void *data);
   void *data;

   /* Optional: asks the frontend to call pitot_pipe_client_before_draw()
    * right before the next draw or dispatch.  Pipeline statistics then share
    * queries of a driver that can count several of them in one.
    */
   void (*watch_draws)(void *data);

   /* pipe is a u_threaded_context, whose queries are struct threaded_query.
    */
   bool is_threaded;

   /* The screen's clock, which is read for the time now if the driver's
    * queries are Pitot's; or NULL: the driver's hooks are.
    */
   struct pitot_clock *clock;

   /* Whether the driver clamps a result that it stores as 32 bits, or only a
    * time: then it is asked to store everything, or every time.  Another
    * driver that waits for the result itself is asked for nothing that may
    * not fit, and one that does not wait is asked for everything but times:
    * better to cut a count above 2^32 than to wait for every one below.
    */
   bool stores_clamped;
   bool clamps_times;
   bool stores_wait;

   /* The driver collects draws in bins, and each bin forgets the time in the
    * one before, as in llvmpipe without llvmpipe-times.patch.  Times are then
    * taken between flushes, where there is nothing else in the bins:
    * otherwise an elapsed time is that of the last bin.
    */
   bool bins_time;

   /* How many bits of a time count, where caps.query_timestamp_bits does not
    * say it; and whether either of them means ticks, of caps.timer_resolution
    * nanoseconds each, where times are nanoseconds.
    */
   unsigned time_bits; /* 0: as the caps say */
   bool counts_ticks;

   /* Below u_threaded_context, a poll of a query that is not flushed yet is
    * put to the driver, once for all of a batch, although that drains the
    * thread; otherwise such a poll only sees to it that there is a flush,
    * unless the application has waited: pitot_pipe_client_waited().
    */
   bool polls_drain;

   /* A query that is begun again in flight waits for the GPU, or loses its
    * counts: see pitot_driver.keeps_queries_apart.
    */
   bool keeps_queries_apart;

   /* PIPE_FLUSH_DEFERRED defers nothing: there are no fences. */
   bool fences_flush;

   /* The driver's queries are Pitot's (pitot_pipe_driver.h): they report
    * results that are lost, and a PIPE_QUERY_TIMESTAMP_DISJOINT may be read
    * without a begin.  Then the reset status is left to the application.
    */
   bool tells_losses;

   /* The reset status of another driver costs neither a system call nor a
    * sync of u_threaded_context, so that each read of GPU_DISJOINT asks for
    * it; otherwise only reads that have no result do.
    */
   bool has_cheap_reset_status;

   /* While PRIMITIVES_GENERATED is active, overflow queries take each
    * primitive for one that was to be written.
    */
   bool generated_overflows;

   /* A bit for each enum pipe_statistics_query_index that
    * PIPE_QUERY_PIPELINE_STATISTICS, where the caps have it, counts as a
    * query of that statistic would, whatever its own index; 0 if that is not
    * known, or if the struct costs more than the statistic.
    */
   uint16_t struct_statistics;

   /* Of two active queries of one statistic, or of the primitives generated
    * by one stream, the driver may count only one right: they share one.
    */
   bool counts_once;

   /* PIPE_QUERY_PIPELINE_STATISTICS is there, whatever the caps say, and
    * takes PITOT_PIPE_STATISTICS_OF_MASK: it costs less than its statistics
    * one by one.
    */
   bool has_struct;
};

/* How the driver measures a kind. */
struct pitot_pipe_method {
   uint16_t stores; /* values and types that the driver stores, a bit each */
   uint8_t type;    /* enum pipe_query_type */
   uint8_t index;   /* of a statistic */
   bool is_counted; /* or its results are 0 */
   bool counts_draws; /* and is in pitot_pipe_info.counting if active */
   bool is_boolean;
   bool is_time;
   bool is_struct;          /* one of the 11 counters in a struct */
   bool has_begin;          /* two timestamps that replace a type that the
                             * driver lacks or gets wrong */
   bool is_between_flushes; /* where it is measured: see bins_time */
   bool is_shared;          /* see watch_draws and counts_once */
};

struct pitot_pipe_client {
   struct pitot_driver base;
   struct pitot_pipe_info info;
   struct pitot_arena queries;

   /* By kind; the last one is that of wrapped queries. */
   struct pitot_pipe_method methods[PITOT_KIND_COUNT + 1];

   uint8_t loss_count;   /* of the device, while queries were in flight */
   uint8_t untold_count; /* of losses of which queries do not tell */
   unsigned flush_count;
   unsigned drained_batch; /* flush_count + 1 when polls_drain last did */
   unsigned poll_count; /* unsuccessful ones in a row, of flushed queries */

   struct pipe_query *disjoint; /* see tells_losses; or NULL */

   /* Statistics that share queries: the groups that have the next draw begin
    * a segment, the one of them that may grow, or with counts_once the active
    * ones, by index; the last segment that was read, and idle segments.
    */
   struct pitot_pipe_group *waiting;
   struct pitot_pipe_group *forming;
   struct pitot_pipe_group *groups_once[PITOT_PIPE_SEGMENT_INDICES];
   bool keeps_statistics_apart; /* the program has stored a sum */
   const struct pitot_pipe_segment *known_segment;
   struct pipe_query_data_pipeline_statistics known;
   struct pitot_pipe_segment *idle_segments;
   unsigned idle_segment_count;
   struct pitot_arena statistics, groups, segments;

   uint8_t apart[PITOT_CACHE_LINE_B];
};

/* Returns the facts about the driver of a screen that its caps lack: the
 * fields from stores_clamped on.  The others are empty.
 */
struct pitot_pipe_info
pitot_pipe_info_of(struct pipe_screen *screen);

/* Initialises the driver, which must not be moved.  To be called, and the
 * driver used, from the thread that uses the pipe_context.
 */
void
pitot_pipe_client_init(struct pitot_pipe_client *client,
                       const struct pitot_pipe_info *info);

/* Says that the application has waited for the GPU: it called glFinish, or
 * saw that a fence is signalled.  The next poll of each query that ended
 * before asks the driver, although that may drain a thread of the driver's:
 * only so the answer cannot be FALSE for a result that was waited for.
 */
void
pitot_pipe_client_waited(struct pitot_pipe_client *client);

/* Says that a draw or a dispatch comes next, as pitot_pipe_info.watch_draws
 * asked for; harmless if none comes.  Returns 0, or a negative errno value if
 * the active statistics will not count it: their results are 0.
 */
int
pitot_pipe_client_before_draw(struct pitot_pipe_client *client);

/* Destroys the client's queries of the pipe_context, and frees its memory.
 * Destroy the contexts on the driver first.
 */
void
pitot_pipe_client_finish(struct pitot_pipe_client *client);

/*
 * For the providers of counters (pitot_perf_pipe.h)
 */

/* Returns a driver query that measures with a pipe query of any type, which
 * it owns, and which counts draws or not; NULL if that is NULL or without
 * memory.
 */
struct pitot_driver_query *
pitot_pipe_query_wrap(struct pitot_pipe_client *client, struct pipe_query *pq,
                      bool counts_draws);

/* Reads a query as pitot_driver_ops.query_result does, into a result whose
 * meaning the caller knows.
 */
int
pitot_pipe_query_read(struct pitot_pipe_client *client,
                      struct pitot_driver_query *query, bool wait,
                      union pipe_query_result *result_out);

/* Flushes, once for the polls of all queries that have ended. */
void
pitot_pipe_flush(struct pitot_pipe_client *client);

/* Returns whether the driver reports that the device was lost, which it may
 * do only once: queries that have ended are not waited for any more.
 */
bool
pitot_pipe_is_lost(struct pitot_pipe_client *client);

/* Returns whether the driver is known to crash when it measures a counter of
 * its own.
 */
bool
pitot_pipe_counter_is_broken(struct pipe_screen *screen, const char *counter);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_PIPE_H */
