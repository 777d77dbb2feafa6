/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The settings: the environment, the files' names, and the counters.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "world.h"

static const struct world_settings none = { 0 };

static void
assert_one_line(const char *text, const char *begin)
{
   if (strncmp(text, begin, strlen(begin)) != 0 ||
       strchr(text, '\n') != text + strlen(text) - 1)
      fail_msg("not one line that begins with %s: %s", begin, text);
}

static void
unset_is_no_profile(void **state)
{
   struct capture capture = capture_begin();
   char text[4096];

   (void)state;
   world_set(NULL, &(struct world_settings){ .level = "nonsense" });
   assert_null(pitot_profile_get());
   capture_end(&capture, text, sizeof(text));
   assert_string_equal(text, "");
}

static const struct {
   const char *path;
   struct world_settings settings;
   const char *begin; /* of the line */
} wrong[] = {
   { "", { 0 }, "pitot: PITOT_PROFILE= does not end" },
   { "x", { 0 }, "pitot: PITOT_PROFILE=x does not end" },
   { "x.json.gz", { 0 }, "pitot: PITOT_PROFILE=x.json.gz does not end" },
   { ".json", { 0 }, "pitot: PITOT_PROFILE=.json does not end" },
   { "x.d/json", { 0 }, "pitot: PITOT_PROFILE=x.d/json does not end" },
   { "/x.json", { .level = "" }, "pitot: PITOT_PROFILE_LEVEL= is" },
   { "/x.json", { .level = "call" }, "pitot: PITOT_PROFILE_LEVEL=call is" },
   { "/x.json", { .level = "Draw" }, "pitot: PITOT_PROFILE_LEVEL=Draw is" },
   { "/x.json", { .frames = "" }, "pitot: PITOT_PROFILE_FRAMES= is" },
   { "/x.json", { .frames = "x" }, "pitot: PITOT_PROFILE_FRAMES=x is" },
   { "/x.json", { .frames = "-3" }, "pitot: PITOT_PROFILE_FRAMES=-3 is" },
   { "/x.json", { .frames = "3-2" }, "pitot: PITOT_PROFILE_FRAMES=3-2 is" },
   { "/x.json", { .frames = "0-2" }, "pitot: PITOT_PROFILE_FRAMES=0-2 is" },
   { "/x.json", { .frames = "1-2-" }, "pitot: PITOT_PROFILE_FRAMES=1-2- is" },
   { "/x.json", { .frames = "1-x" }, "pitot: PITOT_PROFILE_FRAMES=1-x is" },
   { "/x.json", { .frames = "1 " }, "pitot: PITOT_PROFILE_FRAMES=1  is" },
   { "/x.json",
     { .frames = "99999999999999999999" },
     "pitot: PITOT_PROFILE_FRAMES=99999999999999999999 is" },
   { "/x.json",
     { .frames = "1-99999999999999999999" },
     "pitot: PITOT_PROFILE_FRAMES=1-99999999999999999999 is" },
};

static void
wrong_ones_are_one_line(void **state)
{
   (void)state;
   for (unsigned i = 0; i < ARRAY_LENGTH(wrong); i++) {
      struct capture capture = capture_begin();
      char text[4096];

      world_set(wrong[i].path, &wrong[i].settings);
      struct pitot_profile *first = pitot_profile_get();
      struct pitot_profile *second = pitot_profile_get();
      capture_end(&capture, text, sizeof(text));
      world_end_process();
      assert_null(first);
      assert_null(second);
      assert_one_line(text, wrong[i].begin);
   }
}

static void
a_file_that_cannot_be_written_is_one_line(void **state)
{
   struct capture capture = capture_begin();
   char text[4096];

   (void)state;
   world_set("/x.json", &none);
   fake_trace_error = -EACCES;
   assert_null(pitot_profile_get());
   assert_null(pitot_profile_get());
   capture_end(&capture, text, sizeof(text));
   world_end_process();
   assert_one_line(text, "pitot: PITOT_PROFILE=/x.json: Permission denied");
}

/* The trace can be written beside it, but the output not. */
static void
an_output_that_cannot_be_written_is_one_line(void **state)
{
   struct capture capture = capture_begin();
   char text[4096];

   (void)state;
   world_set("/nowhere/x.txt", &none);
   assert_null(pitot_profile_get());
   capture_end(&capture, text, sizeof(text));
   assert_false(fake_trace_is_open);
   world_end_process();
   assert_one_line(text, "pitot: PITOT_PROFILE=/nowhere/x.txt: No such file");
}

static const struct {
   const char *text;
   uint64_t first, last;
} frames[] = {
   { NULL, 1, UINT64_MAX }, { "0", 0, 0 },           { "7", 7, 7 },
   { "2-9", 2, 9 },         { "5-", 5, UINT64_MAX }, { "4-4", 4, 4 },
};

static void
frames_are_a_range(void **state)
{
   (void)state;
   for (unsigned i = 0; i < ARRAY_LENGTH(frames); i++) {
      struct pitot_profile_settings settings;

      world_set("/x.json",
                &(struct world_settings){ .frames = frames[i].text });
      assert_int_equal(pitot_profile_settings_read(&settings), 0);
      assert_int_equal(settings.first_frame, frames[i].first);
      assert_int_equal(settings.last_frame, frames[i].last);
      assert_int_equal(settings.level, PITOT_PROFILE_LEVEL_PASS);
      assert_string_equal(settings.path, "/x.json");
      pitot_profile_settings_finish(&settings);
   }
}

static void
without_a_path_there_is_no_profile(void **state)
{
   struct pitot_profile_settings settings;

   (void)state;
   world_set(NULL, &none);
   assert_int_equal(pitot_profile_settings_read(&settings), -ENOENT);
   assert_null(pitot_profile_get());
}

/* The program may change its directory. */
static void
a_relative_path_becomes_absolute(void **state)
{
   struct pitot_profile_settings settings;
   char directory[4096], expected[8192];

   (void)state;
   world_set("a.b/x.svg", &none);
   assert_int_equal(pitot_profile_settings_read(&settings), 0);
   assert_non_null(getcwd(directory, sizeof(directory)));
   snprintf(expected, sizeof(expected), "%s/a.b/x.svg", directory);
   assert_string_equal(settings.path, expected);
   pitot_profile_settings_finish(&settings);
}

static void
a_file_in_use_gets_the_process_in_its_name(void **state)
{
   char expected[64];

   (void)state;
   world_set("/x.y.json", &none);
   fake_trace_error = -EBUSY;
   assert_non_null(pitot_profile_get());
   snprintf(expected, sizeof(expected), "/x.y-%d.json", getpid());
   assert_string_equal(fake_trace_path, expected);
   world_end_process();
   assert_false(fake_trace_is_open);
}

/* Programs that run one after another keep their profiles. */
static void
a_name_may_have_the_process(void **state)
{
   static const struct {
      const char *path, *before, *after;
   } cases[] = {
      { "/x-%p.json", "/x-", ".json" },
      { "/%p/%p%d.txt", "/", "/%p%d.txt" },
   };

   (void)state;
   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      struct pitot_profile_settings settings;
      char expected[64];

      world_set(cases[i].path, &none);
      assert_int_equal(pitot_profile_settings_read(&settings), 0);
      snprintf(expected, sizeof(expected), "%s%d%s", cases[i].before,
               getpid(), cases[i].after);
      assert_string_equal(settings.path, expected);
      pitot_profile_settings_finish(&settings);
   }
}

/*
 * Counters
 */

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

/* The first context decides, and there is no profile. */
static void
wrong_counters_are_one_line(void **state)
{
   (void)state;
   for (unsigned i = 0; i < ARRAY_LENGTH(wrong_counters); i++) {
      const struct world_settings settings = {
         .counters = wrong_counters[i].list,
      };
      struct world world;
      struct capture capture = capture_begin();
      char text[4096], expected[4096], more[64];

      const int first = world_try(&world, &settings);
      capture_end(&capture, text, sizeof(text));
      capture = capture_begin();
      const int second =
         pitot_profiled_create(world.profile, &world.info, &world.profiled);
      capture_end(&capture, more, sizeof(more));
      assert_int_equal(first, -EINVAL);
      assert_int_equal(second, -EINVAL);
      world.profiled = NULL;
      world_end(&world);
      snprintf(expected, sizeof(expected),
               "pitot: PITOT_PROFILE_COUNTERS=%s: %s: no profile\n",
               wrong_counters[i].list, wrong_counters[i].why);
      assert_string_equal(text, expected);
      assert_string_equal(more, "");
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

static void
counters_are_chosen_by_name(void **state)
{
   (void)state;
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

/* A group that the driver measures in parts is none of its sets. */
static void
groups_in_parts_are_explained(void **state)
{
   const struct world_settings settings = { .counters = "none" };
   struct pitot_profile_counters counters;
   struct world world;
   char why[160];

   (void)state;
   world_begin(&world, &settings);
   (void)pitot_perf_set_count(world.perf);
   world.sets.base.sets[0].group = "Other";
   world.sets.base.sets[1].group = "Split";
   world.sets.base.sets[1].group_set_count = 2;
   assert_int_equal(pitot_profile_counters_choose(&counters, world.context,
                                                  world.perf, "split", why,
                                                  sizeof(why)),
                    -EINVAL);
   assert_string_equal(why, "\"split\" is measured in 2 parts: name one, as "
                            "\"Same\"");
   world_end(&world);
}

/* A driver without counters has times. */
static void
counters_that_the_driver_lacks_are_left_out(void **state)
{
   struct pitot_profile_counters counters;
   struct pitot_null null;
   struct pitot_context *context;
   char why[64];

   (void)state;
   pitot_null_init(&null);
   const struct pitot_context_info info = { .driver = &null.base };
   assert_int_equal(pitot_context_create(&info, &context), 0);
   assert_int_equal(pitot_profile_counters_choose(&counters, context, NULL,
                                                  NULL, why, sizeof(why)),
                    0);
   assert_true(counters.has_samples);
   assert_int_equal(counters.count, 0);
   pitot_profile_counters_finish(&counters);
   pitot_context_destroy(context);
}

/* Statistics are left out where each takes a query, unless they are asked
 * for.
 */
static void
costly_statistics_are_not_counted_unasked(void **state)
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

   (void)state;
   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      struct world world;

      world_begin(&world, &cases[i].settings);
      assert_true(world.profiled->counters.has_samples);
      assert_int_equal(world.profiled->counters.count > 0,
                       cases[i].has_statistics);
      world_end(&world);
   }
}

static void
values_have_the_type_of_their_counter(void **state)
{
   static const struct {
      enum pitot_perf_data_type type;
      bool is_double;
      double expected;
   } types[] = {
      { PITOT_PERF_DATA_BOOL32, false, 1 },
      { PITOT_PERF_DATA_UINT32, false, 7 },
      { PITOT_PERF_DATA_UINT64, false, 1ull << 40 },
      { PITOT_PERF_DATA_FLOAT, true, 0.5 },
      { PITOT_PERF_DATA_DOUBLE, true, 0.1 },
   };
   struct {
      uint32_t boolean, u32;
      uint64_t u64;
      float f;
      double d;
   } record = { 1, 7, 1ull << 40, 0.5f, 0.1 };
   const size_t offsets_B[] = { 0, 4, 8, 16, 24 };

   (void)state;
   for (unsigned i = 0; i < ARRAY_LENGTH(types); i++) {
      const struct pitot_perf_counter counter = {
         .name = "c",
         .data_type = types[i].type,
         .offset_B = (uint32_t)offsets_B[i],
      };
      const struct pitot_trace_value value =
         pitot_profile_counter_value(&counter, &record);

      assert_string_equal(value.name, "c");
      assert_int_equal(value.type == PITOT_TRACE_DOUBLE, types[i].is_double);
      assert_true((types[i].is_double ? value.number : (double)value.u64) ==
                  types[i].expected);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(unset_is_no_profile),
      cmocka_unit_test(wrong_ones_are_one_line),
      cmocka_unit_test(a_file_that_cannot_be_written_is_one_line),
      cmocka_unit_test(an_output_that_cannot_be_written_is_one_line),
      cmocka_unit_test(frames_are_a_range),
      cmocka_unit_test(without_a_path_there_is_no_profile),
      cmocka_unit_test(a_relative_path_becomes_absolute),
      cmocka_unit_test(a_file_in_use_gets_the_process_in_its_name),
      cmocka_unit_test(a_name_may_have_the_process),
      cmocka_unit_test(wrong_counters_are_one_line),
      cmocka_unit_test(counters_are_chosen_by_name),
      cmocka_unit_test(groups_in_parts_are_explained),
      cmocka_unit_test(counters_that_the_driver_lacks_are_left_out),
      cmocka_unit_test(costly_statistics_are_not_counted_unasked),
      cmocka_unit_test(values_have_the_type_of_their_counter),
   };

   return cmocka_run_group_tests_name("profile: settings", tests, NULL, NULL);
}
