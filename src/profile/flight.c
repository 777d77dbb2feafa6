/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A flight is the spans between two flushes of the application's.  Once the
 * fence of the flush is signalled, their results are available.
 */

#include "profile_priv.h"

/* The known spans of a frame are written when it ends; but those of a program
 * that never ends a frame when they are half of all, or after so long.
 */
#define KNOWN_NS UINT64_C(2000000000)

/* Shorter calls of the CPU's are left out, unless the level is draw. */
#define SHORT_CALL_NS 10000

/*
 * From results to the trace
 */

/* A frame is over if no span of it is in flight, or can be begun. */
static uint64_t
last_frame(const struct pitot_profiled *profiled)
{
   const struct pitot_profile_span *oldest = profiled->in_flight.oldest;

   return (oldest ? oldest->frame : profiled->frame_number) - 1;
}

void
pitot_profile_release_known(struct pitot_profiled *profiled, bool has_all)
{
   const struct pitot_profile_span *stop = NULL;

   if (pitot_profile_lock(profiled->profile))
      stop =
         pitot_profile_write_known(profiled, last_frame(profiled), has_all);
   while (profiled->known.oldest != stop)
      pitot_profile_span_recycle(profiled, pitot_profile_span_take_oldest(
                                              &profiled->known));
   pitot_profile_unlock(profiled->profile);
}

/* Keeps spans that were read until their frame ends.  A time may be worthless
 * if any of theirs is.
 */
static void
settle_spans(struct pitot_profiled *profiled,
             struct pitot_profile_span_list *read)
{
   const bool is_disjoint = pitot_disjoint_take(profiled->info.context);
   struct pitot_profile_span *span;

   if (is_disjoint)
      pitot_profile_clock_restart(profiled);
   pitot_profile_lock(profiled->profile);
   while ((span = pitot_profile_span_take_oldest(read))) {
      atomic_fetch_sub_explicit(&profiled->profile->in_flight_calls,
                                span->calls, memory_order_relaxed);
      span->is_disjoint = is_disjoint;
      if (span->loss) {
         pitot_profile_lose(profiled, span->loss, span->calls);
         pitot_profile_span_recycle(profiled, span);
      } else {
         pitot_profile_span_append(&profiled->known, span);
      }
   }
   pitot_profile_unlock(profiled->profile);
}

/* Reads the oldest spans. */
static void
read_spans(struct pitot_profiled *profiled, unsigned count)
{
   struct pitot_profile_span_list read = { 0 };

   while (count-- > 0) {
      struct pitot_profile_span *span =
         pitot_profile_span_take_oldest(&profiled->in_flight);

      pitot_profile_span_read(profiled, span);
      pitot_profile_span_append(&read, span);
   }
   settle_spans(profiled, &read);
}

static void
take_flight(struct pitot_profiled *profiled)
{
   const struct pitot_profile_flight *flight =
      &profiled->flights[profiled->flight_first];

   profiled->flight_first =
      (profiled->flight_first + 1) % PITOT_PROFILE_MAX_FLIGHTS;
   profiled->flight_count--;
   profiled->info.fence_release(profiled->info.data, flight->fence);
   read_spans(profiled, flight->span_count);
}

static bool
is_oldest_done(const struct pitot_profiled *profiled)
{
   const struct pitot_profiled_info *info = &profiled->info;

   return profiled->flight_count > 0 &&
          info->fence_is_done(
             info->data, profiled->flights[profiled->flight_first].fence);
}

/* Reads all spans whose fence is signalled, and the clocks before. */
static void
collect(struct pitot_profiled *profiled)
{
   const unsigned count = profiled->flight_count;
   const struct pitot_profile_span *known;

   while (is_oldest_done(profiled)) {
      if (profiled->flight_count == count)
         pitot_profile_clock_read(profiled);
      take_flight(profiled);
   }

   known = profiled->known.oldest;
   if (known) {
      const bool has_all =
         profiled->known.count >= profiled->max_spans / 2 ||
         pitot_profile_now_ns() - known->cpu_end_ns > KNOWN_NS;

      if (has_all || known->frame <= last_frame(profiled))
         pitot_profile_release_known(profiled, has_all);
   }
}

void
pitot_profile_read_all(struct pitot_profiled *profiled)
{
   for (struct pitot_profile_span *s = profiled->in_flight.oldest; s;
        s = s->next)
      pitot_profile_span_wait(profiled, s);
   pitot_profile_clock_read(profiled);
   while (profiled->flight_count > 0)
      take_flight(profiled);
   read_spans(profiled, profiled->in_flight.count);
   pitot_profile_release_known(profiled, false);
}

/*
 * Flushes
 */

bool
pitot_profile_wants_to_record(const struct pitot_profiled *profiled)
{
   const struct pitot_profile_settings *settings =
      &profiled->profile->settings;
   const bool is_in_range = profiled->frame_number >= settings->first_frame &&
                            profiled->frame_number <= settings->last_frame;

   return is_in_range != (pitot_profile_toggles() % 2 == 1);
}

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
   pitot_profile_end_pass(profiled);
   profiled->flush_begin_ns = pitot_profile_now_ns();
   if (profiled->is_end_of_frame)
      end_frame(profiled);
}

void
pitot_profile_frame_ends(struct pitot_profiled *profiled)
{
   if (profiled->depth || !profiled->has_work)
      return;
   pitot_profile_end_pass(profiled);
   end_frame(profiled);
   profiled->is_recording = pitot_profile_wants_to_record(profiled);
}

/* Without room for another flight, the newest becomes longer. */
static void
add_fence(struct pitot_profiled *profiled, void *fence)
{
   const struct pitot_profiled_info *info = &profiled->info;
   const bool is_full = profiled->flight_count == PITOT_PROFILE_MAX_FLIGHTS;
   struct pitot_profile_flight *newest;

   if (profiled->unfenced_count == 0) {
      info->fence_release(info->data, fence);
      return;
   }
   profiled->flight_count += !is_full;
   newest =
      &profiled
          ->flights[(profiled->flight_first + profiled->flight_count - 1) %
                    PITOT_PROFILE_MAX_FLIGHTS];
   if (is_full)
      info->fence_release(info->data, newest->fence);
   else
      newest->span_count = 0;
   newest->fence = fence;
   newest->span_count += profiled->unfenced_count;
   profiled->unfenced_count = 0;
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

   if (profiled->depth) {
      if (fence)
         profiled->info.fence_release(profiled->info.data, fence);
      return;
   }
   profiled->is_at_end = false;
   if (fence)
      add_fence(profiled, fence);
   if (profiled->is_recording)
      pitot_profile_write_call(profiled,
                               &(struct pitot_trace_slice){
                                  .category = "call",
                                  .name = profiled->is_end_of_frame
                                             ? "end of frame"
                                             : "flush",
                                  .begin_ns = profiled->flush_begin_ns,
                                  .end_ns = end_ns,
                               });
   collect(profiled);
   pitot_profile_clock_keep(profiled, end_ns);
   profiled->is_recording = pitot_profile_wants_to_record(profiled);
   profiled->stuck = PITOT_PROFILE_NO_LOSS;
   pitot_profile_add_cost(profiled, end_ns, pitot_profile_now_ns());
}

void
pitot_profile_waited(struct pitot_profiled *profiled)
{
   const uint64_t begin_ns = pitot_profile_now_ns();

   if (profiled->depth)
      return;
   collect(profiled);
   pitot_profile_add_cost(profiled, begin_ns, pitot_profile_now_ns());
}

/*
 * Calls of the CPU's
 */

/* A pass that ended during the call, because the call flushed, ends with its
 * last work before it: slices of a thread nest.
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
pitot_profile_cpu_call(struct pitot_profiled *profiled,
                       enum pitot_profile_call category, const char *name,
                       uint64_t begin_ns, uint64_t end_ns, uint64_t size_B)
{
   static const char *const categories[PITOT_PROFILE_CALL_COUNT] = {
      [PITOT_PROFILE_WAIT] = "wait",
      [PITOT_PROFILE_UPLOAD] = "upload",
      [PITOT_PROFILE_READBACK] = "readback",
   };
   const struct pitot_trace_value size = { .name = "size_B",
                                           .number = (double)size_B };

   if (profiled->depth || !profiled->is_recording)
      return;
   profiled->is_at_end = false;
   pitot_profile_clock_keep(profiled, end_ns);
   end_before(profiled, begin_ns);
   if (end_ns - begin_ns < SHORT_CALL_NS &&
       profiled->profile->settings.level != PITOT_PROFILE_LEVEL_DRAW)
      return;
   pitot_profile_write_call(profiled, &(struct pitot_trace_slice){
                                         .category = categories[category],
                                         .name = name,
                                         .begin_ns = begin_ns,
                                         .end_ns = end_ns,
                                         .values = &size,
                                         .value_count = size_B > 0,
                                      });
}
