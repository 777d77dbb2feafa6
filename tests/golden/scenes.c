/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdio.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "scenes.h"

#define KIND(KIND, TARGET, WORK)                                             \
   {                                                                         \
      PITOT_KIND_##KIND, GL_##TARGET, GOLDEN_##WORK, ""                      \
   }

const struct golden_kind golden_kinds[] = {
   KIND(SAMPLES_PASSED, SAMPLES_PASSED, DRAW),
   KIND(ANY_SAMPLES_PASSED, ANY_SAMPLES_PASSED, DRAW),
   KIND(ANY_SAMPLES_PASSED_CONSERVATIVE, ANY_SAMPLES_PASSED_CONSERVATIVE,
        DRAW),
   KIND(PRIMITIVES_GENERATED, PRIMITIVES_GENERATED, DRAW),
   KIND(PRIMITIVES_WRITTEN, TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, FEEDBACK),
   KIND(STREAM_OVERFLOW, TRANSFORM_FEEDBACK_STREAM_OVERFLOW_ARB, FEEDBACK),
   KIND(ANY_STREAM_OVERFLOW, TRANSFORM_FEEDBACK_OVERFLOW_ARB, FEEDBACK),
   KIND(TIME_ELAPSED, TIME_ELAPSED, DRAW),
   {
      PITOT_KIND_TIME_ELAPSED,
      GL_TIME_ELAPSED,
      GOLDEN_DISPATCH,
      "-of-dispatches",
   },
   KIND(TIMESTAMP, TIMESTAMP, DRAW),
   KIND(VERTICES_SUBMITTED, VERTICES_SUBMITTED_ARB, DRAW),
   KIND(PRIMITIVES_SUBMITTED, PRIMITIVES_SUBMITTED_ARB, DRAW),
   KIND(VS_INVOCATIONS, VERTEX_SHADER_INVOCATIONS_ARB, DRAW),
   KIND(TCS_PATCHES, TESS_CONTROL_SHADER_PATCHES_ARB, DRAW),
   KIND(TES_INVOCATIONS, TESS_EVALUATION_SHADER_INVOCATIONS_ARB, DRAW),
   KIND(GS_INVOCATIONS, GEOMETRY_SHADER_INVOCATIONS, DRAW),
   KIND(GS_PRIMITIVES, GEOMETRY_SHADER_PRIMITIVES_EMITTED_ARB, DRAW),
   KIND(FS_INVOCATIONS, FRAGMENT_SHADER_INVOCATIONS_ARB, DRAW),
   KIND(CS_INVOCATIONS, COMPUTE_SHADER_INVOCATIONS_ARB, DISPATCH),
   KIND(CLIPPING_INPUT, CLIPPING_INPUT_PRIMITIVES_ARB, DRAW),
   KIND(CLIPPING_OUTPUT, CLIPPING_OUTPUT_PRIMITIVES_ARB, DRAW),
};

const unsigned golden_kind_count =
   sizeof(golden_kinds) / sizeof(golden_kinds[0]);

#define STORE(NAME, PARAMETER, SIZE_B)                                       \
   {                                                                         \
      .name = " store " NAME, .step = GOLDEN_STORE,                          \
      .parameter = GL_QUERY_##PARAMETER, .size_B = SIZE_B                    \
   }
#define CONDITION(NAME, MODE)                                                \
   {                                                                         \
      .name = " condition " NAME, .step = GOLDEN_CONDITION,                  \
      .parameter = GL_QUERY_##MODE                                           \
   }

const struct golden_then golden_thens[] = {
   { .name = "" },
   { .name = " in two batches", .is_in_two_batches = true },
   STORE("result 4 B", RESULT, 4),
   STORE("result 8 B", RESULT, 8),
   STORE("result without waiting 8 B", RESULT_NO_WAIT, 8),
   STORE("availability 4 B", RESULT_AVAILABLE, 4),
   {
      .name = " in two batches store result 8 B",
      .step = GOLDEN_STORE,
      .parameter = GL_QUERY_RESULT,
      .size_B = 8,
      .is_in_two_batches = true,
   },
   {
      .name = " known store result 8 B",
      .step = GOLDEN_STORE,
      .parameter = GL_QUERY_RESULT,
      .size_B = 8,
      .is_known = true,
   },
   CONDITION("wait", WAIT),
   CONDITION("no wait", NO_WAIT),
   CONDITION("wait inverted", WAIT_INVERTED),
   CONDITION("no wait inverted", NO_WAIT_INVERTED),
   {
      .name = " in two batches condition wait",
      .step = GOLDEN_CONDITION,
      .parameter = GL_QUERY_WAIT,
      .is_in_two_batches = true,
   },
   {
      .name = " in two batches condition no wait",
      .step = GOLDEN_CONDITION,
      .parameter = GL_QUERY_NO_WAIT,
      .is_in_two_batches = true,
   },
   {
      .name = " known condition wait",
      .step = GOLDEN_CONDITION,
      .parameter = GL_QUERY_WAIT,
      .is_known = true,
   },
};

const unsigned golden_then_count =
   sizeof(golden_thens) / sizeof(golden_thens[0]);

bool
golden_has_scene(const struct golden_kind *kind,
                 const struct golden_then *then)
{
   const struct pitot_kind_info *info = pitot_kind_info(kind->kind);

   return !(then->is_in_two_batches && info->is_instant) &&
          (then->step != GOLDEN_CONDITION || info->is_condition);
}

void
golden_scene_name(const struct golden_kind *kind,
                  const struct golden_then *then,
                  char name_out[GOLDEN_NAME_SIZE])
{
   snprintf(name_out, GOLDEN_NAME_SIZE, "%s%s%s",
            pitot_kind_info(kind->kind)->name, kind->suffix, then->name);
}
