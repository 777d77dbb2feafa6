/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* i915's replies about the GPU. */

#include <errno.h>
#include <string.h>

#include "drm-uapi/i915_drm.h"
#include "faults.h"
#include "sim_priv.h"

#define TIMESTAMP_REGISTER 0x2358
#define MMAP_GTT_VERSION   4

#define MEMORY_B       (UINT64_C(8) << 30)
#define MAX_TOPOLOGY_B 256

int
sim_i915_get_param(struct sim *sim, void *argument)
{
   const struct drm_i915_getparam *request = argument;
   const struct sim_gpu *gpu = &sim->gpu;
   const struct {
      int param, value;
   } known[] = {
      { I915_PARAM_CHIPSET_ID, (int)gpu->device_id },
      { I915_PARAM_CS_TIMESTAMP_FREQUENCY, (int)sim_fault_hz(sim) },
      { I915_PARAM_HAS_LLC, gpu->has_llc },
      { I915_PARAM_HAS_GPU_RESET, sim->resets_nothing ? 0 : 2 },
      { I915_PARAM_REVISION, (int)gpu->pci_revision },
      { I915_PARAM_HAS_EXEC_SOFTPIN, 1 },
      { I915_PARAM_HAS_EXEC_BATCH_FIRST, 1 },
      { I915_PARAM_HAS_EXEC_FENCE_ARRAY, 1 },
      { I915_PARAM_HAS_CONTEXT_ISOLATION, 1 },
      { I915_PARAM_MMAP_GTT_VERSION, MMAP_GTT_VERSION },
   };

   for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
      if (known[i].param != request->param)
         continue;
      *request->value = known[i].value;
      return 0;
   }
   return -EINVAL;
}

int
sim_i915_read_register(struct sim *sim, void *argument)
{
   struct drm_i915_reg_read *request = argument;

   if (request->offset != (TIMESTAMP_REGISTER | I915_REG_READ_8B_WA))
      return -EINVAL;
   request->val = sim_read_clock(sim);
   return 0;
}

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

/* One slice, complete.  Returns the length. */
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
   static const __u16 classes[] = {
      I915_ENGINE_CLASS_RENDER, I915_ENGINE_CLASS_COPY,
      I915_ENGINE_CLASS_VIDEO, I915_ENGINE_CLASS_COMPUTE, /* Gen12.5 */
   };
   struct drm_i915_query_engine_info *info = answer;

   info->num_engines = gpu->facts.generation >= GEN12_5 ? 4 : 3;
   for (unsigned i = 0; i < info->num_engines; i++)
      info->engines[i].engine.engine_class = classes[i];
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
get_answer(const struct sim *sim, uint64_t id, void *answer)
{
   const struct sim_gpu *gpu = &sim->gpu;

   switch (id) {
   case DRM_I915_QUERY_TOPOLOGY_INFO:
      return get_topology(gpu, answer);
   case DRM_I915_QUERY_GEOMETRY_SUBSLICES:
      return gpu->facts.generation >= GEN12_5 ? get_topology(gpu, answer)
                                              : -ENODEV;
   case DRM_I915_QUERY_ENGINE_INFO:
      return sim->hides_engines ? -EINVAL : get_engines(gpu, answer);
   case DRM_I915_QUERY_MEMORY_REGIONS:
      return get_memory(gpu, answer);
   default:
      return -EINVAL;
   }
}

/* A length of 0 queries the length. */
int
sim_i915_query(struct sim *sim, void *argument)
{
   const struct drm_i915_query *query = argument;
   struct drm_i915_query_item *items =
      (struct drm_i915_query_item *)(uintptr_t)query->items_ptr;

   for (unsigned i = 0; i < query->num_items; i++) {
      uint64_t answer[MAX_TOPOLOGY_B] = { 0 };
      const int size_B = get_answer(sim, items[i].query_id, answer);

      if (items[i].length != 0 && size_B > items[i].length)
         items[i].length = -EINVAL;
      else if (items[i].length != 0 && size_B > 0)
         memcpy((void *)(uintptr_t)items[i].data_ptr, answer, (size_t)size_B);
      if (items[i].length >= 0)
         items[i].length = size_B;
   }
   return 0;
}
