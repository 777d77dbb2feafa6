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

/* Returns false without memory, and leaves none. */
static bool
create_perf_queries(struct pitot_profiled *profiled,
                    struct pitot_profile_span *span)
{
   struct pitot_perf *perf = profiled->info.perf;

   for (unsigned i = 0; i < profiled->counters.set_count; i++) {
      span->perf[i] =
         pitot_perf_query_create(perf, profiled->counters.sets[i]);
      if (span->perf[i])
         continue;
      while (i-- > 0)
         pitot_perf_query_delete(perf, span->perf[i]);
      return false;
   }
   return true;
}

/* Returns false without memory, and leaves none. */
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
   bool has_all = true;

   if (pitot_names_generate(context, count, names))
      return false;
   for (unsigned i = 0; i < count && has_all; i++)
      has_all = pitot_query_obtain(context, names[i], queries[i]) == 0;
   has_all = has_all && create_perf_queries(profiled, span);
   for (unsigned i = 0; i < count && !has_all; i++)
      pitot_query_delete(context, names[i]);
   return has_all;
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
                         struct pitot_profile_span *span,
                         enum pitot_profile_stamp begin_stamp)
{
   int error = 0;

   span->begun_set_count = 0;
   span->has_samples_begun = false;
   span->has_begun = span->has_end = false;
   span->is_begin_known = span->is_begin_fenced = false;
   span->is_lost = false;
   span->begun_frame = NULL;
   span->begin_stamp = begin_stamp;
   if (span->has_counters)
      error = begin_counters(profiled, span);
   if (!error && begin_stamp == PITOT_PROFILE_STAMP_OWN)
      error = record_time(profiled, span->begin);
   if (error)
      (void)end_counters(profiled, span);
   return error;
}

void
pitot_profile_span_record_begin(struct pitot_profiled *profiled,
                                struct pitot_profile_span *frame)
{
   frame->begin_stamp = PITOT_PROFILE_STAMP_OWN;
   if (record_time(profiled, frame->begin))
      lose(frame, PITOT_PROFILE_QUERY_FAILED);
}

void
pitot_profile_span_record_end(struct pitot_profiled *profiled,
                              struct pitot_profile_span *span)
{
   const bool is_shared = span->is_frame && profiled->is_at_end;

   span->end_stamp =
      is_shared ? PITOT_PROFILE_STAMP_LAST_END : PITOT_PROFILE_STAMP_OWN;
   span->has_end = is_shared || record_time(profiled, span->end) == 0;
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

/* Returns a timestamp, which was not recorded before the span. */
static struct pitot_profile_time
read_time(struct pitot_profiled *profiled,
          const struct pitot_profile_span *span, struct pitot_query *query)
{
   const uint64_t gpu_ns = result_of(profiled, query);
   struct pitot_profile_time time = { 0 };

   if (gpu_ns == 0) {
      time.is_lost = true;
      time.lost_reason = PITOT_PROFILE_RESULT_LOST;
   } else if (!pitot_profile_clock_place(profiled, gpu_ns, span->earliest_ns,
                                         &time)) {
      time.is_lost = true;
      time.lost_reason = PITOT_PROFILE_CLOCK_LOST;
   }
   time.gpu_ns = gpu_ns;
   return time;
}

/* Returns a time of the span by the CPU's clock, or loses the span. */
static uint64_t
take_time(struct pitot_profile_span *span,
          const struct pitot_profile_time *time)
{
   if (time->is_lost) {
      lose(span, time->lost_reason);
      return 0;
   }
   if (span->error_ns < time->error_ns)
      span->error_ns = time->error_ns;
   span->epoch = time->epoch;
   return time->ns;
}

static void
take_begin(struct pitot_profile_span *span,
           const struct pitot_profile_time *time)
{
   span->is_begin_known = true;
   span->error_ns = 0;
   span->begin_gpu_ns = time->gpu_ns;
   span->begin_ns = take_time(span, time);
}

void
pitot_profile_span_read_begin(struct pitot_profiled *profiled,
                              struct pitot_profile_span *span)
{
   if (span->is_begin_known ||
       span->begin_stamp == PITOT_PROFILE_STAMP_FIRST_BEGIN)
      return;

   const struct pitot_profile_time time =
      span->begin_stamp == PITOT_PROFILE_STAMP_OWN
         ? read_time(profiled, span, span->begin)
         : profiled->read_end;

   take_begin(span, &time);
   if (span->begun_frame)
      take_begin(span->begun_frame, &time);
}

void
pitot_profile_span_wait(struct pitot_profiled *profiled,
                        struct pitot_profile_span *span)
{
   if (span->end_stamp == PITOT_PROFILE_STAMP_OWN)
      (void)result_of(profiled, span->end);
}

void
pitot_profile_span_read(struct pitot_profiled *profiled,
                        struct pitot_profile_span *span)
{
   pitot_profile_span_read_begin(profiled, span);
   if (span->end_stamp == PITOT_PROFILE_STAMP_OWN)
      profiled->read_end = read_time(profiled, span, span->end);
   span->end_ns = take_time(span, &profiled->read_end);
   span->own_ns = profiled->read_end.gpu_ns - span->begin_gpu_ns;
   if (span->has_samples_begun)
      (void)result_of(profiled, span->samples);
   for (unsigned i = 0; i < span->begun_set_count; i++) {
      (void)pitot_perf_query_resolve(span->perf[i], PITOT_PERF_WAIT);
      if (span->perf[i]->is_lost)
         lose(span, PITOT_PROFILE_RESULT_LOST);
   }
}
