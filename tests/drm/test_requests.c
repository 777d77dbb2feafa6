/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Packets and requests of contexts, as far as neither the simulated GPUs nor
 * their kernels look at them.
 */

#include <amdgpu_drm.h>
#include <i915_drm.h>

#include "rig.h"

#define RENDER PITOT_RING_RENDER

/* Checks the first packets of a batch: ACQUIRE_MEM from GFX9 on, with all
 * addresses and TC_ACTION, TC_WB, or GL2_INV and GL2_WB; and on GFX11
 * PIXEL_PIPE_STAT_CONTROL with a stride of 128 bits and all backends.
 */
static void
check_first_packets(const struct pitot_gpu *gpu, const uint32_t *dw)
{
   const uint64_t mask = ((uint64_t)1 << gpu->rb_count) - 1;
   const uint32_t acquire_gfx9[] = { 0xc0055800, 0x840000, UINT32_MAX,
                                     0xffffff,   0,        0,
                                     10 };
   const uint32_t acquire[] = { 0xc0065800, 0, UINT32_MAX, 0x1ffffff,
                                0,          0, 10,         0xc000 };
   const uint32_t stat_control[] = {
      0xc0024600,
      0x138,
      (uint32_t)(mask << 11) | 2 << 9,
      (uint32_t)(mask >> 21),
   };

   if (gpu->generation >= 100)
      assert_memory_equal(dw, acquire, sizeof(acquire));
   else if (gpu->generation >= 90)
      assert_memory_equal(dw, acquire_gfx9, sizeof(acquire_gfx9));
   if (gpu->generation >= 110)
      assert_memory_equal(dw + 8, stat_control, sizeof(stat_control));
}

/* The encodings of Mesa's sid.h: EVENT_WRITE of PS_PARTIAL_FLUSH and of
 * CS_PARTIAL_FLUSH; SET_CONTEXT_REG of DB_COUNT_CONTROL with ZPASS_ENABLE,
 * PERFECT_ZPASS_COUNTS, and from GFX10 on DISABLE_CONSERVATIVE_ZPASS_COUNTS;
 * EVENT_WRITE of PIPELINESTAT_STOP.
 */
static void
amd_packets_are_those_of_mesa(struct rig *rig)
{
   const struct pitot_cs_ops *ops = rig->cs->ops;
   const struct pitot_gpu *gpu = &rig->device->gpu;
   const uint32_t control = gpu->generation < 70    ? 0x2
                            : gpu->generation < 100 ? 0x11000102
                                                    : 0x11000106;
   const uint32_t packets[] = {
      0xc0004600, 0x410,   0xc0004600, 0x407, 0xc0016900,
      1,          control, 0xc0004600, 26,
   };

   if (gpu->vendor != PITOT_VENDOR_AMD)
      return;
   const uint32_t *room = ops->reserve(rig->cs, RENDER, 0, NULL);
   const uint64_t offset_dw = ops->position(rig->cs, RENDER).offset;
   ops->barrier(rig->cs, RENDER, PITOT_BARRIER_STALL);
   ops->set_counting(rig->cs, PITOT_COUNTING_SAMPLES);
   assert_memory_equal(room, packets, sizeof(packets));
   check_first_packets(gpu, room - offset_dw);
}

static int (*sim_ioctl)(void *data, int fd, unsigned long request,
                        void *argument);
static unsigned caching_count;

static void
check_objects(const struct drm_i915_gem_execbuffer2 *request)
{
   const struct drm_i915_gem_exec_object2 *objects =
      (const void *)(uintptr_t)request->buffers_ptr;
   const uint64_t flags =
      EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS;

   for (unsigned i = 0; i < request->buffer_count; i++)
      assert_int_equal(objects[i].flags,
                       i == 0 ? flags : flags | EXEC_OBJECT_WRITE);
}

static void
check_regions(const struct drm_i915_gem_create_ext *request)
{
   const struct drm_i915_gem_create_ext_memory_regions *list =
      (const void *)(uintptr_t)request->extensions;
   const struct drm_i915_gem_memory_class_instance *regions =
      (const void *)(uintptr_t)list->regions;

   assert_int_equal(list->base.name, I915_GEM_CREATE_EXT_MEMORY_REGIONS);
   assert_int_equal(list->num_regions, 1);
   assert_int_equal(regions[0].memory_class, I915_MEMORY_CLASS_SYSTEM);
}

/* struct drm_i915_gem_create_ext_set_pat, which some headers lack: PAT 3 of
 * Meteor Lake looks into the CPU's caches.
 */
static void
check_policy(const struct drm_i915_gem_create_ext *request)
{
   const struct {
      struct i915_user_extension base;
      uint32_t pat_index, reserved;
   } *policy = (const void *)(uintptr_t)request->extensions;

   assert_int_equal(policy->base.name, 2);
   assert_int_equal(policy->base.next_extension, 0);
   assert_int_equal(policy->pat_index, 3);
}

/* Looks at the requests that the simulated kernel takes without a look. */
static int
check_request(void *data, int fd, unsigned long request, void *argument)
{
   const struct sim *sim = data;
   const struct drm_amdgpu_gem_va *va = argument;
   const struct drm_i915_gem_caching *caching = argument;

   if (request == DRM_IOCTL_I915_GEM_EXECBUFFER2) {
      check_objects(argument);
   } else if (request == DRM_IOCTL_I915_GEM_CREATE_EXT) {
      if (sim->gpu.has_pat)
         check_policy(argument);
      else
         check_regions(argument);
   } else if (request == DRM_IOCTL_AMDGPU_GEM_VA) {
      assert_int_equal(va->flags, AMDGPU_VM_PAGE_READABLE |
                                     AMDGPU_VM_PAGE_WRITEABLE |
                                     AMDGPU_VM_PAGE_EXECUTABLE);
   } else if (request == DRM_IOCTL_I915_GEM_SET_CACHING) {
      assert_int_equal(caching->caching, I915_CACHING_CACHED);
      caching_count++;
   }
   return sim_ioctl(data, fd, request, argument);
}

/* A GPU of Intel's that does not look into the CPU's caches is told to, for
 * each buffer.
 */
static void
requests_are_complete(struct sim *sim)
{
   const bool is_intel = sim->gpu.facts.vendor == PITOT_VENDOR_INTEL;
   struct pitot_drm_device *device;
   struct pitot_cs *cs;
   char message[PITOT_DRM_MESSAGE_SIZE];

   sim_ioctl = sim->io.ioctl;
   sim->io.ioctl = check_request;
   for (unsigned has_llc = 0; has_llc <= 1; has_llc++) {
      sim->gpu.has_llc = has_llc;
      caching_count = 0;
      assert_int_equal(pitot_drm_open(&sim->io, NULL, &device, message), 0);
      assert_int_equal(pitot_drm_context_create(device, &cs), 0);
      cs->ops->flush(cs, RENDER);
      assert_int_equal(caching_count != 0, is_intel && !has_llc &&
                                              !sim->gpu.is_discrete &&
                                              !sim->gpu.has_pat);
      pitot_drm_context_destroy(cs);
      pitot_drm_close(device);
   }
}

int
main(void)
{
   static const struct rig_test tests[] = {
      RIG_TEST(amd_packets_are_those_of_mesa),
      SIM_TEST(NULL, requests_are_complete),
   };

   return RUN_ROWS("tests", tests, rig_run_test);
}
