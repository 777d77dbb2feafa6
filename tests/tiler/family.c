/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "tiler.h"

/* A counter for each kind and stream, the argument of its command.  Samples
 * that pass, and the time that they take, are told once for each tile; all
 * else is told once for all of them.
 */
enum {
   SAMPLE_PASSED,
   SAMPLE_ELAPSED,
   SAMPLE_TIME,
   SAMPLE_STATISTICS, /* eleven */
   SAMPLE_WRITTEN = SAMPLE_STATISTICS + PITOT_HW_STATISTIC_COUNT,
   SAMPLE_NEEDED = SAMPLE_WRITTEN + PITOT_MAX_STREAMS,
   SAMPLE_GENERATED = SAMPLE_NEEDED + PITOT_MAX_STREAMS,
   SAMPLE_COUNT = SAMPLE_GENERATED + PITOT_MAX_STREAMS,
};

#define PER_TILE                                                             \
   (UINT32_C(1) << SAMPLE_PASSED | UINT32_C(1) << SAMPLE_ELAPSED)

#define COUNTER(KIND, STREAM)                                                \
   {                                                                         \
      .command = PITOT_COMMAND_COUNTER,                                      \
      .argument = (KIND)*PITOT_MAX_STREAMS + (STREAM)                        \
   }
#define STATISTIC(I) COUNTER(PITOT_KIND_VERTICES_SUBMITTED + (I), 0)
#define EACH_STREAM(KIND)                                                    \
   COUNTER(KIND, 0), COUNTER(KIND, 1), COUNTER(KIND, 2), COUNTER(KIND, 3)

static const struct pitot_hw_sample samples[SAMPLE_COUNT] = {
   { .command = PITOT_COMMAND_OCCLUSION },
   { .is_time = true, .command = PITOT_COMMAND_TIMESTAMP },
   {
      .is_time = true,
      .command = PITOT_COMMAND_TIMESTAMP,
      .argument = TILER_ONCE,
   },
   {
      .ring = TILER_RING_BINNING,
      .command = PITOT_COMMAND_COUNTER,
      .argument = PITOT_KIND_VERTICES_SUBMITTED * PITOT_MAX_STREAMS,
   },
   STATISTIC(1),
   STATISTIC(2),
   STATISTIC(3),
   STATISTIC(4),
   STATISTIC(5),
   STATISTIC(6),
   STATISTIC(7),
   [SAMPLE_STATISTICS + PITOT_KIND_CS_INVOCATIONS -
      PITOT_KIND_VERTICES_SUBMITTED] = {
      .ring = PITOT_RING_COMPUTE,
      .command = PITOT_COMMAND_COUNTER,
      .argument = PITOT_KIND_CS_INVOCATIONS * PITOT_MAX_STREAMS,
   },
   STATISTIC(9),
   STATISTIC(10),
   EACH_STREAM(PITOT_KIND_PRIMITIVES_WRITTEN),
   EACH_STREAM(PITOT_HW_STORAGE_NEEDED),
   EACH_STREAM(PITOT_KIND_PRIMITIVES_GENERATED),
};

/* A sum lies between begin and end. */
static unsigned
end_distance_B(const struct pitot_gpu *gpu, unsigned sample)
{
   (void)gpu;
   return (PER_TILE >> sample & 1 ? 2 : 1) * sizeof(uint64_t);
}

static unsigned
sample_size_B(const struct pitot_gpu *gpu, unsigned sample)
{
   (void)gpu, (void)sample;
   return sizeof(uint64_t);
}

/* Counters are not told while anything counts. */
static unsigned
barriers(const struct pitot_gpu *gpu, uint32_t mask)
{
   (void)gpu;
   return mask >> SAMPLE_STATISTICS ? 1 << PITOT_BARRIER_STALL : 0;
}

#define QWORDS(SAMPLE)                                                       \
   {                                                                         \
      { SAMPLE + 0, 0 }, { SAMPLE + 1, 0 }, { SAMPLE + 2, 0 },               \
      {                                                                      \
         SAMPLE + 3, 0                                                       \
      }                                                                      \
   }
#define OCCLUSION(BITS, COUNTING)                                            \
   PITOT_HW_COUNTER(BITS, SAMPLE_PASSED, 0, COUNTING)
#define STREAMOUT(SAMPLE)                                                    \
   {                                                                         \
      .bits = 64, .qwords = QWORDS(SAMPLE),                                  \
      .counting = PITOT_COUNTING_STREAMOUT                                   \
   }
#define OVERFLOW(ALL)                                                        \
   {                                                                         \
      .bits = 1, .method = PITOT_HW_OVERFLOW,                                \
      .qwords = QWORDS(SAMPLE_NEEDED), .written = QWORDS(SAMPLE_WRITTEN),    \
      .is_of_all_streams = ALL, .counting = PITOT_COUNTING_STREAMOUT         \
   }

static const struct pitot_hw_measure measures[PITOT_HW_MEASURE_COUNT] = {
   [PITOT_KIND_SAMPLES_PASSED] = OCCLUSION(64, SAMPLES),
   [PITOT_KIND_ANY_SAMPLES_PASSED] = OCCLUSION(1, BOOLEAN),
   [PITOT_KIND_ANY_SAMPLES_PASSED_CONSERVATIVE] = OCCLUSION(1, CONSERVATIVE),
   [PITOT_KIND_PRIMITIVES_GENERATED] = {
      .bits = 64,
      .qwords = QWORDS(SAMPLE_GENERATED),
      .counting = PITOT_COUNTING_GENERATED,
   },
   [PITOT_KIND_PRIMITIVES_WRITTEN] = STREAMOUT(SAMPLE_WRITTEN),
   [PITOT_HW_STORAGE_NEEDED] = STREAMOUT(SAMPLE_NEEDED),
   [PITOT_KIND_STREAM_OVERFLOW] = OVERFLOW(false),
   [PITOT_KIND_ANY_STREAM_OVERFLOW] = OVERFLOW(true),
   [PITOT_KIND_TIME_ELAPSED] = PITOT_HW_TIME(SAMPLE_ELAPSED, ELAPSED),
   [PITOT_KIND_TIMESTAMP] = PITOT_HW_TIME(SAMPLE_TIME, TIMESTAMP),
};

#define STATISTIC_MEASURE(I)                                                 \
   PITOT_HW_COUNTER(64, SAMPLE_STATISTICS + (I), 0, STATISTICS)

static const struct pitot_hw_measure statistics[PITOT_HW_STATISTIC_COUNT] = {
   STATISTIC_MEASURE(0), STATISTIC_MEASURE(1),  STATISTIC_MEASURE(2),
   STATISTIC_MEASURE(3), STATISTIC_MEASURE(4),  STATISTIC_MEASURE(5),
   STATISTIC_MEASURE(6), STATISTIC_MEASURE(7),  STATISTIC_MEASURE(8),
   STATISTIC_MEASURE(9), STATISTIC_MEASURE(10),
};

static const struct pitot_hw_measure *
measure(const struct pitot_gpu *gpu, unsigned kind)
{
   const bool is_statistic = kind >= PITOT_KIND_FIRST_STATISTIC &&
                             kind <= PITOT_KIND_CLIPPING_OUTPUT;

   (void)gpu;
   return is_statistic ? &statistics[kind - PITOT_KIND_FIRST_STATISTIC]
                       : &measures[kind];
}

/* It neither encodes nor decides: its driver emits commands, and the CPU
 * waits for results.
 */
const struct pitot_hw_family tiler_family = {
   .samples = samples,
   .sample_count = SAMPLE_COUNT,
   .measure = measure,
   .suspends_between_batches = true,
   .sample_size_B = sample_size_B,
   .end_distance_B = end_distance_B,
   .accumulated = PER_TILE,
   .barriers = barriers,
   .slab_size_B = 1024,
   .available = 1,
};
