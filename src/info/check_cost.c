/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The cost of a sample, a poll and a submission: means, which an idle machine
 * tells best.
 */

#include "check.h"

#define SAMPLE_COUNT 128
#define ROUND_COUNT  32
#define NS_PER_S     1e9

/* Offsets of the GPU's times before and behind the samples, and of these. */
#define BEGIN_B     0
#define END_B       64
#define SAMPLE_B    1024
#define AVAILABLE_B 128

static unsigned
find_sample(const struct pitot_gpu *gpu, enum pitot_command_kind command)
{
   const uint32_t samples = pitot_hw_gpu_samples(gpu);
   unsigned i = 0;

   while ((samples >> i & 1) == 0 ||
          pitot_hw_gpu_sample_info(gpu, i).command != command)
      i++;
   return i;
}

/* Samples, between two times that the GPU writes. */
static void
measure_samples(struct check_gpu *gpu)
{
   const struct pitot_gpu *facts = &gpu->device->gpu;
   const unsigned time = find_sample(facts, PITOT_COMMAND_TIMESTAMP);
   const unsigned sample = find_sample(facts, PITOT_COMMAND_OCCLUSION);
   struct pitot_cs_buffer *buffer = gpu->buffer;

   check_set_step(gpu, "%u samples of occlusion in a batch", SAMPLE_COUNT);
   pitot_hw_sample_take(gpu->hw, time, buffer, BEGIN_B, AVAILABLE_B);
   const uint64_t before_ns = check_cpu_ns();
   for (unsigned i = 0; i < SAMPLE_COUNT; i++)
      pitot_hw_sample_take(gpu->hw, sample, buffer, SAMPLE_B, AVAILABLE_B);
   const uint64_t after_ns = check_cpu_ns();
   pitot_hw_sample_take(gpu->hw, time, buffer, END_B, AVAILABLE_B);
   if (!check_run(gpu, PITOT_RING_RENDER))
      return;

   const double ticks =
      (double)((check_read(gpu, END_B) - check_read(gpu, BEGIN_B)) &
               UINT64_MAX >> (64 - facts->timestamp_bits));
   check_add_number(gpu, "sample_cpu_ns",
                    (double)(after_ns - before_ns) / SAMPLE_COUNT);
   check_add_number(gpu, "sample_gpu_ns",
                    ticks / (double)facts->timestamp_hz * NS_PER_S /
                       SAMPLE_COUNT);
}

/* Polls of a query until it is available, once its batch is submitted. */
static void
measure_polls(struct check_gpu *gpu)
{
   const enum pitot_kind kind = PITOT_KIND_TIMESTAMP;
   struct pitot_hw_query *query;
   uint64_t value, poll_ns = 0;
   unsigned poll_count = 0;

   if (pitot_hw_query_create(gpu->hw, kind, 0, &query) != 0)
      return;
   check_set_step(gpu, "a query of the time");
   for (unsigned i = 0; i < ROUND_COUNT; i++) {
      int status = 0;

      pitot_hw_query_end(gpu->hw, query);
      check_submit(gpu, PITOT_RING_RENDER);
      const uint64_t begin_ns = check_cpu_ns();
      for (; status == 0; poll_count++)
         status = pitot_hw_query_result(gpu->hw, query, false, &value);
      poll_ns += check_cpu_ns() - begin_ns;
      if (status < 0) {
         check_wrong(gpu, "a result is lost: %s", gpu->step);
         break;
      }
   }
   check_add_number(gpu, "poll_ns", (double)poll_ns / poll_count);
   pitot_hw_query_free(gpu->hw, query);
}

static void
measure_submissions(struct check_gpu *gpu)
{
   uint64_t submit_ns = 0, done_ns = 0;

   check_set_step(gpu, "an empty batch");
   for (unsigned i = 0; i < ROUND_COUNT; i++) {
      const uint64_t before_ns = check_cpu_ns();
      const uint64_t batch = check_submit(gpu, PITOT_RING_RENDER);

      submit_ns += check_cpu_ns() - before_ns;
      if (!check_wait(gpu, PITOT_RING_RENDER, batch))
         return;
      done_ns += check_cpu_ns() - before_ns;
   }
   check_add_number(gpu, "submission_ns", (double)submit_ns / ROUND_COUNT);
   check_add_number(gpu, "round_trip_ns", (double)done_ns / ROUND_COUNT);
}

void
check_costs(struct check_gpu *gpu)
{
   measure_samples(gpu);
   if (!gpu->is_lost)
      measure_polls(gpu);
   if (!gpu->is_lost)
      measure_submissions(gpu);
}
