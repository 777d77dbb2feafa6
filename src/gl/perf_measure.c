/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * INTEL_performance_query: measuring.  A query instance is a session.
 */

#include <errno.h>
#include <string.h>

#include "gl_priv.h"

/* "If a query handle doesn't reference a previously created performance query
 * instance, an INVALID_VALUE error is generated."
 */
static struct pitot_session *
check_handle(const struct pitot_gl_call *call, uint32_t handle)
{
   struct pitot_session *session =
      pitot_session_lookup(call->gl->core, handle);

   if (!session)
      pitot_gl_error(call, GL_INVALID_VALUE, "queryHandle");
   return session;
}

void
pitot_gl_delete_perf_query(struct pitot_gl *gl, uint32_t handle)
{
   const struct pitot_gl_call call = { gl, "glDeletePerfQueryINTEL" };

   pitot_gl_trace(gl, "glDeletePerfQueryINTEL queryHandle=%u", handle);
   struct pitot_session *session = check_handle(&call, handle);
   if (session)
      pitot_session_delete(gl->core, session);
}

void
pitot_gl_begin_perf_query(struct pitot_gl *gl, uint32_t handle)
{
   const struct pitot_gl_call call = { gl, "glBeginPerfQueryINTEL" };

   pitot_gl_trace(gl, "glBeginPerfQueryINTEL queryHandle=%u", handle);
   struct pitot_session *session = check_handle(&call, handle);
   if (!session)
      return;
   if (session->state == PITOT_STATE_ACTIVE) {
      pitot_gl_error(&call, GL_INVALID_OPERATION, "already begun");
      return;
   }

   /* "It is guaranteed that collecting of performance counters will start
    * before any draw calls specified [...] after", and not before those
    * specified before.
    */
   gl->host_ops->flush(gl->host);

   /* "Calls of BeginPerfQueryINTEL() cannot be nested if they refer to
    * queries of such different types.  In such case INVALID_OPERATION error
    * is generated."
    */
   const int error = pitot_session_begin(gl->core, session);
   if (error == -EBUSY)
      pitot_gl_error(&call, GL_INVALID_OPERATION,
                     "cannot be measured beside what is measured now");
   else
      pitot_gl_check_result(&call, error);
}

void
pitot_gl_end_perf_query(struct pitot_gl *gl, uint32_t handle)
{
   const struct pitot_gl_call call = { gl, "glEndPerfQueryINTEL" };

   pitot_gl_trace(gl, "glEndPerfQueryINTEL queryHandle=%u", handle);
   struct pitot_session *session = check_handle(&call, handle);
   if (!session)
      return;

   /* "If a performance query is not currently started, an INVALID_OPERATION
    * error will be generated."
    */
   if (session->state != PITOT_STATE_ACTIVE) {
      pitot_gl_error(&call, GL_INVALID_OPERATION, "not begun");
      return;
   }
   gl->host_ops->flush(gl->host);
   pitot_gl_check_result(&call, pitot_session_end(gl->core, session));
}

static bool
ask_of_flags(GLenum flags, enum pitot_ask *ask_out)
{
   switch (flags) {
   case GL_PERFQUERY_DONOT_FLUSH_INTEL:
      *ask_out = PITOT_ASK_LOOK;
      return true;
   case GL_PERFQUERY_FLUSH_INTEL:
      *ask_out = PITOT_ASK_FLUSH;
      return true;
   case GL_PERFQUERY_WAIT_INTEL:
      *ask_out = PITOT_ASK_WAIT;
      return true;
   default:
      return false;
   }
}

/* Is there, or will there be, a record to be read with these arguments?  The
 * document says nothing of a data that is too small: an error ends its own
 * example's polling, where "not ready yet" never would.
 */
static bool
check_data(const struct pitot_gl_call *call,
           const struct pitot_session *session, uint32_t flags,
           int32_t data_size, enum pitot_ask *ask_out)
{
   const struct pitot_counter_set *set =
      pitot_set(call->gl->core, session->set_index);

   if (!ask_of_flags(flags, ask_out))
      return pitot_gl_error(call, GL_INVALID_VALUE, "flags");
   if (data_size < 0 || (uint32_t)data_size < set->record_B)
      return pitot_gl_error(call, GL_INVALID_VALUE, "dataSize is too small");
   if (session->state == PITOT_STATE_IDLE)
      return pitot_gl_error(call, GL_INVALID_OPERATION, "never begun");
   return session->state != PITOT_STATE_ACTIVE ||
          pitot_gl_error(call, GL_INVALID_OPERATION, "not ended");
}

/* Writes a record, if there is one already. */
static void
read_record(const struct pitot_gl_call *call, struct pitot_session *session,
            enum pitot_ask ask, void *data, uint32_t *bytes_written)
{
   struct pitot_context *core = call->gl->core;
   const unsigned size_B = pitot_set(core, session->set_index)->record_B;

   if (ask == PITOT_ASK_WAIT && session->state != PITOT_STATE_AVAILABLE)
      pitot_gl_wait_session(call, session);
   else if (!pitot_session_resolve(core, session, ask))
      return;

   /* Of a measurement that is lost, too, lest its reader polls for ever. */
   memcpy(data, session->record, size_B);
   *bytes_written = size_B;
   pitot_gl_trace(call->gl, "%s = %u bytes", call->command, size_B);
   if (session->is_lost)
      pitot_gl_error(call, GL_INVALID_OPERATION, "the measurement is lost");
}

void
pitot_gl_get_perf_query_data(struct pitot_gl *gl, uint32_t handle,
                             uint32_t flags, int32_t data_size, void *data,
                             uint32_t *bytes_written)
{
   const struct pitot_gl_call call = { gl, "glGetPerfQueryDataINTEL" };
   enum pitot_ask ask;

   pitot_gl_trace(gl, "glGetPerfQueryDataINTEL queryHandle=%u flags=0x%04x",
                  handle, flags);
   if (bytes_written)
      *bytes_written = 0;
   struct pitot_session *session = check_handle(&call, handle);
   if (!session)
      return;

   /* "If bytesWritten or data pointers are NULL then an INVALID_VALUE error
    * is generated."
    */
   if (!data || !bytes_written) {
      pitot_gl_error(&call, GL_INVALID_VALUE, "a pointer is NULL");
      return;
   }
   if (check_data(&call, session, flags, data_size, &ask))
      read_record(&call, session, ask, data, bytes_written);
}
