/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Programs for Intel's command streamer, which has sixteen registers of 64
 * bits and can add, subtract and combine them: what a query counted is known
 * to the GPU before it is to the CPU.  Gen8 and later.
 */

#ifndef PITOT_HW_INTEL_PROGRAM_H
#define PITOT_HW_INTEL_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

/* CS_GPR0 to CS_GPR15. */
typedef unsigned pitot_intel_gpr;

struct pitot_hw_program {
   unsigned generation;
   uint32_t *next;
   uint32_t *math; /* the MI_MATH that is open, or NULL */
   bool is_predicated;

   /* Of a time: what is to be added, and how many bits it has once it is in
    * fractions of a nanosecond.
    */
   uint64_t base_ticks;
   unsigned scaled_bits;
};

#define PITOT_INTEL_PREDICATE_RESULT 0x2418

/* Operations: what is computed from two registers. */
enum pitot_intel_operation {
   PITOT_INTEL_ADD = 0x100,
   PITOT_INTEL_SUB = 0x101,
   PITOT_INTEL_AND = 0x102,
   PITOT_INTEL_OR = 0x103,
};

/* What of an operation is kept: flags are all ones or 0.  A carry is also a
 * borrow.
 */
enum pitot_intel_outcome {
   PITOT_INTEL_RESULT = 0x31,
   PITOT_INTEL_IS_ZERO = 0x32,
   PITOT_INTEL_CARRY = 0x33,
};

/* Between memory and registers. */
void
pitot_intel_load(struct pitot_hw_program *program, pitot_intel_gpr to,
                 uint64_t address);

void
pitot_intel_load_immediate(struct pitot_hw_program *program,
                           pitot_intel_gpr to, uint64_t value);

/* Stores the low 4 or all 8 bytes; nothing if the program is predicated, and
 * what MI_PREDICATE_RESULT has is 0.
 */
void
pitot_intel_store(struct pitot_hw_program *program, pitot_intel_gpr from,
                  uint64_t address, unsigned size_B);

/* Computes. */
void
pitot_intel_compute(struct pitot_hw_program *program, pitot_intel_gpr to,
                    pitot_intel_gpr a, enum pitot_intel_operation operation,
                    pitot_intel_gpr b);

/* The same, and keeps two outcomes. */
void
pitot_intel_compute_both(struct pitot_hw_program *program,
                         pitot_intel_gpr result_to, pitot_intel_gpr a,
                         enum pitot_intel_operation operation,
                         pitot_intel_gpr b, pitot_intel_gpr carry_to);

/* Sets a register to all ones where another one is not 0, or to 0. */
void
pitot_intel_test(struct pitot_hw_program *program, pitot_intel_gpr to,
                 pitot_intel_gpr a);

/* a - ~b: which adds 1 unless b is all ones. */
void
pitot_intel_add_unless(struct pitot_hw_program *program, pitot_intel_gpr to,
                       pitot_intel_gpr a, pitot_intel_gpr b);

void
pitot_intel_shift_left(struct pitot_hw_program *program, pitot_intel_gpr gpr,
                       unsigned bits);

/* Moves the high half of a register to the low one, and 0 to the high. */
void
pitot_intel_take_high(struct pitot_hw_program *program, pitot_intel_gpr to,
                      pitot_intel_gpr from);

/* Multiplies by a constant; scratch is another register. */
void
pitot_intel_multiply(struct pitot_hw_program *program, pitot_intel_gpr gpr,
                     uint32_t factor, pitot_intel_gpr scratch);

/* Divides a value of less than so many bits, exactly, rounding down.  The
 * divisor has 32 bits at most; five registers from scratch on are used.
 */
void
pitot_intel_divide(struct pitot_hw_program *program, pitot_intel_gpr gpr,
                   unsigned bits, uint32_t divisor, pitot_intel_gpr scratch);

/* Between the low half of a register and MI_PREDICATE_RESULT. */
void
pitot_intel_set_predicate(struct pitot_hw_program *program,
                          pitot_intel_gpr from);

void
pitot_intel_get_predicate(struct pitot_hw_program *program,
                          pitot_intel_gpr to);

#endif /* PITOT_HW_INTEL_PROGRAM_H */
