/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A driver (pitot/driver.h) over the query hooks of a Gallium context: what a
 * frontend links to run on any Gallium driver.
 */

#ifndef PITOT_PIPE_H
#define PITOT_PIPE_H

#include "pipe/p_context.h"
#include "pitot/cache_line.h"
#include "pitot/driver.h"
#include "pitot/provider.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pitot_pipe_info {
   struct pipe_context *pipe; /* outlives the client */

   /* Counts the active queries that count what is drawn, so that a frontend
    * knows when to pause them around draws of its own.  Not owned.
    */
   unsigned *counting;

   /* Optional: called in place of pipe_context::render_condition, for a
    * frontend that keeps track of it.
    */
   void (*render_condition)(void *data, struct pipe_query *query,
                            bool condition, enum pipe_render_cond_flag mode);
   void *data; /* of the optional functions */

   /* Optional: returns whether the device is lost, called with data in place
    * of pipe_context::get_device_reset_status, which many drivers answer only
    * once, for a frontend that has somebody else to tell.
    */
   bool (*is_lost)(void *data);

   /* pipe is a u_threaded_context, whose queries are struct threaded_query.
    */
   bool is_threaded;

   /* Where the kernel's settings are; NULL stands for "/proc/sys". */
   const char *sysctl_dir;

   /* What the driver does with a result that it stores as 32 bits.  One that
    * clamps is asked to store everything.  Of the others, one that waits for
    * the result itself is asked for nothing that may not fit, and one that
    * does not wait is asked for everything but times: better to cut a count
    * above 2^32 than to wait for every one below.
    */
   bool stores_clamped;
   bool stores_wait;

   /* The driver collects draws in bins and reads the clock in each of them,
    * as llvmpipe does.  Times are then taken between flushes, where there is
    * nothing else in the bins: otherwise a short time is that of the last
    * bin, and a timestamp is later than draws that came after it.
    */
   bool bins_time;

   /* How many bits of a time count, where caps.query_timestamp_bits does not
    * say it; and whether either of them means ticks, of caps.timer_resolution
    * nanoseconds each, where times are nanoseconds.
    */
   unsigned time_bits; /* 0: as the caps say */
   bool counts_ticks;

   /* Below u_threaded_context, a poll of a query that nobody has flushed is
    * put to the driver, once for all of a batch, although that drains the
    * thread; otherwise such a poll only sees to it that there is a flush,
    * unless the application has waited: pitot_pipe_client_waited().
    */
   bool polls_drain;

   /* A query that is begun again may lose what it counts, which programs
    * rarely do with one object: queries are not handed on to other objects.
    */
   bool keeps_queries_apart;

   /* PIPE_QUERY_TIMESTAMP_DISJOINT is there, and to have one open always, end
    * it and ask for its result costs no more than the calls: nothing is sent
    * to the GPU, or flushed.
    */
   bool has_disjoint_query;
};

/* Where the counters of a Gallium driver come from; the order of their sets.
 */
enum pitot_pipe_source {
   PITOT_PIPE_INTEL,      /* the intel_perf_query hooks */
   PITOT_PIPE_STATISTICS, /* "Pipeline Statistics" */
   PITOT_PIPE_DRIVER,     /* get_driver_query_info, in groups or not */
   PITOT_PIPE_SOURCE_COUNT,
};

struct pitot_pipe_client;

struct pitot_pipe_provider {
   struct pitot_provider base;
   struct pitot_pipe_client *client;
   void *own; /* what list() made */
};

/* Returns what is known of the driver of a screen and its caps do not tell:
 * the fields from stores_clamped on.  The others are empty.
 */
struct pitot_pipe_info
pitot_pipe_info_of(struct pipe_screen *screen);

struct pitot_pipe_client {
   struct pitot_driver base;
   struct pitot_pipe_info info;
   struct pitot_pipe_provider providers[PITOT_PIPE_SOURCE_COUNT];
   bool is_lost; /* the device, for good */
   unsigned flush_count;
   unsigned wait_count;    /* of the application, for the GPU */
   unsigned drained_batch; /* flush_count + 1 when polls_drain last did */
   unsigned poll_count; /* unsuccessful ones in a row, of flushed queries */

   /* PIPE_QUERY_TIMESTAMP_DISJOINT, or NULL: the one that is open since the
    * last look, and the one before, which may wait for its answer.
    */
   struct pipe_query *disjoint_open;
   struct pipe_query *disjoint_last;
   bool is_last_unanswered;

   uint8_t apart[PITOT_CACHE_LINE_B];
};

/* Makes the driver, which stays where it is.  To be called, and the driver
 * used, from the thread that uses the pipe_context.
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

/* Destroys what the client has of the pipe_context.  Destroy the contexts on
 * the driver first.
 */
void
pitot_pipe_client_finish(struct pitot_pipe_client *client);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_PIPE_H */
