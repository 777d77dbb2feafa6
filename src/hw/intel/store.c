/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "intel.h"
#include "program.h"
#include "store.h"

#define NS_PER_S UINT64_C(1000000000)

/* More segments than this are for the CPU to add up: a driver that draws so
 * often for itself will not miss the GPU.
 */
#define MAX_SEGMENTS 8

/* What the registers are for. */
enum {
   SUM,   /* and in the end the result */
   BEGIN, /* samples, and whatever comes of them */
   END,
   OTHER,
   MASK,
   SCRATCH, /* and four more */
   SAVED_PREDICATE = 15,
};

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

/* Returns how many bits a time has that is less than a counter's range, in
 * fractions of a nanosecond; and all that a time may have.
 */
static unsigned
scaled_bits(const struct pitot_gpu *gpu)
{
   return gpu->timestamp_bits + 1 + 32 -
          (unsigned)__builtin_clz(ns_per_tick(gpu).numerator);
}

#define MAX_SCALED_BITS 63

static bool
can_scale(const struct pitot_gpu *gpu)
{
   return gpu->timestamp_hz < NS_PER_S && scaled_bits(gpu) <= MAX_SCALED_BITS;
}

static void
load_word(struct pitot_hw_program *program, const struct pitot_hw *hw,
          const struct pitot_hw_boundary *boundary, struct pitot_hw_word word,
          pitot_intel_gpr to)
{
   pitot_intel_load(program, to,
                    pitot_hw_boundary_address(hw, boundary, word.sample,
                                              NULL) +
                       word.index * sizeof(uint64_t));
}

/* Leaves in a register by how much a word grew. */
static void
load_difference(struct pitot_hw_program *program, const struct pitot_hw *hw,
                const struct pitot_hw_segment *segment,
                struct pitot_hw_word word, pitot_intel_gpr to)
{
   load_word(program, hw, &segment->begin, word, BEGIN);
   load_word(program, hw, &segment->end, word, to);
   pitot_intel_compute(program, to, to, PITOT_INTEL_SUB, BEGIN);
}

void
pitot_intel_emit_counter(struct pitot_hw_program *program,
                         const struct pitot_hw *hw,
                         const struct pitot_hw_value *value,
                         const struct pitot_hw_segment *segment)
{
   load_difference(program, hw, segment, value->row->words[value->stream],
                   END);
   pitot_intel_compute(program, SUM, SUM, PITOT_INTEL_ADD, END);
}

void
pitot_intel_emit_overflow(struct pitot_hw_program *program,
                          const struct pitot_hw *hw,
                          const struct pitot_hw_value *value,
                          const struct pitot_hw_segment *segment)
{
   const struct pitot_hw_row *row = value->row;

   for (unsigned s = 0; s < PITOT_MAX_STREAMS; s++) {
      if (!row->is_of_all_streams && s != value->stream)
         continue;
      load_difference(program, hw, segment, row->words[s], END);
      load_difference(program, hw, segment, row->other_words[s], OTHER);
      pitot_intel_compute(program, END, END, PITOT_INTEL_SUB, OTHER);
      pitot_intel_compute(program, SUM, SUM, PITOT_INTEL_OR, END);
   }
}

/* Leaves in a register how much later a time was than half the counter's
 * range before it was expected.  Returns that time, so that the sum of both
 * is right however often the counter wrapped.
 */
static uint64_t
load_time(struct pitot_hw_program *program, const struct pitot_hw *hw,
          const struct pitot_hw_value *value,
          const struct pitot_hw_boundary *boundary, pitot_intel_gpr to)
{
   const struct pitot_hw_word word = value->row->words[0];
   const uint64_t mask = UINT64_MAX >> (64 - hw->cs->gpu->timestamp_bits);
   uint64_t expected_ticks;

   pitot_intel_load(program, to,
                    pitot_hw_boundary_address(hw, boundary, word.sample,
                                              &expected_ticks));
   const uint64_t base_ticks =
      expected_ticks == PITOT_HW_TICKS_UNKNOWN || expected_ticks < mask / 2
         ? 0
         : expected_ticks - mask / 2;
   pitot_intel_load_immediate(program, MASK, base_ticks);
   pitot_intel_compute(program, to, to, PITOT_INTEL_SUB, MASK);
   pitot_intel_load_immediate(program, MASK, mask);
   pitot_intel_compute(program, to, to, PITOT_INTEL_AND, MASK);
   return base_ticks;
}

/* A time that ran backwards is 0. */
void
pitot_intel_emit_elapsed(struct pitot_hw_program *program,
                         const struct pitot_hw *hw,
                         const struct pitot_hw_value *value,
                         const struct pitot_hw_segment *segment)
{
   const uint64_t begin_ticks =
      load_time(program, hw, value, &segment->begin, BEGIN);
   const uint64_t end_ticks =
      load_time(program, hw, value, &segment->end, END);

   pitot_intel_load_immediate(program, OTHER, end_ticks - begin_ticks);
   pitot_intel_compute(program, END, END, PITOT_INTEL_ADD, OTHER);
   pitot_intel_compute_both(program, END, END, PITOT_INTEL_SUB, BEGIN, MASK);
   pitot_intel_compute(program, OTHER, END, PITOT_INTEL_AND, MASK);
   pitot_intel_compute(program, END, END, PITOT_INTEL_SUB, OTHER);
   pitot_intel_compute(program, SUM, SUM, PITOT_INTEL_ADD, END);
   program->scaled_bits = MAX_SCALED_BITS;
}

void
pitot_intel_emit_timestamp(struct pitot_hw_program *program,
                           const struct pitot_hw *hw,
                           const struct pitot_hw_value *value,
                           const struct pitot_hw_segment *segment)
{
   program->base_ticks = load_time(program, hw, value, &segment->end, SUM);
   program->scaled_bits = scaled_bits(hw->cs->gpu);
}

void
pitot_intel_emit_sum(struct pitot_hw_program *program,
                     const struct pitot_gpu *gpu)
{
   (void)program;
   (void)gpu;
}

void
pitot_intel_emit_boolean(struct pitot_hw_program *program,
                         const struct pitot_gpu *gpu)
{
   (void)gpu;
   pitot_intel_test(program, SUM, SUM);
   pitot_intel_load_immediate(program, MASK, 1);
   pitot_intel_compute(program, SUM, SUM, PITOT_INTEL_AND, MASK);
}

/* A quarter: each half is shifted up so far that the whole of it is in the
 * high half, or has its place.
 */
void
pitot_intel_emit_fs_invocations(struct pitot_hw_program *program,
                                const struct pitot_gpu *gpu)
{
   const unsigned up = 32 - 2;

   if (gpu->generation / 10 != 8)
      return;
   pitot_intel_take_high(program, BEGIN, SUM);
   pitot_intel_load_immediate(program, MASK, UINT32_MAX);
   pitot_intel_compute(program, SUM, SUM, PITOT_INTEL_AND, MASK);
   pitot_intel_shift_left(program, SUM, up);
   pitot_intel_take_high(program, SUM, SUM);
   pitot_intel_shift_left(program, BEGIN, up);
   pitot_intel_compute(program, SUM, SUM, PITOT_INTEL_ADD, BEGIN);
}

/*
 * Ticks to nanoseconds, exactly
 */

/* What was before the base is known, but for what is left of a nanosecond. */
void
pitot_intel_emit_time(struct pitot_hw_program *program,
                      const struct pitot_gpu *gpu)
{
   const struct ratio ratio = ns_per_tick(gpu);
   const uint64_t base_ns =
      pitot_ticks_to_ns(program->base_ticks, gpu->timestamp_hz);
   const uint64_t rest = program->base_ticks * ratio.numerator -
                         base_ns * ratio.denominator; /* both wrap alike */

   pitot_intel_multiply(program, SUM, ratio.numerator, BEGIN);
   pitot_intel_load_immediate(program, MASK, rest);
   pitot_intel_compute(program, SUM, SUM, PITOT_INTEL_ADD, MASK);
   pitot_intel_divide(program, SUM, program->scaled_bits, ratio.denominator,
                      SCRATCH);
   pitot_intel_load_immediate(program, MASK, base_ns);
   pitot_intel_compute(program, SUM, SUM, PITOT_INTEL_ADD, MASK);
}

/*
 * Targets
 */

/* What does not fit into 32 bits becomes the most that does; no result has
 * more than 63 bits.
 */
static void
clamp(struct pitot_hw_program *program, enum pitot_type type)
{
   if (pitot_type_size_B(type) == 8)
      return;

   pitot_intel_compute(program, BEGIN, SUM, PITOT_INTEL_OR, SUM);
   pitot_intel_shift_left(program, BEGIN, type == PITOT_TYPE_I32);
   pitot_intel_take_high(program, BEGIN, BEGIN);
   pitot_intel_test(program, BEGIN, BEGIN);
   pitot_intel_compute(program, SUM, SUM, PITOT_INTEL_OR, BEGIN);
   pitot_intel_load_immediate(program, MASK, pitot_type_max[type]);
   pitot_intel_compute(program, SUM, SUM, PITOT_INTEL_AND, MASK);
}

/* Leaves 1 or 0: whether all that was sampled is available. */
static void
emit_available(struct pitot_hw_program *program,
               const struct pitot_hw_query *query)
{
   pitot_intel_load_immediate(program, SUM, 1);
   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      for (unsigned i = 0; i < segment->end.count; i++) {
         pitot_intel_load(program, END,
                          pitot_hw_available_address(
                             segment->end.snapshots[i]));
         pitot_intel_compute(program, SUM, SUM, PITOT_INTEL_AND, END);
      }
   }
}

static void
emit_result(struct pitot_hw_program *program, const struct pitot_hw *hw,
            const struct pitot_hw_query *query,
            const struct pitot_hw_value *value)
{
   pitot_intel_load_immediate(program, SUM, value->sum);
   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      if (value->samples & segment->samples)
         value->row->emit_merge(program, hw, value, segment);
   }
   value->row->emit_finish(program, hw->cs->gpu);
}

/* The result is stored only if it is there, whatever predicate is in force.
 */
static void
emit_if_available(struct pitot_hw_program *program, const struct pitot_hw *hw,
                  const struct pitot_hw_query *query,
                  const struct pitot_hw_value *value,
                  const struct pitot_hw_target *target)
{
   pitot_intel_get_predicate(program, SAVED_PREDICATE);
   emit_available(program, query);
   pitot_intel_set_predicate(program, SUM);
   emit_result(program, hw, query, value);
   clamp(program, target->type);
   program->is_predicated = true;
   pitot_intel_store(program, SUM, target->address,
                     pitot_type_size_B(target->type));
   program->is_predicated = false;
   pitot_intel_set_predicate(program, SAVED_PREDICATE);
}

static void
emit_condition(struct pitot_hw_program *program, const struct pitot_hw *hw,
               const struct pitot_hw_query *query,
               const struct pitot_hw_value *value,
               const struct pitot_hw_target *target)
{
   emit_result(program, hw, query, value);
   pitot_intel_emit_boolean(program, hw->cs->gpu);
   if (target->condition->is_inverted)
      pitot_intel_compute(program, SUM, MASK, PITOT_INTEL_SUB, SUM);
   pitot_intel_store(program, SUM, target->address, sizeof(uint64_t));
   pitot_intel_set_predicate(program, SUM);
}

static bool
can_compute(const struct pitot_hw *hw, const struct pitot_hw_query *query,
            const struct pitot_hw_value *value)
{
   unsigned count = 0;

   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next)
      count++;
   return value->row && count <= MAX_SEGMENTS &&
          (value->row->emit_finish != pitot_intel_emit_time ||
           can_scale(hw->cs->gpu));
}

unsigned
pitot_intel_describe_condition(const struct pitot_hw *hw,
                               const struct pitot_hw_query *query,
                               const struct pitot_hw_value *value,
                               struct pitot_hw_condition *condition_out)
{
   if (!can_compute(hw, query, value))
      return 0;
   condition_out->predicate = PITOT_PREDICATE_BOOLEAN;
   condition_out->record_B = sizeof(uint64_t);
   condition_out->record_count = 1;
   return sizeof(uint64_t);
}

/* What is pipelined has to be there before the command streamer loads it: to
 * wait for that is no matter of the CPU's.
 */
bool
pitot_intel_emit_target(struct pitot_hw_packets *packets,
                        const struct pitot_hw *hw,
                        const struct pitot_hw_query *query,
                        const struct pitot_hw_value *value,
                        const struct pitot_hw_target *target)
{
   struct pitot_hw_program program = {
      .generation = packets->gpu->generation,
      .next = packets->next,
   };

   if (!can_compute(hw, query, value))
      return false;
   if (target->kind == PITOT_HW_TARGET_RESULT ||
       target->kind == PITOT_HW_TARGET_CONDITION)
      program.next = pitot_intel_pipe_control(program.next,
                                              PITOT_INTEL_FLUSH_ENABLE, 0, 0);

   if (target->kind == PITOT_HW_TARGET_RESULT_NO_WAIT) {
      emit_if_available(&program, hw, query, value, target);
   } else if (target->kind == PITOT_HW_TARGET_CONDITION) {
      emit_condition(&program, hw, query, value, target);
   } else {
      if (target->kind == PITOT_HW_TARGET_AVAILABLE)
         emit_available(&program, query);
      else
         emit_result(&program, hw, query, value);
      clamp(&program, target->type);
      pitot_intel_store(&program, SUM, target->address,
                        pitot_type_size_B(target->type));
   }
   packets->next = program.next;
   return true;
}
