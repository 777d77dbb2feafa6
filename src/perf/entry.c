/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The names, begins, ends and waits of both extensions.
 *
 * The host flushes buffered vertices before a query begins or ends, so that
 * no draw is counted on the wrong side.  perf's -EBUSY is INVALID_OPERATION
 * of GL, and any other error OUT_OF_MEMORY.
 */

#include <errno.h>
#include <string.h>

#include <GL/gl.h>

#include "perf_priv.h"

uint32_t
pitot_perf_copy_string(char *out, uint32_t size_B, const char *string)
{
   if (!out || !size_B)
      return 0;

   /* snprintf() may reject a size above INT_MAX. */
   const size_t length = strlen(string);
   const size_t copied = length < size_B ? length : size_B - 1;
   memcpy(out, string, copied);
   out[copied] = '\0';
   return copied;
}

void
pitot_perf_report_hidden(struct pitot_perf_gl *perf_gl)
{
   struct pitot_perf *perf = perf_gl->perf;

   if (perf->has_reported_hidden || !pitot_gl_is_debugging(perf_gl->gl))
      return;
   perf->has_reported_hidden = true;

   (void)pitot_perf_set_count(perf); /* sets advice */
   for (struct pitot_perf_provider *p = perf->providers; p; p = p->next) {
      if (p->advice)
         pitot_gl_send_debug_message(perf_gl->gl, "%s", p->advice);
   }
}

struct pitot_perf_query *
pitot_perf_add(struct pitot_perf *perf, struct pitot_names *names,
               struct pitot_perf_set *set, uint32_t *name_out)
{
   struct pitot_perf_query *query = pitot_perf_query_create(perf, set);

   *name_out = query ? pitot_names_add(names, query) : 0;
   if (!query || *name_out)
      return query;
   pitot_perf_query_delete(query);
   return NULL;
}

static struct pitot_perf_query *
look_up(const struct pitot_names *names, uint32_t name)
{
   void *const *entry = pitot_names_find(names, name);

   return entry ? *entry : NULL;
}

void
pitot_perf_remove(struct pitot_names *names, uint32_t name)
{
   struct pitot_perf_query *query = look_up(names, name);

   if (!query)
      return;
   pitot_names_set(names, name, NULL);
   pitot_perf_query_delete(query);
}

struct pitot_perf_query *
pitot_perf_find(const struct pitot_gl_call *call,
                const struct pitot_names *names, const char *argument,
                uint32_t name)
{
   struct pitot_perf_query *query = look_up(names, name);

   if (!query)
      pitot_gl_error(call, GL_INVALID_VALUE, argument);
   return query;
}

/* "Calls of BeginPerfQueryINTEL() cannot be nested if they refer to queries
 * of such different types.  In such case INVALID_OPERATION error is
 * generated.", and "[...] it may not be able to sample the necessary counters
 * [...].  In such a case, an INVALID_OPERATION error will be generated."
 */
void
pitot_perf_check_begin(const struct pitot_gl_call *call,
                       const struct pitot_perf_query *query, int result)
{
   if (result == -EBUSY)
      pitot_gl_error(
         call, GL_INVALID_OPERATION,
         query->set ? "conflicts with an active query"
                    : "counters conflict with each other or an active query");
   else
      pitot_gl_check_result(call, result);
}

/* "It is guaranteed that collecting of performance counters will start before
 * any draw calls specified [...] after".  The flush excludes earlier draws.
 *
 * "[...] if BeginPerfMonitorAMD is called when a performance monitor is
 * already active": an error only if it is the same monitor, or if the
 * counters conflict.
 */
void
pitot_perf_begin(const struct pitot_gl_call *call,
                 const struct pitot_names *names, const char *argument,
                 uint32_t name)
{
   pitot_gl_trace(call, " %s=%u", argument, name);
   struct pitot_perf_query *query =
      pitot_perf_find(call, names, argument, name);

   if (!query)
      return;
   if (query->state == PITOT_STATE_ACTIVE) {
      pitot_gl_error(call, GL_INVALID_OPERATION, "already active");
      return;
   }
   pitot_gl_flush_host(call->gl);
   pitot_perf_check_begin(call, query, pitot_perf_query_begin(query));
}

/* "If a performance query is not currently started, an INVALID_OPERATION
 * error will be generated.", and likewise for a monitor.
 */
void
pitot_perf_end(const struct pitot_gl_call *call,
               const struct pitot_names *names, const char *argument,
               uint32_t name)
{
   pitot_gl_trace(call, " %s=%u", argument, name);
   struct pitot_perf_query *query =
      pitot_perf_find(call, names, argument, name);

   if (!query)
      return;
   if (query->state != PITOT_STATE_ACTIVE) {
      pitot_gl_error(call, GL_INVALID_OPERATION, "not active");
      return;
   }
   pitot_gl_flush_host(call->gl);
   pitot_gl_check_result(call, pitot_perf_query_end(query));
}

void
pitot_perf_wait(const struct pitot_gl_call *call,
                struct pitot_perf_query *query, const char *noun,
                uint32_t name, const char *label)
{
   if (query->state == PITOT_STATE_AVAILABLE)
      return;

   const uint64_t begin_ns = pitot_gl_wait_begin(call->gl);
   pitot_perf_query_resolve(query, PITOT_PERF_WAIT);
   if (begin_ns)
      pitot_gl_wait_end(call, begin_ns, noun, name, label);
}
