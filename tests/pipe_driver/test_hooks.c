/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Gallium's query hooks, on a fake stream.
 */

#include <stdlib.h>
#include <string.h>

#include "../hw/fixture.h"
#include "pipe/p_screen.h"
#include "pitot/pipe_driver.h"
#include "util/u_threaded_context.h"

struct driver {
   struct pipe_context pipe;
   struct pitot_pipe_driver *own; /* pitot */
   struct pitot_pipe_driver pitot;
   struct fixture *fixture;
   uint8_t resource[16];
   unsigned written_B;
};

static void
buffer_subdata(struct pipe_context *pipe, struct pipe_resource *resource,
               unsigned usage, unsigned offset, unsigned size,
               const void *data)
{
   struct driver *d = (struct driver *)pipe;

   (void)resource;
   assert_true(usage & PIPE_MAP_WRITE);
   memcpy(d->resource + offset, data, size);
   d->written_B += size;
}

static struct driver *
open_driver(const struct pitot_gpu *gpu)
{
   struct driver *d = calloc(1, sizeof(*d));

   d->fixture = open_fixture(gpu, false);
   d->pipe.buffer_subdata = buffer_subdata;
   pitot_pipe_driver_init(&d->pitot, &d->pipe, d->fixture->hw, NULL);
   return d;
}

static void
close_driver(struct driver *d)
{
   close_fixture(d->fixture);
   free(d);
}

static union pipe_query_result
wait_query(struct driver *d, struct pipe_query *pq)
{
   union pipe_query_result result;

   memset(&result, 0xaa, sizeof(result));
   assert_true(d->pipe.get_query_result(&d->pipe, pq, true, &result));
   return result;
}

/* Makes, begins, draws for, and ends a query. */
static struct pipe_query *
measure(struct driver *d, unsigned type, unsigned index,
        enum pitot_kind drawn, uint64_t amount)
{
   struct pipe_query *pq = d->pipe.create_query(&d->pipe, type, index);

   assert_non_null(pq);
   assert_true(d->pipe.begin_query(&d->pipe, pq));
   fake_stream_draw(&d->fixture->fake, drawn, 0, amount);
   assert_true(d->pipe.end_query(&d->pipe, pq));
   return pq;
}

static void
types_have_their_results(void **unused)
{
   static const enum pitot_kind statistics[] = {
      PITOT_KIND_VERTICES_SUBMITTED, PITOT_KIND_PRIMITIVES_SUBMITTED,
      PITOT_KIND_VS_INVOCATIONS,     PITOT_KIND_GS_INVOCATIONS,
      PITOT_KIND_GS_PRIMITIVES,      PITOT_KIND_CLIPPING_INPUT,
      PITOT_KIND_CLIPPING_OUTPUT,    PITOT_KIND_FS_INVOCATIONS,
      PITOT_KIND_TCS_PATCHES,        PITOT_KIND_TES_INVOCATIONS,
      PITOT_KIND_CS_INVOCATIONS,
   };
   struct driver *d = open_driver(fake_gpu("polaris10"));
   struct pipe_context *pipe = &d->pipe;
   struct pipe_query *pq;

   (void)unused;
   pq = measure(d, PIPE_QUERY_OCCLUSION_COUNTER, 0, PITOT_KIND_SAMPLES_PASSED,
                9);
   assert_int_equal(wait_query(d, pq).u64, 9);
   pipe->destroy_query(pipe, pq);
   pq = measure(d, PIPE_QUERY_OCCLUSION_PREDICATE, 0,
                PITOT_KIND_SAMPLES_PASSED, 9);
   assert_true(wait_query(d, pq).b);
   pipe->destroy_query(pipe, pq);
   pq = measure(d, PIPE_QUERY_TIME_ELAPSED, 0, PITOT_KIND_TIME_ELAPSED, 25);
   assert_int_equal(wait_query(d, pq).u64, 1000);
   pipe->destroy_query(pipe, pq);
   pq = measure(d, PIPE_QUERY_SO_STATISTICS, 0, PITOT_KIND_PRIMITIVES_WRITTEN,
                3);
   assert_int_equal(wait_query(d, pq).so_statistics.num_primitives_written,
                    3);
   assert_int_equal(wait_query(d, pq).so_statistics.primitives_storage_needed,
                    0);
   pipe->destroy_query(pipe, pq);

   for (unsigned i = 0; i < ARRAY_LENGTH(statistics); i++) {
      pq = measure(d, PIPE_QUERY_PIPELINE_STATISTICS_SINGLE, i, statistics[i],
                   5 + i);
      assert_int_equal(wait_query(d, pq).u64, 5 + i);
      pipe->destroy_query(pipe, pq);
      pq = measure(d, PIPE_QUERY_PIPELINE_STATISTICS, i, statistics[i], 5);
      for (unsigned other = 0; other < 13; other++)
         assert_int_equal(
            wait_query(d, pq).pipeline_statistics.counters[other],
            other == i ? 5 : 0);
      pipe->destroy_query(pipe, pq);
   }
   assert_null(pipe->create_query(pipe, PIPE_QUERY_DRIVER_SPECIFIC, 0));
   close_driver(d);
}

static void
gpu_finishes(void **unused)
{
   struct driver *d = open_driver(fake_gpu("tgl"));
   struct pipe_context *pipe = &d->pipe;
   struct pipe_query *pq =
      pipe->create_query(pipe, PIPE_QUERY_GPU_FINISHED, 0);
   union pipe_query_result result;

   (void)unused;
   d->fixture->fake.is_held = true;
   assert_true(pipe->end_query(pipe, pq));
   assert_false(pipe->get_query_result(pipe, pq, false, &result));
   fake_stream_complete(&d->fixture->fake);
   assert_true(pipe->get_query_result(pipe, pq, false, &result));
   assert_true(result.b);
   pipe->destroy_query(pipe, pq);
   close_driver(d);
}

/* Timestamps, the time now, and whether they can be believed. */
static void
time_is_told(void **unused)
{
   struct driver *d = open_driver(fake_gpu("skl"));
   struct pipe_context *pipe = &d->pipe;
   struct pipe_query *stamp =
      pipe->create_query(pipe, PIPE_QUERY_TIMESTAMP, 0);
   struct pipe_query *disjoint =
      pipe->create_query(pipe, PIPE_QUERY_TIMESTAMP_DISJOINT, 0);

   (void)unused;
   d->fixture->fake.ticks = 12000000;
   assert_true(pipe->end_query(pipe, stamp));
   assert_int_equal(wait_query(d, stamp).u64, 1000000000);
   assert_int_equal(pipe->get_timestamp(pipe), 1000000000);

   for (unsigned i = 0; i < 2; i++) {
      assert_true(pipe->begin_query(pipe, disjoint));
      d->fixture->fake.was_reset = i;
      assert_true(pipe->end_query(pipe, disjoint));
      assert_int_equal(wait_query(d, disjoint).timestamp_disjoint.frequency,
                       1000000000);
      assert_int_equal(wait_query(d, disjoint).timestamp_disjoint.disjoint,
                       i);
   }
   pipe->destroy_query(pipe, stamp);
   pipe->destroy_query(pipe, disjoint);
   close_driver(d);
}

/* Into a buffer: clamped, only if it is known or waited for. */
static void
results_are_stored(void **unused)
{
   struct driver *d = open_driver(fake_gpu("skl"));
   struct pipe_context *pipe = &d->pipe;
   uint32_t narrow;
   uint64_t wide;

   (void)unused;
   d->fixture->fake.is_held = true;
   struct pipe_query *pq =
      measure(d, PIPE_QUERY_OCCLUSION_COUNTER, 0, PITOT_KIND_SAMPLES_PASSED,
              (uint64_t)UINT32_MAX + 5);
   pipe->get_query_result_resource(pipe, pq, 0, PIPE_QUERY_TYPE_U64, 0, NULL,
                                   8);
   assert_int_equal(d->written_B, 0);
   pipe->get_query_result_resource(pipe, pq, 0, PIPE_QUERY_TYPE_U32, -1, NULL,
                                   4);
   assert_int_equal(d->written_B, 4);
   memcpy(&narrow, d->resource + 4, 4);
   assert_int_equal(narrow, 0);
   assert_int_equal(d->fixture->fake.wait_count, 0);

   pipe->get_query_result_resource(pipe, pq, PIPE_QUERY_WAIT,
                                   PIPE_QUERY_TYPE_I32, 0, NULL, 4);
   memcpy(&narrow, d->resource + 4, 4);
   assert_int_equal(narrow, INT32_MAX);
   pipe->get_query_result_resource(pipe, pq, 0, PIPE_QUERY_TYPE_U64, 0, NULL,
                                   8);
   memcpy(&wide, d->resource + 8, 8);
   assert_int_equal(wide, (uint64_t)UINT32_MAX + 5);
   pipe->get_query_result_resource(pipe, pq, 0, PIPE_QUERY_TYPE_U64, -1, NULL,
                                   8);
   memcpy(&wide, d->resource + 8, 8);
   assert_int_equal(wide, 1);
   pipe->destroy_query(pipe, pq);
   close_driver(d);
}

/* A lost result is refused once, and then 0. */
static void
losses_are_told_once(void **unused)
{
   struct driver *d = open_driver(fake_gpu("vega10"));
   struct pipe_context *pipe = &d->pipe;
   union pipe_query_result result = { .u64 = 7 };

   (void)unused;
   d->fixture->fake.is_held = true;
   struct pipe_query *pq = measure(d, PIPE_QUERY_OCCLUSION_COUNTER, 0,
                                   PITOT_KIND_SAMPLES_PASSED, 5);
   fake_stream_flush(&d->fixture->fake, PITOT_RING_RENDER);
   d->fixture->fake.is_lost = true;
   assert_false(pipe->get_query_result(pipe, pq, true, &result));
   assert_true(pipe->get_query_result(pipe, pq, true, &result));
   assert_int_equal(result.u64, 0);
   assert_false(pipe->begin_query(pipe, pq));
   assert_null(pipe->create_query(pipe, PIPE_QUERY_TYPES, 0));
   pipe->destroy_query(pipe, pq);
   close_driver(d);
}

/* Below u_threaded_context: what it keeps of a query is at its begin, and
 * what was flushed is read without the context.
 */
static void
queries_are_threaded(void **unused)
{
   struct driver *d = open_driver(fake_gpu("tgl"));
   struct pipe_context *pipe = &d->pipe;
   struct pipe_query *pq =
      measure(d, PIPE_QUERY_TIME_ELAPSED, 0, PITOT_KIND_TIME_ELAPSED, 19200);
   struct threaded_query *threaded = threaded_query(pq);
   union pipe_query_result result;

   (void)unused;
   assert_false(threaded->flushed);
   assert_null(threaded->head_unflushed.next);
   fake_stream_flush(&d->fixture->fake, PITOT_RING_RENDER);
   threaded->flushed = true;
   assert_true(pipe->get_query_result(pipe, pq, false, &result));
   assert_int_equal(result.u64, 1000000);
   assert_int_equal(d->fixture->fake.flush_count, 0);
   pipe->destroy_query(pipe, pq);
   close_driver(d);
}

static void
intel_sets_have_their_layout(void **unused)
{
   static const struct {
      const char *gpu;
      uint32_t sizes_B[2];
   } cases[] = { { "skl", { 160, 88 } }, { "tgl", { 160, 96 } } };

   (void)unused;
   for (unsigned c = 0; c < ARRAY_LENGTH(cases); c++) {
      struct driver *d = open_driver(fake_gpu(cases[c].gpu));
      struct pipe_context *pipe = &d->pipe;
      unsigned counts[] = { pipe->init_intel_perf_query_info(pipe), 0 };

      assert_int_equal(counts[0], 2);
      for (unsigned set = 0; set < 2; set++) {
         const char *name, *description, *last = "";
         uint32_t size_B, count, active, offset_B, value_B, type, data_type;
         uint64_t raw_max, places = 0;

         pipe->get_intel_perf_query_info(pipe, set, &name, &size_B, &count,
                                         &active);
         assert_int_equal(size_B, cases[c].sizes_B[set]);
         assert_int_equal(size_B, 8 * count);
         for (unsigned i = 0; i < count; i++) {
            pipe->get_intel_perf_query_counter_info(pipe, set, i, &name,
                                                    &description, &offset_B,
                                                    &value_B, &type,
                                                    &data_type, &raw_max);
            assert_int_equal(value_B, 8);
            places |= UINT64_C(1) << offset_B / 8;
            assert_true(set == 1 || strcmp(last, name) < 0);
            last = name;
         }
         assert_int_equal(places, (UINT64_C(1) << count) - 1);
      }
      close_driver(d);
   }
}

static void
intel_sets_count(void **unused)
{
   struct driver *d = open_driver(fake_gpu("bdw"));
   struct pipe_context *pipe = &d->pipe;
   struct pipe_query *pq = pipe->new_intel_perf_query_obj(pipe, 0);
   uint64_t record[20];
   uint32_t written_B = 0;

   (void)unused;
   assert_true(pipe->begin_intel_perf_query(pipe, pq));
   draw(d->fixture, PITOT_KIND_FS_INVOCATIONS, 11);
   draw(d->fixture, PITOT_KIND_SAMPLES_PASSED, 12);
   fake_stream_draw(&d->fixture->fake, PITOT_KIND_PRIMITIVES_WRITTEN, 3, 13);
   pipe->end_intel_perf_query(pipe, pq);
   d->fixture->fake.is_held = true;
   assert_false(pipe->is_intel_perf_query_ready(pipe, pq));
   assert_int_equal(d->fixture->fake.flush_count, 0);
   fake_stream_flush(&d->fixture->fake, PITOT_RING_RENDER);
   assert_false(pipe->is_intel_perf_query_ready(pipe, pq));
   pipe->wait_intel_perf_query(pipe, pq);
   assert_true(pipe->is_intel_perf_query_ready(pipe, pq));
   assert_true(pipe->get_intel_perf_query_data(pipe, pq, sizeof(record),
                                               (uint32_t *)record,
                                               &written_B));
   assert_int_equal(written_B, 160);
   for (unsigned i = 0; i < 20; i++)
      assert_int_equal(record[i], i == 17   ? 11
                                  : i == 18 ? 12
                                  : i == 10 ? 13
                                            : 0);
   pipe->delete_intel_perf_query(pipe, pq);
   close_driver(d);
}

/* A GPU counts all eleven statistics, or not all, and overflows, or none. */
static void
counters_are_true(void **unused)
{
   static const struct {
      const char *gpu;
      unsigned sample_bits;
      bool has_all_statistics;
      unsigned overflow_bits;
   } cases[] = {
      { "bdw", 64, true, 1 },     { "skl", 64, true, 1 },
      { "vega10", 63, true, 1 },  { "navi21", 63, false, 1 },
      { "navi31", 63, false, 0 },
   };

   (void)unused;
   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      const struct pitot_gpu *gpu = fake_gpu(cases[i].gpu);
      bool has_all = true;

      for (enum pitot_kind kind = PITOT_KIND_VERTICES_SUBMITTED;
           kind <= PITOT_KIND_CLIPPING_OUTPUT; kind++)
         has_all &= pitot_hw_gpu_counter_bits(gpu, kind) != 0;
      assert_int_equal(has_all, cases[i].has_all_statistics);
      assert_int_equal(pitot_hw_gpu_counter_bits(gpu, PITOT_KIND_TIMESTAMP),
                       64);
      assert_int_equal(pitot_hw_gpu_counter_bits(gpu,
                                                 PITOT_KIND_SAMPLES_PASSED),
                       cases[i].sample_bits);
      assert_int_equal(pitot_hw_gpu_counter_bits(gpu,
                                                 PITOT_KIND_STREAM_OVERFLOW),
                       cases[i].overflow_bits);
   }
}

int
main(void)
{
   static const struct CMUnitTest tests[] = {
      cmocka_unit_test(types_have_their_results),
      cmocka_unit_test(gpu_finishes),
      cmocka_unit_test(time_is_told),
      cmocka_unit_test(results_are_stored),
      cmocka_unit_test(losses_are_told_once),
      cmocka_unit_test(queries_are_threaded),
      cmocka_unit_test(intel_sets_have_their_layout),
      cmocka_unit_test(intel_sets_count),
      cmocka_unit_test(counters_are_true),
   };

   return cmocka_run_group_tests_name("pipe driver", tests, NULL, NULL);
}
