/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Mesa's entry points of query objects and conditional rendering: they only
 * call src/gl, which has the error rules, also for KHR_no_error.  Then the
 * calls that Pitot wraps, and the calls of a lost context, which end an
 * application's poll loops.
 */

#include <string.h>

#include "api_exec_decl.h"
#include "main/condrender.h"
#include "main/context.h"
#include "dispatch.h"
#include "main/errors.h"
#include "pitot_mesa.h"

static struct pitot_gl *
current_gl(void)
{
   GET_CURRENT_CONTEXT(ctx);
   return ctx->Pitot->gl;
}

/* Names */

void GLAPIENTRY
_mesa_GenQueries(GLsizei n, GLuint *ids)
{
   pitot_gl_gen_queries(current_gl(), n, ids);
}

void GLAPIENTRY
_mesa_CreateQueries(GLenum target, GLsizei n, GLuint *ids)
{
   pitot_gl_create_queries(current_gl(), target, n, ids);
}

void GLAPIENTRY
_mesa_DeleteQueries(GLsizei n, const GLuint *ids)
{
   pitot_gl_delete_queries(current_gl(), n, ids);
}

GLboolean GLAPIENTRY
_mesa_IsQuery(GLuint id)
{
   return pitot_gl_is_query(current_gl(), id);
}

/* Measuring */

void GLAPIENTRY
_mesa_BeginQuery(GLenum target, GLuint id)
{
   pitot_gl_begin_query(current_gl(), "glBeginQuery", target, 0, id);
}

void GLAPIENTRY
_mesa_BeginQueryIndexed(GLenum target, GLuint index, GLuint id)
{
   pitot_gl_begin_query(current_gl(), "glBeginQueryIndexed", target, index,
                        id);
}

void GLAPIENTRY
_mesa_EndQuery(GLenum target)
{
   pitot_gl_end_query(current_gl(), "glEndQuery", target, 0);
}

void GLAPIENTRY
_mesa_EndQueryIndexed(GLenum target, GLuint index)
{
   pitot_gl_end_query(current_gl(), "glEndQueryIndexed", target, index);
}

void GLAPIENTRY
_mesa_QueryCounter(GLuint id, GLenum target)
{
   pitot_gl_query_counter(current_gl(), id, target);
}

/* Results */

void GLAPIENTRY
_mesa_GetQueryiv(GLenum target, GLenum pname, GLint *params)
{
   pitot_gl_get_query(current_gl(), "glGetQueryiv", target, 0, pname, params);
}

void GLAPIENTRY
_mesa_GetQueryIndexediv(GLenum target, GLuint index, GLenum pname,
                        GLint *params)
{
   pitot_gl_get_query(current_gl(), "glGetQueryIndexediv", target, index,
                      pname, params);
}

#define GET_QUERY_OBJECT(SUFFIX, TYPE, PITOT_TYPE)                           \
   void GLAPIENTRY _mesa_GetQueryObject##SUFFIX(GLuint id, GLenum pname,     \
                                                TYPE *params)                \
   {                                                                         \
      pitot_gl_get_query_object(current_gl(), id, pname, PITOT_TYPE,         \
                                params);                                     \
   }                                                                         \
                                                                             \
   void GLAPIENTRY _mesa_GetQueryBufferObject##SUFFIX(GLuint id,             \
                                                      GLuint buffer,         \
                                                      GLenum pname,          \
                                                      GLintptr offset)       \
   {                                                                         \
      pitot_gl_get_query_buffer_object(current_gl(), id, buffer, pname,      \
                                       PITOT_TYPE, offset);                  \
   }

GET_QUERY_OBJECT(iv, GLint, PITOT_TYPE_I32)
GET_QUERY_OBJECT(uiv, GLuint, PITOT_TYPE_U32)
GET_QUERY_OBJECT(i64v, GLint64, PITOT_TYPE_I64)
GET_QUERY_OBJECT(ui64v, GLuint64, PITOT_TYPE_U64)

/* Conditional rendering */

void GLAPIENTRY
_mesa_BeginConditionalRender(GLuint id, GLenum mode)
{
   pitot_gl_begin_conditional_render(current_gl(), id, mode);
}

void GLAPIENTRY
_mesa_EndConditionalRender(void)
{
   pitot_gl_end_conditional_render(current_gl());
}

/* A KHR_no_error context checks the rules, too: the checks cost next to
 * nothing and prevent crashes, and glGetError reports nothing.
 */

void GLAPIENTRY
_mesa_BeginConditionalRender_no_error(GLuint id, GLenum mode)
{
   _mesa_BeginConditionalRender(id, mode);
}

void GLAPIENTRY
_mesa_EndConditionalRender_no_error(void)
{
   _mesa_EndConditionalRender();
}

GLboolean
_mesa_check_conditional_render(struct gl_context *ctx)
{
   return pitot_gl_condition_passes(ctx->Pitot->gl);
}

/* Mesa searches all of its values for a pname, which more than doubles the
 * cost of glGetInteger64v(TIMESTAMP).
 */
static void GLAPIENTRY
clock_GetInteger64v(GLenum pname, GLint64 *params)
{
   struct pitot_gl *gl = current_gl();

   if (pname == GL_TIMESTAMP &&
       pitot_gl_info(gl)->features & PITOT_GL_TIMESTAMP)
      *params = pitot_gl_timestamp(gl);
   else
      _mesa_GetInteger64v(pname, params);
}

/*
 * Calls that wait for the GPU: the next poll must find the results available
 */

static void
note_wait(void)
{
   GET_CURRENT_CONTEXT(ctx);

   pitot_pipe_client_waited(&ctx->Pitot->client);
}

static void GLAPIENTRY
waiting_Finish(void)
{
   _mesa_Finish();
   note_wait();
}

static GLenum GLAPIENTRY
waiting_ClientWaitSync(GLsync sync, GLbitfield flags, GLuint64 timeout)
{
   const GLenum status = _mesa_ClientWaitSync(sync, flags, timeout);

   if (status == GL_ALREADY_SIGNALED || status == GL_CONDITION_SATISFIED)
      note_wait();
   return status;
}

static void GLAPIENTRY
waiting_GetSynciv(GLsync sync, GLenum pname, GLsizei size, GLsizei *length,
                  GLint *values)
{
   GLsizei count = 0; /* stays 0 after an error */

   _mesa_GetSynciv(sync, pname, size, &count, values);
   if (count == 0)
      return;
   if (length)
      *length = count;
   if (pname == GL_SYNC_STATUS && size > 0 && values[0] == GL_SIGNALED)
      note_wait();
}

void
pitot_mesa_set_calls(struct _glapi_table *table)
{
   SET_GetInteger64v(table, clock_GetInteger64v);
   SET_Finish(table, waiting_Finish);
   SET_ClientWaitSync(table, waiting_ClientWaitSync);
   SET_GetSynciv(table, waiting_GetSynciv);
}

/*
 * A lost context
 */

/* "GetQueryObjectuiv with pname QUERY_RESULT_AVAILABLE ignores the other
 * parameters and returns TRUE in params" (KHR_robustness).  All variants do
 * so here: otherwise an application that polls with another one never stops.
 * With a query buffer bound, params is an offset, not an address.
 */
static bool
lost_available(GLenum pname)
{
   GET_CURRENT_CONTEXT(ctx);
   if (!ctx)
      return false;
   _mesa_error(ctx, GL_CONTEXT_LOST, "glGetQueryObject(context lost)");
   return pname == GL_QUERY_RESULT_AVAILABLE && !ctx->QueryBuffer;
}

#define LOST_GET_QUERY_OBJECT(SUFFIX, TYPE)                                  \
   static void GLAPIENTRY lost_GetQueryObject##SUFFIX(GLuint id,             \
                                                      GLenum pname,          \
                                                      TYPE *params)          \
   {                                                                         \
      if (lost_available(pname))                                             \
         *params = GL_TRUE;                                                  \
   }

LOST_GET_QUERY_OBJECT(iv, GLint)
LOST_GET_QUERY_OBJECT(uiv, GLuint)
LOST_GET_QUERY_OBJECT(i64v, GLint64)
LOST_GET_QUERY_OBJECT(ui64v, GLuint64)

/* Returns a record of zeros, so that a poll loop ends. */
static void GLAPIENTRY
lost_GetPerfQueryDataINTEL(GLuint queryHandle, GLuint flags, GLsizei dataSize,
                           void *data, GLuint *bytesWritten)
{
   GET_CURRENT_CONTEXT(ctx);
   const GLsizei size_B = data ? MAX2(dataSize, 0) : 0;

   if (ctx)
      _mesa_error(ctx, GL_CONTEXT_LOST,
                  "glGetPerfQueryDataINTEL(context lost)");
   if (size_B)
      memset(data, 0, size_B);
   if (bytesWritten)
      *bytesWritten = size_B;
}

/* Reports results of no bytes as available: a poll loop ends. */
static void GLAPIENTRY
lost_GetPerfMonitorCounterDataAMD(GLuint monitor, GLenum pname,
                                  GLsizei dataSize, GLuint *data,
                                  GLint *bytesWritten)
{
   GET_CURRENT_CONTEXT(ctx);
   const bool has_room = data && pname != GL_PERFMON_RESULT_AMD &&
                         dataSize >= (GLsizei)sizeof(*data);

   if (ctx)
      _mesa_error(ctx, GL_CONTEXT_LOST,
                  "glGetPerfMonitorCounterDataAMD(context lost)");
   if (has_room)
      *data = pname == GL_PERFMON_RESULT_AVAILABLE_AMD;
   if (bytesWritten)
      *bytesWritten = has_room ? sizeof(*data) : 0;
}

void
pitot_mesa_set_context_lost(struct _glapi_table *table)
{
   SET_GetQueryObjectiv(table, lost_GetQueryObjectiv);
   SET_GetQueryObjectuiv(table, lost_GetQueryObjectuiv);
   SET_GetQueryObjecti64v(table, lost_GetQueryObjecti64v);
   SET_GetQueryObjectui64v(table, lost_GetQueryObjectui64v);
   SET_GetPerfQueryDataINTEL(table, lost_GetPerfQueryDataINTEL);
   SET_GetPerfMonitorCounterDataAMD(table, lost_GetPerfMonitorCounterDataAMD);
}
