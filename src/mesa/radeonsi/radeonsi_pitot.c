/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The queries of radeonsi, by Pitot, on GFX6 to GFX11.5: its graphics IBs as
 * a stream, and what stays on the GPU.  The driver's own hooks go on serving
 * what its shaders count, and the sets of counters.
 */

#include <errno.h>

#include "pitot/gpu_clock.h"
#include "pitot/pipe_driver.h"
#include "radeonsi_pitot.h"
#include "screen_clock.h"
#include "si_build_pm4.h"
#include "si_pipe.h"
#include "si_query.h"
#include "sid.h"
#include "util/os_time.h"

/* As many IBs can be in flight before one is waited for. */
#define FENCE_SLOTS 64

/* With no time at all the winsys would not ask the kernel, which knows of IBs
 * that it gave up.
 */
#define POLL_NS 1

#define BUFFER_ALIGNMENT_B 256

struct radeonsi_pitot_buffer {
   struct pitot_stream_buffer base;
   struct si_resource *res;
};

struct radeonsi_pitot_fence {
   uint64_t number; /* of the IB */
   struct pipe_fence_handle *handle;
};

struct radeonsi_pitot {
   struct pitot_stream stream;
   struct pitot_pipe_driver driver;
   struct pitot_gpu gpu;
   struct si_context *sctx;
   struct pitot_hw *hw;

   /* To the driver, a query that is active all the time: so it is told when
    * an IB begins or ends.
    */
   struct si_query ibs;
   uint64_t number;   /* of the IB being recorded */
   simple_mtx_t lock; /* of fences */
   struct radeonsi_pitot_fence fences[FENCE_SLOTS];

   unsigned counting; /* a mask of enum pitot_counting */
   struct radeonsi_pitot_buffer
      target; /* a resource that is about to be written */
   struct pitot_hw_condition condition;
   struct pitot_stream_buffer *never; /* a predicate that is false */
   void (*emit_stock_condition)(struct si_context *sctx, unsigned index);
   bool has_told_reset;
};

static struct radeonsi_pitot *
pitot_of(struct pitot_stream *stream)
{
   return (struct radeonsi_pitot *)stream;
}

static struct radeonsi_pitot *
pitot_of_context(struct pipe_context *pipe)
{
   return container_of(((struct si_context *)pipe)->pitot,
                       struct radeonsi_pitot, driver);
}

/* Up to GFX8 the command processor does not write through L2. */
static unsigned
inv_l2(const struct si_context *sctx)
{
   return sctx->gfx_level <= GFX8 ? SI_BARRIER_INV_L2 : 0;
}

/*
 * Buffers
 */

static int
buffer_create(struct pitot_stream *stream, unsigned size_B,
              struct pitot_stream_buffer **buffer_out)
{
   struct si_context *sctx = pitot_of(stream)->sctx;
   struct radeonsi_pitot_buffer *buffer = calloc(1, sizeof(*buffer));
   if (!buffer)
      return -ENOMEM;

   buffer->res =
      si_aligned_buffer_create(sctx->b.screen, 0, PIPE_USAGE_STAGING, size_B,
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
buffer_destroy(struct pitot_stream *stream,
               struct pitot_stream_buffer *buffer)
{
   si_resource_reference(&((struct radeonsi_pitot_buffer *)buffer)->res,
                         NULL);
   free(buffer);
}

/*
 * IBs
 */

/* Sees to it that there is a fence for the IB being recorded. */
static void
keep_fence(struct radeonsi_pitot *pitot)
{
   struct radeon_winsys *ws = pitot->sctx->ws;
   struct radeonsi_pitot_fence *slot =
      &pitot->fences[pitot->number % FENCE_SLOTS];
   struct pipe_fence_handle *old = slot->handle;

   if (slot->number == pitot->number)
      return;
   struct pipe_fence_handle *handle =
      ws->cs_get_next_fence(&pitot->sctx->gfx_cs);

   /* IBs that are not submitted have the same one. */
   if (old && old != handle)
      ws->fence_wait(ws, old, OS_TIMEOUT_INFINITE);
   simple_mtx_lock(&pitot->lock);
   *slot = (struct radeonsi_pitot_fence){ pitot->number, handle };
   simple_mtx_unlock(&pitot->lock);
   ws->fence_reference(ws, &old, NULL);
}

/* Returns a reference, or NULL if the IB is done, or was never submitted. */
static struct pipe_fence_handle *
take_fence(struct radeonsi_pitot *pitot, uint64_t number)
{
   const struct radeonsi_pitot_fence *slot =
      &pitot->fences[number % FENCE_SLOTS];
   struct pipe_fence_handle *handle = NULL;

   simple_mtx_lock(&pitot->lock);
   if (slot->number == number)
      pitot->sctx->ws->fence_reference(pitot->sctx->ws, &handle,
                                       slot->handle);
   simple_mtx_unlock(&pitot->lock);
   return handle;
}

static bool
wait_for(struct radeonsi_pitot *pitot, uint64_t number, uint64_t timeout_ns)
{
   struct radeon_winsys *ws = pitot->sctx->ws;
   struct pipe_fence_handle *fence = take_fence(pitot, number);
   const bool is_done = !fence || ws->fence_wait(ws, fence, timeout_ns);

   ws->fence_reference(ws, &fence, NULL);
   return is_done;
}

static bool
is_lost(const struct radeonsi_pitot *pitot)
{
   const struct si_context *sctx = pitot->sctx;

   return sctx->ws->ctx_query_reset_status(sctx->ctx, true, NULL, NULL) !=
          PIPE_NO_RESET;
}

static void
suspend(struct si_context *sctx, struct si_query *query)
{
   struct radeonsi_pitot *pitot =
      container_of(query, struct radeonsi_pitot, ibs);

   pitot_stream_batch_end(&pitot->stream, PITOT_RING_RENDER);
}

static void
resume(struct si_context *sctx, struct si_query *query)
{
   struct radeonsi_pitot *pitot =
      container_of(query, struct radeonsi_pitot, ibs);

   p_atomic_set(&pitot->number, pitot->number + 1);
   pitot_stream_batch_begin(&pitot->stream, PITOT_RING_RENDER);
}

static const struct si_query_ops ib_ops = {
   .suspend = suspend,
   .resume = resume,
};

/* The driver has to keep as much room at the end of an IB as we need. */
static void
keep_room(struct radeonsi_pitot *pitot)
{
   const unsigned size_dw =
      pitot_stream_end_size_dw(&pitot->stream, PITOT_RING_RENDER);

   pitot->sctx->num_cs_dw_queries_suspend +=
      size_dw - pitot->ibs.num_cs_dw_suspend;
   pitot->ibs.num_cs_dw_suspend = size_dw;
}

static uint32_t *
reserve(struct pitot_stream *stream, enum pitot_ring ring, unsigned count_dw)
{
   struct si_context *sctx = pitot_of(stream)->sctx;
   struct radeon_cmdbuf *cs = &sctx->gfx_cs;

   /* What ends or begins an IB has its room already. */
   if (!sctx->gfx_flush_in_progress) {
      keep_room(pitot_of(stream));
      si_need_gfx_cs_space(sctx, 1, count_dw);
   }

   uint32_t *room = cs->current.buf + cs->current.cdw;
   cs->current.cdw += count_dw;
   return room;
}

/* What comes next sees what the command processor has just written to a
 * resource.
 */
static void
end_write(struct radeonsi_pitot *pitot)
{
   struct si_context *sctx = pitot->sctx;

   si_barrier_after_simple_buffer_op(sctx, 0, &pitot->target.res->b.b, NULL);
   sctx->barrier_flags |= inv_l2(sctx);
}

static void
use_buffer(struct pitot_stream *stream, enum pitot_ring ring,
           struct pitot_stream_buffer *buffer)
{
   struct radeonsi_pitot *pitot = pitot_of(stream);

   keep_fence(pitot);
   radeon_add_to_buffer_list(pitot->sctx, &pitot->sctx->gfx_cs,
                             ((struct radeonsi_pitot_buffer *)buffer)->res,
                             RADEON_USAGE_WRITE | RADEON_PRIO_QUERY);
   if (buffer == &pitot->target.base)
      end_write(pitot);
}

static uint64_t
batch(struct pitot_stream *stream, enum pitot_ring ring)
{
   return pitot_of(stream)->number;
}

/* What an IB begins with is no work to the driver, which would not submit it:
 * nobody else may share a sample there.
 */
static uint64_t
position(struct pitot_stream *stream, enum pitot_ring ring)
{
   const struct si_context *sctx = pitot_of(stream)->sctx;

   return pitot_of(stream)->number << 32 |
          (uint64_t)sctx->gfx_flush_in_progress << 31 |
          (sctx->gfx_cs.prev_dw + sctx->gfx_cs.current.cdw);
}

static enum pitot_batch_state
batch_state(struct pitot_stream *stream, enum pitot_ring ring,
            uint64_t number)
{
   struct radeonsi_pitot *pitot = pitot_of(stream);

   if (number == p_atomic_read(&pitot->number))
      return PITOT_BATCH_RECORDING;
   if (wait_for(pitot, number, POLL_NS))
      return PITOT_BATCH_DONE;
   return is_lost(pitot) ? PITOT_BATCH_LOST : PITOT_BATCH_SUBMITTED;
}

static void
flush(struct pitot_stream *stream, enum pitot_ring ring)
{
   si_flush_gfx_cs(pitot_of(stream)->sctx,
                   RADEON_FLUSH_ASYNC_START_NEXT_GFX_IB_NOW, NULL);
}

static void
wait(struct pitot_stream *stream, enum pitot_ring ring, uint64_t number)
{
   wait_for(pitot_of(stream), number, OS_TIMEOUT_INFINITE);
}

/*
 * What the GPU does around samples
 */

/* As si_update_occlusion_query_state() does, which is the driver's own. */
static void
set_occlusion_mode(struct si_context *sctx, unsigned counting)
{
   const enum si_occlusion_query_mode precise =
      SI_OCCLUSION_QUERY_MODE_PRECISE_INTEGER;
   const enum si_occlusion_query_mode before = sctx->occlusion_query_mode;
   const enum si_occlusion_query_mode mode =
      counting & PITOT_COUNTING_SAMPLES ? precise
      : counting & PITOT_COUNTING_BOOLEAN
         ? SI_OCCLUSION_QUERY_MODE_PRECISE_BOOLEAN
         : SI_OCCLUSION_QUERY_MODE_DISABLE;

   if (mode == before)
      return;
   sctx->occlusion_query_mode = mode;
   si_mark_atom_dirty(sctx, &sctx->atoms.s.db_render_state);
   if (sctx->screen->info.has_out_of_order_rast &&
       (mode == precise) != (before == precise))
      si_mark_atom_dirty(sctx, &sctx->atoms.s.msaa_config);
}

/* As si_update_hw_pipeline_stats() does, together with the driver's own
 * queries.
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

/* Returns 1 if a bit was set, -1 if it was reset. */
static int
change_of(unsigned before, unsigned after, unsigned bit)
{
   return !!(after & bit) - !!(before & bit);
}

static void
set_counting(struct pitot_stream *stream, unsigned mask)
{
   struct radeonsi_pitot *pitot = pitot_of(stream);
   struct si_context *sctx = pitot->sctx;
   const int statistics =
      change_of(pitot->counting, mask, PITOT_COUNTING_STATISTICS);
   const int streamout =
      change_of(pitot->counting, mask, PITOT_COUNTING_STREAMOUT);

   pitot->counting = mask;
   set_occlusion_mode(sctx, mask);
   sctx->num_pipeline_stat_queries += statistics;
   if (statistics || streamout)
      count_pipeline_queries(sctx, statistics + streamout);
   if (streamout)
      si_update_prims_generated_query_state(sctx,
                                            PIPE_QUERY_PRIMITIVES_GENERATED,
                                            streamout);
}

static int
timestamp(struct pitot_stream *stream, uint64_t *ticks_out)
{
   struct radeon_winsys *ws = pitot_of(stream)->sctx->ws;

   *ticks_out = ws->query_value(ws, RADEON_TIMESTAMP);
   return 0;
}

/* A context that is lost stays so; the application is told by another way. */
static bool
take_reset(struct pitot_stream *stream)
{
   struct radeonsi_pitot *pitot = pitot_of(stream);

   if (pitot->has_told_reset || !is_lost(pitot))
      return false;
   pitot->has_told_reset = true;
   return true;
}

static const struct pitot_stream_ops stream_ops = {
   .buffer_create = buffer_create,
   .buffer_destroy = buffer_destroy,
   .reserve = reserve,
   .use_buffer = use_buffer,
   .barrier = NULL, /* AMD samples in the pipe, in order */
   .set_counting = set_counting,
   .position = position,
   .batch = batch,
   .batch_state = batch_state,
   .flush = flush,
   .wait = wait,
   .timestamp = timestamp,
   .take_reset = take_reset,
};

/*
 * Results that stay on the GPU
 */

/* The command processor is about to write, after what the shaders did. */
static struct pitot_stream_buffer *
resource_buffer(struct pipe_context *pipe, struct pipe_resource *resource,
                unsigned offset_B, unsigned size_B)
{
   struct radeonsi_pitot *pitot = pitot_of_context(pipe);
   struct si_context *sctx = pitot->sctx;
   struct si_resource *res = si_resource(resource);

   si_need_gfx_cs_space(sctx, 0, 0);
   si_barrier_before_simple_buffer_op(sctx, 0, resource, NULL);
   sctx->barrier_flags |= inv_l2(sctx);
   si_emit_barrier_direct(sctx);

   util_range_add(resource, &res->valid_buffer_range, offset_B,
                  offset_B + size_B);
   pitot->target.res = res;
   pitot->target.base.address = res->gpu_address;
   pitot->target.base.size_B = resource->width0;
   return &pitot->target.base;
}

static uint32_t
predicate_op(const struct pitot_hw_condition *condition)
{
   static const uint32_t ops[] = {
      [PITOT_PREDICATE_BOOLEAN] = PREDICATION_OP_BOOL64,
      [PITOT_PREDICATE_SAMPLES] = PREDICATION_OP_ZPASS,
      [PITOT_PREDICATE_STREAMOUT] = PREDICATION_OP_PRIMCOUNT,
   };
   /* What did not overflow is "visible". */
   const bool is_inverted =
      condition->is_inverted !=
      (condition->predicate == PITOT_PREDICATE_STREAMOUT);

   return PRED_OP(ops[condition->predicate]) |
          (is_inverted ? PREDICATION_DRAW_NOT_VISIBLE
                       : PREDICATION_DRAW_VISIBLE) |
          (condition->wait ? PREDICATION_HINT_WAIT
                           : PREDICATION_HINT_NOWAIT_DRAW);
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

/* The driver calls this for each IB. */
static void
emit_condition(struct si_context *sctx, unsigned index)
{
   const struct radeonsi_pitot *pitot = pitot_of_context(&sctx->b);
   const struct pitot_hw_condition *condition = &pitot->condition;
   const struct radeonsi_pitot_buffer *buffer = (void *)condition->buffer;

   if (sctx->render_cond != (void *)&pitot->ibs) {
      pitot->emit_stock_condition(sctx, index);
      return;
   }
   for (unsigned i = 0; i < condition->record_count; i++)
      emit_predicate(sctx,
                     buffer->base.address + condition->offset_B +
                        i * condition->record_B,
                     predicate_op(condition) |
                        (i ? PREDICATION_CONTINUE : 0));
   radeon_add_to_buffer_list(sctx, &sctx->gfx_cs, buffer->res,
                             RADEON_USAGE_READ | RADEON_PRIO_QUERY);
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
         .buffer = pitot->never,
         .record_count = 1,
         .wait = true,
      };
   sctx->render_cond = is_set ? (void *)&pitot->ibs : NULL;
   sctx->render_cond_enabled = is_set;
   si_set_atom_dirty(sctx, &sctx->atoms.s.render_cond, is_set);
}

static const struct pitot_pipe_driver_ops driver_ops = {
   .resource_buffer = resource_buffer,
   .set_condition = set_condition,
};

/*
 * Contexts
 */

static void
describe(const struct radeon_info *info, struct pitot_gpu *gpu_out)
{
   static const unsigned generations[] = {
      [GFX6] = 60,   [GFX7] = 70,     [GFX8] = 80,   [GFX9] = 90,
      [GFX10] = 100, [GFX10_3] = 103, [GFX11] = 110, [GFX11_5] = 115,
   };

   *gpu_out = (struct pitot_gpu){
      .vendor = PITOT_VENDOR_AMD,
      .name = "amd",
      .generation = generations[info->gfx_level],
      .timestamp_bits = 64,
      .timestamp_hz = UINT64_C(1000) * info->clock_crystal_freq,
      .rb_count = info->max_render_backends,
      .rb_mask = info->enabled_rb_mask,
      .has_event_write_zpass =
         info->pfp_fw_version >= EVENT_WRITE_ZPASS_PFP_VERSION,
   };
}

static uint64_t
get_timestamp(struct pipe_screen *pscreen)
{
   struct radeon_winsys *ws = ((struct si_screen *)pscreen)->ws;

   return pitot_gpu_clock_now_ns(pitot_screen_clock(pscreen, NULL),
                                 ws->query_value(ws, RADEON_TIMESTAMP));
}

static void
finish(struct radeonsi_pitot *pitot)
{
   struct radeon_winsys *ws = pitot->sctx->ws;

   pitot_hw_destroy(pitot->hw);
   if (pitot->never)
      buffer_destroy(&pitot->stream, pitot->never);
   for (unsigned i = 0; i < FENCE_SLOTS; i++)
      ws->fence_reference(ws, &pitot->fences[i].handle, NULL);
   simple_mtx_destroy(&pitot->lock);
   free(pitot);
}

static void
destroy(struct pipe_context *pipe)
{
   struct radeonsi_pitot *pitot = pitot_of_context(pipe);
   void (*stock_destroy)(struct pipe_context *) = pitot->driver.stock.destroy;

   list_del(&pitot->ibs.active_list);
   finish(pitot);
   stock_destroy(pipe);
}

/* The first IB is being recorded already. */
static void
listen(struct radeonsi_pitot *pitot)
{
   struct si_context *sctx = pitot->sctx;

   pitot->ibs.ops = &ib_ops;
   list_add(&pitot->ibs.active_list, &sctx->active_queries);
   pitot->emit_stock_condition = sctx->atoms.s.render_cond.emit;
   sctx->atoms.s.render_cond.emit = emit_condition;
   sctx->b.destroy = destroy;
   sctx->b.screen->get_timestamp = get_timestamp;
}

/* Where there is no memory, queries stay the driver's. */
void
pitot_radeonsi_init(struct si_context *sctx)
{
   struct radeonsi_pitot *pitot;

   if (!sctx->has_graphics || sctx->context_flags & SI_CONTEXT_FLAG_AUX ||
       sctx->gfx_level > GFX11_5 || !(pitot = calloc(1, sizeof(*pitot))))
      return;
   describe(&sctx->screen->info, &pitot->gpu);
   pitot->sctx = sctx;
   pitot->number = 1;
   pitot->stream.ops = &stream_ops;
   pitot->stream.gpu = &pitot->gpu;
   pitot->stream.clock = pitot_screen_clock(sctx->b.screen, &pitot->gpu);
   simple_mtx_init(&pitot->lock, mtx_plain);
   if (!pitot->stream.clock ||
       buffer_create(&pitot->stream, sizeof(uint64_t), &pitot->never) ||
       pitot_hw_create(&pitot->stream, &pitot->hw)) {
      finish(pitot);
      return;
   }
   pitot_pipe_driver_init(&pitot->driver, &sctx->b, pitot->hw, &driver_ops);
   listen(pitot);
}
