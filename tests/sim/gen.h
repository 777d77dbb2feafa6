/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The decoder of Intel commands: gen.c reads packets, gen_mi.c has the
 * command streamer, gen_control.c PIPE_CONTROL, gen_draw.c and gen_copy.c
 * work.
 */

#ifndef PITOT_SIM_GEN_H
#define PITOT_SIM_GEN_H

#include "sim_priv.h"

#define GEN_PIPE_CONTROL 0x7a00

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

typedef void
gen_handler(struct gen_decoder *decoder, const uint32_t *dw);

/* Returns the length of a command, in dwords. */
unsigned
gen_length(uint32_t header);

/* gen_control.c */
gen_handler gen_control;

/* Whether a packet must wait for writes of the pipeline. */
bool
gen_has_to_wait(const struct gen_decoder *decoder, const uint32_t *dw);

/* gen_mi.c */
uint32_t
gen_read(struct gen_decoder *decoder, uint64_t address);

gen_handler gen_fence, gen_math;

/* STATE_SYSTEM_MEM_FENCE_ADDRESS, required before MI_MEM_FENCE. */
gen_handler gen_set_fence_page;

gen_handler gen_store_data, gen_store_register, gen_load_immediates;
gen_handler gen_load_register, gen_load_memory, gen_copy_memory;
gen_handler gen_flush, gen_predicate;

/* gen_draw.c */

/* Stores the state of a packet that draws depend on. */
gen_handler gen_set_pipeline;

gen_handler gen_draw, gen_draw_indirect;
gen_handler gen_dispatch, gen_dispatch_indirect;

/* gen_copy.c */

/* Stores the state of a packet that copies depend on. */
gen_handler gen_set_copy_state;

/* The same for a register. */
void
gen_set_table_mode(struct gen_decoder *decoder, uint32_t mode);

/* Copies, if the draw that was just counted is a copy. */
void
gen_copy(struct gen_decoder *decoder);

enum gen_post_sync {
   GEN_POST_SYNC_NONE,
   GEN_POST_SYNC_IMMEDIATE,
   GEN_POST_SYNC_DEPTH_COUNT,
   GEN_POST_SYNC_TIMESTAMP,
};

#endif /* PITOT_SIM_GEN_H */
