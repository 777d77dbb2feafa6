/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Counts AMD's draws and dispatches by their packets. */

#include "pm4.h"

#define USE_OPAQUE      (1u << 6)
#define COUNT_IN_MEMORY (1u << 30)

#define MAX_DRAWS 65536 /* of a packet */

#define PARTIAL_GROUPS     (1u << 1)
#define GROUPS_ARE_THREADS (1u << 5)

static struct sim_pipeline *
pipeline_of(struct decoder *decoder)
{
   return &decoder->engine->registers->pipeline;
}

/* The size of an earlier capture may be the number of vertices. */
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
         (uint32_t)sim_load(decoder->engine, sim_address(&body[5]), 4);

      count = counted < count ? counted : count;
   }
   if (count > MAX_DRAWS) {
      sim_violate(decoder->engine, "DRAW_INDIRECT_MULTI", "too many draws");
      return;
   }
   for (uint32_t i = 0; i < count; i++)
      add_indirect(decoder, body[0] + (uint64_t)i * body[7], work);
}

static void
add_draw(struct decoder *decoder, const struct pm4_packet *packet,
         struct sim_work *work)
{
   const uint32_t *body = packet->body;

   switch (packet->op) {
   case OP_DRAW_INDEX_AUTO:
   case OP_DRAW_INDEX_IMMD:
      add_direct(decoder, body[0], body[1], work);
      break;
   case OP_DRAW_INDEX_2:
      add_direct(decoder, body[3], body[4], work);
      break;
   case OP_DRAW_INDEX_OFFSET_2:
      add_direct(decoder, body[2], body[3], work);
      break;
   case OP_DRAW_INDIRECT:
   case OP_DRAW_INDEX_INDIRECT:
      add_indirect(decoder, body[0], work);
      break;
   case OP_DRAW_INDIRECT_MULTI:
   case OP_DRAW_INDEX_INDIRECT_MULTI:
      add_multiple(decoder, body, work);
      break;
   default: /* mesh shaders: nothing is counted */
      break;
   }
}

void
pm4_draw(struct decoder *decoder, const struct pm4_packet *packet)
{
   const struct sim *sim = decoder->engine->sim;
   struct sim_work work = { .ticks = sim->draw.ticks };

   if (sim->counts_commands)
      add_draw(decoder, packet, &work);
   else
      work = sim->draw;
   sim_do_work(decoder->engine, &work);
}

/* From GFX12 on, the upper bits say how threads form tiles. */
uint32_t
pm4_group_size(const struct decoder *decoder, unsigned dimension)
{
   const uint32_t mask =
      decoder->generation >= GFX12 && dimension < 2 ? 0x1fff : 0xffff;

   return decoder->engine->registers->pipeline.threads[dimension] & mask;
}

/* The last group may be partial. */
static uint64_t
count_threads(const struct decoder *decoder, unsigned dimension,
              uint32_t groups, uint32_t initiator)
{
   const uint32_t size =
      decoder->engine->registers->pipeline.threads[dimension];
   const uint64_t full = pm4_group_size(decoder, dimension);

   if ((initiator & GROUPS_ARE_THREADS) != 0 || groups == 0)
      return groups;
   if ((initiator & PARTIAL_GROUPS) != 0)
      return (groups - 1) * full + (size >> 16);
   return groups * full;
}

void
pm4_dispatch(struct decoder *decoder, const struct pm4_packet *packet)
{
   struct sim_engine *engine = decoder->engine;
   const struct sim_pipeline *pipeline = pipeline_of(decoder);
   const bool is_direct = packet->op == OP_DISPATCH_DIRECT ||
                          packet->op == OP_DISPATCH_DIRECT_INTERLEAVED;
   const uint32_t initiator = packet->body[is_direct ? 3 : 1];
   struct sim_work work = engine->sim->dispatch;
   uint64_t threads[3];

   for (unsigned i = 0; i < 3; i++) {
      const uint64_t address =
         pipeline->indirect_address + packet->body[0] + i * sizeof(uint32_t);
      const uint32_t groups =
         is_direct ? packet->body[i] : (uint32_t)sim_load(engine, address, 4);

      threads[i] = count_threads(decoder, i, groups, initiator);
   }
   if (engine->sim->counts_commands)
      work.statistics[SIM_CS_INVOCATIONS] =
         threads[0] * threads[1] * threads[2];
   sim_do_work(engine, &work);
   pm4_run_shader(decoder, threads, initiator);
}
