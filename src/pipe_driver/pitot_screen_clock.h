/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The clock of a pipe_screen whose driver's queries are Pitot's: made with
 * its first context, shared by all, and freed with the last one.
 *
 * Threads: any thread may call.
 */

#ifndef PITOT_SCREEN_CLOCK_H
#define PITOT_SCREEN_CLOCK_H

#include "pitot/gpu.h"
#include "pitot_clock.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pipe_screen;

typedef int
pitot_read_screen_clock(void *screen,
                        struct pitot_clock_reading *reading_out);

/* Returns the clock of a screen, which the caller gives back before its
 * context goes, or NULL without memory: with the facts of the GPU, which are
 * copied, and a function that reads its counter.  As long as there is a
 * clock, pipe_screen::get_timestamp tells its time.
 */
struct pitot_clock *
pitot_screen_clock_take(struct pipe_screen *screen,
                        const struct pitot_gpu *gpu,
                        pitot_read_screen_clock *read);

/* Gives a clock back.  Accepts NULL. */
void
pitot_screen_clock_give(struct pitot_clock *clock);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_SCREEN_CLOCK_H */
