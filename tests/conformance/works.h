/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Work on vertices, all pixels, a few pixels, or compute.
 */

#ifndef PITOT_CONFORMANCE_WORKS_H
#define PITOT_CONFORMANCE_WORKS_H

#define WORKS 6

/* Work on pixels comes first, before work on vertices. */
#define WORKS_OF_PIXELS 3

/* Compute comes last. */
extern void (*const works[WORKS])(void);

/* Does each once.  Returns how many this context supports. */
unsigned
works_prepare(void);

#endif /* PITOT_CONFORMANCE_WORKS_H */
