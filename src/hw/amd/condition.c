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

/* Copies begin and end of a sample, qword by qword, into a record.  Returns
 * where the next record goes.
 */
static uint64_t
copy_sample(struct pitot_hw_packets *packets, const struct pitot_hw *hw,
            const struct pitot_hw_segment *segment, unsigned sample,
            bool is_overflow, uint64_t to)
{
   const unsigned count = is_overflow ? 2 : packets->gpu->rb_count;
   const unsigned stride_B = is_overflow ? QWORD_B : BACKEND_B;
   const unsigned end_B = is_overflow ? 2 * QWORD_B : QWORD_B;
   const uint64_t begin =
      pitot_hw_boundary_sample(hw, &segment->begin, sample).address;
   const uint64_t end =
      pitot_hw_boundary_sample(hw, &segment->end, sample).address;

   for (unsigned i = 0; i < count; i++) {
      pitot_amd_copy_data(packets, to + i * stride_B, begin + i * stride_B);
      pitot_amd_copy_data(packets, to + end_B + i * stride_B,
                          end + i * stride_B);
   }
   return to + (is_overflow ? STREAM_B : count * BACKEND_B);
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
   const struct pitot_hw_measure *measure = value->measure;
   const bool is_overflow = measure->method == PITOT_HW_OVERFLOW;
   const struct pitot_hw_segment *segment;
   uint64_t to = target->address;

   if (!target->condition)
      return false;
   for (segment = query->first; segment; segment = segment->next) {
      for (unsigned i = 0; target->condition->wait && i < segment->end.count;
           i++)
         pitot_amd_wait_mem(packets,
                            pitot_hw_snapshot_available_address(
                               segment->end.snapshots[i]),
                            UINT32_MAX);
      for (unsigned s = 0; s < PITOT_MAX_STREAMS; s++) {
         if (measure->is_of_all_streams || s == value->stream)
            to = copy_sample(packets, hw, segment, measure->qwords[s].sample,
                             is_overflow, to);
      }
   }
   pitot_amd_pfp_sync_me(packets);
   return true;
}
