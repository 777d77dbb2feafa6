/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The GPU's clock beside the CPU's.
 *
 * A reading limits the CPU's time at one time of the GPU's.  From there the
 * limits widen as fast as the rate of the clocks may be wrong (the slack):
 *
 *                     |     .-'
 *                 |   | .-'|          a reading, and the limits before and
 *                 |.-'|    |          after it
 *              .-'|   |    |
 *
 * A time between two readings is within the limits of both, but for a step
 * between them that is too small to be seen: it is within the limits of one
 * of them then.  It is converted along the straight line from one reading to
 * the other, which never goes back.
 */

#ifndef PITOT_CPU_LIMITS_H
#define PITOT_CPU_LIMITS_H

#include <stdlib.h>

#include "pitot/clock.h"

#define NS_PER_S 1000000000

/* Times further apart have nothing to do with each other: 73 years. */
#define MAX_DISTANCE_NS (INT64_C(1) << 61)

/* Two divisions round, and a nanosecond has two ends. */
#define ROUNDING_NS 3

/* Of the CPU's time. */
struct limits {
   int64_t min_ns, max_ns;
};

static inline uint64_t
duration_ns(const struct pitot_correlation *clocks)
{
   return clocks->after_ns - clocks->before_ns;
}

static inline int64_t
scale(int64_t ns, int64_t ppb)
{
   return ns / NS_PER_S * ppb + ns % NS_PER_S * ppb / NS_PER_S;
}

/* Returns the nanoseconds from one time to another, which may be less. */
static inline int64_t
distance(uint64_t from_ns, uint64_t to_ns)
{
   return (int64_t)(to_ns - from_ns);
}

static inline bool
is_within(int64_t distance_ns, int64_t max_ns)
{
   return distance_ns >= 0 && distance_ns <= max_ns;
}

/* Returns the limits of the CPU's time at the GPU's time of a correlation.
 * Two times in one tick of the GPU's are up to a tick apart, either way.
 */
static inline struct limits
limits_of(const struct pitot_calibration *calibration,
          const struct pitot_correlation *clocks)
{
   const int64_t unsure_ns = (int64_t)calibration->tick_ns + ROUNDING_NS;

   return (struct limits){
      (int64_t)clocks->before_ns - unsure_ns,
      (int64_t)clocks->after_ns + unsure_ns,
   };
}

/* Returns the limits that a reading gives for any time of its fit, by the
 * drift that a later reading knows.
 */
static inline struct limits
limits_by(const struct pitot_calibration *calibration,
          const struct pitot_calibration_reading *reading, uint64_t gpu_ns,
          const struct pitot_calibration_reading *later)
{
   const struct limits limits = limits_of(calibration, &reading->clocks);
   const int64_t gpu_passed_ns = distance(reading->clocks.gpu_ns, gpu_ns);
   const int64_t passed_ns =
      gpu_passed_ns + scale(gpu_passed_ns, later->drift_ppb);
   const int64_t unsure_ns =
      scale(llabs(gpu_passed_ns), (int64_t)later->slack_ppb);

   return (struct limits){
      limits.min_ns + passed_ns - unsure_ns,
      limits.max_ns + passed_ns + unsure_ns,
   };
}

static inline bool
are_apart(struct limits a, struct limits b)
{
   return a.max_ns < b.min_ns || b.max_ns < a.min_ns;
}

static inline int64_t
lesser(int64_t a, int64_t b)
{
   return a < b ? a : b;
}

static inline int64_t
greater(int64_t a, int64_t b)
{
   return a > b ? a : b;
}

static inline struct limits
hull(struct limits a, struct limits b)
{
   return (struct limits){
      lesser(a.min_ns, b.min_ns),
      greater(a.max_ns, b.max_ns),
   };
}

/* Of limits that are not apart. */
static inline struct limits
intersection(struct limits a, struct limits b)
{
   return (struct limits){
      greater(a.min_ns, b.min_ns),
      lesser(a.max_ns, b.max_ns),
   };
}

static inline int64_t
width_ns(struct limits limits)
{
   return limits.max_ns - limits.min_ns;
}

static inline int64_t
clamp(int64_t value, int64_t min, int64_t max)
{
   return greater(min, lesser(value, max));
}

#endif /* PITOT_CPU_LIMITS_H */
