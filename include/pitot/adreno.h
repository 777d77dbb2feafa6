/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Qualcomm's Adreno 6xx and 7xx: what a driver needs to know about the
 * family's commands.
 *
 * These GPUs render a batch tile by tile.  The commands of the draws execute
 * once in a binning pass, which determines which draws touch which tile, and
 * then once for each tile.  A batch without tiles executes them once.
 */

#ifndef PITOT_ADRENO_H
#define PITOT_ADRENO_H

#include "pitot/cs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The counter of time.  The kernel reads 64 bits of its register;
 * Mesa's Vulkan driver treats 48 of them as valid.
 */
#define PITOT_ADRENO_TIMESTAMP_BITS 48
#define PITOT_ADRENO_TIMESTAMP_HZ   19200000

/* The generation of a GPU is 6 or 7. */
extern const struct pitot_hw_family pitot_hw_adreno;

/* An argument of PITOT_COMMAND_TIMESTAMP: all other recorded batches come
 * before this one.  For a driver that keeps several batches and reorders
 * them.
 */
#define PITOT_ADRENO_LAST 1u

/* Arguments of PITOT_COMMAND_COUNTER: registers of 64 bits, or the block of
 * stream-out, which is a written and a needed qword for each stream.
 */
#define PITOT_ADRENO_PRIMCTR(INDEX) (0x540u + 2 * (INDEX))
#define PITOT_ADRENO_STREAMOUT      0u

/* A flag of such an argument: sample the counter once, in the binning pass,
 * or in the only pass of a batch without tiles.
 */
#define PITOT_ADRENO_ONCE (1u << 31)

#ifdef __cplusplus
}
#endif

#endif /* PITOT_ADRENO_H */
