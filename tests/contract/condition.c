/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "fixture.h"

/* A condition holds a reference to its query, also if it is deleted. */
CONTRACT_TEST(condition_holds_its_query)
{
   struct pitot_query *query = obtain(f, 1);

   measure(f, query, PITOT_KIND_SAMPLES_PASSED, 6);
   assert_int_equal(pitot_condition_begin(f->context, query,
                                          PITOT_CONDITION_WAIT),
                    0);
   pitot_query_delete(f->context, 1);
   assert_int_equal(f->backend->ops->condition_result(f->backend), 6);
   assert_true(pitot_condition_passes(f->context));
   pitot_condition_end(f->context);
   assert_int_equal(f->backend->ops->condition_result(f->backend), -1);
   assert_true(pitot_condition_passes(f->context));
}

/* A query that never began is 0.  The driver must get one, or would draw. */
CONTRACT_TEST(condition_on_a_created_query)
{
   hold(f);

   assert_int_equal(pitot_query_create(f->context, 1,
                                       PITOT_KIND_SAMPLES_PASSED),
                    0);
   assert_int_equal(pitot_condition_begin(f->context, obtain(f, 1),
                                          PITOT_CONDITION_WAIT),
                    0);
   assert_int_equal(f->backend->ops->condition_result(f->backend), 0);
   assert_false(pitot_condition_passes(f->context));
   pitot_condition_end(f->context);
   assert_int_equal(obtain(f, 1)->state, PITOT_STATE_AVAILABLE);

   assert_int_equal(pitot_condition_begin(f->context, obtain(f, 1),
                                          PITOT_CONDITION_INVERTED),
                    0);
   assert_true(pitot_condition_passes(f->context));
}

/* Without a wait, an unknown result draws ("the GL may [...] execute"). */
CONTRACT_TEST(condition_that_does_not_wait_draws)
{
   struct pitot_query *query = obtain(f, 1);

   hold(f);
   begin(f, query, PITOT_KIND_SAMPLES_PASSED);
   end(f, PITOT_KIND_SAMPLES_PASSED);
   assert_int_equal(pitot_condition_begin(f->context, query,
                                          PITOT_CONDITION_NO_WAIT),
                    0);
   assert_true(pitot_condition_passes(f->context));
   pitot_condition_end(f->context);
   assert_int_equal(pitot_condition_begin(f->context, query,
                                          PITOT_CONDITION_WAIT),
                    0);
   assert_false(pitot_condition_passes(f->context));
}
