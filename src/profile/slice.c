/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Slices of spans.  The slices of a context nest on its track, and each is in
 * the file before the slices inside it:
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

unsigned
pitot_profile_add_value(struct pitot_profiled *profiled, unsigned count,
                        const char *name, uint64_t value)
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

unsigned
pitot_profile_add_measured(struct pitot_profiled *profiled, unsigned count,
                           const struct pitot_profile_span *span)
{
   const struct pitot_profile_counters *counters = &profiled->counters;

   for (unsigned i = 0; i < PITOT_PROFILE_WORK_COUNT; i++) {
      if (span->work_counts[i])
         count = pitot_profile_add_value(profiled, count, works[i].plural,
                                         span->work_counts[i]);
   }
   profiled->sum_calls += span->calls;
   if (span->is_disjoint)
      count = pitot_profile_add_value(profiled, count, "disjoint", 1);
   if (counters->has_samples) {
      count = pitot_profile_add_value(profiled, count, "samples passed",
                                      span->samples->result);
      profiled->sum_samples += span->samples->result;
   }
   for (unsigned i = 0; i < counters->count; i++) {
      const struct pitot_profile_counter *counter = &counters->list[i];
      const struct pitot_trace_value value =
         pitot_profile_counter_value(counter->counter,
                                     span->perf[counter->set]->record);
      const double number = number_of(&value);

      if (number != 0 || counters->is_chosen)
         profiled->values[count++] = value;
      profiled->sums[i] += number;
   }
   return count;
}

unsigned
pitot_profile_keep_changed(struct pitot_profiled *profiled, unsigned count)
{
   const bool is_known =
      profiled->has_told && profiled->profile->context_count == 1;
   unsigned kept = 0;

   profiled->has_told = true;
   for (unsigned i = 0; i < count; i++) {
      const struct pitot_trace_value value = profiled->values[i];
      const double number = number_of(&value);

      if (!is_known || profiled->told[i] != number)
         profiled->values[kept++] = value;
      profiled->told[i] = number;
   }
   return kept;
}

/*
 * Slices
 */

static struct pitot_trace_track
gpu_track(const struct pitot_profiled *profiled)
{
   return (struct pitot_trace_track){ .thread = profiled->number };
}

void
pitot_profile_write_gpu(struct pitot_profiled *profiled,
                        const struct pitot_profile_span *span,
                        const char *category, const char *name,
                        unsigned value_count)
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
                        .track = { (unsigned)profiled->profile->process,
                                   span->thread },
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
      count = pitot_profile_add_value(profiled, count, "pixels",
                                      span->pass->pixels);
   count = pitot_profile_add_measured(profiled, count, span);
   write_cpu(profiled, span, name);
   pitot_profile_write_gpu(profiled, span,
                           is_pass ? "pass" : works[span->work].category,
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
      count =
         pitot_profile_add_value(profiled, count, "pixels", scope->pixels);
   pitot_profile_write_gpu(profiled, &span, scope->is_pass ? "pass" : "group",
                           scope->name, count);
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

void
pitot_profile_write_run(struct pitot_profiled *profiled,
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
      pitot_profile_write_run(profiled, span, last->next, depth + 1);
      span = last->next;
   }
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

   call.track.process = (unsigned)profiled->profile->process;
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
   const struct pitot_trace_track track = {
      (unsigned)profiled->profile->process, thread
   };
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
