/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What raises GPU_DISJOINT, and that reading it clears it.
 */

#include "pitot/null.h"
#include "pitot/query.h"
#include "test.h"

static uint64_t suspended_now_ns;

static uint64_t
suspended_ns(void)
{
   return suspended_now_ns;
}

struct fixture {
   struct pitot_null null;
   struct pitot_context *context;
   struct pitot_query *query;
};

static void
open_fixture(struct fixture *f)
{
   pitot_null_init(&f->null);
   assert_int_equal(pitot_context_create(
                       &(struct pitot_context_info){
                          .driver = &f->null.base,
                          .suspended_ns = suspended_ns,
                       },
                       &f->context),
                    0);
   assert_int_equal(pitot_query_obtain(f->context, 1, &f->query), 0);
   assert_false(pitot_disjoint_take(f->context));
}

/* It was raised: it says so once. */
static void
close_fixture(struct fixture *f)
{
   assert_true(pitot_disjoint_take(f->context));
   assert_false(pitot_disjoint_take(f->context));
   pitot_context_destroy(f->context);
}

static void
take_timestamp(struct fixture *f, uint64_t time_ns)
{
   f->null.time_ns = time_ns;
   assert_int_equal(pitot_query_counter(f->context, f->query), 0);
   assert_true(pitot_query_resolve(f->context, f->query, true));
}

/* A laptop that slept; the jitter of reading two clocks is no sleep. */
static void
suspend_raises_it(void **state)
{
   struct fixture f;

   (void)state;
   suspended_now_ns = 5000000;
   open_fixture(&f);
   for (unsigned i = 0; i < 10; i++) {
      suspended_now_ns = 5000000 + i % 3 * 1000;
      assert_false(pitot_disjoint_take(f.context));
   }
   suspended_now_ns += 2000000000;
   close_fixture(&f);
}

static void
step_back_of_a_query_raises_it(void **state)
{
   struct fixture f;

   (void)state;
   open_fixture(&f);
   take_timestamp(&f, 900);
   assert_false(pitot_disjoint_take(f.context));
   take_timestamp(&f, 800);
   close_fixture(&f);
}

static void
step_back_of_now_raises_it(void **state)
{
   struct fixture f;

   (void)state;
   open_fixture(&f);
   f.null.time_ns = 900;
   pitot_timestamp_ns(f.context);
   f.null.time_ns = 800;
   assert_int_equal(pitot_timestamp_ns(f.context), 900);
   close_fixture(&f);
}

/* What a driver has to say, at any call. */
static void
driver_raises_it(void **state)
{
   struct fixture f;

   (void)state;
   open_fixture(&f);
   f.null.base.disjoint = true;
   close_fixture(&f);
}

static void
lost_result_raises_it(void **state)
{
   struct fixture f;

   (void)state;
   open_fixture(&f);
   f.null.is_lost = true;
   take_timestamp(&f, 900);
   assert_int_equal(f.query->result, 0);
   close_fixture(&f);
}

/* It stays raised, however long nobody asks and whatever goes well. */
static void
it_sticks(void **state)
{
   struct fixture f;

   (void)state;
   open_fixture(&f);
   f.null.base.disjoint = true;
   for (unsigned i = 1; i < 100; i++)
      take_timestamp(&f, i);
   close_fixture(&f);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(suspend_raises_it),
      cmocka_unit_test(step_back_of_a_query_raises_it),
      cmocka_unit_test(step_back_of_now_raises_it),
      cmocka_unit_test(driver_raises_it),
      cmocka_unit_test(lost_result_raises_it),
      cmocka_unit_test(it_sticks),
   };

   return cmocka_run_group_tests_name("disjoint", tests, NULL, NULL);
}
