/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A profile: the times and counts of all that a program sends to the GPU, in
 * a file of the name that PITOT_PROFILE has.
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

#include "pitot/query.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pitot_perf;
struct pitot_profile;
struct pitot_profiled;

/* Returns the profile of this process, created by the first call if
 * PITOT_PROFILE is set; NULL if it is not, or if one of its settings is
 * wrong: then the first call has said so in one line on stderr.  The profile
 * is finished when the process exits.  Any thread.
 */
struct pitot_profile *
pitot_profile_get(void);

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

   const char *device;             /* the name of the GPU; copied */
   uint64_t (*gpu_ns)(void *data); /* reads the GPU's clock now; 0: cannot */

   /* Returns whether the GPU is done with all work before a fence that
    * pitot_profile_flushed() was given, without flushing or waiting; and
    * releases it.
    */
   bool (*fence_is_done)(void *data, void *fence);
   void (*fence_release)(void *data, void *fence);

   /* Writes what the program calls the current framebuffer, or the object
    * that does this work (a program, a texture), or else what it is.  Called
    * when a span begins.
    */
   void (*describe_pass)(void *data, char *text_out, size_t size_B);
   void (*describe_work)(void *data, enum pitot_profile_work work,
                         char *text_out, size_t size_B);
   /* Returns the pixels of the framebuffer, for overdraw; 0: unknown. */
   uint64_t (*pass_pixels)(void *data);

   void *data;
};

/* Begins to profile a context.  Returns 0 and what the functions below want,
 * or -ENOMEM.
 */
int
pitot_profiled_create(struct pitot_profile *profile,
                      const struct pitot_profiled_info *info,
                      struct pitot_profiled **profiled_out);

/* Ends it.  The one function that waits: the program has asked for all that
 * it ever will, and its last frame counts, too.  Context and perf are not
 * destroyed.
 */
void
pitot_profiled_destroy(struct pitot_profiled *profiled);

/* Right before and right after a call that sends work. */
void
pitot_profile_before_work(struct pitot_profiled *profiled,
                          enum pitot_profile_work work);
void
pitot_profile_after_work(struct pitot_profiled *profiled);

/* The framebuffer changes: the pass ends. */
void
pitot_profile_pass_ends(struct pitot_profiled *profiled);

/* A group of KHR_debug begins or ends.  The label is copied. */
void
pitot_profile_push_group(struct pitot_profiled *profiled, const char *label,
                         size_t length);
void
pitot_profile_pop_group(struct pitot_profiled *profiled);

/* Right before the application's flush, and right after it, with its fence,
 * or NULL; the profile releases it.
 */
void
pitot_profile_before_flush(struct pitot_profiled *profiled);
void
pitot_profile_flushed(struct pitot_profiled *profiled, void *fence,
                      bool is_end_of_frame);

/* A call of the CPU's that may have waited for the GPU or moved data: its
 * name
 * ("map", "wait for a fence", "upload"), when it began and ended by
 * CLOCK_MONOTONIC, and how many bytes it moved, or 0.
 */
void
pitot_profile_cpu_call(struct pitot_profiled *profiled, const char *name,
                       uint64_t begin_ns, uint64_t end_ns, uint64_t size_B);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_PROFILE_H */
