/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The command streamer: loads, stores, computes with registers, jumps. */

#include <stddef.h>
#include <string.h>

#include "faults.h"
#include "gen.h"

#define SDI_QWORD           (1u << 21)
#define SRM_PREDICATED      (1u << 21)
#define ADD_OFFSET          (1u << 19)
#define ADD_OFFSET_OF_FIRST (1u << 18)
#define FIRST_OF_ENGINE     0x2000
#define POST_SYNC_SHIFT     14

#define REG_DEPTH_COUNT      0x2350
#define REG_TIMESTAMP        0x2358
#define REG_PREDICATE_SOURCE 0x2400
#define REG_PREDICATE_RESULT 0x2418
#define REG_INDIRECT_DRAW    0x2430
#define REG_INDIRECT_GROUPS  0x2500
#define REG_GPR              0x2600
#define REG_SO_WRITTEN       0x5200
#define REG_SO_NEEDED        0x5240
#define REG_SO_END           0x5260
#define REG_GT_MODE          0x7008

#define FENCE_TYPE_MASK 3u
#define FENCE_MI_WRITE  3u
#define FENCE_PAGE_B    4096

/* Accesses to memory.  From Gen20 on a read may overtake earlier writes and
 * return the old memory, until a fence.
 */

/* Records 4 bytes before a write: the first entry of an address is oldest. */
static void
remember(struct gen_decoder *decoder, uint64_t address)
{
   uint64_t size_B = 0;
   const void *memory =
      sim_space_find(&decoder->engine->submission->space, address, &size_B);

   if (memory == NULL || size_B < sizeof(uint32_t))
      return;
   if (decoder->unfenced_count == GEN_MAX_UNFENCED)
      memmove(&decoder->unfenced[0], &decoder->unfenced[1],
              --decoder->unfenced_count * sizeof(decoder->unfenced[0]));

   struct gen_unfenced *unfenced =
      &decoder->unfenced[decoder->unfenced_count++];
   unfenced->address = address;
   memcpy(&unfenced->before, memory, sizeof(unfenced->before));
}

static void
gen_write(struct gen_decoder *decoder, uint64_t address, uint64_t value,
          unsigned size_B)
{
   for (unsigned i = 0; decoder->generation >= GEN20 && i < size_B; i += 4)
      remember(decoder, address + i);
   sim_write_now(decoder->engine, address, value, size_B);
}

uint32_t
gen_read(struct gen_decoder *decoder, uint64_t address)
{
   const uint32_t value =
      (uint32_t)sim_load(decoder->engine, address, sizeof(value));

   for (unsigned i = 0; i < decoder->unfenced_count; i++) {
      if (decoder->unfenced[i].address == address)
         return decoder->unfenced[i].before;
   }
   return value;
}

void
gen_fence(struct gen_decoder *decoder, const uint32_t *dw)
{
   if (decoder->generation < GEN20)
      sim_violate(decoder->engine, "MI_MEM_FENCE", "before Gen20");
   else if (!decoder->engine->registers->has_fence_page)
      sim_violate(decoder->engine, "MI_MEM_FENCE", "without its page");
   if ((dw[0] & FENCE_TYPE_MASK) == FENCE_MI_WRITE)
      decoder->unfenced_count = 0;
}

void
gen_set_fence_page(struct gen_decoder *decoder, const uint32_t *dw)
{
   const uint64_t address = sim_address(&dw[1]);
   uint64_t size_B = 0;

   if (sim_memory(decoder->engine, address, &size_B) == NULL)
      return;
   if (address % FENCE_PAGE_B != 0 || size_B < FENCE_PAGE_B)
      sim_violate(decoder->engine, "STATE_SYSTEM_MEM_FENCE_ADDRESS",
                  "is no page");
   decoder->engine->registers->has_fence_page = true;
}

/* By enum sim_statistic. */
static const uint32_t statistic_registers[SIM_STATISTIC_COUNT] = {
   0x2310, 0x2318, 0x2320, 0x2328, 0x2330, 0x2338, 0x2340,
   0x2348, 0x2300, 0x2308, 0x2290, 0x26e8, 0x26e0,
};

/* Registers of 64 bits, by the offset of the low half */

#define OWN(REG, FIELD)                                                      \
   {                                                                         \
      REG, offsetof(struct sim_registers, FIELD),                            \
         sizeof(((struct sim_registers *)NULL)->FIELD)                       \
   }

static uint64_t *
own_register(struct gen_decoder *decoder, uint32_t reg)
{
   static const struct {
      uint32_t first;
      size_t offset_B, size_B;
   } own[] = {
      OWN(REG_GPR, gpr),
      OWN(REG_INDIRECT_DRAW, indirect_draw),
      OWN(REG_INDIRECT_GROUPS, indirect_groups),
      OWN(REG_PREDICATE_SOURCE, predicate_sources),
   };

   for (unsigned i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
      if (reg >= own[i].first && reg - own[i].first < own[i].size_B)
         return (uint64_t *)((char *)decoder->engine->registers +
                             own[i].offset_B + (reg - own[i].first));
   }
   return NULL;
}

static uint64_t
read_streamout(const struct sim_counters *counters, uint32_t reg)
{
   const bool is_needed = reg >= REG_SO_NEEDED;
   const uint32_t base = is_needed ? REG_SO_NEEDED : REG_SO_WRITTEN;
   const unsigned stream = (reg - base) / sizeof(uint64_t);

   if (stream >= SIM_STREAM_COUNT)
      return 0;
   return counters->streamout[stream][is_needed ? SIM_NEEDED : SIM_WRITTEN];
}

/* Returns a statistics counter, which batches may also write, or NULL. */
static uint64_t *
find_statistic(struct gen_decoder *decoder, uint32_t reg)
{
   for (unsigned i = 0; i < SIM_STATISTIC_COUNT; i++) {
      if (statistic_registers[i] == reg)
         return &decoder->engine->counters->statistics[i];
   }
   return NULL;
}

/* Returns whether the register is a counter or the clock. */
static bool
read_counter(struct gen_decoder *decoder, uint32_t reg, uint64_t *value_out)
{
   const struct sim_counters *counters = decoder->engine->counters;
   const uint64_t *statistic = find_statistic(decoder, reg);

   if (statistic != NULL)
      *value_out = *statistic;
   else if (reg == REG_TIMESTAMP)
      *value_out = sim_tick(decoder->engine->sim, 0);
   else if (reg == REG_DEPTH_COUNT)
      *value_out = counters->samples[0];
   else if (reg >= REG_SO_WRITTEN && reg < REG_SO_END)
      *value_out = read_streamout(counters, reg);
   else
      return false;
   return true;
}

/* Registers that are not simulated are 0. */
static uint64_t
read_register(struct gen_decoder *decoder, uint32_t reg)
{
   const uint64_t *own = own_register(decoder, reg);
   uint64_t value = 0;

   if (own != NULL)
      return *own;
   if (reg == REG_PREDICATE_RESULT)
      return decoder->engine->registers->predicate;
   read_counter(decoder, reg, &value);
   return value;
}

static uint32_t
read_half(struct gen_decoder *decoder, uint32_t reg)
{
   const uint32_t low = reg & ~UINT32_C(7);
   const uint64_t value = read_register(decoder, low);

   return (uint32_t)(reg == low ? value : value >> 32);
}

static void
write_half(struct gen_decoder *decoder, uint32_t reg, uint32_t value)
{
   const uint32_t low = reg & ~UINT32_C(7);
   const unsigned shift = reg == low ? 0 : 32;
   uint64_t *own = own_register(decoder, low);

   if (own == NULL)
      own = find_statistic(decoder, low);
   if (own != NULL)
      *own = (*own & ~(UINT64_C(0xffffffff) << shift)) | (uint64_t)value
                                                            << shift;
   if (reg == REG_PREDICATE_RESULT)
      decoder->engine->registers->predicate = (value & 1) != 0;
   else if (reg == REG_GT_MODE)
      gen_set_table_mode(decoder, value);
}

/* From Gen11 on, a flag makes the number relative to the engine. */
static uint32_t
register_of(const struct gen_decoder *decoder, uint32_t header, uint32_t flag,
            uint32_t reg)
{
   return decoder->generation >= GEN11 && (header & flag) != 0
             ? reg + FIRST_OF_ENGINE
             : reg;
}

/* Between registers and memory */

/* A store is 32 bits: work must not be counted between the two halves. */
static void
check_store(struct gen_decoder *decoder, uint32_t reg)
{
   struct sim_engine *engine = decoder->engine;
   const uint32_t low = reg & ~UINT32_C(7);
   uint64_t unused;

   if (!read_counter(decoder, low, &unused))
      return;
   if (engine->is_busy && low != REG_TIMESTAMP)
      sim_violate(engine, "MI_STORE_REGISTER_MEM",
                  "without a CS stall after work");
   if (engine->is_busy)
      sim_retire(engine);
}

void
gen_store_register(struct gen_decoder *decoder, const uint32_t *dw)
{
   const uint32_t reg = register_of(decoder, dw[0], ADD_OFFSET, dw[1]);
   const uint64_t address = sim_address(&dw[2]);

   if ((dw[0] & SRM_PREDICATED) != 0 &&
       !decoder->engine->registers->predicate &&
       !decoder->engine->sim->faults.ignores_predicate)
      return;
   sim_note(decoder->engine, address, "store register %04x", reg);
   gen_write(decoder, address, read_half(decoder, reg), sizeof(uint32_t));
   check_store(decoder, reg);
}

void
gen_store_data(struct gen_decoder *decoder, const uint32_t *dw)
{
   const bool is_qword = (dw[0] & SDI_QWORD) != 0;
   const uint64_t value = is_qword ? sim_pair(&dw[3]) : dw[3];

   sim_note(decoder->engine, sim_address(&dw[1]), "store data %x", dw[3]);
   gen_write(decoder, sim_address(&dw[1]), value,
             is_qword ? sizeof(uint64_t) : sizeof(uint32_t));
}

void
gen_load_immediates(struct gen_decoder *decoder, const uint32_t *dw)
{
   for (unsigned i = 1; i + 1 < gen_length(dw[0]); i += 2)
      write_half(decoder, register_of(decoder, dw[0], ADD_OFFSET, dw[i]),
                 dw[i + 1]);
}

void
gen_load_register(struct gen_decoder *decoder, const uint32_t *dw)
{
   const uint32_t from =
      register_of(decoder, dw[0], ADD_OFFSET_OF_FIRST, dw[1]);

   write_half(decoder, register_of(decoder, dw[0], ADD_OFFSET, dw[2]),
              read_half(decoder, from));
}

void
gen_load_memory(struct gen_decoder *decoder, const uint32_t *dw)
{
   write_half(decoder, register_of(decoder, dw[0], ADD_OFFSET, dw[1]),
              gen_read(decoder, sim_address(&dw[2])));
}

void
gen_copy_memory(struct gen_decoder *decoder, const uint32_t *dw)
{
   gen_write(decoder, sim_address(&dw[1]),
             gen_read(decoder, sim_address(&dw[3])), sizeof(uint32_t));
}

void
gen_flush(struct gen_decoder *decoder, const uint32_t *dw)
{
   struct sim_engine *engine = decoder->engine;
   const enum gen_post_sync sync = dw[0] >> POST_SYNC_SHIFT & 3;
   const uint64_t address = sim_address(&dw[1]);

   if (sync == GEN_POST_SYNC_IMMEDIATE)
      sim_write_now(engine, address, sim_pair(&dw[3]), sizeof(uint64_t));
   else if (sync == GEN_POST_SYNC_TIMESTAMP)
      sim_write_now(engine, address, sim_tick(engine->sim, 0),
                    sizeof(uint64_t));
}

/* Compares, combines with the predicate, loads the result or its inverse. */
void
gen_predicate(struct gen_decoder *decoder, const uint32_t *dw)
{
   enum { TRUE, FALSE, SOURCES_EQUAL };
   enum { SET, AND, OR, XOR };
   enum { KEEP, LOAD = 2, LOAD_INVERTED };
   struct sim_registers *registers = decoder->engine->registers;
   const unsigned compare = dw[0] & 3, combine = dw[0] >> 3 & 3;
   const unsigned load = dw[0] >> 6 & 3;
   const bool before = registers->predicate;
   bool result = compare == SOURCES_EQUAL ? registers->predicate_sources[0] ==
                                               registers->predicate_sources[1]
                                          : compare == TRUE;

   if (combine == AND)
      result = before && result;
   else if (combine == OR)
      result = before || result;
   else if (combine == XOR)
      result = before != result;
   if (load != KEEP)
      registers->predicate = result != (load == LOAD_INVERTED);
   sim_note(decoder->engine, 0, "predicate %d", registers->predicate);
}

/* MI_MATH */

/* Operands that are not general registers.  Flags are all ones or zero. */
enum {
   SOURCE_A = 0x20,
   SOURCE_B = 0x21,
   ACCUMULATOR = 0x31,
   ZERO_FLAG = 0x32,
   CARRY_FLAG = 0x33,
   OPERAND_COUNT = 0x40,
};

static void
alu_compute(const struct sim *sim, uint64_t operands[OPERAND_COUNT],
            unsigned operation)
{
   const uint64_t a = operands[SOURCE_A], b = operands[SOURCE_B];
   const uint64_t results[] = {
      sim_fault_add(sim, a, b),
      sim_fault_add(sim, a, -b),
      a & b,
      a | b,
      a ^ b,
      a << (b & 63),
      a >> (b & 63),
   };
   const unsigned i = operation - 0x100;
   const bool has_carry = (i == 0 && a + b < a) || (i == 1 && a < b);

   if (i < sizeof(results) / sizeof(results[0]))
      operands[ACCUMULATOR] = results[i];
   operands[CARRY_FLAG] = has_carry ? UINT64_MAX : 0;
   operands[ZERO_FLAG] = operands[ACCUMULATOR] == 0 ? UINT64_MAX : 0;
}

static void
alu_execute(const struct sim *sim, uint64_t operands[OPERAND_COUNT],
            uint32_t dw)
{
   const unsigned operation = dw >> 20;
   uint64_t *to = &operands[dw >> 10 & 0x3f];
   const uint64_t *from = &operands[dw & 0x3f];

   switch (operation) {
   case 0x080: /* load, and store */
   case 0x180:
      *to = *from;
      break;
   case 0x480: /* the same, inverted */
   case 0x580:
      *to = ~*from;
      break;
   case 0x081: /* load 0, and 1 */
   case 0x481:
      *to = operation == 0x481;
      break;
   default:
      alu_compute(sim, operands, operation);
   }
}

void
gen_math(struct gen_decoder *decoder, const uint32_t *dw)
{
   struct sim_registers *registers = decoder->engine->registers;
   uint64_t operands[OPERAND_COUNT] = { 0 };

   memcpy(operands, registers->gpr, sizeof(registers->gpr));
   for (unsigned i = 1; i < gen_length(dw[0]); i++)
      alu_execute(decoder->engine->sim, operands, dw[i]);
   memcpy(registers->gpr, operands, sizeof(registers->gpr));
}
