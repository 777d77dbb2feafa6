/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Mesa's dispatch table to Pitot: INTEL_performance_query.
 */

#include "api_exec_decl.h"
#include "main/context.h"
#include "main/performance_query.h"
#include "pitot_mesa.h"

/* Nothing is done here: see pitot_mesa_init() and
 * _mesa_free_queryobj_data().
 */
void
_mesa_init_performance_queries(struct gl_context *ctx)
{
}

void
_mesa_free_performance_queries(struct gl_context *ctx)
{
}

static struct pitot_perf_intel *
current(void)
{
   GET_CURRENT_CONTEXT(ctx);
   return &ctx->Pitot->intel;
}

void GLAPIENTRY
_mesa_GetFirstPerfQueryIdINTEL(GLuint *queryId)
{
   pitot_perf_intel_get_first_query_id(current(), queryId);
}

void GLAPIENTRY
_mesa_GetNextPerfQueryIdINTEL(GLuint queryId, GLuint *nextQueryId)
{
   pitot_perf_intel_get_next_query_id(current(), queryId, nextQueryId);
}

void GLAPIENTRY
_mesa_GetPerfQueryIdByNameINTEL(GLchar *queryName, GLuint *queryId)
{
   pitot_perf_intel_get_query_id_by_name(current(), queryName, queryId);
}

void GLAPIENTRY
_mesa_GetPerfQueryInfoINTEL(GLuint queryId, GLuint nameLength, GLchar *name,
                            GLuint *dataSize, GLuint *noCounters,
                            GLuint *noInstances, GLuint *capsMask)
{
   pitot_perf_intel_get_query_info(current(), queryId, nameLength, name,
                                   dataSize, noCounters, noInstances,
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
   pitot_perf_intel_get_counter_info(current(), queryId, counterId,
                                     nameLength, name, descLength, desc,
                                     offset, dataSize, typeEnum, dataTypeEnum,
                                     rawCounterMaxValue);
}

void GLAPIENTRY
_mesa_CreatePerfQueryINTEL(GLuint queryId, GLuint *queryHandle)
{
   pitot_perf_intel_create_query(current(), queryId, queryHandle);
}

void GLAPIENTRY
_mesa_DeletePerfQueryINTEL(GLuint queryHandle)
{
   pitot_perf_intel_delete_query(current(), queryHandle);
}

void GLAPIENTRY
_mesa_BeginPerfQueryINTEL(GLuint queryHandle)
{
   pitot_perf_intel_begin_query(current(), queryHandle);
}

void GLAPIENTRY
_mesa_EndPerfQueryINTEL(GLuint queryHandle)
{
   pitot_perf_intel_end_query(current(), queryHandle);
}

void GLAPIENTRY
_mesa_GetPerfQueryDataINTEL(GLuint queryHandle, GLuint flags,
                            GLsizei dataSize, void *data,
                            GLuint *bytesWritten)
{
   pitot_perf_intel_get_query_data(current(), queryHandle, flags, dataSize,
                                   data, bytesWritten);
}
