/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Results that Intel's command streamer computes: merge.c, as a program.
 */

#include "routine.h"

/* More segments than this are for the CPU to add up: a driver that draws so
 * often for itself will not miss the GPU.
 */
#define MAX_SEGMENTS 8

/* Registers and their uses, where no time is computed. */
enum {
   SUM = PITOT_INTEL_SUM, /* and in the end the result */
   BEGIN,                 /* samples, and values computed from them */
   END,
   OTHER,
   MASK,
};

/*
 * Segments
 */

/* Leaves in a register by how much a sample grew, which is one qword. */
static void
load_difference(struct pitot_intel_program *program,
                const struct pitot_hw *hw,
                const struct pitot_hw_segment *segment,
                struct pitot_hw_qword qword, pitot_intel_gpr to)
{
   pitot_intel_load_sample(program, BEGIN, segment,
                           pitot_hw_segment_begin(hw, segment, qword.sample));
   pitot_intel_load_sample(program, to, segment,
                           pitot_hw_segment_end(hw, segment, qword.sample));
   pitot_intel_compute(program, to, to, PITOT_INTEL_SUB, BEGIN);
}

/* Adds a register to the sum, which it becomes if there is none yet. */
static void
add(struct pitot_intel_program *program, pitot_intel_gpr sum,
    enum pitot_intel_operation operation)
{
   if (sum != SUM)
      pitot_intel_compute(program, SUM, SUM, operation, sum);
}

/* Returns where to compute what is to be added: in the sum itself at first.
 */
static pitot_intel_gpr
next_summand(bool *has_sum_inout)
{
   const bool has_sum = *has_sum_inout;

   *has_sum_inout = true;
   return has_sum ? END : SUM;
}

static void
add_overflow(struct pitot_intel_program *program, const struct pitot_hw *hw,
             const struct pitot_hw_value *value,
             const struct pitot_hw_segment *segment, bool *has_sum_inout)
{
   const struct pitot_hw_measure *measure = value->measure;

   for (unsigned s = 0; s < PITOT_MAX_STREAMS; s++) {
      if (!measure->is_of_all_streams && s != value->stream)
         continue;
      const pitot_intel_gpr to = next_summand(has_sum_inout);

      load_difference(program, hw, segment, measure->qwords[s], to);
      load_difference(program, hw, segment, measure->written[s], OTHER);
      pitot_intel_compute(program, to, to, PITOT_INTEL_SUB, OTHER);
      add(program, to, PITOT_INTEL_OR);
   }
}

static void
add_count(struct pitot_intel_program *program, const struct pitot_hw *hw,
          const struct pitot_hw_value *value,
          const struct pitot_hw_segment *segment, bool *has_sum_inout)
{
   const pitot_intel_gpr to = next_summand(has_sum_inout);

   load_difference(program, hw, segment,
                   value->measure->qwords[value->stream], to);
   add(program, to, PITOT_INTEL_ADD);
}

/* Adds up all segments, as merge.c does, of a value that is no time. */
static void
emit_sum(struct pitot_intel_program *program, const struct pitot_hw *hw,
         const struct pitot_hw_query *query,
         const struct pitot_hw_value *value)
{
   bool has_sum = value->sum != 0;

   if (has_sum)
      pitot_intel_load_immediate(program, SUM, value->sum);
   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      if (!(value->samples & segment->samples))
         continue;
      if (value->measure->method == PITOT_HW_OVERFLOW)
         add_overflow(program, hw, value, segment, &has_sum);
      else
         add_count(program, hw, value, segment, &has_sum);
   }
   if (!has_sum)
      pitot_intel_load_immediate(program, SUM, 0);
}

/*
 * Results
 */

/* Leaves 1 if the sum is not 0, or inverted, if it is. */
static void
finish_boolean(struct pitot_intel_program *program, bool is_inverted)
{
   pitot_intel_test(program, SUM, SUM, is_inverted);
   pitot_intel_negate(program, SUM);
}

static void
emit_result(struct pitot_intel_program *program, const struct pitot_hw *hw,
            const struct pitot_hw_query *query,
            const struct pitot_hw_value *value)
{
   if (pitot_hw_is_time(value->measure)) {
      pitot_intel_emit_time(program, hw, query, value);
      return;
   }
   emit_sum(program, hw, query, value);
   if (value->measure->bits == 1)
      finish_boolean(program, false);
   else if (value->measure->shift)
      pitot_intel_call_routine(program, PITOT_INTEL_FINISH_QUARTER);
}

/*
 * Targets
 */

/* A value that does not fit into 4 bytes becomes the largest that does: all
 * ones, and of a signed type without the sign.  No result has more than 63
 * bits.
 */
static void
clamp(struct pitot_intel_program *program, enum pitot_type type)
{
   pitot_intel_load_immediate(program, MASK, pitot_type_max[type]);
   pitot_intel_compute_borrow(program, END, MASK, SUM);
   pitot_intel_compute(program, SUM, SUM, PITOT_INTEL_OR, END);
   if (pitot_type_max[type] != UINT32_MAX)
      pitot_intel_compute(program, SUM, SUM, PITOT_INTEL_AND, MASK);
}

static uint64_t
address_of(const struct pitot_hw_target *target)
{
   return pitot_cs_address(target->buffer, target->offset_B);
}

/* Stores the sum, which has no more than so many bits. */
static void
store(struct pitot_intel_program *program,
      const struct pitot_hw_target *target, unsigned bits)
{
   if (bits > 1 && pitot_type_size_B(target->type) < sizeof(uint64_t))
      clamp(program, target->type);
   pitot_intel_store(program, SUM, address_of(target),
                     pitot_type_size_B(target->type));
}

/* Leaves 1 or 0: whether all samples are available. */
static void
emit_available(struct pitot_intel_program *program,
               const struct pitot_hw_query *query)
{
   pitot_intel_load_immediate(program, SUM, 1);
   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      pitot_intel_load_sample(program, END, segment, segment->available);
      pitot_intel_compute(program, SUM, SUM, PITOT_INTEL_AND, END);
   }
}

/* Mostly one word says whether all samples are available. */
static void
store_available(struct pitot_intel_program *program,
                const struct pitot_hw_query *query,
                const struct pitot_hw_target *target)
{
   const struct pitot_hw_segment *first = query->first;

   if (!first || first->next) {
      emit_available(program, query);
      store(program, target, 1);
   } else {
      pitot_intel_copy(program->packets, address_of(target),
                       pitot_intel_address(first, first->available),
                       pitot_type_size_B(target->type));
   }
}

static void
store_condition(struct pitot_intel_program *program,
                const struct pitot_hw *hw, const struct pitot_hw_query *query,
                const struct pitot_hw_value *value,
                const struct pitot_hw_target *target)
{
   emit_sum(program, hw, query, value);
   finish_boolean(program, target->condition->is_inverted);
   pitot_intel_store(program, SUM, address_of(target), sizeof(uint64_t));
   pitot_intel_set_predicate(program, SUM);
}

static unsigned
count_segments(const struct pitot_hw_query *query)
{
   unsigned count = 0;

   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next)
      count++;
   return count;
}

static bool
can_compute(const struct pitot_hw_query *query,
            const struct pitot_hw_value *value)
{
   return value->measure &&
          count_segments(query) <= MAX_SEGMENTS;
}

bool
pitot_intel_describe_condition(struct pitot_hw *hw,
                               const struct pitot_hw_query *query,
                               const struct pitot_hw_value *value,
                               struct pitot_hw_condition *condition_out)
{
   (void)hw;
   condition_out->predicate = PITOT_PREDICATE_BOOLEAN;
   return can_compute(query, value) && !pitot_hw_is_time(value->measure);
}

/* All samples are there when the command streamer comes by, also for a store
 * that does not wait: it wrote registers itself, on the same ring, and the
 * fence at an end waits for what the pipe writes before it (FLUSH_ENABLE).
 * From Gen20 on its own writes need a fence, too: those of samples, and that
 * of the result, for draws and dispatches that read it.  For a condition
 * there is another flush, as in stock iris.
 */
bool
pitot_intel_emit_store(struct pitot_hw_packets *packets,
                       const struct pitot_hw *hw,
                       const struct pitot_hw_query *query,
                       const struct pitot_hw_value *value,
                       const struct pitot_hw_target *target)
{
   struct pitot_intel_program program = { .packets = packets };

   if (!can_compute(query, value) ||
       (pitot_hw_needs_routines(value) && !packets->routines_address) ||
       (pitot_hw_is_time(value->measure) &&
        !pitot_intel_can_emit_time(hw, query)))
      return false;
   if (target->condition && value->samples & ~hw->family->written_at_once)
      packets->barriers = 1 << PITOT_INTEL_BARRIER_FLUSH;

   if (value->samples & hw->family->written_at_once)
      pitot_intel_fence(packets);
   if (target->condition) {
      store_condition(&program, hw, query, value, target);
      return true;
   }
   if (target->kind == PITOT_STORE_AVAILABLE) {
      store_available(&program, query, target);
   } else {
      emit_result(&program, hw, query, value);
      store(&program, target, value->measure->bits);
   }
   pitot_intel_fence(packets);
   return true;
}
