/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The driver queries that pipeline statistics share.
 */

#include <errno.h>

#include "statistics.h"

STATISTICS_TEST(together_they_are_one_query)
{
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

/* A single statistic uses a single query: the GPU has less to count. */
STATISTICS_TEST_EACH(alone_they_are_single, variant, 2 * COUNT)
{
   const bool has_single = variant % 2;
   const unsigned i = variant / 2;

   open_statistics(s, has_single, false);
   struct pitot_query *query = begin(s, i);
   draw(s);
   end(s, i);
   draw(s);
   check_draws(s, query, i, 1);
   assert_int_equal(s->f.fake.created, 1);
   assert_int_equal(s->f.fake.created_structs, !has_single);
}

/* Without a draw, the result is available at once, without driver queries. */
STATISTICS_TEST(without_a_draw_they_are_0)
{
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

/* Internal draws are excluded only between draw and end. */
STATISTICS_TEST(counting_is_from_draw_to_end)
{
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

/* If a draw fails to begin a query, its count is 0; earlier counts stay. */
STATISTICS_TEST(failures_are_reported)
{
   static const enum pitot_null_call failures[] = { PITOT_NULL_CREATE,
                                                    PITOT_NULL_BEGIN };

   open_statistics(s, false, true);
   for (unsigned i = 0; i < ARRAY_LENGTH(failures); i++) {
      struct pitot_query *first = begin(s, 0);
      struct pitot_query *second = begin(s, 1);

      draw(s);
      end(s, 0);
      s->f.fake.fail[failures[i]] = 1;
      draw(s);
      assert_int_not_equal(s->error, 0);
      end(s, 1);
      check_draws(s, first, 0, 1);
      check_draws(s, second, 1, 0);
      assert_true(pitot_disjoint_take(s->f.context));
   }
}

STATISTICS_TEST(failures_of_an_end_are_reported)
{
   open_statistics(s, false, false);
   struct pitot_query *first = begin(s, 0);
   struct pitot_query *second = begin(s, 1);
   draw(s);
   s->f.fake.fail[PITOT_NULL_END] = 1;
   assert_int_not_equal(pitot_query_end(s->f.context, kind_at(0), 0), 0);
   draw(s);
   end(s, 1);
   check_draws(s, first, 0, 0);
   check_draws(s, second, 1, 0);
}

/* The driver stores a single driver query; the CPU stores sums. */
STATISTICS_TEST_EACH(one_segment_is_stored, has_single, 2)
{
   uint64_t value = 0;

   open_statistics(s, has_single, false);
   struct pitot_query *first = begin(s, 4);
   struct pitot_query *second = begin(s, 6);
   draw(s);
   end(s, 4);
   assert_true(store_result(&s->f, first, &value));
   assert_int_equal(value, 5);
   draw(s);
   end(s, 6);
   assert_true(store_result(&s->f, first, &value));
   assert_int_equal(value, 5);
   assert_false(store_result(&s->f, second, &value));
   check_draws(s, second, 6, 2);
   second = begin(s, 6);
   draw(s);
   end(s, 6);
   assert_true(store_result(&s->f, second, &value));
   assert_int_equal(value, 7);
}

static bool
store_later_one(struct statistics *s, uint64_t *value)
{
   begin(s, 4);
   struct pitot_query *query = begin(s, 6);
   draw(s);
   end(s, 4);
   draw(s);
   end(s, 6);
   const bool is_stored = store_result(&s->f, query, value);

   check_draws(s, query, 6, 2);
   return is_stored;
}

/* The CPU waits for a sum.  The next statistic is a single query, so that the
 * driver can store it, unless it waits anyway.
 */
STATISTICS_TEST_EACH(sums_are_stored_once, waits, 2)
{
   uint64_t value = 0;

   open_statistics(s, false, false);
   s->f.client.info.stores_wait = waits;
   assert_false(store_later_one(s, &value));
   assert_int_equal(store_later_one(s, &value), !waits);
   assert_int_equal(value, waits ? 0 : 14);
}

/* Driver queries are reused, read or not, except with keeps_queries_apart. */
STATISTICS_TEST_EACH(queries_are_used_again, variant, 4)
{
   const bool is_apart = variant & 1, reads = variant & 2;
   struct pitot_query *queries[COUNT];

   open_statistics(s, true, is_apart);
   for (unsigned round = 0; round < 1000; round++) {
      begin_all(s, queries);
      draw(s);
      end_all(s);
      for (unsigned i = 0; i < COUNT && reads; i++)
         check_draws(s, queries[i], i, 1);
   }
   if (is_apart)
      assert_int_equal(s->f.fake.created, 1000);
   else
      assert_true(s->f.fake.created <= (reads ? 1 : 66));
   assert_true(s->f.fake.alive <= 66);
}

static void
count_mask(struct statistics *s, unsigned mask)
{
   struct pitot_query *queries[COUNT];

   for (unsigned i = 0; i < COUNT; i++) {
      if (mask & (1u << i))
         queries[i] = begin(s, i);
   }
   draw(s);
   for (unsigned i = 0; i < COUNT; i++) {
      if (mask & (1u << i)) {
         end(s, i);
         check_draws(s, queries[i], i, 1);
      }
   }
}

/* A driver query counts a fixed mask.  Unused masks are destroyed to make
 * space for others.
 */
STATISTICS_TEST(queries_of_other_statistics_are_used_again)
{
   open_info_fixture(&s->f, (struct pitot_pipe_info){
                               .watch_draws = watch_draws,
                               .data = s,
                               .struct_statistics = PITOT_PIPE_ALL_STATISTICS,
                               .has_struct = true,
                            });
   for (unsigned mask = 1; mask <= 100; mask++)
      count_mask(s, mask);
   assert_true(s->f.fake.alive <= 66);
   for (unsigned round = 0; round < 100; round++)
      count_mask(s, PITOT_PIPE_ALL_STATISTICS);
   assert_int_equal(s->f.fake.created, 101);
   assert_true(s->f.fake.alive <= 66);
}

/* Once a result was read, another statistic reuses its query. */
STATISTICS_TEST(read_ones_free_their_query)
{
   open_statistics(s, false, false);
   for (unsigned i = 0; i < COUNT; i++) {
      struct pitot_query *query = begin(s, i);

      draw(s);
      end(s, i);
      check_draws(s, query, i, 1);
   }
   assert_int_equal(s->f.fake.created, 1);
}

/* Also a query in flight: the driver begins it again without waiting. */
STATISTICS_TEST(unread_queries_are_used_again)
{
   struct pitot_driver_query *query;
   unsigned created = 0;

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
      driver->ops->query_destroy(driver, query);
      draw(s);
      created = i == 0 ? s->f.fake.created : created;
   }
   end(s, 5);
   assert_int_equal(s->f.fake.created, created + 1);
   s->f.fake.is_held = false;
   check_draws(s, other, 5, 6);
}

/* Without the cap, the draw callback, or the struct. */
STATISTICS_TEST_EACH(otherwise_each_is_a_query, lack, 3)
{
   caps_of(&s->f)->query_pipeline_statistics = lack != 0;
   open_info_fixture(&s->f, (struct pitot_pipe_info){
                               .watch_draws = lack != 1 ? watch_draws : NULL,
                               .data = s,
                               .struct_statistics =
                                  lack != 2 ? PITOT_PIPE_ALL_STATISTICS : 0,
                            });
   struct pitot_query *first = begin(s, 0);
   struct pitot_query *second = begin(s, 1);
   assert_int_equal(s->f.fake.created, 2);
   draw(s);
   end(s, 0);
   end(s, 1);
   check_draws(s, first, 0, 1);
   check_draws(s, second, 1, 1);
   assert_int_equal(s->watches, 0);
}

/* On some AMD GPUs the struct lacks the counts of geometry shaders. */
STATISTICS_TEST(the_struct_may_lack_some)
{
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

/*
 * Drivers that count a kind once, with two active driver queries of it, as
 * perf queries cause
 */

static void
open_once(struct statistics *s, bool is_watched)
{
   open_info_fixture(&s->f, (struct pitot_pipe_info){
                               .watch_draws = is_watched ? watch_draws : NULL,
                               .data = s,
                               .counts_once = true,
                            });
}

static struct pitot_driver_query *
create_once(struct statistics *s, enum pitot_kind kind, unsigned stream)
{
   struct pitot_driver *driver = &s->f.client.base;
   struct pitot_driver_query *query;

   assert_int_equal(driver->ops->query_create(driver, kind, stream, &query),
                    0);
   return query;
}

static void
begin_once(struct statistics *s, struct pitot_driver_query *query)
{
   struct pitot_driver *driver = &s->f.client.base;

   assert_int_equal(driver->ops->query_begin(driver, query), 0);
}

static void
end_once(struct statistics *s, struct pitot_driver_query *query)
{
   struct pitot_driver *driver = &s->f.client.base;

   assert_int_equal(driver->ops->query_end(driver, query), 0);
}

static void
check_once(struct statistics *s, struct pitot_driver_query *query,
           uint64_t expected)
{
   struct pitot_driver *driver = &s->f.client.base;
   uint64_t result;

   assert_int_equal(driver->ops->query_result(driver, query, true, &result),
                    1);
   assert_int_equal(result, expected);
}

static void
destroy_once(struct statistics *s, struct pitot_driver_query *queries[],
             unsigned count)
{
   struct pitot_driver *driver = &s->f.client.base;

   assert_false(s->f.fake.has_two_alike);
   for (unsigned i = 0; i < count; i++)
      driver->ops->query_destroy(driver, queries[i]);
}

static void
draw_streams(struct statistics *s, uint64_t count)
{
   draw(s);
   for (unsigned i = 0; i < PIPE_MAX_VERTEX_STREAMS; i++)
      s->f.fake.counters[PIPE_QUERY_PRIMITIVES_GENERATED][i] +=
         count * (i + 1);
}

static const struct {
   enum pitot_kind kind;
   unsigned stream;
   uint64_t per_draw;
} counted[] = {
   { PITOT_KIND_FIRST_STATISTIC, 0, 1 },
   { PITOT_KIND_CLIPPING_OUTPUT, 0, COUNT },
   { PITOT_KIND_PRIMITIVES_GENERATED, 0, 100 },
   { PITOT_KIND_PRIMITIVES_GENERATED, 3, 400 },
};

/* Vulkan allows one active query of a type
 * (VUID-vkCmdBeginQuery-queryPool-01922).
 */
STATISTICS_TEST_EACH(one_counts_at_a_time, i, 2 * ARRAY_LENGTH(counted))
{
   const uint64_t per_draw = counted[i / 2].per_draw;
   struct pitot_driver_query *queries[4];

   open_once(s, i % 2);
   for (unsigned j = 0; j < ARRAY_LENGTH(queries); j++)
      queries[j] = create_once(s, counted[i / 2].kind, counted[i / 2].stream);
   begin_once(s, queries[0]);
   begin_once(s, queries[1]);
   draw_streams(s, 100);
   begin_once(s, queries[2]);
   draw_streams(s, 100);
   end_once(s, queries[1]);
   begin_once(s, queries[3]);
   end_once(s, queries[3]);
   draw_streams(s, 100);
   end_once(s, queries[0]);
   draw_streams(s, 100);
   end_once(s, queries[2]);
   draw_streams(s, 100);
   check_once(s, queries[3], 0);
   check_once(s, queries[2], 3 * per_draw);
   check_once(s, queries[1], 2 * per_draw);
   check_once(s, queries[0], 3 * per_draw);
   destroy_once(s, queries, ARRAY_LENGTH(queries));
}

/* Other statistics and other streams are not split. */
STATISTICS_TEST(others_are_not_split)
{
   struct pitot_driver_query *queries[4];

   open_once(s, true);
   for (unsigned i = 0; i < ARRAY_LENGTH(queries); i++) {
      queries[i] =
         i < 2 ? create_once(s, kind_at(i), 0)
               : create_once(s, PITOT_KIND_PRIMITIVES_GENERATED, i - 2);
      begin_once(s, queries[i]);
      draw_streams(s, 10);
   }
   for (unsigned i = 0; i < ARRAY_LENGTH(queries); i++)
      end_once(s, queries[i]);
   check_once(s, queries[0], 4);
   check_once(s, queries[1], 6);
   check_once(s, queries[2], 20);
   check_once(s, queries[3], 20);
   assert_int_equal(s->f.fake.created, 4);
   destroy_once(s, queries, ARRAY_LENGTH(queries));
}

/* A driver with a struct counts all statistics at a time, each from its begin
 * to its end.
 */
STATISTICS_TEST(a_struct_is_of_all_that_are_active)
{
   struct pitot_driver_query *queries[COUNT];

   caps_of(&s->f)->query_pipeline_statistics = true;
   open_info_fixture(&s->f, (struct pitot_pipe_info){
                               .watch_draws = watch_draws,
                               .data = s,
                               .struct_statistics = PITOT_PIPE_ALL_STATISTICS,
                               .counts_once = true,
                               .has_struct = true,
                            });
   for (unsigned i = 0; i < COUNT; i++)
      queries[i] = create_once(s, kind_at(i), 0);
   for (unsigned i = 0; i < COUNT; i++)
      begin_once(s, queries[i]);
   draw(s);
   for (unsigned i = 0; i < COUNT; i++)
      end_once(s, queries[i]);
   assert_int_equal(s->f.fake.created, 1);
   for (unsigned i = 0; i < COUNT; i++) {
      check_once(s, queries[i], i + 1);
      begin_once(s, queries[i]);
      draw(s);
   }
   for (unsigned i = 0; i < COUNT; i++) {
      end_once(s, queries[i]);
      draw(s);
      check_once(s, queries[i], COUNT * (i + 1));
   }
   destroy_once(s, queries, COUNT);
}

/* Memory stays flat although one of them is always active. */
STATISTICS_TEST(old_segments_are_used_again)
{
   struct pitot_driver_query *queries[2];

   open_once(s, true);
   for (unsigned i = 0; i < 2; i++)
      queries[i] = create_once(s, kind_at(0), 0);
   begin_once(s, queries[0]);
   for (unsigned i = 1; i < 1000; i++) {
      draw(s);
      begin_once(s, queries[i % 2]);
      draw(s);
      end_once(s, queries[(i + 1) % 2]);
      check_once(s, queries[(i + 1) % 2], i == 1 ? 2 : 4);
      draw(s);
   }
   assert_true(s->f.fake.created <= 4);
   destroy_once(s, queries, 2);
}

/* A failure concerns the active queries, not later ones. */
STATISTICS_TEST_EACH(failures_are_of_those_that_are_active, is_end, 2)
{
   struct pitot_driver *driver = &s->f.client.base;
   struct pitot_driver_query *queries[2];
   uint64_t result;

   open_once(s, true);
   for (unsigned i = 0; i < 2; i++)
      queries[i] = create_once(s, kind_at(0), 0);
   begin_once(s, queries[0]);
   s->f.fake.fail[is_end ? PITOT_NULL_END : PITOT_NULL_BEGIN] = 1;
   draw(s);
   begin_once(s, queries[1]);
   draw(s);
   end_once(s, queries[0]);
   draw(s);
   end_once(s, queries[1]);
   assert_int_equal(driver->ops->query_result(driver, queries[0], true,
                                              &result),
                    -EIO);
   check_once(s, queries[1], 2);
   destroy_once(s, queries, 2);
}

/* The driver stores the later query, one segment; the CPU stores sums, and
 * the driver again the next query.
 */
STATISTICS_TEST(one_segment_of_a_kind_is_stored)
{
   struct pitot_driver *driver = &s->f.client.base;
   struct pitot_driver_query *queries[2];
   uint64_t value = 0;

   open_once(s, true);
   struct pipe_resource *resource = fake_pipe_resource(&s->f.fake, &value);
   for (unsigned i = 0; i < 2; i++)
      queries[i] = create_once(s, kind_at(4), 0);
   for (unsigned round = 0; round < 2; round++) {
      begin_once(s, queries[0]);
      draw(s);
      begin_once(s, queries[1]);
      draw(s);
      end_once(s, queries[0]);
      end_once(s, queries[1]);
      assert_false(driver->ops->query_store(driver, queries[0],
                                            PITOT_STORE_RESULT,
                                            PITOT_TYPE_U64, resource, 0));
      assert_true(driver->ops->query_store(driver, queries[1],
                                           PITOT_STORE_RESULT, PITOT_TYPE_U64,
                                           resource, 0));
      assert_int_equal(value, 5);
   }
   destroy_once(s, queries, 2);
}

/* A driver without statistics is called for streams only. */
STATISTICS_TEST(what_is_not_counted_is_0)
{
   struct pitot_driver_query *queries[2];

   caps_of(&s->f)->query_pipeline_statistics_single = false;
   open_info_fixture(&s->f, (struct pitot_pipe_info){ .counts_once = true });
   queries[0] = create_once(s, kind_at(0), 0);
   queries[1] = create_once(s, PITOT_KIND_PRIMITIVES_GENERATED, 1);
   for (unsigned i = 0; i < ARRAY_LENGTH(queries); i++)
      begin_once(s, queries[i]);
   draw_streams(s, 10);
   for (unsigned i = 0; i < ARRAY_LENGTH(queries); i++)
      end_once(s, queries[i]);
   check_once(s, queries[0], 0);
   check_once(s, queries[1], 20);
   assert_int_equal(s->f.fake.created, 1);
   assert_int_equal(s->f.fake.created_structs, 0);
   destroy_once(s, queries, ARRAY_LENGTH(queries));
}

/* Without a draw callback a begin may fail, and can be repeated. */
STATISTICS_TEST(failures_of_a_begin_are_undone)
{
   struct pitot_driver *driver = &s->f.client.base;

   open_once(s, false);
   struct pitot_driver_query *query = create_once(s, kind_at(0), 0);
   s->f.fake.fail[PITOT_NULL_CREATE] = 1;
   assert_int_equal(driver->ops->query_begin(driver, query), -ENOMEM);
   s->f.fake.fail[PITOT_NULL_BEGIN] = 1;
   assert_int_equal(driver->ops->query_begin(driver, query), -EIO);
   draw(s);
   begin_once(s, query);
   draw(s);
   end_once(s, query);
   check_once(s, query, 1);
   destroy_once(s, &query, 1);
}
