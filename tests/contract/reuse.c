/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "fixture.h"

/* No begin waits, however often; the last result counts and is waited for. */
CONTRACT_TEST(reuse_in_flight_does_not_wait)
{
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
}

/* Also without reads, beginning a query again allocates nothing. */
CONTRACT_TEST(steady_state_allocates_nothing)
{
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
}

/* A query that is never read keeps no driver query but its own. */
CONTRACT_TEST(unread_query_pins_nothing)
{
   enum { OBJECTS = 30 };
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
}

/* Thousands in flight, read in any order. */
CONTRACT_TEST(many_are_in_flight)
{
   enum { MANY = 35000 };

   for (unsigned i = 1; i <= MANY; i++) {
      measure(f, obtain(f, i), PITOT_KIND_PRIMITIVES_GENERATED, i);
   }
   assert_int_equal(wait_for(f, obtain(f, MANY)), MANY);
   for (unsigned i = 1; i <= MANY; i++)
      assert_int_equal(wait_for(f, obtain(f, i)), i);
   for (unsigned i = 1; i <= MANY; i++)
      pitot_query_delete(f->context, i);
}

/* Deleting the active query: desktop GL ends it and empties the slot... */
CONTRACT_TEST(delete_ends_active)
{
   begin(f, obtain(f, 1), PITOT_KIND_SAMPLES_PASSED);
   pitot_query_delete(f->context, 1);
   assert_false(pitot_name_is_used(f->context, 1));
   assert_null(pitot_query_active(f->context, PITOT_KIND_SAMPLES_PASSED, 0));
   begin(f, obtain(f, 1), PITOT_KIND_SAMPLES_PASSED);
}

/* ...on ES "the underlying object is not deleted until it is no longer
 * active" (OpenGL ES 3.2, 5.1.3).
 */
CONTRACT_TEST_ALONE(delete_keeps_active)
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

CONTRACT_TEST_ALONE(destroy_while_everything_is_open)
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
