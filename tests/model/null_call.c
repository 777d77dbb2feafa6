/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "fail_memory.h"
#include "null_host.h"
#include "null_scenes.h"

/* Many more polls than the null driver ever needs. */
#define MAX_POLLS 100

#define FAIL_MEMORY PITOT_NULL_CALL_COUNT

static void
draw(struct null_host *host, unsigned scene, struct outcome *outcome)
{
   const struct amount *amount = null_scenes[scene].amounts;

   outcome->has_drawn = true;
   outcome->is_drawn = pitot_gl_condition_passes(host->gl);
   if (!outcome->is_drawn)
      return;
   for (; amount->highest; amount++) {
      uint64_t(*counters)[PITOT_MAX_STREAMS] = host->null.counters;

      if (amount->target == T_TIME_ELAPSED)
         host->null.time_ns += amount->highest;
      counters[amount->target][amount->index] += amount->highest;
      if (amount->target == T_SAMPLES_PASSED) {
         counters[T_ANY_SAMPLES_PASSED][0] += amount->highest;
         counters[T_ANY_SAMPLES_PASSED_CONSERVATIVE][0] += amount->highest;
      }
   }
}

static void
get(struct null_host *host, uint32_t name, unsigned pname, enum type type,
    int64_t offset, struct outcome *outcome)
{
   uint64_t memory = UNTOUCHED;
   const bool is_bound = host->bound;

   pitot_gl_get_query_object(host->gl, name, pname_table[pname],
                             (enum pitot_type)type,
                             is_bound ? (void *)(intptr_t)offset : &memory);
   outcome->is_untouched = memory == UNTOUCHED;
   if (type <= TYPE_U32 && memory >> 32 != UNTOUCHED >> 32)
      outcome->trouble = "more than the type was written";
   outcome->value = type <= TYPE_U32 ? (uint32_t)memory : memory;
}

static uint64_t
poll(struct null_host *host, uint32_t name)
{
   uint32_t is_available = 0;

   for (unsigned i = 0; i < MAX_POLLS && !is_available; i++)
      pitot_gl_get_query_object(host->gl, name, GL_QUERY_RESULT_AVAILABLE,
                                PITOT_TYPE_U32, &is_available);
   return is_available;
}

static void
finish(struct null_host *host)
{
   pitot_null_flush(&host->null);
   host->null.done = UINT64_MAX;
   host->null.base.wait_count++;
}

static void
burst(struct null_host *host, const struct call *call,
      struct outcome *outcome)
{
   const unsigned target = target_table[call->arguments[0]].gl;
   const unsigned n = call->arguments[1];
   uint32_t names[n];

   memset(names, 0, sizeof(names)); /* out of memory: no names */
   pitot_gl_gen_queries(host->gl, n, names);
   for (unsigned i = 0; i < n; i++) {
      pitot_gl_begin_query(host->gl, "glBeginQuery", target, 0, names[i]);
      draw(host, call->arguments[2], outcome);
      pitot_gl_end_query(host->gl, "glEndQuery", target, 0);
   }
   finish(host);
   for (unsigned i = 0; i < n; i++) {
      uint32_t is_available = 0;

      pitot_gl_get_query_object(host->gl, names[i], GL_QUERY_RESULT_AVAILABLE,
                                PITOT_TYPE_U32, &is_available);
      outcome->value += is_available;
   }
   pitot_gl_delete_queries(host->gl, n, names);
}

static void
data(struct null_host *host, const struct call *call,
     const struct variables *variables, struct outcome *outcome)
{
   const unsigned set = variables->sets[call->arguments[0]];
   const int64_t how = call->arguments[2];
   uint32_t written_B = 0;
   int32_t size_B = host->record_B[set];

   size_B += how == 1 ? -1 : how == 4 ? 8 : 0;
   pitot_perf_intel_get_query_data(&host->perf,
                                   variables->handles[call->arguments[0]],
                                   flag_table[call->arguments[1]], size_B,
                                   how == 2 ? NULL : outcome->record,
                                   how == 3 ? NULL : &written_B);
   outcome->written_B = written_B;
}

static void
control(struct null_host *host, const struct call *call)
{
   struct pitot_null *null = &host->null;

   if (call->op == OP_HOLD)
      null->done = null->issued;
   else if (call->op == OP_RELEASE)
      null->done = UINT64_MAX;
   else if (call->op == OP_LOSE)
      null->is_lost = true;
   else if (call->arguments[0] == FAIL_MEMORY)
      fail_memory = call->arguments[1];
   else
      null->fail[call->arguments[0]] = call->arguments[1];
}

static void
call_perf(struct null_host *host, const struct call *call,
          const struct variables *variables, struct outcome *outcome)
{
   const uint32_t handle = variables->handles[call->arguments[0]];
   const unsigned set = call->arguments[1];

   switch (call->op) {
   case OP_PERF_QUERY:
      pitot_perf_intel_create_query(&host->perf,
                                    set < SET_COUNT ? host->set_ids[set]
                                                    : 99999,
                                    &outcome->names[0]);
      break;
   case OP_DROP:
      pitot_perf_intel_delete_query(&host->perf, handle);
      break;
   case OP_START:
      pitot_perf_intel_begin_query(&host->perf, handle);
      break;
   case OP_STOP:
      pitot_perf_intel_end_query(&host->perf, handle);
      break;
   default:
      data(host, call, variables, outcome);
      break;
   }
}

static void
query(struct null_host *host, const struct call *call,
      struct outcome *outcome)
{
   int32_t value = -1;

   pitot_gl_get_query(host->gl, "glGetQueryiv",
                      target_table[call->arguments[0]].gl,
                      index_or_0(call->arguments[1]),
                      pname_table[call->arguments[2]], &value);
   outcome->value = (uint32_t)value;
}

static void
call_object(struct null_host *host, const struct call *call,
            const struct variables *variables, struct outcome *outcome)
{
   const int64_t *a = call->arguments;
   const uint32_t *names = variables->names;
   struct pitot_gl *gl = host->gl;

   switch (call->op) {
   case OP_GEN:
      pitot_gl_gen_queries(gl, a[1], outcome->names);
      break;
   case OP_CREATE:
      pitot_gl_create_queries(gl, target_table[a[0]].gl, a[2],
                              outcome->names);
      break;
   case OP_DELETE:
      pitot_gl_delete_queries(gl, deleted_count(a), names + a[0]);
      break;
   case OP_IS:
      outcome->value = pitot_gl_is_query(gl, names[a[0]]);
      break;
   case OP_BEGIN:
      pitot_gl_begin_query(gl, "glBeginQuery", target_table[a[0]].gl,
                           index_or_0(a[1]), names[a[2]]);
      break;
   case OP_END:
      pitot_gl_end_query(gl, "glEndQuery", target_table[a[0]].gl,
                         index_or_0(a[1]));
      break;
   case OP_COUNTER:
      pitot_gl_query_counter(gl, names[a[0]], target_table[a[1]].gl);
      break;
   case OP_QUERY:
      query(host, call, outcome);
      break;
   case OP_GET:
      get(host, names[a[0]], a[1], a[2], a[3], outcome);
      break;
   case OP_PUT:
      pitot_gl_get_query_buffer_object(gl, names[a[0]], a[3],
                                       pname_table[a[1]],
                                       (enum pitot_type)a[2], a[4]);
      break;
   case OP_POLL:
      outcome->value = poll(host, names[a[0]]);
      break;
   case OP_CONDITION:
      pitot_gl_begin_conditional_render(gl, names[a[0]], mode_table[a[1]]);
      break;
   case OP_ENDCONDITION:
      pitot_gl_end_conditional_render(gl);
      break;
   default:
      break;
   }
}

static void
call_other(struct null_host *host, const struct call *call,
           struct outcome *outcome)
{
   const unsigned i = call->arguments[0];

   switch (call->op) {
   case OP_BIND:
      host->bound = i ? &host->buffers[i - 1] : NULL;
      break;
   case OP_MAP:
      host->buffers[i - 1].is_mapped = true;
      break;
   case OP_UNMAP:
      host->buffers[i - 1].is_mapped = false;
      break;
   case OP_READ:
      memcpy(outcome->bytes, host->buffers[i - 1].bytes, BUFFER_SIZE_B);
      break;
   case OP_DRAW:
      draw(host, i, outcome);
      break;
   case OP_BURST:
      burst(host, call, outcome);
      break;
   case OP_FLUSH:
      pitot_null_flush(&host->null);
      break;
   case OP_FINISH:
      finish(host);
      break;
   case OP_NOW:
      outcome->value = pitot_gl_timestamp(host->gl);
      break;
   case OP_DISJOINT:
      outcome->value = pitot_gl_gpu_disjoint(host->gl);
      break;
   default:
      control(host, call);
      break;
   }
}

void
null_call(struct null_host *host, const struct call *call,
          const struct variables *variables, struct outcome *outcome)
{
   if (call->op <= OP_POLL || call->op == OP_CONDITION ||
       call->op == OP_ENDCONDITION)
      call_object(host, call, variables, outcome);
   else if (call->op >= OP_PERF_QUERY && call->op <= OP_DATA)
      call_perf(host, call, variables, outcome);
   else if (call->op >= OP_MONITOR && call->op <= OP_ASK)
      null_call_monitor(host, call, variables, outcome);
   else
      call_other(host, call, outcome);
}
