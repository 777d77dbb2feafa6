/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A gate in front of llvmpipe's rasterizer, also where it is lavapipe's below
 * zink: while the gate is closed, no scene is drawn.  Whether a call waits
 * for the GPU depends then on the driver alone, not on the machine: a call
 * that needs a scene sleeps, and so does every other thread.  The gate
 * notices that, counts it and opens until the call has returned.
 */

#ifndef PITOT_BENCH_GATE_H
#define PITOT_BENCH_GATE_H

#include <stdbool.h>

void
gate_close(void);

void
gate_open(void);

/* Brackets a call of GL whose waits are counted. */
void
gate_begin_call(void);

/* Returns whether the call waited for the GPU. */
bool
gate_end_call(void);

/* Returns how many scenes were drawn, or began to be drawn, so far. */
unsigned
gate_scene_count(void);

#endif /* PITOT_BENCH_GATE_H */
