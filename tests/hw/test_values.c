/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>

#include "fixture.h"
#include "hw_query.h"
#include "pitot_hw_family.h"

/* All statistics in one query; those that a GPU cannot count are 0. */
HW_TEST(statistics_come_together, EVERY_GPU)
{
   struct pitot_hw_query *query = create_statistics(f);
   uint64_t values[PITOT_STATISTIC_COUNT];

   begin(f, query);
   for (unsigned i = 0; i < PITOT_STATISTIC_COUNT; i++) {
      if (is_supported(f, PITOT_KIND_VERTICES_SUBMITTED + i))
         draw(f, PITOT_KIND_VERTICES_SUBMITTED + i, i + 1);
   }
   end(f, query);
   assert_int_equal(pitot_hw_query_result(f->hw, query, true, values), 1);
   for (unsigned i = 0; i < PITOT_STATISTIC_COUNT; i++)
      assert_int_equal(values[i],
                       is_supported(f, PITOT_KIND_VERTICES_SUBMITTED + i)
                          ? i + 1
                          : 0);
}

/* Primitives written, and those that needed space, of two streams. */
HW_TEST(lists_have_their_order, EVERY_GPU)
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

/* A counter that only the driver's shaders could keep is rejected, not 0. */
HW_TEST_ALONE(uncountable_kinds_are_refused)
{
   static const struct {
      const char *gpu;
      enum pitot_kind kind;
      unsigned bits;
   } cases[] = {
      { "navi10", PITOT_KIND_GS_INVOCATIONS, 0 },
      { "navi21", PITOT_KIND_GS_PRIMITIVES, 0 },
      { "navi21", PITOT_KIND_PRIMITIVES_GENERATED, 63 },
      { "navi31", PITOT_KIND_GS_INVOCATIONS, 64 },
      { "navi31", PITOT_KIND_GS_PRIMITIVES, 0 },
      { "navi31", PITOT_KIND_PRIMITIVES_GENERATED, 0 },
      { "navi31", PITOT_KIND_PRIMITIVES_WRITTEN, 0 },
      { "navi31", PITOT_KIND_STREAM_OVERFLOW, 0 },
      { "navi48", PITOT_KIND_GS_INVOCATIONS, 64 },
      { "navi48", PITOT_KIND_GS_PRIMITIVES, 0 },
      { "navi48", PITOT_KIND_STREAM_OVERFLOW, 0 },
      { "vega10", PITOT_KIND_GS_PRIMITIVES, 64 },
      { "vega10", PITOT_KIND_SAMPLES_PASSED, 63 },
      { "skl", PITOT_KIND_SAMPLES_PASSED, 64 },
      { "skl", PITOT_KIND_ANY_SAMPLES_PASSED, 1 },
      { "skl", PITOT_KIND_TIMESTAMP, 64 },
      { "skl", PITOT_KIND_PRIMITIVES_GENERATED, 64 },
      { "skl", PITOT_KIND_PRIMITIVES_WRITTEN, 64 },
      { "skl", PITOT_KIND_FS_INVOCATIONS, 64 },
      { "skl", PITOT_KIND_VS_INVOCATIONS, 64 },
      { "skl", PITOT_KIND_ANY_STREAM_OVERFLOW, 1 },
      { "vega10", PITOT_KIND_PRIMITIVES_WRITTEN, 63 },
      { "vega10", PITOT_KIND_VS_INVOCATIONS, 64 },
      { "vega10", PITOT_KIND_ANY_STREAM_OVERFLOW, 1 },
      { "vega10", PITOT_KIND_ANY_SAMPLES_PASSED, 1 },
      { "skl", PITOT_KIND_STREAM_OVERFLOW, 1 },
      { "bdw", PITOT_KIND_SAMPLES_PASSED, 64 },
      { "bdw", PITOT_KIND_FS_INVOCATIONS, 64 },
      { "bdw", PITOT_KIND_TIMESTAMP, 64 },
      { "bdw", PITOT_KIND_STREAM_OVERFLOW, 1 },
      { "vega10", PITOT_KIND_TIMESTAMP, 64 },
      { "vega10", PITOT_KIND_STREAM_OVERFLOW, 1 },
      { "navi21", PITOT_KIND_SAMPLES_PASSED, 63 },
      { "navi21", PITOT_KIND_TIMESTAMP, 64 },
      { "navi21", PITOT_KIND_STREAM_OVERFLOW, 1 },
      { "navi31", PITOT_KIND_SAMPLES_PASSED, 63 },
      { "navi31", PITOT_KIND_TIMESTAMP, 64 },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      struct fixture *f = open_fixture(cases[i].gpu, false);
      struct pitot_hw_query *query = NULL;

      assert_int_equal(pitot_hw_counter_bits(f->hw, cases[i].kind),
                       cases[i].bits);
      assert_int_equal(pitot_hw_query_create(f->hw, cases[i].kind, 0, &query),
                       cases[i].bits ? 0 : -ENOTSUP);
      pitot_hw_query_free(f->hw, query);
      close_fixture(f);
   }
}

/* A list may have a gap: its value is 0, the others are counted. */
HW_TEST(gaps_are_0, EVERY_GPU)
{
   struct pitot_hw_query *query =
      create_pair(f, PITOT_KIND_SAMPLES_PASSED, PITOT_HW_NOTHING);
   uint64_t values[2];

   measure_work(f, query, PITOT_KIND_SAMPLES_PASSED, 5);
   assert_int_equal(pitot_hw_query_result(f->hw, query, true, values), 1);
   assert_int_equal(values[0], 5);
   assert_int_equal(values[1], 0);
}
