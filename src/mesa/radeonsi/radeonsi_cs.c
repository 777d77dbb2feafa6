/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * radeonsi's graphics IBs as a command stream of one ring.  pitot->ibs, which
 * radeonsi suspends and resumes around each IB, counts them.
 *
 * Danger: the end of an IB cannot reserve space.  pitot_radeonsi_keep_room()
 * has to reserve it before, or the last samples overrun the IB.
 */

#include <errno.h>

#include "pitot/drm.h"
#include "radeonsi_pitot_priv.h"
#include "util/os_time.h"

/* With a timeout of 0, the winsys would not ask the kernel, and only the
 * kernel knows that an IB was abandoned.
 */
#define POLL_NS 1

#define BUFFER_ALIGNMENT_B 256

/* Sizes of WAIT_REG_MEM and SET_PREDICATION. */
#define WAIT_MEM_DW  7
#define PREDICATE_DW 4

/*
 * Buffers
 */

/* GFX12's command processor bypasses L2, to which render backends and shaders
 * write: all see the same data only in memory that L2 does not cache.
 */
static unsigned
resource_flags(const struct si_screen *screen)
{
   return screen->info.cp_sdma_ge_use_system_memory_scope
             ? SI_RESOURCE_FLAG_GL2_BYPASS
             : 0;
}

static int
radeonsi_cs_buffer_create(struct pitot_cs *cs, unsigned size_B,
                          struct pitot_cs_buffer **buffer_out)
{
   struct si_context *sctx = pitot_of(cs)->sctx;
   struct radeonsi_pitot_buffer *buffer = calloc(1, sizeof(*buffer));
   if (!buffer)
      return -ENOMEM;

   buffer->res =
      si_aligned_buffer_create(sctx->b.screen, resource_flags(sctx->screen),
                               PIPE_USAGE_STAGING, size_B,
                               BUFFER_ALIGNMENT_B);
   if (buffer->res)
      buffer->base.memory =
         sctx->ws->buffer_map(sctx->ws, buffer->res->buf, NULL,
                              PIPE_MAP_READ_WRITE | PIPE_MAP_UNSYNCHRONIZED |
                                 PIPE_MAP_PERSISTENT | PIPE_MAP_COHERENT);
   if (!buffer->base.memory) {
      si_resource_reference(&buffer->res, NULL);
      free(buffer);
      return -ENOMEM;
   }
   memset(buffer->base.memory, 0, size_B);
   buffer->base.address = buffer->res->gpu_address;
   buffer->base.size_B = size_B;
   *buffer_out = &buffer->base;
   return 0;
}

static void
radeonsi_cs_buffer_destroy(struct pitot_cs *cs,
                           struct pitot_cs_buffer *buffer)
{
   si_resource_reference(&((struct radeonsi_pitot_buffer *)buffer)->res,
                         NULL);
   free(buffer);
}

/*
 * IBs
 */

/* radeon, the older kernel driver, reports a reset only once, to the winsys:
 * polling here would take the report from the application.
 */
static bool
is_lost(const struct radeonsi_pitot *pitot)
{
   const struct si_context *sctx = pitot->sctx;

   return sctx->screen->info.is_amdgpu &&
          sctx->ws->ctx_query_reset_status(sctx->ctx, true, NULL, NULL) !=
             PIPE_NO_RESET;
}

static void
radeonsi_cs_suspend(struct si_context *sctx, struct si_query *query)
{
   struct radeonsi_pitot *pitot =
      container_of(query, struct radeonsi_pitot, ibs);
   UNUSED const unsigned limit_dw =
      sctx->gfx_cs.current.cdw + query->num_cs_dw_suspend;

   pitot_cs_batch_end(&pitot->cs, PITOT_RING_RENDER);
   assert(sctx->gfx_cs.current.cdw <= limit_dw);
   if (sctx->is_noop)
      pitot_radeonsi_drop_ib(pitot);
}

static void
radeonsi_cs_resume(struct si_context *sctx, struct si_query *query)
{
   struct radeonsi_pitot *pitot =
      container_of(query, struct radeonsi_pitot, ibs);

   /* radeonsi starts the counters in each IB, even if it begins between two
    * internal draws or before an internal dispatch: stop them again.
    */
   if (sctx->occlusion_queries_disabled || sctx->blitter_running) {
      sctx->barrier_flags &= ~SI_BARRIER_EVENT_PIPELINESTAT_START;
      sctx->barrier_flags |= SI_BARRIER_EVENT_PIPELINESTAT_STOP;
   }
   p_atomic_set(&pitot->number, pitot->number + 1);
   pitot_cs_batch_begin(&pitot->cs, PITOT_RING_RENDER);
}

static const struct si_query_ops ib_ops = {
   .suspend = radeonsi_cs_suspend,
   .resume = radeonsi_cs_resume,
};

/* A condition goes where radeonsi reserves space for its own state only. */
static unsigned
condition_size_dw(const struct pitot_hw_condition *condition)
{
   return condition->decision == PITOT_HW_DECISION_ALWAYS
             ? 0
             : WAIT_MEM_DW + condition->record_count * PREDICATE_DW;
}

void
pitot_radeonsi_keep_room(struct radeonsi_pitot *pitot)
{
   const unsigned size_dw =
      pitot_cs_end_count(&pitot->cs, PITOT_RING_RENDER) *
         PITOT_RADEONSI_COMMAND_DW +
      condition_size_dw(&pitot->condition);

   pitot->sctx->num_cs_dw_queries_suspend +=
      size_dw - pitot->ibs.num_cs_dw_suspend;
   pitot->ibs.num_cs_dw_suspend = size_dw;
}

static uint64_t
radeonsi_cs_current_batch(struct pitot_cs *cs, enum pitot_ring ring)
{
   return pitot_of(cs)->number;
}

/* The space for samples that end or begin an IB is reserved already. */
static bool
radeonsi_cs_require(struct pitot_cs *cs, enum pitot_ring ring,
                    unsigned command_count)
{
   struct si_context *sctx = pitot_of(cs)->sctx;

   if (!sctx->gfx_flush_in_progress) {
      pitot_radeonsi_keep_room(pitot_of(cs));
      si_need_gfx_cs_space(sctx, 1,
                           command_count * PITOT_RADEONSI_COMMAND_DW);
   }
   return true;
}

/* Up to GFX8 and on GFX12, the command processor bypasses L2: it needs this
 * barrier before and after a write to memory that L2 may cache.
 */
static unsigned
inv_l2(const struct si_context *sctx)
{
   return sctx->gfx_level <= GFX8 ||
                sctx->screen->info.cp_sdma_ge_use_system_memory_scope
             ? SI_BARRIER_INV_L2
             : 0;
}

/* Orders a write of the command processor after earlier accesses by shaders,
 * and before later reads.
 */
static void
use_resource(struct si_context *sctx, struct pipe_resource *resource)
{
   si_barrier_before_simple_buffer_op(sctx, 0, resource, NULL);
   sctx->barrier_flags |= inv_l2(sctx);
   si_emit_barrier_direct(sctx PITOT_SINCE_26_0(, 0));
   si_barrier_after_simple_buffer_op(sctx, 0, resource, NULL);
   sctx->barrier_flags |= inv_l2(sctx);
}

static void
radeonsi_cs_use_buffer(struct pitot_cs *cs, enum pitot_ring ring,
                       struct pitot_cs_buffer *buffer)
{
   struct radeonsi_pitot *pitot = pitot_of(cs);
   struct si_context *sctx = pitot->sctx;
   struct si_resource *res = ((struct radeonsi_pitot_buffer *)buffer)->res;

   pitot_radeonsi_keep_fence(pitot);
   radeon_add_to_buffer_list(sctx, &sctx->gfx_cs, res,
                             RADEON_USAGE_WRITE | RADEON_PRIO_QUERY);
   if (buffer == &pitot->target.base)
      use_resource(sctx, &res->b.b);
}

static enum pitot_batch_state
radeonsi_cs_batch_state(struct pitot_cs *cs, enum pitot_ring ring,
                        uint64_t number)
{
   struct radeonsi_pitot *pitot = pitot_of(cs);

   if (number == p_atomic_read(&pitot->number))
      return PITOT_BATCH_RECORDING;
   if (pitot_radeonsi_wait(pitot, number, POLL_NS))
      return PITOT_BATCH_DONE;
   return is_lost(pitot) ? PITOT_BATCH_LOST : PITOT_BATCH_SUBMITTED;
}

static void
radeonsi_cs_flush(struct pitot_cs *cs, enum pitot_ring ring)
{
   si_flush_gfx_cs(pitot_of(cs)->sctx,
                   RADEON_FLUSH_ASYNC_START_NEXT_GFX_IB_NOW, NULL);
}

static void
radeonsi_cs_wait(struct pitot_cs *cs, enum pitot_ring ring, uint64_t number)
{
   (void)pitot_radeonsi_wait(pitot_of(cs), number, OS_TIMEOUT_INFINITE);
}

/* For a node that is not amdgpu's: of radeon, the older kernel driver, or of
 * a virtual machine (virtio).  The winsys returns 0 if the kernel failed.
 */
static int
ask_winsys(struct radeon_winsys *ws, uint64_t *ticks_out)
{
   *ticks_out = ws->query_value(ws, RADEON_TIMESTAMP);
   return *ticks_out ? 0 : -EIO;
}

int
pitot_radeonsi_read_clock(void *data, struct pitot_clock_reading *reading_out)
{
   const struct si_screen *screen = data;
   struct radeon_winsys *ws = screen->ws;

   if (!screen->info.is_amdgpu || screen->info.is_virtio)
      return ask_winsys(ws, &reading_out->ticks);

   return pitot_amdgpu_read_clock(&pitot_drm_system, ws->get_fd(ws),
                                  reading_out);
}

/* A lost context stays lost: report it once. */
static bool
radeonsi_cs_take_reset(struct pitot_cs *cs)
{
   struct radeonsi_pitot *pitot = pitot_of(cs);

   if (pitot->has_reported_reset || !is_lost(pitot))
      return false;
   pitot->has_reported_reset = true;
   return true;
}

static const struct pitot_cs_ops cs_ops = {
   .buffer_create = radeonsi_cs_buffer_create,
   .buffer_destroy = radeonsi_cs_buffer_destroy,
   .require = radeonsi_cs_require,
   .use_buffer = radeonsi_cs_use_buffer,
   .emit = pitot_radeonsi_emit,
   .store = pitot_radeonsi_store,
   .set_counting = pitot_radeonsi_set_counting,
   .current_batch = radeonsi_cs_current_batch,
   .batch_state = radeonsi_cs_batch_state,
   .flush = radeonsi_cs_flush,
   .wait = radeonsi_cs_wait,
   .take_reset = radeonsi_cs_take_reset,
};

void
pitot_radeonsi_cs_init(struct radeonsi_pitot *pitot, struct si_context *sctx)
{
   pitot->cs.ops = &cs_ops;
   pitot->cs.ring_count = 1;
   pitot->cs.stops_counting = true; /* by si_set_active_query_state() */
   pitot->sctx = sctx;
   pitot->number = 1;
   pitot_radeonsi_init_fences(pitot);
   pitot->ibs.ops = &ib_ops;
   list_add(&pitot->ibs.active_list, &sctx->active_queries);
}

void
pitot_radeonsi_cs_finish(struct radeonsi_pitot *pitot)
{
   list_del(&pitot->ibs.active_list);
   pitot_radeonsi_finish_fences(pitot);
}
