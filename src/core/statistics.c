/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The counters of "Pipeline Statistics", whoever provides it.
 */

#include <assert.h>

#include "core_priv.h"

#define STATISTIC(KIND, NAME, DESCRIPTION)                                   \
   {                                                                         \
      PITOT_KIND_##KIND,                                                     \
         {                                                                   \
            .name = NAME,                                                    \
            .description = DESCRIPTION,                                      \
            .type = PITOT_COUNTER_EVENT,                                     \
            .data_type = PITOT_DATA_UINT64,                                  \
         },                                                                  \
   }

static const struct {
   enum pitot_kind kind;
   struct pitot_counter_info counter;
} statistics[] = {
   STATISTIC(VERTICES_SUBMITTED, "Vertices Submitted",
             "Vertices transferred to the GL. Unit: vertices."),
   STATISTIC(PRIMITIVES_SUBMITTED, "Primitives Submitted",
             "Primitives transferred to the GL. Unit: primitives."),
   STATISTIC(VS_INVOCATIONS, "Vertex Shader Invocations",
             "Times that a vertex shader ran. Unit: invocations."),
   STATISTIC(TCS_PATCHES, "Tessellation Control Patches",
             "Patches that a tessellation control shader processed. "
             "Unit: patches."),
   STATISTIC(TES_INVOCATIONS, "Tessellation Evaluation Invocations",
             "Times that a tessellation evaluation shader ran. "
             "Unit: invocations."),
   STATISTIC(GS_INVOCATIONS, "Geometry Shader Invocations",
             "Times that a geometry shader ran. Unit: invocations."),
   STATISTIC(GS_PRIMITIVES, "Geometry Shader Primitives",
             "Primitives that geometry shaders emitted. Unit: primitives."),
   STATISTIC(FS_INVOCATIONS, "Fragment Shader Invocations",
             "Times that a fragment shader ran. Unit: invocations."),
   STATISTIC(CS_INVOCATIONS, "Compute Shader Invocations",
             "Times that a compute shader ran. Unit: invocations."),
   STATISTIC(CLIPPING_INPUT, "Clipping Input Primitives",
             "Primitives that reached clipping. Unit: primitives."),
   STATISTIC(CLIPPING_OUTPUT, "Clipping Output Primitives",
             "Primitives that clipping let through. Unit: primitives."),
   STATISTIC(PRIMITIVES_GENERATED, "Primitives Generated",
             "Primitives that reached transform feedback, or would have. "
             "Unit: primitives."),
   STATISTIC(PRIMITIVES_WRITTEN, "Primitives Written",
             "Primitives that transform feedback wrote. Unit: primitives."),
};

static_assert(sizeof(statistics) / sizeof(statistics[0]) ==
                 PITOT_STATISTIC_COUNT,
              "PITOT_STATISTIC_COUNT is stale");

struct pitot_counter_info
pitot_statistic(unsigned index, enum pitot_kind *kind_out)
{
   *kind_out = statistics[index].kind;
   return statistics[index].counter;
}
