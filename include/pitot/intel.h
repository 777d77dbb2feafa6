/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Intel's GPUs: their facts, and the arguments that their family shares with
 * drivers.
 */

#ifndef PITOT_INTEL_H
#define PITOT_INTEL_H

#include <stdbool.h>

#include "pitot/cs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The generation is ten times the hardware's: 80 to 200 (Xe2). */
struct pitot_intel_gpu {
   struct pitot_gpu base;
   bool
      is_gt4; /* the largest variant of Gen9 needs another stall (SKL GT4) */
};

extern const struct pitot_hw_family pitot_hw_intel;

/* Barriers besides PITOT_BARRIER_STALL. */
enum pitot_intel_barrier {
   PITOT_INTEL_BARRIER_DEPTH =
      PITOT_BARRIER_STALL + 1, /* Gen10 and later: a
                                * depth stall by itself */
   PITOT_INTEL_BARRIER_COUNT,
};

/* PITOT_COMMAND_COUNTER writes a register of 64 bits, its argument, as it is
 * when the command is reached.  It takes so many dwords.
 */
#define PITOT_INTEL_COUNTER_DW 8

/* Encodes commands of that kind, for a driver whose functions take long. */
void
pitot_intel_encode_counters(const struct pitot_intel_gpu *gpu,
                            const struct pitot_cs_command *commands,
                            unsigned count, uint32_t *room);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_INTEL_H */
