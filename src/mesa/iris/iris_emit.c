/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Emits Pitot's commands by iris's own functions and their workarounds.
 *
 * Danger: MI commands run ahead of draws and bypass the render caches.  They
 * need a stall before they read a register, and a barrier before they write
 * memory that draws access.
 */

#include "iris_batch.h"
#include "iris_pitot_priv.h"
#include "iris_screen.h"

/* The command streamer reads a register when it reaches the command, and in
 * two halves: nothing may be counting then.  On the compute ring, the flush
 * waits for the write before it.
 */
static void
emit_stall(struct iris_batch *batch)
{
   const struct iris_address *nowhere = &batch->screen->workaround_address;

   if (batch->name == IRIS_BATCH_COMPUTE) {
      iris_emit_pipe_control_write(batch, "pitot: compute stall",
                                   PIPE_CONTROL_WRITE_IMMEDIATE, nowhere->bo,
                                   nowhere->offset, 0);
      iris_emit_pipe_control_flush(batch, "pitot: compute stall",
                                   PIPE_CONTROL_FLUSH_ENABLE);
   } else {
      iris_emit_pipe_control_flush(batch, "pitot: stall",
                                   PIPE_CONTROL_CS_STALL |
                                      PIPE_CONTROL_STALL_AT_SCOREBOARD);
   }
}

/* A PIPE_CONTROL write.  On the compute ring it stalls, to wait for earlier
 * work; iris adds the other workarounds of that ring.  Gen9 GT4 needs a stall
 * with each sample, which iris leaves to its queries.
 */
static void
emit_write(struct iris_batch *batch, const char *reason, uint32_t flags,
           struct iris_bo *bo, unsigned offset_B, uint64_t value)
{
   const struct intel_device_info *devinfo = batch->screen->devinfo;
   const bool is_gt4 = devinfo->ver == 9 && devinfo->gt == 4;

   if (batch->name == IRIS_BATCH_COMPUTE ||
       (is_gt4 && !(flags & PIPE_CONTROL_WRITE_IMMEDIATE)))
      flags |= PIPE_CONTROL_CS_STALL;
   iris_emit_pipe_control_write(batch, reason, flags, bo, offset_B, value);
}

/* Gen10 and later need a depth stall before a count of samples, which iris
 * leaves to its queries, too.
 */
static void
emit_occlusion(struct iris_batch *batch, struct iris_bo *bo,
               unsigned offset_B)
{
   if (batch->screen->devinfo->ver >= 10)
      iris_emit_pipe_control_flush(batch, "pitot: depth stall",
                                   PIPE_CONTROL_DEPTH_STALL);
   emit_write(batch, "pitot: occlusion",
              PIPE_CONTROL_WRITE_DEPTH_COUNT | PIPE_CONTROL_DEPTH_STALL, bo,
              offset_B, 0);
}

/* Returns whether no draw accesses the BO any more, so that the command
 * streamer may write to it.  iris_emit_buffer_barrier_for() also waits for
 * earlier writes of the command streamer, which are in order anyway: two
 * stalls for each result after the first in a buffer.
 */
static bool
is_free(const struct iris_batch *batch, const struct iris_bo *bo)
{
   const enum iris_domain access = IRIS_DOMAIN_OTHER_WRITE;
   bool result = true;

   for (unsigned i = 0; i < NUM_IRIS_DOMAINS; i++) {
      uint64_t done = batch->coherent_seqnos[i][i];

      if (i < access)
         done = batch->coherent_seqnos[access][i];
      else if (iris_domain_is_l3_coherent(batch->screen->devinfo, i))
         done = batch->l3_coherent_seqnos[i];
      result &= i == access || READ_ONCE(bo->last_seqnos[i]) <= done;
   }
   return result;
}

/* Returns whether the batch accesses the BO.  iris_batch_references() would
 * not do: it forgets this when another batch that uses the BO is submitted.
 */
static bool
has_buffer(const struct iris_batch *batch, const struct iris_bo *bo)
{
   for (int i = 0; i < batch->exec_count; i++) {
      if (batch->exec_bos[i] == bo)
         return true;
   }
   return false;
}

/* MI writes bypass the render caches and run ahead of queued draws: flush and
 * stall if an earlier draw of this batch may still read or write the target.
 * MI writes are ordered among themselves, and so are batches.
 */
void
pitot_iris_wait_for_draws(const struct iris_pitot *pitot,
                          enum pitot_ring ring)
{
   struct iris_batch *batch = pitot->rings[ring].batch;
   struct iris_bo *bo = pitot->target.bo;

   if (!is_free(batch, bo) && has_buffer(batch, bo))
      iris_emit_buffer_barrier_for(batch, bo, IRIS_DOMAIN_OTHER_WRITE);
}

void
pitot_iris_emit(struct pitot_cs *cs, enum pitot_ring ring,
                struct pitot_cs_place place,
                const struct pitot_cs_command *commands, unsigned count)
{
   const struct iris_pitot *pitot = (void *)cs;
   struct iris_batch *batch = pitot->rings[ring].batch;
   const struct iris_vtable *vtbl = &batch->screen->vtbl;
   const struct iris_pitot_buffer *buffer = (void *)place.buffer;
   const unsigned place_B = buffer->offset_B + place.offset_B;
   struct iris_bo *bo = buffer->bo;
   bool has_stalled = false;

   if (place.buffer == &pitot->target.base)
      pitot_iris_wait_for_draws(pitot, ring);
   for (unsigned i = 0; i < count; i++) {
      const struct pitot_cs_command *command = &commands[i];
      const unsigned offset_B = place_B + command->offset_B;

      switch (command->kind) {
      case PITOT_COMMAND_OCCLUSION:
         emit_occlusion(batch, bo, offset_B);
         break;
      case PITOT_COMMAND_TIMESTAMP:
         emit_write(batch, "pitot: timestamp", PIPE_CONTROL_WRITE_TIMESTAMP,
                    bo, offset_B, 0);
         break;
      case PITOT_COMMAND_FENCE:
         emit_write(batch, "pitot: fence",
                    PIPE_CONTROL_WRITE_IMMEDIATE | PIPE_CONTROL_FLUSH_ENABLE,
                    bo, offset_B, command->value);
         break;
      case PITOT_COMMAND_COUNTER:
         if (!has_stalled)
            emit_stall(batch);
         has_stalled = true;
         vtbl->store_register_mem64(batch, command->argument, bo, offset_B,
                                    false);
         break;
      case PITOT_COMMAND_VALUE:
         if (command->size_B == sizeof(uint64_t))
            vtbl->store_data_imm64(batch, bo, offset_B, command->value);
         else
            vtbl->store_data_imm32(batch, bo, offset_B, command->value);
         break;
      default:
         UNREACHABLE("a command of another family's");
      }
   }
}
