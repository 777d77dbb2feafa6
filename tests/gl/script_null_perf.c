/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "host.h"
#include "script_null.h"

static struct pitot_perf_intel *
intel_of(void *gl)
{
   return &((struct host *)gl)->intel;
}

static void
first(void *gl, uint32_t *set_id)
{
   pitot_perf_intel_get_first_query_id(intel_of(gl), set_id);
}

static void
next(void *gl, uint32_t set_id, uint32_t *next_id)
{
   pitot_perf_intel_get_next_query_id(intel_of(gl), set_id, next_id);
}

static void
by_name(void *gl, char *name, uint32_t *set_id)
{
   pitot_perf_intel_get_query_id_by_name(intel_of(gl), name, set_id);
}

static void
info(void *gl, uint32_t set_id, uint32_t name_size, char *name,
     uint32_t *data_size, uint32_t *counter_count, uint32_t *instance_count,
     uint32_t *caps_mask)
{
   pitot_perf_intel_get_query_info(intel_of(gl), set_id, name_size, name,
                                   data_size, counter_count, instance_count,
                                   caps_mask);
}

static void
counter_info(void *gl, uint32_t set_id, uint32_t counter_id,
             uint32_t name_size, char *name, uint32_t description_size,
             char *description, uint32_t *offset, uint32_t *data_size,
             uint32_t *type, uint32_t *data_type, uint64_t *raw_max)
{
   pitot_perf_intel_get_counter_info(intel_of(gl), set_id, counter_id,
                                     name_size, name, description_size,
                                     description, offset, data_size, type,
                                     data_type, raw_max);
}

static void
create(void *gl, uint32_t set_id, uint32_t *handle)
{
   pitot_perf_intel_create_query(intel_of(gl), set_id, handle);
}

static void
delete_handle(void *gl, uint32_t handle)
{
   pitot_perf_intel_delete_query(intel_of(gl), handle);
}

static void
begin(void *gl, uint32_t handle)
{
   pitot_perf_intel_begin_query(intel_of(gl), handle);
}

static void
end(void *gl, uint32_t handle)
{
   pitot_perf_intel_end_query(intel_of(gl), handle);
}

static void
data(void *gl, uint32_t handle, uint32_t flags, int32_t data_size,
     void *memory, uint32_t *bytes_written)
{
   pitot_perf_intel_get_query_data(intel_of(gl), handle, flags, data_size,
                                   memory, bytes_written);
}

const struct script_perf_ops script_null_perf_ops = {
   .first = first,
   .next = next,
   .by_name = by_name,
   .info = info,
   .counter_info = counter_info,
   .create = create,
   .delete_handle = delete_handle,
   .begin = begin,
   .end = end,
   .data = data,
};
