/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>

#include "gl_priv.h"

/* Returns whether the usual case needs no look at each rule: an object that
 * was begun as that kind before, and that nothing but its name refers to.
 */
static inline bool
is_usable(const struct pitot_query *query, enum pitot_kind kind)
{
   return query && query->kind == kind && query->refs == 1;
}

static PITOT_COLD void
report_result(struct pitot_gl *gl, const char *command, int error)
{
   pitot_gl_error_of_result(&(struct pitot_gl_call){ gl, command }, error);
}

static PITOT_COLD void
report_failure(struct pitot_gl *gl, const char *command, GLuint id,
               enum pitot_kind kind, int error)
{
   report_result(gl, command, error);
   pitot_gl_tell(gl,
                 "%s could not begin query %u (%s), %s; it measures nothing",
                 command, id, pitot_kind_info(kind)->name,
                 error == -ENOMEM ? "for want of memory"
                                  : "the driver failed");
}

/* Begins an object, of any kind.  Returns whether that succeeded. */
static bool
begin(struct pitot_gl *gl, const char *command,
      const struct pitot_binding *binding, struct pitot_query *query)
{
   pitot_gl_flush_host(gl);
   const int error =
      pitot_query_begin(gl->core, query, binding->kind, binding->stream);
   if (error)
      report_failure(gl, command, query->name, binding->kind, error);
   return !error;
}

/* Begins a name that has no object yet.  A name that was not even used stays
 * so if this fails.
 */
static __attribute__((noinline)) void
begin_fresh(struct pitot_gl *gl, const char *command,
            const struct pitot_binding *binding, GLuint id)
{
   const struct pitot_gl_call call = { gl, command };
   const bool was_used = pitot_name_is_used(gl->core, id);
   struct pitot_query *query;

   if (!was_used && !pitot_gl_check_usable(&call, id, NULL, binding->kind))
      return;
   const int error = pitot_query_obtain(gl->core, id, &query);
   if (error)
      report_failure(gl, command, id, binding->kind, error);
   else if (!begin(gl, command, binding, query) && !was_used)
      pitot_query_delete(gl->core, id);
}

/* Begins a name that is not the usual case, by the rules. */
static void
begin_unusual(struct pitot_gl *gl, const char *command,
              const struct pitot_binding *binding, GLuint id,
              struct pitot_query *query)
{
   const struct pitot_gl_call call = { gl, command };

   if (!query)
      begin_fresh(gl, command, binding, id);
   else if (pitot_gl_check_usable(&call, id, query, binding->kind))
      begin(gl, command, binding, query);
}

static PITOT_COLD void
trace(struct pitot_gl *gl, const char *command, const char *format,
      GLenum target, GLuint a, GLuint b)
{
   const struct pitot_gl_call call = { gl, command };

   pitot_gl_trace_line(&call, format, pitot_gl_target_name(target), a, b);
}

static PITOT_COLD void
refuse(struct pitot_gl *gl, const char *command, GLenum error,
       const char *reason)
{
   pitot_gl_error(&(struct pitot_gl_call){ gl, command }, error, reason);
}

/* Returns whether an index of a target is begun and ended: that of TIMESTAMP
 * is not.
 */
static inline bool
has_binding(const struct pitot_gl_target *found, GLenum target, GLuint index)
{
   return found->target == target && index < found->index_count;
}

void
pitot_gl_begin_query(struct pitot_gl *gl, const char *command,
                     unsigned target, uint32_t index, uint32_t id)
{
   const struct pitot_gl_target *found = pitot_gl_find_target(gl, target);

   if (gl->info.trace)
      trace(gl, command, " %s index=%u id=%u", target, index, id);
   if (!has_binding(found, target, index)) {
      pitot_gl_refuse_binding(gl, command, target, index);
      return;
   }

   /* "An INVALID_OPERATION error is generated if [...] the active query
    * object name for target and index is non-zero" (4.2.2)
    */
   struct pitot_binding *binding = &found->bindings[index];
   if (*binding->slot) {
      refuse(gl, command, GL_INVALID_OPERATION, "target is active");
      return;
   }

   struct pitot_query *query = pitot_query_lookup(gl->core, id);
   if (!is_usable(query, binding->kind)) {
      begin_unusual(gl, command, binding, id, query);
      return;
   }
   pitot_gl_flush_host(gl);
   const int error = pitot_binding_begin(gl->core, binding, query);
   if (error)
      report_failure(gl, command, id, binding->kind, error);
}

void
pitot_gl_end_query(struct pitot_gl *gl, const char *command, unsigned target,
                   uint32_t index)
{
   const struct pitot_gl_target *found = pitot_gl_find_target(gl, target);

   if (gl->info.trace)
      trace(gl, command, " %s index=%u", target, index, 0);
   if (!has_binding(found, target, index)) {
      pitot_gl_refuse_binding(gl, command, target, index);
      return;
   }

   /* INVALID_OPERATION if no query is active for target (4.2.2): one of
    * another kind in the same slot is none.
    */
   struct pitot_binding *binding = &found->bindings[index];
   const struct pitot_query *query = *binding->slot;
   if (!query || query->kind != binding->kind) {
      refuse(gl, command, GL_INVALID_OPERATION, "target is not active");
      return;
   }

   pitot_gl_flush_host(gl);
   const int error = pitot_binding_end(gl->core, binding);
   if (error)
      report_result(gl, command, error);
}

void
pitot_gl_query_counter(struct pitot_gl *gl, uint32_t id, unsigned target)
{
   static const char command[] = "glQueryCounter";
   struct pitot_binding *binding = gl->timestamp;

   if (gl->info.trace)
      trace(gl, command, " %s id=%u", target, id, 0);
   if (target != GL_TIMESTAMP || !binding) {
      refuse(gl, command, GL_INVALID_ENUM, "target");
      return;
   }

   struct pitot_query *query = pitot_query_lookup(gl->core, id);
   if (!is_usable(query, PITOT_KIND_TIMESTAMP)) {
      begin_unusual(gl, command, binding, id, query);
      return;
   }
   pitot_gl_flush_host(gl);
   const int error = pitot_binding_record(gl->core, binding, query);
   if (error)
      report_failure(gl, command, id, PITOT_KIND_TIMESTAMP, error);
}
