/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>
#include <time.h>

#include <epoxy/gl.h>

#include "gl_context.h"
#include "threads.h"

/* A poll hangs after that time, if all other threads slept in that many
 * checks.  A busy machine does not matter.
 */
#define IDLE_LOOKS     20
#define POLLS_PER_LOOK 20000
#define POLLED_S       3

static const struct entry_points *const q = &gl.queries;

static void
make_buffers(struct gl_context *context)
{
   uint8_t bytes[BUFFER_SIZE_B];

   if (context->has_buffers)
      return;
   memset(bytes, UNTOUCHED_BYTE, sizeof(bytes));
   for (unsigned i = 0; i < BUFFER_COUNT; i++) {
      if (!context->buffers[i])
         glGenBuffers(1, &context->buffers[i]);
      glBindBuffer(GL_COPY_READ_BUFFER, context->buffers[i]);
      glBufferData(GL_COPY_READ_BUFFER, i ? SMALL_SIZE_B : BUFFER_SIZE_B,
                   bytes, GL_STREAM_COPY);
   }
   context->has_buffers = true;
}

/* An invalid buffer has a name that does not exist. */
static unsigned
buffer_name(const struct gl_context *context, unsigned buffer)
{
   return buffer == 0              ? 0
          : buffer <= BUFFER_COUNT ? context->buffers[buffer - 1]
                                   : 987654;
}

static void
get_object(uint32_t name, unsigned pname, enum type type, void *params)
{
   switch (type) {
   case TYPE_I32:
      q->GetQueryObjectiv(name, pname, params);
      break;
   case TYPE_U32: {
      /* In ES 3.0 without timers, the only entry point, without a suffix. */
      if (q->GetQueryObjectuiv)
         q->GetQueryObjectuiv(name, pname, params);
      else
         glGetQueryObjectuiv(name, pname, params);
      break;
   }
   case TYPE_I64:
      q->GetQueryObjecti64v(name, pname, params);
      break;
   default:
      q->GetQueryObjectui64v(name, pname, params);
      break;
   }
}

static void
get(const struct variables *variables, const int64_t *a,
    struct outcome *outcome)
{
   uint64_t memory = UNTOUCHED;

   get_object(variables->names[a[0]], pname_table[a[1]], a[2],
              variables->bound ? (void *)(intptr_t)a[3] : &memory);
   outcome->is_untouched = memory == UNTOUCHED;
   if (a[2] <= TYPE_U32 && memory >> 32 != UNTOUCHED >> 32)
      outcome->trouble = "more than the type was written";
   outcome->value = a[2] <= TYPE_U32 ? (uint32_t)memory : memory;
}

static void
put(const struct gl_context *context, const struct variables *variables,
    const int64_t *a)
{
   const uint32_t name = variables->names[a[0]];
   const unsigned buffer = buffer_name(context, a[3]);
   const unsigned pname = pname_table[a[1]];

   switch (a[2]) {
   case TYPE_I32:
      q->GetQueryBufferObjectiv(name, buffer, pname, a[4]);
      break;
   case TYPE_U32:
      q->GetQueryBufferObjectuiv(name, buffer, pname, a[4]);
      break;
   case TYPE_I64:
      q->GetQueryBufferObjecti64v(name, buffer, pname, a[4]);
      break;
   default:
      q->GetQueryBufferObjectui64v(name, buffer, pname, a[4]);
      break;
   }
}

static double
thread_s(void)
{
   struct timespec time;

   clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
   return time.tv_sec + time.tv_nsec * 1e-9;
}

static uint64_t
poll(uint32_t name)
{
   const double begin_s = thread_s();
   unsigned idle_looks = 0;

   while (idle_looks < IDLE_LOOKS || thread_s() - begin_s < POLLED_S) {
      for (unsigned i = 0; i < POLLS_PER_LOOK; i++) {
         GLuint is_available = 0;

         get_object(name, GL_QUERY_RESULT_AVAILABLE, TYPE_U32, &is_available);
         if (is_available)
            return is_available;
      }
      idle_looks = threads_others_sleep() ? idle_looks + 1 : 0;
   }
   return 0;
}

static void
begin(unsigned target, int64_t index, uint32_t name)
{
   if (index < 0)
      q->BeginQuery(target_table[target].gl, name);
   else
      q->BeginQueryIndexed(target_table[target].gl, index, name);
}

static void
end(unsigned target, int64_t index)
{
   if (index < 0)
      q->EndQuery(target_table[target].gl);
   else
      q->EndQueryIndexed(target_table[target].gl, index);
}

static uint64_t
query(const int64_t *a)
{
   GLint value = -1;

   if (a[1] < 0)
      q->GetQueryiv(target_table[a[0]].gl, pname_table[a[2]], &value);
   else
      q->GetQueryIndexediv(target_table[a[0]].gl, a[1], pname_table[a[2]],
                           &value);
   return (uint32_t)value;
}

static void
call_object(const struct gl_context *context, const struct call *call,
            const struct variables *variables, struct outcome *outcome)
{
   const int64_t *a = call->arguments;
   const uint32_t *names = variables->names;

   switch (call->op) {
   case OP_GEN:
      q->GenQueries(a[1], outcome->names);
      break;
   case OP_CREATE:
      q->CreateQueries(target_table[a[0]].gl, a[2], outcome->names);
      break;
   case OP_DELETE:
      q->DeleteQueries(deleted_count(a), names + a[0]);
      break;
   case OP_IS:
      outcome->value = q->IsQuery(names[a[0]]);
      break;
   case OP_BEGIN:
      begin(a[0], a[1], names[a[2]]);
      break;
   case OP_END:
      end(a[0], a[1]);
      break;
   case OP_COUNTER:
      q->QueryCounter(names[a[0]], target_table[a[1]].gl);
      break;
   case OP_QUERY:
      outcome->value = query(a);
      break;
   case OP_GET:
      get(variables, a, outcome);
      break;
   case OP_PUT:
      put(context, variables, a);
      break;
   case OP_POLL:
      outcome->value = poll(names[a[0]]);
      break;
   case OP_CONDITION:
      gl.BeginConditionalRender(names[a[0]], mode_table[a[1]]);
      break;
   default:
      gl.EndConditionalRender();
      break;
   }
}

static void
burst(const struct gl_context *context, const int64_t *a, unsigned color,
      struct outcome *outcome)
{
   const unsigned n = a[1];
   uint32_t names[n];

   q->GenQueries(n, names);
   for (unsigned i = 0; i < n; i++) {
      begin(a[0], -1, names[i]);
      gl_scene_draw(&context->scenes, a[2], color + i + 1);
      end(a[0], -1);
   }
   glFinish();
   for (unsigned i = 0; i < n; i++) {
      GLuint is_available = 0;

      get_object(names[i], GL_QUERY_RESULT_AVAILABLE, TYPE_U32,
                 &is_available);
      outcome->value += is_available;
   }
   q->DeleteQueries(n, names);
}

static void
read_buffer(const struct gl_context *context, unsigned buffer,
            struct outcome *outcome)
{
   glBindBuffer(GL_COPY_READ_BUFFER, buffer_name(context, buffer));
   glGetBufferSubData(GL_COPY_READ_BUFFER, 0,
                      buffer == 1 ? BUFFER_SIZE_B : SMALL_SIZE_B,
                      outcome->bytes);
}

static void
map(const struct gl_context *context, unsigned buffer)
{
   glBindBuffer(GL_COPY_READ_BUFFER, buffer_name(context, buffer));
   glMapBufferRange(GL_COPY_READ_BUFFER, 0, 4, GL_MAP_READ_BIT);
}

static void
unmap(const struct gl_context *context, unsigned buffer)
{
   glBindBuffer(GL_COPY_READ_BUFFER, buffer_name(context, buffer));
   glUnmapBuffer(GL_COPY_READ_BUFFER);
}

static uint64_t
read_pixel(void)
{
   uint8_t pixel[4] = { 0 };

   glReadPixels(3, 3, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   return (pixel[0] / 17) << 8 | (pixel[1] / 17) << 4 | pixel[2] / 17;
}

static uint64_t
read_time(void)
{
   GLint64 time = 0;

   q->GetInteger64v(GL_TIMESTAMP, &time);
   return time;
}

static uint64_t
read_disjoint(void)
{
   GLint is_disjoint = 0;

   glGetIntegerv(GL_GPU_DISJOINT_EXT, &is_disjoint);
   return is_disjoint;
}

static void
call_other(const struct gl_context *context, const struct call *call,
           const struct variables *variables, struct outcome *outcome)
{
   const unsigned i = call->arguments[0];

   switch (call->op) {
   case OP_BIND:
      glBindBuffer(GL_QUERY_BUFFER, buffer_name(context, i));
      break;
   case OP_MAP:
      map(context, i);
      break;
   case OP_UNMAP:
      unmap(context, i);
      break;
   case OP_READ:
      read_buffer(context, i, outcome);
      break;
   case OP_DRAW:
      gl_scene_draw(&context->scenes, i, variables->color + 1);
      break;
   case OP_BURST:
      burst(context, call->arguments, variables->color, outcome);
      break;
   case OP_PIXEL:
      outcome->value = read_pixel();
      break;
   case OP_FLUSH:
      glFlush();
      break;
   case OP_FINISH:
      glFinish();
      break;
   case OP_NOW:
      outcome->value = read_time();
      break;
   case OP_DISJOINT:
      outcome->value = read_disjoint();
      break;
   default:
      break;
   }
}

void
gl_call(struct gl_context *context, const struct features *features,
        const struct call *call, const struct variables *variables,
        struct outcome *outcome)
{
   if (call->op == OP_PUT || (call->op >= OP_BIND && call->op <= OP_READ))
      make_buffers(context);
   if (call->op <= OP_POLL || call->op == OP_CONDITION ||
       call->op == OP_ENDCONDITION)
      call_object(context, call, variables, outcome);
   else if (call->op >= OP_PERF_QUERY && call->op <= OP_DATA)
      gl_call_perf(features, call, variables, outcome);
   else if (call->op >= OP_MONITOR && call->op <= OP_ASK)
      gl_call_monitor(features, call, variables, outcome);
   else
      call_other(context, call, variables, outcome);
}

void
gl_clean(struct gl_context *context, const struct features *features,
         const struct leftover *leftover)
{
   if (leftover->has_condition)
      gl.EndConditionalRender();
   for (unsigned i = 0; i < leftover->active_count; i++)
      end(leftover->targets[i],
          features->has_indexed ? leftover->indices[i] : -1);
   for (unsigned i = 0; i < BUFFER_COUNT; i++)
      if (leftover->is_mapped[i])
         unmap(context, i + 1);
   if (features->has_buffers)
      glBindBuffer(GL_QUERY_BUFFER, 0);
   q->DeleteQueries(leftover->name_count, leftover->names);
   for (unsigned i = 0; i < leftover->handle_count; i++)
      glDeletePerfQueryINTEL(leftover->handles[i]);
   if (leftover->monitor_count)
      glDeletePerfMonitorsAMD(leftover->monitor_count,
                              (GLuint *)leftover->monitors);
   context->has_buffers = false;
}
