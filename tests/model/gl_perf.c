/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include <epoxy/gl.h>

#include "gl_context.h"

/* The maximum size of a record. */
#define RECORD_B 4096

static void
data(const struct features *features, const struct call *call,
     const struct variables *variables, struct outcome *outcome)
{
   static uint8_t record[RECORD_B];
   const unsigned set = variables->sets[call->arguments[0]];
   const int64_t how = call->arguments[2];
   int32_t size_B = features->record_B[set];
   GLuint written_B = 0;

   size_B += how == 1 ? -1 : how == 4 ? 8 : 0;
   glGetPerfQueryDataINTEL(variables->handles[call->arguments[0]],
                           flag_table[call->arguments[1]], size_B,
                           how == 2 ? NULL : record,
                           how == 3 ? NULL : &written_B);
   outcome->written_B = written_B;
   for (unsigned i = 0; i < STATISTIC_COUNT && written_B; i++)
      memcpy(&outcome->record[i], record + gl_record_offsets[set][i], 8);
}

void
gl_call_perf(const struct features *features, const struct call *call,
             const struct variables *variables, struct outcome *outcome)
{
   const uint32_t handle = variables->handles[call->arguments[0]];
   const unsigned set = call->arguments[1];

   switch (call->op) {
   case OP_PERF_QUERY:
      glCreatePerfQueryINTEL(set < features->set_count ? gl_set_ids[set]
                                                       : 99999,
                             &outcome->names[0]);
      break;
   case OP_DROP:
      glDeletePerfQueryINTEL(handle);
      break;
   case OP_START:
      glBeginPerfQueryINTEL(handle);
      break;
   case OP_STOP:
      glEndPerfQueryINTEL(handle);
      break;
   default:
      data(features, call, variables, outcome);
      break;
   }
}
