/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A profiled context: its work becomes spans.
 *
 * A span is open while it is measured, then in flight, then known (read)
 * until its frame is written, and then free.  A flight is the spans between
 * two flushes of the application; the first span has the fence of the second
 * flush.  Once that is signaled, all results are available.  To read them
 * earlier would make the program wait: only read_all() does.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile_priv.h"

/* The known spans of a frame are written when it ends.  Of a program that
 * never ends a frame, they are written when they are half of all spans, or
 * when the oldest is this old.
 */
#define KNOWN_NS UINT64_C(2000000000)

/* Shorter CPU calls are skipped, unless the level is draw. */
#define SHORT_CALL_NS 10000

static const struct pitot_profile_settings *
settings_of(const struct pitot_profiled *profiled)
{
   return &profiled->profile->settings;
}

/* An odd number of SIGUSR2 inverts the range of frames. */
static bool
wants_to_record(const struct pitot_profiled *profiled)
{
   const struct pitot_profile_settings *settings = settings_of(profiled);
   const bool is_in_range = profiled->frame_number >= settings->first_frame &&
                            profiled->frame_number <= settings->last_frame;

   return is_in_range != (pitot_profile_toggles() % 2 == 1);
}

/*
 * Groups and passes, whose functions accept NULL
 */

static struct pitot_profile_scope *
ref_scope(struct pitot_profile_scope *scope)
{
   if (scope)
      scope->refs++;
   return scope;
}

static struct pitot_profile_scope *
create_scope(struct pitot_profile_scope *parent, const char *name,
             size_t length)
{
   struct pitot_profile_scope *scope = calloc(1, sizeof(*scope) + length + 1);

   if (!scope)
      return NULL;
   scope->refs = 1;
   scope->parent = ref_scope(parent);
   scope->depth = parent ? parent->depth + 1 : 0;
   if (length)
      memcpy(scope->name, name, length);
   return scope;
}

static void
unref_scope(struct pitot_profile_scope *scope)
{
   while (scope && --scope->refs == 0) {
      struct pitot_profile_scope *parent = scope->parent;

      free(scope);
      scope = parent;
   }
}

/*
 * Lists
 */

static void
append_span(struct pitot_profile_span_list *list,
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

/* Returns NULL if the list is empty. */
static struct pitot_profile_span *
take_oldest(struct pitot_profile_span_list *list)
{
   struct pitot_profile_span *span = list->oldest;

   if (span) {
      list->oldest = span->next;
      list->count--;
   }
   return span;
}

static void
recycle_span(struct pitot_profiled *profiled, struct pitot_profile_span *span)
{
   unref_scope(span->pass);
   span->pass = NULL;
   append_span(&profiled->free, span);
}

/*
 * From results to the trace
 */

/* Returns the last frame of which no span is in flight or can still begin. */
static uint64_t
last_frame(const struct pitot_profiled *profiled)
{
   const struct pitot_profile_span *oldest = profiled->in_flight.oldest;

   return (oldest ? oldest->frame : profiled->frame_number) - 1;
}

/* Writes the known spans of complete frames (or of all), and frees them. */
static void
release_known(struct pitot_profiled *profiled, bool has_all)
{
   const struct pitot_profile_span *stop = NULL;

   if (pitot_profile_lock(profiled->profile))
      stop =
         pitot_profile_write_known(profiled, last_frame(profiled), has_all);
   while (profiled->known.oldest != stop)
      recycle_span(profiled, take_oldest(&profiled->known));
   pthread_mutex_unlock(&profiled->profile->lock);
}

/* Reads the spans of the oldest flight, which then are known.  If the
 * disjoint flag is set, any of their times may be invalid.
 */
static void
take_flight(struct pitot_profiled *profiled)
{
   const struct pitot_profiled_info *info = &profiled->info;
   struct pitot_profile *profile = profiled->profile;
   struct pitot_profile_span *span = profiled->in_flight.oldest;

   if (span->fence)
      info->fence_release(info->data, span->fence);
   span->fence = NULL;
   do {
      pitot_profile_span_read(profiled, span);
      span = span->next;
   } while (span && span != profiled->unfenced && !span->fence);

   const struct pitot_profile_span *stop = span;
   const bool is_disjoint = pitot_disjoint_take(info->context);

   if (is_disjoint)
      pitot_profile_clock_restart(profiled);
   pitot_profile_lock(profile);
   while (profiled->in_flight.oldest != stop) {
      span = take_oldest(&profiled->in_flight);
      profile->in_flight_calls -= span->calls;
      span->is_disjoint = is_disjoint;
      if (span->loss) {
         profile->lost_calls[span->loss] += span->calls;
         recycle_span(profiled, span);
      } else {
         append_span(&profiled->known, span);
      }
   }
   pthread_mutex_unlock(&profile->lock);
}

static bool
is_oldest_done(const struct pitot_profiled *profiled)
{
   const struct pitot_profiled_info *info = &profiled->info;
   const struct pitot_profile_span *oldest = profiled->in_flight.oldest;

   return oldest && oldest->fence &&
          info->fence_is_done(info->data, oldest->fence);
}

/* Reads all spans whose fence is signaled, after a clock sample. */
static void
read_done_spans(struct pitot_profiled *profiled)
{
   const struct pitot_profile_span *known;

   if (is_oldest_done(profiled)) {
      pitot_profile_clock_read(profiled);
      do
         take_flight(profiled);
      while (is_oldest_done(profiled));
   }

   known = profiled->known.oldest;
   if (known) {
      const bool has_all =
         profiled->known.count >= profiled->max_spans / 2 ||
         pitot_profile_now_ns() - known->cpu_end_ns > KNOWN_NS;

      if (has_all || known->frame <= last_frame(profiled))
         release_known(profiled, has_all);
   }
}

/* Waits for all spans in flight and writes them; all frames have ended. */
static void
read_all(struct pitot_profiled *profiled)
{
   for (struct pitot_profile_span *s = profiled->in_flight.oldest; s;
        s = s->next)
      pitot_profile_span_wait(profiled, s);
   pitot_profile_clock_read(profiled);
   while (profiled->in_flight.oldest)
      take_flight(profiled);
   release_known(profiled, false);
}

/*
 * Spans
 */

/* Returns a free span, or NULL.  At the limit, writes the known spans. */
static struct pitot_profile_span *
take_span(struct pitot_profiled *profiled)
{
   struct pitot_profile_span *span;

   if (!profiled->free.oldest &&
       profiled->span_count == profiled->max_spans && profiled->known.oldest)
      release_known(profiled, true);
   span = take_oldest(&profiled->free);
   if (span || profiled->span_count == profiled->max_spans)
      return span;
   span = pitot_profile_span_create(profiled);
   profiled->span_count += span != NULL;
   return span;
}

/* Begins a span.  It begins with the end timestamp of the last span if
 * nothing was sent in between.  But if the driver executes calls immediately,
 * the time of the CPU between two calls would then count as GPU time, so the
 * span gets a timestamp of its own.
 */
static void
begin_span(struct pitot_profiled *profiled, enum pitot_profile_work work)
{
   const struct pitot_profiled_info *info = &profiled->info;
   const uint64_t now_ns = pitot_profile_now_ns();
   struct pitot_profile_span *span = take_span(profiled);

   pitot_profile_clock_keep(profiled, now_ns);
   if (!span) {
      profiled->stuck = PITOT_PROFILE_TOO_MANY_SPANS;
      return;
   }
   span->earliest_ns = now_ns;
   span->frame = profiled->frame_number;
   span->pass = ref_scope(profiled->pass);
   span->work = work;
   span->calls = 0;
   memset(span->work_counts, 0, sizeof(span->work_counts));
   span->flow = ++profiled->profile->flow;
   span->thread = pitot_profile_thread(profiled);
   if (pitot_profile_span_begin(profiled, span,
                                info->is_executed_later &&
                                   profiled->is_at_end)) {
      profiled->stuck = PITOT_PROFILE_QUERY_FAILED;
      recycle_span(profiled, span);
      return;
   }
   span->cpu_begin_ns = pitot_profile_now_ns();
   profiled->cost_ns += span->cpu_begin_ns - now_ns;
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
   if (profiled->unfenced_count++ == 0)
      profiled->unfenced = span;
   append_span(&profiled->in_flight, span);
   profiled->profile->in_flight_calls += span->calls;
   profiled->cost_ns += pitot_profile_now_ns() - span->cpu_end_ns;
}

static void
end_pass(struct pitot_profiled *profiled)
{
   end_span(profiled);
   unref_scope(profiled->pass);
   profiled->pass = NULL;
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
   profiled->pass = create_scope(profiled->group, name, strlen(name));
   if (!profiled->pass) {
      profiled->stuck = PITOT_PROFILE_TOO_MANY_SPANS;
      return;
   }
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
      profiled->profile->lost_calls[profiled->stuck] += 1;
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

/* At the level frame, only a flush ends a span. */
void
pitot_profile_pass_ends(struct pitot_profiled *profiled)
{
   if (profiled->depth == 0 &&
       settings_of(profiled)->level != PITOT_PROFILE_LEVEL_FRAME)
      end_pass(profiled);
}

/* If allocation fails, only counts the group and the groups inside it, so
 * that their pops do not pop other groups.
 */
void
pitot_profile_push_group(struct pitot_profiled *profiled, const char *label,
                         size_t length)
{
   struct pitot_profile_scope *outer = profiled->group;

   pitot_profile_pass_ends(profiled);
   if (profiled->lost_group_count == 0)
      profiled->group = create_scope(outer, label, length);
   if (profiled->lost_group_count || !profiled->group) {
      profiled->group = outer;
      profiled->lost_group_count++;
   } else {
      unref_scope(outer);
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
      profiled->group = ref_scope(group->parent);
      unref_scope(group);
   }
}

/*
 * Flushes
 */

static void
end_frame(struct pitot_profiled *profiled)
{
   profiled->frame_number++;
   profiled->has_work = false;
}

void
pitot_profile_before_flush(struct pitot_profiled *profiled,
                           bool is_end_of_frame)
{
   if (profiled->depth)
      return;
   profiled->is_end_of_frame = is_end_of_frame && profiled->has_work;
   end_pass(profiled);
   profiled->flush_begin_ns = pitot_profile_now_ns();
   if (profiled->is_end_of_frame)
      end_frame(profiled);
}

void
pitot_profile_frame_ends(struct pitot_profiled *profiled)
{
   if (profiled->depth || !profiled->has_work)
      return;
   end_pass(profiled);
   end_frame(profiled);
   profiled->is_recording = wants_to_record(profiled);
}

bool
pitot_profile_wants_fence(const struct pitot_profiled *profiled)
{
   return profiled->unfenced_count >= profiled->max_spans / 4;
}

void
pitot_profile_flushed(struct pitot_profiled *profiled, void *fence)
{
   const uint64_t end_ns = pitot_profile_now_ns();

   if (fence && !profiled->depth && profiled->unfenced) {
      profiled->unfenced->fence = fence;
      profiled->unfenced = NULL;
      profiled->unfenced_count = 0;
   } else if (fence) {
      profiled->info.fence_release(profiled->info.data, fence);
   }
   if (profiled->depth)
      return;
   profiled->is_at_end = false;
   if (profiled->is_recording)
      pitot_profile_write_call(profiled, "call",
                               profiled->is_end_of_frame ? "end of frame"
                                                         : "flush",
                               profiled->flush_begin_ns, end_ns, 0);
   read_done_spans(profiled);
   pitot_profile_clock_keep(profiled, end_ns);
   profiled->is_recording = wants_to_record(profiled);
   profiled->stuck = PITOT_PROFILE_NO_LOSS;
   profiled->cost_ns += pitot_profile_now_ns() - end_ns;
}

void
pitot_profile_waited(struct pitot_profiled *profiled)
{
   const uint64_t begin_ns = pitot_profile_now_ns();

   if (profiled->depth)
      return;
   read_done_spans(profiled);
   profiled->cost_ns += pitot_profile_now_ns() - begin_ns;
}

/*
 * CPU calls
 */

/* If a call flushes, a pass ends during the call.  On the CPU, ends that pass
 * before the call, because slices of a thread must nest.
 */
static void
end_before(struct pitot_profiled *profiled, uint64_t begin_ns)
{
   struct pitot_profile_span *span = profiled->in_flight.newest;

   if (profiled->in_flight.oldest && span->cpu_begin_ns <= begin_ns &&
       span->cpu_end_ns > begin_ns)
      span->cpu_end_ns = begin_ns;
}

void
pitot_profile_cpu_call(struct pitot_profiled *profiled, const char *category,
                       const char *name, uint64_t begin_ns, uint64_t end_ns,
                       uint64_t size_B)
{
   if (profiled->depth || !profiled->is_recording)
      return;
   profiled->is_at_end = false;
   pitot_profile_clock_keep(profiled, end_ns);
   end_before(profiled, begin_ns);
   if (end_ns - begin_ns >= SHORT_CALL_NS ||
       settings_of(profiled)->level == PITOT_PROFILE_LEVEL_DRAW)
      pitot_profile_write_call(profiled, category, name, begin_ns, end_ns,
                               size_B);
}

/*
 * Creation and destruction
 */

/* Chooses the counters.  Statistics that need a query each are not among the
 * default ones.  If the driver lacks a counter, its context is not profiled,
 * and the first such context prints the reason.
 */
static int
choose_counters(struct pitot_profiled *profiled)
{
   const struct pitot_profiled_info *info = &profiled->info;
   const char *names = settings_of(profiled)->counters;
   struct pitot_perf *perf =
      info->counts_one_by_one && !names ? NULL : info->perf;
   char line[512];
   const int error =
      pitot_profile_counters_choose(&profiled->counters, info->context, perf,
                                    names);

   if (error == -EINVAL) {
      snprintf(line, sizeof(line), "PITOT_PROFILE_COUNTERS=%s: %s", names,
               profiled->counters.why);
      pitot_profile_print_reason(profiled->profile, line);
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

   while ((span = take_oldest(&profiled->free)))
      free(span);
   unref_scope(profiled->group);
   free(profiled->sums);
   free(profiled->values);
   free(profiled->counters.list);
   free((char *)profiled->info.device);
   free(profiled);
}

int
pitot_profiled_create(struct pitot_profile *profile,
                      const struct pitot_profiled_info *info,
                      struct pitot_profiled **profiled_out)
{
   struct pitot_profiled *profiled;
   int error = -ENOMEM;

   if (pitot_counter_bits(info->context, PITOT_KIND_TIMESTAMP) == 0) {
      pitot_profile_print_reason(profile, "this driver has no timestamps");
      return -ENOTSUP;
   }
   profiled = calloc(1, sizeof(*profiled));
   if (!profiled)
      return -ENOMEM;
   profiled->profile = profile;
   profiled->info = *info;
   profiled->info.device = strdup(info->device);
   profiled->frame_number = 1;
   if (profiled->info.device)
      error = choose_counters(profiled);
   if (!error)
      error = pitot_profile_begin_sums(profiled);
   if (!error)
      error = pitot_profile_add(profile, profiled);
   if (error) {
      free_profiled(profiled);
      return error;
   }
   profiled->max_spans = max_spans(profiled);
   pitot_profile_clock_read(profiled);
   profiled->is_recording = wants_to_record(profiled);
   *profiled_out = profiled;
   return 0;
}

void
pitot_profiled_destroy(struct pitot_profiled *profiled)
{
   if (!profiled)
      return;
   end_pass(profiled);
   profiled->frame_number++;
   read_all(profiled);
   pitot_profile_remove(profiled);
   free_profiled(profiled);
}
