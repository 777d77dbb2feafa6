/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A driver's PIPE_QUERY_TIMESTAMP_DISJOINT sets GPU_DISJOINT; its cost.
 */

#include "fixture.h"

static void
open_disjoint_fixture(struct fixture *f)
{
   open_info_fixture(f, (struct pitot_pipe_info){ .reports_losses = true });
}

/* As if the clock rate changed. */
static void
disturb(struct fixture *f)
{
   f->fake.counters[PIPE_QUERY_TIMESTAMP_DISJOINT][0]++;
}

/* Each event is reported once.  A read does not flush, wait or drain. */
FAKE_TEST_EACH(answer_raises_it, is_threaded, 2)
{
   f->fake.is_threaded = is_threaded;
   open_disjoint_fixture(f);
   for (unsigned i = 0; i < 5; i++) {
      assert_false(pitot_disjoint_take(f->context));
      assert_false(pitot_disjoint_take(f->context));
      disturb(f);
      assert_true(pitot_disjoint_take(f->context));
   }
   assert_int_equal(f->fake.result_calls, 15);
   assert_int_equal(f->fake.created, 1);
   assert_int_equal(f->fake.flushes + f->fake.waits + f->fake.drains, 0);
   assert_int_equal(f->fake.status_calls, 0);
}

/* The first measurement creates the query, also for counts: they get lost. */
FAKE_TEST(first_measurement_creates_it)
{
   open_disjoint_fixture(f);
   assert_int_equal(f->fake.alive, 0);
   measure(f, 1, PITOT_KIND_SAMPLES_PASSED);
   assert_int_equal(f->fake.alive, 2);
   disturb(f);
   assert_true(pitot_disjoint_take(f->context));
   measure(f, 2, PITOT_KIND_TIME_ELAPSED);
   assert_int_equal(f->fake.alive, 3);
}

/* A failed poll is not disjoint, and is tried again. */
FAKE_TEST(failures_raise_nothing)
{
   open_disjoint_fixture(f);
   f->fake.fail[PITOT_NULL_CREATE] = 1;
   assert_false(pitot_disjoint_take(f->context));
   assert_int_equal(f->fake.fail[PITOT_NULL_CREATE], 0);
   assert_false(pitot_disjoint_take(f->context));
   disturb(f);
   assert_true(pitot_disjoint_take(f->context));
}

/* Drivers that assert on unknown types are not queried. */
FAKE_TEST(others_are_not_asked)
{
   open_fixture(f);
   measure(f, 1, PITOT_KIND_TIME_ELAPSED);
   assert_int_equal(f->fake.alive, 1);
   disturb(f);
   assert_false(pitot_disjoint_take(f->context));
   assert_int_equal(f->fake.alive, 1);
}
