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

const struct pitot_hw_row *
pitot_hw_row(const struct pitot_gpu *gpu, unsigned what)
{
   assert(what < PITOT_HW_ROW_COUNT);

   const struct pitot_hw_row *row = &pitot_hw_family(gpu)->rows[what];
   const bool is_absent = gpu->generation >= row->absent_from &&
                          gpu->generation < row->absent_before;

   return row->bits && !is_absent ? row : NULL;
}

uint32_t
pitot_hw_row_samples(const struct pitot_hw_row *row, unsigned stream)
{
   uint32_t samples = 0;

   for (unsigned s = 0; s < PITOT_MAX_STREAMS; s++) {
      if (s != stream && !row->is_of_all_streams)
         continue;
      samples |= UINT32_C(1) << row->words[s].sample;
      if (row->has_other)
         samples |= UINT32_C(1) << row->other_words[s].sample;
   }
   return samples;
}

unsigned
pitot_hw_gpu_counter_bits(const struct pitot_gpu *gpu, enum pitot_kind kind)
{
   const struct pitot_hw_row *row = pitot_hw_row(gpu, kind);

   return row ? row->bits : 0;
}
