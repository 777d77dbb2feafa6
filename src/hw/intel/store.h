/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What Intel's command streamer computes of queries: the rows' emit_merge and
 * emit_finish, as in merge.c, and the family's
 * describe_condition and emit_target.
 */

#ifndef PITOT_HW_INTEL_STORE_H
#define PITOT_HW_INTEL_STORE_H

#include "hw_priv.h"

void
pitot_intel_emit_counter(struct pitot_hw_program *program,
                         const struct pitot_hw *hw,
                         const struct pitot_hw_value *value,
                         const struct pitot_hw_segment *segment);

void
pitot_intel_emit_overflow(struct pitot_hw_program *program,
                          const struct pitot_hw *hw,
                          const struct pitot_hw_value *value,
                          const struct pitot_hw_segment *segment);

void
pitot_intel_emit_elapsed(struct pitot_hw_program *program,
                         const struct pitot_hw *hw,
                         const struct pitot_hw_value *value,
                         const struct pitot_hw_segment *segment);

void
pitot_intel_emit_timestamp(struct pitot_hw_program *program,
                           const struct pitot_hw *hw,
                           const struct pitot_hw_value *value,
                           const struct pitot_hw_segment *segment);

void
pitot_intel_emit_sum(struct pitot_hw_program *program,
                     const struct pitot_gpu *gpu);

void
pitot_intel_emit_boolean(struct pitot_hw_program *program,
                         const struct pitot_gpu *gpu);

void
pitot_intel_emit_time(struct pitot_hw_program *program,
                      const struct pitot_gpu *gpu);

/* Gen8 counts each invocation of a fragment shader four times. */
void
pitot_intel_emit_fs_invocations(struct pitot_hw_program *program,
                                const struct pitot_gpu *gpu);

unsigned
pitot_intel_describe_condition(const struct pitot_hw *hw,
                               const struct pitot_hw_query *query,
                               const struct pitot_hw_value *value,
                               struct pitot_hw_condition *condition_out);

bool
pitot_intel_emit_target(struct pitot_hw_packets *packets,
                        const struct pitot_hw *hw,
                        const struct pitot_hw_query *query,
                        const struct pitot_hw_value *value,
                        const struct pitot_hw_target *target);

#endif /* PITOT_HW_INTEL_STORE_H */
