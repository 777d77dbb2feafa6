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

#include "pitot/gl_call.h"

struct pitot_gl {
   struct pitot_gl_info info; /* first: see pitot_gl_info() */
   struct pitot_context *core;
};

/*
 * target.c
 */

/* Returns the kind of a target, or PITOT_KIND_NONE if the context does not
 * expose it.
 */
enum pitot_kind
pitot_gl_kind_of_target(const struct pitot_gl *gl, GLenum target);

GLenum
pitot_gl_target_of_kind(enum pitot_kind kind);

/* Returns the name of a target, exposed or not, for the trace. */
const char *
pitot_gl_target_name(GLenum target);

/*
 * validate.c: the error rules, each in one place.  A function returns whether
 * the rule is kept, or the object it is about, and reports the error if not.
 */

bool
pitot_gl_check_count(const struct pitot_gl_call *call, GLsizei n);

/* Returns the kind of a target, or PITOT_KIND_NONE. */
enum pitot_kind
pitot_gl_check_target(const struct pitot_gl_call *call, GLenum target);

/* The same for a target that is begun and ended: not TIMESTAMP. */
enum pitot_kind
pitot_gl_check_slot_target(const struct pitot_gl_call *call, GLenum target,
                           GLuint index);

bool
pitot_gl_check_index(const struct pitot_gl_call *call, enum pitot_kind kind,
                     GLuint index);

/* Checks a name that is to be begun as that kind.  Returns its object in
 * query_out, or NULL if it has none yet.
 */
bool
pitot_gl_check_usable(const struct pitot_gl_call *call, GLuint id,
                      enum pitot_kind kind, struct pitot_query **query_out);

/* Returns the object of a name whose result may be asked for, or NULL. */
struct pitot_query *
pitot_gl_check_readable(const struct pitot_gl_call *call, GLuint id);

bool
pitot_gl_check_store(const struct pitot_gl_call *call,
                     const struct pitot_gl_buffer *buffer, GLintptr offset,
                     unsigned size_B);

/* Returns the object of a name that may decide about rendering, or NULL. */
struct pitot_query *
pitot_gl_check_condition(const struct pitot_gl_call *call, GLuint id);

#endif /* PITOT_GL_PRIV_H */
