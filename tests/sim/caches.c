/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include "caches.h"
#include "sim_priv.h"

#define SMALL_CACHE 256   /* lines */
#define LARGE_CACHE 16384 /* lines */

static struct sim_cache *
cache_of(struct sim_engine *engine, enum sim_cache_id id)
{
   return id != SIM_NO_CACHE ? &engine->sim->kernel->caches.all[id] : NULL;
}

/* From Gen12 on Intel's tile cache is below the color cache. */
void
sim_caches_init(struct sim *sim)
{
   struct sim_cache *all = sim->kernel->caches.all;
   const bool has_tiles = sim->gpu.facts.generation >= GEN12;

   for (unsigned i = 1; i < SIM_CACHE_COUNT; i++) {
      const bool is_amds = i < SIM_TILES;
      const bool is_large =
         i == SIM_L2 || i == SIM_STORES || i == SIM_COLORS || i == SIM_TILES;

      all[i].max_count = is_large ? LARGE_CACHE : SMALL_CACHE;
      all[i].is_of_writes = i != SIM_L2 && is_large;
      if (i != SIM_L2 && i != SIM_TILES && (is_amds || has_tiles))
         all[i].below = &all[is_amds ? SIM_L2 : SIM_TILES];
   }
}

void
sim_caches_finish(struct sim_caches *caches)
{
   for (unsigned i = 0; i < SIM_CACHE_COUNT; i++)
      sim_cache_finish(&caches->all[i]);
}

/* Actions */

static void
flush(struct sim_cache *cache)
{
   sim_cache_write_back(cache);
   sim_cache_invalidate(cache);
}

static void
invalidate_units(struct sim_cache *first)
{
   for (unsigned i = 0; i < SIM_UNIT_COUNT; i++)
      sim_cache_invalidate(&first[i]);
}

void
sim_caches_act(struct sim_caches *caches, uint32_t actions)
{
   struct sim_cache *all = caches->all;

   if ((actions & SIM_FINISH_STORES) != 0)
      flush(&all[SIM_STORES]);
   if ((actions & SIM_WRITE_L2) != 0)
      sim_cache_write_back(&all[SIM_L2]);
   if ((actions & SIM_INVALIDATE_L2) != 0)
      sim_cache_invalidate(&all[SIM_L2]);
   if ((actions & SIM_INVALIDATE_SCALARS) != 0)
      invalidate_units(&all[SIM_SCALAR_L1]);
   if ((actions & SIM_INVALIDATE_VECTORS) != 0)
      invalidate_units(&all[SIM_VECTOR_L1]);
   if ((actions & SIM_FLUSH_COLORS) != 0)
      flush(&all[SIM_COLORS]);
   if ((actions & SIM_FLUSH_TILES) != 0)
      flush(&all[SIM_TILES]);
   if ((actions & SIM_INVALIDATE_TEXTURES) != 0)
      sim_cache_invalidate(&all[SIM_TEXTURES]);
   if ((actions & SIM_INVALIDATE_VERTICES) != 0)
      sim_cache_invalidate(&all[SIM_VERTICES]);
}

void
sim_caches_forget(struct sim_caches *caches, const uint8_t *memory,
                  uint64_t size_B)
{
   for (unsigned i = 1; i < SIM_CACHE_COUNT; i++)
      sim_cache_forget(&caches->all[i], memory, size_B);
}

void
sim_caches_reset(struct sim_caches *caches)
{
   sim_caches_forget(caches, NULL, UINTPTR_MAX);
}

/* From the top down: a line may be evicted from two caches in a step. */
void
sim_caches_step(struct sim *sim)
{
   struct sim_schedule *schedule = &sim->schedule;

   if (!sim_choose_percent(schedule, schedule->evict_percent))
      return;
   for (unsigned i = SIM_CACHE_COUNT - 1; i > SIM_NO_CACHE; i--) {
      struct sim_cache *cache = &sim->kernel->caches.all[i];

      if (cache->count != 0 && sim_choose(schedule, 2) != 0)
         sim_cache_evict(cache, sim_choose(schedule, cache->count));
   }
}

void
sim_choose_unit(struct sim *sim)
{
   unsigned *unit = &sim->kernel->caches.unit;

   *unit = sim_schedule_is_on(&sim->schedule)
              ? sim_choose(&sim->schedule, SIM_UNIT_COUNT)
              : (*unit + 1) % SIM_UNIT_COUNT;
}

/* Intel's kernel drivers flush all caches after a batch and invalidate them
 * before the next one; AMD's writes back L2, and up to GFX9 invalidates it.
 */
void
sim_caches_end_batch(struct sim *sim)
{
   const unsigned generation = sim->gpu.facts.generation;
   uint32_t actions = SIM_ALL_CACHES;

   if (sim->gpu.is_amd && generation >= GFX10)
      actions = SIM_FINISH_STORES | SIM_WRITE_L2;
   else if (sim->gpu.is_amd && generation >= GFX7)
      actions &= ~SIM_INVALIDATE_SCALARS;
   sim_caches_act(&sim->kernel->caches, actions);
}

/* Accesses */

/* The command processor is a client of L2 from GFX9 to GFX11, and has system
 * scope after that.  Intel's command streamer bypasses all caches.
 */
enum sim_cache_id
sim_streamer_cache(const struct sim_engine *engine)
{
   const unsigned generation = engine->sim->gpu.facts.generation;

   return engine->sim->gpu.is_amd && generation >= GFX9 && generation < GFX12
             ? SIM_L2
             : SIM_NO_CACHE;
}

/* Before GFX12 all mappings use L2. */
static bool
is_uncached(const struct sim_engine *engine, uint64_t address)
{
   return engine->sim->gpu.is_amd &&
          engine->sim->gpu.facts.generation >= GFX12 &&
          sim_space_is_uncached(&engine->submission->space, address);
}

enum sim_cache_id
sim_backend_cache(const struct sim_engine *engine, uint64_t address)
{
   return engine->sim->gpu.is_amd &&
                engine->sim->gpu.facts.generation >= GFX12 &&
                !is_uncached(engine, address)
             ? SIM_L2
             : SIM_NO_CACHE;
}

static struct sim_bytes
bytes_at(uint8_t *memory, uint64_t address, uint64_t left_B, uint64_t size_B)
{
   const unsigned offset_B = address % SIM_LINE_B;
   struct sim_bytes bytes = {
      .line = memory - offset_B,
      .offset_B = offset_B,
      .size_B = SIM_LINE_B - offset_B,
      .line_B = SIM_LINE_B,
   };

   if (left_B < bytes.size_B) {
      bytes.line_B = offset_B + (unsigned)left_B;
      bytes.size_B = (unsigned)left_B;
   }
   if (size_B < bytes.size_B)
      bytes.size_B = (unsigned)size_B;
   return bytes;
}

/* Returns whether the address is mapped.  *bytes_out ends with its line. */
static bool
find_bytes(struct sim_engine *engine, uint64_t address, uint64_t size_B,
           struct sim_bytes *bytes_out)
{
   uint64_t left_B;
   uint8_t *memory = sim_memory(engine, address, &left_B);

   if (memory == NULL)
      return false;
   *bytes_out = bytes_at(memory, address, left_B, size_B);
   bytes_out->is_uncached = is_uncached(engine, address);
   return true;
}

bool
sim_read_by(struct sim_engine *engine, enum sim_cache_id id, uint64_t address,
            void *data_out, uint64_t size_B)
{
   struct sim_cache *cache = cache_of(engine, id);
   struct sim_bytes bytes;
   uint8_t *to = data_out;

   for (uint64_t i = 0; i < size_B; i += bytes.size_B) {
      if (!find_bytes(engine, address + i, size_B - i, &bytes))
         return false;
      sim_cache_read(bytes.is_uncached && id == SIM_L2 ? NULL : cache, &bytes,
                     &to[i]);
   }
   return true;
}

/* Writes to memory, and to L2 if that has the line. */
static void
write_memory(struct sim_engine *engine, const struct sim_bytes *bytes,
             const void *data)
{
   memcpy(bytes->line + bytes->offset_B, data, bytes->size_B);
   if (sim_streamer_cache(engine) == SIM_L2)
      sim_cache_update(cache_of(engine, SIM_L2), bytes, data);
}

bool
sim_write_by(struct sim_engine *engine, enum sim_cache_id id,
             uint64_t address, const void *data, uint64_t size_B)
{
   struct sim_cache *cache = cache_of(engine, id);
   struct sim_bytes bytes;
   const uint8_t *from = data;

   for (uint64_t i = 0; i < size_B; i += bytes.size_B) {
      if (!find_bytes(engine, address + i, size_B - i, &bytes))
         return false;
      if (cache != NULL && !(bytes.is_uncached && id == SIM_L2))
         sim_cache_write(cache, &bytes, &from[i]);
      else
         write_memory(engine, &bytes, &from[i]);
   }
   return true;
}

/* The shader reads its own stores immediately, others when it is done. */
void
sim_store(struct sim_engine *engine, uint64_t address, const void *data,
          uint64_t size_B)
{
   const unsigned unit = engine->sim->kernel->caches.unit;
   struct sim_bytes bytes;
   const uint8_t *from = data;

   for (uint64_t i = 0; i < size_B; i += bytes.size_B) {
      if (!find_bytes(engine, address + i, size_B - i, &bytes))
         return;
      sim_cache_write(cache_of(engine, SIM_STORES), &bytes, &from[i]);
      sim_cache_put(cache_of(engine, SIM_VECTOR_L1 + unit), &bytes, &from[i]);
   }
}

void
sim_update_l2(struct sim_engine *engine, uint8_t *memory, uint64_t address,
              const void *data, unsigned size_B)
{
   const struct sim_bytes bytes = bytes_at(memory, address, size_B, size_B);

   if (sim_streamer_cache(engine) == SIM_L2)
      sim_cache_update(cache_of(engine, SIM_L2), &bytes, data);
}

void
sim_write_l2(struct sim_engine *engine, uint8_t *memory, uint64_t address,
             const void *data, unsigned size_B)
{
   const struct sim_bytes bytes = bytes_at(memory, address, size_B, size_B);

   sim_cache_write(cache_of(engine, SIM_L2), &bytes, data);
}

void
sim_copy(struct sim_engine *engine, enum sim_cache_id to_id, uint64_t to,
         enum sim_cache_id from_id, uint64_t from, uint64_t size_B)
{
   uint8_t data[SIM_LINE_B];

   for (uint64_t i = 0; i < size_B; i += sizeof(data)) {
      const uint64_t step_B =
         size_B - i < sizeof(data) ? size_B - i : sizeof(data);

      if (!sim_read_by(engine, from_id, from + i, data, step_B) ||
          !sim_write_by(engine, to_id, to + i, data, step_B))
         return;
   }
}
