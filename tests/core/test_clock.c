/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "core_priv.h"
#include "listed.h"

#define NS_PER_S PITOT_NS_PER_S

/* Crystals of real GPUs (Intel, AMD, Adreno), the extremes, and 1 GHz. */
static const uint64_t frequencies_hz[] = {
   1,        12000000, 12500000, 19200000,  24000000,   25000000,
   27000000, 38400000, 48000000, 100000000, 1000000000, 4294967295,
};

/* The definition, in arithmetic that cannot overflow. */
static uint64_t
reference_ns(uint64_t ticks, uint64_t frequency_hz)
{
   const unsigned __int128 ns =
      (unsigned __int128)ticks * NS_PER_S / frequency_hz;
   return ns > UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
}

/* A full-period generator: each run gets the same numbers. */
static uint64_t
next_random(uint64_t *state)
{
   *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
   return *state ^ *state >> 29;
}

TEST(ticks_to_ns_is_exact)
{
   for (unsigned f = 0; f < ARRAY_LENGTH(frequencies_hz); f++) {
      const uint64_t hz = frequencies_hz[f];
      uint64_t state = f;

      for (unsigned i = 0; i < 100000; i++) {
         const uint64_t ticks = next_random(&state) >> i % 64;
         assert_int_equal(pitot_ticks_to_ns(ticks, hz),
                          reference_ns(ticks, hz));
      }
      assert_int_equal(pitot_ticks_to_ns(0, hz), 0);
      assert_int_equal(pitot_ticks_to_ns(UINT64_MAX - 1, hz),
                       reference_ns(UINT64_MAX - 1, hz));
      assert_int_equal(pitot_ticks_to_ns(UINT64_MAX, hz),
                       reference_ns(UINT64_MAX, hz));
   }
}

/* At each 2^32 ticks, at 51.2 hours of 100 MHz, and around powers of two,
 * where a truncated multiplier would go back.
 */
TEST(ticks_to_ns_never_goes_back)
{
   for (unsigned f = 0; f < ARRAY_LENGTH(frequencies_hz); f++) {
      for (unsigned bit = 2; bit < 64; bit++) {
         const uint64_t edge = UINT64_C(1) << bit;
         uint64_t last_ns = pitot_ticks_to_ns(edge - 3, frequencies_hz[f]);

         for (uint64_t ticks = edge - 2; ticks <= edge + 2; ticks++) {
            const uint64_t ns = pitot_ticks_to_ns(ticks, frequencies_hz[f]);
            assert_true(ns >= last_ns);
            last_ns = ns;
         }
      }
   }
}

/* A difference is right across one wrap at the counter's width. */
TEST(elapsed_survives_a_wrap)
{
   for (unsigned width = 1; width <= 64; width++) {
      const uint64_t max = UINT64_MAX >> (64 - width);

      assert_int_equal(pitot_ticks_elapsed(max, 0, width), 1 & max);
      assert_int_equal(pitot_ticks_elapsed(0, max, width), max);
      assert_int_equal(pitot_ticks_elapsed(max, max, width), 0);
   }
}

/* A negative difference is 0 and disjoint, not 2^64 minus a little. */
TEST(elapsed_ns_is_never_negative)
{
   bool disjoint = false;

   assert_int_equal(pitot_ns_elapsed(5, 9, &disjoint), 4);
   assert_false(disjoint);
   assert_int_equal(pitot_ns_elapsed(9, 5, &disjoint), 0);
   assert_true(disjoint);
}

static uint64_t
recorded(struct pitot_monotonic_times *times, uint64_t time_ns,
         bool *disjoint)
{
   return pitot_make_monotonic_ns(times, PITOT_TIME_RECORDED, time_ns,
                                  disjoint);
}

/* A time that goes back is held and disjoint; later times get an offset. */
TEST(clock_holds_a_step_back)
{
   struct pitot_monotonic_times times = { 0 };
   bool disjoint = false;

   assert_int_equal(recorded(&times, 100, &disjoint), 100);
   assert_int_equal(recorded(&times, 100, &disjoint), 100);
   assert_false(disjoint);
   assert_int_equal(recorded(&times, 40, &disjoint), 100);
   assert_true(disjoint);
   disjoint = false;
   assert_int_equal(recorded(&times, 50, &disjoint), 110);
   assert_false(disjoint);
}

/* Recorded times and "now" share one offset. */
TEST(clock_is_one)
{
   struct pitot_monotonic_times times = { 0 };
   bool disjoint = false;

   assert_int_equal(pitot_make_monotonic_ns(&times, PITOT_TIME_NOW, 1000,
                                            &disjoint),
                    1000);
   assert_int_equal(recorded(&times, 5000, &disjoint), 5000);
   assert_int_equal(recorded(&times, 3000, &disjoint), 5000);
   assert_true(disjoint);
   assert_int_equal(recorded(&times, 4000, &disjoint), 6000);
   assert_int_equal(pitot_make_monotonic_ns(&times, PITOT_TIME_NOW, 4000,
                                            &disjoint),
                    6000);
}

/* After a time at the end of 64 bits, times continue from the held one. */
TEST(clock_does_not_stay_at_its_end)
{
   static const uint64_t ends_ns[] = { UINT64_MAX, UINT64_MAX - 50 };

   for (unsigned i = 0; i < ARRAY_LENGTH(ends_ns); i++) {
      struct pitot_monotonic_times times = { 0 };
      bool disjoint = false;

      assert_int_equal(recorded(&times, 100, &disjoint), 100);
      assert_int_equal(recorded(&times, ends_ns[i], &disjoint), 100);
      assert_true(disjoint);
      const uint64_t next_ns = recorded(&times, 200, &disjoint);
      disjoint = false;
      assert_int_equal(recorded(&times, 300, &disjoint), next_ns + 100);
      assert_false(disjoint);
   }
}

/* 64 bits and no clock never wrap. */
TEST(narrow_clocks_wrap)
{
   assert_int_equal(pitot_wrap_period_ns(0), 0);
   assert_int_equal(pitot_wrap_period_ns(1), 2);
   assert_int_equal(pitot_wrap_period_ns(36), UINT64_C(68719476736));
   assert_int_equal(pitot_wrap_period_ns(63), UINT64_C(1) << 63);
   assert_int_equal(pitot_wrap_period_ns(64), 0);
}
