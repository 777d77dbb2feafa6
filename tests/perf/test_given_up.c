/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Measurements that perf queries give up in flight.
 */

#include <limits.h>
#include <stdlib.h>

#include "perf/null_fixture.h"
#include "pitot/in_flight.h"

/* Measurements that were given up in flight measure again once they are
 * available.
 */
static void
measurements_are_reused(void **state)
{
   struct fixture f;

   (void)state;
   open_fixture(&f, 64);
   for (unsigned i = 0; i < 20; i++) {
      struct pitot_perf_query *query = create_query(f.perf, "GPU Time");

      assert_int_equal(pitot_perf_query_begin(f.perf, query), 0);
      assert_int_equal(pitot_perf_query_end(query), 0);
      pitot_perf_query_delete(f.perf, query);
   }
   const unsigned created = f.null.created;
   pitot_null_flush(&f.null);
   assert_int_equal(pitot_perf_query_begin(f.perf,
                                           create_query(f.perf, "GPU Time")),
                    0);
   assert_int_equal(f.null.created, created);
   close_fixture(&f);
}

/* Measurements that are given up in flight and never available do not pile up
 * for ever.
 */
static void
given_up_measurements_are_limited(void **state)
{
   struct fixture f;
   unsigned alive = 0;

   (void)state;
   open_fixture(&f, 64);
   f.null.done = 0;
   for (unsigned i = 0; i < PITOT_GIVEN_UP_COUNT + 10; i++) {
      struct pitot_perf_query *query = create_query(f.perf, "GPU Time");

      assert_int_equal(pitot_perf_query_begin(f.perf, query), 0);
      assert_int_equal(pitot_perf_query_end(query), 0);
      pitot_perf_query_delete(f.perf, query);
      assert_true(i < PITOT_GIVEN_UP_COUNT || f.null.alive == alive);
      alive = f.null.alive;
   }
   close_fixture(&f);
}

#define MANY_SETS 100

static void
list_many(struct pitot_perf_provider *provider)
{
   struct null_sets one;

   null_sets_init(&one, NULL)->ops->list(provider);
   provider->sets =
      realloc(provider->sets, MANY_SETS * sizeof(provider->sets[0]));
   for (unsigned i = 1; i < MANY_SETS; i++)
      provider->sets[i] = provider->sets[0];
   provider->set_count = MANY_SETS;
}

static void
measure_and_delete(struct fixture *f, unsigned set, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      struct pitot_perf_query *query =
         pitot_perf_query_create(f->perf, pitot_perf_get_set(f->perf, set));

      assert_int_equal(pitot_perf_query_begin(f->perf, query), 0);
      assert_int_equal(pitot_perf_query_end(query), 0);
      pitot_perf_query_delete(f->perf, query);
   }
}

/* A program that measures many sets in turn leaves few measurements behind
 * once they are available, although each set keeps a few to use them again.
 * Those without a fence stay: nothing but reading them tells about them.
 */
static void
given_up_measurements_of_all_sets_are_few(void **state)
{
   struct pitot_perf_provider_ops provider_ops;
   const struct pitot_driver_ops *null_ops;
   struct pitot_driver_ops ops;
   struct fixture f;

   (void)state;
   open_fixture(&f, 64);
   null_ops = f.null.base.ops;
   ops = *null_ops;
   provider_ops = *f.sets.base.ops;
   provider_ops.list = list_many;
   f.sets.base.ops = &provider_ops;
   f.null.base.ops = &ops;
   assert_in_range(pitot_perf_set_count(f.perf), MANY_SETS, UINT_MAX);
   for (unsigned i = 0; i < MANY_SETS; i++) {
      ops.fence_create = i == 0 ? NULL : null_ops->fence_create;
      measure_and_delete(&f, i, 10);
      if (i % 20 == 19)
         pitot_null_flush(&f.null);
   }
   measure_and_delete(&f, 1, 30);
   /* Each with its fence. */
   assert_in_range(f.null.alive, 10, 2 * MANY_SETS);
   close_fixture(&f);
}

/* Another set's are looked at only while the measurements that are given up
 * are many, which they are not once they measure again.
 */
static void
few_given_up_measurements_are_left_alone(void **state)
{
   struct pitot_perf_provider_ops provider_ops;
   struct fixture f;

   (void)state;
   open_fixture(&f, 64);
   provider_ops = *f.sets.base.ops;
   provider_ops.list = list_many;
   f.sets.base.ops = &provider_ops;
   assert_in_range(pitot_perf_set_count(f.perf), MANY_SETS, UINT_MAX);
   f.null.done = 0;
   measure_and_delete(&f, 0, 100);
   f.null.done = UINT64_MAX;
   pitot_null_flush(&f.null);
   const unsigned created = f.null.created;

   for (unsigned i = 0; i < 80; i++) {
      struct pitot_perf_query *query =
         pitot_perf_query_create(f.perf, pitot_perf_get_set(f.perf, 0));

      assert_int_equal(pitot_perf_query_begin(f.perf, query), 0);
   }
   assert_int_equal(f.null.created, created);
   for (unsigned set = 1; set < 3; set++) {
      const unsigned alive = f.null.alive;

      measure_and_delete(&f, set, 1);
      assert_int_equal(f.null.alive, alive + 2); /* and its fence */
      pitot_null_flush(&f.null);
   }
   close_fixture(&f);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(measurements_are_reused),
      cmocka_unit_test(given_up_measurements_are_limited),
      cmocka_unit_test(given_up_measurements_of_all_sets_are_few),
      cmocka_unit_test(few_given_up_measurements_are_left_alone),
   };

   return cmocka_run_group_tests_name("perf given_up", tests, NULL, NULL);
}
