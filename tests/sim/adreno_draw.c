/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Draws and dispatches, and what a draw counts in each pass.
 *
 * Positions are unknown: a draw's primitives are assumed to touch all tiles
 * in its scissor, with samples spread evenly.  So a primitive counts in the
 * binning pass and in each of these tiles, and a sample in one tile.
 */

#include "adreno.h"

#define MAX_DRAWS (1u << 20)

#define PRIM_TYPE_MASK  0x3f
#define PRIM_PATCHES0   0x1f
#define USE_VISIBILITY  (1u << 8)
#define GS_ENABLE       (1u << 16)
#define TESS_ENABLE     (1u << 17)
#define RASTER_DISCARD  (1u << 2)
#define COUNT_DISABLE   (1u << 0)
#define STREAM_ENABLE   0x78000
#define STREAM_MASK     7
#define STREAM_0        1
#define GS_OUTPUT_SHIFT 16

#define MULTI_OP_MASK       0xf
#define MULTI_NORMAL        2
#define MULTI_INDEXED       4
#define MULTI_COUNT         6
#define MULTI_COUNT_INDEXED 7

#define OP_SCALE    3
#define SOLID_COLOR (1u << 7)

#define FORMAT_MASK     0xff
#define TILE_MODE_SHIFT 8
#define TILE_MODE_MASK  3
#define FRACTION_BITS   8
#define MAX_TEXEL_B     16

static const enum sim_topology topologies[PRIM_TYPE_MASK + 1] = {
   [1] = SIM_POINTS,
   [2] = SIM_LINES,
   [3] = SIM_LINE_STRIP,
   [4] = SIM_TRIANGLES,
   [5] = SIM_TRIANGLE_FAN,
   [6] = SIM_TRIANGLE_STRIP,
   [7] = SIM_LINE_LOOP,
   [8] = SIM_RECTANGLES,
   [9] = SIM_POINTS,
   [10] = SIM_LINES_ADJACENT,
   [11] = SIM_LINE_STRIP_ADJACENT,
   [12] = SIM_TRIANGLES_ADJACENT,
   [13] = SIM_TRIANGLE_STRIP_ADJACENT,
};

/* Numbers the pixels tile by tile, so that rounding loses no sample. */
static uint64_t
samples_in_tile(const struct adreno_decoder *decoder, uint64_t samples)
{
   const struct adreno_box all = adreno_draw_box(decoder);
   const struct adreno_box tile = adreno_tile_box(decoder);
   const uint64_t area = adreno_area(all), tile_area = adreno_area(tile);

   if (tile_area == 0)
      return 0;
   const uint64_t before =
      (uint64_t)(tile.top - all.top) * (all.right - all.left) +
      (uint64_t)(tile.left - all.left) * (tile.bottom - tile.top);
   return samples * (before + tile_area) / area - samples * before / area;
}

/* Reduces a draw's counts to those of this pass. */
static void
reduce(const struct adreno_decoder *decoder, uint32_t initiator,
       struct sim_work *work)
{
   const bool culls =
      (initiator & USE_VISIBILITY) != 0 && !decoder->ignores_visibility;
   uint64_t *invocations = &work->statistics[SIM_PS_INVOCATIONS];

   if (decoder->mode == ADRENO_BINNING ||
       adreno_area(adreno_draw_box(decoder)) == 0)
      work->samples = *invocations = 0;
   if (decoder->mode == ADRENO_TILE) {
      work->samples = samples_in_tile(decoder, work->samples);
      *invocations = samples_in_tile(decoder, *invocations);
      if (culls && adreno_area(adreno_tile_box(decoder)) == 0)
         *work = (struct sim_work){ .ticks = work->ticks };
   }
   if ((decoder->registers[REG_RB_SAMPLE_COUNT_CONTROL] & COUNT_DISABLE) != 0)
      work->samples = 0;
}

static void
set_targets(struct adreno_decoder *decoder, struct sim_pipeline *pipeline)
{
   const uint32_t control = decoder->registers[REG_VPC_SO_STREAM_CNTL];

   pipeline->streams = (control & STREAM_ENABLE) != 0 &&
                       (decoder->registers[REG_VPC_SO_DISABLE] & 1) == 0;
   for (unsigned i = 0; i < SIM_TARGET_COUNT; i++) {
      const uint32_t *regs =
         &decoder->registers[REG_VPC_SO + i * VPC_SO_LENGTH];

      pipeline->target_mask |=
         (uint8_t)((control >> (3 * i) & STREAM_MASK) == STREAM_0) << i;
      pipeline->targets[i] = (struct sim_target){
         .is_on = (control >> (3 * i) & STREAM_MASK) != 0,
         .size_B = regs[VPC_SO_SIZE],
         .offset_B = regs[VPC_SO_OFFSET],
         .stride_B = regs[VPC_SO_STRIDE] * sizeof(uint32_t),
      };
   }
}

/* The clipper also counts discarded primitives. */
static struct sim_pipeline
pipeline_of(struct adreno_decoder *decoder, uint32_t initiator)
{
   static const unsigned corners[] = { 1, 2, 3, 3 };
   const unsigned type = initiator & PRIM_TYPE_MASK;
   const uint32_t output =
      decoder->registers[REG_PC_PRIMITIVE_CNTL_5] >> GS_OUTPUT_SHIFT;
   const uint32_t discard =
      decoder->registers[decoder->generation >= ADRENO_A7XX
                            ? REG_VPC_RASTER_CNTL_A7XX
                            : REG_PC_RASTER_CNTL];
   const bool is_patch = type > PRIM_PATCHES0;
   struct sim_pipeline pipeline = {
      .topology = is_patch ? SIM_PATCHES : topologies[type],
      .patch_vertices = is_patch ? type - PRIM_PATCHES0 : 0,
      .has_tessellation = (initiator & TESS_ENABLE) != 0,
      .has_geometry = (initiator & GS_ENABLE) != 0,
      .emitted_corners = corners[output & 3],
      .is_rejected = (discard & RASTER_DISCARD) != 0,
   };

   set_targets(decoder, &pipeline);
   return pipeline;
}

static void
add_draw(struct adreno_decoder *decoder, uint32_t initiator,
         uint32_t vertices, uint32_t instances, struct sim_work *work)
{
   struct sim_pipeline pipeline = pipeline_of(decoder, initiator);

   sim_add_draw(decoder->engine->sim, &pipeline, vertices, instances, work);
   for (unsigned i = 0; i < SIM_TARGET_COUNT; i++)
      adreno_set_register(decoder,
                          REG_VPC_SO + i * VPC_SO_LENGTH + VPC_SO_OFFSET,
                          (uint32_t)pipeline.targets[i].offset_B);
}

/* Applies state, then begins a draw. */
static struct sim_work
begin(struct adreno_decoder *decoder)
{
   const struct sim *sim = decoder->engine->sim;

   adreno_apply_groups(decoder);
   if (decoder->registers[REG_PC_SO_STREAM_CNTL] != 0 &&
       (decoder->registers[REG_VPC_SO_STREAM_CNTL] & STREAM_ENABLE) == 0)
      sim_violate(decoder->engine, "draw", "with streams that go nowhere");
   adreno_bin_draw(decoder);
   return sim->counts_commands ? (struct sim_work){ .ticks = sim->draw.ticks }
                               : sim->draw;
}

static void
end(struct adreno_decoder *decoder, uint32_t initiator, struct sim_work *work)
{
   reduce(decoder, initiator, work);
   sim_do_work(decoder->engine, work);
}

void
adreno_draw(struct adreno_decoder *decoder,
            const struct adreno_packet *packet)
{
   const uint32_t *body = packet->body;
   struct sim_work work = begin(decoder);

   if (decoder->engine->sim->counts_commands)
      add_draw(decoder, body[0], body[2], body[1], &work);
   end(decoder, body[0], &work);
}

/* On a7xx the size and the stride are in dwords. */
void
adreno_draw_auto(struct adreno_decoder *decoder,
                 const struct adreno_packet *packet)
{
   const uint32_t *body = packet->body;
   struct sim_work work = begin(decoder);
   uint32_t size =
      (uint32_t)sim_load(decoder->engine, sim_address(&body[2]), 4) - body[4];

   if (decoder->generation >= ADRENO_A7XX)
      size /= sizeof(uint32_t);
   if (decoder->engine->sim->counts_commands)
      add_draw(decoder, body[0], body[5] != 0 ? size / body[5] : 0, body[1],
               &work);
   end(decoder, body[0], &work);
}

/* Dwords of an indirect draw's packet that hold its operands. */
static const struct {
   unsigned address, counter, stride; /* counter: 0 if none */
} layouts[MULTI_OP_MASK + 1] = {
   [MULTI_NORMAL] = { 3, 0, 5 },
   [MULTI_INDEXED] = { 6, 0, 8 },
   [MULTI_COUNT] = { 3, 5, 7 },
   [MULTI_COUNT_INDEXED] = { 6, 8, 10 },
};

static uint32_t
draw_count(struct adreno_decoder *decoder, const uint32_t *body,
           unsigned counter)
{
   if (counter == 0)
      return body[2];
   const uint32_t counted =
      (uint32_t)sim_load(decoder->engine, sim_address(&body[counter]), 4);

   return counted < body[2] ? counted : body[2];
}

void
adreno_draw_indirect(struct adreno_decoder *decoder,
                     const struct adreno_packet *packet)
{
   struct sim_engine *engine = decoder->engine;
   const uint32_t *body = packet->body;
   const unsigned op = body[1] & MULTI_OP_MASK;
   struct sim_work work = begin(decoder);

   if (layouts[op].stride == 0 || packet->body_dw <= layouts[op].stride) {
      sim_violate(engine, "CP_DRAW_INDIRECT_MULTI", "of an unknown kind");
      return;
   }
   uint32_t count = draw_count(decoder, body, layouts[op].counter);
   if (count > MAX_DRAWS) {
      sim_violate(engine, "CP_DRAW_INDIRECT_MULTI", "too many draws");
      count = 0;
   }
   for (uint32_t i = 0; engine->sim->counts_commands && i < count; i++) {
      const uint64_t address = sim_address(&body[layouts[op].address]) +
                               (uint64_t)i * body[layouts[op].stride];
      const uint64_t operands = sim_load(engine, address, 4) |
                                sim_load(engine, address + 4, 4) << 32;

      add_draw(decoder, body[0], (uint32_t)operands,
               (uint32_t)(operands >> 32), &work);
   }
   end(decoder, body[0], &work);
}

/* A register has the size of a group. */
static void
dispatch(struct adreno_decoder *decoder, const uint32_t groups[3])
{
   struct sim_engine *engine = decoder->engine;
   const uint32_t size = decoder->registers[decoder->generation >= ADRENO_A7XX
                                               ? REG_HLSQ_CS_NDRANGE_A7XX
                                               : REG_HLSQ_CS_NDRANGE];
   const uint64_t threads = (uint64_t)((size >> 2 & 0x3ff) + 1) *
                            ((size >> 12 & 0x3ff) + 1) *
                            ((size >> 22 & 0x3ff) + 1);
   struct sim_work work = engine->sim->dispatch;

   if (engine->sim->counts_commands)
      work.statistics[SIM_CS_INVOCATIONS] =
         threads * groups[0] * groups[1] * groups[2];
   sim_do_work(engine, &work);
}

void
adreno_dispatch(struct adreno_decoder *decoder,
                const struct adreno_packet *packet)
{
   dispatch(decoder, &packet->body[1]);
}

void
adreno_dispatch_indirect(struct adreno_decoder *decoder,
                         const struct adreno_packet *packet)
{
   uint32_t groups[3] = { 0 };

   if (sim_read(decoder->engine, sim_address(&packet->body[1]), groups,
                sizeof(groups)))
      dispatch(decoder, groups);
}

/* Copies between buffers, and fills of buffers, by the 2D engine, as one row
 * of a linear surface.  Images, with more rows, are not simulated.  A copy
 * happens as late as possible: at the next copy, or at a wait for an idle
 * GPU.
 */

/* Formats that buffers have; 0 for those of images. */
static unsigned
texel_size(uint32_t info)
{
   switch (info & FORMAT_MASK) {
   case 0x03: /* 8_UNORM */
   case 0x05: /* 8_UINT */
      return 1;
   case 0x18: /* 16_UINT */
      return 2;
   case 0x4b: /* 32_UINT */
      return 4;
   case 0x68: /* 32_32_UINT */
      return 8;
   case 0x83: /* 32_32_32_32_UINT */
      return 16;
   default:
      return 0;
   }
}

static void
fill(struct adreno_decoder *decoder, uint64_t to, unsigned count,
     unsigned texel_B)
{
   const uint32_t *color = &decoder->registers[REG_RB_2D_SOLID];
   uint8_t texel[MAX_TEXEL_B] = { 0 };

   for (unsigned i = 0; i < texel_B; i++)
      texel[i] = (uint8_t)(color[i / sizeof(*color)] >> i % 4 * 8);
   for (unsigned i = 0; i < count; i++)
      sim_write_by(decoder->engine, SIM_NO_CACHE, to + (uint64_t)i * texel_B,
                   texel, texel_B);
}

void
adreno_blit(struct adreno_decoder *decoder,
            const struct adreno_packet *packet)
{
   const uint32_t *registers = decoder->registers;
   const uint32_t info = registers[REG_RB_2D_DST_INFO];
   const uint32_t begin = registers[REG_GRAS_2D_DST];
   const uint32_t end = registers[REG_GRAS_2D_DST + 1];
   const unsigned texel_B = texel_size(info);
   const unsigned source =
      decoder->generation >= ADRENO_A7XX ? REG_SP_2D_SRC_A7XX : REG_SP_2D_SRC;

   sim_copy_late(decoder->engine);
   if (packet->body[0] != OP_SCALE || texel_B == 0 || begin >> 16 != 0 ||
       end >> 16 != 0 || (info >> TILE_MODE_SHIFT & TILE_MODE_MASK) != 0)
      return;
   const unsigned count = (end & 0xffff) - (begin & 0xffff) + 1;
   const uint64_t to = adreno_address_register(decoder, REG_RB_2D_DST) +
                       (uint64_t)(begin & 0xffff) * texel_B;

   sim_note(decoder->engine, to, "copy");
   if ((registers[REG_GRAS_2D_BLIT_CNTL] & SOLID_COLOR) != 0) {
      fill(decoder, to, count, texel_B);
      return;
   }
   decoder->engine->copy = (struct sim_late_copy){
      .to = to,
      .from =
         adreno_address_register(decoder, source) +
         (uint64_t)(registers[REG_GRAS_2D_SRC] >> FRACTION_BITS) * texel_B,
      .size_B = (uint64_t)count * texel_B,
   };
}
