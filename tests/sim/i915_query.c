/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What i915 tells about the GPU: its engines, what it computes with, and its
 * memory.
 */

#include <errno.h>
#include <string.h>

#include <i915_drm.h>

#include "sim_priv.h"

#define GEN12   120
#define GEN12_5 125

#define MEMORY_B (UINT64_C(8) << 30)

#define MAX_TOPOLOGY_B 256

static unsigned
bytes_of(unsigned bits)
{
   return (bits + 7) / 8;
}

static void
set_bits(uint8_t *mask, unsigned count)
{
   for (unsigned i = 0; i < count; i++)
      mask[i / 8] |= (uint8_t)(1u << (i % 8));
}

/* One slice, of which nothing is missing.  Returns the length. */
static int
get_topology(const struct sim_gpu *gpu, void *answer)
{
   struct drm_i915_query_topology_info *topology = answer;
   const unsigned slice_B = 1;
   const unsigned subslice_B = bytes_of(gpu->subslices);
   const unsigned unit_B = bytes_of(gpu->units_per_subslice);

   topology->max_slices = 1;
   topology->max_subslices = (__u16)gpu->subslices;
   topology->max_eus_per_subslice = (__u16)gpu->units_per_subslice;
   topology->subslice_offset = slice_B;
   topology->subslice_stride = (__u16)subslice_B;
   topology->eu_offset = (__u16)(slice_B + subslice_B);
   topology->eu_stride = (__u16)unit_B;

   set_bits(topology->data, 1);
   set_bits(topology->data + slice_B, gpu->subslices);
   for (unsigned i = 0; i < gpu->subslices; i++)
      set_bits(topology->data + slice_B + subslice_B + i * unit_B,
               gpu->units_per_subslice);
   return (int)(sizeof(*topology) + slice_B + subslice_B +
                gpu->subslices * unit_B);
}

static int
get_engines(const struct sim_gpu *gpu, void *answer)
{
   static const struct {
      unsigned engine_class;
      unsigned generation; /* the first that has it */
   } engines[] = {
      { I915_ENGINE_CLASS_RENDER, 0 },
      { I915_ENGINE_CLASS_COPY, 0 },
      { I915_ENGINE_CLASS_VIDEO, 0 },
      { I915_ENGINE_CLASS_COMPUTE, GEN12_5 },
   };
   struct drm_i915_query_engine_info *info = answer;

   for (unsigned i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
      if (gpu->facts.generation >= engines[i].generation)
         info->engines[info->num_engines++].engine.engine_class =
            (__u16)engines[i].engine_class;
   }
   return (int)(sizeof(*info) + info->num_engines * sizeof(info->engines[0]));
}

static int
get_memory(const struct sim_gpu *gpu, void *answer)
{
   struct drm_i915_query_memory_regions *info = answer;

   info->num_regions = gpu->is_discrete ? 2 : 1;
   for (unsigned i = 0; i < info->num_regions; i++) {
      info->regions[i].region.memory_class =
         i == 0 ? I915_MEMORY_CLASS_SYSTEM : I915_MEMORY_CLASS_DEVICE;
      info->regions[i].probed_size = MEMORY_B;
      info->regions[i].unallocated_size = MEMORY_B;
   }
   return (int)(sizeof(*info) + info->num_regions * sizeof(info->regions[0]));
}

static int
get_answer(const struct sim_gpu *gpu, uint64_t what, void *answer)
{
   switch (what) {
   case DRM_I915_QUERY_TOPOLOGY_INFO:
      return get_topology(gpu, answer);
   case DRM_I915_QUERY_GEOMETRY_SUBSLICES:
      return gpu->facts.generation >= GEN12_5 ? get_topology(gpu, answer)
                                              : -ENODEV;
   case DRM_I915_QUERY_ENGINE_INFO:
      return get_engines(gpu, answer);
   case DRM_I915_QUERY_MEMORY_REGIONS:
      return get_memory(gpu, answer);
   default:
      return -EINVAL;
   }
}

/* A length of 0 asks how long the answer is. */
int
sim_i915_query(struct sim *sim, const struct drm_i915_query *query)
{
   struct drm_i915_query_item *items =
      (struct drm_i915_query_item *)(uintptr_t)query->items_ptr;

   for (unsigned i = 0; i < query->num_items; i++) {
      uint64_t answer[MAX_TOPOLOGY_B] = { 0 };
      const int size_B = get_answer(&sim->gpu, items[i].query_id, answer);

      if (items[i].length != 0 && size_B > items[i].length)
         items[i].length = -EINVAL;
      else if (items[i].length != 0 && size_B > 0)
         memcpy((void *)(uintptr_t)items[i].data_ptr, answer, (size_t)size_B);
      if (items[i].length >= 0)
         items[i].length = size_B;
   }
   return 0;
}
