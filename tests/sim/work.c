/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Work for a simulated GPU to count.
 */

#include <string.h>

#include "sim.h"

#define GEN12_5 125

/* Commands that draw and compute, with nothing but zeroes in them. */
struct command {
   uint32_t header;
   unsigned length_dw;
};

static unsigned
write_command(const struct command *command, uint32_t *commands)
{
   memset(commands, 0, command->length_dw * sizeof(*commands));
   commands[0] = command->header;
   return command->length_dw;
}

static bool
is_intel(const struct sim *sim)
{
   return sim->gpu.facts.vendor == PITOT_VENDOR_INTEL;
}

unsigned
sim_draw(const struct sim *sim, uint32_t *commands)
{
   static const struct command primitive = { 0x7b000005, 7 };
   static const struct command draw_index_auto = { 0xc0012d00, 3 };

   return write_command(is_intel(sim) ? &primitive : &draw_index_auto,
                        commands);
}

unsigned
sim_dispatch(const struct sim *sim, uint32_t *commands)
{
   static const struct command gpgpu_walker = { 0x7105000d, 15 };
   static const struct command compute_walker = { 0x7208000d, 15 };
   static const struct command dispatch_direct = { 0xc0031500, 5 };

   if (!is_intel(sim))
      return write_command(&dispatch_direct, commands);
   return write_command(sim->gpu.facts.generation >= GEN12_5 ? &compute_walker
                                                             : &gpgpu_walker,
                        commands);
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
         [SIM_CL_INVOCATIONS] = 1,
         [SIM_CL_PRIMITIVES] = 1,
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
