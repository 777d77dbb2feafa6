/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The GL target of each kind: no other file knows both.
 *
 * pitot_gl.targets is indexed by the target modulo PITOT_GL_TARGET_SIZE.  If
 * two targets have the same index, only an assertion notices: a release build
 * loses one of them.
 */

#include <assert.h>

#include "gl_priv.h"

#ifndef GL_EXT_mesh_shader /* in older headers */
#define GL_TASK_SHADER_INVOCATIONS_EXT   0x9753
#define GL_MESH_SHADER_INVOCATIONS_EXT   0x9754
#define GL_MESH_PRIMITIVES_GENERATED_EXT 0x9755
#endif

#define TARGET(KIND, NAME, FEATURES)                                         \
   [PITOT_KIND_##KIND] = { GL_##NAME, FEATURES }

/* A context exposes a target if it has all of the features. */
static const struct {
   GLenum target;
   unsigned features;
} targets[PITOT_KIND_COUNT] = {
   /* ARB_occlusion_query, ARB_occlusion_query2, ARB_ES3_compatibility
    * and EXT_occlusion_query_boolean */
   TARGET(SAMPLES_PASSED, SAMPLES_PASSED, PITOT_GL_OCCLUSION),
   TARGET(ANY_SAMPLES_PASSED, ANY_SAMPLES_PASSED, PITOT_GL_OCCLUSION_BOOLEAN),
   TARGET(ANY_SAMPLES_PASSED_CONSERVATIVE, ANY_SAMPLES_PASSED_CONSERVATIVE,
          PITOT_GL_OCCLUSION_CONSERVATIVE),
   /* EXT_transform_feedback, ARB_transform_feedback3, ES 3.0 and
    * ARB_transform_feedback_overflow_query */
   TARGET(PRIMITIVES_GENERATED, PRIMITIVES_GENERATED,
          PITOT_GL_PRIMITIVES_GENERATED),
   TARGET(PRIMITIVES_WRITTEN, TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN,
          PITOT_GL_PRIMITIVES_WRITTEN),
   TARGET(STREAM_OVERFLOW, TRANSFORM_FEEDBACK_STREAM_OVERFLOW,
          PITOT_GL_OVERFLOW),
   TARGET(ANY_STREAM_OVERFLOW, TRANSFORM_FEEDBACK_OVERFLOW,
          PITOT_GL_OVERFLOW),
   /* ARB_timer_query, EXT_timer_query, EXT_disjoint_timer_query and
    * ANGLE_timer_query */
   TARGET(TIME_ELAPSED, TIME_ELAPSED, PITOT_GL_TIME_ELAPSED),
   TARGET(TIMESTAMP, TIMESTAMP, PITOT_GL_TIMESTAMP),
   /* ARB_pipeline_statistics_query: a context exposes no targets of stages
    * that it lacks */
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
   /* EXT_mesh_shader, which needs no ARB_pipeline_statistics_query */
   TARGET(TS_INVOCATIONS, TASK_SHADER_INVOCATIONS_EXT, PITOT_GL_MESH),
   TARGET(MS_INVOCATIONS, MESH_SHADER_INVOCATIONS_EXT, PITOT_GL_MESH),
   TARGET(MS_PRIMITIVES, MESH_PRIMITIVES_GENERATED_EXT, PITOT_GL_MESH),
};

static unsigned
index_count(const struct pitot_gl *gl, const struct pitot_kind_info *info)
{
   if (info->is_instant)
      return 0;
   return info->is_indexed ? gl->info.stream_count : 1;
}

void
pitot_gl_targets_init(struct pitot_gl *gl)
{
   const unsigned features = gl->info.features;

   /* 0 is not a target, but finds entry 0, because empty entries have it. */
   gl->targets[0].kind = PITOT_KIND_NONE;
   for (unsigned kind = 0; kind < PITOT_KIND_COUNT; kind++) {
      const GLenum target = targets[kind].target;
      struct pitot_gl_target *found =
         &gl->targets[target % PITOT_GL_TARGET_SIZE];

      assert(!found->target); /* remainders are distinct */
      if ((features & targets[kind].features) == targets[kind].features) {
         *found = (struct pitot_gl_target){
            .target = target,
            .kind = kind,
            .index_count = index_count(gl, pitot_kind_info(kind)),
            .bindings = pitot_binding_of(gl->core, kind, 0),
         };
      }
   }
   if (features & PITOT_GL_TIMESTAMP)
      gl->timestamp = pitot_binding_of(gl->core, PITOT_KIND_TIMESTAMP, 0);
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
