/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * INTEL_performance_query: the query instances, which are perf queries.
 */

#include <errno.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "pitot/gl_call.h"
#include "pitot/perf_intel.h"

/* "If a query handle doesn't reference a previously created performance query
 * instance, an INVALID_VALUE error is generated."
 */
static struct pitot_perf_query *
check_handle(const struct pitot_gl_call *call,
             const struct pitot_perf_intel *intel, uint32_t handle)
{
   struct pitot_perf_query *query =
      pitot_perf_query_lookup(intel->perf, handle);

   if (!query)
      pitot_gl_error(call, GL_INVALID_VALUE, "queryHandle");
   return query;
}

void
pitot_perf_intel_delete_query(struct pitot_perf_intel *intel, uint32_t handle)
{
   const struct pitot_gl_call call = { intel->gl, "glDeletePerfQueryINTEL" };

   pitot_gl_trace(&call, " queryHandle=%u", handle);
   struct pitot_perf_query *query = check_handle(&call, intel, handle);
   if (query)
      pitot_perf_query_delete(intel->perf, query);
}

void
pitot_perf_intel_begin_query(struct pitot_perf_intel *intel, uint32_t handle)
{
   const struct pitot_gl_call call = { intel->gl, "glBeginPerfQueryINTEL" };

   pitot_gl_trace(&call, " queryHandle=%u", handle);
   struct pitot_perf_query *query = check_handle(&call, intel, handle);
   if (!query)
      return;
   if (query->state == PITOT_STATE_ACTIVE) {
      pitot_gl_error(&call, GL_INVALID_OPERATION, "already begun");
      return;
   }

   /* "It is guaranteed that collecting of performance counters will start
    * before any draw calls specified [...] after", and not before those
    * specified before.
    */
   pitot_gl_flush_host(intel->gl);

   /* "Calls of BeginPerfQueryINTEL() cannot be nested if they refer to
    * queries of such different types.  In such case INVALID_OPERATION error
    * is generated."
    */
   const int error = pitot_perf_query_begin(intel->perf, query);
   if (error == -EBUSY)
      pitot_gl_error(&call, GL_INVALID_OPERATION,
                     "cannot be measured beside what is measured now");
   else
      pitot_gl_check_result(&call, error);
}

void
pitot_perf_intel_end_query(struct pitot_perf_intel *intel, uint32_t handle)
{
   const struct pitot_gl_call call = { intel->gl, "glEndPerfQueryINTEL" };

   pitot_gl_trace(&call, " queryHandle=%u", handle);
   struct pitot_perf_query *query = check_handle(&call, intel, handle);
   if (!query)
      return;

   /* "If a performance query is not currently started, an INVALID_OPERATION
    * error will be generated."
    */
   if (query->state != PITOT_STATE_ACTIVE) {
      pitot_gl_error(&call, GL_INVALID_OPERATION, "not begun");
      return;
   }
   pitot_gl_flush_host(intel->gl);
   pitot_gl_check_result(&call, pitot_perf_query_end(query));
}

static bool
is_valid_flag(GLenum flags)
{
   return flags == GL_PERFQUERY_DONOT_FLUSH_INTEL ||
          flags == GL_PERFQUERY_FLUSH_INTEL ||
          flags == GL_PERFQUERY_WAIT_INTEL;
}

/* Checks that there is a record, or will be, for these arguments.  The
 * document has no rule for a dataSize that is too small: an error ends the
 * polling of its own example, where "not ready yet" never would.
 */
static bool
check_data(const struct pitot_gl_call *call,
           const struct pitot_perf_query *query, uint32_t flags,
           int32_t data_size, unsigned record_B)
{
   if (!is_valid_flag(flags))
      return pitot_gl_error(call, GL_INVALID_VALUE, "flags");
   if (data_size < 0 || (uint32_t)data_size < record_B)
      return pitot_gl_error(call, GL_INVALID_VALUE, "dataSize is too small");
   if (query->state == PITOT_STATE_IDLE)
      return pitot_gl_error(call, GL_INVALID_OPERATION, "never begun");
   return query->state != PITOT_STATE_ACTIVE ||
          pitot_gl_error(call, GL_INVALID_OPERATION, "not ended");
}

/* Returns whether the record is available; waits for it if the flags say so.
 */
static bool
resolve(const struct pitot_gl_call *call, struct pitot_perf_query *query,
        GLenum flags)
{
   if (flags != GL_PERFQUERY_WAIT_INTEL)
      return pitot_perf_query_resolve(query, flags == GL_PERFQUERY_FLUSH_INTEL
                                                ? PITOT_PERF_FLUSH
                                                : PITOT_PERF_DONT_FLUSH);
   if (query->state != PITOT_STATE_AVAILABLE) {
      const uint64_t begin_ns = pitot_gl_wait_begin(call->gl);

      pitot_perf_query_resolve(query, PITOT_PERF_WAIT);
      pitot_gl_wait_end(call, begin_ns, "performance query", query->handle,
                        query->set->name);
   }
   return true;
}

void
pitot_perf_intel_get_query_data(struct pitot_perf_intel *intel,
                                uint32_t handle, uint32_t flags,
                                int32_t data_size, void *data,
                                uint32_t *bytes_written)
{
   const struct pitot_gl_call call = { intel->gl, "glGetPerfQueryDataINTEL" };

   pitot_gl_trace(&call, " queryHandle=%u flags=0x%04x", handle, flags);
   if (bytes_written)
      *bytes_written = 0;
   struct pitot_perf_query *query = check_handle(&call, intel, handle);
   if (!query)
      return;

   /* "If bytesWritten or data pointers are NULL then an INVALID_VALUE error
    * is generated."
    */
   if (!data || !bytes_written) {
      pitot_gl_error(&call, GL_INVALID_VALUE, "a pointer is NULL");
      return;
   }

   const unsigned record_B = query->set->record_B;
   if (!check_data(&call, query, flags, data_size, record_B) ||
       !resolve(&call, query, flags))
      return;

   /* Of a measurement that is lost, too, lest its reader polls for ever. */
   memcpy(data, query->record, record_B);
   *bytes_written = record_B;
   pitot_gl_trace(&call, " = %u bytes", record_B);
   if (query->is_lost)
      pitot_gl_error(&call, GL_INVALID_OPERATION, "the measurement is lost");
}
