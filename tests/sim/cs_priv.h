/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The parts of a simulated command stream: cs.c has the stream, cs_memory.c
 * buffers, cs_gpu.c the GPU and a test's work, cs_tiles.c Adreno's tiles.
 */

#ifndef PITOT_SIM_CS_PRIV_H
#define PITOT_SIM_CS_PRIV_H

#include "cs.h"
#include "sim_priv.h"

/* By realloc(): a test's failing malloc() is for src/hw and buffers. */
struct sim_cs_batch {
   struct sim_cs_batch *next;
   uint64_t number;
   uint64_t begin_ticks;
   uint64_t after;   /* the other ring's batch to wait for, or 0 */
   struct sim_bo bo; /* commands */
   struct sim_submission submission;
   struct sim_ib ib;
   unsigned count_dw, first_dw; /* Adreno: those before first_dw are called */
   uint32_t commands[];
};

/* Commands of batches are after all buffers. */
#define SIM_CS_COMMANDS_ADDRESS UINT64_C(0x310000000)

/* Adreno: cues before all passes, after each tile, and after all passes. */
#define SIM_CS_SECTION_DW (4 * SIM_CS_BATCH_DW)

struct sim_cs_section {
   unsigned count_dw;
   uint32_t dw[SIM_CS_SECTION_DW];
};

struct sim_cs_tile_command {
   struct pitot_cs_command command;
   uint64_t address; /* that it writes */
};

struct sim_cs_tiles {
   bool computes; /* has a dispatch, so no tiles */
   struct sim_cs_section before, tile_end, after;
   struct sim_cs_tile_command *commands; /* by the number in cues */
   unsigned command_count, command_capacity;
   unsigned first_command; /* of the batch */
};

struct sim_cs_buffer {
   struct pitot_cs_buffer base;
   struct sim_bo bo;
   uint64_t last_batch[SIM_RING_COUNT]; /* that uses it, or 0 */
};

/* cs.c */

/* Makes space in the current batch.  Returns whether it fits. */
bool
sim_cs_require(struct sim_cs *cs, enum pitot_ring ring, unsigned count_dw);

/* cs_memory.c */

/* NULL if out of memory. */
struct sim_cs_buffer *
sim_cs_new_buffer(struct sim_cs *cs, uint64_t address, unsigned size_B);

void
sim_cs_free_buffer(struct sim_cs *cs, struct sim_cs_buffer *buffer);

/* Members of struct pitot_cs_ops. */
int
sim_cs_buffer_create(struct pitot_cs *base, unsigned size_B,
                     struct pitot_cs_buffer **buffer_out);

void
sim_cs_buffer_destroy(struct pitot_cs *base, struct pitot_cs_buffer *buffer);

void
sim_cs_use_buffer(struct pitot_cs *base, enum pitot_ring ring,
                  struct pitot_cs_buffer *buffer);

/* Maps the batch's buffers only. */
void
sim_cs_map_buffers(struct sim_cs *cs, enum pitot_ring ring,
                   struct sim_space *space);

/* cs_gpu.c */

/* Makes a submission of a complete batch. */
void
sim_cs_prepare(enum pitot_ring ring, struct sim_cs_batch *batch);

void
sim_cs_free(struct sim_cs *cs, struct sim_cs_batch *batch);

/* Completes batches up to a seqno, with their writes. */
void
sim_cs_finish(struct sim_cs *cs, enum pitot_ring ring, uint64_t number);

/* cs_tiles.c */

/* Members of struct pitot_cs_ops. */
bool
sim_cs_store_after_tiles(struct pitot_cs *base,
                         const struct pitot_cs_result *result);

void
sim_cs_emit_tiles(struct pitot_cs *base, enum pitot_ring ring,
                  struct pitot_cs_place place,
                  const struct pitot_cs_command *commands, unsigned count);

/* Returns the most that sim_cs_add_tiles() adds. */
unsigned
sim_cs_tiles_most_dw(const struct sim_cs *cs);

/* Adds commands that run a batch of draws in passes. */
void
sim_cs_add_tiles(struct sim_cs *cs, struct sim_cs_batch *batch);

/* Executes a command at the GPU's position. */
void
sim_cs_execute_command(struct pitot_cs *base, uint64_t number);

/* cs_compute.c */

/* Keeps a result for a cue.  Returns its number. */
uint64_t
sim_cs_keep(struct sim_cs *cs, const struct pitot_cs_result *result);

/* A member of struct pitot_cs_ops. */
bool
sim_cs_store(struct pitot_cs *base, const struct pitot_cs_result *result);

void
sim_cs_compute(struct pitot_cs *base, uint64_t number);

void
sim_cs_free_results(struct sim_cs *cs);

/* Executes a whole batch. */
void
sim_cs_repeat(struct sim_cs *cs, enum pitot_ring ring,
              struct sim_cs_batch *batch);

/* Does a step on any ring.  Returns whether there was one. */
bool
sim_cs_step(struct sim_cs *cs);

#endif /* PITOT_SIM_CS_PRIV_H */
