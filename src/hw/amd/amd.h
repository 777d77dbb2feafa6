/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared inside AMD's family only.
 */

#ifndef PITOT_HW_AMD_H
#define PITOT_HW_AMD_H

#include "hw_priv.h"
#include "pitot/amd.h"

/* The fields EVENT_TYPE and EVENT_INDEX of EVENT_WRITE. */
#define PITOT_AMD_EVENT(TYPE, INDEX) ((uint32_t)(TYPE) | (INDEX) << 8)

#define PITOT_AMD_SAMPLE_PIPELINESTAT PITOT_AMD_EVENT(30, 2)
#define PITOT_AMD_SAMPLE_STREAMOUT    PITOT_AMD_EVENT(32, 3)
#define PITOT_AMD_SAMPLE_STREAMOUT_N  PITOT_AMD_EVENT(0, 3) /* + 1, 2, 3 */

/* A render backend has two qwords, for begin and end; a sample is one. */
#define PITOT_AMD_BACKEND_QW 2

static inline const struct pitot_amd_gpu *
pitot_amd_gpu(const struct pitot_gpu *gpu)
{
   return (const struct pitot_amd_gpu *)gpu;
}

/* condition.c: the family's describe_condition. */
bool
pitot_amd_describe_condition(struct pitot_hw *hw,
                             const struct pitot_hw_query *query,
                             const struct pitot_hw_value *value,
                             struct pitot_hw_condition *condition_out);

#endif /* PITOT_HW_AMD_H */
