/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <limits.h>
#include <string.h>

#include <epoxy/gl.h>

#include "gl_scene.h"

/* More than any program makes a simulated GPU count. */
#define ANYTHING 1000000

#define EXACT(TARGET, N)                                                     \
   {                                                                         \
      TARGET, 0, N, N                                                        \
   }
#define RANGE(TARGET, FROM, TO)                                              \
   {                                                                         \
      TARGET, 0, FROM, TO                                                    \
   }
#define STREAM(TARGET, INDEX, N)                                             \
   {                                                                         \
      TARGET, INDEX, N, N                                                    \
   }

/* Vertices, primitives, clipping.  Shader invocations are up to the
 * implementation (ARB_pipeline_statistics_query), within limits.
 */
#define PLAIN(VERTICES, PRIMITIVES)                                          \
   EXACT(T_PRIMITIVES_GENERATED, PRIMITIVES),                                \
      EXACT(T_VERTICES_SUBMITTED, VERTICES),                                 \
      EXACT(T_PRIMITIVES_SUBMITTED, PRIMITIVES),                             \
      RANGE(T_VS_INVOCATIONS, 1, 4 * (VERTICES)),                            \
      RANGE(T_CLIPPING_INPUT, PRIMITIVES, PRIMITIVES)

#define SHADED(SAMPLES, PRIMITIVES)                                          \
   EXACT(T_SAMPLES_PASSED, SAMPLES),                                         \
      RANGE(T_FS_INVOCATIONS, SAMPLES, 16 * (SAMPLES)),                      \
      RANGE(T_CLIPPING_OUTPUT, PRIMITIVES, 4 * (PRIMITIVES))

static const struct scene_info all_scenes[SCENE_COUNT] = {
   [SCENE_QUAD] = { .paints = true,
                    .amounts = { PLAIN(4, 2), SHADED(256, 2) } },
   [SCENE_HALF] = { .paints = true,
                    .amounts = { PLAIN(4, 2), SHADED(128, 2) } },
   [SCENE_OUTSIDE] = { .amounts = { PLAIN(4, 2) } },
   [SCENE_NOTHING] = { .paints = false },
   [SCENE_SCISSORED] = { .amounts = { PLAIN(4, 2),
                                      RANGE(T_CLIPPING_OUTPUT, 0, 8),
                                      RANGE(T_FS_INVOCATIONS, 0, 256) } },
   [SCENE_MANY] = { .amounts = { PLAIN(3 * MANY, MANY),
                                 RANGE(T_CLIPPING_OUTPUT, 0, MANY) } },
   [SCENE_INSTANCED] = { .paints = true,
                         .amounts = { PLAIN(12, 6), SHADED(768, 6) } },
   /* Implementations may or may not clip points. */
   [SCENE_POINTS] = { .amounts = { PLAIN(5, 5), EXACT(T_SAMPLES_PASSED, 5),
                                   RANGE(T_FS_INVOCATIONS, 5, 80),
                                   RANGE(T_CLIPPING_OUTPUT, 0, 20) } },
   [SCENE_DISCARDED] = { .amounts = { EXACT(T_PRIMITIVES_GENERATED, 2),
                                      EXACT(T_VERTICES_SUBMITTED, 4),
                                      EXACT(T_PRIMITIVES_SUBMITTED, 2),
                                      RANGE(T_VS_INVOCATIONS, 1, 16),
                                      RANGE(T_CLIPPING_INPUT, 0, 2),
                                      RANGE(T_CLIPPING_OUTPUT, 0, 2) } },
   [SCENE_CLEAR] = { .paints = true },
   [SCENE_BLIT] = { .paints = true, .fixed_color = BLIT_COLOR },
   [SCENE_FEEDBACK] = { .paints = true,
                        .amounts = { PLAIN(6, 2), SHADED(256, 2),
                                     EXACT(T_PRIMITIVES_WRITTEN, 2) } },
   [SCENE_OVERFLOW] = { .amounts = { PLAIN(3 * MANY, MANY),
                                     RANGE(T_CLIPPING_OUTPUT, 0, MANY),
                                     EXACT(T_PRIMITIVES_WRITTEN, FEW),
                                     EXACT(T_STREAM_OVERFLOW, 1),
                                     EXACT(T_ANY_STREAM_OVERFLOW, 1) } },
   [SCENE_STREAMS] = { .amounts = { STREAM(T_PRIMITIVES_GENERATED, 0, 5),
                                    STREAM(T_PRIMITIVES_GENERATED, 1, 10),
                                    STREAM(T_PRIMITIVES_GENERATED, 3, 15),
                                    STREAM(T_PRIMITIVES_WRITTEN, 0, 5),
                                    STREAM(T_PRIMITIVES_WRITTEN, 1,
                                           FEW_POINTS),
                                    STREAM(T_PRIMITIVES_WRITTEN, 3, 15),
                                    STREAM(T_STREAM_OVERFLOW, 1, 1),
                                    STREAM(T_ANY_STREAM_OVERFLOW, 0, 1),
                                    EXACT(T_VERTICES_SUBMITTED, 5),
                                    EXACT(T_PRIMITIVES_SUBMITTED, 5),
                                    RANGE(T_VS_INVOCATIONS, 1, 20),
                                    EXACT(T_GS_INVOCATIONS, 5),
                                    EXACT(T_GS_PRIMITIVES, 30),
                                    RANGE(T_CLIPPING_INPUT, 0, 30),
                                    RANGE(T_CLIPPING_OUTPUT, 0, 30) } },
   [SCENE_GEOMETRY] = { .amounts = { EXACT(T_PRIMITIVES_GENERATED, 15),
                                     EXACT(T_VERTICES_SUBMITTED, 5),
                                     EXACT(T_PRIMITIVES_SUBMITTED, 5),
                                     RANGE(T_VS_INVOCATIONS, 1, 20),
                                     EXACT(T_GS_INVOCATIONS, 5),
                                     EXACT(T_GS_PRIMITIVES, 15),
                                     EXACT(T_CLIPPING_INPUT, 15),
                                     RANGE(T_CLIPPING_OUTPUT, 0, 15) } },
   [SCENE_PATCHES] = { .amounts = { EXACT(T_PRIMITIVES_GENERATED, 2),
                                    EXACT(T_VERTICES_SUBMITTED, 6),
                                    EXACT(T_PRIMITIVES_SUBMITTED, 2),
                                    RANGE(T_VS_INVOCATIONS, 1, 24),
                                    EXACT(T_TCS_PATCHES, 2),
                                    RANGE(T_TES_INVOCATIONS, 6, 24),
                                    EXACT(T_CLIPPING_INPUT, 2),
                                    RANGE(T_CLIPPING_OUTPUT, 0, 2) } },
   [SCENE_COMPUTE] = { .amounts = { EXACT(T_CS_INVOCATIONS, 24) } },
};

#define NEVER INT_MAX

/* The lowest versions of GL and of ES, if not every one can draw a scene. */
static const struct {
   int gl, es;
} versions[SCENE_COUNT] = {
   [SCENE_INSTANCED] = { 31, 30 },  [SCENE_POINTS] = { 30, 0 },
   [SCENE_DISCARDED] = { 30, 30 },  [SCENE_BLIT] = { 30, 30 },
   [SCENE_FEEDBACK] = { 30, 30 },   [SCENE_OVERFLOW] = { 0, NEVER },
   [SCENE_STREAMS] = { 40, NEVER }, [SCENE_GEOMETRY] = { 32, 32 },
   [SCENE_PATCHES] = { 40, 32 },    [SCENE_COMPUTE] = { 43, 31 },
   [SCENE_HUGE] = { NEVER, NEVER },
};

/* Lets a scene count any amount for a target. */
static void
count_anything(struct amount *amounts, unsigned target)
{
   unsigned i = 0;
   bool is_there = false;

   for (; amounts[i].highest; i++) {
      if (amounts[i].target == target) {
         amounts[i].lowest = 0;
         amounts[i].highest = ANYTHING;
         is_there = true;
      }
   }
   if (!is_there)
      amounts[i] = (struct amount){ target, 0, 0, ANYTHING };
}

/* Simulated GPUs count commands, and not what shaders or pixels decide. */
static void
widen(struct amount *amounts)
{
   static const uint8_t targets[] = {
      T_SAMPLES_PASSED,       T_VS_INVOCATIONS, T_TCS_PATCHES,
      T_TES_INVOCATIONS,      T_GS_INVOCATIONS, T_GS_PRIMITIVES,
      T_FS_INVOCATIONS,       T_CLIPPING_INPUT, T_CLIPPING_OUTPUT,
      T_PRIMITIVES_GENERATED,
   };

   if (!amounts[0].highest)
      return;
   for (unsigned i = 0; i < sizeof(targets); i++)
      count_anything(amounts, targets[i]);
   for (unsigned i = 0; amounts[i].highest; i++) {
      if (amounts[i].target == T_PRIMITIVES_WRITTEN || amounts[i].index > 0 ||
          amounts[i].target == T_STREAM_OVERFLOW ||
          amounts[i].target == T_ANY_STREAM_OVERFLOW ||
          amounts[i].target == T_CS_INVOCATIONS) {
         amounts[i].lowest = 0;
         amounts[i].highest = ANYTHING;
      }
   }
}

void
gl_scenes_describe(enum kind kind, bool is_simulated,
                   struct scene_info scenes_out[SCENE_COUNT])
{
   const bool is_es = kind == KIND_ES2 || kind == KIND_ES3;
   const int version = epoxy_gl_version();

   memcpy(scenes_out, all_scenes, sizeof(all_scenes));
   for (unsigned i = 0; i < SCENE_COUNT; i++) {
      scenes_out[i].is_there =
         version >= (is_es ? versions[i].es : versions[i].gl);
      if (is_simulated)
         widen(scenes_out[i].amounts);
   }
}
