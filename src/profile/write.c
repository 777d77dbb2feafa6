/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * From spans to slices.  The slices of a context nest on its track, and each
 * is in the file before those in it:
 *
 *    frame > group > ... > pass > call
 *
 * The slice of a group or a pass is that of its first to its last span.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "profile_priv.h"

/* The values of a slice but the counters'. */
#define PLAIN_VALUE_COUNT (8 + PITOT_PROFILE_WORK_COUNT)

static const struct {
   const char *category, *plural;
} works[PITOT_PROFILE_WORK_COUNT] = {
   [PITOT_PROFILE_DRAW] = { "draw", "draws" },
   [PITOT_PROFILE_DISPATCH] = { "dispatch", "dispatches" },
   [PITOT_PROFILE_CLEAR] = { "clear", "clears" },
   [PITOT_PROFILE_BLIT] = { "blit", "blits" },
   [PITOT_PROFILE_COPY] = { "copy", "copies" },
};

static const char *const reasons[PITOT_PROFILE_UNMEASURED_COUNT] = {
   [PITOT_PROFILE_RING_FULL] = "too much work in flight",
   [PITOT_PROFILE_QUERY_FAILED] = "a query failed",
   [PITOT_PROFILE_RESULT_LOST] = "the GPU lost the result",
   [PITOT_PROFILE_CLOCK_LOST] = "the GPU's clock cannot be read",
   [PITOT_PROFILE_IN_FLIGHT] = "still in flight at the end",
};

int
pitot_profile_writer_init(struct pitot_profiled *profiled)
{
   const size_t count = PLAIN_VALUE_COUNT + profiled->counters.count;

   profiled->values = calloc(count, sizeof(profiled->values[0]));
   profiled->sums = calloc(count, sizeof(profiled->sums[0]));
   return profiled->values && profiled->sums ? 0 : -1;
}

void
pitot_profile_writer_finish(struct pitot_profiled *profiled)
{
   free(profiled->values);
   free(profiled->sums);
}

/*
 * Values
 */

static unsigned
add_value(struct pitot_profiled *profiled, unsigned count, const char *name,
          uint64_t value)
{
   profiled->values[count] =
      (struct pitot_trace_value){ .name = name, .u64 = value };
   return count + 1;
}

static double
number_of(const struct pitot_trace_value *value)
{
   return value->type == PITOT_TRACE_DOUBLE ? value->number
                                            : (double)value->u64;
}

/* Adds what was measured of a span to the values of a slice, and to the sums
 * of its frame.
 */
static unsigned
add_measured(struct pitot_profiled *profiled, unsigned count,
             const struct pitot_profile_span *span)
{
   const struct pitot_profile_counters *counters = &profiled->counters;

   for (unsigned i = 0; i < PITOT_PROFILE_WORK_COUNT; i++) {
      if (span->work_counts[i])
         count =
            add_value(profiled, count, works[i].plural, span->work_counts[i]);
   }
   profiled->sum_calls += span->calls;
   if (span->is_disjoint)
      count = add_value(profiled, count, "disjoint", 1);
   if (counters->has_samples) {
      count =
         add_value(profiled, count, "samples passed", span->samples->result);
      profiled->sum_samples += span->samples->result;
   }
   for (unsigned i = 0; i < counters->count; i++) {
      const struct pitot_profile_counter *counter = &counters->list[i];
      struct pitot_trace_value *value = &profiled->values[count++];

      *value = pitot_profile_counter_value(counter->counter,
                                           span->perf[counter->set]->record);
      profiled->sums[i] += number_of(value);
   }
   return count;
}

/*
 * Slices
 */

static struct pitot_trace_track
gpu_track(const struct pitot_profiled *profiled)
{
   return (struct pitot_trace_track){ .thread = profiled->number };
}

/* Writes the slice of a span on the GPU; the number of its first values. */
static void
write_gpu(struct pitot_profiled *profiled,
          const struct pitot_profile_span *span, const char *category,
          const char *name, unsigned value_count)
{
   pitot_trace_slice(profiled->profile->trace,
                     &(struct pitot_trace_slice){
                        .track = gpu_track(profiled),
                        .category = category,
                        .name = name,
                        .begin_ns = span->begin_ns,
                        .end_ns = span->end_ns,
                        .flow = span->is_frame ? 0 : span->flow,
                        .values = profiled->values,
                        .value_count = value_count,
                     });
}

static void
write_cpu(struct pitot_profiled *profiled,
          const struct pitot_profile_span *span, const char *name)
{
   pitot_trace_slice(profiled->profile->trace,
                     &(struct pitot_trace_slice){
                        .track = { (unsigned)getpid(), span->thread },
                        .category = "call",
                        .name = name,
                        .begin_ns = span->cpu_begin_ns,
                        .end_ns = span->cpu_end_ns,
                        .flow = span->flow,
                        .is_flow_begin = true,
                     });
}

/* Writes a measured span of a pass or a call. */
static void
write_span(struct pitot_profiled *profiled,
           const struct pitot_profile_span *span)
{
   const bool is_pass =
      profiled->profile->settings.level == PITOT_PROFILE_LEVEL_PASS;
   const char *name = is_pass ? span->pass->name : span->name;
   unsigned count = 0;

   if (is_pass && span->pass->pixels)
      count = add_value(profiled, count, "pixels", span->pass->pixels);
   count = add_measured(profiled, count, span);
   write_cpu(profiled, span, name);
   write_gpu(profiled, span, is_pass ? "pass" : works[span->work].category,
             name, count);
   profiled->profile->measured_count += span->calls;
}

/* Writes the slice of a group, or of a pass of measured calls. */
static void
write_scope(struct pitot_profiled *profiled,
            const struct pitot_profile_scope *scope,
            const struct pitot_profile_span *first,
            const struct pitot_profile_span *last)
{
   const struct pitot_profile_span span = {
      .is_frame = true,
      .begin_ns = first->begin_ns,
      .end_ns = last->end_ns,
   };
   unsigned count = 0;

   if (scope->pixels)
      count = add_value(profiled, count, "pixels", scope->pixels);
   write_gpu(profiled, &span, scope->is_pass ? "pass" : "group", scope->name,
             count);
}

/* Returns the last span of those before stop that have this scope. */
static const struct pitot_profile_span *
find_last(const struct pitot_profile_scope *scope,
          const struct pitot_profile_span *first,
          const struct pitot_profile_span *stop)
{
   while (first->next != stop &&
          pitot_profile_scope_at(first->next->pass, scope->depth) == scope)
      first = first->next;
   return first;
}

/* Writes the spans before stop, and their scopes from a depth on. */
static void
write_run(struct pitot_profiled *profiled,
          const struct pitot_profile_span *span,
          const struct pitot_profile_span *stop, unsigned depth)
{
   const bool has_calls =
      profiled->profile->settings.level == PITOT_PROFILE_LEVEL_DRAW;

   while (span != stop) {
      const struct pitot_profile_scope *scope =
         pitot_profile_scope_at(span->pass, depth);

      if (!scope || (scope->is_pass && !has_calls)) {
         write_span(profiled, span);
         span = span->next;
         continue;
      }
      const struct pitot_profile_span *last = find_last(scope, span, stop);
      write_scope(profiled, scope, span, last);
      write_run(profiled, span, last->next, depth + 1);
      span = last->next;
   }
}

/*
 * Frames
 */

static uint64_t
later_of(uint64_t a_ns, uint64_t b_ns)
{
   return a_ns > b_ns ? a_ns : b_ns;
}

/* No slice begins in the one before: a new fit of the clock, or one that is
 * better known, may move times by as much as their error.
 */
static void
order_span(struct pitot_profiled *profiled, struct pitot_profile_span *span)
{
   span->begin_ns = later_of(span->begin_ns, profiled->last_ns);
   span->end_ns = later_of(span->end_ns, span->begin_ns);
   profiled->last_ns = span->end_ns;
}

/* Orders a frame around the spans in it, the first of which may be NULL. */
static void
order_frame(struct pitot_profiled *profiled, struct pitot_profile_span *frame,
            const struct pitot_profile_span *first)
{
   if (frame->is_lost) {
      frame->begin_ns = first ? first->begin_ns : profiled->last_ns;
      frame->end_ns = profiled->last_ns;
   }
   frame->begin_ns = later_of(frame->begin_ns, profiled->frame_ns);
   if (first && frame->begin_ns > first->begin_ns)
      frame->begin_ns = first->begin_ns;
   frame->end_ns = later_of(frame->end_ns, profiled->last_ns);
   profiled->frame_ns = profiled->last_ns = frame->end_ns;
}

/* Writes the error of the times if it has grown, or halved, and where a fit
 * of the clock begins.
 */
static void
write_clock(struct pitot_profiled *profiled, uint64_t error_ns, unsigned fit)
{
   const bool is_new = fit != profiled->fit;
   const struct pitot_trace_value values[] = {
      { .name = "error_ns", .u64 = error_ns },
      { .name = "context", .u64 = profiled->number },
      { .name = "reason",
        .type = PITOT_TRACE_STRING,
        .string = fit == 1 ? "first reading"
                           : "reset, suspend or step of the GPU's clock" },
   };

   if (!is_new && error_ns <= profiled->error_ns &&
       error_ns >= profiled->error_ns / 2)
      return;
   pitot_trace_mark(profiled->profile->trace, 0, profiled->last_ns, "clock",
                    values, is_new ? 3 : 2);
   profiled->error_ns = error_ns;
   profiled->fit = fit;
}

/* Orders the known spans, and writes how well their times are known, and
 * those of the frame.
 */
static void
order_known(struct pitot_profiled *profiled,
            const struct pitot_profile_span *frame)
{
   const bool has_frame = frame && !frame->is_lost;
   uint64_t error_ns = has_frame ? frame->error_ns : 0;
   unsigned fit = has_frame ? frame->fit : 0;

   for (struct pitot_profile_span *s = profiled->known.oldest; s;
        s = s->next) {
      order_span(profiled, s);
      if (error_ns < s->error_ns)
         error_ns = s->error_ns;
      if (fit < s->fit)
         fit = s->fit;
   }
   if (fit)
      write_clock(profiled, error_ns, fit);
}

/* Writes the counters of a frame, from its begin on. */
static void
write_counters(struct pitot_profiled *profiled,
               const struct pitot_profile_span *frame)
{
   const struct pitot_profile_counters *counters = &profiled->counters;
   unsigned count = 0;

   profiled->values[count++] = (struct pitot_trace_value){
      .name = "GPU time of a frame (ms)",
      .type = PITOT_TRACE_DOUBLE,
      .number = (double)(frame->end_ns - frame->begin_ns) / 1e6,
   };
   count = add_value(profiled, count, "calls", profiled->sum_calls);
   if (counters->has_samples)
      count =
         add_value(profiled, count, "samples passed", profiled->sum_samples);
   for (unsigned i = 0; i < counters->count; i++)
      profiled->values[count++] = (struct pitot_trace_value){
         .name = counters->list[i].counter->name,
         .type = PITOT_TRACE_DOUBLE,
         .number = profiled->sums[i],
      };
   pitot_trace_counters(profiled->profile->trace, 0, frame->begin_ns,
                        profiled->values, count);
}

static void
clear_sums(struct pitot_profiled *profiled)
{
   profiled->sum_calls = profiled->sum_samples = 0;
   memset(profiled->sums, 0,
          profiled->counters.count * sizeof(profiled->sums[0]));
}

static void
write_frame(struct pitot_profiled *profiled,
            const struct pitot_profile_span *frame)
{
   const uint64_t unmeasured = pitot_profile_write_unmeasured(profiled);
   unsigned count = add_value(profiled, 0, "frame", frame->number);

   if (!frame->is_lost)
      count = add_value(profiled, count, "own_ns", frame->own_ns);
   if (unmeasured)
      count = add_value(profiled, count, "unmeasured", unmeasured);
   count = add_value(profiled, count, "profile_cpu_ns",
                     pitot_profile_take_cost(profiled));
   if (frame->has_counters && !frame->is_lost) {
      count = add_measured(profiled, count, frame);
      profiled->profile->measured_count += frame->calls;
   }
   write_gpu(profiled, frame, "frame", frame->name, count);
}

/* Returns the first known span that began in the frame, or NULL. */
static struct pitot_profile_span *
first_in_frame(const struct pitot_profiled *profiled,
               const struct pitot_profile_span *frame)
{
   struct pitot_profile_span *span = profiled->known.oldest;

   while (span && frame && span->flow < frame->flow)
      span = span->next;
   return span;
}

void
pitot_profile_write_known(struct pitot_profiled *profiled,
                          struct pitot_profile_span *frame)
{
   struct pitot_profile_span *first = first_in_frame(profiled, frame);

   order_known(profiled, frame);
   write_run(profiled, profiled->known.oldest, first, 0);
   if (frame) {
      order_frame(profiled, frame, first);
      write_frame(profiled, frame);
   }
   write_run(profiled, first, NULL, 0);
   if (frame) {
      write_counters(profiled, frame);
      clear_sums(profiled);
   }
   (void)pitot_profile_write_unmeasured(profiled);
   pitot_trace_flush(profiled->profile->trace);
}

uint64_t
pitot_profile_take_cost(struct pitot_profiled *profiled)
{
   const uint64_t cost_ns = atomic_exchange(&profiled->cost_ns, 0);

   profiled->profile->cost_ns += cost_ns;
   return cost_ns;
}

uint64_t
pitot_profile_write_unmeasured(struct pitot_profiled *profiled)
{
   struct pitot_profile *profile = profiled->profile;
   uint64_t sum = 0;

   for (unsigned i = 0; i < PITOT_PROFILE_UNMEASURED_COUNT; i++) {
      const uint64_t calls = atomic_exchange(&profiled->unmeasured[i], 0);
      const struct pitot_trace_value values[] = {
         { .name = "calls", .u64 = calls },
         { .name = "reason",
           .type = PITOT_TRACE_STRING,
           .string = reasons[i] },
      };

      if (calls == 0)
         continue;
      sum += calls;
      pitot_trace_mark(profile->trace, 0, pitot_profile_now_ns(),
                       "not measured", values, 2);
   }
   profile->unmeasured_count += sum;
   return sum;
}

/*
 * The CPU
 */

unsigned
pitot_profile_thread(void)
{
   static _Thread_local unsigned thread;

   if (!thread)
      thread = (unsigned)gettid();
   return thread;
}

void
pitot_profile_write_call(struct pitot_profiled *profiled,
                         const struct pitot_trace_slice *slice)
{
   struct pitot_trace_slice call = *slice;

   call.track.process = (unsigned)getpid();
   call.track.thread = pitot_profile_thread();
   if (pitot_profile_lock(profiled->profile))
      pitot_trace_slice(profiled->profile->trace, &call);
   pitot_profile_unlock(profiled->profile);
}

void
pitot_profile_name_gpu(struct pitot_profiled *profiled)
{
   char name[32];

   snprintf(name, sizeof(name), "context %u", profiled->number);
   pitot_trace_name_track(profiled->profile->trace, gpu_track(profiled),
                          profiled->info.device, name);
}

void
pitot_profile_name_thread(struct pitot_profiled *profiled, unsigned thread)
{
   const struct pitot_trace_track track = { (unsigned)getpid(), thread };
   char name[17] = ""; /* prctl(2) */

   if (profiled->named_thread == thread)
      return;
   profiled->named_thread = thread;
   prctl(PR_GET_NAME, name);
   if (pitot_profile_lock(profiled->profile))
      pitot_trace_name_track(profiled->profile->trace, track,
                             program_invocation_short_name, name);
   pitot_profile_unlock(profiled->profile);
}
