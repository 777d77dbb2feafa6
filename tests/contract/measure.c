/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "fixture.h"

/* Counts every kind, on every stream if it has them; booleans are 0 or 1. */
CONTRACT_TEST(counts_between_begin_and_end)
{
   uint32_t name = 0;

   for (unsigned kind = 0; kind < end_of_kinds(f); kind++) {
      const struct pitot_kind_info *info = pitot_kind_info(kind);
      const unsigned streams = info->is_indexed ? PITOT_MAX_STREAMS : 1;

      for (unsigned s = 0; s < streams && !info->is_time; s++) {
         struct pitot_query *query = obtain(f, ++name);

         count(f, kind, s, 1000);
         assert_int_equal(pitot_query_begin(f->context, query, kind, s), 0);
         count(f, kind, s, 7);
         assert_int_equal(pitot_query_end(f->context, kind, s), 0);
         count(f, kind, s, 100);
         assert_int_equal(wait_for(f, query), info->is_boolean ? 1 : 7);
         assert_int_equal(query->kind, kind);
         assert_int_equal(query->stream, s);
      }
   }
}

/* Without a count in between the result is 0, also in a reused object. */
CONTRACT_TEST(nothing_counts_as_zero)
{
   struct pitot_query *query = obtain(f, 1);

   measure(f, query, PITOT_KIND_SAMPLES_PASSED, 5);
   assert_int_equal(wait_for(f, query), 5);

   begin(f, query, PITOT_KIND_SAMPLES_PASSED);
   end(f, PITOT_KIND_SAMPLES_PASSED);
   assert_int_equal(wait_for(f, query), 0);
}

/* All slots are active together, with begins and ends in any order. */
CONTRACT_TEST(kinds_overlap)
{
   const enum pitot_kind first = PITOT_KIND_VERTICES_SUBMITTED;
   const enum pitot_kind end_kind = end_of_kinds(f);
   struct pitot_query *queries[PITOT_KIND_COUNT];

   for (unsigned kind = first; kind < end_kind; kind++) {
      queries[kind] = obtain(f, kind + 1);
      begin(f, queries[kind], kind);
      for (unsigned other = first; other < end_kind; other++)
         count(f, other, 0, 1);
   }
   for (unsigned kind = first; kind < end_kind; kind++)
      end(f, kind);
   for (unsigned kind = first; kind < end_kind; kind++)
      assert_int_equal(wait_for(f, queries[kind]), end_kind - kind);
}

/* A poll returns FALSE in flight and TRUE later, without a wait or drain. */
CONTRACT_TEST(poll_does_not_wait)
{
   struct pitot_query *query = obtain(f, 1);

   hold(f);
   measure(f, query, PITOT_KIND_FS_INVOCATIONS, 3);
   assert_false(poll(f, query));
   assert_int_equal(query->state, PITOT_STATE_ENDED);

   release(f);
   assert_true(poll(f, query));
   assert_int_equal(query->result, 3);
   assert_int_equal(wait_count(f), 0);
}

/* An available result is cached, even after the device is gone. */
CONTRACT_TEST(known_results_stay)
{
   struct pitot_query *query = obtain(f, 1);

   measure(f, query, PITOT_KIND_SAMPLES_PASSED, 9);
   assert_true(poll(f, query));
   lose(f);
   assert_int_equal(wait_for(f, query), 9);
}

/* "if any query object returns a result available of TRUE, all queries of the
 * same type issued prior to that query must also return TRUE" (OpenGL 4.6
 * core, 4.2.3)
 */
CONTRACT_TEST(availability_is_in_order)
{
   struct pitot_query *older = obtain(f, 1);
   struct pitot_query *newer = obtain(f, 2);

   hold(f);
   begin(f, older, PITOT_KIND_SAMPLES_PASSED);
   end(f, PITOT_KIND_SAMPLES_PASSED);
   begin(f, newer, PITOT_KIND_SAMPLES_PASSED);
   end(f, PITOT_KIND_SAMPLES_PASSED);

   assert_false(poll(f, newer));
   wait_for(f, newer);
   assert_true(poll(f, older));
}
