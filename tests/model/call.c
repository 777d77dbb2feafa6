/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Calls by a world's entry points. */

#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "call.h"

/* The id of no perf set. */
#define NO_SET 99999

/* The maximum size of a record. */
#define RECORD_B 4096

#ifndef GL_GPU_DISJOINT_EXT
#define GL_GPU_DISJOINT_EXT 0x8FBB
#endif

static void
get_object(const struct entry_points *gl, uint32_t name, unsigned pname,
           enum type type, void *params)
{
   switch (type) {
   case TYPE_I32:
      gl->GetQueryObjectiv(name, pname, params);
      break;
   case TYPE_U32:
      gl->GetQueryObjectuiv(name, pname, params);
      break;
   case TYPE_I64:
      gl->GetQueryObjecti64v(name, pname, params);
      break;
   default:
      gl->GetQueryObjectui64v(name, pname, params);
      break;
   }
}

static void
get(const struct entry_points *gl, const struct variables *variables,
    const int64_t *a, struct outcome *outcome)
{
   uint64_t memory = UNTOUCHED;

   get_object(gl, variables->names[a[0]], pname_table[a[1]], a[2],
              variables->bound ? (void *)(intptr_t)a[3] : &memory);
   outcome->is_untouched = memory == UNTOUCHED;
   if (a[2] <= TYPE_U32 && memory >> 32 != UNTOUCHED >> 32)
      outcome->trouble = "more than the type was written";
   outcome->value = a[2] <= TYPE_U32 ? (uint32_t)memory : memory;
}

static void
put(const struct caller *caller, const struct variables *variables,
    const int64_t *a)
{
   const struct entry_points *gl = caller->gl;
   const uint32_t name = variables->names[a[0]];
   const uint32_t buffer = caller->buffer_name(a[3]);
   const unsigned pname = pname_table[a[1]];

   switch (a[2]) {
   case TYPE_I32:
      gl->GetQueryBufferObjectiv(name, buffer, pname, a[4]);
      break;
   case TYPE_U32:
      gl->GetQueryBufferObjectuiv(name, buffer, pname, a[4]);
      break;
   case TYPE_I64:
      gl->GetQueryBufferObjecti64v(name, buffer, pname, a[4]);
      break;
   default:
      gl->GetQueryBufferObjectui64v(name, buffer, pname, a[4]);
      break;
   }
}

static void
begin(const struct entry_points *gl, unsigned target, int64_t index,
      uint32_t name)
{
   if (index < 0)
      gl->BeginQuery(target_table[target].gl, name);
   else
      gl->BeginQueryIndexed(target_table[target].gl, index, name);
}

void
end_query(const struct entry_points *gl, unsigned target, int64_t index)
{
   if (index < 0)
      gl->EndQuery(target_table[target].gl);
   else
      gl->EndQueryIndexed(target_table[target].gl, index);
}

static uint64_t
query(const struct entry_points *gl, const int64_t *a)
{
   int32_t value = -1;

   if (a[1] < 0)
      gl->GetQueryiv(target_table[a[0]].gl, pname_table[a[2]], &value);
   else
      gl->GetQueryIndexediv(target_table[a[0]].gl, a[1], pname_table[a[2]],
                            &value);
   return (uint32_t)value;
}

static void
call_object(const struct caller *caller, const struct call *call,
            const struct variables *variables, struct outcome *outcome)
{
   const struct entry_points *gl = caller->gl;
   const int64_t *a = call->arguments;
   const uint32_t *names = variables->names;

   switch (call->op) {
   case OP_GEN:
      gl->GenQueries(a[1], outcome->names);
      break;
   case OP_CREATE:
      gl->CreateQueries(target_table[a[0]].gl, a[2], outcome->names);
      break;
   case OP_DELETE:
      gl->DeleteQueries(deleted_count(a), names + a[0]);
      break;
   case OP_IS:
      outcome->value = gl->IsQuery(names[a[0]]);
      break;
   case OP_BEGIN:
      begin(gl, a[0], a[1], names[a[2]]);
      break;
   case OP_END:
      end_query(gl, a[0], a[1]);
      break;
   case OP_COUNTER:
      gl->QueryCounter(names[a[0]], target_table[a[1]].gl);
      break;
   case OP_QUERY:
      outcome->value = query(gl, a);
      break;
   case OP_GET:
      get(gl, variables, a, outcome);
      break;
   case OP_PUT:
      put(caller, variables, a);
      break;
   case OP_POLL:
      outcome->value = caller->poll(names[a[0]]);
      break;
   case OP_CONDITION:
      gl->BeginConditionalRender(names[a[0]], mode_table[a[1]]);
      break;
   default:
      gl->EndConditionalRender();
      break;
   }
}

static void
data(const struct entry_points *gl, const struct features *features,
     const struct call *call, const struct variables *variables,
     struct outcome *outcome)
{
   uint8_t record[RECORD_B] = { 0 };
   const unsigned set = variables->sets[call->arguments[0]];
   const int64_t how = call->arguments[2];
   int32_t size_B = features->record_B[set];

   size_B += how == 1 ? -1 : how == 4 ? 8 : 0;
   gl->GetPerfQueryData(variables->handles[call->arguments[0]],
                        flag_table[call->arguments[1]], size_B,
                        how == 2 ? NULL : record,
                        how == 3 ? NULL : &outcome->written_B);
   for (unsigned i = 0; i < STATISTIC_COUNT && outcome->written_B; i++)
      memcpy(&outcome->record[i], record + features->record_offsets[set][i],
             8);
}

static void
call_perf(const struct entry_points *gl, const struct features *features,
          const struct call *call, const struct variables *variables,
          struct outcome *outcome)
{
   const uint32_t handle = variables->handles[call->arguments[0]];
   const unsigned set = call->arguments[1];

   switch (call->op) {
   case OP_PERF_QUERY:
      gl->CreatePerfQuery(set < features->set_count ? features->set_ids[set]
                                                    : NO_SET,
                          &outcome->names[0]);
      break;
   case OP_DROP:
      gl->DeletePerfQuery(handle);
      break;
   case OP_START:
      gl->BeginPerfQuery(handle);
      break;
   case OP_STOP:
      gl->EndPerfQuery(handle);
      break;
   default:
      data(gl, features, call, variables, outcome);
      break;
   }
}

static void
burst(const struct caller *caller, const int64_t *a, unsigned color,
      struct outcome *outcome)
{
   const struct entry_points *gl = caller->gl;
   const unsigned n = a[1];
   uint32_t names[n];

   memset(names, 0, sizeof(names)); /* out of memory: no names */
   gl->GenQueries(n, names);
   for (unsigned i = 0; i < n; i++) {
      begin(gl, a[0], -1, names[i]);
      caller->draw(a[2], color + i + 1, outcome);
      end_query(gl, a[0], -1);
   }
   gl->Finish();
   for (unsigned i = 0; i < n; i++) {
      uint32_t is_available = 0;

      gl->GetQueryObjectuiv(names[i], GL_QUERY_RESULT_AVAILABLE,
                            &is_available);
      outcome->value += is_available;
   }
   gl->DeleteQueries(n, names);
}

static void
call_other(const struct caller *caller, const struct call *call,
           const struct variables *variables, struct outcome *outcome)
{
   const struct entry_points *gl = caller->gl;
   int32_t is_disjoint = 0;

   switch (call->op) {
   case OP_DRAW:
      caller->draw(call->arguments[0], variables->color + 1, outcome);
      break;
   case OP_BURST:
      burst(caller, call->arguments, variables->color, outcome);
      break;
   case OP_FLUSH:
      gl->Flush();
      break;
   case OP_FINISH:
      gl->Finish();
      break;
   case OP_NOW:
      gl->GetInteger64v(GL_TIMESTAMP, (int64_t *)&outcome->value);
      break;
   case OP_DISJOINT:
      gl->GetIntegerv(GL_GPU_DISJOINT_EXT, &is_disjoint);
      outcome->value = is_disjoint;
      break;
   default:
      caller->other(call, outcome);
      break;
   }
}

void
execute_call(const struct caller *caller, const struct features *features,
             const struct call *call, const struct variables *variables,
             struct outcome *outcome)
{
   if (call->op <= OP_POLL || call->op == OP_CONDITION ||
       call->op == OP_ENDCONDITION)
      call_object(caller, call, variables, outcome);
   else if (call->op >= OP_PERF_QUERY && call->op <= OP_DATA)
      call_perf(caller->gl, features, call, variables, outcome);
   else if (call->op >= OP_MONITOR && call->op <= OP_ASK)
      call_monitor(caller->gl, features, call, variables, outcome);
   else
      call_other(caller, call, variables, outcome);
}
