/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A profile: the times and counts of all work that a program sends to the
 * GPU, in the file that PITOT_PROFILE names.
 *
 * The *work* of a context is its draws, dispatches, clears, blits and copies.
 * A *span* is work that is measured together: a frame, a pass (all work on
 * one framebuffer, up to a flush), or one call, as PITOT_PROFILE_LEVEL says.
 * Only spans are measured, by queries of core's; the times and counts of
 * groups, passes and frames come from the spans in them.
 *
 * Nothing here flushes, waits for the GPU or reads back: results are taken
 * once a fence of the application's own flushes is signalled.  Spans in
 * flight are kept in a ring of fixed size; work that finds it full is counted
 * as not measured.
 *
 * Threads: a profiled context belongs to one thread at a time, as its context
 * of core does.  All of them share the profile, which has a lock.
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

/* Returns the profile of this process, created by the first call if
 * PITOT_PROFILE is set; NULL if it is not, or if one of its settings is
 * wrong: then the first call has said so in one line on stderr.  The profile
 * is finished when the process exits, which writes what is known and closes
 * the file: a trace (pitot-profile makes the other outputs of it).  Any
 * thread.
 */
struct pitot_profile *
pitot_profile_get(void);

/* Says in one line on stderr why a context is not profiled, the first time.
 * Any thread.
 */
void
pitot_profile_refuse(struct pitot_profile *profile, const char *why);

enum pitot_profile_work {
   PITOT_PROFILE_DRAW,
   PITOT_PROFILE_DISPATCH,
   PITOT_PROFILE_CLEAR,
   PITOT_PROFILE_BLIT,
   PITOT_PROFILE_COPY,
   PITOT_PROFILE_WORK_COUNT,
};

struct pitot_profiled_info {
   /* The profile's own, over the application's GPU context, so that the
    * application's queries, errors and disjoint latch are not touched.  perf
    * may be NULL.  Its driver has no fences: to create one may flush.
    */
   struct pitot_context *context;
   struct pitot_perf *perf;

   const char *device; /* the name of the GPU; copied */

   /* Reads the context's clock beside CLOCK_MONOTONIC, as the kernel does it,
    * and returns whether it could; NULL: pitot_timestamp_ns() is called
    * between two readings of CLOCK_MONOTONIC.
    */
   bool (*correlate)(void *data, struct pitot_correlation *clocks_out);

   /* The driver executes calls after the program has made them, so that the
    * GPU does nothing between two of them but what they send.  A timestamp
    * may then serve as the end of a call and as the begin of the next one.
    */
   bool is_executed_later;

   /* Each statistic takes a query of the driver's, which costs more than most
    * draws: they are counted only if they are asked for.
    */
   bool counts_one_by_one;

   /* Returns whether the GPU is done with all work before a fence that
    * pitot_profile_flushed() was given, without flushing or waiting; and
    * releases it.
    */
   bool (*fence_is_done)(void *data, void *fence);
   void (*fence_release)(void *data, void *fence);

   /* Write the name that the program gave to the current framebuffer, or to
    * the object that does this work (a program, a texture), or else a
    * description.  Called when a pass, or the span of a call, begins.
    */
   void (*describe_pass)(void *data, char *text_out, size_t size_B);
   void (*describe_work)(void *data, enum pitot_profile_work work,
                         char *text_out, size_t size_B);
   /* Returns the pixels of the framebuffer, for overdraw; 0: unknown. */
   uint64_t (*pass_pixels)(void *data);

   void *data;
};

/* Begins to profile a context; the first one begins the file.  Returns 0 and
 * the profiled context, for the functions below; or a negative errno value:
 * -EINVAL if PITOT_PROFILE_COUNTERS names a counter that there is not, or
 * counters that cannot be measured together, -ENOTSUP
 * if there are no timestamps, or that of the file.  The first such call says
 * so in one line on stderr.
 */
int
pitot_profiled_create(struct pitot_profile *profile,
                      const struct pitot_profiled_info *info,
                      struct pitot_profiled **profiled_out);

/* Ends the profile of a context.  The one function that waits, for the
 * results that are in flight: the last frame counts, too.  Context and perf
 * are not destroyed, and their queries go with them.  Accepts NULL.
 */
void
pitot_profiled_destroy(struct pitot_profiled *profiled);

/* To be called right before and right after a call that sends work.  Calls
 * may nest: those inside another one are part of its work.
 */
void
pitot_profile_before_work(struct pitot_profiled *profiled,
                          enum pitot_profile_work work);
void
pitot_profile_after_work(struct pitot_profiled *profiled);

/* To be called before a call that may send something but work, and that is
 * not told of as a call of the CPU's: the next work has a begin of its own.
 */
void
pitot_profile_may_send(struct pitot_profiled *profiled);

/* To be called when the program has waited for a fence: what is available is
 * read, since the program may exit without another flush.
 */
void
pitot_profile_waited(struct pitot_profiled *profiled);

/* Ends the pass: the framebuffer changes. */
void
pitot_profile_pass_ends(struct pitot_profiled *profiled);

/* Begin and end a group of KHR_debug.  The label is copied, and may be NULL
 * if its length is 0.
 */
void
pitot_profile_push_group(struct pitot_profiled *profiled, const char *label,
                         size_t length);
void
pitot_profile_pop_group(struct pitot_profiled *profiled);

/* To be called right before the application's flush, and right after it, with
 * a fence behind it, or NULL; the profile releases the fence.
 */
void
pitot_profile_before_flush(struct pitot_profiled *profiled,
                           bool is_end_of_frame);
void
pitot_profile_flushed(struct pitot_profiled *profiled, void *fence);

/* Returns whether so many spans have no fence behind them that the caller
 * should create one where that costs nothing, between the two functions
 * above.
 */
bool
pitot_profile_wants_fence(const struct pitot_profiled *profiled);

/* Ends the frame after a flush that did not say so: the work before that
 * flush is shown now.  A frame without work is none.
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

/* Adds a call of the CPU's that sent no work, but may have waited for the GPU
 * or moved data: "wait", "upload" or "readback", its name ("map"), when it
 * began and ended by CLOCK_MONOTONIC, and how many bytes it moved, or 0.
 */
void
pitot_profile_cpu_call(struct pitot_profiled *profiled, const char *category,
                       const char *name, uint64_t begin_ns, uint64_t end_ns,
                       uint64_t size_B);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_PROFILE_H */
