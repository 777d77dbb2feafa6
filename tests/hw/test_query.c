/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "fixture.h"

/* Every kind, on every stream: draws before and after do not count. */
HW_TEST(counts_between_begin_and_end, EVERY_GPU)
{
   for (unsigned kind = 0; kind < PITOT_KIND_COUNT; kind++) {
      const struct pitot_kind_info *info = pitot_kind_info(kind);
      const unsigned streams = info->is_indexed ? PITOT_MAX_STREAMS : 1;

      for (unsigned s = 0;
           s < streams && !info->is_time && is_supported(f, kind); s++) {
         struct pitot_hw_query *query = create(f, kind, s);

         sim_cs_count(f->cs, kind, s, 1000);
         begin(f, query);
         sim_cs_count(f->cs, kind, s, 7);
         end(f, query);
         sim_cs_count(f->cs, kind, s, 100);
         assert_int_equal(wait_for(f, query), info->is_boolean ? 1 : 7);
         begin(f, query);
         assert_int_equal(end_and_wait(f, query), 0);
      }
   }
   assert_int_equal(f->cs->counting, 0);
}

/* Primitives that fit overflow no stream; one more overflows its stream. */
HW_TEST(streams_that_fit_do_not_overflow, EVERY_GPU)
{
   static const enum pitot_kind kinds[] = { PITOT_KIND_STREAM_OVERFLOW,
                                            PITOT_KIND_ANY_STREAM_OVERFLOW };
   struct sim_work *work = &f->cs->sim->draw;

   for (unsigned i = 0; i < 2 * ARRAY_LENGTH(kinds); i++) {
      const enum pitot_kind kind = kinds[i / 2];

      if (!is_supported(f, kind))
         continue;
      struct pitot_hw_query *query = create(f, kind, 1);
      for (unsigned s = 0; s < PITOT_MAX_STREAMS; s++)
         work->streamout[s][SIM_NEEDED] = work->streamout[s][SIM_WRITTEN] = 5;
      work->streamout[1][SIM_NEEDED] += i % 2;
      begin(f, query);
      sim_cs_draw(f->cs);
      assert_int_equal(end_and_wait(f, query), i % 2);
   }
}

/* The counters of AMD's backends have 63 bits, the others 64. */
HW_TEST(counters_wrap, EVERY_GPU)
{
   struct pitot_hw_query *samples = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
   struct pitot_hw_query *vertices =
      create(f, PITOT_KIND_VERTICES_SUBMITTED, 0);

   sim_cs_set_counters(f->cs, UINT64_MAX - 5);
   begin(f, samples);
   begin(f, vertices);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 1000);
   draw(f, PITOT_KIND_VERTICES_SUBMITTED, 9);
   end(f, samples);
   end(f, vertices);
   assert_int_equal(wait_for(f, samples), 1000);
   assert_int_equal(wait_for(f, vertices), 9);
}

/* A count over batches excludes what other queries count in between. */
HW_TEST(counts_over_batches, EVERY_GPU, .is_long = true)
{
   struct pitot_hw_query *samples = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
   struct pitot_hw_query *elapsed = create(f, PITOT_KIND_TIME_ELAPSED, 0);

   begin(f, samples);
   begin(f, elapsed);
   for (unsigned i = 1; i <= 2000; i++) {
      draw(f, PITOT_KIND_SAMPLES_PASSED, i);
      flush(f);
      pass(f, f->gpu->timestamp_hz / 100);
   }
   end(f, samples);
   end(f, elapsed);
   assert_int_equal(wait_for(f, samples), 2001000);
   assert_int_equal(wait_for(f, elapsed), 20 * NS_PER_S);
   assert_in_range(f->cs->buffers_made, 1, 5); /* no leak */
}

/* Dwords to add for all queries at the begin and the end of a batch. */
static unsigned
larger_dw(const struct fixture *f)
{
   return f->gpu->family == &pitot_hw_adreno ? 900
          : f->gpu->family == &pitot_hw_amd  ? 360
                                             : 100;
}

static void
count_in_batches_of(struct fixture *f, unsigned size_dw)
{
   struct pitot_hw_query *queries[PITOT_KIND_COUNT] = { NULL };

   f->cs->batch_dw = size_dw + larger_dw(f);
   for (unsigned kind = 0; kind < PITOT_KIND_COUNT; kind++) {
      if (is_supported(f, kind) && !pitot_kind_info(kind)->is_instant) {
         queries[kind] = create(f, kind, 0);
         begin(f, queries[kind]);
      }
   }
   for (unsigned i = 0; i < 3; i++) {
      draw(f, PITOT_KIND_SAMPLES_PASSED, 1);
      draw(f, PITOT_KIND_CS_INVOCATIONS, 2);
      pass(f, f->gpu->timestamp_hz);
      flush(f);
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
}

static void
count_in_full_batch(struct fixture *f, unsigned start_dw)
{
   struct pitot_hw_query *query = create(f, PITOT_KIND_SAMPLES_PASSED, 0);

   f->cs->batch_dw = 200;
   sim_cs_fill(f->cs, PITOT_RING_RENDER, start_dw);
   begin(f, query);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 1);
   sim_cs_fill(f->cs, PITOT_RING_RENDER, 500);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 2);
   assert_int_equal(end_and_wait(f, query), 3);
}

/* The driver's internal draws do not count; time keeps running. */
static void
count_suspended(struct fixture *f, unsigned batch_dw)
{
   struct pitot_hw_query *samples = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
   struct pitot_hw_query *inside = create(f, PITOT_KIND_VS_INVOCATIONS, 0);
   struct pitot_hw_query *elapsed = create(f, PITOT_KIND_TIME_ELAPSED, 0);

   f->cs->batch_dw = batch_dw;
   begin(f, samples);
   begin(f, elapsed);
   for (unsigned i = 0; i < 3; i++) {
      draw(f, PITOT_KIND_SAMPLES_PASSED, 1);
      pitot_hw_set_active(f->hw, false);
      begin(f, inside);
      draw(f, PITOT_KIND_SAMPLES_PASSED, 1000);
      draw(f, PITOT_KIND_VS_INVOCATIONS, 1000);
      flush(f);
      draw(f, PITOT_KIND_SAMPLES_PASSED, 1000);
      pass(f, f->gpu->timestamp_hz);
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
}

static const enum pitot_kind stopped_kinds[] = {
   PITOT_KIND_SAMPLES_PASSED,     PITOT_KIND_PRIMITIVES_GENERATED,
   PITOT_KIND_PRIMITIVES_WRITTEN, PITOT_KIND_VERTICES_SUBMITTED,
   PITOT_KIND_VS_INVOCATIONS,     PITOT_KIND_FS_INVOCATIONS,
   PITOT_KIND_CLIPPING_OUTPUT,
};

static void
set_active(struct fixture *f, bool is_active)
{
   pitot_hw_set_active(f->hw, is_active);
   f->cs->is_stopped = !is_active;
}

/* The driver stops the counters that hardware can stop; the others are
 * suspended.  The batch, the begin and the end do not matter.
 */
static void
count_stopped(struct fixture *f, unsigned number)
{
   const enum pitot_kind kind =
      stopped_kinds[number % ARRAY_LENGTH(stopped_kinds)];

   if (!is_supported(f, kind))
      return;
   struct pitot_hw_query *query = create(f, kind, 0);
   struct pitot_hw_query *first = create(f, kind, 0);
   struct pitot_hw_query *last = create(f, kind, 0);

   f->cs->base.stops_counting = true;
   f->cs->batch_dw = 160 + number / ARRAY_LENGTH(stopped_kinds) * 7;
   begin(f, query);
   begin(f, first);
   for (unsigned i = 0; i < 3; i++) {
      draw(f, kind, 4);
      set_active(f, false);
      draw(f, kind, 4000);
      if (i == 0)
         end(f, first);
      if (i == 1)
         flush(f);
      if (i == 2)
         begin(f, last);
      draw(f, kind, 4000);
      set_active(f, true);
      draw(f, kind, 40);
   }
   end(f, last);
   assert_int_equal(end_and_wait(f, query), 132);
   assert_int_equal(wait_for(f, first), 4);
   assert_int_equal(wait_for(f, last), 40);
}

/* A query may also begin or end in a batch that is not executed. */
HW_TEST(unexecuted_draws_do_not_count, EVERY_GPU)
{
   struct pitot_hw_query *query = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
   struct pitot_hw_query *first = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
   struct pitot_hw_query *last = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
   struct pitot_hw_query *inside = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
   struct pitot_hw_query *elapsed = create(f, PITOT_KIND_TIME_ELAPSED, 0);
   struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);

   begin(f, query);
   begin(f, first);
   begin(f, elapsed);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 3);
   pass(f, f->gpu->timestamp_hz);

   pitot_hw_set_noop(f->hw, true);
   flush(f);
   f->cs->writes_nothing = true;
   begin(f, last);
   begin(f, inside);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 1000);
   flush(f);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 1000);
   end(f, first);
   end(f, inside);
   end(f, stamp);
   flush(f);
   f->cs->writes_nothing = false;
   pitot_hw_set_noop(f->hw, false);

   draw(f, PITOT_KIND_SAMPLES_PASSED, 40);
   pass(f, f->gpu->timestamp_hz);
   end(f, last);
   end(f, query);
   end(f, elapsed);
   store(f, elapsed, PITOT_STORE_RESULT, PITOT_TYPE_U64);
   assert_int_equal(wait_for(f, query), 43);
   assert_int_equal(wait_for(f, first), 3);
   assert_int_equal(wait_for(f, last), 40);
   assert_int_equal(wait_for(f, inside), 0);
   assert_int_equal(wait_for(f, elapsed), 2 * NS_PER_S);
   assert_int_equal(stored(f), 2 * NS_PER_S);
   expect_lost(f, stamp, true);
}

/* Runs a test with each number of a range, on every GPU. */
static void
for_range(void (*test)(struct fixture *f, unsigned number), unsigned first,
          unsigned end, unsigned step)
{
   const unsigned count = (end - first + step - 1) / step;
   const char *gpu;
   unsigned i = 0;

   while ((gpu = scheduled_gpu(&i))) {
      for (unsigned n = 0; n < count; n++) {
         if (!schedules_take(n, count))
            continue;
         struct fixture *f = open_fixture(gpu, false);

         test(f, first + n * step);
         close_fixture(f);
      }
   }
}

/* Batches of every size that holds all queries' samples twice: the sum is
 * right wherever they split the work, and the end always fits.
 */
HW_TEST_ALONE(counts_in_small_batches)
{
   for_range(count_in_batches_of, 160, 300, 3);
}

/* However full a batch is, its end fits. */
HW_TEST_ALONE(there_is_always_room)
{
   for_range(count_in_full_batch, 0, 160, 1);
}

HW_TEST_ALONE(suspended_draws_do_not_count)
{
   for_range(count_suspended, 120, 300, 2);
}

HW_TEST_ALONE(stopped_draws_do_not_count)
{
   for_range(count_stopped, 0, 20 * ARRAY_LENGTH(stopped_kinds), 1);
}

/* Compute is sampled on its ring.  While nothing is dispatched, nothing is
 * recorded there, and a result does not flush it.
 */
HW_TEST(compute_has_its_ring, "tgl", .has_compute = true)
{
   const struct sim_cs_ring *rings = f->cs->rings;
   struct pitot_hw_query *query = begin_new(f, PITOT_KIND_CS_INVOCATIONS);

   end(f, query);
   assert_int_equal(rings[PITOT_RING_COMPUTE].used_dw, 0);
   assert_int_equal(wait_for(f, query), 0);

   begin(f, query);
   pitot_hw_dispatch(f->hw, PITOT_RING_COMPUTE);
   assert_int_equal(rings[PITOT_RING_RENDER].used_dw, 0);
   assert_int_equal(rings[PITOT_RING_COMPUTE].used_dw, 3 * 6 + 8);
   draw(f, PITOT_KIND_CS_INVOCATIONS, 64);
   assert_int_equal(end_and_wait(f, query), 64);
}
