/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "axis.h"

#include <math.h>

/* From this ratio of longest to shortest on, the short bars of a linear
 * chart can't be told apart any more.
 */
#define LOGARITHMIC_RATIO 20

/* The axis never spans more. No draw takes as long, and one nonsensical
 * result should not press all the others into the first few pixels.
 */
#define AXIS_MIN_NS 10
#define AXIS_MAX_NS 100000000000

static int64_t
clamp(int64_t time_ns, int64_t low_ns, int64_t high_ns)
{
   if (time_ns < low_ns)
      return low_ns;
   return time_ns > high_ns ? high_ns : time_ns;
}

static int64_t
power_of_ten_below(int64_t time_ns)
{
   int64_t power_ns = 1;
   while (power_ns <= time_ns / 10)
      power_ns *= 10;
   return power_ns;
}

/* Starts below half of the shortest time, so that its bar has some length.
 */
static struct axis
logarithmic_axis(int64_t lowest_ns, int64_t highest_ns)
{
   const int64_t low_ns = power_of_ten_below(lowest_ns / 2);
   const int64_t decade_ns = power_of_ten_below(highest_ns);

   return (struct axis){
      .logarithmic = true,
      .low_ns = low_ns,
      .high_ns = (highest_ns / decade_ns + 1) * decade_ns,
   };
}

static struct axis
linear_axis(int64_t highest_ns)
{
   /* Some five to ten ticks at round values. */
   int64_t step_ns = power_of_ten_below(highest_ns / 5);
   while (highest_ns / step_ns >= 10)
      step_ns *= 2;

   return (struct axis){
      .low_ns = 0,
      .high_ns = (highest_ns / step_ns + 1) * step_ns,
      .step_ns = step_ns,
   };
}

struct axis
axis_for(int64_t lowest_ns, int64_t highest_ns)
{
   lowest_ns = clamp(lowest_ns, AXIS_MIN_NS, AXIS_MAX_NS);
   highest_ns = clamp(highest_ns, lowest_ns, AXIS_MAX_NS);
   if (highest_ns / lowest_ns >= LOGARITHMIC_RATIO)
      return logarithmic_axis(lowest_ns, highest_ns);
   return linear_axis(highest_ns);
}

double
axis_place(const struct axis *axis, int64_t time_ns)
{
   time_ns = clamp(time_ns, axis->low_ns, axis->high_ns);
   if (!axis->logarithmic)
      return (double)time_ns / axis->high_ns;
   return log((double)time_ns / axis->low_ns) /
          log((double)axis->high_ns / axis->low_ns);
}

int64_t
axis_next(const struct axis *axis, int64_t tick_ns)
{
   if (!axis->logarithmic)
      return tick_ns + axis->step_ns;
   return tick_ns + power_of_ten_below(tick_ns);
}

bool
axis_is_labelled(const struct axis *axis, int64_t tick_ns)
{
   return !axis->logarithmic || tick_ns == power_of_ten_below(tick_ns);
}
