/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * AMD's GPUs, GFX6 to GFX12.  Each render backend writes its occlusion count
 * to a slot of its own; events write blocks of statistics and of stream-out.
 * The command processor waits forever for a slot that no backend writes.
 */

#include "amd.h"

enum {
   SAMPLE_OCCLUSION,
   SAMPLE_TIMESTAMP,
   SAMPLE_STATISTICS,
   SAMPLE_STREAMOUT,
   SAMPLE_COUNT = SAMPLE_STREAMOUT + PITOT_MAX_STREAMS,
};

/* Qwords of SAMPLE_PIPELINESTAT, in the order in which the GPU writes them.
 */
enum {
   BLOCK_PS_INVOCATIONS,
   BLOCK_C_PRIMITIVES,
   BLOCK_C_INVOCATIONS,
   BLOCK_VS_INVOCATIONS,
   BLOCK_GS_INVOCATIONS,
   BLOCK_GS_PRIMITIVES,
   BLOCK_IA_PRIMITIVES,
   BLOCK_IA_VERTICES,
   BLOCK_HS_INVOCATIONS,
   BLOCK_DS_INVOCATIONS,
   BLOCK_CS_INVOCATIONS,
   BLOCK_COUNT,
   BLOCK_COUNT_GFX11 = BLOCK_COUNT + 3, /* mesh shader counters, too */
};

/* Qwords of SAMPLE_STREAMOUTSTATS. */
enum {
   STREAMOUT_NEEDED,
   STREAMOUT_WRITTEN,
   STREAMOUT_COUNT,
};

#define STREAMOUT(EVENT)                                                     \
   {                                                                         \
      .valid_stride_qw = 1, .command = PITOT_COMMAND_COUNTER,                \
      .argument = EVENT                                                      \
   }

static const struct pitot_hw_sample samples[SAMPLE_COUNT] = {
   [SAMPLE_OCCLUSION] = {
      .valid_stride_qw = PITOT_AMD_BACKEND_QW,
      .is_per_backend = true,
      .command = PITOT_COMMAND_OCCLUSION,
   },
   [SAMPLE_TIMESTAMP] = {
      .is_time = true,
      .command = PITOT_COMMAND_TIMESTAMP,
   },
   [SAMPLE_STATISTICS] = {
      .command = PITOT_COMMAND_COUNTER,
      .argument = PITOT_AMD_SAMPLE_PIPELINESTAT,
   },
   [SAMPLE_STREAMOUT + 0] = STREAMOUT(PITOT_AMD_SAMPLE_STREAMOUT),
   [SAMPLE_STREAMOUT + 1] = STREAMOUT(PITOT_AMD_SAMPLE_STREAMOUT_N + 1),
   [SAMPLE_STREAMOUT + 2] = STREAMOUT(PITOT_AMD_SAMPLE_STREAMOUT_N + 2),
   [SAMPLE_STREAMOUT + 3] = STREAMOUT(PITOT_AMD_SAMPLE_STREAMOUT_N + 3),
};

/* An occlusion sample has the first of a backend's two qwords. */
static unsigned
sample_size_B(const struct pitot_gpu *gpu, unsigned sample)
{
   const unsigned block_qw =
      gpu->generation >= 110 ? BLOCK_COUNT_GFX11 : BLOCK_COUNT;
   unsigned size_qw = STREAMOUT_COUNT;

   if (sample == SAMPLE_OCCLUSION)
      size_qw = PITOT_AMD_BACKEND_QW * pitot_amd_gpu(gpu)->rb_count - 1;
   else if (sample == SAMPLE_TIMESTAMP)
      size_qw = 1;
   else if (sample == SAMPLE_STATISTICS)
      size_qw = block_qw;
   return size_qw * sizeof(uint64_t);
}

/* An occlusion end has the second qword; any other end follows its begin. */
static unsigned
end_distance_B(const struct pitot_gpu *gpu, unsigned sample)
{
   return sample == SAMPLE_OCCLUSION ? sizeof(uint64_t)
                                     : sample_size_B(gpu, sample);
}

/* A disabled backend writes nothing.  Up to GFX8 its slot stays empty.  Later
 * GPUs may pack the slots of the other backends: only a sample shows it.
 * From GFX11 on, kernels have reported disabled backends as enabled, and a
 * condition that waits for one hangs the GPU, so no mask is trusted.
 */
static uint64_t
backend_slots(const struct pitot_gpu *gpu)
{
   const struct pitot_amd_gpu *amd = pitot_amd_gpu(gpu);
   const uint64_t all = UINT64_MAX >> (64 - amd->rb_count);
   const bool is_known =
      gpu->generation < 90 || (gpu->generation < 110 && amd->rb_mask == all);

   return is_known ? amd->rb_mask : 0;
}

#define EACH_STREAM(INDEX)                                                   \
   {                                                                         \
      { SAMPLE_STREAMOUT + 0, INDEX }, { SAMPLE_STREAMOUT + 1, INDEX },      \
         { SAMPLE_STREAMOUT + 2, INDEX },                                    \
      {                                                                      \
         SAMPLE_STREAMOUT + 3, INDEX                                         \
      }                                                                      \
   }

#define OCCLUSION(BITS, COUNTING)                                            \
   PITOT_HW_COUNTER(BITS, SAMPLE_OCCLUSION, 0, COUNTING)

#define STREAMOUT_COUNTER(INDEX, COUNTING)                                   \
   {                                                                         \
      .bits = 63, .qwords = EACH_STREAM(INDEX), .counting = COUNTING         \
   }

#define OVERFLOW(ALL)                                                        \
   {                                                                         \
      .bits = 1, .method = PITOT_HW_OVERFLOW,                                \
      .qwords = EACH_STREAM(STREAMOUT_NEEDED),                               \
      .written = EACH_STREAM(STREAMOUT_WRITTEN), .is_of_all_streams = ALL,   \
      .counting = PITOT_COUNTING_STREAMOUT                                   \
   }

#define STATISTIC(KIND, INDEX)                                               \
   [PITOT_KIND_##KIND] =                                                     \
      PITOT_HW_COUNTER(64, SAMPLE_STATISTICS, BLOCK_##INDEX, STATISTICS)

static const struct pitot_hw_measure measures[PITOT_HW_MEASURE_COUNT] = {
   [PITOT_KIND_SAMPLES_PASSED] = OCCLUSION(63, SAMPLES),
   [PITOT_KIND_ANY_SAMPLES_PASSED] = OCCLUSION(1, BOOLEAN),
   [PITOT_KIND_ANY_SAMPLES_PASSED_CONSERVATIVE] = OCCLUSION(1, CONSERVATIVE),

   [PITOT_KIND_PRIMITIVES_GENERATED] =
      STREAMOUT_COUNTER(STREAMOUT_NEEDED,
                        PITOT_COUNTING_STREAMOUT | PITOT_COUNTING_GENERATED),
   [PITOT_KIND_PRIMITIVES_WRITTEN] =
      STREAMOUT_COUNTER(STREAMOUT_WRITTEN, PITOT_COUNTING_STREAMOUT),
   [PITOT_HW_STORAGE_NEEDED] =
      STREAMOUT_COUNTER(STREAMOUT_NEEDED, PITOT_COUNTING_STREAMOUT),
   [PITOT_KIND_STREAM_OVERFLOW] = OVERFLOW(false),
   [PITOT_KIND_ANY_STREAM_OVERFLOW] = OVERFLOW(true),

   [PITOT_KIND_TIME_ELAPSED] = PITOT_HW_TIME(SAMPLE_TIMESTAMP, ELAPSED),
   [PITOT_KIND_TIMESTAMP] = PITOT_HW_TIME(SAMPLE_TIMESTAMP, TIMESTAMP),

   STATISTIC(VERTICES_SUBMITTED, IA_VERTICES),
   STATISTIC(PRIMITIVES_SUBMITTED, IA_PRIMITIVES),
   STATISTIC(VS_INVOCATIONS, VS_INVOCATIONS),
   STATISTIC(TCS_PATCHES, HS_INVOCATIONS),
   STATISTIC(TES_INVOCATIONS, DS_INVOCATIONS),
   STATISTIC(GS_INVOCATIONS, GS_INVOCATIONS),
   STATISTIC(GS_PRIMITIVES, GS_PRIMITIVES),
   STATISTIC(FS_INVOCATIONS, PS_INVOCATIONS),
   STATISTIC(CS_INVOCATIONS, CS_INVOCATIONS),
   STATISTIC(CLIPPING_INPUT, C_INVOCATIONS),
   STATISTIC(CLIPPING_OUTPUT, C_PRIMITIVES),
};

/* GPUs that cannot count a kind: generations from <= g < before. */
struct absence {
   unsigned from, before;
};

#define NEVER_AGAIN (~0u)

static const struct absence absences[PITOT_HW_MEASURE_COUNT] = {
   /* Shaders implement stream-out, and count without the hardware. */
   [PITOT_KIND_PRIMITIVES_GENERATED] = { 110, NEVER_AGAIN },
   [PITOT_KIND_PRIMITIVES_WRITTEN] = { 110, NEVER_AGAIN },
   [PITOT_HW_STORAGE_NEEDED] = { 110, NEVER_AGAIN },
   [PITOT_KIND_STREAM_OVERFLOW] = { 110, NEVER_AGAIN },
   [PITOT_KIND_ANY_STREAM_OVERFLOW] = { 110, NEVER_AGAIN },

   /* With NGG, geometry shaders run as primitive shaders, which is what GFX10
    * counts.  GFX11 counts invocations correctly, but not primitives.
    */
   [PITOT_KIND_GS_INVOCATIONS] = { 100, 110 },
   [PITOT_KIND_GS_PRIMITIVES] = { 100, NEVER_AGAIN },
};

static const struct pitot_hw_measure *
measure_of(const struct pitot_gpu *gpu, unsigned kind)
{
   const struct absence *absence = &absences[kind];
   const bool is_absent =
      gpu->generation >= absence->from && gpu->generation < absence->before;

   return measures[kind].bits && !is_absent ? &measures[kind] : NULL;
}

/* No barriers: events sample in the pipeline, in order.  Stream-out writes in
 * order, too, bit 63 of each qword included.
 */
const struct pitot_hw_family pitot_hw_amd = {
   .samples = samples,
   .sample_count = SAMPLE_COUNT,
   .measure = measure_of,
   .suspends_between_batches = true,
   .stopped = ~(UINT32_C(1) << SAMPLE_TIMESTAMP),
   .available_by_themselves = ~UINT32_C(0) << SAMPLE_STREAMOUT,
   .sample_size_B = sample_size_B,
   .end_distance_B = end_distance_B,
   .backend_slots = backend_slots,
   .waits_for_samples = true,
   .slab_size_B = 8192, /* records are large */
   .available = UINT32_C(1) << 31,
   .generated_overflows = true,
   .describe_condition = pitot_amd_describe_condition,
};
