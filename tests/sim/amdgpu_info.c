/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Answers of amdgpu about a GPU.
 */

#include <errno.h>
#include <string.h>

#include <amdgpu_drm.h>

#include "amdgpu.h"

#define GFX9  90
#define GFX11 110

#define KHZ      1000
#define MIB      (UINT64_C(1) << 20)
#define GTT_SIZE (4096 * MIB)

/* Registers that can be read, by their dword. */
#define REG_MC_ARB_RAMCFG      0x9d8
#define REG_GB_ADDR_CONFIG     0x263e
#define REG_GB_TILE_MODE0      0x2644
#define TILE_MODE_COUNT        32
#define REG_GB_MACROTILE_MODE0 0x2664
#define MACROTILE_MODE_COUNT   16
#define RAMCFG_SIXTEEN_BANKS   2

/* Addresses of programs.  Until GFX8, page tables are for 64 GiB; later ones
 * have 48 bits, and the upper half of them is at the top.
 */
#define VA_START      0x200000
#define VA_END_GFX6   (UINT64_C(64) << 30)
#define VA_END        (UINT64_C(1) << 47)
#define HIGH_VA_START UINT64_C(0xffff800000000000)
#define HIGH_VA_END   UINT64_C(0xffffffffffe00000)

static int
answer(const struct drm_amdgpu_info *request, const void *value,
       size_t size_B)
{
   memcpy((void *)(uintptr_t)request->return_pointer, value,
          size_B < request->return_size ? size_B : request->return_size);
   return 0;
}

#define ANSWER(REQUEST, VALUE) answer(REQUEST, &(VALUE), sizeof(VALUE))

static void
list_units(const struct sim_amdgpu *data, struct drm_amdgpu_info_device *info)
{
   /* Engines above the fourth are behind the arrays of those below. */
   for (unsigned i = 0; i < data->engines; i++) {
      for (unsigned j = 0; j < data->arrays_per_engine; j++)
         info->cu_bitmap[i % 4][i / 4 * 2 + j] =
            (1u << data->units_per_array) - 1;
   }
   info->cu_active_number =
      data->engines * data->arrays_per_engine * data->units_per_array;
   info->num_cu_per_sh = data->units_per_array;
}

static void
list_addresses(const struct sim_gpu *gpu, struct drm_amdgpu_info_device *info)
{
   const bool is_new = gpu->facts.generation >= GFX9;

   info->virtual_address_offset = VA_START;
   info->virtual_address_max = is_new ? VA_END : VA_END_GFX6;
   info->virtual_address_alignment = SIM_PAGE_B;
   info->pte_fragment_size = 2 * MIB;
   info->gart_page_size = SIM_PAGE_B;
   info->high_va_offset = is_new ? HIGH_VA_START : 0;
   info->high_va_max = is_new ? HIGH_VA_END : 0;
}

static int
get_device_info(const struct sim_gpu *gpu,
                const struct drm_amdgpu_info *request)
{
   const struct sim_amdgpu *data = sim_amdgpu_data(gpu);
   struct drm_amdgpu_info_device info = {
      .device_id = gpu->device_id,
      .external_rev = gpu->revision,
      .pci_rev = gpu->pci_revision,
      .family = gpu->family,
      .num_shader_engines = data->engines,
      .num_shader_arrays_per_engine = data->arrays_per_engine,
      .gpu_counter_freq = gpu->facts.timestamp_hz / KHZ,
      .max_engine_clock = data->core_MHz * KHZ,
      .max_memory_clock = data->memory_MHz * KHZ,
      .enabled_rb_pipes_mask = gpu->facts.rb_mask,
      .num_rb_pipes = gpu->facts.rb_count,
      .num_hw_gfx_contexts = 8,
      .ce_ram_size = gpu->facts.generation < GFX11 ? 32768 : 0,
      .vram_type = data->vram_type,
      .vram_bit_width = data->vram_bits,
      .gc_double_offchip_lds_buf = 1,
      .wave_front_size = data->wave_size,
      .num_shader_visible_vgprs = data->visible_vgprs,
      .num_tcc_blocks = data->l2_blocks,
      .gs_vgt_table_depth = 32,
      .gs_prim_buffer_depth = 1792,
      .max_gs_waves_per_vgt = 32,
   };

   list_units(data, &info);
   list_addresses(gpu, &info);
   return ANSWER(request, info);
}

static int
get_ip_info(const struct sim_gpu *gpu, const struct drm_amdgpu_info *request)
{
   const struct sim_amdgpu *data = sim_amdgpu_data(gpu);
   struct drm_amdgpu_info_hw_ip info = {
      .hw_ip_version_major = data->gfx_major,
      .hw_ip_version_minor = data->gfx_minor,
      .ib_start_alignment = 32,
      .ib_size_alignment = 32,
   };

   switch (request->query_hw_ip.type) {
   case AMDGPU_HW_IP_GFX:
      info.available_rings = 1;
      break;
   case AMDGPU_HW_IP_COMPUTE:
      info.available_rings = data->compute_rings;
      break;
   case AMDGPU_HW_IP_DMA:
      info.hw_ip_version_major = data->sdma_major;
      info.hw_ip_version_minor = data->sdma_minor;
      info.ib_start_alignment = 256;
      info.available_rings = 3;
      break;
   default: /* no video */
      info = (struct drm_amdgpu_info_hw_ip){ 0 };
   }
   return ANSWER(request, info);
}

static int
get_ip_count(const struct drm_amdgpu_info *request)
{
   const uint32_t count = request->query_hw_ip.type <= AMDGPU_HW_IP_DMA;

   return ANSWER(request, count);
}

static int
get_firmware(const struct sim_gpu *gpu, const struct drm_amdgpu_info *request)
{
   const struct drm_amdgpu_info_firmware firmware = {
      .ver = gpu->pfp_version,
      .feature = sim_amdgpu_data(gpu)->firmware_feature,
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

/* All of the GPU's memory can be seen by the CPU. */
static int
get_memory(const struct sim_gpu *gpu, const struct drm_amdgpu_info *request)
{
   const uint64_t vram_B = sim_amdgpu_data(gpu)->vram_MiB * MIB;
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

/* Other registers are 0: nothing is switched off or busy. */
static uint32_t
read_register(const struct sim_gpu *gpu, unsigned dword)
{
   const bool has_tile_modes = gpu->facts.generation < GFX9;

   if (dword == REG_GB_ADDR_CONFIG)
      return sim_amdgpu_data(gpu)->address_config;
   if (dword == REG_MC_ARB_RAMCFG)
      return RAMCFG_SIXTEEN_BANKS;
   if (has_tile_modes && dword >= REG_GB_TILE_MODE0 &&
       dword < REG_GB_TILE_MODE0 + TILE_MODE_COUNT)
      return sim_amdgpu_tile_mode(gpu, dword - REG_GB_TILE_MODE0);
   if (has_tile_modes && dword >= REG_GB_MACROTILE_MODE0 &&
       dword < REG_GB_MACROTILE_MODE0 + MACROTILE_MODE_COUNT)
      return sim_amdgpu_macro_tile_mode(dword - REG_GB_MACROTILE_MODE0);
   return 0;
}

static int
read_registers(const struct sim_gpu *gpu,
               const struct drm_amdgpu_info *request)
{
   uint32_t *values = (uint32_t *)(uintptr_t)request->return_pointer;

   if (request->read_mmr_reg.count * sizeof(uint32_t) > request->return_size)
      return -EINVAL;
   for (unsigned i = 0; i < request->read_mmr_reg.count; i++)
      values[i] = read_register(gpu, request->read_mmr_reg.dword_offset + i);
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
      return get_device_info(&sim->gpu, request);
   case AMDGPU_INFO_FW_VERSION:
      return get_firmware(&sim->gpu, request);
   case AMDGPU_INFO_READ_MMR_REG:
      return read_registers(&sim->gpu, request);
   case AMDGPU_INFO_MEMORY:
   case AMDGPU_INFO_VRAM_GTT:
      return get_memory(&sim->gpu, request);
   case AMDGPU_INFO_TIMESTAMP:
      ticks = sim_tick(sim, sim->ticks_per_read);
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
