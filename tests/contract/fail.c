/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "fixture.h"

static const enum pitot_null_call calls[] = { PITOT_NULL_CREATE,
                                              PITOT_NULL_BEGIN };

/* The object keeps its result, whether available or in flight. */
CONTRACT_TEST_EACH(failed_begin_changes_nothing, i, ARRAY_LENGTH(calls))
{
   struct pitot_query *query = obtain(f, 1);

   f->backend->fail[calls[i]] = 1;
   assert_true(
      pitot_query_begin(f->context, query, PITOT_KIND_GS_PRIMITIVES, 0) < 0);
   assert_int_equal(query->state, PITOT_STATE_IDLE);
   assert_int_equal(query->kind, PITOT_KIND_NONE);
   assert_null(pitot_query_active(f->context, PITOT_KIND_GS_PRIMITIVES, 0));

   hold(f);
   measure(f, query, PITOT_KIND_GS_PRIMITIVES, 4);
   f->backend->fail[calls[i]] = 1;
   assert_true(
      pitot_query_begin(f->context, query, PITOT_KIND_GS_PRIMITIVES, 0) < 0);
   assert_int_equal(wait_for(f, query), 4);
   begin(f, query, PITOT_KIND_GS_PRIMITIVES);
}

/* An end that fails still ends: the slot is empty and the result 0. */
CONTRACT_TEST(failed_end_still_ends)
{
   struct pitot_query *query = obtain(f, 1);

   begin(f, query, PITOT_KIND_SAMPLES_PASSED);
   count(f, PITOT_KIND_SAMPLES_PASSED, 0, 4);
   f->backend->fail[PITOT_NULL_END] = 1;
   assert_true(pitot_query_end(f->context, PITOT_KIND_SAMPLES_PASSED, 0) < 0);
   assert_null(pitot_query_active(f->context, PITOT_KIND_SAMPLES_PASSED, 0));
   assert_true(pitot_query_resolve(f->context, query, false));
   assert_int_equal(query->result, 0);
   begin(f, query, PITOT_KIND_SAMPLES_PASSED);
   end(f, PITOT_KIND_SAMPLES_PASSED);
}

/* Nothing hangs, results are 0, and disjoint is set once. */
CONTRACT_TEST(lost_device_finishes_queries)
{
   struct pitot_query *query = obtain(f, 1);

   hold(f);
   measure(f, query, PITOT_KIND_SAMPLES_PASSED, 4);
   assert_false(pitot_disjoint_take(f->context));
   lose(f);
   assert_int_equal(wait_for(f, query), 0);
   assert_true(pitot_disjoint_take(f->context));
   assert_false(pitot_disjoint_take(f->context));
}
