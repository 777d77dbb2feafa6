/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Attributes of functions.
 */

#ifndef PITOT_COMPILER_H
#define PITOT_COMPILER_H

/* A function that is called rarely and stays out of its callers: they save no
 * registers for it in the usual case.
 */
#define PITOT_COLD __attribute__((cold, noinline))

/* A function that stays out of its callers, likewise. */
#define PITOT_NOINLINE __attribute__((noinline))

/* A function that becomes part of each of its callers. */
#define PITOT_INLINE inline __attribute__((always_inline))

#endif /* PITOT_COMPILER_H */
