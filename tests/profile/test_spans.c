/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
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
passes_have_times_and_counts(void **state)
{
   struct world *world = *state;

   draw_frame(world);
   world_end(world);
   assert_int_equal(fake_slice_count(true, "frame"), 1);
   assert_int_equal(fake_slice_count(true, "pass"), 2);
   assert_int_equal(fake_slice_count(true, NULL), 3);

   const struct fake_event *frame = fake_slice(true, NULL, 0);
   const struct fake_event *shadows = fake_slice(true, NULL, 1);
   const struct fake_event *window = fake_slice(true, NULL, 2);
   assert_string_equal(frame->category, "frame");
   assert_string_equal(frame->name, "frame 1");
   assert_int_equal(duration_ns(frame), 100 + 5 + 200 + 7 + 40 + 9);
   assert_true(fake_has_value(frame, "profile_cpu_ns"));
   assert_string_equal(shadows->name, "shadows");
   assert_int_equal(duration_ns(shadows), 305);
   assert_true(fake_value(shadows, "draws") == 2);
   assert_true(fake_value(shadows, "samples passed") == 30);
   assert_true(fake_value(shadows, "pixels") == 640 * 480);
   assert_true(fake_value(shadows, "Fragment Shader Invocations") == 60);
   assert_string_equal(window->name, "window");
   assert_true(fake_value(window, "clears") == 1);
   assert_int_equal(duration_ns(window), 40 + 9); /* until the flush */
   assert_int_equal(window->begin_ns - shadows->end_ns, 7);
}

static uint64_t
no_pixels(void *data)
{
   (void)data;
   return 0;
}

/* The size of a framebuffer may be unknown. */
static void
passes_may_have_no_size(void **state)
{
   struct world world;

   (void)state;
   world_prepare(&world, &at_pass);
   world.info.pass_pixels = no_pixels;
   assert_int_equal(world_profile(&world), 0);
   draw_frame(&world);
   world_end(&world);
   assert_int_equal(fake_slice_count(true, "pass"), 2);
   assert_false(fake_has_value(fake_slice(true, "pass", 0), "pixels"));
   assert_int_equal(duration_ns(fake_slice(true, "pass", 0)), 305);
}

/* Calls that take almost no CPU time are only in traces of level draw. */
static void
short_calls_are_reported_among_draws(void **state)
{
   static const struct {
      const struct world_settings *level;
      unsigned count;
   } cases[] = { { &at_frame, 0 }, { &at_pass, 0 }, { &at_draw, 1 } };

   (void)state;
   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      struct world world;

      world_begin(&world, cases[i].level);
      const uint64_t now_ns = world_cpu_ns(&world);
      pitot_profile_cpu_call(world.profiled, "upload", "short", now_ns,
                             now_ns + 1, 4);
      world_end(&world);
      assert_int_equal(fake_slice_count(false, "upload"), cases[i].count);
   }
}

/* glPushDebugGroup accepts NULL with length 0. */
static void
groups_may_have_no_label(void **state)
{
   struct world *world = *state;

   pitot_profile_push_group(world->profiled, NULL, 0);
   world_work(world, PITOT_PROFILE_DRAW, 5, 10, 1);
   pitot_profile_pop_group(world->profiled);
   world_flush(world, true);
   world_end(world);
   assert_int_equal(fake_slice_count(true, "group"), 1);
   assert_string_equal(fake_slice(true, "group", 0)->name, "");
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

static void
counter_tracks_have_the_sums_of_a_frame(void **state)
{
   struct world *world = *state;

   for (unsigned i = 1; i <= 2; i++) {
      for (unsigned k = 0; k < i; k++)
         world_work(world, PITOT_PROFILE_DRAW, 5, 100, 20);
      world_flush(world, true);
   }
   world_end(world);
   for (unsigned i = 0; i < 2; i++) {
      const struct fake_event *counters = counters_of(i);
      const unsigned draws = i + 1;

      assert_non_null(counters);
      assert_int_equal(counters->begin_ns,
                       fake_slice(true, "frame", i)->begin_ns);
      assert_true(fake_value(counters, "calls") == draws);
      assert_true(fake_value(counters, "samples passed") == 20 * draws);
      assert_true(fake_value(counters, "Fragment Shader Invocations") ==
                  40 * draws);
      assert_true(fake_value(counters, "GPU time of a frame (ms)") * 1e6 ==
                  (double)duration_ns(fake_slice(true, "frame", i)));
   }
   assert_null(counters_of(2));
}

/* A counter track keeps its value until the next event. */
static void
counters_that_stay_are_written_once(void **state)
{
   struct world *world = *state;

   draw_frame(world);
   draw_frame(world);
   world_work(world, PITOT_PROFILE_DRAW, 0, 352, 33);
   world_flush(world, true);
   world_end(world);
   assert_true(counters_of(0)->value_count > 4);
   assert_int_equal(counters_of(1)->begin_ns,
                    fake_slice(true, "frame", 2)->begin_ns);
   assert_true(fake_value(counters_of(1), "calls") == 1);
   assert_false(fake_has_value(counters_of(1), "samples passed"));
   assert_null(counters_of(2));
}

/* Contexts share tracks: another one wrote the last value, and this frame may
 * begin earlier and be written later.
 */
static void
several_contexts_write_all_counters(void **state)
{
   struct world worlds[2];

   (void)state;
   world_begin(&worlds[0], &at_pass);
   world_begin(&worlds[1], &at_pass);
   for (unsigned i = 0; i < 4; i++) {
      world_use(&worlds[i / 2]);
      draw_frame(&worlds[i / 2]);
   }
   world_end_context(&worlds[1]);
   world_end(&worlds[0]);
   for (unsigned i = 1; i < 4; i++)
      assert_int_equal(counters_of(i)->value_count,
                       counters_of(0)->value_count);
}

/* Times around a reset are marked, because they may be invalid. */
static void
disjoint_times_are_marked(void **state)
{
   struct world *world = *state;

   draw_frame(world);
   world->null.base.disjoint = true;
   draw_frame(world);
   draw_frame(world);
   world_end(world);
   assert_true(fake_has_value(fake_mark("clock", 0), "reason"));
   assert_non_null(fake_mark("clock", 1)); /* of another interpolation */
   assert_true(fake_has_value(fake_mark("clock", 1), "reason"));
   assert_int_equal(fake_slice_count(true, "pass"), 6);
   for (unsigned i = 0; i < 6; i++)
      assert_int_equal(fake_has_value(fake_slice(true, "pass", i),
                                      "disjoint"),
                       i / 2 == 1);
   for (unsigned i = 0; i < 3; i++)
      assert_int_equal(fake_has_value(fake_slice(true, "frame", i),
                                      "disjoint"),
                       i == 1);
}

static void
draws_have_times_and_counts(void **state)
{
   static const char *const categories[] = { "frame", "pass", "draw",
                                             "draw",  "pass", "clear" };
   struct world *world = *state;

   draw_frame(world);
   world_end(world);
   assert_int_equal(fake_slice_count(true, NULL), 6);
   for (unsigned i = 0; i < 6; i++)
      assert_string_equal(fake_slice(true, NULL, i)->category, categories[i]);
   assert_int_equal(duration_ns(fake_slice(true, "draw", 1)), 200);
   assert_true(fake_value(fake_slice(true, "draw", 1), "samples passed") ==
               20);
   assert_string_equal(fake_slice(true, "draw", 1)->name, "program 0");
   assert_int_equal(duration_ns(fake_slice(true, "pass", 0)), 305);
   assert_true(fake_value(fake_slice(true, "pass", 0), "pixels") ==
               640 * 480);
}

/* Zeros of counters that were not requested would fill the trace. */
static void
zeros_are_left_out_unless_chosen(void **state)
{
   static const char name[] = "Tessellation Control Patches";
   static const char *const lists[] = { NULL, "Pipeline Statistics" };

   (void)state;
   for (unsigned i = 0; i < ARRAY_LENGTH(lists); i++) {
      const struct world_settings settings = { .counters = lists[i] };
      struct world world;

      world_begin(&world, &settings);
      draw_frame(&world);
      world_end(&world);
      assert_int_equal(fake_has_value(fake_slice(true, "pass", 0), name), i);
   }
}

static void
frames_have_times_and_counts(void **state)
{
   struct world *world = *state;

   draw_frame(world);
   draw_frame(world);
   world_end(world);
   assert_int_equal(fake_slice_count(true, NULL), 2);

   const struct fake_event *frame = fake_slice(true, "frame", 1);
   assert_string_equal(frame->name, "frame 2");
   assert_int_equal(duration_ns(frame), 361);
   assert_true(fake_value(frame, "samples passed") == 33);
   assert_true(fake_value(frame, "draws") == 2);
}

/* Work in the same groups is a pass. */
static void
groups_are_around_passes(void **state)
{
   static const char *const names[] = { "frame 1", "a",      "window", "b",
                                        "window",  "window", "window" };
   struct world *world = *state;

   pitot_profile_push_group(world->profiled, "a and more", 1);
   world_work(world, PITOT_PROFILE_DRAW, 1, 10, 1);
   pitot_profile_push_group(world->profiled, "b", 1);
   world_work(world, PITOT_PROFILE_DRAW, 1, 10, 1);
   pitot_profile_pop_group(world->profiled);
   world_work(world, PITOT_PROFILE_DRAW, 1, 10, 1);
   pitot_profile_pop_group(world->profiled);
   world_work(world, PITOT_PROFILE_DRAW, 1, 10, 1);
   world_flush(world, true);
   world_end(world);
   assert_int_equal(fake_slice_count(true, NULL), 7);
   for (unsigned i = 0; i < 7; i++)
      assert_string_equal(fake_slice(true, NULL, i)->name, names[i]);
   assert_int_equal(duration_ns(fake_slice(true, "group", 0)), 32);
   assert_int_equal(duration_ns(fake_slice(true, "group", 1)), 10);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      world_case(passes_have_times_and_counts, at_pass),
      cmocka_unit_test(passes_may_have_no_size),
      cmocka_unit_test(short_calls_are_reported_among_draws),
      world_case(groups_may_have_no_label, at_pass),
      world_case(counter_tracks_have_the_sums_of_a_frame, at_pass),
      world_case(counters_that_stay_are_written_once, at_pass),
      cmocka_unit_test(several_contexts_write_all_counters),
      world_case(disjoint_times_are_marked, at_pass),
      world_case(draws_have_times_and_counts, at_draw),
      cmocka_unit_test(zeros_are_left_out_unless_chosen),
      world_case(frames_have_times_and_counts, at_frame),
      world_case(groups_are_around_passes, at_pass),
   };

   return cmocka_run_group_tests_name("profile: spans", tests, NULL, NULL);
}
