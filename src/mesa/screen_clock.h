/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The clock of a screen, whose struct has no room for it: all contexts share
 * it.
 */

#ifndef PITOT_SCREEN_CLOCK_H
#define PITOT_SCREEN_CLOCK_H

#include "pitot/gpu_clock.h"

struct pipe_screen;

typedef uint64_t
pitot_get_timestamp(struct pipe_screen *screen);

/* Returns the clock of a screen, made of a GPU's facts, which are copied, or
 * NULL without memory.  The hook is what pipe_screen::get_timestamp is going
 * to be; the caller sets it once the queries are Pitot's.  Screens tell
 * nobody when they go, so their clock stays, for another screen at the same
 * place. Any thread.
 */
struct pitot_gpu_clock *
pitot_screen_clock_make(const struct pipe_screen *screen,
                        const struct pitot_gpu *gpu,
                        pitot_get_timestamp *get_timestamp);

/* Returns the clock of a screen that has that hook, or NULL: then it is not
 * one whose queries are Pitot's.  Any thread.
 */
struct pitot_gpu_clock *
pitot_screen_clock(const struct pipe_screen *screen);

#endif /* PITOT_SCREEN_CLOCK_H */
