/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Memory, and its addresses for the GPU and the CPU. */

#include <stdlib.h>
#include <string.h>

#include "sim_priv.h"

#define PAGE_SIZE_B UINT64_C(4096)

struct sim_bo *
sim_bo_create(struct sim *sim, void *memory, uint64_t size_B)
{
   struct sim_bo *bo = calloc(1, sizeof(*bo));

   bo->is_foreign = memory != NULL;
   if (memory == NULL) {
      size_B = (size_B + PAGE_SIZE_B - 1) & -PAGE_SIZE_B;
      memory = aligned_alloc(PAGE_SIZE_B, size_B);
      memset(memory, 0, size_B);
   }
   bo->memory = memory;
   bo->size_B = size_B;
   bo->references = 1;
   bo->next = sim->kernel->bos;
   sim->kernel->bos = bo;
   sim->memory_B += size_B;
   return bo;
}

void
sim_bo_unreference(struct sim *sim, struct sim_bo *bo)
{
   struct sim_bo **link = &sim->kernel->bos;

   if (--bo->references > 0)
      return;
   while (*link != bo)
      link = &(*link)->next;
   *link = bo->next;
   sim->memory_B -= bo->size_B;
   sim_caches_forget(&sim->kernel->caches, bo->memory, bo->size_B);
   if (!bo->is_foreign)
      free(bo->memory);
   free(bo);
}

struct sim_bo *
sim_bo_at(struct sim *sim, const void *memory)
{
   struct sim_bo *bo = sim->kernel->bos;

   while (bo != NULL && (bo->is_foreign || bo->memory != memory))
      bo = bo->next;
   return bo;
}

void
sim_space_add(struct sim_space *space, struct sim_map map)
{
   if (space->count == space->capacity) {
      space->capacity = 2 * space->capacity + 16;
      space->maps =
         realloc(space->maps, space->capacity * sizeof(space->maps[0]));
   }
   space->maps[space->count++] = map;
   map.bo->references++;
}

static void
remove_map(struct sim *sim, struct sim_space *space, unsigned i)
{
   struct sim_bo *bo = space->maps[i].bo;

   space->maps[i] = space->maps[--space->count];
   sim_bo_unreference(sim, bo);
}

void
sim_space_remove_bo(struct sim *sim, struct sim_space *space,
                    const struct sim_bo *bo)
{
   for (unsigned i = space->count; i-- > 0;) {
      if (space->maps[i].bo == bo)
         remove_map(sim, space, i);
   }
}

/* Adds a map of a part, unless that is empty. */
static void
add_range(struct sim_space *space, const struct sim_map *map, uint64_t from,
          uint64_t to)
{
   if (from >= to)
      return;
   sim_space_add(space, (struct sim_map){
                           .address = from,
                           .size_B = to - from,
                           .bo = map->bo,
                           .offset_B = map->offset_B + (from - map->address),
                        });
}

void
sim_space_remove_range(struct sim *sim, struct sim_space *space,
                       uint64_t address, uint64_t size_B)
{
   const uint64_t end = address + size_B;

   for (unsigned i = space->count; i-- > 0;) {
      const struct sim_map map = space->maps[i];
      const uint64_t map_end = map.address + map.size_B;

      if (map_end <= address || map.address >= end)
         continue;
      add_range(space, &map, map.address, address);
      add_range(space, &map, end, map_end);
      remove_map(sim, space, i);
   }
}

void
sim_space_add_listed(struct sim_space *space, const struct sim_space *from,
                     uint64_t list)
{
   for (unsigned i = 0; i < from->count; i++) {
      const struct sim_bo *bo = from->maps[i].bo;

      if (bo->is_always_valid || bo->last_list == list)
         sim_space_add(space, from->maps[i]);
   }
}

void
sim_space_clear(struct sim *sim, struct sim_space *space)
{
   while (space->count > 0)
      remove_map(sim, space, space->count - 1);
   free(space->maps);
   *space = (struct sim_space){ 0 };
}

static const struct sim_map *
find_map(const struct sim_space *space, uint64_t address)
{
   for (unsigned i = 0; i < space->count; i++) {
      const struct sim_map *map = &space->maps[i];

      if (address >= map->address && address < map->address + map->size_B)
         return map;
   }
   return NULL;
}

void *
sim_space_find(const struct sim_space *space, uint64_t address,
               uint64_t *size_B_out)
{
   const struct sim_map *map = find_map(space, address);

   if (map == NULL)
      return NULL;
   *size_B_out = map->address + map->size_B - address;
   return map->bo->memory + map->offset_B + (address - map->address);
}

bool
sim_space_is_uncached(const struct sim_space *space, uint64_t address)
{
   const struct sim_map *map = find_map(space, address);

   return map != NULL && map->bo->is_uncached;
}

bool
sim_space_is_encrypted(const struct sim_space *space, uint64_t address)
{
   const struct sim_map *map = find_map(space, address);

   return map != NULL && map->bo->is_encrypted;
}
