/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The common part of contexts through i915 and amdgpu: a command stream.
 * Invariant: a batch is done when the GPU has written its seqno.  If the
 * kernel has finished a batch without it, or an ioctl fails, the context is
 * lost forever.
 * Danger: a batch writes its seqno before its last commands, so the GPU may
 * still read the buffer of a batch that is done (begin_batch()).
 */

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"

/* Above 32 bits, so that an address that is cut to 32 bits hits no buffer. */
#define FIRST_ADDRESS (UINT64_C(1) << 32)

/* The offset of scratch memory in the page of statuses. */
#define SCRATCH_B (PITOT_DRM_PAGE_B - PITOT_DRM_SCRATCH_SIZE_B)

static struct pitot_drm_context *
to_context(struct pitot_cs *cs)
{
   return (struct pitot_drm_context *)cs;
}

static struct pitot_drm_batch *
slot_of(struct pitot_drm_ring *ring, uint64_t batch)
{
   return &ring->slots[batch % PITOT_DRM_BATCH_SLOTS];
}

/*
 * Batches
 */

static void
lose_context(struct pitot_drm_context *context)
{
   if (!atomic_exchange(&context->is_lost, true))
      atomic_store(&context->is_loss_unreported, true);
}

static bool
is_seqno_written(const struct pitot_drm_context *context,
                 enum pitot_ring ring, const struct pitot_drm_batch *batch)
{
   const uint64_t *status = (const uint64_t *)context->status->base.memory;

   return __atomic_load_n(&status[ring], __ATOMIC_ACQUIRE) >= batch->seqno;
}

/* Updates the state of a submitted batch.  If the GPU has not written its
 * seqno, an ioctl polls or waits: the kernel knows if the GPU never will.
 * Waits have no timeout: a wait that returns without the seqno has failed.
 */
static void
update_batch_state(struct pitot_drm_context *context, enum pitot_ring ring,
                   uint64_t number, bool is_poll)
{
   struct pitot_drm_ring *state = &context->rings[ring];
   struct pitot_drm_batch batch = { 0 };

   /* When this batch is done, another thread may reuse its slot. */
   pthread_mutex_lock(&context->lock);
   const bool is_settled =
      number <= atomic_load(&state->done) || atomic_load(&context->is_lost);
   if (!is_settled)
      batch = *slot_of(state, number);
   pthread_mutex_unlock(&context->lock);

   if (is_settled ||
       (!is_seqno_written(context, ring, &batch) &&
        context->ops->wait(context, &batch, is_poll) == -ETIME && is_poll))
      return;

   pthread_mutex_lock(&context->lock);
   if (!is_seqno_written(context, ring, &batch))
      lose_context(context);
   else if (number > atomic_load(&state->done))
      atomic_store(&state->done, number);
   pthread_mutex_unlock(&context->lock);
}

static enum pitot_batch_state
drm_batch_state(struct pitot_cs *cs, enum pitot_ring ring, uint64_t batch)
{
   struct pitot_drm_context *context = to_context(cs);
   struct pitot_drm_ring *state = &context->rings[ring];

   if (batch <= atomic_load(&state->done))
      return PITOT_BATCH_DONE;

   const bool is_submitted = batch < atomic_load(&state->recording);
   if (is_submitted)
      update_batch_state(context, ring, batch, true);

   if (batch <= atomic_load(&state->done))
      return PITOT_BATCH_DONE;
   if (atomic_load(&context->is_lost))
      return PITOT_BATCH_LOST;
   return is_submitted ? PITOT_BATCH_SUBMITTED : PITOT_BATCH_RECORDING;
}

static void
drm_wait(struct pitot_cs *cs, enum pitot_ring ring, uint64_t batch)
{
   struct pitot_drm_context *context = to_context(cs);

   if (batch < atomic_load(&context->rings[ring].recording))
      update_batch_state(context, ring, batch, false);
}

static void
drm_use_buffer(struct pitot_cs *cs, enum pitot_ring ring,
               struct pitot_cs_buffer *buffer)
{
   ((struct pitot_drm_buffer *)buffer)->last_batch[ring] =
      atomic_load(&to_context(cs)->rings[ring].recording);
}

/*
 * Recording
 */

/* Doubles the memory of the current batch, or loses the context. */
static bool
grow_batch(struct pitot_drm_context *context, enum pitot_ring ring,
           struct pitot_drm_batch *batch)
{
   struct pitot_drm_buffer *old = batch->memory;
   struct pitot_drm_buffer *larger;

   if (pitot_drm_buffer_create(context, 2 * old->base.size_B, &larger) != 0) {
      lose_context(context);
      return false;
   }
   memcpy(larger->base.memory, old->base.memory, old->base.size_B);
   larger->last_batch[ring] = batch->number;
   old->last_batch[ring] = 0;
   old->is_retired = true;
   batch->memory = larger;
   return true;
}

uint32_t *
pitot_drm_reserve(struct pitot_drm_context *context, enum pitot_ring ring,
                  unsigned count_dw)
{
   struct pitot_drm_ring *state = &context->rings[ring];
   struct pitot_drm_batch *batch =
      slot_of(state, atomic_load(&state->recording));
   const size_t end_B = (state->count_dw + count_dw) * sizeof(uint32_t);

   assert(count_dw <= PITOT_DRM_FULL_DW);
   if (atomic_load(&context->is_lost) ||
       (end_B > batch->memory->base.size_B &&
        !grow_batch(context, ring, batch)))
      return NULL;

   uint32_t *commands =
      (uint32_t *)batch->memory->base.memory + state->count_dw;
   state->count_dw += count_dw;
   return commands;
}

/* Reserves space for the packets of one position; finish_packets() returns
 * what is not used.  Returns false if the context is lost.
 */
static bool
start_packets(struct pitot_drm_context *context, enum pitot_ring ring,
              struct pitot_drm_packets *packets)
{
   uint32_t *room =
      pitot_drm_reserve(context, ring, PITOT_DRM_MAX_PACKETS_DW);

   if (room == NULL)
      return false;
   *packets = (struct pitot_drm_packets){
      .gpu = context->base.gpu,
      .ring = ring,
      .next = room,
      .first =
         room + PITOT_DRM_MAX_PACKETS_DW - context->rings[ring].count_dw,
      .scratch_address = context->status->base.address + SCRATCH_B,
   };
   return true;
}

static void
finish_packets(struct pitot_drm_context *context,
               const struct pitot_drm_packets *packets)
{
   struct pitot_drm_ring *state = &context->rings[packets->ring];
   const unsigned count_dw = (unsigned)(packets->next - packets->first);

   assert(count_dw <= state->count_dw);
   state->count_dw = count_dw;
}

/* Begins to record a batch, after a wait until its buffer is idle. */
static void
begin_batch(struct pitot_drm_context *context, enum pitot_ring ring,
            uint64_t number)
{
   struct pitot_drm_ring *state = &context->rings[ring];
   struct pitot_drm_batch *batch = slot_of(state, number);
   struct pitot_drm_packets packets;

   /* A batch writes its seqno before its last commands.  The GPU has left the
    * last batch of this slot for certain when the next batch is done.
    */
   if (number > PITOT_DRM_BATCH_SLOTS)
      update_batch_state(context, ring, number - PITOT_DRM_BATCH_SLOTS + 1,
                         false);

   /* No other thread reads this slot: its last batch is done or lost, which
    * update_batch_state() recorded with the lock held.
    */
   batch->number = number;
   atomic_store(&state->recording, number);

   state->count_dw = 0;
   drm_use_buffer(&context->base, ring, &batch->memory->base);
   drm_use_buffer(&context->base, ring, &context->status->base);
   if (start_packets(context, ring, &packets)) {
      context->ops->begin(&packets, context->counting);
      finish_packets(context, &packets);
   }
   /* Notify queries of a lost context, too: they must not continue. */
   pitot_cs_batch_begin(&context->base, ring);
}

static unsigned
list_buffers(struct pitot_drm_context *context, enum pitot_ring ring,
             const struct pitot_drm_batch *batch)
{
   unsigned count = 1;

   for (const struct pitot_drm_buffer *buffer = context->buffers;
        buffer != NULL; buffer = buffer->next) {
      if (buffer->last_batch[ring] == batch->number)
         context->ops->list(context, buffer == batch->memory ? 0 : count++,
                            buffer);
   }
   return count;
}

static void
drm_flush(struct pitot_cs *cs, enum pitot_ring ring)
{
   struct pitot_drm_context *context = to_context(cs);
   struct pitot_drm_ring *state = &context->rings[ring];
   const uint64_t number = atomic_load(&state->recording);
   struct pitot_drm_packets packets;

   if (atomic_load(&context->is_lost))
      return;

   state->is_between = true;
   pitot_cs_batch_end(cs, ring);
   if (start_packets(context, ring, &packets)) {
      context->ops->end(&packets,
                        context->status->base.address +
                           ring * sizeof(uint64_t),
                        number);
      finish_packets(context, &packets);

      struct pitot_drm_batch *batch = slot_of(state, number);
      batch->handle = batch->memory->handle;
      const unsigned buffer_count = list_buffers(context, ring, batch);
      if (context->ops->submit(context, ring, batch, buffer_count) != 0)
         lose_context(context);
   }
   begin_batch(context, ring, number + 1);
   state->is_between = false;
   pitot_drm_buffer_collect(context);
}

static uint64_t
drm_current_batch(struct pitot_cs *cs, enum pitot_ring ring)
{
   return atomic_load(&to_context(cs)->rings[ring].recording);
}

/* Does not flush in between two batches: the listener calls this, too. */
static bool
drm_require(struct pitot_cs *cs, enum pitot_ring ring, unsigned command_count)
{
   struct pitot_drm_context *context = to_context(cs);
   const struct pitot_drm_ring *state = &context->rings[ring];

   (void)command_count; /* batches grow */
   if (state->count_dw >= PITOT_DRM_FULL_DW && !state->is_between)
      drm_flush(cs, ring);
   return !atomic_load(&context->is_lost);
}

static void
drm_emit(struct pitot_cs *cs, enum pitot_ring ring,
         struct pitot_cs_place place, const struct pitot_cs_command *commands,
         unsigned count)
{
   struct pitot_drm_context *context = to_context(cs);
   struct pitot_drm_packets packets;

   if (start_packets(context, ring, &packets)) {
      packets.place_address = place.buffer->address + place.offset_B;
      context->ops->encode(&packets, commands, count);
      finish_packets(context, &packets);
   }
   drm_use_buffer(cs, ring, place.buffer);
}

static void
drm_set_counting(struct pitot_cs *cs, unsigned mask)
{
   struct pitot_drm_context *context = to_context(cs);
   struct pitot_drm_packets packets;

   if (mask == context->counting)
      return;
   context->counting = mask;
   if (context->ops->count != NULL &&
       start_packets(context, PITOT_RING_RENDER, &packets)) {
      context->ops->count(&packets, mask);
      finish_packets(context, &packets);
   }
}

/*
 * Memory
 */

static int
drm_buffer_create(struct pitot_cs *cs, unsigned size_B,
                  struct pitot_cs_buffer **buffer_out)
{
   struct pitot_drm_context *context = to_context(cs);
   struct pitot_drm_buffer *buffer;

   /* Whichever error the kernel returns, no buffer can be allocated. */
   if (pitot_drm_buffer_create(context, size_B, &buffer) != 0)
      return -ENOMEM;

   *buffer_out = &buffer->base;
   return 0;
}

static void
drm_buffer_destroy(struct pitot_cs *cs, struct pitot_cs_buffer *buffer)
{
   ((struct pitot_drm_buffer *)buffer)->is_retired = true;
   pitot_drm_buffer_collect(to_context(cs));
}

/*
 * Contexts
 */

/* A reset loses the context, because its state in the GPU is gone. */
static bool
drm_take_reset(struct pitot_cs *cs)
{
   struct pitot_drm_context *context = to_context(cs);

   for (unsigned ring = 0; ring < context->ops->ring_count; ring++) {
      if (!atomic_load(&context->is_lost) &&
          context->ops->check_health(context, context->rings[ring].id) != 0)
         lose_context(context);
   }
   return atomic_exchange(&context->is_loss_unreported, false);
}

static const struct pitot_cs_ops cs_ops = {
   .buffer_create = drm_buffer_create,
   .buffer_destroy = drm_buffer_destroy,
   .require = drm_require,
   .emit = drm_emit,
   .use_buffer = drm_use_buffer,
   .set_counting = drm_set_counting,
   .current_batch = drm_current_batch,
   .batch_state = drm_batch_state,
   .flush = drm_flush,
   .wait = drm_wait,
   .take_reset = drm_take_reset,
};

static int
create_ring(struct pitot_drm_context *context, enum pitot_ring ring)
{
   struct pitot_drm_ring *state = &context->rings[ring];
   int result = context->ops->create(context, &state->id);

   for (unsigned i = 0; result == 0 && i < PITOT_DRM_BATCH_SLOTS; i++)
      result = pitot_drm_buffer_create(context, PITOT_DRM_BATCH_B,
                                       &state->slots[i].memory);
   if (result == 0)
      begin_batch(context, ring, 1);
   return result;
}

static int
create_rings(struct pitot_drm_context *context)
{
   int result =
      pitot_drm_buffer_create(context, PITOT_DRM_PAGE_B, &context->status);

   for (unsigned i = 0; result == 0 && i < context->ops->ring_count; i++)
      result = create_ring(context, i);
   return result;
}

int
pitot_drm_context_create(struct pitot_drm_device *device,
                         struct pitot_cs **cs_out)
{
   const struct pitot_drm_context_ops *ops = device->family->context;
   if (ops == NULL)
      return -ENOTSUP;

   struct pitot_drm_context *context = calloc(1, sizeof(*context));
   if (context == NULL)
      return -ENOMEM;
   context->base = (struct pitot_cs){
      .ops = &cs_ops,
      .gpu = &device->gpu,
      .clock = device->clock,
      .ring_count = ops->ring_count,
   };
   context->device = device;
   context->ops = ops;
   context->next_address = FIRST_ADDRESS;
   pthread_mutex_init(&context->lock, NULL);

   const int result = create_rings(context);
   if (result != 0) {
      pitot_drm_context_destroy(&context->base);
      return result;
   }
   *cs_out = &context->base;
   return 0;
}

void
pitot_drm_context_destroy(struct pitot_cs *cs)
{
   struct pitot_drm_context *context = to_context(cs);

   if (context == NULL)
      return;

   /* Wait until the GPU has written to the buffers.  It may still read the
    * last commands of a batch: the kernel keeps the memory until the fences
    * of all submissions with it are signaled.
    */
   for (unsigned ring = 0; ring < context->ops->ring_count; ring++) {
      const uint64_t recording = atomic_load(&context->rings[ring].recording);

      if (recording > 1)
         drm_wait(cs, ring, recording - 1);
   }
   pitot_drm_buffer_destroy_all(context);
   for (unsigned ring = 0; ring < context->ops->ring_count; ring++) {
      if (context->rings[ring].id != 0)
         context->ops->destroy(context, context->rings[ring].id);
   }
   pthread_mutex_destroy(&context->lock);
   free(context);
}
