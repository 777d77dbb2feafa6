/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Known spans become slices, frame by frame.  The slices of a context nest on
 * its track, and each is in the file before the slices inside it:
 *
 *    frame > group > ... > pass > call
 *
 * The slice of a frame, a group or a pass of calls is that of its first to
 * its last span.
 */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "profile_priv.h"

/* The values of a slice, or of the counter tracks, but the counters'. */
#define PLAIN_VALUE_COUNT (6 + PITOT_PROFILE_WORK_COUNT)

static const struct {
   const char *category, *plural;
} works[PITOT_PROFILE_WORK_COUNT] = {
   [PITOT_PROFILE_DRAW] = { "draw", "draws" },
   [PITOT_PROFILE_DISPATCH] = { "dispatch", "dispatches" },
   [PITOT_PROFILE_CLEAR] = { "clear", "clears" },
   [PITOT_PROFILE_BLIT] = { "blit", "blits" },
   [PITOT_PROFILE_COPY] = { "copy", "copies" },
};

static const char *const reasons[PITOT_PROFILE_LOSS_COUNT] = {
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
   profiled->told = calloc(count, sizeof(profiled->told[0]));
   return profiled->values && profiled->sums && profiled->told ? 0 : -ENOMEM;
}

void
pitot_profile_writer_finish(struct pitot_profiled *profiled)
{
   free(profiled->values);
   free(profiled->sums);
   free(profiled->told);
}

/*
 * Values
 */

static void
add_value(struct pitot_profiled *profiled, const char *name, uint64_t value)
{
   profiled->values[profiled->value_count++] =
      (struct pitot_trace_value){ .name = name, .u64 = value };
}

/* Spans that are written together, up to stop. */
struct run {
   const struct pitot_profile_span *first, *stop, *last;
};

static double
number_of(const struct pitot_trace_value *value)
{
   return value->type == PITOT_TRACE_DOUBLE ? value->number
                                            : (double)value->u64;
}

static struct pitot_trace_value
value_of(const struct pitot_profile_counter *counter,
         const struct pitot_profile_span *span)
{
   return pitot_profile_counter_value(
      counter->counter, span->perf[counter->set]->portions[0].record);
}

/* Returns the sum of a counter of spans. */
static struct pitot_trace_value
sum_of(const struct pitot_profile_counter *counter, struct run run)
{
   struct pitot_trace_value sum = value_of(counter, run.first);

   for (const struct pitot_profile_span *s = run.first->next; s != run.stop;
        s = s->next) {
      const struct pitot_trace_value more = value_of(counter, s);

      if (sum.type == PITOT_TRACE_DOUBLE)
         sum.number += more.number;
      else
         sum.u64 += more.u64;
   }
   return sum;
}

/* Adds the sums of the counters of spans, also to those of the frame. */
static void
add_counters(struct pitot_profiled *profiled, struct run run)
{
   const struct pitot_profile_counters *counters = &profiled->counters;

   if (counters->has_samples) {
      uint64_t samples = 0;

      for (const struct pitot_profile_span *s = run.first; s != run.stop;
           s = s->next)
         samples += s->samples->result;
      add_value(profiled, "samples passed", samples);
      profiled->sum_samples += samples;
   }
   for (unsigned i = 0; i < counters->count; i++) {
      const struct pitot_trace_value sum = sum_of(&counters->list[i], run);
      const double number = number_of(&sum);

      if (counters->is_chosen || number != 0)
         profiled->values[profiled->value_count++] = sum;
      profiled->sums[i] += number;
   }
}

/* Adds all that was measured of spans. */
static void
add_measured(struct pitot_profiled *profiled, struct run run)
{
   for (unsigned i = 0; i < PITOT_PROFILE_WORK_COUNT; i++) {
      uint64_t calls = 0;

      for (const struct pitot_profile_span *s = run.first; s != run.stop;
           s = s->next)
         calls += s->work_counts[i];
      if (calls)
         add_value(profiled, works[i].plural, calls);
   }
   add_counters(profiled, run);
}

/*
 * Slices
 */

static struct pitot_trace_track
gpu_track(const struct pitot_profiled *profiled)
{
   return (struct pitot_trace_track){ .thread = profiled->number };
}

/* Writes the slice of spans on the GPU, with the values that were added. */
static void
write_gpu(struct pitot_profiled *profiled, struct run run,
          const char *category, const char *name, uint64_t flow)
{
   pitot_trace_slice(profiled->profile->trace,
                     &(struct pitot_trace_slice){
                        .track = gpu_track(profiled),
                        .category = category,
                        .name = name,
                        .begin_ns = run.first->begin_ns,
                        .end_ns = run.last->end_ns,
                        .flow = flow,
                        .values = profiled->values,
                        .value_count = profiled->value_count,
                     });
   profiled->value_count = 0;
}

/* Writes the span of a pass or a call: on the CPU, and on the GPU. */
static void
write_span(struct pitot_profiled *profiled,
           const struct pitot_profile_span *span)
{
   const struct run run = { span, span->next, span };
   const bool is_pass =
      profiled->profile->settings.level == PITOT_PROFILE_LEVEL_PASS;
   const char *name = is_pass ? span->pass->name : span->name;

   pitot_trace_slice(profiled->profile->trace,
                     &(struct pitot_trace_slice){
                        .track = { (unsigned)profiled->profile->process,
                                   span->thread },
                        .category = "call",
                        .name = name,
                        .begin_ns = span->cpu_begin_ns,
                        .end_ns = span->cpu_end_ns,
                        .flow = span->flow,
                        .is_flow_begin = true,
                     });
   if (is_pass && span->pass->pixels)
      add_value(profiled, "pixels", span->pass->pixels);
   add_measured(profiled, run);
   if (span->is_disjoint)
      add_value(profiled, "disjoint", 1);
   write_gpu(profiled, run, is_pass ? "pass" : works[span->work].category,
             name, span->flow);
}

/* Returns the scope of that depth around this one, or it itself; NULL if it
 * is not so deep.
 */
static const struct pitot_profile_scope *
scope_at(const struct pitot_profile_scope *scope, unsigned depth)
{
   if (scope->depth < depth)
      return NULL;
   while (scope->depth > depth)
      scope = scope->parent;
   return scope;
}

/* Writes spans, and their groups and passes from a depth on. */
static void
write_run(struct pitot_profiled *profiled, struct run run, unsigned depth)
{
   const bool has_calls =
      profiled->profile->settings.level == PITOT_PROFILE_LEVEL_DRAW;
   const struct pitot_profile_span *span = run.first;

   while (span != run.stop) {
      const struct pitot_profile_scope *scope = scope_at(span->pass, depth);
      struct run inner = { .first = span };

      if (!scope || (scope->is_pass && !has_calls)) {
         write_span(profiled, span);
         span = span->next;
         continue;
      }
      while (span != run.stop && scope_at(span->pass, depth) == scope) {
         inner.last = span;
         span = span->next;
      }
      inner.stop = span;
      if (scope->pixels)
         add_value(profiled, "pixels", scope->pixels);
      write_gpu(profiled, inner, scope->is_pass ? "pass" : "group",
                scope->name, 0);
      write_run(profiled, inner, depth + 1);
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

/* Writes the error of the times from here on: if it has grown or halved, and
 * where an epoch begins.
 */
static void
write_clock(struct pitot_profiled *profiled, uint64_t begin_ns,
            uint64_t error_ns, unsigned epoch)
{
   const bool is_new = epoch != profiled->epoch;
   const struct pitot_trace_value values[] = {
      { .name = "error_ns", .u64 = error_ns },
      { .name = "context", .u64 = profiled->number },
      { .name = "reason",
        .type = PITOT_TRACE_STRING,
        .string = epoch == 1 ? "first reading"
                             : "reset, suspend or step of the GPU's clock" },
   };

   if (!is_new && error_ns <= profiled->error_ns &&
       error_ns >= profiled->error_ns / 2)
      return;
   pitot_trace_mark(profiled->profile->trace, 0, begin_ns, "clock", values,
                    is_new ? 3 : 2);
   profiled->error_ns = error_ns;
   profiled->epoch = epoch;
}

/* Orders the spans of a frame, and writes how well their times are known.  No
 * slice begins in the one before: another line of the clock may move times by
 * as much as their error.
 */
static void
order_spans(struct pitot_profiled *profiled, struct pitot_profile_span *first,
            const struct pitot_profile_span *stop)
{
   uint64_t error_ns = 0;
   unsigned epoch = 0;

   for (struct pitot_profile_span *s = first; s != stop; s = s->next) {
      s->begin_ns = later_of(s->begin_ns, profiled->last_ns);
      s->end_ns = later_of(s->end_ns, s->begin_ns);
      profiled->last_ns = s->end_ns;
      error_ns = later_of(error_ns, s->error_ns);
      epoch = s->epoch;
   }
   write_clock(profiled, first->begin_ns, error_ns, epoch);
}

/* Keeps the values of counters that are not what was written last: a track
 * of a counter stays as it is.  All contexts share the tracks, and frames of
 * several are not written in the order of their times: of these all values
 * are kept.
 */
static void
keep_changed(struct pitot_profiled *profiled)
{
   const bool is_known =
      profiled->has_told && profiled->profile->context_count == 1;
   unsigned kept = 0;

   for (unsigned i = 0; i < profiled->value_count; i++) {
      const struct pitot_trace_value value = profiled->values[i];
      const double number = number_of(&value);

      if (!is_known || profiled->told[i] != number)
         profiled->values[kept++] = value;
      profiled->told[i] = number;
   }
   profiled->has_told = true;
   profiled->value_count = kept;
}

/* Writes the counters of a frame that have changed, from its begin on. */
static void
write_counters(struct pitot_profiled *profiled, struct run run,
               uint64_t calls)
{
   const struct pitot_profile_counters *counters = &profiled->counters;

   profiled->values[profiled->value_count++] = (struct pitot_trace_value){
      .name = "GPU time of a frame (ms)",
      .type = PITOT_TRACE_DOUBLE,
      .number = (double)(run.last->end_ns - run.first->begin_ns) / 1e6,
   };
   add_value(profiled, "calls", calls);
   if (counters->has_samples)
      add_value(profiled, "samples passed", profiled->sum_samples);
   for (unsigned i = 0; i < counters->count; i++)
      profiled->values[profiled->value_count++] = (struct pitot_trace_value){
         .name = counters->list[i].counter->name,
         .type = PITOT_TRACE_DOUBLE,
         .number = profiled->sums[i],
      };
   profiled->sum_samples = 0;
   memset(profiled->sums, 0, counters->count * sizeof(profiled->sums[0]));
   keep_changed(profiled);
   pitot_trace_counters(profiled->profile->trace, 0, run.first->begin_ns,
                        profiled->values, profiled->value_count);
   profiled->value_count = 0;
}

/* Writes the slice of a frame.  part is 0 of a whole one. */
static void
write_frame(struct pitot_profiled *profiled, struct run run, uint64_t part)
{
   const uint64_t number = run.first->frame;
   bool is_disjoint = false;
   char name[64];

   if (part)
      snprintf(name, sizeof(name), "frame %" PRIu64 ", part %" PRIu64, number,
               part);
   else
      snprintf(name, sizeof(name), "frame %" PRIu64, number);
   add_value(profiled, "frame", number);
   if (part)
      add_value(profiled, "part", part);
   add_value(profiled, "profile_cpu_ns",
             atomic_exchange(&profiled->cost_ns, 0));
   if (profiled->profile->settings.level == PITOT_PROFILE_LEVEL_FRAME)
      add_measured(profiled, run);
   for (const struct pitot_profile_span *s = run.first; s != run.stop;
        s = s->next)
      is_disjoint |= s->is_disjoint;
   if (is_disjoint)
      add_value(profiled, "disjoint", 1);
   write_gpu(profiled, run, "frame", name, 0);
}

/* Writes all that is known of a frame: the frame as a whole, or a part. */
static void
write_spans(struct pitot_profiled *profiled, struct run run, bool is_whole)
{
   const bool has_parts = profiled->part_frame == run.first->frame;
   uint64_t part = 0, calls = 0;

   if (has_parts || !is_whole) {
      part = has_parts ? profiled->part_count + 1 : 1;
      profiled->part_frame = run.first->frame;
      profiled->part_count = part;
   }
   for (const struct pitot_profile_span *s = run.first; s != run.stop;
        s = s->next) {
      calls += s->calls;
      run.last = s;
   }
   write_frame(profiled, run, part);
   if (profiled->profile->settings.level != PITOT_PROFILE_LEVEL_FRAME)
      write_run(profiled, run, 0);
   write_counters(profiled, run, calls);
   profiled->profile->measured_count += calls;
}

struct pitot_profile_span *
pitot_profile_write_known(struct pitot_profiled *profiled,
                          uint64_t last_frame, bool has_all)
{
   struct pitot_profile_span *first = profiled->known.oldest;

   while (first && (has_all || first->frame <= last_frame)) {
      struct pitot_profile_span *stop = first;

      while (stop && stop->frame == first->frame)
         stop = stop->next;
      order_spans(profiled, first, stop);
      write_spans(profiled, (struct run){ first, stop, NULL },
                  first->frame <= last_frame);
      first = stop;
   }
   pitot_profile_write_losses(profiled->profile);
   pitot_profile_flush(profiled->profile);
   return first;
}

void
pitot_profile_write_losses(struct pitot_profile *profile)
{
   for (unsigned i = PITOT_PROFILE_NO_LOSS + 1; i < PITOT_PROFILE_LOSS_COUNT;
        i++) {
      const uint64_t calls = atomic_exchange(&profile->lost_calls[i], 0);
      const struct pitot_trace_value values[] = {
         { .name = "calls", .u64 = calls },
         { .name = "reason",
           .type = PITOT_TRACE_STRING,
           .string = reasons[i] },
      };

      if (calls == 0)
         continue;
      profile->unmeasured_count += calls;
      pitot_trace_mark(profile->trace, 0, pitot_profile_now_ns(),
                       "not measured", values, 2);
   }
}

/*
 * The CPU
 */

void
pitot_profile_write_call(struct pitot_profiled *profiled,
                         const struct pitot_trace_slice *slice)
{
   struct pitot_trace_slice call = *slice;

   call.track.process = (unsigned)profiled->profile->process;
   call.track.thread = pitot_profile_thread(profiled);
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

unsigned
pitot_profile_thread(struct pitot_profiled *profiled)
{
   static _Thread_local unsigned thread;
   char name[17] = ""; /* prctl(2) */

   if (!thread)
      thread = (unsigned)gettid();
   if (profiled->named_thread == thread)
      return thread;
   profiled->named_thread = thread;
   prctl(PR_GET_NAME, name);
   if (pitot_profile_lock(profiled->profile))
      pitot_trace_name_track(profiled->profile->trace,
                             (struct pitot_trace_track){
                                (unsigned)profiled->profile->process,
                                thread },
                             program_invocation_short_name, name);
   pitot_profile_unlock(profiled->profile);
   return thread;
}
