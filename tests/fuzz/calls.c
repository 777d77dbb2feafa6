/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "calls.h"

unsigned
fuzz_calls_enum(struct fuzz_calls *f)
{
   static const unsigned enums[] = {
      GL_SAMPLES_PASSED,
      GL_ANY_SAMPLES_PASSED,
      GL_ANY_SAMPLES_PASSED_CONSERVATIVE,
      GL_PRIMITIVES_GENERATED,
      GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN,
      GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW,
      GL_TRANSFORM_FEEDBACK_OVERFLOW,
      GL_TIME_ELAPSED,
      GL_TIMESTAMP,
      GL_VERTICES_SUBMITTED,
      GL_TESS_CONTROL_SHADER_PATCHES,
      GL_GEOMETRY_SHADER_INVOCATIONS,
      GL_COMPUTE_SHADER_INVOCATIONS,
      GL_CLIPPING_INPUT_PRIMITIVES,
      GL_QUERY_RESULT,
      GL_QUERY_RESULT_AVAILABLE,
      GL_QUERY_RESULT_NO_WAIT,
      GL_QUERY_TARGET,
      GL_CURRENT_QUERY,
      GL_QUERY_COUNTER_BITS,
      GL_QUERY_WAIT,
      GL_QUERY_NO_WAIT,
      GL_QUERY_BY_REGION_WAIT,
      GL_QUERY_BY_REGION_NO_WAIT_INVERTED,
      GL_PERFQUERY_WAIT_INTEL,
      GL_PERFQUERY_FLUSH_INTEL,
      GL_PERFQUERY_DONOT_FLUSH_INTEL,
   };
   const uint8_t byte = fuzz_u8(f->input);

   return byte < ARRAY_LENGTH(enums) ? enums[byte] : fuzz_u32(f->input);
}

uint32_t
fuzz_calls_number(struct fuzz_calls *f)
{
   const uint8_t byte = fuzz_u8(f->input);

   return byte < 250 ? byte : fuzz_u32(f->input);
}

uint32_t
fuzz_calls_name(struct fuzz_calls *f, const uint32_t *given)
{
   const uint8_t byte = fuzz_u8(f->input);

   return byte < 2 * FUZZ_CALLS_MAX_NAMES ? given[byte % FUZZ_CALLS_MAX_NAMES]
                                          : fuzz_calls_number(f);
}

void *
fuzz_calls_new_answer(struct fuzz_calls *f, size_t size_B)
{
   void *answer = fuzz_below(f->input, 8) == 0 ? NULL : malloc(size_B);

   if (answer != NULL)
      memset(answer, FUZZ_CALLS_GUARD, size_B);
   return answer;
}
