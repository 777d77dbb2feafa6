/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What a screen tells of a driver whose queries are Pitot's.
 */

#include "pitot/pipe_driver.h"
#include "pipe/p_defines.h"
#include "pipe/p_screen.h"

#define NS_PER_S UINT64_C(1000000000)

static bool
has_all(const struct pitot_gpu *gpu, enum pitot_kind first,
        enum pitot_kind last)
{
   for (enum pitot_kind kind = first; kind <= last; kind++) {
      if (!pitot_hw_gpu_counter_bits(gpu, kind))
         return false;
   }
   return true;
}

void
pitot_pipe_driver_caps(const struct pitot_gpu *gpu, struct pipe_caps *caps)
{
   caps->occlusion_query =
      has_all(gpu, PITOT_KIND_SAMPLES_PASSED,
              PITOT_KIND_ANY_SAMPLES_PASSED_CONSERVATIVE);
   caps->query_so_overflow = has_all(gpu, PITOT_KIND_STREAM_OVERFLOW,
                                     PITOT_KIND_ANY_STREAM_OVERFLOW);
   caps->query_pipeline_statistics_single =
      has_all(gpu, PITOT_KIND_VERTICES_SUBMITTED, PITOT_KIND_CLIPPING_OUTPUT);
   caps->query_time_elapsed = true;
   caps->query_timestamp = true;
   caps->query_timestamp_bits =
      pitot_hw_gpu_counter_bits(gpu, PITOT_KIND_TIMESTAMP);
   caps->timer_resolution =
      (unsigned)((NS_PER_S + gpu->timestamp_hz - 1) / gpu->timestamp_hz);
   caps->query_buffer_object = true;
}
