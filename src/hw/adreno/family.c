/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Adreno 6xx and 7xx.  The GPU executes the draws of a batch in a binning
 * pass and in each tile.  Work before the rasterizer is therefore sampled
 * once (PITOT_ADRENO_ONCE), later work in each tile and added up
 * (ACCUMULATED).  Without that, counts would grow with the number of tiles.
 */

#include "pitot/adreno.h"
#include "pitot_hw_family.h"

/* A begin or an end of stream-out: two qwords for each stream. */
#define STREAMOUT_SIZE_B (2 * PITOT_MAX_STREAMS * sizeof(uint64_t))

/* In the order of records, which are at multiples of 32: stream-out needs
 * that, and sample counts multiples of 16.
 */
enum {
   SAMPLE_STREAMOUT,
   SAMPLE_OCCLUSION,
   SAMPLE_ELAPSED,
   SAMPLE_TIMESTAMP,
   SAMPLE_IA_VERTICES,
   SAMPLE_IA_PRIMITIVES,
   SAMPLE_VS_INVOCATIONS,
   SAMPLE_HS_PATCHES,
   SAMPLE_DS_INVOCATIONS,
   SAMPLE_GS_INVOCATIONS,
   SAMPLE_GS_PRIMITIVES,
   SAMPLE_C_INVOCATIONS,
   SAMPLE_C_PRIMITIVES,
   SAMPLE_PS_INVOCATIONS,
   SAMPLE_CS_INVOCATIONS,
   SAMPLE_COUNT,
};

/* Counts of tiles are added up.  Compute shaders run without tiles. */
#define ACCUMULATED                                                          \
   (UINT32_C(1) << SAMPLE_OCCLUSION | UINT32_C(1) << SAMPLE_ELAPSED |        \
    UINT32_C(1) << SAMPLE_PS_INVOCATIONS)

#define TIMES                                                                \
   (UINT32_C(1) << SAMPLE_ELAPSED | UINT32_C(1) << SAMPLE_TIMESTAMP)

#define COUNTER(ARGUMENT)                                                    \
   {                                                                         \
      .command = PITOT_COMMAND_COUNTER, .argument = ARGUMENT                 \
   }

/* The stages before the rasterizer run once, in the binning pass. */
#define GEOMETRY(INDEX)                                                      \
   COUNTER(PITOT_ADRENO_PRIMCTR(INDEX) | PITOT_ADRENO_ONCE)

static const struct pitot_hw_sample samples[SAMPLE_COUNT] = {
   [SAMPLE_STREAMOUT] = COUNTER(PITOT_ADRENO_STREAMOUT | PITOT_ADRENO_ONCE),
   [SAMPLE_OCCLUSION] = { .command = PITOT_COMMAND_OCCLUSION },
   [SAMPLE_ELAPSED] = { .is_time = true, .command = PITOT_COMMAND_TIMESTAMP },
   [SAMPLE_TIMESTAMP] = {
      .is_time = true,
      .command = PITOT_COMMAND_TIMESTAMP,
      .argument = PITOT_ADRENO_LAST,
   },
   [SAMPLE_IA_VERTICES] = GEOMETRY(0),
   [SAMPLE_IA_PRIMITIVES] = GEOMETRY(1),
   [SAMPLE_VS_INVOCATIONS] = GEOMETRY(2),
   [SAMPLE_HS_PATCHES] = GEOMETRY(3),
   [SAMPLE_DS_INVOCATIONS] = GEOMETRY(4),
   [SAMPLE_GS_INVOCATIONS] = GEOMETRY(5),
   [SAMPLE_GS_PRIMITIVES] = GEOMETRY(6),
   [SAMPLE_C_INVOCATIONS] = GEOMETRY(7),
   [SAMPLE_C_PRIMITIVES] = GEOMETRY(8),
   [SAMPLE_PS_INVOCATIONS] = COUNTER(PITOT_ADRENO_PRIMCTR(9)),
   [SAMPLE_CS_INVOCATIONS] = COUNTER(PITOT_ADRENO_PRIMCTR(10)),
};

/* The sizes keep all samples at multiples of 16. */
static unsigned
end_distance_B(const struct pitot_gpu *gpu, unsigned sample)
{
   (void)gpu;
   if (sample == SAMPLE_STREAMOUT)
      return STREAMOUT_SIZE_B;
   return ACCUMULATED >> sample & 1 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
}

static unsigned
sample_size_B(const struct pitot_gpu *gpu, unsigned sample)
{
   return end_distance_B(gpu, sample);
}

#define WRITTEN(STREAM)                                                      \
   {                                                                         \
      SAMPLE_STREAMOUT, 2 * (STREAM)                                         \
   }
#define NEEDED(STREAM)                                                       \
   {                                                                         \
      SAMPLE_STREAMOUT, 2 * (STREAM) + 1                                     \
   }
#define EACH_STREAM(QWORD)                                                   \
   {                                                                         \
      QWORD(0), QWORD(1), QWORD(2), QWORD(3)                                 \
   }

#define OCCLUSION(BITS, COUNTING)                                            \
   PITOT_HW_COUNTER(BITS, SAMPLE_OCCLUSION, 0, COUNTING)

#define STATISTIC(SAMPLE) PITOT_HW_COUNTER(64, SAMPLE_##SAMPLE, 0, STATISTICS)

#define STREAMOUT_COUNTER(QWORD)                                             \
   {                                                                         \
      .bits = 64, .qwords = EACH_STREAM(QWORD),                              \
      .counting = PITOT_COUNTING_STREAMOUT                                   \
   }

#define OVERFLOW(ALL)                                                        \
   {                                                                         \
      .bits = 1, .method = PITOT_HW_OVERFLOW, .qwords = EACH_STREAM(NEEDED), \
      .written = EACH_STREAM(WRITTEN), .is_of_all_streams = ALL,             \
      .counting = PITOT_COUNTING_STREAMOUT                                   \
   }

static const struct pitot_hw_measure measures[PITOT_HW_MEASURE_COUNT] = {
   [PITOT_KIND_SAMPLES_PASSED] = OCCLUSION(64, SAMPLES),
   [PITOT_KIND_ANY_SAMPLES_PASSED] = OCCLUSION(1, BOOLEAN),
   [PITOT_KIND_ANY_SAMPLES_PASSED_CONSERVATIVE] = OCCLUSION(1, BOOLEAN),

   /* Stream 0 counts at the clipper, also without transform feedback. */
   [PITOT_KIND_PRIMITIVES_GENERATED] = {
      .bits = 64,
      .qwords = { { SAMPLE_C_INVOCATIONS, 0 }, NEEDED(1), NEEDED(2),
                  NEEDED(3) },
      .counting = PITOT_COUNTING_GENERATED | PITOT_COUNTING_STREAMOUT,
   },
   [PITOT_KIND_PRIMITIVES_WRITTEN] = STREAMOUT_COUNTER(WRITTEN),
   [PITOT_HW_STORAGE_NEEDED] = STREAMOUT_COUNTER(NEEDED),
   [PITOT_KIND_STREAM_OVERFLOW] = OVERFLOW(false),
   [PITOT_KIND_ANY_STREAM_OVERFLOW] = OVERFLOW(true),

   [PITOT_KIND_TIME_ELAPSED] = PITOT_HW_TIME(SAMPLE_ELAPSED, ELAPSED),
   [PITOT_KIND_TIMESTAMP] = PITOT_HW_TIME(SAMPLE_TIMESTAMP, TIMESTAMP),

   [PITOT_KIND_VERTICES_SUBMITTED] = STATISTIC(IA_VERTICES),
   [PITOT_KIND_PRIMITIVES_SUBMITTED] = STATISTIC(IA_PRIMITIVES),
   [PITOT_KIND_VS_INVOCATIONS] = STATISTIC(VS_INVOCATIONS),
   [PITOT_KIND_TCS_PATCHES] = STATISTIC(HS_PATCHES),
   [PITOT_KIND_TES_INVOCATIONS] = STATISTIC(DS_INVOCATIONS),
   [PITOT_KIND_GS_INVOCATIONS] = STATISTIC(GS_INVOCATIONS),
   [PITOT_KIND_GS_PRIMITIVES] = STATISTIC(GS_PRIMITIVES),
   [PITOT_KIND_FS_INVOCATIONS] = STATISTIC(PS_INVOCATIONS),
   [PITOT_KIND_CS_INVOCATIONS] = STATISTIC(CS_INVOCATIONS),
   [PITOT_KIND_CLIPPING_INPUT] = STATISTIC(C_INVOCATIONS),
   [PITOT_KIND_CLIPPING_OUTPUT] = STATISTIC(C_PRIMITIVES),
};

static const struct pitot_hw_measure *
adreno_measure(const struct pitot_gpu *gpu, unsigned kind)
{
   (void)gpu;
   return measures[kind].bits ? &measures[kind] : NULL;
}

const struct pitot_hw_family pitot_hw_adreno = {
   .samples = samples,
   .sample_count = SAMPLE_COUNT,
   .measure = adreno_measure,
   .suspends_between_batches = true,
   .sample_size_B = sample_size_B,
   .end_distance_B = end_distance_B,
   .record_unit_B = 32,
   .accumulated = ACCUMULATED,
   .slab_size_B = 8192, /* records are large */
   .available = 1,
};
