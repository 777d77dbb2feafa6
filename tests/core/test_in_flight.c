/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Polls of the driver for results in flight, and the order of availability.
 */

#include "pitot_null.h"
#include "pitot_query.h"
#include "listed.h"

#define MANY 1000

/* The null driver, counting calls of query_result(). */
struct world {
   struct pitot_null null;
   const struct pitot_driver_ops *null_ops;
   struct pitot_driver_ops ops;
   struct pitot_context *context;
   unsigned asked;
   const struct pitot_driver_query *ready; /* available early, or NULL */
};

static struct world world;
static uint64_t cpu_now_ns;

static int64_t
cpu_time_ns(void)
{
   return cpu_now_ns;
}

static int
counted_query_result(struct pitot_driver *driver,
                     struct pitot_driver_query *query, bool wait,
                     uint64_t *result_out)
{
   world.asked++;
   if (query == world.ready) {
      *result_out = 0;
      return 1;
   }
   return world.null_ops->query_result(driver, query, wait, result_out);
}

static void
open_world(void)
{
   world = (struct world){ 0 };
   pitot_null_init(&world.null);
   world.null_ops = world.null.base.ops;
   world.ops = *world.null_ops;
   world.ops.query_result = counted_query_result;
   world.null.base.ops = &world.ops;
   assert_int_equal(pitot_context_create(
                       &(struct pitot_context_info){
                          .driver = &world.null.base,
                          .cpu_time_ns = cpu_time_ns,
                       },
                       &world.context),
                    0);
}

static void
close_world(void)
{
   pitot_context_destroy(world.context);
   assert_int_equal(world.null.alive, 0);
}

#define WORLD_TEST(NAME)                                                     \
   static void NAME(void);                                                   \
   static void run_##NAME(void **state)                                      \
   {                                                                         \
      (void)state;                                                           \
      open_world();                                                          \
      NAME();                                                                \
      close_world();                                                         \
   }                                                                         \
   LIST_TEST(NAME, .test_func = run_##NAME)                                  \
   static void NAME(void)

static struct pitot_query *
find_query(uint32_t name)
{
   struct pitot_query *query;

   assert_int_equal(pitot_query_obtain(world.context, name, &query), 0);
   return query;
}

static void
measure(unsigned count)
{
   const enum pitot_kind kind = PITOT_KIND_SAMPLES_PASSED;

   for (uint32_t name = 1; name <= count; name++) {
      assert_int_equal(pitot_query_begin(world.context, find_query(name),
                                         kind, 0),
                       0);
      assert_int_equal(pitot_query_end(world.context, kind, 0), 0);
   }
}

static bool
poll(uint32_t name)
{
   return pitot_query_resolve(world.context, find_query(name), false);
}

/* "if any query object returns a result available of TRUE, all queries of the
 * same type issued prior to that query must also return TRUE" (OpenGL 4.6
 * core, 4.2.3).  Waiting for the newest query calls the driver for no other.
 */
WORLD_TEST(read_of_the_newest_asks_for_it_alone)
{
   measure(MANY);
   world.null.done = 0;
   assert_true(pitot_query_resolve(world.context, find_query(MANY), true));
   assert_int_equal(world.asked, 2); /* poll and wait */
   for (uint32_t name = 1; name < MANY; name += 10)
      assert_true(poll(name));
   assert_true(poll(2));
}

/* On several rings the newest result does not imply older ones: reading it
 * waits for them, and polls need not.
 */
WORLD_TEST(read_of_a_time_waits_for_older_times)
{
   const enum pitot_kind kind = PITOT_KIND_TIME_ELAPSED;

   for (uint32_t name = 1; name <= 2; name++) {
      assert_int_equal(pitot_query_begin(world.context, find_query(name),
                                         kind, 0),
                       0);
      assert_int_equal(pitot_query_end(world.context, kind, 0), 0);
   }
   world.null.done = 0;
   assert_true(pitot_query_resolve(world.context, find_query(2), true));
   const unsigned asked = world.asked;

   assert_true(poll(1));
   assert_int_equal(world.asked, asked);
}

/* A query without draws is ready before older ones: reading it waits for
 * these.  It is read once, since the driver may free it.
 */
WORLD_TEST(read_without_a_wait_waits_for_older_ones)
{
   measure(3);
   world.null.done = 0;
   world.ready = find_query(3)->driver_query;
   assert_true(pitot_query_resolve(world.context, find_query(3), true));
   const unsigned waits = world.null.waits;

   assert_in_range(waits, 1, 2);
   assert_int_equal(world.asked, 3);
   assert_true(poll(1));
   assert_true(poll(2));
   assert_int_equal(world.null.waits, waits);
}

/* A wait covers older queries, ready or not, but not newer ones. */
WORLD_TEST(newer_ones_are_polled)
{
   measure(3);
   world.null.done = 0;
   assert_true(pitot_query_resolve(world.context, find_query(2), true));
   world.null.done = 0;
   assert_false(poll(3));
   assert_int_equal(world.null.waits, 1);
   assert_true(poll(1));
   assert_false(poll(3));
}

/* Polling many queries in flight costs a few driver calls. */
WORLD_TEST(failed_polls_are_remembered)
{
   measure(MANY);
   world.null.done = 0;
   for (uint32_t name = 1; name <= MANY; name++)
      assert_false(poll(name));
   assert_in_range(world.asked, 1, MANY / 60);
}

/* A second or late poll reaches the driver: polling loops end, and a poll per
 * frame gets the result as soon as the GPU is done.
 */
WORLD_TEST(second_poll_and_late_poll_ask)
{
   measure(MANY);
   world.null.done = 0;
   assert_false(poll(1));
   assert_false(poll(2));
   world.null.done = MANY / 2;
   assert_true(poll(1));
   assert_true(poll(3));
   assert_false(poll(MANY));
   assert_false(poll(MANY - 1));
   world.null.done = UINT64_MAX;
   cpu_now_ns += 1000000;
   assert_true(poll(MANY - 1));
}

/* A failed poll does not stop the poll of queries that ended later. */
WORLD_TEST(result_ends_the_memory_of_polls)
{
   measure(4);
   world.null.done = 0;
   assert_false(poll(1));
   assert_true(pitot_query_resolve(world.context, find_query(2), true));
   world.null.done = UINT64_MAX;
   assert_true(poll(4));
}

/* After an application's wait, the first poll reaches the driver. */
WORLD_TEST(wait_ends_the_memory_of_polls)
{
   measure(MANY);
   world.null.done = 0;
   assert_false(poll(1));
   assert_false(poll(2));
   world.null.done = UINT64_MAX;
   world.null.base.wait_count++;
   assert_true(poll(2));
}

/* Once a buffer got TRUE, polls of it and older queries reach the driver. */
WORLD_TEST(stored_availability_is_asked_for)
{
   uint32_t stored = 7;

   measure(MANY);
   world.null.done = 0;
   world.null.can_store = true;
   assert_true(pitot_query_store(world.context, find_query(3),
                                 PITOT_STORE_AVAILABLE, PITOT_TYPE_U32,
                                 &stored, 0));
   assert_false(poll(5));
   world.null.done = 4;
   assert_true(poll(2));
   assert_true(poll(3));
}

/* Once a buffer may have TRUE, the CPU waits to store the result. */
TEST(stored_availability_has_a_store_wait)
{
   uint32_t stored = 7;

   for (unsigned asks = 0; asks < 2; asks++) {
      open_world();
      measure(MANY);
      world.null.done = 0;
      world.null.can_store = true;
      if (asks)
         assert_true(pitot_query_store(world.context, find_query(3),
                                       PITOT_STORE_AVAILABLE, PITOT_TYPE_U32,
                                       &stored, 0));
      world.null.can_store = false;
      assert_false(pitot_query_store(world.context, find_query(3),
                                     PITOT_STORE_RESULT_NO_WAIT,
                                     PITOT_TYPE_U32, &stored, 0));
      assert_int_equal(poll(3), asks);
      close_world();
   }
}

/*
 * Timestamps read in another order than recorded
 */

static void
record(uint32_t name, uint64_t time_ns)
{
   world.null.time_ns = time_ns;
   assert_int_equal(pitot_query_begin(world.context, find_query(name),
                                      PITOT_KIND_TIMESTAMP, 0),
                    0);
}

static uint64_t
read_time(uint32_t name)
{
   struct pitot_query *query = find_query(name);

   assert_true(pitot_query_resolve(world.context, query, true));
   return query->result;
}

WORLD_TEST(times_are_exact_in_any_order)
{
   record(1, 1000);
   record(2, 2000);
   record(3, 3000);
   assert_int_equal(read_time(3), 3000);
   assert_int_equal(read_time(1), 1000);
   assert_int_equal(read_time(2), 2000);
   assert_false(pitot_disjoint_take(world.context));
}

/* No timestamp decreases; disjoint reports that the clock went back. */
WORLD_TEST(times_never_go_back_in_any_order)
{
   uint64_t first, second;

   record(1, 105);
   record(2, 50);
   record(3, 200);
   const uint64_t third = read_time(3);

   assert_true(pitot_disjoint_take(world.context));
   first = read_time(1);
   second = read_time(2);
   assert_true(first <= second && second <= third);
}
