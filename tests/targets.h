/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The kinds of queries for all tests: a new kind is a line here.  Written
 * from the specifications (OpenGL 4.6 core, 4.2 and 4.3), not from Pitot's
 * tables.
 */

#ifndef PITOT_TESTS_TARGETS_H
#define PITOT_TESTS_TARGETS_H

enum target_flag {
   TARGET_SAMPLES = 1 << 0, /* they exclude each other */
   TARGET_INDEXED = 1 << 1, /* by vertex stream */
   TARGET_BOOLEAN = 1 << 2,
   TARGET_CONDITION = 1 << 3, /* can be a render condition */
   TARGET_TIME = 1 << 4,
   TARGET_INSTANT = 1 << 5, /* no begin and end */
};

enum target_work {
   TARGET_DRAW,
   TARGET_FEEDBACK, /* a draw with transform feedback */
   TARGET_DISPATCH,
   TARGET_MESHES, /* a draw of mesh shaders */
};

/* X(KIND, TARGET, FLAGS, WORK, DESKTOP, ES), in the order of enum
 * pitot_kind: PITOT_KIND_KIND is GL_TARGET.  DESKTOP and ES name the
 * extension or version that exposes it: "" is always, NULL never.
 */
#define EACH_TARGET(X)                                                       \
   EACH_GL46_TARGET(X)                                                       \
   EACH_MESH_STATISTIC(X)

#define EACH_GL46_TARGET(X)                                                  \
   X(SAMPLES_PASSED, SAMPLES_PASSED, TARGET_SAMPLES | TARGET_CONDITION,      \
     TARGET_DRAW, "", NULL)                                                  \
   X(ANY_SAMPLES_PASSED, ANY_SAMPLES_PASSED,                                 \
     TARGET_SAMPLES | TARGET_BOOLEAN | TARGET_CONDITION, TARGET_DRAW,        \
     "GL_ARB_occlusion_query2", "GL_EXT_occlusion_query_boolean")            \
   X(ANY_SAMPLES_PASSED_CONSERVATIVE, ANY_SAMPLES_PASSED_CONSERVATIVE,       \
     TARGET_SAMPLES | TARGET_BOOLEAN | TARGET_CONDITION, TARGET_DRAW,        \
     "GL_ARB_ES3_compatibility", "GL_EXT_occlusion_query_boolean")           \
   X(PRIMITIVES_GENERATED, PRIMITIVES_GENERATED, TARGET_INDEXED,             \
     TARGET_DRAW, "GL_EXT_transform_feedback", "GL_EXT_geometry_shader")     \
   X(PRIMITIVES_WRITTEN, TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN,              \
     TARGET_INDEXED, TARGET_FEEDBACK, "GL_EXT_transform_feedback", "3.0")    \
   X(STREAM_OVERFLOW, TRANSFORM_FEEDBACK_STREAM_OVERFLOW,                    \
     TARGET_INDEXED | TARGET_BOOLEAN | TARGET_CONDITION, TARGET_FEEDBACK,    \
     "GL_ARB_transform_feedback_overflow_query", NULL)                       \
   X(ANY_STREAM_OVERFLOW, TRANSFORM_FEEDBACK_OVERFLOW,                       \
     TARGET_BOOLEAN | TARGET_CONDITION, TARGET_FEEDBACK,                     \
     "GL_ARB_transform_feedback_overflow_query", NULL)                       \
   X(TIME_ELAPSED, TIME_ELAPSED, TARGET_TIME, TARGET_DRAW,                   \
     "GL_ARB_timer_query", "GL_EXT_disjoint_timer_query")                    \
   X(TIMESTAMP, TIMESTAMP, TARGET_TIME | TARGET_INSTANT, TARGET_DRAW,        \
     "GL_ARB_timer_query", "GL_EXT_disjoint_timer_query")                    \
   EACH_STATISTIC(X)

#define STATISTICS_EXTENSION "GL_ARB_pipeline_statistics_query"

/* X(KIND, TARGET, FLAGS, WORK, DESKTOP, ES, GALLIUM, COUNTER, ...):
 * also PIPE_STAT_QUERY_GALLIUM, SIM_GALLIUM of simulated GPUs, and the
 * counter of the perf set "Pipeline Statistics" (docs/counters.md).
 * Arguments after X come last.
 */
#define EACH_STATISTIC(X, ...)                                               \
   X(VERTICES_SUBMITTED, VERTICES_SUBMITTED, 0, TARGET_DRAW,                 \
     STATISTICS_EXTENSION, NULL, IA_VERTICES, "Vertices Submitted",          \
     __VA_ARGS__)                                                            \
   X(PRIMITIVES_SUBMITTED, PRIMITIVES_SUBMITTED, 0, TARGET_DRAW,             \
     STATISTICS_EXTENSION, NULL, IA_PRIMITIVES, "Primitives Submitted",      \
     __VA_ARGS__)                                                            \
   X(VS_INVOCATIONS, VERTEX_SHADER_INVOCATIONS, 0, TARGET_DRAW,              \
     STATISTICS_EXTENSION, NULL, VS_INVOCATIONS,                             \
     "Vertex Shader Invocations", __VA_ARGS__)                               \
   X(TCS_PATCHES, TESS_CONTROL_SHADER_PATCHES, 0, TARGET_DRAW,               \
     "GL_ARB_tessellation_shader", NULL, HS_INVOCATIONS,                     \
     "Tessellation Control Patches", __VA_ARGS__)                            \
   X(TES_INVOCATIONS, TESS_EVALUATION_SHADER_INVOCATIONS, 0, TARGET_DRAW,    \
     "GL_ARB_tessellation_shader", NULL, DS_INVOCATIONS,                     \
     "Tessellation Evaluation Invocations", __VA_ARGS__)                     \
   X(GS_INVOCATIONS, GEOMETRY_SHADER_INVOCATIONS, 0, TARGET_DRAW,            \
     STATISTICS_EXTENSION, NULL, GS_INVOCATIONS,                             \
     "Geometry Shader Invocations", __VA_ARGS__)                             \
   X(GS_PRIMITIVES, GEOMETRY_SHADER_PRIMITIVES_EMITTED, 0, TARGET_DRAW,      \
     STATISTICS_EXTENSION, NULL, GS_PRIMITIVES,                              \
     "Geometry Shader Primitives", __VA_ARGS__)                              \
   X(FS_INVOCATIONS, FRAGMENT_SHADER_INVOCATIONS, 0, TARGET_DRAW,            \
     STATISTICS_EXTENSION, NULL, PS_INVOCATIONS,                             \
     "Fragment Shader Invocations", __VA_ARGS__)                             \
   X(CS_INVOCATIONS, COMPUTE_SHADER_INVOCATIONS, 0, TARGET_DISPATCH,         \
     "GL_ARB_compute_shader", NULL, CS_INVOCATIONS,                          \
     "Compute Shader Invocations", __VA_ARGS__)                              \
   X(CLIPPING_INPUT, CLIPPING_INPUT_PRIMITIVES, 0, TARGET_DRAW,              \
     STATISTICS_EXTENSION, NULL, C_INVOCATIONS, "Clipping Input Primitives", \
     __VA_ARGS__)                                                            \
   X(CLIPPING_OUTPUT, CLIPPING_OUTPUT_PRIMITIVES, 0, TARGET_DRAW,            \
     STATISTICS_EXTENSION, NULL, C_PRIMITIVES, "Clipping Output Primitives", \
     __VA_ARGS__)

#define MESH_EXTENSION "GL_EXT_mesh_shader"

/* The same of EXT_mesh_shader: simulated GPUs count none of them. */
#define EACH_MESH_STATISTIC(X, ...)                                          \
   X(TS_INVOCATIONS, TASK_SHADER_INVOCATIONS_EXT, 0, TARGET_MESHES,          \
     MESH_EXTENSION, MESH_EXTENSION, TS_INVOCATIONS,                         \
     "Task Shader Invocations", __VA_ARGS__)                                 \
   X(MS_INVOCATIONS, MESH_SHADER_INVOCATIONS_EXT, 0, TARGET_MESHES,          \
     MESH_EXTENSION, MESH_EXTENSION, MS_INVOCATIONS,                         \
     "Mesh Shader Invocations", __VA_ARGS__)                                 \
   X(MS_PRIMITIVES, MESH_PRIMITIVES_GENERATED_EXT, 0, TARGET_MESHES,         \
     MESH_EXTENSION, MESH_EXTENSION, MS_PRIMITIVES,                          \
     "Mesh Primitives Generated", __VA_ARGS__)

#ifndef GL_EXT_mesh_shader /* in older headers */
#define GL_TASK_SHADER_INVOCATIONS_EXT   0x9753
#define GL_MESH_SHADER_INVOCATIONS_EXT   0x9754
#define GL_MESH_PRIMITIVES_GENERATED_EXT 0x9755
#endif

#define TARGET_KIND(KIND, ...)       PITOT_KIND_##KIND,
#define TARGET_GL(KIND, TARGET, ...) GL_##TARGET,
#define TARGET_ONE(...)              +1
#define EACH_STATISTIC_COUNT         (0 EACH_STATISTIC(TARGET_ONE))
#define EACH_MESH_STATISTIC_COUNT    (0 EACH_MESH_STATISTIC(TARGET_ONE))

#endif /* PITOT_TESTS_TARGETS_H */
