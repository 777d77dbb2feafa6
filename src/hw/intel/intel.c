/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "intel.h"

#define PIPE_CONTROL           0x7a000004u
#define STORE_REGISTER_MEM     0x12000002u
#define REGISTER_ADD_CS        (1u << 19)
#define STORE_DATA_IMM_32      0x10000002u
#define STORE_DATA_IMM_64      0x10200003u
#define STORE_DATA_CHECK_WRITE (1u << 10)

#define CS_FIRST 0x2000u
#define CS_LAST  0x3fffu

/* Addresses have 48 bits.  PIPE_CONTROL and MI_STORE_DATA_IMM want no more
 * than these, while commands that store registers want the last one repeated
 * to the left.
 */
#define ADDRESS_BITS 48

static uint64_t
cut(uint64_t address)
{
   return address & (UINT64_MAX >> (64 - ADDRESS_BITS));
}

static uint64_t
canonical(uint64_t address)
{
   const uint64_t sign = UINT64_C(1) << (ADDRESS_BITS - 1);

   return (cut(address) ^ sign) - sign;
}

static void
emit(struct pitot_hw_packets *packets, uint32_t dw)
{
   *packets->next++ = dw;
}

static void
emit_qword(struct pitot_hw_packets *packets, uint64_t value)
{
   emit(packets, (uint32_t)value);
   emit(packets, (uint32_t)(value >> 32));
}

/* The largest Gen9 wants a stall with every sample that the pipe writes. */
void
pitot_intel_pipe_control(struct pitot_hw_packets *packets, uint32_t flags,
                         uint64_t address)
{
   const struct pitot_gpu *gpu = packets->gpu;
   const bool is_sample = flags & PITOT_INTEL_WRITE_DEPTH_COUNT;
   const bool is_immediate =
      !is_sample && flags & PITOT_INTEL_WRITE_IMMEDIATE;

   if (is_sample && ((const struct pitot_intel_gpu *)gpu)->is_gt4 &&
       gpu->generation / 10 == 9)
      flags |= PITOT_INTEL_CS_STALL;
   emit(packets, PIPE_CONTROL);
   emit(packets, flags);
   emit_qword(packets, cut(address));
   emit_qword(packets, is_immediate);
}

/* From Gen11 on packets tell a register of the command streamer's, which
 * means the same to each engine, by the offset from its first one.
 */
void
pitot_intel_store_register(struct pitot_hw_packets *packets, uint32_t reg,
                           uint64_t address)
{
   const bool is_relative =
      packets->gpu->generation >= 110 && reg >= CS_FIRST && reg <= CS_LAST;

   for (unsigned half_B = 0; half_B < sizeof(uint64_t); half_B += 4) {
      emit(packets, STORE_REGISTER_MEM | (is_relative ? REGISTER_ADD_CS : 0));
      emit(packets, reg - (is_relative ? CS_FIRST : 0) + half_B);
      emit_qword(packets, canonical(address + half_B));
   }
}

void
pitot_intel_store_data(struct pitot_hw_packets *packets, uint64_t address,
                       uint64_t value, unsigned size_B)
{
   const bool is_64 = size_B == sizeof(uint64_t);

   emit(packets,
        (is_64 ? STORE_DATA_IMM_64 : STORE_DATA_IMM_32) |
           (packets->gpu->generation >= 120 ? STORE_DATA_CHECK_WRITE : 0));
   emit_qword(packets, cut(address));
   emit(packets, (uint32_t)value);
   if (is_64)
      emit(packets, (uint32_t)(value >> 32));
}

/* On the compute ring a write of the pipe wants a stall with it on Gen8, and
 * one right before it from Gen9 on, as iris has it.
 */
static void
write_by_pipe(struct pitot_hw_packets *packets, uint32_t flags,
              uint64_t address)
{
   if (packets->ring == PITOT_RING_COMPUTE) {
      if (packets->gpu->generation / 10 >= 9)
         pitot_intel_pipe_control(packets, PITOT_INTEL_CS_STALL, 0);
      flags |= PITOT_INTEL_CS_STALL;
   }
   pitot_intel_pipe_control(packets, flags, address);
}

static void
encode(struct pitot_hw_packets *packets,
       const struct pitot_cs_command *command)
{
   const uint64_t address =
      pitot_cs_address(command->buffer, command->offset_B);

   switch (command->kind) {
   case PITOT_COMMAND_OCCLUSION:
      write_by_pipe(packets,
                    PITOT_INTEL_WRITE_DEPTH_COUNT | PITOT_INTEL_DEPTH_STALL,
                    address);
      break;
   case PITOT_COMMAND_TIMESTAMP:
      write_by_pipe(packets, PITOT_INTEL_WRITE_TIMESTAMP, address);
      break;
   case PITOT_COMMAND_FENCE:
      write_by_pipe(packets,
                    PITOT_INTEL_FLUSH_ENABLE | PITOT_INTEL_WRITE_IMMEDIATE,
                    address);
      break;
   case PITOT_COMMAND_COUNTER:
      pitot_intel_store_register(packets, command->argument, address);
      break;
   case PITOT_COMMAND_VALUE:
      pitot_intel_store_data(packets, address, command->value,
                             command->size_B);
      break;
   case PITOT_COMMAND_ACCUMULATE:
      assert(!"nothing is sampled once a tile");
   }
}

void
pitot_intel_encode(struct pitot_hw_packets *packets,
                   const struct pitot_cs_command *commands, unsigned count)
{
   for (unsigned i = 0; i < count; i++)
      encode(packets, &commands[i]);
}

void
pitot_intel_encode_counters(const struct pitot_intel_gpu *gpu,
                            const struct pitot_cs_command *commands,
                            unsigned count, uint32_t *room)
{
   struct pitot_hw_packets packets = { .gpu = &gpu->base, .next = room };

   pitot_intel_encode(&packets, commands, count);
   assert(packets.next - room == count * PITOT_INTEL_COUNTER_DW);
}
