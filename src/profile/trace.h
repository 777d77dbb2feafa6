/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A trace: a file of events in Chrome's trace format, which Perfetto and
 * chrome://tracing open: a JSON array with one event on each line, whose
 * closing bracket may be missing.  Every other output is made from a trace.
 *
 * Functions that add an event do not fail: an event that cannot be written is
 * skipped, and pitot_trace_close() returns the error.  After each write the
 * file ends with a complete event, so that the trace is readable even if the
 * program crashes or the disk is full.
 *
 * Threads: one at a time.  A child of fork() writes nothing.
 *
 * The reader (report.h) knows these slices, by category:
 *
 *   frame, group, pass, draw, dispatch, clear, blit, copy   on the GPU
 *   call, wait, upload, readback                            on a thread
 *
 * Slices of a track nest: they do not overlap in part.  On the GPU a slice is
 * added before the slices in it, and these before the next one: with a coarse
 * GPU clock, times cannot tell a child from a sibling.  These values of a GPU
 * slice have a meaning; any other number is a counter of the work in the
 * slice.  Without a value of its own, a slice has the sum of the slices in
 * it.
 *
 *   frame           the number of a frame
 *   part            the number of a part, if the frame is not whole
 *   profile_cpu_ns  the CPU time that the profile took in a frame
 *   pixels          the pixels of the framebuffer of a pass
 *   draws, dispatches, clears, blits, copies
 *                   the calls that were measured together
 *   samples passed  a counter, for overdraw
 *   disjoint        not 0: times may be invalid
 *
 * The value size_B of a slice on a thread is the number of bytes that it
 * moved.  These instant events (marks) have a meaning:
 *
 *   profile         program, device, level: strings; the first event
 *   clock           error_ns: the error of times from here on
 *   not measured    calls: how many are in no slice; reason
 */

#ifndef PITOT_TRACE_H
#define PITOT_TRACE_H

#include <stdbool.h>
#include <stdint.h>

struct pitot_trace;

/* A track of slices: of a thread, or of a context on the GPU. */
struct pitot_trace_track {
   unsigned process; /* the process's id, or 0 for the GPU */
   unsigned thread;  /* the thread's id, or the number of the context */
};

struct pitot_trace_value {
   const char *name;
   double number;
   const char *string; /* or NULL: the value is number */
};

/* All times are nanoseconds of CLOCK_MONOTONIC.  The file has microseconds
 * with three decimals.
 */
struct pitot_trace_slice {
   struct pitot_trace_track track;
   const char *category; /* see above */
   const char *name;
   uint64_t begin_ns, end_ns;
   uint64_t flow; /* id that joins a call and its execution; 0: none */
   const struct pitot_trace_value *values;
   unsigned value_count;
};

/* Creates a trace in a regular file, and empties that.  limit_B is the
 * maximum size.  Returns 0 or a negative errno value: -EBUSY, with the file
 * unchanged, if this or another process is writing a trace to it, or if
 * another file took its name in between.
 */
int
pitot_trace_create(const char *path, uint64_t limit_B,
                   struct pitot_trace **trace_out);

/* Writes the end of the array, and closes and frees the trace.  Returns 0 or
 * the error of the first write that failed, after which nothing was recorded:
 * -EFBIG beyond limit_B or RLIMIT_FSIZE, -EBADF if the program closed the
 * file.  Without one, -EMSGSIZE if an event was longer than 64 KiB and was
 * skipped.
 */
int
pitot_trace_close(struct pitot_trace *trace);

/* Writes all events so far to the file.  After a write has failed, always
 * returns the first error of the trace, and nothing more is recorded.
 */
int
pitot_trace_flush(struct pitot_trace *trace);

void
pitot_trace_name_track(struct pitot_trace *trace,
                       struct pitot_trace_track track, const char *process,
                       const char *thread);

void
pitot_trace_slice(struct pitot_trace *trace,
                  const struct pitot_trace_slice *slice);

/* Adds a counter event: the value of the counter from this time on.  Each
 * counter has a track of its own on the GPU.
 */
void
pitot_trace_counter(struct pitot_trace *trace, uint64_t time_ns,
                    const struct pitot_trace_value *value);

/* Adds an instant event across all GPU tracks, such as a reset, a step of a
 * clock, or lost results.
 */
void
pitot_trace_mark(struct pitot_trace *trace, uint64_t time_ns,
                 const char *name, const struct pitot_trace_value *values,
                 unsigned value_count);

#endif /* PITOT_TRACE_H */
