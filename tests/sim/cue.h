/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Cues: writes in a command stream that tell the simulated GPU what the next
 * draw counts, the time, or what to compute.  A test decides that when it
 * records, but the GPU must know it when it executes.
 */

#ifndef PITOT_SIM_CUE_H
#define PITOT_SIM_CUE_H

#include "pitot/cs.h"
#include "pitot/kind.h"
#include "sim.h"

#define SIM_CUES_SIZE_B 4096
#define SIM_CUE_DW      6 /* most */

/* Cues other than work, each with a value. */
enum sim_cue {
   SIM_CUE_TIME = PITOT_KIND_COUNT * PITOT_MAX_STREAMS,
   SIM_CUE_COMPUTE, /* calls compute() with the value */
   SIM_CUE_COMMAND, /* calls command() */
   SIM_CUE_HOLD,    /* nonzero disables SIM_CUE_TIME */
};

struct sim_cues {
   struct sim *sim;
   struct pitot_cs *cs;
   struct pitot_cs_buffer *buffer; /* written by cues */
   uint32_t *(*reserve)(struct pitot_cs *cs, enum pitot_ring ring,
                        unsigned count_dw); /* space, or NULL */
   uint64_t low;                            /* AMD: first half of a cue */
   bool holds_time;                         /* SIM_CUE_TIME is disabled */
   void (*compute)(struct pitot_cs *cs, uint64_t number);
   void (*command)(struct pitot_cs *cs, uint64_t number);
};

/* cues has its cs, reserve(), and a buffer of SIM_CUES_SIZE_B, which must
 * outlive the GPU's work.
 */
void
sim_cues_init(struct sim_cues *cues, struct sim *sim);

/* Records a draw or dispatch that adds to a kind's count; no time. */
void
sim_cue_work(struct sim_cues *cues, enum pitot_kind kind, unsigned stream,
             uint64_t amount);

/* From here on the GPU's clock is at ticks. */
void
sim_cue_time(struct sim_cues *cues, enum pitot_ring ring, uint64_t ticks);

/* Returns the end of the cue. */
uint32_t *
sim_cue_write(const struct sim_cues *cues, unsigned cue, uint64_t value,
              uint32_t *next);

/* Records a call of compute(). */
void
sim_cue_compute(struct sim_cues *cues, enum pitot_ring ring, uint64_t number);

#endif /* PITOT_SIM_CUE_H */
