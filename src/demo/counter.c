/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "counter.h"

#define TESSELLATION 40, "GL_ARB_tessellation_shader"
#define COMPUTE      43, "GL_ARB_compute_shader"
#define ANY_CONTEXT  0, ""

const struct counter counters[COUNTER_COUNT] = {
   { GL_VERTICES_SUBMITTED, "VERTICES_SUBMITTED", "vertices submitted",
     ANY_CONTEXT },
   { GL_PRIMITIVES_SUBMITTED, "PRIMITIVES_SUBMITTED", "primitives submitted",
     ANY_CONTEXT },
   { GL_VERTEX_SHADER_INVOCATIONS, "VERTEX_SHADER_INVOCATIONS",
     "VS invocations", ANY_CONTEXT },
   { GL_TESS_CONTROL_SHADER_PATCHES, "TESS_CONTROL_SHADER_PATCHES",
     "TCS patches", TESSELLATION },
   { GL_TESS_EVALUATION_SHADER_INVOCATIONS,
     "TESS_EVALUATION_SHADER_INVOCATIONS", "TES invocations", TESSELLATION },
   { GL_GEOMETRY_SHADER_INVOCATIONS, "GEOMETRY_SHADER_INVOCATIONS",
     "GS invocations", ANY_CONTEXT },
   { GL_GEOMETRY_SHADER_PRIMITIVES_EMITTED,
     "GEOMETRY_SHADER_PRIMITIVES_EMITTED", "GS primitives", ANY_CONTEXT },
   { GL_CLIPPING_INPUT_PRIMITIVES, "CLIPPING_INPUT_PRIMITIVES",
     "clipping input", ANY_CONTEXT },
   { GL_CLIPPING_OUTPUT_PRIMITIVES, "CLIPPING_OUTPUT_PRIMITIVES",
     "clipping output", ANY_CONTEXT },
   { GL_FRAGMENT_SHADER_INVOCATIONS, "FRAGMENT_SHADER_INVOCATIONS",
     "FS invocations", ANY_CONTEXT },
   { GL_COMPUTE_SHADER_INVOCATIONS, "COMPUTE_SHADER_INVOCATIONS",
     "CS invocations", COMPUTE },
   { GL_SAMPLES_PASSED, "SAMPLES_PASSED", "samples passed", ANY_CONTEXT },
};

bool
counter_supported(const struct context *ctx, const struct counter *counter)
{
   if (ctx->api != API_GL)
      return false;
   if (counter->target != GL_SAMPLES_PASSED &&
       !context_has(ctx, 46, "GL_ARB_pipeline_statistics_query"))
      return false;
   if (!context_has(ctx, counter->version, counter->extension))
      return false;

   GLint bits = 0;
   glGetQueryiv(counter->target, GL_QUERY_COUNTER_BITS, &bits);
   context_check(counter->name);
   return bits > 0;
}
