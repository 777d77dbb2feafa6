/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Packets that flush and invalidate Intel's caches. */

#include "gen.h"

#define GEN12 120

/* PIPE_CONTROL. */
#define VERTEX_INVALIDATE  (1u << 4)
#define TEXTURE_INVALIDATE (1u << 10)
#define COLOR_FLUSH        (1u << 12)
#define CS_STALL           (1u << 20)
#define TILE_FLUSH         (1u << 28)

/* A flush completes when the command streamer waits for it; caches are
 * invalidated when the packet is read.  From Gen20 on there is no tile flush:
 * a color flush reaches memory.
 */
void
gen_control_caches(struct gen_decoder *decoder, uint32_t flags)
{
   struct sim_caches *caches = &decoder->engine->sim->kernel->caches;
   uint32_t actions = 0;

   if ((flags & VERTEX_INVALIDATE) != 0)
      actions |= SIM_INVALIDATE_VERTICES;
   if ((flags & TEXTURE_INVALIDATE) != 0)
      actions |= SIM_INVALIDATE_TEXTURES;
   if ((flags & COLOR_FLUSH) != 0)
      decoder->flushes |= SIM_FLUSH_COLORS;
   if ((flags & (decoder->generation < GEN20 ? TILE_FLUSH : COLOR_FLUSH)) !=
          0 &&
       decoder->generation >= GEN12)
      decoder->flushes |= SIM_FLUSH_TILES;

   sim_caches_act(caches, actions);
   if ((flags & CS_STALL) == 0)
      return;
   sim_retire(decoder->engine);
   sim_caches_act(caches, decoder->flushes);
   decoder->flushes = 0;
}
