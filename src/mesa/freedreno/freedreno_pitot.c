/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Pitot's queries in freedreno, on Adreno 6xx and 7xx: the begin and end of
 * batches, and contexts.  freedreno's own query hooks still serve its
 * counters, and conditions by the CPU.
 *
 * Danger: freedreno records several batches at a time and reorders them.
 * Pitot samples one, and flushes it before it samples another one.
 */

#include "freedreno_pitot.h"
#include "freedreno_pitot_priv.h"
#include "freedreno_resource.h"
#include "freedreno_screen.h"
#include "pitot/drm.h"
#include "pitot_screen_clock.h"

static struct freedreno_pitot *
pitot_of_context(struct fd_context *ctx)
{
   return container_of(ctx->base.pitot, struct freedreno_pitot, driver);
}

/*
 * Batches
 */

/* freedreno calls this before a draw, a blit or a dispatch, and with
 * disable_all when it leaves a batch or, with needs_flush cleared, flushes
 * it.
 */
static void
query_update_batch(struct fd_batch *batch, bool disable_all)
{
   struct freedreno_pitot *pitot = pitot_of_context(batch->ctx);
   const bool is_flushed = disable_all && !batch->needs_flush;

   pitot->stock.query_update_batch(batch, disable_all);
   if (batch == pitot->batch && disable_all) {
      pitot_freedreno_suspend(pitot);
      if (is_flushed)
         pitot_freedreno_submit(pitot);
   } else if (!disable_all &&
              (pitot->is_open || pitot_hw_has_active(pitot->hw))) {
      if (batch != pitot->batch)
         pitot_freedreno_suspend(pitot);
      (void)pitot_freedreno_enter(pitot, batch);
   }
}

/* A dispatch has a batch of its own, next to the batch of draws, in which
 * freedreno records again after it: switching flushes neither.  So flush a
 * sampled batch of draws before a dispatch, and a batch of dispatches after
 * it if the draws have to be executed first.
 */
static void
launch_grid(struct pipe_context *pipe, const struct pipe_grid_info *info)
{
   struct fd_context *ctx = fd_context(pipe);
   struct freedreno_pitot *pitot = pitot_of_context(ctx);

   if (pitot->batch && pitot->batch != ctx->batch_nondraw &&
       (pitot->is_open || pitot_hw_has_active(pitot->hw)))
      fd_batch_flush(pitot->batch);
   pitot->driver.stock.launch_grid(pipe, info);
   if (pitot->batch && ctx->batch &&
       fd_batch_has_dep(pitot->batch, ctx->batch))
      fd_batch_flush(pitot->batch);
}

/* Draws begin again with a new batch if theirs is flushed when queries are
 * updated, but clears assert that it is not: flush before the clear.
 */
static void
freedreno_pitot_clear(struct pipe_context *pipe, unsigned buffers,
                      PITOT_SINCE_26_1(uint32_t color_mask, uint8_t stencil_mask,)
                      const struct pipe_scissor_state *scissor,
                      const union pipe_color_union *color, double depth,
                      unsigned stencil)
{
   struct fd_context *ctx = fd_context(pipe);
   struct freedreno_pitot *pitot = pitot_of_context(ctx);

   if (!pitot->is_open && pitot_hw_has_active(pitot->hw))
      (void)pitot_freedreno_enter(pitot, NULL);
   pitot->driver.stock.clear(
      pipe, buffers, PITOT_SINCE_26_1(color_mask, stencil_mask,) scissor, color,
      depth, stencil);
}

/* Blits, copies and clears of buffers and textures are batches of their own,
 * flushed immediately.  They update queries only if these are dirty, and an
 * open batch has earlier timestamps, or queries that measure the copy.
 */
static void
begin_copy(const struct freedreno_pitot *pitot)
{
   if (pitot->is_open)
      fd_context_dirty(pitot->ctx, FD_DIRTY_QUERY);
}

static bool
freedreno_pitot_blit(struct fd_context *ctx,
                     const struct pipe_blit_info *info)
{
   const struct freedreno_pitot *pitot = pitot_of_context(ctx);

   begin_copy(pitot);
   return pitot->stock.blit(ctx, info);
}

static void
clear_buffer(struct pipe_context *pipe, struct pipe_resource *resource,
             unsigned offset_B, unsigned size_B, const void *value,
             int value_size_B)
{
   const struct freedreno_pitot *pitot = pitot_of_context(fd_context(pipe));

   begin_copy(pitot);
   pitot->driver.stock.clear_buffer(pipe, resource, offset_B, size_B, value,
                                    value_size_B);
}

static void
clear_texture(struct pipe_context *pipe, struct pipe_resource *resource,
              unsigned level, const struct pipe_box *box, const void *data)
{
   const struct freedreno_pitot *pitot = pitot_of_context(fd_context(pipe));

   begin_copy(pitot);
   pitot->driver.stock.clear_texture(pipe, resource, level, box, data);
}

/* Must return the same as freedreno's static use_hw_binning(). */
static bool
has_binning_pass(const struct fd_batch *batch)
{
   const struct fd_gmem_stateobj *gmem = batch->gmem_state;

   return fd_binning_enabled && gmem->maxpw * gmem->maxph <= 32 &&
          gmem->nbins_x * gmem->nbins_y >= 2 && batch->num_draws > 0;
}

/* freedreno would execute the epilogue after each tile, although it is to be
 * "executed after all tiles": take it out until emit_tile_fini().
 */
static void
emit_tile_init(struct fd_batch *batch)
{
   struct freedreno_pitot *pitot = pitot_of_context(batch->ctx);

   if (!has_binning_pass(batch))
      pitot_freedreno_sample_always(pitot, batch);
   pitot->epilogue = batch->epilogue;
   batch->epilogue = NULL;
   pitot->stock.emit_tile_init(batch);
   pitot_freedreno_skip_nothing(pitot, batch);
}

/* A later batch may be at the same address. */
static void
end_flushing(struct freedreno_pitot *pitot, const struct fd_batch *batch)
{
   if (batch == pitot->flushing)
      pitot->flushing = NULL;
}

static void
emit_tile_fini(struct fd_batch *batch)
{
   struct freedreno_pitot *pitot = pitot_of_context(batch->ctx);

   if (pitot->stock.emit_tile_fini)
      pitot->stock.emit_tile_fini(batch);
   batch->epilogue = pitot->epilogue;
   if (batch->epilogue)
      __OUT_IB5(batch->gmem, batch->epilogue);
   end_flushing(pitot, batch);
}

static void
emit_sysmem_fini(struct fd_batch *batch)
{
   struct freedreno_pitot *pitot = pitot_of_context(batch->ctx);

   pitot_freedreno_sample_always(pitot, batch);
   pitot->stock.emit_sysmem_fini(batch);
   end_flushing(pitot, batch);
}

/*
 * Stores
 */

static struct pitot_cs_buffer *
freedreno_resource_buffer(struct pipe_context *pipe,
                          struct pipe_resource *resource, unsigned offset_B,
                          unsigned size_B)
{
   struct freedreno_pitot *pitot = pitot_of_context(fd_context(pipe));
   struct fd_resource *rsc = fd_resource(resource);

   util_range_add(resource, &rsc->valid_buffer_range, offset_B,
                  offset_B + size_B);
   pitot->target = (struct freedreno_pitot_buffer){
      .base.size_B = resource->width0,
      .bo = rsc->bo,
      .rsc = rsc,
   };
   return &pitot->target.base;
}

static const struct pitot_pipe_driver_ops driver_ops = {
   .resource_buffer = freedreno_resource_buffer,
};

/*
 * Contexts
 */

static void
hook_context(struct freedreno_pitot *pitot)
{
   struct fd_context *ctx = pitot->ctx;

   pitot->stock = (struct freedreno_pitot_stock){
      .blit = ctx->blit,
      .query_update_batch = ctx->query_update_batch,
      .emit_tile_init = ctx->emit_tile_init,
      .emit_tile_fini = ctx->emit_tile_fini,
      .emit_sysmem_fini = ctx->emit_sysmem_fini,
   };
   ctx->base.launch_grid = launch_grid;
   ctx->base.clear = freedreno_pitot_clear;
   ctx->base.clear_buffer = clear_buffer;
   ctx->base.clear_texture = clear_texture;
   ctx->blit = freedreno_pitot_blit;
   ctx->query_update_batch = query_update_batch;
   ctx->emit_tile_init = emit_tile_init;
   ctx->emit_tile_fini = emit_tile_fini;
   ctx->emit_sysmem_fini = emit_sysmem_fini;
}

static void
unhook_context(const struct freedreno_pitot *pitot)
{
   struct fd_context *ctx = pitot->ctx;

   ctx->blit = pitot->stock.blit;
   ctx->query_update_batch = pitot->stock.query_update_batch;
   ctx->emit_tile_init = pitot->stock.emit_tile_init;
   ctx->emit_tile_fini = pitot->stock.emit_tile_fini;
   ctx->emit_sysmem_fini = pitot->stock.emit_sysmem_fini;
}

static void
finish_pitot(struct freedreno_pitot *pitot)
{
   pitot_hw_destroy(pitot->hw);
   pitot_freedreno_cs_finish(pitot);
   pitot_screen_clock_give(pitot->cs.clock);
   free(pitot);
}

/* Submits the batch with the last samples before freeing their memory. */
static void
freedreno_pitot_destroy(struct pipe_context *pipe)
{
   struct freedreno_pitot *pitot = pitot_of_context(fd_context(pipe));
   void (*stock_destroy)(struct pipe_context *) = pitot->driver.stock.destroy;

   pitot->cs.ops->flush(&pitot->cs, PITOT_RING_RENDER);
   unhook_context(pitot);
   finish_pitot(pitot);
   stock_destroy(pipe);
}

/* In a virtual machine, the node is of another kernel driver. */
static bool
is_on_msm(struct fd_screen *screen)
{
   struct pitot_drm_version version;

   return pitot_drm_read_version(&pitot_drm_system, fd_device_fd(screen->dev),
                                 &version) == 0 &&
          strcmp(version.driver, "msm") == 0;
}

/* If allocation fails, freedreno keeps its own queries. */
void
pitot_freedreno_init(struct fd_context *ctx)
{
   struct fd_screen *screen = ctx->screen;
   struct freedreno_pitot *pitot;

   if (screen->gen < 6 || screen->gen > 7 || !screen->has_timestamp ||
       ctx->flags & PIPE_CONTEXT_COMPUTE_ONLY || !is_on_msm(screen) ||
       !(pitot = calloc(1, sizeof(*pitot))))
      return;
   pitot->gpu = (struct pitot_gpu){
      .family = &pitot_hw_adreno,
      .name = "adreno",
      .generation = screen->gen,
      .timestamp_bits = PITOT_ADRENO_TIMESTAMP_BITS,
      .timestamp_hz = PITOT_ADRENO_TIMESTAMP_HZ,
   };
   pitot->cs.clock = pitot_screen_clock_take(&screen->base, &pitot->gpu,
                                             pitot_freedreno_read_clock);
   pitot_freedreno_cs_init(pitot, ctx);
   if (!pitot->cs.clock || pitot_hw_create(&pitot->cs, &pitot->hw)) {
      finish_pitot(pitot);
      return;
   }

   /* Nothing is sampled before the first draw. */
   pitot_cs_batch_end(&pitot->cs, PITOT_RING_RENDER);
   pitot_pipe_driver_init(&pitot->driver, &ctx->base, pitot->hw, &driver_ops);
   hook_context(pitot);
   ctx->base.destroy = freedreno_pitot_destroy;
}
