/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Copies between buffers, and fills of buffers, by the 2D engine, as one row
 * of a linear surface.  Images, with more rows, are not simulated.  A copy
 * happens as late as possible: at the next copy, or at a wait for an idle
 * GPU.
 */

#include "adreno.h"

#define OP_SCALE    3
#define SOLID_COLOR (1u << 7)

#define FORMAT_MASK     0xff
#define TILE_MODE_SHIFT 8
#define TILE_MODE_MASK  3
#define FRACTION_BITS   8
#define MAX_TEXEL_B     16

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
