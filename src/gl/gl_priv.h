/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Internal to src/gl.
 */

#ifndef PITOT_GL_PRIV_H
#define PITOT_GL_PRIV_H

#include <GL/gl.h>
#include <GL/glext.h>

#include "pitot_binding.h"
#include "pitot_compiler.h"
#include "pitot_gl_call.h"

/* A target that the context exposes, or an empty entry, whose target is 0. */
struct pitot_gl_target {
   GLenum target;
   uint8_t kind;        /* enum pitot_kind; PITOT_KIND_NONE: no target */
   uint8_t index_count; /* for glBeginQueryIndexed; 0 for TIMESTAMP */
   struct pitot_binding *bindings; /* index_count of them */
};

/* Targets modulo this size are distinct, so a lookup needs no search. */
#define PITOT_GL_TARGET_SIZE 128

struct pitot_gl {
   struct pitot_gl_info info; /* must be first: see pitot_gl_info() */
   struct pitot_context *core;
   struct pitot_binding *timestamp; /* NULL if TIMESTAMP is not exposed */
   struct pitot_gl_target targets[PITOT_GL_TARGET_SIZE];
   unsigned condition_mode_count;
};

/*
 * target.c
 */

/* Fills gl->targets and gl->timestamp according to gl->info. */
void
pitot_gl_targets_init(struct pitot_gl *gl);

/* Returns NULL if the target or the index is invalid, or the target is
 * TIMESTAMP.
 */
struct pitot_binding *
pitot_gl_find_binding(const struct pitot_gl *gl, GLenum target, GLuint index);

GLenum
pitot_gl_target_of_kind(enum pitot_kind kind);

/* For the trace: the target need not be exposed, nor exist. */
const char *
pitot_gl_target_name(GLenum target);

/* condition.c: the number of valid modes, from GL_QUERY_WAIT on, or 0. */
unsigned
pitot_gl_condition_mode_count(unsigned features);

/*
 * validate.c: one function for each error rule.  If a call breaks the rule,
 * the function generates the GL error and returns false or PITOT_KIND_NONE.
 */

bool
pitot_gl_check_count(const struct pitot_gl_call *call, GLsizei n);

/* Returns the kind of a target that the context exposes. */
enum pitot_kind
pitot_gl_check_target(const struct pitot_gl_call *call, GLenum target);

/* Generates the error of a begin or end for which there is no binding. */
PITOT_COLD void
pitot_gl_reject_binding(struct pitot_gl *gl, const char *command,
                        GLenum target, GLuint index);

bool
pitot_gl_check_index(const struct pitot_gl_call *call, enum pitot_kind kind,
                     GLuint index);

/* Checks whether a query may begin as this kind.  query: the object of id, or
 * NULL if id is 0 or was never generated.
 */
bool
pitot_gl_check_usable(const struct pitot_gl_call *call, GLuint id,
                      const struct pitot_query *query, enum pitot_kind kind);

#endif /* PITOT_GL_PRIV_H */
