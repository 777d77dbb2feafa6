/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The decoder of Intel commands: gen.c has the pipelines, gen_mi.c the
 * command streamer, gen_draw.c and gen_copy.c work.
 */

#ifndef PITOT_SIM_GEN_H
#define PITOT_SIM_GEN_H

#include "sim_priv.h"

#define GEN9  90
#define GEN10 100
#define GEN11 110
#define GEN20 200

/* Writes of the command streamer that its reads may overtake. */
#define GEN_MAX_UNFENCED 64

struct gen_unfenced {
   uint64_t address;
   uint32_t before; /* memory before the first write */
};

struct gen_decoder {
   struct sim_engine *engine;
   unsigned generation;
   uint32_t last_flags;     /* of the previous packet, if a PIPE_CONTROL */
   uint64_t sample_address; /* of the last sample */
   bool is_stalled;         /* by the previous packet */
   uint32_t flushes;        /* of caches, at the next CS stall */
   struct gen_unfenced unfenced[GEN_MAX_UNFENCED]; /* Gen20 */
   unsigned unfenced_count;
};

void
gen_execute_mi(struct gen_decoder *decoder, const uint32_t *dw,
               unsigned count_dw);

/* gen_length.c */

/* Returns the length of a command, in dwords. */
unsigned
gen_length(uint32_t header);

/* Returns the dwords that the simulator reads without checking the length. */
unsigned
gen_least_length(uint32_t header, unsigned generation);

/* gen_fence.c: the command streamer's writes and reads, and MI_MEM_FENCE. */
void
gen_write(struct gen_decoder *decoder, uint64_t address, uint64_t value,
          unsigned size_B);

uint32_t
gen_read(struct gen_decoder *decoder, uint64_t address);

void
gen_fence(struct gen_decoder *decoder, uint32_t header);

/* STATE_SYSTEM_MEM_FENCE_ADDRESS, required before MI_MEM_FENCE. */
void
gen_set_fence_page(struct gen_decoder *decoder, const uint32_t *dw);

/* gen_math.c: executes MI_MATH. */
void
gen_math(struct gen_decoder *decoder, const uint32_t *dw, unsigned count_dw);

/* gen_draw.c */

/* Stores the state of a packet that draws depend on. */
void
gen_set_pipeline(struct gen_decoder *decoder, const uint32_t *dw,
                 unsigned count_dw);

void
gen_draw(struct gen_decoder *decoder, const uint32_t *dw);

void
gen_draw_indirect(struct gen_decoder *decoder, const uint32_t *dw);

void
gen_dispatch_indirect(struct gen_decoder *decoder, const uint32_t *dw,
                      unsigned count_dw);

void
gen_dispatch(struct gen_decoder *decoder, const uint32_t *dw, bool is_walker);

/* gen_copy.c */

/* Stores the state of a packet that copies depend on. */
void
gen_set_copy_state(struct gen_decoder *decoder, const uint32_t *dw,
                   unsigned count_dw);

/* The same for a register. */
void
gen_set_table_mode(struct gen_decoder *decoder, uint32_t mode);

/* Copies, if the draw that was just counted is a copy. */
void
gen_copy(struct gen_decoder *decoder);

/* Invalidates caches, and starts the flushes of a PIPE_CONTROL. */
void
gen_control_caches(struct gen_decoder *decoder, uint32_t flags);

enum gen_post_sync {
   GEN_POST_SYNC_NONE,
   GEN_POST_SYNC_IMMEDIATE,
   GEN_POST_SYNC_DEPTH_COUNT,
   GEN_POST_SYNC_TIMESTAMP,
};

#endif /* PITOT_SIM_GEN_H */
