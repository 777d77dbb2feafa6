/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>

#include "calibrated.h"

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

/* A clock with one rate before a turn, and another rate after it. */
static uint64_t
turning_clock(uint64_t cpu_ns, uint64_t turn_ns, int64_t ppb)
{
   const int64_t ns = (int64_t)(cpu_ns - turn_ns);

   return cpu_ns - (uint64_t)(llabs(ns) * ppb / (int64_t)NS_PER_S);
}

/* The rate changes from one end of its range to the other: times after the
 * last reading are off by what the drift does not tell yet.
 */
static void
rate_that_changes_is_within_the_error(void **unused)
{
   const uint64_t begin_ns = 5 * NS_PER_S, turn_ns = begin_ns + NS_PER_S;

   (void)unused;
   for (int64_t ppb = -PITOT_MAX_WANDER_PPB / 2 + 1000; ppb <= 50000;
        ppb += PITOT_MAX_WANDER_PPB - 2000) {
      struct pitot_calibration c;

      pitot_calibration_init(&c, 1);
      for (uint64_t i = 0; i < 100; i++) {
         const uint64_t now_ns = begin_ns + i * 20 * NS_PER_MS;

         assert_int_not_equal(add(&c, now_ns,
                                  turning_clock(now_ns + 50, turn_ns, ppb),
                                  now_ns + 100),
                              PITOT_CALIBRATION_STEPPED);
         for (uint64_t ns = now_ns + 200; ns < now_ns + 20 * NS_PER_MS;
              ns += 198 * NS_PER_US) {
            const struct pitot_cpu_time time =
               to_cpu(&c, turning_clock(ns, turn_ns, ppb));

            assert_true(apart_ns(time.ns, ns) <= time.error_ns);
         }
      }
   }
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

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_known_at_first),
      cmocka_unit_test(one_reading_is_a_fit),
      cmocka_unit_test(drift_is_found),
      cmocka_unit_test(error_is_that_of_the_readings),
      cmocka_unit_test(rate_that_changes_is_within_the_error),
      cmocka_unit_test(error_of_drift_is_exact),
      cmocka_unit_test(reading_pulls_the_conversion),
      cmocka_unit_test(conversion_follows_the_drift),
      cmocka_unit_test(error_is_small_near_a_reading),
      cmocka_unit_test(error_has_room_for_a_hidden_step),
      cmocka_unit_test(drift_begins_anew),
      cmocka_unit_test(drift_begins_anew_again),
      cmocka_unit_test(fit_begins_without_drift),
   };

   return cmocka_run_group_tests_name("calibration", tests, NULL, NULL);
}
