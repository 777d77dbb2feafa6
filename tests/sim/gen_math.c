/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* MI_MATH: the command streamer computes with general registers. */

#include <string.h>

#include "faults.h"
#include "gen.h"

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
