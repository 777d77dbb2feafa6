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

#ifndef PITOT_SIM_CACHE_H
#define PITOT_SIM_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif /* PITOT_SIM_CACHE_H */
