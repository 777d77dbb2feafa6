/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The host as scripts call it: GL entry points, each a function of Pitot's,
 * and other verbs.
 */

#include <stdlib.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "fail_memory.h"
#include "host.h"
#include "targets.h"
#include "test.h"

static struct host *host;

/* Name, Pitot's function, parameters, arguments after the context. */
#define CALL(NAME, FUNCTION, PARAMETERS, ...)                                \
   static void NAME PARAMETERS                                               \
   {                                                                         \
      FUNCTION(host->gl, __VA_ARGS__);                                       \
   }

/* The same for INTEL_performance_query. */
#define PERF_CALL(NAME, FUNCTION, PARAMETERS, ...)                           \
   static void NAME PARAMETERS                                               \
   {                                                                         \
      pitot_perf_intel_##FUNCTION(&host->perf, __VA_ARGS__);                 \
   }

/* The same for AMD_performance_monitor. */
#define MONITOR_CALL(NAME, FUNCTION, PARAMETERS, ...)                        \
   static void NAME PARAMETERS                                               \
   {                                                                         \
      pitot_perf_amd_##FUNCTION(&host->perf, __VA_ARGS__);                   \
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
      pitot_gl_get_query_object(host->gl, id, pname,     \
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
   return pitot_gl_is_query(host->gl, id);
}

static void
EndConditionalRender(void)
{
   pitot_gl_end_conditional_render(host->gl);
}

static void
GetInteger64v(unsigned pname, int64_t *out)
{
   *out = pname == GL_TIMESTAMP ? (int64_t)pitot_gl_timestamp(host->gl)
                                : pitot_gl_gpu_disjoint(host->gl);
}

#define GET_DISJOINT(NAME, TYPE)                                             \
   static void NAME(unsigned pname, TYPE *out)                               \
   {                                                                         \
      (void)pname;                                                           \
      *out = pitot_gl_gpu_disjoint(host->gl);                                \
   }
GET_DISJOINT(GetBooleanv, unsigned char)
GET_DISJOINT(GetIntegerv, int32_t)
GET_DISJOINT(GetFloatv, float)

static unsigned
GetError(void)
{
   return host_take_error(host);
}

static void
Flush(void)
{
   pitot_null_flush(&host->null);
}

static void
Finish(void)
{
   Flush();
   host->null.done = UINT64_MAX;
}

/* The driver clears on its own, and does not count its draws. */
static void
Clear(unsigned mask)
{
   (void)mask;
}

static void
bind_buffer(bool is_bound)
{
   host->bound = is_bound ? host : NULL;
}

static void
map_buffer(bool is_mapped)
{
   host->is_mapped = is_mapped;
}

static void
read_buffer(unsigned offset_B, unsigned size_B, void *data_out)
{
   memcpy(data_out, host->buffer + offset_B, size_B);
}

#define COUNTED(KIND, TARGET, ...) { GL_##TARGET, PITOT_KIND_##KIND },

static void
draw_points(uint64_t count, unsigned target)
{
   static const struct {
      unsigned target;
      enum pitot_kind kind;
   } counted[] = { EACH_TARGET(COUNTED) };

   for (unsigned i = 0; i < ARRAY_LENGTH(counted); i++) {
      if (counted[i].target == target) {
         host->null.counters[counted[i].kind][0] += count;
         return;
      }
   }
   fail_msg("nothing counts target 0x%04x", target);
}

static void
draw_immediately(unsigned count)
{
   host->held_back += count;
}

static bool
is_drawn(void)
{
   return pitot_gl_condition_passes(host->gl);
}

static void
fail_driver(const char *call, const char *nth)
{
   static const char *const calls[] = {
      [PITOT_NULL_CREATE] = "create",
      [PITOT_NULL_BEGIN] = "begin",
      [PITOT_NULL_END] = "end",
   };
   const unsigned n = nth ? strtoul(nth, NULL, 10) : 1;

   for (unsigned i = 0; i < ARRAY_LENGTH(calls); i++) {
      if (strcmp(calls[i], call) == 0)
         host->null.fail[i] = n;
   }
   if (strcmp(call, "memory") == 0)
      fail_memory = n;
}

/* The verbs of the null driver alone. */
static bool
control(char *const words[], uint64_t *value_out)
{
   struct pitot_null *null = &host->null;

   if (strcmp(words[0], "time") == 0)
      null->time_ns = strtoull(words[1], NULL, 10);
   else if (strcmp(words[0], "overflow") == 0)
      null->counters[PITOT_KIND_ANY_STREAM_OVERFLOW][0]++;
   else if (strcmp(words[0], "hold") == 0)
      null->done = null->issued;
   else if (strcmp(words[0], "release") == 0)
      null->done = UINT64_MAX;
   else if (strcmp(words[0], "lose") == 0)
      null->is_lost = true;
   else if (strcmp(words[0], "fail") == 0)
      fail_driver(words[1], words[2]);
   else if (strcmp(words[0], "nosets") == 0)
      host_remove_sets(host);
   else if (strcmp(words[0], "flushed") == 0)
      *value_out = null->flushes;
   else if (strcmp(words[0], "waited") == 0)
      *value_out = null->waits;
   else
      return false;
   return true;
}

static const char *
error_message(void)
{
   return host->message;
}

static const struct entry_points entry_points = {
#define MEMBER(RETURN, NAME, PARAMETERS) .NAME = NAME,
   ALL_ENTRY_POINTS(MEMBER)
#undef MEMBER
};

static const struct script_gl script_gl = {
   .entry_points = &entry_points,
   .buffer = HOST_BUFFER_NAME,
   .bind_buffer = bind_buffer,
   .map_buffer = map_buffer,
   .read_buffer = read_buffer,
   .draw_points = draw_points,
   .draw_immediately = draw_immediately,
   .is_drawn = is_drawn,
   .suspend = host_suspend,
   .control = control,
   .error_message = error_message,
};

void
host_run(struct host *runs, const char *script)
{
   host = runs;
   script_run(&script_gl, script);
}
