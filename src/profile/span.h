/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Spans, and the groups and passes that they are in.
 */

#ifndef PITOT_PROFILE_SPAN_H
#define PITOT_PROFILE_SPAN_H

#include <stdbool.h>
#include <stdint.h>

#include "counters.h"
#include "pitot_perf_query.h"
#include "pitot_profile.h"

struct pitot_profiled;

/*
 * scope.c: groups and passes, which spans refer to
 */

struct pitot_profile_scope {
   struct pitot_profile_scope *parent; /* holds a reference; or NULL */
   unsigned refs;
   unsigned depth; /* 0 without a parent */
   bool is_pass;
   uint64_t pixels; /* of a pass; 0: unknown */
   char name[];
};

/* Creates a scope in another one, or in NULL.  Returns NULL without memory.
 */
struct pitot_profile_scope *
pitot_profile_scope_create(struct pitot_profile_scope *parent,
                           const char *name, size_t length);

struct pitot_profile_scope *
pitot_profile_scope_ref(struct pitot_profile_scope *scope);

/* Accepts NULL. */
void
pitot_profile_scope_unref(struct pitot_profile_scope *scope);

/* Returns the scope of that depth around this one, or it itself; NULL if it
 * is not so deep.
 */
const struct pitot_profile_scope *
pitot_profile_scope_at(const struct pitot_profile_scope *scope,
                       unsigned depth);

/*
 * span.c: the measurement of a span
 */

#define PITOT_PROFILE_NAME_B 96

/* Why calls are not measured. */
enum pitot_profile_unmeasured {
   PITOT_PROFILE_RING_FULL,
   PITOT_PROFILE_QUERY_FAILED,
   PITOT_PROFILE_RESULT_LOST,
   PITOT_PROFILE_CLOCK_LOST,
   PITOT_PROFILE_IN_FLIGHT, /* at the end of the process */
   PITOT_PROFILE_UNMEASURED_COUNT,
};

/* A time of the GPU by CLOCK_MONOTONIC. */
struct pitot_profile_time {
   uint64_t gpu_ns;
   uint64_t ns, error_ns; /* unless it is lost */
   unsigned epoch;
   bool is_lost; /* for a reason: */
   enum pitot_profile_unmeasured lost_reason;
};

/* The timestamp that a span begins or ends with. */
enum pitot_profile_stamp {
   PITOT_PROFILE_STAMP_OWN,
   /* The end of the span that ended before. */
   PITOT_PROFILE_STAMP_LAST_END,
   /* Of a frame: the begin of the first span in it. */
   PITOT_PROFILE_STAMP_FIRST_BEGIN,
};

struct pitot_profile_span {
   struct pitot_profile_span *next;

   struct pitot_query *begin, *end; /* timestamps, if they are its own */
   enum pitot_profile_stamp begin_stamp, end_stamp;
   struct pitot_profile_span *begun_frame; /* with this span; or NULL */
   struct pitot_query *samples;            /* or NULL */
   struct pitot_perf_query *perf[PITOT_PROFILE_MAX_SETS];
   unsigned begun_set_count;
   bool has_samples_begun;
   bool has_counters;
   bool is_frame;
   bool has_begun; /* a frame, with its first span or without one */
   bool has_end;   /* the end was recorded at the last flush */
   bool is_lost;   /* for a reason: */
   enum pitot_profile_unmeasured lost_reason;
   bool is_disjoint;

   struct pitot_profile_scope *pass; /* holds a reference; NULL of a frame */
   enum pitot_profile_work work;     /* of a call */
   unsigned calls, work_counts[PITOT_PROFILE_WORK_COUNT];
   uint64_t order;  /* in which spans end */
   uint64_t flow;   /* in which they begin, over all contexts */
   uint64_t number; /* of the frame */

   /* On the GPU, by CLOCK_MONOTONIC; and how long it took by its clock. */
   uint64_t begin_ns, end_ns, own_ns;
   uint64_t begin_gpu_ns;
   bool is_begin_known;  /* before the end is */
   bool is_begin_fenced; /* of a frame: a flight waits for the begin */
   uint64_t earliest_ns; /* it was not recorded before */
   uint64_t error_ns;    /* of the times */
   unsigned epoch;       /* of the clock */
   uint64_t cpu_begin_ns, cpu_end_ns;
   unsigned thread;
   char name[PITOT_PROFILE_NAME_B];
};

struct pitot_profile_span_list {
   struct pitot_profile_span *oldest,
      *newest; /* newest: unless it is empty */
   unsigned count;
};

void
pitot_profile_span_append(struct pitot_profile_span_list *list,
                          struct pitot_profile_span *span);

/* Returns NULL if the list is empty. */
struct pitot_profile_span *
pitot_profile_span_take_oldest(struct pitot_profile_span_list *list);

/* Creates the queries of a span.  Returns NULL without memory. */
struct pitot_profile_span *
pitot_profile_span_create(struct pitot_profiled *profiled);

/* Begins to measure, with a timestamp if the span has one of its own.
 * Returns 0, or a negative errno value and nothing begun.
 */
int
pitot_profile_span_begin(struct pitot_profiled *profiled,
                         struct pitot_profile_span *span,
                         enum pitot_profile_stamp begin_stamp);

/* Records a begin of the frame's own, if its first span could not begin. */
void
pitot_profile_span_record_begin(struct pitot_profiled *profiled,
                                struct pitot_profile_span *frame);

/* Records the end, for now: unless more work comes, it is that. */
void
pitot_profile_span_record_end(struct pitot_profiled *profiled,
                              struct pitot_profile_span *span);

void
pitot_profile_span_end(struct pitot_profiled *profiled,
                       struct pitot_profile_span *span);

/* Reads the begin, before the span has ended. */
void
pitot_profile_span_read_begin(struct pitot_profiled *profiled,
                              struct pitot_profile_span *span);

/* Waits for the end of a span. */
void
pitot_profile_span_wait(struct pitot_profiled *profiled,
                        struct pitot_profile_span *span);

/* Reads the results, which waits for those that are not available. */
void
pitot_profile_span_read(struct pitot_profiled *profiled,
                        struct pitot_profile_span *span);

#endif /* PITOT_PROFILE_SPAN_H */
