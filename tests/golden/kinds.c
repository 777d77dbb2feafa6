/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <GL/gl.h>
#include <GL/glext.h>

#include "kinds.h"

#define KIND(KIND, TARGET, WORK)                                             \
   {                                                                         \
      PITOT_KIND_##KIND, GL_##TARGET, GOLDEN_##WORK                          \
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

/* The order of the simulator's statistics, by kind. */
static const enum sim_statistic statistics[] = {
   SIM_IA_VERTICES,    SIM_IA_PRIMITIVES,  SIM_VS_INVOCATIONS,
   SIM_HS_INVOCATIONS, SIM_DS_INVOCATIONS, SIM_GS_INVOCATIONS,
   SIM_GS_PRIMITIVES,  SIM_PS_INVOCATIONS, SIM_CS_INVOCATIONS,
   SIM_CL_INVOCATIONS, SIM_CL_PRIMITIVES,
};

/* One is counted by the clipper on Intel, and by stream-out on AMD. */
static uint64_t
primitives_generated(const struct sim *sim)
{
   return sim->gpu.facts.vendor == PITOT_VENDOR_INTEL
             ? sim->draw.statistics[SIM_CL_INVOCATIONS]
             : sim->draw.streamout[0][SIM_NEEDED];
}

uint64_t
golden_expected(const struct golden_kind *kind, const struct sim *sim)
{
   const struct sim_work *work =
      kind->work == GOLDEN_DISPATCH ? &sim->dispatch : &sim->draw;

   switch (kind->kind) {
   case PITOT_KIND_SAMPLES_PASSED:
      return GOLDEN_DRAWS * work->samples;
   case PITOT_KIND_ANY_SAMPLES_PASSED:
   case PITOT_KIND_ANY_SAMPLES_PASSED_CONSERVATIVE:
      return work->samples != 0;
   case PITOT_KIND_PRIMITIVES_GENERATED:
      return GOLDEN_DRAWS * primitives_generated(sim);
   case PITOT_KIND_PRIMITIVES_WRITTEN:
      return GOLDEN_DRAWS * work->streamout[0][SIM_WRITTEN];
   case PITOT_KIND_STREAM_OVERFLOW:
   case PITOT_KIND_ANY_STREAM_OVERFLOW:
      return work->streamout[0][SIM_NEEDED] !=
             work->streamout[0][SIM_WRITTEN];
   default:
      return GOLDEN_DRAWS *
             work->statistics[statistics[kind->kind -
                                         PITOT_KIND_VERTICES_SUBMITTED]];
   }
}
