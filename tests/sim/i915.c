/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The ioctls of i915.
 */

#include <errno.h>
#include <string.h>

#include <i915_drm.h>

#include "faults.h"
#include "sim_priv.h"

#define TIMESTAMP_REGISTER 0x2358
#define PAGE_SHIFT         12
#define MMAP_GTT_VERSION   4

#define GEN12_5 125

#define MEMORY_B (UINT64_C(8) << 30)

#define CREATE_EXT_SET_PAT 2 /* newer than some headers */
#define LAST_PAT           4 /* of Meteor Lake */
#define MAX_TOPOLOGY_B     256

/*
 * Answers about the GPU
 */

static int
get_param(struct sim *sim, struct drm_i915_getparam *request)
{
   const struct sim_gpu *gpu = &sim->gpu;

   switch (request->param) {
   case I915_PARAM_CHIPSET_ID:
      *request->value = (int)gpu->device_id;
      return 0;
   case I915_PARAM_CS_TIMESTAMP_FREQUENCY:
      *request->value = (int)sim_fault_hz(sim);
      return 0;
   case I915_PARAM_HAS_LLC:
      *request->value = gpu->has_llc;
      return 0;
   case I915_PARAM_REVISION:
      *request->value = (int)gpu->pci_revision;
      return 0;
   case I915_PARAM_HAS_EXEC_SOFTPIN:
   case I915_PARAM_HAS_EXEC_BATCH_FIRST:
   case I915_PARAM_HAS_EXEC_FENCE_ARRAY:
   case I915_PARAM_HAS_CONTEXT_ISOLATION:
      *request->value = 1;
      return 0;
   case I915_PARAM_MMAP_GTT_VERSION:
      *request->value = MMAP_GTT_VERSION;
      return 0;
   default:
      return -EINVAL;
   }
}

static int
read_register(struct sim *sim, struct drm_i915_reg_read *request)
{
   if (request->offset != (TIMESTAMP_REGISTER | I915_REG_READ_8B_WA))
      return -EINVAL;
   request->val = sim_fault_read(sim, sim_tick(sim, sim->ticks_per_read));
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

/* A length of 0 asks how long the answer is. */
static int
query_gpu(struct sim *sim, const struct drm_i915_query *query)
{
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

/*
 * Memory, contexts and submissions
 */

static int
new_bo(struct sim *sim, uint64_t size_B, uint32_t *handle_out)
{
   *handle_out = sim_new_bo(sim, size_B);
   return *handle_out != 0 ? 0 : -ENOMEM;
}

/* Returns whether the kernel creates memory with these extensions: a cache
 * policy is known from Meteor Lake on.
 */
static int
check_extensions(const struct sim_gpu *gpu, uint64_t first)
{
   for (uint64_t next = first; next != 0;) {
      const struct {
         struct i915_user_extension base;
         uint32_t pat_index, reserved;
      } *extension = (const void *)(uintptr_t)next;

      if (extension->base.name == CREATE_EXT_SET_PAT) {
         if (!gpu->has_pat)
            return -ENODEV;
         if (extension->pat_index > LAST_PAT)
            return -EINVAL;
      }
      next = extension->base.next_extension;
   }
   return 0;
}

static int
wrap_bo(struct sim *sim, struct drm_i915_gem_userptr *request)
{
   request->handle = sim_wrap_bo(sim, (void *)(uintptr_t)request->user_ptr,
                                 request->user_size);
   return request->handle != 0 ? 0 : -ENOMEM;
}

/* GPUs with memory of their own are mapped in other ways than the others. */
static int
map_offset(struct sim *sim, struct drm_i915_gem_mmap_offset *request)
{
   const bool is_fixed = request->flags == I915_MMAP_OFFSET_FIXED;
   const bool is_cached = request->flags == I915_MMAP_OFFSET_WB ||
                          request->flags == I915_MMAP_OFFSET_WC;

   if (sim_object(sim, request->handle, SIM_BO) == NULL)
      return -ENOENT;
   if (sim->gpu.is_discrete ? !is_fixed : !is_cached)
      return -ENODEV;
   request->offset = (uint64_t)request->handle << PAGE_SHIFT;
   return 0;
}

static int
new_context(struct sim *sim, struct drm_i915_gem_context_create_ext *request)
{
   request->ctx_id = sim_new_object(sim, SIM_CONTEXT);
   return request->ctx_id != 0 ? 0 : -ENOMEM;
}

/* Context 0 exists from the beginning. */
static int
get_context_param(struct drm_i915_gem_context_param *request)
{
   request->value = request->param == I915_CONTEXT_PARAM_GTT_SIZE
                       ? SIM_ADDRESS_MASK + 1
                       : 0;
   return 0;
}

static int
get_reset_stats(struct sim *sim, struct drm_i915_reset_stats *request)
{
   const struct sim_object *context =
      sim_object(sim, request->ctx_id, SIM_CONTEXT);

   if (context == NULL)
      return -ENOENT;
   request->batch_active = context->lost_active;
   request->batch_pending = context->lost_pending;
   return 0;
}

/* Maps a submission's memory to the addresses in its list of objects. */
static int
map_objects(struct sim *sim, struct sim_submission *submission,
            const struct drm_i915_gem_execbuffer2 *request)
{
   const struct drm_i915_gem_exec_object2 *objects =
      (const void *)(uintptr_t)request->buffers_ptr;

   for (unsigned i = 0; i < request->buffer_count; i++) {
      const struct sim_object *object =
         sim_object(sim, objects[i].handle, SIM_BO);

      if (object == NULL || (objects[i].flags & EXEC_OBJECT_PINNED) == 0)
         return -EINVAL;
      sim_space_add(&submission->space,
                    (struct sim_map){
                       .address = objects[i].offset & SIM_ADDRESS_MASK,
                       .size_B = object->bo->size_B,
                       .bo = object->bo,
                    });
   }
   return 0;
}

/* Gives syncobjs the fence of the next submission, or has it wait for theirs,
 * which the order of submissions does already.
 */
static int
set_fences(struct sim *sim, const struct drm_i915_gem_execbuffer2 *request)
{
   const struct drm_i915_gem_exec_fence *fences =
      (const void *)(uintptr_t)request->cliprects_ptr;

   for (unsigned i = 0; i < request->num_cliprects; i++) {
      struct sim_object *syncobj =
         sim_object(sim, fences[i].handle, SIM_SYNCOBJ);

      if (syncobj == NULL)
         return -ENOENT;
      if ((fences[i].flags & I915_EXEC_FENCE_SIGNAL) != 0)
         sim_set_fence(syncobj, sim->kernel->submitted + 1);
      if ((fences[i].flags & I915_EXEC_FENCE_WAIT) != 0)
         sim->fence_wait_count++;
   }
   return 0;
}

static int
exec(struct sim *sim, const struct drm_i915_gem_execbuffer2 *request)
{
   const struct sim_object *context =
      sim_object(sim, (uint32_t)request->rsvd1, SIM_CONTEXT);
   struct sim_submission *submission = sim_new_submission(sim);

   if (context == NULL)
      return -ENOENT;
   if (context->is_banned)
      return -EIO;
   if (submission == NULL)
      return -ENOMEM;
   if (request->batch_len % sizeof(uint64_t) != 0 ||
       request->buffer_count == 0)
      return -EINVAL;

   int result = map_objects(sim, submission, request);
   if (result == 0)
      result = set_fences(sim, request);
   if (result != 0) {
      sim_space_clear(sim, &submission->space);
      return result;
   }

   const unsigned batch = (request->flags & I915_EXEC_BATCH_FIRST) != 0
                             ? 0
                             : request->buffer_count - 1;
   submission->context = (uint32_t)request->rsvd1;
   submission->engine =
      (unsigned)(request->flags & I915_EXEC_RING_MASK) % SIM_MAX_ENGINES;
   submission->address =
      submission->space.maps[batch].address + request->batch_start_offset;
   sim_submit(sim, submission);
   return 0;
}

int
sim_i915_ioctl(struct sim *sim, unsigned long request, void *argument)
{
   switch (_IOC_NR(request)) {
   case _IOC_NR(DRM_IOCTL_I915_GETPARAM):
      return get_param(sim, argument);
   case _IOC_NR(DRM_IOCTL_I915_REG_READ):
      return read_register(sim, argument);
   case _IOC_NR(DRM_IOCTL_I915_QUERY):
      return query_gpu(sim, argument);
   case _IOC_NR(DRM_IOCTL_I915_GEM_CREATE): {
      struct drm_i915_gem_create *create = argument;
      return new_bo(sim, create->size, &create->handle);
   }
   case _IOC_NR(DRM_IOCTL_I915_GEM_CREATE_EXT): {
      struct drm_i915_gem_create_ext *create = argument;
      const int result = check_extensions(&sim->gpu, create->extensions);
      return result != 0 ? result
                         : new_bo(sim, create->size, &create->handle);
   }
   case _IOC_NR(DRM_IOCTL_I915_GEM_USERPTR):
      return wrap_bo(sim, argument);
   case _IOC_NR(DRM_IOCTL_I915_GEM_SET_CACHING):
      return sim->gpu.is_discrete ? -ENODEV
             : sim->gpu.has_pat   ? -EOPNOTSUPP
                                  : 0;
   case _IOC_NR(DRM_IOCTL_I915_GEM_SET_DOMAIN):
   case _IOC_NR(DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM):
      return 0;
   case _IOC_NR(DRM_IOCTL_I915_GEM_MADVISE):
      ((struct drm_i915_gem_madvise *)argument)->retained = 1;
      return 0;
   case _IOC_NR(DRM_IOCTL_I915_GEM_BUSY):
      ((struct drm_i915_gem_busy *)argument)->busy = sim->kernel->queued != 0;
      return 0;
   case _IOC_NR(DRM_IOCTL_I915_GEM_WAIT):
      return sim_wait(sim, sim->kernel->submitted,
                      ((struct drm_i915_gem_wait *)argument)->timeout_ns == 0)
                ? 0
                : -ETIME;
   case _IOC_NR(DRM_IOCTL_I915_GEM_MMAP_OFFSET):
      return map_offset(sim, argument);
   case _IOC_NR(DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT):
      return new_context(sim, argument);
   case _IOC_NR(DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM):
      return get_context_param(argument);
   case _IOC_NR(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY): {
      const struct drm_i915_gem_context_destroy *destroy = argument;
      if (sim_object(sim, destroy->ctx_id, SIM_CONTEXT) == NULL)
         return -ENOENT;
      sim_free_object(sim, destroy->ctx_id);
      return 0;
   }
   case _IOC_NR(DRM_IOCTL_I915_GET_RESET_STATS):
      return get_reset_stats(sim, argument);
   case _IOC_NR(DRM_IOCTL_I915_GEM_EXECBUFFER2):
      return exec(sim, argument);
   default:
      return -ENOTTY;
   }
}
