/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Adreno: a batch is executed tile by tile, with a binning pass before that
 * or without, or at once without tiles, as its driver likes.  Here the number
 * of the batch decides, or the schedule.
 */

#include <assert.h>
#include <string.h>

#include "adreno.h"
#include "cs_priv.h"
#include "pitot_hw_family.h"

#define SET_MARKER     0x70e50001
#define CALL           0x70bf8003 /* CP_INDIRECT_BUFFER */
#define SCREEN_SCISSOR 0x4880b002
#define VIEW_SCISSOR   0x4880d002
#define WINDOW_SCISSOR 0x4080f002
#define COND_REG_EXEC  0x70c70002
#define WAIT_FOR_IDLE  0x70268000
#define MAX_COMMAND_DW 64
#define MAX_TILES      3
#define PASS_DW        (3 * 3 + 2 + SIM_CUE_DW + 2 * 4)

/*
 * Recording
 */

static unsigned
encode(const struct pitot_cs *cs, const struct pitot_cs_command *command,
       uint32_t dw[MAX_COMMAND_DW])
{
   struct pitot_hw_packets packets = { .gpu = cs->gpu, .next = dw };

   cs->gpu->family->encode(&packets, command, 1);
   assert(packets.next - dw <= MAX_COMMAND_DW);
   return (unsigned)(packets.next - dw);
}

/* Returns room in a section, or NULL if it is full. */
static uint32_t *
extend(struct sim_cs *cs, struct sim_cs_section *section, unsigned count_dw)
{
   if (section->count_dw + count_dw > SIM_CS_SECTION_DW) {
      cs->overflowed = true;
      return NULL;
   }
   section->count_dw += count_dw;
   return &section->dw[section->count_dw - count_dw];
}

uint32_t *
sim_cs_reserve_at_end(struct pitot_cs *base, enum pitot_ring ring,
                      unsigned count_dw,
                      struct pitot_cs_position *position_out)
{
   struct sim_cs *cs = (struct sim_cs *)base;

   if (base->ops->reserve(base, ring, 0, position_out) == NULL)
      return NULL;
   return extend(cs, &cs->tiles->sections[PITOT_ADRENO_BATCH_END], count_dw);
}

void
sim_cs_emit_tiles(struct pitot_cs *base, enum pitot_ring ring,
                  const struct pitot_cs_command *commands, unsigned count)
{
   struct sim_cs *cs = (struct sim_cs *)base;

   for (unsigned i = 0; i < count; i++) {
      uint32_t dw[MAX_COMMAND_DW];
      const unsigned count_dw = encode(base, &commands[i], dw);
      const unsigned section = pitot_adreno_section(base->gpu, &commands[i]);

      if (section == PITOT_ADRENO_DRAWS) {
         uint32_t *room = base->ops->reserve(base, ring, count_dw, NULL);

         if (room != NULL)
            memcpy(room, dw, count_dw * sizeof(dw[0]));
         continue;
      }
      uint32_t *room = extend(cs, &cs->tiles->sections[section], count_dw);
      if (room != NULL)
         memcpy(room, dw, count_dw * sizeof(dw[0]));
      cs->rings[ring].position++;
   }
}

unsigned
sim_cs_tiles_size_dw(struct pitot_cs *base, enum pitot_ring ring,
                     const struct pitot_cs_command *commands, unsigned count)
{
   uint32_t dw[MAX_COMMAND_DW];
   unsigned size_dw = 0;

   (void)ring;
   for (unsigned i = 0; i < count; i++) {
      if (pitot_adreno_section(base->gpu, &commands[i]) == PITOT_ADRENO_DRAWS)
         size_dw += encode(base, &commands[i], dw);
   }
   return size_dw;
}

/*
 * Submitting
 */

/* A part of a batch. */
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

/* A tile is one of some pixels in a row, on which samples are spread.  The
 * last pass is the one in which time goes on: a time is that of the last
 * tile, or adds up over all of them.
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
   next = sim_cue_hold_time(&cs->cues, !is_last, next);
   next = call(next, parts[0]);
   if (mode == ADRENO_BINNING)
      *next++ = WAIT_FOR_IDLE; /* as drivers do */
   else
      next = call(next, parts[1]);
   assert(next <= &dw[PASS_DW]);
   (void)add_part(batch, dw, (unsigned)(next - dw));
}

/* All passes of a batch without a binning pass sample what that would. */
static void
sample_always(uint32_t *dw, unsigned count_dw)
{
   for (unsigned i = 0; i < count_dw;) {
      const uint32_t mask = dw[i] >> 28 == 4 ? 0x7f : 0x7fff;

      if (dw[i] == COND_REG_EXEC)
         dw[i + 1] |= PITOT_ADRENO_ALWAYS;
      i += 1 + (dw[i] & mask);
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
   unsigned count_dw = (1 + MAX_TILES) * PASS_DW;

   for (unsigned i = 0; i < SIM_CS_SECTION_COUNT; i++)
      count_dw += cs->tiles->sections[i].count_dw;
   return count_dw;
}

void
sim_cs_add_tiles(struct sim_cs *cs, struct sim_cs_batch *batch)
{
   struct sim_cs_section *sections = cs->tiles->sections;
   const struct sim_cs_section *tile_end = &sections[PITOT_ADRENO_TILE_END];
   const struct sim_cs_section *begin = &sections[PITOT_ADRENO_BATCH_BEGIN];
   const struct sim_cs_section *end = &sections[PITOT_ADRENO_BATCH_END];
   const unsigned draws_dw = batch->count_dw;
   const unsigned tile_count =
      cs->tiles->computes ? 0 : choose(cs, batch->number, MAX_TILES + 1);
   const bool has_binning =
      tile_count > 0 && choose(cs, batch->number / (MAX_TILES + 1), 2) == 0;
   const struct part parts[] = {
      { SIM_CS_COMMANDS_ADDRESS, draws_dw },
      add_part(batch, tile_end->dw, tile_end->count_dw),
   };

   batch->first_dw = batch->count_dw;
   (void)add_part(batch, begin->dw, begin->count_dw);
   if (has_binning)
      add_pass(cs, batch, ADRENO_BINNING, 0, tile_count, parts);
   else
      sample_always(batch->commands, draws_dw);
   for (unsigned tile = 0; tile < tile_count; tile++)
      add_pass(cs, batch, ADRENO_TILE, tile, tile_count, parts);
   if (tile_count == 0)
      add_pass(cs, batch,
               cs->tiles->computes ? ADRENO_COMPUTE : ADRENO_DIRECT, 0, 1,
               parts);
   (void)add_part(batch, end->dw, end->count_dw);
   cs->tiles->computes = false;
   for (unsigned i = 0; i < SIM_CS_SECTION_COUNT; i++)
      sections[i].count_dw = 0;
}
