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

CONTRACT_TEST(time_elapses)
{
   struct pitot_query *query = obtain(f, 1);

   set_time_ns(f, 1000);
   begin(f, query, PITOT_KIND_TIME_ELAPSED);
   set_time_ns(f, 5000000000);
   end(f, PITOT_KIND_TIME_ELAPSED);
   assert_int_equal(wait_for(f, query), 4999999000);
}

/* Timestamps are the clock's, and equal to the time now. */
CONTRACT_TEST(timestamps_tell_the_time)
{
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
}

/* If the clock goes back, timestamps stay and are disjoint, then continue. */
CONTRACT_TEST(timestamps_never_go_back)
{
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
}
