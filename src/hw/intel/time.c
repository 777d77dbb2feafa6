/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "routine.h"

/* The times that all samples of a query are expected to be among. */
struct window {
   uint64_t base_ticks;
   uint64_t mask;
};

/* Takes into account when a sample is expected. */
static void
expect(uint64_t ticks, uint64_t *first_inout, uint64_t *last_inout)
{
   if (ticks < *first_inout)
      *first_inout = ticks;
   if (ticks > *last_inout)
      *last_inout = ticks;
}

/* Finds the window of a query: from half the counter's range before the first
 * sample is expected, as in pitot_ticks_extend().  A sample may come a
 * quarter of the range later than expected, and more if its batch waits.
 * Returns false if the last one may be outside of the window, if the CPU
 * cannot read the clock, if it has restarted, or if nanoseconds would not fit.
 */
static bool
find_window(const struct pitot_hw *hw, const struct pitot_hw_query *query,
            struct window *window_out)
{
   const struct pitot_gpu *gpu = hw->cs->gpu;
   const uint64_t mask = UINT64_MAX >> (64 - gpu->timestamp_bits);
   const uint64_t limit_ticks = UINT64_C(1) << (PITOT_INTEL_TICKS_BITS - 1);
   uint64_t first_ticks = UINT64_MAX, last_ticks = 0;

   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      if (segment->has_begin)
         expect(segment->begin_expected_ticks, &first_ticks, &last_ticks);
      expect(segment->end_expected_ticks, &first_ticks, &last_ticks);
   }
   *window_out = (struct window){
      .base_ticks = first_ticks > mask / 2 ? first_ticks - mask / 2 : 0,
      .mask = mask,
   };
   return !pitot_gpu_clock_has_restarted(hw->clock) &&
          last_ticks - first_ticks <= mask / 8 && last_ticks < limit_ticks &&
          pitot_ticks_to_ns(last_ticks, gpu->timestamp_hz) < INT64_MAX;
}

bool
pitot_intel_can_emit_time(const struct pitot_hw *hw,
                          const struct pitot_hw_query *query)
{
   struct window unused;

   return find_window(hw, query, &unused);
}

/* Returns how much later than the base a time was that the CPU knows; 0 if it
 * was earlier, as if it had never been.
 */
static uint64_t
after_base(const struct window *window, uint64_t ticks)
{
   return ticks > window->base_ticks ? ticks - window->base_ticks : 0;
}

/* Leaves 0 if the samples of a ring are missing that this one waited for:
 * then that ring's batch was lost.
 */
static void
drop_lost(struct pitot_intel_program *program,
          const struct pitot_hw_segment *segment)
{
   if (segment->ring == PITOT_RING_RENDER)
      return;
   pitot_intel_load_sample(program, PITOT_INTEL_END, segment,
                           segment->available);
   pitot_intel_test(program, PITOT_INTEL_END, PITOT_INTEL_END, false);
   pitot_intel_compute(program, PITOT_INTEL_SUM, PITOT_INTEL_SUM,
                       PITOT_INTEL_AND, PITOT_INTEL_END);
}

void
pitot_intel_emit_time(struct pitot_intel_program *program,
                      const struct pitot_hw *hw,
                      const struct pitot_hw_query *query,
                      const struct pitot_hw_value *value)
{
   const bool is_elapsed = value->measure->method == PITOT_HW_ELAPSED;
   struct window window;

   (void)find_window(hw, query, &window);
   pitot_intel_load_constants(
      program,
      (const struct pitot_intel_constant[]){
         { PITOT_INTEL_SUM, value->sum },
         { PITOT_INTEL_BASE, window.base_ticks },
         { PITOT_INTEL_MASK, window.mask },
         { PITOT_INTEL_LAST_BEGIN, after_base(&window, value->begin_ticks) },
         { PITOT_INTEL_LAST_END, after_base(&window, value->end_ticks) },
      },
      is_elapsed ? 5 : 3);
   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      const unsigned sample = (unsigned)__builtin_ctz(segment->samples);

      if (is_elapsed)
         pitot_intel_load_sample(
            program, PITOT_INTEL_BEGIN, segment,
            pitot_hw_segment_begin(hw, segment, sample));
      pitot_intel_load_sample(program, PITOT_INTEL_END, segment,
                              pitot_hw_segment_end(hw, segment, sample));
      pitot_intel_call_routine(program, is_elapsed
                                           ? PITOT_INTEL_ADD_ELAPSED
                                           : PITOT_INTEL_ADD_TIMESTAMP);
   }
   pitot_intel_call_routine(program, PITOT_INTEL_FINISH_TIME);
   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next)
      drop_lost(program, segment);
}
