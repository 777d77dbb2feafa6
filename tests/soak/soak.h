/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A long run: rising and falling numbers of queries, in contexts that come
 * and go.  Each cycle makes the same calls, so that memory is flat if nothing
 * leaks.
 */

#ifndef PITOT_SOAK_H
#define PITOT_SOAK_H

#include <stdint.h>
#include <stdio.h>

#include <epoxy/gl.h>

#include "../model/random.h"
#include "../test.h"

#define SOAK_MAX_POINTS 64

/* More than there are targets. */
#define SOAK_MAX_QUERIES 24

/* The fate of a result. */
enum soak_fate {
   SOAK_READ_NOW,
   SOAK_POLL,
   SOAK_READ_LATE,
   SOAK_NEVER_READ,
   SOAK_STORE,
   SOAK_CONDITION,
   SOAK_BEGIN_AGAIN,
   SOAK_FATE_COUNT,
};

/* Queries of all targets around one draw, between two timestamps. */
struct soak_group {
   enum soak_fate fate;
   unsigned occlusion; /* the index of its occlusion target */
   unsigned points;    /* that were drawn */
   GLuint before, after;
   GLuint ids[SOAK_MAX_QUERIES]; /* 0: the target is not here */
};

/* Results so far. */
struct soak_totals {
   uint64_t queries;
   uint64_t perf_queries;
   uint64_t monitors;
   uint64_t contexts;
   uint64_t results;    /* read, and right */
   GLuint highest_name; /* of a query */
   GLuint highest_monitor;
   size_t peak_B; /* of the heap, at the top of a wave of this cycle */
};

extern struct soak_totals soak_totals;

/* Says why the run has failed, and ends it. */
_Noreturn void
soak_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prepares drawing in the current context. */
void
soak_draw_init(void);

/* Draws so many points, each a pixel. */
void
soak_draw(unsigned points);

/* Generates the queries of a group and measures a draw with them.  Reads,
 * polls or uses the results if their fate wants it at once.
 */
void
soak_group_make(struct soak_group *group, struct random *random);

/* Reads, stores or uses the results otherwise, and deletes the queries. */
void
soak_group_end(const struct soak_group *group);

/* Runs waves of queries in the current context: their number rises to a peak
 * and falls, wave after wave.
 */
void
soak_waves(struct random *random, unsigned waves, unsigned peak);

/* Leaves queries behind for the context's destruction: active, in flight,
 * and known.
 */
void
soak_leave(struct random *random);

/* Measures with a perf query of each set. */
void
soak_perf(void);

/* Measures with monitors of each group. */
void
soak_monitors(void);

/* Leaves monitors behind, in flight and active. */
void
soak_leave_monitors(void);

/* Compares the GPU's clock with the CPU's. */
void
soak_clock(void);

/* Returns the bytes of the heap that are in use. */
size_t
soak_heap_B(void);

/* Prints the memory in use, as "name value" pairs. */
void
soak_print_memory(void);

#endif /* PITOT_SOAK_H */
