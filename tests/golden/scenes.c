/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdio.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "scenes.h"

#define KIND(KIND, TARGET, FLAGS, WORK, ...)                                 \
   { PITOT_KIND_##KIND, GL_##TARGET, WORK, "" },

const struct golden_kind golden_kinds[] = {
   /* clang-format off */
   EACH_GL46_TARGET(KIND)
   /* clang-format on */
   { PITOT_KIND_TIME_ELAPSED, GL_TIME_ELAPSED, TARGET_DISPATCH,
     "-of-dispatches" },
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
