/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A profiled context: its work becomes spans, which are in flight until a
 * fence behind them is signalled.
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
 * Begin and end
 */

static int
check_time(const struct pitot_profiled *profiled)
{
   if (pitot_counter_bits(profiled->info.context, PITOT_KIND_TIMESTAMP) > 0)
      return 0;
   pitot_profile_refuse(profiled->profile, "this driver has no timestamps");
   return -ENOTSUP;
}

/* Chooses the counters, by default without statistics that are counted one by
 * one.  The first context whose driver lacks one says so, and there is no
 * profile of it.
 */
static int
choose_counters(struct pitot_profiled *profiled)
{
   const struct pitot_profiled_info *info = &profiled->info;
   const char *names = settings_of(profiled)->counters;
   struct pitot_perf *perf =
      info->counts_one_by_one && !names ? NULL : info->perf;
   char why[256], line[512];
   const int error =
      pitot_profile_counters_choose(&profiled->counters, info->context, perf,
                                    names, why, sizeof(why));

   if (error == -EINVAL) {
      snprintf(line, sizeof(line), "PITOT_PROFILE_COUNTERS=%s: %s", names,
               why);
      pitot_profile_refuse(profiled->profile, line);
   }
   return error;
}

static unsigned
max_spans(const struct pitot_profiled *profiled)
{
   const struct pitot_profile_counters *counters = &profiled->counters;
   unsigned query_count = counters->has_samples ? 3 : 2;

   for (unsigned i = 0; i < counters->set_count; i++)
      query_count += profiled->info.counts_one_by_one
                        ? counters->sets[i]->counter_count
                        : 1;

   const unsigned max = PITOT_PROFILE_MAX_QUERIES / query_count;
   return max < PITOT_PROFILE_MAX_SPANS ? max : PITOT_PROFILE_MAX_SPANS;
}

static void
free_profiled(struct pitot_profiled *profiled)
{
   struct pitot_profile_span *span;

   while ((span = pitot_profile_span_take_oldest(&profiled->free)))
      free(span);
   pitot_profile_scope_unref(profiled->group);
   free(profiled->values);
   pitot_profile_counters_finish(&profiled->counters);
   free((char *)profiled->info.device);
   free(profiled);
}

int
pitot_profiled_create(struct pitot_profile *profile,
                      const struct pitot_profiled_info *info,
                      struct pitot_profiled **profiled_out)
{
   struct pitot_profiled *profiled = calloc(1, sizeof(*profiled));
   int error = -ENOMEM;

   if (!profiled)
      return -ENOMEM;
   profiled->profile = profile;
   profiled->info = *info;
   profiled->info.device = strdup(info->device);
   profiled->frame_number = 1;
   if (profiled->info.device)
      error = check_time(profiled);
   if (!error)
      error = choose_counters(profiled);
   if (!error) {
      profiled->values =
         calloc(PITOT_PROFILE_PLAIN_VALUES + profiled->counters.count,
                sizeof(profiled->values[0]));
      error =
         profiled->values ? pitot_profile_add(profile, profiled) : -ENOMEM;
   }
   if (error) {
      free_profiled(profiled);
      return error;
   }
   profiled->max_spans = max_spans(profiled);
   pitot_profile_clock_read(profiled);
   profiled->is_recording = pitot_profile_wants_to_record(profiled);
   *profiled_out = profiled;
   return 0;
}

void
pitot_profiled_destroy(struct pitot_profiled *profiled)
{
   if (!profiled)
      return;
   pitot_profile_end_pass(profiled);
   profiled->frame_number++;
   pitot_profile_read_all(profiled);
   pitot_profile_remove(profiled);
   free_profiled(profiled);
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
      pitot_profile_release_known(profiled, true);
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
pitot_profile_lose(struct pitot_profiled *profiled,
                   enum pitot_profile_loss loss, uint64_t calls)
{
   atomic_fetch_add_explicit(&profiled->profile->lost_calls[loss], calls,
                             memory_order_relaxed);
}

/* Begins a span.  Without an end of another one right before, or where the
 * time of the CPU between two calls would count as the GPU's, its begin is a
 * timestamp of its own.
 */
static void
begin_span(struct pitot_profiled *profiled, enum pitot_profile_work work)
{
   const struct pitot_profiled_info *info = &profiled->info;
   const uint64_t now_ns = pitot_profile_now_ns();
   struct pitot_profile_span *span = take_span(profiled);

   pitot_profile_clock_keep(profiled, now_ns);
   if (!span) {
      profiled->stuck = PITOT_PROFILE_RING_FULL;
      return;
   }
   span->earliest_ns = now_ns;
   span->frame = profiled->frame_number;
   span->pass = pitot_profile_scope_ref(profiled->pass);
   span->work = work;
   span->calls = 0;
   memset(span->work_counts, 0, sizeof(span->work_counts));
   span->flow = atomic_fetch_add_explicit(&profiled->profile->flow, 1,
                                          memory_order_relaxed) +
                1;
   span->thread = pitot_profile_thread(profiled);
   if (pitot_profile_span_begin(profiled, span,
                                info->is_executed_later &&
                                   profiled->is_at_end)) {
      profiled->stuck = PITOT_PROFILE_QUERY_FAILED;
      pitot_profile_span_recycle(profiled, span);
      return;
   }
   span->cpu_begin_ns = pitot_profile_now_ns();
   pitot_profile_add_cost(profiled, now_ns, span->cpu_begin_ns);
   span->name[0] = '\0';
   if (settings_of(profiled)->level == PITOT_PROFILE_LEVEL_DRAW)
      info->describe_work(info->data, work, span->name, sizeof(span->name));
   profiled->open = span;
}

static void
end_span(struct pitot_profiled *profiled)
{
   struct pitot_profile_span *span = profiled->open;

   if (!span)
      return;
   span->cpu_end_ns = pitot_profile_now_ns();
   pitot_profile_span_end(profiled, span);
   profiled->is_at_end = !span->loss;
   profiled->open = NULL;
   profiled->unfenced_count++;
   pitot_profile_span_append(&profiled->in_flight, span);
   atomic_fetch_add_explicit(&profiled->profile->in_flight_calls, span->calls,
                             memory_order_relaxed);
   pitot_profile_add_cost(profiled, span->cpu_end_ns, pitot_profile_now_ns());
}

/*
 * Work
 */

static void
begin_pass(struct pitot_profiled *profiled)
{
   const struct pitot_profiled_info *info = &profiled->info;
   char name[PITOT_PROFILE_NAME_B] = "";

   info->describe_pass(info->data, name, sizeof(name));
   profiled->pass =
      pitot_profile_scope_create(profiled->group, name, strlen(name));
   if (!profiled->pass) {
      profiled->stuck = PITOT_PROFILE_RING_FULL;
      return;
   }
   profiled->pass->is_pass = true;
   if (info->pass_pixels)
      profiled->pass->pixels = info->pass_pixels(info->data);
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
   if (!profiled->open && !profiled->pass && !profiled->stuck &&
       settings_of(profiled)->level != PITOT_PROFILE_LEVEL_FRAME)
      begin_pass(profiled);
   if (!profiled->open && !profiled->stuck)
      begin_span(profiled, work);
   profiled->is_at_end = false;
   if (profiled->open) {
      profiled->open->calls++;
      profiled->open->work_counts[work]++;
   } else {
      pitot_profile_lose(profiled, profiled->stuck, 1);
   }
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
      end_span(profiled);
}

void
pitot_profile_end_pass(struct pitot_profiled *profiled)
{
   end_span(profiled);
   pitot_profile_scope_unref(profiled->pass);
   profiled->pass = NULL;
}

/* At the level frame, a span has all work up to a flush. */
void
pitot_profile_pass_ends(struct pitot_profiled *profiled)
{
   if (profiled->depth == 0 &&
       settings_of(profiled)->level != PITOT_PROFILE_LEVEL_FRAME)
      pitot_profile_end_pass(profiled);
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
