/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Known spans are written frame by frame: in order, and with the sums of the
 * counters.
 */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "profile_priv.h"

static const char *const reasons[PITOT_PROFILE_UNMEASURED_COUNT] = {
   [PITOT_PROFILE_RING_FULL] = "too much work in flight",
   [PITOT_PROFILE_QUERY_FAILED] = "a query failed",
   [PITOT_PROFILE_RESULT_LOST] = "the GPU lost the result",
   [PITOT_PROFILE_CLOCK_LOST] = "the GPU's clock cannot be read",
   [PITOT_PROFILE_IN_FLIGHT] = "still in flight at the end",
};

/*
 * Frames
 */

static uint64_t
later_of(uint64_t a_ns, uint64_t b_ns)
{
   return a_ns > b_ns ? a_ns : b_ns;
}

/* No slice begins in the one before: another line may move times by as much
 * as their error.
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

/* Writes the error of the clock for the times from begin_ns on: if it has
 * grown or halved, and where an epoch begins.
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

/* Orders the known spans, and writes how well their times are known, and
 * those of the frame.
 */
static void
order_known(struct pitot_profiled *profiled,
            const struct pitot_profile_span *frame)
{
   const bool has_frame = frame && !frame->is_lost;
   uint64_t begin_ns =
      has_frame ? later_of(frame->begin_ns, profiled->frame_ns) : UINT64_MAX;
   uint64_t error_ns = has_frame ? frame->error_ns : 0;
   unsigned epoch = has_frame ? frame->epoch : 0;

   for (struct pitot_profile_span *s = profiled->known.oldest; s;
        s = s->next) {
      order_span(profiled, s);
      if (begin_ns > s->begin_ns)
         begin_ns = s->begin_ns;
      if (error_ns < s->error_ns)
         error_ns = s->error_ns;
      if (epoch < s->epoch)
         epoch = s->epoch;
   }
   if (epoch)
      write_clock(profiled, begin_ns, error_ns, epoch);
}

/* Writes the counters of a frame that have changed, from its begin on. */
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
   count =
      pitot_profile_add_value(profiled, count, "calls", profiled->sum_calls);
   if (counters->has_samples)
      count = pitot_profile_add_value(profiled, count, "samples passed",
                                      profiled->sum_samples);
   for (unsigned i = 0; i < counters->count; i++)
      profiled->values[count++] = (struct pitot_trace_value){
         .name = counters->list[i].counter->name,
         .type = PITOT_TRACE_DOUBLE,
         .number = profiled->sums[i],
      };
   count = pitot_profile_keep_changed(profiled, count);
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

/* Writes the slice of a frame.  part is 0 of a whole one. */
static void
write_frame(struct pitot_profiled *profiled,
            const struct pitot_profile_span *frame, uint64_t part)
{
   const uint64_t unmeasured = pitot_profile_write_unmeasured(profiled);
   unsigned count =
      pitot_profile_add_value(profiled, 0, "frame", frame->number);

   if (part)
      count = pitot_profile_add_value(profiled, count, "part", part);
   else if (!frame->is_lost)
      count =
         pitot_profile_add_value(profiled, count, "own_ns", frame->own_ns);
   if (unmeasured)
      count =
         pitot_profile_add_value(profiled, count, "unmeasured", unmeasured);
   count = pitot_profile_add_value(profiled, count, "profile_cpu_ns",
                                   pitot_profile_take_cost(profiled));
   if (frame->has_counters && !frame->is_lost) {
      count = pitot_profile_add_measured(profiled, count, frame);
      profiled->profile->measured_count += frame->calls;
   } else if (frame->is_disjoint) {
      count = pitot_profile_add_value(profiled, count, "disjoint", 1);
   }
   pitot_profile_write_gpu(profiled, frame, "frame", frame->name, count);
}

/* Returns the number of the next part of a frame. */
static uint64_t
next_part(struct pitot_profiled *profiled, uint64_t frame_number)
{
   if (profiled->part_frame != frame_number)
      profiled->part_count = 0;
   profiled->part_frame = frame_number;
   return ++profiled->part_count;
}

static void
name_part(struct pitot_profile_span *frame, uint64_t part)
{
   snprintf(frame->name, sizeof(frame->name),
            "frame %" PRIu64 ", part %" PRIu64, frame->number, part);
}

/* Writes the spans before stop as a part of a frame whose end is not known.
 */
static void
write_part(struct pitot_profiled *profiled,
           const struct pitot_profile_span *first,
           const struct pitot_profile_span *stop)
{
   struct pitot_profile_span frame = {
      .is_frame = true,
      .is_lost = true,
      .number = first->number,
      .begin_ns = first->begin_ns,
   };
   const uint64_t part = next_part(profiled, frame.number);

   for (const struct pitot_profile_span *s = first; s != stop; s = s->next)
      frame.end_ns = s->end_ns;
   profiled->frame_ns = frame.end_ns;
   name_part(&frame, part);
   write_frame(profiled, &frame, part);
   pitot_profile_write_run(profiled, first, stop, 0);
   write_counters(profiled, &frame);
   clear_sums(profiled);
}

/* Writes a frame with the spans from first on, or the last part of it. */
static void
write_whole(struct pitot_profiled *profiled, struct pitot_profile_span *frame,
            const struct pitot_profile_span *first)
{
   const bool has_parts = profiled->part_frame == frame->number;
   const uint64_t part = has_parts ? next_part(profiled, frame->number) : 0;

   order_frame(profiled, frame, first);
   if (part)
      name_part(frame, part);
   write_frame(profiled, frame, part);
   pitot_profile_write_run(profiled, first, NULL, 0);
   write_counters(profiled, frame);
   clear_sums(profiled);
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
   if (frame && profiled->known.oldest != first)
      write_part(profiled, profiled->known.oldest, first);
   if (frame)
      write_whole(profiled, frame, first);
   else if (first)
      write_part(profiled, first, NULL);
   (void)pitot_profile_write_unmeasured(profiled);
   pitot_profile_flush(profiled->profile);
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
