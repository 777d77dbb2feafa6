/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Commands of Pitot's by iris's own functions, which add what the GPU needs.
 */

#include "iris_batch.h"
#include "iris_pitot_priv.h"
#include "iris_screen.h"

/* A register is read as it is when the command streamer comes by, and in two
 * halves: nothing may be counting then.  On the compute ring a flush waits
 * for the write before it.
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

/* A write of the pipe.  On the compute ring it waits for earlier work; what
 * else a GPU needs there, the driver adds.  It leaves it to its queries that
 * the largest Gen9 wants a stall with each sample.
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

/* So it does with the depth stall that Gen10 and later want before a count of
 * samples.
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

void
pitot_iris_emit(struct pitot_cs *cs, enum pitot_ring ring,
                struct pitot_cs_place place,
                const struct pitot_cs_command *commands, unsigned count)
{
   struct iris_batch *batch = ((struct iris_pitot *)cs)->rings[ring].batch;
   const struct iris_vtable *vtbl = &batch->screen->vtbl;
   struct iris_bo *bo = ((struct iris_pitot_buffer *)place.buffer)->bo;
   bool has_stalled = false;

   for (unsigned i = 0; i < count; i++) {
      const struct pitot_cs_command *command = &commands[i];
      const unsigned offset_B = place.offset_B + command->offset_B;

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
         unreachable("a command of another family's");
      }
   }
}
