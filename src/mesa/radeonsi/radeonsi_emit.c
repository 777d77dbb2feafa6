/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Emits Pitot's commands by radeonsi's own functions, which know the
 * workarounds of the GPU, and whether an IB is secure; and enables counters
 * by radeonsi's own state, which it also sets for queries of its own.
 */

#include "radeonsi_pitot_priv.h"
#include "si_build_pm4.h"
#include "sid.h"

/* An event that writes samples; radeonsi has no function for it. */
static void
emit_event(struct si_context *sctx, uint32_t event, uint64_t address)
{
   radeon_begin(&sctx->gfx_cs);
   radeon_emit(PKT3(PKT3_EVENT_WRITE, 2, 0));
   radeon_emit(event);
   radeon_emit(address);
   radeon_emit(address >> 32);
   radeon_end();
}

static void
emit_occlusion(struct si_context *sctx, uint64_t address)
{
   const bool is_gfx11 = sctx->gfx_level >= GFX11;

   if (!is_gfx11 ||
       sctx->screen->info.pfp_fw_version < EVENT_WRITE_ZPASS_PFP_VERSION) {
      emit_event(sctx,
                 EVENT_INDEX(1) |
                    EVENT_TYPE(is_gfx11 ? V_028A90_PIXEL_PIPE_STAT_DUMP
                                        : V_028A90_ZPASS_DONE),
                 address);
      return;
   }
   radeon_begin(&sctx->gfx_cs);
   radeon_emit(PKT3(PKT3_EVENT_WRITE_ZPASS, 1, 0));
   radeon_emit(address);
   radeon_emit(address >> 32);
   radeon_end();
}

/* An end-of-pipe write, which the CPU sees once it is confirmed.  GFX9 needs
 * an occlusion sample right before, which radeonsi emits unless the query
 * type is one of occlusion.
 */
static void
emit_end_of_pipe(struct si_context *sctx, unsigned data_sel, uint64_t address,
                 uint32_t value, bool follows_occlusion)
{
   si_cp_release_mem(sctx, &sctx->gfx_cs, V_028A90_BOTTOM_OF_PIPE_TS, 0,
                     EOP_DST_SEL_MEM, EOP_INT_SEL_SEND_DATA_AFTER_WR_CONFIRM,
                     data_sel, NULL, address, value,
                     follows_occlusion ? PIPE_QUERY_OCCLUSION_COUNTER
                                       : PIPE_QUERY_TIMESTAMP);
}

static void
emit_command(struct si_context *sctx, struct pitot_cs_place place,
             const struct pitot_cs_command *command, bool follows_occlusion)
{
   struct si_resource *res =
      ((struct radeonsi_pitot_buffer *)place.buffer)->res;
   const unsigned offset_B = place.offset_B + command->offset_B;
   const uint64_t address = res->gpu_address + offset_B;

   switch (command->kind) {
   case PITOT_COMMAND_OCCLUSION:
      emit_occlusion(sctx, address);
      break;
   case PITOT_COMMAND_COUNTER:
      emit_event(sctx, command->argument, address);
      break;
   case PITOT_COMMAND_TIMESTAMP:
      emit_end_of_pipe(sctx, EOP_DATA_SEL_TIMESTAMP, address, 0,
                       follows_occlusion);
      break;
   case PITOT_COMMAND_FENCE:
      emit_end_of_pipe(sctx, EOP_DATA_SEL_VALUE_32BIT, address,
                       command->value, follows_occlusion);
      break;
   case PITOT_COMMAND_VALUE:
      si_cp_write_data(sctx, res, offset_B, command->size_B, V_371_MEMORY,
                       V_371_MICRO_ENGINE, &command->value);
      break;
   default:
      UNREACHABLE("a command of another family's");
   }
}

void
pitot_radeonsi_emit(struct pitot_cs *cs, enum pitot_ring ring,
                    struct pitot_cs_place place,
                    const struct pitot_cs_command *commands, unsigned count)
{
   struct si_context *sctx = pitot_of(cs)->sctx;

   /* si_need_gfx_cs_space() always reserves space for barriers. */
   cs->ops->use_buffer(cs, ring, place.buffer);
   UNUSED const unsigned limit_dw =
      sctx->gfx_cs.current.cdw + count * PITOT_RADEONSI_COMMAND_DW;

   for (unsigned i = 0; i < count; i++)
      emit_command(sctx, place, &commands[i],
                   i && commands[i - 1].kind == PITOT_COMMAND_OCCLUSION);
   assert(sctx->gfx_cs.current.cdw <= limit_dw);
}

/*
 * Counters
 */

/* Only GFX10 to GFX10.3 count conservatively: on GFX11 that is slower. */
static enum si_occlusion_query_mode
occlusion_mode(const struct si_context *sctx, unsigned counting)
{
   const bool is_conservative =
      sctx->gfx_level >= GFX10 && sctx->gfx_level < GFX11;

   if (counting & PITOT_COUNTING_SAMPLES)
      return SI_OCCLUSION_QUERY_MODE_PRECISE_INTEGER;
   if (counting & PITOT_COUNTING_BOOLEAN)
      return SI_OCCLUSION_QUERY_MODE_PRECISE_BOOLEAN;
   if (counting & PITOT_COUNTING_CONSERVATIVE)
      return is_conservative ? SI_OCCLUSION_QUERY_MODE_CONSERVATIVE_BOOLEAN
                             : SI_OCCLUSION_QUERY_MODE_PRECISE_BOOLEAN;
   return SI_OCCLUSION_QUERY_MODE_DISABLE;
}

/* Does what the static si_update_occlusion_query_state() does. */
static void
set_occlusion_mode(struct si_context *sctx, unsigned counting)
{
   const enum si_occlusion_query_mode precise =
      SI_OCCLUSION_QUERY_MODE_PRECISE_INTEGER;
   const enum si_occlusion_query_mode before = sctx->occlusion_query_mode;
   const enum si_occlusion_query_mode mode = occlusion_mode(sctx, counting);

   if (mode == before)
      return;
   sctx->occlusion_query_mode = mode;
   si_mark_atom_dirty(sctx, &sctx->atoms.s.db_render_state);
   if (sctx->screen->info.has_out_of_order_rast &&
       (mode == precise) != (before == precise))
      si_mark_atom_dirty(sctx, &sctx->atoms.s.msaa_config);
}

/* Does what the static si_update_hw_pipeline_stats() does, with a count that
 * includes radeonsi's own queries.
 */
static void
count_pipeline_queries(struct si_context *sctx, int change)
{
   sctx->num_hw_pipestat_streamout_queries += change;
   sctx->barrier_flags &= ~(SI_BARRIER_EVENT_PIPELINESTAT_START |
                            SI_BARRIER_EVENT_PIPELINESTAT_STOP);
   sctx->barrier_flags |= sctx->num_hw_pipestat_streamout_queries
                             ? SI_BARRIER_EVENT_PIPELINESTAT_START
                             : SI_BARRIER_EVENT_PIPELINESTAT_STOP;
   si_mark_atom_dirty(sctx, &sctx->atoms.s.barrier);
}

/* Returns 1 if the bit becomes set, -1 if it becomes clear. */
static int
change_of(unsigned before, unsigned after, unsigned bit)
{
   return !!(after & bit) - !!(before & bit);
}

void
pitot_radeonsi_set_counting(struct pitot_cs *cs, unsigned mask)
{
   struct radeonsi_pitot *pitot = pitot_of(cs);
   struct si_context *sctx = pitot->sctx;
   const unsigned before = pitot->counting;
   const int statistics = change_of(before, mask, PITOT_COUNTING_STATISTICS);
   const int streamout = change_of(before, mask, PITOT_COUNTING_STREAMOUT);
   const int generated = change_of(before, mask, PITOT_COUNTING_GENERATED);

   pitot->counting = mask;
   set_occlusion_mode(sctx, mask);
   sctx->num_pipeline_stat_queries += statistics;
   if (statistics || streamout)
      count_pipeline_queries(sctx, statistics + streamout);
   if (generated)
      si_update_prims_generated_query_state(sctx,
                                            PIPE_QUERY_PRIMITIVES_GENERATED,
                                            generated);
}
