/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Results that come late, or never, several contexts, and signals.
 */

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "world.h"

static void
frame(struct world *world)
{
   world_work(world, PITOT_PROFILE_DRAW, 5, 10, 1);
   world_flush(world, true);
}

/* Several flushes are in flight, and each is read once it is done. */
WORLD_TEST(many_flushes_in_flight)
{
   const unsigned count = 200;

   world_hold(world, 0);
   for (unsigned i = 0; i < count; i++)
      frame(world);
   world_hold(world, world->null.issued - 1);
   world_flush(world, false);
   assert_int_equal(fake_slice_count(true, "frame"), count - 1);
   world_hold(world, UINT64_MAX);
   world_flush(world, false);
   assert_int_equal(fake_slice_count(true, "frame"), count);
   world_end(world);
   assert_int_equal(fake_slice_count(true, "pass"), count);
}

static double
sum_of_draws(const char *name)
{
   double sum = 0;

   for (unsigned i = 0; i < fake_slice_count(true, "draw"); i++)
      sum += fake_value(fake_slice(true, "draw", i), name);
   return sum;
}

/* If the ring of spans is full, further calls are counted as unmeasured. */
static void
check_full_ring(const struct world_settings *settings, unsigned max_spans,
                const char *expected)
{
   const unsigned more = 77;
   struct world world;

   world_begin(&world, settings);
   world_hold(&world, 0);
   for (unsigned i = 0; i < max_spans + more; i++)
      world_work(&world, PITOT_PROFILE_DRAW, 1, 1, 1);
   world_hold(&world, UINT64_MAX);
   world_flush(&world, true);
   frame(&world);
   world_listen();
   world_end(&world);
   const char *text = world_said();
   assert_int_equal(fake_slice_count(true, "draw"), max_spans + 1);
   assert_true(fake_unmeasured() == more);
   assert_null(fake_mark("not measured", 1));
   assert_string_equal(text, expected);
}

TEST(a_full_ring_is_counted)
{
   check_full_ring(
      &at_draw, PITOT_PROFILE_MAX_SPANS,
      "pitot: /pitot-world.json: 77 of 8270 calls were not measured\n");
}

/* A span of 19 queries: two times, the samples and 16 statistics. */
TEST(a_ring_of_many_queries_is_shorter)
{
   const struct world_settings settings = {
      .level = "draw",
      .counters = "samples passed, " PITOT_PERF_STATISTICS_NAME,
      .counts_one_by_one = true,
   };

   check_full_ring(
      &settings, PITOT_PROFILE_MAX_QUERIES / 19,
      "pitot: /pitot-world.json: 77 of 1802 calls were not measured\n");
}

/* Each driver call fails once. */
TEST(a_query_that_fails_is_counted)
{
   for (unsigned call = 0; call < PITOT_NULL_CALL_COUNT; call++) {
      for (unsigned nth = 1; nth < 8; nth++) {
         struct world world;

         world_listen();
         world_begin(&world, &at_draw);
         world.null.fail[call] = nth;
         for (unsigned i = 0; i < 4; i++)
            frame(&world);
         assert_in_range(world.profiled->span_count, 0, 1);
         world_end(&world);
         (void)world_said();
         const unsigned draws = fake_slice_count(true, "draw");
         assert_true(draws + fake_unmeasured() == 4);
         assert_true(sum_of_draws("samples passed") == draws);
         assert_true(sum_of_draws("draws") == draws);
         assert_int_equal(fake_slice_count(true, "frame"), draws);
      }
   }
}

/* A program exits without destroying its context. */
WORLD_TEST(the_end_of_the_process_touches_no_gpu)
{
   frame(world);
   world_work(world, PITOT_PROFILE_DRAW, 5, 10, 1);
   world_flush(world, false);
   world_hold(world, world->null.issued);
   frame(world);
   const struct pitot_null before = world->null;
   world_listen();
   pitot_profile_finish();
   const char *text = world_said();
   assert_memory_equal(&world->null, &before, sizeof(before));
   assert_int_equal(world->fences, 1);
   assert_int_equal(fake_slice_count(true, "frame"), 2);
   assert_string_equal(fake_slice(true, "frame", 1)->name, "frame 2, part 1");
   assert_int_equal(fake_slice_count(true, "pass"), 2);
   assert_string_equal(
      text, "pitot: /pitot-world.json: 1 of 3 calls were not measured\n");

   /* Another thread continues after the end. */
   const unsigned count = fake_event_count;
   frame(world);
   pitot_profile_cpu_call(world->profiled, "wait", "wait", 0, 1000000, 0);
   world_end(world);
   assert_int_equal(fake_event_count, count);
   pitot_profiled_destroy(NULL);
}

/* A signal handler may call exit() while the profile is locked. */
TEST(an_exit_inside_the_profile_ends)
{
   int status;

   const pid_t child = fork();
   if (child == 0) {
      struct world world;

      world_begin(&world, &at_pass);
      fake_trace_at_flush = pitot_profile_finish;
      frame(&world);
      _exit(fake_trace_is_open ? 3 : 4);
   }
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_int_equal(WEXITSTATUS(status), 3); /* the trace is still open */
}

static void
own_handler(int signal_number)
{
   (void)signal_number;
}

TEST(a_handler_of_the_programs_stays)
{
   struct sigaction action;
   struct world world;

   signal(SIGUSR2, own_handler);
   world_begin(&world, &at_pass);
   sigaction(SIGUSR2, NULL, &action);
   assert_true(action.sa_handler == own_handler);
   world_end(&world);
   signal(SIGUSR2, SIG_DFL);
}

/* Complete frames, or parts in order, each around the following draws. */
static void
assert_parts(unsigned count)
{
   const struct fake_event *frame = NULL;
   unsigned parts = 0;

   for (unsigned i = 0; i < fake_event_count; i++) {
      const struct fake_event *slice = &fake_events[i];

      if (slice->type != FAKE_SLICE || slice->track.process != 0)
         continue;
      if (strcmp(slice->category, "frame") == 0) {
         char name[64];

         parts++;
         frame = slice;
         snprintf(name, sizeof(name), "frame 1, part %u", parts);
         assert_string_equal(slice->name, name);
         assert_true(fake_value(slice, "part") == parts);
      }
      assert_true(slice->begin_ns >= frame->begin_ns);
      assert_true(slice->end_ns <= frame->end_ns);
   }
   assert_int_equal(parts, count);
}

/* Work without frames is written after many spans, or two seconds. */
TEST(work_without_frames_is_written)
{
   static const uint64_t gaps_ns[] = { 1, 1000000 };

   for (unsigned g = 0; g < ARRAY_LENGTH(gaps_ns); g++) {
      const unsigned count = gaps_ns[g] == 1 ? 9000 : 4500;
      struct world world;

      world_begin(&world, &at_draw);
      for (unsigned i = 0; i < count; i++) {
         world_work(&world, PITOT_PROFILE_DRAW, gaps_ns[g], 1, 1);
         if (i % 100 == 99)
            world_flush(&world, false);
      }
      assert_in_range(fake_slice_count(true, "draw"), count * 8 / 10,
                      count - 1);
      world_end(&world);
      assert_int_equal(fake_slice_count(true, "draw"), count);
      assert_parts(3);
      assert_null(fake_mark("not measured", 0));
   }
}

static const struct fake_event *
counters_of(unsigned n)
{
   for (unsigned i = 0; i < fake_event_count; i++) {
      if (fake_events[i].type == FAKE_COUNTERS && n-- == 0)
         return &fake_events[i];
   }
   return NULL;
}

/* Contexts share tracks: another one wrote the last value, and this frame may
 * begin earlier and be written later.
 */
TEST(several_contexts_write_all_counters)
{
   struct world worlds[2];

   world_begin(&worlds[0], &at_pass);
   world_begin(&worlds[1], &at_pass);
   for (unsigned i = 0; i < 4; i++) {
      world_use(&worlds[i / 2]);
      frame(&worlds[i / 2]);
   }
   world_end_context(&worlds[1]);
   world_end(&worlds[0]);
   for (unsigned i = 1; i < 4; i++)
      assert_int_equal(counters_of(i)->value_count,
                       counters_of(0)->value_count);
}
