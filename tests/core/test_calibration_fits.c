/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "calibrated.h"

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

/* The CPU's clock has no times below 0. */
static void
time_before_the_clock_is_0(void **unused)
{
   struct pitot_calibration c;

   (void)unused;
   pitot_calibration_init(&c, 1);
   add(&c, 1000, 5000, 1100);
   assert_int_equal(to_cpu(&c, 5000 - 1050).ns, 0);
   assert_int_equal(to_cpu(&c, 5000 - 1070).ns, 0);
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

/* A drift that 32 readings did not tell is measured from the last of them on.
 */
static void
vain_drift_begins_anew(void **unused)
{
   struct pitot_calibration c;

   (void)unused;
   pitot_calibration_init(&c, 1);
   for (unsigned i = 0; i <= 64; i++) {
      const uint64_t passed_ns = i * NS_PER_MS;

      add(&c, NS_PER_S + passed_ns, 1000 + passed_ns,
          NS_PER_S + passed_ns + 200 * NS_PER_US);
      assert_int_equal(c.drift_begin.gpu_ns, 1000 + i / 32 * 32 * NS_PER_MS);
   }
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

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(hidden_step_is_no_drift),
      cmocka_unit_test(step_begins_a_fit),
      cmocka_unit_test(time_before_the_clock_is_0),
      cmocka_unit_test(clock_never_goes_back),
      cmocka_unit_test(bad_reading_is_left_out),
      cmocka_unit_test(restart_begins_a_fit),
      cmocka_unit_test(limits_choose_the_fit),
      cmocka_unit_test(two_steps_are_too_many),
      cmocka_unit_test(vain_drift_begins_anew),
      cmocka_unit_test(old_times_are_known_less_well),
      cmocka_unit_test(readings_are_thinned),
      cmocka_unit_test(old_fits_are_known_less_well),
      cmocka_unit_test(final_times_stay),
      cmocka_unit_test(nonsense_is_survived),
   };

   return cmocka_run_group_tests_name("calibration", tests, NULL, NULL);
}
