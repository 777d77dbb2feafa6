/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Entry points of scripts, without "gl" and suffix; C's types, no GL header.
 */

#ifndef PITOT_TESTS_RULES_ENTRY_POINTS_H
#define PITOT_TESTS_RULES_ENTRY_POINTS_H

#include <stddef.h>
#include <stdint.h>

/* In ANGLE_timer_query and similar extensions. */
#define TIMER_ENTRY_POINTS(X)                                                \
   X(void, GenQueries, (int n, uint32_t *ids))                               \
   X(void, DeleteQueries, (int n, const uint32_t *ids))                      \
   X(unsigned char, IsQuery, (uint32_t id))                                  \
   X(void, BeginQuery, (unsigned target, uint32_t id))                       \
   X(void, EndQuery, (unsigned target))                                      \
   X(void, QueryCounter, (uint32_t id, unsigned target))                     \
   X(void, GetQueryiv, (unsigned target, unsigned pname, int32_t *out))      \
   X(void, GetQueryObjectiv, (uint32_t id, unsigned pname, int32_t *out))    \
   X(void, GetQueryObjectuiv, (uint32_t id, unsigned pname, uint32_t *out))  \
   X(void, GetQueryObjecti64v, (uint32_t id, unsigned pname, int64_t *out))  \
   X(void, GetQueryObjectui64v, (uint32_t id, unsigned pname, uint64_t *out))

/* On ES with suffix EXT, if the entry points of timers have a suffix. */
#define INTEGER64_ENTRY_POINTS(X)                                            \
   X(void, GetInteger64v, (unsigned pname, int64_t *out))

/* On ES with suffix NV. */
#define CONDITION_ENTRY_POINTS(X)                                            \
   X(void, BeginConditionalRender, (uint32_t id, unsigned mode))             \
   X(void, EndConditionalRender, (void))

/* Desktop GL only. */
#define DESKTOP_ENTRY_POINTS(X)                                              \
   X(void, CreateQueries, (unsigned target, int n, uint32_t *ids))           \
   X(void, BeginQueryIndexed,                                                \
     (unsigned target, uint32_t index, uint32_t id))                         \
   X(void, EndQueryIndexed, (unsigned target, uint32_t index))               \
   X(void, GetQueryIndexediv,                                                \
     (unsigned target, uint32_t index, unsigned pname, int32_t *out))        \
   X(void, GetQueryBufferObjectiv,                                           \
     (uint32_t id, uint32_t buffer, unsigned pname, ptrdiff_t offset_B))     \
   X(void, GetQueryBufferObjectuiv,                                          \
     (uint32_t id, uint32_t buffer, unsigned pname, ptrdiff_t offset_B))     \
   X(void, GetQueryBufferObjecti64v,                                         \
     (uint32_t id, uint32_t buffer, unsigned pname, ptrdiff_t offset_B))     \
   X(void, GetQueryBufferObjectui64v,                                        \
     (uint32_t id, uint32_t buffer, unsigned pname, ptrdiff_t offset_B))

/* INTEL_performance_query, with suffix INTEL. */
#define PERF_ENTRY_POINTS(X)                                                 \
   X(void, GetFirstPerfQueryId, (uint32_t * set))                            \
   X(void, GetNextPerfQueryId, (uint32_t set, uint32_t * next))              \
   X(void, GetPerfQueryIdByName, (char *name, uint32_t *set))                \
   X(void, GetPerfQueryInfo,                                                 \
     (uint32_t set, uint32_t name_size, char *name, uint32_t *data_size,     \
      uint32_t *counters, uint32_t *instances, uint32_t *caps))              \
   X(void, GetPerfCounterInfo,                                               \
     (uint32_t set, uint32_t counter, uint32_t name_size, char *name,        \
      uint32_t text_size, char *text, uint32_t *offset, uint32_t *data_size, \
      uint32_t *type, uint32_t *data_type, uint64_t *raw_max))               \
   X(void, CreatePerfQuery, (uint32_t set, uint32_t * handle))               \
   X(void, DeletePerfQuery, (uint32_t handle))                               \
   X(void, BeginPerfQuery, (uint32_t handle))                                \
   X(void, EndPerfQuery, (uint32_t handle))                                  \
   X(void, GetPerfQueryData,                                                 \
     (uint32_t handle, unsigned flags, int data_size, void *data,            \
      uint32_t *bytes_written))

/* AMD_performance_monitor, with suffix AMD. */
#define MONITOR_ENTRY_POINTS(X)                                              \
   X(void, GetPerfMonitorGroups,                                             \
     (int32_t * count, int size, uint32_t *groups))                          \
   X(void, GetPerfMonitorCounters,                                           \
     (uint32_t group, int32_t * count, int32_t * max_active, int size,       \
      uint32_t *counters))                                                   \
   X(void, GetPerfMonitorGroupString,                                        \
     (uint32_t group, int size, int32_t *length, char *text))                \
   X(void, GetPerfMonitorCounterString,                                      \
     (uint32_t group, uint32_t counter, int size, int32_t *length,           \
      char *text))                                                           \
   X(void, GetPerfMonitorCounterInfo,                                        \
     (uint32_t group, uint32_t counter, unsigned pname, void *data))         \
   X(void, GenPerfMonitors, (int n, uint32_t *monitors))                     \
   X(void, DeletePerfMonitors, (int n, uint32_t *monitors))                  \
   X(void, SelectPerfMonitorCounters,                                        \
     (uint32_t monitor, unsigned char enable, uint32_t group, int count,     \
      uint32_t *counters))                                                   \
   X(void, BeginPerfMonitor, (uint32_t monitor))                             \
   X(void, EndPerfMonitor, (uint32_t monitor))                               \
   X(void, GetPerfMonitorCounterData,                                        \
     (uint32_t monitor, unsigned pname, int data_size, uint32_t *data,       \
      int32_t *bytes_written))

/* Every GL. */
#define COMMON_ENTRY_POINTS(X)                                               \
   X(unsigned, GetError, (void))                                             \
   X(void, GetBooleanv, (unsigned pname, unsigned char *out))                \
   X(void, GetIntegerv, (unsigned pname, int32_t *out))                      \
   X(void, GetFloatv, (unsigned pname, float *out))                          \
   X(void, Flush, (void))                                                    \
   X(void, Finish, (void))                                                   \
   X(void, Clear, (unsigned mask))

#define ALL_ENTRY_POINTS(X)                                                  \
   TIMER_ENTRY_POINTS(X)                                                     \
   INTEGER64_ENTRY_POINTS(X)                                                 \
   CONDITION_ENTRY_POINTS(X)                                                 \
   DESKTOP_ENTRY_POINTS(X)                                                   \
   PERF_ENTRY_POINTS(X)                                                      \
   MONITOR_ENTRY_POINTS(X)                                                   \
   COMMON_ENTRY_POINTS(X)

struct entry_points {
#define MEMBER(RETURN, NAME, PARAMETERS) RETURN(*NAME) PARAMETERS;
   ALL_ENTRY_POINTS(MEMBER)
#undef MEMBER
};

#endif /* PITOT_TESTS_RULES_ENTRY_POINTS_H */
