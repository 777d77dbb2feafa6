/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stddef.h>

#include "gl_priv.h"

#define TARGET(KIND, NAME, FEATURES)                                         \
   [PITOT_KIND_##KIND] = { GL_##NAME, FEATURES }

/* The one table of GL's targets and our kinds. */
static const struct {
   GLenum target;
   unsigned features; /* all of them expose the target */
} targets[PITOT_KIND_COUNT] = {
   /* ARB_occlusion_query, ARB_occlusion_query2, ARB_ES3_compatibility and
    * EXT_occlusion_query_boolean
    */
   TARGET(SAMPLES_PASSED, SAMPLES_PASSED, PITOT_GL_OCCLUSION),
   TARGET(ANY_SAMPLES_PASSED, ANY_SAMPLES_PASSED, PITOT_GL_OCCLUSION_BOOLEAN),
   TARGET(ANY_SAMPLES_PASSED_CONSERVATIVE, ANY_SAMPLES_PASSED_CONSERVATIVE,
          PITOT_GL_OCCLUSION_CONSERVATIVE),

   /* EXT_transform_feedback, ARB_transform_feedback3, ES 3.0 and
    * ARB_transform_feedback_overflow_query
    */
   TARGET(PRIMITIVES_GENERATED, PRIMITIVES_GENERATED,
          PITOT_GL_PRIMITIVES_GENERATED),
   TARGET(PRIMITIVES_WRITTEN, TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN,
          PITOT_GL_PRIMITIVES_WRITTEN),
   TARGET(STREAM_OVERFLOW, TRANSFORM_FEEDBACK_STREAM_OVERFLOW,
          PITOT_GL_OVERFLOW),
   TARGET(ANY_STREAM_OVERFLOW, TRANSFORM_FEEDBACK_OVERFLOW,
          PITOT_GL_OVERFLOW),

   /* ARB_timer_query, EXT_timer_query, EXT_disjoint_timer_query and
    * ANGLE_timer_query
    */
   TARGET(TIME_ELAPSED, TIME_ELAPSED, PITOT_GL_TIME_ELAPSED),
   TARGET(TIMESTAMP, TIMESTAMP, PITOT_GL_TIMESTAMP),

   /* ARB_pipeline_statistics_query: the stages that a context lacks have no
    * targets
    */
   TARGET(VERTICES_SUBMITTED, VERTICES_SUBMITTED, PITOT_GL_STATISTICS),
   TARGET(PRIMITIVES_SUBMITTED, PRIMITIVES_SUBMITTED, PITOT_GL_STATISTICS),
   TARGET(VS_INVOCATIONS, VERTEX_SHADER_INVOCATIONS, PITOT_GL_STATISTICS),
   TARGET(TCS_PATCHES, TESS_CONTROL_SHADER_PATCHES,
          PITOT_GL_STATISTICS | PITOT_GL_TESSELLATION),
   TARGET(TES_INVOCATIONS, TESS_EVALUATION_SHADER_INVOCATIONS,
          PITOT_GL_STATISTICS | PITOT_GL_TESSELLATION),
   TARGET(GS_INVOCATIONS, GEOMETRY_SHADER_INVOCATIONS,
          PITOT_GL_STATISTICS | PITOT_GL_GEOMETRY),
   TARGET(GS_PRIMITIVES, GEOMETRY_SHADER_PRIMITIVES_EMITTED,
          PITOT_GL_STATISTICS | PITOT_GL_GEOMETRY),
   TARGET(FS_INVOCATIONS, FRAGMENT_SHADER_INVOCATIONS, PITOT_GL_STATISTICS),
   TARGET(CS_INVOCATIONS, COMPUTE_SHADER_INVOCATIONS,
          PITOT_GL_STATISTICS | PITOT_GL_COMPUTE),
   TARGET(CLIPPING_INPUT, CLIPPING_INPUT_PRIMITIVES, PITOT_GL_STATISTICS),
   TARGET(CLIPPING_OUTPUT, CLIPPING_OUTPUT_PRIMITIVES, PITOT_GL_STATISTICS),
};

enum pitot_kind
pitot_gl_kind_of_target(const struct pitot_gl *gl, GLenum target)
{
   const unsigned features = gl->info.features;

   for (unsigned kind = 0; kind < PITOT_KIND_COUNT; kind++) {
      if (targets[kind].target == target)
         return (features & targets[kind].features) == targets[kind].features
                   ? (enum pitot_kind)kind
                   : PITOT_KIND_NONE;
   }
   return PITOT_KIND_NONE;
}

GLenum
pitot_gl_target_of_kind(enum pitot_kind kind)
{
   return targets[kind].target;
}

const char *
pitot_gl_target_name(GLenum target)
{
   for (unsigned kind = 0; kind < PITOT_KIND_COUNT; kind++) {
      if (targets[kind].target == target)
         return pitot_kind_info(kind)->name;
   }
   return "(no target)";
}
