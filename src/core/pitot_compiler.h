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

/* A rarely called function that is not inlined, so that its callers save no
 * registers for it on their fast path.
 */
#define PITOT_COLD __attribute__((cold, noinline))

/* A function that is not inlined, for the same reason. */
#define PITOT_NOINLINE __attribute__((noinline))

/* A function that is always inlined. */
#define PITOT_INLINE inline __attribute__((always_inline))

/* A qword that is read or written without a lock.  On i386, a qword in a
 * struct is otherwise aligned to 4 bytes: it may lie in two cache lines, and
 * a read may tear.
 */
typedef uint64_t pitot_shared_qword __attribute__((__aligned__(8)));

#endif /* PITOT_COMPILER_H */
