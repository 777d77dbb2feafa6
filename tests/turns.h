/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Two threads that take turns.  A test runs its case once for each pair of
 * points at which the threads may interrupt each other:
 *
 *    struct turns turns = { .first = record, .second = poll };
 *    do {
 *       open(...);
 *       turns_run(&turns);
 *       close(...);
 *    } while (turns_next(&turns));
 *
 * The turns order nothing for ThreadSanitizer: it reports an access of one
 * thread and one of the other that race, unless the functions under test
 * order them, although the two never meet here.
 */

#ifndef PITOT_TURNS_H
#define PITOT_TURNS_H

#include <stdbool.h>

#define TURNS_THREAD_COUNT 2

struct turns {
   /* The functions of the threads, and their argument. */
   void (*first)(void *data);
   void (*second)(void *data);
   void *data;

   /* The index of the point at which a thread yields, and how many it came
    * to: zeros before the first run.
    */
   unsigned yields_at[TURNS_THREAD_COUNT];
   unsigned point_count[TURNS_THREAD_COUNT];
};

/* Runs both functions, each on a thread of its own.  The second one begins
 * when the first one yields or has returned.
 */
void
turns_run(struct turns *turns);

/* Chooses the next pair of points.  Returns false after the last one. */
bool
turns_next(struct turns *turns);

/* Says that the other thread may interrupt this one here: to be called by
 * functions that the code under test calls.  Locks and unlocks are such
 * points if a program is linked with turns_args.
 */
void
turns_point(void);

#endif /* PITOT_TURNS_H */
