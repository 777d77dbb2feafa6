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

/* From a generation on: of packets (CP_COHER_CNTL, from GFX10 on GCR_CNTL),
 * and of the event of a write at the end of the pipe.  GFX10 and GFX11 have
 * an L1 above L2 for both.
 */
static const struct {
   unsigned generation;
   struct action_bits packet, event;
} all_bits[] = {
   { GFX12,
     { 1u << 7, 1u << 8, 1u << 14, 1u << 15 },
     { 1u << 30, 1u << 14, 1u << 20, 1u << 21 } },
   { GFX10,
     { 1u << 7 | 1u << 9, 1u << 8 | 1u << 9, 1u << 14, 1u << 15 },
     { 1u << 30 | 1u << 15, 1u << 14 | 1u << 15, 1u << 20, 1u << 21 } },
   { 0,
     { 1u << 27, 1u << 22, 1u << 23, 1u << 18 },
     { UINT32_MAX, 1u << 16, 1u << 17, 1u << 15 } },
};

/* Up to GFX7, invalidating L2 also writes it back. */
static uint32_t
actions_of(const struct decoder *decoder, bool is_event, uint32_t value)
{
   unsigned i = 0;

   while (decoder->generation < all_bits[i].generation)
      i++;
   const struct action_bits *bits =
      is_event ? &all_bits[i].event : &all_bits[i].packet;
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
pm4_acquire_mem(struct decoder *decoder, const struct pm4_packet *packet)
{
   const unsigned control = decoder->generation < GFX10 ? 0 : 6;

   if (packet->body_dw > control)
      sim_caches_act(&decoder->engine->sim->kernel->caches,
                     actions_of(decoder, false, packet->body[control]));
}

uint32_t
pm4_release_actions(const struct decoder *decoder, uint32_t event)
{
   return SIM_FINISH_STORES | actions_of(decoder, true, event);
}
