/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Packets that write back and invalidate AMD's caches. */

#include "pm4.h"

/* The first bits of a set of actions, by kind of packet and GPU. */
struct action_bits {
   uint32_t scalars, vectors; /* all bits are needed */
   uint32_t invalidate, write;
};

/* CP_COHER_CNTL, up to GFX9. */
static const struct action_bits coher_bits = {
   .scalars = 1u << 27,
   .vectors = 1u << 22,
   .invalidate = 1u << 23,
   .write = 1u << 18,
};

/* GCR_CNTL, from GFX10 on, with an L1 above L2 for both until GFX11. */
static const struct action_bits gcr_bits = {
   .scalars = 1u << 7 | 1u << 9,
   .vectors = 1u << 8 | 1u << 9,
   .invalidate = 1u << 14,
   .write = 1u << 15,
};

static const struct action_bits gcr_bits_gfx12 = {
   .scalars = 1u << 7,
   .vectors = 1u << 8,
   .invalidate = 1u << 14,
   .write = 1u << 15,
};

/* The event of a write at the end of the pipe: up to GFX9, GFX10, GFX12. */
static const struct action_bits event_bits = {
   .scalars = UINT32_MAX,
   .vectors = 1u << 16,
   .invalidate = 1u << 17,
   .write = 1u << 15,
};

static const struct action_bits event_bits_gfx10 = {
   .scalars = 1u << 30 | 1u << 15,
   .vectors = 1u << 14 | 1u << 15,
   .invalidate = 1u << 20,
   .write = 1u << 21,
};

static const struct action_bits event_bits_gfx12 = {
   .scalars = 1u << 30,
   .vectors = 1u << 14,
   .invalidate = 1u << 20,
   .write = 1u << 21,
};

/* Up to GFX7, invalidating L2 also writes it back. */
static uint32_t
actions_of(const struct decoder *decoder, const struct action_bits *bits,
           uint32_t value)
{
   const bool invalidates = (value & bits->invalidate) != 0;
   uint32_t actions = 0;

   if ((value & bits->scalars) == bits->scalars)
      actions |= SIM_INVALIDATE_SCALARS;
   if ((value & bits->vectors) == bits->vectors)
      actions |= SIM_INVALIDATE_VECTORS;
   if (invalidates)
      actions |= SIM_INVALIDATE_L2;
   if ((value & bits->write) != 0 ||
       (invalidates && decoder->generation < GFX8))
      actions |= SIM_WRITE_L2;
   return actions;
}

void
pm4_surface_sync(struct decoder *decoder, const struct pm4_packet *packet)
{
   sim_caches_act(&decoder->engine->sim->kernel->caches,
                  actions_of(decoder, &coher_bits, packet->body[0]));
}

void
pm4_acquire_mem(struct decoder *decoder, const struct pm4_packet *packet)
{
   if (decoder->generation < GFX10)
      pm4_surface_sync(decoder, packet);
   else if (packet->body_dw >= 7)
      sim_caches_act(&decoder->engine->sim->kernel->caches,
                     actions_of(decoder,
                                decoder->generation < GFX12 ? &gcr_bits
                                                            : &gcr_bits_gfx12,
                                packet->body[6]));
}

uint32_t
pm4_release_actions(const struct decoder *decoder, uint32_t event)
{
   const struct action_bits *bits = decoder->generation < GFX10 ? &event_bits
                                    : decoder->generation < GFX12
                                       ? &event_bits_gfx10
                                       : &event_bits_gfx12;

   return SIM_FINISH_STORES | actions_of(decoder, bits, event);
}
