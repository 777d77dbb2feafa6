/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Pitot's queries in radeonsi, on GFX6 to GFX12: results that stay on the
 * GPU, and contexts.  radeonsi's own query hooks still serve the counts of
 * its shaders, and the sets of counters.  If si_context::render_cond is
 * &pitot->ibs, the condition is Pitot's.
 */

#include "pitot_screen_clock.h"
#include "radeonsi_pitot.h"
#include "radeonsi_pitot_priv.h"
#include "si_build_pm4.h"
#include "sid.h"

static struct radeonsi_pitot *
pitot_of_context(struct pipe_context *pipe)
{
   return container_of(pipe->pitot, struct radeonsi_pitot, driver);
}

/*
 * Results that stay on the GPU
 */

/* Leaves the caches to the writer: use_buffer() flushes for the command
 * processor, launch_grid() for the shader.
 */
static struct pitot_cs_buffer *
radeonsi_resource_buffer(struct pipe_context *pipe,
                         struct pipe_resource *resource, unsigned offset_B,
                         unsigned size_B)
{
   struct radeonsi_pitot *pitot = pitot_of_context(pipe);
   struct si_resource *res = si_resource(resource);

   util_range_add(resource, &res->valid_buffer_range, offset_B,
                  offset_B + size_B);
   pitot->target.res = res;
   pitot->target.base.size_B = resource->width0;
   return &pitot->target.base;
}

static uint32_t
predicate_op(const struct pitot_hw_condition *condition)
{
   static const uint32_t ops[] = {
      [PITOT_PREDICATE_BOOLEAN] = PREDICATION_OP_BOOL64,
      [PITOT_AMD_PREDICATE_SAMPLES] = PREDICATION_OP_ZPASS,
      [PITOT_AMD_PREDICATE_STREAMOUT] = PREDICATION_OP_PRIMCOUNT,
   };
   /* Only the samples predicate has the hint not to wait. */
   const bool waits =
      condition->wait || condition->predicate != PITOT_AMD_PREDICATE_SAMPLES;

   /* A stream without an overflow is "visible". */
   const bool is_inverted =
      condition->is_inverted !=
      (condition->predicate == PITOT_AMD_PREDICATE_STREAMOUT);

   return S_201_PRED_OP(ops[condition->predicate]) |
          (is_inverted ? PREDICATION_DRAW_NOT_VISIBLE
                       : PREDICATION_DRAW_VISIBLE) |
          (waits ? PREDICATION_HINT_WAIT : PREDICATION_HINT_NOWAIT_DRAW);
}

static void
emit_predicate(struct si_context *sctx, uint64_t address, uint32_t op)
{
   radeon_begin(&sctx->gfx_cs);
   if (sctx->gfx_level >= GFX9) {
      radeon_emit(PKT3(PKT3_SET_PREDICATION, 2, 0));
      radeon_emit(op);
      radeon_emit(address);
      radeon_emit(address >> 32);
   } else {
      radeon_emit(PKT3(PKT3_SET_PREDICATION, 1, 0));
      radeon_emit(address);
      radeon_emit(op | ((address >> 32) & 0xff));
   }
   radeon_end();
}

static uint64_t
address_of(const struct pitot_hw_record *record)
{
   return record->buffer->address + record->offset_B;
}

/* The PFP reads the records, so the PFP has to wait. */
static void
wait_for_streamout(struct si_context *sctx,
                   const struct pitot_hw_condition *condition)
{
   const uint64_t address =
      address_of(&condition->records[condition->record_count - 1]);

   si_cp_wait_mem(sctx, &sctx->gfx_cs,
                  address + PITOT_AMD_STREAMOUT_RECORD_LAST_B,
                  PITOT_AMD_STREAMOUT_RECORD_VALID,
                  PITOT_AMD_STREAMOUT_RECORD_VALID,
                  WAIT_REG_MEM_EQUAL | WAIT_REG_MEM_PFP);
}

/* radeonsi calls this in each IB: see pitot_radeonsi_keep_room(). */
static void
emit_condition(struct si_context *sctx, unsigned index)
{
   const struct radeonsi_pitot *pitot = pitot_of_context(&sctx->b);
   const struct pitot_hw_condition *condition = &pitot->condition;

   if (sctx->render_cond != (void *)&pitot->ibs) {
      pitot->emit_stock_condition(sctx, index);
      return;
   }
   for (unsigned i = 0; i < condition->record_count; i++)
      radeon_add_to_buffer_list(
         sctx, &sctx->gfx_cs,
         ((struct radeonsi_pitot_buffer *)condition->records[i].buffer)->res,
         RADEON_USAGE_READ | RADEON_PRIO_QUERY);

   if (condition->record_count == 0)
      emit_predicate(sctx, 0, S_201_PRED_OP(PREDICATION_OP_CLEAR));
   else if (condition->predicate == PITOT_AMD_PREDICATE_STREAMOUT)
      wait_for_streamout(sctx, condition);
   for (unsigned i = 0; i < condition->record_count; i++)
      emit_predicate(sctx, address_of(&condition->records[i]),
                     predicate_op(condition) |
                        (i ? PREDICATION_CONTINUE : 0));
}

static void
set_condition(struct pipe_context *pipe,
              const struct pitot_hw_condition *condition)
{
   struct radeonsi_pitot *pitot = pitot_of_context(pipe);
   struct si_context *sctx = pitot->sctx;
   const bool is_set = condition->decision != PITOT_HW_DECISION_ALWAYS;

   pitot->condition = *condition;
   if (condition->decision == PITOT_HW_DECISION_NEVER)
      pitot->condition = (struct pitot_hw_condition){
         .predicate = PITOT_PREDICATE_BOOLEAN,
         .records = &pitot->never_record,
         .record_count = 1,
         .wait = true,
      };
   sctx->render_cond = is_set ? (void *)&pitot->ibs : NULL;
   sctx->render_cond_enabled = is_set;
   pitot_radeonsi_keep_room(pitot);
   si_set_atom_dirty(sctx, &sctx->atoms.s.render_cond, is_set);
}

static const struct pitot_pipe_driver_ops driver_ops = {
   .resource_buffer = radeonsi_resource_buffer,
   .set_condition = set_condition,
};

/*
 * Contexts
 */

static void
describe_gpu(const struct radeon_info *info, struct pitot_amd_gpu *gpu_out)
{
   static const unsigned generations[] = {
      [GFX6] = 60,   [GFX7] = 70,     [GFX8] = 80,
      [GFX9] = 90,   [GFX10] = 100,   [GFX10_3] = 103,
      [GFX11] = 110, [GFX12] = 120,
      /* GFX11.7, too, which old versions of Mesa do not name. */
      [GFX11_5 ... GFX12 - 1] = 115,
   };

   *gpu_out = (struct pitot_amd_gpu){
      .base = {
         .family = &pitot_hw_amd,
         .name = "amd",
         .generation = generations[info->gfx_level],
         .timestamp_bits = 64,
         .timestamp_hz = UINT64_C(1000) * info->clock_crystal_freq,
      },
      .rb_count = info->max_render_backends,
      .rb_mask = info->enabled_rb_mask,
      .has_event_write_zpass =
         info->pfp_fw_version >= EVENT_WRITE_ZPASS_PFP_VERSION,
      .has_streamout_predicate_bug =
         (info->gfx_level == GFX8 && info->pfp_fw_feature < 49) ||
         (info->gfx_level == GFX9 && info->pfp_fw_feature < 38),
   };
}

static void
finish_pitot(struct radeonsi_pitot *pitot)
{
   struct pipe_context *pipe = &pitot->sctx->b;

   if (pitot->result_shader)
      pipe->delete_compute_state(pipe, pitot->result_shader);
   pitot_hw_destroy(pitot->hw);
   if (pitot->never)
      pitot->cs.ops->buffer_destroy(&pitot->cs, pitot->never);
   pitot_radeonsi_cs_finish(pitot);
   pitot_screen_clock_give(pitot->cs.clock);
   free(pitot);
}

static void
radeonsi_pitot_destroy(struct pipe_context *pipe)
{
   struct radeonsi_pitot *pitot = pitot_of_context(pipe);
   void (*stock_destroy)(struct pipe_context *) = pitot->driver.stock.destroy;
   struct si_context *sctx = pitot->sctx;

   sctx->atoms.s.render_cond.emit = pitot->emit_stock_condition;
   sctx->render_cond = NULL;
   finish_pitot(pitot);
   stock_destroy(pipe);
}

/* If allocation fails, radeonsi keeps its own queries. */
void
pitot_radeonsi_init(struct si_context *sctx)
{
   struct radeonsi_pitot *pitot;

   if (!sctx->is_gfx_queue || sctx->context_flags & SI_CONTEXT_FLAG_AUX ||
       sctx->gfx_level > GFX12 || !(pitot = calloc(1, sizeof(*pitot))))
      return;
   describe_gpu(&sctx->screen->info, &pitot->gpu);
   pitot->cs.gpu = &pitot->gpu.base;
   pitot->condition.decision = PITOT_HW_DECISION_ALWAYS;
   pitot->cs.clock = pitot_screen_clock_take(sctx->b.screen, &pitot->gpu.base,
                                             pitot_radeonsi_read_clock);
   pitot_radeonsi_cs_init(pitot, sctx);
   if (!pitot->cs.clock ||
       pitot->cs.ops->buffer_create(&pitot->cs, sizeof(uint64_t),
                                    &pitot->never) ||
       pitot_hw_create(&pitot->cs, &pitot->hw)) {
      finish_pitot(pitot);
      return;
   }
   pitot->never_record = (struct pitot_hw_record){
      .buffer = pitot->never,
   };

   pitot_pipe_driver_init(&pitot->driver, &sctx->b, pitot->hw, &driver_ops);
   pitot->emit_stock_condition = sctx->atoms.s.render_cond.emit;
   sctx->atoms.s.render_cond.emit = emit_condition;
   sctx->b.destroy = radeonsi_pitot_destroy;
}
