/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What AMD's draws and dispatches count by their packets.
 */

#include "pm4.h"

#define USE_OPAQUE      (1u << 6)
#define COUNT_IN_MEMORY (1u << 30)

#define PARTIAL_GROUPS     (1u << 1)
#define GROUPS_ARE_THREADS (1u << 5)

static struct sim_pipeline *
pipeline_of(struct decoder *decoder)
{
   return &decoder->engine->registers->pipeline;
}

/* What transform feedback captured before may say how many vertices. */
static void
add_direct(struct decoder *decoder, uint32_t vertices, uint32_t initiator,
           struct sim_work *work)
{
   struct sim_pipeline *pipeline = pipeline_of(decoder);

   if ((initiator & USE_OPAQUE) != 0)
      vertices = pipeline->opaque_stride_B != 0
                    ? pipeline->opaque_B / pipeline->opaque_stride_B
                    : 0;
   sim_add_draw(decoder->engine->sim, pipeline, vertices, pipeline->instances,
                work);
}

static void
add_indirect(struct decoder *decoder, uint64_t offset_B,
             struct sim_work *work)
{
   struct sim_engine *engine = decoder->engine;
   struct sim_pipeline *pipeline = pipeline_of(decoder);
   const uint64_t address = pipeline->indirect_address + offset_B;
   const uint32_t vertices = (uint32_t)sim_load(engine, address, 4);
   const uint32_t instances = (uint32_t)sim_load(engine, address + 4, 4);

   sim_add_draw(engine->sim, pipeline, vertices, instances, work);
}

static void
add_multiple(struct decoder *decoder, const uint32_t *body,
             struct sim_work *work)
{
   uint32_t count = body[4];

   if ((body[3] & COUNT_IN_MEMORY) != 0) {
      const uint32_t counted =
         (uint32_t)sim_load(decoder->engine, sim_pm4_address(&body[5]), 4);

      count = counted < count ? counted : count;
   }
   for (uint32_t i = 0; i < count; i++)
      add_indirect(decoder, body[0] + (uint64_t)i * body[7], work);
}

void
sim_pm4_draw(struct decoder *decoder, unsigned op, const uint32_t *body)
{
   struct sim_engine *engine = decoder->engine;
   struct sim_work work = { .ticks = engine->sim->draw.ticks };

   if (!engine->sim->counts_commands) {
      sim_do_work(engine, &engine->sim->draw);
      return;
   }
   switch (op) {
   case OP_DRAW_INDEX_AUTO:
   case OP_DRAW_INDEX_IMMD:
      add_direct(decoder, body[0], body[1], &work);
      break;
   case OP_DRAW_INDEX_2:
      add_direct(decoder, body[3], body[4], &work);
      break;
   case OP_DRAW_INDEX_OFFSET_2:
      add_direct(decoder, body[2], body[3], &work);
      break;
   case OP_DRAW_INDIRECT:
   case OP_DRAW_INDEX_INDIRECT:
      add_indirect(decoder, body[0], &work);
      break;
   case OP_DRAW_INDIRECT_MULTI:
   case OP_DRAW_INDEX_INDIRECT_MULTI:
      add_multiple(decoder, body, &work);
      break;
   }
   sim_do_work(engine, &work);
}

/* Returns how many threads there are in a dimension: of groups, the last one
 * may be smaller.
 */
static uint64_t
count_threads(uint32_t size, uint32_t groups, uint32_t initiator)
{
   const uint64_t full = size & 0xffff;

   if ((initiator & GROUPS_ARE_THREADS) != 0 || groups == 0)
      return groups;
   if ((initiator & PARTIAL_GROUPS) != 0)
      return (groups - 1) * full + (size >> 16);
   return groups * full;
}

static void
count_all_threads(struct decoder *decoder, unsigned op, const uint32_t *body,
                  uint64_t threads_out[3])
{
   const struct sim_pipeline *pipeline = pipeline_of(decoder);
   const bool is_direct = op == OP_DISPATCH_DIRECT;

   for (unsigned i = 0; i < 3; i++) {
      const uint64_t address =
         pipeline->indirect_address + body[0] + i * sizeof(uint32_t);
      const uint32_t groups =
         is_direct
            ? body[i]
            : (uint32_t)sim_load(decoder->engine, address, sizeof(uint32_t));

      threads_out[i] =
         count_threads(pipeline->threads[i], groups, body[is_direct ? 3 : 1]);
   }
}

void
sim_pm4_dispatch(struct decoder *decoder, unsigned op, const uint32_t *body)
{
   struct sim_engine *engine = decoder->engine;
   struct sim_work work = engine->sim->dispatch;
   uint64_t threads[3];

   count_all_threads(decoder, op, body, threads);
   if (engine->sim->counts_commands)
      work.statistics[SIM_CS_INVOCATIONS] =
         threads[0] * threads[1] * threads[2];
   sim_do_work(engine, &work);
   sim_pm4_run_shader(decoder, threads,
                      body[op == OP_DISPATCH_DIRECT ? 3 : 1]);
}
