/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "pitot/gl.h"
#include "rules.h"
#include "targets.h"

/* Repeats a script for each statistic, with the target in both gaps. */
#define STATISTICS(A, B, C) EACH_STATISTIC(STATISTIC, A, B, C)
#define STATISTIC(KIND, TARGET, FLAGS, WORK, DESKTOP, ES, GALLIUM, COUNTER,  \
                  A, B, C)                                                   \
   A #TARGET B #TARGET C

#define MESHES(A, B, C) EACH_MESH_STATISTIC(STATISTIC, A, B, C)

#define CREATE(KIND, TARGET, ...) "create " #TARGET " a;"

/* Without its feature, calls with a target are errors. */
#define NOT_EXPOSED(TARGET, APIS, FEATURE)                                   \
   {                                                                         \
      "begin: " #TARGET " where it is not exposed", GL46 "4.2.2",            \
         (APIS) | WITHOUT(FEATURE),                                          \
         "gen a; begin " #TARGET " a ! INVALID_ENUM; end " #TARGET           \
         " ! INVALID_ENUM; query " #TARGET " CURRENT_QUERY ! INVALID_ENUM"   \
   }

#define MESH_NOT_EXPOSED(KIND, TARGET, ...)                                  \
   NOT_EXPOSED(TARGET, IN_ALL, PITOT_GL_MESH),

const struct rule rules[] = {
#include "names.inc"
#include "measure.inc"
#include "mesh.inc"
#include "exposed.inc"
#include "time.inc"
#include "ask.inc"
#include "buffer.inc"
#include "condition.inc"
#include "perf_set.inc"
#include "perf_query.inc"
#include "perf_data.inc"
#include "monitor_group.inc"
#include "monitor_select.inc"
#include "monitor_data.inc"
};

const size_t rule_count = sizeof(rules) / sizeof(rules[0]);
