/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Results that come late, or never.
 */

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "capture.h"
#include "world.h"

static void
frame(struct world *world)
{
   world_work(world, PITOT_PROFILE_DRAW, 5, 10, 1);
   world_flush(world, true);
}

/* The GPU completes measurements up to done only. */
static void
hold(struct world *world, uint64_t done)
{
   world->fence_done = world->null.done = done;
}

static void
a_span_is_read_once_its_fence_is_signalled(void **state)
{
   struct world *world = *state;

   hold(world, 0);
   frame(world);
   const uint64_t first = world->null.issued;
   frame(world);
   assert_int_equal(fake_slice_count(true, NULL), 0);
   hold(world, first - 1);
   world_flush(world, true);
   assert_int_equal(fake_slice_count(true, NULL), 0);
   hold(world, first);
   world_flush(world, true);
   assert_int_equal(fake_slice_count(true, "frame"), 1);
   assert_int_equal(fake_slice_count(true, "pass"), 1);
   assert_int_equal(world->null.waits, 0);
   assert_int_equal(world->null.polls, 0);
   assert_int_equal(world->null.flushes, 0);
   world_end(world);
   assert_int_equal(fake_slice_count(true, "frame"), 2);
}

/* If a program waits and then exits, its last frame is in the trace. */
static void
a_wait_reads_what_is_there(void **state)
{
   struct world *world = *state;

   hold(world, 0);
   frame(world);
   pitot_profile_waited(world->profiled);
   assert_int_equal(fake_slice_count(true, NULL), 0);
   hold(world, world->null.issued);
   world->profiled->depth = 1;
   pitot_profile_waited(world->profiled);
   assert_int_equal(fake_slice_count(true, NULL), 0);
   world->profiled->depth = 0;
   pitot_profile_waited(world->profiled);
   assert_int_equal(fake_slice_count(true, "frame"), 1);
   assert_int_equal(world->null.waits, 0);
   assert_int_equal(world->null.flushes, 0);
   world_end(world);
}

/* A span that ended after the flush waits for the next fence. */
static void
a_fence_is_not_that_of_later_spans(void **state)
{
   struct world *world = *state;

   hold(world, 0);
   frame(world);
   const uint64_t first = world->null.issued;
   world_work(world, PITOT_PROFILE_DRAW, 5, 10, 1);
   pitot_profile_pass_ends(world->profiled);
   hold(world, first);
   pitot_profile_waited(world->profiled);
   assert_int_equal(fake_slice_count(true, "pass"), 1);
   assert_int_equal(world->null.waits, 0);
   world_flush(world, true);
   hold(world, UINT64_MAX);
   world_end(world);
   assert_int_equal(fake_slice_count(true, "pass"), 2);
}

/* Without a fence, measurements wait for the next flush's fence. */
static void
a_flush_without_a_fence_reads_later(void **state)
{
   struct world *world = *state;

   world_work(world, PITOT_PROFILE_DRAW, 5, 10, 1);
   pitot_profile_before_flush(world->profiled, true);
   pitot_profile_flushed(world->profiled, NULL);
   assert_int_equal(fake_slice_count(true, NULL), 0);
   frame(world);
   assert_int_equal(fake_slice_count(true, "frame"), 2);
   world_end(world);
}

static void
fences_that_nothing_is_before_are_released(void **state)
{
   struct world *world = *state;

   hold(world, 0);
   for (unsigned i = 0; i < 3; i++)
      world_flush(world, true);
   assert_int_equal(world->fences, 0);
   frame(world);
   world_flush(world, false);
   assert_int_equal(world->fences, 1);
   world_end(world);
   assert_int_equal(fake_slice_count(true, "frame"), 1);
}

/* Several flushes are in flight, and each is read once it is done. */
static void
many_flushes_in_flight(void **state)
{
   const unsigned count = 200;
   struct world *world = *state;

   hold(world, 0);
   for (unsigned i = 0; i < count; i++)
      frame(world);
   hold(world, world->null.issued - 1);
   world_flush(world, false);
   assert_int_equal(fake_slice_count(true, "frame"), count - 1);
   hold(world, UINT64_MAX);
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

/* Calls that are in no slice. */
static double
unmeasured(void)
{
   double sum = 0;

   for (unsigned i = 0; fake_mark("not measured", i); i++)
      sum += fake_value(fake_mark("not measured", i), "calls");
   return sum;
}

/* If the ring of spans is full, further calls are counted as unmeasured. */
static void
check_full_ring(const struct world_settings *settings, unsigned max_spans,
                const char *expected)
{
   const unsigned more = 77;
   struct capture capture;
   struct world world;
   char text[4096];

   world_begin(&world, settings);
   hold(&world, 0);
   for (unsigned i = 0; i < max_spans + more; i++)
      world_work(&world, PITOT_PROFILE_DRAW, 1, 1, 1);
   hold(&world, UINT64_MAX);
   world_flush(&world, true);
   frame(&world);
   capture = capture_begin();
   world_end(&world);
   capture_end(&capture, text, sizeof(text));
   assert_int_equal(fake_slice_count(true, "draw"), max_spans + 1);
   assert_true(unmeasured() == more);
   assert_null(fake_mark("not measured", 1));
   assert_string_equal(text, expected);
}

static void
a_full_ring_is_counted(void **state)
{
   (void)state;
   check_full_ring(
      &at_draw, PITOT_PROFILE_MAX_SPANS,
      "pitot: /pitot-world.json: 77 of 8270 calls were not measured\n");
}

/* A span of 16 queries: two times, the samples and 13 statistics. */
static void
a_ring_of_many_queries_is_shorter(void **state)
{
   const struct world_settings settings = {
      .level = "draw",
      .counters = "samples passed, " PITOT_PERF_STATISTICS_NAME,
      .counts_one_by_one = true,
   };

   (void)state;
   check_full_ring(
      &settings, PITOT_PROFILE_MAX_QUERIES / 16,
      "pitot: /pitot-world.json: 77 of 2126 calls were not measured\n");
}

/* Each driver call fails once. */
static void
a_query_that_fails_is_counted(void **state)
{
   (void)state;
   for (unsigned call = 0; call < PITOT_NULL_CALL_COUNT; call++) {
      for (unsigned nth = 1; nth < 8; nth++) {
         struct capture capture = capture_begin();
         struct world world;
         char text[4096];

         world_begin(&world, &at_draw);
         world.null.fail[call] = nth;
         for (unsigned i = 0; i < 4; i++)
            frame(&world);
         assert_in_range(world.profiled->span_count, 0, 1);
         world_end(&world);
         capture_end(&capture, text, sizeof(text));
         const unsigned draws = fake_slice_count(true, "draw");
         assert_true(draws + unmeasured() == 4);
         assert_true(sum_of_draws("samples passed") == draws);
         assert_true(sum_of_draws("draws") == draws);
         assert_int_equal(fake_slice_count(true, "frame"), draws);
      }
   }
}

/* Results of a lost device are not in the trace. */
static void
a_lost_device_gives_no_numbers(void **state)
{
   struct capture capture;
   struct world *world = *state;
   char text[4096];

   frame(world);
   hold(world, 0);
   frame(world);
   world->null.is_lost = true;
   world->fence_done = UINT64_MAX;
   frame(world);
   capture = capture_begin();
   world_end(world);
   capture_end(&capture, text, sizeof(text));
   assert_int_equal(fake_slice_count(true, "pass"), 1);
   assert_string_equal(
      text, "pitot: /pitot-world.json: 2 of 3 calls were not measured\n");
}

/* A program exits without destroying its context. */
static void
the_end_of_the_process_touches_no_gpu(void **state)
{
   struct capture capture;
   struct world *world = *state;
   char text[4096];

   frame(world);
   world_work(world, PITOT_PROFILE_DRAW, 5, 10, 1);
   world_flush(world, false);
   hold(world, world->null.issued);
   frame(world);
   const struct pitot_null before = world->null;
   capture = capture_begin();
   pitot_profile_finish();
   capture_end(&capture, text, sizeof(text));
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
}

/* A signal handler may call exit() while the profile is locked. */
static void
an_exit_inside_the_profile_ends(void **state)
{
   int status;

   (void)state;
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

int
main(void)
{
   const struct CMUnitTest tests[] = {
      world_case(a_span_is_read_once_its_fence_is_signalled, at_pass),
      world_case(a_wait_reads_what_is_there, at_pass),
      world_case(a_fence_is_not_that_of_later_spans, at_pass),
      world_case(a_flush_without_a_fence_reads_later, at_pass),
      world_case(fences_that_nothing_is_before_are_released, at_pass),
      world_case(many_flushes_in_flight, at_pass),
      cmocka_unit_test(a_full_ring_is_counted),
      cmocka_unit_test(a_ring_of_many_queries_is_shorter),
      cmocka_unit_test(a_query_that_fails_is_counted),
      world_case(a_lost_device_gives_no_numbers, at_pass),
      world_case(the_end_of_the_process_touches_no_gpu, at_pass),
      cmocka_unit_test(an_exit_inside_the_profile_ends),
   };

   return cmocka_run_group_tests_name("profile: flight", tests, NULL, NULL);
}
