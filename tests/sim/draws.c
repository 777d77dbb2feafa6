/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Draws and dispatches for a simulated GPU, and the counts of draws. */

#include <string.h>

#include "engine.h"

/* Vertices of the first primitive and of each further one, and corners. */
struct shape {
   unsigned first, more, corners;
};

static const struct shape shapes[SIM_TOPOLOGY_COUNT] = {
   [SIM_POINTS] = { 1, 1, 1 },
   [SIM_LINES] = { 2, 2, 2 },
   [SIM_LINE_STRIP] = { 2, 1, 2 },
   [SIM_LINE_LOOP] = { 2, 1, 2 },
   [SIM_TRIANGLES] = { 3, 3, 3 },
   [SIM_TRIANGLE_STRIP] = { 3, 1, 3 },
   [SIM_TRIANGLE_FAN] = { 3, 1, 3 },
   [SIM_QUADS] = { 4, 4, 4 },
   [SIM_QUAD_STRIP] = { 4, 2, 4 },
   [SIM_POLYGON] = { 3, UINT32_MAX, 3 },
   [SIM_RECTANGLES] = { 3, 3, 3 },
   [SIM_LINES_ADJACENT] = { 4, 4, 2 },
   [SIM_LINE_STRIP_ADJACENT] = { 4, 1, 2 },
   [SIM_TRIANGLES_ADJACENT] = { 6, 6, 3 },
   [SIM_TRIANGLE_STRIP_ADJACENT] = { 6, 2, 3 },
};

/* A patch is assumed to be tessellated into triangles. */
static struct shape
shape_of(const struct sim_pipeline *pipeline)
{
   const unsigned vertices = pipeline->patch_vertices;

   return pipeline->topology == SIM_PATCHES
             ? (struct shape){ vertices, vertices, 3 }
             : shapes[pipeline->topology];
}

static uint64_t
count_primitives(const struct sim_pipeline *pipeline, uint32_t vertices)
{
   const struct shape shape = shape_of(pipeline);
   const bool is_closed = pipeline->topology == SIM_LINE_LOOP;

   if (shape.first == 0 || vertices < shape.first)
      return 0;
   return (vertices - shape.first) / shape.more + 1 + is_closed;
}

/* Returns how many whole primitives fit into all targets. */
static uint64_t
write_targets(struct sim_pipeline *pipeline, uint64_t primitives,
              unsigned corners)
{
   bool is_any_on = false;

   for (unsigned i = 0; i < SIM_TARGET_COUNT; i++) {
      const struct sim_target *target = &pipeline->targets[i];
      const uint64_t each_B = (uint64_t)target->stride_B * corners;

      if ((pipeline->target_mask >> i & 1) == 0 || !target->is_on)
         continue;
      is_any_on = true;
      const uint64_t room_B = target->size_B > target->offset_B
                                 ? target->size_B - target->offset_B
                                 : 0;
      if (each_B > 0 && room_B / each_B < primitives)
         primitives = room_B / each_B;
   }
   for (unsigned i = 0; i < SIM_TARGET_COUNT; i++) {
      struct sim_target *target = &pipeline->targets[i];

      if ((pipeline->target_mask >> i & 1) != 0 && target->is_on)
         target->offset_B += primitives * corners * target->stride_B;
   }
   return is_any_on ? primitives : 0;
}

/* Counts the output of the last vertex stage. */
static void
add_primitives(const struct sim *sim, struct sim_pipeline *pipeline,
               uint64_t primitives, unsigned corners, struct sim_work *work)
{
   const uint64_t samples = primitives * sim->draw.samples;

   if (pipeline->streams) {
      work->streamout[0][SIM_NEEDED] += primitives;
      work->streamout[0][SIM_WRITTEN] +=
         write_targets(pipeline, primitives, corners);
   }
   if (pipeline->is_dropped)
      return;
   work->statistics[SIM_C_INVOCATIONS] += primitives;
   if (pipeline->is_rejected)
      return;
   work->statistics[SIM_C_PRIMITIVES] += primitives;
   work->statistics[SIM_PS_INVOCATIONS] += samples;
   work->samples += samples;
}

void
sim_add_draw(const struct sim *sim, struct sim_pipeline *pipeline,
             uint32_t vertices, uint32_t instances, struct sim_work *work)
{
   const uint64_t all_vertices = (uint64_t)vertices * instances;
   uint64_t primitives = count_primitives(pipeline, vertices) * instances;
   unsigned corners = shape_of(pipeline).corners;

   work->statistics[SIM_IA_VERTICES] += all_vertices;
   work->statistics[SIM_IA_PRIMITIVES] += primitives;
   work->statistics[SIM_VS_INVOCATIONS] += all_vertices;
   if (pipeline->has_tessellation) {
      work->statistics[SIM_HS_INVOCATIONS] += primitives;
      work->statistics[SIM_DS_INVOCATIONS] +=
         primitives * sim->draw.statistics[SIM_DS_INVOCATIONS];
   }
   if (pipeline->has_geometry) {
      work->statistics[SIM_GS_INVOCATIONS] += primitives;
      primitives *= sim->draw.statistics[SIM_GS_PRIMITIVES];
      work->statistics[SIM_GS_PRIMITIVES] += primitives;
      corners = pipeline->emitted_corners;
   }
   add_primitives(sim, pipeline, primitives, corners, work);
}

/* Work, as commands and as constants */

/* Writes a header and zeros.  Returns the length. */
static unsigned
write_command(uint32_t *commands, uint32_t header, unsigned length_dw)
{
   memset(commands, 0, length_dw * sizeof(*commands));
   commands[0] = header;
   return length_dw;
}

unsigned
sim_draw(const struct sim *sim, uint32_t *commands)
{
   if (sim->gpu.is_adreno)
      return write_command(commands, 0x70388003, 4); /* DRAW_INDX_OFFSET */
   if (sim->gpu.is_intel)
      return write_command(commands, 0x7b000005, 7); /* 3DPRIMITIVE */
   return write_command(commands, 0xc0012d00, 3);    /* DRAW_INDEX_AUTO */
}

unsigned
sim_dispatch(const struct sim *sim, uint32_t *commands)
{
   if (sim->gpu.is_adreno)
      return write_command(commands, 0x70b30004, 5); /* EXEC_CS */
   if (!sim->gpu.is_intel)
      return write_command(commands, 0xc0031500, 5); /* DISPATCH_DIRECT */
   if (sim->gpu.facts.generation >= GEN12_5)
      return write_command(commands, 0x7208000d, 15); /* COMPUTE_WALKER */
   return write_command(commands, 0x7105000d, 15);    /* GPGPU_WALKER */
}

void
sim_count_draws(struct sim *sim)
{
   sim->counts_commands = false;
   sim->draw = (struct sim_work){
      .statistics = {
         [SIM_IA_VERTICES] = 3,
         [SIM_IA_PRIMITIVES] = 1,
         [SIM_VS_INVOCATIONS] = 3,
         [SIM_C_INVOCATIONS] = 1,
         [SIM_C_PRIMITIVES] = 1,
         [SIM_PS_INVOCATIONS] = 64,
      },
      .samples = 64,
      .streamout[0] = { [SIM_NEEDED] = 1, [SIM_WRITTEN] = 1 },
      .ticks = 1000,
   };
   sim->dispatch = (struct sim_work){
      .statistics[SIM_CS_INVOCATIONS] = 32,
      .ticks = 1000,
   };
}

void
sim_count_commands(struct sim *sim)
{
   sim->counts_commands = true;
   sim->draw = (struct sim_work){
      .statistics = {
         [SIM_GS_PRIMITIVES] = 1,
         [SIM_DS_INVOCATIONS] = 1,
      },
      .samples = 1,
      .ticks = 100,
   };
   sim->dispatch = (struct sim_work){ .ticks = 100 };
}
