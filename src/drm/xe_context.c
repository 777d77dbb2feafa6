/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A context through xe: a queue for each of the two rings, both on the render
 * engine, because the counter of compute invocations is part of a hardware
 * context, which each queue has.  The kernel orders nothing by itself: a
 * batch waits for the binds of its memory, and for the other queue's batches
 * with which it shares any.
 */

#include <errno.h>

#include "xe.h"

/* A submission waits for the binds and for the other ring, and signals. */
#define MAX_SYNCS 3

#define STATE_SYSTEM_MEM_FENCE_ADDRESS 0x61090001

static int
create_queue(struct pitot_xe_context *context, uint32_t *queue_out)
{
   struct xe_engine render = { .engine_class = XE_ENGINE_RENDER };
   struct xe_exec_queue_create request = {
      .width = 1,
      .placement_count = 1,
      .vm = context->vm,
      .instances = pitot_drm_pointer(&render),
   };
   const int result =
      pitot_drm_ioctl(context->base.device, XE_EXEC_QUEUE_CREATE, &request);

   *queue_out = request.queue;
   return result;
}

static int
create(struct pitot_drm_context *base)
{
   struct pitot_xe_context *context = pitot_to_xe(base);
   int result = pitot_xe_create_space(context);

   if (result == 0 && base->base.gpu->generation >= GENERATION_20)
      result = pitot_drm_buffer_create(base, PITOT_DRM_PAGE_B,
                                       &context->fence_page);
   for (unsigned ring = 0; result == 0 && ring < PITOT_XE_RING_COUNT;
        ring++) {
      result = create_queue(context, &context->queues[ring]);
      for (unsigned i = 0; result == 0 && i < PITOT_DRM_BATCH_SLOTS; i++)
         result =
            pitot_xe_create_syncobj(context, DRM_SYNCOBJ_CREATE_SIGNALED,
                                    &context->syncobjs[ring][i]);
   }
   return result;
}

/* Waits for syncobjs, or only polls. */
static int
wait_for(const struct pitot_drm_context *context, const uint32_t *handles,
         unsigned count, bool is_poll)
{
   struct drm_syncobj_wait request = {
      .handles = pitot_drm_pointer(handles),
      .count_handles = count,
      .flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL,
      .timeout_nsec = is_poll ? 0 : INT64_MAX,
   };

   return pitot_drm_ioctl(context->device, DRM_IOCTL_SYNCOBJ_WAIT, &request);
}

/* A queue that is destroyed takes its work along: the last commands of a
 * batch, which come after its number, have to be through.
 */
static void
destroy_ring(struct pitot_xe_context *context, unsigned ring)
{
   struct xe_exec_queue_destroy request = { .queue = context->queues[ring] };
   const uint32_t *syncobjs = context->syncobjs[ring];

   if (syncobjs[PITOT_DRM_BATCH_SLOTS - 1] != 0)
      wait_for(&context->base, syncobjs, PITOT_DRM_BATCH_SLOTS, false);
   if (request.queue != 0)
      pitot_drm_ioctl(context->base.device, XE_EXEC_QUEUE_DESTROY, &request);
   for (unsigned i = 0; i < PITOT_DRM_BATCH_SLOTS; i++)
      pitot_xe_destroy_syncobj(context, syncobjs[i]);
}

static void
destroy(struct pitot_drm_context *base)
{
   struct pitot_xe_context *context = pitot_to_xe(base);

   for (unsigned ring = 0; ring < PITOT_XE_RING_COUNT; ring++)
      destroy_ring(context, ring);
   pitot_xe_destroy_space(context);
}

/* MI_MEM_FENCE wants a page of the system's memory for itself. */
static void
begin(struct pitot_drm_context *context, enum pitot_ring ring)
{
   const struct pitot_drm_buffer *page = pitot_to_xe(context)->fence_page;

   pitot_drm_intel_begin(context, ring);
   if (page == NULL)
      return;

   const uint32_t packet[] = {
      STATE_SYSTEM_MEM_FENCE_ADDRESS,
      (uint32_t)page->base.address,
      (uint32_t)(page->base.address >> 32),
   };
   pitot_drm_emit(context, ring, packet, 3);
}

/* Returns the last batch of the other ring that was submitted and may have
 * used memory of this batch, or 0.  Memory that the other ring is recording
 * with may have been used by any batch before.  Each ring has a qword of its
 * own in the status page.
 */
static uint64_t
find_shared(const struct pitot_drm_context *context, unsigned ring,
            const struct pitot_drm_batch *batch)
{
   const unsigned other = 1 - ring;
   const uint64_t submitted =
      atomic_load(&context->rings[other].recording) - 1;
   uint64_t last = 0;

   for (const struct pitot_drm_buffer *buffer = context->buffers;
        buffer != NULL; buffer = buffer->next) {
      const uint64_t number = buffer->last_batch[other];

      if (buffer->last_batch[ring] == batch->number &&
          buffer != context->status && number > last)
         last = number;
   }
   return last < submitted ? last : submitted;
}

/* Lists the syncs of a batch.  Returns their count. */
static unsigned
list_syncs(const struct pitot_drm_context *base, unsigned ring,
           const struct pitot_drm_batch *batch,
           struct xe_sync syncs[MAX_SYNCS])
{
   const struct pitot_xe_context *context =
      (const struct pitot_xe_context *)base;
   const uint64_t shared = find_shared(base, ring, batch);
   unsigned count = 0;

   syncs[count++] = (struct xe_sync){
      .type = XE_SYNC_TIMELINE_SYNCOBJ,
      .handle = context->binds,
      .timeline_value = context->last_bind,
   };
   if (shared != 0)
      syncs[count++] = (struct xe_sync){
         .handle = pitot_xe_syncobj(context, 1 - ring, shared),
      };
   syncs[count++] = (struct xe_sync){
      .flags = XE_SYNC_FLAG_SIGNAL,
      .handle = pitot_xe_syncobj(context, ring, batch->number),
   };
   return count;
}

static int
submit(struct pitot_drm_context *context, enum pitot_ring ring,
       struct pitot_drm_batch *batch)
{
   struct xe_sync syncs[MAX_SYNCS];
   struct xe_exec request = {
      .queue = pitot_to_xe(context)->queues[ring],
      .sync_count = list_syncs(context, ring, batch, syncs),
      .syncs = pitot_drm_pointer(syncs),
      .address = batch->memory->base.address,
      .batch_count = 1,
   };

   batch->seqno = batch->number; /* written by end() */
   return pitot_drm_ioctl(context->device, XE_EXEC, &request);
}

static int
wait(struct pitot_drm_context *context, enum pitot_ring ring,
     const struct pitot_drm_batch *batch, bool is_poll)
{
   const uint32_t handle =
      pitot_xe_syncobj(pitot_to_xe(context), ring, batch->number);

   return wait_for(context, &handle, 1, is_poll);
}

/* The kernel bans a queue whose batch hangs, and no other. */
static int
check_health(struct pitot_drm_context *context)
{
   for (unsigned ring = 0; ring < PITOT_XE_RING_COUNT; ring++) {
      struct xe_exec_queue_get_property request = {
         .queue = pitot_to_xe(context)->queues[ring],
         .property = XE_EXEC_QUEUE_PROPERTY_BAN,
      };
      const int result =
         pitot_drm_ioctl(context->device, XE_EXEC_QUEUE_GET_PROPERTY,
                         &request);

      if (result != 0)
         return result;
      if (request.value != 0)
         return -EIO;
   }
   return 0;
}

const struct pitot_drm_context_ops pitot_xe_context = {
   .size_B = sizeof(struct pitot_xe_context),
   .ring_count = PITOT_XE_RING_COUNT,
   .create = create,
   .destroy = destroy,
   .allocate = pitot_xe_allocate,
   .release = pitot_xe_release,
   .begin = begin,
   .end = pitot_drm_intel_end,
   .submit = submit,
   .wait = wait,
   .barrier = pitot_drm_intel_barrier,
   .check_health = check_health,
};
