/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What queries count, on every GPU.
 */

#include <errno.h>
#include <string.h>

#include "fixture.h"

#define NS_PER_S UINT64_C(1000000000)

static bool
is_supported(struct fixture *f, enum pitot_kind kind)
{
   return pitot_hw_counter_bits(f->hw, kind) > 0;
}

/* Every kind, on every stream: what is drawn before and after is not in it.
 */
static void
counts_between_begin_and_end(void **unused)
{
   (void)unused;
   FOR_EACH_GPU(gpu)
   {
      struct fixture *f = open_fixture(gpu, false);

      for (unsigned kind = 0; kind < PITOT_KIND_COUNT; kind++) {
         const struct pitot_kind_info *info = pitot_kind_info(kind);
         const unsigned streams = info->is_indexed ? PITOT_MAX_STREAMS : 1;

         for (unsigned s = 0;
              s < streams && !info->is_time && is_supported(f, kind); s++) {
            struct pitot_hw_query *query = create(f, kind, s);

            fake_stream_draw(&f->fake, kind, s, 1000);
            begin(f, query);
            fake_stream_draw(&f->fake, kind, s, 7);
            end(f, query);
            fake_stream_draw(&f->fake, kind, s, 100);
            assert_int_equal(wait_for(f, query), info->is_boolean ? 1 : 7);
            begin(f, query);
            end(f, query);
            assert_int_equal(wait_for(f, query), 0);
            pitot_hw_query_free(f->hw, query);
         }
      }
      assert_int_equal(f->fake.counting, 0);
      close_fixture(f);
   }
}

/* All statistics in one query; those that a GPU cannot count are 0. */
static void
statistics_come_together(void **unused)
{
   (void)unused;
   FOR_EACH_GPU(gpu)
   {
      struct fixture *f =
         open_fixture(gpu, gpu->vendor == PITOT_VENDOR_INTEL);
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
      pitot_hw_query_free(f->hw, query);
      close_fixture(f);
   }
}

/* What was written and what there was no room for, of two streams. */
static void
lists_have_their_order(void **unused)
{
   static const struct pitot_hw_count measures[] = {
      { PITOT_KIND_PRIMITIVES_WRITTEN, 1 },
      { PITOT_HW_STORAGE_NEEDED, 1 },
      { PITOT_KIND_SAMPLES_PASSED, 0 },
      { PITOT_HW_STORAGE_NEEDED, 0 },
   };
   uint64_t values[ARRAY_LENGTH(measures)];

   (void)unused;
   FOR_EACH_GPU(gpu)
   {
      struct fixture *f = open_fixture(gpu, false);
      const bool has_streamout =
         is_supported(f, PITOT_KIND_PRIMITIVES_WRITTEN);
      struct pitot_hw_query *query;

      pitot_hw_query_create_list(f->hw, measures, ARRAY_LENGTH(measures),
                                 &query);
      begin(f, query);
      fake_stream_draw(&f->fake, PITOT_KIND_PRIMITIVES_WRITTEN, 1, 3);
      fake_stream_draw(&f->fake, PITOT_KIND_PRIMITIVES_GENERATED, 1, 7);
      draw(f, PITOT_KIND_SAMPLES_PASSED, 5);
      end(f, query);
      assert_int_equal(pitot_hw_query_result(f->hw, query, true, values), 1);
      assert_int_equal(values[0], has_streamout ? 3 : 0);
      assert_int_equal(values[1], has_streamout ? 7 : 0);
      assert_int_equal(values[2], 5);
      assert_int_equal(values[3], 0);
      pitot_hw_query_free(f->hw, query);
      close_fixture(f);
   }
}

/* Counters run over. */
static void
counters_wrap(void **unused)
{
   (void)unused;
   FOR_EACH_GPU(gpu)
   {
      struct fixture *f = open_fixture(gpu, false);
      struct pitot_hw_query *samples =
         create(f, PITOT_KIND_SAMPLES_PASSED, 0);
      struct pitot_hw_query *vertices =
         create(f, PITOT_KIND_VERTICES_SUBMITTED, 0);

      memset(f->fake.registers, 0xff, sizeof(f->fake.registers));
      memset(f->fake.block, 0xff, sizeof(f->fake.block));
      f->fake.depth_count = UINT64_MAX - 5;
      for (unsigned i = 0; i < ARRAY_LENGTH(f->fake.backends); i++)
         f->fake.backends[i] = (UINT64_MAX >> 1) - 1;
      begin(f, samples);
      begin(f, vertices);
      draw(f, PITOT_KIND_SAMPLES_PASSED, 1000);
      draw(f, PITOT_KIND_VERTICES_SUBMITTED, 9);
      end(f, samples);
      end(f, vertices);
      assert_int_equal(wait_for(f, samples), 1000);
      assert_int_equal(wait_for(f, vertices), 9);
      pitot_hw_query_free(f->hw, samples);
      pitot_hw_query_free(f->hw, vertices);
      close_fixture(f);
   }
}

/* In one batch after the other, and not in what others count in between. */
static void
counts_over_batches(void **unused)
{
   (void)unused;
   FOR_EACH_GPU(gpu)
   {
      struct fixture *f = open_fixture(gpu, false);
      struct pitot_hw_query *samples =
         create(f, PITOT_KIND_SAMPLES_PASSED, 0);
      struct pitot_hw_query *elapsed = create(f, PITOT_KIND_TIME_ELAPSED, 0);

      begin(f, samples);
      begin(f, elapsed);
      for (unsigned i = 1; i <= 2000; i++) {
         draw(f, PITOT_KIND_SAMPLES_PASSED, i);
         fake_stream_flush(&f->fake, PITOT_RING_RENDER);
         draw(f, PITOT_KIND_TIME_ELAPSED, gpu->timestamp_hz / 100);
      }
      end(f, samples);
      end(f, elapsed);
      assert_int_equal(wait_for(f, samples), 2001000);
      assert_int_equal(wait_for(f, elapsed), 20 * NS_PER_S);
      assert_in_range(f->fake.buffers_made, 1, 5); /* nothing piles up */
      pitot_hw_query_free(f->hw, samples);
      pitot_hw_query_free(f->hw, elapsed);
      close_fixture(f);
   }
}

/* Batches of every size that holds the largest sample twice: whatever a
 * sample is split from, the sum is right, and there is always room for the
 * end.
 */
static void
counts_in_small_batches(void **unused)
{
   (void)unused;
   FOR_EACH_GPU(gpu)
   {
      for (unsigned size_dw = 160; size_dw < 300; size_dw += 3) {
         struct fixture *f = open_fixture(gpu, false);
         struct pitot_hw_query *queries[PITOT_KIND_COUNT] = { NULL };

         f->fake.batch_dw = size_dw;
         for (unsigned kind = 0; kind < PITOT_KIND_COUNT; kind++) {
            if (is_supported(f, kind) && !pitot_kind_info(kind)->is_instant) {
               queries[kind] = create(f, kind, 0);
               begin(f, queries[kind]);
            }
         }
         for (unsigned i = 0; i < 3; i++) {
            draw(f, PITOT_KIND_SAMPLES_PASSED, 1);
            draw(f, PITOT_KIND_CS_INVOCATIONS, 2);
            draw(f, PITOT_KIND_TIME_ELAPSED, gpu->timestamp_hz);
            fake_stream_flush(&f->fake, PITOT_RING_RENDER);
         }
         for (unsigned kind = 0; kind < PITOT_KIND_COUNT; kind++) {
            if (queries[kind])
               end(f, queries[kind]);
            draw(f, PITOT_KIND_SAMPLES_PASSED, 1000);
         }
         assert_int_equal(wait_for(f, queries[PITOT_KIND_SAMPLES_PASSED]), 3);
         assert_int_equal(wait_for(f, queries[PITOT_KIND_CS_INVOCATIONS]), 6);
         assert_int_equal(wait_for(f, queries[PITOT_KIND_TIME_ELAPSED]),
                          3 * NS_PER_S);
         for (unsigned kind = 0; kind < PITOT_KIND_COUNT; kind++)
            pitot_hw_query_free(f->hw, queries[kind]);
         close_fixture(f);
      }
   }
}

/* However full a batch is, there is room for its end. */
static void
there_is_always_room(void **unused)
{
   (void)unused;
   FOR_EACH_GPU(gpu)
   {
      for (unsigned start_dw = 0; start_dw < 160; start_dw++) {
         struct fixture *f = open_fixture(gpu, false);
         struct pitot_hw_query *query =
            create(f, PITOT_KIND_SAMPLES_PASSED, 0);

         f->fake.batch_dw = 200;
         fake_stream_fill(&f->fake, PITOT_RING_RENDER, start_dw);
         begin(f, query);
         draw(f, PITOT_KIND_SAMPLES_PASSED, 1);
         fake_stream_fill(&f->fake, PITOT_RING_RENDER, 500);
         draw(f, PITOT_KIND_SAMPLES_PASSED, 2);
         end(f, query);
         assert_int_equal(wait_for(f, query), 3);
         pitot_hw_query_free(f->hw, query);
         close_fixture(f);
      }
   }
}

/* What a driver draws for itself does not count; time goes on. */
static void
count_with_pauses(const struct pitot_gpu *gpu, unsigned batch_dw)
{
   struct fixture *f = open_fixture(gpu, false);
   struct pitot_hw_query *samples = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
   struct pitot_hw_query *inside = create(f, PITOT_KIND_VS_INVOCATIONS, 0);
   struct pitot_hw_query *elapsed = create(f, PITOT_KIND_TIME_ELAPSED, 0);

   f->fake.batch_dw = batch_dw;
   begin(f, samples);
   begin(f, elapsed);
   for (unsigned i = 0; i < 3; i++) {
      draw(f, PITOT_KIND_SAMPLES_PASSED, 1);
      pitot_hw_set_active(f->hw, false);
      begin(f, inside);
      draw(f, PITOT_KIND_SAMPLES_PASSED, 1000);
      draw(f, PITOT_KIND_VS_INVOCATIONS, 1000);
      fake_stream_flush(&f->fake, PITOT_RING_RENDER);
      draw(f, PITOT_KIND_SAMPLES_PASSED, 1000);
      draw(f, PITOT_KIND_TIME_ELAPSED, gpu->timestamp_hz);
      if (i == 0)
         end(f, inside);
      pitot_hw_set_active(f->hw, true);
      draw(f, PITOT_KIND_SAMPLES_PASSED, 10);
      draw(f, PITOT_KIND_VS_INVOCATIONS, 5);
      if (i > 0)
         end(f, inside);
      assert_int_equal(wait_for(f, inside), i ? 5 : 0);
   }
   end(f, samples);
   end(f, elapsed);
   assert_int_equal(wait_for(f, samples), 33);
   assert_int_equal(wait_for(f, elapsed), 3 * NS_PER_S);
   pitot_hw_query_free(f->hw, samples);
   pitot_hw_query_free(f->hw, inside);
   pitot_hw_query_free(f->hw, elapsed);
   close_fixture(f);
}

static void
pauses_do_not_count(void **unused)
{
   (void)unused;
   FOR_EACH_GPU(gpu)
   {
      for (unsigned batch_dw = 100; batch_dw < 300; batch_dw += 2)
         count_with_pauses(gpu, batch_dw);
   }
}

/* Computing is sampled where it happens. */
static void
compute_has_its_ring(void **unused)
{
   struct fixture *f = open_fixture(fake_gpu("tgl"), true);
   struct pitot_hw_query *query = create(f, PITOT_KIND_CS_INVOCATIONS, 0);

   (void)unused;
   begin(f, query);
   assert_int_equal(f->fake.rings[PITOT_RING_RENDER].used_dw, 0);
   assert_int_equal(f->fake.rings[PITOT_RING_COMPUTE].used_dw, 1 + 8);
   draw(f, PITOT_KIND_CS_INVOCATIONS, 64);
   end(f, query);
   assert_int_equal(wait_for(f, query), 64);
   pitot_hw_query_free(f->hw, query);
   close_fixture(f);
}

int
main(void)
{
   static const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_between_begin_and_end),
      cmocka_unit_test(statistics_come_together),
      cmocka_unit_test(lists_have_their_order),
      cmocka_unit_test(counters_wrap),
      cmocka_unit_test(counts_over_batches),
      cmocka_unit_test(counts_in_small_batches),
      cmocka_unit_test(there_is_always_room),
      cmocka_unit_test(pauses_do_not_count),
      cmocka_unit_test(compute_has_its_ring),
   };

   return cmocka_run_group_tests_name("hw query", tests, NULL, NULL);
}
