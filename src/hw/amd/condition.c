/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Conditions that AMD's command processor decides.  It can sum up counters if
 * begin and end are side by side in records: so they are copied there.
 */

#include "amd.h"

/* More segments than this are for the CPU to look at: each takes a copy of
 * every backend's samples.
 */
#define MAX_SEGMENTS 4

#define QWORD_B sizeof(uint64_t)

/* Begin and end of a backend are next to each other... */
#define BACKEND_B (PITOT_AMD_BACKEND_QW * QWORD_B)

/* ...but stream-out has both its counters at the begin, and then at the end.
 */
#define STREAM_B (4 * QWORD_B)

bool
pitot_amd_describe_condition(const struct pitot_hw *hw,
                             const struct pitot_hw_query *query,
                             const struct pitot_hw_value *value,
                             struct pitot_hw_condition *condition_out)
{
   const struct pitot_gpu *gpu = hw->cs->gpu;
   const struct pitot_hw_measure *measure = value->measure;
   const unsigned segments = pitot_hw_query_count_segments(query);
   const bool is_overflow = measure->method == PITOT_HW_OVERFLOW;

   condition_out->predicate =
      is_overflow ? PITOT_PREDICATE_STREAMOUT : PITOT_PREDICATE_SAMPLES;
   condition_out->record_B =
      is_overflow ? STREAM_B : BACKEND_B * gpu->rb_count;
   condition_out->record_count =
      segments * (measure->is_of_all_streams ? PITOT_MAX_STREAMS : 1);

   if (is_overflow && gpu->has_streamout_predicate_bug &&
       condition_out->record_count > 1 && !condition_out->is_inverted)
      return false;
   return (is_overflow || measure->is_per_backend) &&
          segments <= MAX_SEGMENTS;
}

static uint64_t
copy_samples(struct pitot_hw_packets *packets, const struct pitot_hw *hw,
             const struct pitot_hw_value *value,
             const struct pitot_hw_segment *segment, uint64_t to)
{
   const unsigned sample = value->measure->qwords[0].sample;
   const uint64_t begin =
      pitot_hw_boundary_sample(hw, &segment->begin, sample).address;
   const uint64_t end =
      pitot_hw_boundary_sample(hw, &segment->end, sample).address;

   for (unsigned rb = 0; rb < packets->gpu->rb_count; rb++) {
      pitot_amd_copy_data(packets, to, begin + rb * BACKEND_B);
      pitot_amd_copy_data(packets, to + QWORD_B, end + rb * BACKEND_B);
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
      const unsigned sample = value->measure->qwords[s].sample;

      if (!value->measure->is_of_all_streams && s != value->stream)
         continue;
      const uint64_t begin =
         pitot_hw_boundary_sample(hw, &segment->begin, sample).address;
      const uint64_t end =
         pitot_hw_boundary_sample(hw, &segment->end, sample).address;
      for (unsigned i = 0; i < 2; i++) {
         pitot_amd_copy_data(packets, to + i * QWORD_B, begin + i * QWORD_B);
         pitot_amd_copy_data(packets, to + (2 + i) * QWORD_B,
                             end + i * QWORD_B);
      }
      to += STREAM_B;
   }
   return to;
}

/* A sample that is not available is copied without its valid bit, and decides
 * nothing where the driver does not wait.
 */
bool
pitot_amd_emit_store(struct pitot_hw_packets *packets,
                     const struct pitot_hw *hw,
                     const struct pitot_hw_query *query,
                     const struct pitot_hw_value *value,
                     const struct pitot_hw_target *target)
{
   const struct pitot_hw_segment *segment;
   uint64_t to = target->address;

   if (!target->condition)
      return false;
   for (segment = query->first; segment; segment = segment->next) {
      for (unsigned i = 0; target->condition->wait && i < segment->end.count;
           i++)
         pitot_amd_wait_mem(packets, pitot_hw_snapshot_available_address(
                                        segment->end.snapshots[i]));
      to = value->measure->method == PITOT_HW_OVERFLOW
              ? copy_streams(packets, hw, value, segment, to)
              : copy_samples(packets, hw, value, segment, to);
   }
   pitot_amd_pfp_sync_me(packets);
   return true;
}
