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

static bool
somebody_listens(const struct pitot_gl *gl)
{
   return gl->host_ops->is_debugging && gl->host_ops->is_debugging(gl->host);
}

void
pitot_gl_tell(const struct pitot_gl *gl, const char *message)
{
   if (somebody_listens(gl))
      gl->host_ops->performance(gl->host, message);
}

static void
tell_waited(const struct pitot_gl_call *call, const struct pitot_query *query,
            uint64_t waited_ns)
{
   const struct pitot_gl *gl = call->gl;
   char message[160];

   snprintf(message, sizeof(message),
            "%s waited %.3f ms for the result of query %u (%s); read it "
            "later, or when QUERY_RESULT_AVAILABLE is TRUE",
            call->command, waited_ns / 1e6, query->name,
            pitot_kind_info(query->kind)->name);
   gl->host_ops->performance(gl->host, message);
}

void
pitot_gl_wait(const struct pitot_gl_call *call, struct pitot_query *query)
{
   const struct pitot_gl *gl = call->gl;
   const bool is_timed = somebody_listens(gl);
   const uint64_t start_ns = is_timed ? gl->host_ops->time_ns(gl->host) : 0;

   pitot_query_resolve(gl->core, query, true);

   if (is_timed) {
      const uint64_t waited_ns = gl->host_ops->time_ns(gl->host) - start_ns;

      if (waited_ns >= WAIT_MIN_NS)
         tell_waited(call, query, waited_ns);
   }
}

void
pitot_gl_tell_saturated(const struct pitot_gl_call *call,
                        const struct pitot_query *query, uint64_t value)
{
   const struct pitot_gl *gl = call->gl;
   char message[160];

   if (!somebody_listens(gl))
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

   if (!somebody_listens(gl))
      return;
   snprintf(message, sizeof(message),
            "%s could not begin query %u (%s), %s; it measures nothing",
            call->command, id, pitot_kind_info(kind)->name,
            error == -ENOMEM ? "for want of memory" : "the driver failed");
   gl->host_ops->performance(gl->host, message);
}
