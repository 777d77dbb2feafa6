/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Times of the GPU by the clock of the CPU.
 */

#include "cpu_limits.h"

/* A way to convert a time. */
struct guess {
   struct limits limits;
   int64_t cpu_ns;
   unsigned fit;
   bool is_final;
};

/* Returns the limits of a time between two readings of a fit. */
static struct limits
limits_between(const struct pitot_calibration *calibration,
               const struct pitot_calibration_reading *from,
               const struct pitot_calibration_reading *to, uint64_t gpu_ns)
{
   const struct limits by_from = limits_by(calibration, from, gpu_ns, to);
   const struct limits by_to = limits_by(calibration, to, gpu_ns, to);
   const struct limits either = hull(by_from, by_to);
   struct limits both = intersection(by_from, by_to);

   if (are_apart(by_from, by_to))
      return either;
   both.min_ns -= PITOT_MAX_HIDDEN_STEP_NS;
   both.max_ns += PITOT_MAX_HIDDEN_STEP_NS;
   return intersection(either, both);
}

/* Each of these returns whether a time is in a stretch: that before the first
 * reading, the one between two readings, or that after the last one.
 */

static bool
guess_before(const struct pitot_calibration *calibration,
             const struct pitot_calibration_reading *first, uint64_t gpu_ns,
             struct guess *guess_out)
{
   const int64_t distance_ns = distance(gpu_ns, first->clocks.gpu_ns);

   if (!is_within(distance_ns, MAX_DISTANCE_NS))
      return false;
   *guess_out = (struct guess){
      .limits = limits_by(calibration, first, gpu_ns, first),
      .cpu_ns = (int64_t)first->cpu_ns - distance_ns,
      .fit = first->fit,
      .is_final = true,
   };
   return true;
}

static bool
guess_after(const struct pitot_calibration *calibration,
            const struct pitot_calibration_reading *last, uint64_t gpu_ns,
            struct guess *guess_out)
{
   const int64_t distance_ns = distance(last->clocks.gpu_ns, gpu_ns);

   if (!is_within(distance_ns, MAX_DISTANCE_NS) || calibration->is_restarting)
      return false;
   *guess_out = (struct guess){
      .limits = limits_by(calibration, last, gpu_ns, last),
      .cpu_ns = (int64_t)last->cpu_ns + distance_ns +
                scale(distance_ns, last->drift_ppb),
      .fit = last->fit,
   };
   return true;
}

/* Between two readings of a fit. */
static bool
guess_within(const struct pitot_calibration *calibration,
             const struct pitot_calibration_reading *from,
             const struct pitot_calibration_reading *to, uint64_t gpu_ns,
             struct guess *guess_out)
{
   const int64_t gpu_length_ns =
      distance(from->clocks.gpu_ns, to->clocks.gpu_ns);
   const int64_t distance_ns = distance(from->clocks.gpu_ns, gpu_ns);
   const int64_t longer_ns =
      (int64_t)(to->cpu_ns - from->cpu_ns) - gpu_length_ns;

   if (!is_within(distance_ns, gpu_length_ns))
      return false;
   *guess_out = (struct guess){
      .limits = limits_between(calibration, from, to, gpu_ns),
      .cpu_ns = (int64_t)from->cpu_ns + distance_ns +
                (int64_t)((double)longer_ns * (double)distance_ns /
                          (double)gpu_length_ns),
      .fit = to->fit,
      .is_final = true,
   };
   return true;
}

/* Between the last reading of a fit and the first of the next: somewhere in
 * between, and on the clock of the one or of the other.
 */
static bool
guess_step(const struct pitot_calibration *calibration,
           const struct pitot_calibration_reading *from,
           const struct pitot_calibration_reading *to, uint64_t gpu_ns,
           struct guess *guess_out)
{
   const int64_t length_ns =
      distance(from->clocks.before_ns, to->clocks.after_ns);
   const int64_t max_ns = length_ns + scale(length_ns, PITOT_MAX_DRIFT_PPB) +
                          2 * ((int64_t)calibration->tick_ns + ROUNDING_NS);
   const int64_t after_ns = distance(from->clocks.gpu_ns, gpu_ns);
   const int64_t before_ns = distance(gpu_ns, to->clocks.gpu_ns);
   const bool is_earlier = is_within(after_ns, max_ns);

   if (!is_earlier && !is_within(before_ns, max_ns))
      return false;
   *guess_out = (struct guess){
      .limits = hull(limits_of(calibration, &from->clocks),
                     limits_of(calibration, &to->clocks)),
      .cpu_ns = clamp(is_earlier ? (int64_t)from->cpu_ns + after_ns
                                 : (int64_t)to->cpu_ns - before_ns,
                      (int64_t)from->cpu_ns, (int64_t)to->cpu_ns),
      .fit = is_earlier ? from->fit : to->fit,
      .is_final = true,
   };
   return true;
}

/* Returns whether a time may be in the stretch that ends with the reading of
 * a number, or comes after the last one.
 */
static bool
guess_until(const struct pitot_calibration *calibration, unsigned number,
            uint64_t gpu_ns, struct guess *guess_out)
{
   const struct pitot_calibration_reading *to =
      &calibration->readings[number];

   if (number == 0)
      return guess_before(calibration, to, gpu_ns, guess_out);

   const struct pitot_calibration_reading *from = to - 1;
   if (number == calibration->reading_count)
      return guess_after(calibration, from, gpu_ns, guess_out);
   if (from->fit != to->fit)
      return guess_step(calibration, from, to, gpu_ns, guess_out);
   return guess_within(calibration, from, to, gpu_ns, guess_out);
}

/* Adds a guess to those so far: the narrowest one counts, with the limits of
 * all.
 */
static void
add_guess(struct guess *sum, struct guess guess, bool is_first)
{
   const struct limits limits =
      is_first ? guess.limits : hull(sum->limits, guess.limits);

   if (is_first || width_ns(guess.limits) < width_ns(sum->limits))
      *sum = guess;
   sum->limits = limits;
}

static int64_t
cpu_limit(uint64_t ns)
{
   return ns > INT64_MAX ? INT64_MAX : (int64_t)ns;
}

/* Finds the ways to convert a time, from the latest on. Returns whether there
 * is one.
 */
static bool
guess_all(const struct pitot_calibration *calibration, uint64_t gpu_ns,
          struct limits told, struct guess *sum_out)
{
   const unsigned count = calibration->reading_count;
   bool is_found = false;

   for (unsigned i = count + 1; i-- > 0;) {
      struct guess guess;

      if (i < count &&
          limits_of(calibration, &calibration->readings[i].clocks).max_ns <
             told.min_ns)
         break;
      if (guess_until(calibration, i, gpu_ns, &guess) &&
          !are_apart(guess.limits, told)) {
         guess.limits = intersection(guess.limits, told);
         add_guess(sum_out, guess, !is_found);
         is_found = true;
      }
   }
   return is_found;
}

bool
pitot_calibration_to_cpu(const struct pitot_calibration *calibration,
                         uint64_t gpu_ns, uint64_t earliest_ns,
                         uint64_t latest_ns, struct pitot_cpu_time *time_out)
{
   const struct limits told = { cpu_limit(earliest_ns),
                                cpu_limit(latest_ns) };
   struct guess guess;

   if (calibration->reading_count == 0 ||
       !guess_all(calibration, gpu_ns, told, &guess))
      return false;
   *time_out = (struct pitot_cpu_time){
      .ns = (uint64_t)greater(guess.cpu_ns, 0),
      .error_ns = (uint64_t)greater(guess.cpu_ns - guess.limits.min_ns,
                                    guess.limits.max_ns - guess.cpu_ns),
      .fit = guess.fit,
      .is_final = guess.is_final,
   };
   return true;
}
