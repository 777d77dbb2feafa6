/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "program.h"

static void
write_file(const char *name, const char *text)
{
   FILE *file = fopen(path_of(name), "w");

   assert_non_null(file);
   fputs(text, file);
   assert_int_equal(fclose(file), 0);
}

static void
set_limit(int resource, rlim_t most)
{
   struct rlimit limit;

   getrlimit(resource, &limit);
   limit.rlim_cur = most < limit.rlim_max ? most : limit.rlim_max;
   setrlimit(resource, &limit);
}

static void
limit_files(void)
{
   set_limit(RLIMIT_NOFILE, 0);
}

static void
lift_limits(void)
{
   set_limit(RLIMIT_NOFILE, RLIM_INFINITY);
   set_limit(RLIMIT_FSIZE, RLIM_INFINITY);
}

/* Sanitizers and clang write files after the profile's end. */
static void
lift_limits_at_exit(void)
{
   atexit(lift_limits);
}

/* Other threads may still be running at exit. */
static void
exit_without_files(struct world *world)
{
   atexit(limit_files);
   return_from_main(world);
}

/* pitot-profile makes the output, and a line has the command. */
PROGRAM_TEST(a_program_leaves_a_trace_and_nothing_else)
{
   static const char *const endings[] = { "txt", "svg", "csv" };

   for (unsigned i = 0; i < ARRAY_LENGTH(endings); i++) {
      char expected[4096], name[64], output[512], trace[70];

      snprintf(name, sizeof(name), "h.%s", endings[i]);
      snprintf(output, sizeof(output), "%s", path_of(name));
      write_file(name, "earlier");
      before = lift_limits_at_exit;
      run(exit_without_files, name);
      snprintf(expected, sizeof(expected),
               "pitot: for the output: pitot-profile '%s.json' --%s '%s'\n",
               output, endings[i], output);
      assert_string_equal(run_text, expected);
      assert_string_equal(contents_of(name), "earlier");
      snprintf(trace, sizeof(trace), "%s.json", name);
      assert_true(ends_with(contents_of(trace), "]\n"));
      assert_int_equal(count_frames(trace), 5);
   }
}

/* The printed command is valid, whatever the name contains. */
PROGRAM_TEST(a_name_is_quoted)
{
   static const char name[] = "a  'b'$c.svg";
   char command[5000];

   run(return_from_main, name);
   const char *words = strstr(run_text, "pitot-profile '");
   assert_non_null(words);
   setenv("OUTPUT", path_of(name), 1);
   snprintf(command, sizeof(command),
            "set -- %s test $# = 4 && test \"$2 $4\" = \"$OUTPUT.json "
            "$OUTPUT\"",
            words);
   assert_int_equal(system(command), 0);
}

PROGRAM_TEST(a_program_that_dies_leaves_its_trace)
{
   run(die, "i.txt");
   assert_int_equal(count_frames("i.txt.json"), 5);
}

/* If the profile does not begin, the file is unchanged. */
PROGRAM_TEST(a_wrong_counter_leaves_the_file)
{
   write_file("l.json", "earlier");
   counters = "nonsense";
   assert_int_equal(WEXITSTATUS(run(return_from_main, "l.json")), 99);
   assert_string_equal(contents_of("l.json"), "earlier");
}

static void
do_nothing(struct world *world)
{
   (void)world;
}

PROGRAM_TEST(a_program_without_frames_has_a_trace)
{
   run(do_nothing, "k.json");
   assert_string_equal(run_text, "");
   assert_true(has_file("k.json"));
}

static void
limit_size(void)
{
   lift_limits_at_exit();
   set_limit(RLIMIT_FSIZE, 5000);
}

/* SIGXFSZ must not kill the program. */
PROGRAM_TEST(a_limit_of_the_process_is_said_once)
{
   before = limit_size;
   const int status = run(return_from_main, "f.json");
   assert_true(WIFEXITED(status));
   assert_int_equal(WEXITSTATUS(status), 7);
   assert_says("f.json",
               " is as large as it may be (PITOT_PROFILE_LIMIT, or ulimit "
               "-f): the rest is not recorded");
   assert_true(ends_with(contents_of("f.json"), "}"));
}

static void
draw_much(struct world *world)
{
   frames(world, 2000);
   world_end_context(world);
}

PROGRAM_TEST(a_trace_is_as_large_as_its_limit)
{
   struct stat status;

   setenv("PITOT_PROFILE_LIMIT", "1", 1);
   run(draw_much, "n.json");
   unsetenv("PITOT_PROFILE_LIMIT");
   assert_says("n.json",
               " is as large as it may be (PITOT_PROFILE_LIMIT, or ulimit "
               "-f): the rest is not recorded");
   assert_int_equal(stat(path_of("n.json"), &status), 0);
   assert_in_range(status.st_size, 900000, 1 << 20);
}

/* Writing to a pipe without a reader would kill or block the program. */
PROGRAM_TEST(a_pipe_is_no_file_for_a_trace)
{
   for (unsigned has_reader = 0; has_reader < 2; has_reader++) {
      assert_int_equal(mkfifo(path_of("o.json"), 0600), 0);
      const int reader =
         has_reader ? open(path_of("o.json"), O_RDONLY | O_NONBLOCK) : -1;
      const int status = run(return_from_main, "o.json");

      if (has_reader)
         close(reader);
      assert_true(WIFEXITED(status));
      assert_int_equal(WEXITSTATUS(status), 99);
      assert_int_equal(count_of(run_text, "\n"), 1);
      assert_non_null(strstr(run_text, "o.json: "));
      assert_int_equal(unlink(path_of("o.json")), 0);
   }
}

static void
close_standard_files(void)
{
   for (int i = 0; i <= STDERR_FILENO; i++)
      close(i);
}

static void
say_and_draw(struct world *world)
{
   frames(world, 1);
   for (int i = 0; i <= STDERR_FILENO; i++) {
      if (write(i, "a message", 9) > 0)
         _exit(94);
   }
   frames(world, 4);
   world_end_context(world);
}

PROGRAM_TEST(a_trace_is_no_standard_file)
{
   before = close_standard_files;
   assert_int_equal(WEXITSTATUS(run(say_and_draw, "p.json")), 7);
   assert_int_equal(count_frames("p.json"), 5);
}

static const char *another;

/* As a daemon does. */
static void
close_all_and_open_another(struct world *world)
{
   frames(world, 1);
   for (int i = STDERR_FILENO + 1; i < 100; i++)
      close(i);
   for (int i = STDERR_FILENO + 1; another && i < 100; i++)
      assert_true(open(another, O_WRONLY | O_CREAT, 0600) > 0);
   return_from_main(world);
}

PROGRAM_TEST(another_file_is_left_alone)
{
   char file[512];

   snprintf(file, sizeof(file), "%s", path_of("r"));
   const char *const others[] = { file, "/dev/null", NULL };

   for (unsigned i = 0; i < ARRAY_LENGTH(others); i++) {
      another = others[i];
      assert_int_equal(WEXITSTATUS(run(close_all_and_open_another, "q.json")),
                       7);
      assert_says("q.json", " is not complete: Bad file descriptor");
      assert_string_equal(contents_of("r"), "");
      assert_int_equal(count_frames("q.json"), 1);
   }
}
