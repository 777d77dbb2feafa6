/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Single samples without a query, for tools.
 */

#include "pitot_hw_sample.h"

#include "hw_priv.h"

uint32_t
pitot_hw_gpu_samples(const struct pitot_gpu *gpu)
{
   const struct pitot_hw_family *family = gpu->family;
   uint32_t samples = 0;

   for (unsigned kind = 0; kind < PITOT_HW_MEASURE_COUNT; kind++) {
      const struct pitot_hw_measure *measure = family->measure(gpu, kind);

      for (unsigned s = 0; measure && s < PITOT_MAX_STREAMS; s++)
         samples |= pitot_hw_measure_samples(measure, s);
   }
   if (family->second_timestamp)
      samples |= UINT32_C(1) << family->second_timestamp;
   return samples;
}

struct pitot_hw_sample_info
pitot_hw_gpu_sample_info(const struct pitot_gpu *gpu, unsigned sample)
{
   const struct pitot_hw_family *family = gpu->family;
   const struct pitot_hw_sample *info = &family->samples[sample];
   const unsigned stride_qw =
      info->is_per_backend ? info->valid_stride_qw : 1;

   return (struct pitot_hw_sample_info){
      .ring = info->ring,
      .command = info->command,
      .argument = info->argument,
      .size_B = family->sample_size_B ? family->sample_size_B(gpu, sample)
                                      : sizeof(uint64_t),
      .stride_B = stride_qw * sizeof(uint64_t),
      .has_valid_bits = info->valid_stride_qw != 0,
      .is_per_backend = info->is_per_backend,
      .is_time = info->is_time,
      .available = family->available,
   };
}

int
pitot_hw_sample_take(struct pitot_hw *hw, unsigned sample,
                     struct pitot_cs_buffer *buffer, unsigned offset_B,
                     unsigned available_B)
{
   const struct pitot_hw_family *family = hw->family;
   const uint32_t mask = UINT32_C(1) << sample;
   const bool is_written_at_once = mask & family->written_at_once;
   const struct pitot_cs_command commands[] = {
      {
         .kind = family->samples[sample].command,
         .argument = family->samples[sample].argument,
         .offset_B = offset_B,
      },
      {
         .kind =
            is_written_at_once ? PITOT_COMMAND_VALUE : PITOT_COMMAND_FENCE,
         .offset_B = available_B,
         .value = family->available,
         .size_B = sizeof(uint64_t),
      },
   };

   return pitot_hw_emit(hw, pitot_hw_ring(hw, sample),
                        (struct pitot_cs_place){ buffer, 0 }, commands, 2);
}
