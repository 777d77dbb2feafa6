/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared inside core only.
 */

#ifndef PITOT_CORE_PRIV_H
#define PITOT_CORE_PRIV_H

#include <assert.h>
#include <stddef.h>

#include "pitot/clock.h"
#include "pitot_arena.h"
#include "pitot_binding.h"

/*
 * time.c: the time of a context
 */

/* Times are told in two ways, each of which must not go back: in the order in
 * which they were recorded, and now.
 */
enum pitot_time_order {
   PITOT_TIME_RECORDED,
   PITOT_TIME_NOW,
   PITOT_TIME_ORDER_COUNT,
};

struct pitot_told_times {
   uint64_t last_ns[PITOT_TIME_ORDER_COUNT];
   uint64_t offset_ns; /* the sum of all steps so far */
};

/* For pitot_tell_ns(): tells a time that cannot come after the last one. */
uint64_t
pitot_tell_step_ns(struct pitot_told_times *times,
                   enum pitot_time_order order, uint64_t moved_ns,
                   bool *disjoint_out);

/* Returns a time moved on by earlier steps.  Where it would be less than the
 * one before, or 292 years later, after which nothing would ever be later,
 * the one before is returned, later times are moved by the difference as
 * well, and *disjoint_out is set.
 */
static inline uint64_t
pitot_tell_ns(struct pitot_told_times *times, enum pitot_time_order order,
              uint64_t time_ns, bool *disjoint_out)
{
   const uint64_t moved_ns = time_ns + times->offset_ns;

   if (moved_ns - times->last_ns[order] > INT64_MAX)
      return pitot_tell_step_ns(times, order, moved_ns, disjoint_out);
   times->last_ns[order] = moved_ns;
   return moved_ns;
}

/* Notices that a clock of few bits was not read for so long that it may have
 * wrapped unseen.
 */
struct pitot_watch {
   uint64_t period_ns; /* after which the clock wraps; 0: never */
   uint64_t last_ns;   /* the CPU's time when it was read; 0: not yet */
};

/*
 * The context
 */

/* How many idle driver queries a binding keeps at most.  All of them were in
 * flight together once: a program that has a thousand fresh names in each
 * frame creates and destroys none.
 */
#define PITOT_IDLE_COUNT 4096

struct pitot_context {
   struct pitot_context_head head;
   struct pitot_context_info info;
   struct pitot_arena objects;
   struct pitot_binding bindings[PITOT_KIND_COUNT][PITOT_MAX_STREAMS];

   /* The kinds that share a slot are one type of query and share a list, as
    * do all streams of a kind: "all queries of the same type issued prior to
    * that query must also return TRUE" (OpenGL 4.6 core, 4.2.3).  Timestamps,
    * which have no slot, are the last one.
    */
   struct pitot_in_flight in_flight[PITOT_SLOT_COUNT + 1];

   struct pitot_told_times times;
   bool disjoint;
   uint64_t last_suspended_ns;
   struct pitot_watch time_watches[PITOT_TIME_ORDER_COUNT];
   struct pitot_watch elapsed_watch; /* both ends of a TIME_ELAPSED */
};

/* driver_query.c */

/* Destroys all driver queries that no object measures with. */
void
pitot_driver_queries_finish(struct pitot_context *context);

/* Finds out which clocks may wrap unseen. */
void
pitot_watches_init(struct pitot_context *context);

#endif /* PITOT_CORE_PRIV_H */
