/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The two halves of a simulated command stream share this: cs.c has the
 * stream, cs_gpu.c the GPU behind it and the work that a test records.
 */

#ifndef PITOT_SIM_CS_PRIV_H
#define PITOT_SIM_CS_PRIV_H

#include "cs.h"
#include "sim_priv.h"

/* A test that fails allocations means those of src/hw and of buffers, not
 * what the simulation needs for itself, which comes from realloc() alone.
 */
struct sim_cs_batch {
   struct sim_cs_batch *next;
   uint64_t number;
   uint64_t begin_ticks;
   unsigned count_dw;
   uint32_t commands[];
};

static inline bool
sim_cs_is_intel(const struct sim_cs *cs)
{
   return cs->gpu.vendor == PITOT_VENDOR_INTEL;
}

/* Executes a batch. */
void
sim_cs_run(struct sim_cs *cs, enum pitot_ring ring,
           struct sim_cs_batch *batch);

/* Counts what others do between two batches, where that shows. */
void
sim_cs_count_others(struct sim_cs *cs);

#endif /* PITOT_SIM_CS_PRIV_H */
