/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stddef.h>

#include "gl_priv.h"

/* "the name of the currently active query for target and index, or zero if no
 * query is active"; nothing is ever active for TIMESTAMP (4.2.3).
 */
static GLint
current_query(const struct pitot_gl *gl, enum pitot_kind kind, GLuint index)
{
   if (pitot_kind_info(kind)->is_instant)
      return 0;

   const struct pitot_query *query =
      pitot_query_active(gl->core, kind, index);
   return query && query->kind == kind ? (GLint)query->name : 0;
}

void
pitot_gl_get_query(struct pitot_gl *gl, const char *command, unsigned target,
                   uint32_t index, unsigned pname, int32_t *params)
{
   const struct pitot_gl_call call = { gl, command };
   const enum pitot_kind kind = pitot_gl_check_target(&call, target);

   if (kind == PITOT_KIND_NONE || !pitot_gl_check_index(&call, kind, index))
      return;

   /* "The error INVALID_ENUM is generated if GetQueryivEXT is called where
    * pname is not CURRENT_QUERY_EXT" (EXT_occlusion_query_boolean), to which
    * EXT_disjoint_timer_query adds QUERY_COUNTER_BITS_EXT.
    */
   if (pname == GL_CURRENT_QUERY)
      *params = current_query(gl, kind, index);
   else if (pname == GL_QUERY_COUNTER_BITS &&
            gl->info.features & PITOT_GL_COUNTER_BITS)
      *params = pitot_counter_bits(gl->core, kind);
   else {
      pitot_gl_error(&call, GL_INVALID_ENUM, "pname");
      return;
   }
   pitot_gl_trace(&call, " %s index=%u pname=0x%04x = %d",
                  pitot_gl_target_name(target), index, pname, *params);
}
