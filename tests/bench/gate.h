/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A gate in front of llvmpipe's rasterizer, also of lavapipe's below zink:
 * while it is closed, no scene is drawn.  So whether a call waits for the GPU
 * depends on the driver alone, not on the machine: a call that needs a scene
 * sleeps, and so does every other thread.  The gate then counts the call as
 * waiting, and opens until the call returns.
 */

#ifndef PITOT_BENCH_GATE_H
#define PITOT_BENCH_GATE_H

#include <stdbool.h>

void
gate_close(void);

void
gate_open(void);

/* Brackets a GL call whose waits are counted. */
void
gate_begin_call(void);

bool
gate_end_call(void);

/* Returns how many scenes were drawn or begun. */
unsigned
gate_scene_count(void);

#endif /* PITOT_BENCH_GATE_H */
