/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A profile: the times and counts of all work that a program sends to the
 * GPU, in the file that PITOT_PROFILE names.
 *
 * The *work* of a context is its draws, dispatches, clears, blits and copies.
 * A *span* is work that is measured together: all work up to a flush, a pass
 * (all work on one framebuffer, up to a flush), or one call, depending on
 * PITOT_PROFILE_LEVEL.  Queries of core measure spans only; the times and
 * counts of groups, passes and frames are computed from the spans in them.
 *
 * Nothing here flushes.  Only pitot_profiled_destroy() waits for the GPU, and
 * the reading that finds that a clock is slow to read.  Results are read
 * after the fence of one of the application's flushes is signaled.  The
 * number of spans in flight is limited; work beyond the limit is counted as
 * not measured.
 *
 * Threads: a profiled context belongs to one thread at a time, as its context
 * of core does.  All contexts share the profile, which has a lock.
 */

#ifndef PITOT_PROFILE_H
#define PITOT_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "pitot_query.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pitot_correlation;
struct pitot_perf;
struct pitot_profile;
struct pitot_profiled;

/* Returns the profile of this process, which owns it.  The first call creates
 * it if PITOT_PROFILE is set.  Returns NULL if PITOT_PROFILE is not set, or
 * if a setting is invalid: then the first call prints one line on stderr.
 * When the process exits, the profile writes the results that were read, and
 * closes its file: a trace, which pitot-profile converts to other outputs.
 * Any thread.
 */
struct pitot_profile *
pitot_profile_get(void);

/* Prints one line on stderr that says why a context is not profiled, unless a
 * reason was printed before.  Any thread.
 */
void
pitot_profile_print_reason(struct pitot_profile *profile, const char *why);

enum pitot_profile_work {
   PITOT_PROFILE_DRAW,
   PITOT_PROFILE_DISPATCH,
   PITOT_PROFILE_CLEAR,
   PITOT_PROFILE_BLIT,
   PITOT_PROFILE_COPY,
   PITOT_PROFILE_WORK_COUNT,
};

struct pitot_profiled_info {
   /* A context only for the profile, over the application's GPU context, so
    * that the application's queries, errors and disjoint flag do not change.
    * perf may be NULL.  The driver has no fence_create(), because that may
    * flush.  The caller keeps both until pitot_profiled_destroy().
    */
   struct pitot_context *context;
   struct pitot_perf *perf;

   const char *device; /* the name of the GPU; copied */

   /* Optional: reads the context's clock together with CLOCK_MONOTONIC in the
    * kernel.  Returns false if it could not.  If NULL, the profile calls
    * pitot_timestamp_ns() between two readings of CLOCK_MONOTONIC.
    */
   bool (*correlate)(void *data, struct pitot_correlation *clocks_out);

   /* A thread of the driver executes the calls later (u_threaded_context),
    * back to back: the GPU does not wait for the program between two calls.
    * One timestamp then serves as the end of a call and the start of the next
    * one.
    */
   bool is_executed_later;

   /* Each statistic needs a driver query of its own, which costs more than
    * most draws: count statistics only if PITOT_PROFILE_COUNTERS names them.
    */
   bool counts_one_by_one;

   /* Returns whether the GPU has finished all work before a fence that
    * pitot_profile_flushed() got, without flushing or waiting; and releases
    * the fence.
    */
   bool (*fence_is_done)(void *data, void *fence);
   void (*fence_release)(void *data, void *fence);

   /* Write the label of the current framebuffer, or of the object that does
    * this work (a program, a texture); without a label, a description.
    * Called when a pass begins, and at the level draw when a span begins.
    */
   void (*describe_pass)(void *data, char *text_out, size_t size_B);
   void (*describe_work)(void *data, enum pitot_profile_work work,
                         char *text_out, size_t size_B);
   /* Returns the pixels of the framebuffer, for overdraw; 0: unknown. */
   uint64_t (*pass_pixels)(void *data);

   void *data;
};

/* Starts profiling a context, and returns it for the functions below.  The
 * first one creates the file.  info is copied.  Errors: -ENOTSUP without
 * timestamps, -EINVAL if PITOT_PROFILE_COUNTERS names an unknown counter, or
 * counters that cannot be measured together, -ENOMEM, or the error of the
 * file.  Prints at most the first error, in one line on stderr.
 */
int
pitot_profiled_create(struct pitot_profile *profile,
                      const struct pitot_profiled_info *info,
                      struct pitot_profiled **profiled_out);

/* Stops profiling a context.  Waits for the results in flight, so that the
 * last frame is in the profile.  Does not destroy context and perf, which own
 * the queries of the profile.  Accepts NULL.
 */
void
pitot_profiled_destroy(struct pitot_profiled *profiled);

/* Call these right before and right after a call that sends work.  Calls may
 * nest: inner calls are part of the work of the outer one.
 */
void
pitot_profile_before_work(struct pitot_profiled *profiled,
                          enum pitot_profile_work work);
void
pitot_profile_after_work(struct pitot_profiled *profiled);

/* Call this before a call that may send something other than work and that is
 * not reported by pitot_profile_cpu_call().  The next span then has a start
 * timestamp of its own, which excludes what that call sends.
 */
void
pitot_profile_may_send(struct pitot_profiled *profiled);

/* Call this after the program has waited for a fence.  Reads the available
 * results, because the program may exit without another flush.
 */
void
pitot_profile_waited(struct pitot_profiled *profiled);

/* Ends the pass, because the framebuffer changes or the CPU reads data. */
void
pitot_profile_pass_ends(struct pitot_profiled *profiled);

/* Begin and end a debug group (KHR_debug).  The label is copied; it may be
 * NULL if length is 0.
 */
void
pitot_profile_push_group(struct pitot_profiled *profiled, const char *label,
                         size_t length);
void
pitot_profile_pop_group(struct pitot_profiled *profiled);

/* Call these right before and right after a flush of the application.  fence
 * signals the end of the flushed work, or is NULL; the profile releases it.
 */
void
pitot_profile_before_flush(struct pitot_profiled *profiled,
                           bool is_end_of_frame);
void
pitot_profile_flushed(struct pitot_profiled *profiled, void *fence);

/* Returns whether many spans (a quarter) have no fence after them.  The
 * caller should then create a fence where the driver flushes anyway, between
 * the two functions above.
 */
bool
pitot_profile_wants_fence(const struct pitot_profiled *profiled);

/* Ends the frame if the last flush did not: the program shows the work before
 * that flush now.  Does nothing if the frame has no work.
 */
void
pitot_profile_frame_ends(struct pitot_profiled *profiled);

/* Returns CLOCK_MONOTONIC. */
static inline uint64_t
pitot_profile_now_ns(void)
{
   struct timespec now;

   clock_gettime(CLOCK_MONOTONIC, &now);
   return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Adds a CPU call that sent no work, but may have waited for the GPU or moved
 * data.  category is "wait", "upload" or "readback".  begin_ns and end_ns are
 * times of CLOCK_MONOTONIC.  size_B is how many bytes it moved, or 0.
 */
void
pitot_profile_cpu_call(struct pitot_profiled *profiled, const char *category,
                       const char *name, uint64_t begin_ns, uint64_t end_ns,
                       uint64_t size_B);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_PROFILE_H */
