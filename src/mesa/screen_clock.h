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

/* Returns the clock of a screen.  It is made of a GPU's facts, which are
 * copied, unless they are NULL; NULL if there is none, or no memory.  Screens
 * are counted by whoever has one and tell nobody when they go, so their clock
 * stays, for another screen at the same place.  Any thread.
 */
struct pitot_gpu_clock *
pitot_screen_clock(const struct pipe_screen *screen,
                   const struct pitot_gpu *gpu);

#endif /* PITOT_SCREEN_CLOCK_H */
