/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * GPU times on the CPU's clock: interpolation of clock samples, and epochs.
 */

#include "world.h"

#define MS_NS UINT64_C(1000000)

/* The next clock sample. */
static struct pitot_correlation the_clocks;

static bool
correlate(void *data, struct pitot_correlation *clocks_out)
{
   (void)data;
   *clocks_out = the_clocks;
   return the_clocks.gpu_ns != 0;
}

/* Also advances the CPU's clock to that time. */
static void
set_clocks(struct world *world, uint64_t cpu_ns, uint64_t gpu_ns,
           uint64_t error_ns)
{
   the_clocks = (struct pitot_correlation){ cpu_ns - error_ns, gpu_ns,
                                            cpu_ns + error_ns };
   world->cpu_only_ns += the_clocks.after_ns - world_cpu_ns(world);
}

static void
begin(struct world *world, uint64_t cpu_ns, uint64_t gpu_ns,
      uint64_t error_ns)
{
   world_prepare(world, &at_pass);
   world->info.correlate = correlate;
   set_clocks(world, cpu_ns, gpu_ns, error_ns);
   assert_int_equal(world_profile(world), 0);
}

static void
sample(struct world *world, uint64_t cpu_ns, uint64_t gpu_ns,
       uint64_t error_ns)
{
   set_clocks(world, cpu_ns, gpu_ns, error_ns);
   pitot_profile_clock_read(world->profiled);
}

static struct pitot_profile_time
place(struct world *world, uint64_t gpu_ns, uint64_t earliest_ns)
{
   struct pitot_profile_time time = { 0 };

   assert_true(
      pitot_profile_clock_place(world->profiled, gpu_ns, earliest_ns, &time));
   return time;
}

TEST(a_time_is_on_the_line_between_two_samples)
{
   struct world world;

   begin(&world, 1000 * MS_NS, 100 * MS_NS, 300);
   sample(&world, 1020 * MS_NS + 2000, 120 * MS_NS, 500);
   sample(&world, 1040 * MS_NS + 2000, 140 * MS_NS, 100);

   const struct pitot_profile_time first = place(&world, 110 * MS_NS, 0);
   const struct pitot_profile_time second = place(&world, 120 * MS_NS, 0);
   const struct pitot_profile_time third = place(&world, 130 * MS_NS, 0);
   assert_int_equal(first.ns, 1010 * MS_NS + 1000);
   assert_int_equal(first.error_ns, 500);
   assert_int_equal(second.ns, 1020 * MS_NS + 2000);
   assert_int_equal(third.ns, 1030 * MS_NS + 2000);
   assert_int_equal(third.error_ns, 500);
   assert_int_equal(third.epoch, 1);
   world_end(&world);
}

/* The clocks run alike there, apart from their crystals' drift. */
TEST(a_time_may_be_before_or_after_all_samples)
{
   struct world world;

   begin(&world, 1000 * MS_NS, 100 * MS_NS, 300);
   sample(&world, 1020 * MS_NS, 120 * MS_NS, 500);

   const struct pitot_profile_time early = place(&world, 99 * MS_NS, 0);
   const struct pitot_profile_time late =
      place(&world, 120 * MS_NS + 50000, 0);
   assert_int_equal(early.ns, 999 * MS_NS);
   assert_int_equal(early.error_ns, 300 + 1000);
   assert_int_equal(late.ns, 1020 * MS_NS + 50000);
   assert_int_equal(late.error_ns, 500 + 50);
   world_end(&world);
}

/* A sample is replaced by the next until it is far from the previous one. */
TEST(close_samples_are_one)
{
   struct world world;

   begin(&world, 1000 * MS_NS, 100 * MS_NS, 300);
   sample(&world, 1001 * MS_NS, 101 * MS_NS, 90000);
   sample(&world, 1010 * MS_NS, 110 * MS_NS, 200);
   assert_int_equal(place(&world, 105 * MS_NS, 0).error_ns, 300);
   assert_int_equal(world.profiled->clock.sample_count, 2);
   sample(&world, 1016 * MS_NS, 116 * MS_NS, 200);
   assert_int_equal(world.profiled->clock.sample_count, 3);

   /* The first sample of an epoch is kept. */
   sample(&world, 1020 * MS_NS, 500 * MS_NS, 200);
   sample(&world, 1021 * MS_NS, 501 * MS_NS, 200);
   assert_int_equal(world.profiled->clock.sample_count, 5);
   world_end(&world);
}

/* No interpolation, whether or not the GPU's clock shows the restart. */
TEST(no_line_leads_over_a_restart)
{
   static const uint64_t restarts_ns[] = { 1 * MS_NS, 121 * MS_NS,
                                           9000 * MS_NS };

   for (unsigned i = 0; i < ARRAY_LENGTH(restarts_ns); i++) {
      const uint64_t gpu_ns = restarts_ns[i];
      struct world world;

      begin(&world, 1000 * MS_NS, 100 * MS_NS, 0);
      sample(&world, 1020 * MS_NS, 120 * MS_NS, 0);
      set_clocks(&world, 1040 * MS_NS, gpu_ns, 0);
      pitot_profile_clock_restart(world.profiled);
      sample(&world, 1060 * MS_NS, gpu_ns + 20 * MS_NS, 0);

      const struct pitot_profile_time before =
         place(&world, 110 * MS_NS, 1000 * MS_NS);
      const struct pitot_profile_time after =
         place(&world, gpu_ns + 10 * MS_NS, 1041 * MS_NS);
      const struct pitot_profile_time between =
         place(&world, gpu_ns - 1, 1021 * MS_NS);
      assert_int_equal(before.ns, 1010 * MS_NS);
      assert_int_equal(before.epoch, 1);
      assert_int_equal(after.ns, 1050 * MS_NS);
      assert_int_equal(after.epoch, 2);
      assert_in_range(between.ns, 1020 * MS_NS, 1040 * MS_NS);
      assert_int_equal(between.error_ns, 20 * MS_NS);
      world_end(&world);
   }
}

/* Until the next sample, times of the new epoch are unknown. */
TEST(a_restart_that_cannot_be_read_ends_a_line)
{
   struct pitot_profile_time time;
   struct world world;

   begin(&world, 1000 * MS_NS, 100 * MS_NS, 0);
   assert_int_equal(place(&world, 100 * MS_NS + 7, 0).epoch, 1);
   the_clocks.gpu_ns = 0;
   pitot_profile_clock_restart(world.profiled);
   assert_false(
      pitot_profile_clock_place(world.profiled, 100 * MS_NS + 7, 0, &time));
   sample(&world, 1020 * MS_NS, 120 * MS_NS, 0);
   assert_int_equal(place(&world, 120 * MS_NS + 7, 0).epoch, 2);
   world_end(&world);
}

/* Durations of the next reads. */
static const uint64_t *reading_ns;

static uint64_t
read_for_a_while(struct pitot_driver *driver)
{
   struct pitot_null *null = (struct pitot_null *)driver;

   null->time_ns += *reading_ns++;
   return null->time_ns;
}

/* A read that was interrupted is repeated. */
TEST(the_best_of_several_readings_counts)
{
   static const uint64_t first_ns[5] = { 700, 300, 900, 100, 50 };
   static const struct {
      uint64_t ns[4];
      unsigned count;
      uint64_t error_ns, least_ns;
   } later[] = {
      { { 150 }, 1, 75, 100 },
      { { 9000, 151, 140, 1 }, 3, 70, 100 },
      { { 80 }, 1, 40, 80 },
   };
   struct world world;

   world_prepare(&world, &at_pass);
   world.ops.timestamp_ns = read_for_a_while;
   reading_ns = first_ns;
   assert_int_equal(world_profile(&world), 0);

   const struct pitot_profile_clock *clock = &world.profiled->clock;
   assert_ptr_equal(reading_ns, first_ns + 4);
   assert_int_equal(clock->samples[0].error_ns, 50);
   assert_int_equal(clock->least_ns, 100);
   for (unsigned i = 0; i < ARRAY_LENGTH(later); i++) {
      reading_ns = later[i].ns;
      pitot_profile_clock_read(world.profiled);
      assert_ptr_equal(reading_ns, later[i].ns + later[i].count);
      assert_int_equal(clock->samples[clock->sample_count - 1].error_ns,
                       later[i].error_ns);
      assert_int_equal(clock->least_ns, later[i].least_ns);
   }
   reading_ns = first_ns;
   world_end(&world);
}

/* Even if it was fast while the GPU was idle. */
TEST(a_clock_that_is_slow_is_read_no_more)
{
   static const uint64_t ns[] = { 100,    49000,  49000, 49000, 49000,
                                  900000, 500000, 51000, 60000 };
   struct world world;

   world_prepare(&world, &at_pass);
   world.ops.timestamp_ns = read_for_a_while;
   reading_ns = ns + 1;
   assert_int_equal(world_profile(&world), 0);
   reading_ns = ns;
   pitot_profile_clock_read(world.profiled);
   for (unsigned i = 1; i < ARRAY_LENGTH(ns); i += 4) {
      assert_ptr_equal(reading_ns, ns + i);
      pitot_profile_clock_read(world.profiled);
   }
   assert_ptr_equal(reading_ns, ns + ARRAY_LENGTH(ns));
   pitot_profile_clock_read(world.profiled);
   assert_ptr_equal(reading_ns, ns + ARRAY_LENGTH(ns));
   world_end(&world);
}

/* A span's times are the sample: the best one, until the drift exceeds the
 * difference to the next one.
 */
TEST(a_clock_that_waits_has_one_sample)
{
   static const struct {
      uint64_t earliest_ns, gpu_ns, now_ns;
      uint64_t taken_gpu_ns; /* the sample then */
   } times[] = {
      { 1000 * MS_NS, 100 * MS_NS, 1002 * MS_NS, 100 * MS_NS },
      { 1010 * MS_NS, 110 * MS_NS, 1011 * MS_NS, 110 * MS_NS },
      { 1020 * MS_NS, 120 * MS_NS, 1022 * MS_NS, 110 * MS_NS },
      { 1500 * MS_NS, 600 * MS_NS, 1502 * MS_NS, 110 * MS_NS },
      { 1600 * MS_NS, 700 * MS_NS, 1602 * MS_NS, 700 * MS_NS },
   };
   struct world world;

   world_prepare(&world, &at_pass);
   assert_int_equal(world_profile(&world), 0);
   struct pitot_profile_clock *clock = &world.profiled->clock;
   clock->is_slow = true;
   clock->sample_count = 0;
   for (unsigned i = 0; i < ARRAY_LENGTH(times); i++) {
      set_clocks(&world, times[i].now_ns, 0, 0);
      place(&world, times[i].gpu_ns, times[i].earliest_ns);
      assert_int_equal(clock->sample_count, 1);
      assert_int_equal(clock->samples[0].gpu_ns, times[i].taken_gpu_ns);
   }
   world_end(&world);
}

/* Just past the last sample, a time belongs to the old epoch. */
TEST(a_time_at_a_restart_is_of_either_epoch)
{
   struct pitot_profile_time time;
   struct world world;

   begin(&world, 1000 * MS_NS, 9000 * MS_NS, 0);
   sample(&world, 1020 * MS_NS, 70 * MS_NS, 0);
   time = place(&world, 9001 * MS_NS, 0);
   assert_int_equal(time.ns, 1001 * MS_NS);
   assert_int_equal(time.epoch, 1);
   time = place(&world, 69 * MS_NS, 0);
   assert_int_equal(time.ns, 1019 * MS_NS);
   assert_int_equal(time.epoch, 2);
   assert_false(
      pitot_profile_clock_place(world.profiled, 500000 * MS_NS, 0, &time));
   world_end(&world);
}

/* A later epoch repeats the times: a span cannot lie before its begin. */
TEST(a_time_is_not_before_its_span)
{
   struct pitot_profile_time time;
   struct world world;

   begin(&world, 1000 * MS_NS, 100 * MS_NS, 0);
   sample(&world, 1020 * MS_NS, 120 * MS_NS, 0);
   sample(&world, 2000 * MS_NS, 100 * MS_NS, 0);
   sample(&world, 2020 * MS_NS, 120 * MS_NS, 0);
   assert_int_equal(place(&world, 110 * MS_NS, 1005 * MS_NS).ns,
                    1010 * MS_NS);
   assert_int_equal(place(&world, 110 * MS_NS, 2005 * MS_NS).ns,
                    2010 * MS_NS);
   assert_false(pitot_profile_clock_place(world.profiled, 110 * MS_NS,
                                          2015 * MS_NS, &time));
   world_end(&world);
}

/* Only the latest samples are kept: older times have a larger error. */
TEST(a_time_of_long_ago_has_an_error)
{
   struct world world;

   begin(&world, 1000 * MS_NS, 100 * MS_NS, 7);
   for (unsigned i = 1; i < 1000; i++)
      sample(&world, (1000 + 20 * i) * MS_NS, (100 + 20 * i) * MS_NS, 7);
   for (unsigned i = 0; i < 1000; i++) {
      const struct pitot_profile_time time =
         place(&world, (100 + 20 * i) * MS_NS, 0);
      const unsigned oldest = 1000 - PITOT_PROFILE_MAX_SAMPLES;

      assert_int_equal(time.ns, (1000 + 20 * i) * MS_NS);
      assert_int_equal(time.error_ns,
                       7 + (i < oldest ? (oldest - i) * 20000 : 0));
   }
   world_end(&world);
}
