/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <string.h>

#include "world.h"

#define SECOND_NS UINT64_C(1000000000)

/* Within the error of the last instant event at or before the time. */
static void
assert_about(uint64_t time_ns, uint64_t expected_ns, uint64_t max_error_ns)
{
   const struct fake_event *mark;
   uint64_t error_ns = UINT64_MAX;

   for (unsigned i = 0; (mark = fake_mark("clock", i)); i++) {
      assert_true(fake_value(mark, "error_ns") >= 0);
      if (mark->begin_ns <= time_ns)
         error_ns = (uint64_t)fake_value(mark, "error_ns");
   }
   assert_in_range(error_ns, 0, max_error_ns);
   assert_in_range(time_ns, expected_ns - error_ns, expected_ns + error_ns);
}

/* Draws a frame, and returns its begin. */
static uint64_t
frame(struct world *world, uint64_t duration_ns)
{
   const uint64_t begin_ns = world_cpu_ns(world) + 7;

   world_work(world, PITOT_PROFILE_DRAW, 7, duration_ns, 1);
   world_flush(world, true);
   return begin_ns;
}

WORLD_TEST(slices_are_on_the_clock_of_the_cpu)
{
   uint64_t begins_ns[20];

   for (unsigned i = 0; i < ARRAY_LENGTH(begins_ns); i++) {
      begins_ns[i] = frame(world, 3000000);
   }
   world_end(world);
   for (unsigned i = 0; i < ARRAY_LENGTH(begins_ns); i++) {
      assert_about(fake_slice(true, "frame", i)->begin_ns, begins_ns[i],
                   10000);
      assert_about(fake_slice(true, "pass", i)->end_ns,
                   begins_ns[i] + 3000300, 10000);
   }
   assert_int_equal(fake_value(fake_mark("clock", 0), "context"), 1);
}

/* Times are interpolated between samples, however long ago the last was. */
WORLD_TEST(slices_are_as_long_as_on_the_clock_of_the_cpu)
{
   for (unsigned i = 0; i < 20; i++)
      frame(world, 3000000);
   world_work(world, PITOT_PROFILE_DRAW, 7, 3000000, 1);
   world_end(world);
   for (unsigned i = 0; i < 21; i++) {
      const struct fake_event *pass = fake_slice(true, "pass", i);

      assert_in_range(pass->end_ns - pass->begin_ns, 3000295, 3000305);
   }
}

/* The clocks are sampled at the end, so that the last times are exact. */
WORLD_TEST(clocks_are_read_at_the_end)
{
   for (unsigned i = 0; i < 20; i++)
      frame(world, 3000000);
   world_work(world, PITOT_PROFILE_DRAW, 7, SECOND_NS, 1);
   const uint64_t end_ns = world_cpu_ns(world);
   world_end(world);
   assert_about(fake_slice(true, "pass", 20)->end_ns, end_ns, 20000);
}

/* A program that flushes rarely has exact times, too. */
WORLD_TEST(clocks_are_read_between_flushes)
{
   uint64_t begin_ns = 0;

   for (unsigned i = 0; i < 100; i++) {
      const uint64_t gap_begin_ns = world_cpu_ns(world);

      world->null.time_ns += 3000000;
      pitot_profile_cpu_call(world->profiled, "wait", "wait", gap_begin_ns,
                             world_cpu_ns(world), 0);
      begin_ns = world_cpu_ns(world) + 3000300;
      world_work(world, PITOT_PROFILE_DRAW, 3000000, 1000, 1);
      pitot_profile_pass_ends(world->profiled);
   }
   world_flush(world, true);
   world_end(world);
   assert_about(fake_slice(true, "pass", 99)->begin_ns, begin_ns, 10000);
}

static unsigned
count_epochs(void)
{
   unsigned epochs = 0;

   for (unsigned i = 0; fake_mark("clock", i); i++)
      epochs += fake_has_value(fake_mark("clock", i), "reason");
   return epochs;
}

/* The GPU's clock jumps by step_ns between two frames. */
static void
check_step(int64_t step_ns)
{
   const uint64_t count = 20;
   uint64_t begins_ns[40];
   struct world world;

   world_begin(&world, &at_pass);
   world.null.time_ns += 10 * SECOND_NS;
   for (unsigned i = 0; i < 2 * count; i++) {
      if (i == count)
         world_step(&world, step_ns);
      begins_ns[i] = frame(&world, 6000000);
   }
   world_end(&world);
   assert_int_equal(fake_slice_count(true, "frame"), 2 * count);
   for (unsigned i = 0; i < 2 * count; i++) {
      if (i != count)
         assert_about(fake_slice(true, "frame", i)->begin_ns, begins_ns[i],
                      SECOND_NS / 50);
   }
   assert_int_equal(count_epochs(), 2);
}

TEST(a_step_of_the_clock_begins_an_epoch)
{
   check_step(-(int64_t)SECOND_NS);
   check_step((int64_t)SECOND_NS);
}

/* Without ends of frames, the frame's begin is hours ago at the end. */
TEST(a_frame_may_last_for_hours)
{
   static const struct world_settings *const levels[] = { &at_frame,
                                                          &at_pass };

   for (unsigned l = 0; l < ARRAY_LENGTH(levels); l++) {
      struct world world;

      world_begin(&world, levels[l]);
      const uint64_t begin_ns =
         world_cpu_ns(&world) + SECOND_NS + SECOND_NS / DRIFT_PART;
      for (unsigned i = 0; i < 3600; i++) {
         world_work(&world, PITOT_PROFILE_DRAW, SECOND_NS, 1000, 1);
         world_flush(&world, false);
      }
      const uint64_t end_ns = world_cpu_ns(&world);
      world_end(&world);
      const unsigned parts = fake_slice_count(true, "frame");
      assert_in_range(parts, 1, 3600);
      assert_about(fake_slice(true, "frame", 0)->begin_ns, begin_ns,
                   SECOND_NS / 100);
      assert_about(fake_slice(true, "frame", parts - 1)->end_ns, end_ns,
                   SECOND_NS / 100);
      assert_null(fake_mark("not measured", 0));
   }
}

/* Slight deviations from a line lose no time, and begin no epoch. */
WORLD_TEST(a_small_contradiction_is_on_the_line)
{
   frame(world, 6000000);
   world_step(world, -10000);
   const uint64_t begin_ns = frame(world, 100);
   world_end(world);
   assert_int_equal(fake_slice_count(true, "pass"), 2);
   assert_in_range(fake_slice(true, "pass", 1)->begin_ns, begin_ns - 30000,
                   begin_ns + 30000);
   assert_null(fake_mark("not measured", 0));
   assert_null(fake_mark("clock", 1));
}

/*
 * Other ways to read the clocks
 */

static uint64_t
never_read(struct pitot_driver *driver)
{
   (void)driver;
   fail_msg("the clock was read");
   return 0;
}

/* Prepares a world whose GPU clock must not be read directly. */
static void
prepare(struct world *world, const struct world_settings *settings)
{
   world_prepare(world, settings);
   world->ops.timestamp_ns = never_read;
}

static void
check_frames(struct world *world, uint64_t max_error_ns)
{
   uint64_t begins_ns[20];

   assert_int_equal(world_profile(world), 0);
   for (unsigned i = 0; i < ARRAY_LENGTH(begins_ns); i++)
      begins_ns[i] = frame(world, 3000000);
   world_end(world);
   for (unsigned i = 0; i < ARRAY_LENGTH(begins_ns); i++) {
      assert_about(fake_slice(true, "frame", i)->begin_ns, begins_ns[i],
                   max_error_ns);
      assert_about(fake_slice(true, "pass", i)->end_ns,
                   begins_ns[i] + 3000300, max_error_ns);
   }
   assert_null(fake_mark("not measured", 0));
}

/* The best of all: read in the first of 41 ns.  Every second call fails. */
static bool
correlate(void *data, struct pitot_correlation *clocks_out)
{
   static unsigned count;
   const struct world *world = data;

   clocks_out->before_ns = world_cpu_ns(world);
   clocks_out->gpu_ns = world->null.time_ns;
   clocks_out->after_ns = clocks_out->before_ns + 41;
   return ++count % 2;
}

TEST(the_kernel_may_read_both_clocks)
{
   struct world world;

   prepare(&world, &at_pass);
   world.info.correlate = correlate;
   check_frames(&world, 10000);
}

static unsigned slow_count;

/* Waits for the GPU. */
static uint64_t
read_slowly(struct pitot_driver *driver)
{
   struct pitot_null *null = (struct pitot_null *)driver;

   slow_count++;
   null->time_ns += 50000;
   return null->time_ns;
}

/* Reads that wait stop after a few tries; then spans' times are used, with an
 * error up to a frame's time in flight.
 */
TEST(a_clock_that_waits_is_not_read_again)
{
   struct world world;

   prepare(&world, &at_pass);
   world.ops.timestamp_ns = read_slowly;
   slow_count = 0;
   check_frames(&world, 3100000);
   assert_in_range(slow_count, 1, 16);
}

TEST(a_clock_that_waits_may_step)
{
   struct world world;

   prepare(&world, &at_pass);
   world.ops.timestamp_ns = read_slowly;
   assert_int_equal(world_profile(&world), 0);
   world.null.time_ns += 10 * SECOND_NS;
   for (unsigned i = 0; i < 4; i++) {
      if (i == 2)
         world_step(&world, -(int64_t)SECOND_NS);
      const uint64_t begin_ns = frame(&world, 3000000);
      const struct fake_event *slice = fake_slice(true, "frame", i);

      assert_in_range(slice->begin_ns, begin_ns - 3100000,
                      begin_ns + 3100000);
   }
   world_end(&world);
   assert_int_equal(count_epochs(), 2);
}

static uint64_t
read_nothing(struct pitot_driver *driver)
{
   (void)driver;
   return 0;
}

TEST(a_clock_that_cannot_be_read_has_no_times)
{
   struct world world;

   world_listen();
   prepare(&world, &at_pass);
   world.ops.timestamp_ns = read_nothing;
   assert_int_equal(world_profile(&world), 0);
   frame(&world, 3000000);
   world_end(&world);
   const char *text = world_said();
   assert_int_equal(fake_slice_count(true, NULL), 0);
   assert_true(fake_value(fake_mark("not measured", 0), "calls") == 1);
   assert_string_equal(
      text, "pitot: /pitot-world.json: 1 of 1 calls were not measured\n");
}

/* Samples with errors of a second agree within their errors. */
TEST(a_clock_that_waits_has_one_epoch)
{
   struct world world;

   prepare(&world, &at_frame);
   world.ops.timestamp_ns = read_slowly;
   assert_int_equal(world_profile(&world), 0);
   for (unsigned i = 0; i < 20; i++) {
      world_work(&world, PITOT_PROFILE_DRAW, SECOND_NS, 1000, 1);
      world_flush(&world, false);
      pitot_profile_frame_ends(world.profiled);
   }
   world_end(&world);
   assert_int_equal(fake_slice_count(true, "frame"), 20);
   assert_int_equal(count_epochs(), 1);
}

TEST(a_driver_without_timestamps_is_refused)
{
   const struct world_settings settings = { .level = "pass",
                                            .has_no_clock = true };
   struct world world;

   world_listen();
   assert_int_equal(world_try(&world, &settings), -ENOTSUP);
   world.profiled = NULL;
   world_end(&world);
   const char *text = world_said();
   assert_string_equal(
      text, "pitot: this driver has no timestamps; profiling is off\n");
}
