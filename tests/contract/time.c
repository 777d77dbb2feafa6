/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "fixture.h"

static void
set_time_ns(struct fixture *f, uint64_t time_ns)
{
   f->backend->ops->set_time_ns(f->backend, time_ns);
}

static void
time_elapses(void **state)
{
   struct fixture *f = open_fixture(state, true);
   struct pitot_query *query = obtain(f, 1);

   set_time_ns(f, 1000);
   begin(f, query, PITOT_KIND_TIME_ELAPSED);
   set_time_ns(f, 5000000000);
   end(f, PITOT_KIND_TIME_ELAPSED);
   assert_int_equal(wait_for(f, query), 4999999000);
   close_fixture(f);
}

/* Timestamps are the clock's, and equal to the time now. */
static void
timestamps_tell_the_time(void **state)
{
   struct fixture *f = open_fixture(state, true);
   struct pitot_query *query = obtain(f, 1);

   for (uint64_t ns = 10; ns < 100; ns += 10) {
      set_time_ns(f, ns);
      assert_int_equal(pitot_query_begin(f->context, query,
                                         PITOT_KIND_TIMESTAMP, 0),
                       0);
      assert_int_equal(query->kind, PITOT_KIND_TIMESTAMP);
      assert_int_equal(pitot_timestamp_ns(f->context), ns);
      if (ns % 20)
         assert_int_equal(wait_for(f, query), ns);
   }
   assert_false(pitot_disjoint_take(f->context));
   close_fixture(f);
}

/* If the clock goes back, timestamps stay and are disjoint, then continue. */
static void
timestamps_never_go_back(void **state)
{
   struct fixture *f = open_fixture(state, true);
   static const uint64_t raw_ns[] = { 500, 700, 100, 150 };
   static const uint64_t reported_ns[] = { 500, 700, 700, 750 };

   for (unsigned i = 0; i < ARRAY_LENGTH(raw_ns); i++) {
      struct pitot_query *query = obtain(f, i + 1);

      set_time_ns(f, raw_ns[i]);
      assert_int_equal(pitot_query_begin(f->context, query,
                                         PITOT_KIND_TIMESTAMP, 0),
                       0);
      assert_int_equal(wait_for(f, query), reported_ns[i]);
      assert_int_equal(pitot_disjoint_take(f->context), i == 2);
   }
   /* The time now has the same offset. */
   assert_int_equal(pitot_timestamp_ns(f->context), 750);
   close_fixture(f);
}

static const struct CMUnitTest tests[] = {
   TEST(time_elapses),
   TEST(timestamps_tell_the_time),
   TEST(timestamps_never_go_back),
};

TEST_GROUP(time_tests, tests);
