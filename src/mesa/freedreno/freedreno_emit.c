/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Commands of Pitot's in freedreno's batches: before all passes, among the
 * draws, which are executed once for each tile, after each tile, or after all
 * of them.
 */

#include "freedreno_pitot_priv.h"

/* No command has more dwords. */
#define MAX_COMMAND_DW 32

#define TYPE_7_COUNT_MASK 0x7fff

/* Encodes a command in a ring, and returns its packets.  A ring grows by a
 * size of its own, so that no more than a command is written at a time.
 */
static uint32_t *
append(const struct freedreno_pitot *pitot, struct fd_ringbuffer *ring,
       const struct pitot_cs_command *command)
{
   const struct pitot_gpu *gpu = &pitot->gpu.base;

   BEGIN_RING(ring, MAX_COMMAND_DW);
   uint32_t *const room = ring->cur;
   struct pitot_hw_packets packets = { .gpu = gpu, .next = room };
   gpu->family->encode(&packets, command, 1);
   assert(packets.next - room <= MAX_COMMAND_DW);
   ring->cur = packets.next;
   return room;
}

static void
emit_command(struct freedreno_pitot *pitot, struct fd_batch *batch,
             const struct pitot_cs_command *command)
{
   switch (pitot_adreno_section(&pitot->gpu.base, command)) {
   case PITOT_ADRENO_DRAWS: {
      uint32_t *packets = append(pitot, batch->draw, command);

      if (command->kind == PITOT_COMMAND_COUNTER &&
          command->argument & PITOT_ADRENO_ONCE)
         util_dynarray_append(&pitot->once_passes, uint32_t *, packets + 1);
      break;
   }
   case PITOT_ADRENO_TILE_END:
      append(pitot, fd_batch_get_tile_epilogue(batch), command);
      break;
   case PITOT_ADRENO_BATCH_BEGIN:
      append(pitot, fd_batch_get_prologue(batch), command);
      break;
   case PITOT_ADRENO_BATCH_END:
      util_dynarray_append(&pitot->batch_end, struct pitot_cs_command,
                           *command);
      break;
   }
}

void
pitot_freedreno_emit(struct pitot_cs *cs, enum pitot_ring ring,
                     const struct pitot_cs_command *commands, unsigned count)
{
   struct freedreno_pitot *pitot = pitot_of(cs);
   struct fd_batch *batch = pitot_freedreno_enter(pitot, NULL);

   for (unsigned i = 0; i < count; i++)
      emit_command(pitot, batch, &commands[i]);
   fd_batch_needs_flush(batch);
}

/* Returns a mask of a batch and those that have to come after it. */
static uint32_t
find_later(const struct fd_batch *batch)
{
   struct fd_batch_cache *cache = &batch->ctx->screen->batch_cache;
   uint32_t mask = UINT32_C(1) << batch->idx, before;
   struct fd_batch *other;

   do {
      before = mask;
      foreach_batch(other, cache, cache->batch_mask & ~mask)
      {
         if (other->ctx == batch->ctx && other->dependents_mask & mask)
            mask |= UINT32_C(1) << other->idx;
      }
   } while (mask != before);
   return mask;
}

bool
pitot_freedreno_comes_first(const struct fd_batch *batch)
{
   struct fd_screen *screen = batch->ctx->screen;

   fd_screen_lock(screen);
   const uint32_t later = find_later(batch);
   fd_screen_unlock(screen);
   return later != UINT32_C(1) << batch->idx;
}

/* Flushes the other batches of a context, but for those that a batch has to
 * come before.
 */
static void
flush_others(struct fd_context *ctx, struct fd_batch *batch)
{
   struct fd_batch_cache *cache = &ctx->screen->batch_cache;
   struct fd_batch *others[ARRAY_SIZE(cache->batches)] = { NULL };
   struct fd_batch *other;
   unsigned count = 0;

   fd_screen_lock(ctx->screen);
   const uint32_t later = find_later(batch);
   foreach_batch(other, cache, cache->batch_mask & ~later)
   {
      if (other->ctx == ctx)
         fd_batch_reference_locked(&others[count++], other);
   }
   fd_screen_unlock(ctx->screen);
   for (unsigned i = 0; i < count; i++) {
      fd_batch_flush(others[i]);
      fd_batch_reference(&others[i], NULL);
   }
}

void
pitot_freedreno_barrier(struct pitot_cs *cs, enum pitot_ring ring,
                        unsigned barrier)
{
   struct freedreno_pitot *pitot = pitot_of(cs);
   struct fd_batch *batch = pitot_freedreno_enter(pitot, NULL);

   if (barrier == PITOT_ADRENO_BARRIER_BATCHES)
      flush_others(pitot->ctx, batch);
   else
      OUT_WFI5(batch->draw);
}

/* An event that stops counters has the number behind that of its start. */
void
pitot_freedreno_count(struct freedreno_pitot *pitot, unsigned before,
                      unsigned after)
{
   static const struct {
      unsigned counting;
      enum vgt_event_type start;
   } counters[] = {
      { PITOT_COUNTING_STATISTICS | PITOT_COUNTING_GENERATED,
        START_PRIMITIVE_CTRS },
      { PITOT_COUNTING_STATISTICS, START_FRAGMENT_CTRS },
      { PITOT_COUNTING_STATISTICS, START_COMPUTE_CTRS },
   };
   struct fd_ringbuffer *ring = pitot->batch->draw;

   for (unsigned i = 0; i < ARRAY_SIZE(counters); i++) {
      const bool was_counting = before & counters[i].counting;
      const bool is_counting = after & counters[i].counting;

      if (was_counting == is_counting)
         continue;
      OUT_PKT7(ring, CP_EVENT_WRITE, 1);
      OUT_RING(ring, counters[i].start + !is_counting);
   }
}

/* Copies packets of type 7, one at a time, as append() does. */
static void
append_packets(struct fd_ringbuffer *ring, const struct util_dynarray *packets)
{
   const uint32_t *dw = packets->data;
   const uint32_t *const end = dw + util_dynarray_num_elements(packets, uint32_t);

   while (dw < end) {
      const unsigned count_dw = 1 + (*dw & TYPE_7_COUNT_MASK);

      BEGIN_RING(ring, count_dw);
      memcpy(ring->cur, dw, count_dw * sizeof(*dw));
      ring->cur += count_dw;
      dw += count_dw;
   }
}

void
pitot_freedreno_end(struct freedreno_pitot *pitot, struct fd_batch *batch)
{
   if (batch != pitot->flushing)
      return;
   pitot->flushing = NULL;
   util_dynarray_foreach(&pitot->batch_end, struct pitot_cs_command, command)
      append(pitot, batch->gmem, command);
   append_packets(batch->gmem, &pitot->stores);
}

/* By a list of the draws that are visible in a tile, the driver lets the GPU
 * leave out the commands after the last one, and with them ends of samples.
 */
void
pitot_freedreno_skip_nothing(struct freedreno_pitot *pitot,
                             const struct fd_batch *batch)
{
   if (batch != pitot->flushing)
      return;
   OUT_PKT7(batch->gmem, CP_SKIP_IB2_ENABLE_LOCAL, 1);
   OUT_RING(batch->gmem, false);
}

void
pitot_freedreno_sample_always(struct freedreno_pitot *pitot,
                              const struct fd_batch *batch)
{
   if (batch != pitot->flushing)
      return;
   util_dynarray_foreach(&pitot->once_passes, uint32_t *, passes) **passes |=
      PITOT_ADRENO_ALWAYS;
}
