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
#include <stddef.h>
#include <stdint.h>

#include "pitot/clock.h"
#include "pitot_perf_query.h"
#include "pitot_profile.h"
#include "trace.h"

/*
 * settings.c
 */

enum pitot_profile_level {
   PITOT_PROFILE_LEVEL_FRAME,
   PITOT_PROFILE_LEVEL_PASS,
   PITOT_PROFILE_LEVEL_DRAW,
};

extern const char *const pitot_profile_level_names[];

struct pitot_profile_settings {
   char *path;     /* absolute */
   char *counters; /* the list, or NULL: the default ones */
   enum pitot_profile_level level;
   uint64_t first_frame, last_frame; /* counted from 1; both 0: none */
   uint64_t limit_B;                 /* of the trace */
};

/* Reads the settings from the environment.  Returns 0 and the settings; or,
 * with one line on stderr if PITOT_PROFILE is set, a negative errno value and
 * nothing.
 */
int
pitot_profile_settings_read(struct pitot_profile_settings *settings_out);

void
pitot_profile_settings_finish(struct pitot_profile_settings *settings);

/* Returns whether a path, which has an ending, is that of the trace. */
bool
pitot_profile_is_trace_path(const char *path);

/* Returns the path of the trace from which the file of a path is made,
 * malloc'ed, or NULL: with the process id in its name, if that is wanted.
 */
char *
pitot_profile_trace_path(const char *path, bool has_process);

/*
 * counters.c: the counters that spans have
 */

#define PITOT_PROFILE_MAX_SETS 8

struct pitot_profile_counter {
   const struct pitot_perf_counter *counter;
   unsigned set; /* index */
};

struct pitot_profile_counters {
   const struct pitot_context *context;
   struct pitot_perf *perf; /* or NULL */
   struct pitot_perf_set *sets[PITOT_PROFILE_MAX_SETS];
   unsigned set_count;
   struct pitot_profile_counter *list;
   unsigned count;
   bool has_samples; /* PITOT_KIND_SAMPLES_PASSED */
   char why[256];    /* they cannot be chosen */
};

/* Chooses the counters of a list, NULL for the default ones.  Returns 0,
 * -ENOMEM, or -EINVAL and why; the list is to be freed in any case.
 */
int
pitot_profile_counters_choose(struct pitot_profile_counters *counters_out,
                              const struct pitot_context *context,
                              struct pitot_perf *perf, const char *names);

/* Returns the value of a counter in a record of its set. */
double
pitot_profile_counter_value(const struct pitot_perf_counter *counter,
                            const void *record);

/*
 * span.c: the measurement of a span, which is in groups and a pass
 */

/* Groups and passes. */
struct pitot_profile_scope {
   struct pitot_profile_scope *parent; /* holds a reference; or NULL */
   unsigned refs;
   unsigned depth; /* 0 without a parent */
   uint64_t pixels; /* of a pass; 0: unknown */
   char name[];
};

/* Why calls are not measured. */
enum pitot_profile_loss {
   PITOT_PROFILE_NO_LOSS,
   PITOT_PROFILE_RING_FULL,
   PITOT_PROFILE_QUERY_FAILED,
   PITOT_PROFILE_RESULT_LOST,
   PITOT_PROFILE_CLOCK_LOST,
   PITOT_PROFILE_IN_FLIGHT, /* at the end of the process */
   PITOT_PROFILE_LOSS_COUNT,
};

/* A time of the GPU by CLOCK_MONOTONIC. */
struct pitot_profile_time {
   uint64_t ns, error_ns;
   unsigned epoch; /* of the GPU's clock */
   enum pitot_profile_loss loss;
};

#define PITOT_PROFILE_NAME_B 96

struct pitot_profile_span {
   struct pitot_profile_span *next;
   void *fence; /* behind a flight, if this is its first span */

   struct pitot_query *begin, *end; /* timestamps */
   bool is_begin_shared;            /* it is the end of the span before */
   struct pitot_query *samples;     /* or NULL */
   struct pitot_perf_query *perf[PITOT_PROFILE_MAX_SETS];
   enum pitot_profile_loss loss;
   bool is_disjoint;

   uint64_t frame;                   /* its number */
   struct pitot_profile_scope *pass; /* holds a reference; or NULL */
   enum pitot_profile_work work;     /* of a call */
   unsigned calls, work_counts[PITOT_PROFILE_WORK_COUNT];
   uint64_t flow; /* its number, over all contexts */

   struct pitot_profile_time begun, ended;
   uint64_t earliest_ns; /* it was not recorded before */
   uint64_t cpu_begin_ns, cpu_end_ns;
   unsigned thread;
   char name[PITOT_PROFILE_NAME_B]; /* of a call */
};

struct pitot_profile_span_list {
   struct pitot_profile_span *oldest, *newest; /* newest: unless empty */
   unsigned count;
};

/* Creates the queries of a span.  Returns NULL without memory. */
struct pitot_profile_span *
pitot_profile_span_create(struct pitot_profiled *profiled);

/* Begins to measure.  Returns 0, or a negative errno value and nothing begun.
 */
int
pitot_profile_span_begin(struct pitot_profiled *profiled,
                         struct pitot_profile_span *span,
                         bool is_begin_shared);

void
pitot_profile_span_end(struct pitot_profiled *profiled,
                       struct pitot_profile_span *span);

/* Waits for the end of a span. */
void
pitot_profile_span_wait(struct pitot_profiled *profiled,
                        struct pitot_profile_span *span);

/* Reads the results, which waits for those that are not available. */
void
pitot_profile_span_read(struct pitot_profiled *profiled,
                        struct pitot_profile_span *span);

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
   /* The latest ones, the oldest first. */
   struct pitot_profile_sample samples[PITOT_PROFILE_MAX_SAMPLES];
   unsigned sample_count;
   bool is_restarting;
   bool is_slow;      /* to read: it is not read any more */
   uint64_t least_ns; /* that it took to read the GPU's clock */
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
 * profile.c: the profile of a process
 */

struct pitot_profile {
   struct pitot_profile_settings settings;
   char *path; /* of the trace; NULL before the first context */

   pid_t process;
   _Atomic uint64_t flow; /* the number of the latest span */
   _Atomic uint64_t in_flight_calls;
   _Atomic uint64_t lost_calls[PITOT_PROFILE_LOSS_COUNT]; /* to be written */

   /* For everything below, and the known spans of contexts. */
   pthread_mutex_t lock;
   struct pitot_trace *trace; /* NULL: not begun, or finished */
   bool has_said_why;         /* there is no profile, or not all of it */
   struct pitot_profiled *contexts;
   unsigned context_count; /* so far */

   uint64_t measured_count;   /* calls that are in the trace */
   uint64_t unmeasured_count; /* calls that are not */
};

extern struct pitot_profile_of_process {
   pthread_mutex_t lock;
   struct pitot_profile *profile; /* or NULL */
   bool is_asked;                 /* for the profile, whatever came of it */
   _Atomic bool is_over; /* the process: no other profile, or trace */
} pitot_profile_of_process;

/* Writes all that is known, and closes the trace, if there is one: when the
 * process exits.
 */
void
pitot_profile_finish(void);

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

/* Locks the profile.  Returns whether it still has a trace. */
bool
pitot_profile_lock(struct pitot_profile *profile);

/* Returns how often SIGUSR2 came, which begins and ends the recording. */
unsigned
pitot_profile_toggles(void);

/*
 * profiled.c: a profiled context
 */

/* How many spans a context has at most, and queries of the driver's in them:
 * each of these may take a kilobyte.
 */
#define PITOT_PROFILE_MAX_SPANS   8192
#define PITOT_PROFILE_MAX_QUERIES 32768

struct pitot_profiled {
   struct pitot_profile *profile;
   struct pitot_profiled *next;
   struct pitot_profiled_info info;
   unsigned number; /* from 1 */
   struct pitot_profile_counters counters;

   /* The thread that has the context. */
   unsigned depth; /* of calls in calls */
   bool is_recording;
   enum pitot_profile_loss stuck; /* no span until the next flush: why */
   bool has_work;                 /* since the last frame, recorded or not */
   /* Nothing was sent since the end of the span that ended last. */
   bool is_at_end;
   struct pitot_profile_span *open;          /* is measured; or NULL */
   struct pitot_profile_scope *pass, *group; /* or NULL */
   unsigned lost_group_count; /* the innermost ones, without memory */
   uint64_t frame_number;     /* from 1 */
   struct pitot_profile_span_list free;
   unsigned span_count, max_spans;
   struct pitot_profile_span_list in_flight; /* in the order of their ends */
   struct pitot_profile_span *unfenced;      /* the first one, or NULL */
   unsigned unfenced_count;
   struct pitot_profile_time last_end; /* of the span that was read last */
   unsigned named_thread;
   uint64_t flush_begin_ns;
   bool is_end_of_frame; /* the flush */
   struct pitot_profile_clock clock;
   _Atomic uint64_t cost_ns; /* also read when the process exits */

   /* Under the lock of the profile: spans whose results are known, of frames
    * that are not written.
    */
   struct pitot_profile_span_list known;
   uint64_t error_ns; /* of the times, as it was written last */
   unsigned epoch;
   uint64_t last_ns;                 /* no later slice begins before that */
   struct pitot_trace_value *values; /* of one slice */
   unsigned value_count;
   struct pitot_profile_sum {
      double of_frame; /* that is written */
      double told;     /* as it was written last */
   } *sums;
   double told_time, told_calls; /* as they were written last */
   bool has_told;
   uint64_t part_frame; /* the latest frame that was written in parts */
   uint64_t part_count;
};

/*
 * write.c: known spans become slices.  Under the lock, but for calls and the
 * names of threads.
 */

/* Allocates the sums and values of a context.  Returns 0 or -ENOMEM. */
int
pitot_profile_begin_sums(struct pitot_profiled *profiled);

/* Writes the known spans of frames up to last_frame, which are over, and if
 * has_all the others as parts of their frames.  Returns the first span that
 * was not written, or NULL.
 */
struct pitot_profile_span *
pitot_profile_write_known(struct pitot_profiled *profiled,
                          uint64_t last_frame, bool has_all);

/* Writes a slice of the CPU's. */
void
pitot_profile_write_call(struct pitot_profiled *profiled,
                         const char *category, const char *name,
                         uint64_t begin_ns, uint64_t end_ns, uint64_t size_B);

/* Returns the id of this thread, whose track has a name from now on. */
unsigned
pitot_profile_thread(struct pitot_profiled *profiled);

void
pitot_profile_name_gpu(struct pitot_profiled *profiled);

#endif /* PITOT_PROFILE_PRIV_H */
