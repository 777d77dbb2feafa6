/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Measurements in flight whose perf query is begun again or deleted.
 */

#include <limits.h>
#include <stdlib.h>

#include "perf/null_fixture.h"

static struct pitot_perf_query *
create_query_of(struct fixture *f, unsigned set)
{
   return pitot_perf_query_create(f->perf, pitot_perf_get_set(f->perf, set));
}

/* Begins a query again and again in flight, and deletes as many queries. */
static void
abandon_many(struct fixture *f, struct pitot_perf_set *set)
{
   struct pitot_perf_query *query = pitot_perf_query_create(f->perf, set);

   for (unsigned i = 0; i < 100; i++)
      measure_perf(query);
   for (unsigned i = 0; i < 100; i++) {
      struct pitot_perf_query *deleted =
         pitot_perf_query_create(f->perf, set);

      measure_perf(deleted);
      pitot_perf_query_delete(deleted);
   }
   assert_int_equal(f->null.waits, 0);
}

/* Abandoned measurements are reused: a few are enough. */
NULL_TEST(measurements_are_reused)
{
   f->null.done = 0;
   abandon_many(f, find_set(f->perf, "GPU Time"));
   assert_int_equal(f->null.created, 4); /* two, with two timestamps each */
}

/*
 * A provider that waits if a measurement in flight is begun or destroyed
 */

static const struct pitot_perf_provider_ops *null_ops;

static void
destroy_that_waits(struct pitot_perf_measurement *measurement)
{
   uint8_t record[256];

   assert_in_range(measurement->set->record_B, 0, sizeof(record));
   null_ops->read(measurement, true, record);
   null_ops->destroy(measurement);
}

static struct pitot_perf_provider_ops waiting_ops;

static void
open_waiting(struct fixture *f)
{
   open_fixture(f, 64);
   null_ops = f->sets.base.ops;
   waiting_ops = *null_ops;
   waiting_ops.waits_in_flight = true;
   waiting_ops.destroy = destroy_that_waits;
   f->sets.base.ops = &waiting_ops;
   assert_in_range(pitot_perf_set_count(f->perf), 1, UINT_MAX);
   f->null.done = 0;
}

static int
set_up_waiting(void **state)
{
   static struct fixture f;

   open_waiting(&f);
   *state = &f;
   return 0;
}

#define WAITING_TEST(NAME)                                                   \
   TEST_WITH(set_up_waiting, tear_down, struct fixture *f, NAME)

/* Pitot calls it only once the GPU is done with the measurement. */
WAITING_TEST(begin_and_delete_do_not_wait)
{
   abandon_many(f, pitot_perf_get_set(f->perf, 0));
}

/* If the GPU is a few frames late, as many are kept as are in flight. */
WAITING_TEST(kept_is_what_is_in_flight)
{
   enum { BEHIND = 5, ALIVE_OF_EACH = 2 /* with a fence */ };

   struct pitot_perf_query *query = create_query_of(f, 0);
   for (unsigned i = 0; i < 1000; i++) {
      measure_perf(query);
      pitot_null_flush(&f->null);
      f->null.done = f->null.issued - (i < BEHIND ? i : BEHIND);
      assert_in_range(f->null.alive, 1, ALIVE_OF_EACH * (BEHIND + 3));
   }
   assert_int_equal(f->null.waits, 0);
}

/* After many measurements, deletes free those that the GPU is done with. */
WAITING_TEST(deletes_free_what_is_done)
{
   struct pitot_perf_query *queries[20];

   for (unsigned i = 0; i < ARRAY_LENGTH(queries); i++) {
      queries[i] = create_query_of(f, 0);
      measure_perf(queries[i]);
   }
   for (unsigned i = 0; i < 10; i++)
      pitot_perf_query_delete(queries[i]);
   pitot_null_flush(&f->null);
   f->null.done = f->null.issued;
   for (unsigned i = 10; i < ARRAY_LENGTH(queries); i++)
      pitot_perf_query_delete(queries[i]);
   assert_in_range(f->null.alive, 0, 4);
   assert_int_equal(f->null.waits, 0);
}

/* A begin waits for sets that exclude its own, and for no others. */
WAITING_TEST(other_sets_are_left_alone)
{
   for (unsigned i = 0; i < 3; i++) {
      struct pitot_perf_query *any = create_query_of(f, 0);
      struct pitot_perf_query *same = create_query_of(f, 1);

      measure_perf(any);
      measure_perf(same);
      pitot_perf_query_delete(any);
      pitot_perf_query_delete(same);
   }
   assert_int_equal(f->null.waits, 0);
}

/* Without a fence, a measurement is destroyed immediately, which waits. */
WAITING_TEST(nothing_is_kept_without_a_fence)
{
   static struct pitot_driver_ops ops;

   ops = *f->null.base.ops;
   ops.fence_create = NULL;
   f->null.base.ops = &ops;
   struct pitot_perf_query *query = create_query_of(f, 0);
   for (unsigned i = 0; i < 10; i++) {
      measure_perf(query);
      assert_int_equal(f->null.alive, 1);
      assert_int_equal(f->null.waits, i);
   }
}

/* With keeps_queries_apart each measurement has a new query. */
NULL_TEST(queries_kept_apart_are_not_reused)
{
   f->null.base.keeps_queries_apart = true;
   f->null.done = 0;
   struct pitot_perf_query *query = create_query(f->perf, "Same");
   for (unsigned i = 1; i <= 10; i++) {
      measure_perf(query);
      assert_int_equal(f->null.created, i);
      assert_int_equal(f->null.alive, 2); /* with its fence */
   }
}

/* Both hold for a monitor that is begun again in flight. */
TEST(monitors_leave_measurements_alone)
{
   const uint32_t counter = 0;

   for (unsigned is_waiting = 0; is_waiting < 2; is_waiting++) {
      struct fixture f;

      if (is_waiting)
         open_waiting(&f);
      else
         open_fixture(&f, 64);
      assert_in_range(pitot_perf_group_count(f.perf), 1, UINT_MAX);
      f.null.base.keeps_queries_apart = !is_waiting;
      f.null.done = 0;
      struct pitot_perf_query *monitor =
         pitot_perf_query_create(f.perf, NULL);
      assert_non_null(monitor);
      assert_int_equal(pitot_perf_monitor_select(monitor, true, 0, &counter,
                                                 1),
                       0);
      for (unsigned i = 0; i < 10; i++)
         measure_perf(monitor);
      assert_int_equal(f.null.waits, 0);
      assert_in_range(f.null.created, 10, UINT_MAX);
      pitot_perf_query_delete(monitor);
      close_fixture(&f);
   }
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

/* Few idle measurements are kept; a monitor in flight reuses its own. */
NULL_TEST(idle_measurements_of_all_sets_are_few)
{
   const uint32_t counter = 0;
   static struct pitot_perf_provider_ops ops;

   ops = *f->sets.base.ops;
   ops.list = list_many;
   f->sets.base.ops = &ops;
   assert_in_range(pitot_perf_set_count(f->perf), MANY_SETS, UINT_MAX);
   for (unsigned i = 0; i < 10 * MANY_SETS; i++) {
      struct pitot_perf_query *query = create_query_of(f, i % MANY_SETS);

      measure_perf(query);
      pitot_perf_query_delete(query);
   }
   assert_in_range(f->null.alive, 1, 64);

   assert_in_range(pitot_perf_group_count(f->perf), 1, UINT_MAX);
   const unsigned created = f->null.created;
   f->null.done = 0;
   struct pitot_perf_query *monitor = pitot_perf_query_create(f->perf, NULL);
   assert_non_null(monitor);
   assert_int_equal(pitot_perf_monitor_select(monitor, true, 0, &counter, 1),
                    0);
   for (unsigned i = 0; i < 10; i++)
      measure_perf(monitor);
   assert_int_equal(f->null.created - created, 2);
   pitot_perf_query_delete(monitor);
}
