/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Attributes of functions and types.
 */

#ifndef PITOT_COMPILER_H
#define PITOT_COMPILER_H

#include <stdint.h>

/* A function that is called rarely and stays out of its callers: they save no
 * registers for it in the usual case.
 */
#define PITOT_COLD __attribute__((cold, noinline))

/* A function that stays out of its callers, likewise. */
#define PITOT_NOINLINE __attribute__((noinline))

/* A function that becomes part of each of its callers. */
#define PITOT_INLINE inline __attribute__((always_inline))

/* A qword that is read or written without a lock.  On i386, a qword in a
 * struct is aligned to 4 bytes otherwise: then it may lie in two cache lines,
 * and is not read in one piece.
 */
typedef uint64_t pitot_shared_qword __attribute__((__aligned__(8)));

#endif /* PITOT_COMPILER_H */
