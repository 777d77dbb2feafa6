/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Polls while the GPU works: results become available without a wait, and are
 * right.
 */

#include <string.h>

#include "fixture.h"
#include "perf/create.h"

#define QUERY_COUNT 8

/* Each look lets the GPU do something. */
#define MAX_LOOKS 100000

static const enum pitot_kind kinds[] = { PITOT_KIND_SAMPLES_PASSED,
                                         PITOT_KIND_ANY_SAMPLES_PASSED,
                                         PITOT_KIND_TIME_ELAPSED };

static uint64_t
expected(enum pitot_kind kind, unsigned amount)
{
   return pitot_kind_info(kind)->is_boolean ? amount != 0 : amount;
}

/* As measure(); with TIME_ELAPSED, time passes. */
static void
record(struct fixture *f, struct pitot_query *query, enum pitot_kind kind,
       unsigned amount)
{
   static uint64_t now_ns;

   if (kind != PITOT_KIND_TIME_ELAPSED) {
      measure(f, query, kind, amount);
      return;
   }
   f->backend->ops->set_time_ns(f->backend, now_ns += 1000);
   begin(f, query, kind);
   f->backend->ops->set_time_ns(f->backend, now_ns += amount);
   end(f, kind);
}

static void
look_until_available(struct fixture *f, struct pitot_query *query,
                     uint64_t result)
{
   unsigned looks = 0;

   while (!look(f, query))
      assert_in_range(looks++, 0, MAX_LOOKS);
   assert_int_equal(query->result, result);
   for (unsigned i = 0; i < 5; i++)
      assert_true(look(f, query));
   assert_int_equal(query->result, result);
}

CONTRACT_TEST_EACH(looks_find_results, k, ARRAY_LENGTH(kinds))
{
   struct pitot_query *query = obtain(f, 1);

   run_gpu(f);
   for (unsigned amount = 0; amount < 5; amount++) {
      record(f, query, kinds[k], amount);
      look_until_available(f, query, expected(kinds[k], amount));
   }
   assert_int_equal(wait_count(f), 0);
}

/* Polls many queries in several batches by turns. */
CONTRACT_TEST(looks_find_many)
{
   struct pitot_query *queries[QUERY_COUNT];
   bool was_available[QUERY_COUNT] = { false };
   unsigned found = 0;

   run_gpu(f);
   for (unsigned i = 0; i < QUERY_COUNT; i++) {
      queries[i] = obtain(f, i + 1);
      record(f, queries[i], kinds[i % ARRAY_LENGTH(kinds)], i);
      if (i % 3 == 2)
         f->backend->ops->submit(f->backend);
   }
   for (unsigned looks = 0; found < QUERY_COUNT; looks++) {
      const unsigned i = looks % QUERY_COUNT;
      const bool is_available = look(f, queries[i]);

      assert_in_range(looks, 0, MAX_LOOKS);
      assert_true(is_available || !was_available[i]);
      if (is_available)
         assert_int_equal(queries[i]->result, expected(queries[i]->kind, i));
      found += is_available && !was_available[i];
      was_available[i] = is_available;
   }
   assert_int_equal(wait_count(f), 0);
}

/* Waits for one result and polls others. */
CONTRACT_TEST(waits_find_results)
{
   run_gpu(f);
   for (unsigned i = 0; i < QUERY_COUNT; i++) {
      record(f, obtain(f, i + 1), kinds[i % ARRAY_LENGTH(kinds)], i + 1);
      if (i % 2)
         (void)look(f, obtain(f, i));
   }
   for (unsigned i = QUERY_COUNT; i-- > 0;)
      assert_int_equal(wait_for(f, obtain(f, i + 1)),
                       expected(kinds[i % ARRAY_LENGTH(kinds)], i + 1));
}

/* A draw is skipped only if the result is known to be 0, or after a wait. */
CONTRACT_TEST_EACH(conditions_are_right, amount, 2)
{
   struct pitot_query *query = obtain(f, 1);

   run_gpu(f);
   for (unsigned i = 0; i < 5; i++) {
      record(f, query, PITOT_KIND_SAMPLES_PASSED, amount);
      assert_int_equal(pitot_condition_begin(f->context, query,
                                             PITOT_CONDITION_NO_WAIT),
                       0);
      assert_true(pitot_condition_passes(f->context) || amount == 0);
      pitot_condition_end(f->context);
      assert_int_equal(pitot_condition_begin(f->context, query,
                                             PITOT_CONDITION_WAIT),
                       0);
      assert_int_equal(pitot_condition_passes(f->context), amount);
      pitot_condition_end(f->context);
   }
}

/* Once flushed, a record is found by polls that do not flush. */
CONTRACT_TEST(looks_find_records)
{
   struct pitot_perf_query *query = create_query(f->perf, "GPU Time");

   run_gpu(f);
   for (unsigned i = 0; i < 5; i++) {
      unsigned looks = 0;

      assert_int_equal(pitot_perf_query_begin(query), 0);
      assert_int_equal(pitot_perf_query_end(query), 0);
      f->backend->ops->submit(f->backend);
      while (!pitot_perf_query_resolve(query, PITOT_PERF_DONT_FLUSH)) {
         assert_in_range(looks++, 0, MAX_LOOKS);
         if (f->backend->ops->look)
            f->backend->ops->look(f->backend);
      }
      assert_false(query->is_lost);
   }
   assert_int_equal(wait_count(f), 0);
}
