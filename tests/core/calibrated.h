/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared by the tests of the calibration.
 */

#ifndef PITOT_TEST_CALIBRATED_H
#define PITOT_TEST_CALIBRATED_H

#include "test.h"
#include "pitot/clock.h"

#define NS_PER_S  UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_US UINT64_C(1000)

/* The limits of a time are wider on both sides than the reading. */
#define ROUNDING_NS 3

static inline uint64_t
apart_ns(uint64_t a, uint64_t b)
{
   return a < b ? b - a : a - b;
}

static inline enum pitot_calibration_news
add(struct pitot_calibration *c, uint64_t before_ns, uint64_t gpu_ns,
    uint64_t after_ns)
{
   return pitot_calibration_add(c, &(struct pitot_correlation){
                                      before_ns, gpu_ns, after_ns });
}

/* Converts a time of which nothing is known. */
static inline struct pitot_cpu_time
to_cpu(const struct pitot_calibration *c, uint64_t gpu_ns)
{
   struct pitot_cpu_time time;

   assert_true(pitot_calibration_to_cpu(c, gpu_ns, 0, UINT64_MAX, &time));
   return time;
}

static inline void
assert_time(struct pitot_cpu_time time, uint64_t ns, uint64_t error_ns,
            unsigned fit, bool is_final)
{
   assert_int_equal(time.ns, ns);
   assert_int_equal(time.error_ns, error_ns);
   assert_int_equal(time.fit, fit);
   assert_int_equal(time.is_final, is_final);
}

/* Adds readings of 100 ns each, exact in the middle, of a clock that goes by
 * drift_ppm slower than the CPU's.
 */
static inline void
add_line(struct pitot_calibration *c, uint64_t cpu_ns, uint64_t gpu_ns,
         uint64_t period_ns, unsigned count, int drift_ppm)
{
   for (unsigned i = 0; i < count; i++) {
      const int64_t gpu_passed_ns = (int64_t)(i * period_ns);
      const uint64_t now_ns =
         cpu_ns +
         (uint64_t)(gpu_passed_ns + gpu_passed_ns * drift_ppm / 1000000);

      add(c, now_ns - 50, gpu_ns + i * period_ns, now_ns + 50);
   }
}

#endif /* PITOT_TEST_CALIBRATED_H */
