/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Registers with a shadow in memory, and preemption: a kernel with
 * mid-command-buffer preemption may run other contexts between any two
 * packets, and then reloads the registers.  The firmware keeps its own state:
 * the position in the commands, addresses of indirect draws, and the
 * predicate (no driver sets it again).
 */

#include "pm4.h"

#define UPDATE_SHADOWS  (1u << 31)
#define SHADOWS_CONTEXT (1u << 1)

#define LAST_REGISTER 0xffff

#define MAX_TICKS 1000 /* of the others' work */

void
pm4_context_control(struct decoder *decoder, const struct pm4_packet *packet)
{
   const uint32_t control = packet->body_dw > 1 ? packet->body[1] : 0;

   if ((control & UPDATE_SHADOWS) != 0)
      decoder->has_shadows = (control & SHADOWS_CONTEXT) != 0;
}

static uint32_t
first_register(enum pm4_op op)
{
   switch (op) {
   case OP_LOAD_UCONFIG_REG:
      return 0x30000;
   case OP_LOAD_SH_REG:
      return 0xb000;
   default:
      return 0x28000;
   }
}

static void
load(struct decoder *decoder, const struct pm4_shadow *shadow)
{
   for (unsigned i = 0; i + 1 < shadow->range_dw; i += 2) {
      const uint32_t begin = shadow->ranges[i];
      const uint32_t count = shadow->ranges[i + 1];

      if (begin > LAST_REGISTER || count > LAST_REGISTER - begin) {
         sim_violate(decoder->engine, "LOAD_*_REG", "there is no register");
         return;
      }
      for (uint32_t number = begin; number < begin + count; number++)
         pm4_set_register(decoder, shadow->first + number * 4,
                          (uint32_t)sim_load(decoder->engine,
                                             shadow->address + number * 4,
                                             sizeof(uint32_t)));
   }
}

/* Registers of shaders have two packets. */
void
pm4_load_registers(struct decoder *decoder, const struct pm4_packet *packet)
{
   const struct pm4_shadow shadow = {
      .first = first_register(packet->op),
      .ranges = &packet->body[2],
      .range_dw = packet->body_dw - 2,
      .address = sim_address(packet->body),
   };

   if (decoder->shadow_count < PM4_SHADOW_COUNT)
      decoder->shadows[decoder->shadow_count++] = shadow;
   load(decoder, &shadow);
}

void
pm4_shadow(struct decoder *decoder, uint32_t first, uint32_t number,
           uint32_t value)
{
   unsigned i = 0;

   if (!decoder->has_shadows)
      return;
   while (i < decoder->shadow_count && decoder->shadows[i].first != first)
      i++;
   if (i < decoder->shadow_count)
      sim_write_now(decoder->engine, decoder->shadows[i].address + number * 4,
                    value, sizeof(value));
}

static bool
is_preemptible(const struct decoder *decoder)
{
   return decoder->has_shadows && pm4_ib(decoder)->is_preemptible;
}

/* No register says whether statistics count, so only draws change that. */
void
sim_let_others_work(struct sim *sim, bool draws)
{
   struct sim_schedule *schedule = &sim->schedule;
   struct sim_kernel *kernel = sim->kernel;
   uint64_t *counters = (uint64_t *)&kernel->counters;

   kernel->counts_samples = sim_choose(schedule, 2) != 0;
   if (!draws)
      return;
   kernel->counts_statistics = sim_choose(schedule, 2) != 0;
   if (sim->gpu.is_adreno)
      kernel->counters_off =
         sim_choose(schedule, 2) != 0 ? SIM_OFF_STATISTICS : 0;
   for (size_t i = 0; i < sizeof(kernel->counters) / sizeof(*counters); i++)
      counters[i] += sim_choose(schedule, 1000);
}

void
pm4_preempt(struct decoder *decoder)
{
   struct sim *sim = decoder->engine->sim;
   struct sim_schedule *schedule = &sim->schedule;

   if (!is_preemptible(decoder) || !sim_schedule_is_on(schedule) ||
       !sim_choose_percent(schedule, schedule->preempt_percent))
      return;
   sim_let_others_work(sim, sim->others_draw);
   sim_tick(sim, sim_choose(schedule, MAX_TICKS));
   decoder->engine->registers->shader = (struct sim_shader){ 0 };
   for (unsigned i = 0; i < decoder->shadow_count; i++)
      load(decoder, &decoder->shadows[i]);
}
