/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

static const struct {
   const char *list;
   const char *why;
} wrong_counters[] = {
   { "nonsense", "no counter or set \"nonsense\"" },
   { "Samples Passed,x", "no counter or set \"x\"" },
   { "Same, Alone",
     "the counters of \"Same\" and \"Alone\" cannot be measured "
     "at the same time" },
};

/* The error comes once, with the first context, and profiling is off. */
TEST(wrong_counters_are_one_line)
{
   for (unsigned i = 0; i < ARRAY_LENGTH(wrong_counters); i++) {
      const struct world_settings settings = {
         .counters = wrong_counters[i].list,
      };
      struct world world;
      char expected[4096];

      world_listen();
      const int first = world_try(&world, &settings);
      snprintf(expected, sizeof(expected),
               "pitot: PITOT_PROFILE_COUNTERS=%s: %s; profiling is off\n",
               wrong_counters[i].list, wrong_counters[i].why);
      assert_string_equal(world_said(), expected);
      world_listen();
      const int second =
         pitot_profiled_create(world.profile, &world.info, &world.profiled);
      assert_string_equal(world_said(), "");
      assert_int_equal(first, -EINVAL);
      assert_int_equal(second, -EINVAL);
      world.profiled = NULL;
      world_end(&world);
   }
}

static const struct {
   const char *list;
   bool has_samples;
   unsigned set_count, count;
} choices[] = {
   { NULL, true, 1, PITOT_PERF_STATISTIC_COUNT },
   { "none", false, 0, 0 },
   { "", false, 0, 0 },
   { " , samples PASSED ,", true, 0, 0 },
   { "\tsamples passed \t", true, 0, 0 },
   { "pipeline statistics", false, 1, PITOT_PERF_STATISTIC_COUNT },
   { "Pipeline Statistics,Alone", false, 2, 2 * PITOT_PERF_STATISTIC_COUNT },
   { "Fragment Shader Invocations", false, 1, 1 },
   { "GPU Time Elapsed,GPU Time", false, 1, 2 }, /* no timestamps */
   { "GPU Time,GPU Time Begin", false, 1, 3 },
};

TEST(counters_are_chosen_by_name)
{
   for (unsigned i = 0; i < ARRAY_LENGTH(choices); i++) {
      const struct world_settings settings = { .counters = choices[i].list };
      struct world world;

      world_begin(&world, &settings);
      const struct pitot_profile_counters *counters =
         &world.profiled->counters;
      assert_int_equal(counters->has_samples, choices[i].has_samples);
      assert_int_equal(counters->set_count, choices[i].set_count);
      assert_int_equal(counters->count, choices[i].count);
      world_end(&world);
   }
}

/* If the driver measures a group in parts, its name matches no set. */
TEST(groups_in_parts_are_explained)
{
   const struct world_settings settings = { .counters = "none" };
   struct pitot_profile_counters counters;
   struct world world;

   world_begin(&world, &settings);
   (void)pitot_perf_set_count(world.perf);
   world.sets.base.sets[0].group = "Other";
   world.sets.base.sets[1].group = "Split";
   world.sets.base.sets[1].group_set_count = 2;
   assert_int_equal(pitot_profile_counters_choose(&counters, world.context,
                                                  world.perf, "split"),
                    -EINVAL);
   assert_string_equal(counters.why,
                       "\"split\" is measured in 2 parts: name one, as "
                       "\"Same\"");
   world_end(&world);
}

static unsigned
count_no_samples(struct pitot_driver *driver, enum pitot_kind kind)
{
   (void)driver;
   return kind == PITOT_KIND_SAMPLES_PASSED ? 0 : 64;
}

/* A driver that counts no samples still has statistics. */
TEST(statistics_need_no_samples)
{
   const struct world_settings settings = { .counters = "none" };
   struct pitot_profile_counters counters;
   struct world world;

   world_begin(&world, &settings);
   world.ops.counter_bits = count_no_samples;
   assert_int_equal(pitot_profile_counters_choose(&counters, world.context,
                                                  world.perf, NULL),
                    0);
   assert_false(counters.has_samples);
   assert_int_equal(counters.count, PITOT_PERF_STATISTIC_COUNT);
   free(counters.list);
   world_end(&world);
}

/* Without counters, a driver has times. */
TEST(counters_that_the_driver_lacks_are_left_out)
{
   struct pitot_profile_counters counters;
   struct pitot_null null;
   struct pitot_context *context;

   pitot_null_init(&null);
   const struct pitot_context_info info = { .driver = &null.base };
   assert_int_equal(pitot_context_create(&info, &context), 0);
   assert_int_equal(pitot_profile_counters_choose(&counters, context, NULL,
                                                  NULL),
                    0);
   assert_true(counters.has_samples);
   assert_int_equal(counters.count, 0);
   free(counters.list);
   pitot_context_destroy(context);
}

/* Statistics that take a query each are skipped unless requested. */
TEST(costly_statistics_are_not_counted_unasked)
{
   static const struct {
      struct world_settings settings;
      bool has_statistics;
   } cases[] = {
      { { .level = "draw" }, true },
      { { .level = "draw", .counts_one_by_one = true }, false },
      { { .level = "pass", .counts_one_by_one = true }, false },
      { { .level = "draw",
          .counts_one_by_one = true,
          .counters = "samples passed, Pipeline Statistics" },
        true },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      struct world world;

      world_begin(&world, &cases[i].settings);
      assert_true(world.profiled->counters.has_samples);
      assert_int_equal(world.profiled->counters.count > 0,
                       cases[i].has_statistics);
      world_end(&world);
   }
}

TEST(values_have_the_type_of_their_counter)
{
   static const struct {
      enum pitot_perf_data_type type;
      uint32_t size_B, offset_B;
      double expected;
   } types[] = {
      { PITOT_PERF_DATA_BOOL32, 4, 0, 1 },
      { PITOT_PERF_DATA_UINT32, 4, 4, 7 },
      { PITOT_PERF_DATA_UINT64, 8, 8, 1ull << 40 },
      { PITOT_PERF_DATA_FLOAT, 4, 16, 0.5 },
      { PITOT_PERF_DATA_DOUBLE, 8, 24, 0.1 },
   };
   struct {
      uint32_t boolean, u32;
      uint64_t u64;
      float f;
      double d;
   } record = { 1, 7, 1ull << 40, 0.5f, 0.1 };

   for (unsigned i = 0; i < ARRAY_LENGTH(types); i++) {
      const struct pitot_perf_counter counter = {
         .data_type = types[i].type,
         .size_B = types[i].size_B,
         .offset_B = types[i].offset_B,
      };

      assert_true(pitot_profile_counter_value(&counter, &record) ==
                  types[i].expected);
   }
}
