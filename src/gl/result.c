/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stddef.h>

#include "gl_priv.h"

/* Takes the value of a parameter.  Returns false if it is not to be written:
 * a result still in flight that the caller does not wait for.
 */
typedef bool
value_func(struct pitot_gl *gl, struct pitot_query *query,
           uint64_t *value_out);

static bool
value_result(struct pitot_gl *gl, struct pitot_query *query,
             uint64_t *value_out)
{
   pitot_query_resolve(gl->core, query, true);
   *value_out = query->result;
   return true;
}

static bool
value_result_no_wait(struct pitot_gl *gl, struct pitot_query *query,
                     uint64_t *value_out)
{
   *value_out = 0;
   if (!pitot_query_resolve(gl->core, query, false))
      return false;
   *value_out = query->result;
   return true;
}

static bool
value_available(struct pitot_gl *gl, struct pitot_query *query,
                uint64_t *value_out)
{
   *value_out = pitot_query_resolve(gl->core, query, false);
   return true;
}

static bool
value_target(struct pitot_gl *gl, struct pitot_query *query,
             uint64_t *value_out)
{
   (void)gl;
   *value_out = pitot_gl_target_of_kind(query->kind);
   return true;
}

/* The parameters of GetQueryObject (4.2.3; ARB_query_buffer_object and
 * ARB_direct_state_access added the last two).
 */
static const struct param {
   GLenum pname;
   unsigned features;
   value_func *value;
   bool has_store; /* the driver can write it to a buffer: as what */
   enum pitot_store store;
} params_table[] = {
   { GL_QUERY_RESULT, 0, value_result, true, PITOT_STORE_RESULT },
   { GL_QUERY_RESULT_AVAILABLE, 0, value_available, true,
     PITOT_STORE_AVAILABLE },
   { GL_QUERY_RESULT_NO_WAIT, PITOT_GL_QUERY_BUFFER, value_result_no_wait,
     true, PITOT_STORE_RESULT_NO_WAIT },
   { GL_QUERY_TARGET, PITOT_GL_QUERY_TARGET, value_target, false, 0 },
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
store(struct pitot_gl *gl, struct pitot_query *query,
      const struct param *param, enum pitot_type type,
      const struct pitot_gl_buffer *buffer, uint64_t offset_B)
{
   const struct pitot_gl_host_ops *ops = gl->host_ops;
   uint64_t value;

   /* What was drawn before still reads the old contents. */
   ops->flush(gl->host);

   if (param->has_store &&
       pitot_query_store(gl->core, query, param->store, type,
                         buffer->resource, offset_B)) {
      if (ops->buffer_changed)
         ops->buffer_changed(gl->host, buffer);
   } else if (param->value(gl, query, &value)) {
      uint64_t data;
      pitot_type_write(type, value, &data);
      ops->write_buffer(gl->host, buffer, offset_B, pitot_type_size_B(type),
                        &data);
   }
}

/* buffer is NULL where params is the address of the application's memory. */
static void
get_object(const struct pitot_gl_call *call, GLuint id, GLenum pname,
           enum pitot_type type, const struct pitot_gl_buffer *buffer,
           intptr_t params)
{
   struct pitot_gl *gl = call->gl;
   uint64_t value;

   struct pitot_query *query = pitot_gl_check_readable(call, id);
   if (!query)
      return;
   const struct param *param = check_param(call, pname);
   if (!param)
      return;

   if (!buffer) {
      if (param->value(gl, query, &value))
         pitot_type_write(type, value, (void *)params);
   } else if (pitot_gl_check_store(call, buffer, params,
                                   pitot_type_size_B(type))) {
      store(gl, query, param, type, buffer, params);
   }
}

void
pitot_gl_get_query_object(struct pitot_gl *gl, const char *command,
                          uint32_t id, unsigned pname, enum pitot_type type,
                          void *params)
{
   const struct pitot_gl_call call = { gl, command };
   struct pitot_gl_buffer buffer;
   const bool has_buffer = gl->host_ops->query_buffer(gl->host, &buffer);

   get_object(&call, id, pname, type, has_buffer ? &buffer : NULL,
              (intptr_t)params);
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
   get_object(&call, id, pname, type, &buffer, offset);
}
