/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* amdgpu's replies about a GPU. */

#include <errno.h>
#include <string.h>

#include "drm-uapi/amdgpu_drm.h"
#include "amdgpu.h"
#include "faults.h"

#define KHZ      1000
#define MIB      (UINT64_C(1) << 20)
#define GTT_SIZE (4096 * MIB)

/* Readable registers, by dword offset. */
#define REG_MC_ARB_RAMCFG      0x9d8
#define REG_GB_ADDR_CONFIG     0x263e
#define REG_GB_TILE_MODE0      0x2644
#define TILE_MODE_COUNT        32
#define REG_GB_MACROTILE_MODE0 0x2664
#define MACROTILE_MODE_COUNT   16
#define RAMCFG_SIXTEEN_BANKS   2

/* Up to GFX8 64 GiB, later 48 bits, whose upper half is at the top. */
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

/* An engine without render backends has no units either. */
static void
list_units(const struct sim_gpu *gpu, struct drm_amdgpu_info_device *info)
{
   const struct sim_amdgpu *data = sim_amdgpu_data(gpu);
   const unsigned backends = gpu->amd.rb_count / data->engines;

   info->num_cu_per_sh = data->units_per_array;
   for (unsigned i = 0; i < data->engines; i++) {
      if (!(gpu->amd.rb_mask >> i * backends & ((1u << backends) - 1)))
         continue;
      /* Engines above the fourth follow the arrays of engine i % 4. */
      for (unsigned j = 0; j < data->arrays_per_engine; j++)
         info->cu_bitmap[i % 4][i / 4 * 2 + j] =
            (1u << data->units_per_array) - 1;
      info->cu_active_number +=
         data->arrays_per_engine * data->units_per_array;
   }
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

static uint64_t
ids_flags(const struct sim *sim)
{
   uint64_t flags = sim->has_tmz ? AMDGPU_IDS_FLAGS_TMZ : 0;

   if (sim->preempts && sim->gpu.facts.generation >= GFX9)
      flags |= AMDGPU_IDS_FLAGS_PREEMPTION;
   return flags;
}

static int
get_device_info(const struct sim *sim, const struct drm_amdgpu_info *request)
{
   const struct sim_gpu *gpu = &sim->gpu;
   const struct sim_amdgpu *data = sim_amdgpu_data(gpu);
   struct drm_amdgpu_info_device info = {
      .ids_flags = ids_flags(sim),
      .device_id = gpu->device_id,
      .external_rev = gpu->revision,
      .pci_rev = gpu->pci_revision,
      .family = gpu->family,
      .num_shader_engines = data->engines,
      .num_shader_arrays_per_engine = data->arrays_per_engine,
      .gpu_counter_freq = (uint32_t)(sim_fault_hz(sim) / KHZ),
      .max_engine_clock = data->core_MHz * KHZ,
      .max_memory_clock = data->memory_MHz * KHZ,
      .enabled_rb_pipes_mask = gpu->amd.rb_mask,
      .num_rb_pipes = gpu->amd.rb_count,
      .num_hw_gfx_contexts = 8,
      .ce_ram_size = gpu->facts.generation < GFX10   ? 32768
                     : gpu->facts.generation < GFX11 ? 65536
                                                     : 0,
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

   list_units(gpu, &info);
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

/* The CPU can access all of the GPU's memory. */
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

/*
 * Registers
 *
 * Tile modes of GFX6 to GFX8 say how images lie in memory.  Nothing is drawn
 * here, but drivers need modes that fit together.  A number means the same on
 * all GPUs of a generation; banks are derived.
 */

/* Array modes, as in the registers. */
enum {
   LINEAR_ALIGNED = 1,
   THIN_1D = 2,
   THICK_1D = 3,
   THIN_2D = 4,
   PRT_THIN = 5,
   PRT_2D_THIN = 6,
   THICK_2D = 7,
   XTHICK_2D = 8,
   PRT_THICK = 9,
   PRT_2D_THICK = 10,
   PRT_3D_THIN = 11,
   THIN_3D = 12,
   THICK_3D = 13,
   XTHICK_3D = 14,
};

enum {
   DISPLAY = 0,
   THIN = 1,
   DEPTH = 2,
   ROTATED = 3,
   THICK_GFX6 = 3,
   THICK = 4,
};

/* A bank has the tiles of 256 bytes, a pipe's share. */
#define BANK_HEIGHT(SPLIT) ((SPLIT) < 2 ? 2u - (SPLIT) : 0)

/* SPLIT is log2(bytes / 64) of a tile or a half tile.  Macro tiles are twice
 * as wide as high and have 16 banks.
 */
#define MODE_GFX6(ARRAY, ORDER, SPLIT)                                       \
   ((ORDER) | (ARRAY) << 2 | (SPLIT) << 11 | BANK_HEIGHT(SPLIT) << 16 |      \
    1 << 18 | 3 << 20)

/* All orders except DEPTH split samples in two. */
#define MODE_GFX7(ARRAY, ORDER, SPLIT)                                       \
   ((ARRAY) << 2 | (SPLIT) << 11 | (ORDER) << 22 |                           \
    ((ORDER) != DEPTH ? 1 << 25 : 0))

static const uint32_t modes_gfx6[] = {
   MODE_GFX6(THIN_2D, DEPTH, 0),       MODE_GFX6(THIN_2D, DEPTH, 1),
   MODE_GFX6(THIN_2D, DEPTH, 2),       MODE_GFX6(THIN_2D, DEPTH, 1),
   MODE_GFX6(THIN_1D, DEPTH, 0),       MODE_GFX6(THIN_2D, DEPTH, 1),
   MODE_GFX6(THIN_2D, DEPTH, 2),       MODE_GFX6(THIN_2D, DEPTH, 0),
   MODE_GFX6(LINEAR_ALIGNED, 0, 0),    MODE_GFX6(THIN_1D, DISPLAY, 0),
   MODE_GFX6(THIN_2D, DISPLAY, 0),     MODE_GFX6(THIN_2D, DISPLAY, 1),
   MODE_GFX6(THIN_2D, DISPLAY, 2),     MODE_GFX6(THIN_1D, THIN, 0),
   MODE_GFX6(THIN_2D, THIN, 0),        MODE_GFX6(THIN_2D, THIN, 1),
   MODE_GFX6(THIN_2D, THIN, 2),        MODE_GFX6(THIN_2D, THIN, 3),
   MODE_GFX6(THICK_1D, THICK_GFX6, 0), MODE_GFX6(XTHICK_2D, THICK_GFX6, 0),
   MODE_GFX6(THICK_2D, THICK_GFX6, 0), MODE_GFX6(THIN_2D, THIN, 0),
   MODE_GFX6(THIN_2D, THIN, 1),        MODE_GFX6(THIN_2D, THIN, 2),
   MODE_GFX6(THIN_2D, THIN, 3),        MODE_GFX6(THIN_2D, THIN, 4),
};

static const uint32_t modes_gfx7[] = {
   MODE_GFX7(THIN_2D, DEPTH, 0),       MODE_GFX7(THIN_2D, DEPTH, 1),
   MODE_GFX7(THIN_2D, DEPTH, 2),       MODE_GFX7(THIN_2D, DEPTH, 3),
   MODE_GFX7(THIN_2D, DEPTH, 5),       MODE_GFX7(THIN_1D, DEPTH, 0),
   MODE_GFX7(PRT_2D_THIN, DEPTH, 2),   MODE_GFX7(PRT_2D_THIN, DEPTH, 5),
   MODE_GFX7(LINEAR_ALIGNED, 0, 0),    MODE_GFX7(THIN_1D, DISPLAY, 0),
   MODE_GFX7(THIN_2D, DISPLAY, 0),     MODE_GFX7(PRT_THIN, DISPLAY, 0),
   MODE_GFX7(PRT_2D_THIN, DISPLAY, 0), MODE_GFX7(THIN_1D, THIN, 0),
   MODE_GFX7(THIN_2D, THIN, 0),        MODE_GFX7(THIN_3D, THIN, 0),
   MODE_GFX7(PRT_THIN, THIN, 0),       MODE_GFX7(PRT_2D_THIN, THIN, 0),
   MODE_GFX7(THICK_1D, THIN, 0),       MODE_GFX7(THICK_1D, THICK, 0),
   MODE_GFX7(THICK_2D, THICK, 0),      MODE_GFX7(THICK_3D, THICK, 0),
   MODE_GFX7(PRT_THICK, THICK, 0),     MODE_GFX7(PRT_2D_THICK, THICK, 0),
   MODE_GFX7(THICK_2D, THIN, 0),       MODE_GFX7(XTHICK_2D, THICK, 0),
   MODE_GFX7(XTHICK_3D, THICK, 0),     MODE_GFX7(THIN_1D, ROTATED, 0),
   MODE_GFX7(THIN_2D, ROTATED, 0),     MODE_GFX7(PRT_THIN, ROTATED, 0),
   MODE_GFX7(PRT_2D_THIN, ROTATED, 0),
};

#define COUNT(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))

static uint32_t
tile_mode(const struct sim_gpu *gpu, unsigned i)
{
   const bool is_gfx6 = gpu->facts.generation < GFX7;
   const uint32_t *modes = is_gfx6 ? modes_gfx6 : modes_gfx7;

   if (i >= (is_gfx6 ? COUNT(modes_gfx6) : COUNT(modes_gfx7)))
      return 0;
   return modes[i] | (uint32_t)sim_amdgpu_data(gpu)->pipe_config << 6;
}

/* From GFX7 on, by a tile's size; the last eight for partial residency. */
static uint32_t
macro_tile_mode(unsigned i)
{
   return BANK_HEIGHT(i % 8) << 2 | 1u << 4 | 3u << 6;
}

/* Other registers are 0: nothing is disabled or busy. */
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
      return tile_mode(gpu, dword - REG_GB_TILE_MODE0);
   if (has_tile_modes && dword >= REG_GB_MACROTILE_MODE0 &&
       dword < REG_GB_MACROTILE_MODE0 + MACROTILE_MODE_COUNT)
      return macro_tile_mode(dword - REG_GB_MACROTILE_MODE0);
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
