/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A family of the test's own, on a GPU that is as unlike the real ones as the
 * contract allows: see tiler.h.
 */

#include <stdlib.h>

#include "../test.h"
#include "../tiler/tiler.h"
#include "pitot/adreno.h"
#include "pitot/hw.h"
#include "pitot_hw_family.h"
#include "pitot_hw_sample.h"

struct fixture {
   struct tiler *tiler;
   struct pitot_hw *hw;
};

static struct fixture
open_fixture(void)
{
   struct fixture f = { .tiler = tiler_create() };

   assert_int_equal(pitot_hw_create(&f.tiler->base, &f.hw), 0);
   return f;
}

static void
close_fixture(const struct fixture *f)
{
   pitot_hw_destroy(f->hw);
   assert_string_equal(f->tiler->violation, "");
   assert_int_equal(tiler_destroy(f->tiler), 0);
}

static struct pitot_hw_query *
begin(const struct fixture *f, enum pitot_kind kind, unsigned stream)
{
   struct pitot_hw_query *query = NULL;

   assert_int_equal(pitot_hw_query_create(f->hw, kind, stream, &query), 0);
   assert_int_equal(pitot_hw_query_begin(f->hw, query), 0);
   return query;
}

/* Returns a result, which is waited for, and frees the query. */
static uint64_t
finish(const struct fixture *f, struct pitot_hw_query *query)
{
   uint64_t value = 0;

   assert_int_equal(pitot_hw_query_result(f->hw, query, true, &value), 1);
   pitot_hw_query_free(f->hw, query);
   return value;
}

static uint64_t
end(const struct fixture *f, struct pitot_hw_query *query)
{
   assert_int_equal(pitot_hw_query_end(f->hw, query), 0);
   return finish(f, query);
}

static void
flush(const struct fixture *f, enum pitot_ring ring)
{
   f->tiler->base.ops->flush(&f->tiler->base, ring);
}

static uint64_t
batch_of(const struct fixture *f, enum pitot_ring ring)
{
   return f->tiler->base.ops->position(&f->tiler->base, ring).batch;
}

/* A query counts its own draws in all batches, each of them once, however
 * many tiles execute a batch.
 */
static void
tiles_are_added_up(void **state)
{
   const enum pitot_kind kind = PITOT_KIND_SAMPLES_PASSED;
   const struct fixture f = open_fixture();

   (void)state;
   for (unsigned flushes = 0; flushes < 4; flushes++) {
      struct pitot_hw_query *outer = begin(&f, kind, 0);

      tiler_draw(f.tiler, kind, 0, 10);
      struct pitot_hw_query *inner = begin(&f, kind, 0);
      for (unsigned i = 0; i < flushes; i++) {
         tiler_draw(f.tiler, kind, 0, 4);
         flush(&f, PITOT_RING_RENDER);
      }
      tiler_draw(f.tiler, kind, 0, 7);
      assert_int_equal(pitot_hw_query_end(f.hw, inner), 0);
      tiler_draw(f.tiler, kind, 0, 100);
      assert_int_equal(end(&f, outer), 117 + 4 * flushes);
      assert_int_equal(finish(&f, inner), 7 + 4 * flushes);
   }
   close_fixture(&f);
}

/* A result is there when all tiles are through, and not before. */
static void
results_are_those_of_all_tiles(void **state)
{
   const enum pitot_kind kind = PITOT_KIND_SAMPLES_PASSED;
   const struct fixture f = open_fixture();
   uint64_t value;

   (void)state;
   f.tiler->is_held = true;
   struct pitot_hw_query *query = begin(&f, kind, 0);
   tiler_draw(f.tiler, kind, 0, 11);
   assert_int_equal(pitot_hw_query_end(f.hw, query), 0);
   assert_int_equal(pitot_hw_query_result(f.hw, query, false, &value), 0);
   assert_int_equal(f.tiler->batch_count, 1);
   tiler_complete(f.tiler);
   assert_int_equal(pitot_hw_query_result(f.hw, query, false, &value), 1);
   assert_int_equal(value, 11);
   pitot_hw_query_free(f.hw, query);
   close_fixture(&f);
}

/* A full batch is ended, with room for its ends, in whatever unit. */
static void
batches_have_room(void **state)
{
   const struct fixture f = open_fixture();
   struct pitot_hw_query *queries[5];

   (void)state;
   f.tiler->batch_size = 64;
   for (unsigned i = 0; i < ARRAY_LENGTH(queries); i++)
      queries[i] =
         begin(&f,
               i % 2 ? PITOT_KIND_FS_INVOCATIONS : PITOT_KIND_SAMPLES_PASSED,
               0);
   for (unsigned i = 0; i < 200; i++) {
      tiler_draw(f.tiler, PITOT_KIND_SAMPLES_PASSED, 0, 3);
      tiler_draw(f.tiler, PITOT_KIND_FS_INVOCATIONS, 0, 5);
   }
   for (unsigned i = 0; i < ARRAY_LENGTH(queries); i++)
      assert_int_equal(end(&f, queries[i]), i % 2 ? 1000 : 600);
   assert_true(f.tiler->batch_count > 5);
   close_fixture(&f);
}

/* Nothing is recorded on a ring before something is dispatched there, and
 * nothing of it is flushed for a result.
 */
static void
each_ring_counts(void **state)
{
   static const enum pitot_kind kinds[] = { PITOT_KIND_FS_INVOCATIONS,
                                            PITOT_KIND_CS_INVOCATIONS,
                                            PITOT_KIND_VERTICES_SUBMITTED };
   const struct fixture f = open_fixture();

   (void)state;
   for (unsigned i = 0; i < ARRAY_LENGTH(kinds); i++) {
      const enum pitot_ring ring = tiler_ring_of(kinds[i]);
      struct pitot_hw_query *query = begin(&f, kinds[i], 0);
      struct pitot_hw_query *idle = begin(&f, kinds[i], 0);

      assert_int_equal(ring, i);
      if (ring) {
         assert_int_equal(end(&f, idle), 0);
         assert_int_equal(batch_of(&f, ring), 1);
         idle = NULL;
      }
      for (unsigned k = 0; k < 3; k++) {
         pitot_hw_dispatch(f.hw, ring);
         tiler_draw(f.tiler, kinds[i], 0, 5 + i);
         flush(&f, ring);
      }
      assert_int_equal(end(&f, query), 3 * (5 + i));
      if (idle)
         assert_int_equal(end(&f, idle), 3 * (5 + i));
   }
   close_fixture(&f);
}

/* A query of all statistics has samples on three rings. */
static void
lists_are_on_all_rings(void **state)
{
   struct pitot_hw_count counts[PITOT_HW_STATISTIC_COUNT] = { { 0 } };
   uint64_t values[PITOT_HW_STATISTIC_COUNT];
   const struct fixture f = open_fixture();
   struct pitot_hw_query *query;

   (void)state;
   for (unsigned i = 0; i < PITOT_HW_STATISTIC_COUNT; i++)
      counts[i].kind = PITOT_KIND_FIRST_STATISTIC + i;
   assert_int_equal(pitot_hw_query_create_list(f.hw, counts,
                                               PITOT_HW_STATISTIC_COUNT,
                                               &query),
                    0);
   assert_int_equal(pitot_hw_query_begin(f.hw, query), 0);
   for (unsigned i = 0; i < PITOT_HW_STATISTIC_COUNT; i++) {
      pitot_hw_dispatch(f.hw, tiler_ring_of(counts[i].kind));
      tiler_draw(f.tiler, counts[i].kind, 0, 100 + i);
   }
   assert_int_equal(pitot_hw_query_end(f.hw, query), 0);
   assert_int_equal(pitot_hw_query_result(f.hw, query, true, values), 1);
   for (unsigned i = 0; i < PITOT_HW_STATISTIC_COUNT; i++)
      assert_int_equal(values[i], 100 + i);
   pitot_hw_query_free(f.hw, query);
   close_fixture(&f);
}

/* A context that takes the place of another one, on any of the rings: each
 * batch has a segment of its own, and each of those is whole.
 */
static void
counts_outlast_contexts(void **state)
{
   static const enum pitot_kind kinds[] = { PITOT_KIND_SAMPLES_PASSED,
                                            PITOT_KIND_CS_INVOCATIONS,
                                            PITOT_KIND_VERTICES_SUBMITTED };

   (void)state;
   for (unsigned i = 0; i < ARRAY_LENGTH(kinds); i++) {
      const struct fixture f = open_fixture();
      struct pitot_hw_query *query = begin(&f, kinds[i], 0);
      uint64_t value;

      pitot_hw_dispatch(f.hw, i);
      tiler_draw(f.tiler, kinds[i], 0, 3);
      flush(&f, i);
      pitot_cs_context_replaced(&f.tiler->base, i);
      pitot_hw_dispatch(f.hw, i);
      tiler_draw(f.tiler, kinds[i], 0, 4);
      assert_int_equal(pitot_hw_query_end(f.hw, query), 0);
      assert_int_equal(pitot_hw_query_result(f.hw, query, true, &value), 1);
      assert_int_equal(value, 7);
      pitot_hw_query_free(f.hw, query);
      close_fixture(&f);
   }
}

/* The times of tiles are added up, and none between batches; a clock that
 * went back is told.
 */
static void
times_are_added_up(void **state)
{
   const struct fixture f = open_fixture();

   (void)state;
   tiler_set_ticks(f.tiler, 1000);
   struct pitot_hw_query *query = begin(&f, PITOT_KIND_TIME_ELAPSED, 0);
   tiler_set_ticks(f.tiler, 1500);
   flush(&f, PITOT_RING_RENDER);
   tiler_set_ticks(f.tiler, 1750);
   assert_int_equal(end(&f, query), 750);
   assert_false(pitot_hw_take_disjoint(f.hw));

   query = begin(&f, PITOT_KIND_TIME_ELAPSED, 0);
   tiler_set_ticks(f.tiler, 400);
   assert_int_equal(end(&f, query), 0);
   assert_true(pitot_hw_take_disjoint(f.hw));
   close_fixture(&f);
}

/* A driver that has no batch between two of them has a query wait for the
 * next one, on each ring.
 */
static void
batches_may_begin_late(void **state)
{
   static const enum pitot_kind kinds[] = { PITOT_KIND_SAMPLES_PASSED,
                                            PITOT_KIND_FS_INVOCATIONS,
                                            PITOT_KIND_CS_INVOCATIONS,
                                            PITOT_KIND_VERTICES_SUBMITTED };
   const struct fixture f = open_fixture();
   struct pitot_cs *cs = &f.tiler->base;

   (void)state;
   cs->begins_late = true;
   for (unsigned i = 0; i < ARRAY_LENGTH(kinds); i++) {
      const enum pitot_ring ring = tiler_ring_of(kinds[i]);

      assert_false(pitot_hw_has_active(f.hw));
      pitot_cs_batch_end(cs, ring);
      const uint64_t before = cs->ops->position(cs, ring).offset;
      struct pitot_hw_query *query = begin(&f, kinds[i], 0);

      assert_true(pitot_hw_has_active(f.hw));
      assert_int_equal(cs->ops->position(cs, ring).offset, before);
      tiler_draw(f.tiler, kinds[i], 0, 30);
      pitot_cs_batch_begin(cs, ring);
      pitot_hw_dispatch(f.hw, ring);
      tiler_draw(f.tiler, kinds[i], 0, 9);
      assert_int_equal(end(&f, query), 9);
   }
   close_fixture(&f);
}

/* A GPU that decides no condition leaves it to the CPU, which waits. */
static void
conditions_are_decided_by_the_cpu(void **state)
{
   const enum pitot_kind kind = PITOT_KIND_SAMPLES_PASSED;
   const struct fixture f = open_fixture();

   (void)state;
   for (unsigned i = 0; i < 4; i++) {
      const bool is_inverted = i & 1, has_passed = i & 2;
      struct pitot_hw_query *query = begin(&f, kind, 0);
      struct pitot_hw_condition condition;

      tiler_draw(f.tiler, kind, 0, has_passed ? 7 : 0);
      assert_int_equal(pitot_hw_query_end(f.hw, query), 0);
      pitot_hw_query_decide(f.hw, query, is_inverted, true, &condition);
      assert_int_equal(condition.decision, has_passed != is_inverted
                                              ? PITOT_HW_DECISION_ALWAYS
                                              : PITOT_HW_DECISION_NEVER);
      pitot_hw_query_free(f.hw, query);
   }
   close_fixture(&f);
}

static const struct pitot_hw_measure *
measure_known(const struct pitot_gpu *gpu, unsigned kind)
{
   assert_true(kind < PITOT_HW_MEASURE_COUNT);
   return tiler_family.measure(gpu, kind);
}

/* A family is asked about its kinds, and nothing behind them. */
static void
kinds_have_an_end(void **state)
{
   struct pitot_hw_family family = tiler_family;
   const struct pitot_gpu gpu = { .family = &family };

   (void)state;
   family.measure = measure_known;
   assert_int_equal(pitot_hw_gpu_samples(&gpu),
                    (1u << tiler_family.sample_count) - 1);
}

/* The facts that tools ask for are the family's, and a sample can be taken by
 * itself.
 */
static void
samples_are_the_familys(void **state)
{
   const struct fixture f = open_fixture();
   struct pitot_cs *cs = &f.tiler->base;
   const uint32_t samples = pitot_hw_gpu_samples(cs->gpu);
   struct pitot_cs_buffer *buffer;

   (void)state;
   assert_ptr_equal(pitot_hw_gpu(f.hw)->family, &tiler_family);
   assert_int_equal(samples, (1u << tiler_family.sample_count) - 1);
   assert_int_equal(cs->ops->buffer_create(cs, 64, &buffer), 0);
   tiler_set_ticks(f.tiler, 12345);
   for (unsigned i = 0; samples >> i; i++) {
      const struct pitot_hw_sample_info info =
         pitot_hw_gpu_sample_info(cs->gpu, i);

      assert_int_equal(info.size_B, 8);
      assert_int_equal(pitot_hw_sample_take(f.hw, i, buffer, 16, 32), 0);
      flush(&f, info.ring);
      assert_int_equal(*(uint32_t *)(buffer->memory + 32), info.available);
      if (info.is_time)
         assert_int_equal(*(uint64_t *)(buffer->memory + 16), 12345);
      *(uint32_t *)(buffer->memory + 32) = 0;
   }
   cs->ops->buffer_destroy(cs, buffer);
   close_fixture(&f);
}

/* A timestamp of Adreno, and no other sample, comes after all batches. */
static void
timestamps_of_adreno_order_batches(void **state)
{
   const struct pitot_gpu gpu = { .family = &pitot_hw_adreno };
   const unsigned timestamp =
      gpu.family->measure(&gpu, PITOT_KIND_TIMESTAMP)->qwords[0].sample;

   (void)state;
   for (unsigned i = 0; i < gpu.family->sample_count; i++) {
      const unsigned barriers = gpu.family->barriers(&gpu, 1u << i);

      assert_int_equal(barriers >> PITOT_ADRENO_BARRIER_BATCHES & 1,
                       i == timestamp);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(tiles_are_added_up),
      cmocka_unit_test(results_are_those_of_all_tiles),
      cmocka_unit_test(batches_have_room),
      cmocka_unit_test(each_ring_counts),
      cmocka_unit_test(lists_are_on_all_rings),
      cmocka_unit_test(counts_outlast_contexts),
      cmocka_unit_test(times_are_added_up),
      cmocka_unit_test(batches_may_begin_late),
      cmocka_unit_test(conditions_are_decided_by_the_cpu),
      cmocka_unit_test(kinds_have_an_end),
      cmocka_unit_test(samples_are_the_familys),
      cmocka_unit_test(timestamps_of_adreno_order_batches),
   };

   return cmocka_run_group_tests_name("hw tiler", tests, NULL, NULL);
}
