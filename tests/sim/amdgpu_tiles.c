/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The tile modes of GFX6 to GFX8: how images lie in memory.  Nothing is
 * drawn here, but drivers want modes that go together.  A number has the same
 * meaning on all GPUs of a generation; the banks are derived.
 */

#include "amdgpu.h"

#define GFX7 70

/* Arrays of tiles, as the registers have them. */
enum {
   LINEAR_ALIGNED = 1,
   THIN_1D = 2,
   THICK_1D = 3,
   THIN_2D = 4,
   PRT_THIN = 5,
   PRT_2D_THIN = 6,
   THICK_2D = 7,
   XTHICK_2D = 8,
   PRT_THICK = 9,
   PRT_2D_THICK = 10,
   PRT_3D_THIN = 11,
   THIN_3D = 12,
   THICK_3D = 13,
   XTHICK_3D = 14,
};

/* The order within a tile. */
enum {
   DISPLAY = 0,
   THIN = 1,
   DEPTH = 2,
   ROTATED = 3,
   THICK_GFX6 = 3,
   THICK = 4,
};

/* split: log2(bytes / 64), the size of a tile or of a half. */
struct mode {
   uint8_t array, order, split;
};

static const struct mode modes_gfx6[] = {
   { THIN_2D, DEPTH, 0 },       { THIN_2D, DEPTH, 1 },
   { THIN_2D, DEPTH, 2 },       { THIN_2D, DEPTH, 1 },
   { THIN_1D, DEPTH, 0 },       { THIN_2D, DEPTH, 1 },
   { THIN_2D, DEPTH, 2 },       { THIN_2D, DEPTH, 0 },
   { LINEAR_ALIGNED, 0, 0 },    { THIN_1D, DISPLAY, 0 },
   { THIN_2D, DISPLAY, 0 },     { THIN_2D, DISPLAY, 1 },
   { THIN_2D, DISPLAY, 2 },     { THIN_1D, THIN, 0 },
   { THIN_2D, THIN, 0 },        { THIN_2D, THIN, 1 },
   { THIN_2D, THIN, 2 },        { THIN_2D, THIN, 3 },
   { THICK_1D, THICK_GFX6, 0 }, { XTHICK_2D, THICK_GFX6, 0 },
   { THICK_2D, THICK_GFX6, 0 }, { THIN_2D, THIN, 0 },
   { THIN_2D, THIN, 1 },        { THIN_2D, THIN, 2 },
   { THIN_2D, THIN, 3 },        { THIN_2D, THIN, 4 },
};

static const struct mode modes_gfx7[] = {
   { THIN_2D, DEPTH, 0 },       { THIN_2D, DEPTH, 1 },
   { THIN_2D, DEPTH, 2 },       { THIN_2D, DEPTH, 3 },
   { THIN_2D, DEPTH, 5 },       { THIN_1D, DEPTH, 0 },
   { PRT_2D_THIN, DEPTH, 2 },   { PRT_2D_THIN, DEPTH, 5 },
   { LINEAR_ALIGNED, 0, 0 },    { THIN_1D, DISPLAY, 0 },
   { THIN_2D, DISPLAY, 0 },     { PRT_THIN, DISPLAY, 0 },
   { PRT_2D_THIN, DISPLAY, 0 }, { THIN_1D, THIN, 0 },
   { THIN_2D, THIN, 0 },        { THIN_3D, THIN, 0 },
   { PRT_THIN, THIN, 0 },       { PRT_2D_THIN, THIN, 0 },
   { THICK_1D, THIN, 0 },       { THICK_1D, THICK, 0 },
   { THICK_2D, THICK, 0 },      { THICK_3D, THICK, 0 },
   { PRT_THICK, THICK, 0 },     { PRT_2D_THICK, THICK, 0 },
   { THICK_2D, THIN, 0 },       { XTHICK_2D, THICK, 0 },
   { XTHICK_3D, THICK, 0 },     { THIN_1D, ROTATED, 0 },
   { THIN_2D, ROTATED, 0 },     { PRT_THIN, ROTATED, 0 },
   { PRT_2D_THIN, ROTATED, 0 },
};

#define COUNT(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))

#define ARRAY_SHIFT        2
#define PIPE_CONFIG_SHIFT  6
#define TILE_SPLIT_SHIFT   11
#define BANK_HEIGHT_SHIFT  16
#define MACRO_ASPECT_SHIFT 18
#define NUM_BANKS_SHIFT    20
#define NEW_ORDER_SHIFT    22
#define SAMPLE_SPLIT_SHIFT 25
#define SAMPLE_SPLIT_TWO   1
#define NUM_BANKS_SIXTEEN  3
#define MACRO_ASPECT_TWO   1

#define MACRO_BANK_HEIGHT_SHIFT 2
#define MACRO_ASPECT_TWO_BIT    (1u << 4)
#define MACRO_NUM_BANKS_SHIFT   6

/* A bank has as many tiles as make up 256 bytes, the share of one pipe. */
static uint32_t
log2_bank_height(unsigned log2_size)
{
   return log2_size < 2 ? 2 - log2_size : 0;
}

static uint32_t
mode_gfx6(unsigned i)
{
   const struct mode *mode = &modes_gfx6[i];

   return mode->order | (uint32_t)mode->array << ARRAY_SHIFT |
          (uint32_t)mode->split << TILE_SPLIT_SHIFT |
          log2_bank_height(mode->split) << BANK_HEIGHT_SHIFT |
          MACRO_ASPECT_TWO << MACRO_ASPECT_SHIFT |
          NUM_BANKS_SIXTEEN << NUM_BANKS_SHIFT;
}

static uint32_t
mode_gfx7(unsigned i)
{
   const struct mode *mode = &modes_gfx7[i];

   return (uint32_t)mode->array << ARRAY_SHIFT |
          (uint32_t)mode->split << TILE_SPLIT_SHIFT |
          (uint32_t)mode->order << NEW_ORDER_SHIFT |
          (mode->order != DEPTH ? SAMPLE_SPLIT_TWO << SAMPLE_SPLIT_SHIFT : 0);
}

uint32_t
sim_amdgpu_tile_mode(const struct sim_gpu *gpu, unsigned i)
{
   const bool is_gfx6 = gpu->facts.generation < GFX7;
   const uint32_t pipes = sim_amdgpu_data(gpu)->pipe_config;

   if (i >= (is_gfx6 ? COUNT(modes_gfx6) : COUNT(modes_gfx7)))
      return 0;
   return (is_gfx6 ? mode_gfx6(i) : mode_gfx7(i)) | pipes
                                                       << PIPE_CONFIG_SHIFT;
}

/* From GFX7 on, banks are by the size of a tile; the last eight are for
 * images of which only a part has memory.
 */
uint32_t
sim_amdgpu_macro_tile_mode(unsigned i)
{
   return log2_bank_height(i % 8) << MACRO_BANK_HEIGHT_SHIFT |
          MACRO_ASPECT_TWO_BIT | NUM_BANKS_SIXTEEN << MACRO_NUM_BANKS_SHIFT;
}
