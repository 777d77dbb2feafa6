/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Checks the clock of TIMESTAMP: as the CPU reads it, as the GPU writes it.
 * Invariant: ticks are compared modulo the width of the counter; a difference
 * of more than half of its range is negative.
 * Danger: two clocks are never read at the same moment, so a comparison needs
 * an error (calibration), or a read before and after.
 */

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "pitot/clock.h"

#define PARTS_PER_1E6 1e6

/* Crystals are off by up to 100 ppm, and NTP slews the CPU's clock by up to
 * 500 ppm.
 */
#define MAX_DIFFERENCE_PPM 1000
#define MAX_ERROR_PPM      50

#define READ_COUNT 4096
#define PAIR_COUNT 64

static uint64_t
mask_of(const struct check_gpu *gpu)
{
   return UINT64_MAX >> (64 - gpu->device->gpu.timestamp_bits);
}

static uint64_t
ticks_elapsed(const struct check_gpu *gpu, uint64_t from, uint64_t to)
{
   return (to - from) & mask_of(gpu);
}

static bool
is_back(const struct check_gpu *gpu, uint64_t from, uint64_t to)
{
   return ticks_elapsed(gpu, from, to) > mask_of(gpu) / 2;
}

static bool
is_read(struct check_gpu *gpu, int result)
{
   if (result != 0)
      check_wrong(gpu, "the CPU cannot read it: %s", strerror(-result));
   return result == 0;
}

static bool
read_clock(struct check_gpu *gpu, uint64_t *ticks_out)
{
   return is_read(gpu, pitot_drm_timestamp(gpu->device, ticks_out));
}

/* Measures until the error is small enough, which takes longer on a busy
 * machine.
 */
void
check_frequency(struct check_gpu *gpu)
{
   const double reported_hz = (double)gpu->device->gpu.timestamp_hz;
   struct pitot_drm_calibration first, last;
   double passed_ns, error_ppm;

   if (!is_read(gpu, pitot_drm_calibrate(gpu->device, &first)))
      return;
   do {
      if (!is_read(gpu, pitot_drm_calibrate(gpu->device, &last)))
         return;
      passed_ns = (double)(last.cpu_ns - first.cpu_ns);
      error_ppm =
         (double)(first.error_ns + last.error_ns) / passed_ns * PARTS_PER_1E6;
   } while (passed_ns == 0 || error_ppm > MAX_ERROR_PPM);

   const double ticks =
      (double)ticks_elapsed(gpu, first.gpu_ticks, last.gpu_ticks);
   const double measured_hz = ticks / passed_ns * PITOT_NS_PER_S;
   const double difference_ppm =
      (measured_hz / reported_hz - 1) * PARTS_PER_1E6;

   check_add_number(gpu, "reported_hz", reported_hz);
   check_add_number(gpu, "measured_hz", measured_hz);
   check_add_number(gpu, "difference_ppm", difference_ppm);
   check_add_number(gpu, "error_ppm", error_ppm);
   if (difference_ppm > MAX_DIFFERENCE_PPM ||
       difference_ppm < -MAX_DIFFERENCE_PPM)
      check_wrong(gpu, "%.0f Hz rather than %.0f Hz", measured_hz,
                  reported_hz);
}

/* Checks a time that the GPU writes between two reads by the CPU. */
static bool
is_between(struct check_gpu *gpu)
{
   uint64_t before, after;

   if (!read_clock(gpu, &before) || !check_take_sample(gpu) ||
       !read_clock(gpu, &after))
      return true; /* the failure is reported already */
   if (!is_back(gpu, before, gpu->value) && !is_back(gpu, gpu->value, after))
      return true;
   check_wrong(gpu,
               "the GPU writes %" PRIu64 " between the CPU's %" PRIu64
               " and %" PRIu64,
               gpu->value, before, after);
   return false;
}

void
check_clock_order(struct check_gpu *gpu)
{
   unsigned steps = 0, pairs = 0;
   uint64_t last, now;

   if (!read_clock(gpu, &last))
      return;
   for (unsigned i = 1; i < READ_COUNT; i++, last = now) {
      if (!read_clock(gpu, &now))
         return;
      steps += is_back(gpu, last, now);
   }
   if (steps != 0)
      check_wrong(gpu, "%u steps back in %u reads", steps, READ_COUNT);
   while (check_next_sample(gpu)) {
      for (unsigned i = 0;
           gpu->info.is_time && i < PAIR_COUNT && !gpu->is_lost; i++)
         pairs += is_between(gpu);
   }
   check_add_number(gpu, "reads", READ_COUNT);
   check_add_number(gpu, "steps_back", steps);
   check_add_number(gpu, "times_written", pairs);
}

/* Finds bits above the assumed width.  It cannot find a counter that is too
 * narrow, until the machine is up for longer than the counter's range.
 */
void
check_clock_width(struct check_gpu *gpu)
{
   const struct pitot_gpu *facts = &gpu->device->gpu;
   const double range_s = (double)mask_of(gpu) / (double)facts->timestamp_hz;
   uint64_t seen = 0;
   unsigned seen_bits = 0;
   struct timespec uptime;

   while (check_next_sample(gpu)) {
      if (gpu->info.is_time && check_take_sample(gpu))
         seen |= gpu->value;
   }
   while (seen_bits < 64 && seen >> seen_bits != 0)
      seen_bits++;
   clock_gettime(CLOCK_BOOTTIME, &uptime);
   check_add_number(gpu, "assumed_bits", facts->timestamp_bits);
   check_add_number(gpu, "seen_bits", seen_bits);
   check_add_number(gpu, "range_s", range_s);
   check_add_number(gpu, "uptime_s", (double)uptime.tv_sec);
   if (seen_bits > facts->timestamp_bits)
      check_wrong(gpu, "the GPU writes %u bits", seen_bits);
}
