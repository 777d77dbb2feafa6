/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Mesa's entry points of INTEL_performance_query and AMD_performance_monitor,
 * which only call src/perf.
 */

#include "api_exec_decl.h"
#include "main/context.h"
#include "main/performance_monitor.h"
#include "main/performance_query.h"
#include "pitot_mesa.h"

/* Empty: see pitot_mesa_init() and _mesa_free_queryobj_data(). */
void
_mesa_init_performance_queries(struct gl_context *ctx)
{
}

void
_mesa_free_performance_queries(struct gl_context *ctx)
{
}

void
_mesa_init_performance_monitors(struct gl_context *ctx)
{
}

void
_mesa_free_performance_monitors(struct gl_context *ctx)
{
}

void
_mesa_free_perfomance_monitor_groups(struct gl_context *ctx)
{
}

static struct pitot_perf_gl *
current_perf_gl(void)
{
   GET_CURRENT_CONTEXT(ctx);
   return &ctx->Pitot->perf;
}

void GLAPIENTRY
_mesa_GetFirstPerfQueryIdINTEL(GLuint *queryId)
{
   pitot_perf_intel_get_first_query_id(current_perf_gl(), queryId);
}

void GLAPIENTRY
_mesa_GetNextPerfQueryIdINTEL(GLuint queryId, GLuint *nextQueryId)
{
   pitot_perf_intel_get_next_query_id(current_perf_gl(), queryId,
                                      nextQueryId);
}

void GLAPIENTRY
_mesa_GetPerfQueryIdByNameINTEL(GLchar *queryName, GLuint *queryId)
{
   pitot_perf_intel_get_query_id_by_name(current_perf_gl(), queryName,
                                         queryId);
}

void GLAPIENTRY
_mesa_GetPerfQueryInfoINTEL(GLuint queryId, GLuint nameLength, GLchar *name,
                            GLuint *dataSize, GLuint *noCounters,
                            GLuint *noInstances, GLuint *capsMask)
{
   pitot_perf_intel_get_query_info(current_perf_gl(), queryId, nameLength,
                                   name, dataSize, noCounters, noInstances,
                                   capsMask);
}

void GLAPIENTRY
_mesa_GetPerfCounterInfoINTEL(GLuint queryId, GLuint counterId,
                              GLuint nameLength, GLchar *name,
                              GLuint descLength, GLchar *desc, GLuint *offset,
                              GLuint *dataSize, GLuint *typeEnum,
                              GLuint *dataTypeEnum,
                              GLuint64 *rawCounterMaxValue)
{
   pitot_perf_intel_get_counter_info(current_perf_gl(), queryId, counterId,
                                     nameLength, name, descLength, desc,
                                     offset, dataSize, typeEnum, dataTypeEnum,
                                     rawCounterMaxValue);
}

void GLAPIENTRY
_mesa_CreatePerfQueryINTEL(GLuint queryId, GLuint *queryHandle)
{
   pitot_perf_intel_create_query(current_perf_gl(), queryId, queryHandle);
}

void GLAPIENTRY
_mesa_DeletePerfQueryINTEL(GLuint queryHandle)
{
   pitot_perf_intel_delete_query(current_perf_gl(), queryHandle);
}

void GLAPIENTRY
_mesa_BeginPerfQueryINTEL(GLuint queryHandle)
{
   pitot_perf_intel_begin_query(current_perf_gl(), queryHandle);
}

void GLAPIENTRY
_mesa_EndPerfQueryINTEL(GLuint queryHandle)
{
   pitot_perf_intel_end_query(current_perf_gl(), queryHandle);
}

void GLAPIENTRY
_mesa_GetPerfQueryDataINTEL(GLuint queryHandle, GLuint flags,
                            GLsizei dataSize, void *data,
                            GLuint *bytesWritten)
{
   pitot_perf_intel_get_query_data(current_perf_gl(), queryHandle, flags,
                                   dataSize, data, bytesWritten);
}

void GLAPIENTRY
_mesa_GetPerfMonitorGroupsAMD(GLint *numGroups, GLsizei groupsSize,
                              GLuint *groups)
{
   pitot_perf_amd_get_groups(current_perf_gl(), numGroups, groupsSize,
                             groups);
}

void GLAPIENTRY
_mesa_GetPerfMonitorCountersAMD(GLuint group, GLint *numCounters,
                                GLint *maxActiveCounters,
                                GLsizei countersSize, GLuint *counters)
{
   pitot_perf_amd_get_counters(current_perf_gl(), group, numCounters,
                               maxActiveCounters, countersSize, counters);
}

void GLAPIENTRY
_mesa_GetPerfMonitorGroupStringAMD(GLuint group, GLsizei bufSize,
                                   GLsizei *length, GLchar *groupString)
{
   pitot_perf_amd_get_group_string(current_perf_gl(), group, bufSize, length,
                                   groupString);
}

void GLAPIENTRY
_mesa_GetPerfMonitorCounterStringAMD(GLuint group, GLuint counter,
                                     GLsizei bufSize, GLsizei *length,
                                     GLchar *counterString)
{
   pitot_perf_amd_get_counter_string(current_perf_gl(), group, counter,
                                     bufSize, length, counterString);
}

void GLAPIENTRY
_mesa_GetPerfMonitorCounterInfoAMD(GLuint group, GLuint counter, GLenum pname,
                                   GLvoid *data)
{
   pitot_perf_amd_get_counter_info(current_perf_gl(), group, counter, pname,
                                   data);
}

void GLAPIENTRY
_mesa_GenPerfMonitorsAMD(GLsizei n, GLuint *monitors)
{
   pitot_perf_amd_gen_monitors(current_perf_gl(), n, monitors);
}

void GLAPIENTRY
_mesa_DeletePerfMonitorsAMD(GLsizei n, GLuint *monitors)
{
   pitot_perf_amd_delete_monitors(current_perf_gl(), n, monitors);
}

void GLAPIENTRY
_mesa_SelectPerfMonitorCountersAMD(GLuint monitor, GLboolean enable,
                                   GLuint group, GLint numCounters,
                                   GLuint *counterList)
{
   pitot_perf_amd_select_counters(current_perf_gl(), monitor, enable, group,
                                  numCounters, counterList);
}

void GLAPIENTRY
_mesa_BeginPerfMonitorAMD(GLuint monitor)
{
   pitot_perf_amd_begin_monitor(current_perf_gl(), monitor);
}

void GLAPIENTRY
_mesa_EndPerfMonitorAMD(GLuint monitor)
{
   pitot_perf_amd_end_monitor(current_perf_gl(), monitor);
}

void GLAPIENTRY
_mesa_GetPerfMonitorCounterDataAMD(GLuint monitor, GLenum pname,
                                   GLsizei dataSize, GLuint *data,
                                   GLint *bytesWritten)
{
   pitot_perf_amd_get_counter_data(current_perf_gl(), monitor, pname,
                                   dataSize, data, bytesWritten);
}
