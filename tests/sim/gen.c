/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Executes Intel batches, and checks the rules of Gen8 to Gen12.5. */

#include <string.h>

#include "gen.h"

#define TYPE_MI 0

#define VF_STATISTICS   0x680b
#define FENCE_ADDRESS   0x6109 /* Gen20 */
#define PIPELINE_SELECT 0x6904
#define GPGPU_WALKER    0x7105
#define COMPUTE_WALKER  0x7208
#define PIPE_CONTROL    0x7a00
#define PRIMITIVE       0x7b00

/* Gen20. */
#define INDIRECT_DRAW     0x7c00
#define INDIRECT_DISPATCH 0x7c01

#define SELECT_MASK   3
#define SELECT_GPGPU  2
#define IS_PREDICATED (1u << 8)

/* PIPE_CONTROL. */
#define DEPTH_FLUSH     (1u << 0)
#define SCOREBOARD      (1u << 1)
#define DC_FLUSH        (1u << 5)
#define FLUSH_ENABLE    (1u << 7)
#define RT_FLUSH        (1u << 12)
#define DEPTH_STALL     (1u << 13)
#define POST_SYNC_SHIFT 14
#define POST_SYNC_MASK  (3u << POST_SYNC_SHIFT)
#define CS_STALL        (1u << 20)

#define ADL_N_FIRST_ID 0x46d0
#define ADL_N_LAST_ID  0x46d4

/* A value this near to a sample is taken for its availability word. */
#define BESIDE_B 256

#define STATISTIC(NAME) (1u << SIM_##NAME)

/* The bit of a stage's state that enables its counters. */
static const struct stage {
   uint32_t packet;
   unsigned dword;
   uint32_t bit;
   uint32_t counts;
} stages[] = {
   { VF_STATISTICS, 0, 1u << 0,
     STATISTIC(IA_VERTICES) | STATISTIC(IA_PRIMITIVES) },
   { 0x7810, 7, 1u << 10, STATISTIC(VS_INVOCATIONS) },
   { 0x7811, 7, 1u << 10,
     STATISTIC(GS_INVOCATIONS) | STATISTIC(GS_PRIMITIVES) },
   { 0x781b, 2, 1u << 29, STATISTIC(HS_INVOCATIONS) },
   { 0x781d, 7, 1u << 10, STATISTIC(DS_INVOCATIONS) },
   { 0x7812, 1, 1u << 10,
     STATISTIC(C_INVOCATIONS) | STATISTIC(C_PRIMITIVES) },
   { 0x7814, 1, 1u << 31, STATISTIC(PS_INVOCATIONS) | SIM_OFF_SAMPLES },
   { 0x781e, 1, 1u << 25, SIM_OFF_STREAMOUT },
};

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
   sim_write_later(engine, address, value, sizeof(uint64_t));
}

static void
note_wait(struct gen_decoder *decoder, uint32_t flags)
{
   sim_note(decoder->engine, 0, "%s%s%s",
            (flags & CS_STALL) != 0 ? "CS stall" : "flush",
            (flags & SCOREBOARD) != 0 ? ", scoreboard" : "",
            (flags & DEPTH_STALL) != 0 ? ", depth stall" : "");
}

static void
pipe_control(struct gen_decoder *decoder, const uint32_t *dw)
{
   const uint32_t flags = dw[1];
   const enum gen_post_sync sync =
      (flags & POST_SYNC_MASK) >> POST_SYNC_SHIFT;

   check_cs_stall(decoder, flags);
   gen_control_caches(decoder, flags);
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
static bool
has_to_wait(const struct gen_decoder *decoder, const uint32_t *dw)
{
   const bool waits_for_writes =
      dw[0] >> 16 == PIPE_CONTROL && (dw[1] & FLUSH_ENABLE) != 0;

   return (decoder->is_stalled || waits_for_writes) &&
          sim_has_writes(decoder->engine) &&
          !decoder->engine->sim->faults.reorders_fences;
}

static bool
is_skipped(struct gen_decoder *decoder, const uint32_t *dw)
{
   struct sim_engine *engine = decoder->engine;

   if ((dw[0] & IS_PREDICATED) == 0 || engine->registers->predicate ||
       engine->sim->faults.ignores_predicate)
      return false;
   sim_note(engine, 0, "work skipped");
   return true;
}

static void
set_stage(struct gen_decoder *decoder, const uint32_t *dw, unsigned count_dw)
{
   struct sim_registers *registers = decoder->engine->registers;

   for (unsigned i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
      const struct stage *stage = &stages[i];

      if (stage->packet != dw[0] >> 16 || stage->dword >= count_dw)
         continue;
      if ((dw[stage->dword] & stage->bit) != 0)
         registers->off &= ~stage->counts;
      else
         registers->off |= stage->counts;
   }
}

static void
execute_3d(struct gen_decoder *decoder, const uint32_t *dw, unsigned count_dw)
{
   switch (dw[0] >> 16) {
   case PIPELINE_SELECT:
      decoder->engine->registers->is_gpgpu =
         (dw[0] & SELECT_MASK) == SELECT_GPGPU;
      break;
   case FENCE_ADDRESS:
      gen_set_fence_page(decoder, dw);
      break;
   case PIPE_CONTROL:
      pipe_control(decoder, dw);
      return;
   case PRIMITIVE:
      if (!is_skipped(decoder, dw)) {
         gen_draw(decoder, dw);
         gen_copy(decoder);
      }
      break;
   case INDIRECT_DRAW:
      if (!is_skipped(decoder, dw))
         gen_draw_indirect(decoder, dw);
      break;
   case INDIRECT_DISPATCH:
      if (!is_skipped(decoder, dw))
         gen_dispatch_indirect(decoder, dw, count_dw);
      break;
   case GPGPU_WALKER:
   case COMPUTE_WALKER:
      if (!is_skipped(decoder, dw))
         gen_dispatch(decoder, dw, dw[0] >> 16 == COMPUTE_WALKER);
      break;
   default:
      set_stage(decoder, dw, count_dw);
      gen_set_pipeline(decoder, dw, count_dw);
      gen_set_copy_state(decoder, dw, count_dw);
   }
   decoder->last_flags = 0;
}

static enum sim_progress
next(struct sim_engine *engine, bool is_forced)
{
   struct gen_decoder *decoder = engine->decoder;

   if (!sim_has_commands(engine, true))
      return SIM_ENDED;
   const uint32_t *dw = sim_peek(engine);
   if (dw == NULL)
      return SIM_DONE;
   if (has_to_wait(decoder, dw) && !is_forced)
      return SIM_WAITS;
   decoder->is_stalled = false;
   sim_take(engine);
   sim_show(engine->sim, dw, gen_length(*dw));
   if (*dw >> 29 == TYPE_MI)
      gen_execute_mi(decoder, dw, gen_length(*dw));
   else
      execute_3d(decoder, dw, gen_length(*dw));
   return SIM_DONE;
}

static void
begin(struct sim_engine *engine)
{
   *(struct gen_decoder *)engine->decoder = (struct gen_decoder){
      .engine = engine,
      .generation = engine->sim->gpu.facts.generation,
   };
}

const struct sim_decoder_ops sim_gen_ops = {
   .state_B = sizeof(struct gen_decoder),
   .begin = begin,
   .next = next,
   .length = gen_length,
   .least_length = gen_least_length,
   .max_calls = 3,
   .max_jumps = 32 * 1024,
};
