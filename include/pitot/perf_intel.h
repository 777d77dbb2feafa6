/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * INTEL_performance_query's entry points, with every error rule: the document
 * calls a perf set a query type, and a perf query a query instance.  As in
 * pitot/gl.h, an application's mistake is reported to the host and changes
 * nothing, and GL types are written as C types.
 *
 * Threads: those of the GL context.
 */

#ifndef PITOT_PERF_INTEL_H
#define PITOT_PERF_INTEL_H

#include "pitot/gl.h"
#include "pitot/perf.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The extension in a GL context; perf belongs to gl's context. */
struct pitot_perf_intel {
   struct pitot_gl *gl;
   struct pitot_perf *perf;
};

/* A query id is the index of a set and 1. */

void
pitot_perf_intel_get_first_query_id(struct pitot_perf_intel *intel,
                                    uint32_t *query_id);

void
pitot_perf_intel_get_next_query_id(struct pitot_perf_intel *intel,
                                   uint32_t query_id,
                                   uint32_t *next_query_id);

void
pitot_perf_intel_get_query_id_by_name(struct pitot_perf_intel *intel,
                                      const char *name, uint32_t *query_id);

/* All pointers may be NULL. */
void
pitot_perf_intel_get_query_info(struct pitot_perf_intel *intel,
                                uint32_t query_id, uint32_t name_size,
                                char *name, uint32_t *data_size,
                                uint32_t *counter_count,
                                uint32_t *instance_count,
                                uint32_t *caps_mask);

/* All pointers may be NULL. */
void
pitot_perf_intel_get_counter_info(struct pitot_perf_intel *intel,
                                  uint32_t query_id, uint32_t counter_id,
                                  uint32_t name_size, char *name,
                                  uint32_t description_size,
                                  char *description, uint32_t *offset,
                                  uint32_t *data_size, uint32_t *type,
                                  uint32_t *data_type, uint64_t *raw_max);

void
pitot_perf_intel_create_query(struct pitot_perf_intel *intel,
                              uint32_t query_id, uint32_t *handle);

void
pitot_perf_intel_delete_query(struct pitot_perf_intel *intel,
                              uint32_t handle);

void
pitot_perf_intel_begin_query(struct pitot_perf_intel *intel, uint32_t handle);

void
pitot_perf_intel_end_query(struct pitot_perf_intel *intel, uint32_t handle);

/* The record of a measurement that failed is all 0, with the error
 * INVALID_OPERATION.
 */
void
pitot_perf_intel_get_query_data(struct pitot_perf_intel *intel,
                                uint32_t handle, uint32_t flags,
                                int32_t data_size, void *data,
                                uint32_t *bytes_written);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_PERF_INTEL_H */
