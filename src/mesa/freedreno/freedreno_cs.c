/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * freedreno's batches as a command stream of one ring.  freedreno keeps a
 * batch for each framebuffer, and submits them in any order.  Only sampled
 * batches get a seqno, and each is submitted before the next one is sampled.
 */

#include <errno.h>

#include "freedreno_pitot_priv.h"
#include "freedreno_resource.h"
#include "freedreno_screen.h"
#include "pitot/drm.h"

/* Attempts to wait for a batch while the kernel fails. */
#define MAX_WAITS 1000

#define POLLS_BEFORE_KERNEL 64

/*
 * Buffers
 */

static int
freedreno_cs_buffer_create(struct pitot_cs *cs, unsigned size_B,
                           struct pitot_cs_buffer **buffer_out)
{
   struct freedreno_pitot_buffer *buffer = calloc(1, sizeof(*buffer));
   if (!buffer)
      return -ENOMEM;

   buffer->bo = fd_bo_new(pitot_of(cs)->ctx->dev, size_B,
                          FD_BO_CACHED_COHERENT, "queries");
   if (buffer->bo)
      buffer->base.memory = fd_bo_map(buffer->bo);
   if (!buffer->base.memory) {
      if (buffer->bo)
         fd_bo_del(buffer->bo);
      free(buffer);
      return -ENOMEM;
   }
   memset(buffer->base.memory, 0, size_B);
   buffer->base.size_B = size_B;
   *buffer_out = &buffer->base;
   return 0;
}

static void
freedreno_cs_buffer_destroy(struct pitot_cs *cs,
                            struct pitot_cs_buffer *buffer)
{
   fd_bo_del(((struct freedreno_pitot_buffer *)buffer)->bo);
   free(buffer);
}

/* Orders the batch after earlier uses of a resource by other batches, and
 * before later ones.  OUT_RELOC() attaches the BO.
 */
static void
freedreno_cs_use_buffer(struct pitot_cs *cs, enum pitot_ring ring,
                        struct pitot_cs_buffer *buffer)
{
   const struct freedreno_pitot_buffer *used =
      (struct freedreno_pitot_buffer *)buffer;

   if (!used->rsc)
      return;
   struct fd_batch *batch = pitot_freedreno_enter(pitot_of(cs), NULL);
   fd_screen_lock(batch->ctx->screen);
   fd_batch_resource_write(batch, used->rsc);
   fd_screen_unlock(batch->ctx->screen);
}

/*
 * Batches
 */

static struct pipe_fence_handle **
fence_of(const struct freedreno_pitot *pitot, uint64_t number)
{
   struct pipe_fence_handle **last =
      util_dynarray_top_ptr(&pitot->fences, struct pipe_fence_handle *);

   return last + (int64_t)(number - pitot->number);
}

/* Waits for a submitted batch.  Returns whether it is done: a batch that hung
 * is, too, and its writes are missing.
 */
static bool
freedreno_wait_batch(struct freedreno_pitot *pitot, uint64_t number,
                     uint64_t timeout_ns)
{
   struct pipe_screen *screen = &pitot->ctx->screen->base;
   struct pipe_fence_handle *fence = NULL;

   simple_mtx_lock(&pitot->lock);
   bool is_done = number <= pitot->done;
   if (!is_done)
      fd_pipe_fence_ref(&fence, *fence_of(pitot, number));
   simple_mtx_unlock(&pitot->lock);
   if (is_done || !fence)
      return is_done;

   is_done = screen->fence_finish(screen, NULL, fence, timeout_ns);
   simple_mtx_lock(&pitot->lock);
   if (is_done && number > pitot->done)
      pitot->done = number;
   fd_pipe_fence_ref(&fence, NULL);
   simple_mtx_unlock(&pitot->lock);
   return is_done;
}

static void
freedreno_cs_flush(struct pitot_cs *cs, enum pitot_ring ring)
{
   struct freedreno_pitot *pitot = pitot_of(cs);

   if (pitot->batch)
      fd_batch_flush(pitot->batch);
}

/* Retries if the kernel fails. */
static void
freedreno_cs_wait(struct pitot_cs *cs, enum pitot_ring ring, uint64_t number)
{
   for (unsigned i = 0; i < MAX_WAITS; i++) {
      if (freedreno_wait_batch(pitot_of(cs), number, OS_TIMEOUT_INFINITE))
         return;
   }
}

/* Drops the fences of the batches that are done, as the oldest is. */
static void
drop_done(struct freedreno_pitot *pitot, uint64_t oldest)
{
   struct util_dynarray *fences = &pitot->fences;

   pitot->done = MAX2(pitot->done, oldest);
   struct pipe_fence_handle **rest = fence_of(pitot, pitot->done + 1);
   for (struct pipe_fence_handle **i = fences->data; i < rest; i++)
      fd_pipe_fence_ref(i, NULL);
   fences->size = (char *)util_dynarray_end(fences) - (char *)rest;
   memmove(fences->data, rest, fences->size);
}

/* Takes the next seqno.  If all batches are in flight, allocates memory for
 * its fence, or if that fails, waits for the oldest batch.
 */
static void
begin_number(struct freedreno_pitot *pitot)
{
   struct util_dynarray *fences = &pitot->fences;
   const uint64_t oldest =
      pitot->number + 1 -
      util_dynarray_num_elements(fences, struct pipe_fence_handle *);

   if (fences->size == fences->capacity &&
       !freedreno_wait_batch(pitot, oldest, 1)) {
      simple_mtx_lock(&pitot->lock);
      const bool has_room =
         util_dynarray_ensure_cap(fences, 2 * fences->capacity);
      simple_mtx_unlock(&pitot->lock);
      if (!has_room)
         freedreno_cs_wait(&pitot->cs, PITOT_RING_RENDER, oldest);
   }
   simple_mtx_lock(&pitot->lock);
   if (fences->size == fences->capacity)
      drop_done(pitot, oldest);
   util_dynarray_append_typed(fences, struct pipe_fence_handle *, NULL);
   pitot->number++;
   pitot->is_recording = true;
   simple_mtx_unlock(&pitot->lock);
}

/* Returns a reference to the batch that freedreno would record in.  A batch
 * that others have to follow is flushed first: samples come after all.
 */
static struct fd_batch *
reference_current(struct fd_context *ctx)
{
   struct fd_batch *batch = NULL;

   if (ctx->batch)
      fd_batch_reference(&batch, ctx->batch);
   else
      batch = fd_context_batch(ctx);
   if (pitot_freedreno_comes_first(batch)) {
      fd_batch_flush(batch);
      fd_batch_reference(&batch, NULL);
      batch = fd_context_batch(ctx);
   }
   return batch;
}

struct fd_batch *
pitot_freedreno_enter(struct freedreno_pitot *pitot, struct fd_batch *batch)
{
   struct fd_batch *current = NULL;

   if (pitot->is_open)
      return pitot->batch;
   if (batch)
      fd_batch_reference(&current, batch);
   else
      current = reference_current(pitot->ctx);
   if (pitot->batch != current) {
      freedreno_cs_flush(&pitot->cs, PITOT_RING_RENDER);
      if (current->flushed) { /* as a dependency of that batch */
         fd_batch_reference(&current, NULL);
         return NULL;
      }
      fd_batch_reference(&pitot->batch, current);
      pitot->flushing = NULL;
      util_dynarray_clear(&pitot->once_modes);
      begin_number(pitot);
   }
   fd_batch_reference(&current, NULL);
   pitot->is_open = true;
   fd_batch_needs_flush(pitot->batch);
   pitot_freedreno_count(pitot, 0, pitot->counting);
   pitot_cs_batch_begin(&pitot->cs, PITOT_RING_RENDER);
   return pitot->batch;
}

void
pitot_freedreno_suspend(struct freedreno_pitot *pitot)
{
   if (!pitot->is_open)
      return;
   pitot_cs_batch_end(&pitot->cs, PITOT_RING_RENDER);
   pitot_freedreno_count(pitot, pitot->counting, 0);
   pitot->is_open = false;

   /* The next draw resumes the queries. */
   fd_context_dirty(pitot->ctx, FD_DIRTY_QUERY);
}

void
pitot_freedreno_submit(struct freedreno_pitot *pitot)
{
   struct fd_batch *batch = pitot->batch;

   if (!batch->fence)
      batch->fence = fd_pipe_fence_create(batch);
   simple_mtx_lock(&pitot->lock);
   pitot->is_recording = false;
   fd_pipe_fence_ref(fence_of(pitot, pitot->number), batch->fence);
   simple_mtx_unlock(&pitot->lock);
   pitot->flushing = batch;
   fd_batch_reference(&pitot->batch, NULL);
}

static uint64_t
freedreno_cs_current_batch(struct pitot_cs *cs, enum pitot_ring ring)
{
   (void)pitot_freedreno_enter(pitot_of(cs), NULL);
   return pitot_of(cs)->number;
}

/* A batch that hung has not written its fence, and only the kernel knows that
 * it is done: one in POLLS_BEFORE_KERNEL polls asks the kernel.
 */
static bool
asks_kernel(struct freedreno_pitot *pitot)
{
   return p_atomic_inc_return(&pitot->poll_count) % POLLS_BEFORE_KERNEL == 0;
}

static enum pitot_batch_state
freedreno_cs_batch_state(struct pitot_cs *cs, enum pitot_ring ring,
                         uint64_t number)
{
   struct freedreno_pitot *pitot = pitot_of(cs);

   simple_mtx_lock(&pitot->lock);
   const bool is_recording = pitot->is_recording && number == pitot->number;
   simple_mtx_unlock(&pitot->lock);
   if (is_recording)
      return PITOT_BATCH_RECORDING;
   return freedreno_wait_batch(pitot, number, asks_kernel(pitot) ? 1 : 0)
             ? PITOT_BATCH_DONE
             : PITOT_BATCH_SUBMITTED;
}

/*
 * The GPU around samples
 */

/* While samples are counted, freedreno keeps the early depth test from
 * counting those that a fragment shader discards.
 */
static void
freedreno_cs_set_counting(struct pitot_cs *cs, unsigned mask)
{
   struct freedreno_pitot *pitot = pitot_of(cs);
   struct fd_context *ctx = pitot->ctx;
   const bool is_occlusion = mask & PITOT_COUNTING_OCCLUSION;

   if (pitot->is_open)
      pitot_freedreno_count(pitot, pitot->counting, mask);
   pitot->counting = mask;
   if (ctx->occlusion_queries_active != is_occlusion) {
      ctx->occlusion_queries_active = is_occlusion;
      fd_context_dirty(ctx, FD_DIRTY_ZSA);
   }
   fd_context_dirty(ctx, FD_DIRTY_QUERY);
}

int
pitot_freedreno_read_clock(void *screen,
                           struct pitot_clock_reading *reading_out)
{
   const int fd = fd_device_fd(((const struct fd_screen *)screen)->dev);
   uint64_t suspends = 0;

   /* The count first: a suspend in between shows in the next sample. */
   (void)pitot_msm_read_suspends(&pitot_drm_system, fd, &suspends);
   const int result =
      pitot_msm_read_clock(&pitot_drm_system, fd, reading_out);
   reading_out->suspend_count = suspends;
   return result;
}

static uint32_t
read_fault_count(const struct freedreno_pitot *pitot)
{
   uint64_t count = pitot->fault_count;

   (void)pitot_msm_read_resets(&pitot_drm_system,
                               fd_device_fd(pitot->ctx->dev), &count);
   return count;
}

static bool
freedreno_cs_take_reset(struct pitot_cs *cs)
{
   struct freedreno_pitot *pitot = pitot_of(cs);
   const uint32_t before = pitot->fault_count;
   uint64_t suspends;

   /* Read the clock after a suspend: its restart is reported now, once. */
   if (pitot_msm_read_suspends(&pitot_drm_system,
                               fd_device_fd(pitot->ctx->dev),
                               &suspends) == 0 &&
       pitot_clock_has_slept(cs->clock, suspends))
      (void)pitot_clock_now_ns(cs->clock);
   pitot->fault_count = read_fault_count(pitot);
   return pitot->fault_count != before;
}

static const struct pitot_cs_ops cs_ops = {
   .buffer_create = freedreno_cs_buffer_create,
   .buffer_destroy = freedreno_cs_buffer_destroy,
   .current_batch = freedreno_cs_current_batch,
   .require = NULL, /* a ring grows */
   .use_buffer = freedreno_cs_use_buffer,
   .emit = pitot_freedreno_emit,
   .store = pitot_freedreno_store,
   .set_counting = freedreno_cs_set_counting,
   .batch_state = freedreno_cs_batch_state,
   .flush = freedreno_cs_flush,
   .wait = freedreno_cs_wait,
   .take_reset = freedreno_cs_take_reset,
};

void
pitot_freedreno_cs_init(struct freedreno_pitot *pitot, struct fd_context *ctx)
{
   pitot->ctx = ctx;
   pitot->cs.ops = &cs_ops;
   pitot->cs.gpu = &pitot->gpu;
   pitot->cs.ring_count = 1;
   pitot->cs.begins_late = true;
   pitot->cs.has_tiles = true;
   pitot->fault_count = read_fault_count(pitot);
   util_dynarray_init(&pitot->once_modes, NULL);
   util_dynarray_init_from_stack(&pitot->fences, pitot->inline_fences,
                                 sizeof(pitot->inline_fences));
   simple_mtx_init(&pitot->lock, mtx_plain);
}

void
pitot_freedreno_cs_finish(struct freedreno_pitot *pitot)
{
   util_dynarray_foreach(&pitot->fences, struct pipe_fence_handle *, fence)
      fd_pipe_fence_ref(fence, NULL);
   util_dynarray_fini(&pitot->fences);
   fd_batch_reference(&pitot->batch, NULL);
   util_dynarray_fini(&pitot->once_modes);
   if (pitot->scratch)
      fd_bo_del(pitot->scratch);
   simple_mtx_destroy(&pitot->lock);
}
