/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "script_null.h"
#include "test.h"

static struct host *
host_of(void *gl)
{
   return gl;
}

static void
gen(void *gl, int n, uint32_t *ids)
{
   pitot_gl_gen_queries(host_of(gl)->gl, n, ids);
}

static void
create(void *gl, unsigned target, int n, uint32_t *ids)
{
   pitot_gl_create_queries(host_of(gl)->gl, target, n, ids);
}

static void
delete_ids(void *gl, int n, const uint32_t *ids)
{
   pitot_gl_delete_queries(host_of(gl)->gl, n, ids);
}

static bool
is(void *gl, uint32_t id)
{
   return pitot_gl_is_query(host_of(gl)->gl, id);
}

static void
begin(void *gl, unsigned target, int index, uint32_t id)
{
   pitot_gl_begin_query(host_of(gl)->gl, "glBeginQuery", target,
                        index < 0 ? 0 : index, id);
}

static void
end(void *gl, unsigned target, int index)
{
   pitot_gl_end_query(host_of(gl)->gl, "glEndQuery", target,
                      index < 0 ? 0 : index);
}

static void
counter(void *gl, uint32_t id, unsigned target)
{
   pitot_gl_query_counter(host_of(gl)->gl, id, target);
}

static void
query(void *gl, unsigned target, int index, unsigned pname, int32_t *params)
{
   pitot_gl_get_query(host_of(gl)->gl, "glGetQueryiv", target,
                      index < 0 ? 0 : index, pname, params);
}

static void
get(void *gl, uint32_t id, unsigned pname, enum pitot_type type, void *params)
{
   struct host *host = host_of(gl);

   if (!pitot_gl_get_known(host->gl, id, pname, type, params))
      pitot_gl_get_query_object(host->gl, "glGetQueryObject", id, pname, type,
                                params);
}

static void
put(void *gl, uint32_t id, int buffer, unsigned pname, enum pitot_type type,
    int64_t offset)
{
   pitot_gl_get_query_buffer_object(host_of(gl)->gl, "glGetQueryBufferObject",
                                    id,
                                    buffer < 0 ? HOST_BUFFER_NAME : buffer,
                                    pname, type, offset);
}

static void
bind(void *gl, bool is_bound)
{
   host_of(gl)->bound = is_bound ? gl : NULL;
}

static void
map(void *gl, bool is_mapped)
{
   host_of(gl)->is_mapped = is_mapped;
}

static void
read_buffer(void *gl, unsigned offset_B, unsigned size_B, void *data_out)
{
   memcpy(data_out, host_of(gl)->buffer + offset_B, size_B);
}

static void
condition(void *gl, uint32_t id, unsigned mode)
{
   pitot_gl_begin_conditional_render(host_of(gl)->gl, id, mode);
}

static void
endcondition(void *gl)
{
   pitot_gl_end_conditional_render(host_of(gl)->gl);
}

static bool
draw(void *gl)
{
   return pitot_gl_condition_passes(host_of(gl)->gl);
}

/* By the driver itself, which counts nothing of its own. */
static void
clear(void *gl)
{
   (void)gl;
}

static void
count(void *gl, const char *target, uint64_t amount)
{
   static const struct {
      const char *target;
      enum pitot_kind kind;
   } counted[] = {
      { "SAMPLES_PASSED", PITOT_KIND_SAMPLES_PASSED },
      { "ANY_SAMPLES_PASSED", PITOT_KIND_ANY_SAMPLES_PASSED },
      { "PRIMITIVES_GENERATED", PITOT_KIND_PRIMITIVES_GENERATED },
      { "TRANSFORM_FEEDBACK_OVERFLOW", PITOT_KIND_ANY_STREAM_OVERFLOW },
      { "Vertices_Submitted", PITOT_KIND_VERTICES_SUBMITTED },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(counted); i++) {
      if (strcmp(counted[i].target, target) == 0) {
         host_of(gl)->null.counters[counted[i].kind][0] += amount;
         return;
      }
   }
   fail_msg("nothing counts %s", target);
}

static uint64_t
now(void *gl)
{
   return pitot_gl_timestamp(host_of(gl)->gl);
}

static uint64_t
disjoint(void *gl, enum script_getter getter)
{
   (void)getter;
   return pitot_gl_gpu_disjoint(host_of(gl)->gl);
}

static void
suspend(void *gl)
{
   (void)gl;
   host_suspend();
}

static void
immediate(void *gl, unsigned count)
{
   host_of(gl)->held_back += count;
}

static void
flush(void *gl)
{
   pitot_null_flush(&host_of(gl)->null);
}

static void
finish(void *gl)
{
   flush(gl);
   host_of(gl)->null.done = UINT64_MAX;
}

static uint64_t
flushed(void *gl)
{
   return host_of(gl)->null.flushes;
}

static uint64_t
waited(void *gl)
{
   return host_of(gl)->null.waits;
}

static void
fail_next(void *gl, const char *call, unsigned nth)
{
   static const char *const calls[] = {
      [PITOT_NULL_CREATE] = "create",
      [PITOT_NULL_BEGIN] = "begin",
      [PITOT_NULL_END] = "end",
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(calls); i++) {
      if (strcmp(calls[i], call) == 0)
         host_of(gl)->null.fail[i] = nth;
   }
   if (strcmp(call, "memory") == 0)
      host_fail_memory(nth);
}

static void
control(void *gl, const char *what, const char *argument)
{
   struct pitot_null *null = &host_of(gl)->null;

   if (strcmp(what, "time") == 0)
      null->time_ns = strtoull(argument, NULL, 10);
   else if (strcmp(what, "hold") == 0)
      null->done = null->issued;
   else if (strcmp(what, "release") == 0)
      null->done = UINT64_MAX;
   else if (strcmp(what, "lose") == 0)
      null->is_lost = true;
   else
      host_take_sets(host_of(gl));
}

static unsigned
take_error(void *gl)
{
   return host_take_error(gl);
}

static const char *
error_message(void *gl)
{
   return host_of(gl)->message;
}

const struct script_ops script_null_ops = {
   .gen = gen,
   .create = create,
   .delete_ids = delete_ids,
   .is = is,
   .begin = begin,
   .end = end,
   .counter = counter,
   .query = query,
   .get = get,
   .put = put,
   .bind = bind,
   .map = map,
   .read_buffer = read_buffer,
   .condition = condition,
   .endcondition = endcondition,
   .draw = draw,
   .clear = clear,
   .count = count,
   .now = now,
   .disjoint = disjoint,
   .suspend = suspend,
   .immediate = immediate,
   .flush = flush,
   .finish = finish,
   .perf = &script_null_perf_ops,
   .flushed = flushed,
   .waited = waited,
   .fail_next = fail_next,
   .control = control,
   .take_error = take_error,
   .error_message = error_message,
};
