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

/* Times are returned in two orders, and must not go back in either: as they
 * were recorded (timestamp queries), and as they are now.
 */
enum pitot_time_order {
   PITOT_TIME_RECORDED,
   PITOT_TIME_NOW,
   PITOT_TIME_ORDER_COUNT,
};

struct pitot_monotonic_times {
   uint64_t last_ns[PITOT_TIME_ORDER_COUNT];
   uint64_t offset_ns; /* the sum of all steps back */
};

/* Returns time_ns plus all earlier steps back.  If that is less than the last
 * time, returns the last time again, moves later times on by the difference,
 * and sets *disjoint_out.  A time 292 years later counts as less: after it,
 * no time would ever be later.  The first time is accepted, whatever it is.
 */
uint64_t
pitot_make_monotonic_ns(struct pitot_monotonic_times *times,
                        enum pitot_time_order order, uint64_t time_ns,
                        bool *disjoint_out);

/* Detects that a clock of few bits was not read for longer than its period,
 * and may have wrapped in between.
 */
struct pitot_watch {
   uint64_t period_ns; /* after which the clock wraps; 0: never */
   uint64_t last_ns;   /* the CPU's time when it was read; 0: not yet */
};

/* Determines which clocks may wrap undetected. */
void
pitot_watches_init(struct pitot_context *context);

/*
 * The context
 */

struct pitot_context {
   struct pitot_context_head head;
   struct pitot_context_info info;
   struct pitot_arena objects;
   struct pitot_binding bindings[PITOT_KIND_COUNT][PITOT_MAX_STREAMS];

   /* Kinds that share a slot are one type of query and share a list, and so
    * do all streams of a kind: "all queries of the same type issued prior to
    * that query must also return TRUE" (OpenGL 4.6 core, 4.2.3).  Timestamps,
    * which have no slot, use the last list.
    */
   struct pitot_in_flight in_flight[PITOT_SLOT_COUNT + 1];

   struct pitot_monotonic_times times;
   bool disjoint;
   uint64_t last_suspended_ns;
   struct pitot_watch time_watches[PITOT_TIME_ORDER_COUNT];
   struct pitot_watch elapsed_watch; /* both ends of a TIME_ELAPSED */
};

/* driver_query.c */

/* Destroys the idle driver queries, and the one that measured nothing. */
void
pitot_driver_queries_finish(struct pitot_context *context);

#endif /* PITOT_CORE_PRIV_H */
