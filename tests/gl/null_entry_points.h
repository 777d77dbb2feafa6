/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Pitot on the null driver by entry points of GL, each a function of Pitot's.
 * One file of a program includes this.
 */

#ifndef PITOT_TESTS_NULL_ENTRY_POINTS_H
#define PITOT_TESTS_NULL_ENTRY_POINTS_H

#include <GL/gl.h>
#include <GL/glext.h>

#include "pitot/gl.h"
#include "pitot/perf_gl.h"
#include "pitot_null.h"
#include "rules/entry_points.h"

/* Of the current context. */
static struct pitot_perf_gl *null_perf;
static struct pitot_null *null_driver;
static unsigned *null_error;

/* Name, Pitot's function, parameters, arguments after the context. */
#define CALL(NAME, FUNCTION, PARAMETERS, ...)                                \
   static void NAME PARAMETERS                                               \
   {                                                                         \
      FUNCTION(null_perf->gl, __VA_ARGS__);                                  \
   }

/* The same for INTEL_performance_query. */
#define PERF_CALL(NAME, FUNCTION, PARAMETERS, ...)                           \
   static void NAME PARAMETERS                                               \
   {                                                                         \
      pitot_perf_intel_##FUNCTION(null_perf, __VA_ARGS__);                   \
   }

/* The same for AMD_performance_monitor. */
#define MONITOR_CALL(NAME, FUNCTION, PARAMETERS, ...)                        \
   static void NAME PARAMETERS                                               \
   {                                                                         \
      pitot_perf_amd_##FUNCTION(null_perf, __VA_ARGS__);                     \
   }

/* clang-format off */
CALL(GenQueries, pitot_gl_gen_queries, (int n, uint32_t *ids), n, ids)
CALL(DeleteQueries, pitot_gl_delete_queries, (int n, const uint32_t *ids),
     n, ids)
CALL(CreateQueries, pitot_gl_create_queries,
     (unsigned target, int n, uint32_t *ids), target, n, ids)
CALL(BeginQuery, pitot_gl_begin_query, (unsigned target, uint32_t id),
     "glBeginQuery", target, 0, id)
CALL(BeginQueryIndexed, pitot_gl_begin_query,
     (unsigned target, uint32_t index, uint32_t id),
     "glBeginQuery", target, index, id)
CALL(EndQuery, pitot_gl_end_query, (unsigned target),
     "glEndQuery", target, 0)
CALL(EndQueryIndexed, pitot_gl_end_query, (unsigned target, uint32_t index),
     "glEndQuery", target, index)
CALL(QueryCounter, pitot_gl_query_counter, (uint32_t id, unsigned target),
     id, target)
CALL(GetQueryiv, pitot_gl_get_query,
     (unsigned target, unsigned pname, int32_t *out),
     "glGetQueryiv", target, 0, pname, out)
CALL(GetQueryIndexediv, pitot_gl_get_query,
     (unsigned target, uint32_t index, unsigned pname, int32_t *out),
     "glGetQueryiv", target, index, pname, out)
CALL(BeginConditionalRender, pitot_gl_begin_conditional_render,
     (uint32_t id, unsigned mode), id, mode)

#define GET_OBJECT(NAME, C_TYPE, TYPE)                                       \
   static void GetQueryObject##NAME(uint32_t id, unsigned pname,             \
                                    C_TYPE *out)                             \
   {                                                                         \
      pitot_gl_get_query_object(null_perf->gl, id, pname,     \
                                TYPE, out);                                  \
   }                                                                         \
   CALL(GetQueryBufferObject##NAME, pitot_gl_get_query_buffer_object,        \
        (uint32_t id, uint32_t buffer, unsigned pname, ptrdiff_t offset_B),  \
        id, buffer, pname, TYPE, offset_B)
GET_OBJECT(iv, int32_t, PITOT_TYPE_I32)
GET_OBJECT(uiv, uint32_t, PITOT_TYPE_U32)
GET_OBJECT(i64v, int64_t, PITOT_TYPE_I64)
GET_OBJECT(ui64v, uint64_t, PITOT_TYPE_U64)

PERF_CALL(GetFirstPerfQueryId, get_first_query_id,
     (uint32_t *set), set)
PERF_CALL(GetNextPerfQueryId, get_next_query_id,
     (uint32_t set, uint32_t *next), set, next)
PERF_CALL(GetPerfQueryIdByName, get_query_id_by_name,
     (char *name, uint32_t *set), name, set)
PERF_CALL(GetPerfQueryInfo, get_query_info,
     (uint32_t set, uint32_t name_size, char *name, uint32_t *data_size,
      uint32_t *counters, uint32_t *instances, uint32_t *caps),
     set, name_size, name, data_size, counters, instances, caps)
PERF_CALL(GetPerfCounterInfo, get_counter_info,
     (uint32_t set, uint32_t counter, uint32_t name_size, char *name,
      uint32_t text_size, char *text, uint32_t *offset, uint32_t *data_size,
      uint32_t *type, uint32_t *data_type, uint64_t *raw_max),
     set, counter, name_size, name, text_size, text, offset, data_size, type,
     data_type, raw_max)
PERF_CALL(CreatePerfQuery, create_query,
     (uint32_t set, uint32_t *handle), set, handle)
PERF_CALL(DeletePerfQuery, delete_query, (uint32_t handle), handle)
PERF_CALL(BeginPerfQuery, begin_query, (uint32_t handle), handle)
PERF_CALL(EndPerfQuery, end_query, (uint32_t handle), handle)
PERF_CALL(GetPerfQueryData, get_query_data,
     (uint32_t handle, unsigned flags, int data_size, void *data,
      uint32_t *bytes_written),
     handle, flags, data_size, data, bytes_written)

MONITOR_CALL(GetPerfMonitorGroups, get_groups,
     (int32_t *count, int size, uint32_t *groups), count, size, groups)
MONITOR_CALL(GetPerfMonitorCounters, get_counters,
     (uint32_t group, int32_t *count, int32_t *max_active, int size,
      uint32_t *counters),
     group, count, max_active, size, counters)
MONITOR_CALL(GetPerfMonitorGroupString, get_group_string,
     (uint32_t group, int size, int32_t *length, char *text),
     group, size, length, text)
MONITOR_CALL(GetPerfMonitorCounterString, get_counter_string,
     (uint32_t group, uint32_t counter, int size, int32_t *length, char *text),
     group, counter, size, length, text)
MONITOR_CALL(GetPerfMonitorCounterInfo, get_counter_info,
     (uint32_t group, uint32_t counter, unsigned pname, void *data),
     group, counter, pname, data)
MONITOR_CALL(GenPerfMonitors, gen_monitors, (int n, uint32_t *monitors),
     n, monitors)
MONITOR_CALL(DeletePerfMonitors, delete_monitors,
     (int n, uint32_t *monitors), n, monitors)
MONITOR_CALL(SelectPerfMonitorCounters, select_counters,
     (uint32_t monitor, unsigned char enable, uint32_t group, int count,
      uint32_t *counters),
     monitor, enable, group, count, counters)
MONITOR_CALL(BeginPerfMonitor, begin_monitor, (uint32_t monitor), monitor)
MONITOR_CALL(EndPerfMonitor, end_monitor, (uint32_t monitor), monitor)
MONITOR_CALL(GetPerfMonitorCounterData, get_counter_data,
     (uint32_t monitor, unsigned pname, int data_size, uint32_t *data,
      int32_t *bytes_written),
     monitor, pname, data_size, data, bytes_written)
/* clang-format on */

static unsigned char
IsQuery(uint32_t id)
{
   return pitot_gl_is_query(null_perf->gl, id);
}

static void
EndConditionalRender(void)
{
   pitot_gl_end_conditional_render(null_perf->gl);
}

static void
GetInteger64v(unsigned pname, int64_t *out)
{
   *out = pname == GL_TIMESTAMP ? (int64_t)pitot_gl_timestamp(null_perf->gl)
                                : pitot_gl_gpu_disjoint(null_perf->gl);
}

#define GET_DISJOINT(NAME, TYPE)                                             \
   static void NAME(unsigned pname, TYPE *out)                               \
   {                                                                         \
      (void)pname;                                                           \
      *out = pitot_gl_gpu_disjoint(null_perf->gl);                           \
   }
GET_DISJOINT(GetBooleanv, unsigned char)
GET_DISJOINT(GetIntegerv, int32_t)
GET_DISJOINT(GetFloatv, float)

static unsigned
GetError(void)
{
   const unsigned error = *null_error;

   *null_error = GL_NO_ERROR;
   return error;
}

static void
Flush(void)
{
   pitot_null_flush(null_driver);
}

static void
Finish(void)
{
   Flush();
   null_driver->done = UINT64_MAX;
   null_driver->base.wait_count++;
}

/* The driver clears on its own, and does not count its draws. */
static void
Clear(unsigned mask)
{
   (void)mask;
}

static const struct entry_points null_entry_points = {
#define MEMBER(RETURN, NAME, PARAMETERS) .NAME = NAME,
   ALL_ENTRY_POINTS(MEMBER)
#undef MEMBER
};

#endif /* PITOT_TESTS_NULL_ENTRY_POINTS_H */
