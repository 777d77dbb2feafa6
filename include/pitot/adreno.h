/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Qualcomm's Adreno 6xx and 7xx: what a driver has to know of the family's
 * commands.
 *
 * These GPUs render a batch tile by tile: the commands of the draws are
 * executed once for each tile, and before that once in a binning pass, which
 * finds out which draws touch which tile.  A batch without tiles executes
 * them once.
 */

#ifndef PITOT_ADRENO_H
#define PITOT_ADRENO_H

#include "pitot/cs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The counter of time.  The kernel reads its register as 64 bits, of which
 * Mesa's Vulkan driver takes 48 for valid.
 */
#define PITOT_ADRENO_TIMESTAMP_BITS 48
#define PITOT_ADRENO_TIMESTAMP_HZ   19200000

/* The generation of a GPU is 6 or 7. */
extern const struct pitot_hw_family pitot_hw_adreno;

/* An argument of PITOT_COMMAND_TIMESTAMP: all other batches that were recorded
 * come before, for a driver that keeps several, and reorders them.
 */
#define PITOT_ADRENO_LAST 1u

/* Arguments of counters: registers of 64 bits, or the block of stream-out,
 * which is a written and a needed qword for each stream.
 */
#define PITOT_ADRENO_PRIMCTR(INDEX) (0x540u + 2 * (INDEX))
#define PITOT_ADRENO_STREAMOUT      0u

/* A flag of an argument: the counter is sampled once, in the binning pass, or
 * where there are no tiles.
 */
#define PITOT_ADRENO_ONCE (1u << 31)

#ifdef __cplusplus
}
#endif

#endif /* PITOT_ADRENO_H */
