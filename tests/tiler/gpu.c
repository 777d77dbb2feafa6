/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>
#include <string.h>

#include "tiler_priv.h"

/* Counted by others between two batches. */
#define OTHERS 12345

void
tiler_unreference(struct tiler_buffer *buffer)
{
   if (--buffer->references)
      return;
   free(buffer->base.memory);
   free(buffer);
}

/* Samples that pass are spread over the tiles; all else is done once. */
static void
work(struct tiler *tiler, const struct tiler_step *step, unsigned tile)
{
   const unsigned kind = step->counted;
   const uint64_t share = step->value / TILER_TILE_COUNT;
   uint64_t *counter = &tiler->counters[kind][step->stream];

   if (kind == PITOT_KIND_SAMPLES_PASSED)
      *counter += tile ? share : step->value - 2 * share;
   else if (!tile)
      *counter += step->value;
}

static uint64_t *
qword_of(const struct pitot_cs_command *command)
{
   return (uint64_t *)(command->buffer->memory + command->offset_B);
}

static uint64_t
counter_of(const struct tiler *tiler, const struct pitot_cs_command *command)
{
   switch (command->kind) {
   case PITOT_COMMAND_OCCLUSION:
      return tiler->counters[PITOT_KIND_SAMPLES_PASSED][0];
   case PITOT_COMMAND_TIMESTAMP:
      return tiler->now_ticks & UINT64_MAX >> (64 - TILER_TIMESTAMP_BITS);
   default:
      return tiler->counters[command->argument / PITOT_MAX_STREAMS]
                            [command->argument % PITOT_MAX_STREAMS];
   }
}

/* Executes a command among draws.  The first tile is told what is done once.
 */
static void
command_in_tile(struct tiler *tiler, const struct pitot_cs_command *command,
                unsigned tile)
{
   const bool is_once = command->kind == PITOT_COMMAND_COUNTER ||
                        command->kind == PITOT_COMMAND_VALUE ||
                        command->argument == TILER_ONCE;

   if (tile && is_once)
      return;
   if (command->kind == PITOT_COMMAND_VALUE)
      memcpy(qword_of(command), &command->value, command->size_B);
   else if (command->kind < PITOT_COMMAND_FENCE)
      *qword_of(command) = counter_of(tiler, command);
}

static void
execute_tile(struct tiler *tiler, const struct tiler_batch *batch,
             unsigned tile)
{
   for (unsigned i = 0; i < batch->step_count; i++) {
      const struct tiler_step *step = &batch->steps[i];

      if (step->kind == TILER_STEP_WORK)
         work(tiler, step, tile);
      else if (step->kind == TILER_STEP_COMMAND)
         command_in_tile(tiler, &step->command, tile);
      else if (!tile)
         tiler->now_ticks = step->value;
   }
   for (unsigned i = 0; i < batch->step_count; i++) {
      const struct tiler_step *step = &batch->steps[i];

      if (step->kind == TILER_STEP_COMMAND &&
          step->command.kind == PITOT_COMMAND_ACCUMULATE) {
         uint64_t *begin = qword_of(&step->command);

         begin[1] += begin[2] - begin[0];
      }
   }
}

/* Executes a batch, which ends with the fences: whoever looked at them after
 * the first tile would see the sums of that tile.
 */
static void
execute(struct tiler *tiler, enum pitot_ring ring,
        const struct tiler_batch *batch)
{
   const unsigned tile_count =
      ring == PITOT_RING_RENDER ? TILER_TILE_COUNT : 1;

   for (unsigned tile = 0; tile < tile_count; tile++)
      execute_tile(tiler, batch, tile);
   for (unsigned i = 0; i < batch->step_count; i++) {
      const struct pitot_cs_command *command = &batch->steps[i].command;

      if (batch->steps[i].kind == TILER_STEP_COMMAND &&
          command->kind == PITOT_COMMAND_FENCE)
         *(uint32_t *)qword_of(command) = (uint32_t)command->value;
   }
   for (unsigned kind = 0; kind < PITOT_HW_MEASURE_COUNT; kind++) {
      for (unsigned s = 0; s < PITOT_MAX_STREAMS; s++)
         tiler->counters[kind][s] += OTHERS;
   }
}

void
tiler_free_batch(struct tiler_batch *batch)
{
   for (unsigned i = 0; i < batch->buffer_count; i++)
      tiler_unreference(batch->buffers[i]);
   free(batch);
}

void
tiler_complete_ring(struct tiler *tiler, enum pitot_ring ring,
                    uint64_t number)
{
   struct tiler_ring *r = &tiler->rings[ring];

   while (!tiler->is_lost && r->first != r->last &&
          r->first->number <= number) {
      struct tiler_batch *batch = r->first;

      execute(tiler, ring, batch);
      r->done = batch->number;
      r->first = batch->next;
      tiler_free_batch(batch);
   }
}

void
tiler_complete(struct tiler *tiler)
{
   for (unsigned ring = 0; ring < TILER_RING_COUNT; ring++)
      tiler_complete_ring(tiler, ring, UINT64_MAX);
}
