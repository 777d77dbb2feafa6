/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>

#include "gl_priv.h"

/* Returns whether the usual case needs no look at each rule: an object that
 * was begun as that kind before.
 */
static bool
is_usable(const struct pitot_gl *gl, const struct pitot_query *query,
          enum pitot_kind kind)
{
   return query && query->kind == kind &&
          query->state != PITOT_STATE_ACTIVE &&
          query != pitot_condition_query(gl->core);
}

/* Reports that a query could not begin. */
static void
report_failure(const struct pitot_gl_call *call, GLuint id,
               enum pitot_kind kind, int error)
{
   pitot_gl_error_of_result(call, error);
   pitot_gl_tell(call->gl,
                 "%s could not begin query %u (%s), %s; it measures nothing",
                 call->command, id, pitot_kind_info(kind)->name,
                 error == -ENOMEM ? "for want of memory"
                                  : "the driver failed");
}

/* Begins a name that has no object yet.  A name that was not even used stays
 * so if this fails.
 */
static void
measure_fresh(const struct pitot_gl_call *call, GLuint id,
              enum pitot_kind kind, GLuint index)
{
   struct pitot_gl *gl = call->gl;
   const bool was_used = pitot_name_is_used(gl->core, id);
   struct pitot_query *query;

   int error = pitot_query_obtain(gl->core, id, &query);
   if (!error) {
      pitot_gl_flush_host(gl);
      error = pitot_query_begin(gl->core, query, kind, index);
   }
   if (error) {
      report_failure(call, id, kind, error);
      if (!was_used)
         pitot_query_delete(gl->core, id);
   }
}

/* The common part of glBeginQuery and glQueryCounter. */
static inline void
measure(const struct pitot_gl_call *call, GLuint id, enum pitot_kind kind,
        GLuint index)
{
   struct pitot_gl *gl = call->gl;
   struct pitot_query *query = pitot_query_lookup(gl->core, id);

   if (!is_usable(gl, query, kind) &&
       !pitot_gl_check_usable(call, id, query, kind))
      return;
   if (!query) {
      measure_fresh(call, id, kind, index);
      return;
   }
   pitot_gl_flush_host(gl);
   const int error = pitot_query_begin(gl->core, query, kind, index);
   if (error)
      report_failure(call, id, kind, error);
}

void
pitot_gl_begin_query(struct pitot_gl *gl, const char *command,
                     unsigned target, uint32_t index, uint32_t id)
{
   const struct pitot_gl_call call = { gl, command };

   pitot_gl_trace(&call, " %s index=%u id=%u", pitot_gl_target_name(target),
                  index, id);
   const enum pitot_kind kind =
      pitot_gl_check_slot_target(&call, target, index);
   if (kind == PITOT_KIND_NONE)
      return;

   /* "An INVALID_OPERATION error is generated if [...] the active query
    * object name for target and index is non-zero" (4.2.2)
    */
   if (pitot_query_active(gl->core, kind, index)) {
      pitot_gl_error(&call, GL_INVALID_OPERATION, "target is active");
      return;
   }
   measure(&call, id, kind, index);
}

void
pitot_gl_end_query(struct pitot_gl *gl, const char *command, unsigned target,
                   uint32_t index)
{
   const struct pitot_gl_call call = { gl, command };

   pitot_gl_trace(&call, " %s index=%u", pitot_gl_target_name(target), index);
   const enum pitot_kind kind =
      pitot_gl_check_slot_target(&call, target, index);
   if (kind == PITOT_KIND_NONE)
      return;

   /* INVALID_OPERATION if no query is active for target (4.2.2): one of
    * another kind in the same slot is none.
    */
   const struct pitot_query *query =
      pitot_query_active(gl->core, kind, index);
   if (!query || query->kind != kind) {
      pitot_gl_error(&call, GL_INVALID_OPERATION, "target is not active");
      return;
   }

   pitot_gl_flush_host(gl);
   pitot_gl_check_result(&call, pitot_query_end(gl->core, kind, index));
}

void
pitot_gl_query_counter(struct pitot_gl *gl, uint32_t id, unsigned target)
{
   const struct pitot_gl_call call = { gl, "glQueryCounter" };

   pitot_gl_trace(&call, " %s id=%u", pitot_gl_target_name(target), id);
   const enum pitot_kind kind = pitot_gl_kind_of_target(gl, target);

   if (kind == PITOT_KIND_NONE || !pitot_kind_info(kind)->is_instant) {
      pitot_gl_error(&call, GL_INVALID_ENUM, "target");
      return;
   }
   measure(&call, id, kind, 0);
}
