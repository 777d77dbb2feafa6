/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Turns known spans into slices, frame by frame.  The slices of a context
 * nest on its track, and each is in the file before the slices inside it:
 *
 *    frame > group > ... > pass > call
 *
 * The slice of a frame, of a group, or of a pass with calls lasts from the
 * start of its first span to the end of its last one.  Spans must not
 * overlap, or their slices would not nest.
 */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "profile_priv.h"

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
   [PITOT_PROFILE_TOO_MANY_SPANS] = "too much work in flight",
   [PITOT_PROFILE_QUERY_FAILED] = "a query failed",
   [PITOT_PROFILE_RESULT_LOST] = "the GPU lost the result",
   [PITOT_PROFILE_CLOCK_LOST] = "the GPU's clock cannot be read",
   [PITOT_PROFILE_IN_FLIGHT] = "still in flight at the end",
};

/*
 * Values
 */

static void
add_value(struct pitot_profiled *profiled, const char *name, double number)
{
   profiled->values[profiled->value_count++] =
      (struct pitot_trace_value){ .name = name, .number = number };
}

/* Maximum values of a slice, apart from sums. */
#define PLAIN_VALUES 5

/* Spans that are written together: first to last; stop comes after last. */
struct run {
   const struct pitot_profile_span *first, *stop, *last;
};

/* Indexes of sums: calls of each kind of work, samples, counters. */
#define SAMPLES  PITOT_PROFILE_WORK_COUNT
#define COUNTERS (SAMPLES + 1)

static unsigned
sum_count(const struct pitot_profiled *profiled)
{
   return COUNTERS + profiled->counters.count;
}

static const char *
sum_name(const struct pitot_profiled *profiled, unsigned i)
{
   return i < SAMPLES ? works[i].plural
          : i < COUNTERS
             ? "samples passed"
             : profiled->counters.list[i - COUNTERS].counter->name;
}

static double
sum_of(const struct pitot_profiled *profiled,
       const struct pitot_profile_span *span, unsigned i)
{
   if (i < SAMPLES)
      return span->work_counts[i];
   if (i < COUNTERS)
      return span->samples ? (double)span->samples->result : 0;

   const struct pitot_profile_counter *counter =
      &profiled->counters.list[i - COUNTERS];

   return pitot_profile_counter_value(
      counter->counter, span->perf[counter->set]->portions[0].record);
}

/* Adds the sums of spans to the values of their slice, and to the frame.  A
 * sum of 0 is written only for samples, and for counters that the user chose.
 */
static void
add_measured(struct pitot_profiled *profiled, struct run run)
{
   const bool are_chosen = profiled->profile->settings.counters;

   for (unsigned i = 0; i < sum_count(profiled); i++) {
      double sum = 0;

      for (const struct pitot_profile_span *s = run.first; s != run.stop;
           s = s->next)
         sum += sum_of(profiled, s, i);
      if (sum != 0 || (i == SAMPLES && profiled->counters.has_samples) ||
          (i >= COUNTERS && are_chosen))
         add_value(profiled, sum_name(profiled, i), sum);
      profiled->sums[i].of_frame += sum;
   }
}

int
pitot_profile_begin_sums(struct pitot_profiled *profiled)
{
   profiled->sums = calloc(sum_count(profiled), sizeof(*profiled->sums));
   profiled->values =
      calloc(PLAIN_VALUES + sum_count(profiled), sizeof(*profiled->values));
   return profiled->sums && profiled->values ? 0 : -ENOMEM;
}

/*
 * Slices
 */

static struct pitot_trace_track
gpu_track(const struct pitot_profiled *profiled)
{
   return (struct pitot_trace_track){ .thread = profiled->number };
}

/* Writes the GPU slice of spans, with the values that were added. */
static void
write_gpu(struct pitot_profiled *profiled, struct run run,
          const char *category, const char *name, uint64_t flow)
{
   pitot_trace_slice(profiled->profile->trace,
                     &(struct pitot_trace_slice){
                        .track = gpu_track(profiled),
                        .category = category,
                        .name = name,
                        .begin_ns = run.first->begun.ns,
                        .end_ns = run.last->ended.ns,
                        .flow = flow,
                        .values = profiled->values,
                        .value_count = profiled->value_count,
                     });
   profiled->value_count = 0;
}

/* Writes the slices of a pass or a call, on the CPU and on the GPU. */
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
                     });
   if (is_pass && span->pass->pixels)
      add_value(profiled, "pixels", (double)span->pass->pixels);
   add_measured(profiled, run);
   if (span->is_disjoint)
      add_value(profiled, "disjoint", 1);
   write_gpu(profiled, run, is_pass ? "pass" : works[span->work].category,
             name, span->flow);
}

/* Returns the scope at depth, from this one outward; NULL if too deep. */
static const struct pitot_profile_scope *
scope_at(const struct pitot_profile_scope *scope, unsigned depth)
{
   if (scope->depth < depth)
      return NULL;
   while (scope->depth > depth)
      scope = scope->parent;
   return scope;
}

/* Writes spans, and the slices of their groups and passes from a depth on. */
static void
write_run(struct pitot_profiled *profiled, struct run run, unsigned depth)
{
   const bool has_calls =
      profiled->profile->settings.level == PITOT_PROFILE_LEVEL_DRAW;
   const struct pitot_profile_span *span = run.first;

   while (span != run.stop) {
      const struct pitot_profile_scope *scope = scope_at(span->pass, depth);
      struct run inner = { .first = span };

      if (!scope || (scope == span->pass && !has_calls)) {
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
         add_value(profiled, "pixels", (double)scope->pixels);
      write_gpu(profiled, inner,
                scope == inner.first->pass ? "pass" : "group", scope->name,
                0);
      write_run(profiled, inner, depth + 1);
   }
}

/*
 * Frames
 */

static uint64_t
max_u64(uint64_t a, uint64_t b)
{
   return a > b ? a : b;
}

/* Writes the clock error when it has grown or halved, or an epoch begins. */
static void
write_clock(struct pitot_profiled *profiled, uint64_t begin_ns,
            uint64_t error_ns, unsigned epoch)
{
   const bool is_new = epoch != profiled->epoch;
   const struct pitot_trace_value values[] = {
      { .name = "error_ns", .number = (double)error_ns },
      { .name = "context", .number = profiled->number },
      { .name = "reason",
        .string = epoch == 1 ? "first reading"
                             : "reset, suspend or step of the GPU's clock" },
   };

   if (!is_new && error_ns <= profiled->error_ns &&
       error_ns >= profiled->error_ns / 2)
      return;
   pitot_trace_mark(profiled->profile->trace, begin_ns, "clock", values,
                    is_new ? 3 : 2);
   profiled->error_ns = error_ns;
   profiled->epoch = epoch;
}

/* Writes the value of a counter only if it has changed, because a counter's
 * track keeps its value.  With several contexts, writes every value: they
 * share the tracks, and their frames are not written in the order of time.
 */
static void
write_counter(const struct pitot_profiled *profiled, uint64_t begin_ns,
              const char *name, double number, double *written)
{
   const struct pitot_profile *profile = profiled->profile;
   const struct pitot_trace_value value = { .name = name, .number = number };

   if (!profiled->has_written || profile->context_count > 1 ||
       *written != number)
      pitot_trace_counter(profile->trace, begin_ns, &value);
   *written = number;
}

/* Writes the counters of a frame, at its start. */
static void
write_counters(struct pitot_profiled *profiled, struct run run)
{
   const uint64_t begin_ns = run.first->begun.ns;
   double calls = 0;

   write_counter(profiled, begin_ns, "GPU time of a frame (ms)",
                 (double)(run.last->ended.ns - begin_ns) / 1e6,
                 &profiled->written_time);
   for (unsigned i = 0; i < sum_count(profiled); i++) {
      struct pitot_profile_sum *sum = &profiled->sums[i];

      if (i < SAMPLES)
         calls += sum->of_frame;
      else if (i > SAMPLES || profiled->counters.has_samples)
         write_counter(profiled, begin_ns, sum_name(profiled, i),
                       sum->of_frame, &sum->written);
      sum->of_frame = 0;
   }
   write_counter(profiled, begin_ns, "calls", calls,
                 &profiled->written_calls);
   profiled->has_written = true;
   profiled->profile->measured_count += (uint64_t)calls;
}

/* Writes the slice of a frame; part is 0 for a whole one. */
static void
write_frame(struct pitot_profiled *profiled, struct run run, uint64_t part,
            bool is_disjoint)
{
   const uint64_t number = run.first->frame;
   char name[64], of_part[32] = "";

   if (part)
      snprintf(of_part, sizeof(of_part), ", part %" PRIu64, part);
   snprintf(name, sizeof(name), "frame %" PRIu64 "%s", number, of_part);
   add_value(profiled, "frame", (double)number);
   if (part)
      add_value(profiled, "part", (double)part);
   add_value(profiled, "profile_cpu_ns",
             (double)atomic_exchange(&profiled->cost_ns, 0));
   if (profiled->profile->settings.level == PITOT_PROFILE_LEVEL_FRAME)
      add_measured(profiled, run);
   if (is_disjoint)
      add_value(profiled, "disjoint", 1);
   write_gpu(profiled, run, "frame", name, 0);
}

/* Writes known spans of one frame, which may be a part of it, and the error
 * of their times.  Moves times so that spans do not overlap: with other clock
 * samples, a time may change by as much as its error.
 */
static void
write_spans(struct pitot_profiled *profiled, struct pitot_profile_span *first,
            const struct pitot_profile_span *stop, bool is_whole)
{
   const bool has_parts = profiled->part_frame == first->frame;
   struct run run = { first, stop, first };
   uint64_t error_ns = 0, part = 0;
   bool is_disjoint = false;

   for (struct pitot_profile_span *s = first; s != stop; s = s->next) {
      s->begun.ns = max_u64(s->begun.ns, profiled->last_ns);
      s->ended.ns = max_u64(s->ended.ns, s->begun.ns);
      profiled->last_ns = s->ended.ns;
      error_ns = max_u64(error_ns, s->begun.error_ns);
      error_ns = max_u64(error_ns, s->ended.error_ns);
      is_disjoint |= s->is_disjoint;
      run.last = s;
   }
   if (has_parts || !is_whole) {
      part = has_parts ? profiled->part_count + 1 : 1;
      profiled->part_frame = first->frame;
      profiled->part_count = part;
   }
   write_clock(profiled, first->begun.ns, error_ns, run.last->ended.epoch);
   write_frame(profiled, run, part, is_disjoint);
   if (profiled->profile->settings.level != PITOT_PROFILE_LEVEL_FRAME)
      write_run(profiled, run, 0);
   write_counters(profiled, run);
}

static void
write_losses(struct pitot_profile *profile)
{
   for (unsigned i = PITOT_PROFILE_NO_LOSS + 1; i < PITOT_PROFILE_LOSS_COUNT;
        i++) {
      const uint64_t calls = atomic_exchange(&profile->lost_calls[i], 0);
      const struct pitot_trace_value values[] = {
         { .name = "calls", .number = (double)calls },
         { .name = "reason", .string = reasons[i] },
      };

      if (calls == 0)
         continue;
      profile->unmeasured_count += calls;
      pitot_trace_mark(profile->trace, pitot_profile_now_ns(), "not measured",
                       values, 2);
   }
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
      write_spans(profiled, first, stop, first->frame <= last_frame);
      first = stop;
   }
   write_losses(profiled->profile);
   pitot_profile_flush(profiled->profile);
   return first;
}

/*
 * The CPU
 */

void
pitot_profile_write_call(struct pitot_profiled *profiled,
                         const char *category, const char *name,
                         uint64_t begin_ns, uint64_t end_ns, uint64_t size_B)
{
   const struct pitot_trace_value size = { .name = "size_B",
                                           .number = (double)size_B };
   const struct pitot_trace_slice slice = {
      .track = { (unsigned)profiled->profile->process,
                 pitot_profile_thread(profiled) },
      .category = category,
      .name = name,
      .begin_ns = begin_ns,
      .end_ns = end_ns,
      .values = &size,
      .value_count = size_B > 0,
   };

   if (pitot_profile_lock(profiled->profile))
      pitot_trace_slice(profiled->profile->trace, &slice);
   pthread_mutex_unlock(&profiled->profile->lock);
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
   pthread_mutex_unlock(&profiled->profile->lock);
   return thread;
}
