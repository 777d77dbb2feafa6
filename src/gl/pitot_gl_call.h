/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Errors, traces and messages to developers, for the entry points of
 * pitot/gl.h and those that live elsewhere (pitot/perf_gl.h).
 */

#ifndef PITOT_GL_CALL_H
#define PITOT_GL_CALL_H

#include "pitot/gl.h"
#include "pitot_compiler.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A call of GL, as its errors and its trace name it. */
struct pitot_gl_call {
   struct pitot_gl *gl;
   const char *command;
};

/* Reports an error.  Returns false. */
PITOT_COLD bool
pitot_gl_error(const struct pitot_gl_call *call, unsigned gl_error,
               const char *reason);

/* Reports an error that core or perf returned.  Returns false. */
PITOT_COLD bool
pitot_gl_error_of_result(const struct pitot_gl_call *call, int result);

/* Reports a result of core or perf, if it is an error. */
static inline bool
pitot_gl_check_result(const struct pitot_gl_call *call, int result)
{
   return result == 0 || pitot_gl_error_of_result(call, result);
}

/* Has the host hand to the driver the draws that it still holds back: for
 * entry points outside of gl.
 */
static inline void
pitot_gl_flush_host(const struct pitot_gl *gl)
{
   const struct pitot_gl_info *info = pitot_gl_info(gl);

   info->host_ops->flush(info->host);
}

/* Writes a line that begins with the name of the command, if the context is
 * traced.
 */
#define pitot_gl_trace(CALL, ...)                                            \
   do {                                                                      \
      if (pitot_gl_info((CALL)->gl)->trace)                                  \
         pitot_gl_trace_line(CALL, __VA_ARGS__);                             \
   } while (0)

PITOT_COLD void
pitot_gl_trace_line(const struct pitot_gl_call *call, const char *format, ...)
   __attribute__((format(printf, 2, 3)));

/* Returns whether messages about performance are sent. */
static inline bool
pitot_gl_is_debugging(const struct pitot_gl *gl)
{
   return *pitot_gl_info(gl)->context_flags & PITOT_GL_CONTEXT_DEBUG;
}

/* Sends such a message in a debug context. */
void
pitot_gl_tell(const struct pitot_gl *gl, const char *format, ...)
   __attribute__((format(printf, 2, 3)));

/* Returns the time before a wait for a result in a debug context, or 0. */
static inline uint64_t
pitot_gl_wait_begin(const struct pitot_gl *gl)
{
   const struct pitot_gl_info *info = pitot_gl_info(gl);

   return pitot_gl_is_debugging(gl) ? info->host_ops->time_ns(info->host) : 0;
}

/* Sends a message after a wait that began at a time other than 0, if it was
 * long.
 */
void
pitot_gl_wait_end(const struct pitot_gl_call *call, uint64_t begin_ns,
                  const char *noun, uint32_t id, const char *name);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_GL_CALL_H */
