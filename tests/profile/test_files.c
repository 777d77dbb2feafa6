/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The outputs that programs leave.
 */

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "program.h"

/* The trace is converted, and removed. */
static void
an_output_is_made_of_the_trace(void **state)
{
   static const struct {
      const char *name, *content;
   } outputs[] = { { "h.txt", "frame" },
                   { "h.svg", "<svg" },
                   { "h.csv", "frame 5" } };
   char text[4096], trace[64];

   (void)state;
   for (unsigned i = 0; i < ARRAY_LENGTH(outputs); i++) {
      run(return_from_main, outputs[i].name, text, sizeof(text));
      assert_string_equal(text, "");
      assert_non_null(
         strstr(contents_of(outputs[i].name), outputs[i].content));
      snprintf(trace, sizeof(trace), "%s.json", outputs[i].name);
      assert_false(has_file(trace));
   }
}

static void
a_program_that_dies_leaves_its_trace(void **state)
{
   char text[4096];

   (void)state;
   run(die, "i.txt", text, sizeof(text));
   assert_false(has_file("i.txt"));
   assert_int_equal(count_of(contents_of("i.txt.json"), "\"cat\":\"frame\""),
                    5);
}

static void
an_output_that_fails_leaves_the_trace(void **state)
{
   char text[4096], expected[4096];
   const size_t size_B = sizeof(expected);

   (void)state;
   assert_int_equal(symlink("/dev/full", path_of("j.txt")), 0);
   run(return_from_main, "j.txt", text, sizeof(text));
   size_t used_B =
      (size_t)snprintf(expected, size_B,
                       "pitot: %s: No space left on device: the trace is ",
                       path_of("j.txt"));
   snprintf(expected + used_B, size_B - used_B, "kept in %s\n",
            path_of("j.txt.json"));
   assert_string_equal(text, expected);
   assert_true(ends_with(contents_of("j.txt.json"), "]\n"));
}

/* A profile that does not begin leaves an earlier output as it is. */
static void
an_earlier_output_is_kept(void **state)
{
   FILE *file = fopen(path_of("l.txt"), "w");
   char text[4096];

   (void)state;
   assert_non_null(file);
   fputs("earlier", file);
   fclose(file);
   counters = "nonsense";
   assert_int_equal(WEXITSTATUS(
                       run(return_from_main, "l.txt", text, sizeof(text))),
                    99);
   counters = NULL;
   assert_string_equal(contents_of("l.txt"), "earlier");
   assert_false(has_file("l.txt.json"));
}

static void
do_nothing(struct world *world)
{
   (void)world;
}

static void
a_program_without_frames_has_an_output(void **state)
{
   char text[4096];

   (void)state;
   run(do_nothing, "k.txt", text, sizeof(text));
   assert_string_equal(text, "");
   assert_true(has_file("k.txt"));
}

static void
a_full_disk_is_said_once(void **state)
{
   char text[4096], expected[4096];

   (void)state;
   assert_int_equal(symlink("/dev/full", path_of("f.json")), 0);
   assert_int_equal(WEXITSTATUS(
                       run(return_from_main, "f.json", text, sizeof(text))),
                    7);
   snprintf(expected, sizeof(expected),
            "pitot: %s is not complete: No space left on device\n",
            path_of("f.json"));
   assert_string_equal(text, expected);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_output_is_made_of_the_trace),
      cmocka_unit_test(a_program_that_dies_leaves_its_trace),
      cmocka_unit_test(an_earlier_output_is_kept),
      cmocka_unit_test(an_output_that_fails_leaves_the_trace),
      cmocka_unit_test(a_program_without_frames_has_an_output),
      cmocka_unit_test(a_full_disk_is_said_once),
   };

   return cmocka_run_group_tests_name("profile: files", tests,
                                      make_directory, remove_directory);
}
