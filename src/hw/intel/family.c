/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Intel's GPUs, Gen8 to Gen30.  PIPE_CONTROL writes depth counts and
 * timestamps.  The command streamer stores registers, for which it must wait
 * until draws are done.
 */

#include <assert.h>

#include "pitot/intel.h"
#include "pitot_hw_family.h"

/* Registers, of 64 bits each. */
#define CS_INVOCATION_COUNT       0x2290
#define HS_INVOCATION_COUNT       0x2300
#define DS_INVOCATION_COUNT       0x2308
#define IA_VERTICES_COUNT         0x2310
#define IA_PRIMITIVES_COUNT       0x2318
#define VS_INVOCATION_COUNT       0x2320
#define GS_INVOCATION_COUNT       0x2328
#define GS_PRIMITIVES_COUNT       0x2330
#define CL_INVOCATION_COUNT       0x2338
#define CL_PRIMITIVES_COUNT       0x2340
#define PS_INVOCATION_COUNT       0x2348
#define SO_NUM_PRIMS_WRITTEN(N)   (0x5200 + 8 * (N))
#define SO_PRIM_STORAGE_NEEDED(N) (0x5240 + 8 * (N))

/* In the order of emission: pipelined samples come first, so that a depth
 * stall comes just before the sample that needs it.
 */
enum {
   SAMPLE_DEPTH_COUNT,
   SAMPLE_TIMESTAMP,
   SAMPLE_IA_VERTICES,
   SAMPLE_IA_PRIMITIVES,
   SAMPLE_VS_INVOCATIONS,
   SAMPLE_HS_INVOCATIONS,
   SAMPLE_DS_INVOCATIONS,
   SAMPLE_GS_INVOCATIONS,
   SAMPLE_GS_PRIMITIVES,
   SAMPLE_CL_INVOCATIONS,
   SAMPLE_CL_PRIMITIVES,
   SAMPLE_PS_INVOCATIONS,
   SAMPLE_CS_INVOCATIONS,
   SAMPLE_COMPUTE_TIMESTAMP,
   SAMPLE_SO_WRITTEN,
   SAMPLE_SO_NEEDED = SAMPLE_SO_WRITTEN + PITOT_MAX_STREAMS,
   SAMPLE_COUNT = SAMPLE_SO_NEEDED + PITOT_MAX_STREAMS,
};

static_assert(SAMPLE_COUNT <= PITOT_HW_MAX_SAMPLES, "too many samples");

/* Statistics Enable of the clipper and the windower stops these; the other
 * stages also count internal draws.
 */
#define STOPPED                                                              \
   (UINT32_C(1) << SAMPLE_DEPTH_COUNT |                                      \
    UINT32_C(1) << SAMPLE_CL_INVOCATIONS |                                   \
    UINT32_C(1) << SAMPLE_CL_PRIMITIVES |                                    \
    UINT32_C(1) << SAMPLE_PS_INVOCATIONS)

#define PIPELINED                                                            \
   (UINT32_C(1) << SAMPLE_DEPTH_COUNT | UINT32_C(1) << SAMPLE_TIMESTAMP)

#define REGISTER(REG)                                                        \
   {                                                                         \
      .command = PITOT_COMMAND_COUNTER, .argument = REG                      \
   }

static const struct pitot_hw_sample samples[SAMPLE_COUNT] = {
   [SAMPLE_DEPTH_COUNT] = { .command = PITOT_COMMAND_OCCLUSION },
   [SAMPLE_TIMESTAMP] = {
      .is_time = true,
      .command = PITOT_COMMAND_TIMESTAMP,
   },
   [SAMPLE_IA_VERTICES] = REGISTER(IA_VERTICES_COUNT),
   [SAMPLE_IA_PRIMITIVES] = REGISTER(IA_PRIMITIVES_COUNT),
   [SAMPLE_VS_INVOCATIONS] = REGISTER(VS_INVOCATION_COUNT),
   [SAMPLE_HS_INVOCATIONS] = REGISTER(HS_INVOCATION_COUNT),
   [SAMPLE_DS_INVOCATIONS] = REGISTER(DS_INVOCATION_COUNT),
   [SAMPLE_GS_INVOCATIONS] = REGISTER(GS_INVOCATION_COUNT),
   [SAMPLE_GS_PRIMITIVES] = REGISTER(GS_PRIMITIVES_COUNT),
   [SAMPLE_CL_INVOCATIONS] = REGISTER(CL_INVOCATION_COUNT),
   [SAMPLE_CL_PRIMITIVES] = REGISTER(CL_PRIMITIVES_COUNT),
   [SAMPLE_PS_INVOCATIONS] = REGISTER(PS_INVOCATION_COUNT),
   [SAMPLE_CS_INVOCATIONS] = {
      .ring = PITOT_RING_COMPUTE,
      .command = PITOT_COMMAND_COUNTER,
      .argument = CS_INVOCATION_COUNT,
   },
   [SAMPLE_COMPUTE_TIMESTAMP] = {
      .ring = PITOT_RING_COMPUTE,
      .is_time = true,
      .command = PITOT_COMMAND_TIMESTAMP,
   },
   [SAMPLE_SO_WRITTEN + 0] = REGISTER(SO_NUM_PRIMS_WRITTEN(0)),
   [SAMPLE_SO_WRITTEN + 1] = REGISTER(SO_NUM_PRIMS_WRITTEN(1)),
   [SAMPLE_SO_WRITTEN + 2] = REGISTER(SO_NUM_PRIMS_WRITTEN(2)),
   [SAMPLE_SO_WRITTEN + 3] = REGISTER(SO_NUM_PRIMS_WRITTEN(3)),
   [SAMPLE_SO_NEEDED + 0] = REGISTER(SO_PRIM_STORAGE_NEEDED(0)),
   [SAMPLE_SO_NEEDED + 1] = REGISTER(SO_PRIM_STORAGE_NEEDED(1)),
   [SAMPLE_SO_NEEDED + 2] = REGISTER(SO_PRIM_STORAGE_NEEDED(2)),
   [SAMPLE_SO_NEEDED + 3] = REGISTER(SO_PRIM_STORAGE_NEEDED(3)),
};

#define EACH_STREAM(SAMPLE)                                                  \
   {                                                                         \
      { SAMPLE + 0, 0 }, { SAMPLE + 1, 0 }, { SAMPLE + 2, 0 },               \
      {                                                                      \
         SAMPLE + 3, 0                                                       \
      }                                                                      \
   }

#define OCCLUSION(BITS, COUNTING)                                            \
   PITOT_HW_COUNTER(BITS, SAMPLE_DEPTH_COUNT, 0, COUNTING)

#define STATISTIC(SAMPLE) PITOT_HW_COUNTER(64, SAMPLE_##SAMPLE, 0, STATISTICS)

#define STREAMOUT_COUNTER(SAMPLE)                                            \
   {                                                                         \
      .bits = 64, .qwords = EACH_STREAM(SAMPLE),                             \
      .counting = PITOT_COUNTING_STREAMOUT                                   \
   }

#define OVERFLOW(ALL)                                                        \
   {                                                                         \
      .bits = 1, .method = PITOT_HW_OVERFLOW,                                \
      .qwords = EACH_STREAM(SAMPLE_SO_NEEDED),                               \
      .written = EACH_STREAM(SAMPLE_SO_WRITTEN), .is_of_all_streams = ALL,   \
      .counting = PITOT_COUNTING_STREAMOUT                                   \
   }

static const struct pitot_hw_measure measures[PITOT_HW_MEASURE_COUNT] = {
   [PITOT_KIND_SAMPLES_PASSED] = OCCLUSION(64, SAMPLES),
   [PITOT_KIND_ANY_SAMPLES_PASSED] = OCCLUSION(1, BOOLEAN),
   [PITOT_KIND_ANY_SAMPLES_PASSED_CONSERVATIVE] = OCCLUSION(1, BOOLEAN),

   /* Stream 0 counts at the clipper, also without transform feedback. */
   [PITOT_KIND_PRIMITIVES_GENERATED] = {
      .bits = 64,
      .qwords = { { SAMPLE_CL_INVOCATIONS, 0 },
                  { SAMPLE_SO_NEEDED + 1, 0 },
                  { SAMPLE_SO_NEEDED + 2, 0 },
                  { SAMPLE_SO_NEEDED + 3, 0 } },
      .counting = PITOT_COUNTING_STATISTICS | PITOT_COUNTING_STREAMOUT |
                  PITOT_COUNTING_GENERATED,
   },
   [PITOT_KIND_PRIMITIVES_WRITTEN] = STREAMOUT_COUNTER(SAMPLE_SO_WRITTEN),
   [PITOT_HW_STORAGE_NEEDED] = STREAMOUT_COUNTER(SAMPLE_SO_NEEDED),
   [PITOT_KIND_STREAM_OVERFLOW] = OVERFLOW(false),
   [PITOT_KIND_ANY_STREAM_OVERFLOW] = OVERFLOW(true),

   [PITOT_KIND_TIME_ELAPSED] = PITOT_HW_TIME(SAMPLE_TIMESTAMP, ELAPSED),
   [PITOT_KIND_TIMESTAMP] = PITOT_HW_TIME(SAMPLE_TIMESTAMP, TIMESTAMP),

   [PITOT_KIND_VERTICES_SUBMITTED] = STATISTIC(IA_VERTICES),
   [PITOT_KIND_PRIMITIVES_SUBMITTED] = STATISTIC(IA_PRIMITIVES),
   [PITOT_KIND_VS_INVOCATIONS] = STATISTIC(VS_INVOCATIONS),
   [PITOT_KIND_TCS_PATCHES] = STATISTIC(HS_INVOCATIONS),
   [PITOT_KIND_TES_INVOCATIONS] = STATISTIC(DS_INVOCATIONS),
   [PITOT_KIND_GS_INVOCATIONS] = STATISTIC(GS_INVOCATIONS),
   [PITOT_KIND_GS_PRIMITIVES] = STATISTIC(GS_PRIMITIVES),
   [PITOT_KIND_FS_INVOCATIONS] = STATISTIC(PS_INVOCATIONS),
   [PITOT_KIND_CS_INVOCATIONS] = STATISTIC(CS_INVOCATIONS),
   [PITOT_KIND_CLIPPING_INPUT] = STATISTIC(CL_INVOCATIONS),
   [PITOT_KIND_CLIPPING_OUTPUT] = STATISTIC(CL_PRIMITIVES),
};

/* Gen8, WaDividePSInvocationCountBy4: the counter is four times too high. */
static const struct pitot_hw_measure gen8_fs_invocations = {
   .bits = 64,
   .qwords = { { SAMPLE_PS_INVOCATIONS, 0 } },
   .shift = 2,
   .counting = PITOT_COUNTING_STATISTICS,
};

static const struct pitot_hw_measure *
measure_of(const struct pitot_gpu *gpu, unsigned kind)
{
   const bool is_fourfold =
      kind == PITOT_KIND_FS_INVOCATIONS && gpu->generation / 10 == 8;

   if (is_fourfold)
      return &gen8_fs_invocations;
   return measures[kind].bits ? &measures[kind] : NULL;
}

const struct pitot_hw_family pitot_hw_intel = {
   .samples = samples,
   .sample_count = SAMPLE_COUNT,
   .measure = measure_of,
   .second_timestamp = SAMPLE_COMPUTE_TIMESTAMP,
   .stopped = STOPPED,
   .slab_size_B = 4096,
   .available = 1,
   .written_at_once = ~(PIPELINED | UINT32_C(1) << SAMPLE_COMPUTE_TIMESTAMP),
};
