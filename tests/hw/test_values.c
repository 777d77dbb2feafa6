/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Queries of several values.
 */

#include "fixture.h"

/* All statistics in one query; those that a GPU cannot count are 0. */
static void
statistics_come_together(struct fixture *f)
{
   struct pitot_hw_query *query = create_statistics(f);
   uint64_t values[PITOT_HW_STATISTIC_COUNT];

   begin(f, query);
   for (unsigned i = 0; i < PITOT_HW_STATISTIC_COUNT; i++) {
      if (is_supported(f, PITOT_KIND_VERTICES_SUBMITTED + i))
         draw(f, PITOT_KIND_VERTICES_SUBMITTED + i, i + 1);
   }
   end(f, query);
   assert_int_equal(pitot_hw_query_result(f->hw, query, true, values), 1);
   for (unsigned i = 0; i < PITOT_HW_STATISTIC_COUNT; i++)
      assert_int_equal(values[i],
                       is_supported(f, PITOT_KIND_VERTICES_SUBMITTED + i)
                          ? i + 1
                          : 0);
}

/* Primitives that were written, and needed room for, of two streams. */
static void
lists_have_their_order(struct fixture *f)
{
   static const struct pitot_hw_count measures[] = {
      { PITOT_KIND_PRIMITIVES_WRITTEN, 1 },
      { PITOT_HW_STORAGE_NEEDED, 1 },
      { PITOT_KIND_SAMPLES_PASSED, 0 },
      { PITOT_HW_STORAGE_NEEDED, 0 },
   };
   const bool has_streamout = is_supported(f, PITOT_KIND_PRIMITIVES_WRITTEN);
   struct pitot_hw_query *query =
      create_list(f, measures, ARRAY_LENGTH(measures));
   uint64_t values[ARRAY_LENGTH(measures)];

   begin(f, query);
   sim_cs_count(f->cs, PITOT_KIND_PRIMITIVES_WRITTEN, 1, 3);
   sim_cs_count(f->cs, PITOT_KIND_PRIMITIVES_GENERATED, 1, 7);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 5);
   end(f, query);
   assert_int_equal(pitot_hw_query_result(f->hw, query, true, values), 1);
   assert_int_equal(values[0], has_streamout ? 3 : 0);
   assert_int_equal(values[1], has_streamout ? 7 : 0);
   assert_int_equal(values[2], 5);
   assert_int_equal(values[3], 0);
}

int
main(void)
{
   static const struct hw_test tests[] = {
      TEST_ON(EVERY_GPU, statistics_come_together),
      TEST_ON(EVERY_GPU, lists_have_their_order),
   };

   return RUN_SCHEDULED_ROWS("hw values", tests, run_hw_test);
}
