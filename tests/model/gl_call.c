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

/* Of the current call. */
static struct gl_context *context;

static void
make_buffers(void)
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
static uint32_t
buffer_name(unsigned buffer)
{
   make_buffers();
   return buffer == 0              ? 0
          : buffer <= BUFFER_COUNT ? context->buffers[buffer - 1]
                                   : 987654;
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

         gl.GetQueryObjectuiv(name, GL_QUERY_RESULT_AVAILABLE, &is_available);
         if (is_available)
            return is_available;
      }
      idle_looks = threads_others_sleep() ? idle_looks + 1 : 0;
   }
   return 0;
}

static void
draw(unsigned scene, unsigned color, struct outcome *outcome)
{
   (void)outcome;
   gl_scene_draw(&context->scenes, scene, color);
}

static uint64_t
read_pixel(void)
{
   uint8_t pixel[4] = { 0 };

   glReadPixels(3, 3, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   return (pixel[0] / 17) << 8 | (pixel[1] / 17) << 4 | pixel[2] / 17;
}

static void
call_other(const struct call *call, struct outcome *outcome)
{
   const unsigned buffer = call->arguments[0];

   if (call->op == OP_BIND)
      glBindBuffer(GL_QUERY_BUFFER, buffer_name(buffer));
   else if (call->op >= OP_BIND && call->op <= OP_READ)
      glBindBuffer(GL_COPY_READ_BUFFER, buffer_name(buffer));
   switch (call->op) {
   case OP_MAP:
      glMapBufferRange(GL_COPY_READ_BUFFER, 0, 4, GL_MAP_READ_BIT);
      break;
   case OP_UNMAP:
      glUnmapBuffer(GL_COPY_READ_BUFFER);
      break;
   case OP_READ:
      glGetBufferSubData(GL_COPY_READ_BUFFER, 0,
                         buffer == 1 ? BUFFER_SIZE_B : SMALL_SIZE_B,
                         outcome->bytes);
      break;
   case OP_PIXEL:
      outcome->value = read_pixel();
      break;
   default:
      break;
   }
}

void
gl_call(struct gl_context *called, const struct features *features,
        const struct call *call, const struct variables *variables,
        struct outcome *outcome)
{
   static const struct caller caller = {
      .gl = &gl,
      .buffer_name = buffer_name,
      .draw = draw,
      .poll = poll,
      .other = call_other,
   };

   context = called;
   execute_call(&caller, features, call, variables, outcome);
}

void
gl_clean(struct gl_context *cleaned, const struct features *features,
         const struct leftover *leftover)
{
   context = cleaned;
   if (leftover->has_condition)
      gl.EndConditionalRender();
   for (unsigned i = 0; i < leftover->active_count; i++)
      end_query(&gl, leftover->targets[i],
                features->has_indexed ? leftover->indices[i] : -1);
   for (unsigned i = 0; i < BUFFER_COUNT; i++)
      if (leftover->is_mapped[i])
         call_other(&(struct call){ .op = OP_UNMAP, .arguments = { i + 1 } },
                    NULL);
   if (features->has_buffers)
      glBindBuffer(GL_QUERY_BUFFER, 0);
   gl.DeleteQueries(leftover->name_count, leftover->names);
   for (unsigned i = 0; i < leftover->handle_count; i++)
      gl.DeletePerfQuery(leftover->handles[i]);
   if (leftover->monitor_count)
      gl.DeletePerfMonitors(leftover->monitor_count,
                            (GLuint *)leftover->monitors);
   context->has_buffers = false;
}
