/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The parts of a simulated command stream: cs.c has the stream, cs_memory.c
 * its buffers, cs_gpu.c the GPU behind it and the work that a test records,
 * cs_tiles.c the tiles of Adreno.
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
   uint64_t after;   /* a batch of the other ring, or 0 */
   struct sim_bo bo; /* the commands */
   struct sim_submission submission;
   unsigned count_dw, first_dw; /* Adreno: those before are called */
   uint32_t commands[];
};

/* The address of the commands of batches, beyond all buffers. */
#define SIM_CS_COMMANDS_ADDRESS UINT64_C(0x310000000)

/* Adreno: cues for before all passes, after each tile, and after all of them.
 */
#define SIM_CS_SECTION_DW (4 * SIM_CS_BATCH_DW)

struct sim_cs_section {
   unsigned count_dw;
   uint32_t dw[SIM_CS_SECTION_DW];
};

struct sim_cs_tile_command {
   struct pitot_cs_command command;
   uint64_t address; /* of what it writes */
};

struct sim_cs_tiles {
   bool computes; /* a dispatch is recorded: there are no tiles */
   struct sim_cs_section before, tile_end, after;
   struct sim_cs_tile_command *commands; /* by the numbers in cues */
   unsigned command_count, command_capacity;
   unsigned first_command; /* of the batch */
};

struct sim_cs_buffer {
   struct pitot_cs_buffer base;
   struct sim_bo bo;
   uint64_t last_batch[SIM_RING_COUNT]; /* that uses it, or 0 */
};

static inline bool
sim_cs_is_intel(const struct sim_cs *cs)
{
   return cs->gpu.family == &pitot_hw_intel;
}

static inline bool
sim_cs_is_amd(const struct sim_cs *cs)
{
   return cs->gpu.family == &pitot_hw_amd;
}

/* cs.c */

/* Makes room.  Returns whether the batch being recorded has it. */
bool
sim_cs_require(struct sim_cs *cs, enum pitot_ring ring, unsigned count_dw);

/* cs_memory.c */

/* Returns a buffer at an address, or NULL without memory. */
struct sim_cs_buffer *
sim_cs_new_buffer(struct sim_cs *cs, uint64_t address, unsigned size_B);

void
sim_cs_free_buffer(struct sim_cs *cs, struct sim_cs_buffer *buffer);

/* Functions of the command stream. */
int
sim_cs_buffer_create(struct pitot_cs *base, unsigned size_B,
                     struct pitot_cs_buffer **buffer_out);

void
sim_cs_buffer_destroy(struct pitot_cs *base, struct pitot_cs_buffer *buffer);

void
sim_cs_use_buffer(struct pitot_cs *base, enum pitot_ring ring,
                  struct pitot_cs_buffer *buffer);

/* Maps the buffers that a batch uses, and no others. */
void
sim_cs_map_buffers(struct sim_cs *cs, enum pitot_ring ring,
                   struct sim_space *space);

/* cs_gpu.c */

/* Makes a submission of a batch whose commands are complete. */
void
sim_cs_prepare(enum pitot_ring ring, struct sim_cs_batch *batch);

void
sim_cs_free(struct sim_cs *cs, struct sim_cs_batch *batch);

/* Gets batches up to a number executed, and their writes done. */
void
sim_cs_finish(struct sim_cs *cs, enum pitot_ring ring, uint64_t number);

/* cs_tiles.c */

/* Functions of the command stream. */
bool
sim_cs_store_after_tiles(struct pitot_cs *base,
                         const struct pitot_cs_result *result);

void
sim_cs_emit_tiles(struct pitot_cs *base, enum pitot_ring ring,
                  struct pitot_cs_place place,
                  const struct pitot_cs_command *commands, unsigned count);

/* Returns how many dwords sim_cs_add_tiles() adds at most. */
unsigned
sim_cs_tiles_most_dw(const struct sim_cs *cs);

/* Adds to a batch of draws the commands that execute them in passes. */
void
sim_cs_add_tiles(struct sim_cs *cs, struct sim_cs_batch *batch);

/* Executes the command of a number, where the GPU is at. */
void
sim_cs_execute_command(struct sim_cs *cs, uint64_t number);

/* cs_compute.c */

/* Keeps a result to be computed.  Returns its number. */
uint64_t
sim_cs_keep(struct sim_cs *cs, const struct pitot_cs_result *result);

/* A function of the command stream. */
bool
sim_cs_store(struct pitot_cs *base, const struct pitot_cs_result *result);

/* Computes the result of a number. */
void
sim_cs_compute(struct sim_cs *cs, uint64_t number);

void
sim_cs_free_results(struct sim_cs *cs);

/* Executes a batch from its begin to its end. */
void
sim_cs_repeat(struct sim_cs *cs, enum pitot_ring ring,
              struct sim_cs_batch *batch);

/* Does one thing on any of the rings.  Returns whether there was any. */
bool
sim_cs_step(struct sim_cs *cs);

#endif /* PITOT_SIM_CS_PRIV_H */
