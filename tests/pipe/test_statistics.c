/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Values of pipeline statistics that share driver queries.
 */

#include "statistics.h"

/* A query that begins and ends inside another one does not split it. */
STATISTICS_TEST(later_ones_have_another_query)
{
   open_statistics(s, true, false);
   struct pitot_query *outer = begin(s, 3);
   draw(s);
   struct pitot_query *inner = begin(s, 5);
   draw(s);
   end(s, 5);
   draw(s);
   end(s, 3);
   check_draws(s, outer, 3, 3);
   check_draws(s, inner, 5, 1);
   assert_int_equal(s->f.fake.created, 2);
   assert_int_equal(s->f.fake.created_structs, 0);
}

STATISTICS_TEST(they_may_end_apart)
{
   struct pitot_query *queries[COUNT];

   open_statistics(s, true, false);
   begin_all(s, queries);
   for (unsigned i = 0; i < COUNT; i++) {
      draw(s);
      end(s, i);
   }
   draw(s);
   assert_int_equal(s->f.fake.created, COUNT);
   for (unsigned i = COUNT; i-- > 0;)
      check_draws(s, queries[i], i, i + 1);
}

/* One of two ends before the first draw. */
STATISTICS_TEST(they_may_end_before_the_draw)
{
   open_statistics(s, true, false);
   struct pitot_query *first = begin(s, 0);
   struct pitot_query *second = begin(s, 1);
   end(s, 0);
   struct pitot_query *third = begin(s, 2);
   draw(s);
   end(s, 2);
   end(s, 1);
   check_draws(s, first, 0, 0);
   check_draws(s, second, 1, 1);
   check_draws(s, third, 2, 1);
   assert_int_equal(s->f.fake.created, 1);
}

/* Perf queries measure a statistic that is already active. */
STATISTICS_TEST(one_may_be_active_twice)
{
   const enum pitot_kind kind = kind_at(4);
   struct pitot_driver_query *queries[2];
   uint64_t value;

   open_statistics(s, true, false);
   struct pitot_driver *driver = &s->f.client.base;
   for (unsigned i = 0; i < 2; i++) {
      assert_int_equal(driver->ops->query_create(driver, kind, 0,
                                                 &queries[i]),
                       0);
      assert_int_equal(driver->ops->query_begin(driver, queries[i]), 0);
   }
   assert_int_equal(driver->ops->query_end(driver, queries[0]), 0);
   draw(s);
   assert_int_equal(driver->ops->query_end(driver, queries[1]), 0);
   for (unsigned i = 0; i < 2; i++) {
      assert_int_equal(driver->ops->query_result(driver, queries[i], true,
                                                 &value),
                       1);
      assert_int_equal(value, 5 * i);
      driver->ops->query_destroy(driver, queries[i]);
   }
}

/* A result is available once all its segments are. */
STATISTICS_TEST(polls_wait_for_each_segment)
{
   s->f.fake.is_held = true;
   s->f.fake.held_from = 1; /* the second segment */
   open_statistics(s, true, false);
   struct pitot_query *first = begin(s, 0);
   struct pitot_query *second = begin(s, 1);
   draw(s);
   end(s, 0);
   draw(s);
   end(s, 1);
   assert_false(pitot_query_resolve(s->f.context, second, false));
   assert_true(pitot_query_resolve(s->f.context, first, false));
   assert_false(pitot_query_resolve(s->f.context, second, false));
   s->f.fake.is_held = false;
   assert_true(pitot_query_resolve(s->f.context, second, false));
   assert_int_equal(first->result, 1);
   assert_int_equal(second->result, 4);
}

/* Random begins, ends, draws, reads and deletions, compared with counts. */
static uint32_t
next_random(uint32_t *seed)
{
   *seed = *seed * 1664525 + 1013904223;
   return *seed >> 16;
}

struct shadow {
   struct pitot_query *query;
   bool is_active, has_result;
   unsigned draws;
};

static void
check_shadow(struct statistics *s, struct shadow *shadow, unsigned i)
{
   if (shadow->is_active || !shadow->has_result)
      return;
   check_draws(s, shadow->query, i, shadow->draws);
}

static void
take_random_step(struct statistics *s, struct shadow shadows[COUNT],
                 uint32_t *seed)
{
   const unsigned i = next_random(seed) % COUNT;
   struct shadow *shadow = &shadows[i];

   switch (next_random(seed) % 8) {
   case 0:
      draw(s);
      for (unsigned j = 0; j < COUNT; j++)
         shadows[j].draws += shadows[j].is_active;
      break;
   case 1:
      check_shadow(s, shadow, i);
      break;
   case 2:
      if (shadow->has_result && !shadow->is_active)
         (void)pitot_query_resolve(s->f.context, shadow->query, false);
      break;
   case 3:
      (void)pitot_pipe_client_before_draw(&s->f.client);
      break;
   case 4:
      if (next_random(seed) % 4 == 0) {
         pitot_query_delete(s->f.context, i + 1);
         if (shadow->is_active)
            end(s, i); /* it is deleted now */
         *shadow = (struct shadow){ 0 };
      }
      break;
   default:
      if (shadow->is_active) {
         end(s, i);
         shadow->is_active = false;
         shadow->has_result = true;
      } else {
         *shadow = (struct shadow){ begin(s, i), .is_active = true };
      }
      break;
   }
}

TEST(any_order_counts_right)
{
   for (uint32_t seed = 0; seed < 400; seed++) {
      struct statistics s = { .is_watched = false };
      struct shadow shadows[COUNT] = { 0 };
      uint32_t random = seed;

      fake_pipe_init(&s.f.fake);
      s.f.fake.is_threaded = seed & 4;
      s.f.fake.is_held = seed & 8;
      open_statistics(&s, seed & 1, seed & 2);
      s.f.client.keeps_statistics_apart = seed & 16;
      for (unsigned step = 0; step < 500; step++)
         take_random_step(&s, shadows, &random);
      for (unsigned i = 0; i < COUNT; i++)
         check_shadow(&s, &shadows[i], i);
      close_fixture(&s.f);
   }
}
