/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Caches of a GPU.  A line is memory as it was when it was read, or as it
 * will be when it is written back.  Only a full cache evicts, and a schedule:
 * a read returns the oldest content that hardware may have kept, and a write
 * stays as long as it may.
 *
 *    scalar, vector L1  ->  L2  ->  memory           AMD, reads of shaders
 *    stores             ->  L2  ->  memory           AMD, writes of shaders
 *    texture, vertices  ->  tiles  ->  memory        Intel, reads of draws
 *    colors             ->  tiles  ->  memory        Intel, writes of draws
 */

#ifndef PITOT_SIM_CACHES_H
#define PITOT_SIM_CACHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim;
struct sim_engine;

/* cache.c: one cache */

#define SIM_LINE_B 64

struct sim_bytes {
   uint8_t *line;     /* start of the line in memory */
   unsigned offset_B; /* of the bytes, in the line */
   unsigned size_B;
   unsigned line_B;  /* of the line; may be cut by the end of memory */
   bool is_uncached; /* bypass L2, but not what is above it */
};

struct sim_line;

struct sim_cache {
   struct sim_cache *below; /* NULL: memory */
   unsigned max_count;      /* lines */
   bool is_of_writes;       /* reads add no line */
   struct sim_line *lines;
   unsigned count, capacity;
   uint32_t *heads; /* by hash: index of a line, plus 1 */
   unsigned head_count;
};

/* A NULL cache reads memory. */
void
sim_cache_read(struct sim_cache *cache, const struct sim_bytes *bytes,
               void *data_out);

/* The bytes stay in the cache until it is written back. */
void
sim_cache_write(struct sim_cache *cache, const struct sim_bytes *bytes,
                const void *data);

/* Adds bytes that were written elsewhere. */
void
sim_cache_put(struct sim_cache *cache, const struct sim_bytes *bytes,
              const void *data);

/* Updates a cached line after a write to memory. */
void
sim_cache_update(struct sim_cache *cache, const struct sim_bytes *bytes,
                 const void *data);

/* Writes dirty bytes to what is below. */
void
sim_cache_write_back(struct sim_cache *cache);

/* Drops all bytes except dirty ones. */
void
sim_cache_invalidate(struct sim_cache *cache);

void
sim_cache_evict(struct sim_cache *cache, unsigned index);

/* Drops lines of memory that is freed. */
void
sim_cache_forget(struct sim_cache *cache, const uint8_t *memory,
                 uint64_t size_B);

void
sim_cache_finish(struct sim_cache *cache);

/* caches.c: those of a GPU, and accesses through them */

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
