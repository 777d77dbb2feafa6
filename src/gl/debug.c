/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What is said to who debugs an application: a trace of every call, and
 * messages about what costs time or loses a value.
 */

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>

#include "gl_priv.h"

/* Below this a wait is no longer than a call of the kernel's. */
#define WAIT_MIN_NS 20000

void
pitot_gl_trace_line(const struct pitot_gl *gl, const char *format, ...)
{
   char line[160];
   va_list arguments;

   va_start(arguments, format);
   vsnprintf(line, sizeof(line), format, arguments);
   va_end(arguments);

   /* In one call, so that lines of several threads do not mix. */
   fprintf(gl->trace, "pitot: %s\n", line);
}

bool
pitot_gl_somebody_listens(const struct pitot_gl *gl)
{
   return gl->host_ops->is_debugging && gl->host_ops->is_debugging(gl->host);
}

/* Returns when a wait begins, if somebody listens to how long it takes. */
static uint64_t
start_wait(const struct pitot_gl *gl)
{
   return pitot_gl_somebody_listens(gl) ? gl->host_ops->time_ns(gl->host) : 0;
}

static void
end_wait(const struct pitot_gl_call *call, uint64_t start_ns,
         const char *kind, const char *name, uint32_t id)
{
   const struct pitot_gl *gl = call->gl;
   char message[192];

   if (!start_ns)
      return;
   const uint64_t waited_ns = gl->host_ops->time_ns(gl->host) - start_ns;
   if (waited_ns < WAIT_MIN_NS)
      return;
   snprintf(message, sizeof(message),
            "%s waited %.3f ms for the result of %s %u (%s); read it later, "
            "or when it is available",
            call->command, waited_ns / 1e6, kind, id, name);
   gl->host_ops->performance(gl->host, message);
}

void
pitot_gl_wait(const struct pitot_gl_call *call, struct pitot_query *query)
{
   const uint64_t start_ns = start_wait(call->gl);

   pitot_query_resolve(call->gl->core, query, true);
   end_wait(call, start_ns, "query", pitot_kind_info(query->kind)->name,
            query->name);
}

void
pitot_gl_wait_session(const struct pitot_gl_call *call,
                      struct pitot_session *session)
{
   struct pitot_context *core = call->gl->core;
   const uint64_t start_ns = start_wait(call->gl);

   pitot_session_resolve(core, session, PITOT_ASK_WAIT);
   end_wait(call, start_ns, "performance query",
            pitot_set(core, session->set_index)->name, session->handle);
}

void
pitot_gl_tell_saturated(const struct pitot_gl_call *call,
                        const struct pitot_query *query, uint64_t value)
{
   const struct pitot_gl *gl = call->gl;
   char message[160];

   if (!pitot_gl_somebody_listens(gl))
      return;
   snprintf(message, sizeof(message),
            "%s cannot represent the result of query %u (%s), %" PRIu64
            "; read it with glGetQueryObjectui64v",
            call->command, query->name, pitot_kind_info(query->kind)->name,
            value);
   gl->host_ops->performance(gl->host, message);
}

void
pitot_gl_tell_not_begun(const struct pitot_gl_call *call, GLuint id,
                        enum pitot_kind kind, int error)
{
   const struct pitot_gl *gl = call->gl;
   char message[160];

   if (!pitot_gl_somebody_listens(gl))
      return;
   snprintf(message, sizeof(message),
            "%s could not begin query %u (%s), %s; it measures nothing",
            call->command, id, pitot_kind_info(kind)->name,
            error == -ENOMEM ? "for want of memory" : "the driver failed");
   gl->host_ops->performance(gl->host, message);
}
