/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <signal.h>
#include <string.h>

#include "capture.h"
#include "world.h"

static void
frame(struct world *world)
{
   world_work(world, PITOT_PROFILE_DRAW, 5, 10, 1);
   world_flush(world, true);
}

static void
frames_of_a_range_are_recorded(void **state)
{
   static const struct world_settings *const levels[] = { &at_frame, &at_pass,
                                                          &at_draw };

   (void)state;
   for (unsigned l = 0; l < ARRAY_LENGTH(levels); l++) {
      struct world_settings settings = *levels[l];
      struct world world;

      settings.frames = "2-3";
      world_begin(&world, &settings);
      for (unsigned i = 0; i < 5; i++)
         frame(&world);
      world_end(&world);
      assert_int_equal(fake_slice_count(true, "frame"), 2);
      assert_string_equal(fake_slice(true, "frame", 0)->name, "frame 2");
      assert_string_equal(fake_slice(true, "frame", 1)->name, "frame 3");
      assert_int_equal(fake_slice_count(false, NULL),
                       settings.level[0] == 'f' ? 2 : 4);
   }
}

/* A flush without work does not end a frame. */
static void
a_frame_has_work(void **state)
{
   struct world *world = *state;

   world_flush(world, true);
   frame(world);
   world_flush(world, true);
   frame(world);
   world_end(world);
   assert_int_equal(fake_slice_count(true, "frame"), 2);
   assert_true(fake_value(fake_slice(true, "frame", 1), "frame") == 2);
}

/* The last frame is complete, although it was not presented. */
static void
the_end_of_a_context_ends_a_frame(void **state)
{
   static const struct world_settings *const levels[] = { &at_frame, &at_pass,
                                                          &at_draw };

   (void)state;
   for (unsigned l = 0; l < ARRAY_LENGTH(levels); l++) {
      struct world world;

      world_begin(&world, levels[l]);
      frame(&world);
      world_work(&world, PITOT_PROFILE_DRAW, 5, 10, 1);
      world_flush(&world, false);
      world_work(&world, PITOT_PROFILE_DRAW, 5, 10, 1);
      world_end(&world);
      assert_int_equal(fake_slice_count(true, "frame"), 2);
      assert_string_equal(fake_slice(true, "frame", 1)->name, "frame 2");
   }
}

static void
a_signal_begins_and_ends(void **state)
{
   const struct world_settings settings = { .frames = "0" };
   struct world world;

   (void)state;
   world_begin(&world, &settings);
   frame(&world);
   raise(SIGUSR2);
   frame(&world); /* recorded from its flush on */
   frame(&world);
   world_work(&world, PITOT_PROFILE_DRAW, 5, 10, 1);
   raise(SIGUSR2);
   world_work(&world, PITOT_PROFILE_DRAW, 5, 10, 1);
   world_flush(&world, false);
   frame(&world);
   world_end(&world);
   assert_int_equal(fake_slice_count(true, "frame"), 2);
   assert_string_equal(fake_slice(true, "frame", 0)->name, "frame 3");
   assert_string_equal(fake_slice(true, "frame", 1)->name, "frame 4");
   assert_true(fake_value(fake_slice(true, "pass", 1), "draws") == 2);
}

static void
own_handler(int signal_number)
{
   (void)signal_number;
}

static void
a_handler_of_the_programs_stays(void **state)
{
   struct sigaction action;
   struct world world;

   (void)state;
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
static void
work_without_frames_is_written(void **state)
{
   static const uint64_t gaps_ns[] = { 1, 1000000 };

   (void)state;
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

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(frames_of_a_range_are_recorded),
      world_case(a_frame_has_work, at_pass),
      cmocka_unit_test(the_end_of_a_context_ends_a_frame),
      cmocka_unit_test(a_signal_begins_and_ends),
      cmocka_unit_test(a_handler_of_the_programs_stays),
      cmocka_unit_test(work_without_frames_is_written),
   };

   return cmocka_run_group_tests_name("profile: recording", tests, NULL,
                                      NULL);
}
