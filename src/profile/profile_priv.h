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
   char *counters; /* names and commas; NULL: the default ones */
   enum pitot_profile_level level;
   uint64_t first_frame, last_frame; /* from 1, inclusive; both 0: none */
   uint64_t limit_B;                 /* maximum size of the trace */
};

/* Reads the settings from the environment.  On failure sets nothing and
 * returns -ENOENT if PITOT_PROFILE is not set; otherwise another negative
 * errno value, after one line on stderr.
 */
int
pitot_profile_settings_read(struct pitot_profile_settings *settings_out);

void
pitot_profile_settings_finish(struct pitot_profile_settings *settings);

/* path has an ending.  Returns whether the output is the trace itself. */
bool
pitot_profile_is_trace_path(const char *path);

/* Returns the path of the trace for an output path, malloc'ed; NULL if
 * allocation fails.  has_process adds the process id to the name.
 */
char *
pitot_profile_trace_path(const char *path, bool has_process);

/*
 * counters.c: the counters that each span measures
 */

#define PITOT_PROFILE_MAX_SETS 8

struct pitot_profile_counter {
   const struct pitot_perf_counter *counter;
   unsigned set; /* index into sets */
};

struct pitot_profile_counters {
   const struct pitot_context *context;
   struct pitot_perf *perf; /* or NULL */
   struct pitot_perf_set *sets[PITOT_PROFILE_MAX_SETS];
   unsigned set_count;
   struct pitot_profile_counter *list;
   unsigned count;
   bool has_samples; /* PITOT_KIND_SAMPLES_PASSED */
   char why[256];    /* the reason for -EINVAL */
};

/* Chooses counters by name; names is NULL for the default ones.  Returns 0,
 * -ENOMEM, or -EINVAL and the reason in why.  The caller frees the list, even
 * after a failure.
 */
int
pitot_profile_counters_choose(struct pitot_profile_counters *counters_out,
                              const struct pitot_context *context,
                              struct pitot_perf *perf, const char *names);

/* record: a record of the counter's set. */
double
pitot_profile_counter_value(const struct pitot_perf_counter *counter,
                            const void *record);

/*
 * span.c: measures spans
 */

/* A group or a pass.  Spans and inner scopes hold references to it. */
struct pitot_profile_scope {
   struct pitot_profile_scope *parent; /* holds a reference; or NULL */
   unsigned refs;
   unsigned depth;  /* 0 without a parent */
   uint64_t pixels; /* of a pass's framebuffer; 0: unknown */
   char name[];
};

/* Why calls are not measured. */
enum pitot_profile_loss {
   PITOT_PROFILE_NO_LOSS,
   PITOT_PROFILE_TOO_MANY_SPANS,
   PITOT_PROFILE_QUERY_FAILED,
   PITOT_PROFILE_RESULT_LOST,
   PITOT_PROFILE_CLOCK_LOST,
   PITOT_PROFILE_IN_FLIGHT, /* when the process exited */
   PITOT_PROFILE_LOSS_COUNT,
};

/* A GPU timestamp, converted to CLOCK_MONOTONIC. */
struct pitot_profile_time {
   uint64_t ns, error_ns;
   unsigned epoch; /* of the GPU's clock */
   enum pitot_profile_loss loss;
};

#define PITOT_PROFILE_NAME_B 96

struct pitot_profile_span {
   struct pitot_profile_span *next;
   void *fence; /* after a flight; in its first span only */

   struct pitot_query *begin, *end; /* timestamps */
   bool is_begin_shared;            /* begun by the end of the span before */
   struct pitot_query *samples;     /* or NULL */
   struct pitot_perf_query *perf[PITOT_PROFILE_MAX_SETS];
   enum pitot_profile_loss loss;
   bool is_disjoint;

   uint64_t frame;                   /* its number */
   struct pitot_profile_scope *pass; /* holds a reference; or NULL */
   enum pitot_profile_work work;     /* of the first call */
   unsigned calls, work_counts[PITOT_PROFILE_WORK_COUNT];
   uint64_t flow; /* id of its flow events in the process */

   struct pitot_profile_time begun, ended;
   uint64_t earliest_ns; /* no timestamp of the span is earlier */
   uint64_t cpu_begin_ns, cpu_end_ns;
   unsigned thread;
   char name[PITOT_PROFILE_NAME_B]; /* of the call, at the level draw */
};

struct pitot_profile_span_list {
   struct pitot_profile_span *oldest, *newest; /* newest: invalid if empty */
   unsigned count;
};

/* Creates a span and its queries.  NULL if allocation fails. */
struct pitot_profile_span *
pitot_profile_span_create(struct pitot_profiled *profiled);

/* Starts measuring; is_begin_shared: from the end timestamp of the span that
 * ended last.  Returns 0; or a negative errno value, and measures nothing.
 */
int
pitot_profile_span_begin(struct pitot_profiled *profiled,
                         struct pitot_profile_span *span,
                         bool is_begin_shared);

void
pitot_profile_span_end(struct pitot_profiled *profiled,
                       struct pitot_profile_span *span);

/* Waits for the end timestamp of a span. */
void
pitot_profile_span_wait(struct pitot_profiled *profiled,
                        struct pitot_profile_span *span);

/* Reads the results, and waits for those that are not available. */
void
pitot_profile_span_read(struct pitot_profiled *profiled,
                        struct pitot_profile_span *span);

/*
 * clock.c: converts GPU timestamps to CLOCK_MONOTONIC
 */

#define PITOT_PROFILE_MAX_SAMPLES 64

/* A clock sample: both clocks at one moment, up to error_ns apart. */
struct pitot_profile_sample {
   uint64_t gpu_ns, cpu_ns, error_ns;
   unsigned epoch; /* from 1 */
};

struct pitot_profile_clock {
   /* The latest samples, the oldest first. */
   struct pitot_profile_sample samples[PITOT_PROFILE_MAX_SAMPLES];
   unsigned sample_count;
   bool is_restarting;
   bool is_slow;      /* to read: stop reading it */
   uint64_t least_ns; /* the shortest reading took */
   uint64_t read_ns;  /* time of the last reading */
};

/* Adds a clock sample, unless the clock is slow or cannot be read. */
void
pitot_profile_clock_read(struct pitot_profiled *profiled);

/* Adds a clock sample if the last reading is 15 ms old. */
void
pitot_profile_clock_keep(struct pitot_profiled *profiled, uint64_t now_ns);

/* Begins a new epoch, after a GPU reset or a suspend of the system. */
void
pitot_profile_clock_restart(struct pitot_profiled *profiled);

/* Converts a GPU timestamp that the GPU wrote after earliest_ns of the CPU.
 * Returns false if no clock sample fits.
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
   _Atomic uint64_t flow; /* id of the latest span */
   _Atomic uint64_t in_flight_calls;
   _Atomic uint64_t lost_calls[PITOT_PROFILE_LOSS_COUNT]; /* unwritten */

   /* Protects everything below, and the second part of each context. */
   pthread_mutex_t lock;
   struct pitot_trace *trace; /* NULL: not begun, or finished */
   bool has_printed_reason;   /* why the profile is missing or incomplete */
   struct pitot_profiled *contexts;
   unsigned context_count; /* ever added */

   uint64_t measured_count;   /* calls that are in the trace */
   uint64_t unmeasured_count; /* calls that are not */
};

extern struct pitot_profile_of_process {
   pthread_mutex_t lock;
   struct pitot_profile *profile; /* or NULL */
   bool is_asked;                 /* pitot_profile_get() was called */
   _Atomic bool is_over;          /* the process exits: begin nothing */
} pitot_profile_of_process;

/* When the process exits: writes the spans that were read, and closes the
 * trace, if there is one.
 */
void
pitot_profile_finish(void);

/* Adds and removes a context.  The first one begins the trace: if that fails,
 * returns a negative errno value and does not add the context.
 */
int
pitot_profile_add(struct pitot_profile *profile,
                  struct pitot_profiled *profiled);
void
pitot_profile_remove(struct pitot_profiled *profiled);

/* Writes the buffered events to the file, and prints the first failure.  Call
 * this with the lock held.
 */
void
pitot_profile_flush(struct pitot_profile *profile);

/* Locks the profile in any case.  Returns whether it still has a trace. */
bool
pitot_profile_lock(struct pitot_profile *profile);

/* Returns how many SIGUSR2 arrived; each starts or stops the recording. */
unsigned
pitot_profile_toggles(void);

/*
 * profiled.c: a profiled context
 */

/* Limits of a context: its spans, and the driver queries in them, each of
 * which may take a kilobyte.
 */
#define PITOT_PROFILE_MAX_SPANS   8192
#define PITOT_PROFILE_MAX_QUERIES 32768

struct pitot_profiled {
   struct pitot_profile *profile;
   struct pitot_profiled *next;
   struct pitot_profiled_info info;
   unsigned number; /* from 1 */
   struct pitot_profile_counters counters;

   /* Used by the thread of the context only. */
   unsigned depth; /* of nested calls */
   bool is_recording;
   enum pitot_profile_loss stuck; /* why no span begins until the flush */
   bool has_work;                 /* in this frame, recorded or not */
   /* The program has sent nothing since the last span ended. */
   bool is_at_end;
   struct pitot_profile_span *open;          /* being measured; or NULL */
   struct pitot_profile_scope *pass, *group; /* or NULL */
   unsigned lost_group_count; /* innermost ones: allocation failed */
   uint64_t frame_number;     /* from 1 */
   struct pitot_profile_span_list free;
   unsigned span_count, max_spans;
   struct pitot_profile_span_list in_flight; /* in the order of their ends */
   struct pitot_profile_span *unfenced; /* first without a fence, or NULL */
   unsigned unfenced_count;
   struct pitot_profile_time last_end; /* of the span that was read last */
   unsigned named_thread;
   uint64_t flush_begin_ns;
   bool is_end_of_frame; /* of the current flush */
   struct pitot_profile_clock clock;
   _Atomic uint64_t cost_ns; /* CPU time; exit reads it, too */

   /* Under the lock of the profile.  known: spans that were read, but not
    * written, because their frame has not ended.
    */
   struct pitot_profile_span_list known;
   uint64_t error_ns; /* of the times, as last written */
   unsigned epoch;
   uint64_t last_ns; /* end of the last slice; later ones follow it */
   struct pitot_trace_value *values; /* of the slice being written */
   unsigned value_count;
   struct pitot_profile_sum {
      double of_frame; /* of the frame being written */
      double written;  /* as last written */
   } *sums;
   double written_time, written_calls; /* as last written */
   bool has_written;
   uint64_t part_frame; /* the latest frame that was written in parts */
   uint64_t part_count;
};

/*
 * write.c: turns spans that were read into slices.
 * pitot_profile_write_known() and pitot_profile_name_gpu() are called with
 * the lock held; pitot_profile_write_call() and pitot_profile_thread() take
 * it.
 */

/* Allocates the sums and values of a context.  Returns 0 or -ENOMEM. */
int
pitot_profile_begin_sums(struct pitot_profiled *profiled);

/* Writes the known spans of frames up to last_frame, which have ended;
 * has_all: also those of later frames, as parts.  Returns the first span that
 * was not written, or NULL.
 */
struct pitot_profile_span *
pitot_profile_write_known(struct pitot_profiled *profiled,
                          uint64_t last_frame, bool has_all);

/* Writes a CPU slice of this thread. */
void
pitot_profile_write_call(struct pitot_profiled *profiled,
                         const char *category, const char *name,
                         uint64_t begin_ns, uint64_t end_ns, uint64_t size_B);

/* Returns the id of this thread.  Names its track if the thread changed. */
unsigned
pitot_profile_thread(struct pitot_profiled *profiled);

void
pitot_profile_name_gpu(struct pitot_profiled *profiled);

#endif /* PITOT_PROFILE_PRIV_H */
