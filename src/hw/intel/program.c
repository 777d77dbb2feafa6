/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "program.h"

#define MATH              0x0d000000u
#define LOAD_REGISTER_IMM 0x11000000u
#define LOAD_REGISTER_REG 0x15000001u
#define ADD_CS            (1u << 19)
#define ADD_CS_FROM       (1u << 18)
#define PREDICATED        (1u << 21)
#define PREDICATE_RESULT  0x2418u
#define GPR(N)            (0x2600u + 8 * (N))

/* Of MI_MATH, whose length has 6 bits on Gen8. */
#define MAX_MATH_DW    63
#define SOURCE_A       0x20u
#define SOURCE_B       0x21u
#define RESULT         0x31u
#define IS_ZERO        0x32u
#define CARRY          0x33u /* also a borrow */
#define LOAD           0x080u
#define LOAD_INVERTED  0x480u
#define LOAD_ZERO      0x081u
#define STORE          0x180u
#define STORE_INVERTED 0x580u

static void
emit(struct pitot_intel_program *program, uint32_t dw)
{
   *program->packets->next++ = dw;
}

/*
 * Memory, constants and other registers
 */

void
pitot_intel_load(struct pitot_intel_program *program, pitot_intel_gpr to,
                 uint64_t address)
{
   for (unsigned half_B = 0; half_B < 8; half_B += 4)
      pitot_intel_register_mem(program->packets,
                               PITOT_INTEL_LOAD_REGISTER_MEM,
                               GPR(to) + half_B, address + half_B);
}

/* Loads one half of a register, or both. */
static void
load_halves(struct pitot_intel_program *program, uint32_t reg,
            const uint32_t *values, unsigned count)
{
   const bool is_relative =
      pitot_intel_is_relative(program->packets->gpu, &reg);

   emit(program,
        LOAD_REGISTER_IMM | (2 * count - 1) | (is_relative ? ADD_CS : 0));
   for (unsigned i = 0; i < count; i++) {
      emit(program, reg + 4 * i);
      emit(program, values[i]);
   }
}

void
pitot_intel_load_immediate(struct pitot_intel_program *program,
                           pitot_intel_gpr to, uint64_t value)
{
   const uint32_t halves[] = { (uint32_t)value, (uint32_t)(value >> 32) };

   load_halves(program, GPR(to), halves, 2);
}

void
pitot_intel_store(struct pitot_intel_program *program, pitot_intel_gpr from,
                  uint64_t address, unsigned size_B)
{
   const uint32_t flags = program->is_predicated ? PREDICATED : 0;

   for (unsigned half_B = 0; half_B < size_B; half_B += 4)
      pitot_intel_register_mem(program->packets,
                               PITOT_INTEL_STORE_REGISTER_MEM | flags,
                               GPR(from) + half_B, address + half_B);
}

static void
move_half(struct pitot_intel_program *program, uint32_t to, uint32_t from)
{
   const struct pitot_gpu *gpu = program->packets->gpu;
   const bool is_relative = pitot_intel_is_relative(gpu, &to) &&
                            pitot_intel_is_relative(gpu, &from);

   emit(program,
        LOAD_REGISTER_REG | (is_relative ? ADD_CS | ADD_CS_FROM : 0));
   emit(program, from);
   emit(program, to);
}

static void
clear_high(struct pitot_intel_program *program, pitot_intel_gpr gpr)
{
   load_halves(program, GPR(gpr) + 4, (const uint32_t[]){ 0 }, 1);
}

void
pitot_intel_take_high(struct pitot_intel_program *program, pitot_intel_gpr to,
                      pitot_intel_gpr from)
{
   move_half(program, GPR(to), GPR(from) + 4);
   clear_high(program, to);
}

void
pitot_intel_set_predicate(struct pitot_intel_program *program,
                          pitot_intel_gpr from)
{
   move_half(program, PREDICATE_RESULT, GPR(from));
}

void
pitot_intel_get_predicate(struct pitot_intel_program *program,
                          pitot_intel_gpr to)
{
   move_half(program, GPR(to), PREDICATE_RESULT);
   clear_high(program, to);
}

/*
 * Arithmetic
 */

static uint32_t
instruction(uint32_t opcode, uint32_t first, uint32_t second)
{
   return opcode << 20 | first << 10 | second;
}

/* Adds to the last MI_MATH if nothing came after it, or begins another one.
 */
static void
math(struct pitot_intel_program *program, const uint32_t *instructions,
     unsigned count)
{
   uint32_t *const next = program->packets->next;

   if (program->math_end != next ||
       next + count - program->math > 1 + MAX_MATH_DW) {
      program->math = next;
      emit(program, 0);
   }
   for (unsigned i = 0; i < count; i++)
      emit(program, instructions[i]);
   program->math_end = program->packets->next;
   *program->math = MATH | (uint32_t)(program->math_end - program->math - 2);
}

/* Computes with b as one way to load it says, and keeps an outcome. */
static void
compute(struct pitot_intel_program *program, uint32_t load_b,
        pitot_intel_gpr a, enum pitot_intel_operation operation,
        pitot_intel_gpr b, uint32_t store, pitot_intel_gpr to,
        uint32_t outcome)
{
   const uint32_t instructions[] = {
      instruction(LOAD, SOURCE_A, a),
      instruction(load_b, SOURCE_B, b),
      instruction(operation, 0, 0),
      instruction(store, to, outcome),
   };

   math(program, instructions, 4);
}

void
pitot_intel_compute(struct pitot_intel_program *program, pitot_intel_gpr to,
                    pitot_intel_gpr a, enum pitot_intel_operation operation,
                    pitot_intel_gpr b)
{
   compute(program, LOAD, a, operation, b, STORE, to, RESULT);
}

void
pitot_intel_test(struct pitot_intel_program *program, pitot_intel_gpr to,
                 pitot_intel_gpr a)
{
   compute(program, LOAD_ZERO, a, PITOT_INTEL_ADD, 0, STORE_INVERTED, to,
           IS_ZERO);
}

void
pitot_intel_compute_carry(struct pitot_intel_program *program,
                          pitot_intel_gpr to, pitot_intel_gpr a,
                          enum pitot_intel_operation operation,
                          pitot_intel_gpr b, pitot_intel_gpr carry_to)
{
   const uint32_t instructions[] = {
      instruction(LOAD, SOURCE_A, a),      instruction(LOAD, SOURCE_B, b),
      instruction(operation, 0, 0),        instruction(STORE, to, RESULT),
      instruction(STORE, carry_to, CARRY),
   };

   math(program, instructions, 5);
}

void
pitot_intel_shift_left(struct pitot_intel_program *program,
                       pitot_intel_gpr gpr, unsigned bits)
{
   for (unsigned i = 0; i < bits; i++)
      pitot_intel_compute(program, gpr, gpr, PITOT_INTEL_ADD, gpr);
}

/* From the highest bit of the factor on: doubled, and added once more where
 * the bit is set.
 */
void
pitot_intel_multiply(struct pitot_intel_program *program, pitot_intel_gpr gpr,
                     uint32_t factor, pitot_intel_gpr scratch)
{
   const unsigned highest = 31 - (unsigned)__builtin_clz(factor);

   pitot_intel_compute(program, scratch, gpr, PITOT_INTEL_OR, gpr);
   for (unsigned i = highest; i-- > 0;) {
      pitot_intel_shift_left(program, scratch, 1);
      if (factor >> i & 1)
         pitot_intel_compute(program, scratch, scratch, PITOT_INTEL_ADD, gpr);
   }
   pitot_intel_compute(program, gpr, scratch, PITOT_INTEL_OR, scratch);
}

/* As on paper, in base 2: bits leave the value on the left for the remainder,
 * and those of the quotient come in on the right.
 */
void
pitot_intel_divide(struct pitot_intel_program *program, pitot_intel_gpr gpr,
                   unsigned bits, uint32_t divisor, pitot_intel_gpr scratch)
{
   const pitot_intel_gpr by = scratch, rest = scratch + 1;
   const pitot_intel_gpr flag = scratch + 2, less = scratch + 3;
   const pitot_intel_gpr back = scratch + 4;

   if (divisor == 1)
      return;
   pitot_intel_load_immediate(program, by, divisor);
   pitot_intel_load_immediate(program, rest, 0);
   pitot_intel_shift_left(program, gpr, 64 - bits);
   for (unsigned i = 0; i < bits; i++) {
      pitot_intel_compute_carry(program, gpr, gpr, PITOT_INTEL_ADD, gpr,
                                flag);
      pitot_intel_shift_left(program, rest, 1);
      /* All ones are -1. */
      pitot_intel_compute(program, rest, rest, PITOT_INTEL_SUB, flag);
      pitot_intel_compute_carry(program, less, rest, PITOT_INTEL_SUB, by,
                                flag);
      pitot_intel_compute(program, back, by, PITOT_INTEL_AND, flag);
      pitot_intel_compute(program, rest, less, PITOT_INTEL_ADD, back);
      /* - ~0 is 1, unless there was a borrow. */
      compute(program, LOAD_INVERTED, gpr, PITOT_INTEL_SUB, flag, STORE, gpr,
              RESULT);
   }
}
