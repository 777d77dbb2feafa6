/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Memory through xe: one address space, in which each buffer is bound at the
 * address of our choice.  Binds are done some time: each of them signals a
 * point of a timeline, and each submission waits for the last one.
 */

#include <errno.h>
#include <stdlib.h>

#include "xe.h"

/* Cache policies by which the GPU looks into the CPU's caches: a table of the
 * hardware's, by generation.
 */
#define PAT_GEN12      0 /* write back */
#define PAT_METEORLAKE 3
#define PAT_GEN20      1

/* A bind signals, and waits for both rings. */
#define MAX_SYNCS (1 + PITOT_XE_RING_COUNT)

int
pitot_xe_create_syncobj(struct pitot_xe_context *context, uint32_t flags,
                        uint32_t *handle_out)
{
   struct drm_syncobj_create request = { .flags = flags };
   const int result = pitot_drm_ioctl(context->base.device,
                                      DRM_IOCTL_SYNCOBJ_CREATE, &request);

   *handle_out = request.handle;
   return result;
}

void
pitot_xe_destroy_syncobj(struct pitot_xe_context *context, uint32_t handle)
{
   struct drm_syncobj_destroy request = { .handle = handle };

   if (handle != 0)
      pitot_drm_ioctl(context->base.device, DRM_IOCTL_SYNCOBJ_DESTROY,
                      &request);
}

/* Finds the system's memory, whose pages are of the usual size. */
static int
find_memory(struct pitot_xe_context *context)
{
   int error;
   struct xe_query_regions *regions =
      pitot_xe_query(context->base.device, XE_DEVICE_QUERY_REGIONS, &error);

   if (regions == NULL)
      return error;
   for (uint32_t i = 0; i < regions->count; i++) {
      const struct xe_memory_region *region = &regions->regions[i];

      if (region->region_class == XE_REGION_SYSTEM)
         context->placement = UINT32_C(1) << region->instance;
   }
   free(regions);
   return context->placement != 0 ? 0 : -ENODEV;
}

/* Takes the GPU's own alignment of addresses. */
static int
find_alignment(struct pitot_xe_context *context)
{
   int error;
   struct xe_query_config *config =
      pitot_xe_query(context->base.device, XE_DEVICE_QUERY_CONFIG, &error);

   if (config == NULL)
      return error;
   const uint64_t alignment_B = config->info[XE_CONFIG_ALIGNMENT_B];
   if (alignment_B > context->base.page_B)
      context->base.page_B = (unsigned)alignment_B;
   free(config);
   return 0;
}

/* The command streamer reads ahead of the end of a batch, where nothing may
 * be bound: the scratch page is there.
 */
int
pitot_xe_create_space(struct pitot_xe_context *context)
{
   struct xe_vm_create request = { .flags = XE_VM_CREATE_SCRATCH_PAGE };
   int result = find_memory(context);

   if (result == 0)
      result = find_alignment(context);
   if (result == 0)
      result = pitot_xe_create_syncobj(context, 0, &context->binds);
   if (result == 0)
      result = pitot_drm_ioctl(context->base.device, XE_VM_CREATE, &request);
   context->vm = request.vm;
   return result;
}

void
pitot_xe_destroy_space(struct pitot_xe_context *context)
{
   struct xe_vm_destroy request = { .vm = context->vm };

   if (context->vm != 0)
      pitot_drm_ioctl(context->base.device, XE_VM_DESTROY, &request);
   pitot_xe_destroy_syncobj(context, context->binds);
}

static uint16_t
cache_policy(const struct pitot_drm_device *device)
{
   return device->gpu.generation >= GENERATION_20 ? PAT_GEN20
          : device->has_pat                       ? PAT_METEORLAKE
                                                  : PAT_GEN12;
}

/* Lists the syncs of a bind.  Memory is taken out of the address space after
 * all batches that were submitted: the kernel waits for none by itself, and
 * the last commands of a batch come after its number.  Returns their count.
 */
static unsigned
list_syncs(const struct pitot_xe_context *context, uint32_t op,
           struct xe_sync syncs[MAX_SYNCS])
{
   unsigned count = 0;

   syncs[count++] = (struct xe_sync){
      .type = XE_SYNC_TIMELINE_SYNCOBJ,
      .flags = XE_SYNC_FLAG_SIGNAL,
      .handle = context->binds,
      .timeline_value = context->last_bind + 1,
   };
   if (op != XE_VM_BIND_OP_UNMAP)
      return count;
   for (unsigned i = 0; i < PITOT_XE_RING_COUNT; i++) {
      const uint64_t recording =
         atomic_load(&context->base.rings[i].recording);

      if (recording > 1)
         syncs[count++] = (struct xe_sync){
            .handle = pitot_xe_syncobj(context, i, recording - 1),
         };
   }
   return count;
}

/* Binds a buffer, or takes it out of the address space. */
static int
bind(struct pitot_xe_context *context, const struct pitot_drm_buffer *buffer,
     uint32_t op)
{
   struct xe_sync syncs[MAX_SYNCS];
   struct xe_vm_bind request = {
      .vm = context->vm,
      .count = 1,
      .bind = {
         .handle = op == XE_VM_BIND_OP_MAP ? buffer->handle : 0,
         .pat_index = cache_policy(context->base.device),
         .range_B = buffer->mapped_B,
         .address = buffer->base.address,
         .op = op,
      },
      .sync_count = list_syncs(context, op, syncs),
      .syncs = pitot_drm_pointer(syncs),
   };
   const int result =
      pitot_drm_ioctl(context->base.device, XE_VM_BIND, &request);

   if (result == 0)
      context->last_bind++;
   return result;
}

int
pitot_xe_allocate(struct pitot_drm_context *base,
                  struct pitot_drm_buffer *buffer, uint64_t *offset_out)
{
   struct pitot_xe_context *context = pitot_to_xe(base);
   struct xe_gem_create create = {
      .size_B = buffer->mapped_B,
      .placement = context->placement,
      .vm = context->vm,
      .cpu_caching = XE_CPU_CACHING_WB,
   };
   int result = pitot_drm_ioctl(base->device, XE_GEM_CREATE, &create);
   if (result != 0)
      return result;
   buffer->handle = create.handle;

   struct xe_gem_mmap_offset map = { .handle = buffer->handle };
   result = pitot_drm_ioctl(base->device, XE_GEM_MMAP_OFFSET, &map);
   *offset_out = map.offset;
   return result != 0 ? result : bind(context, buffer, XE_VM_BIND_OP_MAP);
}

/* A handle that is closed leaves the memory where it is bound. */
void
pitot_xe_release(struct pitot_drm_context *context,
                 struct pitot_drm_buffer *buffer)
{
   (void)bind(pitot_to_xe(context), buffer, XE_VM_BIND_OP_UNMAP);
}
