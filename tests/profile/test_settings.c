/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "world.h"

static const struct world_settings none = { 0 };

static void
assert_one_line(const char *text, const char *begin)
{
   if (strncmp(text, begin, strlen(begin)) != 0 ||
       strchr(text, '\n') != text + strlen(text) - 1)
      fail_msg("not one line that begins with %s: %s", begin, text);
}

TEST(unset_is_no_profile)
{
   world_listen();
   world_set(NULL, &(struct world_settings){ .level = "nonsense" });
   assert_null(pitot_profile_get());
   const char *text = world_said();
   assert_string_equal(text, "");
}

static const struct {
   const char *variable, *value, *why;
} wrong[] = {
   { "PITOT_PROFILE", "", " does not end" },
   { "PITOT_PROFILE", "x", " does not end" },
   { "PITOT_PROFILE", "x.json.gz", " does not end" },
   { "PITOT_PROFILE", ".json", " does not end" },
   { "PITOT_PROFILE", "x.d/json", " does not end" },
   { "PITOT_PROFILE_LEVEL", "", " is" },
   { "PITOT_PROFILE_LEVEL", "call", " is" },
   { "PITOT_PROFILE_LEVEL", "Draw", " is" },
   { "PITOT_PROFILE_FRAMES", "", " is" },
   { "PITOT_PROFILE_FRAMES", "x", " is" },
   { "PITOT_PROFILE_FRAMES", "-3", " is" },
   { "PITOT_PROFILE_FRAMES", "3-2", " is" },
   { "PITOT_PROFILE_FRAMES", "0-2", " is" },
   { "PITOT_PROFILE_FRAMES", "1-2-", " is" },
   { "PITOT_PROFILE_FRAMES", "1-x", " is" },
   { "PITOT_PROFILE_FRAMES", "1 ", " is" },
   { "PITOT_PROFILE_FRAMES", "99999999999999999999", " is" },
   { "PITOT_PROFILE_FRAMES", "1-99999999999999999999", " is" },
   { "PITOT_PROFILE_LIMIT", "", " is not" },
   { "PITOT_PROFILE_LIMIT", "0", " is not" },
   { "PITOT_PROFILE_LIMIT", "-1", " is not" },
   { "PITOT_PROFILE_LIMIT", "1M", " is not" },
   { "PITOT_PROFILE_LIMIT", "17592186044416", " is not" },
};

TEST(wrong_ones_are_one_line)
{
   for (unsigned i = 0; i < ARRAY_LENGTH(wrong); i++) {
      struct pitot_profile_settings settings;
      char begin[128];

      snprintf(begin, sizeof(begin), "pitot: %s=%s%s", wrong[i].variable,
               wrong[i].value, wrong[i].why);
      world_set("/x.json", &none);
      setenv(wrong[i].variable, wrong[i].value, 1);
      world_listen();
      const int error = pitot_profile_settings_read(&settings);
      assert_one_line(world_said(), begin);
      world_listen();
      struct pitot_profile *first = pitot_profile_get();
      struct pitot_profile *second = pitot_profile_get();
      assert_one_line(world_said(), begin);
      world_end_process();
      unsetenv("PITOT_PROFILE_LIMIT");
      assert_int_equal(error, -EINVAL);
      assert_null(first);
      assert_null(second);
   }
}

/* Each context tries to create the file. */
TEST(a_file_that_cannot_be_written_is_one_line)
{
   world_listen();
   world_set("/x.json", &none);
   for (unsigned i = 0; i < 2; i++) {
      struct world world;

      fake_trace_error = -EACCES;
      assert_int_equal(world_try_set(&world), -EACCES);
      world.profiled = NULL;
      world_end_context(&world);
   }
   const char *text = world_said();
   assert_false(fake_trace_is_open);
   world_end_process();
   assert_one_line(text, "pitot: PITOT_PROFILE=/x.json: Permission denied");
}

TEST(a_limit_is_in_mebibytes)
{
   static const struct {
      const char *text;
      uint64_t limit_B;
   } cases[] = {
      { NULL, UINT64_C(1) << 30 },
      { "1", 1 << 20 },
      { "17592186044415", UINT64_C(17592186044415) << 20 },
   };
   struct pitot_profile_settings settings;

   world_set("/x.json", &none);
   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      if (cases[i].text)
         setenv("PITOT_PROFILE_LIMIT", cases[i].text, 1);
      assert_int_equal(pitot_profile_settings_read(&settings), 0);
      assert_int_equal(settings.limit_B, cases[i].limit_B);
      pitot_profile_settings_finish(&settings);
   }
   unsetenv("PITOT_PROFILE_LIMIT");
}

static const struct {
   const char *text;
   uint64_t first, last;
} frames[] = {
   { NULL, 1, UINT64_MAX }, { "0", 0, 0 },           { "7", 7, 7 },
   { "2-9", 2, 9 },         { "5-", 5, UINT64_MAX }, { "4-4", 4, 4 },
};

TEST(frames_are_a_range)
{
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

TEST(without_a_path_there_is_no_profile)
{
   struct pitot_profile_settings settings;

   world_set(NULL, &none);
   assert_int_equal(pitot_profile_settings_read(&settings), -ENOENT);
   assert_null(pitot_profile_get());
}

/* The program may change its directory later. */
TEST(a_relative_path_becomes_absolute)
{
   struct pitot_profile_settings settings;
   char directory[4096], expected[8192];

   world_set("a.b/x.svg", &none);
   assert_int_equal(pitot_profile_settings_read(&settings), 0);
   assert_non_null(getcwd(directory, sizeof(directory)));
   snprintf(expected, sizeof(expected), "%s/a.b/x.svg", directory);
   assert_string_equal(settings.path, expected);
   pitot_profile_settings_finish(&settings);
}

TEST(a_file_in_use_gets_the_process_in_its_name)
{
   struct world world;
   char expected[64];

   world_listen();
   world_set("/x.y.json", &none);
   fake_trace_error = -EBUSY;
   const int error = world_try_set(&world);
   const char *text = world_said();
   assert_int_equal(error, 0);
   assert_one_line(text,
                   "pitot: /x.y.json: is in use, this process records ");
   snprintf(expected, sizeof(expected), "/x.y-%d.json", getpid());
   assert_string_equal(fake_trace_path, expected);
   world_end(&world);
}

/* For programs that run in sequence.  Relative names become absolute. */
TEST(a_name_may_have_the_process)
{
   static const struct {
      const char *path, *before, *after;
   } cases[] = {
      { "/x-%p.json", "/x-", ".json" },
      { "/%p/%p%p%d.txt", "/%p/", "%p%d.txt" },
      { "x-%p.json", "x-", ".json" },
   };
   char directory[4096];

   assert_non_null(getcwd(directory, sizeof(directory)));
   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      struct pitot_profile_settings settings;
      const bool is_absolute = cases[i].path[0] == '/';
      char expected[8192];

      world_set(cases[i].path, &none);
      assert_int_equal(pitot_profile_settings_read(&settings), 0);
      snprintf(expected, sizeof(expected), "%s%s%s%d%s",
               is_absolute ? "" : directory, is_absolute ? "" : "/",
               cases[i].before, getpid(), cases[i].after);
      assert_string_equal(settings.path, expected);
      pitot_profile_settings_finish(&settings);
   }
}
