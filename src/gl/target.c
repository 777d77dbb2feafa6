/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stddef.h>

#include "gl_priv.h"

/* The one file that knows both GL's targets and our kinds. */
static const struct pitot_gl_target rows[] = {
   /* ARB_occlusion_query, ARB_occlusion_query2, ARB_ES3_compatibility and
    * EXT_occlusion_query_boolean
    */
   { GL_SAMPLES_PASSED, PITOT_KIND_SAMPLES_PASSED, PITOT_GL_OCCLUSION },
   { GL_ANY_SAMPLES_PASSED, PITOT_KIND_ANY_SAMPLES_PASSED,
     PITOT_GL_OCCLUSION_BOOLEAN },
   { GL_ANY_SAMPLES_PASSED_CONSERVATIVE,
     PITOT_KIND_ANY_SAMPLES_PASSED_CONSERVATIVE,
     PITOT_GL_OCCLUSION_CONSERVATIVE },

   /* EXT_transform_feedback, ARB_transform_feedback3, ES 3.0 and
    * ARB_transform_feedback_overflow_query
    */
   { GL_PRIMITIVES_GENERATED, PITOT_KIND_PRIMITIVES_GENERATED,
     PITOT_GL_PRIMITIVES_GENERATED },
   { GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, PITOT_KIND_PRIMITIVES_WRITTEN,
     PITOT_GL_PRIMITIVES_WRITTEN },
   { GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW, PITOT_KIND_STREAM_OVERFLOW,
     PITOT_GL_OVERFLOW },
   { GL_TRANSFORM_FEEDBACK_OVERFLOW, PITOT_KIND_ANY_STREAM_OVERFLOW,
     PITOT_GL_OVERFLOW },

   /* ARB_timer_query, EXT_timer_query, EXT_disjoint_timer_query and
    * ANGLE_timer_query
    */
   { GL_TIME_ELAPSED, PITOT_KIND_TIME_ELAPSED, PITOT_GL_TIME_ELAPSED },
   { GL_TIMESTAMP, PITOT_KIND_TIMESTAMP, PITOT_GL_TIMESTAMP },

   /* ARB_pipeline_statistics_query: the stages that a context lacks have no
    * targets
    */
   { GL_VERTICES_SUBMITTED, PITOT_KIND_VERTICES_SUBMITTED,
     PITOT_GL_STATISTICS },
   { GL_PRIMITIVES_SUBMITTED, PITOT_KIND_PRIMITIVES_SUBMITTED,
     PITOT_GL_STATISTICS },
   { GL_VERTEX_SHADER_INVOCATIONS, PITOT_KIND_VS_INVOCATIONS,
     PITOT_GL_STATISTICS },
   { GL_TESS_CONTROL_SHADER_PATCHES, PITOT_KIND_TCS_PATCHES,
     PITOT_GL_STATISTICS | PITOT_GL_TESSELLATION },
   { GL_TESS_EVALUATION_SHADER_INVOCATIONS, PITOT_KIND_TES_INVOCATIONS,
     PITOT_GL_STATISTICS | PITOT_GL_TESSELLATION },
   { GL_GEOMETRY_SHADER_INVOCATIONS, PITOT_KIND_GS_INVOCATIONS,
     PITOT_GL_STATISTICS | PITOT_GL_GEOMETRY },
   { GL_GEOMETRY_SHADER_PRIMITIVES_EMITTED, PITOT_KIND_GS_PRIMITIVES,
     PITOT_GL_STATISTICS | PITOT_GL_GEOMETRY },
   { GL_FRAGMENT_SHADER_INVOCATIONS, PITOT_KIND_FS_INVOCATIONS,
     PITOT_GL_STATISTICS },
   { GL_COMPUTE_SHADER_INVOCATIONS, PITOT_KIND_CS_INVOCATIONS,
     PITOT_GL_STATISTICS | PITOT_GL_COMPUTE },
   { GL_CLIPPING_INPUT_PRIMITIVES, PITOT_KIND_CLIPPING_INPUT,
     PITOT_GL_STATISTICS },
   { GL_CLIPPING_OUTPUT_PRIMITIVES, PITOT_KIND_CLIPPING_OUTPUT,
     PITOT_GL_STATISTICS },
};

#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

void
pitot_gl_targets_init(struct pitot_gl *gl)
{
   for (unsigned i = 0; i < ROW_COUNT; i++) {
      if ((gl->features & rows[i].features) != rows[i].features)
         continue;

      unsigned slot = pitot_gl_target_hash(rows[i].target);
      while (gl->targets[slot])
         slot = (slot + 1) % PITOT_GL_TARGET_SLOTS;
      gl->targets[slot] = &rows[i];
   }
}

const char *
pitot_gl_target_name(GLenum target)
{
   for (unsigned i = 0; i < ROW_COUNT; i++) {
      if (rows[i].target == target)
         return pitot_kind_info(rows[i].kind)->name;
   }
   return "(no target)";
}

GLenum
pitot_gl_target_of_kind(enum pitot_kind kind)
{
   unsigned i = 0;

   while (rows[i].kind != kind)
      i++;
   return rows[i].target;
}
