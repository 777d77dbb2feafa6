/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Kinds of work: draws that keep the vertices, all of the pixels or a few of
 * them busy, and dispatches.
 */

#ifndef PITOT_CONFORMANCE_WORKS_H
#define PITOT_CONFORMANCE_WORKS_H

#define WORKS 6

/* Those of pixels are first, before those of vertices. */
#define WORKS_OF_PIXELS 3

/* Those without compute shaders are first. */
extern void (*const works[WORKS])(void);

/* Prepares the context for all of them, and does each once.  Returns how many
 * it can do.
 */
unsigned
works_prepare(void);

#endif /* PITOT_CONFORMANCE_WORKS_H */
