/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <inttypes.h>
#include <stddef.h>

#include "gl_priv.h"

/* Takes the value of a parameter.  Returns false if it is not to be written:
 * a result still in flight that the caller does not wait for.
 */
typedef bool
value_func(const struct pitot_gl_call *call, struct pitot_query *query,
           uint64_t *value_out);

static bool
value_result(const struct pitot_gl_call *call, struct pitot_query *query,
             uint64_t *value_out)
{
   if (query->state != PITOT_STATE_AVAILABLE)
      pitot_gl_wait(call, query);
   *value_out = query->result;
   return true;
}

static bool
value_result_no_wait(const struct pitot_gl_call *call,
                     struct pitot_query *query, uint64_t *value_out)
{
   *value_out = 0;
   if (!pitot_query_resolve(call->gl->core, query, false))
      return false;
   *value_out = query->result;
   return true;
}

static bool
value_available(const struct pitot_gl_call *call, struct pitot_query *query,
                uint64_t *value_out)
{
   *value_out = pitot_query_resolve(call->gl->core, query, false);
   return true;
}

static bool
value_target(const struct pitot_gl_call *call, struct pitot_query *query,
             uint64_t *value_out)
{
   (void)call;
   *value_out = pitot_gl_target_of_kind(query->kind);
   return true;
}

/* The parameters of GetQueryObject (4.2.3; ARB_query_buffer_object and
 * ARB_direct_state_access added the last two).
 */
static const struct param {
   GLenum pname;
   const char *name;
   unsigned features;
   value_func *value;
   bool has_store; /* the driver can write it to a buffer: as what */
   enum pitot_store store;
} params_table[] = {
   { GL_QUERY_RESULT, "result", 0, value_result, true, PITOT_STORE_RESULT },
   { GL_QUERY_RESULT_AVAILABLE, "available", 0, value_available, true,
     PITOT_STORE_AVAILABLE },
   { GL_QUERY_RESULT_NO_WAIT, "result-no-wait", PITOT_GL_QUERY_BUFFER,
     value_result_no_wait, true, PITOT_STORE_RESULT_NO_WAIT },
   { GL_QUERY_TARGET, "target", PITOT_GL_QUERY_TARGET, value_target, false,
     0 },
};

static const struct param *
check_param(const struct pitot_gl_call *call, GLenum pname)
{
   const unsigned features = call->gl->features;

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

static void
store(const struct pitot_gl_call *call, struct pitot_query *query,
      const struct param *param, enum pitot_type type,
      const struct pitot_gl_buffer *buffer, uint64_t offset_B)
{
   struct pitot_gl *gl = call->gl;
   const struct pitot_gl_host_ops *ops = gl->host_ops;
   uint64_t value;

   /* What was drawn before still reads the old contents. */
   ops->flush(gl->host);

   if (param->has_store &&
       pitot_query_store(gl->core, query, param->store, type,
                         buffer->resource, offset_B)) {
      if (ops->buffer_changed)
         ops->buffer_changed(gl->host, buffer);
   } else if (param->value(call, query, &value)) {
      uint64_t data;

      pitot_type_write(type, value, &data);
      ops->write_buffer(gl->host, buffer, offset_B, pitot_type_size_B(type),
                        &data);
   }
}

static void
read_to_client(const struct pitot_gl_call *call, struct pitot_query *query,
               const struct param *param, enum pitot_type type, void *out)
{
   uint64_t value;
   const bool is_written = param->value(call, query, &value);

   if (is_written && !pitot_type_write(type, value, out))
      pitot_gl_tell_saturated(call, query, value);
   pitot_gl_trace(call->gl, "%s id=%u %s = %s%" PRIu64, call->command,
                  query->name, param->name, is_written ? "" : "unknown, ",
                  value);
}

/* What is asked for in loops, and has to be short: a result that is there,
 * and whether it is.  Returns false about anything else, and has done
 * nothing.
 */
static inline bool
get_known(const struct pitot_gl *gl, GLuint id, GLenum pname,
          enum pitot_type type, void *params)
{
   const struct pitot_query *query = pitot_query_lookup(gl->core, id);
   uint64_t value = true;

   if (!query || query->state != PITOT_STATE_AVAILABLE || gl->trace ||
       *gl->query_buffer)
      return false;
   if (pname == GL_QUERY_RESULT)
      value = query->result;
   else if (pname != GL_QUERY_RESULT_AVAILABLE)
      return false;
   if (value > pitot_type_max[type])
      return false;
   return pitot_type_write(type, value, params);
}

static void
get_to_client(const struct pitot_gl_call *call, GLuint id, GLenum pname,
              enum pitot_type type, void *params)
{
   struct pitot_query *query = pitot_gl_check_readable(call, id);
   const struct param *param = query ? check_param(call, pname) : NULL;

   if (param)
      read_to_client(call, query, param, type, params);
}

static void
get_to_buffer(const struct pitot_gl_call *call, GLuint id, GLenum pname,
              enum pitot_type type, const struct pitot_gl_buffer *buffer,
              intptr_t offset)
{
   struct pitot_query *query = pitot_gl_check_readable(call, id);
   const struct param *param = query ? check_param(call, pname) : NULL;

   if (!param ||
       !pitot_gl_check_store(call, buffer, offset, pitot_type_size_B(type)))
      return;
   pitot_gl_trace(call->gl, "%s id=%u %s to a buffer at %" PRIdPTR,
                  call->command, id, param->name, offset);
   store(call, query, param, type, buffer, offset);
}

/* Where params leads is for the buffer that is bound to say (4.2.3).  Apart,
 * so that get_known() has no registers to save.
 */
static __attribute__((noinline)) void
get_query_object(struct pitot_gl *gl, const char *command, GLuint id,
                 GLenum pname, enum pitot_type type, void *params)
{
   const struct pitot_gl_call call = { gl, command };
   void *object = *gl->query_buffer;

   if (object) {
      struct pitot_gl_buffer buffer;

      gl->host_ops->describe_buffer(gl->host, object, &buffer);
      get_to_buffer(&call, id, pname, type, &buffer, (intptr_t)params);
   } else {
      get_to_client(&call, id, pname, type, params);
   }
}

void
pitot_gl_get_query_object(struct pitot_gl *gl, const char *command,
                          uint32_t id, unsigned pname, enum pitot_type type,
                          void *params)
{
   if (!get_known(gl, id, pname, type, params))
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

   if (!gl->host_ops->lookup_buffer(gl->host, buffer_name, command, &buffer))
      return;
   if (!(gl->features & PITOT_GL_QUERY_BUFFER)) {
      pitot_gl_error(&call, GL_INVALID_OPERATION, "no query buffers here");
      return;
   }
   get_to_buffer(&call, id, pname, type, &buffer, offset);
}
