/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared inside the profile only.
 */

#ifndef PITOT_PROFILE_PRIV_H
#define PITOT_PROFILE_PRIV_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "counters.h"
#include "now.h"
#include "pitot/clock.h"
#include "pitot_perf_query.h"
#include "pitot_profile.h"
#include "settings.h"
#include "span.h"
#include "trace.h"

/*
 * profile.c
 */

struct pitot_profile {
   struct pitot_profile_settings settings;
   char *path; /* of the trace; NULL before the first context */

   pid_t process;
   _Atomic uint64_t flow; /* the number of the latest span */

   /* For everything below, and the known spans of contexts. */
   pthread_mutex_t lock;
   struct pitot_trace *trace; /* NULL: not begun, or finished */
   bool is_finished;
   bool has_said_why; /* there is no profile, or not all of it */
   struct pitot_profiled *contexts;
   unsigned context_count; /* so far */

   uint64_t measured_count;   /* calls that are in the trace */
   uint64_t unmeasured_count; /* calls that are not */
   uint64_t cost_ns;          /* the CPU's time that profiling took */
};

extern struct pitot_profile_of_process {
   pthread_mutex_t lock;
   struct pitot_profile *profile; /* or NULL */
   bool is_asked;                 /* for the profile, whatever came of it */
   bool is_over;                  /* the process: there is no other profile */
} pitot_profile_of_process;

/* Writes all that is known, and closes the trace, if there is one: when the
 * process exits.
 */
void
pitot_profile_finish(void);

/* Frees a profile without contexts, whose trace is closed or was never
 * opened.
 */
void
pitot_profile_free(struct pitot_profile *profile);

/* Adds a context, the first of which begins the trace, and removes it.
 * Returns 0, or a negative errno value if there is no trace.
 */
int
pitot_profile_add(struct pitot_profile *profile,
                  struct pitot_profiled *profiled);

void
pitot_profile_remove(struct pitot_profiled *profiled);

/* Writes all events so far to the file, and says once that they did not fit.
 * Under the lock.
 */
void
pitot_profile_flush(struct pitot_profile *profile);

/* Returns the number of a new span. */
uint64_t
pitot_profile_next_flow(struct pitot_profile *profile);

/* Locks the profile.  Returns whether it still has a trace. */
bool
pitot_profile_lock(struct pitot_profile *profile);

void
pitot_profile_unlock(struct pitot_profile *profile);

/*
 * signal.c
 */

/* Takes SIGUSR2, unless the program has a handler of its own. */
void
pitot_profile_handle_signal(void);

/* Returns how often SIGUSR2 came. */
unsigned
pitot_profile_toggles(void);

/*
 * clock.c: from the GPU's time to the CPU's
 */

#define PITOT_PROFILE_MAX_SAMPLES 64

/* A time of both clocks, and how far the GPU's may be from the CPU's. */
struct pitot_profile_sample {
   uint64_t gpu_ns, cpu_ns, error_ns;
   unsigned epoch; /* from 1 */
};

struct pitot_profile_clock {
   /* The latest, and fewer of the time before. */
   struct pitot_profile_sample samples[PITOT_PROFILE_MAX_SAMPLES];
   unsigned sample_count;
   bool is_restarting;
   uint64_t usual_ns; /* that it takes to read the GPU's clock */
   uint64_t read_ns;  /* when it was read last */
};

/* Reads the clocks: a sample. */
void
pitot_profile_clock_read(struct pitot_profiled *profiled);

/* Reads the clocks if the last time was long ago. */
void
pitot_profile_clock_keep(struct pitot_profiled *profiled, uint64_t now_ns);

/* Begins a new epoch: the GPU was reset, or the system suspended. */
void
pitot_profile_clock_restart(struct pitot_profiled *profiled);

/* Places a time that was recorded after a time of the CPU's.  Returns whether
 * it is known.
 */
bool
pitot_profile_clock_place(struct pitot_profiled *profiled, uint64_t gpu_ns,
                          uint64_t earliest_ns,
                          struct pitot_profile_time *time_out);

/*
 * profiled.c, flight.c
 */

/* How many spans a context has at most, and queries of the driver's in them:
 * each of these may take a kilobyte.
 */
#define PITOT_PROFILE_MAX_SPANS   8192
#define PITOT_PROFILE_MAX_QUERIES 32768

/* How many fences. */
#define PITOT_PROFILE_MAX_FLIGHTS 64

/* Spans that a fence is behind. */
struct pitot_profile_flight {
   void *fence;
   uint64_t order;                   /* of the last one */
   struct pitot_profile_span *frame; /* has begun, but not ended; or NULL */
};

struct pitot_profiled {
   struct pitot_profile *profile;
   struct pitot_profiled *next;
   struct pitot_profiled_info info;
   unsigned number; /* from 1 */
   struct pitot_profile_counters counters;

   /* The thread that has the context. */
   unsigned depth; /* of calls in calls */
   bool is_recording;
   bool is_stuck; /* no span until the next flush, for this reason: */
   enum pitot_profile_unmeasured stuck_reason;
   bool has_work;    /* since the last frame, recorded or not */
   bool is_in_frame; /* work of the frame was recorded */
   /* Nothing was sent since the end of the span that ended last. */
   bool is_at_end;
   struct pitot_profile_span *open;          /* is measured; or NULL */
   struct pitot_profile_span *frame;         /* or NULL */
   struct pitot_profile_scope *pass, *group; /* or NULL */
   unsigned lost_group_count; /* the innermost ones, without memory */
   uint64_t frame_number;     /* from 1 */
   struct pitot_profile_span_list free;
   unsigned span_count, max_spans;
   struct pitot_profile_span_list in_flight; /* in the order of their ends */
   struct pitot_profile_flight flights[PITOT_PROFILE_MAX_FLIGHTS];
   unsigned flight_first, flight_count;
   uint64_t last_order, fenced_order;
   struct pitot_profile_time read_end; /* of the span that was read last */
   unsigned named_thread;
   uint64_t flush_begin_ns;
   bool is_end_of_frame; /* the flush */
   struct pitot_profile_clock clock;

   /* Also read by the thread that finishes the profile. */
   _Atomic uint64_t in_flight_calls;
   _Atomic uint64_t unmeasured[PITOT_PROFILE_UNMEASURED_COUNT];
   _Atomic uint64_t cost_ns;

   /* Under the lock of the profile: spans whose results are known, of the
    * frame that is not ended.
    */
   struct pitot_profile_span_list known;
   uint64_t error_ns; /* of the times, as it was written last */
   unsigned epoch;
   uint64_t last_ns;                 /* no later slice begins before that */
   uint64_t frame_ns;                /* nor does the frame */
   struct pitot_trace_value *values; /* of one slice */
   double *sums;                     /* of the frame, by counter */
   double *told;                     /* as the counters were written last */
   bool has_told;
   uint64_t sum_calls, sum_samples;
   uint64_t part_frame; /* the latest frame that was written in parts */
   uint64_t part_count;
};

/* profiled.c */

void
pitot_profile_end_frame(struct pitot_profiled *profiled);

/* Has a span measure again. */
void
pitot_profile_span_recycle(struct pitot_profiled *profiled,
                           struct pitot_profile_span *span);

void
pitot_profile_count_unmeasured(struct pitot_profiled *profiled,
                               enum pitot_profile_unmeasured reason,
                               uint64_t calls);

void
pitot_profile_add_cost(struct pitot_profiled *profiled, uint64_t begin_ns,
                       uint64_t end_ns);

/* flight.c */

/* Returns whether the frame is to be recorded. */
bool
pitot_profile_wants_to_record(const struct pitot_profiled *profiled);

/* Reads all spans, which waits for those in flight. */
void
pitot_profile_read_all(struct pitot_profiled *profiled);

/* Writes the known spans and the frame, which may be NULL, and has them
 * measure again.
 */
void
pitot_profile_release_known(struct pitot_profiled *profiled,
                            struct pitot_profile_span *frame);

/*
 * slice.c: the slices of spans.  Under the lock, but for calls and the names
 * of threads.
 */

/* Returns 0 or -ENOMEM. */
int
pitot_profile_writer_init(struct pitot_profiled *profiled);

void
pitot_profile_writer_finish(struct pitot_profiled *profiled);

/* Add to the first values of the next slice, and return how many there are:
 * one, or all that was measured of a span, which is also added to the sums of
 * the frame.
 */
unsigned
pitot_profile_add_value(struct pitot_profiled *profiled, unsigned count,
                        const char *name, uint64_t value);
unsigned
pitot_profile_add_measured(struct pitot_profiled *profiled, unsigned count,
                           const struct pitot_profile_span *span);

/* Keeps the values of counters that are not what was written last: a track
 * of a counter stays as it is.  All contexts share the tracks, and frames of
 * several are not written in the order of their times: of these all values
 * are kept.  Returns how many there are.
 */
unsigned
pitot_profile_keep_changed(struct pitot_profiled *profiled, unsigned count);

/* Writes the slice of a span on the GPU, with so many values. */
void
pitot_profile_write_gpu(struct pitot_profiled *profiled,
                        const struct pitot_profile_span *span,
                        const char *category, const char *name,
                        unsigned value_count);

/* Writes the spans before stop, and their scopes from a depth on. */
void
pitot_profile_write_run(struct pitot_profiled *profiled,
                        const struct pitot_profile_span *span,
                        const struct pitot_profile_span *stop,
                        unsigned depth);

/* Writes a slice of the CPU's. */
void
pitot_profile_write_call(struct pitot_profiled *profiled,
                         const struct pitot_trace_slice *slice);

/* Returns the id of this thread. */
unsigned
pitot_profile_thread(void);

/* Names the track of this thread, the first time in a row, and that of the
 * context.
 */
void
pitot_profile_name_thread(struct pitot_profiled *profiled, unsigned thread);

void
pitot_profile_name_gpu(struct pitot_profiled *profiled);

/*
 * write.c: known spans, frame by frame.  Under the lock.
 */

/* Writes all spans that are known in their frame, which is whole, or in a
 * part of one if it is NULL.
 */
void
pitot_profile_write_known(struct pitot_profiled *profiled,
                          struct pitot_profile_span *frame);

/* Returns the CPU's time that profiling the context took since the last time,
 * which is added to the profile's.
 */
uint64_t
pitot_profile_take_cost(struct pitot_profiled *profiled);

/* Writes how many calls were not measured since the last time, and returns
 * it.
 */
uint64_t
pitot_profile_write_unmeasured(struct pitot_profiled *profiled);

#endif /* PITOT_PROFILE_PRIV_H */
