/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "program.h"

#define BATCH_BUFFER_END  0x05000000u
#define MATH              0x0d000000u
#define LOAD_REGISTER_IMM 0x11000000u
#define LOAD_REGISTER_REG 0x15000001u
#define CALL              0x18c00101u /* of the second level, per process */
#define ADD_CS            (1u << 19)
#define ADD_CS_FROM       (1u << 18)
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

/* Begins a packet that loads so many halves of registers. */
static void
begin_load(struct pitot_intel_program *program, unsigned count)
{
   const bool is_relative = program->packets->gpu->generation >= 110;

   emit(program,
        LOAD_REGISTER_IMM | (2 * count - 1) | (is_relative ? ADD_CS : 0));
}

static void
load_half(struct pitot_intel_program *program, uint32_t reg, uint32_t value)
{
   pitot_intel_is_relative(program->packets->gpu, &reg);
   emit(program, reg);
   emit(program, value);
}

void
pitot_intel_load_constants(struct pitot_intel_program *program,
                           const struct pitot_intel_constant *constants,
                           unsigned count)
{
   begin_load(program, 2 * count);
   for (unsigned i = 0; i < count; i++) {
      const uint32_t reg = GPR(constants[i].to);

      load_half(program, reg, (uint32_t)constants[i].value);
      load_half(program, reg + 4, (uint32_t)(constants[i].value >> 32));
   }
}

void
pitot_intel_load_immediate(struct pitot_intel_program *program,
                           pitot_intel_gpr to, uint64_t value)
{
   pitot_intel_load_constants(program,
                              &(struct pitot_intel_constant){ to, value }, 1);
}

void
pitot_intel_store(struct pitot_intel_program *program, pitot_intel_gpr from,
                  uint64_t address, unsigned size_B)
{
   for (unsigned half_B = 0; half_B < size_B; half_B += 4)
      pitot_intel_register_mem(program->packets,
                               PITOT_INTEL_STORE_REGISTER_MEM,
                               GPR(from) + half_B, address + half_B);
}

static void
move_half(struct pitot_intel_program *program, uint32_t to, uint32_t from)
{
   const struct pitot_gpu *gpu = program->packets->gpu;
   const bool is_relative = pitot_intel_is_relative(gpu, &to);

   pitot_intel_is_relative(gpu, &from); /* as both are, or neither is */
   emit(program,
        LOAD_REGISTER_REG | (is_relative ? ADD_CS | ADD_CS_FROM : 0));
   emit(program, from);
   emit(program, to);
}

static void
clear_high(struct pitot_intel_program *program, pitot_intel_gpr gpr)
{
   begin_load(program, 1);
   load_half(program, GPR(gpr) + 4, 0);
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
                 pitot_intel_gpr a, bool is_inverted)
{
   compute(program, LOAD_ZERO, a, PITOT_INTEL_ADD, 0,
           is_inverted ? STORE : STORE_INVERTED, to, IS_ZERO);
}

void
pitot_intel_negate(struct pitot_intel_program *program, pitot_intel_gpr gpr)
{
   const uint32_t instructions[] = {
      instruction(LOAD_ZERO, SOURCE_A, 0),
      instruction(LOAD, SOURCE_B, gpr),
      instruction(PITOT_INTEL_SUB, 0, 0),
      instruction(STORE, gpr, RESULT),
   };

   math(program, instructions, 4);
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
pitot_intel_compute_borrow(struct pitot_intel_program *program,
                           pitot_intel_gpr to, pitot_intel_gpr a,
                           pitot_intel_gpr b)
{
   compute(program, LOAD, a, PITOT_INTEL_SUB, b, STORE, to, CARRY);
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
pitot_intel_multiply(struct pitot_intel_program *program, pitot_intel_gpr to,
                     pitot_intel_gpr from, uint32_t factor)
{
   if (!factor) {
      pitot_intel_load_immediate(program, to, 0);
      return;
   }

   const unsigned highest = 31 - (unsigned)__builtin_clz(factor);
   pitot_intel_compute(program, to, from, PITOT_INTEL_OR, from);
   for (unsigned i = highest; i-- > 0;) {
      pitot_intel_shift_left(program, to, 1);
      if (factor >> i & 1)
         pitot_intel_compute(program, to, to, PITOT_INTEL_ADD, from);
   }
}

void
pitot_intel_subtract_to_0(struct pitot_intel_program *program,
                          pitot_intel_gpr to, pitot_intel_gpr a,
                          pitot_intel_gpr b, pitot_intel_gpr flag)
{
   pitot_intel_compute_carry(program, to, a, PITOT_INTEL_SUB, b, flag);
   compute(program, LOAD_INVERTED, to, PITOT_INTEL_AND, flag, STORE, to,
           RESULT);
}

/* A flag that is clear is -1 when it is inverted. */
void
pitot_intel_add_inverted_flag(struct pitot_intel_program *program,
                              pitot_intel_gpr gpr, pitot_intel_gpr flag)
{
   compute(program, LOAD_INVERTED, gpr, PITOT_INTEL_SUB, flag, STORE, gpr,
           RESULT);
}

/*
 * Routines
 */

void
pitot_intel_call(struct pitot_intel_program *program, uint64_t address)
{
   address = pitot_intel_cut(address);
   emit(program, CALL);
   emit(program, (uint32_t)address);
   emit(program, (uint32_t)(address >> 32));
}

void
pitot_intel_return(struct pitot_intel_program *program)
{
   emit(program, BATCH_BUFFER_END);
}
