/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* amdgpu's replies about a GPU: those of a card that Mesa has a dump of. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amdgpu_devices.c" /* Mesa's; its place differs between versions */

#include "faults.h"
#include "sim_priv.h"

#define KHZ          1000
#define GTT_SIZE     (UINT64_C(4) << 30)
#define GFX12_VRAM_B (UINT64_C(16) << 30)

/* Cards that there is no dump of are like GFX11's, which has one. */
static const struct gfx12 {
   const char *name;
   unsigned engines, l2_blocks, vram_bits;
   uint32_t address_config;
} gfx12_cards[] = {
   { "navi44", 2, 8, 128, 0x00000343 },
   { "navi48", 4, 16, 256, 0x00000444 },
};

static const struct amdgpu_device *
find_dump(const char *name)
{
   for (size_t i = 0; i < num_amdgpu_devices; i++) {
      if (strcmp(amdgpu_devices[i].name, name) == 0)
         return &amdgpu_devices[i];
   }
   fprintf(stderr, "Mesa has no dump of %s\n", name);
   abort();
}

static struct amdgpu_device
make_gfx12(const struct gfx12 *own)
{
   struct amdgpu_device card = *find_dump("navi31");
   struct drm_amdgpu_info_device *device = &card.dev;

   card.hw_ip_gfx.hw_ip_version_major = 12;
   card.hw_ip_gfx.ip_discovery_version = 12 << 16;
   card.hw_ip_compute = card.hw_ip_gfx;
   card.mmr_regs[2] = own->address_config;
   card.mem.vram.total_heap_size = GFX12_VRAM_B;
   device->num_shader_engines = own->engines;
   device->num_shader_visible_vgprs = 1024;
   device->num_tcc_blocks = own->l2_blocks;
   device->vram_bit_width = own->vram_bits;
   device->cu_active_number = own->engines * 2 * 8;
   for (unsigned i = 0; i < 4; i++) {
      const uint32_t units = i < own->engines ? 0xff : 0;

      memset(device->cu_bitmap[i], 0, sizeof(device->cu_bitmap[i]));
      device->cu_bitmap[i][0] = device->cu_bitmap[i][1] = units;
   }
   return card;
}

static struct amdgpu_device
card_of(const struct sim_gpu *gpu)
{
   for (size_t i = 0; i < ARRAY_SIZE(gfx12_cards); i++) {
      if (strcmp(gfx12_cards[i].name, gpu->facts.name) == 0)
         return make_gfx12(&gfx12_cards[i]);
   }
   return *find_dump(gpu->facts.name);
}

static int
answer(const struct drm_amdgpu_info *request, const void *value,
       size_t size_B)
{
   memcpy((void *)(uintptr_t)request->return_pointer, value,
          size_B < request->return_size ? size_B : request->return_size);
   return 0;
}

#define ANSWER(REQUEST, VALUE) answer(REQUEST, &(VALUE), sizeof(VALUE))

static uint64_t
ids_flags(const struct sim *sim)
{
   uint64_t flags = sim->has_tmz ? AMDGPU_IDS_FLAGS_TMZ : 0;

   if (sim->preempts && sim->gpu.facts.generation >= GFX9)
      flags |= AMDGPU_IDS_FLAGS_PREEMPTION;
   return flags;
}

/* The facts of gpus.txt, and those that tests may change, are the GPU's. */
static int
get_device_info(const struct sim *sim, const struct drm_amdgpu_info *request)
{
   const struct sim_gpu *gpu = &sim->gpu;
   struct drm_amdgpu_info_device info = card_of(gpu).dev;

   info.ids_flags = ids_flags(sim);
   info.device_id = gpu->device_id;
   info.external_rev = gpu->revision;
   info.pci_rev = gpu->pci_revision;
   info.family = gpu->family;
   info.gpu_counter_freq = (uint32_t)(sim_fault_hz(sim) / KHZ);
   info.enabled_rb_pipes_mask = (uint32_t)gpu->amd.rb_mask;
   info.num_rb_pipes = gpu->amd.rb_count;
   return ANSWER(request, info);
}

/* No video, and no copies besides graphics. */
static int
get_ip_info(const struct sim_gpu *gpu, const struct drm_amdgpu_info *request)
{
   const struct amdgpu_device card = card_of(gpu);
   struct drm_amdgpu_info_hw_ip info = { 0 };

   if (request->query_hw_ip.type == AMDGPU_HW_IP_GFX)
      info = card.hw_ip_gfx;
   else if (request->query_hw_ip.type == AMDGPU_HW_IP_COMPUTE)
      info = card.hw_ip_compute;
   return ANSWER(request, info);
}

static int
get_ip_count(const struct drm_amdgpu_info *request)
{
   const uint32_t count = request->query_hw_ip.type <= AMDGPU_HW_IP_COMPUTE;

   return ANSWER(request, count);
}

static int
get_firmware(const struct sim_gpu *gpu, const struct drm_amdgpu_info *request)
{
   const struct drm_amdgpu_info_firmware firmware = {
      .ver = gpu->pfp_version,
      .feature = card_of(gpu).fw_gfx_pfp.feature,
   };

   return ANSWER(request, firmware);
}

static struct drm_amdgpu_heap_info
heap(uint64_t size_B)
{
   return (struct drm_amdgpu_heap_info){
      .total_heap_size = size_B,
      .usable_heap_size = size_B,
      .max_allocation = size_B / 4 * 3,
   };
}

/* The CPU can access all of the GPU's memory. */
static int
get_memory(const struct sim_gpu *gpu, const struct drm_amdgpu_info *request)
{
   const uint64_t vram_B = card_of(gpu).mem.vram.total_heap_size;
   const struct drm_amdgpu_memory_info info = {
      .vram = heap(vram_B),
      .cpu_accessible_vram = heap(vram_B),
      .gtt = heap(GTT_SIZE),
   };
   const struct drm_amdgpu_info_vram_gtt sizes = {
      .vram_size = vram_B,
      .vram_cpu_accessible_size = vram_B,
      .gtt_size = GTT_SIZE,
   };

   return request->query == AMDGPU_INFO_MEMORY ? ANSWER(request, info)
                                               : ANSWER(request, sizes);
}

/* Other registers are 0: nothing is disabled or busy. */
static int
read_registers(const struct sim_gpu *gpu,
               const struct drm_amdgpu_info *request)
{
   const struct amdgpu_device card = card_of(gpu);
   const uint32_t first = request->read_mmr_reg.dword_offset;
   const uint32_t count = request->read_mmr_reg.count;
   uint32_t *values = (uint32_t *)(uintptr_t)request->return_pointer;

   if (count * sizeof(uint32_t) > request->return_size)
      return -EINVAL;
   memset(values, 0, count * sizeof(uint32_t));
   for (uint32_t i = 0; i < card.mmr_reg_count; i++) {
      const uint32_t *dumped =
         &card.mmr_regs[3 * i]; /* number, place, value */

      if (dumped[0] >= first && dumped[0] - first < count &&
          dumped[1] == request->read_mmr_reg.instance)
         values[dumped[0] - first] = dumped[2];
   }
   return 0;
}

int
sim_amdgpu_info(struct sim *sim, void *argument)
{
   const struct drm_amdgpu_info *request = argument;
   const uint32_t is_working = 1;
   const uint64_t zero = 0;
   uint64_t ticks;

   switch (request->query) {
   case AMDGPU_INFO_ACCEL_WORKING:
      return ANSWER(request, is_working);
   case AMDGPU_INFO_HW_IP_INFO:
      return get_ip_info(&sim->gpu, request);
   case AMDGPU_INFO_HW_IP_COUNT:
      return get_ip_count(request);
   case AMDGPU_INFO_DEV_INFO:
      return get_device_info(sim, request);
   case AMDGPU_INFO_FW_VERSION:
      return get_firmware(&sim->gpu, request);
   case AMDGPU_INFO_READ_MMR_REG:
      return read_registers(&sim->gpu, request);
   case AMDGPU_INFO_MEMORY:
   case AMDGPU_INFO_VRAM_GTT:
      return get_memory(&sim->gpu, request);
   case AMDGPU_INFO_TIMESTAMP:
      ticks = sim_read_clock(sim);
      return ANSWER(request, ticks);
   case AMDGPU_INFO_NUM_BYTES_MOVED:
   case AMDGPU_INFO_NUM_EVICTIONS:
   case AMDGPU_INFO_NUM_VRAM_CPU_PAGE_FAULTS:
   case AMDGPU_INFO_VRAM_LOST_COUNTER:
   case AMDGPU_INFO_VRAM_USAGE:
   case AMDGPU_INFO_VIS_VRAM_USAGE:
   case AMDGPU_INFO_GTT_USAGE:
      return ANSWER(request, zero);
   default:
      return -EINVAL;
   }
}
