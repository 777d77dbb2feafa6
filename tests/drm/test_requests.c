/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Fields of ioctls that the simulated kernels do not check. */

#include <errno.h>

#include <amdgpu_drm.h>
#include <i915_drm.h>
#include <sys/mman.h>

#include "rig.h"

static void *(*sim_mmap)(void *data, size_t size_B, int protection, int flags,
                         int fd, off_t offset);

static void *
check_mmap(void *data, size_t size_B, int protection, int flags, int fd,
           off_t offset)
{
   assert_int_equal(protection, PROT_READ | PROT_WRITE);
   assert_int_equal(flags, MAP_SHARED);
   return sim_mmap(data, size_B, protection, flags, fd, offset);
}

static unsigned caching_count;

/* The batch is the first object, and the kernel moves no object. */
static void
check_objects(const struct drm_i915_gem_execbuffer2 *request)
{
   const struct drm_i915_gem_exec_object2 *objects =
      (const void *)(uintptr_t)request->buffers_ptr;
   const uint64_t flags =
      EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS;

   assert_int_equal(request->flags, I915_EXEC_RENDER | I915_EXEC_NO_RELOC |
                                       I915_EXEC_BATCH_FIRST);
   assert_int_equal(request->batch_len % 8, 0);
   for (unsigned i = 0; i < request->buffer_count; i++)
      assert_int_equal(objects[i].flags,
                       i == 0 ? flags : flags | EXEC_OBJECT_WRITE);
}

/* A hang must end the context: it would continue without its counters. */
static void
check_context(const struct drm_i915_gem_context_create_ext *request)
{
   const struct drm_i915_gem_context_create_ext_setparam *set =
      (const void *)(uintptr_t)request->extensions;

   assert_int_equal(request->flags, I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS);
   assert_int_equal(set->base.name, I915_CONTEXT_CREATE_EXT_SETPARAM);
   assert_int_equal(set->base.next_extension, 0);
   assert_int_equal(set->param.param, I915_CONTEXT_PARAM_RECOVERABLE);
   assert_int_equal(set->param.value, 0);
}

/* System memory, because the CPU reads it. */
static void
check_memory(const union drm_amdgpu_gem_create *request)
{
   assert_int_equal(request->in.domains, AMDGPU_GEM_DOMAIN_GTT);
   assert_int_equal(request->in.domain_flags,
                    AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED);
   assert_int_equal(request->in.alignment, 4096);
   assert_int_equal(request->in.bo_size % 4096, 0);
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

/* struct drm_i915_gem_create_ext_set_pat, which some headers lack: Meteor
 * Lake's PAT 3 snoops the CPU's caches.
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

/* GFX12's command processor bypasses L2, so every other access must, too. */
static void
check_mapping(const struct pitot_gpu *gpu,
              const struct drm_amdgpu_gem_va *request)
{
   const uint32_t caching = gpu->generation >= 120 ? AMDGPU_VM_MTYPE_UC : 0;

   assert_int_equal(request->flags, AMDGPU_VM_PAGE_READABLE |
                                       AMDGPU_VM_PAGE_WRITEABLE |
                                       AMDGPU_VM_PAGE_EXECUTABLE | caching);
}

static int
check_request(void *data, int fd, unsigned long request, void *argument)
{
   const struct sim *sim = data;
   const struct drm_i915_gem_caching *caching = argument;

   if (request == DRM_IOCTL_I915_GEM_EXECBUFFER2) {
      check_objects(argument);
   } else if (request == DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT) {
      check_context(argument);
   } else if (request == DRM_IOCTL_AMDGPU_GEM_CREATE) {
      check_memory(argument);
   } else if (request == DRM_IOCTL_I915_GEM_CREATE_EXT) {
      if (sim->gpu.has_pat)
         check_policy(argument);
      else
         check_regions(argument);
   } else if (request == DRM_IOCTL_AMDGPU_GEM_VA) {
      check_mapping(&sim->gpu.facts, argument);
   } else if (request == DRM_IOCTL_I915_GEM_SET_CACHING) {
      assert_int_equal(caching->caching, I915_CACHING_CACHED);
      caching_count++;
   }
   return rig_ioctl(data, fd, request, argument);
}

/* Intel buffers ask to be cached if the GPU does not snoop by default. */
TEST_ON_SIM(requests_are_complete, EVERY_CONTEXT)
{
   const bool is_intel = sim->gpu.facts.family == &pitot_hw_intel;
   struct pitot_cs *cs;

   rig_replace_ioctl(sim, check_request);
   sim_mmap = sim->io.mmap;
   sim->io.mmap = check_mmap;
   for (unsigned has_llc = 0; has_llc <= 1; has_llc++) {
      sim->gpu.has_llc = has_llc;
      caching_count = 0;
      struct pitot_drm_device *device = rig_open_device(sim);
      assert_int_equal(pitot_drm_context_create(device, &cs), 0);
      cs->ops->flush(cs, PITOT_RING_RENDER);
      assert_int_equal(caching_count != 0, is_intel && !has_llc &&
                                              !sim->gpu.is_discrete &&
                                              !sim->gpu.has_pat);
      pitot_drm_context_destroy(cs);
      pitot_drm_close(device);
   }
}

static unsigned asked_count, pending_number;

/* Reports pending batches of one kernel context: they are asked in turn. */
static int
tell_pending(void *data, int fd, unsigned long request, void *argument)
{
   const int result = rig_ioctl(data, fd, request, argument);

   if (request == DRM_IOCTL_I915_GET_RESET_STATS &&
       asked_count++ == pending_number)
      ((struct drm_i915_reset_stats *)argument)->batch_pending++;
   return result;
}

/* i915 counts lost pending batches, too, for each ring's context. */
TEST_ON_SIM(intel_pending_batches_are_lost, "skl")
{
   struct pitot_cs *cs;

   rig_replace_ioctl(sim, tell_pending);
   for (pending_number = 0; pending_number < 3; pending_number++) {
      struct pitot_drm_device *device = rig_open_device(sim);
      assert_int_equal(pitot_drm_context_create(device, &cs), 0);
      asked_count = 0;
      assert_int_equal(cs->ops->take_reset(cs), pending_number < 2);
      pitot_drm_context_destroy(cs);
      pitot_drm_close(device);
   }
}

static unsigned long refused;
static unsigned refused_count;

/* An object that was not created is neither waited for nor destroyed. */
static int
refuse_request(void *data, int fd, unsigned long request, void *argument)
{
   if (request == DRM_IOCTL_I915_GEM_CONTEXT_DESTROY)
      assert_int_not_equal(
         ((struct drm_i915_gem_context_destroy *)argument)->ctx_id, 0);
   if (request == DRM_IOCTL_I915_GEM_WAIT)
      assert_int_not_equal(((struct drm_i915_gem_wait *)argument)->bo_handle,
                           0);
   if (request != refused)
      return rig_ioctl(data, fd, request, argument);
   refused_count++;
   errno = ENOSPC;
   return -1;
}

/* Each failing ioctl fails the context, with its error. */
TEST_ON_SIM(refused_requests_refuse_contexts, EVERY_CONTEXT)
{
   static const unsigned long requests[] = {
      DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT,
      DRM_IOCTL_I915_GEM_CREATE,
      DRM_IOCTL_I915_GEM_CREATE_EXT,
      DRM_IOCTL_I915_GEM_SET_CACHING,
      DRM_IOCTL_I915_GEM_MMAP_OFFSET,
      DRM_IOCTL_AMDGPU_CTX,
      DRM_IOCTL_AMDGPU_GEM_CREATE,
      DRM_IOCTL_AMDGPU_GEM_VA,
      DRM_IOCTL_AMDGPU_GEM_MMAP,
   };
   struct pitot_cs *cs;

   rig_replace_ioctl(sim, refuse_request);
   for (unsigned i = 0; i < ARRAY_LENGTH(requests); i++) {
      refused = requests[i];
      refused_count = 0;
      struct pitot_drm_device *device = rig_open_device(sim);
      const int result = pitot_drm_context_create(device, &cs);
      assert_int_equal(result, refused_count ? -ENOSPC : 0);
      if (result == 0)
         pitot_drm_context_destroy(cs);
      pitot_drm_close(device);
   }
}
