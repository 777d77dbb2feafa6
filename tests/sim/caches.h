/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The caches of a simulated GPU, and accesses through them. */

#ifndef PITOT_SIM_CACHES_H
#define PITOT_SIM_CACHES_H

#include "cache.h"

struct sim;
struct sim_engine;

/* AMD: two compute units, each with L1 caches. */
#define SIM_UNIT_COUNT 2

enum sim_cache_id {
   SIM_NO_CACHE,

   /* AMD */
   SIM_L2,
   SIM_STORES, /* of running shaders */
   SIM_SCALAR_L1,
   SIM_VECTOR_L1 = SIM_SCALAR_L1 + SIM_UNIT_COUNT,

   /* Intel */
   SIM_TILES = SIM_VECTOR_L1 + SIM_UNIT_COUNT, /* in L3 from Gen12 on */
   SIM_COLORS,
   SIM_TEXTURES,
   SIM_VERTICES,

   SIM_CACHE_COUNT,
};

/* Actions on all lines of a cache. */
enum {
   SIM_FINISH_STORES = 1 << 0,
   SIM_WRITE_L2 = 1 << 1,
   SIM_INVALIDATE_L2 = 1 << 2,
   SIM_INVALIDATE_SCALARS = 1 << 3,
   SIM_INVALIDATE_VECTORS = 1 << 4,
   SIM_FLUSH_COLORS = 1 << 5,
   SIM_FLUSH_TILES = 1 << 6,
   SIM_INVALIDATE_TEXTURES = 1 << 7,
   SIM_INVALIDATE_VERTICES = 1 << 8,
   SIM_ALL_CACHES = ~0,
};

struct sim_caches {
   struct sim_cache all[SIM_CACHE_COUNT]; /* the first is unused */
   unsigned unit;                         /* AMD: of the dispatch */
};

void
sim_caches_init(struct sim *sim);

void
sim_caches_finish(struct sim_caches *caches);

/* Write-backs come first. */
void
sim_caches_act(struct sim_caches *caches, uint32_t actions);

/* Drops all lines, as a reset of the GPU does. */
void
sim_caches_reset(struct sim_caches *caches);

void
sim_caches_forget(struct sim_caches *caches, const uint8_t *memory,
                  uint64_t size_B);

/* The schedule may evict a line of some caches. */
void
sim_caches_step(struct sim *sim);

/* AMD: chooses a dispatch's compute unit, in turn without a schedule. */
void
sim_choose_unit(struct sim *sim);

/* The kernel driver's actions at the end of a batch, before it is done. */
void
sim_caches_end_batch(struct sim *sim);

enum sim_cache_id
sim_streamer_cache(const struct sim_engine *engine);

/* The cache that backends write to, or SIM_NO_CACHE: memory, and a line in
 * L2.
 */
enum sim_cache_id
sim_backend_cache(const struct sim_engine *engine, uint64_t address);

/* Reads through a cache.  Returns whether all of it is mapped. */
bool
sim_read_by(struct sim_engine *engine, enum sim_cache_id id, uint64_t address,
            void *data_out, uint64_t size_B);

/* To a cache, or to memory.  Returns whether all of it is mapped. */
bool
sim_write_by(struct sim_engine *engine, enum sim_cache_id id,
             uint64_t address, const void *data, uint64_t size_B);

void
sim_store(struct sim_engine *engine, uint64_t address, const void *data,
          uint64_t size_B);

/* Updates L2 after a write to memory, if the writer is a client of it. */
void
sim_update_l2(struct sim_engine *engine, uint8_t *memory, uint64_t address,
              const void *data, unsigned size_B);

/* Writes to L2 only.  memory: where the address is mapped. */
void
sim_write_l2(struct sim_engine *engine, uint8_t *memory, uint64_t address,
             const void *data, unsigned size_B);

void
sim_copy(struct sim_engine *engine, enum sim_cache_id to_id, uint64_t to,
         enum sim_cache_id from_id, uint64_t from, uint64_t size_B);

#endif /* PITOT_SIM_CACHES_H */
