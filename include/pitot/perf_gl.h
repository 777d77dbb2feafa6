/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The entry points of INTEL_performance_query and AMD_performance_monitor,
 * with every error rule.  As in pitot/gl.h, an application's error is
 * reported to the host and changes nothing, and GL types are written as C
 * types.
 *
 * Threads: as for the GL context, one at a time.
 */

#ifndef PITOT_PERF_GL_H
#define PITOT_PERF_GL_H

#include "pitot/gl.h"
#include "pitot/perf.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Both extensions in a GL context; perf belongs to gl's context. */
struct pitot_perf_gl {
   struct pitot_gl *gl;
   struct pitot_perf *perf;
};

/*
 * INTEL_performance_query.  It calls a perf set a query type, and a perf
 * query a query instance.
 */

/* A query id is the index of a set plus 1. */

void
pitot_perf_intel_get_first_query_id(struct pitot_perf_gl *perf_gl,
                                    uint32_t *query_id);

void
pitot_perf_intel_get_next_query_id(struct pitot_perf_gl *perf_gl,
                                   uint32_t query_id,
                                   uint32_t *next_query_id);

void
pitot_perf_intel_get_query_id_by_name(struct pitot_perf_gl *perf_gl,
                                      const char *name, uint32_t *query_id);

/* All pointers may be NULL. */
void
pitot_perf_intel_get_query_info(struct pitot_perf_gl *perf_gl,
                                uint32_t query_id, uint32_t name_size,
                                char *name, uint32_t *data_size,
                                uint32_t *counter_count,
                                uint32_t *instance_count,
                                uint32_t *caps_mask);

/* All pointers may be NULL. */
void
pitot_perf_intel_get_counter_info(struct pitot_perf_gl *perf_gl,
                                  uint32_t query_id, uint32_t counter_id,
                                  uint32_t name_size, char *name,
                                  uint32_t description_size,
                                  char *description, uint32_t *offset,
                                  uint32_t *data_size, uint32_t *type,
                                  uint32_t *data_type, uint64_t *raw_max);

void
pitot_perf_intel_create_query(struct pitot_perf_gl *perf_gl,
                              uint32_t query_id, uint32_t *handle);

void
pitot_perf_intel_delete_query(struct pitot_perf_gl *perf_gl, uint32_t handle);

void
pitot_perf_intel_begin_query(struct pitot_perf_gl *perf_gl, uint32_t handle);

void
pitot_perf_intel_end_query(struct pitot_perf_gl *perf_gl, uint32_t handle);

/* After a failed measurement, the record is all 0, and INVALID_OPERATION is
 * generated.
 */
void
pitot_perf_intel_get_query_data(struct pitot_perf_gl *perf_gl,
                                uint32_t handle, uint32_t flags,
                                int32_t data_size, void *data,
                                uint32_t *bytes_written);

/*
 * AMD_performance_monitor.  Ids of groups and counters are indices from 0.
 */

/* All pointers may be NULL. */

void
pitot_perf_amd_get_groups(struct pitot_perf_gl *perf_gl, int32_t *count,
                          int32_t size, uint32_t *groups);

void
pitot_perf_amd_get_counters(struct pitot_perf_gl *perf_gl, uint32_t group,
                            int32_t *count, int32_t *max_active, int32_t size,
                            uint32_t *counters);

void
pitot_perf_amd_get_group_string(struct pitot_perf_gl *perf_gl, uint32_t group,
                                int32_t size, int32_t *length, char *string);

void
pitot_perf_amd_get_counter_string(struct pitot_perf_gl *perf_gl,
                                  uint32_t group, uint32_t counter,
                                  int32_t size, int32_t *length,
                                  char *string);

void
pitot_perf_amd_get_counter_info(struct pitot_perf_gl *perf_gl, uint32_t group,
                                uint32_t counter, unsigned pname, void *data);

void
pitot_perf_amd_gen_monitors(struct pitot_perf_gl *perf_gl, int32_t n,
                            uint32_t *monitors);

void
pitot_perf_amd_delete_monitors(struct pitot_perf_gl *perf_gl, int32_t n,
                               const uint32_t *monitors);

void
pitot_perf_amd_select_counters(struct pitot_perf_gl *perf_gl,
                               uint32_t monitor, bool enable, uint32_t group,
                               int32_t count, const uint32_t *counters);

void
pitot_perf_amd_begin_monitor(struct pitot_perf_gl *perf_gl, uint32_t monitor);

void
pitot_perf_amd_end_monitor(struct pitot_perf_gl *perf_gl, uint32_t monitor);

/* Sets bytes_written to the number of bytes written to data.  An error leaves
 * both alone, with one exception: after a failed measurement, its results are
 * written as 0, and INVALID_OPERATION is generated.
 */
void
pitot_perf_amd_get_counter_data(struct pitot_perf_gl *perf_gl,
                                uint32_t monitor, unsigned pname,
                                int32_t data_size, uint32_t *data,
                                int32_t *bytes_written);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_PERF_GL_H */
