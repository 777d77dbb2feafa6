/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * AMD_performance_monitor's entry points, with every error rule, as those of
 * INTEL_performance_query in pitot/perf_intel.h.  Ids of groups and counters
 * are indices, and so begin with 0.
 *
 * Threads: those of the GL context.
 */

#ifndef PITOT_PERF_AMD_H
#define PITOT_PERF_AMD_H

#include "pitot/gl.h"
#include "pitot/perf_handles.h"
#include "pitot/perf_monitor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The state of the extension in a GL context.  The caller sets the first two
 * fields, and clears the others; perf belongs to gl's context.
 */
struct pitot_perf_amd {
   struct pitot_gl *gl;
   struct pitot_perf *perf;
   struct pitot_perf_handles monitors;
};

/* Deletes all monitors, before perf is destroyed. */
void
pitot_perf_amd_finish(struct pitot_perf_amd *amd);

/* All pointers may be NULL. */

void
pitot_perf_amd_get_groups(struct pitot_perf_amd *amd, int32_t *count,
                          int32_t size, uint32_t *groups);

void
pitot_perf_amd_get_counters(struct pitot_perf_amd *amd, uint32_t group,
                            int32_t *count, int32_t *max_active, int32_t size,
                            uint32_t *counters);

void
pitot_perf_amd_get_group_string(struct pitot_perf_amd *amd, uint32_t group,
                                int32_t size, int32_t *length, char *string);

void
pitot_perf_amd_get_counter_string(struct pitot_perf_amd *amd, uint32_t group,
                                  uint32_t counter, int32_t size,
                                  int32_t *length, char *string);

void
pitot_perf_amd_get_counter_info(struct pitot_perf_amd *amd, uint32_t group,
                                uint32_t counter, unsigned pname, void *data);

void
pitot_perf_amd_gen_monitors(struct pitot_perf_amd *amd, int32_t n,
                            uint32_t *monitors);

void
pitot_perf_amd_delete_monitors(struct pitot_perf_amd *amd, int32_t n,
                               const uint32_t *monitors);

void
pitot_perf_amd_select_counters(struct pitot_perf_amd *amd, uint32_t monitor,
                               bool enable, uint32_t group, int32_t count,
                               const uint32_t *counters);

void
pitot_perf_amd_begin_monitor(struct pitot_perf_amd *amd, uint32_t monitor);

void
pitot_perf_amd_end_monitor(struct pitot_perf_amd *amd, uint32_t monitor);

/* Sets bytes_written to the number of bytes that were written to data, and
 * leaves both as they are after an error.  Only the results of a monitor that
 * failed are written in spite of one: they are all 0, and the error is
 * INVALID_OPERATION.
 */
void
pitot_perf_amd_get_counter_data(struct pitot_perf_amd *amd, uint32_t monitor,
                                unsigned pname, int32_t data_size,
                                uint32_t *data, int32_t *bytes_written);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_PERF_AMD_H */
