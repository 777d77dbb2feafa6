/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Conditions that AMD's command processor decides.  It can sum up what
 * samples counted, if begin and end are side by side in records of their own:
 * so they are copied there.
 */

#ifndef PITOT_HW_AMD_CONDITION_H
#define PITOT_HW_AMD_CONDITION_H

#include "hw_priv.h"

/* The family's describe_condition and emit_target, where nothing but a
 * condition can be written.
 */
unsigned
pitot_amd_describe_condition(const struct pitot_hw *hw,
                             const struct pitot_hw_query *query,
                             const struct pitot_hw_value *value,
                             struct pitot_hw_condition *condition_out);

bool
pitot_amd_emit_target(struct pitot_hw_packets *packets,
                      const struct pitot_hw *hw,
                      const struct pitot_hw_query *query,
                      const struct pitot_hw_value *value,
                      const struct pitot_hw_target *target);

#endif /* PITOT_HW_AMD_CONDITION_H */
