/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared inside gl only.
 */

#ifndef PITOT_GL_PRIV_H
#define PITOT_GL_PRIV_H

#include <GL/gl.h>
#include <GL/glext.h>

#include "pitot/counters.h"
#include "pitot/gl.h"

/* target.c: one row for each target of GL. */

struct pitot_gl_target {
   GLenum target;
   enum pitot_kind kind;
   unsigned features; /* all of them expose the target */
};

#define PITOT_GL_TARGET_SLOTS 64 /* a power of two, thrice the rows */

struct pitot_gl {
   void *host;
   const struct pitot_gl_host_ops *host_ops;
   struct pitot_context *core;
   enum pitot_gl_api api;
   unsigned features;
   unsigned stream_count;
   FILE *trace;                /* or NULL */
   bool has_looked_for_hidden; /* counters */
   void *const *query_buffer;

   /* The targets that this context exposes, hashed by their value. */
   const struct pitot_gl_target *targets[PITOT_GL_TARGET_SLOTS];
};

void
pitot_gl_targets_init(struct pitot_gl *gl);

static inline unsigned
pitot_gl_target_hash(GLenum target)
{
   return (target ^ target >> 4) % PITOT_GL_TARGET_SLOTS;
}

/* Returns the row of a target, or NULL if the context does not expose it. */
static inline const struct pitot_gl_target *
pitot_gl_target_find(const struct pitot_gl *gl, GLenum target)
{
   unsigned slot = pitot_gl_target_hash(target);

   while (gl->targets[slot] && gl->targets[slot]->target != target)
      slot = (slot + 1) % PITOT_GL_TARGET_SLOTS;
   return gl->targets[slot];
}

/* Returns the target of a kind. */
GLenum
pitot_gl_target_of_kind(enum pitot_kind kind);

/*
 * validate.c: the error rules, each in one place.  A function returns whether
 * the rule is kept, or the thing it asks about, and reports the error if not.
 */

/* The call at hand, as its errors name it. */
struct pitot_gl_call {
   struct pitot_gl *gl;
   const char *command;
};

/* What applications seldom meet, to be kept out of the way of the rest. */
#define PITOT_GL_COLD __attribute__((cold))

/* Reports an error.  Returns false, for the rules to pass on. */
PITOT_GL_COLD bool
pitot_gl_error(const struct pitot_gl_call *call, GLenum error,
               const char *reason);

/* Reports the error that core returned.  Returns false. */
PITOT_GL_COLD bool
pitot_gl_error_of_result(const struct pitot_gl_call *call, int result);

/* Reports what core returned, if it is an error. */
static inline bool
pitot_gl_check_result(const struct pitot_gl_call *call, int result)
{
   return result == 0 || pitot_gl_error_of_result(call, result);
}

bool
pitot_gl_check_count(const struct pitot_gl_call *call, GLsizei n);

const struct pitot_gl_target *
pitot_gl_check_target(const struct pitot_gl_call *call, GLenum target);

/* The same for what is begun and ended: not TIMESTAMP. */
const struct pitot_gl_target *
pitot_gl_check_slot_target(const struct pitot_gl_call *call, GLenum target,
                           GLuint index);

bool
pitot_gl_check_index(const struct pitot_gl_call *call,
                     const struct pitot_gl_target *row, GLuint index);

/* May this name be begun, as that kind?  Returns its object in query_out, or
 * NULL if it has none yet.
 */
bool
pitot_gl_check_usable(const struct pitot_gl_call *call, GLuint id,
                      enum pitot_kind kind, struct pitot_query **query_out);

/* The object of a name whose result may be asked for. */
struct pitot_query *
pitot_gl_check_readable(const struct pitot_gl_call *call, GLuint id);

bool
pitot_gl_check_store(const struct pitot_gl_call *call,
                     const struct pitot_gl_buffer *buffer, GLintptr offset,
                     unsigned size_B);

/* The object of a name that may decide about rendering. */
struct pitot_query *
pitot_gl_check_condition(const struct pitot_gl_call *call, GLuint id);

/*
 * debug.c: help for people.
 */

/* Writes a line about a call and its arguments, if the context is traced. */
#define pitot_gl_trace(GL, ...)                                              \
   do {                                                                      \
      if ((GL)->trace)                                                       \
         pitot_gl_trace_line(GL, __VA_ARGS__);                               \
   } while (0)

PITOT_GL_COLD void
pitot_gl_trace_line(const struct pitot_gl *gl, const char *format, ...)
   __attribute__((format(printf, 2, 3)));

/* Returns the name of a target for such a line. */
const char *
pitot_gl_target_name(GLenum target);

/* Returns whether somebody gets what is told below. */
bool
pitot_gl_somebody_listens(const struct pitot_gl *gl);

/* Waits for the result of a query; tells who listens if that took long. */
void
pitot_gl_wait(const struct pitot_gl_call *call, struct pitot_query *query);

/* The same for a session. */
void
pitot_gl_wait_session(const struct pitot_gl_call *call,
                      struct pitot_session *session);

/* Tells who listens that a query was not begun, and why. */
PITOT_GL_COLD void
pitot_gl_tell_not_begun(const struct pitot_gl_call *call, GLuint id,
                        enum pitot_kind kind, int error);

/* Tells who listens that a result does not fit what it is read as. */
PITOT_GL_COLD void
pitot_gl_tell_saturated(const struct pitot_gl_call *call,
                        const struct pitot_query *query, uint64_t value);

#endif /* PITOT_GL_PRIV_H */
