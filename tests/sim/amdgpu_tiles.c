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

/* A bank has as many tiles as make up 256 bytes, the share of one pipe. */
#define BANK_HEIGHT(SPLIT) ((SPLIT) < 2 ? 2u - (SPLIT) : 0)

/* SPLIT is log2(bytes / 64), the size of a tile or of a half.  Macro tiles
 * are twice as wide as high and have 16 banks.
 */
#define MODE_GFX6(ARRAY, ORDER, SPLIT)                                       \
   ((ORDER) | (ARRAY) << 2 | (SPLIT) << 11 | BANK_HEIGHT(SPLIT) << 16 |      \
    1 << 18 | 3 << 20)

/* All orders but DEPTH split samples in two. */
#define MODE_GFX7(ARRAY, ORDER, SPLIT)                                       \
   ((ARRAY) << 2 | (SPLIT) << 11 | (ORDER) << 22 |                           \
    ((ORDER) != DEPTH ? 1 << 25 : 0))

static const uint32_t modes_gfx6[] = {
   MODE_GFX6(THIN_2D, DEPTH, 0),       MODE_GFX6(THIN_2D, DEPTH, 1),
   MODE_GFX6(THIN_2D, DEPTH, 2),       MODE_GFX6(THIN_2D, DEPTH, 1),
   MODE_GFX6(THIN_1D, DEPTH, 0),       MODE_GFX6(THIN_2D, DEPTH, 1),
   MODE_GFX6(THIN_2D, DEPTH, 2),       MODE_GFX6(THIN_2D, DEPTH, 0),
   MODE_GFX6(LINEAR_ALIGNED, 0, 0),    MODE_GFX6(THIN_1D, DISPLAY, 0),
   MODE_GFX6(THIN_2D, DISPLAY, 0),     MODE_GFX6(THIN_2D, DISPLAY, 1),
   MODE_GFX6(THIN_2D, DISPLAY, 2),     MODE_GFX6(THIN_1D, THIN, 0),
   MODE_GFX6(THIN_2D, THIN, 0),        MODE_GFX6(THIN_2D, THIN, 1),
   MODE_GFX6(THIN_2D, THIN, 2),        MODE_GFX6(THIN_2D, THIN, 3),
   MODE_GFX6(THICK_1D, THICK_GFX6, 0), MODE_GFX6(XTHICK_2D, THICK_GFX6, 0),
   MODE_GFX6(THICK_2D, THICK_GFX6, 0), MODE_GFX6(THIN_2D, THIN, 0),
   MODE_GFX6(THIN_2D, THIN, 1),        MODE_GFX6(THIN_2D, THIN, 2),
   MODE_GFX6(THIN_2D, THIN, 3),        MODE_GFX6(THIN_2D, THIN, 4),
};

static const uint32_t modes_gfx7[] = {
   MODE_GFX7(THIN_2D, DEPTH, 0),       MODE_GFX7(THIN_2D, DEPTH, 1),
   MODE_GFX7(THIN_2D, DEPTH, 2),       MODE_GFX7(THIN_2D, DEPTH, 3),
   MODE_GFX7(THIN_2D, DEPTH, 5),       MODE_GFX7(THIN_1D, DEPTH, 0),
   MODE_GFX7(PRT_2D_THIN, DEPTH, 2),   MODE_GFX7(PRT_2D_THIN, DEPTH, 5),
   MODE_GFX7(LINEAR_ALIGNED, 0, 0),    MODE_GFX7(THIN_1D, DISPLAY, 0),
   MODE_GFX7(THIN_2D, DISPLAY, 0),     MODE_GFX7(PRT_THIN, DISPLAY, 0),
   MODE_GFX7(PRT_2D_THIN, DISPLAY, 0), MODE_GFX7(THIN_1D, THIN, 0),
   MODE_GFX7(THIN_2D, THIN, 0),        MODE_GFX7(THIN_3D, THIN, 0),
   MODE_GFX7(PRT_THIN, THIN, 0),       MODE_GFX7(PRT_2D_THIN, THIN, 0),
   MODE_GFX7(THICK_1D, THIN, 0),       MODE_GFX7(THICK_1D, THICK, 0),
   MODE_GFX7(THICK_2D, THICK, 0),      MODE_GFX7(THICK_3D, THICK, 0),
   MODE_GFX7(PRT_THICK, THICK, 0),     MODE_GFX7(PRT_2D_THICK, THICK, 0),
   MODE_GFX7(THICK_2D, THIN, 0),       MODE_GFX7(XTHICK_2D, THICK, 0),
   MODE_GFX7(XTHICK_3D, THICK, 0),     MODE_GFX7(THIN_1D, ROTATED, 0),
   MODE_GFX7(THIN_2D, ROTATED, 0),     MODE_GFX7(PRT_THIN, ROTATED, 0),
   MODE_GFX7(PRT_2D_THIN, ROTATED, 0),
};

#define COUNT(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))

uint32_t
sim_amdgpu_tile_mode(const struct sim_gpu *gpu, unsigned i)
{
   const bool is_gfx6 = gpu->facts.generation < GFX7;
   const uint32_t *modes = is_gfx6 ? modes_gfx6 : modes_gfx7;

   if (i >= (is_gfx6 ? COUNT(modes_gfx6) : COUNT(modes_gfx7)))
      return 0;
   return modes[i] | (uint32_t)sim_amdgpu_data(gpu)->pipe_config << 6;
}

/* From GFX7 on, banks are by the size of a tile; the last eight are for
 * images of which only a part has memory.
 */
uint32_t
sim_amdgpu_macro_tile_mode(unsigned i)
{
   return BANK_HEIGHT(i % 8) << 2 | 1u << 4 | 3u << 6;
}
