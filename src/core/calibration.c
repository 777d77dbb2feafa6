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
 * A time between two readings is within the limits of one or of the other,
 * even if there is a step between the readings that is too small to be seen.
 * So its limits are the hull of both.  It is converted along the straight
 * line from one reading to the other, which never goes back.
 */

#include "core_priv.h"

#define NS_PER_S 1000000000

#define MAX_TRIES 16

/* Of the distance from the time that was expected to the middle of a reading,
 * the part by which the reading moves the conversion.
 */
#define PULL_PART 4

/* Of how much longer a reading took than usual, the part that is added to
 * what is usual.
 */
#define USUAL_PART 16

/* Times further apart have nothing to do with each other: 73 years. */
#define MAX_DISTANCE_NS (INT64_C(1) << 61)

/* Two divisions round, and a nanosecond has two ends. */
#define ROUNDING_NS 3

/* Of the CPU's time. */
struct limits {
   int64_t min_ns, max_ns;
};

/* A way to convert a time. */
struct guess {
   struct limits limits;
   int64_t cpu_ns;
   unsigned fit;
   bool is_final;
};

static uint64_t
duration_ns(const struct pitot_correlation *clocks)
{
   return clocks->after_ns - clocks->before_ns;
}

bool
pitot_correlate(const struct pitot_clock_source *source, uint64_t enough_ns,
                struct pitot_correlation *best_out)
{
   uint64_t best_ns = UINT64_MAX;

   for (unsigned i = 0; i < MAX_TRIES && best_ns > enough_ns; i++) {
      struct pitot_correlation clocks;

      clocks.before_ns = source->cpu_ns(source->data);
      clocks.gpu_ns = source->gpu_ns(source->data);
      clocks.after_ns = source->cpu_ns(source->data);
      if (clocks.gpu_ns == 0)
         return false;
      if (duration_ns(&clocks) < best_ns) {
         best_ns = duration_ns(&clocks);
         *best_out = clocks;
      }
   }
   return true;
}

void
pitot_calibration_init(struct pitot_calibration *calibration,
                       uint64_t tick_ns)
{
   *calibration = (struct pitot_calibration){
      .tick_ns = tick_ns,
      .drift_error_ppb = PITOT_MAX_DRIFT_PPB,
   };
}

void
pitot_calibration_restart(struct pitot_calibration *calibration)
{
   calibration->is_restarting = true;
}

/* Returns the reading of a number, of the latest ones. */
static const struct pitot_calibration_reading *
get_reading(const struct pitot_calibration *calibration, uint64_t number)
{
   return &calibration->readings[number % PITOT_CALIBRATION_READINGS];
}

/*
 * Limits
 */

static int64_t
scale(int64_t ns, int64_t ppb)
{
   return ns / NS_PER_S * ppb + ns % NS_PER_S * ppb / NS_PER_S;
}

/* Returns the nanoseconds from one time to another, which may be less. */
static int64_t
distance(uint64_t from_ns, uint64_t to_ns)
{
   return (int64_t)(to_ns - from_ns);
}

static bool
is_within(int64_t distance_ns, int64_t max_ns)
{
   return distance_ns >= 0 && distance_ns <= max_ns;
}

/* Returns the limits of the CPU's time at the GPU's time that is a distance
 * from that of a correlation.  Two times in one tick of the GPU's are up to a
 * tick apart, either way.
 */
static struct limits
limits_at(const struct pitot_calibration *calibration,
          const struct pitot_correlation *clocks, int64_t distance_ns,
          int64_t drift_ppb, uint64_t slack_ppb)
{
   const int64_t passed_ns = distance_ns + scale(distance_ns, drift_ppb);
   const int64_t unsure_ns =
      scale(distance_ns < 0 ? -distance_ns : distance_ns,
            (int64_t)slack_ppb) +
      (int64_t)calibration->tick_ns + ROUNDING_NS;

   return (struct limits){
      (int64_t)clocks->before_ns + passed_ns - unsure_ns,
      (int64_t)clocks->after_ns + passed_ns + unsure_ns,
   };
}

/* Returns the limits that a reading gives, at any time of its fit. */
static struct limits
limits_by(const struct pitot_calibration *calibration,
          const struct pitot_calibration_reading *reading, uint64_t gpu_ns,
          const struct pitot_calibration_reading *later)
{
   return limits_at(calibration, &reading->clocks,
                    distance(reading->clocks.gpu_ns, gpu_ns),
                    later->drift_ppb, later->slack_ppb);
}

static bool
are_apart(struct limits a, struct limits b)
{
   return a.max_ns < b.min_ns || b.max_ns < a.min_ns;
}

static struct limits
hull(struct limits a, struct limits b)
{
   return (struct limits){
      a.min_ns < b.min_ns ? a.min_ns : b.min_ns,
      a.max_ns > b.max_ns ? a.max_ns : b.max_ns,
   };
}

static struct limits
intersection(struct limits a, struct limits b)
{
   return (struct limits){
      a.min_ns > b.min_ns ? a.min_ns : b.min_ns,
      a.max_ns < b.max_ns ? a.max_ns : b.max_ns,
   };
}

static int64_t
width_ns(struct limits limits)
{
   return limits.max_ns - limits.min_ns;
}

static int64_t
clamp(int64_t value, int64_t min, int64_t max)
{
   return value < min ? min : value > max ? max : value;
}

/*
 * Fits
 */

static int64_t
middle_ns(const struct pitot_correlation *clocks)
{
   return (int64_t)(clocks->before_ns + duration_ns(clocks) / 2);
}

/* Finds out the drift from the first reading of the fit to the latest.  It is
 * known to the error of both, and to the largest step in between that may not
 * have been seen.
 */
static void
fit_drift(struct pitot_calibration *calibration,
          const struct pitot_correlation *last)
{
   const struct pitot_correlation *first = &calibration->fit_begin;
   const int64_t gpu_ns = distance(first->gpu_ns, last->gpu_ns);
   const int64_t cpu_ns = middle_ns(last) - middle_ns(first);
   const uint64_t error_ns = (duration_ns(first) + duration_ns(last)) / 2 +
                             2 * (calibration->tick_ns + ROUNDING_NS) +
                             calibration->fit_hidden_ns;
   const double error_ppb = (double)error_ns * NS_PER_S / (double)gpu_ns + 1;

   if (error_ppb >= PITOT_MAX_DRIFT_PPB - PITOT_MAX_WANDER_PPB) {
      calibration->drift_ppb = 0;
      calibration->drift_error_ppb = PITOT_MAX_DRIFT_PPB;
      return;
   }
   calibration->drift_ppb =
      (int64_t)((double)(cpu_ns - gpu_ns) * NS_PER_S / (double)gpu_ns);
   calibration->drift_error_ppb = (uint64_t)error_ppb;
}

/* Appends a reading to the ring. */
static void
append(struct pitot_calibration *calibration,
       const struct pitot_correlation *clocks, int64_t expected_ns)
{
   const int64_t pulled_ns =
      expected_ns + (middle_ns(clocks) - expected_ns) / PULL_PART;
   const bool is_known = calibration->drift_error_ppb != PITOT_MAX_DRIFT_PPB;

   calibration
      ->readings[calibration->reading_count++ % PITOT_CALIBRATION_READINGS] =
      (struct pitot_calibration_reading){
         .clocks = *clocks,
         .cpu_ns = (uint64_t)clamp(pulled_ns, (int64_t)clocks->before_ns,
                                   (int64_t)clocks->after_ns),
         .fit = calibration->fit_count,
         .drift_ppb = calibration->drift_ppb,
         .slack_ppb = calibration->drift_error_ppb +
                      (is_known ? PITOT_MAX_WANDER_PPB : 0),
      };
}

static void
begin_fit(struct pitot_calibration *calibration,
          const struct pitot_correlation *clocks)
{
   calibration->fit_count++;
   calibration->fit_begin = *clocks;
   calibration->fit_hidden_ns = 0;
   calibration->drift_ppb = 0;
   calibration->drift_error_ppb = PITOT_MAX_DRIFT_PPB;
   calibration->is_restarting = false;
   append(calibration, clocks, middle_ns(clocks));
}

/* Takes in a reading that comes after the last one of its fit, or begins
 * another.
 */
static enum pitot_calibration_news
continue_fit(struct pitot_calibration *calibration,
             const struct pitot_calibration_reading *last,
             const struct pitot_correlation *clocks)
{
   const int64_t passed_ns = distance(last->clocks.gpu_ns, clocks->gpu_ns);
   if (!is_within(passed_ns, MAX_DISTANCE_NS)) {
      begin_fit(calibration, clocks);
      return PITOT_CALIBRATION_STEPPED;
   }

   const struct limits known =
      limits_by(calibration, last, clocks->gpu_ns, last);
   const struct limits read = limits_at(calibration, clocks, 0, 0, 0);
   if (are_apart(known, read)) {
      begin_fit(calibration, clocks);
      return PITOT_CALIBRATION_STEPPED;
   }
   if (passed_ns == 0 || width_ns(read) > width_ns(known))
      return PITOT_CALIBRATION_LEFT_OUT;

   /* The common part of the limits does not tell whether there was a step
    * from anywhere in the one to anywhere in the other.
    */
   const uint64_t hidden_ns = (uint64_t)width_ns(hull(known, read));
   if (hidden_ns > calibration->fit_hidden_ns)
      calibration->fit_hidden_ns = hidden_ns;
   fit_drift(calibration, clocks);
   append(calibration, clocks,
          (int64_t)last->cpu_ns + passed_ns +
             scale(passed_ns, last->drift_ppb));
   return PITOT_CALIBRATION_TAKEN;
}

enum pitot_calibration_news
pitot_calibration_add(struct pitot_calibration *calibration,
                      const struct pitot_correlation *clocks)
{
   if (calibration->reading_count == 0 || calibration->is_restarting) {
      begin_fit(calibration, clocks);
      return PITOT_CALIBRATION_BEGUN;
   }
   return continue_fit(calibration,
                       get_reading(calibration,
                                   calibration->reading_count - 1),
                       clocks);
}

/* Readings shorter than a tick of the GPU's are no better for it. */
enum pitot_calibration_news
pitot_calibration_read(struct pitot_calibration *calibration,
                       const struct pitot_clock_source *source)
{
   const uint64_t usual_ns = calibration->usual_ns;
   const uint64_t good_ns = usual_ns + usual_ns / 2;
   struct pitot_correlation best;

   if (!pitot_correlate(source,
                        good_ns > calibration->tick_ns ? good_ns
                                                       : calibration->tick_ns,
                        &best))
      return PITOT_CALIBRATION_UNREAD;

   const uint64_t best_ns = duration_ns(&best);
   if (best_ns < usual_ns || usual_ns == 0)
      calibration->usual_ns = best_ns;
   else
      calibration->usual_ns += (best_ns - usual_ns) / USUAL_PART;
   return pitot_calibration_add(calibration, &best);
}

/*
 * Conversion
 */

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
      .limits = hull(limits_by(calibration, from, gpu_ns, to),
                     limits_by(calibration, to, gpu_ns, to)),
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
      .limits = hull(limits_at(calibration, &from->clocks, 0, 0, 0),
                     limits_at(calibration, &to->clocks, 0, 0, 0)),
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
guess_until(const struct pitot_calibration *calibration, uint64_t number,
            uint64_t gpu_ns, struct guess *guess_out)
{
   const struct pitot_calibration_reading *to =
      get_reading(calibration, number);

   if (number == 0)
      return guess_before(calibration, to, gpu_ns, guess_out);

   const struct pitot_calibration_reading *from =
      get_reading(calibration, number - 1);
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

static uint64_t
max_error_ns(const struct guess *guess)
{
   const int64_t below_ns = guess->cpu_ns - guess->limits.min_ns;
   const int64_t above_ns = guess->limits.max_ns - guess->cpu_ns;

   return (uint64_t)(below_ns > above_ns ? below_ns : above_ns);
}

bool
pitot_calibration_to_cpu(const struct pitot_calibration *calibration,
                         uint64_t gpu_ns, uint64_t earliest_ns,
                         uint64_t latest_ns, struct pitot_cpu_time *time_out)
{
   const uint64_t count = calibration->reading_count;
   const uint64_t oldest = count <= PITOT_CALIBRATION_READINGS
                              ? 0
                              : count - PITOT_CALIBRATION_READINGS + 1;
   const struct limits told = { cpu_limit(earliest_ns),
                                cpu_limit(latest_ns) };
   struct guess sum = { 0 };
   bool is_found = false;

   if (count == 0)
      return false;
   for (uint64_t i = count + 1; i-- > oldest;) {
      struct guess guess;

      if (i < count &&
          limits_at(calibration, &get_reading(calibration, i)->clocks, 0, 0,
                    0)
                .max_ns < told.min_ns)
         break;
      if (guess_until(calibration, i, gpu_ns, &guess) &&
          !are_apart(guess.limits, told)) {
         guess.limits = intersection(guess.limits, told);
         add_guess(&sum, guess, !is_found);
         is_found = true;
      }
   }
   if (!is_found)
      return false;
   *time_out = (struct pitot_cpu_time){
      .ns = (uint64_t)sum.cpu_ns,
      .error_ns = max_error_ns(&sum),
      .fit = sum.fit,
      .is_final = sum.is_final,
   };
   return true;
}
