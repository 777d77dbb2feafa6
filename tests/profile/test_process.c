/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "program.h"

PROGRAM_TEST(a_program_that_returns)
{
   assert_int_equal(WEXITSTATUS(run(return_from_main, "a.json")), 7);
   assert_string_equal(run_text, "");
   const char *trace = contents_of("a.json");
   assert_true(ends_with(trace, "]\n"));
   assert_int_equal(count_of(trace, "\"cat\":\"frame\""), 5);

   /* Each flow event has two ends, and each track a name. */
   assert_int_equal(count_of(trace, "\"ph\":\"s\""), 5);
   assert_int_equal(count_of(trace, "\"ph\":\"f\""), 5);
   assert_int_equal(count_of(trace, "\"name\":\"thread_name\""), 2);
}

static void
exit_in_flight(struct world *world)
{
   frames(world, 5);
   world->fence_done = 0;
   frames(world, 2);
}

static void
exit_with_two_contexts(struct world *world)
{
   static struct world other;

   if (world_try_set(&other))
      _exit(97);
   world->fence_done = other.fence_done = 0;
   frames(&other, 3);
   world_use(world);
   frames(world, 2);
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

/* A child that draws as well, without exec. */
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

/* A browser starts many processes, which inherit the environment. */
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
die_at_exit(void)
{
   raise(SIGKILL);
}

static void
register_death(void)
{
   atexit(die_at_exit);
}

static void *
draw(void *data)
{
   struct world *world = data;

   world_use(world);
   frames(world, 300);
   world_end_context(world);
   return NULL;
}

static void
end_first_context_first(struct world *world)
{
   static struct world other;

   if (world_try_set(&other))
      _exit(97);
   frames(&other, 2);
   world_use(world);
   frames(world, 3);
   world_end_context(world);
   world_use(&other);
   world_end_context(&other);
}

/* The profile ends while other threads draw. */
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

PROGRAM_TEST(a_program_that_exits_while_threads_draw)
{
   assert_int_equal(WEXITSTATUS(run(end_while_threads_draw, "g.json")), 7);
   assert_true(ends_with(contents_of("g.json"), "]\n"));
   assert_in_range(count_frames("g.json"), 100, 1000);
}

static struct pitot_profile *late_profile;
static struct world late_world;

/* Another thread got the profile before the end, and uses it after. */
__attribute__((destructor(101))) static void
draw_late(void)
{
   if (!late_profile)
      return;
   if (pitot_profile_get())
      _exit(96);
   if (pitot_profiled_create(late_profile, &late_world.info,
                             &late_world.profiled))
      _exit(95);
   frame(&late_world);
   world_end_context(&late_world);
}

static void
exit_before_a_context(struct world *world)
{
   late_profile = world->profile;
   frames(world, 5);
   world_end_context(world);
   world_prepare(&late_world, &(struct world_settings){ .level = NULL });
}

/* The program exits before its first frame. */
static void
ask_and_exit(void)
{
   late_profile = pitot_profile_get();
   world_prepare(&late_world, &(struct world_settings){ .level = NULL });
   exit(7);
}

PROGRAM_TEST(a_first_context_after_the_exit_has_no_file)
{
   before = ask_and_exit;
   assert_int_equal(WEXITSTATUS(run(return_from_main, "l.json")), 7);
   assert_false(has_file("l.json"));
}

/* As if a signal handler interrupted pitot_profile_get(). */
static void
exit_with_lock(struct world *world)
{
   frames(world, 5);
   pthread_mutex_lock(&pitot_profile_of_process.lock);
}

static const struct program_case {
   const char *name;
   void (*program)(struct world *world);
   unsigned frame_count;
   const char *said;           /* about its file; NULL: nothing */
   unsigned other_frame_count; /* in another process's file; 0: none */
   void (*before)(void);
   int signal;  /* that kills it, or 0 */
   bool is_cut; /* the trace, after a line */
} cases[] = {
   { "a_program_that_exits_without_an_end", exit_in_flight, .frame_count = 5,
     .said = ": 2 of 7 calls were not measured" },
   { "contexts_without_an_end_are_counted", exit_with_two_contexts,
     .frame_count = 0, .said = ": 5 of 5 calls were not measured" },
   { "contexts_end_in_any_order", end_first_context_first, .frame_count = 5 },
   { "a_program_that_is_killed", die, .frame_count = 5, .signal = SIGKILL,
     .is_cut = true },
   { "a_program_that_dies_in_its_exit", exit_in_flight, .frame_count = 5,
     .said = ": 2 of 7 calls were not measured", .before = register_death,
     .signal = SIGKILL },
   { "a_child_leaves_the_trace_alone", fork_and_exit, .frame_count = 6 },
   { "a_child_that_draws_has_a_file_of_its_own", fork_and_draw,
     .frame_count = 2, .other_frame_count = 4 },
   { "a_second_process_has_a_file_of_its_own", run_another, .frame_count = 2,
     .other_frame_count = 3 },
   { "a_program_that_exits_with_the_lock", exit_with_lock, .frame_count = 5 },
   { "a_context_after_the_exit_has_no_profile", exit_before_a_context,
     .frame_count = 5 },
};

/* One line says that the file is in use. */
static void
assert_is_in_use(void)
{
   char begin[512];

   snprintf(begin, sizeof(begin), "pitot: %s: is in use, this process ",
            path_of("a.json"));
   assert_memory_equal(run_text, begin, strlen(begin));
   assert_int_equal(count_of(run_text, "\n"), 1);
}

TEST_ROWS(make_directory, remove_directory, const struct program_case *c,
          programs_leave_traces, cases)
{
   before = c->before;
   const int status = run(c->program, "a.json");
   const char *trace = contents_of("a.json");

   if (c->signal)
      assert_int_equal(WTERMSIG(status), c->signal);
   else
      assert_int_equal(WEXITSTATUS(status), 7);
   if (c->other_frame_count)
      assert_is_in_use();
   else if (c->said)
      assert_says("a.json", c->said);
   else
      assert_string_equal(run_text, "");
   assert_true(ends_with(trace, c->is_cut ? "}" : "]\n"));
   assert_int_equal(count_of(trace, "\"cat\":\"frame\""), c->frame_count);
   assert_int_equal(count_frames_of_others("a-", c->other_frame_count),
                    c->other_frame_count > 0);
}

int
main(int argc, char **argv)
{
   if (argc == 2 && strcmp(argv[1], "--frames") == 0) {
      struct world world;

      if (world_try_set(&world))
         return 99;
      frames(&world, 3);
      world_end_context(&world);
      return 0;
   }
   return run_listed_tests();
}
