/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The parts of the simulated amdgpu. */

#ifndef PITOT_SIM_AMDGPU_H
#define PITOT_SIM_AMDGPU_H

#include "sim_priv.h"

#define SIM_PAGE_B 4096

/* What drivers query about a GPU: see amdgpu_gpus.c. */
struct sim_amdgpu {
   const char *name;

   /* Versions of the blocks that execute commands. */
   uint8_t gfx_major, gfx_minor;
   uint8_t sdma_major, sdma_minor;
   uint8_t compute_rings; /* mask */

   /* All shader arrays have the same number of units. */
   uint8_t engines, arrays_per_engine, units_per_array;
   uint16_t visible_vgprs;
   uint8_t wave_size;

   uint8_t l2_blocks;
   uint8_t vram_type;
   uint16_t vram_bits;
   uint32_t vram_MiB;
   uint32_t core_MHz, memory_MHz;

   uint32_t firmware_feature; /* of the micro engine */
   uint32_t address_config;   /* GB_ADDR_CONFIG */
   uint32_t absent_backends;  /* see struct sim; for Mesa's drivers */
   uint8_t pipe_config;       /* of the tile modes of GFX6 to GFX8 */
};

const struct sim_amdgpu *
sim_amdgpu_data(const struct sim_gpu *gpu);

/* amdgpu_info.c, amdgpu_submit.c */
int
sim_amdgpu_info(struct sim *sim, void *argument);

int
sim_amdgpu_submit(struct sim *sim, void *argument);

#endif /* PITOT_SIM_AMDGPU_H */
