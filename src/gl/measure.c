/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * glBeginQuery, glEndQuery and glQueryCounter.
 *
 * Applications call these around each draw, so find_usable() accepts a common
 * call without a check of each rule.  The host flushes buffered vertices
 * before the driver begins or ends a query: otherwise draws from before the
 * begin would be counted, or draws from before the end would not.
 */

#include <errno.h>

#include "gl_priv.h"

static PITOT_COLD void
report_error_of_result(struct pitot_gl *gl, const char *command, int error)
{
   pitot_gl_error_of_result(&(struct pitot_gl_call){ gl, command }, error);
}

static PITOT_COLD void
report_failure(struct pitot_gl *gl, const char *command, GLuint id,
               enum pitot_kind kind, int error)
{
   report_error_of_result(gl, command, error);
   pitot_gl_send_debug_message(gl, "%s failed to start query %u (%s): %s",
                               command, id, pitot_kind_info(kind)->name,
                               error == -ENOMEM ? "out of memory"
                                                : "driver error");
}

/* Begins a query whose name was never generated, as the compatibility profile
 * allows.  If this fails, the name is unused again.
 */
static PITOT_COLD void
begin_unused(struct pitot_gl *gl, const char *command,
             const struct pitot_binding *binding, GLuint id)
{
   struct pitot_query *query;

   int error = pitot_query_obtain(gl->core, id, &query);
   if (!error) {
      gl->info.host_ops->flush(gl->info.host);
      error =
         pitot_query_begin(gl->core, query, binding->kind, binding->stream);
   }
   if (error) {
      report_failure(gl, command, id, binding->kind, error);
      pitot_query_delete(gl->core, id);
   }
}

/* Slow path of find_usable(): checks the error rules.  Returns NULL after an
 * error, or if begin_unused() was called.
 */
static PITOT_COLD struct pitot_query *
find_usable_slow(struct pitot_gl *gl, const char *command,
                 const struct pitot_binding *binding, GLuint id)
{
   const struct pitot_gl_call call = { gl, command };
   struct pitot_query *query = pitot_query_lookup(gl->core, id);

   if (!pitot_gl_check_usable(&call, id, query, binding->kind))
      return NULL;
   if (!query)
      begin_unused(gl, command, binding, id);
   return query;
}

/* Returns the object to begin, or NULL if nothing is left to do.  Creates the
 * object of a name that was only generated.  Fast path: the object has the
 * kind of the binding, and refs is 1.  Then only its name refers to it, so it
 * is neither active nor in use for conditional rendering.
 */
static inline struct pitot_query *
find_usable(struct pitot_gl *gl, const char *command,
            const struct pitot_binding *binding, GLuint id)
{
   const struct pitot_context_head *core = (const void *)gl->core;
   void **entry = pitot_names_find(&core->names, id);
   struct pitot_query *query = entry ? *entry : NULL;

   if ((void *)query == PITOT_NAMES_RESERVED) {
      query = pitot_query_create_at(gl->core, id, entry);
      if (!query)
         report_failure(gl, command, id, binding->kind, -ENOMEM);
   } else if (!query || query->kind != binding->kind || query->refs != 1) {
      query = find_usable_slow(gl, command, binding, id);
   }
   return query;
}

static PITOT_COLD void
trace_command(struct pitot_gl *gl, const char *command, const char *format,
              GLenum target, GLuint a, GLuint b)
{
   const struct pitot_gl_call call = { gl, command };

   pitot_gl_trace_line(&call, format, pitot_gl_target_name(target), a, b);
}

static PITOT_COLD void
reject_command(struct pitot_gl *gl, const char *command, GLenum error,
               const char *reason)
{
   pitot_gl_error(&(struct pitot_gl_call){ gl, command }, error, reason);
}

struct pitot_binding *
pitot_gl_find_binding(const struct pitot_gl *gl, GLenum target, GLuint index)
{
   const struct pitot_gl_target *found =
      &gl->targets[target % PITOT_GL_TARGET_SIZE];

   return found->target == target && index < found->index_count
             ? &found->bindings[index]
             : NULL;
}

void
pitot_gl_begin_query(struct pitot_gl *gl, const char *command,
                     unsigned target, uint32_t index, uint32_t id)
{
   struct pitot_binding *binding = pitot_gl_find_binding(gl, target, index);

   if (gl->info.trace)
      trace_command(gl, command, " %s index=%u id=%u", target, index, id);
   if (!binding) {
      pitot_gl_reject_binding(gl, command, target, index);
      return;
   }

   /* "An INVALID_OPERATION error is generated if [...] the active query
    * object name for target and index is non-zero" (4.2.2)
    */
   if (*binding->slot) {
      reject_command(gl, command, GL_INVALID_OPERATION, "target is active");
      return;
   }

   struct pitot_query *query = find_usable(gl, command, binding, id);
   if (!query)
      return;
   gl->info.host_ops->flush(gl->info.host);
   const int error = pitot_binding_begin(gl->core, binding, query);
   if (error)
      report_failure(gl, command, query->name, binding->kind, error);
}

void
pitot_gl_end_query(struct pitot_gl *gl, const char *command, unsigned target,
                   uint32_t index)
{
   struct pitot_binding *binding = pitot_gl_find_binding(gl, target, index);

   if (gl->info.trace)
      trace_command(gl, command, " %s index=%u", target, index, 0);
   if (!binding) {
      pitot_gl_reject_binding(gl, command, target, index);
      return;
   }

   /* INVALID_OPERATION if no query is active for target (4.2.2).  A query of
    * another target that shares the slot does not count.
    */
   const struct pitot_query *query = *binding->slot;
   if (!query || query->kind != binding->kind) {
      reject_command(gl, command, GL_INVALID_OPERATION,
                     "target is not active");
      return;
   }

   gl->info.host_ops->flush(gl->info.host);
   const int error = pitot_binding_end(gl->core, binding);
   if (error)
      report_error_of_result(gl, command, error);
}

void
pitot_gl_query_counter(struct pitot_gl *gl, uint32_t id, unsigned target)
{
   static const char command[] = "glQueryCounter";
   struct pitot_binding *binding = gl->timestamp;

   if (gl->info.trace)
      trace_command(gl, command, " %s id=%u", target, id, 0);
   if (target != GL_TIMESTAMP || !binding) {
      reject_command(gl, command, GL_INVALID_ENUM, "target");
      return;
   }

   struct pitot_query *query = find_usable(gl, command, binding, id);
   if (!query)
      return;
   gl->info.host_ops->flush(gl->info.host);
   const int error = pitot_binding_record(gl->core, binding, query);
   if (error)
      report_failure(gl, command, query->name, binding->kind, error);
}
