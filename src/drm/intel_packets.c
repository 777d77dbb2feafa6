/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Packets of Intel GPUs, Gen8 to Gen12.5, for contexts of src/drm.
 * Invariant: the last write of a batch is its number.
 * Danger: the command streamer runs ahead of the pipe: stall before it stores
 * a register.
 */

#include <assert.h>
#include <stdbool.h>

#include "drm_packets.h"

#define NOOP                   0x00000000u
#define BATCH_BUFFER_END       0x05000000u
#define PIPELINE_SELECT        0x69040000u
#define PIPELINE_SELECT_GPGPU  2u
#define PIPELINE_SELECT_MASK   (3u << 8) /* Gen9 and later */
#define PIPE_CONTROL           0x7a000004u
#define STORE_REGISTER_MEM     0x12000002u
#define REGISTER_ADD_CS        (1u << 19)
#define STORE_DATA_IMM_32      0x10000002u
#define STORE_DATA_IMM_64      0x10200003u
#define STORE_DATA_CHECK_WRITE (1u << 10)

/* PIPE_CONTROL, second dword. */
#define STALL_AT_SCOREBOARD (1u << 1)
#define FLUSH_ENABLE        (1u << 7)
#define DEPTH_STALL         (1u << 13)
#define WRITE_IMMEDIATE     (1u << 14)
#define WRITE_DEPTH_COUNT   (2u << 14)
#define WRITE_TIMESTAMP     (3u << 14)
#define CS_STALL            (1u << 20)

#define CS_FIRST 0x2000u
#define CS_LAST  0x3fffu

/* Addresses have 48 bits.  In PIPE_CONTROL and MI_STORE_DATA_IMM the upper
 * bits must be 0; in commands that store registers they repeat bit 47.
 */
#define ADDRESS_BITS 48

static uint64_t
cut_address(uint64_t address)
{
   return address & (UINT64_MAX >> (64 - ADDRESS_BITS));
}

static uint64_t
canonical_address(uint64_t address)
{
   const uint64_t sign = UINT64_C(1) << (ADDRESS_BITS - 1);

   return (cut_address(address) ^ sign) - sign;
}

static void
emit_dword(struct pitot_drm_packets *packets, uint32_t dw)
{
   *packets->next++ = dw;
}

static void
emit_qword(struct pitot_drm_packets *packets, uint64_t value)
{
   emit_dword(packets, (uint32_t)value);
   emit_dword(packets, (uint32_t)(value >> 32));
}

/* Gen9 GT4 requires a CS stall with every depth count and timestamp. */
static void
pipe_control(struct pitot_drm_packets *packets, uint32_t flags,
             uint64_t address, uint64_t value)
{
   const struct pitot_gpu *gpu = packets->gpu;
   const bool is_gt4 = ((const struct pitot_intel_gpu *)gpu)->is_gt4 &&
                       gpu->generation / 10 == 9;

   if (flags & WRITE_DEPTH_COUNT && is_gt4) /* or a timestamp */
      flags |= CS_STALL;
   emit_dword(packets, PIPE_CONTROL);
   emit_dword(packets, flags);
   emit_qword(packets, cut_address(address));
   emit_qword(packets, value);
}

/* From Gen11 on, a packet addresses a command streamer's register relative to
 * the first one, so that the packet means the same on each engine.
 */
static void
store_register(struct pitot_drm_packets *packets, uint32_t reg,
               uint64_t address)
{
   const bool is_relative = packets->gpu->generation >= 110 && reg <= CS_LAST;

   for (unsigned half_B = 0; half_B < sizeof(uint64_t); half_B += 4) {
      emit_dword(packets,
                 STORE_REGISTER_MEM | (is_relative ? REGISTER_ADD_CS : 0));
      emit_dword(packets, reg - (is_relative ? CS_FIRST : 0) + half_B);
      emit_qword(packets, canonical_address(address + half_B));
   }
}

/* From Gen12 on with ForceWriteCompletionCheck, as iris and anv. */
static void
store_data(struct pitot_drm_packets *packets, uint64_t address,
           uint64_t value, unsigned size_B)
{
   const bool is_64 = size_B == sizeof(uint64_t);

   emit_dword(packets,
              (is_64 ? STORE_DATA_IMM_64 : STORE_DATA_IMM_32) |
                 (packets->gpu->generation >= 120 ? STORE_DATA_CHECK_WRITE
                                                  : 0));
   emit_qword(packets, cut_address(address));
   emit_dword(packets, (uint32_t)value);
   if (is_64)
      emit_dword(packets, (uint32_t)(value >> 32));
}

/* On the compute ring, Gen8 requires a CS stall in each PIPE_CONTROL.  From
 * Gen9 on another stall precedes a write, as in iris and the compute runtime.
 */
static void
write_by_pipe(struct pitot_drm_packets *packets, uint32_t flags,
              uint64_t address, uint64_t value)
{
   if (packets->ring == PITOT_RING_COMPUTE) {
      if (packets->gpu->generation / 10 >= 9)
         pipe_control(packets, CS_STALL, 0, 0);
      flags |= CS_STALL;
   }
   pipe_control(packets, flags, address, value);
}

/* On the compute ring a stall at the pixel scoreboard would wait for nothing.
 * Instead FLUSH_ENABLE waits for a post-sync write after all earlier work.
 * Every packet there has a CS stall: Gen8 requires it, with a companion bit,
 * and Intel's compute runtime sets it on all generations.
 */
void
pitot_drm_intel_stall(struct pitot_drm_packets *packets)
{
   const bool is_gen8 = packets->gpu->generation < 90;

   if (packets->ring != PITOT_RING_COMPUTE) {
      pipe_control(packets, CS_STALL | STALL_AT_SCOREBOARD, 0, 0);
      return;
   }
   write_by_pipe(packets, WRITE_IMMEDIATE, packets->scratch_address, 0);
   pipe_control(packets,
                FLUSH_ENABLE | CS_STALL | (is_gen8 ? STALL_AT_SCOREBOARD : 0),
                0, 0);
}

void
pitot_drm_intel_begin(struct pitot_drm_packets *packets, unsigned counting)
{
   const bool has_mask = packets->gpu->generation >= 90;

   (void)counting; /* Intel's counters always count */
   if (packets->ring == PITOT_RING_COMPUTE)
      emit_dword(packets, PIPELINE_SELECT | PIPELINE_SELECT_GPGPU |
                             (has_mask ? PIPELINE_SELECT_MASK : 0));
}

/* A batch's length is a multiple of two dwords. */
void
pitot_drm_intel_end(struct pitot_drm_packets *packets, uint64_t address,
                    uint64_t number)
{
   pitot_drm_intel_stall(packets);
   write_by_pipe(packets, CS_STALL | FLUSH_ENABLE | WRITE_IMMEDIATE, address,
                 number);
   emit_dword(packets, BATCH_BUFFER_END);
   if ((packets->next - packets->first) % 2 != 0)
      emit_dword(packets, NOOP);
}

/* Gen10 and later require another depth stall before the sample. */
static void
sample_occlusion(struct pitot_drm_packets *packets, uint64_t address)
{
   if (packets->gpu->generation >= 100)
      pipe_control(packets, DEPTH_STALL, 0, 0);
   write_by_pipe(packets, WRITE_DEPTH_COUNT | DEPTH_STALL, address, 0);
}

static void
encode_command(struct pitot_drm_packets *packets,
               const struct pitot_cs_command *command)
{
   const uint64_t address = packets->place_address + command->offset_B;

   switch (command->kind) {
   case PITOT_COMMAND_OCCLUSION:
      sample_occlusion(packets, address);
      break;
   case PITOT_COMMAND_TIMESTAMP:
      write_by_pipe(packets, WRITE_TIMESTAMP, address, 0);
      break;
   case PITOT_COMMAND_FENCE:
      write_by_pipe(packets, FLUSH_ENABLE | WRITE_IMMEDIATE, address,
                    (uint32_t)command->value);
      break;
   case PITOT_COMMAND_COUNTER:
      store_register(packets, command->argument, address);
      break;
   case PITOT_COMMAND_VALUE:
      store_data(packets, address, command->value, command->size_B);
      break;
   case PITOT_COMMAND_ACCUMULATE:
      assert(!"nothing is sampled once a tile");
   }
}

/* The command streamer stores a register when it reaches the command, in two
 * halves.  Stall first, so that nothing counts in between.
 */
void
pitot_drm_intel_encode(struct pitot_drm_packets *packets,
                       const struct pitot_cs_command *commands,
                       unsigned count)
{
   bool has_stalled = false;

   for (unsigned i = 0; i < count; i++) {
      if (commands[i].kind == PITOT_COMMAND_COUNTER && !has_stalled) {
         pitot_drm_intel_stall(packets);
         has_stalled = true;
      }
      encode_command(packets, &commands[i]);
   }
}
