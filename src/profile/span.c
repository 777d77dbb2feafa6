/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A span is measured by a pair of timestamps, right before and right after
 * its work, and by counters that begin before and end after that pair.
 *
 * The queries of a span are used again for other work.  If a begin or an end
 * fails, the span is lost: its queries may still have results of earlier
 * work.
 */

#include <stdlib.h>
#include <string.h>

#include "profile_priv.h"

/*
 * Queries
 */

/* Creates all queries or none.  Returns false if allocation fails. */
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
   for (unsigned i = 0; i < counters->set_count && has_all; i++) {
      span->perf[i] =
         pitot_perf_query_create(profiled->info.perf, counters->sets[i]);
      has_all = span->perf[i];
   }
   if (has_all)
      return true;
   for (unsigned i = 0; i < counters->set_count && span->perf[i]; i++)
      pitot_perf_query_delete(span->perf[i]);
   for (unsigned i = 0; i < count; i++)
      pitot_query_delete(context, names[i]);
   return false;
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

/* Ends the first set_count sets, the last one first, and the samples. */
static int
end_counters(struct pitot_profiled *profiled, struct pitot_profile_span *span,
             unsigned set_count)
{
   int error = 0;

   while (set_count-- > 0)
      error |= pitot_perf_query_end(span->perf[set_count]);
   if (span->samples)
      error |= pitot_query_end(profiled->info.context,
                               PITOT_KIND_SAMPLES_PASSED, 0);
   return error;
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
                         bool is_begin_shared)
{
   unsigned begun = 0;
   int error = 0;

   if (span->samples)
      error = pitot_query_begin(profiled->info.context, span->samples,
                                PITOT_KIND_SAMPLES_PASSED, 0);
   if (error)
      return error;
   while (!error && begun < profiled->counters.set_count) {
      error = pitot_perf_query_begin(span->perf[begun]);
      begun += !error;
   }
   if (!error && !is_begin_shared)
      error = record_time(profiled, span->begin);
   if (error)
      (void)end_counters(profiled, span, begun);
   span->is_begin_shared = is_begin_shared;
   span->loss = PITOT_PROFILE_NO_LOSS;
   return error;
}

void
pitot_profile_span_end(struct pitot_profiled *profiled,
                       struct pitot_profile_span *span)
{
   const int error = record_time(profiled, span->end);

   if (end_counters(profiled, span, profiled->counters.set_count) || error)
      span->loss = PITOT_PROFILE_QUERY_FAILED;
}

/*
 * Results
 */

/* Waits for the result.  If the begin failed, returns an older one or 0. */
static uint64_t
result_of(struct pitot_profiled *profiled, struct pitot_query *query)
{
   if (query->state == PITOT_STATE_ENDED)
      (void)pitot_query_resolve(profiled->info.context, query, true);
   return query->result;
}

void
pitot_profile_span_wait(struct pitot_profiled *profiled,
                        struct pitot_profile_span *span)
{
   (void)result_of(profiled, span->end);
}

/* Reads a timestamp, which the GPU wrote after the CPU began the span. */
static struct pitot_profile_time
read_time(struct pitot_profiled *profiled,
          const struct pitot_profile_span *span, struct pitot_query *query)
{
   const uint64_t gpu_ns = result_of(profiled, query);
   struct pitot_profile_time time = { .loss = PITOT_PROFILE_RESULT_LOST };

   if (gpu_ns != 0 &&
       !pitot_profile_clock_place(profiled, gpu_ns, span->earliest_ns, &time))
      time.loss = PITOT_PROFILE_CLOCK_LOST;
   return time;
}

static void
lose_span(struct pitot_profile_span *span, enum pitot_profile_loss loss)
{
   if (!span->loss)
      span->loss = loss;
}

void
pitot_profile_span_read(struct pitot_profiled *profiled,
                        struct pitot_profile_span *span)
{
   span->begun = span->is_begin_shared
                    ? profiled->last_end
                    : read_time(profiled, span, span->begin);
   span->ended = read_time(profiled, span, span->end);
   profiled->last_end = span->ended;
   lose_span(span, span->begun.loss);
   lose_span(span, span->ended.loss);
   if (span->samples)
      (void)result_of(profiled, span->samples);
   for (unsigned i = 0; i < profiled->counters.set_count; i++) {
      (void)pitot_perf_query_resolve(span->perf[i], PITOT_PERF_WAIT);
      if (span->perf[i]->is_lost)
         lose_span(span, PITOT_PROFILE_RESULT_LOST);
   }
}
