/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "fixture.h"

/* No begin waits, however often; the last result counts and is waited for. */
static void
reuse_in_flight_does_not_wait(void **state)
{
   struct fixture *f = open_fixture(state, true);
   struct pitot_query *query = obtain(f, 1);

   hold(f);
   for (unsigned i = 1; i <= 200; i++)
      measure(f, query, PITOT_KIND_SAMPLES_PASSED, i);
   for (unsigned name = 2; name < 200; name++) {
      begin(f, obtain(f, name), PITOT_KIND_SAMPLES_PASSED);
      end(f, PITOT_KIND_SAMPLES_PASSED);
      pitot_query_delete(f->context, name);
   }
   measure(f, query, PITOT_KIND_SAMPLES_PASSED, 7);
   assert_int_equal(wait_count(f), 0);
   assert_int_equal(wait_for(f, query), 7);
   assert_int_not_equal(wait_count(f), 0);
   close_fixture(f);
}

/* Also without reads, beginning a query again allocates nothing. */
static void
steady_state_allocates_nothing(void **state)
{
   struct fixture *f = open_fixture(state, true);
   struct pitot_query *query = obtain(f, 1);
   unsigned alive = 0;

   hold(f);
   for (unsigned i = 0; i < 1000; i++) {
      begin(f, query, PITOT_KIND_TIME_ELAPSED);
      end(f, PITOT_KIND_TIME_ELAPSED);
      if (i == 200)
         alive = f->backend->ops->alive_count(f->backend);
   }
   assert_int_equal(f->backend->ops->alive_count(f->backend), alive);
   close_fixture(f);
}

/* A query that is never read keeps no driver query but its own. */
static void
unread_query_pins_nothing(void **state)
{
   enum { OBJECTS = 30 };
   struct fixture *f = open_fixture(state, true);
   unsigned alive = 0;

   hold(f);
   measure(f, obtain(f, OBJECTS + 1), PITOT_KIND_SAMPLES_PASSED, 1);
   for (unsigned frame = 0; frame < 20; frame++) {
      for (unsigned name = 1; name <= OBJECTS; name++)
         measure(f, obtain(f, name), PITOT_KIND_SAMPLES_PASSED, name);
      if (frame == 1)
         alive = f->backend->ops->alive_count(f->backend);
   }
   assert_int_equal(f->backend->ops->alive_count(f->backend), alive);
   assert_int_equal(wait_count(f), 0);
   for (unsigned name = 1; name <= OBJECTS; name++)
      assert_int_equal(wait_for(f, obtain(f, name)), name);
   assert_int_equal(wait_for(f, obtain(f, OBJECTS + 1)), 1);
   close_fixture(f);
}

/* Thousands in flight, read in any order. */
static void
many_are_in_flight(void **state)
{
   enum { MANY = 35000 };
   struct fixture *f = open_fixture(state, true);

   for (unsigned i = 1; i <= MANY; i++) {
      measure(f, obtain(f, i), PITOT_KIND_PRIMITIVES_GENERATED, i);
   }
   assert_int_equal(wait_for(f, obtain(f, MANY)), MANY);
   for (unsigned i = 1; i <= MANY; i++)
      assert_int_equal(wait_for(f, obtain(f, i)), i);
   for (unsigned i = 1; i <= MANY; i++)
      pitot_query_delete(f->context, i);
   close_fixture(f);
}

/* Deleting the active query: desktop GL ends it and empties the slot... */
static void
delete_ends_active(void **state)
{
   struct fixture *f = open_fixture(state, true);

   begin(f, obtain(f, 1), PITOT_KIND_SAMPLES_PASSED);
   pitot_query_delete(f->context, 1);
   assert_false(pitot_name_is_used(f->context, 1));
   assert_null(pitot_query_active(f->context, PITOT_KIND_SAMPLES_PASSED, 0));
   begin(f, obtain(f, 1), PITOT_KIND_SAMPLES_PASSED);
   close_fixture(f);
}

/* ...on ES "the underlying object is not deleted until it is no longer
 * active" (OpenGL ES 3.2, 5.1.3).
 */
static void
delete_keeps_active(void **state)
{
   struct fixture *f = open_fixture(state, false);

   begin(f, obtain(f, 1), PITOT_KIND_SAMPLES_PASSED);
   struct pitot_query *deleted = obtain(f, 1);
   pitot_query_delete(f->context, 1);
   assert_false(pitot_name_is_used(f->context, 1));
   assert_ptr_equal(pitot_query_active(f->context, PITOT_KIND_SAMPLES_PASSED,
                                       0),
                    deleted);

   struct pitot_query *other = obtain(f, 1);
   assert_ptr_not_equal(other, deleted);
   begin(f, other, PITOT_KIND_TIME_ELAPSED);
   end(f, PITOT_KIND_SAMPLES_PASSED);
   assert_null(pitot_query_active(f->context, PITOT_KIND_SAMPLES_PASSED, 0));
   close_fixture(f);
}

static void
destroy_while_everything_is_open(void **state)
{
   struct fixture *f = open_fixture(state, false);

   begin(f, obtain(f, 1), PITOT_KIND_SAMPLES_PASSED);
   end(f, PITOT_KIND_SAMPLES_PASSED);
   assert_int_equal(pitot_condition_begin(f->context, obtain(f, 1),
                                          PITOT_CONDITION_WAIT),
                    0);
   begin(f, obtain(f, 2), PITOT_KIND_TIME_ELAPSED);
   begin(f, obtain(f, 3), PITOT_KIND_VS_INVOCATIONS);
   pitot_query_delete(f->context, 1);
   pitot_query_delete(f->context, 2);
   close_fixture(f);
}

static const struct CMUnitTest tests[] = {
   TEST(reuse_in_flight_does_not_wait),
   TEST(steady_state_allocates_nothing),
   TEST(unread_query_pins_nothing),
   TEST(many_are_in_flight),
   TEST(delete_ends_active),
   TEST(delete_keeps_active),
   TEST(destroy_while_everything_is_open),
};

TEST_GROUP(reuse_tests, tests);
