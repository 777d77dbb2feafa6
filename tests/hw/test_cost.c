/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What queries cost: packets, memory, and asking.
 */

#include "fixture.h"

#define NS_PER_S UINT64_C(1000000000)

/* However many statistics begin in one place, the pipe is stalled once... */
static void
one_stall_for_all(void **unused)
{
   struct fixture *f = open_fixture(fake_gpu("skl"), false);
   struct pitot_hw_query *queries[PITOT_HW_STATISTIC_COUNT];

   (void)unused;
   for (unsigned i = 0; i < PITOT_HW_STATISTIC_COUNT; i++)
      queries[i] = create(f, PITOT_KIND_VERTICES_SUBMITTED + i, 0);
   for (unsigned i = 0; i < PITOT_HW_STATISTIC_COUNT; i++)
      begin(f, queries[i]);
   assert_int_equal(f->fake.barriers[PITOT_BARRIER_STALL], 1);
   draw(f, PITOT_KIND_VS_INVOCATIONS, 1);
   for (unsigned i = 0; i < PITOT_HW_STATISTIC_COUNT; i++)
      end(f, queries[i]);
   assert_int_equal(f->fake.barriers[PITOT_BARRIER_STALL], 2);
   for (unsigned i = 0; i < PITOT_HW_STATISTIC_COUNT; i++) {
      assert_int_equal(wait_for(f, queries[i]), i == 2);
      pitot_hw_query_free(f->hw, queries[i]);
   }
   close_fixture(f);
}

/* ...and the same counter is sampled once. */
static void
one_snapshot_for_a_place(void **unused)
{
   (void)unused;
   FOR_EACH_GPU(gpu)
   {
      struct fixture *f = open_fixture(gpu, false);
      struct pitot_hw_query *a = create(f, PITOT_KIND_TIME_ELAPSED, 0);
      struct pitot_hw_query *b = create(f, PITOT_KIND_TIME_ELAPSED, 0);

      begin(f, a);
      const unsigned reserved = f->fake.reserve_count;
      begin(f, b);
      assert_int_equal(f->fake.reserve_count, reserved);
      draw(f, PITOT_KIND_TIME_ELAPSED, gpu->timestamp_hz);
      end(f, a);
      begin(f, a); /* which is where it ended */
      end(f, b);
      assert_int_equal(f->fake.reserve_count, reserved + 1);
      draw(f, PITOT_KIND_TIME_ELAPSED, 2 * gpu->timestamp_hz);
      end(f, a);
      assert_int_equal(wait_for(f, a), 2 * NS_PER_S);
      assert_int_equal(wait_for(f, b), NS_PER_S);
      pitot_hw_query_free(f->hw, a);
      pitot_hw_query_free(f->hw, b);
      close_fixture(f);
   }
}

/* What is composed of several counters shares as many snapshots as it can
 * hold, and takes one of the rest.
 */
static void
parts_are_shared(void **unused)
{
   struct fixture *f = open_fixture(fake_gpu("skl"), false);
   struct pitot_hw_query *any = create(f, PITOT_KIND_ANY_STREAM_OVERFLOW, 0);
   struct pitot_hw_query *parts[2 * PITOT_MAX_STREAMS];

   (void)unused;
   for (unsigned i = 0; i < ARRAY_LENGTH(parts); i++) {
      const struct pitot_hw_count measure = {
         i % 2 ? PITOT_HW_STORAGE_NEEDED : PITOT_KIND_PRIMITIVES_WRITTEN,
         i / 2,
      };

      assert_int_equal(pitot_hw_query_create_list(f->hw, &measure, 1,
                                                  &parts[i]),
                       0);
      begin(f, parts[i]);
   }
   const unsigned used_dw = f->fake.rings[PITOT_RING_RENDER].used_dw;
   begin(f, any);
   assert_int_equal(f->fake.rings[PITOT_RING_RENDER].used_dw,
                    used_dw + 5 * 8);
   assert_int_equal(f->fake.barriers[PITOT_BARRIER_STALL], 1);
   fake_stream_draw(&f->fake, PITOT_KIND_PRIMITIVES_GENERATED, 2, 1);
   end(f, any);
   assert_int_equal(wait_for(f, any), 1);
   for (unsigned i = 0; i < ARRAY_LENGTH(parts); i++) {
      end(f, parts[i]);
      assert_int_equal(wait_for(f, parts[i]), i == 5);
      pitot_hw_query_free(f->hw, parts[i]);
   }
   pitot_hw_query_free(f->hw, any);
   close_fixture(f);
}

/* As much room is kept for the end of a batch as is needed then. */
static void
room_is_kept_for_what_is_active(void **unused)
{
   static const struct {
      const char *gpu;
      unsigned available_dw;
   } cases[] = { { "skl", 0 },
                 { "pitcairn", 6 },
                 { "polaris10", 12 },
                 { "vega10", 8 },
                 { "navi21", 8 } };

   (void)unused;
   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      struct fixture *f = open_fixture(fake_gpu(cases[i].gpu), false);
      struct pitot_hw_query *samples =
         create(f, PITOT_KIND_SAMPLES_PASSED, 0);
      struct pitot_hw_query *written =
         create(f, PITOT_KIND_PRIMITIVES_WRITTEN, 2);
      struct pitot_hw_query *elapsed = create(f, PITOT_KIND_TIME_ELAPSED, 0);
      const struct pitot_cs *cs = &f->fake.base;
      const enum pitot_ring ring = PITOT_RING_RENDER;
      const unsigned available_dw = cases[i].available_dw;
      const unsigned event_dw = available_dw ? 4 : 0;
      const bool is_gfx9 = f->fake.gpu.generation == 90 && available_dw;

      begin(f, elapsed);
      assert_int_equal(pitot_cs_end_size_dw(cs, ring), 0);
      begin(f, samples);
      assert_int_equal(pitot_cs_end_size_dw(cs, ring),
                       event_dw + available_dw);
      begin(f, written);
      assert_int_equal(pitot_cs_end_size_dw(cs, ring),
                       2 * event_dw + available_dw + (is_gfx9 ? 4 : 0));
      end(f, samples); /* stream-out lands by itself */
      assert_int_equal(pitot_cs_end_size_dw(cs, ring), event_dw);
      pitot_hw_query_free(f->hw, written);
      assert_int_equal(pitot_cs_end_size_dw(cs, ring), 0);
      pitot_hw_query_free(f->hw, samples);
      pitot_hw_query_free(f->hw, elapsed);
      close_fixture(f);
   }
}

/* A poll flushes once and then looks at memory; what is available is answered
 * without asking for the batch.
 */
static void
polls_are_cheap(void **unused)
{
   (void)unused;
   FOR_EACH_GPU(gpu)
   {
      struct fixture *f = open_fixture(gpu, false);
      struct pitot_hw_query *query = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
      struct pitot_hw_query *other = create(f, PITOT_KIND_TIME_ELAPSED, 0);
      uint64_t value;

      f->fake.is_held = true;
      begin(f, query);
      begin(f, other);
      draw(f, PITOT_KIND_SAMPLES_PASSED, 4);
      end(f, query);
      end(f, other);
      for (unsigned i = 0; i < 100; i++) {
         assert_int_equal(pitot_hw_query_result(f->hw, query, false, &value),
                          0);
         assert_int_equal(pitot_hw_query_result(f->hw, other, false, &value),
                          0);
      }
      assert_int_equal(f->fake.flush_count, 1);
      assert_int_equal(f->fake.wait_count, 0);

      fake_stream_complete(&f->fake);
      const unsigned states = f->fake.state_count;
      assert_int_equal(pitot_hw_query_result(f->hw, query, false, &value), 1);
      assert_int_equal(value, 4);
      assert_int_equal(f->fake.state_count, states);
      pitot_hw_query_free(f->hw, query);
      pitot_hw_query_free(f->hw, other);
      close_fixture(f);
   }
}

/* A hundred thousand queries, some in flight: a few buffers do. */
static void
steady_state_makes_nothing(void **unused)
{
   (void)unused;
   FOR_EACH_GPU(gpu)
   {
      struct fixture *f = open_fixture(gpu, false);
      struct pitot_hw_query *queries[8];

      f->fake.is_held = true;
      for (unsigned i = 0; i < ARRAY_LENGTH(queries); i++)
         queries[i] = create(f,
                             i % 2 ? PITOT_KIND_SAMPLES_PASSED
                                   : PITOT_KIND_TIME_ELAPSED,
                             0);
      for (unsigned i = 0; i < 20000; i++) {
         struct pitot_hw_query *query = queries[i % ARRAY_LENGTH(queries)];
         uint64_t value;

         begin(f, query);
         draw(f, PITOT_KIND_SAMPLES_PASSED, i);
         end(f, query);
         fake_stream_move(&f->fake, PITOT_RING_RENDER);
         if (i % 64 == 63) {
            fake_stream_flush(&f->fake, PITOT_RING_RENDER);
            fake_stream_complete(&f->fake);
            assert_int_equal(pitot_hw_query_result(f->hw, query, false,
                                                   &value),
                             1);
            assert_int_equal(value, i % 2 ? i : 0);
         }
      }
      /* Each read at once. */
      for (unsigned i = 0; i < 5000; i++) {
         begin(f, queries[1]);
         draw(f, PITOT_KIND_SAMPLES_PASSED, i);
         end(f, queries[1]);
         fake_stream_move(&f->fake, PITOT_RING_RENDER);
         assert_int_equal(wait_for(f, queries[1]), i);
      }
      assert_in_range(f->fake.buffers_made, 1, 5);
      assert_int_equal(f->fake.timestamp_count, 1); /* at the beginning */
      for (unsigned i = 0; i < ARRAY_LENGTH(queries); i++)
         pitot_hw_query_free(f->hw, queries[i]);
      close_fixture(f);
   }
}

int
main(void)
{
   static const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_stall_for_all),
      cmocka_unit_test(one_snapshot_for_a_place),
      cmocka_unit_test(parts_are_shared),
      cmocka_unit_test(room_is_kept_for_what_is_active),
      cmocka_unit_test(polls_are_cheap),
      cmocka_unit_test(steady_state_makes_nothing),
   };

   return cmocka_run_group_tests_name("hw cost", tests, NULL, NULL);
}
