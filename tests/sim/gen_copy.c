/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Buffer copies on Intel GPUs, drawn by Mesa's blorp.  Both buffers are
 * linear surfaces without padding, and a rectangle over the whole target
 * takes each texel from the same coordinates of the source.  There is no
 * vertex shader: the vertex buffers have the rectangle and the coordinates.
 * A copy happens as late as possible, at the next copy or stall, after the
 * command streamer's writes until then.
 *
 * Other draws of this kind write to images, which are not simulated.
 */

#include <string.h>

#include "gen.h"

#define STATE_BASE_ADDRESS   0x6101
#define STATE_VERTEX_BUFFERS 0x7808
#define STATE_VS             0x7810
#define STATE_PS             0x7820
#define STATE_TABLE          0x782a
#define STATE_TABLE_POOL     0x7919

#define MODIFY_ENABLE   (1u << 0)
#define ADDRESS_BITS    (~UINT64_C(0xfff))
#define VERTEX_ENABLE   (1u << 0)
#define TABLE_256B      (1u << 10) /* Gen11, Gen12: in units of 8 bytes */
#define TABLE_256B_MASK (1u << 26)

#define VERTEX_BUFFER_DW 4
#define SURFACE_DW       10
#define TYPE_2D          1
#define HALF             0.5f

/* In the order of the binding table. */
enum { TARGET, SOURCE, SURFACE_COUNT };

struct surface {
   uint64_t address;
   uint32_t format;
   unsigned width, height;
   uint64_t size_B; /* 0: not a buffer */
};

/* The shader's inputs, after a header that it does not see: factor and offset
 * of x and y, and the source.  A copy's offset is half a texel, since the
 * shader rounds down.
 */
struct inputs {
   float header[4];
   float x_factor, x_offset, y_factor, y_offset;
   float inverse_size[2], layer, unused;
};

static void
set_vertex_buffers(struct sim_copy_state *state, const uint32_t *dw,
                   unsigned count_dw)
{
   for (unsigned i = 1; i + VERTEX_BUFFER_DW <= count_dw;
        i += VERTEX_BUFFER_DW) {
      const unsigned index = dw[i] >> 26;

      if (index >= SIM_COPY_INPUTS)
         continue;
      state->inputs[index] = sim_address(&dw[i + 1]);
      state->inputs_B[index] = dw[i + 3];
   }
}

/* Ignores packets that are too short for their state. */
void
gen_set_copy_state(struct gen_decoder *decoder, const uint32_t *dw)
{
   const unsigned count_dw = gen_length(dw[0]);
   struct sim_copy_state *state = &decoder->engine->registers->copy;

   switch (dw[0] >> 16) {
   case STATE_BASE_ADDRESS:
      if (count_dw >= 6 && (dw[4] & MODIFY_ENABLE) != 0)
         state->surfaces = sim_address(&dw[4]) & ADDRESS_BITS;
      break;
   case STATE_VERTEX_BUFFERS:
      set_vertex_buffers(state, dw, count_dw);
      break;
   case STATE_VS:
      if (count_dw >= 8)
         state->has_vertex_shader = (dw[7] & VERTEX_ENABLE) != 0;
      break;
   case STATE_PS:
      if (count_dw >= 4)
         state->surface_count = dw[3] >> 18 & 0xff;
      break;
   case STATE_TABLE:
      state->table = dw[1];
      break;
   case STATE_TABLE_POOL:
      if (count_dw >= 3)
         state->pool = sim_address(&dw[1]) & ADDRESS_BITS;
      break;
   }
}

void
gen_set_table_mode(struct gen_decoder *decoder, uint32_t mode)
{
   struct sim_copy_state *state = &decoder->engine->registers->copy;

   if ((mode & TABLE_256B_MASK) != 0)
      state->table_shift = (mode & TABLE_256B) != 0 ? 3 : 0;
}

/* Returns the texel size of a format that keeps all bits, or 0. */
static unsigned
texel_size(uint32_t format)
{
   switch (format) {
   case 2: /* R32G32B32A32_UINT */
      return 16;
   case 128: /* R16G16B16A16_UNORM */
   case 131: /* R16G16B16A16_UINT */
   case 135: /* R32G32_UINT */
      return 8;
   case 199: /* R8G8B8A8_UNORM */
   case 203: /* R8G8B8A8_UINT */
   case 215: /* R32_UINT */
      return 4;
   case 265: /* R8G8_UINT */
   case 269: /* R16_UINT */
      return 2;
   case 323: /* R8_UINT */
      return 1;
   default:
      return 0;
   }
}

/* Checks all that a plain buffer's surface must not have. */
static bool
is_plain(const uint32_t *dw)
{
   return dw[0] >> 29 == TYPE_2D && (dw[0] >> 12 & 3) == 0 &&
          dw[3] >> 21 == 0 && (dw[4] & 0x3ffc0038) == 0 &&
          (dw[5] & 0xfee000ff) == 0 && (dw[6] & 7) == 0;
}

static struct surface
read_surface(struct sim_engine *engine, unsigned index)
{
   const struct sim_copy_state *state = &engine->registers->copy;
   const uint64_t table = (state->pool != 0 ? state->pool : state->surfaces) +
                          ((uint64_t)state->table << state->table_shift);
   uint32_t offset_B, dw[SURFACE_DW];
   struct surface surface = { 0 };

   if (!sim_read(engine, table + index * sizeof(offset_B), &offset_B,
                 sizeof(offset_B)) ||
       !sim_read(engine, state->surfaces + offset_B, dw, sizeof(dw)))
      return surface;
   surface.address = sim_address(&dw[8]);
   surface.format = dw[0] >> 18 & 0x1ff;
   surface.width = (dw[2] & 0x3fff) + 1;
   surface.height = (dw[2] >> 16 & 0x3fff) + 1;

   const uint64_t row_B =
      (uint64_t)surface.width * texel_size(surface.format);
   if (is_plain(dw) && row_B == (dw[3] & 0x3ffff) + UINT64_C(1))
      surface.size_B = row_B * surface.height;
   return surface;
}

/* Whether the rectangle covers the surface, with equal coordinates. */
static bool
is_all(struct sim_engine *engine, const struct surface *surface)
{
   const struct sim_copy_state *state = &engine->registers->copy;
   const float width = (float)surface->width;
   const float height = (float)surface->height;
   const float expected[3][3] = { { width, height }, { 0, height }, { 0 } };
   float corners[3][3];
   struct inputs inputs;

   return state->inputs_B[0] == sizeof(corners) &&
          state->inputs_B[1] >= sizeof(inputs) && /* more since 26 */
          sim_read_by(engine, SIM_VERTICES, state->inputs[0], corners,
                      sizeof(corners)) &&
          memcmp(corners, expected, sizeof(corners)) == 0 &&
          sim_read_by(engine, SIM_VERTICES, state->inputs[1], &inputs,
                      sizeof(inputs)) &&
          inputs.x_factor == 1 && inputs.x_offset == HALF &&
          inputs.y_factor == 1 && inputs.y_offset == HALF &&
          inputs.layer == 0;
}

void
gen_copy(struct gen_decoder *decoder)
{
   struct sim_engine *engine = decoder->engine;
   const struct sim_registers *registers = engine->registers;

   if (registers->pipeline.topology != SIM_RECTANGLES ||
       registers->copy.has_vertex_shader ||
       registers->copy.surface_count != SURFACE_COUNT)
      return;

   const struct surface to = read_surface(engine, TARGET);
   const struct surface from = read_surface(engine, SOURCE);
   if (to.size_B == 0 || from.size_B == 0)
      return;
   if (to.format != from.format || to.width != from.width ||
       to.height != from.height || !is_all(engine, &to)) {
      sim_violate(engine, "3DPRIMITIVE",
                  "draws from one buffer into another, but no plain copy");
      return;
   }
   sim_copy_late(engine);
   engine->copy = (struct sim_late_copy){
      .to = to.address,
      .from = from.address,
      .size_B = to.size_B,
   };
}
