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

#include "pitot_gpu_clock.h"

struct pipe_screen;

typedef uint64_t
pitot_get_timestamp(struct pipe_screen *screen);

/* Returns that time and the CPU's, CLOCK_MONOTONIC, before it and after it,
 * as the kernel read them; false: it does not, or could not.
 */
typedef bool
pitot_get_correlation(struct pipe_screen *screen,
                      struct pitot_correlation *clocks_out);

/* Returns the clock of a screen, created from a GPU's facts, which are
 * copied, or NULL without memory.  The first hook is the future
 * pipe_screen::get_timestamp; the caller sets it once the queries are
 * Pitot's.  The second one may be NULL.  A clock outlives its screen, which
 * does not tell when it goes, and serves another screen at the same address.
 * Any thread.
 */
struct pitot_gpu_clock *
pitot_screen_clock_make(const struct pipe_screen *screen,
                        const struct pitot_gpu *gpu,
                        pitot_get_timestamp *get_timestamp,
                        pitot_get_correlation *get_correlation);

/* Returns the clock of a screen that has that hook, or NULL if its queries
 * are not Pitot's.  Any thread.
 */
struct pitot_gpu_clock *
pitot_screen_clock(const struct pipe_screen *screen);

/* Returns the second hook of the clock of a screen, or NULL.  Any thread. */
pitot_get_correlation *
pitot_screen_correlation(const struct pipe_screen *screen);

#endif /* PITOT_SCREEN_CLOCK_H */
