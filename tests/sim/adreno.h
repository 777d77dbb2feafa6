/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The decoder of Adreno commands, a6xx and a7xx: adreno.c reads packets,
 * adreno_state.c has registers and groups of state, adreno_memory.c packets
 * about memory, adreno_event.c events, adreno_draw.c work, and
 * adreno_visibility.c which draws touch which tile.
 *
 * These GPUs render in tiles.  The commands of a frame run once to find the
 * tiles that each draw touches (the binning pass), and then once for each
 * tile; or only once, without tiles.  Each pass counts its work.
 */

#ifndef PITOT_SIM_ADRENO_H
#define PITOT_SIM_ADRENO_H

#include "sim_priv.h"

#define ADRENO_A7XX 7

#define ADRENO_REGISTER_COUNT 0x10000
#define ADRENO_REGISTER_BLOCK 0x100
#define ADRENO_GROUP_COUNT    32
#define ADRENO_MAX_BINNED     4096

#define REG_RBBM_PRIMCTR_0          0x0540
#define REG_CP_ALWAYS_ON_COUNTER    0x0980
#define REG_SCREEN_SCISSOR          0x80b0
#define REG_VIEWPORT_SCISSOR        0x80d0
#define REG_WINDOW_SCISSOR          0x80f0
#define REG_GRAS_2D_BLIT_CNTL       0x8400
#define REG_GRAS_2D_SRC             0x8401
#define REG_GRAS_2D_DST             0x8405
#define REG_RB_SAMPLE_COUNT_CONTROL 0x8891
#define REG_RB_SAMPLE_COUNT_ADDR    0x8927
#define REG_RB_2D_DST_INFO          0x8c17
#define REG_RB_2D_DST               0x8c18
#define REG_RB_2D_SOLID             0x8c2c
#define REG_VPC_RASTER_CNTL_A7XX    0x9107
#define REG_VPC_SO_STREAM_COUNTS    0x9218
#define REG_VPC_SO                  0x921a
#define REG_VPC_SO_STREAM_CNTL      0x9305
#define REG_VPC_SO_DISABLE          0x9306
#define REG_PC_SO_STREAM_CNTL       0x9808
#define REG_PC_RASTER_CNTL          0x9980
#define REG_PC_PRIMITIVE_CNTL_5     0x9b05
#define REG_HLSQ_CS_NDRANGE_A7XX    0xa9d4
#define REG_SP_2D_SRC_A7XX          0xb2c2
#define REG_SP_2D_SRC               0xb4c2
#define REG_HLSQ_CS_NDRANGE         0xb990

#define ADRENO_PRIMCTR_COUNT 11

#define ADRENO_MEM_TO_MEM 0x73

/* Registers of each stream-out buffer. */
enum {
   VPC_SO_BASE = 0,
   VPC_SO_SIZE = 2,
   VPC_SO_STRIDE = 3,
   VPC_SO_OFFSET = 4,
   VPC_SO_FLUSH_BASE = 5,
   VPC_SO_LENGTH = 7,
};

/* Values of CP_SET_MARKER. */
enum adreno_mode {
   ADRENO_DIRECT = 1,
   ADRENO_BINNING = 2,
   ADRENO_TILE = 4,
   ADRENO_END_OF_DRAWS = 5,
   ADRENO_RESOLVE = 6,
   ADRENO_END_OF_TILE = 7,
   ADRENO_COMPUTE = 8,
};

/* Masks of modes in packets, shifted down. */
enum {
   ADRENO_IN_BINNING = 1 << 0,
   ADRENO_IN_TILES = 1 << 1,
   ADRENO_IN_DIRECT = 1 << 2,
};

struct adreno_packet {
   unsigned op;
   const uint32_t *body;
   unsigned body_dw;
};

/* A group of CP_SET_DRAW_STATE: commands that run before the next draw. */
struct adreno_group {
   uint64_t address;
   unsigned count_dw; /* 0: none */
   unsigned modes;
   bool is_dirty;
};

/* A rectangle of the screen; right and bottom are exclusive. */
struct adreno_box {
   unsigned left, top, right, bottom;
};

struct adreno_decoder {
   struct sim_engine *engine;
   unsigned generation; /* 6, 7 */
   enum adreno_mode mode;
   bool ignores_visibility;
   bool skips_globally, skips_locally; /* by CP_SKIP_IB2_ENABLE_* */
   bool is_spent;                      /* no draw is left in the tile */
   unsigned next_draw;                 /* in the tile */
   bool predicate;                     /* set by CP_REG_TEST */
   struct adreno_group groups[ADRENO_GROUP_COUNT];
   unsigned binned_count; /* draws of the binning pass */

   /* Too large to clear for a batch.  is_set: blocks that may be nonzero. */
   uint32_t registers[ADRENO_REGISTER_COUNT];
   bool is_set[ADRENO_REGISTER_COUNT / ADRENO_REGISTER_BLOCK];
   struct adreno_box binned[ADRENO_MAX_BINNED]; /* the first ones */
};

typedef void
adreno_handler(struct adreno_decoder *decoder,
               const struct adreno_packet *packet);

/* adreno.c */

/* Runs commands at an address to their end. */
void
adreno_execute_now(struct adreno_decoder *decoder, uint64_t address,
                   uint64_t count_dw);

/* Returns the mode as one of the masks. */
unsigned
adreno_mode_mask(const struct adreno_decoder *decoder);

/* adreno_state.c */
void
adreno_clear_registers(struct adreno_decoder *decoder);

void
adreno_set_register(struct adreno_decoder *decoder, uint32_t number,
                    uint32_t value);

/* As the command processor reads it. */
uint32_t
adreno_register(struct adreno_decoder *decoder, uint32_t number);

/* Returns the address in two consecutive registers. */
uint64_t
adreno_address_register(const struct adreno_decoder *decoder,
                        uint32_t number);

/* Runs the groups of state that changed since the last draw. */
void
adreno_apply_groups(struct adreno_decoder *decoder);

adreno_handler adreno_set_draw_state, adreno_set_marker;
adreno_handler adreno_register_bunch, adreno_register_write;
adreno_handler adreno_register_test, adreno_cond_reg_exec;

/* adreno_visibility.c */

/* Returns the rectangle that a draw touches: its whole scissor. */
struct adreno_box
adreno_draw_box(const struct adreno_decoder *decoder);

/* Returns the part of it that is in the tile. */
struct adreno_box
adreno_tile_box(const struct adreno_decoder *decoder);

uint64_t
adreno_area(struct adreno_box box);

/* Called when the mode is set. */
void
adreno_begin_pass(struct adreno_decoder *decoder);

void
adreno_bin_draw(struct adreno_decoder *decoder);

/* Whether a draw instead ends the commands that contain it. */
bool
adreno_returns_early(struct adreno_decoder *decoder);

bool
adreno_skips_calls(const struct adreno_decoder *decoder);

adreno_handler adreno_override_visibility;
adreno_handler adreno_skip_globally, adreno_skip_locally;

/* adreno_memory.c */
adreno_handler adreno_nop;
adreno_handler adreno_mem_write, adreno_mem_to_mem, adreno_mem_to_reg;
adreno_handler adreno_reg_to_mem, adreno_cond_write, adreno_cond_exec;
adreno_handler adreno_wait_mem_writes, adreno_wait_for_idle;

/* Whether a sum or a copy to a register waits for writes first. */
bool
adreno_waits_first(const struct adreno_decoder *decoder,
                   const struct adreno_packet *packet);

/* Whether a packet has waited for memory. */
bool
adreno_has_waited(struct adreno_decoder *decoder,
                  const struct adreno_packet *packet);

/* adreno_event.c */
adreno_handler adreno_event_write;

/* adreno_draw.c */
adreno_handler adreno_draw, adreno_draw_indirect, adreno_draw_auto;
adreno_handler adreno_dispatch, adreno_dispatch_indirect, adreno_blit;

#endif /* PITOT_SIM_ADRENO_H */
