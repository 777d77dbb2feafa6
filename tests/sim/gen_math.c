/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * MI_MATH: what Intel's command streamer computes with its own registers.
 */

#include "gen.h"

enum {
   SOURCE_A = 0x20,
   SOURCE_B = 0x21,
   ACCUMULATOR = 0x31,
   ZERO_FLAG = 0x32,
   CARRY_FLAG = 0x33,
};

struct alu {
   uint64_t a, b, accumulator;
   bool is_zero, has_carry;
};

/* Flags are all ones or none. */
static uint64_t
alu_operand(const struct sim_registers *registers, const struct alu *alu,
            unsigned operand)
{
   switch (operand) {
   case ACCUMULATOR:
      return alu->accumulator;
   case ZERO_FLAG:
      return alu->is_zero ? UINT64_MAX : 0;
   case CARRY_FLAG:
      return alu->has_carry ? UINT64_MAX : 0;
   default:
      return registers->gpr[operand % SIM_GPR_COUNT];
   }
}

static void
alu_compute(struct alu *alu, unsigned operation)
{
   alu->has_carry = false;
   switch (operation) {
   case 0x100:
      alu->has_carry =
         __builtin_add_overflow(alu->a, alu->b, &alu->accumulator);
      break;
   case 0x101:
      alu->has_carry =
         __builtin_sub_overflow(alu->a, alu->b, &alu->accumulator);
      break;
   case 0x102:
      alu->accumulator = alu->a & alu->b;
      break;
   case 0x103:
      alu->accumulator = alu->a | alu->b;
      break;
   case 0x104:
      alu->accumulator = alu->a ^ alu->b;
      break;
   case 0x105:
      alu->accumulator = alu->a << (alu->b & 63);
      break;
   case 0x106:
      alu->accumulator = alu->a >> (alu->b & 63);
      break;
   }
   alu->is_zero = alu->accumulator == 0;
}

static void
alu_execute(struct sim_registers *registers, struct alu *alu, uint32_t dw)
{
   const unsigned operation = dw >> 20;
   const unsigned first = dw >> 10 & 0x3ff, second = dw & 0x3ff;
   uint64_t *source = first == SOURCE_A ? &alu->a : &alu->b;

   switch (operation) {
   case 0x080: /* load, and inverted */
   case 0x480:
      *source = alu_operand(registers, alu, second);
      *source ^= operation == 0x480 ? UINT64_MAX : 0;
      break;
   case 0x081: /* load 0, and 1 */
   case 0x481:
      *source = operation == 0x481;
      break;
   case 0x180: /* store, and inverted */
   case 0x580:
      registers->gpr[first % SIM_GPR_COUNT] =
         alu_operand(registers, alu, second) ^
         (operation == 0x580 ? UINT64_MAX : 0);
      break;
   default:
      alu_compute(alu, operation);
   }
}

void
gen_math(struct sim_registers *registers, const uint32_t *dw,
         unsigned count_dw)
{
   struct alu alu = { 0 };

   for (unsigned i = 1; i < count_dw; i++)
      alu_execute(registers, &alu, dw[i]);
}
