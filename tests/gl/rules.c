/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "pitot/gl.h"
#include "rules.h"

#define GL46 "OpenGL 4.6 core, "
#define ES32 "OpenGL ES 3.2, "
#define EDTQ "EXT_disjoint_timer_query"
#define EOQB "EXT_occlusion_query_boolean"
#define APSQ "ARB_pipeline_statistics_query"
#define AQBO "ARB_query_buffer_object"
#define ADSA "ARB_direct_state_access"
#define ATFO "ARB_transform_feedback_overflow_query"
#define ACRI "ARB_conditional_render_inverted"
#define IPQ  "INTEL_performance_query"

/* Says the same of each of the eleven statistics, whose targets stand in the
 * two gaps.
 */
#define STATISTIC(BEFORE, TARGET, BETWEEN, AFTER)                            \
   BEFORE #TARGET BETWEEN #TARGET AFTER
#define EACH_STATISTIC(A, B, C)                                              \
   STATISTIC(A, VERTICES_SUBMITTED, B, C)                                    \
   STATISTIC(A, PRIMITIVES_SUBMITTED, B, C)                                  \
   STATISTIC(A, VERTEX_SHADER_INVOCATIONS, B, C)                             \
   STATISTIC(A, TESS_CONTROL_SHADER_PATCHES, B, C)                           \
   STATISTIC(A, TESS_EVALUATION_SHADER_INVOCATIONS, B, C)                    \
   STATISTIC(A, GEOMETRY_SHADER_INVOCATIONS, B, C)                           \
   STATISTIC(A, GEOMETRY_SHADER_PRIMITIVES_EMITTED, B, C)                    \
   STATISTIC(A, FRAGMENT_SHADER_INVOCATIONS, B, C)                           \
   STATISTIC(A, COMPUTE_SHADER_INVOCATIONS, B, C)                            \
   STATISTIC(A, CLIPPING_INPUT_PRIMITIVES, B, C)                             \
   STATISTIC(A, CLIPPING_OUTPUT_PRIMITIVES, B, C)

const struct rule rules[] = {
#include "rules_names.inc"
#include "rules_measure.inc"
#include "rules_exposed.inc"
#include "rules_time.inc"
#include "rules_ask.inc"
#include "rules_buffer.inc"
#include "rules_condition.inc"
#include "rules_set.inc"
#include "rules_session.inc"
#include "rules_data.inc"
};

const size_t rule_count = sizeof(rules) / sizeof(rules[0]);
