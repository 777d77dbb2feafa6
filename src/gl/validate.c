/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The error rules, one function each.  A call that breaks a rule generates
 * the error and changes nothing else.
 *
 * Section numbers without a name refer to the OpenGL 4.6 core specification.
 * tests/rules has a case for each rule.
 */

#include <errno.h>
#include <stddef.h>

#include "gl_priv.h"

bool
pitot_gl_error(const struct pitot_gl_call *call, GLenum error,
               const char *reason)
{
   const struct pitot_gl_info *info = &call->gl->info;

   pitot_gl_trace(call, ": error 0x%04x, %s", error, reason);
   info->host_ops->error(info->host, error, call->command, reason);
   return false;
}

/* "OUT_OF_MEMORY: not enough memory left to execute command" (2.3.1).  GL has
 * no other error for a driver that fails to execute a command.
 */
bool
pitot_gl_error_of_result(const struct pitot_gl_call *call, int result)
{
   return pitot_gl_error(call, GL_OUT_OF_MEMORY,
                         result == -ENOMEM ? "out of memory"
                                           : "driver error");
}

/* "An INVALID_VALUE error is generated if n is negative." (4.2.2) */
bool
pitot_gl_check_count(const struct pitot_gl_call *call, GLsizei n)
{
   return n >= 0 || pitot_gl_error(call, GL_INVALID_VALUE, "n < 0");
}

/* "An INVALID_ENUM error is generated if target is not one of the targets in
 * section 4.2.1" (4.2.2, 4.2.3)
 */
enum pitot_kind
pitot_gl_check_target(const struct pitot_gl_call *call, GLenum target)
{
   const struct pitot_gl_target *found =
      &call->gl->targets[target % PITOT_GL_TARGET_SIZE];

   if (found->target == target && found->kind != PITOT_KIND_NONE)
      return found->kind;
   pitot_gl_error(call, GL_INVALID_ENUM, "target");
   return PITOT_KIND_NONE;
}

/* "An INVALID_VALUE error is generated if target is [an indexed one] and
 * index is not in the range zero to the value of MAX_VERTEX_STREAMS minus one
 * [...] if target is [another one] and index is not zero." (4.2.2)
 */
bool
pitot_gl_check_index(const struct pitot_gl_call *call, enum pitot_kind kind,
                     GLuint index)
{
   const bool is_indexed = pitot_kind_info(kind)->is_indexed;

   return index < (is_indexed ? call->gl->info.stream_count : 1) ||
          pitot_gl_error(call, GL_INVALID_VALUE, "index");
}

/* Only QueryCounter takes TIMESTAMP (4.3). */
void
pitot_gl_reject_binding(struct pitot_gl *gl, const char *command,
                        GLenum target, GLuint index)
{
   const struct pitot_gl_call call = { gl, command };
   const enum pitot_kind kind = pitot_gl_check_target(&call, target);

   if (kind == PITOT_KIND_NONE)
      return;
   if (pitot_kind_info(kind)->is_instant)
      pitot_gl_error(&call, GL_INVALID_ENUM, "target has no duration");
   else
      pitot_gl_check_index(&call, kind, index);
}

/* "id is the name of an existing query object whose type does not match
 * target" (4.2.2).  ANY_SAMPLES_PASSED and its conservative form match each
 * other (OpenGL ES 3.2, 4.2): they are the only booleans that share a slot.
 * Must not be called if both kinds are the same: find_usable() accepts such a
 * query, unless it is active or in use for conditional rendering.
 */
static bool
matches_target(const struct pitot_gl *gl, enum pitot_kind type,
               enum pitot_kind kind)
{
   if (type == PITOT_KIND_NONE)
      return true;

   const struct pitot_kind_info *a = pitot_kind_info(type);
   const struct pitot_kind_info *b = pitot_kind_info(kind);
   return gl->info.features & PITOT_GL_OCCLUSION_ALIAS &&
          a->slot == b->slot && a->is_boolean && b->is_boolean;
}

/* "An INVALID_OPERATION error is generated if id is zero; [...] not a name
 * returned from a previous call to GenQueries or CreateQueries, or if such a
 * name has since been deleted; [...] the name of an existing query object
 * whose type does not match target; [...] the active query object name for
 * any query type; [...] the active query object for conditional rendering"
 * (4.2.2; QueryCounter likewise, 4.3).  The compatibility profile accepts any
 * name ("or made by the application", 4.2 there).
 */
bool
pitot_gl_check_usable(const struct pitot_gl_call *call, GLuint id,
                      const struct pitot_query *query, enum pitot_kind kind)
{
   const struct pitot_context *core = call->gl->core;

   if (!query) {
      if (id == 0)
         return pitot_gl_error(call, GL_INVALID_OPERATION, "id is 0");
      return call->gl->info.api == PITOT_GL_COMPAT ||
             pitot_gl_error(call, GL_INVALID_OPERATION, "id not generated");
   }
   if (query->state == PITOT_STATE_ACTIVE)
      return pitot_gl_error(call, GL_INVALID_OPERATION, "id is active");
   if (query == pitot_condition_query(core))
      return pitot_gl_error(call, GL_INVALID_OPERATION,
                            "id is in use for conditional rendering");
   return matches_target(call->gl, query->kind, kind) ||
          pitot_gl_error(call, GL_INVALID_OPERATION, "target mismatch");
}
