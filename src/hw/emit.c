/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Commands in a command stream: emitted by the driver's own functions, or for
 * a driver that has none, encoded here.
 */

#include <string.h>

#include "hw_priv.h"

/* Writes the packets of commands.  Returns how many dwords they have. */
static unsigned
encode(const struct pitot_hw *hw, enum pitot_ring ring,
       const struct pitot_cs_command *commands, unsigned count,
       uint32_t dw[PITOT_HW_MAX_END_DW])
{
   struct pitot_hw_packets packets = {
      .gpu = hw->cs->gpu,
      .ring = ring,
      .next = dw,
      .scratch_address = hw->scratch ? hw->scratch->address : 0,
   };

   hw->family->encode(&packets, commands, count);
   assert(packets.next - dw <= PITOT_HW_MAX_END_DW);
   return (unsigned)(packets.next - dw);
}

static unsigned
encoded_size_dw(struct pitot_cs *cs, enum pitot_ring ring,
                const struct pitot_cs_command *commands, unsigned count)
{
   uint32_t dw[PITOT_HW_MAX_END_DW];

   return encode((struct pitot_hw *)cs->listener, ring, commands, count, dw);
}

static void
emit_encoded(struct pitot_cs *cs, enum pitot_ring ring,
             const struct pitot_cs_command *commands, unsigned count)
{
   const struct pitot_hw *hw = (struct pitot_hw *)cs->listener;
   uint32_t dw[PITOT_HW_MAX_END_DW];
   const unsigned size_dw = encode(hw, ring, commands, count, dw);
   uint32_t *room = cs->ops->reserve(cs, ring, size_dw);

   if (room)
      memcpy(room, dw, size_dw * sizeof(dw[0]));
   if (hw->scratch)
      cs->ops->use_buffer(cs, ring, hw->scratch);
}

static unsigned
no_size_dw(struct pitot_cs *cs, enum pitot_ring ring,
           const struct pitot_cs_command *commands, unsigned count)
{
   (void)cs, (void)ring, (void)commands, (void)count;
   return 0;
}

void
pitot_hw_emit_init(struct pitot_hw *hw)
{
   const struct pitot_cs_ops *ops = hw->cs->ops;

   hw->emit = ops->emit ? ops->emit : emit_encoded;
   hw->size_dw = ops->emit ? ops->size_dw : encoded_size_dw;
   if (!hw->size_dw)
      hw->size_dw = no_size_dw;
}
