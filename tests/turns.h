/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Two threads that take turns.  A test runs once for each pair of points at
 * which the threads may interrupt each other:
 *
 *    struct turns turns = { .first = record, .second = poll };
 *    do {
 *       open(...);
 *       turns_run(&turns);
 *       close(...);
 *    } while (turns_next(&turns));
 *
 * Turns do not order accesses for ThreadSanitizer: it reports races between
 * the threads unless the functions under test order them, although the
 * accesses never run concurrently here.
 */

#ifndef PITOT_TURNS_H
#define PITOT_TURNS_H

#include <stdbool.h>

#define TURNS_THREAD_COUNT 2

struct turns {
   void (*first)(void *data);
   void (*second)(void *data);
   void *data;

   /* The point where each thread yields, and those it reached: first 0. */
   unsigned yields_at[TURNS_THREAD_COUNT];
   unsigned point_count[TURNS_THREAD_COUNT];
};

/* Starts the second thread when the first yields or returns. */
void
turns_run(struct turns *turns);

/* Chooses the next pair of points.  Returns false after the last one. */
bool
turns_next(struct turns *turns);

/* Code called by the code under test calls this, where the other thread may
 * interrupt.  With turns_args, locks and unlocks do, too.
 */
void
turns_point(void);

#endif /* PITOT_TURNS_H */
