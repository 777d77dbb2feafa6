/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Single samples: for a tool that checks what a GPU writes for them.
 */

#ifndef PITOT_HW_SAMPLE_H
#define PITOT_HW_SAMPLE_H

#include "pitot/hw.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pitot_hw_sample_info {
   enum pitot_ring ring; /* on which it must be taken */
   enum pitot_command_kind command;
   uint32_t argument;   /* see struct pitot_cs_command */
   unsigned size_B;     /* from the first qword to the last */
   unsigned stride_B;   /* from one written qword to the next */
   bool has_valid_bits; /* bit 63 of each written qword */
   bool is_per_backend; /* each written qword belongs to one render backend */
   bool is_time;
   uint32_t available; /* the availability word once the sample is written */
};

/* Returns a mask of the samples that queries use on this GPU. */
uint32_t
pitot_hw_gpu_samples(const struct pitot_gpu *gpu);

/* sample: the number of a bit in that mask. */
struct pitot_hw_sample_info
pitot_hw_gpu_sample_info(const struct pitot_gpu *gpu, unsigned sample);

/* Emits a sample, as a query does, and its availability word, which takes 8
 * bytes.  Offsets are in the buffer, which the caller owns.  Returns 0, or
 * -EIO if the device is lost.
 */
int
pitot_hw_sample_take(struct pitot_hw *hw, unsigned sample,
                     struct pitot_cs_buffer *buffer, unsigned offset_B,
                     unsigned available_B);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_HW_SAMPLE_H */
