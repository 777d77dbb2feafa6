/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A span is measured by a pair of timestamps, right before and right after
 * its work, and by counters around these.
 */

#include <stdlib.h>

#include "profile_priv.h"

void
pitot_profile_span_append(struct pitot_profile_span_list *list,
                          struct pitot_profile_span *span)
{
   span->next = NULL;
   if (list->oldest)
      list->newest->next = span;
   else
      list->oldest = span;
   list->newest = span;
   list->count++;
}

struct pitot_profile_span *
pitot_profile_span_take_oldest(struct pitot_profile_span_list *list)
{
   struct pitot_profile_span *span = list->oldest;

   if (span) {
      list->oldest = span->next;
      list->count--;
   }
   return span;
}

/* Queries that were created stay, for the next span or the context's end. */
static bool
create_queries(struct pitot_profiled *profiled,
               struct pitot_profile_span *span)
{
   const struct pitot_profile_counters *counters = &profiled->counters;
   struct pitot_context *context = profiled->info.context;
   struct pitot_query **queries[] = { &span->begin, &span->end,
                                      &span->samples };
   const unsigned count = counters->has_samples ? 3 : 2;
   uint32_t names[3];

   if (pitot_names_generate(context, count, names))
      return false;
   for (unsigned i = 0; i < count; i++) {
      if (pitot_query_obtain(context, names[i], queries[i]))
         return false;
   }
   for (unsigned i = 0; i < counters->set_count; i++) {
      span->perf[i] =
         pitot_perf_query_create(profiled->info.perf, counters->sets[i]);
      if (!span->perf[i])
         return false;
   }
   return true;
}

struct pitot_profile_span *
pitot_profile_span_create(struct pitot_profiled *profiled)
{
   struct pitot_profile_span *span = calloc(1, sizeof(*span));

   if (span && !create_queries(profiled, span)) {
      free(span);
      return NULL;
   }
   return span;
}

static int
begin_counters(struct pitot_profiled *profiled,
               struct pitot_profile_span *span)
{
   if (span->samples) {
      const int error =
         pitot_query_begin(profiled->info.context, span->samples,
                           PITOT_KIND_SAMPLES_PASSED, 0);
      if (error)
         return error;
      span->has_samples_begun = true;
   }
   for (unsigned i = 0; i < profiled->counters.set_count; i++) {
      const int error =
         pitot_perf_query_begin(profiled->info.perf, span->perf[i]);
      if (error)
         return error;
      span->begun_set_count++;
   }
   return 0;
}

/* Ends those that were begun, the latest first. */
static int
end_counters(struct pitot_profiled *profiled, struct pitot_profile_span *span)
{
   int error = 0;

   for (unsigned i = span->begun_set_count; i-- > 0;)
      error |= pitot_perf_query_end(span->perf[i]);
   if (span->has_samples_begun)
      error |= pitot_query_end(profiled->info.context,
                               PITOT_KIND_SAMPLES_PASSED, 0);
   return error;
}

static void
lose(struct pitot_profile_span *span, enum pitot_profile_unmeasured reason)
{
   if (span->is_lost)
      return;
   span->is_lost = true;
   span->lost_reason = reason;
}

static int
record_time(struct pitot_profiled *profiled, struct pitot_query *query)
{
   return pitot_query_begin(profiled->info.context, query,
                            PITOT_KIND_TIMESTAMP, 0);
}

int
pitot_profile_span_begin(struct pitot_profiled *profiled,
                         struct pitot_profile_span *span)
{
   int error = 0;

   span->begun_set_count = 0;
   span->has_samples_begun = false;
   span->has_end = span->is_begin_known = span->is_begin_fenced = false;
   span->is_lost = false;
   if (span->has_counters)
      error = begin_counters(profiled, span);
   if (!error)
      error = record_time(profiled, span->begin);
   if (error)
      (void)end_counters(profiled, span);
   return error;
}

void
pitot_profile_span_record_end(struct pitot_profiled *profiled,
                              struct pitot_profile_span *span)
{
   span->has_end = record_time(profiled, span->end) == 0;
}

void
pitot_profile_span_end(struct pitot_profiled *profiled,
                       struct pitot_profile_span *span)
{
   if (!span->has_end)
      pitot_profile_span_record_end(profiled, span);
   if (end_counters(profiled, span) || !span->has_end)
      lose(span, PITOT_PROFILE_QUERY_FAILED);
}

/* A query whose begin failed still has an earlier result, or none. */
static uint64_t
result_of(struct pitot_profiled *profiled, struct pitot_query *query)
{
   if (query->state == PITOT_STATE_ENDED)
      (void)pitot_query_resolve(profiled->info.context, query, true);
   return query->result;
}

/* Returns a time by the CPU's clock, or loses the span. */
static uint64_t
convert(struct pitot_profiled *profiled, struct pitot_profile_span *span,
        uint64_t gpu_ns)
{
   struct pitot_cpu_time time;

   if (gpu_ns == 0) {
      lose(span, PITOT_PROFILE_RESULT_LOST);
      return 0;
   }
   if (!pitot_profile_clock_convert(profiled, gpu_ns, span->earliest_ns,
                                    &time)) {
      lose(span, PITOT_PROFILE_CLOCK_LOST);
      return 0;
   }
   if (span->error_ns < time.error_ns)
      span->error_ns = time.error_ns;
   span->fit = time.fit;
   return time.ns;
}

void
pitot_profile_span_read_begin(struct pitot_profiled *profiled,
                              struct pitot_profile_span *span)
{
   if (span->is_begin_known)
      return;
   span->is_begin_known = true;
   span->error_ns = 0;
   span->begin_ns = convert(profiled, span, result_of(profiled, span->begin));
}

void
pitot_profile_span_wait(struct pitot_profiled *profiled,
                        struct pitot_profile_span *span)
{
   (void)result_of(profiled, span->end);
}

void
pitot_profile_span_read(struct pitot_profiled *profiled,
                        struct pitot_profile_span *span)
{
   pitot_profile_span_read_begin(profiled, span);
   span->end_ns = convert(profiled, span, result_of(profiled, span->end));
   span->own_ns = span->end->result - span->begin->result;
   if (span->has_samples_begun)
      (void)result_of(profiled, span->samples);
   for (unsigned i = 0; i < span->begun_set_count; i++) {
      (void)pitot_perf_query_resolve(span->perf[i], PITOT_PERF_WAIT);
      if (span->perf[i]->is_lost)
         lose(span, PITOT_PROFILE_RESULT_LOST);
   }
}
