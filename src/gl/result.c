/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <inttypes.h>
#include <stddef.h>

#include "gl_priv.h"

/* The parameters of GetQueryObject (4.2.3; ARB_query_buffer_object and
 * ARB_direct_state_access added the last two).
 */
static const struct param {
   GLenum pname;
   const char *name;
   unsigned features;
   bool is_stored; /* the driver may write it to a buffer */
   enum pitot_store store;
} params_table[] = {
   { GL_QUERY_RESULT, "result", 0, true, PITOT_STORE_RESULT },
   { GL_QUERY_RESULT_AVAILABLE, "available", 0, true, PITOT_STORE_AVAILABLE },
   { GL_QUERY_RESULT_NO_WAIT, "result-no-wait", PITOT_GL_QUERY_BUFFER, true,
     PITOT_STORE_RESULT_NO_WAIT },
   { GL_QUERY_TARGET, "target", PITOT_GL_QUERY_TARGET, false, 0 },
};

static const struct param *
check_param(const struct pitot_gl_call *call, GLenum pname)
{
   const unsigned features = call->gl->info.features;

   for (unsigned i = 0; i < sizeof(params_table) / sizeof(params_table[0]);
        i++) {
      const struct param *param = &params_table[i];
      if (param->pname == pname &&
          (features & param->features) == param->features)
         return param;
   }
   pitot_gl_error(call, GL_INVALID_ENUM, "pname");
   return NULL;
}

/* Tells the developer of the application about a wait that takes long. */
static void
resolve_slowly(const struct pitot_gl_call *call, struct pitot_query *query)
{
   const uint64_t begin_ns = pitot_gl_wait_begin(call->gl);

   pitot_query_resolve(call->gl->core, query, true);
   if (begin_ns)
      pitot_gl_wait_end(call, begin_ns, "query", query->name,
                        pitot_kind_info(query->kind)->name);
}

/* Takes the value of a parameter.  Returns false if it is not to be written:
 * a result still in flight that the caller does not wait for.
 */
static bool
read_value(const struct pitot_gl_call *call, struct pitot_query *query,
           const struct param *param, uint64_t *value_out)
{
   struct pitot_context *core = call->gl->core;

   switch (param->pname) {
   case GL_QUERY_RESULT_AVAILABLE:
      *value_out = pitot_query_resolve(core, query, false);
      return true;
   case GL_QUERY_RESULT_NO_WAIT:
      *value_out =
         pitot_query_resolve(core, query, false) ? query->result : 0;
      return query->state == PITOT_STATE_AVAILABLE;
   case GL_QUERY_TARGET:
      *value_out = pitot_gl_target_of_kind(query->kind);
      return true;
   default:
      if (query->state != PITOT_STATE_AVAILABLE)
         resolve_slowly(call, query);
      *value_out = query->result;
      return true;
   }
}

static void
get_to_buffer(const struct pitot_gl_call *call, GLuint id, GLenum pname,
              enum pitot_type type, const struct pitot_gl_buffer *buffer,
              intptr_t offset_B)
{
   const struct pitot_gl_info *info = &call->gl->info;
   struct pitot_query *query = pitot_gl_check_readable(call, id);
   const struct param *param = query ? check_param(call, pname) : NULL;
   const unsigned size_B = pitot_type_size_B(type);
   uint64_t value, data;

   if (!param || !pitot_gl_check_store(call, buffer, offset_B, size_B))
      return;
   pitot_gl_trace(call, " id=%u %s to a buffer at %" PRIdPTR, id, param->name,
                  offset_B);

   /* Earlier draws still read the old contents. */
   pitot_gl_flush_host(call->gl);
   if (param->is_stored &&
       pitot_query_store(call->gl->core, query, param->store, type,
                         buffer->resource, offset_B)) {
      if (info->host_ops->buffer_changed)
         info->host_ops->buffer_changed(info->host, buffer);
   } else if (read_value(call, query, param, &value)) {
      pitot_type_write(type, value, &data);
      info->host_ops->write_buffer(info->host, buffer, offset_B, size_B,
                                   &data);
   }
}

/* The errors, the rare parameters, the buffers, the traces and the messages.
 * If a buffer is bound, params is an offset in it (4.2.3).
 */
static PITOT_COLD void
get_query_object(struct pitot_gl *gl, const char *command, uint32_t id,
                 unsigned pname, enum pitot_type type, void *params)
{
   const struct pitot_gl_call call = { gl, command };
   const struct pitot_gl_info *info = &gl->info;
   void *object = *info->query_buffer;
   uint64_t value;

   if (object) {
      struct pitot_gl_buffer buffer;

      info->host_ops->describe_buffer(info->host, object, &buffer);
      get_to_buffer(&call, id, pname, type, &buffer, (intptr_t)params);
      return;
   }

   struct pitot_query *query = pitot_gl_check_readable(&call, id);
   const struct param *param = query ? check_param(&call, pname) : NULL;
   if (!param)
      return;
   const bool is_written = read_value(&call, query, param, &value);

   if (is_written && !pitot_type_write(type, value, params))
      pitot_gl_tell(
         gl,
         "%s cannot represent the result of query %u (%s), %" PRIu64
         "; read it with glGetQueryObjectui64v",
         command, query->name, pitot_kind_info(query->kind)->name, value);
   pitot_gl_trace(&call, " id=%u %s = %s%" PRIu64, query->name, param->name,
                  is_written ? "" : "unknown, ", value);
}

/* Returns whether the answer goes to the application's memory, and nowhere
 * else.
 */
static inline bool
is_plain(const struct pitot_gl *gl)
{
   return !*gl->info.query_buffer && !gl->info.trace &&
          !pitot_gl_is_debugging(gl);
}

/* The usual case first: the result or its availability, to the application's
 * memory.
 */
void
pitot_gl_get_query_object(struct pitot_gl *gl, const char *command,
                          uint32_t id, unsigned pname, enum pitot_type type,
                          void *params)
{
   struct pitot_query *query = pitot_query_lookup(gl->core, id);

   if (query && query->state >= PITOT_STATE_ENDED && is_plain(gl)) {
      if (pname == GL_QUERY_RESULT) {
         pitot_query_resolve(gl->core, query, true);
         pitot_type_write(type, query->result, params);
         return;
      }
      if (pname == GL_QUERY_RESULT_AVAILABLE) {
         const bool is_available =
            pitot_query_resolve(gl->core, query, false);
         pitot_type_write(type, is_available, params);
         return;
      }
   }
   get_query_object(gl, command, id, pname, type, params);
}

void
pitot_gl_get_query_buffer_object(struct pitot_gl *gl, const char *command,
                                 uint32_t id, uint32_t buffer_name,
                                 unsigned pname, enum pitot_type type,
                                 intptr_t offset)
{
   const struct pitot_gl_call call = { gl, command };
   struct pitot_gl_buffer buffer;

   if (!gl->info.host_ops->lookup_buffer(gl->info.host, buffer_name, command,
                                         &buffer))
      return;
   if (!(gl->info.features & PITOT_GL_QUERY_BUFFER)) {
      pitot_gl_error(&call, GL_INVALID_OPERATION, "no query buffers here");
      return;
   }
   get_to_buffer(&call, id, pname, type, &buffer, offset);
}

/*
 * The state of a target
 */

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
