/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Errors, trace and debug messages of GL entry points: src/gl uses them for
 * pitot/gl.h, and src/perf for pitot/perf_gl.h.
 */

#ifndef PITOT_GL_CALL_H
#define PITOT_GL_CALL_H

#include "pitot/gl.h"
#include "pitot_compiler.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The GL call that an error, a trace line or a message names. */
struct pitot_gl_call {
   struct pitot_gl *gl;
   const char *command;
};

/* Generates a GL error.  Always returns false, as the result of a check. */
PITOT_COLD bool
pitot_gl_error(const struct pitot_gl_call *call, unsigned gl_error,
               const char *reason);

/* Generates OUT_OF_MEMORY for a negative errno value.  Returns false. */
PITOT_COLD bool
pitot_gl_error_of_result(const struct pitot_gl_call *call, int result);

/* Returns whether the result is 0; if not, generates OUT_OF_MEMORY. */
static inline bool
pitot_gl_check_result(const struct pitot_gl_call *call, int result)
{
   return result == 0 || pitot_gl_error_of_result(call, result);
}

/* Flushes the host's buffered vertices, for entry points outside of src/gl.
 */
static inline void
pitot_gl_flush_host(const struct pitot_gl *gl)
{
   const struct pitot_gl_info *info = pitot_gl_info(gl);

   info->host_ops->flush(info->host);
}

/* Writes a line, which begins with the name of the command, if the context
 * has a trace.
 */
#define pitot_gl_trace(CALL, ...)                                            \
   do {                                                                      \
      if (pitot_gl_info((CALL)->gl)->trace)                                  \
         pitot_gl_trace_line(CALL, __VA_ARGS__);                             \
   } while (0)

PITOT_COLD void
pitot_gl_trace_line(const struct pitot_gl_call *call, const char *format, ...)
   __attribute__((format(printf, 2, 3)));

static inline bool
pitot_gl_is_debugging(const struct pitot_gl *gl)
{
   return *pitot_gl_info(gl)->context_flags & PITOT_GL_CONTEXT_DEBUG;
}

/* In a debug context, sends a KHR_debug message about performance. */
void
pitot_gl_send_debug_message(const struct pitot_gl *gl, const char *format,
                            ...) __attribute__((format(printf, 2, 3)));

/* Returns the time before a wait, in ns; 0 if this is no debug context. */
static inline uint64_t
pitot_gl_wait_begin(const struct pitot_gl *gl)
{
   const struct pitot_gl_info *info = pitot_gl_info(gl);

   return pitot_gl_is_debugging(gl) ? info->host_ops->time_ns(info->host) : 0;
}

/* Call this after the wait, unless begin_ns is 0.  If the wait was long,
 * sends a message that it was for "noun id (name)".
 */
void
pitot_gl_wait_end(const struct pitot_gl_call *call, uint64_t begin_ns,
                  const char *noun, uint32_t id, const char *name);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_GL_CALL_H */
