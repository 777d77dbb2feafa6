/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The kernel's replies about AMD GPUs, a GPU per row.  They are those of the
 * cards that Mesa has dumps of (src/amd/drm-shim, test_amdgpu_dumps.c).
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drm-uapi/amdgpu_drm.h"
#include "amdgpu.h"

/* How pipes share an image: P4_16X16 is 4 pipes in tiles of 16x16. */
#define P4_16X16       5
#define P8_32X32_8X16  10
#define P8_32X32_16X16 12

#define VERSIONS(GFX_MAJOR, GFX_MINOR, SDMA_MAJOR, SDMA_MINOR)               \
   .gfx_major = GFX_MAJOR, .gfx_minor = GFX_MINOR, .sdma_major = SDMA_MAJOR, \
   .sdma_minor = SDMA_MINOR
#define UNITS(ENGINES, ARRAYS, COUNT)                                        \
   .engines = ENGINES, .arrays_per_engine = ARRAYS, .units_per_array = COUNT
#define WAVE64 .wave_size = 64, .visible_vgprs = 256
#define WAVE32 .wave_size = 32, .visible_vgprs = 1024
#define MEMORY(TYPE, BITS, MIB, L2_BLOCKS)                                   \
   .vram_type = AMDGPU_VRAM_TYPE_##TYPE, .vram_bits = BITS, .vram_MiB = MIB, \
   .l2_blocks = L2_BLOCKS
#define CLOCKS(CORE, MEMORY) .core_MHz = CORE, .memory_MHz = MEMORY

static const struct sim_amdgpu gpus[] = {
   { .name = "pitcairn",
     VERSIONS(6, 0, 1, 0),
     UNITS(2, 2, 5),
     WAVE64,
     MEMORY(GDDR5, 256, 2048, 8),
     CLOCKS(1000, 1200),
     .compute_rings = 0x3,
     .firmware_feature = 29,
     .address_config = 0x12011003,
     .pipe_config = P8_32X32_8X16 },
   { .name = "bonaire",
     VERSIONS(7, 2, 2, 0),
     UNITS(2, 1, 7),
     WAVE64,
     MEMORY(GDDR5, 128, 2048, 4),
     CLOCKS(1075, 1625),
     .compute_rings = 0xff,
     .firmware_feature = 49,
     .address_config = 0x12010001,
     .pipe_config = P4_16X16 },
   { .name = "polaris10",
     VERSIONS(8, 0, 3, 1),
     UNITS(4, 1, 9),
     WAVE64,
     MEMORY(GDDR5, 256, 8192, 8),
     CLOCKS(1340, 2000),
     .compute_rings = 0xff,
     .firmware_feature = 49,
     .address_config = 0x22011003,
     .pipe_config = P8_32X32_16X16 },
   { .name = "vega10",
     VERSIONS(9, 0, 4, 0),
     UNITS(4, 1, 16),
     WAVE64,
     MEMORY(HBM, 2048, 8192, 16),
     CLOCKS(1630, 945),
     .compute_rings = 0xff,
     .firmware_feature = 53,
     .address_config = 0x2a114042 },
   { .name = "navi10",
     VERSIONS(10, 1, 5, 0),
     UNITS(2, 2, 10),
     WAVE32,
     MEMORY(GDDR6, 256, 8192, 16),
     CLOCKS(2100, 875),
     .compute_rings = 0xff,
     .firmware_feature = 32,
     .address_config = 0x00100044 },
   { .name = "navi21",
     VERSIONS(10, 3, 5, 2),
     UNITS(4, 2, 10),
     WAVE32,
     MEMORY(GDDR6, 256, 16384, 16),
     CLOCKS(2500, 1000),
     .compute_rings = 0xff,
     .firmware_feature = 40,
     .address_config = 0x00000444 },
   { .name = "navi31",
     VERSIONS(11, 0, 6, 0),
     UNITS(6, 2, 8),
     .wave_size = 32,
     .visible_vgprs = 1536,
     MEMORY(GDDR6, 384, 24576, 24),
     CLOCKS(2500, 1250),
     .compute_rings = 0xf,
     .firmware_feature = 29,
     .address_config = 0x00000545,
     .absent_backends = 1u << 23 }, /* Linux's GFX11 mask was too wide */
   { .name = "gfx1150",
     VERSIONS(11, 5, 6, 1),
     UNITS(1, 2, 8),
     WAVE32,
     MEMORY(DDR5, 128, 2048, 4),
     CLOCKS(2900, 1400),
     .compute_rings = 0xf,
     .firmware_feature = 29,
     .address_config = 0x00000242 },
   { .name = "navi44",
     VERSIONS(12, 0, 7, 0),
     UNITS(2, 2, 8),
     WAVE32,
     MEMORY(GDDR6, 128, 16384, 8),
     CLOCKS(3130, 1258),
     .compute_rings = 0xff,
     .firmware_feature = 29,
     .address_config = 0x00000343 },
   { .name = "navi48",
     VERSIONS(12, 0, 7, 0),
     UNITS(4, 2, 8),
     WAVE32,
     MEMORY(GDDR6, 256, 16384, 16),
     CLOCKS(2970, 1258),
     .compute_rings = 0xff,
     .firmware_feature = 29,
     .address_config = 0x00000444 },
};

const struct sim_amdgpu *
sim_amdgpu_data(const struct sim_gpu *gpu)
{
   for (unsigned i = 0; i < sizeof(gpus) / sizeof(gpus[0]); i++)
      if (strcmp(gpus[i].name, gpu->facts.name) == 0)
         return &gpus[i];
   fprintf(stderr, "tests/sim/amdgpu_gpus.c has no %s\n", gpu->facts.name);
   abort();
}
