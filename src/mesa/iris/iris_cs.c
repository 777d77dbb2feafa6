/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * iris's batches as a command stream: render and compute are a ring each.
 *
 * iris does not number batches.  A new signal syncobj is a new batch and gets
 * the next seqno of its ring; ring->batches has the syncobj of each seqno.
 * Any thread reads it, so it changes only with pitot->lock held.
 */

#include <errno.h>

#include "iris_batch.h"
#include "iris_fence.h"
#include "iris_pitot_priv.h"
#include "iris_screen.h"

/* Attempts to wait for a batch while the kernel is out of memory. */
#define MAX_WAITS 1000

/*
 * Buffers
 */

static int
iris_cs_buffer_create(struct pitot_cs *cs, unsigned size_B,
                      struct pitot_cs_buffer **buffer_out)
{
   struct iris_pitot *pitot = (void *)cs;
   struct iris_pitot_buffer *buffer = calloc(1, sizeof(*buffer));
   if (!buffer)
      return -ENOMEM;

   buffer->bo =
      iris_bo_alloc(pitot->bufmgr, "queries", size_B, 64, IRIS_MEMZONE_OTHER,
                    BO_ALLOC_SMEM | BO_ALLOC_CACHED_COHERENT |
                       BO_ALLOC_ZEROED | BO_ALLOC_NO_SUBALLOC);
   if (buffer->bo)
      buffer->base.memory =
         iris_bo_map(NULL, buffer->bo,
                     MAP_READ | MAP_WRITE | MAP_PERSISTENT | MAP_COHERENT |
                        MAP_ASYNC);
   if (!buffer->base.memory) {
      iris_bo_unreference(buffer->bo);
      free(buffer);
      return -ENOMEM;
   }
   buffer->base.size_B = size_B;
   *buffer_out = &buffer->base;
   return 0;
}

static void
iris_cs_buffer_destroy(struct pitot_cs *cs, struct pitot_cs_buffer *buffer)
{
   iris_bo_unreference(((struct iris_pitot_buffer *)buffer)->bo);
   free(buffer);
}

static void
iris_cs_use_buffer(struct pitot_cs *cs, enum pitot_ring ring,
                   struct pitot_cs_buffer *buffer)
{
   struct iris_pitot *pitot = (void *)cs;
   struct iris_batch *batch = pitot->rings[ring].batch;

   iris_batch_sync_region_start(batch);
   iris_use_pinned_bo(batch, ((struct iris_pitot_buffer *)buffer)->bo, true,
                      IRIS_DOMAIN_OTHER_WRITE);
   iris_batch_sync_region_end(batch);
}

/*
 * Batches
 */

static struct iris_pitot_batch *
batch_of(const struct iris_pitot_ring *ring, uint64_t number)
{
   struct iris_pitot_batch *last =
      util_dynarray_top_ptr(&ring->batches, struct iris_pitot_batch);

   return last + (int64_t)(number - ring->number);
}

/* Waits for at most timeout_ns, and records which batches are done.  A batch
 * is done, without an ioctl, once a later one has written its fence.  So is a
 * lost batch, whose writes are missing.  Returns 0 or -errno.
 */
static int
iris_wait_batch(struct iris_pitot *pitot, enum pitot_ring ring_number,
                uint64_t number, int64_t timeout_ns)
{
   struct iris_pitot_ring *ring = &pitot->rings[ring_number];
   struct iris_bufmgr *bufmgr = pitot->bufmgr;
   struct iris_syncobj *syncobj = NULL;

   simple_mtx_lock(&pitot->lock);
   const uint32_t written = ring->written ? p_atomic_read(ring->written) : 0;
   while (ring->done + 1 < ring->number &&
          batch_of(ring, ring->done + 2)->next_fence <= written)
      ring->done++;
   if (number > ring->done)
      iris_syncobj_reference(bufmgr, &syncobj,
                             batch_of(ring, number)->syncobj);
   simple_mtx_unlock(&pitot->lock);
   if (!syncobj)
      return 0;

   const int result =
      iris_wait_syncobj(bufmgr, syncobj, timeout_ns) ? 0 : -errno;

   simple_mtx_lock(&pitot->lock);
   if (result == 0 && number > ring->done)
      ring->done = number;
   iris_syncobj_reference(bufmgr, &syncobj, NULL);
   simple_mtx_unlock(&pitot->lock);
   return result;
}

/* Retries if the kernel was out of memory. */
static void
iris_cs_wait(struct pitot_cs *cs, enum pitot_ring ring, uint64_t number)
{
   for (unsigned i = 0; i < MAX_WAITS; i++) {
      if (iris_wait_batch((void *)cs, ring, number, INT64_MAX) != -ENOMEM)
         return;
   }
}

void
pitot_iris_update_next_fence(struct iris_pitot *pitot)
{
   for (unsigned r = 0; r < RING_COUNT; r++) {
      const struct iris_pitot_ring *ring = &pitot->rings[r];

      simple_mtx_lock(&pitot->lock);
      if (ring->syncobj == iris_batch_get_signal_syncobj(ring->batch))
         batch_of(ring, ring->number)->next_fence =
            ring->batch->fine_fences.next;
      simple_mtx_unlock(&pitot->lock);
   }
}

static void
drop_done(struct iris_pitot *pitot, struct iris_pitot_ring *ring)
{
   struct util_dynarray *batches = &ring->batches;
   struct iris_pitot_batch *rest = batch_of(ring, ring->done + 1);

   for (struct iris_pitot_batch *batch = batches->data; batch < rest; batch++)
      iris_syncobj_reference(pitot->bufmgr, &batch->syncobj, NULL);
   batches->size = (char *)util_dynarray_end(batches) - (char *)rest;
   memmove(batches->data, rest, batches->size);
}

/* Makes space for another batch: if all are in flight, allocates memory, or
 * if that fails, waits for the oldest one.
 */
static void
make_room(struct iris_pitot *pitot, enum pitot_ring ring_number)
{
   struct iris_pitot_ring *ring = &pitot->rings[ring_number];
   struct util_dynarray *batches = &ring->batches;
   const uint64_t oldest =
      ring->number + 1 -
      util_dynarray_num_elements(batches, struct iris_pitot_batch);

   if (batches->size < batches->capacity)
      return;
   (void)iris_wait_batch(pitot, ring_number, oldest, 0);
   simple_mtx_lock(&pitot->lock);
   drop_done(pitot, ring);
   const bool has_room =
      batches->size < batches->capacity ||
      util_dynarray_ensure_cap(batches, 2 * batches->capacity);
   simple_mtx_unlock(&pitot->lock);
   if (has_room)
      return;

   iris_cs_wait(&pitot->cs, ring_number, oldest);
   simple_mtx_lock(&pitot->lock);
   ring->done = MAX2(ring->done, oldest);
   drop_done(pitot, ring);
   simple_mtx_unlock(&pitot->lock);
}

/* A new syncobj means that iris began a new batch. */
static uint64_t
iris_cs_current_batch(struct pitot_cs *cs, enum pitot_ring ring_number)
{
   struct iris_pitot *pitot = (void *)cs;
   struct iris_pitot_ring *ring = &pitot->rings[ring_number];
   struct iris_syncobj *syncobj = iris_batch_get_signal_syncobj(ring->batch);

   if (ring->syncobj == syncobj)
      return ring->number;
   make_room(pitot, ring_number);

   simple_mtx_lock(&pitot->lock);
   struct iris_pitot_batch *batch =
      util_dynarray_grow(&ring->batches, struct iris_pitot_batch, 1);
   batch->syncobj = NULL;
   ring->number++;
   iris_batch_reference_signal_syncobj(ring->batch, &batch->syncobj);
   batch->next_fence = ring->batch->fine_fences.next;
   pipe_resource_reference(&ring->fence, ring->batch->fine_fences.ref.res);
   ring->written = ring->batch->fine_fences.map;
   ring->syncobj = syncobj;
   simple_mtx_unlock(&pitot->lock);
   return ring->number;
}

/* iris takes a fine-fence seqno when it ends a batch: the latest batch is
 * recording while the next seqno is the one from its beginning.
 */
static enum pitot_batch_state
iris_cs_batch_state(struct pitot_cs *cs, enum pitot_ring ring_number,
                    uint64_t number)
{
   struct iris_pitot *pitot = (void *)cs;
   const struct iris_pitot_ring *ring = &pitot->rings[ring_number];

   simple_mtx_lock(&pitot->lock);
   const bool is_recording = number == ring->number && number > ring->done &&
                             p_atomic_read(&ring->batch->fine_fences.next) ==
                                batch_of(ring, number)->next_fence;
   simple_mtx_unlock(&pitot->lock);
   if (is_recording)
      return PITOT_BATCH_RECORDING;
   return iris_wait_batch(pitot, ring_number, number, 0)
             ? PITOT_BATCH_SUBMITTED
             : PITOT_BATCH_DONE;
}

static void
iris_cs_flush(struct pitot_cs *cs, enum pitot_ring ring)
{
   iris_batch_flush(((struct iris_pitot *)cs)->rings[ring].batch);
}

/* pitot_iris_init() rejects other generations. */
static bool
iris_cs_store(struct pitot_cs *cs, const struct pitot_cs_result *result)
{
   struct iris_pitot *pitot = (void *)cs;
   struct iris_batch *batch = pitot->rings[result->ring].batch;

   if (result->buffer == &pitot->target.base)
      pitot_iris_wait_for_draws(pitot, result->ring);
   switch (cs->gpu->generation) {
#ifdef INTEL_USE_ELK
   case 80:
      gfx8_pitot_store(batch, cs->gpu, result);
      break;
#endif
   case 90:
      gfx9_pitot_store(batch, cs->gpu, result);
      break;
   case 110:
      gfx11_pitot_store(batch, cs->gpu, result);
      break;
   case 120:
      gfx12_pitot_store(batch, cs->gpu, result);
      break;
   case 125:
      gfx125_pitot_store(batch, cs->gpu, result);
      break;
   case 200:
      gfx20_pitot_store(batch, cs->gpu, result);
      break;
   case 300:
      gfx30_pitot_store(batch, cs->gpu, result);
      break;
   default:
      UNREACHABLE("see LAST_GENERATION");
   }
   return true;
}

/*
 * The GPU around samples
 */

/* Generated primitives are counted at the clipper, which then needs all of
 * them.  Marks only state that changes as dirty.
 */
static void
iris_cs_set_counting(struct pitot_cs *cs, unsigned mask)
{
   struct iris_context *ice = ((struct iris_pitot *)cs)->ice;
   const bool is_generated = mask & PITOT_COUNTING_GENERATED;
   const bool is_occlusion = mask & PITOT_COUNTING_SAMPLES; /* exactly */

   if (ice->state.prims_generated_query_active != is_generated)
      ice->state.dirty |= IRIS_DIRTY_STREAMOUT | IRIS_DIRTY_CLIP;
   if (ice->state.occlusion_query_active != is_occlusion)
      ice->state.dirty |= IRIS_DIRTY_STREAMOUT;
   ice->state.prims_generated_query_active = is_generated;
   ice->state.occlusion_query_active = is_occlusion;
}

int
pitot_iris_read_clock(void *data, struct pitot_clock_reading *reading_out)
{
   const struct iris_screen *screen = data;
   const int fd = iris_bufmgr_get_fd(screen->bufmgr);

   return pitot_iris_is_xe(screen)
             ? pitot_xe_read_clock(&pitot_drm_system, fd, reading_out)
             : pitot_i915_read_clock(&pitot_drm_system, fd, reading_out);
}

static const struct pitot_cs_ops cs_ops = {
   .buffer_create = iris_cs_buffer_create,
   .buffer_destroy = iris_cs_buffer_destroy,
   .require = NULL, /* a batch grows by chaining */
   .use_buffer = iris_cs_use_buffer,
   .emit = pitot_iris_emit,
   .store = iris_cs_store,
   .set_counting = iris_cs_set_counting,
   .current_batch = iris_cs_current_batch,
   .batch_state = iris_cs_batch_state,
   .flush = iris_cs_flush,
   .wait = iris_cs_wait,
   .take_reset = pitot_iris_take_reset,
};

void
pitot_iris_cs_init(struct iris_pitot *pitot, struct iris_context *ice)
{
   simple_mtx_init(&pitot->lock, mtx_plain);
   pitot->ice = ice;
   pitot->bufmgr = ((struct iris_screen *)ice->ctx.screen)->bufmgr;
   pitot->cs.ops = &cs_ops;
   pitot->cs.ring_count = RING_COUNT;
   pitot->cs.stops_counting = true; /* by iris_set_active_query_state() */
   pitot->rings[PITOT_RING_RENDER].batch = &ice->batches[IRIS_BATCH_RENDER];
   pitot->rings[PITOT_RING_COMPUTE].batch = &ice->batches[IRIS_BATCH_COMPUTE];
   for (unsigned r = 0; r < RING_COUNT; r++) {
      struct iris_pitot_ring *ring = &pitot->rings[r];

      util_dynarray_init_from_stack(&ring->batches, ring->few,
                                    sizeof(ring->few));
      pitot_iris_note_context(pitot, r);
   }
}

void
pitot_iris_cs_finish(struct iris_pitot *pitot)
{
   for (unsigned r = 0; r < RING_COUNT; r++) {
      struct iris_pitot_ring *ring = &pitot->rings[r];

      util_dynarray_foreach(&ring->batches, struct iris_pitot_batch, batch)
         iris_syncobj_reference(pitot->bufmgr, &batch->syncobj, NULL);
      util_dynarray_fini(&ring->batches);
      pipe_resource_reference(&ring->fence, NULL);
   }
   simple_mtx_destroy(&pitot->lock);
}
