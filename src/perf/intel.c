/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The entry points of INTEL_performance_query.  Its query type is a perf set,
 * its query instance a perf query.  Ids of sets and counters are indices + 1.
 *
 * A read that writes no record sets bytesWritten to 0, and applications poll
 * until it is not 0: so a lost measurement still writes a record.
 */

#include <assert.h>
#include <errno.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "perf_priv.h"

static void
set_u32(uint32_t *out, uint32_t value)
{
   if (out)
      *out = value;
}

/* "If queryId does not reference a valid query type, an INVALID_VALUE error
 * is generated."
 */
static struct pitot_perf_set *
check_query_id(const struct pitot_gl_call *call,
               const struct pitot_perf_gl *perf_gl, uint32_t query_id)
{
   if (query_id == 0 || query_id > pitot_perf_set_count(perf_gl->perf)) {
      pitot_gl_error(call, GL_INVALID_VALUE, "queryId");
      return NULL;
   }
   return pitot_perf_get_set(perf_gl->perf, query_id - 1);
}

/* "If queryId pointer is equal to 0, INVALID_VALUE error is generated.", and
 * "If bytesWritten or data pointers are NULL then an INVALID_VALUE error is
 * generated."
 */
static bool
check_pointer(const struct pitot_gl_call *call, const void *pointer)
{
   return pointer ||
          pitot_gl_error(call, GL_INVALID_VALUE, "a pointer is NULL");
}

void
pitot_perf_intel_get_first_query_id(struct pitot_perf_gl *perf_gl,
                                    uint32_t *query_id)
{
   const struct pitot_gl_call call = { perf_gl->gl,
                                       "glGetFirstPerfQueryIdINTEL" };

   pitot_gl_trace(&call, "%s", "");
   if (!check_pointer(&call, query_id))
      return;
   pitot_perf_report_hidden(perf_gl);

   /* "If the given hardware platform doesn't support any performance queries,
    * then the value of 0 is returned and INVALID_OPERATION error is raised."
    */
   *query_id = pitot_perf_set_count(perf_gl->perf) ? 1 : 0;
   if (!*query_id)
      pitot_gl_error(&call, GL_INVALID_OPERATION, "no queries supported");
}

void
pitot_perf_intel_get_next_query_id(struct pitot_perf_gl *perf_gl,
                                   uint32_t query_id, uint32_t *next_query_id)
{
   const struct pitot_gl_call call = { perf_gl->gl,
                                       "glGetNextPerfQueryIdINTEL" };

   pitot_gl_trace(&call, " queryId=%u", query_id);
   if (!check_pointer(&call, next_query_id))
      return;

   /* "If query identified by queryId is the last query available the value of
    * 0 is returned. [...] Whenever error is generated, the value of 0 is
    * returned."
    */
   *next_query_id = 0;
   if (check_query_id(&call, perf_gl, query_id) &&
       query_id < pitot_perf_set_count(perf_gl->perf))
      *next_query_id = query_id + 1;
}

void
pitot_perf_intel_get_query_id_by_name(struct pitot_perf_gl *perf_gl,
                                      const char *name, uint32_t *query_id)
{
   const struct pitot_gl_call call = { perf_gl->gl,
                                       "glGetPerfQueryIdByNameINTEL" };

   pitot_gl_trace(&call, " \"%s\"", name ? name : "");
   if (!check_pointer(&call, query_id))
      return;
   *query_id = 0;
   if (!check_pointer(&call, name))
      return;
   pitot_perf_report_hidden(perf_gl);

   const unsigned count = pitot_perf_set_count(perf_gl->perf);
   for (unsigned i = 0; i < count && !*query_id; i++) {
      if (strcmp(pitot_perf_get_set(perf_gl->perf, i)->name, name) == 0)
         *query_id = i + 1;
   }

   /* "If queryName does not reference a valid query name, an INVALID_VALUE
    * error is generated."
    */
   if (!*query_id)
      pitot_gl_error(&call, GL_INVALID_VALUE, "queryName");
}

void
pitot_perf_intel_get_query_info(struct pitot_perf_gl *perf_gl,
                                uint32_t query_id, uint32_t name_size,
                                char *name, uint32_t *data_size,
                                uint32_t *counter_count,
                                uint32_t *instance_count, uint32_t *caps_mask)
{
   const struct pitot_gl_call call = { perf_gl->gl,
                                       "glGetPerfQueryInfoINTEL" };

   pitot_gl_trace(&call, " queryId=%u", query_id);
   const struct pitot_perf_set *set =
      check_query_id(&call, perf_gl, query_id);
   if (!set)
      return;

   pitot_perf_copy_string(name, name_size, set->name);
   set_u32(data_size, set->record_B);
   set_u32(counter_count, set->counter_count);
   set_u32(instance_count, set->query_count);
   set_u32(caps_mask, set->is_global ? GL_PERFQUERY_GLOBAL_CONTEXT_INTEL
                                     : GL_PERFQUERY_SINGLE_CONTEXT_INTEL);
}

/* enum pitot_perf_counter_type has the order of GL's types. */
static_assert(GL_PERFQUERY_COUNTER_EVENT_INTEL +
                    PITOT_PERF_COUNTER_TIMESTAMP ==
                 GL_PERFQUERY_COUNTER_TIMESTAMP_INTEL,
              "a counter type is missing");

static const GLenum data_types[] = {
   [PITOT_PERF_DATA_BOOL32] = GL_PERFQUERY_COUNTER_DATA_BOOL32_INTEL,
   [PITOT_PERF_DATA_UINT32] = GL_PERFQUERY_COUNTER_DATA_UINT32_INTEL,
   [PITOT_PERF_DATA_UINT64] = GL_PERFQUERY_COUNTER_DATA_UINT64_INTEL,
   [PITOT_PERF_DATA_FLOAT] = GL_PERFQUERY_COUNTER_DATA_FLOAT_INTEL,
   [PITOT_PERF_DATA_DOUBLE] = GL_PERFQUERY_COUNTER_DATA_DOUBLE_INTEL,
};

void
pitot_perf_intel_get_counter_info(struct pitot_perf_gl *perf_gl,
                                  uint32_t query_id, uint32_t counter_id,
                                  uint32_t name_size, char *name,
                                  uint32_t description_size,
                                  char *description, uint32_t *offset,
                                  uint32_t *data_size, uint32_t *type,
                                  uint32_t *data_type, uint64_t *raw_max)
{
   const struct pitot_gl_call call = { perf_gl->gl,
                                       "glGetPerfCounterInfoINTEL" };

   pitot_gl_trace(&call, " queryId=%u counterId=%u", query_id, counter_id);
   const struct pitot_perf_set *set =
      check_query_id(&call, perf_gl, query_id);
   if (!set)
      return;

   /* "If the pair of queryId and counterId does not reference a valid
    * counter, an INVALID_VALUE error is generated."  Ids start at 1.
    */
   if (counter_id == 0 || counter_id > set->counter_count) {
      pitot_gl_error(&call, GL_INVALID_VALUE, "counterId");
      return;
   }

   const struct pitot_perf_counter *counter = &set->counters[counter_id - 1];
   pitot_perf_copy_string(name, name_size, counter->name);
   pitot_perf_copy_string(description, description_size,
                          counter->description);
   set_u32(offset, counter->offset_B);
   set_u32(data_size, counter->size_B);
   set_u32(type, GL_PERFQUERY_COUNTER_EVENT_INTEL + counter->type);
   set_u32(data_type, data_types[counter->data_type]);
   if (raw_max)
      *raw_max = counter->raw_max;
}

void
pitot_perf_intel_create_query(struct pitot_perf_gl *perf_gl,
                              uint32_t query_id, uint32_t *handle)
{
   const struct pitot_gl_call call = { perf_gl->gl,
                                       "glCreatePerfQueryINTEL" };

   pitot_gl_trace(&call, " queryId=%u", query_id);
   if (!check_pointer(&call, handle))
      return;

   /* "[...] an OUT_OF_MEMORY error is generated, and the location pointed by
    * queryHandle returns NULL."
    */
   *handle = 0;
   struct pitot_perf_set *set = check_query_id(&call, perf_gl, query_id);
   if (!set)
      return;
   struct pitot_perf_query *query =
      pitot_perf_add(perf_gl->perf, &perf_gl->perf->handles, set, handle);
   if (!query) {
      pitot_gl_error_of_result(&call, -ENOMEM);
      return;
   }
   query->wants_fence = true;
   set->query_count++;
}

static struct pitot_perf_query *
find_query(const struct pitot_gl_call *call,
           const struct pitot_perf_gl *perf_gl, uint32_t handle)
{
   return pitot_perf_find(call, &perf_gl->perf->handles, "queryHandle",
                          handle);
}

void
pitot_perf_intel_delete_query(struct pitot_perf_gl *perf_gl, uint32_t handle)
{
   const struct pitot_gl_call call = { perf_gl->gl,
                                       "glDeletePerfQueryINTEL" };

   pitot_gl_trace(&call, " queryHandle=%u", handle);
   const struct pitot_perf_query *query = find_query(&call, perf_gl, handle);
   if (!query)
      return;
   query->set->query_count--;
   pitot_perf_remove(&perf_gl->perf->handles, handle);
}

void
pitot_perf_intel_begin_query(struct pitot_perf_gl *perf_gl, uint32_t handle)
{
   const struct pitot_gl_call call = { perf_gl->gl, "glBeginPerfQueryINTEL" };

   pitot_perf_begin(&call, &perf_gl->perf->handles, "queryHandle", handle);
}

void
pitot_perf_intel_end_query(struct pitot_perf_gl *perf_gl, uint32_t handle)
{
   const struct pitot_gl_call call = { perf_gl->gl, "glEndPerfQueryINTEL" };

   pitot_perf_end(&call, &perf_gl->perf->handles, "queryHandle", handle);
}

/* Checks whether a read can have a record, now or later.  The specification
 * has no rule for a dataSize that is too small: an error ends the polling of
 * its own example, where "not ready yet" never would.
 */
static bool
check_data(const struct pitot_gl_call *call,
           const struct pitot_perf_query *query, GLenum flags,
           int32_t data_size)
{
   if (flags != GL_PERFQUERY_DONOT_FLUSH_INTEL &&
       flags != GL_PERFQUERY_FLUSH_INTEL && flags != GL_PERFQUERY_WAIT_INTEL)
      return pitot_gl_error(call, GL_INVALID_VALUE, "flags");
   if (data_size < 0 || (uint32_t)data_size < query->set->record_B)
      return pitot_gl_error(call, GL_INVALID_VALUE, "dataSize is too small");
   if (query->state == PITOT_STATE_IDLE)
      return pitot_gl_error(call, GL_INVALID_OPERATION, "query never began");
   return query->state != PITOT_STATE_ACTIVE ||
          pitot_gl_error(call, GL_INVALID_OPERATION, "query is active");
}

void
pitot_perf_intel_get_query_data(struct pitot_perf_gl *perf_gl,
                                uint32_t handle, uint32_t flags,
                                int32_t data_size, void *data,
                                uint32_t *bytes_written)
{
   const struct pitot_gl_call call = { perf_gl->gl,
                                       "glGetPerfQueryDataINTEL" };

   pitot_gl_trace(&call, " queryHandle=%u flags=0x%04x", handle, flags);
   if (bytes_written)
      *bytes_written = 0;
   struct pitot_perf_query *query = find_query(&call, perf_gl, handle);
   if (!query || !check_pointer(&call, data) ||
       !check_pointer(&call, bytes_written) ||
       !check_data(&call, query, flags, data_size))
      return;
   if (flags == GL_PERFQUERY_WAIT_INTEL)
      pitot_perf_wait(&call, query, "performance query", handle,
                      query->set->name);
   if (!pitot_perf_query_resolve(query, flags == GL_PERFQUERY_FLUSH_INTEL
                                           ? PITOT_PERF_FLUSH
                                           : PITOT_PERF_DONT_FLUSH))
      return;

   /* A lost record is written, too (zeros): polls must come to an end. */
   memcpy(data, query->portions[0].record, query->set->record_B);
   *bytes_written = query->set->record_B;
   pitot_gl_trace(&call, " = %u bytes", query->set->record_B);
   if (query->is_lost)
      pitot_gl_error(&call, GL_INVALID_OPERATION, "the measurement is lost");
}
