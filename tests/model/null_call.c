/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include "call.h"
#include "fail_memory.h"
#include "gl/null_entry_points.h"
#include "null_host.h"
#include "null_scenes.h"

/* Many more polls than the null driver ever needs. */
#define MAX_POLLS 100

#define FAIL_MEMORY PITOT_NULL_CALL_COUNT

/* Of the current call. */
static struct null_host *host;

static void
draw(unsigned scene, unsigned color, struct outcome *outcome)
{
   const struct amount *amount = null_scenes[scene].amounts;
   uint64_t(*counters)[PITOT_MAX_STREAMS] = host->null.counters;

   (void)color;
   outcome->has_drawn = true;
   outcome->is_drawn = pitot_gl_condition_passes(host->gl);
   if (!outcome->is_drawn)
      return;
   for (; amount->highest; amount++) {
      if (amount->target == T_TIME_ELAPSED)
         host->null.time_ns += amount->highest;
      counters[amount->target][amount->index] += amount->highest;
      if (amount->target == T_SAMPLES_PASSED) {
         counters[T_ANY_SAMPLES_PASSED][0] += amount->highest;
         counters[T_ANY_SAMPLES_PASSED_CONSERVATIVE][0] += amount->highest;
      }
   }
}

static uint64_t
poll(uint32_t name)
{
   uint32_t is_available = 0;

   for (unsigned i = 0; i < MAX_POLLS && !is_available; i++)
      GetQueryObjectuiv(name, GL_QUERY_RESULT_AVAILABLE, &is_available);
   return is_available;
}

static uint32_t
buffer_name(unsigned buffer)
{
   return buffer;
}

static void
call_other(const struct call *call, struct outcome *outcome)
{
   const unsigned i = call->arguments[0];
   struct pitot_null *null = &host->null;
   struct null_buffer *buffer =
      call->op >= OP_BIND && call->op <= OP_READ && i ? &host->buffers[i - 1]
                                                      : NULL;

   switch (call->op) {
   case OP_BIND:
      host->bound = buffer;
      break;
   case OP_MAP:
   case OP_UNMAP:
      buffer->is_mapped = call->op == OP_MAP;
      break;
   case OP_READ:
      memcpy(outcome->bytes, buffer->bytes, BUFFER_SIZE_B);
      break;
   case OP_HOLD:
      null->done = null->issued;
      break;
   case OP_RELEASE:
      null->done = UINT64_MAX;
      break;
   case OP_LOSE:
      null->is_lost = true;
      break;
   default:
      if (i == FAIL_MEMORY)
         fail_memory = call->arguments[1];
      else
         null->fail[i] = call->arguments[1];
      break;
   }
}

void
null_call(struct null_host *called, const struct features *features,
          const struct call *call, const struct variables *variables,
          struct outcome *outcome)
{
   static const struct caller caller = {
      .gl = &null_entry_points,
      .buffer_name = buffer_name,
      .draw = draw,
      .poll = poll,
      .other = call_other,
   };

   host = called;
   null_perf = &host->perf;
   null_driver = &host->null;
   null_error = &host->error;
   execute_call(&caller, features, call, variables, outcome);
}
