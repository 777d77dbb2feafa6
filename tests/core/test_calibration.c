/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "test.h"
#include "pitot/clock.h"

#define NS_PER_S  UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_US UINT64_C(1000)

/* The limits of a time are wider on both sides than the reading. */
#define ROUNDING_NS 3

static uint64_t
apart_ns(uint64_t a, uint64_t b)
{
   return a < b ? b - a : a - b;
}

static enum pitot_calibration_news
add(struct pitot_calibration *c, uint64_t before_ns, uint64_t gpu_ns,
    uint64_t after_ns)
{
   return pitot_calibration_add(c, &(struct pitot_correlation){
                                      before_ns, gpu_ns, after_ns });
}

/* Converts a time of which nothing is known. */
static struct pitot_cpu_time
to_cpu(const struct pitot_calibration *c, uint64_t gpu_ns)
{
   struct pitot_cpu_time time;

   assert_true(pitot_calibration_to_cpu(c, gpu_ns, 0, UINT64_MAX, &time));
   return time;
}

static void
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
static void
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

/* Without a reading there is no time. */
static void
nothing_is_known_at_first(void **unused)
{
   struct pitot_calibration c;
   struct pitot_cpu_time time;

   (void)unused;
   pitot_calibration_init(&c, 1);
   assert_int_equal(c.fit_count, 0);
   assert_int_equal(c.drift_error_ppb, PITOT_MAX_DRIFT_PPB);
   assert_false(pitot_calibration_to_cpu(&c, 5, 0, UINT64_MAX, &time));
}

/* The error of one reading is half of what it took, and a tick; further away
 * it grows by the drift that clocks may have.
 */
static void
one_reading_is_a_fit(void **unused)
{
   struct pitot_calibration c;

   (void)unused;
   pitot_calibration_init(&c, 80);
   assert_int_equal(add(&c, 2 * NS_PER_S, 5000, 2 * NS_PER_S + 1000),
                    PITOT_CALIBRATION_BEGUN);
   assert_time(to_cpu(&c, 5000), 2 * NS_PER_S + 500, 500 + 80 + ROUNDING_NS,
               1, false);
   assert_time(to_cpu(&c, 5000 + NS_PER_MS), 2 * NS_PER_S + 500 + NS_PER_MS,
               500 + 80 + ROUNDING_NS + 1000, 1, false);
   assert_time(to_cpu(&c, 5000 + 1000 * NS_PER_S),
               2 * NS_PER_S + 500 + 1000 * NS_PER_S,
               500 + 80 + ROUNDING_NS + NS_PER_S, 1, false);
   assert_time(to_cpu(&c, 0), 2 * NS_PER_S + 500 - 5000,
               500 + 80 + ROUNDING_NS + 5, 1, true);
}

/* The drift is the mean rate of the fit; its error is that of both ends and
 * of a step that may be hidden.
 */
static void
drift_is_found(void **unused)
{
   static const int drifts_ppm[] = { 0, 1, 150, -200, 900, -900 };

   (void)unused;
   for (unsigned i = 0; i < ARRAY_LENGTH(drifts_ppm); i++) {
      const int64_t drift_ppb = drifts_ppm[i] * INT64_C(1000);
      struct pitot_calibration c;

      pitot_calibration_init(&c, 1);
      add_line(&c, 5 * NS_PER_S, 77, 4 * NS_PER_MS, 251, drifts_ppm[i]);
      assert_int_equal(c.fit_count, 1);
      assert_in_range(c.drift_ppb - drift_ppb + 100, 0, 200);
      /* 100 ns, and 8 us that the first two may hide, of a second. */
      assert_in_range(c.drift_error_ppb, 100, 100 + 8000 + 1000);

      /* A second on, by the drift, its error and the wander. */
      const struct pitot_cpu_time time = to_cpu(&c, 77 + 2 * NS_PER_S);
      const uint64_t passed_ns =
         2 * NS_PER_S + (uint64_t)drifts_ppm[i] * 2000;
      assert_in_range(time.ns + 1000 - 5 * NS_PER_S - passed_ns, 0, 2000);
      assert_in_range(time.error_ns, 100000, 110000);
   }
}

/* Between two readings, the error does not exceed that of the worse one by
 * more than the rate may change on the way.
 */
static void
error_is_that_of_the_readings(void **unused)
{
   struct pitot_calibration c;

   (void)unused;
   pitot_calibration_init(&c, 1);
   add_line(&c, 5 * NS_PER_S, 77, 4 * NS_PER_MS, 40, 150);
   for (uint64_t ns = 32 * 4 * NS_PER_MS; ns <= 39 * 4 * NS_PER_MS; ns += 999)
      assert_in_range(to_cpu(&c, 77 + ns).error_ns, 50, 50 + 850);
}

/* The error of the drift is that of both ends, and the largest step that
 * would not have been seen: what was known after 1 ms, with its rounding.
 */
static void
error_of_drift_is_exact(void **unused)
{
   struct pitot_calibration c;

   (void)unused;
   pitot_calibration_init(&c, 1);
   add_line(&c, 5 * NS_PER_S, 77, NS_PER_MS, 101, 0);

   const uint64_t ends_ns = 50 + 50 + 2 * (1 + ROUNDING_NS);
   const uint64_t hidden_ns = 100 + 2 * (1000 + 1 + ROUNDING_NS);
   assert_int_equal(c.drift_error_ppb, (ends_ns + hidden_ns) * 10 + 1);
}

/* A reading moves the conversion by a quarter of the way to its middle, and
 * into its limits.
 */
static void
reading_pulls_the_conversion(void **unused)
{
   struct pitot_calibration c;

   (void)unused;
   pitot_calibration_init(&c, 1);
   add(&c, NS_PER_S, 1000, NS_PER_S);
   add(&c, NS_PER_S + NS_PER_MS - 100, 1000 + NS_PER_MS,
       NS_PER_S + NS_PER_MS + 900);
   assert_int_equal(to_cpu(&c, 1000 + NS_PER_MS).ns,
                    NS_PER_S + NS_PER_MS + 100);
   add(&c, NS_PER_S + 2 * NS_PER_MS + 500, 1000 + 2 * NS_PER_MS,
       NS_PER_S + 2 * NS_PER_MS + 600);
   assert_int_equal(to_cpu(&c, 1000 + 2 * NS_PER_MS).ns,
                    NS_PER_S + 2 * NS_PER_MS + 500);
}

/* A bad reading is where the drift says. */
static void
conversion_follows_the_drift(void **unused)
{
   struct pitot_calibration c;

   (void)unused;
   pitot_calibration_init(&c, 1);
   add_line(&c, 5 * NS_PER_S, 77, 4 * NS_PER_MS, 251, 150);
   const uint64_t cpu_ns = 6 * NS_PER_S + 150 * NS_PER_US;
   const uint64_t later_ns = cpu_ns + NS_PER_S + 150 * NS_PER_US;
   assert_int_equal(add(&c, later_ns - 90000, 77 + 2 * NS_PER_S,
                        later_ns + 90000),
                    PITOT_CALIBRATION_TAKEN);
   assert_in_range(to_cpu(&c, 77 + 2 * NS_PER_S).ns, later_ns - 200,
                   later_ns + 200);
}

/* Readings that are seconds apart limit the times near them as well: a step
 * in between that is not seen is small.
 */
static void
error_is_small_near_a_reading(void **unused)
{
   struct pitot_calibration c;

   (void)unused;
   pitot_calibration_init(&c, 1);
   add_line(&c, 5 * NS_PER_S, 77, 4 * NS_PER_S, 2, 0);
   for (unsigned us = 0; us <= 1000; us++) {
      const uint64_t gpu_ns = 77 + us * NS_PER_US;

      assert_in_range(to_cpu(&c, gpu_ns).error_ns, 50, 12000);
      assert_in_range(to_cpu(&c, 77 + 4 * NS_PER_S - us * NS_PER_US).error_ns,
                      50, 12000);
   }
   assert_true(c.drift_error_ppb < 5000);
   assert_in_range(to_cpu(&c, 77 + 2 * NS_PER_S).error_ns, 200000, 250000);
}

/* A step that is not seen may have come right before the second reading. */
static void
error_has_room_for_a_hidden_step(void **unused)
{
   static const int steps_ns[] = { 9000, -9000 };

   (void)unused;
   for (unsigned i = 0; i < ARRAY_LENGTH(steps_ns); i++) {
      const uint64_t end_ns = 9 * NS_PER_S + (uint64_t)(int64_t)steps_ns[i];
      struct pitot_calibration c;

      pitot_calibration_init(&c, 1);
      add(&c, 5 * NS_PER_S, 77, 5 * NS_PER_S);
      add(&c, end_ns, 77 + 4 * NS_PER_S, end_ns);
      assert_int_equal(c.fit_count, 1);
      const struct pitot_cpu_time time =
         to_cpu(&c, 77 + 4 * NS_PER_S - NS_PER_US);
      assert_true(apart_ns(time.ns, 9 * NS_PER_S - NS_PER_US) <=
                  time.error_ns);
   }
}

/* If the first readings are so bad that they say nothing about the drift, it
 * is measured from a later one on.
 */
static void
drift_begins_anew(void **unused)
{
   struct pitot_calibration c;

   (void)unused;
   pitot_calibration_init(&c, 1);
   add(&c, 5 * NS_PER_S, 77, 5 * NS_PER_S + 20 * NS_PER_MS);
   add_line(&c, 5 * NS_PER_S + 30 * NS_PER_MS, 77 + 20 * NS_PER_MS,
            4 * NS_PER_MS, 250, 150);
   assert_int_equal(c.fit_count, 1);
   assert_in_range(c.drift_ppb, 140000, 160000);
   assert_in_range(c.drift_error_ppb, 100, 20000);
}

/* That may take several attempts. */
static void
drift_begins_anew_again(void **unused)
{
   struct pitot_calibration c;

   (void)unused;
   pitot_calibration_init(&c, 1);
   for (unsigned ms = 0; ms < 100; ms++) {
      add(&c, NS_PER_S + ms * NS_PER_MS, 77 + ms * NS_PER_MS,
          NS_PER_S + ms * NS_PER_MS + 100000);
   }
   assert_int_equal(c.drift_error_ppb, PITOT_MAX_DRIFT_PPB);
   add_line(&c, NS_PER_S + 100 * NS_PER_MS + 50000, 77 + 100 * NS_PER_MS,
            NS_PER_MS, 45, 0);
   assert_true(c.drift_error_ppb < PITOT_MAX_DRIFT_PPB);
}

/* A new fit has no drift yet. */
static void
fit_begins_without_drift(void **unused)
{
   struct pitot_calibration c;

   (void)unused;
   pitot_calibration_init(&c, 1);
   add_line(&c, 5 * NS_PER_S, 77, 4 * NS_PER_MS, 251, 150);
   add_line(&c, 7 * NS_PER_S, 77, 4 * NS_PER_MS, 1, 0);
   assert_int_equal(c.drift_ppb, 0);
   assert_int_equal(c.drift_error_ppb, PITOT_MAX_DRIFT_PPB);
}

/* A step that is not seen cannot make a wrong drift. */
static void
hidden_step_is_no_drift(void **unused)
{
   struct pitot_calibration c;

   (void)unused;
   pitot_calibration_init(&c, 1);
   add(&c, NS_PER_S, 1000, NS_PER_S + 100);
   assert_int_equal(add(&c, NS_PER_S + 10 * NS_PER_MS + 9 * NS_PER_US,
                        1000 + 10 * NS_PER_MS,
                        NS_PER_S + 10 * NS_PER_MS + 9 * NS_PER_US + 100),
                    PITOT_CALIBRATION_TAKEN);
   for (unsigned ms = 10; ms < 100; ms += 10) {
      const struct pitot_cpu_time time =
         to_cpu(&c, 1000 + (10 + ms) * NS_PER_MS);
      const uint64_t truth_ns =
         NS_PER_S + (10 + ms) * NS_PER_MS + 9 * NS_PER_US + 50;

      assert_true(apart_ns(time.ns, truth_ns) <= time.error_ns);
   }
}

/* A reading that the fit cannot explain begins another one. */
static void
step_begins_a_fit(void **unused)
{
   static const struct {
      int64_t step_ns;
      enum pitot_calibration_news news;
   } steps[] = {
      /* In 1 ms the clocks part by 1 us, and the readings are 100 ns long
       * and rounded.
       */
      { 1109, PITOT_CALIBRATION_TAKEN },
      { 1110, PITOT_CALIBRATION_STEPPED },
      { -1106, PITOT_CALIBRATION_TAKEN },
      { -1107, PITOT_CALIBRATION_STEPPED },
      { (int64_t)NS_PER_S, PITOT_CALIBRATION_STEPPED },
      { -2 * (int64_t)NS_PER_MS, PITOT_CALIBRATION_STEPPED },
      { -(int64_t)NS_PER_MS - 5000, PITOT_CALIBRATION_STEPPED },
      { INT64_MAX / 2, PITOT_CALIBRATION_STEPPED },
   };

   (void)unused;
   for (unsigned i = 0; i < ARRAY_LENGTH(steps); i++) {
      struct pitot_calibration c;

      pitot_calibration_init(&c, 1);
      add(&c, NS_PER_S, 2 * NS_PER_S, NS_PER_S + 100);
      assert_int_equal(add(&c, NS_PER_S + NS_PER_MS,
                           2 * NS_PER_S + NS_PER_MS +
                              (uint64_t)steps[i].step_ns,
                           NS_PER_S + NS_PER_MS + 100),
                       steps[i].news);
      assert_int_equal(c.fit_count,
                       1 + (steps[i].news == PITOT_CALIBRATION_STEPPED));
      assert_int_equal(c.drift_error_ppb, PITOT_MAX_DRIFT_PPB);
   }
}

/* A clock that goes back, be it by less than the error, has stepped. */
static void
clock_never_goes_back(void **unused)
{
   struct pitot_calibration c;

   (void)unused;
   pitot_calibration_init(&c, 1);
   add(&c, 1000, 5000, 2000);
   assert_int_equal(add(&c, 2000, 4999, 3000), PITOT_CALIBRATION_STEPPED);
}

/* A reading that tells less than is known without it is left out, and so is
 * one in the same tick.
 */
static void
bad_reading_is_left_out(void **unused)
{
   struct pitot_calibration c;

   (void)unused;
   pitot_calibration_init(&c, 1);
   add(&c, NS_PER_S, 1000, NS_PER_S + 100);
   assert_int_equal(add(&c, NS_PER_S + 100, 1000, NS_PER_S + 102),
                    PITOT_CALIBRATION_LEFT_OUT);
   /* In 1 ms what is known widens by 1 us on both sides. */
   assert_int_equal(add(&c, NS_PER_S + NS_PER_MS, 1000 + NS_PER_MS,
                        NS_PER_S + NS_PER_MS + 2101),
                    PITOT_CALIBRATION_LEFT_OUT);
   assert_int_equal(c.reading_count, 1);
   assert_int_equal(add(&c, NS_PER_S + NS_PER_MS, 1000 + NS_PER_MS,
                        NS_PER_S + NS_PER_MS + 2100),
                    PITOT_CALIBRATION_TAKEN);

   /* However bad it is, it may show a step. */
   assert_int_equal(add(&c, NS_PER_S + 3 * NS_PER_MS, 1000 + 200 * NS_PER_MS,
                        NS_PER_S + 4 * NS_PER_MS),
                    PITOT_CALIBRATION_STEPPED);
}

/* After a restart nothing is known of times after the last reading, until
 * there is another; then they are between the two.
 */
static void
restart_begins_a_fit(void **unused)
{
   struct pitot_calibration c;
   struct pitot_cpu_time time;

   (void)unused;
   pitot_calibration_init(&c, 1);
   add(&c, NS_PER_S, 1000, NS_PER_S + 100);
   pitot_calibration_restart(&c);
   assert_false(pitot_calibration_to_cpu(&c, 1001, 0, UINT64_MAX, &time));
   assert_int_equal(to_cpu(&c, 900).ns, NS_PER_S + 50 - 100);

   assert_int_equal(add(&c, NS_PER_S + 2 * NS_PER_MS, 1000 + 2 * NS_PER_MS,
                        NS_PER_S + 2 * NS_PER_MS + 100),
                    PITOT_CALIBRATION_BEGUN);
   assert_int_equal(c.fit_count, 2);
   assert_time(to_cpu(&c, 1000 + NS_PER_MS), NS_PER_S + 50 + NS_PER_MS,
               NS_PER_MS + 50 + 1 + ROUNDING_NS, 1, true);
   assert_int_equal(add(&c, NS_PER_S + 3 * NS_PER_MS, 1000 + 3 * NS_PER_MS,
                        NS_PER_S + 3 * NS_PER_MS + 100),
                    PITOT_CALIBRATION_TAKEN);
}

/* A time that two fits explain is between their limits; when it was recorded
 * tells them apart, and an error is no larger than that allows.
 */
static void
limits_choose_the_fit(void **unused)
{
   struct pitot_calibration c;
   struct pitot_cpu_time time;

   (void)unused;
   pitot_calibration_init(&c, 1);
   add_line(&c, 10 * NS_PER_S, 5 * NS_PER_S, 10 * NS_PER_MS, 20, 0);
   add_line(&c, 20 * NS_PER_S, 5 * NS_PER_S, 10 * NS_PER_MS, 20, 0);
   assert_int_equal(c.fit_count, 2);

   const uint64_t gpu_ns = 5 * NS_PER_S + 95 * NS_PER_MS;
   assert_true(to_cpu(&c, gpu_ns).error_ns >= 10 * NS_PER_S);
   assert_true(pitot_calibration_to_cpu(&c, gpu_ns, 0, 11 * NS_PER_S, &time));
   assert_int_equal(time.fit, 1);
   assert_in_range(time.ns, 10 * NS_PER_S + 95 * NS_PER_MS - 50,
                   10 * NS_PER_S + 95 * NS_PER_MS + 50);
   assert_in_range(time.error_ns, 50, 20000);
   assert_true(
      pitot_calibration_to_cpu(&c, gpu_ns, 19 * NS_PER_S, UINT64_MAX, &time));
   assert_int_equal(time.fit, 2);
   assert_in_range(time.error_ns, 50, 20000);

   const uint64_t cpu_ns = 20 * NS_PER_S + 95 * NS_PER_MS;
   assert_true(
      pitot_calibration_to_cpu(&c, gpu_ns, cpu_ns - 5, cpu_ns + 9, &time));
   assert_in_range(time.error_ns, 0, 14 + apart_ns(time.ns, cpu_ns));
   assert_false(pitot_calibration_to_cpu(&c, gpu_ns, 11 * NS_PER_S,
                                         12 * NS_PER_S, &time));
}

/* One step between two readings is understood, two are not. */
static void
two_steps_are_too_many(void **unused)
{
   struct pitot_calibration c;
   struct pitot_cpu_time time;

   (void)unused;
   pitot_calibration_init(&c, 1);
   add(&c, NS_PER_S, 1000 * NS_PER_MS, NS_PER_S + 100);
   add(&c, NS_PER_S + 9 * NS_PER_MS, 7000 * NS_PER_MS,
       NS_PER_S + 9 * NS_PER_MS + 100);
   assert_true(pitot_calibration_to_cpu(&c, 1009 * NS_PER_MS, NS_PER_S,
                                        UINT64_MAX, &time));
   assert_int_equal(time.fit, 1);
   assert_true(pitot_calibration_to_cpu(&c, 6991 * NS_PER_MS, NS_PER_S,
                                        UINT64_MAX, &time));
   assert_int_equal(time.fit, 2);
   assert_int_equal(time.ns, NS_PER_S + 50);

   /* The readings are 9.0001 ms apart, and the clocks by 9 us then. */
   const uint64_t max_ns = 9000100 + 9000 + 2 * (1 + ROUNDING_NS);
   assert_true(pitot_calibration_to_cpu(&c, 1000 * NS_PER_MS + max_ns,
                                        NS_PER_S, UINT64_MAX, &time));
   assert_false(pitot_calibration_to_cpu(&c, 1000 * NS_PER_MS + max_ns + 1,
                                         NS_PER_S, UINT64_MAX, &time));
   assert_true(pitot_calibration_to_cpu(&c, 7000 * NS_PER_MS - max_ns,
                                        NS_PER_S, UINT64_MAX, &time));
   assert_false(pitot_calibration_to_cpu(&c, 7000 * NS_PER_MS - max_ns - 1,
                                         NS_PER_S, UINT64_MAX, &time));
}

/* Of old times, the readings are further apart; but none is forgotten. */
static void
old_times_are_known_less_well(void **unused)
{
   const uint64_t halves = 10;
   const uint64_t half = PITOT_CALIBRATION_READINGS / 2;
   struct pitot_calibration c;

   (void)unused;
   pitot_calibration_init(&c, 1);
   add_line(&c, NS_PER_S, 1000, 5 * NS_PER_MS, (unsigned)(halves * half), 0);
   assert_true(c.reading_count <= PITOT_CALIBRATION_READINGS);
   assert_true(c.reading_count > half);
   for (uint64_t ms = 0; ms < halves * half * 5; ms++) {
      const struct pitot_cpu_time time = to_cpu(&c, 1000 + ms * NS_PER_MS);
      const bool is_old = ms < (halves - 1) * half * 5;

      assert_true(time.is_final || ms >= (halves * half - 1) * 5);
      assert_int_equal(time.fit, 1);
      assert_in_range(time.ns, NS_PER_S + ms * NS_PER_MS - 5,
                      NS_PER_S + ms * NS_PER_MS + 5);
      assert_in_range(time.error_ns, 50, is_old ? 300000 : 1000);
   }
   assert_int_equal(c.readings[0].clocks.gpu_ns, 1000);
}

/* Each second reading of the older half goes, but for the first. */
static void
readings_are_thinned(void **unused)
{
   const unsigned count = PITOT_CALIBRATION_READINGS;
   struct pitot_calibration c;

   (void)unused;
   pitot_calibration_init(&c, 1);
   add_line(&c, NS_PER_S, 1000, NS_PER_MS, count + 1, 0);
   assert_int_equal(c.reading_count, count * 3 / 4 + 1);
   for (unsigned i = 0; i < c.reading_count; i++) {
      const unsigned number = i <= count / 4 ? 2 * i : i + count / 4;

      assert_int_equal(c.readings[i].clocks.gpu_ns,
                       1000 + number * NS_PER_MS);
   }
}

/* Nor is a time of a fit that has no reading any more. */
static void
old_fits_are_known_less_well(void **unused)
{
   struct pitot_calibration c;
   struct pitot_cpu_time time;

   (void)unused;
   pitot_calibration_init(&c, 1);
   for (unsigned s = 1; s <= 500; s++) {
      pitot_calibration_restart(&c);
      add_line(&c, s * NS_PER_S, 1000 + s * NS_PER_S, NS_PER_MS, 1, 0);
   }
   for (unsigned s = 1; s <= 500; s++) {
      assert_true(pitot_calibration_to_cpu(&c, 1000 + s * NS_PER_S, 0,
                                           UINT64_MAX, &time));
      assert_true(apart_ns(time.ns, s * NS_PER_S) <= time.error_ns);
   }
}

/* A final time stays, and does not go back. */
static void
final_times_stay(void **unused)
{
   struct pitot_calibration c;
   uint64_t times_ns[100];
   uint64_t last_ns = 0;

   (void)unused;
   pitot_calibration_init(&c, 1);
   for (unsigned i = 0; i <= 10; i++) {
      const uint64_t off_ns = i * 7919 % 1000;

      add(&c, NS_PER_S + i * NS_PER_MS - off_ns, 1000 + i * NS_PER_MS,
          NS_PER_S + i * NS_PER_MS + 1000 - off_ns);
   }
   for (unsigned i = 0; i < ARRAY_LENGTH(times_ns); i++) {
      const struct pitot_cpu_time time =
         to_cpu(&c, 1000 + i * NS_PER_MS / 10);

      assert_true(time.is_final);
      assert_true(time.ns > last_ns);
      times_ns[i] = last_ns = time.ns;
   }
   assert_false(to_cpu(&c, 1001 + 10 * NS_PER_MS).is_final);
   add_line(&c, NS_PER_S + 11 * NS_PER_MS, 1000 + 11 * NS_PER_MS, NS_PER_MS,
            20, 300);
   for (unsigned i = 0; i < ARRAY_LENGTH(times_ns); i++)
      assert_int_equal(to_cpu(&c, 1000 + i * NS_PER_MS / 10).ns, times_ns[i]);
}

/* Times that make no sense are refused, or have an error as large. */
static void
nonsense_is_survived(void **unused)
{
   static const uint64_t times_ns[] = {
      0,          1, UINT64_C(1) << 60, UINT64_C(1) << 62, UINT64_C(1) << 63,
      UINT64_MAX,
   };
   struct pitot_calibration c;
   struct pitot_cpu_time time;

   (void)unused;
   for (unsigned i = 0; i < ARRAY_LENGTH(times_ns); i++) {
      for (unsigned k = 0; k < ARRAY_LENGTH(times_ns); k++) {
         pitot_calibration_init(&c, 1);
         add(&c, NS_PER_S, times_ns[i], NS_PER_S + 100);
         add(&c, 2 * NS_PER_S, times_ns[k], 2 * NS_PER_S + 100);
         for (unsigned l = 0; l < ARRAY_LENGTH(times_ns); l++) {
            if (pitot_calibration_to_cpu(&c, times_ns[l], 0, 3 * NS_PER_S,
                                         &time))
               assert_true(time.ns < 1000 * NS_PER_S);
         }
      }
   }
}

/*
 * Reading
 */

/* A machine that takes listed times to read its clocks. */
struct machine {
   const uint64_t *takes_ns; /* 0: the end, which goes on for ever */
   uint64_t now_ns;
   unsigned reads;
   bool is_broken;
};

static uint64_t
machine_cpu_ns(void *data)
{
   return ((struct machine *)data)->now_ns;
}

static uint64_t
machine_gpu_ns(void *data)
{
   struct machine *machine = data;

   machine->reads++;
   machine->now_ns += *machine->takes_ns;
   if (machine->takes_ns[1] != 0)
      machine->takes_ns++;
   return machine->is_broken ? 0 : machine->now_ns;
}

static struct pitot_clock_source
source_of(struct machine *machine)
{
   return (struct pitot_clock_source){ machine_cpu_ns, machine_gpu_ns,
                                       machine };
}

/* The shortest of several readings counts, or the first that will do. */
static void
best_reading_counts(void **unused)
{
   static const uint64_t takes_ns[] = {
      900, 400, 300, 500, 200, 200, 700, 0
   };
   static const struct {
      uint64_t enough_ns;
      unsigned reads;
      uint64_t best_ns, best_at_ns;
   } cases[] = {
      { 900, 1, 900, 1900 }, { 899, 2, 400, 2300 },  { 300, 3, 300, 2600 },
      { 299, 5, 200, 3300 }, { 199, 16, 200, 3300 },
   };

   (void)unused;
   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      struct machine machine = { .takes_ns = takes_ns, .now_ns = 1000 };
      const struct pitot_clock_source source = source_of(&machine);
      struct pitot_correlation best;

      assert_true(pitot_correlate(&source, cases[i].enough_ns, &best));
      assert_int_equal(machine.reads, cases[i].reads);
      assert_int_equal(best.after_ns - best.before_ns, cases[i].best_ns);
      assert_int_equal(best.gpu_ns, cases[i].best_at_ns);
      assert_int_equal(best.after_ns, cases[i].best_at_ns);
   }
}

/* A clock that cannot be read is asked once, and changes nothing. */
static void
broken_clock_is_not_read(void **unused)
{
   static const uint64_t takes_ns[] = { 100, 0 };
   struct machine machine = { takes_ns, 1000, 0, true };
   const struct pitot_clock_source source = source_of(&machine);
   struct pitot_calibration c;

   (void)unused;
   pitot_calibration_init(&c, 1);
   assert_int_equal(pitot_calibration_read(&c, &source),
                    PITOT_CALIBRATION_UNREAD);
   assert_int_equal(machine.reads, 1);
   assert_int_equal(c.reading_count, 0);
   machine.is_broken = false;
   assert_int_equal(pitot_calibration_read(&c, &source),
                    PITOT_CALIBRATION_BEGUN);
}

/* The first reading is made with care; later ones are good enough if they
 * take half as long again as usual, or a tick.  The usual time follows.
 */
static void
usual_readings_are_enough(void **unused)
{
   static const struct {
      uint64_t tick_ns;
      uint64_t takes_ns[3];
      unsigned reads;
      uint64_t usual_ns;
   } cases[] = {
      { 1, { 150, 0 }, 1, 103 },     { 1, { 151, 150, 0 }, 2, 103 },
      { 1, { 90, 0 }, 1, 90 },       { 1, { 200, 0 }, 16, 106 },
      { 1000, { 1000, 0 }, 1, 156 },
   };
   static const uint64_t first_ns[] = { 500, 300, 100, 0 };

   (void)unused;
   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      struct machine machine = { .takes_ns = first_ns, .now_ns = 1000 };
      const struct pitot_clock_source source = source_of(&machine);
      struct pitot_calibration c;

      pitot_calibration_init(&c, 1);
      pitot_calibration_read(&c, &source);
      assert_int_equal(machine.reads, 16);
      c.tick_ns = cases[i].tick_ns;
      machine.reads = 0;
      machine.takes_ns = cases[i].takes_ns;
      pitot_calibration_read(&c, &source);
      assert_int_equal(machine.reads, cases[i].reads);
      assert_int_equal(c.usual_ns, cases[i].usual_ns);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_known_at_first),
      cmocka_unit_test(one_reading_is_a_fit),
      cmocka_unit_test(drift_is_found),
      cmocka_unit_test(error_is_that_of_the_readings),
      cmocka_unit_test(error_of_drift_is_exact),
      cmocka_unit_test(reading_pulls_the_conversion),
      cmocka_unit_test(conversion_follows_the_drift),
      cmocka_unit_test(error_is_small_near_a_reading),
      cmocka_unit_test(error_has_room_for_a_hidden_step),
      cmocka_unit_test(drift_begins_anew),
      cmocka_unit_test(drift_begins_anew_again),
      cmocka_unit_test(fit_begins_without_drift),
      cmocka_unit_test(hidden_step_is_no_drift),
      cmocka_unit_test(step_begins_a_fit),
      cmocka_unit_test(clock_never_goes_back),
      cmocka_unit_test(bad_reading_is_left_out),
      cmocka_unit_test(restart_begins_a_fit),
      cmocka_unit_test(limits_choose_the_fit),
      cmocka_unit_test(two_steps_are_too_many),
      cmocka_unit_test(old_times_are_known_less_well),
      cmocka_unit_test(readings_are_thinned),
      cmocka_unit_test(old_fits_are_known_less_well),
      cmocka_unit_test(final_times_stay),
      cmocka_unit_test(nonsense_is_survived),
      cmocka_unit_test(best_reading_counts),
      cmocka_unit_test(broken_clock_is_not_read),
      cmocka_unit_test(usual_readings_are_enough),
   };

   return cmocka_run_group_tests_name("calibration", tests, NULL, NULL);
}
