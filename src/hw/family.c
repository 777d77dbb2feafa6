/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <assert.h>
#include <stddef.h>

#include "family.h"

const struct pitot_hw_family *
pitot_hw_family(const struct pitot_gpu *gpu)
{
   static const struct pitot_hw_family *const families[] = {
      [PITOT_VENDOR_INTEL] = &pitot_hw_intel,
      [PITOT_VENDOR_AMD] = &pitot_hw_amd,
   };

   return families[gpu->vendor];
}

const struct pitot_hw_measure *
pitot_hw_measure(const struct pitot_gpu *gpu, unsigned kind)
{
   assert(kind < PITOT_HW_MEASURE_COUNT);

   const struct pitot_hw_measure *measure =
      &pitot_hw_family(gpu)->measures[kind];
   const bool is_absent = gpu->generation >= measure->absent_from &&
                          gpu->generation < measure->absent_before;

   return measure->bits && !is_absent ? measure : NULL;
}

uint32_t
pitot_hw_measure_samples(const struct pitot_hw_measure *measure,
                         unsigned stream)
{
   uint32_t samples = 0;

   for (unsigned s = 0; s < PITOT_MAX_STREAMS; s++) {
      if (s != stream && !measure->is_of_all_streams)
         continue;
      samples |= UINT32_C(1) << measure->qwords[s].sample;
      if (measure->method == PITOT_HW_OVERFLOW)
         samples |= UINT32_C(1) << measure->written[s].sample;
   }
   return samples;
}

unsigned
pitot_hw_gpu_counter_bits(const struct pitot_gpu *gpu, enum pitot_kind kind)
{
   const struct pitot_hw_measure *measure = pitot_hw_measure(gpu, kind);

   return measure ? measure->bits : 0;
}
