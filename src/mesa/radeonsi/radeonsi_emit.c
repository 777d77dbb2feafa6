/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Commands of Pitot's by radeonsi's own functions, which know what the GPU
 * needs, and of its state what Pitot does not: whether an IB is secure.
 */

#include "radeonsi_pitot_priv.h"
#include "si_build_pm4.h"
#include "sid.h"

/* An event that writes what it samples, for which the driver has no function.
 */
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

/* A write at the end of the pipe, which the CPU may see as soon as it is
 * confirmed.  GFX9 wants a sample of occlusion right before it: the driver
 * emits one unless the type of the query is one of occlusion.
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
emit_command(struct si_context *sctx, const struct pitot_cs_command *command,
             bool follows_occlusion)
{
   struct si_resource *res =
      ((struct radeonsi_pitot_buffer *)command->buffer)->res;
   const uint64_t address = res->gpu_address + command->offset_B;

   switch (command->kind) {
   case PITOT_COMMAND_OCCLUSION:
      emit_occlusion(sctx, address);
      break;
   case PITOT_COMMAND_EVENT:
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
      si_cp_write_data(sctx, res, command->offset_B, command->size_B,
                       V_370_MEM, V_370_ME, &command->value);
      break;
   case PITOT_COMMAND_WAIT:
      si_cp_wait_mem(sctx, &sctx->gfx_cs, address, 0, command->argument,
                     WAIT_REG_MEM_NOT_EQUAL);
      break;
   default:
      unreachable("a command of another family's");
   }
}

/* Returns how many dwords the driver's functions take: of GFX9's, 4 are the
 * sample of occlusion.
 */
unsigned
pitot_radeonsi_size_dw(struct pitot_cs *cs, enum pitot_ring ring,
                       const struct pitot_cs_command *commands,
                       unsigned count)
{
   static const uint8_t end_of_pipe_dw[] = {
      [GFX6] = 6,  [GFX7] = 12,   [GFX8] = 12, [GFX9] = 12,
      [GFX10] = 8, [GFX10_3] = 8, [GFX11] = 8, [GFX11_5] = 8,
   };
   static const uint8_t others_dw[] = {
      [PITOT_COMMAND_OCCLUSION] = 4,
      [PITOT_COMMAND_EVENT] = 4,
      [PITOT_COMMAND_VALUE] = 6,
      [PITOT_COMMAND_WAIT] = 7,
   };
   const enum amd_gfx_level level = pitot_of(cs)->sctx->gfx_level;
   unsigned size_dw = 0;

   for (unsigned i = 0; i < count; i++) {
      const enum pitot_command_kind kind = commands[i].kind;

      size_dw +=
         kind == PITOT_COMMAND_TIMESTAMP || kind == PITOT_COMMAND_FENCE
            ? end_of_pipe_dw[level]
            : others_dw[kind];
   }
   return size_dw;
}

void
pitot_radeonsi_emit(struct pitot_cs *cs, enum pitot_ring ring,
                    const struct pitot_cs_command *commands, unsigned count)
{
   struct si_context *sctx = pitot_of(cs)->sctx;
   UNUSED const unsigned limit_dw =
      sctx->gfx_cs.current.cdw +
      pitot_radeonsi_size_dw(cs, ring, commands, count);

   for (unsigned i = 0; i < count; i++)
      emit_command(sctx, &commands[i],
                   i && commands[i - 1].kind == PITOT_COMMAND_OCCLUSION);
   assert(sctx->gfx_cs.current.cdw <= limit_dw);
}
