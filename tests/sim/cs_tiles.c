/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Adreno: a driver may run a batch tile by tile, with or without a binning
 * pass, or without tiles.  Here the batch's seqno chooses, or the schedule.
 *
 * A driver encodes commands as packets; here a cue makes the simulated GPU
 * execute the command itself.
 */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "adreno.h"
#include "cs_priv.h"
#include "pitot/adreno.h"

#define SET_MARKER     0x70e50001
#define CALL           0x70bf8003 /* CP_INDIRECT_BUFFER */
#define SCREEN_SCISSOR 0x4880b002
#define VIEW_SCISSOR   0x4880d002
#define WINDOW_SCISSOR 0x4080f002
#define WAIT_FOR_IDLE  0x70268000
#define MAX_TILES      3
#define PASS_DW        (3 * 3 + 2 + SIM_CUE_DW + 2 * 4)

/* A summed sample's record: begin, sum, end. */
#define SUM_B 8
#define END_B 16

/* Recording */

/* NULL: the command is among the draws. */
static struct sim_cs_section *
section_of(struct sim_cs_tiles *tiles, enum pitot_command_kind kind)
{
   switch (kind) {
   case PITOT_COMMAND_VALUE:
      return &tiles->before;
   case PITOT_COMMAND_ACCUMULATE:
      return &tiles->tile_end;
   case PITOT_COMMAND_FENCE:
      return &tiles->after;
   default:
      return NULL;
   }
}

static void
extend(struct sim_cs *cs, struct sim_cs_section *section, enum sim_cue cue,
       uint64_t value)
{
   if (section->count_dw + 1 + SIM_CUE_DW > SIM_CS_SECTION_DW) {
      cs->overflowed = true;
      return;
   }
   uint32_t *next = &section->dw[section->count_dw];

   if (cue == SIM_CUE_COMPUTE)
      *next++ = WAIT_FOR_IDLE;
   next = sim_cue_write(&cs->cues, cue, value, next);
   section->count_dw = (unsigned)(next - section->dw);
   cs->rings[PITOT_RING_RENDER].position++;
}

/* Keeps a command for a cue.  Returns its number. */
static uint64_t
keep(struct sim_cs_tiles *tiles, struct pitot_cs_place place,
     const struct pitot_cs_command *command)
{
   if (tiles->command_count == tiles->command_capacity) {
      tiles->command_capacity = 2 * tiles->command_capacity + 64;
      tiles->commands =
         realloc(tiles->commands,
                 tiles->command_capacity * sizeof(tiles->commands[0]));
   }
   tiles->commands[tiles->command_count] = (struct sim_cs_tile_command){
      .command = *command,
      .address = place.buffer->address + place.offset_B + command->offset_B,
   };
   return tiles->command_count++;
}

/* For samples that the command processor reads itself, not the pipe. */
static bool
waits_for_idle(const struct sim_cs *cs,
               const struct pitot_cs_command *commands, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      if (commands[i].kind == PITOT_COMMAND_COUNTER ||
          (commands[i].kind == PITOT_COMMAND_TIMESTAMP &&
           cs->gpu.generation < 7))
         return true;
   }
   return false;
}

void
sim_cs_emit_tiles(struct pitot_cs *base, enum pitot_ring ring,
                  struct pitot_cs_place place,
                  const struct pitot_cs_command *commands, unsigned count)
{
   struct sim_cs *cs = (struct sim_cs *)base;

   sim_cs_use_buffer(base, ring, place.buffer);
   if (waits_for_idle(cs, commands, count)) {
      uint32_t *room = sim_cs_reserve(base, ring, 1);

      if (room != NULL)
         *room = WAIT_FOR_IDLE;
   }
   for (unsigned i = 0; i < count; i++) {
      struct sim_cs_section *section =
         section_of(cs->tiles, commands[i].kind);

      pthread_mutex_lock(&cs->lock);
      const uint64_t number = keep(cs->tiles, place, &commands[i]);
      pthread_mutex_unlock(&cs->lock);
      if (section != NULL) {
         extend(cs, section, SIM_CUE_COMMAND, number);
         continue;
      }
      uint32_t *room = sim_cs_reserve(base, ring, SIM_CUE_DW);
      if (room != NULL)
         (void)sim_cue_write(&cs->cues, SIM_CUE_COMMAND, number, room);
   }
}

/* Its processor cannot multiply: times and conditions are the CPU's. */
bool
sim_cs_store_after_tiles(struct pitot_cs *base,
                         const struct pitot_cs_result *result)
{
   struct sim_cs *cs = (struct sim_cs *)base;

   if (result->is_time || result->is_condition)
      return false;
   base->ops->use_buffer(base, PITOT_RING_RENDER, result->buffer);
   extend(cs, &cs->tiles->after, SIM_CUE_COMPUTE, sim_cs_keep(cs, result));
   return true;
}

/* Submitting */

struct part {
   uint64_t address;
   unsigned count_dw;
};

static struct part
add_part(struct sim_cs_batch *batch, const uint32_t *dw, unsigned count_dw)
{
   const struct part part = {
      .address = SIM_CS_COMMANDS_ADDRESS + batch->count_dw * sizeof(dw[0]),
      .count_dw = count_dw,
   };

   memcpy(&batch->commands[batch->count_dw], dw, count_dw * sizeof(dw[0]));
   batch->count_dw += count_dw;
   return part;
}

static uint32_t *
call(uint32_t *next, struct part part)
{
   *next++ = CALL;
   *next++ = (uint32_t)part.address;
   *next++ = (uint32_t)(part.address >> 32);
   *next++ = part.count_dw;
   return next;
}

static uint32_t *
set_scissor(uint32_t *next, uint32_t header, unsigned left, unsigned right)
{
   *next++ = header;
   *next++ = left;
   *next++ = right;
   return next;
}

/* Samples are spread over a row of tiles of one pixel.  Time advances in the
 * last pass only: it is the last tile's, or the sum of all.
 */
static void
add_pass(struct sim_cs *cs, struct sim_cs_batch *batch, enum adreno_mode mode,
         unsigned tile, unsigned tile_count, const struct part parts[2])
{
   const bool is_last = tile + 1 >= tile_count && mode != ADRENO_BINNING;
   uint32_t dw[PASS_DW], *next = dw;

   *next++ = SET_MARKER;
   *next++ = mode;
   next = set_scissor(next, SCREEN_SCISSOR, 0, tile_count - 1);
   next = set_scissor(next, VIEW_SCISSOR, 0, tile_count - 1);
   next = set_scissor(next, WINDOW_SCISSOR, tile, tile);
   next = sim_cue_write(&cs->cues, SIM_CUE_HOLD, !is_last, next);
   next = call(next, parts[0]);
   if (mode == ADRENO_BINNING)
      *next++ = WAIT_FOR_IDLE; /* as drivers do */
   else
      next = call(next, parts[1]);
   assert(next <= &dw[PASS_DW]);
   (void)add_part(batch, dw, (unsigned)(next - dw));
}

/* Without a binning pass, every pass samples what that would. */
static void
sample_always(struct sim_cs_tiles *tiles)
{
   for (unsigned i = tiles->first_command; i < tiles->command_count; i++) {
      struct pitot_cs_command *command = &tiles->commands[i].command;

      if (command->kind == PITOT_COMMAND_COUNTER)
         command->argument &= ~PITOT_ADRENO_ONCE;
   }
}

static unsigned
choose(struct sim_cs *cs, uint64_t number, unsigned count)
{
   return sim_schedule_is_on(&cs->sim->schedule)
             ? sim_choose(&cs->sim->schedule, count)
             : (unsigned)(number % count);
}

unsigned
sim_cs_tiles_most_dw(const struct sim_cs *cs)
{
   const struct sim_cs_tiles *tiles = cs->tiles;

   return (1 + MAX_TILES) * PASS_DW + tiles->before.count_dw +
          tiles->tile_end.count_dw + tiles->after.count_dw;
}

void
sim_cs_add_tiles(struct sim_cs *cs, struct sim_cs_batch *batch)
{
   struct sim_cs_tiles *tiles = cs->tiles;
   const unsigned tile_count =
      tiles->computes ? 0 : choose(cs, batch->number, MAX_TILES + 1);
   const bool has_binning =
      tile_count > 0 && choose(cs, batch->number / (MAX_TILES + 1), 2) == 0;
   const struct part parts[] = {
      { SIM_CS_COMMANDS_ADDRESS, batch->count_dw },
      add_part(batch, tiles->tile_end.dw, tiles->tile_end.count_dw),
   };

   batch->first_dw = batch->count_dw;
   (void)add_part(batch, tiles->before.dw, tiles->before.count_dw);
   if (has_binning)
      add_pass(cs, batch, ADRENO_BINNING, 0, tile_count, parts);
   else
      sample_always(tiles);
   for (unsigned tile = 0; tile < tile_count; tile++)
      add_pass(cs, batch, ADRENO_TILE, tile, tile_count, parts);
   if (tile_count == 0)
      add_pass(cs, batch, tiles->computes ? ADRENO_COMPUTE : ADRENO_DIRECT, 0,
               1, parts);
   (void)add_part(batch, tiles->after.dw, tiles->after.count_dw);
   tiles->computes = false;
   tiles->first_command = tiles->command_count;
   tiles->before.count_dw = tiles->tile_end.count_dw = 0;
   tiles->after.count_dw = 0;
}

/* Executing */

/* Samples are written in order, after earlier work. */
static void
write_qword(struct sim_engine *engine, uint64_t address, uint64_t value)
{
   sim_write_later(engine, SIM_IN_TURN, address, value, sizeof(value));
}

/* Registers only count work that was waited for. */
static void
sample_counter(struct adreno_decoder *decoder, uint32_t argument,
               uint64_t address)
{
   struct sim_engine *engine = decoder->engine;
   const uint32_t reg = argument & ~PITOT_ADRENO_ONCE;

   if ((argument & PITOT_ADRENO_ONCE) != 0 && decoder->mode == ADRENO_TILE)
      return;
   if (reg != PITOT_ADRENO_STREAMOUT) {
      write_qword(engine, address,
                  adreno_register(decoder, reg) |
                     (uint64_t)adreno_register(decoder, reg + 1) << 32);
      return;
   }
   for (unsigned i = 0; i < SIM_STREAM_COUNT; i++) {
      const uint64_t *stream = engine->counters->streamout[i];
      const uint64_t to = address + i * 2 * sizeof(*stream);

      write_qword(engine, to, stream[SIM_WRITTEN]);
      write_qword(engine, to + sizeof(*stream), stream[SIM_NEEDED]);
   }
}

static void
accumulate(struct sim_engine *engine, uint64_t address)
{
   write_qword(engine, address + SUM_B,
               sim_latest(engine, address + SUM_B) +
                  sim_latest(engine, address + END_B) -
                  sim_latest(engine, address));
}

void
sim_cs_execute_command(struct pitot_cs *base, uint64_t number)
{
   struct sim_cs *cs = (struct sim_cs *)base;
   struct sim_engine *engine = &cs->engines[PITOT_RING_RENDER];
   const struct pitot_cs_command *command =
      &cs->tiles->commands[number].command;
   const uint64_t address = cs->tiles->commands[number].address;

   switch (command->kind) {
   case PITOT_COMMAND_OCCLUSION:
      write_qword(engine, address, sim_counted(engine).samples[0]);
      break;
   case PITOT_COMMAND_TIMESTAMP:
      write_qword(engine, address, sim_tick(cs->sim, 0));
      break;
   case PITOT_COMMAND_COUNTER:
      sample_counter(engine->decoder, command->argument, address);
      break;
   case PITOT_COMMAND_ACCUMULATE:
      accumulate(engine, address);
      break;
   case PITOT_COMMAND_VALUE:
      write_qword(engine, address, command->value);
      break;
   case PITOT_COMMAND_FENCE:
      sim_write_later(engine, SIM_IN_ORDER, address, command->value,
                      sizeof(uint32_t));
      break;
   }
}
