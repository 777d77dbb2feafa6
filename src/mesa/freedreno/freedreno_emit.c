/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Emits Pitot's commands into freedreno's batches.
 *
 * A sample is among the draws, which are executed in a binning pass and then
 * once for each tile.  What has to be executed once is in the prologue,
 * before all passes, or in the epilogue, after all tiles.
 */

#include "freedreno_pitot_priv.h"
#include "freedreno_screen.h"

#if __has_include("fd6_hw.h") /* Mesa 26.2 */
#include "fd6_hw.h"
#else
#include "a6xx.xml.h" /* needs the types above */
#endif

/* Written to a sample count before the GPU writes the count. */
#define NOT_WRITTEN 0xffffffff

/* Offsets from the begin, in the record of an accumulated sample. */
#define SUM_B 8
#define END_B 16

static struct freedreno_pitot_place
place_behind(struct freedreno_pitot_place place, unsigned distance_B)
{
   place.offset_B += distance_B;
   return place;
}

static bool
is_a7xx(const struct fd_batch *batch)
{
   return batch->ctx->screen->gen >= 7;
}

static void
emit_event(struct fd_batch *batch, enum vgt_event_type event)
{
   OUT_PKT7(batch->draw, CP_EVENT_WRITE, 1);
   OUT_RING(batch->draw, event);
}

/*
 * Samples
 */

/* A740 and later: the event itself writes the count, or the end of a record
 * together with the new sum.
 */
static bool
adds_sample_counts(const struct fd_batch *batch)
{
   return FREEDRENO_A7XX(batch->ctx->screen->info).has_event_write_sample_count;
}

static void
write_count(struct fd_batch *batch, struct freedreno_pitot_place place,
            uint32_t flags)
{
   OUT_PKT7(batch->draw, CP_EVENT_WRITE7, 3);
   OUT_RING(batch->draw, CP_EVENT_WRITE7_0_EVENT(ZPASS_DONE) |
                            CP_EVENT_WRITE7_0_WRITE_SAMPLE_COUNT | flags);
   pitot_freedreno_out(batch->draw, place);
}

static void
add_count(struct fd_batch *batch, struct freedreno_pitot_place place)
{
   write_count(batch, place,
               CP_EVENT_WRITE7_0_SAMPLE_COUNT_END_OFFSET |
                  CP_EVENT_WRITE7_0_WRITE_ACCUM_SAMPLE_COUNT_DIFF);
}

/* The render backends write the count when they reach the event, however long
 * the command processor waits for idle, and perhaps an end before its begin.
 * NOT_WRITTEN marks a count that has not landed.
 */
static void
emit_occlusion(struct fd_batch *batch, struct freedreno_pitot_place place,
               bool is_end)
{
   const bool is_event = adds_sample_counts(batch);
   struct fd_ringbuffer *ring = batch->draw;

   if (!is_event) {
      OUT_PKT7(ring, CP_MEM_WRITE, 4);
      pitot_freedreno_out(ring, place);
      OUT_RING(ring, NOT_WRITTEN);
      OUT_RING(ring, NOT_WRITTEN);
      OUT_PKT7(ring, CP_WAIT_MEM_WRITES, 0);
   }
   OUT_PKT4(ring, REG_A6XX_RB_SAMPLE_COUNTER_CNTL, 1);
   OUT_RING(ring, A6XX_RB_SAMPLE_COUNTER_CNTL_COPY);
   if (is_event) {
      write_count(batch, place, 0);
      if (!is_end) /* as freedreno does: counts come in pairs */
         add_count(batch, place);
      return;
   }
   OUT_PKT4(ring, REG_A6XX_RB_SAMPLE_COUNTER_BASE, 2);
   pitot_freedreno_out(ring, place);
   emit_event(batch, ZPASS_DONE);
   if (is_a7xx(batch))
      emit_event(batch, CCU_CLEAN_DEPTH); /* as freedreno does */
}

static void
copy_register(struct fd_batch *batch, uint32_t reg,
              struct freedreno_pitot_place place)
{
   OUT_PKT7(batch->draw, CP_REG_TO_MEM, 3);
   OUT_RING(batch->draw, CP_REG_TO_MEM_0_64B | CP_REG_TO_MEM_0_CNT(2) |
                            CP_REG_TO_MEM_0_REG(reg));
   pitot_freedreno_out(batch->draw, place);
}

/* On A6xx, events write timestamps of 32 bits, according to turnip
 * (tu_query_pool.cc): the command processor reads the counter, after a wait.
 */
static void
emit_timestamp(struct fd_batch *batch, struct freedreno_pitot_place place)
{
   if (!is_a7xx(batch)) {
      copy_register(batch, REG_A6XX_CP_ALWAYS_ON_COUNTER, place);
      return;
   }
   OUT_PKT7(batch->draw, CP_EVENT_WRITE7, 3);
   OUT_RING(batch->draw, CP_EVENT_WRITE7_0_EVENT(RB_DONE_TS) |
                            CP_EVENT_WRITE7_0_WRITE_SRC(EV_WRITE_ALWAYSON) |
                            CP_EVENT_WRITE7_0_WRITE_ENABLED);
   pitot_freedreno_out(batch->draw, place);
}

/* PITOT_ADRENO_ONCE: only in the binning pass, or without tiles, unless
 * pitot_freedreno_sample_always() adds the tiles.
 */
static void
emit_counter(struct freedreno_pitot *pitot, struct fd_batch *batch,
             struct freedreno_pitot_place place, uint32_t argument)
{
   const uint32_t reg = argument & ~PITOT_ADRENO_ONCE;
   const unsigned count_dw = reg == PITOT_ADRENO_STREAMOUT ? 5 : 4;
   struct fd_ringbuffer *ring = batch->draw;

   if (argument & PITOT_ADRENO_ONCE) {
      BEGIN_RING(ring, 3 + count_dw); /* what may be skipped is contiguous */
      OUT_PKT7(ring, CP_COND_REG_EXEC, 2);
      util_dynarray_append_typed(&pitot->once_modes, uint32_t *, ring->cur);
      OUT_RING(ring, CP_COND_REG_EXEC_0_MODE(RENDER_MODE) |
                        CP_COND_REG_EXEC_0_BINNING |
                        CP_COND_REG_EXEC_0_SYSMEM);
      OUT_RING(ring, RENDER_MODE_CP_COND_REG_EXEC_1_DWORDS(count_dw));
   }
   if (reg == PITOT_ADRENO_STREAMOUT) {
      OUT_PKT4(ring, REG_A6XX_VPC_SO_QUERY_BASE, 2);
      pitot_freedreno_out(ring, place);
      emit_event(batch, WRITE_PRIMITIVE_COUNTS);
   } else {
      copy_register(batch, reg, place);
   }
}

/*
 * Sums and values
 */

void
pitot_freedreno_wait_other(struct fd_ringbuffer *ring,
                           struct freedreno_pitot_place place, uint32_t value)
{
   OUT_PKT7(ring, CP_WAIT_REG_MEM, 6);
   OUT_RING(ring, CP_WAIT_REG_MEM_0_FUNCTION(WRITE_NE) |
                     CP_WAIT_REG_MEM_0_POLL(POLL_MEMORY));
   pitot_freedreno_out(ring, place);
   OUT_RING(ring, CP_WAIT_REG_MEM_3_REF(value));
   OUT_RING(ring, CP_WAIT_REG_MEM_4_MASK(~0));
   OUT_RING(ring, CP_WAIT_REG_MEM_5_DELAY_LOOP_CYCLES(16));
}

void
pitot_freedreno_add(struct fd_ringbuffer *ring,
                    struct freedreno_pitot_place sum,
                    struct freedreno_pitot_place plus,
                    const struct freedreno_pitot_place *minus)
{
   OUT_PKT7(ring, CP_MEM_TO_MEM, minus ? 9 : 7);
   OUT_RING(ring, CP_MEM_TO_MEM_0_DOUBLE |
                     CP_MEM_TO_MEM_0_WAIT_FOR_MEM_WRITES |
                     (minus ? CP_MEM_TO_MEM_0_NEG_C : 0));
   pitot_freedreno_out(ring, sum);
   pitot_freedreno_out(ring, sum);
   pitot_freedreno_out(ring, plus);
   if (minus)
      pitot_freedreno_out(ring, *minus);
}

/* Adds a sample to its sum once the end has landed.  An occlusion count is
 * added after the tile, so that draws do not wait for it.
 */
static void
emit_accumulate(struct fd_batch *batch, struct freedreno_pitot_place begin,
                enum pitot_command_kind sample)
{
   const struct freedreno_pitot_place end = place_behind(begin, END_B);
   struct fd_ringbuffer *ring = batch->draw;

   if (sample != PITOT_COMMAND_OCCLUSION) {
      OUT_WFI5(ring);
   } else if (adds_sample_counts(batch)) {
      add_count(batch, begin);
      return;
   } else {
      ring = fd_batch_get_tile_epilogue(batch);
      pitot_freedreno_wait_other(ring, begin, NOT_WRITTEN);
      pitot_freedreno_wait_other(ring, end, NOT_WRITTEN);
   }
   pitot_freedreno_add(ring, place_behind(begin, SUM_B), end, &begin);
}

/* The event comes after the writes of all earlier events; the writes of the
 * command processor itself are waited for.
 */
void
pitot_freedreno_fence(struct fd_batch *batch,
                      struct freedreno_pitot_place place, uint32_t value)
{
   struct fd_ringbuffer *ring = fd_batch_get_epilogue(batch);

   OUT_PKT7(ring, CP_WAIT_MEM_WRITES, 0);
   OUT_PKT7(ring, CP_EVENT_WRITE, 4);
   OUT_RING(ring, is_a7xx(batch) ? CP_EVENT_WRITE7_0_EVENT(CACHE_CLEAN) |
                                      CP_EVENT_WRITE7_0_WRITE_ENABLED
                                 : CP_EVENT_WRITE_0_EVENT(CACHE_FLUSH_TS));
   pitot_freedreno_out(ring, place);
   OUT_RING(ring, value);
}

/* Before the tiles: the value may be a sum to which the tiles add. */
static void
emit_value(struct fd_batch *batch, struct freedreno_pitot_place place,
           uint64_t value)
{
   struct fd_ringbuffer *ring = fd_batch_get_prologue(batch);

   OUT_PKT7(ring, CP_MEM_WRITE, 4);
   pitot_freedreno_out(ring, place);
   OUT_RING(ring, value);
   OUT_RING(ring, value >> 32);
   OUT_PKT7(ring, CP_WAIT_MEM_WRITES, 0);
}

/* Returns a mask of a batch and those that have to follow it. */
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

/* Flushes a context's other batches, except those that have to follow. */
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

static void
emit_command(struct freedreno_pitot *pitot, struct fd_batch *batch,
             struct freedreno_pitot_place place,
             const struct pitot_cs_command *command)
{
   switch (command->kind) {
   case PITOT_COMMAND_OCCLUSION:
      emit_occlusion(batch, place, command->is_end);
      break;
   case PITOT_COMMAND_TIMESTAMP:
      emit_timestamp(batch, place);
      break;
   case PITOT_COMMAND_COUNTER:
      emit_counter(pitot, batch, place, command->argument);
      break;
   case PITOT_COMMAND_ACCUMULATE:
      emit_accumulate(batch, place, command->argument);
      break;
   case PITOT_COMMAND_FENCE:
      pitot_freedreno_fence(batch, place, command->value);
      break;
   case PITOT_COMMAND_VALUE:
      emit_value(batch, place, command->value);
      break;
   }
}

/* Only what the command processor reads itself needs a wait for idle. */
static bool
is_pipelined(const struct fd_batch *batch,
             const struct pitot_cs_command *command)
{
   switch (command->kind) {
   case PITOT_COMMAND_COUNTER:
      return false;
   case PITOT_COMMAND_TIMESTAMP:
      return is_a7xx(batch);
   default:
      return true;
   }
}

void
pitot_freedreno_emit(struct pitot_cs *cs, enum pitot_ring ring,
                     struct pitot_cs_place place,
                     const struct pitot_cs_command *commands, unsigned count)
{
   struct freedreno_pitot *pitot = pitot_of(cs);
   bool is_idle = false;

   cs->ops->use_buffer(cs, ring, place.buffer);
   struct fd_batch *batch = pitot_freedreno_enter(pitot, NULL);
   for (unsigned i = 0; i < count; i++) {
      if (commands[i].kind == PITOT_COMMAND_TIMESTAMP &&
          commands[i].argument == PITOT_ADRENO_LAST)
         flush_others(pitot->ctx, batch);
      if (!is_idle && !is_pipelined(batch, &commands[i])) {
         OUT_WFI5(batch->draw);
         is_idle = true;
      }
      emit_command(pitot, batch,
                   pitot_freedreno_place(place.buffer,
                                         place.offset_B +
                                            commands[i].offset_B),
                   &commands[i]);
   }
   fd_batch_needs_flush(batch);
}

/* The event that stops counters is the one after their start event. */
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
   for (unsigned i = 0; i < ARRAY_SIZE(counters); i++) {
      const bool was_counting = before & counters[i].counting;
      const bool is_counting = after & counters[i].counting;

      if (was_counting != is_counting)
         emit_event(pitot->batch, counters[i].start + !is_counting);
   }
}

/* By the list of the draws that are visible in a tile, freedreno lets the GPU
 * skip all commands after the last one, and with them ends of samples.
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
   util_dynarray_foreach(&pitot->once_modes, uint32_t *, modes) **modes |=
      CP_COND_REG_EXEC_0_GMEM;
}
