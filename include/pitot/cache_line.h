/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What a thread works on all the time goes to and fro between two CPUs if
 * what another thread writes lies in the same cache line: below
 * u_threaded_context, to begin and to end a query took half as long again.
 *
 * Structs of either kind end with
 *
 *    uint8_t apart[PITOT_CACHE_LINE_B];
 *
 * so that whatever the allocator puts behind them is in another line.
 */

#ifndef PITOT_CACHE_LINE_H
#define PITOT_CACHE_LINE_H

#include <stdint.h>

#define PITOT_CACHE_LINE_B 64

#endif /* PITOT_CACHE_LINE_H */
