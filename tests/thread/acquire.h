/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The first header of what tests/thread/cc compiles with ThreadSanitizer.
 *
 * A fence of Mesa's queues is waited for by relaxed loads, which order nothing
 * in C11, so that whatever comes after a wait would be a race.  On x86 each load
 * is one with acquire.
 */

#if __has_include("util/u_atomic.h")
#include "util/u_atomic.h"
#undef p_atomic_read_relaxed
#define p_atomic_read_relaxed p_atomic_read
#endif
