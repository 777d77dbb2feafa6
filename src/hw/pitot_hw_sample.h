/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The samples of which queries consist, one by one: for a tool that looks at
 * what a GPU does with them.
 */

#ifndef PITOT_HW_SAMPLE_H
#define PITOT_HW_SAMPLE_H

#include "pitot/hw.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pitot_hw_sample_info {
   enum pitot_ring ring; /* where it has to be taken */
   enum pitot_command_kind command;
   uint32_t argument;   /* of the command */
   unsigned size_B;     /* from the first qword to the last */
   unsigned stride_B;   /* from a qword that is written to the next */
   bool has_valid_bits; /* bit 63 of each of them */
   bool is_per_backend; /* each of them is a render backend's */
   bool is_time;
   uint32_t available; /* the availability word of a sample that is written */
};

/* Returns a mask of the samples that this GPU takes for its queries. */
uint32_t
pitot_hw_gpu_samples(const struct pitot_gpu *gpu);

/* Returns the facts about one of them, by its bit in the mask. */
struct pitot_hw_sample_info
pitot_hw_gpu_sample_info(const struct pitot_gpu *gpu, unsigned sample);

/* Records a sample as queries do, with the barriers that it needs, and its
 * availability word, for which 8 bytes are kept.  Returns 0, or -EIO if the
 * device is lost.
 */
int
pitot_hw_sample_take(struct pitot_hw *hw, unsigned sample,
                     struct pitot_cs_buffer *buffer, unsigned offset_B,
                     unsigned available_B);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_HW_SAMPLE_H */
