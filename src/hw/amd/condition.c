/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Conditions that AMD's command processor decides (SET_PREDICATION).  It adds
 * up counters whose begin and end are side by side, as in records.
 */

#include "amd.h"

#define VALID_BIT (UINT64_C(1) << 63)

/* The command processor waits for the valid bit of every slot.  Makes slots
 * that no backend writes valid, with a count of 0.
 */
static void
seed_disabled_slots(const struct pitot_hw *hw,
                    const struct pitot_hw_segment *segment, unsigned sample)
{
   const unsigned rb_count = pitot_amd_gpu(hw->cs->gpu)->rb_count;
   const uint64_t slots = pitot_hw_backend_slots(hw);
   uint64_t *begin = pitot_hw_begin_sample(segment, sample);
   uint64_t *end = pitot_hw_end_sample(segment, sample);

   for (unsigned i = 0; i < rb_count; i++) {
      if (!(slots >> i & 1))
         begin[PITOT_AMD_BACKEND_QW * i] = end[PITOT_AMD_BACKEND_QW * i] =
            VALID_BIT;
   }
}

/* Returns false if out of memory. */
static bool
add_records(struct pitot_hw *hw, const struct pitot_hw_segment *segment,
            const struct pitot_hw_value *value)
{
   const struct pitot_hw_measure *measure = value->measure;
   bool has_memory = true;

   for (unsigned s = 0; s < PITOT_MAX_STREAMS && has_memory; s++) {
      const unsigned sample = measure->qwords[s].sample;

      if (s != value->stream && !measure->is_of_all_streams)
         continue;
      if (hw->family->samples[sample].is_per_backend)
         seed_disabled_slots(hw, segment, sample);
      has_memory = pitot_hw_condition_add(hw, segment, sample);
   }
   return has_memory;
}

/* With an old firmware of GFX8 or GFX9, several predicates of stream-out give
 * a wrong result, unless the condition is inverted.
 */
static bool
can_sum(const struct pitot_hw *hw, const struct pitot_hw_condition *condition)
{
   return !pitot_amd_gpu(hw->cs->gpu)->has_streamout_predicate_bug ||
          condition->predicate != PITOT_AMD_PREDICATE_STREAMOUT ||
          condition->is_inverted || hw->condition.count <= 1;
}

bool
pitot_amd_describe_condition(struct pitot_hw *hw,
                             const struct pitot_hw_query *query,
                             const struct pitot_hw_value *value,
                             struct pitot_hw_condition *condition_out)
{
   const bool is_overflow = value->measure->method == PITOT_HW_OVERFLOW;
   const unsigned sample = value->measure->qwords[value->stream].sample;
   const bool is_per_backend = hw->family->samples[sample].is_per_backend;

   if (!is_overflow && !(is_per_backend && pitot_hw_backend_slots(hw)))
      return false;
   condition_out->predicate = is_overflow ? PITOT_AMD_PREDICATE_STREAMOUT
                                          : PITOT_AMD_PREDICATE_SAMPLES;
   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      if (!add_records(hw, segment, value))
         return false;
   }
   return can_sum(hw, condition_out);
}
