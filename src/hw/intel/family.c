/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <assert.h>

#include "family.h"
#include "intel.h"
#include "store.h"

/* In the order of emission: what is pipelined comes first, so that a depth
 * stall comes just before what it is for.
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

#define PIPELINED                                                            \
   (UINT32_C(1) << SAMPLE_DEPTH_COUNT | UINT32_C(1) << SAMPLE_TIMESTAMP)

/* On the compute ring, too, but with a stall. */
#define COMPUTE_PIPELINED (UINT32_C(1) << SAMPLE_COMPUTE_TIMESTAMP)

/* The largest Gen9 wants a stall with whatever it writes from the pipe. */
static void
emit_pipelined(struct pitot_hw_packets *packets, uint32_t flags,
               uint64_t address)
{
   const struct pitot_gpu *gpu = packets->gpu;
   const bool is_large_gen9 = gpu->is_gt4 && gpu->generation / 10 == 9;

   packets->next =
      pitot_intel_pipe_control(packets->next,
                               flags |
                                  (is_large_gen9 ? PITOT_INTEL_CS_STALL : 0),
                               address, 0);
}

/* Whatever the pipe writes while it computes wants a stall with it on Gen8,
 * and one right before it from Gen9 on, as iris has it.
 */
static void
emit_computing(struct pitot_hw_packets *packets, uint32_t flags,
               uint64_t address)
{
   if (packets->gpu->generation / 10 >= 9)
      packets->next =
         pitot_intel_pipe_control(packets->next, PITOT_INTEL_CS_STALL, 0, 0);
   packets->next =
      pitot_intel_pipe_control(packets->next, flags | PITOT_INTEL_CS_STALL,
                               address, 0);
}

static void
emit_register(struct pitot_hw_packets *packets, uint32_t reg,
              uint64_t address)
{
   packets->next =
      pitot_intel_store_register(packets->next, packets->gpu->generation, reg,
                                 address);
}

#define REGISTER(NAME, REG)                                                  \
   {                                                                         \
      .name = NAME, .ring = PITOT_RING_RENDER,                               \
      .argument = PITOT_INTEL_##REG, .emit = emit_register                   \
   }

static const struct pitot_hw_sample samples[SAMPLE_COUNT] = {
   [SAMPLE_DEPTH_COUNT] = {
      .name = "depth count",
      .argument = PITOT_INTEL_WRITE_DEPTH_COUNT | PITOT_INTEL_DEPTH_STALL,
      .emit = emit_pipelined,
   },
   [SAMPLE_TIMESTAMP] = {
      .name = "timestamp",
      .is_time = true,
      .argument = PITOT_INTEL_WRITE_TIMESTAMP,
      .emit = emit_pipelined,
   },
   [SAMPLE_IA_VERTICES] = REGISTER("IA vertices", IA_VERTICES_COUNT),
   [SAMPLE_IA_PRIMITIVES] = REGISTER("IA primitives", IA_PRIMITIVES_COUNT),
   [SAMPLE_VS_INVOCATIONS] = REGISTER("VS invocations", VS_INVOCATION_COUNT),
   [SAMPLE_HS_INVOCATIONS] = REGISTER("HS invocations", HS_INVOCATION_COUNT),
   [SAMPLE_DS_INVOCATIONS] = REGISTER("DS invocations", DS_INVOCATION_COUNT),
   [SAMPLE_GS_INVOCATIONS] = REGISTER("GS invocations", GS_INVOCATION_COUNT),
   [SAMPLE_GS_PRIMITIVES] = REGISTER("GS primitives", GS_PRIMITIVES_COUNT),
   [SAMPLE_CL_INVOCATIONS] = REGISTER("clipper input", CL_INVOCATION_COUNT),
   [SAMPLE_CL_PRIMITIVES] = REGISTER("clipper output", CL_PRIMITIVES_COUNT),
   [SAMPLE_PS_INVOCATIONS] = REGISTER("PS invocations", PS_INVOCATION_COUNT),
   [SAMPLE_CS_INVOCATIONS] = {
      .name = "CS invocations",
      .ring = PITOT_RING_COMPUTE,
      .argument = PITOT_INTEL_CS_INVOCATION_COUNT,
      .emit = emit_register,
   },
   [SAMPLE_COMPUTE_TIMESTAMP] = {
      .name = "timestamp",
      .ring = PITOT_RING_COMPUTE,
      .is_time = true,
      .argument = PITOT_INTEL_WRITE_TIMESTAMP,
      .emit = emit_computing,
   },
   [SAMPLE_SO_WRITTEN + 0] = REGISTER("SO 0 written", SO_NUM_PRIMS_WRITTEN(0)),
   [SAMPLE_SO_WRITTEN + 1] = REGISTER("SO 1 written", SO_NUM_PRIMS_WRITTEN(1)),
   [SAMPLE_SO_WRITTEN + 2] = REGISTER("SO 2 written", SO_NUM_PRIMS_WRITTEN(2)),
   [SAMPLE_SO_WRITTEN + 3] = REGISTER("SO 3 written", SO_NUM_PRIMS_WRITTEN(3)),
   [SAMPLE_SO_NEEDED + 0] = REGISTER("SO 0 needed", SO_PRIM_STORAGE_NEEDED(0)),
   [SAMPLE_SO_NEEDED + 1] = REGISTER("SO 1 needed", SO_PRIM_STORAGE_NEEDED(1)),
   [SAMPLE_SO_NEEDED + 2] = REGISTER("SO 2 needed", SO_PRIM_STORAGE_NEEDED(2)),
   [SAMPLE_SO_NEEDED + 3] = REGISTER("SO 3 needed", SO_PRIM_STORAGE_NEEDED(3)),
};

static unsigned
sample_size_B(const struct pitot_gpu *gpu, unsigned sample)
{
   (void)gpu;
   (void)sample;
   return sizeof(uint64_t);
}

/* A register is read as it is when the command streamer comes by, and in two
 * halves: nothing may be counting then.
 */
static unsigned
barriers(const struct pitot_gpu *gpu, uint32_t mask)
{
   const bool has_depth = mask & UINT32_C(1) << SAMPLE_DEPTH_COUNT;
   unsigned result = 0;

   if (mask & ~PIPELINED)
      result |= 1 << PITOT_BARRIER_STALL;
   if (has_depth && gpu->generation >= 100)
      result |= 1 << PITOT_BARRIER_DEPTH;
   return result;
}

/* What is pipelined lands after what the command streamer stores by itself,
 * so its landing stands for both.
 */
static void
emit_available(struct pitot_hw_packets *packets, uint32_t mask,
               uint64_t address)
{
   const unsigned generation = packets->gpu->generation;
   const uint32_t write =
      PITOT_INTEL_FLUSH_ENABLE | PITOT_INTEL_WRITE_IMMEDIATE;

   if (mask & PIPELINED)
      packets->next =
         pitot_intel_pipe_control(packets->next, write, address, 1);
   else if (mask & COMPUTE_PIPELINED)
      packets->next =
         pitot_intel_pipe_control(packets->next, write | PITOT_INTEL_CS_STALL,
                                  address, 1);
   else
      packets->next =
         pitot_intel_store_data(packets->next, generation, address, 1);
}

static void
emit_value(struct pitot_hw_packets *packets, uint64_t address, uint64_t value,
           unsigned size_B)
{
   const unsigned generation = packets->gpu->generation;

   packets->next =
      size_B == sizeof(uint64_t)
         ? pitot_intel_store_data(packets->next, generation, address, value)
         : pitot_intel_store_data_32(packets->next, generation, address,
                                     (uint32_t)value);
}

static unsigned
scratch_size_B(const struct pitot_gpu *gpu)
{
   (void)gpu;
   return 0;
}

static uint32_t
nop(const struct pitot_gpu *gpu)
{
   (void)gpu;
   return PITOT_INTEL_NOOP;
}

/* Gen8 counts each invocation four times. */
static uint64_t
finish_fs_invocations(const struct pitot_gpu *gpu, uint64_t sum)
{
   return gpu->generation / 10 == 8 ? sum / 4 : sum;
}

#define EACH_STREAM(SAMPLE)                                                  \
   {                                                                         \
      { SAMPLE + 0, 0 }, { SAMPLE + 1, 0 }, { SAMPLE + 2, 0 },               \
      {                                                                      \
         SAMPLE + 3, 0                                                       \
      }                                                                      \
   }

#define COUNTER(FINISH)                                                      \
   .merge = pitot_hw_merge_counter, .finish = pitot_hw_finish_##FINISH,      \
   .emit_merge = pitot_intel_emit_counter,                                   \
   .emit_finish = pitot_intel_emit_##FINISH

#define OCCLUSION(BITS, COUNTING, FINISH)                                    \
   {                                                                         \
      .bits = BITS, .words = { { SAMPLE_DEPTH_COUNT, 0 } },                  \
      .counting = PITOT_COUNTING_##COUNTING, COUNTER(FINISH)                 \
   }

#define STATISTIC(KIND, SAMPLE)                                              \
   [PITOT_KIND_##KIND] = {                                                   \
      .bits = 64,                                                            \
      .words = { { SAMPLE_##SAMPLE, 0 } },                                   \
      .counting = PITOT_COUNTING_STATISTICS,                                 \
      COUNTER(sum),                                                          \
   }

#define OVERFLOW(ALL)                                                        \
   {                                                                         \
      .bits = 1, .words = EACH_STREAM(SAMPLE_SO_NEEDED),                     \
      .other_words = EACH_STREAM(SAMPLE_SO_WRITTEN), .has_other = true,      \
      .is_of_all_streams = ALL, .counting = PITOT_COUNTING_STREAMOUT,        \
      .merge = pitot_hw_merge_overflow, .finish = pitot_hw_finish_boolean,   \
      .emit_merge = pitot_intel_emit_overflow,                               \
      .emit_finish = pitot_intel_emit_boolean                                \
   }

#define TIME(MERGE)                                                          \
   PITOT_HW_TIME_ROW(SAMPLE_TIMESTAMP, MERGE,                                \
                     .emit_merge = pitot_intel_emit_##MERGE,                 \
                     .emit_finish = pitot_intel_emit_time)

static const struct pitot_hw_row rows[PITOT_HW_ROW_COUNT] = {
   [PITOT_KIND_SAMPLES_PASSED] = OCCLUSION(64, SAMPLES, sum),
   [PITOT_KIND_ANY_SAMPLES_PASSED] = OCCLUSION(1, BOOLEAN, boolean),
   [PITOT_KIND_ANY_SAMPLES_PASSED_CONSERVATIVE] =
      OCCLUSION(1, BOOLEAN, boolean),

   /* Stream 0 counts without transform feedback as well, by what arrives at
    * the clipper.
    */
   [PITOT_KIND_PRIMITIVES_GENERATED] = {
      .bits = 64,
      .words = { { SAMPLE_CL_INVOCATIONS, 0 },
                 { SAMPLE_SO_NEEDED + 1, 0 },
                 { SAMPLE_SO_NEEDED + 2, 0 },
                 { SAMPLE_SO_NEEDED + 3, 0 } },
      .counting = PITOT_COUNTING_STATISTICS | PITOT_COUNTING_STREAMOUT,
      COUNTER(sum),
   },
   [PITOT_KIND_PRIMITIVES_WRITTEN] = {
      .bits = 64,
      .words = EACH_STREAM(SAMPLE_SO_WRITTEN),
      .counting = PITOT_COUNTING_STREAMOUT,
      COUNTER(sum),
   },
   [PITOT_HW_STORAGE_NEEDED] = {
      .bits = 64,
      .words = EACH_STREAM(SAMPLE_SO_NEEDED),
      .counting = PITOT_COUNTING_STREAMOUT,
      COUNTER(sum),
   },
   [PITOT_KIND_STREAM_OVERFLOW] = OVERFLOW(false),
   [PITOT_KIND_ANY_STREAM_OVERFLOW] = OVERFLOW(true),

   [PITOT_KIND_TIME_ELAPSED] = TIME(elapsed),
   [PITOT_KIND_TIMESTAMP] = TIME(timestamp),

   STATISTIC(VERTICES_SUBMITTED, IA_VERTICES),
   STATISTIC(PRIMITIVES_SUBMITTED, IA_PRIMITIVES),
   STATISTIC(VS_INVOCATIONS, VS_INVOCATIONS),
   STATISTIC(TCS_PATCHES, HS_INVOCATIONS),
   STATISTIC(TES_INVOCATIONS, DS_INVOCATIONS),
   STATISTIC(GS_INVOCATIONS, GS_INVOCATIONS),
   STATISTIC(GS_PRIMITIVES, GS_PRIMITIVES),
   [PITOT_KIND_FS_INVOCATIONS] = {
      .bits = 64,
      .words = { { SAMPLE_PS_INVOCATIONS, 0 } },
      .counting = PITOT_COUNTING_STATISTICS,
      .merge = pitot_hw_merge_counter,
      .finish = finish_fs_invocations,
      .emit_merge = pitot_intel_emit_counter,
      .emit_finish = pitot_intel_emit_fs_invocations,
   },
   STATISTIC(CS_INVOCATIONS, CS_INVOCATIONS),
   STATISTIC(CLIPPING_INPUT, CL_INVOCATIONS),
   STATISTIC(CLIPPING_OUTPUT, CL_PRIMITIVES),
};

const struct pitot_hw_family pitot_hw_intel = {
   .samples = samples,
   .sample_count = SAMPLE_COUNT,
   .rows = rows,
   .compute_timestamp = SAMPLE_COMPUTE_TIMESTAMP,
   .sample_size_B = sample_size_B,
   .barriers = barriers,
   .emit_available = emit_available,
   .emit_value = emit_value,
   .describe_condition = pitot_intel_describe_condition,
   .emit_target = pitot_intel_emit_target,
   .scratch_size_B = scratch_size_B,
   .nop = nop,
};
