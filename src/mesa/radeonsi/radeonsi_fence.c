/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The fences of radeonsi's IBs.  The recording thread changes them, with
 * pitot->lock held; any thread polls them.
 */

#include "radeonsi_pitot_priv.h"
#include "util/os_time.h"

void
pitot_radeonsi_init_fences(struct radeonsi_pitot *pitot)
{
   simple_mtx_init(&pitot->lock, mtx_plain);
}

void
pitot_radeonsi_finish_fences(struct radeonsi_pitot *pitot)
{
   struct radeon_winsys *ws = pitot->sctx->ws;

   for (unsigned i = 0; i < FENCE_SLOTS; i++)
      ws->fence_reference(ws, &pitot->fences[i].handle, NULL);
   simple_mtx_destroy(&pitot->lock);
}

static struct radeonsi_pitot_fence *
slot_of(struct radeonsi_pitot *pitot, uint64_t number)
{
   return &pitot->fences[number % FENCE_SLOTS];
}

/* Drops the fences of IBs that are done, oldest first.  A wait with timeout 0
 * reads memory, without an ioctl.
 */
static void
drop_fences(struct radeonsi_pitot *pitot)
{
   struct radeon_winsys *ws = pitot->sctx->ws;

   for (; pitot->oldest < pitot->number; pitot->oldest++) {
      struct radeonsi_pitot_fence *slot = slot_of(pitot, pitot->oldest);
      struct pipe_fence_handle *done = slot->handle;

      if (slot->number != pitot->oldest || !done)
         continue;
      if (!ws->fence_wait(ws, done, 0))
         return;
      simple_mtx_lock(&pitot->lock);
      slot->handle = NULL;
      simple_mtx_unlock(&pitot->lock);
      ws->fence_reference(ws, &done, NULL);
   }
}

void
pitot_radeonsi_take_fence(struct radeonsi_pitot *pitot)
{
   struct radeon_winsys *ws = pitot->sctx->ws;
   struct radeonsi_pitot_fence *slot = slot_of(pitot, pitot->number);

   drop_fences(pitot);
   struct pipe_fence_handle *old = slot->handle;
   struct pipe_fence_handle *handle =
      ws->cs_get_next_fence(&pitot->sctx->gfx_cs);

   if (old)
      ws->fence_wait(ws, old, OS_TIMEOUT_INFINITE);
   simple_mtx_lock(&pitot->lock);
   *slot = (struct radeonsi_pitot_fence){ pitot->number, handle };
   simple_mtx_unlock(&pitot->lock);
   ws->fence_reference(ws, &old, NULL);
}

/* The IB would have written the records of the condition: do not wait for
 * them, but draw everything.
 */
void
pitot_radeonsi_drop_ib(struct radeonsi_pitot *pitot)
{
   struct radeonsi_pitot_fence *slot = slot_of(pitot, pitot->number);

   simple_mtx_lock(&pitot->lock);
   if (slot->number == pitot->number)
      pitot->sctx->ws->fence_reference(pitot->sctx->ws, &slot->handle, NULL);
   simple_mtx_unlock(&pitot->lock);
   pitot->cs.dropped_batch = pitot->number;
   if (pitot->condition.batch == pitot->number)
      pitot->condition.record_count = 0;
}

bool
pitot_radeonsi_wait(struct radeonsi_pitot *pitot, uint64_t number,
                    uint64_t timeout_ns)
{
   struct radeon_winsys *ws = pitot->sctx->ws;
   const struct radeonsi_pitot_fence *slot = slot_of(pitot, number);
   struct pipe_fence_handle *fence = NULL;

   simple_mtx_lock(&pitot->lock);
   if (slot->number == number)
      ws->fence_reference(ws, &fence, slot->handle);
   simple_mtx_unlock(&pitot->lock);

   const bool is_done = !fence || ws->fence_wait(ws, fence, timeout_ns);
   ws->fence_reference(ws, &fence, NULL);
   return is_done;
}
