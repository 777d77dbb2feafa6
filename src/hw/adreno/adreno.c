/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include "adreno.h"

#define OP_WAIT_MEM_WRITES 0x12u
#define OP_WAIT_FOR_IDLE   0x26u
#define OP_WAIT_REG_MEM    0x3cu
#define OP_MEM_WRITE       0x3du
#define OP_REG_TO_MEM      0x3eu
#define OP_COND_WRITE      0x45u
#define OP_EVENT_WRITE     0x46u
#define OP_COND_REG_EXEC   0x47u
#define OP_MEM_TO_MEM      0x73u

#define CP_ALWAYS_ON_COUNTER    0x0980u
#define RB_SAMPLE_COUNT_CONTROL 0x8891u
#define RB_SAMPLE_COUNT_ADDR    0x8927u
#define VPC_SO_STREAM_COUNTS    0x9218u

/* RB_SAMPLE_COUNT_CONTROL */
#define COPY (1u << 1)

#define CACHE_FLUSH_TS         4u /* A6xx */
#define WRITE_PRIMITIVE_COUNTS 9u
#define ZPASS_DONE             21u
#define RB_DONE_TS             22u
#define CCU_CLEAN_DEPTH        32u /* A7xx */
#define CACHE_CLEAN            49u /* A7xx */

/* CP_EVENT_WRITE7 */
#define EVENT_SAMPLE_COUNT     (1u << 12)
#define EVENT_SAMPLE_COUNT_END (1u << 13) /* to the address + 16 */
#define EVENT_ADD_SAMPLE_COUNT (1u << 14) /* the difference, at + 8 */
#define EVENT_ALWAYS_ON        (3u << 20)
#define EVENT_WRITES           (1u << 27)

#define REG_TO_MEM_64_BITS   (1u << 30)
#define REG_TO_MEM_COUNT(DW) ((uint32_t)(DW) << 18)

#define MEM_TO_MEM_NEGATE_THIRD (1u << 2)
#define MEM_TO_MEM_64_BITS      (1u << 29)
#define MEM_TO_MEM_WAIT         (1u << 30) /* for earlier writes */

#define COND_RENDER_MODE (3u << 28)
#define COND_BINNING     (1u << 25)
#define COND_NO_TILES    (1u << 27)

#define WAIT_EQUAL       3u
#define WAIT_NOT_EQUAL   4u
#define WAIT_FOR_MEMORY  (1u << 4)
#define WAIT_POLL_CYCLES 16u

/* CP_COND_WRITE5 compares as CP_WAIT_REG_MEM does. */
#define COND_WRITES_MEMORY (1u << 8)

/* A sample count before the GPU has written it. */
#define NOT_WRITTEN 0xffffffffu

/* In a record of a sample that is added up: the end. */
#define END_B 16

/*
 * Packets
 */

static uint32_t
low(uint64_t address)
{
   return (uint32_t)address;
}

static uint32_t
high(uint64_t address)
{
   return (uint32_t)(address >> 32);
}

/* Returns the bit that makes the number of ones odd. */
static uint32_t
odd_parity(uint32_t value)
{
   return !__builtin_parity(value);
}

static void
emit(struct pitot_hw_packets *packets, uint32_t header, const uint32_t *body,
     unsigned body_dw)
{
   *packets->next++ = header;
   if (body_dw)
      memcpy(packets->next, body, body_dw * sizeof(body[0]));
   packets->next += body_dw;
}

/* Writes a packet of type 7: a command. */
static void
emit_command(struct pitot_hw_packets *packets, uint32_t op,
             const uint32_t *body, unsigned body_dw)
{
   emit(packets,
        7u << 28 | odd_parity(op) << 23 | op << 16 |
           odd_parity(body_dw) << 15 | body_dw,
        body, body_dw);
}

/* Writes a packet of type 4: registers. */
static void
emit_registers(struct pitot_hw_packets *packets, uint32_t reg,
               const uint32_t *body, unsigned body_dw)
{
   emit(packets,
        4u << 28 | odd_parity(reg) << 27 | reg << 8 |
           odd_parity(body_dw) << 7 | body_dw,
        body, body_dw);
}

#define BODY(...)                                                            \
   (const uint32_t[]){ __VA_ARGS__ },                                        \
      sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)
#define EMIT(OP, ...) emit_command(packets, OP, BODY(__VA_ARGS__))
#define EMIT_REGISTERS(REG, ...)                                             \
   emit_registers(packets, REG, BODY(__VA_ARGS__))
#define EMIT_EMPTY(OP) emit_command(packets, OP, NULL, 0)

static const struct pitot_adreno_gpu *
gpu_of(const struct pitot_gpu *gpu)
{
   return (const struct pitot_adreno_gpu *)gpu;
}

/*
 * Samples
 */

/* A740 and later: the event writes the count to an address, or the end of a
 * pair, which is added up.  Both come in pairs.
 */
static void
write_count(struct pitot_hw_packets *packets, uint32_t flags,
            uint64_t address)
{
   EMIT(OP_EVENT_WRITE, ZPASS_DONE | EVENT_SAMPLE_COUNT | flags, low(address),
        high(address));
}

static void
add_count(struct pitot_hw_packets *packets, uint64_t begin_address)
{
   write_count(packets, EVENT_SAMPLE_COUNT_END | EVENT_ADD_SAMPLE_COUNT,
               begin_address);
}

/* The render backends write the count when they come by, however long the
 * command processor waits for idle, and perhaps an end before its begin: a
 * count is not there as long as it has another value.
 */
static void
sample_occlusion(struct pitot_hw_packets *packets, uint64_t address,
                 bool is_end)
{
   if (gpu_of(packets->gpu)->adds_sample_counts) {
      EMIT_REGISTERS(RB_SAMPLE_COUNT_CONTROL, COPY);
      write_count(packets, 0, address);
      if (!is_end)
         add_count(packets, address);
      return;
   }
   EMIT(OP_MEM_WRITE, low(address), high(address), NOT_WRITTEN, NOT_WRITTEN);
   EMIT_EMPTY(OP_WAIT_MEM_WRITES);
   EMIT_REGISTERS(RB_SAMPLE_COUNT_CONTROL, COPY);
   EMIT_REGISTERS(RB_SAMPLE_COUNT_ADDR, low(address), high(address));
   EMIT(OP_EVENT_WRITE, ZPASS_DONE);

   /* A725 and A730: Mesa cleans the cache after each count, as the vendor's
    * driver does.
    */
   if (packets->gpu->generation >= 7)
      EMIT(OP_EVENT_WRITE, CCU_CLEAN_DEPTH);
}

static void
write_counter(struct pitot_hw_packets *packets, uint32_t reg,
              uint64_t address)
{
   if (reg == PITOT_ADRENO_STREAMOUT) {
      EMIT_REGISTERS(VPC_SO_STREAM_COUNTS, low(address), high(address));
      EMIT(OP_EVENT_WRITE, WRITE_PRIMITIVE_COUNTS);
   } else {
      EMIT(OP_REG_TO_MEM, REG_TO_MEM_64_BITS | REG_TO_MEM_COUNT(2) | reg,
           low(address), high(address));
   }
}

/* A6xx: the times of events have 32 bits, says Mesa's Vulkan driver
 * (tu_query_pool.cc), so that the command processor reads the counter, after
 * a barrier.
 */
static void
sample_time(struct pitot_hw_packets *packets, uint64_t address)
{
   if (packets->gpu->generation >= 7)
      EMIT(OP_EVENT_WRITE, RB_DONE_TS | EVENT_ALWAYS_ON | EVENT_WRITES,
           low(address), high(address));
   else
      write_counter(packets, CP_ALWAYS_ON_COUNTER, address);
}

/* The packets of a counter that is sampled once are skipped in other passes.
 */
static void
sample_counter(struct pitot_hw_packets *packets, uint32_t argument,
               uint64_t address)
{
   uint32_t *condition = packets->next;

   if (argument & PITOT_ADRENO_ONCE)
      EMIT(OP_COND_REG_EXEC, COND_RENDER_MODE | COND_BINNING | COND_NO_TILES,
           0);
   uint32_t *const first = packets->next;
   write_counter(packets, argument & ~PITOT_ADRENO_ONCE, address);
   if (argument & PITOT_ADRENO_ONCE)
      condition[2] = (uint32_t)(packets->next - first);
}

/*
 * Sums and values
 */

static void
wait_other(struct pitot_hw_packets *packets, uint64_t address,
           uint32_t value)
{
   EMIT(OP_WAIT_REG_MEM, WAIT_FOR_MEMORY | WAIT_NOT_EQUAL, low(address),
        high(address), value, UINT32_MAX, WAIT_POLL_CYCLES);
}

void
pitot_adreno_add(struct pitot_hw_packets *packets, uint64_t sum,
                 uint64_t plus, uint64_t minus)
{
   const uint32_t body[] = {
      MEM_TO_MEM_64_BITS | MEM_TO_MEM_WAIT |
         (minus ? MEM_TO_MEM_NEGATE_THIRD : 0),
      low(sum),
      high(sum),
      low(sum),
      high(sum),
      low(plus),
      high(plus),
      low(minus),
      high(minus),
   };

   emit_command(packets, OP_MEM_TO_MEM, body, minus ? 9 : 7);
}

static void
add_difference(struct pitot_hw_packets *packets, uint64_t begin)
{
   pitot_adreno_add(packets, begin + PITOT_ADRENO_SUM_B, begin + END_B,
                    begin);
}

/* Adds a sample to its sum, when its end is there. */
static void
accumulate(struct pitot_hw_packets *packets, uint32_t kind, uint64_t begin)
{
   if (kind == PITOT_COMMAND_OCCLUSION &&
       gpu_of(packets->gpu)->adds_sample_counts) {
      add_count(packets, begin);
      return;
   }
   if (kind == PITOT_COMMAND_OCCLUSION) {
      wait_other(packets, begin, NOT_WRITTEN);
      wait_other(packets, begin + END_B, NOT_WRITTEN);
   } else {
      EMIT_EMPTY(OP_WAIT_FOR_IDLE);
   }
   add_difference(packets, begin);
}

/* The event comes after the writes of all earlier events, and the command
 * processor's own are waited for.
 */
static void
write_fence(struct pitot_hw_packets *packets, uint64_t address,
            uint32_t value)
{
   const uint32_t event = packets->gpu->generation >= 7
                             ? CACHE_CLEAN | EVENT_WRITES
                             : CACHE_FLUSH_TS;

   EMIT_EMPTY(OP_WAIT_MEM_WRITES);
   EMIT(OP_EVENT_WRITE, event, low(address), high(address), value);
}

/* Before the tiles, which may add to the value. */
static void
write_value(struct pitot_hw_packets *packets,
            const struct pitot_cs_command *command, uint64_t address)
{
   const uint32_t body[] = { low(address), high(address), low(command->value),
                             high(command->value) };

   emit_command(packets, OP_MEM_WRITE, body,
                2 + command->size_B / sizeof(body[0]));
   EMIT_EMPTY(OP_WAIT_MEM_WRITES);
}

/*
 * Stores
 */

void
pitot_adreno_drain(struct pitot_hw_packets *packets, uint64_t address)
{
   EMIT(OP_MEM_WRITE, low(address), high(address), 0);
   write_fence(packets, address, 1);
   wait_other(packets, address, 0);
}

void
pitot_adreno_set(struct pitot_hw_packets *packets, uint64_t address,
                 uint64_t value)
{
   EMIT(OP_MEM_WRITE, low(address), high(address), low(value), high(value));
}

/* The condition reads memory that earlier packets may have written. */
void
pitot_adreno_replace(struct pitot_hw_packets *packets, uint64_t address,
                     uint32_t value, uint64_t condition, uint32_t mask)
{
   uint32_t function = WAIT_NOT_EQUAL;

   if (mask == PITOT_ADRENO_IF_ZERO) {
      function = WAIT_EQUAL;
      mask = UINT32_MAX;
   }
   EMIT_EMPTY(OP_WAIT_MEM_WRITES);
   EMIT(OP_COND_WRITE, COND_WRITES_MEMORY | WAIT_FOR_MEMORY | function,
        low(condition), high(condition), 0, mask, low(address), high(address),
        value);
}

void
pitot_adreno_copy(struct pitot_hw_packets *packets, uint64_t to,
                  uint64_t from, unsigned size_B)
{
   const uint32_t width = size_B == sizeof(uint64_t) ? MEM_TO_MEM_64_BITS : 0;

   EMIT(OP_MEM_TO_MEM, MEM_TO_MEM_WAIT | width, low(to), high(to), low(from),
        high(from));
   EMIT_EMPTY(OP_WAIT_MEM_WRITES);
}

static void
encode(struct pitot_hw_packets *packets,
       const struct pitot_cs_command *command)
{
   const uint64_t address = command->buffer->address + command->offset_B;

   switch (command->kind) {
   case PITOT_COMMAND_OCCLUSION:
      sample_occlusion(packets, address, command->is_end);
      break;
   case PITOT_COMMAND_TIMESTAMP:
      sample_time(packets, address);
      break;
   case PITOT_COMMAND_COUNTER:
      sample_counter(packets, command->argument, address);
      break;
   case PITOT_COMMAND_ACCUMULATE:
      accumulate(packets, command->argument, address);
      break;
   case PITOT_COMMAND_FENCE:
      write_fence(packets, address, (uint32_t)command->value);
      break;
   case PITOT_COMMAND_VALUE:
      write_value(packets, command, address);
      break;
   }
}

void
pitot_adreno_encode(struct pitot_hw_packets *packets,
                    const struct pitot_cs_command *commands, unsigned count)
{
   for (unsigned i = 0; i < count; i++)
      encode(packets, &commands[i]);
}

enum pitot_adreno_section
pitot_adreno_section(const struct pitot_gpu *gpu,
                     const struct pitot_cs_command *command)
{
   if (command->kind == PITOT_COMMAND_FENCE)
      return PITOT_ADRENO_BATCH_END;
   if (command->kind == PITOT_COMMAND_VALUE)
      return PITOT_ADRENO_BATCH_BEGIN;
   if (command->kind == PITOT_COMMAND_ACCUMULATE &&
       command->argument == PITOT_COMMAND_OCCLUSION &&
       !gpu_of(gpu)->adds_sample_counts)
      return PITOT_ADRENO_TILE_END;
   return PITOT_ADRENO_DRAWS;
}
