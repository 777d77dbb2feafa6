/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Results that Intel's command streamer computes: merge.c, as a program.
 */

#include "program.h"

#define NS_PER_S UINT64_C(1000000000)

/* More segments than this are for the CPU to add up: a driver that draws so
 * often for itself will not miss the GPU.
 */
#define MAX_SEGMENTS 8

/* Registers and their uses. */
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

/*
 * Segments
 */

/* Leaves in a register by how much a qword grew. */
static void
load_difference(struct pitot_intel_program *program,
                const struct pitot_hw *hw,
                const struct pitot_hw_segment *segment,
                struct pitot_hw_qword qword, pitot_intel_gpr to)
{
   const unsigned offset_B = qword.index * sizeof(uint64_t);

   pitot_intel_load(
      program, BEGIN,
      pitot_hw_boundary_sample(hw, &segment->begin, qword.sample).address +
         offset_B);
   pitot_intel_load(
      program, to,
      pitot_hw_boundary_sample(hw, &segment->end, qword.sample).address +
         offset_B);
   pitot_intel_compute(program, to, to, PITOT_INTEL_SUB, BEGIN);
}

static void
add_overflow(struct pitot_intel_program *program, const struct pitot_hw *hw,
             const struct pitot_hw_value *value,
             const struct pitot_hw_segment *segment)
{
   const struct pitot_hw_measure *measure = value->measure;

   for (unsigned s = 0; s < PITOT_MAX_STREAMS; s++) {
      if (!measure->is_of_all_streams && s != value->stream)
         continue;
      load_difference(program, hw, segment, measure->qwords[s], END);
      load_difference(program, hw, segment, measure->written[s], OTHER);
      pitot_intel_compute(program, END, END, PITOT_INTEL_SUB, OTHER);
      pitot_intel_compute(program, SUM, SUM, PITOT_INTEL_OR, END);
   }
}

/* Leaves in a register how much later a time was than half the counter's
 * range before it was expected.  Returns that time, so that the sum of both
 * is right however often the counter wrapped.
 */
static uint64_t
load_time(struct pitot_intel_program *program, const struct pitot_hw *hw,
          const struct pitot_hw_value *value,
          const struct pitot_hw_boundary *boundary, pitot_intel_gpr to)
{
   const uint64_t mask = UINT64_MAX >> (64 - hw->cs->gpu->timestamp_bits);
   const struct pitot_hw_sampled time =
      pitot_hw_boundary_sample(hw, boundary,
                               value->measure->qwords[0].sample);
   const bool is_known = time.expected_ticks != PITOT_HW_TICKS_UNKNOWN &&
                         time.expected_ticks >= mask / 2;
   const uint64_t base_ticks = is_known ? time.expected_ticks - mask / 2 : 0;

   pitot_intel_load(program, to, time.address);
   pitot_intel_load_immediate(program, MASK, base_ticks);
   pitot_intel_compute(program, to, to, PITOT_INTEL_SUB, MASK);
   pitot_intel_load_immediate(program, MASK, mask);
   pitot_intel_compute(program, to, to, PITOT_INTEL_AND, MASK);
   return base_ticks;
}

/* A time that ran backwards is 0. */
static void
add_elapsed(struct pitot_intel_program *program, const struct pitot_hw *hw,
            const struct pitot_hw_value *value,
            const struct pitot_hw_segment *segment)
{
   const uint64_t begin_ticks =
      load_time(program, hw, value, &segment->begin, BEGIN);
   const uint64_t end_ticks =
      load_time(program, hw, value, &segment->end, END);

   pitot_intel_load_immediate(program, OTHER, end_ticks - begin_ticks);
   pitot_intel_compute(program, END, END, PITOT_INTEL_ADD, OTHER);
   pitot_intel_compute_carry(program, END, END, PITOT_INTEL_SUB, BEGIN, MASK);
   pitot_intel_compute(program, OTHER, END, PITOT_INTEL_AND, MASK);
   pitot_intel_compute(program, END, END, PITOT_INTEL_SUB, OTHER);
   pitot_intel_compute(program, SUM, SUM, PITOT_INTEL_ADD, END);
   program->scaled_bits = MAX_SCALED_BITS;
}

/* As pitot_hw_merge(). */
static void
merge(struct pitot_intel_program *program, const struct pitot_hw *hw,
      const struct pitot_hw_value *value,
      const struct pitot_hw_segment *segment)
{
   switch (value->measure->method) {
   case PITOT_HW_COUNT:
      load_difference(program, hw, segment,
                      value->measure->qwords[value->stream], END);
      pitot_intel_compute(program, SUM, SUM, PITOT_INTEL_ADD, END);
      break;
   case PITOT_HW_OVERFLOW:
      add_overflow(program, hw, value, segment);
      break;
   case PITOT_HW_ELAPSED:
      add_elapsed(program, hw, value, segment);
      break;
   case PITOT_HW_TIMESTAMP:
      program->base_ticks = load_time(program, hw, value, &segment->end, SUM);
      program->scaled_bits = scaled_bits(hw->cs->gpu);
      break;
   }
}

/*
 * Results
 */

static void
finish_boolean(struct pitot_intel_program *program)
{
   pitot_intel_test(program, SUM, SUM);
   pitot_intel_load_immediate(program, MASK, 1);
   pitot_intel_compute(program, SUM, SUM, PITOT_INTEL_AND, MASK);
}

/* Leaves a quarter: each half is shifted up so far that the whole of it is in
 * the high half, or has its place.
 */
static void
finish_quarter(struct pitot_intel_program *program)
{
   const unsigned up = 32 - 2;

   pitot_intel_take_high(program, BEGIN, SUM);
   pitot_intel_load_immediate(program, MASK, UINT32_MAX);
   pitot_intel_compute(program, SUM, SUM, PITOT_INTEL_AND, MASK);
   pitot_intel_shift_left(program, SUM, up);
   pitot_intel_take_high(program, SUM, SUM);
   pitot_intel_shift_left(program, BEGIN, up);
   pitot_intel_compute(program, SUM, SUM, PITOT_INTEL_ADD, BEGIN);
}

/* Ticks to nanoseconds, exactly: the time before the base is known, but for
 * what is left of a nanosecond.
 */
static void
finish_time(struct pitot_intel_program *program, const struct pitot_gpu *gpu)
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

static void
emit_result(struct pitot_intel_program *program, const struct pitot_hw *hw,
            const struct pitot_hw_query *query,
            const struct pitot_hw_value *value)
{
   const struct pitot_gpu *gpu = hw->cs->gpu;

   pitot_intel_load_immediate(program, SUM, value->sum);
   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      if (value->samples & segment->samples)
         merge(program, hw, value, segment);
   }
   if (value->measure->bits == 1)
      finish_boolean(program);
   else if (pitot_hw_is_time(value->measure))
      finish_time(program, gpu);
   else if (pitot_hw_is_fourfold(value->measure, gpu))
      finish_quarter(program);
}

/* Leaves 1 or 0: whether all samples are available. */
static void
emit_available(struct pitot_intel_program *program,
               const struct pitot_hw_query *query)
{
   pitot_intel_load_immediate(program, SUM, 1);
   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      for (unsigned i = 0; i < segment->end.count; i++) {
         pitot_intel_load(program, END,
                          pitot_hw_snapshot_available_address(
                             segment->end.snapshots[i]));
         pitot_intel_compute(program, SUM, SUM, PITOT_INTEL_AND, END);
      }
   }
}

/*
 * Targets
 */

/* A value that does not fit into 32 bits becomes the largest that does; no
 * result has more than 63 bits.
 */
static void
clamp(struct pitot_intel_program *program, enum pitot_type type)
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

static void
store(struct pitot_intel_program *program,
      const struct pitot_hw_target *target)
{
   clamp(program, target->type);
   pitot_intel_store(program, SUM, target->address,
                     pitot_type_size_B(target->type));
}

/* Stores the result only if it is there, whatever predicate is in force. */
static void
store_if_available(struct pitot_intel_program *program,
                   const struct pitot_hw *hw,
                   const struct pitot_hw_query *query,
                   const struct pitot_hw_value *value,
                   const struct pitot_hw_target *target)
{
   pitot_intel_get_predicate(program, SAVED_PREDICATE);
   emit_available(program, query);
   pitot_intel_set_predicate(program, SUM);
   emit_result(program, hw, query, value);
   program->is_predicated = true;
   store(program, target);
   pitot_intel_set_predicate(program, SAVED_PREDICATE);
}

static void
store_condition(struct pitot_intel_program *program,
                const struct pitot_hw *hw, const struct pitot_hw_query *query,
                const struct pitot_hw_value *value,
                const struct pitot_hw_target *target)
{
   emit_result(program, hw, query, value);
   finish_boolean(program);
   if (target->condition->is_inverted)
      pitot_intel_compute(program, SUM, MASK, PITOT_INTEL_SUB, SUM);
   pitot_intel_store(program, SUM, target->address, sizeof(uint64_t));
   pitot_intel_set_predicate(program, SUM);
}

static bool
can_compute(const struct pitot_hw *hw, const struct pitot_hw_query *query,
            const struct pitot_hw_value *value)
{
   return value->measure &&
          pitot_hw_query_count_segments(query) <= MAX_SEGMENTS &&
          (!pitot_hw_is_time(value->measure) || can_scale(hw->cs->gpu));
}

bool
pitot_intel_describe_condition(struct pitot_hw *hw,
                               const struct pitot_hw_query *query,
                               const struct pitot_hw_value *value,
                               struct pitot_hw_condition *condition_out)
{
   condition_out->predicate = PITOT_PREDICATE_BOOLEAN;
   return can_compute(hw, query, value);
}

/* Pipelined samples have to be there before the command streamer loads them,
 * which it waits for, and not the CPU.
 */
bool
pitot_intel_emit_store(struct pitot_hw_packets *packets,
                       const struct pitot_hw *hw,
                       const struct pitot_hw_query *query,
                       const struct pitot_hw_value *value,
                       const struct pitot_hw_target *target)
{
   struct pitot_intel_program program = { .packets = packets };

   if (!can_compute(hw, query, value))
      return false;
   if (target->condition || target->kind == PITOT_STORE_RESULT)
      pitot_intel_pipe_control(packets, PITOT_INTEL_FLUSH_ENABLE, 0);

   if (target->condition) {
      store_condition(&program, hw, query, value, target);
   } else if (target->kind == PITOT_STORE_RESULT_NO_WAIT) {
      store_if_available(&program, hw, query, value, target);
   } else {
      if (target->kind == PITOT_STORE_AVAILABLE)
         emit_available(&program, query);
      else
         emit_result(&program, hw, query, value);
      store(&program, target);
   }
   return true;
}
