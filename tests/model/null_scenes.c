/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Counts on the null driver: all different numbers.
 */

#include "null_scenes.h"

#define EXACT(TARGET, INDEX, N)                                              \
   {                                                                         \
      TARGET, INDEX, N, N                                                    \
   }

const struct scene_info null_scenes[SCENE_COUNT] = {
   [SCENE_QUAD] = { .is_there = true,
                    .amounts = { EXACT(T_SAMPLES_PASSED, 0, 256),
                                 EXACT(T_PRIMITIVES_GENERATED, 0, 2),
                                 EXACT(T_TIME_ELAPSED, 0, 100),
                                 EXACT(T_VERTICES_SUBMITTED, 0, 4),
                                 EXACT(T_PRIMITIVES_SUBMITTED, 0, 2),
                                 EXACT(T_VS_INVOCATIONS, 0, 4),
                                 EXACT(T_FS_INVOCATIONS, 0, 256),
                                 EXACT(T_CLIPPING_INPUT, 0, 2),
                                 EXACT(T_CLIPPING_OUTPUT, 0, 2) } },
   [SCENE_HALF] = { .is_there = true,
                    .amounts = { EXACT(T_SAMPLES_PASSED, 0, 128),
                                 EXACT(T_TIME_ELAPSED, 0, 7) } },
   [SCENE_OUTSIDE] = { .is_there = true,
                       .amounts = { EXACT(T_PRIMITIVES_GENERATED, 0, 3),
                                    EXACT(T_CLIPPING_INPUT, 0, 3) } },
   [SCENE_NOTHING] = { .is_there = true },
   [SCENE_CLEAR] = { .is_there = true,
                     .amounts = { EXACT(T_TIME_ELAPSED, 0, 1) } },
   [SCENE_FEEDBACK] = { .is_there = true,
                        .amounts = { EXACT(T_PRIMITIVES_GENERATED, 0, 5),
                                     EXACT(T_PRIMITIVES_WRITTEN, 0, 5) } },
   [SCENE_OVERFLOW] = { .is_there = true,
                        .amounts = { EXACT(T_PRIMITIVES_GENERATED, 0, 5),
                                     EXACT(T_PRIMITIVES_WRITTEN, 0, 3),
                                     EXACT(T_STREAM_OVERFLOW, 0, 2),
                                     EXACT(T_ANY_STREAM_OVERFLOW, 0, 2) } },
   [SCENE_STREAMS] = { .is_there = true,
                       .amounts = { EXACT(T_PRIMITIVES_GENERATED, 1, 1),
                                    EXACT(T_PRIMITIVES_WRITTEN, 1, 4),
                                    EXACT(T_PRIMITIVES_GENERATED, 3, 9),
                                    EXACT(T_STREAM_OVERFLOW, 3, 1),
                                    EXACT(T_ANY_STREAM_OVERFLOW, 0, 1) } },
   [SCENE_GEOMETRY] = { .is_there = true,
                        .amounts = { EXACT(T_GS_INVOCATIONS, 0, 3),
                                     EXACT(T_GS_PRIMITIVES, 0, 12) } },
   [SCENE_PATCHES] = { .is_there = true,
                       .amounts = { EXACT(T_TCS_PATCHES, 0, 1),
                                    EXACT(T_TES_INVOCATIONS, 0, 40) } },
   [SCENE_COMPUTE] = { .is_there = true,
                       .amounts = { EXACT(T_CS_INVOCATIONS, 0, 64) } },
   [SCENE_HUGE] = { .is_there = true,
                    .amounts = { EXACT(T_SAMPLES_PASSED, 0, 5000000000),
                                 EXACT(T_PRIMITIVES_GENERATED, 0, 3000000000),
                                 EXACT(T_VS_INVOCATIONS, 0,
                                       UINT64_C(1) << 61),
                                 EXACT(T_TIME_ELAPSED, 0, 10000000000) } },
};
