/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Counts Intel's draws and dispatches by their commands. */

#include <string.h>

#include "gen.h"

#define STATE_GS          0x7811
#define STATE_CLIP        0x7812
#define STATE_HS          0x781b
#define STATE_STREAMOUT   0x781e
#define STATE_VF_TOPOLOGY 0x784b
#define STATE_SO_BUFFER_0 0x7860 /* Gen12 */
#define STATE_SO_BUFFER_3 0x7863
#define STATE_SO_DECLS    0x7917
#define STATE_SO_BUFFER   0x7918

#define SO_BUFFER_DW  8
#define SO_IS_ON      (1u << 31)
#define SO_SET_OFFSET (1u << 21)
#define SO_HAS_MEMORY (1u << 20)
#define SO_FROM_THERE 0xffffffff
#define SIZE_MASK     0x3fffffff
#define PITCH_MASK    0xfff

#define RENDERING_DISABLE (1u << 30)

#define CLIP_REJECT_ALL 3

#define FIRST_PATCH 32
#define WALKER_DW   39
#define IS_INDIRECT (1u << 10)

/* EXECUTE_INDIRECT_*; a COMPUTE_WALKER without header follows DISPATCH. */
#define COUNT_IN_MEMORY   (1u << 0)
#define FORMAT_INDEXED    1
#define INDIRECT_BODY_DW  6
#define WALKER_DIMENSIONS 7
#define MAX_INDIRECT_DW   64
#define COMPUTE_WALKER    0x72080000u

static enum sim_topology
topology_of(uint32_t code)
{
   static const enum sim_topology topologies[] = {
      SIM_NO_TOPOLOGY,
      SIM_POINTS,
      SIM_LINES,
      SIM_LINE_STRIP,
      SIM_TRIANGLES,
      SIM_TRIANGLE_STRIP,
      SIM_TRIANGLE_FAN,
      SIM_QUADS,
      SIM_QUAD_STRIP,
      SIM_LINES_ADJACENT,
      SIM_LINE_STRIP_ADJACENT,
      SIM_TRIANGLES_ADJACENT,
      SIM_TRIANGLE_STRIP_ADJACENT,
      SIM_TRIANGLE_STRIP,
      SIM_POLYGON,
      SIM_RECTANGLES,
      SIM_LINE_LOOP,
   };

   if (code >= FIRST_PATCH)
      return SIM_PATCHES;
   return code < sizeof(topologies) / sizeof(topologies[0]) ? topologies[code]
                                                            : SIM_NO_TOPOLOGY;
}

static unsigned
corners_of(enum sim_topology topology)
{
   switch (topology) {
   case SIM_POINTS:
      return 1;
   case SIM_LINES:
   case SIM_LINE_STRIP:
      return 2;
   default:
      return 3;
   }
}

static void
set_streamout(struct sim_pipeline *pipeline, const uint32_t *dw)
{
   pipeline->streams = (dw[1] & SO_IS_ON) != 0;
   pipeline->is_dropped =
      pipeline->streams && (dw[1] & RENDERING_DISABLE) != 0;
   for (unsigned i = 0; i < SIM_TARGET_COUNT; i++)
      pipeline->targets[i].stride_B =
         dw[3 + i / 2] >> (i % 2 * 16) & PITCH_MASK;
}

/* Memory has the offset for later draws that append. */
static void
set_target(struct gen_decoder *decoder, unsigned index, const uint32_t *dw)
{
   struct sim_engine *engine = decoder->engine;
   struct sim_target *target = &engine->registers->pipeline.targets[index];

   target->is_on = (dw[1] & SO_IS_ON) != 0;
   target->size_B = ((dw[4] & SIZE_MASK) + UINT64_C(1)) * sizeof(uint32_t);
   target->offset_address =
      (dw[1] & SO_HAS_MEMORY) != 0 ? sim_address(&dw[5]) : 0;
   if ((dw[1] & SO_SET_OFFSET) == 0)
      return;
   target->offset_B = dw[7];
   if (dw[7] == SO_FROM_THERE)
      target->offset_B =
         target->offset_address != 0
            ? sim_load(engine, target->offset_address, sizeof(uint32_t))
            : 0;
}

void
gen_set_pipeline(struct gen_decoder *decoder, const uint32_t *dw)
{
   const unsigned count_dw = gen_length(dw[0]);
   struct sim_pipeline *pipeline = &decoder->engine->registers->pipeline;
   const uint32_t packet = dw[0] >> 16;

   if (packet >= STATE_SO_BUFFER_0 && packet <= STATE_SO_BUFFER_3 &&
       count_dw == SO_BUFFER_DW)
      set_target(decoder, packet - STATE_SO_BUFFER_0, dw);
   switch (packet) {
   case STATE_VF_TOPOLOGY:
      pipeline->topology = topology_of(dw[1] & 0x3f);
      pipeline->patch_vertices = (dw[1] & 0x3f) - FIRST_PATCH + 1;
      break;
   case STATE_HS:
      pipeline->has_tessellation = (dw[2] & 1u << 31) != 0;
      break;
   case STATE_GS:
      pipeline->has_geometry = (dw[7] & 1) != 0;
      pipeline->emitted_corners = corners_of(topology_of(dw[6] >> 17 & 0x3f));
      break;
   case STATE_CLIP:
      pipeline->is_rejected = (dw[2] >> 13 & 7) == CLIP_REJECT_ALL;
      break;
   case STATE_STREAMOUT:
      set_streamout(pipeline, dw);
      break;
   case STATE_SO_DECLS:
      pipeline->target_mask = dw[1] & 0xf;
      break;
   case STATE_SO_BUFFER:
      if (count_dw == SO_BUFFER_DW)
         set_target(decoder, dw[1] >> 29 & 3, dw);
      break;
   }
}

/* Hardware may write later, but before a wait for the draw ends. */
static void
keep_offsets(struct sim_engine *engine)
{
   const struct sim_pipeline *pipeline = &engine->registers->pipeline;

   for (unsigned i = 0; i < SIM_TARGET_COUNT; i++) {
      const struct sim_target *target = &pipeline->targets[i];

      if (pipeline->streams && target->is_on && target->offset_address != 0)
         sim_write_now(engine, target->offset_address, target->offset_B,
                       sizeof(uint32_t));
   }
}

/* The number of draws or dispatches that a packet takes from memory. */
static uint32_t
count_listed(struct gen_decoder *decoder, const uint32_t *dw)
{
   const uint32_t max = dw[1];
   const uint32_t count = (dw[2] & COUNT_IN_MEMORY) != 0
                             ? gen_read(decoder, sim_address(&dw[2]) & ~3ull)
                             : max;

   return count < max ? count : max;
}

static void
count_draw(struct gen_decoder *decoder, const uint32_t *dw)
{
   struct sim_engine *engine = decoder->engine;
   struct sim_registers *registers = engine->registers;
   const struct sim *sim = engine->sim;
   struct sim_work work = { .ticks = sim->draw.ticks };
   uint32_t vertices = dw[2], instances = dw[4];

   if (!sim->counts_commands) {
      sim_do_work(engine, &sim->draw);
      return;
   }
   if ((dw[0] & IS_INDIRECT) != 0) {
      vertices = (uint32_t)(registers->indirect_draw[0] >> 32);
      instances = (uint32_t)registers->indirect_draw[1];
   }
   sim_add_draw(sim, &registers->pipeline, vertices, instances, &work);
   keep_offsets(engine);
   sim_do_work(engine, &work);
}

void
gen_draw(struct gen_decoder *decoder, const uint32_t *dw)
{
   count_draw(decoder, dw);
   gen_copy(decoder);
}

/* A record in memory begins with the numbers of vertices and instances. */
void
gen_draw_indirect(struct gen_decoder *decoder, const uint32_t *dw)
{
   const bool is_indexed = (dw[0] >> 10 & 3) == FORMAT_INDEXED;
   const unsigned record_B = is_indexed ? 20 : 16;
   const uint32_t count = count_listed(decoder, dw);

   for (uint32_t i = 0; i < count; i++) {
      const uint64_t address = sim_address(&dw[4]) + i * record_B;
      const uint32_t draw[] = {
         0, 0, gen_read(decoder, address), 0, gen_read(decoder, address + 4),
      };

      count_draw(decoder, draw);
   }
}

/* All lanes of each thread, except for the last thread, which has a mask. */
static uint64_t
group_size(uint32_t threads, uint32_t simd, uint32_t mask)
{
   const uint32_t lanes = 8u << simd;

   if (threads == 0)
      return 0;
   if (lanes < 32)
      mask &= (1u << lanes) - 1;
   return (uint64_t)(threads - 1) * lanes +
          (unsigned)__builtin_popcount(mask);
}

static uint64_t
count_invocations(const struct gen_decoder *decoder, const uint32_t *dw,
                  bool is_walker)
{
   const uint64_t *indirect = decoder->engine->registers->indirect_groups;
   const uint32_t threads = dw[decoder->generation < GEN20 ? 23 : 24];
   uint64_t groups = is_walker ? (uint64_t)dw[7] * dw[8] * dw[9]
                               : (uint64_t)dw[7] * dw[10] * dw[12];

   if ((dw[0] & IS_INDIRECT) != 0)
      groups = (uint64_t)(uint32_t)indirect[0] * (indirect[0] >> 32) *
               (uint32_t)indirect[1];
   if (is_walker)
      return groups * group_size(threads & 0x3ff, dw[4] >> 30, dw[5]);
   return groups *
          group_size(((dw[4] & 0x3f) + 1) * ((dw[4] >> 8 & 0x3f) + 1) *
                        ((dw[4] >> 16 & 0x3f) + 1),
                     dw[4] >> 30, dw[13]);
}

void
gen_dispatch(struct gen_decoder *decoder, const uint32_t *dw)
{
   const bool is_walker = dw[0] >> 16 == COMPUTE_WALKER >> 16;
   struct sim_engine *engine = decoder->engine;
   const struct sim *sim = engine->sim;
   struct sim_work work = { .ticks = sim->dispatch.ticks };

   if (sim->counts_commands && is_walker && gen_length(dw[0]) < WALKER_DW)
      sim_violate(engine, "COMPUTE_WALKER", "is too short to be counted");
   else if (sim->counts_commands)
      work.statistics[SIM_CS_INVOCATIONS] =
         count_invocations(decoder, dw, is_walker);
   else
      work = sim->dispatch;
   sim_do_work(engine, &work);
}

void
gen_dispatch_indirect(struct gen_decoder *decoder, const uint32_t *dw)
{
   const unsigned count_dw = gen_length(dw[0]);
   uint32_t walker[MAX_INDIRECT_DW] = {
      COMPUTE_WALKER | (count_dw - INDIRECT_BODY_DW - 1),
   };
   const uint32_t count = count_listed(decoder, dw);

   if (count_dw > MAX_INDIRECT_DW)
      return;
   memcpy(&walker[1], &dw[INDIRECT_BODY_DW],
          (count_dw - INDIRECT_BODY_DW) * sizeof(*dw));
   for (uint32_t i = 0; i < count; i++) {
      const uint64_t address = sim_address(&dw[4]) + i * 12;

      for (unsigned k = 0; k < 3; k++)
         walker[WALKER_DIMENSIONS + k] = gen_read(decoder, address + 4 * k);
      gen_dispatch(decoder, walker);
   }
}
