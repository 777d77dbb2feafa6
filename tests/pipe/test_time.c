/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Time: its bits, and where a driver measures it.
 */

#include <errno.h>

#include "fixture.h"
#include "pitot_clock.h"

static const char *name;

static const char *
get_name(struct pipe_screen *screen)
{
   (void)screen;
   return name;
}

static unsigned
bits_of(struct fixture *f, enum pitot_kind kind)
{
   return pitot_counter_bits(f->context, kind);
}

static uint64_t
screen_timestamp(struct pipe_screen *screen)
{
   (void)screen;
   return 42;
}

/* The screen's, else the context's; 0 if the driver has no timestamps. */
FAKE_TEST(now_is_the_drivers)
{
   open_fixture(f);
   assert_int_equal(pitot_timestamp_ns(f->context), 0);
   f->fake.time_ns = 7;
   assert_int_equal(pitot_timestamp_ns(f->context), 7);
   f->fake.screen.get_timestamp = screen_timestamp;
   assert_int_equal(pitot_timestamp_ns(f->context), 42);
   caps_of(f)->query_timestamp = false;
   assert_int_equal(f->client.base.ops->timestamp_ns(&f->client.base), 0);
}

static bool is_failing;

static int
read_clock(void *unused, struct pitot_clock_reading *reading_out)
{
   (void)unused;
   reading_out->ticks = 1000;
   return is_failing ? -EIO : 0;
}

static uint64_t
no_time(void)
{
   return 0;
}

/* With Pitot's queries, "now" comes from its clock; failures are disjoint. */
FAKE_TEST(now_is_pitots)
{
   struct pitot_clock clock;

   pitot_clock_init(&clock, &(struct pitot_clock_info){
                               .width_bits = 36,
                               .frequency_hz = PITOT_NS_PER_S,
                               .read = read_clock,
                               .cpu_ns = no_time,
                            });
   open_fixture(f);
   f->fake.screen.get_timestamp = screen_timestamp;
   f->client.info.clock = &clock;
   for (unsigned i = 0; i < 3; i++) {
      is_failing = i == 1;
      assert_int_equal(pitot_timestamp_ns(f->context), 1000);
      assert_int_equal(pitot_disjoint_take(f->context), is_failing);
   }
   pitot_clock_finish(&clock);
}

/* Times have the cap's bits, booleans 1, mesh shaders 0, all others 64. */
FAKE_TEST(bits_are_the_drivers)
{
   caps_of(f)->query_timestamp_bits = 36;
   open_fixture(f);
   assert_int_equal(bits_of(f, PITOT_KIND_TIMESTAMP), 36);
   assert_int_equal(bits_of(f, PITOT_KIND_TIME_ELAPSED), 36);
   for (enum pitot_kind kind = 0; kind < PITOT_KIND_COUNT; kind++) {
      const struct pitot_kind_info *info = pitot_kind_info(kind);

      if (!info->is_time)
         assert_int_equal(bits_of(f, kind),
                          info->is_boolean                    ? 1
                          : kind >= PITOT_KIND_TS_INVOCATIONS ? 0
                                                              : 64);
   }
}

static const struct {
   const char *name;
   unsigned caps_bits, tick_ns, bits;
} drivers[] = {
   { "softpipe", 64, 1, 64 },
   { "llvmpipe (LLVM 19.1.7, 256 bits)", 64, 1, 64 },
   { "Mesa Intel(R) HD Graphics 4600 (HSW GT2)", 64, 80, 36 },
   { "zink Vulkan 1.3(Intel(R) UHD (INTEL_OPEN_SOURCE_MESA))", 36, 84, 42 },
   { "zink Vulkan 1.4(llvmpipe (MESA_LLVMPIPE))", 64, 1, 64 },
   { "zink Vulkan 1.3(AMD RADV (radeonsi, not))", 64, 10, 64 },
   { "virgl (AMD Radeon (radeonsi, navi21))", 64, 0, 64 },
   { "AMD Radeon RX 6800 (radeonsi, navi21, LLVM 19.1.7)", 64, 10, 47 },
   { "AMD CAYMAN (DRM 2.50.0 / 6.1.0)", 64, 38, 49 },
   { "Mali-G52 (Panfrost)", 64, 41, 39 },
   { "FD630", 64, 52, 53 },
   { "Adreno X1-85", 64, 52, 53 },
   { "V3D 7.1.7.0", 64, 0, 64 },
   { "NVE4", 64, 1000, 64 },
};

/* Bits of ticks plus bits of a tick's duration, even if the caps differ. */
FAKE_TEST_EACH(bits_are_of_nanoseconds, i, ARRAY_LENGTH(drivers))
{
   name = drivers[i].name;
   f->fake.screen.get_name = get_name;
   caps_of(f)->query_timestamp_bits = drivers[i].caps_bits;
   caps_of(f)->timer_resolution = drivers[i].tick_ns;
   open_driver_fixture(f);
   assert_int_equal(bits_of(f, PITOT_KIND_TIMESTAMP), drivers[i].bits);
   assert_int_equal(bits_of(f, PITOT_KIND_TIME_ELAPSED), drivers[i].bits);
}

/* crocus and iris share a name, but iris has a wider clock. */
FAKE_TEST(iris_is_not_crocus)
{
   name = "Mesa Intel(R) UHD Graphics 630 (CFL GT2)";
   f->fake.screen.get_name = get_name;
   caps_of(f)->query_memory_info = true;
   caps_of(f)->timer_resolution = 84;
   open_driver_fixture(f);
   assert_int_equal(bits_of(f, PITOT_KIND_TIMESTAMP), 42);
}

/* "if the number of query counter bits for target is zero, then the result is
 * returned as a single integer with the value zero"
 * (EXT_disjoint_timer_query), immediately.  The time now is 0, too.
 */
FAKE_TEST(time_without_timestamps)
{
   struct pitot_query *query;
   uint64_t memory = 5;

   caps_of(f)->query_timestamp = false;
   f->fake.is_held = true;
   open_fixture(f);
   assert_int_equal(bits_of(f, PITOT_KIND_TIMESTAMP), 0);
   assert_int_equal(bits_of(f, PITOT_KIND_TIME_ELAPSED), 64);

   f->fake.time_ns = 500;
   pitot_query_obtain(f->context, 1, &query);
   assert_int_equal(pitot_query_begin(f->context, query, PITOT_KIND_TIMESTAMP,
                                      0),
                    0);
   for (unsigned type = 0; type < PITOT_TYPE_COUNT; type++)
      assert_false(
         pitot_query_store(f->context, query, PITOT_STORE_RESULT, type,
                           fake_pipe_resource(&f->fake, &memory), 0));
   assert_int_equal(memory, 5);
   query->result = 7; /* an earlier result */
   assert_true(pitot_query_resolve(f->context, query, false));
   assert_int_equal(query->result, 0);
   assert_int_equal(pitot_timestamp_ns(f->context), 0);
   assert_int_equal(f->fake.result_calls, 0);

   pitot_query_obtain(f->context, 2, &query);
   pitot_query_begin(f->context, query, PITOT_KIND_TIME_ELAPSED, 0);
   f->fake.time_ns = 700;
   pitot_query_end(f->context, PITOT_KIND_TIME_ELAPSED, 0);
   assert_true(pitot_query_resolve(f->context, query, true));
   assert_int_equal(query->result, 200);
   assert_false(pitot_disjoint_take(f->context));
}

/* If the second timestamp is earlier, the elapsed time is 0 and disjoint. */
FAKE_TEST(emulated_time_is_never_negative)
{
   struct pitot_query *query;

   caps_of(f)->query_time_elapsed = false;
   open_fixture(f);
   pitot_query_obtain(f->context, 1, &query);
   f->fake.time_ns = 1000;
   pitot_query_begin(f->context, query, PITOT_KIND_TIME_ELAPSED, 0);
   f->fake.time_ns = 400;
   pitot_query_end(f->context, PITOT_KIND_TIME_ELAPSED, 0);
   assert_true(pitot_query_resolve(f->context, query, true));
   assert_int_equal(query->result, 0);
   assert_true(pitot_disjoint_take(f->context));
}

/* If the clock is read per bin: flushes before and after each reading. */
FAKE_TEST(binned_times_are_apart)
{
   struct pitot_query *query;

   open_info_fixture(f, (struct pitot_pipe_info){ .bins_time = true });
   measure(f, 1, PITOT_KIND_SAMPLES_PASSED);
   assert_int_equal(f->fake.flushes, 0);
   measure(f, 2, PITOT_KIND_TIME_ELAPSED);
   assert_int_equal(f->fake.flushes, 4);
   pitot_query_obtain(f->context, 3, &query);
   pitot_query_begin(f->context, query, PITOT_KIND_TIMESTAMP, 0);
   assert_int_equal(f->fake.flushes, 6);
}
