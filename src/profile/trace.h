/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A trace: events in Chrome's trace format (JSON, one event on a line, as an
 * array whose end may be missing), which Perfetto and chrome://tracing open.
 * Every other output is made from a trace.
 *
 * A trace does not fail its caller: an event that cannot be written is left
 * out, and pitot_trace_close() tells why.  The file ends with a whole event
 * after each write, so that a program that dies, or a disk that is full,
 * leaves a trace of all before.
 *
 * Threads: one at a time.  A child of fork() writes nothing.
 *
 * The reader (report.h) knows these slices, by category:
 *
 *   frame, group, pass, draw, dispatch, clear, blit, copy   on the GPU
 *   call, wait, upload, readback                            on a thread
 *
 * Slices of a track nest: each lies in the one around it, or beside it.  On
 * the GPU a slice is added before those in it, and these before the next one:
 * where the GPU's clock is coarse, times do not tell.  These values of a
 * slice on the GPU have a meaning; any other number is a counter of the work
 * in it. A slice without a counter has the sum of those of the slices in it.
 *
 *   frame           the number of a frame
 *   part            the number of a part of a frame that is not whole
 *   profile_cpu_ns  the time that the profile took on the CPU in a frame
 *   pixels          the pixels of the framebuffer of a pass
 *   draws, dispatches, clears, blits, copies
 *                   the calls that were measured together
 *   samples passed  a counter, for overdraw
 *   disjoint        not 0: times may be worthless
 *
 * The value size_B of a slice on a thread is the data that it moved.  These
 * marks have a meaning:
 *
 *   profile         program, device, level: strings, once, at the begin
 *   clock           error_ns: the error of times from here on
 *   not measured    calls that are in no slice, and the reason
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
   const char *string; /* or NULL: it is the number */
};

/* All times are nanoseconds of CLOCK_MONOTONIC, which the file has as
 * microseconds with three decimals.
 */
struct pitot_trace_slice {
   struct pitot_trace_track track;
   const char *category; /* see above */
   const char *name;
   uint64_t begin_ns, end_ns;
   uint64_t flow; /* the same for a call and its execution; 0: none */
   const struct pitot_trace_value *values;
   unsigned value_count;
};

/* Creates a trace of so many bytes at most in a regular file, whose old
 * contents are lost.  Returns 0; or a negative errno value and nothing:
 * -EBUSY, and the file as it was, if another trace is being written to it,
 * here or in another process, or if another file took its name meanwhile.
 */
int
pitot_trace_create(const char *path, uint64_t limit_B,
                   struct pitot_trace **trace_out);

/* Writes the end of the array, and closes.  Returns 0, or a negative errno
 * value of the first event that was left out: -EMSGSIZE for an event that is
 * too long (64 KiB), after which others are written, or the error of a write,
 * which is the last one: -EFBIG beyond the limit, or that of the process
 * (RLIMIT_FSIZE), and -EBADF if the program has closed the file.
 */
int
pitot_trace_close(struct pitot_trace *trace);

/* Writes all events so far to the file.  Returns 0, or a negative errno value
 * once a write has failed: nothing more is recorded.
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

/* The value of a counter from this time on, on a track of the GPU's for it.
 */
void
pitot_trace_counter(struct pitot_trace *trace, uint64_t time_ns,
                    const struct pitot_trace_value *value);

/* A mark across all tracks of the GPU: a reset, a step of a clock, results
 * that were lost.
 */
void
pitot_trace_mark(struct pitot_trace *trace, uint64_t time_ns,
                 const char *name, const struct pitot_trace_value *values,
                 unsigned value_count);

#endif /* PITOT_TRACE_H */
