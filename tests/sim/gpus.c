/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The GPUs that there are: add one here.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_priv.h"

#define INTEL(NAME, ...) INTEL_VARIANT(NAME, NAME, __VA_ARGS__)

#define INTEL_VARIANT(KEY, NAME, GENERATION, ID, HZ, SUBSLICES, UNITS)       \
   .key = KEY,                                                               \
   .facts = { .vendor = PITOT_VENDOR_INTEL,                                  \
              .name = NAME,                                                  \
              .generation = GENERATION,                                      \
              .timestamp_bits = 36,                                          \
              .timestamp_hz = HZ },                                          \
   .driver = "i915", .version = { 1, 6, 0 }, .device_id = ID,                \
   .ps_multiple = (GENERATION) == 80 ? 4 : 1, .subslices = SUBSLICES,        \
   .units_per_subslice = UNITS

#define AMD(NAME, ...) AMD_VARIANT(NAME, NAME, 1500, __VA_ARGS__)

#define AMD_VARIANT(KEY, NAME, PFP, GENERATION, ID, FAMILY, REVISION, KHZ,   \
                    RB_COUNT, RB_MASK)                                       \
   .key = KEY,                                                               \
   .facts = { .vendor = PITOT_VENDOR_AMD,                                    \
              .name = NAME,                                                  \
              .generation = GENERATION,                                      \
              .timestamp_bits = 64,                                          \
              .timestamp_hz = (KHZ)*UINT64_C(1000),                          \
              .rb_count = RB_COUNT,                                          \
              .rb_mask = RB_MASK,                                            \
              .has_event_write_zpass =                                       \
                 (GENERATION) >= 110 && (PFP) >= 1458 },                     \
   .driver = "amdgpu", .version = { 3, 49, 0 }, .device_id = ID,             \
   .family = FAMILY, .revision = REVISION, .pfp_version = PFP

const struct sim_gpu sim_gpus[] = {
   { INTEL("bdw", 80, 0x1616, 12500000, 3, 8), .has_llc = true },
   { INTEL("skl", 90, 0x1912, 12000000, 3, 8), .has_llc = true },
   { INTEL("icl", 110, 0x8a52, 12000000, 8, 8), .has_llc = true },
   { INTEL("tgl", 120, 0x9a49, 19200000, 6, 16), .has_llc = true },
   { INTEL("dg2", 125, 0x56a0, 19200000, 32, 16), .is_discrete = true },
   { AMD("pitcairn", 60, 0x6818, 110, 0x15, 27000, 8, 0xff) },
   { AMD("bonaire", 70, 0x6658, 120, 0x15, 27000, 4, 0xf) },
   { AMD("polaris10", 80, 0x67df, 130, 0x51, 25000, 8, 0xff) },
   { AMD("vega10", 90, 0x687f, 141, 0x01, 27000, 16, 0xffff) },
   { AMD("navi10", 100, 0x731f, 143, 0x03, 100000, 16, 0xffff) },
   { AMD("navi21", 103, 0x73bf, 143, 0x29, 100000, 16, 0xff0f) },
   { AMD("navi31", 110, 0x744c, 145, 0x01, 100000, 24, 0xffffff) },

   /* Variants that are of interest: no common cache, a larger one, and an old
    * firmware.
    */
   { INTEL("bxt", 90, 0x5a84, 19200000, 3, 6) },
   { INTEL_VARIANT("skl gt4", "skl", 90, 0x193b, 12000000, 3, 8),
     .facts.is_gt4 = true, .has_llc = true },
   { AMD_VARIANT("gfx11 old", "gfx1150", 1457, 115, 0x150e, 150, 0x01, 100000,
                 4, 0xf) },
};

const unsigned sim_gpu_count = sizeof(sim_gpus) / sizeof(sim_gpus[0]);

const struct sim_gpu *
sim_gpu(const char *name)
{
   for (unsigned i = 0; i < sim_gpu_count; i++) {
      if (strcmp(sim_gpus[i].key, name) == 0)
         return &sim_gpus[i];
   }
   fprintf(stderr, "there is no simulated %s\n", name);
   abort();
}

struct sim *
sim_create_gpu(const char *name)
{
   struct sim *sim = calloc(1, sizeof(*sim));

   sim->gpu = *sim_gpu(name);
   sim->kernel = calloc(1, sizeof(*sim->kernel));
   pthread_mutex_init(&sim->kernel->lock, NULL);
   sim->ticks_per_packet = 1;
   sim->ticks_per_read = 1;
   return sim;
}

void
sim_destroy_gpu(struct sim *sim)
{
   sim_space_clear(sim, &sim->kernel->space);
   pthread_mutex_destroy(&sim->kernel->lock);
   free(sim->kernel);
   free(sim);
}
