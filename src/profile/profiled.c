/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A profiled context: work becomes spans, which are in flight until a fence
 * behind them is signalled.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile_priv.h"

static const struct pitot_profile_settings *
settings_of(const struct pitot_profiled *profiled)
{
   return &profiled->profile->settings;
}

/*
 * Spans
 */

void
pitot_profile_span_recycle(struct pitot_profiled *profiled,
                           struct pitot_profile_span *span)
{
   pitot_profile_scope_unref(span->pass);
   span->pass = NULL;
   pitot_profile_span_append(&profiled->free, span);
}

/* Returns a span that is free, or NULL. */
static struct pitot_profile_span *
take_span(struct pitot_profiled *profiled)
{
   struct pitot_profile_span *span;

   if (!profiled->free.oldest &&
       profiled->span_count == profiled->max_spans && profiled->known.oldest)
      pitot_profile_release_known(profiled, NULL);
   span = pitot_profile_span_take_oldest(&profiled->free);
   if (span || profiled->span_count == profiled->max_spans)
      return span;
   span = pitot_profile_span_create(profiled);
   profiled->span_count += span != NULL;
   return span;
}

void
pitot_profile_add_cost(struct pitot_profiled *profiled, uint64_t begin_ns,
                       uint64_t end_ns)
{
   atomic_fetch_add_explicit(&profiled->cost_ns, end_ns - begin_ns,
                             memory_order_relaxed);
}

void
pitot_profile_count_unmeasured(struct pitot_profiled *profiled,
                               enum pitot_profile_unmeasured reason,
                               uint64_t calls)
{
   atomic_fetch_add_explicit(&profiled->unmeasured[reason], calls,
                             memory_order_relaxed);
}

/* Returns a span that has begun, or NULL, and why it could not. */
static struct pitot_profile_span *
begin_span(struct pitot_profiled *profiled, bool is_frame,
           enum pitot_profile_stamp begin_stamp)
{
   const uint64_t now_ns = pitot_profile_now_ns();
   struct pitot_profile_span *span = take_span(profiled);

   pitot_profile_clock_keep(profiled, now_ns);
   profiled->stuck_reason = PITOT_PROFILE_RING_FULL;
   if (!span)
      return NULL;
   span->is_frame = is_frame;
   span->has_counters =
      !is_frame || settings_of(profiled)->level == PITOT_PROFILE_LEVEL_FRAME;
   span->earliest_ns = now_ns;
   span->number = profiled->frame_number;
   span->calls = 0;
   memset(span->work_counts, 0, sizeof(span->work_counts));
   span->flow = pitot_profile_next_flow(profiled->profile);
   span->thread = pitot_profile_thread();
   pitot_profile_name_thread(profiled, span->thread);
   if (pitot_profile_span_begin(profiled, span, begin_stamp)) {
      profiled->stuck_reason = PITOT_PROFILE_QUERY_FAILED;
      pitot_profile_span_recycle(profiled, span);
      return NULL;
   }
   span->cpu_begin_ns = pitot_profile_now_ns();
   pitot_profile_add_cost(profiled, now_ns, span->cpu_begin_ns);
   return span;
}

static void
end_span(struct pitot_profiled *profiled, struct pitot_profile_span *span)
{
   span->cpu_end_ns = pitot_profile_now_ns();
   pitot_profile_span_end(profiled, span);
   profiled->is_at_end = !span->is_frame && span->has_end;
   span->order = ++profiled->last_order;
   pitot_profile_span_append(&profiled->in_flight, span);
   atomic_fetch_add_explicit(&profiled->in_flight_calls, span->calls,
                             memory_order_relaxed);
   pitot_profile_add_cost(profiled, span->cpu_end_ns, pitot_profile_now_ns());
}

/*
 * Work
 */

/* A frame that cannot begin with its first work does not begin later. */
static void
begin_frame(struct pitot_profiled *profiled)
{
   const enum pitot_profile_stamp stamp =
      settings_of(profiled)->level == PITOT_PROFILE_LEVEL_FRAME
         ? PITOT_PROFILE_STAMP_OWN
         : PITOT_PROFILE_STAMP_FIRST_BEGIN;
   struct pitot_profile_span *frame = begin_span(profiled, true, stamp);

   profiled->is_in_frame = true;
   if (!frame)
      return;
   snprintf(frame->name, sizeof(frame->name), "frame %llu",
            (unsigned long long)frame->number);
   profiled->frame = frame;
   if (frame->has_counters)
      profiled->open = frame;
}

static void
begin_pass(struct pitot_profiled *profiled)
{
   const struct pitot_profiled_info *info = &profiled->info;
   char name[PITOT_PROFILE_NAME_B] = "";

   info->describe_pass(info->data, name, sizeof(name));
   profiled->pass =
      pitot_profile_scope_create(profiled->group, name, strlen(name));
   profiled->stuck_reason = PITOT_PROFILE_RING_FULL;
   if (!profiled->pass)
      return;
   profiled->pass->is_pass = true;
   if (info->pass_pixels)
      profiled->pass->pixels = info->pass_pixels(info->data);
}

/* The frame begins with the span, or, if that is NULL, by itself. */
static void
begin_frame_with(struct pitot_profiled *profiled,
                 struct pitot_profile_span *span)
{
   struct pitot_profile_span *frame = profiled->frame;

   if (!frame || frame->begin_stamp == PITOT_PROFILE_STAMP_OWN ||
       frame->has_begun)
      return;
   frame->has_begun = true;
   if (span)
      span->begun_frame = frame;
   else
      pitot_profile_span_record_begin(profiled, frame);
}

/* Begins the span of a pass or a call.  Without an end of another one right
 * before, or where the time of the CPU between two calls would count as the
 * GPU's, its begin is a timestamp of its own.
 */
static void
begin_open(struct pitot_profiled *profiled, enum pitot_profile_work work)
{
   const struct pitot_profiled_info *info = &profiled->info;
   const enum pitot_profile_stamp stamp =
      info->is_executed_later && profiled->is_at_end
         ? PITOT_PROFILE_STAMP_LAST_END
         : PITOT_PROFILE_STAMP_OWN;
   struct pitot_profile_span *span = begin_span(profiled, false, stamp);

   if (!span)
      return;
   span->pass = pitot_profile_scope_ref(profiled->pass);
   span->work = work;
   span->name[0] = '\0';
   if (settings_of(profiled)->level == PITOT_PROFILE_LEVEL_DRAW)
      info->describe_work(info->data, work, span->name, sizeof(span->name));
   profiled->open = span;
}

/* Begins all that is to begin before the work. */
static void
begin_work(struct pitot_profiled *profiled, enum pitot_profile_work work)
{
   if (!profiled->is_in_frame)
      begin_frame(profiled);
   if (settings_of(profiled)->level != PITOT_PROFILE_LEVEL_FRAME) {
      if (!profiled->pass)
         begin_pass(profiled);
      if (profiled->pass)
         begin_open(profiled, work);
      begin_frame_with(profiled, profiled->open);
   }
   profiled->is_stuck = !profiled->open;
}

void
pitot_profile_before_work(struct pitot_profiled *profiled,
                          enum pitot_profile_work work)
{
   if (profiled->depth++)
      return;
   profiled->has_work = true;
   if (!profiled->is_recording)
      return;
   if (profiled->frame)
      profiled->frame->has_end = false;
   if (!profiled->open && !profiled->is_stuck)
      begin_work(profiled, work);
   profiled->is_at_end = false;
   if (profiled->open) {
      profiled->open->calls++;
      profiled->open->work_counts[work]++;
   } else {
      pitot_profile_count_unmeasured(profiled, profiled->stuck_reason, 1);
   }
}

/* Ends the span of a pass or a call. */
static void
end_open(struct pitot_profiled *profiled)
{
   if (!profiled->open || profiled->open == profiled->frame)
      return;
   end_span(profiled, profiled->open);
   profiled->open = NULL;
}

void
pitot_profile_end_frame(struct pitot_profiled *profiled)
{
   if (profiled->frame)
      end_span(profiled, profiled->frame);
   profiled->frame = NULL;
   profiled->open = NULL;
   profiled->is_at_end = profiled->is_in_frame = false;
}

void
pitot_profile_may_send(struct pitot_profiled *profiled)
{
   profiled->is_at_end = false;
}

void
pitot_profile_after_work(struct pitot_profiled *profiled)
{
   if (--profiled->depth == 0 &&
       settings_of(profiled)->level == PITOT_PROFILE_LEVEL_DRAW)
      end_open(profiled);
}

void
pitot_profile_pass_ends(struct pitot_profiled *profiled)
{
   if (profiled->depth)
      return;
   end_open(profiled);
   pitot_profile_scope_unref(profiled->pass);
   profiled->pass = NULL;
}

/* A group for which there is no memory is not in the trace, but counted, so
 * that its end ends no other one.
 */
void
pitot_profile_push_group(struct pitot_profiled *profiled, const char *label,
                         size_t length)
{
   struct pitot_profile_scope *outer = profiled->group;

   pitot_profile_pass_ends(profiled);
   if (profiled->lost_group_count == 0)
      profiled->group = pitot_profile_scope_create(outer, label, length);
   if (profiled->lost_group_count || !profiled->group) {
      profiled->group = outer;
      profiled->lost_group_count++;
   } else {
      pitot_profile_scope_unref(outer);
   }
}

void
pitot_profile_pop_group(struct pitot_profiled *profiled)
{
   struct pitot_profile_scope *group = profiled->group;

   pitot_profile_pass_ends(profiled);
   if (profiled->lost_group_count) {
      profiled->lost_group_count--;
   } else if (group) {
      profiled->group = pitot_profile_scope_ref(group->parent);
      pitot_profile_scope_unref(group);
   }
}
