/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * glGetQueryObject*, glGetQueryBufferObject* and glGetQuery*.
 *
 * The fast paths neither generate errors nor trace nor send debug messages: a
 * call that may need one of these must take the slow path.  A read to client
 * memory waits only for QUERY_RESULT.
 */

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "gl_priv.h"

/* Command names, by the type of the value. */
static const char *const commands[PITOT_TYPE_COUNT] = {
   [PITOT_TYPE_I32] = "glGetQueryObjectiv",
   [PITOT_TYPE_U32] = "glGetQueryObjectuiv",
   [PITOT_TYPE_I64] = "glGetQueryObjecti64v",
   [PITOT_TYPE_U64] = "glGetQueryObjectui64v",
};

static const char *const buffer_commands[PITOT_TYPE_COUNT] = {
   [PITOT_TYPE_I32] = "glGetQueryBufferObjectiv",
   [PITOT_TYPE_U32] = "glGetQueryBufferObjectuiv",
   [PITOT_TYPE_I64] = "glGetQueryBufferObjecti64v",
   [PITOT_TYPE_U64] = "glGetQueryBufferObjectui64v",
};

/* The parameters of GetQueryObject (4.2.3).  ARB_query_buffer_object added
 * QUERY_RESULT_NO_WAIT, and ARB_direct_state_access QUERY_TARGET.
 */
enum param {
   PARAM_RESULT = PITOT_STORE_RESULT,
   PARAM_NO_WAIT = PITOT_STORE_RESULT_NO_WAIT,
   PARAM_AVAILABLE = PITOT_STORE_AVAILABLE,
   PARAM_TARGET, /* drivers do not store this */
   PARAM_NONE,
};

static const char *const param_names[] = {
   [PARAM_RESULT] = "result",
   [PARAM_NO_WAIT] = "result-no-wait",
   [PARAM_AVAILABLE] = "available",
   [PARAM_TARGET] = "target",
};

static PITOT_COLD enum param
find_rare_param(unsigned features, GLenum pname)
{
   if (pname == GL_QUERY_RESULT_NO_WAIT && features & PITOT_GL_QUERY_BUFFER)
      return PARAM_NO_WAIT;
   if (pname == GL_QUERY_TARGET && features & PITOT_GL_QUERY_TARGET)
      return PARAM_TARGET;
   return PARAM_NONE;
}

static inline enum param
find_param(const struct pitot_gl *gl, GLenum pname)
{
   if (pname == GL_QUERY_RESULT)
      return PARAM_RESULT;
   if (pname == GL_QUERY_RESULT_AVAILABLE)
      return PARAM_AVAILABLE;
   return find_rare_param(gl->info.features, pname);
}

/* Waits for the result.  In a debug context, reports a long wait. */
static void
wait_for_result(const struct pitot_gl_call *call, struct pitot_query *query)
{
   const uint64_t begin_ns = pitot_gl_wait_begin(call->gl);

   pitot_query_resolve(call->gl->core, query, true);
   if (begin_ns)
      pitot_gl_wait_end(call, begin_ns, "query", query->name,
                        pitot_kind_info(query->kind)->name);
}

/* Returns false if nothing must be written: QUERY_RESULT_NO_WAIT of a result
 * that is not available.
 */
static bool
read_value(const struct pitot_gl_call *call, struct pitot_query *query,
           enum param param, uint64_t *value_out)
{
   struct pitot_context *core = call->gl->core;

   switch (param) {
   case PARAM_AVAILABLE:
      *value_out = pitot_query_resolve(core, query, false);
      return true;
   case PARAM_NO_WAIT:
      *value_out =
         pitot_query_resolve(core, query, false) ? query->result : 0;
      return query->state == PITOT_STATE_AVAILABLE;
   case PARAM_TARGET:
      *value_out = pitot_gl_target_of_kind(query->kind);
      return true;
   default:
      if (query->state != PITOT_STATE_AVAILABLE)
         wait_for_result(call, query);
      *value_out = query->result;
      return true;
   }
}

static inline bool
is_readable(const struct pitot_query *query)
{
   return query && query->state >= PITOT_STATE_ENDED;
}

/* "An INVALID_OPERATION error is generated if id is not the name of a query
 * object, or if the query object named by id is currently active.  An
 * INVALID_ENUM error is generated if pname is not one of the values" (4.2.3)
 */
static PITOT_COLD void
reject_get(const struct pitot_gl_call *call, const struct pitot_query *query)
{
   if (is_readable(query))
      pitot_gl_error(call, GL_INVALID_ENUM, "pname");
   else
      pitot_gl_error(call, GL_INVALID_OPERATION,
                     query && query->state == PITOT_STATE_ACTIVE
                        ? "id is active"
                        : "id is not a query object");
}

static inline bool
is_inside(const struct pitot_gl_destination *destination, intptr_t offset_B,
          unsigned size_B)
{
   return offset_B >= 0 && (uint64_t)offset_B + size_B <= destination->size_B;
}

/* "An INVALID_VALUE error is generated if offset is negative.  An
 * INVALID_OPERATION error is generated if [...] the query result [...] would
 * exceed the size of the buffer; [may be] if the buffer is mapped" (4.2.3,
 * 6.3.2)
 */
static PITOT_COLD void
reject_destination(const struct pitot_gl_call *call, intptr_t offset_B,
                   bool is_beyond_end)
{
   if (offset_B < 0)
      pitot_gl_error(call, GL_INVALID_VALUE, "offset < 0");
   else
      pitot_gl_error(call, GL_INVALID_OPERATION,
                     is_beyond_end ? "beyond the end of the buffer"
                                   : "buffer is mapped");
}

static PITOT_COLD void
trace_store(const struct pitot_gl_call *call, uint32_t id, enum param param,
            intptr_t offset_B)
{
   pitot_gl_trace(call, " id=%u %s to a buffer at %" PRIdPTR, id,
                  param_names[param], offset_B);
}

/* Writes a value that the driver does not store, read by the CPU. */
static PITOT_NOINLINE void
write_value(const struct pitot_gl_call *call, struct pitot_query *query,
            enum param param, enum pitot_type type, void *resource,
            intptr_t offset_B)
{
   const struct pitot_gl_info *info = &call->gl->info;
   uint64_t value, data;

   if (!read_value(call, query, param, &value))
      return;
   pitot_type_write(type, value, &data);
   info->host_ops->write_buffer(info->host, resource, offset_B,
                                pitot_type_size_B(type), &data);
}

/* names: command names, by the type of the value. */
static PITOT_INLINE void
get_to_buffer(struct pitot_gl *gl, const char *const *names, uint32_t id,
              GLenum pname, enum pitot_type type, void *buffer,
              intptr_t offset_B)
{
   const struct pitot_gl_info *info = &gl->info;
   struct pitot_query *query = pitot_query_lookup(gl->core, id);
   const enum param param = find_param(gl, pname);
   struct pitot_gl_destination destination;

   if (!is_readable(query) || param == PARAM_NONE) {
      reject_get(&(struct pitot_gl_call){ gl, names[type] }, query);
      return;
   }
   info->host_ops->open_buffer(info->host, buffer, &destination);
   const bool is_in =
      is_inside(&destination, offset_B, pitot_type_size_B(type));
   if (!is_in || destination.is_mapped) {
      reject_destination(&(struct pitot_gl_call){ gl, names[type] }, offset_B,
                         !is_in);
      return;
   }
   if (info->trace)
      trace_store(&(struct pitot_gl_call){ gl, names[type] }, id, param,
                  offset_B);
   if (param == PARAM_TARGET ||
       !pitot_query_store(gl->core, query, (enum pitot_store)param, type,
                          destination.resource, offset_B))
      write_value(&(struct pitot_gl_call){ gl, names[type] }, query, param,
                  type, destination.resource, offset_B);
}

static PITOT_NOINLINE void
get_to_bound_buffer(struct pitot_gl *gl, uint32_t id, unsigned pname,
                    enum pitot_type type, intptr_t offset_B)
{
   get_to_buffer(gl, commands, id, pname, type, *gl->info.query_buffer,
                 offset_B);
}

/* Slow path: errors, rare parameters, trace and debug messages. */
static PITOT_COLD void
get_to_memory(struct pitot_gl *gl, uint32_t id, unsigned pname,
              enum pitot_type type, void *params)
{
   const struct pitot_gl_call call = { gl, commands[type] };
   struct pitot_query *query = pitot_query_lookup(gl->core, id);
   const enum param param = find_param(gl, pname);
   uint64_t value;

   if (!is_readable(query) || param == PARAM_NONE) {
      reject_get(&call, query);
      return;
   }
   const bool is_written = read_value(&call, query, param, &value);

   if (is_written && !pitot_type_write(type, value, params))
      pitot_gl_send_debug_message(
         gl,
         "%s cannot represent the result of query %u (%s), "
         "%" PRIu64 "; read it with glGetQueryObjectui64v",
         call.command, query->name, pitot_kind_info(query->kind)->name,
         value);
   pitot_gl_trace(&call, " id=%u %s = %s%" PRIu64, id, param_names[param],
                  is_written ? "" : "unknown, ", value);
}

/* pitot_type_write() without the clamp, which 0 and 1 do not need. */
static inline void
write_bool(enum pitot_type type, bool value, void *data_out)
{
   const uint64_t value_64 = value;
   const uint32_t value_32 = value;

   if (type <= PITOT_TYPE_U32)
      memcpy(data_out, &value_32, sizeof(value_32));
   else
      memcpy(data_out, &value_64, sizeof(value_64));
}

/* Fast path: the result or its availability, to client memory.  If a buffer
 * is bound, params is an offset into it (4.2.3).
 */
void
pitot_gl_get_query_object(struct pitot_gl *gl, uint32_t id, unsigned pname,
                          enum pitot_type type, void *params)
{
   if (*gl->info.query_buffer) {
      get_to_bound_buffer(gl, id, pname, type, (intptr_t)params);
      return;
   }

   struct pitot_query *query = pitot_query_lookup(gl->core, id);
   if (query && query->state >= PITOT_STATE_ENDED && !gl->info.trace &&
       !(*gl->info.context_flags & PITOT_GL_CONTEXT_DEBUG)) {
      if (pname == GL_QUERY_RESULT) {
         pitot_query_resolve(gl->core, query, true);
         pitot_type_write(type, query->result, params);
         return;
      }
      if (pname == GL_QUERY_RESULT_AVAILABLE) {
         write_bool(type, pitot_query_resolve(gl->core, query, false),
                    params);
         return;
      }
   }
   get_to_memory(gl, id, pname, type, params);
}

void
pitot_gl_get_query_buffer_object(struct pitot_gl *gl, uint32_t id,
                                 uint32_t buffer, unsigned pname,
                                 enum pitot_type type, intptr_t offset)
{
   const struct pitot_gl_call call = { gl, buffer_commands[type] };
   const struct pitot_gl_info *info = &gl->info;
   void *object =
      info->host_ops->lookup_buffer(info->host, buffer, call.command);

   if (!object)
      return;
   if (!(info->features & PITOT_GL_QUERY_BUFFER)) {
      pitot_gl_error(&call, GL_INVALID_OPERATION,
                     "query buffers not supported");
      return;
   }
   get_to_buffer(gl, buffer_commands, id, pname, type, object, offset);
}

/*
 * State of a target
 */

/* "the name of the currently active query for target and index, or zero if no
 * query is active" (4.2.3).  The slot may hold a query of another target.
 */
static inline GLint
current_query(const struct pitot_binding *binding)
{
   const struct pitot_query *query = *binding->slot;

   return query && query->kind == binding->kind ? (GLint)query->name : 0;
}

/* Slow path: errors, other parameters, TIMESTAMP and the trace. */
static PITOT_COLD void
get_query(struct pitot_gl *gl, const char *command, unsigned target,
          uint32_t index, unsigned pname, int32_t *params)
{
   const struct pitot_gl_call call = { gl, command };
   const struct pitot_binding *binding =
      pitot_gl_find_binding(gl, target, index);
   const enum pitot_kind kind = pitot_gl_check_target(&call, target);

   if (kind == PITOT_KIND_NONE || !pitot_gl_check_index(&call, kind, index))
      return;

   /* "The error INVALID_ENUM is generated if GetQueryivEXT is called where
    * pname is not CURRENT_QUERY_EXT" (EXT_occlusion_query_boolean), to which
    * EXT_disjoint_timer_query adds QUERY_COUNTER_BITS_EXT.  No query is ever
    * active for TIMESTAMP.
    */
   if (pname == GL_CURRENT_QUERY)
      *params = binding ? current_query(binding) : 0;
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

void
pitot_gl_get_query(struct pitot_gl *gl, const char *command, unsigned target,
                   uint32_t index, unsigned pname, int32_t *params)
{
   const struct pitot_binding *binding =
      pitot_gl_find_binding(gl, target, index);

   if (pname == GL_CURRENT_QUERY && binding && !gl->info.trace)
      *params = current_query(binding);
   else
      get_query(gl, command, target, index, pname, params);
}
