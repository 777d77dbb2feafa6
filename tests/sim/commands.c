/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "commands.h"
#include "sim_priv.h"

static void
violate(struct sim_engine *engine, const char *rule)
{
   sim_violate(engine, "command buffer", rule);
}

static struct sim_commands *
current(struct sim_engine *engine)
{
   return &engine->reader.calls[engine->reader.call_count - 1];
}

static struct sim_commands
find_commands(struct sim_engine *engine, uint64_t address, uint64_t size_B)
{
   uint64_t left_B;
   struct sim_commands commands = { .has_size = size_B != SIM_UNTIL_END };
   const uint32_t *dw =
      size_B != 0 ? sim_memory(engine, address, &left_B) : NULL;

   if (dw == NULL)
      return commands;
   if (address % sizeof(*dw) != 0) {
      violate(engine, "is at an odd address");
   } else if (commands.has_size && size_B > left_B) {
      violate(engine, "ends beyond its memory");
   } else {
      commands.next = dw;
      commands.end = dw + (commands.has_size ? size_B : left_B) / sizeof(*dw);
   }
   return commands;
}

static void
leave(struct sim_engine *engine, const char *rule)
{
   violate(engine, rule);
   if (engine->reader.call_count > 0)
      engine->reader.call_count--;
}

void
sim_jump(struct sim_engine *engine, uint64_t address, uint64_t size_B,
         bool is_call)
{
   struct sim_reader *reader = &engine->reader;

   if (is_call && reader->call_count == reader->ops->max_calls) {
      violate(engine, "has too deep a call");
      return;
   }
   if (++reader->jump_count > reader->ops->max_jumps) {
      leave(engine, "goes round for ever");
      return;
   }
   reader->call_count += is_call;
   *current(engine) = find_commands(engine, address, size_B);
}

void
sim_skip(struct sim_engine *engine, uint64_t count_dw)
{
   struct sim_commands *commands = current(engine);
   const uint64_t left_dw = (uint64_t)(commands->end - commands->next);

   if (count_dw > left_dw)
      violate(engine, "ends within what is conditional");
   commands->next += count_dw < left_dw ? count_dw : left_dw;
}

bool
sim_has_commands(struct sim_engine *engine, bool may_begin)
{
   struct sim_reader *reader = &engine->reader;

   for (; reader->call_count > 0; reader->call_count--) {
      const struct sim_commands *commands = current(engine);

      if (commands->next != commands->end || !commands->has_size)
         return true;
   }
   if (!may_begin || reader->ib_count == engine->submission->ib_count)
      return false;

   const struct sim_ib *ib = &engine->submission->ibs[reader->ib_count++];
   engine->sim->ring = ib->ring;
   if (reader->ib_count == 1 || !engine->sim->gpu.is_adreno)
      sim_show(engine->sim, NULL, 0); /* msm's IBs are one batch */
   reader->call_count = 1;
   *current(engine) = find_commands(engine, ib->address, ib->size_B);
   return sim_has_commands(engine, true);
}

const uint32_t *
sim_peek(struct sim_engine *engine)
{
   const struct sim_decoder_ops *ops = engine->reader.ops;
   struct sim_commands *commands = current(engine);
   const uint32_t *dw = commands->next;
   const ptrdiff_t left_dw = commands->end - dw;
   const unsigned count_dw = left_dw != 0 ? ops->length(*dw) : 0;

   if (left_dw == 0) {
      leave(engine, "has no end");
   } else if (count_dw == 0) {
      leave(engine, "has a header of no packet");
   } else if (left_dw < (ptrdiff_t)count_dw) {
      leave(engine, "ends within a packet");
   } else if (count_dw <
              ops->least_length(*dw, engine->sim->gpu.facts.generation)) {
      violate(engine, "has too short a packet");
      commands->next += count_dw;
   } else {
      return dw;
   }
   return NULL;
}

void
sim_take(struct sim_engine *engine)
{
   struct sim_commands *commands = current(engine);

   sim_tick(engine->sim, engine->sim->ticks_per_packet);
   commands->next += engine->reader.ops->length(*commands->next);
}
