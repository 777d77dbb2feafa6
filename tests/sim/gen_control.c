/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* PIPE_CONTROL: flushes, stalls, invalidates caches, and writes. */

#include "gen.h"

#define DEPTH_FLUSH        (1u << 0)
#define SCOREBOARD         (1u << 1)
#define VERTEX_INVALIDATE  (1u << 4)
#define DC_FLUSH           (1u << 5)
#define FLUSH_ENABLE       (1u << 7)
#define TEXTURE_INVALIDATE (1u << 10)
#define RT_FLUSH           (1u << 12)
#define DEPTH_STALL        (1u << 13)
#define POST_SYNC_SHIFT    14
#define POST_SYNC_MASK     (3u << POST_SYNC_SHIFT)
#define CS_STALL           (1u << 20)
#define TILE_FLUSH         (1u << 28)

#define ADL_N_FIRST_ID 0x46d0
#define ADL_N_LAST_ID  0x46d4

/* A value this near to a sample is taken for its availability word. */
#define BESIDE_B 256

static void
forbid(struct gen_decoder *decoder, bool is_broken, const char *rule)
{
   if (is_broken)
      sim_violate(decoder->engine, "PIPE_CONTROL", rule);
}

static void
check_cs_stall(struct gen_decoder *decoder, uint32_t flags)
{
   const uint32_t companions = DEPTH_FLUSH | SCOREBOARD | DC_FLUSH |
                               RT_FLUSH | DEPTH_STALL | POST_SYNC_MASK;

   forbid(decoder,
          decoder->generation < GEN9 && (flags & CS_STALL) != 0 &&
             (flags & companions) == 0,
          "a CS stall by itself, before Gen9");
}

static uint64_t
buffer_end(const struct gen_decoder *decoder, uint64_t address)
{
   uint64_t size_B = 0;

   sim_space_find(&decoder->engine->submission->space, address, &size_B);
   return address + size_B;
}

/* An availability word must not be written before its sample. */
static bool
is_early(const struct gen_decoder *decoder, uint32_t flags, uint64_t address)
{
   const uint64_t sample = decoder->sample_address;
   const uint64_t distance =
      address > sample ? address - sample : sample - address;

   return decoder->engine->deferred_count != 0 && distance < BESIDE_B &&
          (flags & (FLUSH_ENABLE | CS_STALL)) == 0 &&
          buffer_end(decoder, address) == buffer_end(decoder, sample);
}

/* Gen9, and Alder Lake-N by Wa_14014966230: "any PIPE_CONTROL command with
 * POST_SYNC operation enabled must be preceded by a PIPE_CONTROL with
 * CS_STALL bit set (with no POST_SYNC enabled)".
 */
static bool
needs_stall_before(const struct gen_decoder *decoder)
{
   const unsigned id = decoder->engine->sim->gpu.device_id;

   return decoder->generation == GEN9 ||
          (id >= ADL_N_FIRST_ID && id <= ADL_N_LAST_ID);
}

static void
check_post_sync(struct gen_decoder *decoder, uint32_t flags,
                enum gen_post_sync sync, uint64_t address)
{
   const struct sim_engine *engine = decoder->engine;
   const unsigned generation = decoder->generation;
   const uint32_t last_flags = decoder->last_flags;
   const bool is_sample = sync >= GEN_POST_SYNC_DEPTH_COUNT;
   const bool is_depth = sync == GEN_POST_SYNC_DEPTH_COUNT;
   const bool is_gpgpu = engine->registers->is_gpgpu;
   const bool has_stall = (flags & CS_STALL) != 0;

   forbid(decoder, is_sample && (flags & (RT_FLUSH | SCOREBOARD)) != 0,
          "a sample with flush or scoreboard");
   forbid(decoder, is_sample && engine->sim->gpu.intel.is_gt4 && !has_stall,
          "a sample without CS stall, on GT4");
   forbid(decoder, is_gpgpu && generation < GEN9 && !has_stall,
          "a write without CS stall, in GPGPU");
   forbid(decoder,
          is_gpgpu && needs_stall_before(decoder) &&
             (last_flags & (CS_STALL | POST_SYNC_MASK)) != CS_STALL,
          "a write without a CS stall before, in GPGPU");
   forbid(decoder, is_depth && (flags & DEPTH_STALL) == 0,
          "a depth count without depth stall");
   forbid(decoder,
          is_depth && generation >= GEN10 && last_flags != DEPTH_STALL,
          "a depth count without a depth stall before, on Gen10");
   forbid(decoder,
          sync == GEN_POST_SYNC_IMMEDIATE &&
             is_early(decoder, flags, address),
          "an immediate that may come before earlier writes");
   if (is_sample)
      decoder->sample_address = address;
}

static void
write_post_sync(struct gen_decoder *decoder, const uint32_t *dw,
                enum gen_post_sync sync)
{
   static const char *const names[] = {
      [GEN_POST_SYNC_IMMEDIATE] = "write immediate",
      [GEN_POST_SYNC_DEPTH_COUNT] = "write depth count",
      [GEN_POST_SYNC_TIMESTAMP] = "write timestamp",
   };
   struct sim_engine *engine = decoder->engine;
   const uint32_t flags = dw[1];
   const uint64_t address = sim_address(&dw[2]);
   uint64_t value = sim_pair(&dw[4]);

   check_post_sync(decoder, flags, sync, address);
   sim_note(engine, address, "%s%s%s%s", names[sync],
            (flags & DEPTH_STALL) != 0 ? ", depth stall" : "",
            (flags & FLUSH_ENABLE) != 0 ? ", flush enable" : "",
            (flags & CS_STALL) != 0 ? ", CS stall" : "");
   if (sync == GEN_POST_SYNC_TIMESTAMP)
      value = sim_tick(engine->sim, 0);
   else if (sync == GEN_POST_SYNC_DEPTH_COUNT)
      value = sim_counted(engine).samples[0];
   sim_write_later(engine, SIM_IN_ANY_ORDER, address, value,
                   sizeof(uint64_t));
}

static void
note_wait(struct gen_decoder *decoder, uint32_t flags)
{
   sim_note(decoder->engine, 0, "%s%s%s",
            (flags & CS_STALL) != 0 ? "CS stall" : "flush",
            (flags & SCOREBOARD) != 0 ? ", scoreboard" : "",
            (flags & DEPTH_STALL) != 0 ? ", depth stall" : "");
}

/* A flush completes when the command streamer waits for it; caches are
 * invalidated when the packet is read.  From Gen20 on there is no tile flush:
 * a color flush reaches memory.
 */
static void
control_caches(struct gen_decoder *decoder, uint32_t flags)
{
   struct sim_caches *caches = &decoder->engine->sim->kernel->caches;
   uint32_t actions = 0;

   if ((flags & VERTEX_INVALIDATE) != 0)
      actions |= SIM_INVALIDATE_VERTICES;
   if ((flags & TEXTURE_INVALIDATE) != 0)
      actions |= SIM_INVALIDATE_TEXTURES;
   if ((flags & RT_FLUSH) != 0)
      decoder->flushes |= SIM_FLUSH_COLORS;
   if ((flags & (decoder->generation < GEN20 ? TILE_FLUSH : RT_FLUSH)) != 0 &&
       decoder->generation >= GEN12)
      decoder->flushes |= SIM_FLUSH_TILES;

   sim_caches_act(caches, actions);
   if ((flags & CS_STALL) == 0)
      return;
   sim_retire(decoder->engine);
   sim_caches_act(caches, decoder->flushes);
   decoder->flushes = 0;
}

void
gen_control(struct gen_decoder *decoder, const uint32_t *dw)
{
   const uint32_t flags = dw[1];
   const enum gen_post_sync sync =
      (flags & POST_SYNC_MASK) >> POST_SYNC_SHIFT;

   check_cs_stall(decoder, flags);
   control_caches(decoder, flags);
   if ((flags & FLUSH_ENABLE) != 0)
      sim_drain(decoder->engine);
   if (sync != GEN_POST_SYNC_NONE)
      write_post_sync(decoder, dw, sync);
   else if (flags != 0)
      note_wait(decoder, flags);
   if ((flags & CS_STALL) != 0) {
      sim_finish(decoder->engine);
      decoder->is_stalled = true;
   }
   decoder->last_flags = flags;
}

/* A stall ends when all earlier writes have arrived; with FLUSH_ENABLE, a
 * PIPE_CONTROL waits for them before its own write.
 */
bool
gen_has_to_wait(const struct gen_decoder *decoder, const uint32_t *dw)
{
   const bool waits_for_writes =
      dw[0] >> 16 == GEN_PIPE_CONTROL && (dw[1] & FLUSH_ENABLE) != 0;

   return (decoder->is_stalled || waits_for_writes) &&
          sim_has_writes(decoder->engine) &&
          !decoder->engine->sim->faults.reorders_fences;
}
