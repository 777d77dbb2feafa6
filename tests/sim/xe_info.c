/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* xe's replies about a GPU. */

#include <errno.h>
#include <string.h>
#include <time.h>

#include "faults.h"
#include "xe_priv.h"

#define MEMORY_B         (UINT64_C(8) << 30)
#define MAX_ANSWER_QW    64
#define LAST_STEPPING    4 /* of Xe2: B0 */
#define MEDIA_CLOCK_HZ   38400000
#define L3_BANKS         8
#define THREADS_PER_UNIT 8
#define NS_PER_S         UINT64_C(1000000000)

static unsigned
get_engines(const struct sim_gpu *gpu, void *answer)
{
   static const uint16_t classes[] = {
      DRM_XE_ENGINE_CLASS_RENDER, DRM_XE_ENGINE_CLASS_COPY,
      DRM_XE_ENGINE_CLASS_COMPUTE, /* Gen12.5 */
   };
   struct drm_xe_query_engines *engines = answer;

   engines->num_engines = gpu->facts.generation >= GEN12_5 ? 3 : 2;
   for (unsigned i = 0; i < engines->num_engines; i++)
      engines->engines[i].instance.engine_class = classes[i];
   return sizeof(*engines) +
          engines->num_engines * sizeof(engines->engines[0]);
}

static unsigned
get_memory(const struct sim_gpu *gpu, void *answer)
{
   struct drm_xe_query_mem_regions *regions = answer;

   regions->num_mem_regions = gpu->is_discrete ? 2 : 1;
   for (unsigned i = 0; i < regions->num_mem_regions; i++)
      regions->mem_regions[i] = (struct drm_xe_mem_region){
         .mem_class = (uint16_t)i, /* system memory, then the card's */
         .instance = (uint16_t)i,
         .min_page_size = i == 0 ? PAGE_B : CARD_PAGE_B,
         .total_size = MEMORY_B,
         .cpu_visible_size = MEMORY_B,
      };
   return sizeof(*regions) +
          regions->num_mem_regions * sizeof(regions->mem_regions[0]);
}

static unsigned
get_config(const struct sim_gpu *gpu, void *answer)
{
   struct drm_xe_query_config *config = answer;

   config->num_params = DRM_XE_QUERY_CONFIG_MAX_EXEC_QUEUE_PRIORITY + 1;
   config->info[DRM_XE_QUERY_CONFIG_REV_AND_DEVICE_ID] =
      (uint64_t)gpu->pci_revision << 16 | gpu->device_id;
   config->info[DRM_XE_QUERY_CONFIG_FLAGS] =
      gpu->is_discrete ? DRM_XE_QUERY_CONFIG_FLAG_HAS_VRAM : 0;
   config->info[DRM_XE_QUERY_CONFIG_MIN_ALIGNMENT] =
      gpu->is_discrete ? CARD_PAGE_B : PAGE_B;
   config->info[DRM_XE_QUERY_CONFIG_VA_BITS] = VA_BITS;
   return sizeof(*config) + config->num_params * sizeof(config->info[0]);
}

/* From Meteor Lake on, media engines are a GT with its own clock. */
static unsigned
get_gts(const struct sim *sim, void *answer)
{
   const struct sim_gpu *gpu = &sim->gpu;
   struct drm_xe_query_gt_list *gts = answer;

   gts->num_gt = gpu->has_pat || gpu->facts.generation >= GEN20 ? 2 : 1;
   gts->gt_list[1] = (struct drm_xe_gt){
      .type = DRM_XE_QUERY_GT_TYPE_MEDIA,
      .gt_id = 1,
      .reference_clock = MEDIA_CLOCK_HZ,
   };
   gts->gt_list[0].reference_clock = (uint32_t)sim_fault_hz(sim);
   if (gpu->facts.generation >= GEN20) { /* its own version, not a PCI ID */
      gts->gt_list[0].ip_ver_major = (uint16_t)(gpu->facts.generation / 10);
      gts->gt_list[0].ip_ver_minor = gpu->is_discrete ? 1 : 4;
      gts->gt_list[0].ip_ver_rev = LAST_STEPPING;
   }
   return sizeof(*gts) + gts->num_gt * sizeof(gts->gt_list[0]);
}

/* Triples of a key, a number of values, and that value.  The keys are those
 * of src/intel/dev/intel_hwconfig_types.h. */
static unsigned
get_hardware(const struct sim_gpu *gpu, void *answer)
{
   enum { SLICES = 1, UNITS = 3, THREADS = 15, SUBSLICES = 70 };
   const uint32_t items[][3] = {
      { SLICES, 1, 1 },
      { SUBSLICES, 1, gpu->subslices },
      { UNITS, 1, gpu->units_per_subslice },
      { THREADS, 1, THREADS_PER_UNIT },
   };

   memcpy(answer, items, sizeof(items));
   return sizeof(items);
}

/* Masks with the lowest bits set. */
static unsigned
get_topology(const struct sim_gpu *gpu, void *answer)
{
   const struct {
      uint16_t type;
      unsigned count;
   } parts[] = {
      { DRM_XE_TOPO_DSS_GEOMETRY, gpu->subslices },
      { DRM_XE_TOPO_L3_BANK, L3_BANKS },
      { gpu->facts.generation >= GEN20 ? DRM_XE_TOPO_SIMD16_EU_PER_DSS
                                       : DRM_XE_TOPO_EU_PER_DSS,
        gpu->units_per_subslice },
   };
   uint8_t *end = answer;

   for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
      struct drm_xe_query_topology_mask *mask = (void *)end;
      const uint64_t bits = (UINT64_C(1) << parts[i].count) - 1;

      mask->type = parts[i].type;
      mask->num_bytes = sizeof(bits);
      memcpy(mask->mask, &bits, sizeof(bits));
      end = mask->mask + sizeof(bits);
   }
   return end - (uint8_t *)answer;
}

static uint64_t
read_cpu_clock(int32_t clock_id)
{
   struct timespec now;

   clock_gettime(clock_id, &now);
   return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* Reads the CPU's clock, one that xe knows, then the engine's. */
static unsigned
read_clock(struct sim *sim, struct drm_xe_query_engine_cycles *cycles)
{
   static const int32_t known = 1 << CLOCK_REALTIME | 1 << CLOCK_MONOTONIC |
                                1 << CLOCK_MONOTONIC_RAW |
                                1 << CLOCK_BOOTTIME | 1 << CLOCK_TAI;
   const struct drm_xe_engine_class_instance *instance = &cycles->eci;

   if (cycles->clockid < 0 || cycles->clockid > CLOCK_TAI ||
       (known >> cycles->clockid & 1) == 0 || instance->gt_id != 0 ||
       instance->engine_instance != 0 ||
       instance->engine_class > DRM_XE_ENGINE_CLASS_COMPUTE)
      return 0;
   cycles->width = sim->gpu.facts.timestamp_bits;
   cycles->cpu_timestamp = read_cpu_clock(cycles->clockid);
   cycles->engine_cycles = sim_read_clock(sim);
   cycles->cpu_delta =
      read_cpu_clock(cycles->clockid) - cycles->cpu_timestamp;
   return sizeof(*cycles);
}

/* A reply begins as its query.  Returns its length; 0: unknown query. */
static unsigned
answer(struct sim *sim, uint32_t question, void *answer)
{
   switch (question) {
   case DRM_XE_DEVICE_QUERY_ENGINES:
      return get_engines(&sim->gpu, answer);
   case DRM_XE_DEVICE_QUERY_MEM_REGIONS:
      return get_memory(&sim->gpu, answer);
   case DRM_XE_DEVICE_QUERY_CONFIG:
      return get_config(&sim->gpu, answer);
   case DRM_XE_DEVICE_QUERY_GT_LIST:
      return get_gts(sim, answer);
   case DRM_XE_DEVICE_QUERY_HWCONFIG:
      return get_hardware(&sim->gpu, answer);
   case DRM_XE_DEVICE_QUERY_GT_TOPOLOGY:
      return get_topology(&sim->gpu, answer);
   case DRM_XE_DEVICE_QUERY_ENGINE_CYCLES:
      return read_clock(sim, answer);
   default:
      return 0;
   }
}

/* A length of 0 queries the length, whatever the query. */
int
sim_xe_query(struct sim *sim, void *argument)
{
   struct drm_xe_device_query *request = argument;
   void *data = (void *)(uintptr_t)request->data;
   uint64_t room[MAX_ANSWER_QW] = { 0 };

   if (request->size > sizeof(room))
      return -EINVAL;
   if (request->size != 0)
      memcpy(room, data, request->size);
   const unsigned size_B = answer(sim, request->query, room);
   if (size_B == 0 || (request->size != 0 && request->size != size_B))
      return -EINVAL;
   if (request->size != 0)
      memcpy(data, room, size_B);
   request->size = size_B;
   return 0;
}
