/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "gl_priv.h"

/* The one table of our kinds, GL's targets, and the features that expose
 * them, all of which a context must have.
 */
#define TARGETS(X)                                                           \
   /* ARB_occlusion_query, ARB_occlusion_query2, ARB_ES3_compatibility       \
    * and EXT_occlusion_query_boolean */                                     \
   X(SAMPLES_PASSED, SAMPLES_PASSED, PITOT_GL_OCCLUSION)                     \
   X(ANY_SAMPLES_PASSED, ANY_SAMPLES_PASSED, PITOT_GL_OCCLUSION_BOOLEAN)     \
   X(ANY_SAMPLES_PASSED_CONSERVATIVE, ANY_SAMPLES_PASSED_CONSERVATIVE,       \
     PITOT_GL_OCCLUSION_CONSERVATIVE)                                        \
   /* EXT_transform_feedback, ARB_transform_feedback3, ES 3.0 and            \
    * ARB_transform_feedback_overflow_query */                               \
   X(PRIMITIVES_GENERATED, PRIMITIVES_GENERATED,                             \
     PITOT_GL_PRIMITIVES_GENERATED)                                          \
   X(PRIMITIVES_WRITTEN, TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN,              \
     PITOT_GL_PRIMITIVES_WRITTEN)                                            \
   X(STREAM_OVERFLOW, TRANSFORM_FEEDBACK_STREAM_OVERFLOW, PITOT_GL_OVERFLOW) \
   X(ANY_STREAM_OVERFLOW, TRANSFORM_FEEDBACK_OVERFLOW, PITOT_GL_OVERFLOW)    \
   /* ARB_timer_query, EXT_timer_query, EXT_disjoint_timer_query and         \
    * ANGLE_timer_query */                                                   \
   X(TIME_ELAPSED, TIME_ELAPSED, PITOT_GL_TIME_ELAPSED)                      \
   X(TIMESTAMP, TIMESTAMP, PITOT_GL_TIMESTAMP)                               \
   /* ARB_pipeline_statistics_query: the stages that a context lacks have    \
    * no targets */                                                          \
   X(VERTICES_SUBMITTED, VERTICES_SUBMITTED, PITOT_GL_STATISTICS)            \
   X(PRIMITIVES_SUBMITTED, PRIMITIVES_SUBMITTED, PITOT_GL_STATISTICS)        \
   X(VS_INVOCATIONS, VERTEX_SHADER_INVOCATIONS, PITOT_GL_STATISTICS)         \
   X(TCS_PATCHES, TESS_CONTROL_SHADER_PATCHES,                               \
     PITOT_GL_STATISTICS | PITOT_GL_TESSELLATION)                            \
   X(TES_INVOCATIONS, TESS_EVALUATION_SHADER_INVOCATIONS,                    \
     PITOT_GL_STATISTICS | PITOT_GL_TESSELLATION)                            \
   X(GS_INVOCATIONS, GEOMETRY_SHADER_INVOCATIONS,                            \
     PITOT_GL_STATISTICS | PITOT_GL_GEOMETRY)                                \
   X(GS_PRIMITIVES, GEOMETRY_SHADER_PRIMITIVES_EMITTED,                      \
     PITOT_GL_STATISTICS | PITOT_GL_GEOMETRY)                                \
   X(FS_INVOCATIONS, FRAGMENT_SHADER_INVOCATIONS, PITOT_GL_STATISTICS)       \
   X(CS_INVOCATIONS, COMPUTE_SHADER_INVOCATIONS,                             \
     PITOT_GL_STATISTICS | PITOT_GL_COMPUTE)                                 \
   X(CLIPPING_INPUT, CLIPPING_INPUT_PRIMITIVES, PITOT_GL_STATISTICS)         \
   X(CLIPPING_OUTPUT, CLIPPING_OUTPUT_PRIMITIVES, PITOT_GL_STATISTICS)

#define ENTRY(KIND, NAME, FEATURES)                                          \
   [PITOT_KIND_##KIND] = { GL_##NAME, FEATURES },

static const struct {
   GLenum target;
   unsigned features;
} targets[PITOT_KIND_COUNT] = { TARGETS(ENTRY) };

#define CASE(KIND, NAME, FEATURES)                                           \
   case GL_##NAME:                                                           \
      return PITOT_KIND_##KIND;

static enum pitot_kind
kind_of(GLenum target)
{
   switch (target) {
      TARGETS(CASE)
   default:
      return PITOT_KIND_NONE;
   }
}

enum pitot_kind
pitot_gl_kind_of_target(const struct pitot_gl *gl, GLenum target)
{
   const enum pitot_kind kind = kind_of(target);

   if (kind == PITOT_KIND_NONE ||
       (gl->info.features & targets[kind].features) != targets[kind].features)
      return PITOT_KIND_NONE;
   return kind;
}

GLenum
pitot_gl_target_of_kind(enum pitot_kind kind)
{
   return targets[kind].target;
}

const char *
pitot_gl_target_name(GLenum target)
{
   const enum pitot_kind kind = kind_of(target);

   return kind == PITOT_KIND_NONE ? "(no target)"
                                  : pitot_kind_info(kind)->name;
}
