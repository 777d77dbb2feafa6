/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Qualcomm's Adreno 6xx and 7xx: the facts of a GPU, and what a driver has to
 * know of the family's commands.
 *
 * These GPUs render a batch tile by tile: the commands of the draws are
 * executed once for each tile, and before that once in a binning pass, which
 * finds out which draws touch which tile.  A batch without tiles executes
 * them once.
 */

#ifndef PITOT_ADRENO_H
#define PITOT_ADRENO_H

#include <stdbool.h>

#include "pitot/cs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The counter of time.  The kernel reads its register as 64 bits, of which
 * Mesa's Vulkan driver takes 48 for valid.
 */
#define PITOT_ADRENO_TIMESTAMP_BITS 48
#define PITOT_ADRENO_TIMESTAMP_HZ   19200000

struct pitot_adreno_gpu {
   struct pitot_gpu base; /* the generation is 6 or 7 */

   /* A740 and later: CP_EVENT_WRITE7 writes and adds up sample counts. */
   bool adds_sample_counts;
};

extern const struct pitot_hw_family pitot_hw_adreno;

/* Barriers besides PITOT_BARRIER_STALL. */
enum pitot_adreno_barrier {
   /* All other batches that were recorded come before: for a driver that
    * keeps several, and reorders them.
    */
   PITOT_ADRENO_BARRIER_BATCHES = PITOT_BARRIER_STALL + 1,
};

/* The sections of a batch, in which a driver records commands. */
enum pitot_adreno_section {
   PITOT_ADRENO_DRAWS,       /* where the draws are */
   PITOT_ADRENO_TILE_END,    /* after the draws of each tile */
   PITOT_ADRENO_BATCH_BEGIN, /* before all passes */
   PITOT_ADRENO_BATCH_END,   /* after all tiles */
};

enum pitot_adreno_section
pitot_adreno_section(const struct pitot_gpu *gpu,
                     const struct pitot_cs_command *command);

/* A flag of a counter's argument: the counter is sampled once, in the binning
 * pass, or where there are no tiles.  The second dword of the command is a
 * mask of the modes that sample it.  In a batch without a binning pass, a
 * driver adds PITOT_ADRENO_ALWAYS: each tile counts everything there, and the
 * last tile is as good as any; and dispatches have a mode of their own, so
 * that a begin before one and an end after it would be of two modes.
 */
#define PITOT_ADRENO_ONCE   (1u << 31)
#define PITOT_ADRENO_ALWAYS (1u << 26)

#ifdef __cplusplus
}
#endif

#endif /* PITOT_ADRENO_H */
