/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The ioctls of xe, the newer one of the kernel's drivers for Intel's GPUs,
 * as far as Mesa's iris needs them: one address space for all, and a hardware
 * context for each queue.  Pitot leaves such a GPU to the driver.
 */

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>

#include <drm.h>

#include "sim_priv.h"
#include "xe.h"

#define GEN12_5 125

#define MEMORY_B      (UINT64_C(8) << 30)
#define ALIGNMENT_B   65536
#define VA_BITS       48
#define PAGE_SHIFT    12
#define THE_SPACE     1 /* the number of the address space */
#define MAX_ANSWER_QW 64
#define NS_PER_S      UINT64_C(1000000000)

/*
 * Answers about the GPU
 */

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
         .memory_class = (uint16_t)i, /* the system's, and then the card's */
         .instance = (uint16_t)i,
         .min_page_size_B = ALIGNMENT_B,
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
   config->info[XE_CONFIG_ALIGNMENT_B] = ALIGNMENT_B;
   config->info[XE_CONFIG_VA_BITS] = VA_BITS;
   return sizeof(*config) + XE_CONFIG_COUNT * sizeof(config->info[0]);
}

static unsigned
get_gts(const struct sim_gpu *gpu, void *answer)
{
   struct xe_gts *gts = answer;

   gts->count = 1;
   gts->gts[0].reference_clock_hz = (uint32_t)gpu->facts.timestamp_hz;
   return sizeof(*gts) + sizeof(gts->gts[0]);
}

/* Appends a mask whose lowest bits are set. */
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
   end = add_mask((void *)end, XE_TOPOLOGY_UNITS_PER_SUBSLICE,
                  gpu->units_per_subslice);
   return (unsigned)(end - (uint8_t *)answer);
}

static unsigned
read_clock(struct sim *sim, struct xe_cycles *cycles)
{
   struct timespec now;

   clock_gettime(cycles->clock_id, &now);
   cycles->width = sim->gpu.facts.timestamp_bits;
   cycles->cycles = sim_tick(sim, sim->ticks_per_read);
   cycles->cpu_ns = (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
   return sizeof(*cycles);
}

/* Answers a query whose answer begins as what was asked.  Returns its length,
 * or 0 for a question that it does not know.
 */
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
      return get_gts(&sim->gpu, answer);
   case XE_QUERY_TOPOLOGY:
      return get_topology(&sim->gpu, answer);
   case XE_QUERY_CYCLES:
      return read_clock(sim, answer);
   default:
      return 0;
   }
}

/* A length of 0 asks how long the answer is. */
static int
query(struct sim *sim, void *argument)
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

/*
 * Memory
 */

static int
create_bo(struct sim *sim, void *argument)
{
   struct xe_gem_create *request = argument;

   request->handle = sim_new_bo(sim, request->size_B);
   return request->handle != 0 ? 0 : -ENOMEM;
}

static int
map_offset(struct sim *sim, void *argument)
{
   struct xe_mmap_offset *request = argument;

   if (sim_object(sim, request->handle, SIM_BO) == NULL)
      return -ENOENT;
   request->offset = (uint64_t)request->handle << PAGE_SHIFT;
   return 0;
}

static int
create_space(struct sim *sim, void *argument)
{
   (void)sim;
   ((struct xe_vm_create *)argument)->vm = THE_SPACE;
   return 0;
}

static int
destroy_space(struct sim *sim, void *argument)
{
   (void)argument;
   sim_space_clear(sim, &sim->kernel->space);
   return 0;
}

static int
map_memory(struct sim *sim, const struct xe_bind *bind)
{
   const struct sim_object *object = sim_object(sim, bind->handle, SIM_BO);
   const bool is_user = bind->op == XE_BIND_MAP_USER;
   struct sim_bo *user =
      is_user
         ? sim_bo_wrap(sim, (void *)(uintptr_t)bind->offset_B, bind->range_B)
         : NULL;

   if (object == NULL && user == NULL)
      return -ENOENT;

   struct sim_bo *bo = is_user ? user : object->bo;
   bo->is_always_valid = true;
   sim_space_add(&sim->kernel->space,
                 (struct sim_map){
                    .address = bind->address & SIM_ADDRESS_MASK,
                    .size_B = bind->range_B,
                    .bo = bo,
                    .offset_B = is_user ? 0 : bind->offset_B,
                 });
   if (user != NULL)
      sim_bo_unreference(sim, user); /* the map has a reference of its own */
   return 0;
}

/* Gives syncobjs the fence of a submission, or 0 for one that is done.  Waits
 * are in the order of submissions anyway.
 */
static int
set_fences(struct sim *sim, uint64_t address, unsigned count, uint64_t fence)
{
   const struct xe_sync *syncs = (const void *)(uintptr_t)address;

   for (unsigned i = 0; i < count; i++) {
      struct sim_object *syncobj =
         sim_object(sim, (uint32_t)syncs[i].handle, SIM_SYNCOBJ);

      if (syncobj == NULL)
         return -ENOENT;
      if ((syncs[i].flags & XE_SYNC_SIGNAL) != 0)
         sim_set_fence(syncobj, fence);
   }
   return 0;
}

static int
bind_memory(struct sim *sim, void *argument)
{
   const struct xe_vm_bind *request = argument;
   const struct xe_bind *bind = &request->bind;
   int result = 0;

   if (request->vm != THE_SPACE || request->bind_count != 1)
      return -EINVAL;
   sim_space_remove_range(sim, &sim->kernel->space,
                          bind->address & SIM_ADDRESS_MASK, bind->range_B);
   if (bind->op == XE_BIND_MAP || bind->op == XE_BIND_MAP_USER)
      result = map_memory(sim, bind);
   return result != 0
             ? result
             : set_fences(sim, request->syncs, request->sync_count, 0);
}

/*
 * Queues
 */

static int
create_queue(struct sim *sim, void *argument)
{
   struct xe_queue_create *request = argument;

   if (request->vm != THE_SPACE || request->placement_count == 0)
      return -EINVAL;
   request->queue = sim_new_object(sim, SIM_CONTEXT);
   return request->queue != 0 ? 0 : -ENOMEM;
}

static int
destroy_queue(struct sim *sim, void *argument)
{
   const uint32_t queue = ((struct xe_queue_destroy *)argument)->queue;

   if (sim_object(sim, queue, SIM_CONTEXT) == NULL)
      return -ENOENT;
   sim_free_object(sim, queue);
   return 0;
}

static int
get_property(struct sim *sim, void *argument)
{
   struct xe_queue_property *request = argument;
   const struct sim_object *queue =
      sim_object(sim, request->queue, SIM_CONTEXT);

   if (queue == NULL)
      return -ENOENT;
   request->value = queue->is_banned;
   return 0;
}

/* Without a batch, the fence is that of the last submission. */
static int
exec(struct sim *sim, void *argument)
{
   const struct xe_exec *request = argument;
   const struct sim_object *queue =
      sim_object(sim, request->queue, SIM_CONTEXT);

   if (queue == NULL)
      return -ENOENT;
   if (queue->is_banned)
      return -ECANCELED;
   const int result =
      set_fences(sim, request->syncs, request->sync_count,
                 sim->kernel->submitted + request->batch_count);
   if (result != 0 || request->batch_count == 0)
      return result;

   struct sim_submission *submission = sim_wait_for_room(sim);
   submission->context = request->queue;
   submission->address = request->address & SIM_ADDRESS_MASK;
   sim_space_add_listed(&submission->space, &sim->kernel->space,
                        sim->kernel->list);
   sim_submit(sim, submission);
   return 0;
}

int
sim_xe_ioctl(struct sim *sim, unsigned long request, void *argument)
{
   static int (*const handlers[])(struct sim * sim, void *argument) = {
      [XE_DEVICE_QUERY] = query,
      [XE_GEM_CREATE] = create_bo,
      [XE_GEM_MMAP_OFFSET] = map_offset,
      [XE_VM_CREATE] = create_space,
      [XE_VM_DESTROY] = destroy_space,
      [XE_VM_BIND] = bind_memory,
      [XE_EXEC_QUEUE_CREATE] = create_queue,
      [XE_EXEC_QUEUE_DESTROY] = destroy_queue,
      [XE_EXEC_QUEUE_GET_PROPERTY] = get_property,
      [XE_EXEC] = exec,
   };
   const unsigned number = _IOC_NR(request) - DRM_COMMAND_BASE;

   if (_IOC_TYPE(request) != DRM_IOCTL_BASE ||
       number >= sizeof(handlers) / sizeof(handlers[0]))
      return -ENOTTY;
   return handlers[number](sim, argument);
}
