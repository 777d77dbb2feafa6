/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The program pitot-profile: its arguments, its outputs and its exit status.
 */

#include "trace_fixture.h"

#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define main profile_main
#include "main.c"
#undef main

#define DRAWS     TRACES "/draws.json"
#define MAX_WORDS 12

/* Runs the program in a child, with its output in the file of the case, and
 * asserts its exit status, and a text of its output.
 */
static void
assert_runs(int status, const char *text, char *const *words)
{
   char *sorted[MAX_WORDS] = { NULL }; /* by getopt */
   int ended, count = 0;

   fflush(stdout);
   for (; words[count]; count++)
      sorted[count] = words[count];

   const pid_t child = fork();
   if (child == 0) {
      if (!freopen(trace_path, "w", stdout) || dup2(1, 2) < 0)
         _exit(99);
      exit(profile_main(count, sorted));
   }
   assert_int_equal(waitpid(child, &ended, 0), child);
   assert_true(WIFEXITED(ended));
   if (WEXITSTATUS(ended) != status || !strstr(trace_contents(), text))
      fail_msg("status %d rather than %d, or no \"%s\" in\n%s",
               WEXITSTATUS(ended), status, text, trace_text);
}

static void
bad_arguments_are_told(void **state)
{
   (void)state;
   static const struct {
      int status;
      const char *text;
      char *words[MAX_WORDS];
   } cases[] = {
      { 0, "Usage: pitot-profile TRACE", { "p", "--help" } },
      { 2, "name one trace", { "p" } },
      { 2, "name one trace", { "p", DRAWS, DRAWS } },
      { 2, "unrecognized option '--png'", { "p", "--png", "x", DRAWS } },
      { 2, "requires an argument", { "p", DRAWS, "--svg" } },
      { 2, "0: no number of a frame", { "p", DRAWS, "--frame", "0" } },
      { 2, "-1: no number of a frame", { "p", DRAWS, "--frame", "-1" } },
      { 2, "x: no number of a frame", { "p", DRAWS, "--frame", "x" } },
      { 2, "2x: no number of a frame", { "p", DRAWS, "--frame", "2x" } },
      { 2,
        "no number of a frame",
        { "p", DRAWS, "--frame", "99999999999999999999" } },
      { 1, "has no frame of that number", { "p", DRAWS, "--frame", "4" } },
      { 1, "/nowhere: No such file or directory", { "p", "/nowhere" } },
      { 1, "/dev/null: no trace of Pitot's", { "p", "/dev/null" } },
      { 1,
        "/dev/full: No space left on device",
        { "p", DRAWS, "--txt", "/dev/full" } },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++)
      assert_runs(cases[i].status, cases[i].text, cases[i].words);
}

static void
the_text_is_printed_if_nothing_else_is_wanted(void **state)
{
   (void)state;
   assert_runs(0, "\n3 frames in 2.70 ms;", (char *[]){ "p", DRAWS, NULL });
   assert_runs(0, "\n3 frames in 2.70 ms;",
               (char *[]){ "p", "--txt=-", DRAWS, NULL });
   assert_runs(0, "process,thread,frame,",
               (char *[]){ "p", "--csv=-", DRAWS, NULL });
}

static void
all_outputs_are_written(void **state)
{
   (void)state;
   char text[80], csv[80], svg[80];
   FILE *in;

   snprintf(text, sizeof(text), "%s.txt", trace_path);
   snprintf(csv, sizeof(csv), "%s.csv", trace_path);
   snprintf(svg, sizeof(svg), "%s.svg", trace_path);
   assert_runs(0, "",
               (char *[]){ "p", DRAWS, "--txt", text, "--csv", csv, "--svg",
                           svg, "--frame", "3", NULL });
   assert_string_equal(trace_text, "");
   in = fopen(svg, "r");
   assert_non_null(in);
   trace_text[fread(trace_text, 1, sizeof(trace_text) - 1, in)] = 0;
   fclose(in);
   assert_non_null(strstr(trace_text, "frame 3: 200 us on the GPU"));
   assert_int_equal(unlink(text), 0);
   assert_int_equal(unlink(csv), 0);
   assert_int_equal(unlink(svg), 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      trace_case(bad_arguments_are_told),
      trace_case(the_text_is_printed_if_nothing_else_is_wanted),
      trace_case(all_outputs_are_written),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
