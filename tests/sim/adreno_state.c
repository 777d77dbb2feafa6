/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Registers, groups of state, modes, and conditional execution. */

#include <string.h>

#include "adreno.h"

#define GROUP_DISABLE     (1u << 17)
#define GROUP_DISABLE_ALL (1u << 18)
#define GROUP_MODES_SHIFT 20
#define GROUP_ID_SHIFT    24

#define MARKER_OTHER_MODE (1u << 8)

#define REGISTER_MASK 0x3ffff

#define TEST_BIT_SHIFT   20
#define EXEC_MODES_SHIFT 25
#define EXEC_TEST_SHIFT  28

enum {
   EXEC_IF_PREDICATE = 1,
   EXEC_IF_MODE = 3,
};

void
adreno_clear_registers(struct adreno_decoder *decoder)
{
   const size_t size_B = ADRENO_REGISTER_BLOCK * sizeof(uint32_t);

   for (unsigned i = 0; i < ADRENO_REGISTER_COUNT / ADRENO_REGISTER_BLOCK;
        i++) {
      if (decoder->is_set[i])
         memset(&decoder->registers[i * ADRENO_REGISTER_BLOCK], 0, size_B);
      decoder->is_set[i] = false;
   }
}

void
adreno_set_register(struct adreno_decoder *decoder, uint32_t number,
                    uint32_t value)
{
   if (number >= ADRENO_REGISTER_COUNT) {
      sim_violate(decoder->engine, "register", "has too high a number");
      return;
   }
   decoder->registers[number] = value;
   decoder->is_set[number / ADRENO_REGISTER_BLOCK] = true;
}

/* The order of the registers RBBM_PRIMCTR_n. */
static const enum sim_statistic statistic_order[ADRENO_PRIMCTR_COUNT] = {
   SIM_IA_VERTICES,    SIM_IA_PRIMITIVES,  SIM_VS_INVOCATIONS,
   SIM_HS_INVOCATIONS, SIM_DS_INVOCATIONS, SIM_GS_INVOCATIONS,
   SIM_GS_PRIMITIVES,  SIM_C_INVOCATIONS,  SIM_C_PRIMITIVES,
   SIM_PS_INVOCATIONS, SIM_CS_INVOCATIONS,
};

/* A counter has two registers. */
static uint32_t
half_of(uint64_t value, uint32_t index)
{
   return (uint32_t)(index % 2 == 0 ? value : value >> 32);
}

uint32_t
adreno_register(struct adreno_decoder *decoder, uint32_t number)
{
   const struct sim_counters *counters = decoder->engine->counters;
   const uint32_t statistic = number - REG_RBBM_PRIMCTR_0;
   const uint32_t clock = number - REG_CP_ALWAYS_ON_COUNTER;

   if (statistic < 2 * ADRENO_PRIMCTR_COUNT)
      return half_of(counters->statistics[statistic_order[statistic / 2]],
                     statistic);
   if (clock < 2)
      return half_of(sim_tick(decoder->engine->sim, 0), clock);
   return number < ADRENO_REGISTER_COUNT ? decoder->registers[number] : 0;
}

uint64_t
adreno_address_register(const struct adreno_decoder *decoder, uint32_t number)
{
   return sim_address(&decoder->registers[number]);
}

static void
set_group(struct adreno_decoder *decoder, const uint32_t *dw)
{
   struct adreno_group *group =
      &decoder->groups[dw[0] >> GROUP_ID_SHIFT & (ADRENO_GROUP_COUNT - 1)];

   if ((dw[0] & GROUP_DISABLE_ALL) != 0) {
      for (unsigned i = 0; i < ADRENO_GROUP_COUNT; i++)
         decoder->groups[i] = (struct adreno_group){ 0 };
      return;
   }
   *group = (struct adreno_group){
      .address = sim_address(&dw[1]),
      .count_dw = (dw[0] & GROUP_DISABLE) != 0 ? 0 : dw[0] & 0xffff,
      .modes = dw[0] >> GROUP_MODES_SHIFT & 7,
      .is_dirty = true,
   };
}

void
adreno_set_draw_state(struct adreno_decoder *decoder,
                      const struct adreno_packet *packet)
{
   for (unsigned i = 0; i + 3 <= packet->body_dw; i += 3)
      set_group(decoder, &packet->body[i]);
}

void
adreno_apply_groups(struct adreno_decoder *decoder)
{
   const unsigned mode = adreno_mode_mask(decoder);

   for (unsigned i = 0; i < ADRENO_GROUP_COUNT; i++) {
      struct adreno_group *group = &decoder->groups[i];

      if (!group->is_dirty)
         continue;
      group->is_dirty = false;
      if (group->count_dw != 0 && (group->modes & mode) != 0)
         adreno_execute_now(decoder, group->address, group->count_dw);
   }
}

void
adreno_set_marker(struct adreno_decoder *decoder,
                  const struct adreno_packet *packet)
{
   if ((packet->body[0] & MARKER_OTHER_MODE) != 0)
      return;
   decoder->mode = packet->body[0] & 0xf;
   adreno_begin_pass(decoder);
}

void
adreno_register_bunch(struct adreno_decoder *decoder,
                      const struct adreno_packet *packet)
{
   for (unsigned i = 0; i + 2 <= packet->body_dw; i += 2)
      adreno_set_register(decoder, packet->body[i], packet->body[i + 1]);
}

void
adreno_register_write(struct adreno_decoder *decoder,
                      const struct adreno_packet *packet)
{
   adreno_set_register(decoder, packet->body[1], packet->body[2]);
}

void
adreno_register_test(struct adreno_decoder *decoder,
                     const struct adreno_packet *packet)
{
   const uint32_t test = packet->body[0];

   decoder->predicate = (adreno_register(decoder, test & REGISTER_MASK) >>
                            (test >> TEST_BIT_SHIFT & 31) &
                         1) != 0;
}

void
adreno_cond_reg_exec(struct adreno_decoder *decoder,
                     const struct adreno_packet *packet)
{
   const uint32_t *body = packet->body;
   const uint32_t modes = body[0] >> EXEC_MODES_SHIFT & 7;
   bool is_met;

   switch (body[0] >> EXEC_TEST_SHIFT) {
   case EXEC_IF_PREDICATE:
      is_met = decoder->predicate;
      break;
   case EXEC_IF_MODE:
      is_met = (modes & adreno_mode_mask(decoder)) != 0;
      break;
   default:
      sim_violate(decoder->engine, "CP_COND_REG_EXEC", "of an unknown kind");
      return;
   }
   if (!is_met)
      sim_skip(decoder->engine, body[1] & 0xffffff);
}
