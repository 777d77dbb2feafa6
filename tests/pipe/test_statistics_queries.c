/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The queries of the driver that pipeline statistics share.
 */

#include "statistics.h"

static void
together_they_are_one_query(void **state)
{
   struct statistics *s = *state;
   struct pitot_query *queries[COUNT];

   open_statistics(s, true, false);
   draw(s);
   begin_all(s, queries);
   assert_int_equal(s->f.fake.created, 0);
   draw(s);
   draw(s);
   end_all(s);
   draw(s);
   for (unsigned i = 0; i < COUNT; i++)
      check_draws(s, queries[i], i, 2);
   assert_int_equal(s->f.fake.created, 1);
   assert_int_equal(s->f.fake.created_structs, 1);
   assert_int_equal(s->f.fake.result_calls, 1);
}

/* One that is alone is counted alone, if the driver can: there is less for
 * the GPU to do.
 */
static void
alone_they_are_single(void **state)
{
   (void)state;
   for (unsigned has_single = 0; has_single < 2; has_single++) {
      for (unsigned i = 0; i < COUNT; i++) {
         struct statistics s = { .is_watched = false };

         fake_pipe_init(&s.f.fake);
         open_statistics(&s, has_single, false);
         struct pitot_query *query = begin(&s, i);
         draw(&s);
         end(&s, i);
         draw(&s);
         check_draws(&s, query, i, 1);
         assert_int_equal(s.f.fake.created, 1);
         assert_int_equal(s.f.fake.created_structs, !has_single);
         close_fixture(&s.f);
      }
   }
}

/* Without a draw, the results are there at once, and the driver is
 * asked for nothing.
 */
static void
without_a_draw_they_are_0(void **state)
{
   struct statistics *s = *state;
   struct pitot_query *queries[COUNT];

   s->f.fake.is_held = true;
   open_statistics(s, true, false);
   draw(s);
   begin_all(s, queries);
   end_all(s);
   draw(s);
   for (unsigned i = 0; i < COUNT; i++) {
      assert_true(pitot_query_resolve(s->f.context, queries[i], false));
      assert_int_equal(queries[i]->result, 0);
   }
   assert_int_equal(s->f.fake.created, 0);
}

/* A frontend's own draws are kept out of what is being counted, and of
 * nothing else.
 */
static void
counting_is_from_draw_to_end(void **state)
{
   struct statistics *s = *state;

   open_statistics(s, true, false);
   begin(s, 0);
   begin(s, 1);
   assert_int_equal(s->f.counting, 0);
   draw(s);
   assert_int_equal(s->f.counting, 1);
   end(s, 0);
   assert_int_equal(s->f.counting, 0);
   draw(s);
   assert_int_equal(s->f.counting, 1);
   end(s, 1);
   assert_int_equal(s->f.counting, 0);
}

/* A count that the driver fails to begin or end is 0, and earlier ones stay;
 * the frontend learns of the draw that is not counted.
 */
static void
failures_are_told(void **state)
{
   struct statistics *s = *state;
   unsigned *const failures[] = {
      &s->f.fake.fail_create,
      &s->f.fake.fail_begin,
   };

   open_statistics(s, false, true);
   for (unsigned i = 0; i < ARRAY_LENGTH(failures); i++) {
      struct pitot_query *first = begin(s, 0);
      struct pitot_query *second = begin(s, 1);

      draw(s);
      end(s, 0);
      *failures[i] = 1;
      draw(s);
      assert_int_not_equal(s->error, 0);
      end(s, 1);
      check_draws(s, first, 0, 1);
      check_draws(s, second, 1, 0);
      assert_true(pitot_disjoint_take(s->f.context));
   }
}

static void
failures_of_an_end_are_told(void **state)
{
   struct statistics *s = *state;

   open_statistics(s, false, false);
   struct pitot_query *first = begin(s, 0);
   struct pitot_query *second = begin(s, 1);
   draw(s);
   s->f.fake.fail_end = 1;
   assert_int_not_equal(pitot_query_end(s->f.context, kind_at(0), 0), 0);
   draw(s);
   end(s, 1);
   check_draws(s, first, 0, 0);
   check_draws(s, second, 1, 0);
}

/* The driver stores the result of one query of its own; a sum is the CPU's.
 */
static void
one_segment_is_stored(void **state)
{
   (void)state;
   for (unsigned has_single = 0; has_single < 2; has_single++) {
      struct statistics s = { .is_watched = false };
      uint64_t value = 0;

      fake_pipe_init(&s.f.fake);
      struct pipe_resource *resource = fake_pipe_resource(&s.f.fake, &value);
      open_statistics(&s, has_single, false);
      struct pitot_query *first = begin(&s, 4);
      struct pitot_query *second = begin(&s, 6);
      draw(&s);
      end(&s, 4);
      assert_true(pitot_query_store(s.f.context, first, PITOT_STORE_RESULT,
                                    PITOT_TYPE_U64, resource, 0));
      assert_int_equal(value, 5);
      draw(&s);
      end(&s, 6);
      assert_true(pitot_query_store(s.f.context, first, PITOT_STORE_RESULT,
                                    PITOT_TYPE_U64, resource, 0));
      assert_int_equal(value, 5);
      assert_false(pitot_query_store(s.f.context, second, PITOT_STORE_RESULT,
                                     PITOT_TYPE_U64, resource, 0));
      check_draws(&s, second, 6, 2);
      second = begin(&s, 6);
      draw(&s);
      end(&s, 6);
      assert_true(pitot_query_store(s.f.context, second, PITOT_STORE_RESULT,
                                    PITOT_TYPE_U64, resource, 0));
      assert_int_equal(value, 7);
      close_fixture(&s.f);
   }
}

/* Stores a statistic that begins together with another one and ends later. */
static bool
store_later_one(struct statistics *s, struct pipe_resource *resource)
{
   begin(s, 4);
   struct pitot_query *query = begin(s, 6);
   draw(s);
   end(s, 4);
   draw(s);
   end(s, 6);
   const bool is_stored =
      pitot_query_store(s->f.context, query, PITOT_STORE_RESULT,
                        PITOT_TYPE_U64, resource, 0);

   check_draws(s, query, 6, 2);
   return is_stored;
}

/* A sum is the CPU's to store, which waits for it: once, unless the driver
 * waits anyway.
 */
static void
sums_are_stored_once(void **state)
{
   (void)state;
   for (unsigned waits = 0; waits < 2; waits++) {
      struct statistics s = { .is_watched = false };
      uint64_t value = 0;

      fake_pipe_init(&s.f.fake);
      struct pipe_resource *resource = fake_pipe_resource(&s.f.fake, &value);
      open_statistics(&s, false, false);
      s.f.client.info.stores_wait = waits;
      assert_false(store_later_one(&s, resource));
      assert_int_equal(store_later_one(&s, resource), !waits);
      assert_int_equal(value, waits ? 0 : 14);
      close_fixture(&s.f);
   }
}

/* In the steady state a query is used again and again, whether its results
 * are read or not; but not by a driver that wants them apart.
 */
static void
queries_are_used_again(void **state)
{
   (void)state;
   for (unsigned is_apart = 0; is_apart < 2; is_apart++) {
      for (unsigned reads = 0; reads < 2; reads++) {
         struct statistics s = { .is_watched = false };
         struct pitot_query *queries[COUNT];

         fake_pipe_init(&s.f.fake);
         open_statistics(&s, true, is_apart);
         for (unsigned round = 0; round < 1000; round++) {
            begin_all(&s, queries);
            draw(&s);
            end_all(&s);
            for (unsigned i = 0; i < COUNT && reads; i++)
               check_draws(&s, queries[i], i, 1);
         }
         if (is_apart)
            assert_int_equal(s.f.fake.created, 1000);
         else
            assert_true(s.f.fake.created <= (reads ? 1 : 66));
         assert_true(s.f.fake.alive <= 66);
         close_fixture(&s.f);
      }
   }
}

/* The result of one is read: its query is free for another one. */
static void
read_ones_free_their_query(void **state)
{
   struct statistics *s = *state;

   open_statistics(s, false, false);
   for (unsigned i = 0; i < COUNT; i++) {
      struct pitot_query *query = begin(s, i);

      draw(s);
      end(s, i);
      check_draws(s, query, i, 1);
   }
   assert_int_equal(s->f.fake.created, 1);
}

/* A query that the driver may be busy with is destroyed with its statistic:
 * only the driver knows when it can be used again.
 */
static void
unread_queries_are_destroyed(void **state)
{
   struct statistics *s = *state;
   struct pitot_driver_query *query;

   s->f.fake.is_held = true;
   open_statistics(s, true, false);
   struct pitot_driver *driver = &s->f.client.base;
   struct pitot_query *other = begin(s, 5);
   for (unsigned i = 0; i < 3; i++) {
      assert_int_equal(driver->ops->query_create(driver, kind_at(4), 0,
                                                 &query),
                       0);
      assert_int_equal(driver->ops->query_begin(driver, query), 0);
      draw(s);
      assert_int_equal(driver->ops->query_end(driver, query), 0);
      const unsigned alive = s->f.fake.alive;
      driver->ops->query_destroy(driver, query);
      assert_int_equal(s->f.fake.alive, alive - (i > 0));
      draw(s);
   }
   end(s, 5);
   s->f.fake.is_held = false;
   check_draws(s, other, 5, 6);
}

/* Without what it takes each is a query of its own. */
static void
otherwise_each_is_a_query(void **state)
{
   (void)state;
   for (unsigned lack = 0; lack < 3; lack++) {
      struct statistics s = { .is_watched = false };

      fake_pipe_init(&s.f.fake);
      caps_of(&s.f)->query_pipeline_statistics = lack != 0;
      open_info_fixture(&s.f,
                        (struct pitot_pipe_info){
                           .watch_draws = lack != 1 ? watch_draws : NULL,
                           .data = &s,
                           .struct_statistics =
                              lack != 2 ? PITOT_PIPE_ALL_STATISTICS : 0,
                        });
      struct pitot_query *first = begin(&s, 0);
      struct pitot_query *second = begin(&s, 1);
      assert_int_equal(s.f.fake.created, 2);
      draw(&s);
      end(&s, 0);
      end(&s, 1);
      check_draws(&s, first, 0, 1);
      check_draws(&s, second, 1, 1);
      assert_int_equal(s.watches, 0);
      close_fixture(&s.f);
   }
}

/* Two that the struct of the driver lacks, as the counts of geometry shaders
 * on some of AMD's GPUs, are queries of their own.
 */
static void
the_struct_may_lack_some(void **state)
{
   struct statistics *s = *state;
   struct pitot_query *queries[COUNT];
   const unsigned lacking = 1u << PIPE_STAT_QUERY_GS_INVOCATIONS |
                            1u << PIPE_STAT_QUERY_GS_PRIMITIVES;

   caps_of(&s->f)->query_pipeline_statistics = true;
   open_info_fixture(&s->f, (struct pitot_pipe_info){
                               .watch_draws = watch_draws,
                               .data = s,
                               .struct_statistics =
                                  PITOT_PIPE_ALL_STATISTICS & ~lacking,
                            });
   s->f.fake.lacking_statistics = lacking;
   begin_all(s, queries);
   draw(s);
   end_all(s);
   draw(s);
   for (unsigned i = 0; i < COUNT; i++)
      check_draws(s, queries[i], i, 1);
   assert_int_equal(s->f.fake.created, 3);
   assert_int_equal(s->f.fake.result_calls, 3);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      ON_STATISTICS(together_they_are_one_query),
      cmocka_unit_test(alone_they_are_single),
      ON_STATISTICS(without_a_draw_they_are_0),
      ON_STATISTICS(counting_is_from_draw_to_end),
      ON_STATISTICS(failures_are_told),
      ON_STATISTICS(failures_of_an_end_are_told),
      cmocka_unit_test(one_segment_is_stored),
      cmocka_unit_test(sums_are_stored_once),
      cmocka_unit_test(queries_are_used_again),
      ON_STATISTICS(read_ones_free_their_query),
      ON_STATISTICS(unread_queries_are_destroyed),
      cmocka_unit_test(otherwise_each_is_a_query),
      ON_STATISTICS(the_struct_may_lack_some),
   };

   return cmocka_run_group_tests_name("statistics_queries", tests, NULL,
                                      NULL);
}
