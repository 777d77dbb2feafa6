/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Programs that end in many ways, and the files that they leave.
 */

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "capture.h"
#include "world.h"

bool fake_trace_is_open; /* of the trace that these tests do not have */

static const char *counters; /* of the programs; NULL: the default ones */

static char directory[] = "/tmp/pitot-process-XXXXXX";

static const char *
path_of(const char *name)
{
   static char path[512];

   snprintf(path, sizeof(path), "%s/%s", directory, name);
   return path;
}

static void
frame(struct world *world)
{
   world_work(world, PITOT_PROFILE_DRAW, 1000, 100000, 1);
   world_flush(world, true);
}

static void
frames(struct world *world, unsigned count)
{
   for (unsigned i = 0; i < count; i++)
      frame(world);
}

/* Runs a program in a process of its own.  Returns its status, and in
 * text_out the lines on stderr.
 */
static int
run(void (*program)(struct world *world), const char *name, char *text_out,
    size_t text_B)
{
   struct capture capture = capture_begin();
   int status = 0;

   world_set(path_of(name), &(struct world_settings){ .counters = counters });
   const pid_t child = fork();
   if (child == 0) {
      static struct world world;

      if (world_try_set(&world))
         _exit(99);
      program(&world);
      exit(7);
   }
   assert_true(child > 0);
   assert_int_equal(waitpid(child, &status, 0), child);
   capture_end(&capture, text_out, text_B);
   return status;
}

/* Reads a file, which is shorter than 4 MiB. */
static const char *
contents_of(const char *name)
{
   static char text[4 << 20];
   FILE *file = fopen(path_of(name), "r");

   assert_non_null(file);
   const size_t length_B = fread(text, 1, sizeof(text) - 1, file);
   assert_true(length_B < sizeof(text) - 1);
   text[length_B] = '\0';
   fclose(file);
   return text;
}

static bool
ends_with(const char *text, const char *end)
{
   const size_t length = strlen(text);

   return length >= strlen(end) &&
          strcmp(text + length - strlen(end), end) == 0;
}

static unsigned
count_of(const char *text, const char *part)
{
   unsigned count = 0;

   while ((text = strstr(text, part)) != NULL) {
      text++;
      count++;
   }
   return count;
}

/* Returns how many files there are whose names begin so, each of which has to
 * have that many frames.
 */
static unsigned
count_frames_of_others(const char *begin, unsigned frame_count)
{
   DIR *dir = opendir(directory);
   struct dirent *entry;
   unsigned count = 0;

   assert_non_null(dir);
   while ((entry = readdir(dir)) != NULL) {
      if (strncmp(entry->d_name, begin, strlen(begin)) != 0)
         continue;
      count++;
      assert_int_equal(count_of(contents_of(entry->d_name),
                                "\"cat\":\"frame\""),
                       frame_count);
   }
   closedir(dir);
   return count;
}

static void
return_from_main(struct world *world)
{
   frames(world, 5);
   world_end_context(world);
}

static void
a_program_that_returns(void **state)
{
   char text[4096];

   (void)state;
   assert_int_equal(WEXITSTATUS(
                       run(return_from_main, "a.json", text, sizeof(text))),
                    7);
   assert_string_equal(text, "");
   const char *trace = contents_of("a.json");
   assert_true(ends_with(trace, "]\n"));
   assert_int_equal(count_of(trace, "\"cat\":\"frame\""), 5);
   assert_int_equal(count_of(trace, "\"name\":\"cost\""), 1);
}

static void
exit_in_flight(struct world *world)
{
   frames(world, 5);
   world->fence_done = 0;
   frames(world, 2);
}

static void
a_program_that_exits_without_an_end(void **state)
{
   char text[4096], expected[4096];

   (void)state;
   run(exit_in_flight, "b.json", text, sizeof(text));
   snprintf(expected, sizeof(expected),
            "pitot: %s: 2 of 7 calls were not measured\n", path_of("b.json"));
   assert_string_equal(text, expected);
   assert_true(ends_with(contents_of("b.json"), "]\n"));
   assert_int_equal(count_of(contents_of("b.json"), "\"cat\":\"frame\""), 5);
}

static void
die(struct world *world)
{
   frames(world, 5);
   raise(SIGKILL);
}

/* The file ends with a whole line. */
static void
a_program_that_is_killed(void **state)
{
   char text[4096];

   (void)state;
   assert_int_equal(WTERMSIG(run(die, "c.json", text, sizeof(text))),
                    SIGKILL);
   const char *trace = contents_of("c.json");
   assert_true(ends_with(trace, "}"));
   assert_int_equal(count_of(trace, "\"cat\":\"frame\""), 5);
}

static void
fork_and_exit(struct world *world)
{
   frames(world, 3);
   const pid_t child = fork();
   if (child == 0)
      exit(0);
   waitpid(child, NULL, 0);
   frames(world, 3);
   world_end_context(world);
}

static void
a_child_leaves_the_trace_alone(void **state)
{
   char text[4096];

   (void)state;
   run(fork_and_exit, "d.json", text, sizeof(text));
   assert_string_equal(text, "");
   assert_true(ends_with(contents_of("d.json"), "]\n"));
   assert_int_equal(count_of(contents_of("d.json"), "\"cat\":\"frame\""), 6);
}

/* A child that draws, too, without another program. */
static void
fork_and_draw(struct world *world)
{
   frames(world, 1);
   const pid_t child = fork();
   if (child == 0) {
      static struct world own;

      if (world_try_set(&own))
         _exit(96);
      frames(&own, 4);
      world_end_context(&own);
      exit(0);
   }
   waitpid(child, NULL, 0);
   frames(world, 1);
   world_end_context(world);
}

static void
a_child_that_draws_has_a_file_of_its_own(void **state)
{
   char text[4096];

   (void)state;
   run(fork_and_draw, "m.json", text, sizeof(text));
   assert_string_equal(text, "");
   assert_int_equal(count_of(contents_of("m.json"), "\"cat\":\"frame\""), 2);
   assert_int_equal(count_frames_of_others("m-", 4), 1);
}

/* A browser has many processes, which inherit its environment. */
static void
run_another(struct world *world)
{
   const pid_t child = fork();

   frames(world, 1);
   if (child == 0) {
      char path[64];

      snprintf(path, sizeof(path), "/proc/%d/exe", getpid());
      execl(path, path, "--frames", (char *)NULL);
      _exit(98);
   }
   waitpid(child, NULL, 0);
   frames(world, 1);
   world_end_context(world);
}

static void
a_second_process_has_a_file_of_its_own(void **state)
{
   char text[4096];

   (void)state;
   run(run_another, "e.json", text, sizeof(text));
   assert_string_equal(text, "");
   assert_int_equal(count_of(contents_of("e.json"), "\"cat\":\"frame\""), 2);
   assert_int_equal(count_frames_of_others("e-", 3), 1);
}

static bool
has_file(const char *name)
{
   return access(path_of(name), F_OK) == 0;
}

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

/*
 * Threads
 */

static void *
draw(void *data)
{
   struct world *world = data;

   world_use(world);
   frames(world, 300);
   world_end_context(world);
   return NULL;
}

/* The process ends while other threads draw. */
static void
end_while_threads_draw(struct world *world)
{
   static struct world worlds[3];
   pthread_t threads[3];

   for (unsigned i = 0; i < 3; i++) {
      if (world_try_set(&worlds[i]))
         _exit(97);
   }
   for (unsigned i = 0; i < 3; i++)
      pthread_create(&threads[i], NULL, draw, &worlds[i]);
   world_use(world);
   frames(world, 100);
   pitot_profile_finish();
   for (unsigned i = 0; i < 3; i++)
      pthread_join(threads[i], NULL);
   world_end_context(world);
}

static void
a_program_that_exits_while_threads_draw(void **state)
{
   char text[4096];

   (void)state;
   assert_int_equal(WEXITSTATUS(run(end_while_threads_draw, "g.json", text,
                                    sizeof(text))),
                    7);
   assert_true(ends_with(contents_of("g.json"), "]\n"));
   assert_in_range(count_of(contents_of("g.json"), "\"cat\":\"frame\""), 100,
                   1000);
}

static int
make_directory(void **state)
{
   (void)state;
   return mkdtemp(directory) ? 0 : -1;
}

static int
remove_directory(void **state)
{
   DIR *dir = opendir(directory);
   struct dirent *entry;

   (void)state;
   if (!dir)
      return -1;
   while ((entry = readdir(dir)) != NULL)
      unlink(path_of(entry->d_name));
   closedir(dir);
   return rmdir(directory);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_program_that_returns),
      cmocka_unit_test(a_program_that_exits_without_an_end),
      cmocka_unit_test(a_program_that_is_killed),
      cmocka_unit_test(a_child_leaves_the_trace_alone),
      cmocka_unit_test(a_child_that_draws_has_a_file_of_its_own),
      cmocka_unit_test(a_second_process_has_a_file_of_its_own),
      cmocka_unit_test(an_output_is_made_of_the_trace),
      cmocka_unit_test(a_program_that_dies_leaves_its_trace),
      cmocka_unit_test(an_earlier_output_is_kept),
      cmocka_unit_test(an_output_that_fails_leaves_the_trace),
      cmocka_unit_test(a_program_without_frames_has_an_output),
      cmocka_unit_test(a_full_disk_is_said_once),
      cmocka_unit_test(a_program_that_exits_while_threads_draw),
   };

   if (argc == 2 && strcmp(argv[1], "--frames") == 0) {
      struct world world;

      if (world_try_set(&world))
         return 99;
      frames(&world, 3);
      world_end_context(&world);
      return 0;
   }
   return cmocka_run_group_tests_name("profile: process", tests,
                                      make_directory, remove_directory);
}
