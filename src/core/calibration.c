/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Calibrations: readings of two clocks, and the fits that they make.
 */

#include "cpu_limits.h"

#define MAX_TRIES 16

/* Of the distance from the time that was expected to the middle of a reading,
 * the part by which the reading moves the conversion.
 */
#define PULL_PART 4

/* After so many readings that did not tell the drift, an early one was too
 * bad and the drift is measured anew.
 */
#define MAX_VAIN_COUNT 32

/* Of how much longer a reading took than usual, the part that is added to
 * what is usual.
 */
#define USUAL_PART 16

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

static int64_t
middle_ns(const struct pitot_correlation *clocks)
{
   return (int64_t)(clocks->before_ns + duration_ns(clocks) / 2);
}

/* Measures the drift from a reading on. */
static void
begin_drift(struct pitot_calibration *calibration,
            const struct pitot_correlation *first)
{
   calibration->drift_begin = *first;
   calibration->vain_count = 0;
   calibration->hidden_ns = 0;
   calibration->drift_ppb = 0;
   calibration->drift_error_ppb = PITOT_MAX_DRIFT_PPB;
}

/* Finds out the drift up to the latest reading.  It is known to the error of
 * both ends, and to the largest step in between that may not have been seen.
 */
static void
measure_drift(struct pitot_calibration *calibration,
              const struct pitot_correlation *last)
{
   const struct pitot_correlation *first = &calibration->drift_begin;
   const int64_t gpu_ns = distance(first->gpu_ns, last->gpu_ns);
   const int64_t cpu_ns = middle_ns(last) - middle_ns(first);
   const uint64_t error_ns = (duration_ns(first) + duration_ns(last)) / 2 +
                             2 * (calibration->tick_ns + ROUNDING_NS) +
                             calibration->hidden_ns;
   const double error_ppb = (double)error_ns * NS_PER_S / (double)gpu_ns + 1;

   if (error_ppb < PITOT_MAX_DRIFT_PPB - PITOT_MAX_WANDER_PPB) {
      calibration->drift_ppb =
         (int64_t)((double)(cpu_ns - gpu_ns) * NS_PER_S / (double)gpu_ns);
      calibration->drift_error_ppb = (uint64_t)error_ppb;
   } else if (++calibration->vain_count == MAX_VAIN_COUNT) {
      begin_drift(calibration, last);
   }
}

/* Makes room: of the older half of the readings, each second one goes.  The
 * others are still right, but further apart.
 */
static void
thin_readings(struct pitot_calibration *calibration)
{
   unsigned kept = 0;

   for (unsigned i = 0; i < PITOT_CALIBRATION_READINGS; i++) {
      if (i % 2 == 0 || i > PITOT_CALIBRATION_READINGS / 2)
         calibration->readings[kept++] = calibration->readings[i];
   }
   calibration->reading_count = kept;
}

/* Appends a reading. */
static void
append(struct pitot_calibration *calibration,
       const struct pitot_correlation *clocks, int64_t expected_ns)
{
   const int64_t pulled_ns =
      expected_ns + (middle_ns(clocks) - expected_ns) / PULL_PART;
   const bool is_known = calibration->drift_error_ppb != PITOT_MAX_DRIFT_PPB;

   if (calibration->reading_count == PITOT_CALIBRATION_READINGS)
      thin_readings(calibration);
   calibration->readings[calibration->reading_count++] =
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
   calibration->is_restarting = false;
   begin_drift(calibration, clocks);
   append(calibration, clocks, middle_ns(clocks));
}

/* Takes in a reading that comes after the last one of its fit, or begins
 * another.
 */
static enum pitot_calibration_news
continue_fit(struct pitot_calibration *calibration,
             const struct pitot_correlation *clocks)
{
   const struct pitot_calibration_reading *last =
      &calibration->readings[calibration->reading_count - 1];
   const int64_t passed_ns = distance(last->clocks.gpu_ns, clocks->gpu_ns);
   if (!is_within(passed_ns, MAX_DISTANCE_NS)) {
      begin_fit(calibration, clocks);
      return PITOT_CALIBRATION_STEPPED;
   }

   const struct limits known =
      limits_by(calibration, last, clocks->gpu_ns, last);
   const struct limits read = limits_of(calibration, clocks);
   if (are_apart(known, read)) {
      begin_fit(calibration, clocks);
      return PITOT_CALIBRATION_STEPPED;
   }
   if (passed_ns == 0 || width_ns(read) > width_ns(known))
      return PITOT_CALIBRATION_LEFT_OUT;

   /* A step from anywhere in the one to anywhere in the other is not seen,
    * if there are such steps.
    */
   const int64_t hidden_ns =
      lesser(width_ns(hull(known, read)), PITOT_MAX_HIDDEN_STEP_NS);
   calibration->hidden_ns =
      (uint64_t)greater(hidden_ns, (int64_t)calibration->hidden_ns);
   measure_drift(calibration, clocks);
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
   return continue_fit(calibration, clocks);
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
