/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "routine.h"

#define NS_PER_S UINT64_C(1000000000)

/* The command streamer reads so far ahead. */
#define READ_AHEAD_DW 256

/* Registers of the routines' own. */
enum {
   FLAG = PITOT_INTEL_SCRATCH,
   LENGTH,
   EARLIER_END,
   LATER_BEGIN,

   LOW_MASK = PITOT_INTEL_SCRATCH,
   ONE_HALF,
   PRODUCT,
   ESTIMATE,
   QUOTIENT,
   REST,
};

#define SUM        PITOT_INTEL_SUM
#define BASE       PITOT_INTEL_BASE
#define MASK       PITOT_INTEL_MASK
#define BEGIN      PITOT_INTEL_BEGIN
#define END        PITOT_INTEL_END
#define LAST_BEGIN PITOT_INTEL_LAST_BEGIN
#define LAST_END   PITOT_INTEL_LAST_END

static void
add(struct pitot_intel_program *program, pitot_intel_gpr to,
    pitot_intel_gpr from)
{
   pitot_intel_compute(program, to, to, PITOT_INTEL_ADD, from);
}

static void
subtract(struct pitot_intel_program *program, pitot_intel_gpr to,
         pitot_intel_gpr from)
{
   pitot_intel_compute(program, to, to, PITOT_INTEL_SUB, from);
}

/* Leaves how much later than the base a sample is. */
static void
subtract_base(struct pitot_intel_program *program, pitot_intel_gpr gpr)
{
   subtract(program, gpr, BASE);
   pitot_intel_compute(program, gpr, gpr, PITOT_INTEL_AND, MASK);
}

/* Two intervals share the time from the later begin to the earlier end: as in
 * add_time() of merge.c.
 */
static void
add_elapsed(struct pitot_intel_program *program)
{
   subtract_base(program, BEGIN);
   subtract_base(program, END);
   pitot_intel_subtract_to_0(program, LENGTH, END, BEGIN, FLAG);
   add(program, SUM, LENGTH);

   pitot_intel_subtract_to_0(program, LENGTH, END, LAST_END, FLAG);
   pitot_intel_compute(program, EARLIER_END, END, PITOT_INTEL_SUB, LENGTH);
   pitot_intel_subtract_to_0(program, LENGTH, LAST_BEGIN, BEGIN, FLAG);
   pitot_intel_compute(program, LATER_BEGIN, BEGIN, PITOT_INTEL_ADD, LENGTH);
   pitot_intel_subtract_to_0(program, LENGTH, EARLIER_END, LATER_BEGIN, FLAG);
   subtract(program, SUM, LENGTH);

   pitot_intel_compute(program, LAST_BEGIN, BEGIN, PITOT_INTEL_OR, BEGIN);
   pitot_intel_compute(program, LAST_END, END, PITOT_INTEL_OR, END);
}

static void
add_timestamp(struct pitot_intel_program *program)
{
   subtract_base(program, END);
   add(program, END, BASE);
   pitot_intel_subtract_to_0(program, END, END, SUM, FLAG);
   add(program, SUM, END);
}

/*
 * Nanoseconds
 */

/* Nanoseconds in a tick. */
struct ratio {
   uint32_t numerator, denominator;
};

static struct ratio
ns_per_tick(const struct pitot_gpu *gpu)
{
   uint64_t a = NS_PER_S, b = gpu->timestamp_hz;

   while (b) {
      const uint64_t rest = a % b;

      a = b;
      b = rest;
   }
   return (struct ratio){ (uint32_t)(NS_PER_S / a),
                          (uint32_t)(gpu->timestamp_hz / a) };
}

/* Leaves an estimate of the product with a factor in units of 2^-32: the low
 * half of the value and the high one are multiplied each.
 */
static void
estimate(struct pitot_intel_program *program, pitot_intel_gpr to,
         pitot_intel_gpr from, uint64_t bound, uint32_t factor)
{
   pitot_intel_compute(program, ONE_HALF, from, PITOT_INTEL_AND, LOW_MASK);
   pitot_intel_multiply(program, PRODUCT, ONE_HALF, factor);
   pitot_intel_take_high(program, to, PRODUCT);
   if (!(bound >> 32))
      return;
   pitot_intel_take_high(program, ONE_HALF, from);
   pitot_intel_multiply(program, PRODUCT, ONE_HALF, factor);
   add(program, to, PRODUCT);
}

/* Takes a quotient times the denominator away from the rest. */
static void
take_away(struct pitot_intel_program *program, pitot_intel_gpr quotient,
          uint32_t denominator)
{
   pitot_intel_multiply(program, PRODUCT, quotient, denominator);
   subtract(program, REST, PRODUCT);
}

/* Returns what the rest of a division is less than, if the quotient is an
 * estimate.  For value < bound, both halves of the factor's error count: less
 * than 2^-32 of the value, which is at most bound >> 32 and a fraction, and
 * what is cut off from the low half's product.
 */
static uint64_t
bound_of_rest(uint64_t bound, uint32_t denominator)
{
   return ((bound >> 32) + 2) * denominator;
}

/* The largest step of a division. */
#define MAX_STEP_DW 700

/* Divides SUM times a fraction less than 1, exactly: estimates the quotient
 * by the reciprocal, and goes on with the rest.  Products wrap, but the rest
 * does not.  Returns whether the program fits.
 */
static bool
scale_by_fraction(struct pitot_intel_program *program, uint32_t numerator,
                  uint32_t denominator, const uint32_t *end)
{
   const uint64_t one = UINT64_C(1) << 32;
   uint64_t bound = UINT64_C(1) << PITOT_INTEL_TICKS_BITS;

   estimate(program, QUOTIENT, SUM, bound,
            (uint32_t)(one * numerator / denominator));
   pitot_intel_multiply(program, REST, SUM, numerator);
   take_away(program, QUOTIENT, denominator);
   bound = bound_of_rest(bound, denominator);
   while (bound > UINT64_C(2) * denominator) {
      if (end - program->packets->next < MAX_STEP_DW)
         return false;
      estimate(program, ESTIMATE, REST, bound, (uint32_t)(one / denominator));
      add(program, QUOTIENT, ESTIMATE);
      take_away(program, ESTIMATE, denominator);
      bound = bound_of_rest(bound, denominator);
   }
   pitot_intel_load_immediate(program, PRODUCT, denominator);
   pitot_intel_compute_carry(program, REST, REST, PITOT_INTEL_SUB, PRODUCT,
                             LOW_MASK);
   pitot_intel_add_inverted_flag(program, QUOTIENT, LOW_MASK);
   return true;
}

static bool
finish_time(struct pitot_intel_program *program, const uint32_t *end)
{
   const struct ratio ratio = ns_per_tick(program->packets->gpu);
   const uint32_t whole = ratio.numerator / ratio.denominator;
   const uint32_t fraction = ratio.numerator % ratio.denominator;

   pitot_intel_load_constants(program,
                              (const struct pitot_intel_constant[]){
                                 { LOW_MASK, UINT32_MAX }, { QUOTIENT, 0 } },
                              2);
   if (fraction &&
       !scale_by_fraction(program, fraction, ratio.denominator, end))
      return false;
   pitot_intel_multiply(program, PRODUCT, SUM, whole);
   pitot_intel_compute(program, SUM, PRODUCT, PITOT_INTEL_ADD, QUOTIENT);
   return true;
}

/*
 * Counts
 */

/* Each half is shifted up so far that the whole of it is in the high half, or
 * has its place.
 */
static void
finish_quarter(struct pitot_intel_program *program)
{
   const unsigned up = 32 - 2;

   pitot_intel_load_immediate(program, LOW_MASK, UINT32_MAX);
   pitot_intel_take_high(program, ONE_HALF, SUM);
   pitot_intel_shift_left(program, ONE_HALF, up);
   pitot_intel_compute(program, SUM, SUM, PITOT_INTEL_AND, LOW_MASK);
   pitot_intel_shift_left(program, SUM, up);
   pitot_intel_take_high(program, SUM, SUM);
   add(program, SUM, ONE_HALF);
}

/*
 * Memory
 */

static const unsigned offsets_dw[PITOT_INTEL_ROUTINE_COUNT] = {
   [PITOT_INTEL_ADD_ELAPSED] = 0,
   [PITOT_INTEL_ADD_TIMESTAMP] = 80,
   [PITOT_INTEL_FINISH_QUARTER] = 112,
   [PITOT_INTEL_FINISH_TIME] = 400, /* the rest */
};

/* Returns whether that is possible. */
static bool
write_routine(struct pitot_intel_program *program,
              enum pitot_intel_routine routine, const uint32_t *end)
{
   bool is_possible = true;

   switch (routine) {
   case PITOT_INTEL_ADD_ELAPSED:
      add_elapsed(program);
      break;
   case PITOT_INTEL_ADD_TIMESTAMP:
      add_timestamp(program);
      break;
   case PITOT_INTEL_FINISH_TIME:
      is_possible = finish_time(program, end);
      break;
   case PITOT_INTEL_FINISH_QUARTER:
      finish_quarter(program);
      break;
   case PITOT_INTEL_ROUTINE_COUNT:
      break;
   }
   pitot_intel_return(program);
   return is_possible;
}

bool
pitot_intel_write_routines(const struct pitot_gpu *gpu, uint32_t *memory)
{
   const uint32_t *end =
      memory + PITOT_INTEL_ROUTINES_SIZE_B / sizeof(*memory) - READ_AHEAD_DW;
   bool is_possible = true;

   for (unsigned i = 0; i < PITOT_INTEL_ROUTINE_COUNT; i++) {
      struct pitot_hw_packets packets = {
         .gpu = gpu,
         .next = memory + offsets_dw[i],
      };
      struct pitot_intel_program program = { .packets = &packets };

      is_possible &= write_routine(&program, i, end);
   }
   return is_possible;
}

uint64_t
pitot_intel_routine_address(uint64_t address,
                            enum pitot_intel_routine routine)
{
   return address + offsets_dw[routine] * sizeof(uint32_t);
}

void
pitot_intel_call_routine(struct pitot_intel_program *program,
                         enum pitot_intel_routine routine)
{
   pitot_intel_call(program, pitot_intel_routine_address(
                                program->packets->routines_address, routine));
}
