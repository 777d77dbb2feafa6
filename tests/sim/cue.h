/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Cues: writes in a command stream that tell the simulated GPU what the next
 * draw counts, what time it is, or what to compute.  A test says both when it
 * records, while the GPU has to know them when it executes.
 */

#ifndef PITOT_SIM_CUE_H
#define PITOT_SIM_CUE_H

#include "pitot/cs.h"
#include "pitot/kind.h"
#include "sim.h"

#define SIM_CUES_SIZE_B 4096
#define SIM_CUE_DW      6 /* at most */

/* Cues besides those of work, each with a value. */
enum sim_cue {
   SIM_CUE_TIME = PITOT_KIND_COUNT * PITOT_MAX_STREAMS,
   SIM_CUE_COMPUTE, /* compute() is called with the value */
   SIM_CUE_COMMAND, /* and command() is */
   SIM_CUE_HOLD,    /* cues about the time do nothing, unless it is 0 */
};

struct sim_cues {
   struct sim *sim;
   struct pitot_cs *cs;
   struct pitot_cs_buffer *buffer; /* that cues write to */
   uint32_t *(*reserve)(struct pitot_cs *cs, enum pitot_ring ring,
                        unsigned count_dw); /* room in a batch, or NULL */
   uint64_t low;                   /* half of a cue, on AMD's GPUs */
   bool holds_time;                /* cues about it do nothing */
   void (*compute)(struct pitot_cs *cs, uint64_t number);
   void (*command)(struct pitot_cs *cs, uint64_t number);
};

/* Makes the GPU listen to cues that have their command stream, their buffer and
 * reserve().  The buffer has SIM_CUES_SIZE_B and must outlive the GPU's work.
 */
void
sim_cues_init(struct sim_cues *cues, struct sim *sim);

/* Records a draw, or the dispatch of a compute shader, that counts an amount
 * of a kind, which is not a time.
 */
void
sim_cue_work(struct sim_cues *cues, enum pitot_kind kind, unsigned stream,
             uint64_t amount);

/* Records that the GPU's counter of time is at ticks from here on. */
void
sim_cue_time(struct sim_cues *cues, enum pitot_ring ring, uint64_t ticks);

/* Writes a cue at a cursor.  Returns the cursor behind it. */
uint32_t *
sim_cue_write(const struct sim_cues *cues, unsigned cue, uint64_t value,
              uint32_t *next);

/* Records that compute() is called with a number. */
void
sim_cue_compute(struct sim_cues *cues, enum pitot_ring ring, uint64_t number);

#endif /* PITOT_SIM_CUE_H */
