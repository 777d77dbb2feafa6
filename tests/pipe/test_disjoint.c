/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A driver's PIPE_QUERY_TIMESTAMP_DISJOINT raises GPU_DISJOINT, and the cost
 * of asking for it.
 */

#include "fixture.h"

static bool
is_not_lost(void *data)
{
   (void)data;
   return false;
}

static void
open_disjoint_fixture(struct fixture *f)
{
   open_fixture(f);
   f->client.info.has_disjoint_query = true;
   f->client.info.is_lost = is_not_lost;
}

/* The clock of the driver's changes its rate, or something like it. */
static void
disturb(struct fixture *f)
{
   f->fake.counters[PIPE_QUERY_TIMESTAMP_DISJOINT][0]++;
}

/* Whenever it happens, between two looks; and it says so once. */
static void
answer_raises_it(void **state)
{
   struct fixture *f = *state;

   open_disjoint_fixture(f);
   for (unsigned i = 0; i < 5; i++) {
      assert_false(pitot_disjoint_take(f->context));
      assert_false(pitot_disjoint_take(f->context));
      disturb(f);
      assert_true(pitot_disjoint_take(f->context));
   }
   assert_int_equal(f->fake.alive, 2);
   assert_int_equal(f->fake.flushes, 0);
   assert_int_equal(f->fake.waits, 0);
}

/* It is asked from the first measurement on, and not before: counts that are
 * lost are told by it, too.
 */
static void
first_measurement_opens_it(void **state)
{
   struct fixture *f = *state;

   open_disjoint_fixture(f);
   assert_int_equal(f->fake.alive, 0);
   measure(f, 1, PITOT_KIND_SAMPLES_PASSED);
   assert_int_equal(f->fake.alive, 2);
   disturb(f);
   assert_true(pitot_disjoint_take(f->context));
   assert_int_equal(f->fake.alive, 3);
   measure(f, 2, PITOT_KIND_TIME_ELAPSED);
   assert_int_equal(f->fake.alive, 4);
   disturb(f);
   assert_true(pitot_disjoint_take(f->context));
}

/* There is no wait and no flush for an answer that is late, and events
 * meanwhile are in the next one.
 */
static void
late_answer_is_not_waited_for(void **state)
{
   struct fixture *f = *state;

   f->fake.is_held = true;
   open_disjoint_fixture(f);
   assert_false(pitot_disjoint_take(f->context));
   disturb(f);
   for (unsigned i = 0; i < 100; i++)
      assert_false(pitot_disjoint_take(f->context));
   assert_int_equal(f->fake.alive, 2);
   assert_int_equal(f->fake.waits, 0);
   assert_int_equal(f->fake.flushes, 0);

   f->fake.is_held = false;
   assert_true(pitot_disjoint_take(f->context));
   assert_false(pitot_disjoint_take(f->context));
}

/* A threaded context is asked once it was flushed for another reason. */
static void
threads_are_not_drained(void **state)
{
   struct fixture *f = *state;

   f->fake.is_threaded = true;
   open_disjoint_fixture(f);
   assert_false(pitot_disjoint_take(f->context));
   disturb(f);
   for (unsigned i = 0; i < 100; i++)
      assert_false(pitot_disjoint_take(f->context));
   assert_int_equal(f->fake.result_calls, 0);
   assert_int_equal(f->fake.drains, 0);
   assert_int_equal(f->fake.flushes, 0);

   f->fake.base.flush(&f->fake.base, NULL, 0);
   assert_true(pitot_disjoint_take(f->context));
}

/* Failing to ask is not disjoint, and it is tried again. */
static void
failures_raise_nothing(void **state)
{
   struct fixture f;
   unsigned *const failures[] = { &f.fake.fail_create, &f.fake.fail_begin,
                                  &f.fake.fail_end };

   (void)state;
   for (unsigned i = 0; i < ARRAY_LENGTH(failures); i++) {
      fake_pipe_init(&f.fake);
      open_disjoint_fixture(&f);
      *failures[i] = 1;
      assert_false(pitot_disjoint_take(f.context));
      assert_false(pitot_disjoint_take(f.context));
      assert_int_equal(*failures[i], 0);
      assert_false(pitot_disjoint_take(f.context));
      disturb(&f);
      assert_true(pitot_disjoint_take(f.context));
      close_fixture(&f);
   }
}

/* Drivers that assert that they know a type are asked for no other one. */
static void
others_are_not_asked(void **state)
{
   struct fixture *f = *state;

   open_disjoint_fixture(f);
   f->client.info.has_disjoint_query = false;
   measure(f, 1, PITOT_KIND_TIME_ELAPSED);
   assert_int_equal(f->fake.alive, 1);
   disturb(f);
   assert_false(pitot_disjoint_take(f->context));
   assert_int_equal(f->fake.alive, 1);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      ON_FAKE(answer_raises_it),
      ON_FAKE(first_measurement_opens_it),
      ON_FAKE(late_answer_is_not_waited_for),
      ON_FAKE(threads_are_not_drained),
      cmocka_unit_test(failures_raise_nothing),
      ON_FAKE(others_are_not_asked),
   };

   return cmocka_run_group_tests_name("disjoint", tests, NULL, NULL);
}
