/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Programs for Intel's command streamer, which has sixteen registers of 64
 * bits and can add, subtract and combine them: the GPU knows the result of a
 * query before the CPU does.  Gen8 and later.
 */

#ifndef PITOT_HW_INTEL_PROGRAM_H
#define PITOT_HW_INTEL_PROGRAM_H

#include "intel.h"

/* CS_GPR0 to CS_GPR15. */
typedef unsigned pitot_intel_gpr;

struct pitot_intel_program {
   struct pitot_hw_packets *packets;
   uint32_t *math, *math_end; /* the last MI_MATH */
};

/* Operations on two registers. */
enum pitot_intel_operation {
   PITOT_INTEL_ADD = 0x100,
   PITOT_INTEL_SUB = 0x101,
   PITOT_INTEL_AND = 0x102,
   PITOT_INTEL_OR = 0x103,
};

/* Loads 8 bytes of memory. */
void
pitot_intel_load(struct pitot_intel_program *program, pitot_intel_gpr to,
                 uint64_t address);

/* Returns the address of a place of a segment's record. */
static inline uint64_t
pitot_intel_address(const struct pitot_hw_segment *segment, const void *place)
{
   return pitot_cs_address(segment->slab->buffer,
                           pitot_hw_segment_offset_B(segment, place));
}

static inline void
pitot_intel_load_sample(struct pitot_intel_program *program,
                        pitot_intel_gpr to,
                        const struct pitot_hw_segment *segment,
                        const void *place)
{
   pitot_intel_load(program, to, pitot_intel_address(segment, place));
}

/* Loads constants, by one packet. */
struct pitot_intel_constant {
   pitot_intel_gpr to;
   uint64_t value;
};

void
pitot_intel_load_constants(struct pitot_intel_program *program,
                           const struct pitot_intel_constant *constants,
                           unsigned count);

void
pitot_intel_load_immediate(struct pitot_intel_program *program,
                           pitot_intel_gpr to, uint64_t value);

/* Stores the low 4 or all 8 bytes. */
void
pitot_intel_store(struct pitot_intel_program *program, pitot_intel_gpr from,
                  uint64_t address, unsigned size_B);

/* Computes. */
void
pitot_intel_compute(struct pitot_intel_program *program, pitot_intel_gpr to,
                    pitot_intel_gpr a, enum pitot_intel_operation operation,
                    pitot_intel_gpr b);

/* Computes, and sets another register to all ones for a carry or a borrow, or
 * to 0.
 */
void
pitot_intel_compute_carry(struct pitot_intel_program *program,
                          pitot_intel_gpr to, pitot_intel_gpr a,
                          enum pitot_intel_operation operation,
                          pitot_intel_gpr b, pitot_intel_gpr carry_to);

/* Sets a register to all ones where a is less than b, and to 0 otherwise. */
void
pitot_intel_compute_borrow(struct pitot_intel_program *program,
                           pitot_intel_gpr to, pitot_intel_gpr a,
                           pitot_intel_gpr b);

/* Sets a register to all ones where another one is not 0, or inverted, where
 * it is, and to 0 otherwise.
 */
void
pitot_intel_test(struct pitot_intel_program *program, pitot_intel_gpr to,
                 pitot_intel_gpr a, bool is_inverted);

void
pitot_intel_negate(struct pitot_intel_program *program, pitot_intel_gpr gpr);

void
pitot_intel_shift_left(struct pitot_intel_program *program,
                       pitot_intel_gpr gpr, unsigned bits);

/* Moves the high half of a register to the low one, and 0 to the high. */
void
pitot_intel_take_high(struct pitot_intel_program *program, pitot_intel_gpr to,
                      pitot_intel_gpr from);

/* Multiplies by a constant, into another register. */
void
pitot_intel_multiply(struct pitot_intel_program *program, pitot_intel_gpr to,
                     pitot_intel_gpr from, uint32_t factor);

/* Subtracts b from a, or leaves 0 where b is larger.  flag is another
 * register.
 */
void
pitot_intel_subtract_to_0(struct pitot_intel_program *program,
                          pitot_intel_gpr to, pitot_intel_gpr a,
                          pitot_intel_gpr b, pitot_intel_gpr flag);

/* Adds 1 where a flag is clear. */
void
pitot_intel_add_inverted_flag(struct pitot_intel_program *program,
                              pitot_intel_gpr gpr, pitot_intel_gpr flag);

/* Moves the low half of a register to MI_PREDICATE_RESULT. */
void
pitot_intel_set_predicate(struct pitot_intel_program *program,
                          pitot_intel_gpr from);

/* Calls a routine, which is a batch of the second level, and returns from it.
 */
void
pitot_intel_call(struct pitot_intel_program *program, uint64_t address);

void
pitot_intel_return(struct pitot_intel_program *program);

#endif /* PITOT_HW_INTEL_PROGRAM_H */
