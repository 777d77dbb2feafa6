/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Caches of a GPU.  A cache has lines, which are memory as it was when it was
 * read, or as it will be once it is written back.  Nothing is evicted unless
 * a cache is full: a read returns the oldest content that hardware may have
 * kept, and a write stays as long as it may.  A schedule evicts lines.
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

/* Bytes of one line. */
struct sim_bytes {
   uint8_t *line;     /* the first byte of the line in memory */
   unsigned offset_B; /* of the bytes in the line */
   unsigned size_B;
   unsigned line_B;  /* of the line, which may end with the memory */
   bool is_uncached; /* L2 does not keep them, but what is above it does */
};

struct sim_line;

struct sim_cache {
   struct sim_cache *below; /* or NULL: memory */
   unsigned max_count;      /* of lines */
   bool is_of_writes;       /* reads leave no line in it */
   struct sim_line *lines;
   unsigned count, capacity;
   uint32_t *heads; /* by a hash, the index of a line, plus 1 */
   unsigned head_count;
};

/* Reads bytes, by way of a cache unless that is NULL. */
void
sim_cache_read(struct sim_cache *cache, const struct sim_bytes *bytes,
               void *data_out);

/* Writes bytes that stay in the cache until it is written back. */
void
sim_cache_write(struct sim_cache *cache, const struct sim_bytes *bytes,
                const void *data);

/* Notes bytes that were written elsewhere. */
void
sim_cache_put(struct sim_cache *cache, const struct sim_bytes *bytes,
              const void *data);

/* Changes bytes that were written to memory, if the cache has their line. */
void
sim_cache_update(struct sim_cache *cache, const struct sim_bytes *bytes,
                 const void *data);

/* Writes the bytes that were written to what is below. */
void
sim_cache_write_back(struct sim_cache *cache);

/* Forgets all bytes but those that are still to be written back. */
void
sim_cache_invalidate(struct sim_cache *cache);

/* Writes back and forgets the line of an index. */
void
sim_cache_evict(struct sim_cache *cache, unsigned index);

/* Forgets memory that is freed. */
void
sim_cache_forget(struct sim_cache *cache, const uint8_t *memory,
                 uint64_t size_B);

void
sim_cache_finish(struct sim_cache *cache);

#endif /* PITOT_SIM_CACHE_H */
