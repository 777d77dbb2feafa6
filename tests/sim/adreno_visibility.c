/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The visibility stream of the binning pass: the draws that touch each tile.
 * "CP_INDIRECT_BUFFER will be skipped, and draws will early return from their
 * IB" (Mesa's register database), if both CP_SKIP_IB2_ENABLE_GLOBAL and
 * _LOCAL are set and no draw is left.  Only a draw finds that none is left:
 * Mesa's driver relies on its call to a clear before the first draw.
 */

#include "adreno.h"

static struct adreno_box
box_of(const struct adreno_decoder *decoder, uint32_t reg)
{
   const uint32_t *corners = &decoder->registers[reg];

   return (struct adreno_box){
      .left = corners[0] & 0xffff,
      .top = corners[0] >> 16,
      .right = (corners[1] & 0xffff) + 1,
      .bottom = (corners[1] >> 16) + 1,
   };
}

static struct adreno_box
intersect(struct adreno_box a, struct adreno_box b)
{
   return (struct adreno_box){
      .left = a.left > b.left ? a.left : b.left,
      .top = a.top > b.top ? a.top : b.top,
      .right = a.right < b.right ? a.right : b.right,
      .bottom = a.bottom < b.bottom ? a.bottom : b.bottom,
   };
}

uint64_t
adreno_area(struct adreno_box box)
{
   return box.left < box.right && box.top < box.bottom
             ? (uint64_t)(box.right - box.left) * (box.bottom - box.top)
             : 0;
}

struct adreno_box
adreno_draw_box(const struct adreno_decoder *decoder)
{
   return intersect(box_of(decoder, REG_SCREEN_SCISSOR),
                    box_of(decoder, REG_VIEWPORT_SCISSOR));
}

struct adreno_box
adreno_tile_box(const struct adreno_decoder *decoder)
{
   return intersect(adreno_draw_box(decoder),
                    box_of(decoder, REG_WINDOW_SCISSOR));
}

void
adreno_begin_pass(struct adreno_decoder *decoder)
{
   if (decoder->mode == ADRENO_BINNING)
      decoder->binned_count = 0;
   decoder->next_draw = 0;
   decoder->is_spent = false;
}

void
adreno_bin_draw(struct adreno_decoder *decoder)
{
   if (decoder->mode != ADRENO_BINNING)
      return;
   if (decoder->binned_count < ADRENO_MAX_BINNED)
      decoder->binned[decoder->binned_count] = adreno_draw_box(decoder);
   decoder->binned_count++;
}

/* Draws beyond ADRENO_MAX_BINNED may be visible. */
static bool
is_any_left(const struct adreno_decoder *decoder)
{
   const struct adreno_box tile = box_of(decoder, REG_WINDOW_SCISSOR);

   if (decoder->binned_count > ADRENO_MAX_BINNED)
      return true;
   for (unsigned i = decoder->next_draw; i < decoder->binned_count; i++) {
      if (adreno_area(intersect(decoder->binned[i], tile)) != 0)
         return true;
   }
   return false;
}

bool
adreno_returns_early(struct adreno_decoder *decoder)
{
   if (decoder->mode == ADRENO_TILE && !is_any_left(decoder))
      decoder->is_spent = true;
   decoder->next_draw++;
   return adreno_skips_calls(decoder);
}

bool
adreno_skips_calls(const struct adreno_decoder *decoder)
{
   return decoder->mode == ADRENO_TILE && decoder->is_spent &&
          decoder->skips_globally && decoder->skips_locally &&
          !decoder->ignores_visibility;
}

void
adreno_override_visibility(struct adreno_decoder *decoder,
                           const struct adreno_packet *packet)
{
   decoder->ignores_visibility = (packet->body[0] & 1) != 0;
}

void
adreno_skip_globally(struct adreno_decoder *decoder,
                     const struct adreno_packet *packet)
{
   decoder->skips_globally = (packet->body[0] & 1) != 0;
}

void
adreno_skip_locally(struct adreno_decoder *decoder,
                    const struct adreno_packet *packet)
{
   decoder->skips_locally = (packet->body[0] & 1) != 0;
}
