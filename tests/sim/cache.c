/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>
#include <string.h>

#include "caches.h"

#define MIN_HEADS 64

struct sim_line {
   uint8_t *memory;
   uint64_t valid, dirty; /* a bit per byte */
   uint32_t next;         /* with the same hash; indices like heads */
   uint8_t size_B;
   bool is_uncached;
   uint8_t data[SIM_LINE_B];
};

static unsigned
head_of(const struct sim_cache *cache, const uint8_t *memory)
{
   const uint64_t number = (uintptr_t)memory / 16;

   return (unsigned)(number * UINT64_C(0x9e3779b97f4a7c15) >> 40) &
          (cache->head_count - 1);
}

static uint64_t
mask_of(unsigned offset_B, unsigned size_B)
{
   return UINT64_MAX >> (SIM_LINE_B - size_B) << offset_B;
}

/* Rebuilds the hash lists, about one per line. */
static void
rehash(struct sim_cache *cache)
{
   unsigned head_count = MIN_HEADS;

   while (head_count < cache->capacity)
      head_count *= 2;
   if (head_count != cache->head_count) {
      cache->head_count = head_count;
      cache->heads =
         realloc(cache->heads, head_count * sizeof(cache->heads[0]));
   }
   memset(cache->heads, 0, head_count * sizeof(cache->heads[0]));
   for (unsigned i = 0; i < cache->count; i++) {
      uint32_t *head = &cache->heads[head_of(cache, cache->lines[i].memory)];

      cache->lines[i].next = *head;
      *head = i + 1;
   }
}

static struct sim_line *
find(struct sim_cache *cache, const uint8_t *memory)
{
   uint32_t i = cache->count != 0 ? cache->heads[head_of(cache, memory)] : 0;

   while (i != 0 && cache->lines[i - 1].memory != memory)
      i = cache->lines[i - 1].next;
   return i != 0 ? &cache->lines[i - 1] : NULL;
}

/* Finds or adds a line.  A full cache is written back and cleared. */
static struct sim_line *
get(struct sim_cache *cache, const struct sim_bytes *bytes)
{
   struct sim_line *line = find(cache, bytes->line);

   if (line != NULL)
      return line;
   if (cache->count == cache->max_count) {
      sim_cache_write_back(cache);
      sim_cache_invalidate(cache);
   }
   if (cache->count == cache->capacity) {
      cache->capacity =
         cache->capacity != 0 ? 2 * cache->capacity : MIN_HEADS;
      cache->lines =
         realloc(cache->lines, cache->capacity * sizeof(*cache->lines));
      rehash(cache);
   }
   line = &cache->lines[cache->count++];
   uint32_t *head = &cache->heads[head_of(cache, bytes->line)];
   *line = (struct sim_line){
      .memory = bytes->line,
      .next = *head,
      .size_B = (uint8_t)bytes->line_B,
      .is_uncached = bytes->is_uncached,
   };
   *head = cache->count;
   return line;
}

/* The CPU, or a GPU of another thread, may write concurrently. */
static void
read_memory(const struct sim_bytes *bytes, void *data_out)
{
   const uint8_t *memory = bytes->line + bytes->offset_B;

   if (bytes->size_B == sizeof(uint32_t))
      *(uint32_t *)data_out =
         __atomic_load_n((const uint32_t *)memory, __ATOMIC_ACQUIRE);
   else
      memcpy(data_out, memory, bytes->size_B);
}

/* What is below a cache for these bytes; NULL is memory. */
static struct sim_cache *
below_of(const struct sim_cache *cache, bool is_uncached)
{
   return cache->below != NULL && is_uncached ? cache->below->below
                                              : cache->below;
}

/* The cache's valid bytes replace those read. */
static void
read_line(struct sim_cache *cache, const struct sim_bytes *bytes,
          uint8_t data[SIM_LINE_B])
{
   const struct sim_bytes all = { bytes->line, 0, bytes->line_B,
                                  bytes->line_B, bytes->is_uncached };
   const struct sim_line *line;

   sim_cache_read(below_of(cache, bytes->is_uncached), &all, data);
   line = find(cache, bytes->line);
   for (unsigned i = 0; line != NULL && i < all.size_B; i++) {
      if ((line->valid >> i & 1) != 0)
         data[i] = line->data[i];
   }
}

void
sim_cache_read(struct sim_cache *cache, const struct sim_bytes *bytes,
               void *data_out)
{
   uint8_t data[SIM_LINE_B];
   struct sim_line *line;

   if (cache == NULL) {
      read_memory(bytes, data_out);
      return;
   }

   const uint64_t mask = mask_of(bytes->offset_B, bytes->size_B);
   line = find(cache, bytes->line);
   if (line != NULL && (line->valid & mask) == mask) {
      memcpy(data_out, &line->data[bytes->offset_B], bytes->size_B);
      return;
   }
   read_line(cache, bytes, data);
   memcpy(data_out, &data[bytes->offset_B], bytes->size_B);
   if (cache->is_of_writes)
      return;
   line = get(cache, bytes);
   memcpy(line->data, data, bytes->line_B);
   line->valid = mask_of(0, bytes->line_B);
}

static void
change(struct sim_line *line, const struct sim_bytes *bytes, const void *data)
{
   memcpy(&line->data[bytes->offset_B], data, bytes->size_B);
   line->valid |= mask_of(bytes->offset_B, bytes->size_B);
}

void
sim_cache_put(struct sim_cache *cache, const struct sim_bytes *bytes,
              const void *data)
{
   change(get(cache, bytes), bytes, data);
}

void
sim_cache_write(struct sim_cache *cache, const struct sim_bytes *bytes,
                const void *data)
{
   struct sim_line *line = get(cache, bytes);

   change(line, bytes, data);
   line->dirty |= mask_of(bytes->offset_B, bytes->size_B);
}

void
sim_cache_update(struct sim_cache *cache, const struct sim_bytes *bytes,
                 const void *data)
{
   struct sim_line *line = find(cache, bytes->line);

   if (line == NULL)
      return;
   change(line, bytes, data);
   line->dirty &= ~mask_of(bytes->offset_B, bytes->size_B);
}

/* Writes back a run of dirty bytes.  Returns the offset after it. */
static unsigned
write_run(const struct sim_cache *cache, const struct sim_line *line,
          unsigned offset_B)
{
   struct sim_cache *below = below_of(cache, line->is_uncached);
   struct sim_bytes bytes = { line->memory, offset_B, 0, line->size_B,
                              line->is_uncached };

   while (offset_B + bytes.size_B < SIM_LINE_B &&
          (line->dirty >> (offset_B + bytes.size_B) & 1) != 0)
      bytes.size_B++;
   if (bytes.size_B == 0)
      return offset_B + 1;
   if (below != NULL)
      sim_cache_write(below, &bytes, &line->data[offset_B]);
   else
      memcpy(line->memory + offset_B, &line->data[offset_B], bytes.size_B);
   return offset_B + bytes.size_B;
}

static void
write_line_back(struct sim_cache *cache, struct sim_line *line)
{
   unsigned offset_B = 0;

   while (line->dirty != 0 && offset_B < SIM_LINE_B)
      offset_B = write_run(cache, line, offset_B);
   line->dirty = 0;
}

void
sim_cache_write_back(struct sim_cache *cache)
{
   for (unsigned i = 0; i < cache->count; i++)
      write_line_back(cache, &cache->lines[i]);
}

void
sim_cache_invalidate(struct sim_cache *cache)
{
   unsigned left = 0;

   if (cache->count == 0)
      return;
   for (unsigned i = 0; i < cache->count; i++) {
      struct sim_line *line = &cache->lines[i];

      line->valid = line->dirty;
      if (line->dirty != 0)
         cache->lines[left++] = *line;
   }
   cache->count = left;
   rehash(cache);
}

void
sim_cache_evict(struct sim_cache *cache, unsigned index)
{
   write_line_back(cache, &cache->lines[index]);
   cache->lines[index] = cache->lines[--cache->count];
   rehash(cache);
}

void
sim_cache_forget(struct sim_cache *cache, const uint8_t *memory,
                 uint64_t size_B)
{
   unsigned left = 0;

   if (cache->count == 0)
      return;
   for (unsigned i = 0; i < cache->count; i++) {
      const struct sim_line *line = &cache->lines[i];

      /* An unbounded range would overflow as pointers. */
      if ((uintptr_t)line->memory - (uintptr_t)memory >= size_B)
         cache->lines[left++] = *line;
   }
   cache->count = left;
   rehash(cache);
}

void
sim_cache_finish(struct sim_cache *cache)
{
   free(cache->lines);
   free(cache->heads);
   *cache = (struct sim_cache){ 0 };
}
