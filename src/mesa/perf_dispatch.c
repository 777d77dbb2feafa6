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

/* Sets are found when they are asked for, and go with the query objects. */
void
_mesa_init_performance_queries(struct gl_context *ctx)
{
}

void
_mesa_free_performance_queries(struct gl_context *ctx)
{
}

static struct pitot_gl *
current(void)
{
   GET_CURRENT_CONTEXT(ctx);
   return ctx->Pitot->gl;
}

void GLAPIENTRY
_mesa_GetFirstPerfQueryIdINTEL(GLuint *queryId)
{
   pitot_gl_get_first_perf_query_id(current(), queryId);
}

void GLAPIENTRY
_mesa_GetNextPerfQueryIdINTEL(GLuint queryId, GLuint *nextQueryId)
{
   pitot_gl_get_next_perf_query_id(current(), queryId, nextQueryId);
}

void GLAPIENTRY
_mesa_GetPerfQueryIdByNameINTEL(GLchar *queryName, GLuint *queryId)
{
   pitot_gl_get_perf_query_id_by_name(current(), queryName, queryId);
}

void GLAPIENTRY
_mesa_GetPerfQueryInfoINTEL(GLuint queryId, GLuint nameLength, GLchar *name,
                            GLuint *dataSize, GLuint *noCounters,
                            GLuint *noInstances, GLuint *capsMask)
{
   pitot_gl_get_perf_query_info(current(), queryId, nameLength, name,
                                dataSize, noCounters, noInstances, capsMask);
}

void GLAPIENTRY
_mesa_GetPerfCounterInfoINTEL(GLuint queryId, GLuint counterId,
                              GLuint nameLength, GLchar *name,
                              GLuint descLength, GLchar *desc, GLuint *offset,
                              GLuint *dataSize, GLuint *typeEnum,
                              GLuint *dataTypeEnum,
                              GLuint64 *rawCounterMaxValue)
{
   pitot_gl_get_perf_counter_info(current(), queryId, counterId, nameLength,
                                  name, descLength, desc, offset, dataSize,
                                  typeEnum, dataTypeEnum, rawCounterMaxValue);
}

void GLAPIENTRY
_mesa_CreatePerfQueryINTEL(GLuint queryId, GLuint *queryHandle)
{
   pitot_gl_create_perf_query(current(), queryId, queryHandle);
}

void GLAPIENTRY
_mesa_DeletePerfQueryINTEL(GLuint queryHandle)
{
   pitot_gl_delete_perf_query(current(), queryHandle);
}

void GLAPIENTRY
_mesa_BeginPerfQueryINTEL(GLuint queryHandle)
{
   pitot_gl_begin_perf_query(current(), queryHandle);
}

void GLAPIENTRY
_mesa_EndPerfQueryINTEL(GLuint queryHandle)
{
   pitot_gl_end_perf_query(current(), queryHandle);
}

void GLAPIENTRY
_mesa_GetPerfQueryDataINTEL(GLuint queryHandle, GLuint flags,
                            GLsizei dataSize, void *data,
                            GLuint *bytesWritten)
{
   pitot_gl_get_perf_query_data(current(), queryHandle, flags, dataSize, data,
                                bytesWritten);
}
