/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Registers and other state that counters and later work depend on. */

#include "pm4.h"

#define FIRST_CONTEXT 0x28000

#define VGT_PRIMITIVE_TYPE_GFX6      0x8958
#define COMPUTE_NUM_THREAD_X         0xb81c
#define COMPUTE_NUM_THREAD_Z         0xb824
#define COMPUTE_PGM_LO               0xb830
#define COMPUTE_PGM_HI               0xb834
#define COMPUTE_PGM_RSRC2            0xb84c
#define COMPUTE_USER_DATA_0          0xb900
#define COMPUTE_USER_DATA_15         0xb93c
#define DB_COUNT_CONTROL             0x28004
#define DB_COUNT_CONTROL_GFX12       0x28060
#define PA_CL_CLIP_CNTL              0x28810
#define VGT_GS_OUT_PRIM_TYPE         0x28a6c
#define VGT_SHADER_STAGES_EN_GFX12   0x28a98
#define VGT_STRMOUT_BUFFER_SIZE_0    0x28ad0
#define VGT_STRMOUT_BUFFER_END       0x28b10
#define VGT_STRMOUT_OPAQUE_FILLED    0x28b2c
#define VGT_STRMOUT_OPAQUE_STRIDE    0x28b30
#define VGT_SHADER_STAGES_EN         0x28b54
#define VGT_LS_HS_CONFIG             0x28b58
#define VGT_STRMOUT_CONFIG           0x28b94
#define VGT_STRMOUT_BUFFER_CONFIG    0x28b98
#define VGT_PRIMITIVE_TYPE           0x30908
#define VGT_GS_OUT_PRIM_TYPE_UCONFIG 0x30998

#define COUNT_INCREMENT_DISABLE (1u << 0)
#define COUNT_ZPASS_ENABLE      (1u << 8)

#define HS_EN              (1u << 2)
#define GS_EN              (1u << 5)
#define RASTERIZATION_KILL (1u << 22)

#define STORE_FILLED_SIZE  (1u << 0)
#define OFFSET_FROM_PACKET 0
#define OFFSET_FROM_MEMORY 2

#define BASE_OF_INDIRECT 1

static void
write_count_control(struct decoder *decoder, uint32_t value)
{
   decoder->engine->sim->kernel->counts_samples =
      decoder->generation < GFX7 ? (value & COUNT_INCREMENT_DISABLE) == 0
                                 : (value & COUNT_ZPASS_ENABLE) != 0;
}

static enum sim_topology
topology_of(uint32_t code)
{
   static const enum sim_topology topologies[] = {
      [1] = SIM_POINTS,
      [2] = SIM_LINES,
      [3] = SIM_LINE_STRIP,
      [4] = SIM_TRIANGLES,
      [5] = SIM_TRIANGLE_FAN,
      [6] = SIM_TRIANGLE_STRIP,
      [9] = SIM_PATCHES,
      [10] = SIM_LINES_ADJACENT,
      [11] = SIM_LINE_STRIP_ADJACENT,
      [12] = SIM_TRIANGLES_ADJACENT,
      [13] = SIM_TRIANGLE_STRIP_ADJACENT,
      [17] = SIM_RECTANGLES,
      [18] = SIM_LINE_LOOP,
      [19] = SIM_QUADS,
      [20] = SIM_QUAD_STRIP,
      [21] = SIM_POLYGON,
   };

   return code < sizeof(topologies) / sizeof(topologies[0]) ? topologies[code]
                                                            : SIM_NO_TOPOLOGY;
}

/* A target has a size, a stride in dwords, and two other registers. */
static void
set_target(struct sim_pipeline *pipeline, uint32_t reg, uint32_t value)
{
   struct sim_target *target =
      &pipeline->targets[(reg - VGT_STRMOUT_BUFFER_SIZE_0) / 16];

   target->is_on = true;
   switch (reg % 16) {
   case 0:
      target->size_B = value * UINT64_C(4);
      break;
   case 4:
      target->stride_B = value * 4;
      break;
   }
}

static void
set_pipeline(struct sim_pipeline *pipeline, uint32_t reg, uint32_t value)
{
   switch (reg) {
   case VGT_PRIMITIVE_TYPE_GFX6:
   case VGT_PRIMITIVE_TYPE:
      pipeline->topology = topology_of(value & 0x3f);
      break;
   case VGT_GS_OUT_PRIM_TYPE:
   case VGT_GS_OUT_PRIM_TYPE_UCONFIG:
      pipeline->emitted_corners = (value & 0x3f) < 2 ? (value & 0x3f) + 1 : 3;
      break;
   case VGT_SHADER_STAGES_EN:
      pipeline->has_tessellation = (value & HS_EN) != 0;
      pipeline->has_geometry = (value & GS_EN) != 0;
      break;
   case VGT_LS_HS_CONFIG:
      pipeline->patch_vertices = value >> 8 & 0x3f;
      break;
   case PA_CL_CLIP_CNTL:
      pipeline->is_rejected = (value & RASTERIZATION_KILL) != 0;
      break;
   case VGT_STRMOUT_CONFIG:
      pipeline->streams = (value & 1) != 0;
      break;
   case VGT_STRMOUT_BUFFER_CONFIG:
      pipeline->target_mask = value & 0xf;
      break;
   case VGT_STRMOUT_OPAQUE_FILLED:
      pipeline->opaque_B = value;
      break;
   case VGT_STRMOUT_OPAQUE_STRIDE:
      pipeline->opaque_stride_B = value;
      break;
   }
}

/* Code is aligned to 256 bytes. */
static void
set_shader(struct sim_shader *shader, uint32_t reg, uint32_t value)
{
   const uint64_t high = UINT64_C(0xff) << 40;

   if (reg == COMPUTE_PGM_LO)
      shader->address = (shader->address & high) | (uint64_t)value << 8;
   else if (reg == COMPUTE_PGM_HI)
      shader->address =
         (shader->address & ~high) | ((uint64_t)value << 40 & high);
   else if (reg == COMPUTE_PGM_RSRC2)
      shader->resources = value;
   else if (reg >= COMPUTE_USER_DATA_0 && reg <= COMPUTE_USER_DATA_15)
      shader->user[(reg - COMPUTE_USER_DATA_0) / 4] = value;
}

/* Returns a GFX12 register's earlier number, or 0 if it is new there. */
static uint32_t
number_before_gfx12(uint32_t reg)
{
   switch (reg) {
   case DB_COUNT_CONTROL_GFX12:
      return DB_COUNT_CONTROL;
   case VGT_SHADER_STAGES_EN_GFX12:
      return VGT_SHADER_STAGES_EN;
   case DB_COUNT_CONTROL:
   case VGT_GS_OUT_PRIM_TYPE:
   case VGT_SHADER_STAGES_EN:
   case VGT_LS_HS_CONFIG:
   case VGT_STRMOUT_CONFIG:
   case VGT_STRMOUT_BUFFER_CONFIG:
      return 0;
   default:
      return reg >= VGT_STRMOUT_BUFFER_SIZE_0 && reg < VGT_STRMOUT_BUFFER_END
                ? 0
                : reg;
   }
}

void
pm4_set_register(struct decoder *decoder, uint32_t reg, uint32_t value)
{
   struct sim_pipeline *pipeline = &decoder->engine->registers->pipeline;

   if (decoder->generation >= GFX12) {
      reg = number_before_gfx12(reg);
      if (reg == VGT_PRIMITIVE_TYPE)
         pipeline->patch_vertices = value >> 6 & 0x3f;
   }
   if (reg == DB_COUNT_CONTROL) {
      sim_note(decoder->engine, 0, "count control 0x%x", value);
      write_count_control(decoder, value);
   } else if (reg >= COMPUTE_NUM_THREAD_X && reg <= COMPUTE_NUM_THREAD_Z) {
      pipeline->threads[(reg - COMPUTE_NUM_THREAD_X) / 4] = value;
   } else if (reg >= VGT_STRMOUT_BUFFER_SIZE_0 &&
              reg < VGT_STRMOUT_BUFFER_END) {
      set_target(pipeline, reg, value);
   } else {
      set_pipeline(pipeline, reg, value);
      set_shader(&decoder->engine->registers->shader, reg, value);
   }
}

/* Drivers rely on these being 0.  Other registers and targets stay. */
void
pm4_clear_state(struct decoder *decoder, const struct pm4_packet *packet)
{
   static const uint32_t registers[] = {
      DB_COUNT_CONTROL,          VGT_GS_OUT_PRIM_TYPE, VGT_SHADER_STAGES_EN,
      VGT_LS_HS_CONFIG,          PA_CL_CLIP_CNTL,      VGT_STRMOUT_CONFIG,
      VGT_STRMOUT_BUFFER_CONFIG,
   };
   (void)packet;

   for (unsigned i = 0; i < sizeof(registers) / sizeof(registers[0]); i++)
      pm4_set_register(decoder, registers[i], 0);
}

static void
set_one(struct decoder *decoder, uint32_t first, uint32_t number,
        uint32_t value)
{
   pm4_shadow(decoder, first, number & 0xffff, value);
   pm4_set_register(decoder, first + (number & 0xffff) * 4, value);
}

static const struct {
   enum pm4_op op;
   uint32_t first; /* register offset base */
   enum {
      SEQUENCE,
      PAIRS,       /* number and value */
      PACKED_PAIRS /* two numbers, two values */
   } layout;
} setters[] = {
   { OP_SET_CONFIG_REG, 0x8000, SEQUENCE },
   { OP_SET_SH_REG, 0xb000, SEQUENCE },
   { OP_SET_SH_REG_INDEX, 0xb000, SEQUENCE },
   { OP_SET_SH_REG_PAIRS, 0xb000, PAIRS },
   { OP_SET_SH_REG_PAIRS_PACKED, 0xb000, PACKED_PAIRS },
   { OP_SET_SH_REG_PAIRS_PACKED_N, 0xb000, PACKED_PAIRS },
   { OP_SET_CONTEXT_REG, FIRST_CONTEXT, SEQUENCE },
   { OP_SET_CONTEXT_REG_PAIRS, FIRST_CONTEXT, PAIRS },
   { OP_SET_CONTEXT_REG_PAIRS_PACKED, FIRST_CONTEXT, PACKED_PAIRS },
   { OP_SET_UCONFIG_REG, 0x30000, SEQUENCE },
   { OP_SET_UCONFIG_REG_INDEX, 0x30000, SEQUENCE },
   { OP_SET_UCONFIG_REG_PAIRS, 0x30000, PAIRS },
};

#define SETTER_COUNT (sizeof(setters) / sizeof(setters[0]))

/* Other packets do nothing. */
void
pm4_set_registers(struct decoder *decoder, const struct pm4_packet *packet)
{
   const uint32_t *body = packet->body;
   unsigned i = 0;

   while (i < SETTER_COUNT && setters[i].op != packet->op)
      i++;
   if (i == SETTER_COUNT)
      return;
   const uint32_t first = setters[i].first;
   switch (setters[i].layout) {
   case SEQUENCE:
      for (unsigned k = 1; k < packet->body_dw; k++)
         set_one(decoder, first, (body[0] & 0xffff) + k - 1, body[k]);
      break;
   case PAIRS:
      for (unsigned k = 0; k + 1 < packet->body_dw; k += 2)
         set_one(decoder, first, body[k], body[k + 1]);
      break;
   case PACKED_PAIRS:
      for (unsigned k = 1; k + 2 < packet->body_dw; k += 3) {
         set_one(decoder, first, body[k], body[k + 1]);
         set_one(decoder, first, body[k] >> 16, body[k + 2]);
      }
   }
}

void
pm4_load_context_reg(struct decoder *decoder, const struct pm4_packet *packet)
{
   const uint32_t *body = packet->body;

   set_one(decoder, FIRST_CONTEXT, body[2],
           (uint32_t)sim_load(decoder->engine, sim_address(body), 4));
}

void
pm4_num_instances(struct decoder *decoder, const struct pm4_packet *packet)
{
   decoder->engine->registers->pipeline.instances = packet->body[0];
}

void
pm4_set_base(struct decoder *decoder, const struct pm4_packet *packet)
{
   if (packet->body[0] == BASE_OF_INDIRECT)
      decoder->engine->registers->pipeline.indirect_address =
         sim_address(&packet->body[1]);
}

/* Stores a target's bytes, and sets its offset: a packet's is in dwords. */
void
pm4_strmout_buffer_update(struct decoder *decoder,
                          const struct pm4_packet *packet)
{
   struct sim_engine *engine = decoder->engine;
   const uint32_t *body = packet->body;
   struct sim_target *target =
      &engine->registers->pipeline.targets[body[0] >> 8 & 3];

   if ((body[0] & STORE_FILLED_SIZE) != 0)
      sim_write_now(engine, sim_address(&body[1]), target->offset_B,
                    sizeof(uint32_t));
   switch (body[0] >> 1 & 3) {
   case OFFSET_FROM_PACKET:
      target->offset_B = body[3] * UINT64_C(4);
      break;
   case OFFSET_FROM_MEMORY:
      target->offset_B = sim_load(engine, sim_address(&body[3]), 4);
      break;
   }
}
