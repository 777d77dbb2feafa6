/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "amd.h"
#include "condition.h"
#include "family.h"

enum {
   SAMPLE_OCCLUSION,
   SAMPLE_TIMESTAMP,
   SAMPLE_STATISTICS,
   SAMPLE_STREAMOUT,
   SAMPLE_COUNT = SAMPLE_STREAMOUT + PITOT_MAX_STREAMS,
};

/* In a block of statistics. */
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
   BLOCK_COUNT_GFX11 = BLOCK_COUNT + 3, /* with those of mesh shaders */
};

/* In a sample of stream-out. */
enum {
   STREAMOUT_NEEDED,
   STREAMOUT_WRITTEN,
   STREAMOUT_COUNT,
};

/* Each render backend writes one qword of every two. */
#define BACKEND_STRIDE_QW 2

#define VALID_BIT (UINT64_C(1) << 63)

/* The value of the availability word. */
#define AVAILABLE 0x80000000u

/* GFX9 hangs if a write at the end of the pipe does not come right after a
 * sample of occlusion.
 */
static bool
needs_zpass_first(const struct pitot_gpu *gpu)
{
   return gpu->generation / 10 == 9;
}

/* GFX7 and GFX8 need two writes for the engines to be idle at the second. */
static bool
needs_two_writes(const struct pitot_gpu *gpu)
{
   return gpu->generation >= 70 && gpu->generation < 90;
}

static void
emit_end_of_pipe(struct pitot_hw_packets *packets, enum pitot_amd_write what,
                 uint64_t address, uint32_t value)
{
   const struct pitot_gpu *gpu = packets->gpu;
   uint32_t *dw = packets->next;

   if (needs_zpass_first(gpu) && !packets->ends_with_zpass)
      dw = pitot_amd_event_write(dw, PITOT_AMD_ZPASS_DONE,
                                 packets->scratch_address);
   if (needs_two_writes(gpu))
      dw = pitot_amd_event_write_eop(dw, what, packets->scratch_address, 0);

   packets->next = gpu->generation >= 90
                      ? pitot_amd_release_mem(dw, what, address, value)
                      : pitot_amd_event_write_eop(dw, what, address, value);
   packets->ends_with_zpass = false;
}

static void
emit_timestamp(struct pitot_hw_packets *packets, uint32_t argument,
               uint64_t address)
{
   (void)argument;
   emit_end_of_pipe(packets, PITOT_AMD_WRITE_TIMESTAMP, address, 0);
}

static void
emit_event(struct pitot_hw_packets *packets, uint32_t event, uint64_t address)
{
   packets->next = pitot_amd_event_write(packets->next, event, address);
   packets->ends_with_zpass = false;
}

static void
emit_occlusion(struct pitot_hw_packets *packets, uint32_t argument,
               uint64_t address)
{
   const struct pitot_gpu *gpu = packets->gpu;
   const bool is_gfx11 = gpu->generation >= 110;

   (void)argument;
   packets->next =
      is_gfx11 && gpu->has_event_write_zpass
         ? pitot_amd_event_write_zpass(packets->next, address)
         : pitot_amd_event_write(packets->next,
                                 is_gfx11 ? PITOT_AMD_PIXEL_PIPE_DUMP
                                          : PITOT_AMD_ZPASS_DONE,
                                 address);
   packets->ends_with_zpass = true;
}

#define STREAMOUT(NAME, EVENT)                                               \
   {                                                                         \
      .name = NAME, .has_valid_bit = true, .argument = EVENT,                \
      .emit = emit_event                                                     \
   }

static const struct pitot_hw_sample samples[SAMPLE_COUNT] = {
   [SAMPLE_OCCLUSION] = {
      .name = "occlusion",
      .has_valid_bit = true,
      .emit = emit_occlusion,
   },
   [SAMPLE_TIMESTAMP] = {
      .name = "timestamp",
      .is_time = true,
      .emit = emit_timestamp,
   },
   [SAMPLE_STATISTICS] = {
      .name = "statistics",
      .argument = PITOT_AMD_SAMPLE_PIPELINESTAT,
      .emit = emit_event,
   },
   [SAMPLE_STREAMOUT + 0] =
      STREAMOUT("stream-out 0", PITOT_AMD_SAMPLE_STREAMOUT),
   [SAMPLE_STREAMOUT + 1] =
      STREAMOUT("stream-out 1", PITOT_AMD_SAMPLE_STREAMOUT_N + 1),
   [SAMPLE_STREAMOUT + 2] =
      STREAMOUT("stream-out 2", PITOT_AMD_SAMPLE_STREAMOUT_N + 2),
   [SAMPLE_STREAMOUT + 3] =
      STREAMOUT("stream-out 3", PITOT_AMD_SAMPLE_STREAMOUT_N + 3),
};

static unsigned
sample_size_B(const struct pitot_gpu *gpu, unsigned sample)
{
   const unsigned block_qw =
      gpu->generation >= 110 ? BLOCK_COUNT_GFX11 : BLOCK_COUNT;
   unsigned size_qw = STREAMOUT_COUNT;

   if (sample == SAMPLE_OCCLUSION)
      size_qw = BACKEND_STRIDE_QW * gpu->rb_count;
   else if (sample == SAMPLE_TIMESTAMP)
      size_qw = 1;
   else if (sample == SAMPLE_STATISTICS)
      size_qw = block_qw;
   return size_qw * sizeof(uint64_t);
}

/* Render backends that are not there write nothing: they count 0. */
static void
seed(const struct pitot_gpu *gpu, unsigned sample, uint64_t *memory)
{
   if (sample != SAMPLE_OCCLUSION)
      return;
   for (unsigned rb = 0; rb < gpu->rb_count; rb++) {
      if (!(gpu->rb_mask & UINT64_C(1) << rb))
         memory[BACKEND_STRIDE_QW * rb] = VALID_BIT;
   }
}

/* Events sample in the pipe, in order. */
static unsigned
barriers(const struct pitot_gpu *gpu, uint32_t mask)
{
   (void)gpu;
   (void)mask;
   return 0;
}

static void
emit_available(struct pitot_hw_packets *packets, uint32_t mask,
               uint64_t address)
{
   (void)mask;
   emit_end_of_pipe(packets, PITOT_AMD_WRITE_VALUE, address, AVAILABLE);
}

/* Stream-out writes in order, bit 63 of each qword included. */
static bool
is_available_by_itself(uint32_t mask)
{
   return mask >> SAMPLE_STREAMOUT << SAMPLE_STREAMOUT == mask;
}

static void
emit_value(struct pitot_hw_packets *packets, uint64_t address, uint64_t value,
           unsigned size_B)
{
   packets->next =
      pitot_amd_write_data(packets->next, packets->gpu->generation, address,
                           value, size_B);
   packets->ends_with_zpass = false;
}

static unsigned
scratch_size_B(const struct pitot_gpu *gpu)
{
   if (needs_zpass_first(gpu))
      return BACKEND_STRIDE_QW * sizeof(uint64_t) * gpu->rb_count;
   return needs_two_writes(gpu) ? sizeof(uint64_t) : 0;
}

static uint32_t
nop(const struct pitot_gpu *gpu)
{
   return pitot_amd_nop(gpu->generation);
}

#define EACH_STREAM(INDEX)                                                   \
   {                                                                         \
      { SAMPLE_STREAMOUT + 0, INDEX }, { SAMPLE_STREAMOUT + 1, INDEX },      \
         { SAMPLE_STREAMOUT + 2, INDEX },                                    \
      {                                                                      \
         SAMPLE_STREAMOUT + 3, INDEX                                         \
      }                                                                      \
   }

#define OCCLUSION(BITS, COUNTING, FINISH)                                    \
   {                                                                         \
      .bits = BITS, .words = { { SAMPLE_OCCLUSION, 0 } },                    \
      .counting = PITOT_COUNTING_##COUNTING,                                 \
      .merge = pitot_hw_merge_backends, .finish = pitot_hw_finish_##FINISH   \
   }

#define NEVER_AGAIN (~0u)

/* From GFX11 on, shaders do what stream-out did, and count by themselves. */
#define STREAMOUT_ROW(INDEX, COUNTING)                                       \
   {                                                                         \
      .bits = 63, .words = EACH_STREAM(INDEX), .counting = COUNTING,         \
      .absent_from = 110, .absent_before = NEVER_AGAIN,                      \
      .merge = pitot_hw_merge_counter, .finish = pitot_hw_finish_sum         \
   }

#define OVERFLOW(ALL)                                                        \
   {                                                                         \
      .bits = 1, .words = EACH_STREAM(STREAMOUT_NEEDED),                     \
      .other_words = EACH_STREAM(STREAMOUT_WRITTEN), .has_other = true,      \
      .is_of_all_streams = ALL, .counting = PITOT_COUNTING_STREAMOUT,        \
      .absent_from = 110, .absent_before = NEVER_AGAIN,                      \
      .merge = pitot_hw_merge_overflow, .finish = pitot_hw_finish_boolean    \
   }

#define STATISTIC(KIND, INDEX, FROM, BEFORE)                                 \
   [PITOT_KIND_##KIND] = {                                                   \
      .bits = 64,                                                            \
      .words = { { SAMPLE_STATISTICS, BLOCK_##INDEX } },                     \
      .counting = PITOT_COUNTING_STATISTICS,                                 \
      .absent_from = FROM,                                                   \
      .absent_before = BEFORE,                                               \
      .merge = pitot_hw_merge_counter,                                       \
      .finish = pitot_hw_finish_sum,                                         \
   }

static const struct pitot_hw_row rows[PITOT_HW_ROW_COUNT] = {
   [PITOT_KIND_SAMPLES_PASSED] = OCCLUSION(63, SAMPLES, sum),
   [PITOT_KIND_ANY_SAMPLES_PASSED] = OCCLUSION(1, BOOLEAN, boolean),
   [PITOT_KIND_ANY_SAMPLES_PASSED_CONSERVATIVE] =
      OCCLUSION(1, BOOLEAN, boolean),

   [PITOT_KIND_PRIMITIVES_GENERATED] =
      STREAMOUT_ROW(STREAMOUT_NEEDED,
                    PITOT_COUNTING_STREAMOUT | PITOT_COUNTING_GENERATED),
   [PITOT_KIND_PRIMITIVES_WRITTEN] =
      STREAMOUT_ROW(STREAMOUT_WRITTEN, PITOT_COUNTING_STREAMOUT),
   [PITOT_HW_STORAGE_NEEDED] =
      STREAMOUT_ROW(STREAMOUT_NEEDED, PITOT_COUNTING_STREAMOUT),
   [PITOT_KIND_STREAM_OVERFLOW] = OVERFLOW(false),
   [PITOT_KIND_ANY_STREAM_OVERFLOW] = OVERFLOW(true),

   [PITOT_KIND_TIME_ELAPSED] = PITOT_HW_TIME_ROW(SAMPLE_TIMESTAMP, elapsed, ),
   [PITOT_KIND_TIMESTAMP] = PITOT_HW_TIME_ROW(SAMPLE_TIMESTAMP, timestamp, ),

   STATISTIC(VERTICES_SUBMITTED, IA_VERTICES, 0, 0),
   STATISTIC(PRIMITIVES_SUBMITTED, IA_PRIMITIVES, 0, 0),
   STATISTIC(VS_INVOCATIONS, VS_INVOCATIONS, 0, 0),
   STATISTIC(TCS_PATCHES, HS_INVOCATIONS, 0, 0),
   STATISTIC(TES_INVOCATIONS, DS_INVOCATIONS, 0, 0),

   /* Where geometry shaders run as primitive shaders, the hardware counts the
    * latter; later it got the invocations right.
    */
   STATISTIC(GS_INVOCATIONS, GS_INVOCATIONS, 100, 110),
   STATISTIC(GS_PRIMITIVES, GS_PRIMITIVES, 100, NEVER_AGAIN),

   STATISTIC(FS_INVOCATIONS, PS_INVOCATIONS, 0, 0),
   STATISTIC(CS_INVOCATIONS, CS_INVOCATIONS, 0, 0),
   STATISTIC(CLIPPING_INPUT, C_INVOCATIONS, 0, 0),
   STATISTIC(CLIPPING_OUTPUT, C_PRIMITIVES, 0, 0),
};

const struct pitot_hw_family pitot_hw_amd = {
   .samples = samples,
   .sample_count = SAMPLE_COUNT,
   .rows = rows,
   .suspends_between_batches = true,
   .sample_size_B = sample_size_B,
   .seed = seed,
   .barriers = barriers,
   .emit_available = emit_available,
   .is_available_by_itself = is_available_by_itself,
   .emit_value = emit_value,
   .describe_condition = pitot_amd_describe_condition,
   .emit_target = pitot_amd_emit_target,
   .scratch_size_B = scratch_size_B,
   .nop = nop,
};
