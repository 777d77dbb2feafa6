/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The GPUs of src/mesa/gpus.txt, and variants of them for unit tests. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_priv.h"

/* Memory: it shares the CPU's cache; or a driver must request that for a
 * buffer, later or at its creation (PAT); or it is a card's.
 */
#define LLC    .has_llc = true
#define NO_LLC .has_llc = false
#define PAT    .has_pat = true
#define CARD   .is_discrete = true

/* The kernel driver. */
#define KERNEL_I915 .driver = "i915", .version = { 1, 6, 0 }
#define KERNEL_XE   .driver = "xe", .version = { 1, 1, 0 }

#define INTEL(KEY, NAME, IS_GT4, GENERATION, ID, HZ, SUBSLICES, UNITS,       \
              MEMORY, KERNEL)                                                \
   {                                                                         \
      .key = KEY,                                                            \
      .intel = { .base = { .family = &pitot_hw_intel,                        \
                           .name = NAME,                                     \
                           .generation = GENERATION,                         \
                           .timestamp_bits = (GENERATION) < 200 ? 36 : 64,   \
                           .timestamp_hz = HZ },                             \
                 .is_gt4 = IS_GT4 },                                         \
      KERNEL_##KERNEL, .device_id = ID, .is_intel = true,                    \
      .ps_multiple = (GENERATION) == 80 ? 4 : 1, .subslices = SUBSLICES,     \
      .units_per_subslice = UNITS, MEMORY,                                   \
   }

/* PFP is the firmware's version: it may lack EVENT_WRITE_ZPASS. */
#define AMD(KEY, NAME, IS_PACKED, PFP, GENERATION, ID, FAMILY, REVISION,     \
            KHZ, RB_COUNT, RB_MASK)                                          \
   {                                                                         \
      .key = KEY,                                                            \
      .amd = { .base = { .family = &pitot_hw_amd,                            \
                         .name = NAME,                                       \
                         .generation = GENERATION,                           \
                         .timestamp_bits = 64,                               \
                         .timestamp_hz = (KHZ)*UINT64_C(1000) },             \
               .rb_count = RB_COUNT,                                         \
               .rb_mask = RB_MASK,                                           \
               .has_event_write_zpass =                                      \
                  (GENERATION) >= 110 && (PFP) >= 1458 },                    \
      .driver = "amdgpu", .version = { 3, 54, 0 }, .device_id = ID,          \
      .family = FAMILY, .revision = REVISION, .pfp_version = PFP,            \
      .packs_backends = IS_PACKED, .is_amd = true,                           \
   }

#define ADRENO_TIMESTAMP_HZ 19200000

#define ADRENO(KEY, NAME, GENERATION, CHIP_ID, GMEM_KIB)                     \
   {                                                                         \
      .key = KEY,                                                            \
      .facts = { .family = &pitot_hw_adreno,                                 \
                 .name = NAME,                                               \
                 .generation = GENERATION,                                   \
                 .timestamp_bits = 48,                                       \
                 .timestamp_hz = ADRENO_TIMESTAMP_HZ },                      \
      .driver = "msm", .version = { 1, 12, 0 }, .is_adreno = true,           \
      .chip_id = CHIP_ID, .gmem_KiB = GMEM_KIB,                              \
   }

#define IRIS(KEY, NAME, ...)     INTEL(KEY, NAME, false, __VA_ARGS__),
#define RADEONSI(KEY, NAME, ...) AMD(KEY, NAME, false, 1500, __VA_ARGS__),
#define FREEDRENO(...)           ADRENO(__VA_ARGS__),

const struct sim_gpu sim_gpus[] = {
/* clang-format off */
#include "gpus.inc"
   /* clang-format on */

   /* Without a shared cache; a larger GPU; with old firmware. */
   INTEL("bxt", "bxt", false, 90, 0x5a84, 19200000, 3, 6, NO_LLC, I915),
   INTEL("skl gt4", "skl", true, 90, 0x193b, 12000000, 3, 8, LLC, I915),
   AMD("gfx11 old", "gfx1150", false, 1457, 115, 0x150e, 150, 0x01, 100000, 4,
       0xf),

   /* Disabled render backends, whose slots are packed or not. */
   AMD("navi21 packed", "navi21", true, 1500, 103, 0x73bf, 143, 0x29, 100000,
       16, 0xff0f),
   AMD("bonaire cut", "bonaire", false, 1500, 70, 0x6658, 120, 0x15, 27000, 4,
       0xb),
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
   sim_schedule_begin(&sim->schedule, sim_next_seed);
   sim->packs_backends = sim->gpu.packs_backends;
   sim_caches_init(sim);
   return sim;
}

void
sim_destroy_gpu(struct sim *sim)
{
   sim_space_clear(sim, &sim->kernel->space);
   pthread_mutex_destroy(&sim->kernel->lock);
   sim_free_engine(&sim->kernel->engine);
   sim_caches_finish(&sim->kernel->caches);
   free(sim->kernel->objects);
   free(sim->kernel->binds);
   free(sim->kernel);
   free(sim);
}
