/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "amd.h"
#include "condition.h"

/* More segments than this are for the CPU to look at: each takes a copy of
 * every backend's samples.
 */
#define MAX_SEGMENTS 4

#define QWORD_B sizeof(uint64_t)

/* Begin and end of a backend, or of a counter, are next to each other... */
#define BACKEND_B (2 * QWORD_B)

/* ...but stream-out has both its counters at the begin, and then at the end.
 */
#define STREAM_B (4 * QWORD_B)

static bool
is_samples(const struct pitot_hw_value *value)
{
   return value->row->merge == pitot_hw_merge_backends;
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

unsigned
pitot_amd_describe_condition(const struct pitot_hw *hw,
                             const struct pitot_hw_query *query,
                             const struct pitot_hw_value *value,
                             struct pitot_hw_condition *condition_out)
{
   const struct pitot_gpu *gpu = hw->cs->gpu;
   const unsigned segments = count_segments(query);
   const unsigned streams =
      value->row->is_of_all_streams ? PITOT_MAX_STREAMS : 1;

   if (segments > MAX_SEGMENTS)
      return 0;
   if (is_samples(value)) {
      condition_out->predicate = PITOT_PREDICATE_SAMPLES;
      condition_out->record_B = BACKEND_B * gpu->rb_count;
      condition_out->record_count = segments;
   } else if (value->row->has_other) {
      condition_out->predicate = PITOT_PREDICATE_STREAMOUT;
      condition_out->record_B = STREAM_B;
      condition_out->record_count = segments * streams;
      if (gpu->has_streamout_predicate_bug &&
          condition_out->record_count > 1 && !condition_out->is_inverted)
         return 0;
   } else {
      return 0;
   }
   return condition_out->record_B * condition_out->record_count;
}

static void
copy(struct pitot_hw_packets *packets, uint64_t to, uint64_t from)
{
   packets->next =
      pitot_amd_copy_data(packets->next, packets->gpu->generation, to, from);
}

static uint64_t
copy_samples(struct pitot_hw_packets *packets, const struct pitot_hw *hw,
             const struct pitot_hw_value *value,
             const struct pitot_hw_segment *segment, uint64_t to)
{
   const unsigned sample = value->row->words[0].sample;
   const uint64_t begin =
      pitot_hw_boundary_address(hw, &segment->begin, sample, NULL);
   const uint64_t end =
      pitot_hw_boundary_address(hw, &segment->end, sample, NULL);

   for (unsigned rb = 0; rb < packets->gpu->rb_count; rb++) {
      copy(packets, to, begin + rb * BACKEND_B);
      copy(packets, to + QWORD_B, end + rb * BACKEND_B);
      to += BACKEND_B;
   }
   return to;
}

static uint64_t
copy_streams(struct pitot_hw_packets *packets, const struct pitot_hw *hw,
             const struct pitot_hw_value *value,
             const struct pitot_hw_segment *segment, uint64_t to)
{
   for (unsigned s = 0; s < PITOT_MAX_STREAMS; s++) {
      const unsigned sample = value->row->words[s].sample;

      if (!value->row->is_of_all_streams && s != value->stream)
         continue;
      const uint64_t begin =
         pitot_hw_boundary_address(hw, &segment->begin, sample, NULL);
      const uint64_t end =
         pitot_hw_boundary_address(hw, &segment->end, sample, NULL);
      for (unsigned i = 0; i < 2; i++) {
         copy(packets, to + i * QWORD_B, begin + i * QWORD_B);
         copy(packets, to + (2 + i) * QWORD_B, end + i * QWORD_B);
      }
      to += STREAM_B;
   }
   return to;
}

static void
wait_for(struct pitot_hw_packets *packets,
         const struct pitot_hw_boundary *boundary)
{
   for (unsigned i = 0; i < boundary->count; i++)
      packets->next =
         pitot_amd_wait_mem(packets->next, pitot_hw_available_address(
                                              boundary->snapshots[i]));
}

/* What is not available is copied without its valid bit, and does not decide
 * about who does not wait.
 */
bool
pitot_amd_emit_target(struct pitot_hw_packets *packets,
                      const struct pitot_hw *hw,
                      const struct pitot_hw_query *query,
                      const struct pitot_hw_value *value,
                      const struct pitot_hw_target *target)
{
   uint64_t to = target->address;

   if (target->kind != PITOT_HW_TARGET_CONDITION)
      return false;
   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      if (target->condition->wait)
         wait_for(packets, &segment->end);
      to = is_samples(value) ? copy_samples(packets, hw, value, segment, to)
                             : copy_streams(packets, hw, value, segment, to);
   }
   packets->next = pitot_amd_pfp_sync_me(packets->next);
   return true;
}
