/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Commands of Pitot's by iris's own functions, which add what the GPU needs.
 * Registers need nothing: those of one end are encoded at once.
 */

#include "iris_batch.h"
#include "iris_pitot_priv.h"
#include "iris_screen.h"

/* On the compute ring a flush waits for the write before it. */
void
pitot_iris_barrier(struct pitot_cs *cs, enum pitot_ring ring, unsigned kind)
{
   struct iris_batch *recorded = pitot_of(cs)->rings[ring].batch;
   const struct iris_address *nowhere = &recorded->screen->workaround_address;

   if (kind == PITOT_INTEL_BARRIER_DEPTH) {
      iris_emit_pipe_control_flush(recorded, "pitot: depth stall",
                                   PIPE_CONTROL_DEPTH_STALL);
   } else if (ring == PITOT_RING_COMPUTE) {
      iris_emit_pipe_control_write(recorded, "pitot: compute stall",
                                   PIPE_CONTROL_WRITE_IMMEDIATE, nowhere->bo,
                                   nowhere->offset, 0);
      iris_emit_pipe_control_flush(recorded, "pitot: compute stall",
                                   PIPE_CONTROL_FLUSH_ENABLE);
   } else {
      iris_emit_pipe_control_flush(recorded, "pitot: stall",
                                   PIPE_CONTROL_CS_STALL |
                                      PIPE_CONTROL_STALL_AT_SCOREBOARD);
   }
}

/* A write of the pipe.  On the compute ring it waits for earlier work; what
 * else a GPU needs there, the driver adds.
 */
static void
emit_write(struct iris_batch *batch, const char *reason, uint32_t flags,
           const struct pitot_cs_command *command)
{
   struct iris_bo *bo = ((struct iris_pitot_buffer *)command->buffer)->bo;

   if (batch->name == IRIS_BATCH_COMPUTE)
      flags |= PIPE_CONTROL_CS_STALL;
   iris_emit_pipe_control_write(batch, reason, flags, bo, command->offset_B,
                                command->value);
}

/* The driver leaves it to its queries that the largest Gen9 wants a stall
 * with each count of samples.
 */
static uint32_t
occlusion_flags(const struct intel_device_info *devinfo)
{
   const bool is_gt4 = devinfo->ver == 9 && devinfo->gt == 4;

   return PIPE_CONTROL_WRITE_DEPTH_COUNT | PIPE_CONTROL_DEPTH_STALL |
          (is_gt4 ? PIPE_CONTROL_CS_STALL : 0);
}

static void
emit_command(struct iris_batch *batch, const struct pitot_cs_command *command)
{
   const struct iris_vtable *vtbl = &batch->screen->vtbl;
   struct iris_bo *bo = ((struct iris_pitot_buffer *)command->buffer)->bo;

   switch (command->kind) {
   case PITOT_COMMAND_OCCLUSION:
      emit_write(batch, "pitot: occlusion",
                 occlusion_flags(batch->screen->devinfo), command);
      break;
   case PITOT_COMMAND_TIMESTAMP:
      emit_write(batch, "pitot: timestamp", PIPE_CONTROL_WRITE_TIMESTAMP,
                 command);
      break;
   case PITOT_COMMAND_FENCE:
      emit_write(batch, "pitot: fence",
                 PIPE_CONTROL_WRITE_IMMEDIATE | PIPE_CONTROL_FLUSH_ENABLE,
                 command);
      break;
   case PITOT_COMMAND_VALUE:
      if (command->size_B == sizeof(uint64_t))
         vtbl->store_data_imm64(batch, bo, command->offset_B, command->value);
      else
         vtbl->store_data_imm32(batch, bo, command->offset_B, command->value);
      break;
   default:
      unreachable("a command of another family's");
   }
}

/* Emits counters, whose buffer the batch uses already. */
static void
emit_counters(struct pitot_cs *cs, enum pitot_ring ring,
              const struct pitot_cs_command *commands, unsigned count)
{
   uint32_t *room;

   if (!count)
      return;
   room = cs->ops->reserve(cs, ring, count * PITOT_INTEL_COUNTER_DW);
   pitot_intel_encode_counters(&pitot_of(cs)->gpu, commands, count, room);
}

void
pitot_iris_emit(struct pitot_cs *cs, enum pitot_ring ring,
                const struct pitot_cs_command *commands, unsigned count)
{
   struct iris_batch *batch = pitot_of(cs)->rings[ring].batch;
   unsigned counters = 0;

   for (unsigned i = 0; i < count; i++) {
      if (commands[i].kind == PITOT_COMMAND_COUNTER) {
         counters++;
         continue;
      }
      emit_counters(cs, ring, &commands[i - counters], counters);
      counters = 0;
      emit_command(batch, &commands[i]);
   }
   emit_counters(cs, ring, &commands[count - counters], counters);
}
