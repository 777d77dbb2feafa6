/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Pitot's queries in iris, on Gen8 to Gen30 (Xe3), with i915 and xe: results
 * that stay on the GPU, and contexts.  iris's own query hooks still serve
 * monitors and the sets of the OA unit.  Danger: a new hardware context has
 * other counter values than the one that it replaces, and no predicate.
 */

#include "iris_batch.h"
#include "iris_pitot.h"
#include "iris_pitot_priv.h"
#include "iris_resource.h"
#include "iris_screen.h"
#include "pitot_screen_clock.h"

#define LAST_GENERATION  300
#define CLOCK_BITS       36
#define GEN20_CLOCK_BITS 64

static struct iris_pitot *
pitot_of_context(struct pipe_context *pipe)
{
   return container_of(pipe->pitot, struct iris_pitot, driver);
}

/*
 * Results that stay on the GPU
 */

static struct pitot_cs_buffer *
iris_resource_buffer(struct pipe_context *pipe,
                     struct pipe_resource *resource, unsigned offset_B,
                     unsigned size_B)
{
   struct iris_pitot *pitot = pitot_of_context(pipe);
   struct iris_resource *res = (struct iris_resource *)resource;

   res->bind_history |= PIPE_BIND_QUERY_BUFFER;
   util_range_add(resource, &res->valid_buffer_range, offset_B,
                  offset_B + size_B);
   iris_dirty_for_history(pitot->ice, res);
   pitot->target.bo = iris_resource_bo(resource);
   pitot->target.offset_B = res->offset;
   pitot->target.base.size_B = resource->width0;
   return &pitot->target.base;
}

static void
set_condition(struct pipe_context *pipe,
              const struct pitot_hw_condition *condition)
{
   static const enum iris_predicate_state states[] = {
      [PITOT_HW_DECISION_NEVER] = IRIS_PREDICATE_STATE_DONT_RENDER,
      [PITOT_HW_DECISION_ALWAYS] = IRIS_PREDICATE_STATE_RENDER,
      [PITOT_HW_DECISION_BY_GPU] = IRIS_PREDICATE_STATE_USE_BIT,
   };
   struct iris_pitot *pitot = pitot_of_context(pipe);
   struct iris_context *ice = pitot->ice;

   pitot->predicate = (struct iris_address){ 0 };
   if (condition->decision == PITOT_HW_DECISION_BY_GPU) {
      const struct pitot_hw_record *record = condition->records;

      pitot->predicate = (struct iris_address){
         .bo = ((struct iris_pitot_buffer *)record->buffer)->bo,
         .offset = record->offset_B,
      };
   }
   ice->state.predicate = states[condition->decision];
   ice->state.compute_predicate = pitot->predicate;
}

/* The compute ring has its own predicate, which iris loads with the first
 * dispatch.  It measures times only from a dispatch on, so that programs that
 * compute nothing record nothing there.
 */
static void
enter_compute(struct iris_pitot *pitot)
{
   if (pitot->predicate.bo)
      pitot_hw_condition_use(pitot->hw, PITOT_RING_COMPUTE);
   pitot_hw_dispatch(pitot->hw, PITOT_RING_COMPUTE);
}

/* iris may begin another batch before it dispatches. */
static void
launch_grid(struct pipe_context *pipe, const struct pipe_grid_info *info)
{
   struct iris_pitot *pitot = pitot_of_context(pipe);

   enter_compute(pitot);
   pitot->driver.stock.launch_grid(pipe, info);
   enter_compute(pitot);
}

/* A deferred flush puts a fence into a batch that is still recorded. */
static void
iris_pitot_flush(struct pipe_context *pipe,
                 struct pipe_fence_handle **fence_out, unsigned flags)
{
   struct iris_pitot *pitot = pitot_of_context(pipe);

   pitot->driver.stock.flush(pipe, fence_out, flags);
   pitot_iris_update_next_fence(pitot);
}

/* With xe, and with i915 without engines, each batch has its own hardware
 * context.  The predicate is computed on the render ring: if that context is
 * replaced, it is lost on both rings, and everything is drawn.  If the
 * compute context is, iris loads the predicate again.
 */
static void
drop_predicate(struct iris_pitot *pitot, enum pitot_ring ring)
{
   struct iris_context *ice = pitot->ice;

   if (ice->state.predicate != IRIS_PREDICATE_STATE_USE_BIT)
      return;
   if (ring == PITOT_RING_RENDER) {
      ice->state.predicate = IRIS_PREDICATE_STATE_RENDER;
      pitot->predicate.bo = NULL;
   }
   ice->state.compute_predicate = pitot->predicate;
}

/* The new hardware context has its own counter values and no predicate: begin
 * a new epoch, so that no difference mixes two contexts.
 */
void
pitot_iris_context_replaced(struct iris_batch *batch)
{
   struct iris_context *ice = batch->ice;

   if (!ice->ctx.pitot)
      return;

   struct iris_pitot *pitot = pitot_of_context(&ice->ctx);
   for (unsigned ring = 0; ring < RING_COUNT; ring++) {
      if (pitot->rings[ring].batch != batch)
         continue;
      pitot_iris_note_context(pitot, ring);
      pitot_cs_context_replaced(&pitot->cs, ring);
      drop_predicate(pitot, ring);
   }
}

static const struct pitot_pipe_driver_ops driver_ops = {
   .resource_buffer = iris_resource_buffer,
   .set_condition = set_condition,
};

/*
 * Contexts
 */

static void
finish_pitot(struct iris_pitot *pitot)
{
   pitot_hw_destroy(pitot->hw);
   pitot_iris_cs_finish(pitot);
   pitot_screen_clock_give(pitot->cs.clock);
   free(pitot);
}

static void
iris_pitot_destroy(struct pipe_context *pipe)
{
   struct iris_pitot *pitot = pitot_of_context(pipe);
   void (*stock_destroy)(struct pipe_context *) = pitot->driver.stock.destroy;

   finish_pitot(pitot);
   pipe->pitot = NULL;
   stock_destroy(pipe);
}

/* If allocation fails, iris keeps its own queries. */
void
pitot_iris_init(struct iris_context *ice)
{
   struct iris_screen *screen = (struct iris_screen *)ice->ctx.screen;
   const struct intel_device_info *devinfo = screen->devinfo;
   struct iris_pitot *pitot;

   if (devinfo->verx10 > LAST_GENERATION ||
       !(pitot = calloc(1, sizeof(*pitot))))
      return;
   pitot->gpu = (struct pitot_gpu){
      .family = &pitot_hw_intel,
      .name = "intel",
      .generation = devinfo->verx10,
      .timestamp_bits = devinfo->ver >= 20 ? GEN20_CLOCK_BITS : CLOCK_BITS,
      .timestamp_hz = devinfo->timestamp_frequency,
   };
   pitot->cs.gpu = &pitot->gpu;
   pitot->cs.clock = pitot_screen_clock_take(&screen->base, &pitot->gpu,
                                             pitot_iris_read_clock);
   pitot_iris_cs_init(pitot, ice);
   if (!pitot->cs.clock || pitot_hw_create(&pitot->cs, &pitot->hw)) {
      finish_pitot(pitot);
      return;
   }

   pitot_pipe_driver_init(&pitot->driver, &ice->ctx, pitot->hw, &driver_ops);
   ice->ctx.destroy = iris_pitot_destroy;
   ice->ctx.launch_grid = launch_grid;
   ice->ctx.flush = iris_pitot_flush;
}
