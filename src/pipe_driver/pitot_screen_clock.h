/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The clock of a pipe_screen with Pitot's own queries: created with the first
 * context, shared by all contexts, and freed with the last one.
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

/* Returns a reference to the clock of a screen, to be given back before the
 * context is destroyed, or NULL if out of memory.  Copies what it needs of
 * gpu.  Any thread calls read, which reads the GPU's counter.  While there is
 * a clock, pipe_screen::get_timestamp returns its time.
 */
struct pitot_clock *
pitot_screen_clock_take(struct pipe_screen *screen,
                        const struct pitot_gpu *gpu,
                        pitot_read_screen_clock *read);

/* Gives a reference back.  Accepts NULL. */
void
pitot_screen_clock_give(struct pitot_clock *clock);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_SCREEN_CLOCK_H */
