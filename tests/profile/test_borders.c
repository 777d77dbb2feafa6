/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Begins and ends of spans: nested calls and shared timestamps.
 */

#include <string.h>

#include "world.h"

static uint64_t
duration_ns(const struct fake_event *event)
{
   return event->end_ns - event->begin_ns;
}

/* Two passes with three calls: 30 + 100 + 5 + 200 + 7 + 40 + 9 ns. */
static void
draw_frame(struct world *world)
{
   world->null.time_ns += 30;
   world->pass = "shadows";
   world_work(world, PITOT_PROFILE_DRAW, 0, 100, 10);
   world_work(world, PITOT_PROFILE_DRAW, 5, 200, 20);
   pitot_profile_pass_ends(world->profiled);
   world->pass = "window";
   world_work(world, PITOT_PROFILE_CLEAR, 7, 40, 3);
   world->null.time_ns += 9;
   world_flush(world, true);
}

static void
calls_in_a_call_are_part_of_it(void **state)
{
   struct world *world = *state;

   pitot_profile_before_work(world->profiled, PITOT_PROFILE_BLIT);
   pitot_profile_pass_ends(world->profiled);
   world_work(world, PITOT_PROFILE_DRAW, 1, 10, 1);
   world_flush(world, false);
   pitot_profile_pass_ends(world->profiled);
   world->null.time_ns += 5;
   pitot_profile_after_work(world->profiled);
   world_flush(world, true);
   world_end(world);
   assert_int_equal(fake_slice_count(true, NULL), 3);
   assert_int_equal(duration_ns(fake_slice(true, "blit", 0)), 16);
}

/* Returns the number of timestamps in a frame with three draws. */
static uint64_t
count_times(bool is_later, bool has_upload, bool has_map)
{
   const struct world_settings settings = { .level = "draw",
                                            .counters = "none",
                                            .is_executed_later = is_later };
   struct world world;

   world_begin(&world, &settings);
   const uint64_t before = world.null.issued;
   world_work(&world, PITOT_PROFILE_DRAW, 7, 10, 1);
   world_work(&world, PITOT_PROFILE_DRAW, 3, 20, 1);
   if (has_upload)
      pitot_profile_cpu_call(world.profiled, "upload", "upload",
                             world_cpu_ns(&world), world_cpu_ns(&world), 4);
   if (has_map)
      pitot_profile_may_send(world.profiled);
   world.pass = "other";
   pitot_profile_pass_ends(world.profiled);
   world_work(&world, PITOT_PROFILE_DRAW, 5, 40, 1);
   world_flush(&world, true);
   const uint64_t count = world.null.issued - before;
   world_end(&world);

   const uint64_t gap_ns = is_later && !has_upload && !has_map ? 5 : 0;
   assert_int_equal(duration_ns(fake_slice(true, "draw", 0)), 10);
   assert_int_equal(duration_ns(fake_slice(true, "draw", 1)),
                    is_later ? 23 : 20);
   assert_int_equal(duration_ns(fake_slice(true, "draw", 2)), gap_ns + 40);
   assert_int_equal(duration_ns(fake_slice(true, "frame", 0)), 78);
   return count;
}

/* A frame shares its draws' times; later executed draws share theirs. */
static void
timestamps_are_shared(void **state)
{
   (void)state;
   assert_int_equal(count_times(false, false, false), 6);
   assert_int_equal(count_times(true, false, false), 4);
   assert_int_equal(count_times(true, true, false), 5);
   assert_int_equal(count_times(true, false, true), 5);
}

/* A frame lasts from its first span to its last one. */
static void
an_upload_after_the_last_pass_is_not_in_the_frame(void **state)
{
   struct world *world = *state;

   world_work(world, PITOT_PROFILE_DRAW, 1, 10, 1);
   pitot_profile_pass_ends(world->profiled);
   pitot_profile_may_send(world->profiled);
   world->null.time_ns += 7;
   world_flush(world, true);
   world_end(world);
   assert_int_equal(duration_ns(fake_slice(true, "frame", 0)), 10);
}

/* Flushes, frame ends and CPU calls inside work belong to it. */
static void
a_call_has_all_that_is_inside(void **state)
{
   struct world *world = *state;

   pitot_profile_before_work(world->profiled, PITOT_PROFILE_COPY);
   pitot_profile_before_flush(world->profiled, true);
   pitot_profile_flushed(world->profiled, NULL);
   pitot_profile_frame_ends(world->profiled);
   pitot_profile_cpu_call(world->profiled, "wait", "wait", 1, 1000000, 0);
   world->null.time_ns += 5;
   pitot_profile_after_work(world->profiled);
   world_flush(world, true);
   world_end(world);
   assert_int_equal(fake_slice_count(true, "frame"), 1);
   assert_int_equal(duration_ns(fake_slice(true, "copy", 0)), 5);
   assert_int_equal(fake_slice_count(false, "wait"), 0);
}

static void
calls_are_left_out_while_nothing_is_recorded(void **state)
{
   const struct world_settings settings = { .frames = "2" };
   struct world world;

   (void)state;
   world_begin(&world, &settings);
   pitot_profile_cpu_call(world.profiled, "wait", "wait", 1, 1000000, 0);
   draw_frame(&world);
   pitot_profile_cpu_call(world.profiled, "wait", "wait", 1, 1000000, 0);
   draw_frame(&world);
   world_end(&world);
   assert_int_equal(fake_slice_count(false, "wait"), 1);
}

/* Popping a group that was never pushed is GL's error. */
static void
a_group_ends_once(void **state)
{
   struct world *world = *state;

   pitot_profile_pop_group(world->profiled);
   draw_frame(world);
   pitot_profile_push_group(world->profiled, "open", 4);
   draw_frame(world);
   world_end(world);
   pitot_profiled_destroy(NULL);
   assert_int_equal(fake_slice_count(true, "group"), 1);
   assert_int_equal(fake_slice_count(true, "pass"), 4);
}

static void
a_flow_leads_from_each_call_to_its_execution(void **state)
{
   struct world *world = *state;
   unsigned begins = 0;

   draw_frame(world);
   world_end(world);
   for (unsigned i = 0; i < fake_slice_count(false, "call"); i++) {
      const struct fake_event *call = fake_slice(false, "call", i);
      unsigned ends = 0;

      if (!call->flow)
         continue;
      begins++;
      for (unsigned k = 0; k < fake_slice_count(true, NULL); k++) {
         const struct fake_event *execution = fake_slice(true, NULL, k);

         ends += execution->flow == call->flow;
      }
      assert_int_equal(ends, 1);
   }
   assert_int_equal(begins, 3);
}

/* The frame ends at the last flush, which is not known yet at the flush. */
static void
a_frame_may_end_after_its_flush(void **state)
{
   static const struct world_settings *const levels[] = { &at_frame, &at_pass,
                                                          &at_draw };

   (void)state;
   for (unsigned i = 0; i < ARRAY_LENGTH(levels); i++) {
      struct world world;

      world_begin(&world, levels[i]);
      world_work(&world, PITOT_PROFILE_DRAW, 1, 10, 1);
      world_flush(&world, false);
      world_work(&world, PITOT_PROFILE_DRAW, 3, 20, 2);
      world_flush(&world, false);
      world.null.time_ns += 1000;
      pitot_profile_frame_ends(world.profiled);
      pitot_profile_frame_ends(world.profiled);
      world_work(&world, PITOT_PROFILE_DRAW, 50, 10, 4);
      world_flush(&world, true);
      world_end(&world);
      assert_int_equal(fake_slice_count(true, "frame"), 2);
      assert_int_equal(duration_ns(fake_slice(true, "frame", 0)), 33);
      assert_int_equal(duration_ns(fake_slice(true, "frame", 1)), 10);
      if (i == 0) {
         const struct fake_event *frame = fake_slice(true, "frame", 0);

         assert_true(fake_value(frame, "samples passed") == 3);
         assert_true(fake_value(frame, "Fragment Shader Invocations") == 6);
         assert_true(fake_value(frame, "draws") == 2);
      }
   }
}

/* Work after the last flush belongs to the frame. */
static void
a_frame_ends_after_its_last_work(void **state)
{
   struct world *world = *state;

   world_work(world, PITOT_PROFILE_DRAW, 1, 10, 1);
   world_flush(world, false);
   world_work(world, PITOT_PROFILE_DRAW, 3, 20, 2);
   pitot_profile_frame_ends(world->profiled);
   world_end(world);
   assert_int_equal(fake_slice_count(true, "frame"), 1);
   assert_int_equal(duration_ns(fake_slice(true, "frame", 0)), 33);
   assert_int_equal(fake_slice_count(true, "pass"), 2);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      world_case(calls_in_a_call_are_part_of_it, at_draw),
      cmocka_unit_test(a_frame_may_end_after_its_flush),
      world_case(a_frame_ends_after_its_last_work, at_pass),
      cmocka_unit_test(timestamps_are_shared),
      world_case(an_upload_after_the_last_pass_is_not_in_the_frame, at_pass),
      world_case(a_call_has_all_that_is_inside, at_draw),
      cmocka_unit_test(calls_are_left_out_while_nothing_is_recorded),
      world_case(a_group_ends_once, at_pass),
      world_case(a_flow_leads_from_each_call_to_its_execution, at_draw),
   };

   return cmocka_run_group_tests_name("profile: borders", tests, NULL, NULL);
}
