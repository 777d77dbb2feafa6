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

#include "pitot_binding.h"
#include "pitot_compiler.h"
#include "pitot_gl_call.h"

/* A target that the context exposes. */
struct pitot_gl_target {
   GLenum target;
   uint8_t kind;        /* enum pitot_kind; PITOT_KIND_NONE: no target */
   uint8_t index_count; /* that glBeginQueryIndexed takes; 0 of TIMESTAMP */
   struct pitot_binding *bindings; /* of each index */
};

/* No two targets have the same remainder. */
#define PITOT_GL_TARGET_SIZE 128

struct pitot_gl {
   struct pitot_gl_info info; /* first: see pitot_gl_info() */
   struct pitot_context *core;
   struct pitot_binding *timestamp; /* NULL if that is not exposed */
   struct pitot_gl_target targets[PITOT_GL_TARGET_SIZE];
   unsigned condition_mode_count;
};

/*
 * target.c
 */

/* Works out the targets that the context exposes. */
void
pitot_gl_targets_init(struct pitot_gl *gl);

/* Returns the kind of a target, or PITOT_KIND_NONE if the context does not
 * expose it.
 */
static inline enum pitot_kind
pitot_gl_kind_of_target(const struct pitot_gl *gl, GLenum target)
{
   const struct pitot_gl_target *found =
      &gl->targets[target % PITOT_GL_TARGET_SIZE];

   return found->target == target ? (enum pitot_kind)found->kind
                                  : PITOT_KIND_NONE;
}

GLenum
pitot_gl_target_of_kind(enum pitot_kind kind);

/* Returns the name of a target, exposed or not, for the trace. */
const char *
pitot_gl_target_name(GLenum target);

/* condition.c: returns how many modes conditional rendering has. */
unsigned
pitot_gl_condition_mode_count(unsigned features);

/*
 * validate.c: the error rules, each in one place.  A function returns whether
 * the rule is kept, or the object it is about, and reports the error if not.
 */

bool
pitot_gl_check_count(const struct pitot_gl_call *call, GLsizei n);

/* Returns the kind of a target, or PITOT_KIND_NONE. */
enum pitot_kind
pitot_gl_check_target(const struct pitot_gl_call *call, GLenum target);

/* Reports the error of a target that cannot be begun with that index. */
PITOT_COLD void
pitot_gl_refuse_binding(struct pitot_gl *gl, const char *command,
                        GLenum target, GLuint index);

bool
pitot_gl_check_index(const struct pitot_gl_call *call, enum pitot_kind kind,
                     GLuint index);

/* Checks a name that is to be begun as that kind; query is its object, or
 * NULL if it has none yet.
 */
bool
pitot_gl_check_usable(const struct pitot_gl_call *call, GLuint id,
                      const struct pitot_query *query, enum pitot_kind kind);

#endif /* PITOT_GL_PRIV_H */
