/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Diagnostics for developers of applications: the trace of all calls, and
 * KHR_debug messages about long waits, clamped results, and so on.
 */

#include <stdarg.h>

#include "gl_priv.h"

/* Do not report shorter waits: they take no longer than a system call. */
#define WAIT_MIN_NS 20000

void
pitot_gl_trace_line(const struct pitot_gl_call *call, const char *format, ...)
{
   char line[160];
   va_list arguments;

   va_start(arguments, format);
   vsnprintf(line, sizeof(line), format, arguments);
   va_end(arguments);

   /* One fprintf() per line, so that lines of several threads do not mix. */
   fprintf(call->gl->info.trace, "pitot: %s%s\n", call->command, line);
}

void
pitot_gl_send_debug_message(const struct pitot_gl *gl, const char *format,
                            ...)
{
   const struct pitot_gl_info *info = &gl->info;
   char message[192];
   va_list arguments;

   if (!pitot_gl_is_debugging(gl))
      return;
   va_start(arguments, format);
   vsnprintf(message, sizeof(message), format, arguments);
   va_end(arguments);
   info->host_ops->performance(info->host, message);
}

void
pitot_gl_wait_end(const struct pitot_gl_call *call, uint64_t begin_ns,
                  const char *noun, uint32_t id, const char *name)
{
   const struct pitot_gl_info *info = &call->gl->info;

   const uint64_t waited_ns = info->host_ops->time_ns(info->host) - begin_ns;
   if (waited_ns >= WAIT_MIN_NS)
      pitot_gl_send_debug_message(
         call->gl,
         "%s stalled %.3f ms waiting for %s %u (%s); poll its "
         "availability, or read it a frame later",
         call->command, waited_ns / 1e6, noun, id, name);
}
