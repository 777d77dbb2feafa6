/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared by the entry points of AMD_performance_monitor.
 */

#ifndef PITOT_PERF_AMD_PRIV_H
#define PITOT_PERF_AMD_PRIV_H

#include "entry_priv.h"
#include "perf_priv.h"
#include "pitot/perf_gl.h"

/* "If <group> does not reference a valid group ID, an INVALID_VALUE error is
 * generated."
 */
bool
pitot_perf_amd_check_group(const struct pitot_gl_call *call,
                           const struct pitot_perf_gl *perf_gl,
                           uint32_t group);

/* "[...] or <counter> does not reference a valid counter within the group ID,
 * an INVALID_VALUE error is generated."
 */
bool
pitot_perf_amd_check_counter(const struct pitot_gl_call *call,
                             const struct pitot_perf_group *group,
                             uint32_t counter);

/* Checks a size or a number: no command takes a negative one. */
bool
pitot_perf_amd_check_size(const struct pitot_gl_call *call, int32_t size);

/* Returns the type of a counter's values (COUNTER_TYPE_AMD). */
unsigned
pitot_perf_amd_type(const struct pitot_perf_counter *counter);

/* Returns the size of the values of a type: 4 or 8. */
unsigned
pitot_perf_amd_size_B(unsigned type);

/* Converts a value of perf's to one of the counter's type. */
void
pitot_perf_amd_convert(const struct pitot_perf_counter *counter,
                       const void *value, void *value_out);

#endif /* PITOT_PERF_AMD_PRIV_H */
