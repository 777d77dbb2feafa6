/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Facts of simulated AMD GPUs are those of cards that Mesa has dumps of. */

#include "drm-shim/amdgpu_devices.c"

#include "packets.h"

#define REG_GB_ADDR_CONFIG 0x263e

static void
ask(const struct rig *rig, struct drm_amdgpu_info request, void *reply,
    size_t size_B)
{
   const struct pitot_drm_io *io = rig->device->io;

   request.return_pointer = (uintptr_t)reply;
   request.return_size = (uint32_t)size_B;
   assert_int_equal(io->ioctl(io->data, rig->device->fd,
                              DRM_IOCTL_AMDGPU_INFO, &request),
                    0);
}

/* The dumped navi21 lacks the units and render backends of one engine. */
static void
check_units(const struct drm_amdgpu_info_device *sim,
            const struct drm_amdgpu_info_device *card)
{
   assert_int_equal(sim->num_shader_engines, card->num_shader_engines);
   assert_int_equal(sim->num_shader_arrays_per_engine,
                    card->num_shader_arrays_per_engine);
   assert_int_equal(sim->num_cu_per_sh, card->num_cu_per_sh);
   assert_int_equal(sim->cu_active_number, card->cu_active_number);
   assert_memory_equal(sim->cu_bitmap, card->cu_bitmap,
                       sizeof(card->cu_bitmap));
   assert_int_equal(sim->enabled_rb_pipes_mask, card->enabled_rb_pipes_mask);
   assert_int_equal(sim->num_rb_pipes, card->num_rb_pipes);
   assert_int_equal(sim->num_shader_visible_vgprs,
                    card->num_shader_visible_vgprs);
   if (card->wave_front_size != 0) /* pitcairn's dump lacks it */
      assert_int_equal(sim->wave_front_size, card->wave_front_size);
}

static void
check_device(const struct rig *rig, const struct amdgpu_device *card)
{
   struct drm_amdgpu_info_device device;
   struct drm_amdgpu_info_hw_ip gfx;

   ask(rig, (struct drm_amdgpu_info){ .query = AMDGPU_INFO_DEV_INFO },
       &device, sizeof(device));
   assert_int_equal(device.device_id, card->dev.device_id);
   assert_int_equal(device.external_rev, card->dev.external_rev);
   assert_int_equal(device.family, card->dev.family);
   assert_int_equal(device.gpu_counter_freq, card->dev.gpu_counter_freq);
   assert_int_equal(device.ce_ram_size, card->dev.ce_ram_size);
   assert_int_equal(device.num_tcc_blocks, card->dev.num_tcc_blocks);
   assert_int_equal(device.vram_type, card->dev.vram_type);
   assert_int_equal(device.vram_bit_width, card->dev.vram_bit_width);
   check_units(&device, &card->dev);

   ask(rig,
       (struct drm_amdgpu_info){ .query = AMDGPU_INFO_HW_IP_INFO,
                                 .query_hw_ip.type = AMDGPU_HW_IP_GFX },
       &gfx, sizeof(gfx));
   assert_int_equal(gfx.hw_ip_version_major,
                    card->hw_ip_gfx.hw_ip_version_major);
   assert_int_equal(gfx.ib_start_alignment,
                    card->hw_ip_gfx.ib_start_alignment);
}

/* The layout of images in memory. */
static void
check_address_config(const struct rig *rig, const struct amdgpu_device *card)
{
   for (uint32_t i = 0; i < card->mmr_reg_count; i++) {
      uint32_t value;

      if (card->mmr_regs[3 * i] != REG_GB_ADDR_CONFIG)
         continue;
      ask(rig,
          (struct drm_amdgpu_info){
             .query = AMDGPU_INFO_READ_MMR_REG,
             .read_mmr_reg = { .dword_offset = REG_GB_ADDR_CONFIG,
                               .count = 1 } },
          &value, sizeof(value));
      assert_int_equal(value, card->mmr_regs[3 * i + 2]);
   }
}

static void
facts_are_those_of_cards(void **state)
{
   unsigned card_count = 0;

   (void)state;
   for (size_t i = 0; i < num_amdgpu_devices; i++) {
      const struct amdgpu_device *card = &amdgpu_devices[i];

      for (unsigned j = 0; j < sim_gpu_count; j++) {
         struct rig rig;

         if (strcmp(sim_gpus[j].key, card->name) != 0)
            continue;
         print_message("# %s\n", card->name);
         rig_open(&rig, card->name);
         check_device(&rig, card);
         check_address_config(&rig, card);
         rig_close(&rig);
         card_count++;
      }
   }
   assert_int_equal(card_count, 7);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(facts_are_those_of_cards),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
