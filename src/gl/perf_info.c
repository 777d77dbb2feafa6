/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * INTEL_performance_query: what can be measured.  A query type is a counter
 * set; its id is the set's index and 1.
 */

#include <string.h>

#include "gl_priv.h"

/* Writes as much of a string as there is room for, and closes it. */
static void
copy_string(char *out, uint32_t size_B, const char *string)
{
   if (!out || !size_B)
      return;

   /* Not by snprintf, which may refuse a size that is no int. */
   const size_t length = strlen(string);
   const size_t copied = length < size_B ? length : size_B - 1;
   memcpy(out, string, copied);
   out[copied] = '\0';
}

static void
set_u32(uint32_t *out, uint32_t value)
{
   if (out)
      *out = value;
}

/* "If queryId does not reference a valid query type, an INVALID_VALUE error
 * is generated."  Returns the set and, in index_out, its index.
 */
static const struct pitot_counter_set *
check_query_id(const struct pitot_gl_call *call, uint32_t query_id,
               unsigned *index_out)
{
   struct pitot_context *core = call->gl->core;

   if (query_id == 0 || query_id > pitot_set_count(core)) {
      pitot_gl_error(call, GL_INVALID_VALUE, "queryId");
      return NULL;
   }
   *index_out = query_id - 1;
   return pitot_set(core, *index_out);
}

/* "If queryId pointer is equal to 0, INVALID_VALUE error is generated." */
static bool
check_pointer(const struct pitot_gl_call *call, const void *pointer)
{
   return pointer ||
          pitot_gl_error(call, GL_INVALID_VALUE, "a pointer is NULL");
}

/* Tells who listens, once, that there are more counters to be had. */
static void
tell_hidden(struct pitot_gl *gl)
{
   if (gl->has_looked_for_hidden || !pitot_gl_somebody_listens(gl))
      return;
   gl->has_looked_for_hidden = true;

   const char *advice = pitot_sets_hidden(gl->core);
   if (advice)
      gl->host_ops->performance(gl->host, advice);
}

void
pitot_gl_get_first_perf_query_id(struct pitot_gl *gl, uint32_t *query_id)
{
   const struct pitot_gl_call call = { gl, "glGetFirstPerfQueryIdINTEL" };

   pitot_gl_trace(gl, "glGetFirstPerfQueryIdINTEL");
   if (!check_pointer(&call, query_id))
      return;
   tell_hidden(gl);

   /* "If the given hardware platform doesn't support any performance queries,
    * then the value of 0 is returned and INVALID_OPERATION error is raised."
    */
   *query_id = pitot_set_count(gl->core) ? 1 : 0;
   if (!*query_id)
      pitot_gl_error(&call, GL_INVALID_OPERATION, "there is none");
}

void
pitot_gl_get_next_perf_query_id(struct pitot_gl *gl, uint32_t query_id,
                                uint32_t *next_query_id)
{
   const struct pitot_gl_call call = { gl, "glGetNextPerfQueryIdINTEL" };
   unsigned index;

   pitot_gl_trace(gl, "glGetNextPerfQueryIdINTEL queryId=%u", query_id);
   if (!check_pointer(&call, next_query_id))
      return;

   /* "If query identified by queryId is the last query available the value of
    * 0 is returned. [...] Whenever error is generated, the value of 0 is
    * returned."
    */
   *next_query_id = 0;
   if (check_query_id(&call, query_id, &index) &&
       query_id < pitot_set_count(gl->core))
      *next_query_id = query_id + 1;
}

void
pitot_gl_get_perf_query_id_by_name(struct pitot_gl *gl, const char *name,
                                   uint32_t *query_id)
{
   const struct pitot_gl_call call = { gl, "glGetPerfQueryIdByNameINTEL" };

   pitot_gl_trace(gl, "glGetPerfQueryIdByNameINTEL \"%s\"", name ? name : "");
   if (!check_pointer(&call, query_id))
      return;
   *query_id = 0;
   if (!check_pointer(&call, name))
      return;
   tell_hidden(gl);

   const unsigned count = pitot_set_count(gl->core);
   for (unsigned i = 0; i < count && !*query_id; i++) {
      if (strcmp(pitot_set(gl->core, i)->name, name) == 0)
         *query_id = i + 1;
   }

   /* "If queryName does not reference a valid query name, an INVALID_VALUE
    * error is generated."
    */
   if (!*query_id)
      pitot_gl_error(&call, GL_INVALID_VALUE, "queryName");
}

void
pitot_gl_get_perf_query_info(struct pitot_gl *gl, uint32_t query_id,
                             uint32_t name_size, char *name,
                             uint32_t *data_size, uint32_t *counter_count,
                             uint32_t *instance_count, uint32_t *caps_mask)
{
   const struct pitot_gl_call call = { gl, "glGetPerfQueryInfoINTEL" };
   unsigned index;

   pitot_gl_trace(gl, "glGetPerfQueryInfoINTEL queryId=%u", query_id);
   const struct pitot_counter_set *set =
      check_query_id(&call, query_id, &index);
   if (!set)
      return;

   copy_string(name, name_size, set->name);
   set_u32(data_size, set->record_B);
   set_u32(counter_count, set->counter_count);
   set_u32(instance_count, pitot_set_session_count(gl->core, index));
   set_u32(caps_mask, set->is_global ? GL_PERFQUERY_GLOBAL_CONTEXT_INTEL
                                     : GL_PERFQUERY_SINGLE_CONTEXT_INTEL);
}

static GLenum
gl_counter_type(enum pitot_counter_type type)
{
   static const GLenum types[] = {
      [PITOT_COUNTER_EVENT] = GL_PERFQUERY_COUNTER_EVENT_INTEL,
      [PITOT_COUNTER_DURATION_NORM] =
         GL_PERFQUERY_COUNTER_DURATION_NORM_INTEL,
      [PITOT_COUNTER_DURATION_RAW] = GL_PERFQUERY_COUNTER_DURATION_RAW_INTEL,
      [PITOT_COUNTER_THROUGHPUT] = GL_PERFQUERY_COUNTER_THROUGHPUT_INTEL,
      [PITOT_COUNTER_RAW] = GL_PERFQUERY_COUNTER_RAW_INTEL,
      [PITOT_COUNTER_TIMESTAMP] = GL_PERFQUERY_COUNTER_TIMESTAMP_INTEL,
   };

   return types[type];
}

static GLenum
gl_data_type(enum pitot_data_type type)
{
   static const GLenum types[] = {
      [PITOT_DATA_BOOL32] = GL_PERFQUERY_COUNTER_DATA_BOOL32_INTEL,
      [PITOT_DATA_UINT32] = GL_PERFQUERY_COUNTER_DATA_UINT32_INTEL,
      [PITOT_DATA_UINT64] = GL_PERFQUERY_COUNTER_DATA_UINT64_INTEL,
      [PITOT_DATA_FLOAT] = GL_PERFQUERY_COUNTER_DATA_FLOAT_INTEL,
      [PITOT_DATA_DOUBLE] = GL_PERFQUERY_COUNTER_DATA_DOUBLE_INTEL,
   };

   return types[type];
}

void
pitot_gl_get_perf_counter_info(struct pitot_gl *gl, uint32_t query_id,
                               uint32_t counter_id, uint32_t name_size,
                               char *name, uint32_t description_size,
                               char *description, uint32_t *offset,
                               uint32_t *data_size, uint32_t *type,
                               uint32_t *data_type, uint64_t *raw_max)
{
   const struct pitot_gl_call call = { gl, "glGetPerfCounterInfoINTEL" };
   unsigned index;

   pitot_gl_trace(gl, "glGetPerfCounterInfoINTEL queryId=%u counterId=%u",
                  query_id, counter_id);
   const struct pitot_counter_set *set =
      check_query_id(&call, query_id, &index);
   if (!set)
      return;

   /* "If the pair of queryId and counterId does not reference a valid
    * counter, an INVALID_VALUE error is generated."  Ids start with 1.
    */
   if (counter_id == 0 || counter_id > set->counter_count) {
      pitot_gl_error(&call, GL_INVALID_VALUE, "counterId");
      return;
   }

   const struct pitot_counter_info *counter = &set->counters[counter_id - 1];
   copy_string(name, name_size, counter->name);
   copy_string(description, description_size, counter->description);
   set_u32(offset, counter->offset_B);
   set_u32(data_size, counter->size_B);
   set_u32(type, gl_counter_type(counter->type));
   set_u32(data_type, gl_data_type(counter->data_type));
   if (raw_max)
      *raw_max = counter->raw_max;
}

void
pitot_gl_create_perf_query(struct pitot_gl *gl, uint32_t query_id,
                           uint32_t *handle)
{
   const struct pitot_gl_call call = { gl, "glCreatePerfQueryINTEL" };
   unsigned index;

   pitot_gl_trace(gl, "glCreatePerfQueryINTEL queryId=%u", query_id);
   if (!check_pointer(&call, handle))
      return;

   /* "[...] an OUT_OF_MEMORY error is generated, and the location pointed by
    * queryHandle returns NULL."
    */
   *handle = 0;
   if (check_query_id(&call, query_id, &index))
      pitot_gl_check_result(&call,
                            pitot_session_create(gl->core, index, handle));
}
