/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A trace: events in Chrome's trace format (JSON, one event on a line, as an
 * array whose end may be missing), which Perfetto and chrome://tracing open.
 * Every other output is made from a trace.
 *
 * Threads: any thread, there is a lock.
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
   enum {
      PITOT_TRACE_U64,
      PITOT_TRACE_DOUBLE,
      PITOT_TRACE_STRING,
   } type;
   union {
      uint64_t u64;
      double number;
      const char *string;
   };
};

/* All times are nanoseconds of CLOCK_MONOTONIC, which the file has as
 * microseconds with three decimals.
 */
struct pitot_trace_slice {
   struct pitot_trace_track track;
   const char *category; /* frame, group, pass, draw, dispatch, clear, blit,
                          * copy; call, wait, upload, readback */
   const char *name;
   uint64_t begin_ns, end_ns;
   uint64_t flow; /* the same for a call and its execution; 0: none */
   bool is_flow_begin;
   const struct pitot_trace_value *values;
   unsigned value_count;
};

/* Creates a trace in a new file.  Returns 0, or a negative errno value and
 * nothing.
 */
int
pitot_trace_create(const char *path, struct pitot_trace **trace_out);

/* Writes the end of the array, and closes.  Returns 0, or the errno value of
 * the first write that failed: what came before it is in the file, and can be
 * read.
 */
int
pitot_trace_close(struct pitot_trace *trace);

/* Writes all events so far to the file. */
void
pitot_trace_flush(struct pitot_trace *trace);

void
pitot_trace_name_track(struct pitot_trace *trace,
                       struct pitot_trace_track track, const char *process,
                       const char *thread);

void
pitot_trace_slice(struct pitot_trace *trace,
                  const struct pitot_trace_slice *slice);

/* The values of counters from this time on: one counter track for each. */
void
pitot_trace_counters(struct pitot_trace *trace, unsigned process,
                     uint64_t time_ns, const struct pitot_trace_value *values,
                     unsigned value_count);

/* A mark across all tracks of a process: a reset, a step of a clock, results
 * that were lost.
 */
void
pitot_trace_mark(struct pitot_trace *trace, unsigned process,
                 uint64_t time_ns, const char *name,
                 const struct pitot_trace_value *values,
                 unsigned value_count);

#endif /* PITOT_TRACE_H */
