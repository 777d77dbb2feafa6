/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "statement.h"
#include "targets.h"
#include "test.h"

#define TOKEN(NAME)                                                          \
   {                                                                         \
#NAME, GL_##NAME                                                       \
   }

#define TARGET_TOKEN(KIND, TARGET, ...) TOKEN(TARGET),

static const struct {
   const char *name;
   unsigned value;
} tokens[] = {
   /* Errors come first: token_error_name() returns the first name. */
   TOKEN(NO_ERROR),
   TOKEN(INVALID_ENUM),
   TOKEN(INVALID_VALUE),
   TOKEN(INVALID_OPERATION),
   TOKEN(OUT_OF_MEMORY),
   { "int", TOKEN_INT },
   { "uint", TOKEN_UINT },
   { "int64", TOKEN_INT64 },
   { "uint64", TOKEN_UINT64 },
   { "bool", TOKEN_BOOL },
   { "float", TOKEN_FLOAT },
   { "WAIT", GL_PERFQUERY_WAIT_INTEL },
   { "FLUSH", GL_PERFQUERY_FLUSH_INTEL },
   { "DONOT_FLUSH", GL_PERFQUERY_DONOT_FLUSH_INTEL },
   /* clang-format off */
   EACH_TARGET(TARGET_TOKEN)
   /* clang-format on */
   TOKEN(COUNTER_RANGE_AMD),
   TOKEN(COUNTER_TYPE_AMD),
   TOKEN(CURRENT_QUERY),
   TOKEN(PERFMON_RESULT_AMD),
   TOKEN(PERFMON_RESULT_AVAILABLE_AMD),
   TOKEN(PERFMON_RESULT_SIZE_AMD),
   TOKEN(PERFQUERY_COUNTER_DATA_BOOL32_INTEL),
   TOKEN(PERFQUERY_COUNTER_DATA_UINT64_INTEL),
   TOKEN(PERFQUERY_COUNTER_DURATION_RAW_INTEL),
   TOKEN(PERFQUERY_COUNTER_EVENT_INTEL),
   TOKEN(PERFQUERY_COUNTER_RAW_INTEL),
   TOKEN(PERFQUERY_COUNTER_TIMESTAMP_INTEL),
   TOKEN(PERFQUERY_GLOBAL_CONTEXT_INTEL),
   TOKEN(PERFQUERY_SINGLE_CONTEXT_INTEL),
   TOKEN(QUERY_BY_REGION_NO_WAIT),
   TOKEN(QUERY_BY_REGION_NO_WAIT_INVERTED),
   TOKEN(QUERY_BY_REGION_WAIT),
   TOKEN(QUERY_BY_REGION_WAIT_INVERTED),
   TOKEN(QUERY_COUNTER_BITS),
   TOKEN(QUERY_NO_WAIT),
   TOKEN(QUERY_NO_WAIT_INVERTED),
   TOKEN(QUERY_RESULT),
   TOKEN(QUERY_RESULT_AVAILABLE),
   TOKEN(QUERY_RESULT_NO_WAIT),
   TOKEN(QUERY_TARGET),
   TOKEN(QUERY_WAIT),
   TOKEN(QUERY_WAIT_INVERTED),
   TOKEN(TRIANGLES), /* not a target, pname or mode */
   TOKEN(UNSIGNED_INT),
   TOKEN(UNSIGNED_INT64_AMD),
};

unsigned
token_size_B(enum token_type type)
{
   static const unsigned sizes_B[] = {
      [TOKEN_INT] = 4,    [TOKEN_UINT] = 4, [TOKEN_INT64] = 8,
      [TOKEN_UINT64] = 8, [TOKEN_BOOL] = 1, [TOKEN_FLOAT] = 4,
   };

   return sizes_B[type];
}

bool
token_value(const char *name, unsigned *value_out)
{
   for (unsigned i = 0; i < ARRAY_LENGTH(tokens); i++) {
      if (strcmp(tokens[i].name, name) == 0) {
         *value_out = tokens[i].value;
         return true;
      }
   }
   return false;
}

const char *
token_error_name(unsigned error)
{
   for (unsigned i = 0; i < ARRAY_LENGTH(tokens); i++) {
      if (tokens[i].value == error)
         return tokens[i].name;
   }
   return "unknown error";
}
