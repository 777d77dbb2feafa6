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

#define MEMORY_B       (UINT64_C(8) << 30)
#define MAX_ANSWER_QW  64
#define LAST_STEPPING  4 /* of Xe2: B0 */
#define MEDIA_CLOCK_HZ 38400000
#define NS_PER_S       UINT64_C(1000000000)

static unsigned
get_engines(const struct sim_gpu *gpu, void *answer)
{
   static const uint16_t classes[] = {
      XE_CLASS_RENDER, XE_CLASS_COPY, XE_CLASS_COMPUTE, /* Gen12.5 */
   };
   struct xe_engines *engines = answer;

   engines->count = gpu->facts.generation >= GEN12_5 ? 3 : 2;
   for (unsigned i = 0; i < engines->count; i++)
      engines->engines[i].instance.engine_class = classes[i];
   return sizeof(*engines) + engines->count * sizeof(engines->engines[0]);
}

static unsigned
get_memory(const struct sim_gpu *gpu, void *answer)
{
   struct xe_regions *regions = answer;

   regions->count = gpu->is_discrete ? 2 : 1;
   for (unsigned i = 0; i < regions->count; i++)
      regions->regions[i] = (struct xe_region){
         .memory_class = (uint16_t)i, /* system memory, then the card's */
         .instance = (uint16_t)i,
         .min_page_size_B = i == 0 ? PAGE_B : CARD_PAGE_B,
         .total_size_B = MEMORY_B,
         .cpu_visible_size_B = MEMORY_B,
      };
   return sizeof(*regions) + regions->count * sizeof(regions->regions[0]);
}

static unsigned
get_config(const struct sim_gpu *gpu, void *answer)
{
   struct xe_config *config = answer;

   config->count = XE_CONFIG_COUNT;
   config->info[XE_CONFIG_DEVICE] =
      (uint64_t)gpu->pci_revision << 16 | gpu->device_id;
   config->info[XE_CONFIG_HAS_CARD_MEMORY] = gpu->is_discrete;
   config->info[XE_CONFIG_ALIGNMENT_B] =
      gpu->is_discrete ? CARD_PAGE_B : PAGE_B;
   config->info[XE_CONFIG_VA_BITS] = VA_BITS;
   return sizeof(*config) + XE_CONFIG_COUNT * sizeof(config->info[0]);
}

/* From Meteor Lake on, media engines are a GT with its own clock. */
static unsigned
get_gts(const struct sim *sim, void *answer)
{
   const struct sim_gpu *gpu = &sim->gpu;
   struct xe_gts *gts = answer;

   gts->count = gpu->has_pat || gpu->facts.generation >= GEN20 ? 2 : 1;
   gts->gts[1] = (struct xe_gt){
      .type = XE_GT_MEDIA,
      .number = 1,
      .reference_clock_hz = MEDIA_CLOCK_HZ,
   };
   gts->gts[0].reference_clock_hz = (uint32_t)sim_fault_hz(sim);
   if (gpu->facts.generation >= GEN20) { /* its own version, not a PCI ID */
      gts->gts[0].version[0] = GEN20 / 10;
      gts->gts[0].version[1] = gpu->is_discrete ? 1 : 4;
      gts->gts[0].version[2] = LAST_STEPPING;
   }
   return sizeof(*gts) + gts->count * sizeof(gts->gts[0]);
}

/* Appends a mask with the lowest bits set. */
static void *
add_mask(struct xe_mask *mask, enum xe_topology type, unsigned count)
{
   mask->type = (uint16_t)type;
   mask->size_B = sizeof(mask->bits);
   mask->bits = (UINT64_C(1) << count) - 1;
   return mask + 1;
}

static unsigned
get_topology(const struct sim_gpu *gpu, void *answer)
{
   uint8_t *end = add_mask(answer, XE_TOPOLOGY_SUBSLICES, gpu->subslices);

   end = add_mask((void *)end, XE_TOPOLOGY_L3_BANKS, 8);
   end = add_mask((void *)end,
                  gpu->facts.generation >= GEN20
                     ? XE_TOPOLOGY_SIMD16_UNITS_PER_SUBSLICE
                     : XE_TOPOLOGY_UNITS_PER_SUBSLICE,
                  gpu->units_per_subslice);
   return (unsigned)(end - (uint8_t *)answer);
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
read_clock(struct sim *sim, struct xe_cycles *cycles)
{
   static const int32_t known = 1 << CLOCK_REALTIME | 1 << CLOCK_MONOTONIC |
                                1 << CLOCK_MONOTONIC_RAW |
                                1 << CLOCK_BOOTTIME | 1 << CLOCK_TAI;
   const struct xe_instance *instance = &cycles->instance;

   if (cycles->clock_id < 0 || cycles->clock_id > CLOCK_TAI ||
       (known >> cycles->clock_id & 1) == 0 || instance->gt != 0 ||
       instance->number != 0 || instance->engine_class > XE_CLASS_COMPUTE)
      return 0;
   cycles->width = sim->gpu.facts.timestamp_bits;
   cycles->cpu_ns = read_cpu_clock(cycles->clock_id);
   cycles->cycles = sim_read_clock(sim);
   cycles->cpu_delta_ns = read_cpu_clock(cycles->clock_id) - cycles->cpu_ns;
   return sizeof(*cycles);
}

/* A reply begins as its query.  Returns its length; 0: unknown query. */
static unsigned
answer(struct sim *sim, uint32_t question, void *answer)
{
   switch (question) {
   case XE_QUERY_ENGINES:
      return get_engines(&sim->gpu, answer);
   case XE_QUERY_MEMORY:
      return get_memory(&sim->gpu, answer);
   case XE_QUERY_CONFIG:
      return get_config(&sim->gpu, answer);
   case XE_QUERY_GTS:
      return get_gts(sim, answer);
   case XE_QUERY_TOPOLOGY:
      return get_topology(&sim->gpu, answer);
   case XE_QUERY_CYCLES:
      return read_clock(sim, answer);
   default:
      return 0;
   }
}

/* A length of 0 queries the length, whatever the query. */
int
sim_xe_query(struct sim *sim, void *argument)
{
   struct xe_query *request = argument;
   void *data = (void *)(uintptr_t)request->data;
   uint64_t room[MAX_ANSWER_QW] = { 0 };

   if (request->size_B > sizeof(room))
      return -EINVAL;
   if (request->size_B != 0)
      memcpy(room, data, request->size_B);
   const unsigned size_B = answer(sim, request->question, room);
   if (size_B == 0 || (request->size_B != 0 && request->size_B != size_B))
      return -EINVAL;
   if (request->size_B != 0)
      memcpy(data, room, size_B);
   request->size_B = size_B;
   return 0;
}
