/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stddef.h>

#include "intel.h"
#include "program.h"

#define MATH              0x0d000000u
#define LOAD_REGISTER_IMM 0x11000000u
#define LOAD_REGISTER_MEM 0x14800002u
#define LOAD_REGISTER_REG 0x15000001u

/* Registers of an engine are told by their offset from its first one, on
 * Gen11 and later: see intel.c.
 */
#define ADD_CS         (1u << 19)
#define ADD_CS_FROM    (1u << 18)
#define CS_FIRST       0x2000u
#define PREDICATED     (1u << 21)
#define GPR(N)         (0x2600u + 8 * (N))
#define MAX_MATH_DW    63 /* Gen8's length has 6 bits */
#define SOURCE_A       0x20u
#define SOURCE_B       0x21u
#define LOAD           0x080u
#define LOAD_INVERTED  0x480u
#define LOAD_ZERO      0x081u
#define STORE          0x180u
#define STORE_INVERTED 0x580u

static bool
is_relative(const struct pitot_hw_program *program)
{
   return program->generation >= 110;
}

static uint32_t
offset_of(const struct pitot_hw_program *program, uint32_t reg)
{
   return is_relative(program) ? reg - CS_FIRST : reg;
}

static void
emit(struct pitot_hw_program *program, uint32_t dw)
{
   *program->next++ = dw;
}

/* A packet that is none of arithmetic. */
static void
begin_packet(struct pitot_hw_program *program, uint32_t header,
             uint32_t relative)
{
   program->math = NULL;
   emit(program, header | (is_relative(program) ? relative : 0));
}

static void
emit_address(struct pitot_hw_program *program, uint64_t address)
{
   address = pitot_intel_canonical(address);
   emit(program, (uint32_t)address);
   emit(program, (uint32_t)(address >> 32));
}

void
pitot_intel_load(struct pitot_hw_program *program, pitot_intel_gpr to,
                 uint64_t address)
{
   for (unsigned half_B = 0; half_B < 8; half_B += 4) {
      begin_packet(program, LOAD_REGISTER_MEM, ADD_CS);
      emit(program, offset_of(program, GPR(to) + half_B));
      emit_address(program, address + half_B);
   }
}

void
pitot_intel_load_immediate(struct pitot_hw_program *program,
                           pitot_intel_gpr to, uint64_t value)
{
   begin_packet(program, LOAD_REGISTER_IMM | 3, ADD_CS);
   emit(program, offset_of(program, GPR(to)));
   emit(program, (uint32_t)value);
   emit(program, offset_of(program, GPR(to) + 4));
   emit(program, (uint32_t)(value >> 32));
}

void
pitot_intel_store(struct pitot_hw_program *program, pitot_intel_gpr from,
                  uint64_t address, unsigned size_B)
{
   const uint32_t flags = program->is_predicated ? PREDICATED : 0;

   for (unsigned half_B = 0; half_B < size_B; half_B += 4) {
      begin_packet(program, PITOT_INTEL_STORE_REGISTER_MEM | flags, ADD_CS);
      emit(program, offset_of(program, GPR(from) + half_B));
      emit_address(program, address + half_B);
   }
}

static void
move_half(struct pitot_hw_program *program, uint32_t to, uint32_t from)
{
   begin_packet(program, LOAD_REGISTER_REG, ADD_CS | ADD_CS_FROM);
   emit(program, offset_of(program, from));
   emit(program, offset_of(program, to));
}

static void
clear_high(struct pitot_hw_program *program, pitot_intel_gpr gpr)
{
   begin_packet(program, LOAD_REGISTER_IMM | 1, ADD_CS);
   emit(program, offset_of(program, GPR(gpr) + 4));
   emit(program, 0);
}

void
pitot_intel_take_high(struct pitot_hw_program *program, pitot_intel_gpr to,
                      pitot_intel_gpr from)
{
   move_half(program, GPR(to), GPR(from) + 4);
   clear_high(program, to);
}

void
pitot_intel_set_predicate(struct pitot_hw_program *program,
                          pitot_intel_gpr from)
{
   move_half(program, PITOT_INTEL_PREDICATE_RESULT, GPR(from));
}

void
pitot_intel_get_predicate(struct pitot_hw_program *program,
                          pitot_intel_gpr to)
{
   move_half(program, GPR(to), PITOT_INTEL_PREDICATE_RESULT);
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

/* Adds to the packet that is open, or opens one. */
static void
math(struct pitot_hw_program *program, const uint32_t *instructions,
     unsigned count)
{
   if (!program->math ||
       program->next + count - program->math > 1 + MAX_MATH_DW) {
      program->math = program->next;
      emit(program, 0);
   }
   for (unsigned i = 0; i < count; i++)
      emit(program, instructions[i]);
   *program->math = MATH | (uint32_t)(program->next - program->math - 2);
}

void
pitot_intel_compute(struct pitot_hw_program *program, pitot_intel_gpr to,
                    pitot_intel_gpr a, enum pitot_intel_operation operation,
                    pitot_intel_gpr b)
{
   const uint32_t instructions[] = {
      instruction(LOAD, SOURCE_A, a),
      instruction(LOAD, SOURCE_B, b),
      instruction(operation, 0, 0),
      instruction(STORE, to, PITOT_INTEL_RESULT),
   };

   math(program, instructions, 4);
}

void
pitot_intel_compute_both(struct pitot_hw_program *program,
                         pitot_intel_gpr result_to, pitot_intel_gpr a,
                         enum pitot_intel_operation operation,
                         pitot_intel_gpr b, pitot_intel_gpr carry_to)
{
   const uint32_t instructions[] = {
      instruction(LOAD, SOURCE_A, a),
      instruction(LOAD, SOURCE_B, b),
      instruction(operation, 0, 0),
      instruction(STORE, result_to, PITOT_INTEL_RESULT),
      instruction(STORE, carry_to, PITOT_INTEL_CARRY),
   };

   math(program, instructions, 5);
}

void
pitot_intel_test(struct pitot_hw_program *program, pitot_intel_gpr to,
                 pitot_intel_gpr a)
{
   const uint32_t instructions[] = {
      instruction(LOAD, SOURCE_A, a),
      instruction(LOAD_ZERO, SOURCE_B, 0),
      instruction(PITOT_INTEL_ADD, 0, 0),
      instruction(STORE_INVERTED, to, PITOT_INTEL_IS_ZERO),
   };

   math(program, instructions, 4);
}

void
pitot_intel_add_unless(struct pitot_hw_program *program, pitot_intel_gpr to,
                       pitot_intel_gpr a, pitot_intel_gpr b)
{
   const uint32_t instructions[] = {
      instruction(LOAD, SOURCE_A, a),
      instruction(LOAD_INVERTED, SOURCE_B, b),
      instruction(PITOT_INTEL_SUB, 0, 0),
      instruction(STORE, to, PITOT_INTEL_RESULT),
   };

   math(program, instructions, 4);
}

void
pitot_intel_shift_left(struct pitot_hw_program *program, pitot_intel_gpr gpr,
                       unsigned bits)
{
   for (unsigned i = 0; i < bits; i++)
      pitot_intel_compute(program, gpr, gpr, PITOT_INTEL_ADD, gpr);
}

/* From the highest bit of the factor on: doubled, and added once more where
 * the bit is set.
 */
void
pitot_intel_multiply(struct pitot_hw_program *program, pitot_intel_gpr gpr,
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
pitot_intel_divide(struct pitot_hw_program *program, pitot_intel_gpr gpr,
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
      pitot_intel_compute_both(program, gpr, gpr, PITOT_INTEL_ADD, gpr, flag);
      pitot_intel_shift_left(program, rest, 1);
      /* All ones are -1. */
      pitot_intel_compute(program, rest, rest, PITOT_INTEL_SUB, flag);
      pitot_intel_compute_both(program, less, rest, PITOT_INTEL_SUB, by,
                               flag);
      pitot_intel_compute(program, back, by, PITOT_INTEL_AND, flag);
      pitot_intel_compute(program, rest, less, PITOT_INTEL_ADD, back);
      pitot_intel_add_unless(program, gpr, gpr, flag);
   }
}
